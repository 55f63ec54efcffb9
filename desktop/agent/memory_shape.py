"""How memory is put into requests, as the settings choose it: which roots, in which slot, how often it is read again, in which words.

Owns the reading of those settings and nothing else; the assembler, the rules and the view of memory are driven by this one value. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop.memory.roots import PROJECT, USER, WORKSPACE, MemoryRoot
from desktop.settings.store import SettingsStore

Layout = Literal["all", "project", "single"]
Channel = Literal["user", "system"]
Refresh = Literal["delta", "session", "turn", "compaction"]
IndexStep = Literal["app", "two-steps"]

ORDER = (USER, PROJECT, WORKSPACE)
"""The roots of slot B, in its order (memory design, 6.3)."""
_LAYOUTS: dict[str, tuple[str, ...]] = {"all": ORDER, "project": (PROJECT,), "single": (WORKSPACE,)}


@dataclass(frozen=True, slots=True)
class MemoryShape:
    """The defaults are Keepsake's own way.

    Attributes:
        layout: every root, the project's own only, or the workspace file only.
        channel: contents stand in the start block (`user`) or in the system text (`system`).
        refresh: how a running session learns of changes: a note each turn, not at all, by reading again each turn, or at a compaction.
        step: who writes a new memory's index line, as the model is told.
        tools: there are `memory_search` and `memory_index`.
        agents_md: the index stands under the heading that ZCode gives it (FM-17).
    """

    layout: Layout = "all"
    channel: Channel = "user"
    refresh: Refresh = "delta"
    step: IndexStep = "app"
    tools: bool = True
    agents_md: bool = False

    @classmethod
    def of(cls, settings: SettingsStore | None) -> MemoryShape:
        """As these settings say now; None: the defaults."""
        if settings is None:
            return cls()
        return cls(
            layout=settings.value("memory.layout"),
            channel=settings.value("memory.index_channel"),
            refresh=settings.value("memory.refresh"),
            step=settings.value("memory.index_step"),
            tools=settings.value("memory.tools") is True,
            agents_md=settings.value("memory.preset") == "zcode",
        )

    def takes(self, root: MemoryRoot) -> bool:
        """Whether this root stands in the slots and the rules."""
        return root.channel == "block" and root.id in _LAYOUTS[self.layout]

    def chosen(self, roots: Sequence[MemoryRoot]) -> list[MemoryRoot]:
        """The roots that stand in the slots, in their order."""
        return sorted((root for root in roots if self.takes(root)), key=lambda root: ORDER.index(root.id))
