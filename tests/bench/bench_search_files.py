"""Search over what a person has on disk: 10,000 memory files that did not change, a memory that was just saved, 1,000 sessions of 100
messages. Prints CPU of this process beside budgets.

Budgets: unchanged files looked through in ≤ 250 ms; a saved memory taken in and found within 50 ms; the sessions are 100,000 passages, so
first read in ≤ 20 s and asked in ≤ 20 / 60 ms (p50 / p95).
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from desktop.base.clock import SystemClock
from desktop.base.paths import AppPaths
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.memories import Memories
from desktop.memory.search import MemorySearch
from desktop.memory.store import ChangeOrigin
from desktop.memory.switches import MemoryState
from desktop.sessions.index import SessionSearch
from tests.bench.bench_history import words
from tests.bench.bench_memory_headers import later, make_notes
from tests.bench.bench_search import seconds, shown
from tests.bench.bench_sessions import written_texts
from tests.unit.sessions.make import paths_in, store_in

NOTES, SAVED = 10_000, 15
SESSIONS, MESSAGES = 1_000, 100
MAIN = ChangeOrigin("main", "sess_bench", "msg_bench")


def memories_in(base: Path) -> tuple[Memories, AppPaths]:
    work = base / "work"
    work.mkdir()
    paths, clock = AppPaths(data=base / "data", config=base / "config", cache=base / "cache"), SystemClock()
    project = resolve_project(work, paths)
    ensure_project(project, clock)
    return Memories(project, work, paths, clock, lambda: MemoryState(True, "", True, "", "auto"), environ={}), paths


def memory_files(base: Path, count: int = NOTES) -> None:
    """Files that settled, first read, then unchanged in this process and for the next one; then saved memories."""
    memories, paths = memories_in(base)
    root = memories.root("project")
    assert root is not None
    root.folder.mkdir(parents=True, exist_ok=True)
    make_notes(root.folder, count)
    search = MemorySearch(paths, SystemClock(), now_ns=later)
    print(f"{count:,} memory files: first read in {seconds(lambda: search.reconcile(memories)):.1f} s")
    unchanged = [seconds(lambda: search.reconcile(memories)) * 1000 for _ in range(7)]
    print(f"    unchanged: {statistics.median(unchanged):.0f} ms (n={len(unchanged)}, most {max(unchanged):.0f}; budget 250)")
    search.close()
    fresh = MemorySearch(paths, SystemClock(), now_ns=later)
    print(f"    unchanged, for the next process: {seconds(lambda: fresh.reconcile(memories)) * 1000:.0f} ms")
    saved(memories, fresh)
    typed = [asked(fresh, memories, text) for text in as_typed("端口", "build runs", "decision 4711")]
    print(f"    as typed, letter by letter: {shown(typed)} (n={len(typed)}; budget 50)")
    fresh.close()


def saved(memories: Memories, search: MemorySearch, count: int = SAVED) -> None:
    """From the moment that the file is written until a search gives it, without the writing itself."""
    store = memories.store("project")
    marks: list[float] = []
    memories.changed.subscribe(lambda fact: marks.append(time.process_time()))  # runs before the search hears of it
    search.follow(memories)
    memories.changed.subscribe(lambda fact: marks.append(time.process_time()))
    taken, found = [], []
    for number in range(count):
        marks.clear()
        word = f"marmot{number}burrow"
        header = f"---\nname: {word}\ndescription: where the {word} is\nmetadata:\n  type: project\n---\n"
        text = f"{header}\nThe {word} lies in 第{number}号 folder.\n"
        store.write(f"{word}.md", text, base_digest=None, origin=MAIN)
        taken.append((marks[-1] - marks[0]) * 1000)
        began = time.process_time()
        hits = search.search(memories, word, reconcile=False).hits
        found.append((time.process_time() - began) * 1000)
        if not hits or hits[0].name != word:
            raise AssertionError(f"{word} was saved and is not found")
    both = [one + other for one, other in zip(taken, found, strict=True)]
    print(f"    saved, then found: {shown(both)} (n={count}; taken in {shown(taken)}; asked {shown(found)}; budget 50)")


def asked(search: MemorySearch, memories: Memories, text: str) -> float:
    """Milliseconds of one search."""
    return seconds(lambda: search.search(memories, text, reconcile=False)) * 1000


def as_typed(*wanted: str) -> list[str]:
    """What stands in a search box after each letter."""
    return [text[:end] + "*" * text[:end][-1].isascii() for text in wanted for end in range(1, len(text) + 1)]


def sessions(base: Path, count: int = SESSIONS) -> None:
    rng = random.Random(4)
    store, paths = store_in(base), paths_in(base)
    files = [written_texts(store, [words(rng, 40) for _ in range(MESSAGES)], number % 20) for number in range(count)]
    search = SessionSearch(store, paths)
    print(f"{count:,} sessions of {MESSAGES} messages: first read in {seconds(search.reconcile):.1f} s (budget 20)")
    print(f"    unchanged: {seconds(search.reconcile) * 1000:.0f} ms")
    key = files[0].parent.name
    for name, where in (("one project of 20", key), ("all projects", None)):
        spent = []
        for _ in range(100):
            query = words(rng, 4)
            spent.append(seconds(lambda q=query, w=where: search.search(q, project_key=w, reconcile=False)) * 1000)  # type: ignore[misc]
        print(f"    asked in {name}, four words: {shown(spent)} (n={len(spent)}; budget 20 / 60)")
    search.close()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        memory_files(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        sessions(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
