"""What is indexed: documents in passages. Owns the two values and the cutting of long text into sections; knows no database. Pure.

A document is what is kept in step as a whole (a memory file, a transcript); a passage is what is ranked (a section of at most 800
characters); a unit is what is returned (the whole file, or one message).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

GOAL, MOST = 500, 800
"""Characters of a section: about so many, never more. Longer ones blur what they are about, shorter ones lose their context."""

_HEADING = re.compile(r"^#{1,6}\s", re.MULTILINE)
_BREAKS = re.compile(r"\n[ \t]*\n\s*|\n|(?<=[.!?;])\s+|(?<=[。！？；…])")
_SOFT = re.compile(r"\s+|(?<=[，、,])")
_GLUE = frozenset(("Mn", "Me", "Mc", "Cf", "Sk"))


@dataclass(frozen=True, slots=True)
class Passage:
    """One section of text.

    Attributes:
        text: the original text; the caller has masked what must not be kept.
        unit: what is returned as one hit: 0 for a file as a whole, the number of a message in a transcript. Units beside each other lend
            each other weight.
        title: name, keywords, description, headings: counts more than text.
        role: `user` (a person said it: counts double), `assistant`, `tool` or "".
        time: seconds since 1970; breaks ties.
        ref: whatever the caller finds the place by; not looked at here.
    """

    text: str
    unit: int = 0
    title: str = ""
    role: str = ""
    time: float = 0.0
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What is kept in step as a whole.

    Attributes:
        key: unique in its index.
        scope, scope_id: whose it is, e.g. `projects` and the project's key.
        kind: what it is, for filters.
        fingerprint: equality means unchanged; not looked at here.
        passages: in their order.
        weight: prior of all its passages; above 1 for what a person asked to remember, below 1 for what is superseded.
        time: seconds since 1970, for passages without a time of their own.
    """

    key: str
    scope: str
    scope_id: str
    kind: str
    fingerprint: str
    passages: tuple[Passage, ...]
    weight: float = 1.0
    time: float = 0.0


def sections(text: str, goal: int = GOAL, most: int = MOST) -> list[tuple[int, int]]:
    """Cut a text into (start, end) sections in order that cover all but blanks between them.

    A heading always begins a section once the one before it is a third full; otherwise pieces are joined up to `goal` characters. A piece
    without any break is cut at `most`, never between a letter and its marks.

    Args:
        text: Markdown or plain text of any script.
        goal: characters that a section aims at.
        most: characters that no section exceeds.
    """
    found: list[tuple[int, int]] = []
    start = end = 0
    for left, right in _pieces(text, most):
        heading = _HEADING.match(text, left) is not None
        full = right - start > goal or (heading and end - start > goal // 3)
        if end > start and full:
            found.append((start, end))
            start = left
        elif end <= start:
            start = left
        end = right
    if end > start:
        found.append((start, end))
    return found


def _pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """The text between breaks, without the blanks around it; pieces that are too long are cut again."""
    at = 0
    for match in _BREAKS.finditer(text):
        yield from _trimmed(text, at, match.start(), most)
        at = match.end()
    yield from _trimmed(text, at, len(text), most)


def _trimmed(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > most:
        cut = _cut(text, start, most)
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end


def _cut(text: str, start: int, most: int) -> int:
    """Where to cut a piece without breaks: after a blank or comma in its second half, else at `most`."""
    soft = [match.end() for match in _SOFT.finditer(text, start + most // 2, start + most)]
    if soft:
        return soft[-1]
    cut = start + most
    while cut > start + 1 and unicodedata.category(text[cut]) in _GLUE:
        cut -= 1
    return cut
