"""Transcripts that are plain text: their lines, which of them are code, and which cannot be read. Read only, blocking, reading threads."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from desktop.sessions.importers.json_text import BINARY, NUL_RUN
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_WRECK = re.compile("\0|\ufffd{3}")
_CONTROL = re.compile("[\x01-\x06\x0e-\x1a\x1c-\x1f]")
"""What no tool writes into a text: one replaced character may well have been in it, and terminals write escapes, bells and backspaces."""


def lines_of(source: Source) -> list[str]:
    """The lines of a file without their breaks; other separators than the line break are characters of a line.

    Raises:
        OSError: the file cannot be read.
    """
    return list(each_line(source))


def each_line(source: Source) -> Iterator[str]:
    """The same, one line after the other.

    Raises:
        OSError: the file cannot be read.
    """
    last = ""
    for text in source.texts():
        lines = (last + text).replace("\r\n", "\n").split("\n")
        last = lines.pop()
        yield from lines
    yield last


def sound_lines(source: Source, damage: list[Damage] | None = None) -> Iterator[str]:
    """The lines of a file without what a crash left in them, as `mended` gives them; what cannot be read goes to `damage`.

    Raises:
        OSError: the file cannot be read.
    """
    told = -1
    for number, line in enumerate(each_line(source), 1):
        if not _is_wreck(line):
            yield line
            continue
        yield _mended(line.replace("\0", ""))
        if damage is not None and told < number - 1:
            damage.append(Damage(number, _what(line)))
        told = number


def unreadable(lines: list[str]) -> Iterator[Damage]:
    """Each stretch of lines in which bytes are no text, told once, at its first line."""
    told = -1
    for number, line in enumerate(lines, 1):
        if not _is_wreck(line):
            continue
        if told < number - 1:
            yield Damage(number, _what(line))
        told = number


def _what(line: str) -> str:
    return NUL_RUN if "\0" in line and "\ufffd" not in line else BINARY


def _is_wreck(line: str) -> bool:
    if line.isascii() and "\0" not in line:
        return False
    return _WRECK.search(line) is not None or ("\ufffd" in line and _CONTROL.search(line) is not None)


def mended(lines: list[str]) -> list[str]:
    """The lines without what a crash left in them: NUL bytes are taken out, a line of bytes that are no text is blank."""
    if not any(map(_is_wreck, lines)):
        return lines
    return [_mended(line.replace("\0", "")) if _is_wreck(line) else line for line in lines]


def _mended(line: str) -> str:
    return "" if _is_wreck(line) else line


def fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line, from 0, of each block of fenced code; a fence that is never closed opens nothing."""
    opened, fence = -1, ""
    for number, line in enumerate(lines):
        found = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if found is None:
            continue
        if not fence:
            if found[1][0] == "~" or "`" not in found[2]:
                opened, fence = number, found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            yield opened, number
            fence = ""


def coded_lines(lines: list[str]) -> Container[int]:
    """Numbers, from 0, of the lines of fenced code."""
    return _Marked(len(lines), fences(lines))


class _Marked:
    """Numbers below a bound, a byte each."""

    def __init__(self, count: int, ranges: Iterable[tuple[int, int]]) -> None:
        self._marks = bytearray(count)
        for first, last in ranges:
            self._marks[first : last + 1] = b"\1" * (last + 1 - first)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self._marks[number] == 1
