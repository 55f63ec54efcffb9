"""The memory store at 10,000 notes: one write end to end, one undo, a look for outside changes, and building the index anew from the files.

Budgets: a write ≤ 300 ms CPU (its index has 10,000 lines, fifty times what is loaded), an undo ≤ 250, a look ≤ 150 when nothing changed;
the index rebuilt in ≤ 20 s CPU: it is a repair, not a habit.
Prints figures. Run it as `python -m tests.bench.bench_store`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from desktop.base.clock import SystemClock
from desktop.base.paths import AppPaths
from desktop.memory.health import check_health, repair
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.note import INDEX_NAME
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState
from tests.bench.bench_memory_headers import make_notes, timed

ON = MemoryState(True, "", True, "", "auto")
MAIN = ChangeOrigin("main", "sess_bench", "msg_bench")
PERSON = ChangeOrigin("person")
ROUNDS = 5


def _store(folder: Path) -> MemoryStore:
    work = folder / "work"
    work.mkdir()
    paths = AppPaths(data=folder / "data", config=folder / "config", cache=folder / "cache")
    project = resolve_project(work, paths)
    ensure_project(project, SystemClock())
    return MemoryStore(project, paths, SystemClock(), lambda: ON)


def _once(action: Callable[[], object]) -> float:
    started = time.process_time()
    action()
    return time.process_time() - started


def _write(store: MemoryStore, number: int) -> None:
    text = f"---\nname: fresh-{number}\ndescription: fresh {number}\nmetadata:\n  type: project\n---\n\nA fresh fact, number {number}.\n"
    store.write(f"fresh-{number}.md", text, base_digest=None, origin=MAIN)


def measure(count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        store = _store(Path(name))
        make_notes(store.root, count)
        first = _once(store.observe)
        rebuild = _once(lambda: repair(store, ("missing-line",), origin=PERSON))
        lines = (store.root / INDEX_NAME).read_text(encoding="utf-8").count("\n")
        numbers = iter(range(1_000))
        _write(store, next(numbers))
        return {
            "first look": first,
            "index rebuild": rebuild,
            "lines": lines,
            "write": timed(lambda: _write(store, next(numbers)), ROUNDS),
            "undo": timed(store.undo, ROUNDS),
            "look": timed(store.observe, ROUNDS),
            "health": _once(lambda: check_health(store)),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="The memory store at many notes.")
    parser.add_argument("--count", type=int, default=10_000)
    count = parser.parse_args().count
    found = measure(count)
    print(f"notes {count:,}, index lines {found['lines']:,.0f}")
    print(f"one write end to end {found['write'] * 1000:.0f} ms CPU   (budget 300)")
    print(f"one undo             {found['undo'] * 1000:.0f} ms CPU   (budget 250)")
    print(f"look, nothing new    {found['look'] * 1000:.0f} ms CPU   (budget 150)")
    print(f"first look           {found['first look']:.1f} s CPU")
    print(f"index rebuilt        {found['index rebuild']:.1f} s CPU   (budget 20)")
    print(f"health check         {found['health']:.1f} s CPU")


if __name__ == "__main__":
    main()
