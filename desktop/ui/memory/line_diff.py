"""What differs between two texts, line by line, in bounded time and size. Pure values, made off the GUI thread.

Texts of a memory may have 5 MiB. Equal heads and tails go first, lines that occur once on each side are anchors (patience), and only what
is left between two anchors is compared in full, as far as that stays quick; a part that would take too long counts as replaced whole.
"""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from desktop.ui.memory.source_edit import differing

CONTEXT = 3
SHOWN_LINES = 3_000
"""Lines of a difference that are drawn; the rest is counted."""
LONGEST = 2_000
"""Characters of one line that are drawn."""
SHOWN_CHARACTERS = 400_000
"""Of all drawn lines together."""
FULL_LINES = 3_000
"""Lines of both sides together that are compared in full between two anchors."""

Mark = Literal[" ", "-", "+", "@"]
Span = tuple[int, int]
Opcode = tuple[Literal["equal", "replace"], int, int, int, int]
"""What happens to `old[i1:i2]` and `new[j1:j2]`; an insertion or a deletion is a replacement with one side empty."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference.

    Attributes:
        mark: ` ` on both sides, `-` only before, `+` only after, `@` lines that are equal are left out here.
        text: the line; for `@` nothing.
        old, new: its number on each side, 1-based; 0 where it is not there. For `@` the numbers of the next line.
        span: the characters (start, end) that make the difference to its partner, where the rest of the two lines is the same.
    """

    mark: Mark
    text: str
    old: int = 0
    new: int = 0
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """The lines that differ with equal ones around them; empty for equal texts.

    Attributes:
        taken_out, put_in: how many lines there are of each, shown or not.
        left_out: lines of the difference that are not in `lines`, because there are too many.
    """

    lines: tuple[DiffLine, ...]
    taken_out: int = 0
    put_in: int = 0
    left_out: int = 0


def difference(before: str, after: str, context: int = CONTEXT, most: int = SHOWN_LINES) -> Difference:
    """Compare two texts of `\\n` lines. May take a second on long ones: call it in a worker."""
    if before == after:
        return Difference(())
    old, new = _sides(before, after)
    lines: list[DiffLine] = []
    taken_out = put_in = left_out = 0
    for group in _groups(opcodes(old, new), context):
        first = group[0]
        if len(lines) < most and (first[1] or first[3]):
            lines.append(DiffLine("@", "", first[1] + 1, first[3] + 1))
        for code in group:
            if code[0] != "equal":
                taken_out, put_in = taken_out + code[2] - code[1], put_in + code[4] - code[3]
            room = max(0, most - len(lines))
            size = code[2] - code[1] if code[0] == "equal" else code[2] - code[1] + code[4] - code[3]
            left_out += max(0, size - room)
            lines += _lines_of(old, new, code, room)
    fitting = _fitting(lines)
    return Difference(tuple(lines[:fitting]), taken_out, put_in, left_out + sum(1 for line in lines[fitting:] if line.mark != "@"))


def _fitting(lines: Sequence[DiffLine]) -> int:
    """How many of the lines can be drawn at once."""
    room = SHOWN_CHARACTERS
    for at, line in enumerate(lines):
        room -= min(len(line.text), LONGEST)
        if room < 0:
            return at
    return len(lines)


def _sides(before: str, after: str) -> tuple[list[str], list[str]]:
    """Both texts in lines. Beside a text that is empty, the end of the other's last line is no line of its own."""
    if before and after:
        return before.split("\n"), after.split("\n")
    old, new = (text.removesuffix("\n").split("\n") if text else [] for text in (before, after))
    return old, new


def _lines_of(old: Sequence[str], new: Sequence[str], code: Opcode, room: int) -> list[DiffLine]:
    """The first `room` lines of one step."""
    tag, i1, i2, j1, j2 = code
    if tag == "equal":
        return [DiffLine(" ", old[i1 + n], i1 + n + 1, j1 + n + 1) for n in range(min(i2 - i1, room))]
    spans = [_spans(old[i1 + n], new[j1 + n]) for n in range(min(i2 - i1, j2 - j1, room))]
    gone = [DiffLine("-", old[i1 + n], i1 + n + 1, 0, spans[n][0] if n < len(spans) else None) for n in range(min(i2 - i1, room))]
    came = [
        DiffLine("+", new[j1 + n], 0, j1 + n + 1, spans[n][1] if n < len(spans) else None) for n in range(min(j2 - j1, room - len(gone)))
    ]
    return [*gone, *came]


