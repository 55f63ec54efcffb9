"""The limits of an index, and which of its lines stay within them (FM-08): pinned ones, then the newest, in the order of the file.

Owns counting, ranking and cutting. Knows notes only through the function that it is given. Pure, any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from desktop.base.words import estimate_tokens
from desktop.memory.index_text import Entry, entries_of, item_end
from desktop.memory.index_zones import zones
from desktop.memory.note import Note


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """Whichever is reached first. `keep`: `newest` (pinned, then newest) or `head` (the first lines of the file)."""

    lines: int = 200
    bytes: int = 25_000
    tokens: int = 8_000
    keep: Literal["newest", "head"] = "newest"


@dataclass(slots=True)
class _Budget:
    """What may still be kept."""

    lines: int
    bytes: int
    tokens: int

    def takes(self, text: str) -> bool:
        """Take the lines if they fit."""
        count, size, cost = text.count("\n") + 1, len(text.encode()) + 1, estimate_tokens(text + "\n")
        if self.lines < count or size > self.bytes + 1 or cost > self.tokens:
            return False
        self.lines -= count
        self.bytes -= size
        self.tokens -= cost
        return True


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a stripped index text is."""

    lines: int
    bytes: int
    tokens: int


def sizes_of(text: str) -> Sizes:
    """Of a text without header and comments (`loadable`); an empty one has no lines."""
    return Sizes(text.count("\n") + 1 if text else 0, len(text.encode()), estimate_tokens(text))


def exceeded(text: str, limits: IndexLimits) -> str | None:
    """Which limits a text is over, or None."""
    size = sizes_of(text)
    each = (("lines", size.lines, limits.lines), ("bytes", size.bytes, limits.bytes), ("tokens", size.tokens, limits.tokens))
    return ", ".join(f"{count:,} of {allowed:,} {name}" for name, count, allowed in each if count > allowed) or None


def select(lines: list[str], text: str, limits: IndexLimits, find: Callable[[str], Note | None]) -> tuple[list[int], dict[int, str]]:
    """Numbers of the lines that stay, in order, and the lines among them that were cut in the middle."""
    budget = _Budget(limits.lines, limits.bytes, limits.tokens)
    entries = entries_of(text, header=False) if limits.keep == "newest" else []
    entry_lines = {entry.line for entry in entries}
    kept: set[int] = set()
    cut: dict[int, str] = {}
    headings = _Budget(limits.lines // 8, limits.bytes // 8, limits.tokens // 8)
    if entries:
        kept.update(n for n, line in enumerate(lines) if line.startswith("#") and headings.takes(line) and budget.takes(line))
    for entry in _ranked(entries, find):
        line = lines[entry.line]
        if _oversized(line, limits):
            line = cut[entry.line] = _shortened(line, limits)
        if not budget.takes(line):
            cut.pop(entry.line, None)
            break
        kept.add(entry.line)
    for first, last in _rest(lines, entry_lines, kept, whole_code=limits.keep == "newest" and bool(kept)):
        if budget.takes("\n".join(lines[first : last + 1])):
            kept.update(range(first, last + 1))
            continue
        if last == first and budget.lines > 0 and budget.bytes * 4 > limits.bytes * 3 and budget.tokens * 4 > limits.tokens * 3:
            kept.add(first)  # little is kept so far: a long line is cut rather than left out whole
            cut[first] = hard_cut(lines[first], budget.bytes, budget.tokens)
        break
    return sorted(kept), cut


def _rest(lines: list[str], entry_lines: set[int], kept: set[int], *, whole_code: bool) -> Iterator[tuple[int, int]]:
    """First and last line of each further piece, in order: text below an entry only where the entry stays, code as a whole."""
    frozen = frozenset(entry_lines)
    owner: dict[int, int] = {}
    for entry in entry_lines:
        owner.update(dict.fromkeys(range(entry + 1, item_end(lines, entry, frozen) + 1), entry))
    kinds = zones(lines, header=False) if whole_code else ["text"] * len(lines)
    number = 0
    while number < len(lines):
        first = number
        number += 1
        if first in kept or first in frozen or (first in owner and owner[first] not in kept):
            continue
        while kinds[first] == "code" and number < len(lines) and kinds[number] == "code" and number not in kept:
            number += 1
        yield first, number - 1


def _oversized(line: str, limits: IndexLimits) -> bool:
    """A line so long that it would push out all others (content that was put into the index)."""
    return len(line.encode()) * 4 > limits.bytes or estimate_tokens(line) * 4 > limits.tokens


def _shortened(line: str, limits: IndexLimits) -> str:
    return hard_cut(line, limits.bytes // 4, limits.tokens // 4)


def _ranked(entries: list[Entry], find: Callable[[str], Note | None]) -> list[Entry]:
    """Pinned first, then by `modified`, newest first; entries without a file last, and later lines before earlier ones."""

    def rank(entry: Entry) -> tuple[bool, float, int]:
        note = find(entry.target) if entry.target else None
        return (note.pinned, note.modified.timestamp(), entry.line) if note else (False, float("-inf"), entry.line)

    return sorted(entries, key=rank, reverse=True)


def hard_cut(line: str, size: int, tokens: int) -> str:
    """The start of a line within both limits, on a character boundary and never inside a link; marked with …"""
    size, tokens = max(size - 4, 1), max(tokens - 1, 1)
    text = line.encode()[:size].decode("utf-8", errors="ignore")
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= tokens else (low, middle - 1)
    text = text[:low]
    opened = text.rfind("[")
    if opened >= 0 and _open_link(text[opened:], line[opened:]):
        text = text[:opened]
    return text.rstrip() + "…"


def _open_link(cut: str, whole: str) -> bool:
    """Whether `cut` ends inside the link with which `whole` begins."""
    closing = whole.find("](")
    end = whole.find(")", closing) if closing > 0 else -1
    return 0 < closing < 1_000 and end >= len(cut) and end - closing < 2_000
