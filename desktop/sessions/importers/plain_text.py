"""Transcripts that are plain text: their lines, which of them are code, and which cannot be read. Read only, blocking, reading threads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop.base.phrases import say
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
    return source.text().replace("\r\n", "\n").split("\n")


def unreadable(lines: list[str]) -> Iterator[Damage]:
    """Each stretch of lines in which bytes are no text, told once, at its first line."""
    told = -1
    for number, line in enumerate(lines, 1):
        if not _is_wreck(line):
            continue
        if told < number - 1:
            yield Damage(number, say("a run of NUL bytes") if "\0" in line and "\ufffd" not in line else say("binary bytes"))
        told = number


def _is_wreck(line: str) -> bool:
    return _WRECK.search(line) is not None or ("\ufffd" in line and _CONTROL.search(line) is not None)


def mended(lines: list[str]) -> list[str]:
    """The lines without what a crash left in them: NUL bytes are taken out, a line of bytes that are no text is blank."""
    return [_mended(line.replace("\0", "")) if _is_wreck(line) else line for line in lines]


def _mended(line: str) -> str:
    return "" if _is_wreck(line) else line


def fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line, from 0, of each block of fenced code; a fence that is never closed opens nothing."""
    opened, fence = -1, ""
    for number, line in enumerate(lines):
        found = _FENCE.fullmatch(line)
        if found is None:
            continue
        if not fence:
            if found[1][0] == "~" or "`" not in found[2]:
                opened, fence = number, found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            yield opened, number
            fence = ""


def coded_lines(lines: list[str]) -> set[int]:
    """Numbers, from 0, of the lines of fenced code."""
    return {number for first, last in fences(lines) for number in range(first, last + 1)}
