"""A real project, a real profile and a real store for the memory tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop.base.paths import AppPaths
from desktop.memory.identity import Project, ensure_project, resolve_project
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState
from tests.helpers.clock import FixedClock

ON = MemoryState(True, "", True, "", "auto")
WRITE_OFF = MemoryState(True, "", False, "Memory writing is off. Do not write it anywhere else instead.", "off")
MAIN = ChangeOrigin("main", "sess_one", "msg_one")
PERSON = ChangeOrigin("person")
EXTRACTOR = ChangeOrigin("extractor", "sess_one", "msg_two")


def note_text(name: str, body: str, description: str = "", kind: str = "project") -> str:
    """A note as a model writes one."""
    return f"---\nname: {name}\ndescription: {description or body[:60]}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"


@dataclass
class Desk:
    """What one test works with; `state` is what the store asks before each change of an agent."""

    paths: AppPaths
    project: Project
    clock: FixedClock
    store: MemoryStore
    state: MemoryState = ON

    @property
    def root(self) -> Path:
        return self.store.root

    def index(self) -> str:
        path = self.root / "MEMORY.md"
        return path.read_text() if path.exists() else ""

    def add(self, path: str, body: str, *, name: str = "", origin: ChangeOrigin = MAIN) -> None:
        self.store.write(path, note_text(name or path.removesuffix(".md"), body), base_digest=None, origin=origin)


def make_paths(base: Path) -> AppPaths:
    return AppPaths(data=base / "data", config=base / "config", cache=base / "cache")


def make_desk(base: Path) -> Desk:
    folder = base / "work" / "项目 alpha"
    folder.mkdir(parents=True)
    paths = make_paths(base)
    clock = FixedClock(step_s=1.0)
    project = resolve_project(folder, paths)
    ensure_project(project, clock)
    desk = Desk(paths, project, clock, None)  # type: ignore[arg-type]
    desk.store = MemoryStore(project, paths, clock, lambda: desk.state)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path)
