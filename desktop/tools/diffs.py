"""Unified diffs that stay fast on big files: equal ends are set aside first, and a middle too big to compare is shown whole. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

CONTEXT = 3
COMPARED = 4_000
"""Changed lines a side up to which the middle is compared line by line."""


def _ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines are equal at the start and at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    left = shorter - start
    end = next((i for i in range(left) if old[-1 - i] != new[-1 - i]), left)
    return start, end


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
        return [f"{line}\n" for line in lines]
    return [f"{line}\n" for line in lines[:-1]] + [lines[-1]]


def _rows(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def unified_diff(path: str, old: str, new: str, *, existed: bool = True) -> str:
    """The change from `old` to `new` as a unified diff with three lines around each change; empty when nothing changes."""
    if old == new:
        return ""
    before, after = _lines(old) if old else [], _lines(new) if new else []
    start, end = _ends(before, after)
    first, last = max(0, start - CONTEXT), max(0, end - CONTEXT)
    middle_old, middle_new = before[first : len(before) - last], after[first : len(after) - last]
    head = f"--- {path if existed else '/dev/null'}\n+++ {path}\n"
    if max(len(middle_old), len(middle_new)) <= COMPARED:
        return head + "".join(_compared(middle_old, middle_new, first))
    span = f"@@ -{first + 1 if middle_old else 0},{len(middle_old)} +{first + 1 if middle_new else 0},{len(middle_new)} @@\n"
    return head + span + "".join(_rows("-", middle_old)) + "".join(_rows("+", middle_new))


def _compared(old: list[str], new: list[str], offset: int) -> Iterator[str]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        a, b, c, d = group[0][1], group[-1][2], group[0][3], group[-1][4]
        yield f"@@ -{_span(a + offset, b - a)} +{_span(c + offset, d - c)} @@\n"
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                yield from _rows(" ", old[i1:i2])
                continue
            yield from _rows("-", old[i1:i2])
            yield from _rows("+", new[j1:j2])


def _span(start: int, length: int) -> str:
    begin = start + 1 if length else start
    return str(begin) if length == 1 else f"{begin},{length}"


def counts(diff: str) -> tuple[int, int]:
    """(lines added, lines removed) of a diff made here."""
    body = diff.split("\n")[2:]
    return sum(1 for row in body if row.startswith("+")), sum(1 for row in body if row.startswith("-"))
