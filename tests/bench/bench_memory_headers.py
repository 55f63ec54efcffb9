"""Headers of 10,000 memory files: listing them cold against only reading their bytes, and warm out of the cache, in one run.

Budgets: cold at most five times the time of reading the bytes, warm at most 200 ms, both in CPU time. Prints figures.
Run it as `python -m tests.bench.bench_memory_headers`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from desktop.memory.note import list_notes
from desktop.memory.note_cache import NoteCache

COLD_BUDGET = 5.0
WARM_BUDGET_MS = 200.0


def later() -> int:
    """The time a while after the notes were written, so that the cache believes that they are settled."""
    return time.time_ns() + 60_000_000_000


def make_notes(root: Path, count: int) -> int:
    """Notes in the standard form, in English and Chinese, over twenty folders; gives their bytes."""
    total = 0
    for number in range(count):
        folder = root / f"topic-{number % 20}"
        folder.mkdir(exist_ok=True)
        chinese, english = (f"决定-{number}", "我们决定使用端口 5433"), (f"decision-{number}", "The build runs with bun, never npm")
        name, text = chinese if number % 3 == 0 else english
        data = (
            f"---\nname: {name}\ndescription: {text}\nmetadata:\n  node_type: memory\n  created: 2026-01-02T03:04:05.000Z\n"
            f"  originSessionId: sess_{number:026}\n  originMessageId: msg_{number:026}\n  modified: 2026-02-03T04:05:06.000Z\n"
            f"  type: project\n---\n\n{text}.\n\n**Why:** {text * 6}\n"
        ).encode()
        (folder / f"{name}.md").write_bytes(data)
        total += len(data)
    return total


def read_all(root: Path) -> int:
    """Only the bytes, walked and opened as cheaply as Python can."""
    total = 0
    pending = [str(root)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                    continue
                handle = os.open(entry.path, os.O_RDONLY)
                total += len(os.read(handle, 1 << 20))
                os.close(handle)
    return total


def timed(action: Callable[[], object], rounds: int) -> float:
    """Median seconds of CPU."""
    spent = []
    for _ in range(rounds):
        started = time.process_time()
        action()
        spent.append(time.process_time() - started)
    return statistics.median(spent)


def measure(count: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        root, file = Path(folder) / "notes", Path(folder) / "cache" / "headers"
        root.mkdir()
        size = make_notes(root, count)
        assert read_all(root) == size
        assert len(list_notes(root)) == count
        bare = timed(lambda: read_all(root), rounds)
        cold = timed(lambda: list_notes(root), rounds)
        first = timed(lambda: list_notes(root, NoteCache(root, None, now_ns=later)), rounds)
        cache = NoteCache(root, file, now_ns=later)
        assert list_notes(root, cache) == list_notes(root)
        warm = timed(lambda: list_notes(root, cache), rounds)
        started = timed(lambda: list_notes(root, NoteCache(root, file, now_ns=later)), rounds)
        assert list_notes(root, NoteCache(root, file, now_ns=later)) == list_notes(root)
        kept = file.stat().st_size
    return {"notes": count, "bytes": size, "reading": bare, "cold": cold, "filling": first, "warm": warm, "started": started, "kept": kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found = measure(options.count, options.rounds)
    ms = {name: value * 1000 for name, value in found.items()}
    print(f"{found['notes']:,.0f} notes, {found['bytes'] / 1e6:.1f} MB, reading their bytes: {ms['reading']:.0f} ms CPU")
    print(f"cold: {ms['cold']:.0f} ms CPU, {found['cold'] / found['reading']:.1f} times the reading (budget {COLD_BUDGET:.0f})")
    print(f"cold, filling the cache in memory: {ms['filling']:.0f} ms CPU, {found['filling'] / found['reading']:.1f} times")
    print(f"warm: {ms['warm']:.0f} ms CPU (budget {WARM_BUDGET_MS:.0f})")
    print(f"warm after a start, cache of {found['kept'] / 1e6:.1f} MB read: {ms['started']:.0f} ms CPU (budget {WARM_BUDGET_MS:.0f})")


if __name__ == "__main__":
    main()
