"""A desk whose memory is searched: files written as people and other programs write them, and what a search finds of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.memory.memories import Memories
from desktop.memory.search import MemoryFound, MemorySearch
from desktop.memory.switches import MemoryState
from tests.helpers.searches import opened
from tests.unit.memory.conftest import ON, Desk


class Chosen:
    """Settings with a few values."""

    broken = False

    def __init__(self, **values: Any) -> None:
        self._values = {
            "memory.foreign": [],
            "checkpoint.reconcile_on_search": True,
            "checkpoint.score_floor": 0.0,
            "memory.sensitive_names": [],
            "memory.git_words": [],
        } | values

    def value(self, key: str) -> object:
        return self._values.get(key, 500)

    def tightened(self, key: str, value: object) -> object:
        return value


@dataclass
class Searching:
    """One desk with its search. `settle`: how far the wall clock of the search runs ahead of the files, in seconds."""

    desk: Desk
    settle: float = 3_600.0
    environ: Mapping[str, str] = field(default_factory=dict)
    state: MemoryState = ON
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.memories = self.fresh_memories()
        self.search = self.fresh_search()

    def fresh_search(self) -> MemorySearch:
        """As the next process has it."""
        made = opened(MemorySearch(self.desk.paths, self.desk.clock, now_ns=self.now_ns))
        made.follow(self.memories)
        return made

    def now_ns(self) -> int:
        import time

        return time.time_ns() + int(self.settle * 1e9)

    def fresh_memories(self) -> Memories:
        desk = self.desk
        return Memories(
            desk.project,
            desk.project.folder,
            desk.paths,
            desk.clock,
            lambda: self.state,
            settings=Chosen(**self.settings),
            environ=self.environ,
        )

    def put(self, path: str, text: str | bytes, root: str = "project") -> Path:
        """A file as an editor writes it."""
        found = self.memories.root(root)
        assert found is not None
        file = found.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def found(self, queries: str | Sequence[str], **values: Any) -> MemoryFound:
        return self.search.search(self.memories, queries, **values)

    def paths(self, queries: str | Sequence[str], **values: Any) -> list[str]:
        return [hit.path for hit in self.found(queries, **values).hits]

    def bytes_below(self, folder: Path) -> bytes:
        """Everything that stands below a folder."""
        return b"".join((Path(place) / name).read_bytes() for place, _, names in os.walk(folder) for name in names)
