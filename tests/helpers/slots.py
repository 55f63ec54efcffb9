"""A folder with memory in every root, and assemblers over it as the settings shape them; no session, no model."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.agent.assembler import Assembler
from desktop.agent.prompts import Language
from desktop.base.paths import AppPaths
from desktop.base.textio import digest
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.memories import Memories
from desktop.memory.switches import MemoryState
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock

ON = MemoryState(True, "", True, "", "auto")
LATER = datetime(2037, 1, 1, tzinfo=UTC)
"""A while after every file of a test was written, so that their times can be relied on."""


class Slots:
    """A folder with memory in every root, and an assembler over it."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "ws"
        self.folder.mkdir()
        self.paths = AppPaths(tmp_path / "data", tmp_path / "config", tmp_path / "cache")
        self.clock = FixedClock(LATER)
        self.project = ensure_project(resolve_project(self.folder, self.paths), self.clock)
        self.settings = SettingsStore(self.paths, self.folder, self.clock)
        self.settings.load()
        self.memories = Memories(self.project, self.folder, self.paths, self.clock, lambda: ON, settings=self.settings)
        self.memories.prepare()
        self.index = self.memories.store("project").root / "MEMORY.md"
        self.user = self.memories.store("user").root / "MEMORY.md"
        self.shared = self.folder / ".agents" / "memory" / "MEMORY.md"
        self.index.write_text("- [port](port.md) — the word is basalt\n")
        self.user.write_text("The word is opal.\n")
        self.share("The word is quarz.\n")
        (self.folder / "AGENTS.md").write_text("The word is agat.\n")

    def share(self, text: str) -> None:
        self.shared.parent.mkdir(parents=True, exist_ok=True)
        self.shared.write_text(text)
        self.memories.allow_workspace(digest(text.encode()))

    def set(self, **values: Any) -> Slots:
        for name, value in values.items():
            self.settings.set(f"memory.{name}", value)
        return self

    def assembler(self, *, memory: bool = True, language: Language = "en") -> Assembler:
        made = Assembler(
            self.folder,
            self.memories if memory else None,
            clock=self.clock,
            environ={},
            language=language,
            settings=self.settings,
        )
        made.rebuild()
        return made
