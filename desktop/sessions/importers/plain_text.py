"""Transcripts that are plain text: their lines, which of them are code, and which cannot be read. Read only, blocking, reading threads.

A file is gone through in groups of lines, so that a large one is never held as lines: each costs as much again as its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from desktop.sessions.importers.json_text import BINARY, NUL_RUN
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage

Groups = Callable[[], Iterable[list[str]]]
"""The lines of a text, group by group, from the first one each time that it is called."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_WRECK = re.compile("\0|\ufffd{3}")
_CONTROL = re.compile("[\x01-\x06\x0e-\x1a\x1c-\x1f]")
"""What no tool writes into a text: one replaced character may well have been in it, and terminals write escapes, bells and backspaces."""


def raw_groups(source: Source) -> Iterator[tuple[str, list[str]]]:
    """Texts of whole lines, one after the other, each with its lines without their breaks; other separators are characters of a line.

    Raises:
        OSError: the file cannot be read.
    """
    last = ""
    for piece in source.texts():
        text = last + piece if last else piece
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        last = lines.pop()
        yield text, lines
    yield last, [last]


def sound_groups(source: Source, damage: list[Damage] | None = None) -> Iterator[list[str]]:
    """The lines of a file, group by group, without what a crash left in them: NUL bytes are taken out, a line of bytes that are no text is
    blank. What cannot be read goes to `damage`, each stretch of lines once, at its first line.

    Raises:
        OSError: the file cannot be read.
    """
    mending = Mending(damage)
    for text, lines in raw_groups(source):
        yield mending.mended(text, lines)


def sound_lines(source: Source, damage: list[Damage] | None = None) -> Iterator[str]:
    """The same, line by line."""
    return chain.from_iterable(sound_groups(source, damage))


class Mending:
    """Mends the groups of a file in their order; see `sound_groups`."""

    def __init__(self, damage: list[Damage] | None = None) -> None:
        self._damage = damage
        self._number = 0
        self._told = -1

    def mended(self, text: str, lines: list[str]) -> list[str]:
        """The next lines of the file; `text` is what they were parted from."""
        first = self._number + 1
        self._number += len(lines)
        if "\0" not in text and "\ufffd" not in text:
            return lines
        return [self._line(number, line) if _is_wreck(line) else line for number, line in enumerate(lines, first)]

    def _line(self, number: int, line: str) -> str:
        if self._damage is not None and self._told < number - 1:
            self._damage.append(Damage(number, NUL_RUN if "\0" in line and "\ufffd" not in line else BINARY))
        self._told = number
        left = line.replace("\0", "")
        return "" if _is_wreck(left) else left


def _is_wreck(line: str) -> bool:
    if line.isascii() and "\0" not in line:
        return False
    return _WRECK.search(line) is not None or ("\ufffd" in line and _CONTROL.search(line) is not None)


# --- code ---------------------------------------------------------------------------------------------------------------


class Fences:
    """First and last line, from 0, of each block of fenced code, as the lines come in; a fence that is never closed opens nothing.

    Attributes:
        found: the blocks that are closed, in order.
    """

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []
        self._number = 0
        self._opened = -1
        self._fence = ""

    def take(self, lines: Sequence[str]) -> None:
        """The next lines of the text."""
        for number, line in enumerate(lines, self._number):
            if "```" in line or "~~~" in line:
                self._line(number, line)
        self._number += len(lines)

    def _line(self, number: int, line: str) -> None:
        found = _FENCE.fullmatch(line)
        if found is None:
            return
        if not self._fence:
            if found[1][0] == "~" or "`" not in found[2]:
                self._opened, self._fence = number, found[1]
        elif found[1].startswith(self._fence) and not found[2].strip():
            self.found.append((self._opened, number))
            self._fence = ""


def fences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The blocks of fenced code of a text that is held; see `Fences`."""
    found = Fences()
    found.take(lines)
    return found.found


class Outside:
    """Which lines of a text are in none of some blocks, asked for group by group.

    Args:
        blocks: first and last line of each, in order.
    """

    def __init__(self, blocks: Iterable[tuple[int, int]]) -> None:
        self._ahead = iter(blocks)
        self._block = next(self._ahead, None)

    def places(self, start: int, count: int) -> Iterator[int]:
        """The places, from 0, in a group of so many lines whose first one has the number `start`."""
        at, end = start, start + count
        while self._block is not None and self._block[0] < end:
            first, last = self._block
            yield from range(at - start, first - start)
            at = max(at, min(last + 1, end))
            if last >= end:
                return
            self._block = next(self._ahead, None)
        yield from range(at - start, count)


def stretches(groups: Iterable[list[str]], bounds: Sequence[int]) -> Iterator[list[str]]:
    """The lines before the first bound, those from each bound to the next, and those from the last one on: one list more than bounds."""
    held: list[str] = []
    start = number = 0
    for lines in groups:
        at, end = 0, start + len(lines)
        while number < len(bounds) and bounds[number] < end:
            held += lines[at : bounds[number] - start]
            yield held
            held, at = [], bounds[number] - start
            number += 1
        held += lines[at:] if at else lines
        start = end
    yield held
    for _ in range(number, len(bounds)):  # the file became shorter meanwhile
        yield []
