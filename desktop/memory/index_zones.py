"""Which lines of an index are text, and which are code, comments or the header; comments stripped as they are for loading (FM-09).

Owns that reading of Markdown and no more. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from desktop.memory.frontmatter import split

LIST_MARK = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_FENCE = re.compile(r"^( *)(`{3,}|~{3,})")
Zone = Literal["text", "code", "comment", "header"]


def zones(lines: Sequence[str], *, header: bool = True) -> list[Zone]:
    """What each line of an index is. A comment that is never closed is text; a code fence that is never closed goes on to the end."""
    first = _header_lines(lines) if header else 0
    marked: list[Zone] = ["header"] * first
    return marked + _scan(lines[first:])[0]


def _header_lines(lines: Sequence[str]) -> int:
    if not lines or lines[0].removeprefix("\ufeff").rstrip() != "---":
        return 0
    text = "\n".join(lines).removeprefix("\ufeff")
    bounds = split(text)
    if not bounds:
        return 0
    return text.count("\n", 0, bounds[2]) + (0 if text[: bounds[2]].endswith("\n") else 1)


def _scan(lines: Sequence[str]) -> tuple[list[Zone], dict[int, str], int | None]:
    """The zone of each line, what follows a comment on its last line, and where a fence begins that is never closed."""
    found: list[Zone] = []
    rests: dict[int, str] = {}
    fence = Fence()
    in_list, opened = False, -1
    last_close = max((number for number, line in enumerate(lines) if "-->" in line), default=-1)
    while len(found) < len(lines):
        number = len(found)
        line = lines[number]
        in_list = _still_in_list(line, in_list)
        was_open = fence.open
        if fence.takes(line, in_list):
            opened = opened if was_open else number
            found.append("code")
            continue
        starts = re.match(r" {0,3}<!--", line) is not None and not (in_list and line.startswith(" "))
        end = _comment_end(lines, number, last_close) if starts else None
        if end is None:
            found.append("text")
            continue
        last, rest = end
        comment: list[Zone] = ["comment"] * (last + 1 - number)
        if rest.strip():
            comment[-1], rests[last] = "text", rest
        found += comment
        in_list = False
    return found, rests, opened if fence.open else None


class Fence:
    """Which lines are fenced code, line after line. A fence that stands in a list item ends with that item."""

    def __init__(self) -> None:
        self._mark = ""
        self._nested = False

    def takes(self, line: str, in_list: bool) -> bool:
        """Whether `line` belongs to code: its marks too."""
        match = _FENCE.match(line)
        if self._mark and self._nested and line.strip() and not line.startswith(("  ", "\t")):
            self._mark = ""
        if not self._mark:
            if match and (len(match.group(1)) <= 3 or in_list) and "`" not in line[match.end() :]:
                self._mark, self._nested = match.group(2), in_list and len(match.group(1)) >= 2
                return True
            return False
        closes = match and match.group(2)[0] == self._mark[0] and len(match.group(2)) >= len(self._mark)
        if closes and not line.strip().strip(self._mark[0]):
            self._mark = ""
        return True

    @property
    def open(self) -> bool:
        return bool(self._mark)


def open_fence(text: str) -> int | None:
    """The line of a code fence that is never closed, or None. What stands behind it is no entry."""
    lines = text.split("\n")
    first = _header_lines(lines)
    opened = _scan(lines[first:])[2]
    return None if opened is None else first + opened


def strip_header(text: str) -> str:
    bounds = split(text)
    return text[bounds[2] :] if bounds else text


def strip_comments(text: str) -> str:
    """The text without top-level HTML comments. Those in lists, quotes and code stay; one that is never closed stays too."""
    if "<!--" not in text:
        return text
    lines = text.split("\n")
    found, rests, _ = _scan(lines)
    return "\n".join(rests.get(number, lines[number]) for number, zone in enumerate(found) if zone != "comment")


def _still_in_list(line: str, in_list: bool) -> bool:
    if LIST_MARK.match(line):
        return True
    if not line.strip() or line.startswith((" ", "\t")):
        return in_list
    return False


def _comment_end(lines: Sequence[str], first: int, last_close: int) -> tuple[int, str] | None:
    """Line on which the comments that start on `first` end, and what follows them there; None when none ends.

    Args:
        last_close: the last line with a closing mark, so that a search never goes on in vain.
    """
    ended: tuple[int, str] | None = None
    number, start = first, lines[first].find("<!--") + 2  # `<!-->` is a whole comment
    while number <= last_close:
        line = lines[number]
        end = line.find("-->", start)
        if end < 0:
            number, start = number + 1, 0
            continue
        rest = line[end + 3 :]
        ended = number, rest
        if not rest.lstrip(" ").startswith("<!--"):
            break
        start = len(line) - len(rest.lstrip(" ")) + 2  # another one on the same line
    return ended
