"""A real workspace, a real memory store and real contexts for the tools' tests."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.base.paths import AppPaths
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.memories import Memories
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.permissions.access import Decision, Mode
from desktop.permissions.grants import Grants
from desktop.permissions.modes import decide
from desktop.tools.base import Outcome, Prepared, ReadState, Tool, ToolContext
from tests.helpers.clock import FixedClock

ON = MemoryState(True, "", True, "", "auto")


@dataclass
class Bench:
    """What one test works with. `state` is what the memory store asks before each change."""

    base: Path
    paths: AppPaths
    workspace: Path
    store: MemoryStore
    clock: FixedClock
    environ: dict[str, str]
    state: MemoryState = ON
    read_state: ReadState = field(default_factory=ReadState)
    live: list[str] = field(default_factory=list)
    memory_on: bool = True
    actor: str = "main"
    memories: Memories | None = None

    @property
    def memory_root(self) -> Path:
        return self.store.root

    @property
    def context(self) -> ToolContext:
        return ToolContext(
            workspace=self.workspace,
            cwd=self.workspace,
            memory=self.store if self.memory_on else None,
            memory_root=self.store.root if self.memory_on else None,
            read_state=self.read_state,
            actor=self.actor,
            session_id="sess_test",
            message_id="msg_test",
            clock=self.clock,
            environ=self.environ,
            emit=self.live.append,
            memories=self.memories,
        )

    def prepare(self, tool: Tool, **arguments: Any) -> Prepared:
        return asyncio.run(tool.prepare(arguments, self.context))

    def run(self, tool: Tool, **arguments: Any) -> Outcome:
        """Prepare and run, whatever the rules would say."""

        async def both() -> Outcome:
            return await (await tool.prepare(arguments, self.context)).run()

        return asyncio.run(both())

    def decide(self, prepared: Prepared, mode: Mode = "default") -> Decision:
        root = self.store.root if self.memory_on else None
        readable = tuple(r.folder for r in self.memories.own_roots) if self.memory_on and self.memories is not None else ()
        grants = Grants(self.paths)
        return decide(prepared.access, mode=mode, workspace=self.workspace, memory_root=root, grants=grants, readable=readable)

    def file(self, name: str, content: str | bytes = "") -> Path:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def note(self, name: str, text: str) -> Path:
        path = self.memory_root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def finish(prepared: Prepared) -> Outcome:
    """Run what was prepared."""

    async def run() -> Outcome:
        return await prepared.run()

    return asyncio.run(run())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    base = Path(os.path.realpath(tmp_path))
    paths = AppPaths(base / "profile" / "data", base / "profile" / "config", base / "profile" / "cache")
    workspace = base / "work space 工作"
    workspace.mkdir()
    clock = FixedClock()
    project = resolve_project(workspace, paths)
    ensure_project(project, clock)
    made: list[Bench] = []
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(base), "LANG": "C.UTF-8"}
    memories = Memories(project, workspace, paths, clock, lambda: made[0].state, environ=environ)
    store = memories.store()
    made.append(Bench(base, paths, workspace, store, clock, environ, memories=memories))
    return made[0]
