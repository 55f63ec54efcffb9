"""What a tool call would touch, and what the rules say of it. Values only; nothing here asks the person.

Lowest module of permissions: tools make an `Access`, `permissions.modes.decide` returns a `Decision`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

AccessKind = Literal["read", "write", "execute", "session"]
Mode = Literal["default", "accept-edits", "plan"]
Effect = Literal["allow", "ask", "deny"]
MemoryPolicy = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class Access:
    """One resolved access.

    Attributes:
        tool: the tool's name.
        kind: read, write, execute (a shell command) or session (reading another session).
        target: the resolved real path for read and write; the working directory for execute; None for session.
        content: the exact bytes to be written, or the exact command.
        memory_target: set when the memory rule took the path as a memory write: relative to the memory root.
        memory_denied: the memory rule's reason when the path lies in memory but may not be written.
        foreign_session: for kind session: the session belongs to another project.
        sensitive: why reading or writing the target would touch a secret (“a private key”), or None.
        note: a sentence for the person that goes with the question, such as where a link leads; may be empty.
        memory_root: with `memory_target` or `memory_denied`: the id of the root that the target lies in (`project`, `user`, …).
        memory_policy: what that root's row of the table says of a write by an agent: goes through, is asked, is refused.
    """

    tool: str
    kind: AccessKind
    target: Path | None
    content: str = ""
    memory_target: str | None = None
    memory_denied: str | None = None
    foreign_session: bool = False
    sensitive: str | None = None
    note: str = ""
    memory_root: str = "project"
    memory_policy: MemoryPolicy = "allow"


@dataclass(frozen=True, slots=True)
class Decision:
    """Allow, ask or deny, by which rule (`memory.file.markdown`, `mode.plan.nonReadOnly`, …) and why, in a sentence for people."""

    effect: Effect
    rule: str
    reason: str
