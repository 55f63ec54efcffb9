"""Headers of 10,000 memory files: listing them against only reading their bytes, in one run.

Budget (product, section 6): at most five times the time of reading the bytes. Prints figures.
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

BUDGET = 5.0


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
        root = Path(folder)
        size = make_notes(root, count)
        assert read_all(root) == size
        assert len(list_notes(root)) == count
        bare = timed(lambda: read_all(root), rounds)
        full = timed(lambda: list_notes(root), rounds)
    return {"notes": count, "bytes": size, "reading_s": bare, "headers_s": full, "ratio": full / bare}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found = measure(options.count, options.rounds)
    print(
        f"{found['notes']:,.0f} notes, {found['bytes'] / 1e6:.1f} MB: reading {found['reading_s'] * 1000:.0f} ms, "
        f"headers {found['headers_s'] * 1000:.0f} ms CPU, ratio {found['ratio']:.1f} (budget {BUDGET:.0f})"
    )


if __name__ == "__main__":
    main()
