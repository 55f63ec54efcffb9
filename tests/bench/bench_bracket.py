"""What the guard around a shell command costs with 10,000 notes and nothing changed: CPU milliseconds a call, both looks together."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from desktop.base.clock import SystemClock
from desktop.base.paths import AppPaths
from desktop.memory.bracket import RootBracket
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState

NOTES = 10_000
MOST_MS = 150.0


def measure(base: Path, notes: int = NOTES, calls: int = 9) -> list[float]:
    """CPU milliseconds of each of `calls` guarded commands that touch nothing, after a first one that takes the folder in."""
    paths = AppPaths(base / "data", base / "config", base / "cache")
    workspace = base / "work"
    workspace.mkdir()
    clock = SystemClock()
    project = resolve_project(workspace, paths)
    ensure_project(project, clock)
    store = MemoryStore(project, paths, clock, lambda: MemoryState(True, "", True, "", "auto"))
    for number in range(notes):
        folder = store.root / f"topic-{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"note-{number}.md").write_text(f"---\nname: note-{number}\ndescription: fact {number}\n---\n\nFact {number}.\n")
    bracket, origin = RootBracket([store]), ChangeOrigin("main")
    time.sleep(0.5)
    bracket.after(bracket.before(), origin=origin)
    spent = []
    for _ in range(calls):
        start = time.process_time()
        report = bracket.after(bracket.before(), origin=origin)
        spent.append((time.process_time() - start) * 1000)
        if report.text:
            raise AssertionError(report.text)
    return spent


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        spent = sorted(measure(Path(folder)))
    middle = spent[len(spent) // 2]
    print(f"guard of {NOTES:,} notes, unchanged: {middle:.1f} ms CPU a call (n={len(spent)}, most {spent[-1]:.1f}, budget {MOST_MS:.0f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
