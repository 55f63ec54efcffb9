"""Why a piece of text was not found in a file: the same words with other spaces, line numbers quoted too, or a line that is close. Pure."""

from __future__ import annotations

import difflib
import re

from desktop.tools.text import printable

COMPARED = 4_000
"""Lines of the file that are compared by likeness."""
_NUMBERED = re.compile(r"^\s*\d+\t")
_QUOTES = str.maketrans("‘’‚‛“”„‟–—\u00a0", "''''\"\"\"\"-- ")


def _plain(line: str) -> str:
    return "".join(line.translate(_QUOTES).split())


def near_miss(text: str, wanted: str) -> str:
    """One hint for the model, always ending with what to do."""
    lines, asked = text.split("\n"), wanted.strip("\n").split("\n")
    if all(_NUMBERED.match(line) for line in asked if line.strip()):
        return "It holds the line numbers that Read shows; leave out the number and the tab."
    start = _same_but_spaces(lines, asked)
    if start is not None:
        found = "\n".join(lines[start : start + len(asked)])
        return f"With other spaces or quotation marks it stands at line {start + 1}; quote it exactly:\n{printable(found[:1_500])}"
    return _closest(lines, asked)


def _same_but_spaces(lines: list[str], asked: list[str]) -> int | None:
    plain = [_plain(line) for line in lines]
    goal = [_plain(line) for line in asked]
    if not any(goal):
        return None
    for start in range(len(plain) - len(goal) + 1):
        if plain[start] == goal[0] and plain[start : start + len(goal)] == goal:
            return start
    return None


def _closest(lines: list[str], asked: list[str]) -> str:
    first = next((line.strip() for line in asked if line.strip()), "")[:300]
    stripped = [line.strip()[:300] for line in lines[:COMPARED]]
    close = difflib.get_close_matches(first, {line for line in stripped if line}, n=1, cutoff=0.6)
    if not close:
        return "Read the file again and quote the text exactly."
    number = stripped.index(close[0]) + 1
    return f"The closest line is {number}: “{printable(close[0])}”. Read that part again and quote it exactly."