def _spans(old: str, new: str) -> tuple[Span | None, Span | None]:
    """The part that makes the difference, where at least a third of the longer line stays."""
    if max(len(old), len(new)) > 4_000:
        return None, None
    start, end_old, end_new = differing(old, new)
    kept = start + len(old) - end_old
    if kept * 3 < max(len(old), len(new)):
        return None, None
    while start and _is_inside(old, start) | _is_inside(new, start):
        start -= 1
    while end_old < len(old) and _is_inside(old, end_old) | _is_inside(new, end_new):
        end_old, end_new = end_old + 1, end_new + 1
    return (start, end_old), (start, end_new)


def _is_inside(line: str, at: int) -> bool:
    """Whether `at` is between two letters or digits of one word. Han characters are words of their own."""
    return 0 < at < len(line) and all(c.isalnum() and c < "\u2e80" for c in line[at - 1 : at + 1])


# --- comparing -----------------------------------------------------------------------------------------------------------


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """How `old` becomes `new`, in order and without a gap."""
    codes: list[Opcode] = []
    for i1, i2, j1, j2 in _parts(old, new):
        _add(codes, *_trimmed(old, new, i1, i2, j1, j2))
    return codes


def _add(codes: list[Opcode], *more: Opcode) -> None:
    """Append, joined with the one before where both are of a kind; empty ones are left out."""
    for tag, i1, i2, j1, j2 in more:
        if i1 == i2 and j1 == j2:
            continue
        if codes and codes[-1][0] == tag:
            codes[-1] = (tag, codes[-1][1], i2, codes[-1][3], j2)
        else:
            codes.append((tag, i1, i2, j1, j2))


def _parts(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The ranges between one anchor and the next; each begins with the anchor's own line."""
    head = _same_head(old, new, 0, len(old), 0, len(new))
    if head == len(old) == len(new) or (len(old) + len(new) - 2 * head) <= FULL_LINES:
        yield 0, len(old), 0, len(new)
        return
    edges = [(0, 0), *((i, j) for i, j in _anchors(old, new) if i or j), (len(old), len(new))]
    for (i1, j1), (i2, j2) in pairwise(edges):
        yield i1, i2, j1, j2


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once on each side and stand in the same order on both: (index in old, index in new)."""
    once_old, once_new = Counter(old), Counter(new)
    place = {line: at for at, line in enumerate(new) if once_new[line] == 1}
    pairs = [(at, place[line]) for at, line in enumerate(old) if once_old[line] == 1 and line in place]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second part rises; the first does already. O(n log n)."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        place = bisect_left(ends, j)
        before.append(last[place - 1] if place else -1)
        if place == len(ends):
            ends.append(j)
            last.append(at)
        else:
            ends[place], last[place] = j, at
    result: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        result.append(pairs[at])
        at = before[at]
    return result[::-1]


def _same_head(old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int) -> int:
    most = min(i2 - i1, j2 - j1)
    return next((n for n in range(most) if old[i1 + n] != new[j1 + n]), most)


def _trimmed(old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int) -> list[Opcode]:
    """One part: equal head, what is between, equal tail."""
    head = _same_head(old, new, i1, i2, j1, j2)
    a, b = i1 + head, j1 + head
    most = min(i2 - a, j2 - b)
    tail = next((n for n in range(most) if old[i2 - 1 - n] != new[j2 - 1 - n]), most)
    middle = _compared(old, new, a, i2 - tail, b, j2 - tail)
    return [("equal", i1, a, j1, b), *middle, ("equal", i2 - tail, i2, j2 - tail, j2)]


def _compared(old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int) -> list[Opcode]:
    if i1 == i2 or j1 == j2 or i2 - i1 + j2 - j1 > FULL_LINES:
        return [("replace", i1, i2, j1, j2)]
    matcher = difflib.SequenceMatcher(None, old[i1:i2], new[j1:j2], autojunk=i2 - i1 + j2 - j1 > FULL_LINES // 3)
    return [("equal" if tag == "equal" else "replace", i1 + a1, i1 + a2, j1 + b1, j1 + b2) for tag, a1, a2, b1, b2 in matcher.get_opcodes()]


def _groups(codes: list[Opcode], context: int) -> Iterator[list[Opcode]]:
    """Steps that stand near each other, with at most `context` equal lines at either end."""
    group: list[Opcode] = []
    for at, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag != "equal":
            group.append((tag, i1, i2, j1, j2))
            continue
        first, last = at == 0, at == len(codes) - 1
        if not first and not last and i2 - i1 <= 2 * context:
            group.append((tag, i1, i2, j1, j2))
            continue
        if not first:
            size = min(context, i2 - i1)
            if size:
                group.append((tag, i1, i1 + size, j1, j1 + size))
            yield group
            group = []
        if not last:
            size = min(context, i2 - i1)
            group = [(tag, i2 - size, i2, j2 - size, j2)] if size else []
    if any(code[0] != "equal" for code in group):
        yield group
