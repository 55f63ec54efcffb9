"""What the terminal prints: results on standard output, everything else on standard error. Owns encodings and unsafe characters."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from desktop.base.errors import KeepsakeError
from desktop.base.json_value import dumps
from desktop.base.redact import visible

_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-{3,}:?")


def prepare_streams() -> None:
    """UTF-8 on both streams whatever the system's code page; what cannot be encoded is escaped instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """A line for the person, on standard error; control characters are shown, not sent to the terminal."""
    print(visible(text, keep="\n\t"), file=sys.stderr, flush=True)


def fail(error: KeepsakeError) -> int:
    """Say what went wrong and what to do; gives the exit status."""
    say(f"keepsake: {error.text()}")
    return error.exit_status


def safe_for(stream: TextIO, text: str) -> str:
    """`text` as it is for a file or pipe; with control characters shown when a terminal reads it."""
    return visible(text, keep="\n\t") if stream.isatty() else text


def put(text: str) -> None:
    """A result on standard output."""
    print(safe_for(sys.stdout, text), flush=True)


def marked(text: str, marks: Sequence[tuple[int, int]], stream: TextIO = sys.stdout) -> str:
    """A line of a result with (start, end) of it in bold where a terminal reads it; as it is for a file or pipe."""
    if not stream.isatty():
        return text
    parts, at = [], 0
    for start, end in marks:
        parts += [visible(text[at:start]), "\x1b[1m", visible(text[start:end]), "\x1b[22m"]
        at = end
    return "".join([*parts, visible(text[at:])])


def put_ready(text: str) -> None:
    """A result on standard output whose control characters are our own: every other was made visible before."""
    print(text, flush=True)


def put_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    print(dumps(value), flush=True)


def counted(count: int, what: str) -> str:
    """A number with its noun."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as columns, each as wide as its widest cell; Chinese characters count two."""
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    lines = []
    for row in rows:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def aligned_tables(markdown: str) -> str:
    """Markdown with the columns of its tables one below the other; everything else as it is."""
    lines: list[str] = []
    rows: list[list[str]] = []
    for line in [*markdown.split("\n"), ""]:
        if line.startswith("| ") and line.endswith(" |"):
            rows.append([cell.strip() for cell in _CELLS.split(line[1:-1])])
            continue
        lines += _aligned(rows)
        rows = []
        lines.append(line)
    return "\n".join(lines[:-1])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    if len({len(row) for row in rows}) != 1:
        return [f"| {' | '.join(row)} |" for row in rows]
    widths = [max(3, *(_width(row[i]) for row in rows if not _RULE.fullmatch(row[i]))) for i in range(len(rows[0]))]
    ends = [cell.endswith(":") for cell in rows[1]] if len(rows) > 1 else [False] * len(widths)
    return [f"| {' | '.join(_cell(cell, width, end) for cell, width, end in zip(row, widths, ends, strict=True))} |" for row in rows]


def _cell(cell: str, width: int, right: bool) -> str:
    if _RULE.fullmatch(cell):
        return "-" * (width - right) + ":" * right
    room = " " * (width - _width(cell))
    return room + cell if right else cell + room
