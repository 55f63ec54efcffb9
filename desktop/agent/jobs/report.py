"""What an extraction did, for the status bar, the headless JSON and tests (memory design, 6.8). Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from desktop.messages.usage import Usage

SkipReason = Literal["direct-memory-write", "no-user-prose", "disabled", "remote", "no-root", "closing", "rate"]
Outcome = Literal["success", "no-op", "error", "aborted"]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change that was made, and why: the person's sentence behind it, shortened. `change` is its id in the project's journal."""

    op: str
    path: str
    change: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"op": self.op, "path": self.path, "change": self.change, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Report:
    """What an extraction did.

    Attributes:
        decision: run, skip or off; reason says why not run.
        outcome: of a run. After a success or a no-op the messages count as looked at.
        written: memories that were written, relative to the project's memory.
        audit: every change with its reason.
        proposed: ids of the proposals that wait for the person.
        usage: what its requests cost, also when it failed.
        left: some of the messages are still to be looked at, by another run.
    """

    decision: Literal["run", "skip", "off"]
    reason: SkipReason | None = None
    outcome: Outcome | None = None
    written: tuple[str, ...] = ()
    audit: tuple[AuditEntry, ...] = field(default=(), compare=False)
    proposed: tuple[str, ...] = field(default=(), compare=False)
    usage: Usage | None = field(default=None, compare=False)
    left: bool = field(default=False, compare=False)

    @property
    def done(self) -> bool:
        """Whether the cursor moved."""
        return self.outcome in ("success", "no-op")

    def to_json(self) -> dict[str, Any]:
        return {
            "decision": self.decision,
            "reason": self.reason,
            "outcome": self.outcome,
            "written": list(self.written),
            "changes": [entry.to_json() for entry in self.audit],
            "proposed": list(self.proposed),
            "usage": None if self.usage is None else self.usage.to_json(),
        }
