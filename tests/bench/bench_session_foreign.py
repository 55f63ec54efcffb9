"""Sessions of other tools next to their budgets: `python -m tests.bench.bench_session_foreign [--megabytes N]`. Prints; fails on nothing.

Budgets: ReadSessionContext over 100 MB ≤ 5 s CPU and ≤ 300 MiB, whatever the format (product, section 6); the first look at 40 sessions of
5 MB each ≤ 2 s. Each reading has a process of its own, since the peak of memory is the process's.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop.sessions.foreign import ForeignSessions
from tests.bench.foreign_files import FORMATS, broken_lines, claude

_MEASURE = """
import sys, time
from pathlib import Path
from desktop.sessions import importers
from desktop.sessions.context import read_context
from desktop.sessions.context_foreign import ForeignMaterial
importers._formats()
start = time.process_time()
material = ForeignMaterial(importers.open_transcript(Path(sys.argv[1])), "sess_z" + "0" * 25, sys.argv[2])
found = read_context(material, sys.argv[2])
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
print(f"{found.status}, {material.count:,} messages, {time.process_time() - start:.1f} s CPU, peak {peak:.0f} MiB")
"""
QUERY = "Which line of the parser reads 解析器?"


def main() -> None:
    found = argparse.ArgumentParser(description=__doc__)
    found.add_argument("--megabytes", type=int, default=100)
    size = found.parse_args().megabytes * 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, write) in FORMATS.items():
            path = Path(folder) / name / file
            path.parent.mkdir()
            write(path, 1_000_000)
            scale = path.stat().st_size / 1_000_000
            path.unlink()
            write(path, int(size / scale))
            print(f"{name}, {path.stat().st_size / 1e6:.0f} MB: {_measured(path)}")
            path.unlink()
        path = Path(folder) / "broken.jsonl"
        broken_lines(path, 400_000)
        print(f"400,000 broken lines: {_measured(path)}")
        path.unlink()
        print(_first_look(Path(folder)))


def _measured(path: Path) -> str:
    return subprocess.run([sys.executable, "-c", _MEASURE, str(path), QUERY], capture_output=True, text=True, check=True).stdout.strip()


def _first_look(root: Path) -> str:
    place = root / "projects" / "-home-ada-demo"
    place.mkdir(parents=True)
    for number in range(40):
        claude(place / f"{number:08}-aaaa-bbbb-cccc-000000000000.jsonl", 2_790_000)
    sessions = ForeignSessions(root / "cache", root / "named", lambda: [place], lambda _folder: "")
    start = time.process_time()
    sessions.refresh()
    return f"first look at {len(sessions.list())} sessions of 5 MB: {time.process_time() - start:.1f} s CPU (budget 2 s)"


if __name__ == "__main__":
    main()
