"""What an editor of MEMORY.md shows beside its text: content that stands in an index, lines that are not loaded, and the budget.

Works on the draft, so that it is right before anything is saved. Values and plain functions for a worker; reads headers of notes only when
something has to be left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from desktop.memory.index_limits import IndexLimits, select, sizes_of
from desktop.memory.index_split import InlineBlock, inline_content
from desktop.memory.index_text import entries_of, loadable
from desktop.memory.note import find_note

Limit = Literal["lines", "bytes", "tokens"]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What there is to say of an index or a single file.

    Attributes:
        blocks: content that belongs into files of its own.
        left_out: lines (1-based, of the draft) that are not loaded.
        over: the limits that are exceeded: name, size, limit.
        dropped: titles of the entries that are left out; others: how many other lines are.
        tokens, bytes: of the whole text, as it would be loaded.
    """

    blocks: tuple[InlineBlock, ...] = ()
    left_out: tuple[int, ...] = ()
    over: tuple[tuple[Limit, int, int], ...] = ()
    dropped: tuple[str, ...] = ()
    others: int = 0
    tokens: int = 0
    bytes: int = 0


def index_report(text: str, root: Path, limits: IndexLimits) -> IndexReport:
    """Of an index. Blocking where notes have to be looked at."""
    blocks = tuple(inline_content(text))
    whole = loadable(text)
    if not whole:
        return IndexReport(blocks)
    size = sizes_of(whole)
    each: tuple[tuple[Limit, int, int], ...] = (
        ("lines", size.lines, limits.lines), ("bytes", size.bytes, limits.bytes), ("tokens", size.tokens, limits.tokens),
    )  # fmt: skip
    over = tuple(one for one in each if one[1] > one[2])
    if not over:
        return IndexReport(blocks, tokens=size.tokens, bytes=size.bytes)
    lines = whole.split("\n")
    kept = set(select(lines, whole, limits, lambda target: find_note(root, target))[0])
    missing = [at for at, line in enumerate(lines) if at not in kept and line.strip()]
    gone = frozenset(missing)
    dropped = tuple(entry.title or entry.target or entry.name or "" for entry in entries_of(whole, header=False) if entry.line in gone)
    numbers = numbers_in(text.split("\n"), lines)
    left_out = tuple(numbers[at] for at in missing if at in numbers)
    return IndexReport(blocks, left_out, over, dropped, len(missing) - len(dropped), size.tokens, size.bytes)


def numbers_in(draft: Sequence[str], whole: Sequence[str]) -> dict[int, int]:
    """Number (1-based) in a draft of each line (0-based) of what of it can be loaded, which is the same without header and comments."""
    numbers: dict[int, int] = {}
    at = 0
    for number, line in enumerate(draft, 1):
        if at < len(whole) and line.strip() == whole[at].strip():
            numbers[at] = number
            at += 1
    return numbers


def single_report(text: str, limit: int, mark: int) -> IndexReport:
    """Of a single file of which the first `limit` bytes are loaded, `mark` of them a note that it was cut."""
    size = _bytes(text.strip())
    if size <= limit:
        return IndexReport(bytes=size)
    room, left_out, begun = limit - mark, [], False
    for number, line in enumerate(text.split("\n"), 1):
        begun = begun or bool(line.strip())
        if begun:
            room -= _bytes(line) + 1
        if room < -1 and line.strip():
            left_out.append(number)
    return IndexReport(left_out=tuple(left_out), over=(("bytes", size, limit),), bytes=size)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", errors="surrogateescape"))
