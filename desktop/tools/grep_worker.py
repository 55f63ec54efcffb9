"""The search program for machines without ripgrep: run as a child, so that a slow pattern can be ended. Standard library only.

Reads one JSON line (pattern, ignore_case, mode, per_file_s, most) and then paths, each ended by NUL, from standard input. Writes
`path NUL line:text` for each hit, `path NUL` or `path NUL count` by mode, as ripgrep does; files that took too long go to standard error.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import types
from collections.abc import Iterator
from typing import BinaryIO

LARGEST = 50 << 20
SHOWN = 500
"""Characters of a line that are given, around the hit."""


class TooSlowError(Exception):
    """The file's time is up."""


def _alarm(_signal: int, _frame: types.FrameType | None) -> None:
    raise TooSlowError


def lines_of(path: str) -> list[str]:
    """The lines of a text file; none for binary, large or unreadable ones."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(LARGEST + 1)
    except OSError:
        return []
    if len(data) > LARGEST:
        return []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").split("\n")
    if b"\0" in data[:8192]:
        return []
    return data.decode("utf-8-sig", "replace").split("\n")


def hits_of(pattern: re.Pattern[str], path: str) -> Iterator[tuple[int, str]]:
    lines = lines_of(path)
    if lines and lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, 1):
        text = line[:-1] if line.endswith("\r") else line
        found = pattern.search(text)
        if found is not None:
            start = max(0, found.start() - SHOWN // 2) if len(text) > SHOWN else 0
            cut = text[start : start + SHOWN]
            yield number, ("…" if start else "") + cut + ("…" if start + SHOWN < len(text) else "")


def _search(pattern: re.Pattern[str], path: str, mode: str, out: BinaryIO) -> int:
    name = path.encode("utf-8", "surrogateescape") + b"\0"
    count = 0
    for number, text in hits_of(pattern, path):
        count += 1
        if mode == "content":
            out.write(name + f"{number}:{text}\n".encode("utf-8", "replace"))
        if mode == "files_with_matches":
            out.write(name)
            return 1
    if mode == "count" and count:
        out.write(name + b"%d\n" % count)
    return count if mode == "content" else min(count, 1)


def main() -> int:
    source, out = sys.stdin.buffer, sys.stdout.buffer
    order = json.loads(source.readline())
    try:
        pattern = re.compile(order["pattern"], re.IGNORECASE if order["ignore_case"] else 0)
    except (re.error, OverflowError, RecursionError) as error:
        sys.stderr.write(f"bad pattern: {error}\n")
        return 2
    timed = hasattr(signal, "setitimer")
    if timed:
        signal.signal(signal.SIGALRM, _alarm)
    found = 0
    for raw in source.read().split(b"\0"):
        if not raw or found > order["most"]:
            continue
        path = raw.decode("utf-8", "surrogateescape")
        try:
            try:
                if timed:
                    signal.setitimer(signal.ITIMER_REAL, order["per_file_s"])
                found += _search(pattern, path, order["mode"], out)
            finally:
                if timed:
                    signal.setitimer(signal.ITIMER_REAL, 0)
        except TooSlowError:
            sys.stderr.write(f"slow\t{path.encode('utf-8', 'replace').decode()}\n")
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
