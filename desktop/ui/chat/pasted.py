"""Long pasted texts as pieces: when a text is folded into one, what a draft looks like that holds some, and what stands in them. Pure.

A draft is one text. A piece stands in it between two noncharacters, which no text of a field can hold: Qt keeps them for itself. What is
sent, copied and shown is the text without them. A long text that comes without marks (of a message that is edited, of the history) is
folded on its way in, except for a short first and last line: there stands what the person said about it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.base.words import estimate_tokens

FOLD_CHARACTERS, FOLD_LINES = 20_000, 400
"""A text with more than that is folded: below it a key costs less than 4 ms."""
OPEN, CLOSE = "\ufdd0", "\ufdd1"
EDGE = 400
"""Characters of a first or last line that is left outside of a piece."""
SAMPLE = 50_000
_MARKED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_MARK = re.compile(f"[{OPEN}{CLOSE}]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A folded text: its lines, its size in bytes of UTF-8, and about how many tokens it costs."""

    text: str
    lines: int
    size: int
    tokens: int


def piece_of(text: str) -> Piece:
    sample = estimate_tokens(text[:SAMPLE])
    tokens = sample if len(text) <= SAMPLE else sample * len(text) // SAMPLE
    return Piece(text, text.rstrip("\n").count("\n") + 1, len(text.encode("utf-8", "replace")), tokens)


def is_long(text: str) -> bool:
    """Whether a text is better folded."""
    return len(text) > FOLD_CHARACTERS or text.count("\n") > FOLD_LINES


def cleaned(text: str) -> str:
    """A text from outside, with our line ends and without marks."""
    return _MARK.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n"))


def marked(text: str) -> str:
    """A text as one piece of a draft."""
    return f"{OPEN}{text}{CLOSE}" if text else ""


def plain(draft: str) -> str:
    """The text that a draft stands for."""
    return _MARK.sub("", draft) if OPEN in draft or CLOSE in draft else draft


def parts_of(draft: str) -> list[tuple[str, bool]]:
    """The parts of a draft in order, and whether each is a piece; none is empty. Long parts without marks are folded."""
    parts: list[tuple[str, bool]] = []
    for number, part in enumerate(_MARKED.split(draft)):
        if number % 2:
            parts.append((part, True))
        else:
            parts += _folded(_MARK.sub("", part))
    return [part for part in parts if part[0]]


def _folded(text: str) -> list[tuple[str, bool]]:
    if not is_long(text):
        return [(text, False)]
    first, last = text.find("\n") + 1, text.rfind("\n")
    start = first if 0 < first <= EDGE else 0
    end = last if last > start and len(text) - last <= EDGE and text[last:].strip() else len(text)
    return [(text[:start], False), (text[start:end], True), (text[end:], False)]
