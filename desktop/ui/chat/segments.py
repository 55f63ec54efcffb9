"""Cuts a message into segments that are drawn one by one: runs of Markdown, code blocks, overlong lines.

A finished segment never changes again, so that while an answer streams in only its last one is drawn anew, and a long message is
built piece by piece. Cuts fall between top-level blocks; a block beyond `HARD` is cut inside. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

SOFT = 3_000
"""A Markdown segment ends at the next blank line behind this many characters."""
HARD = 6_000
"""A Markdown segment ends here at the latest: about 10 ms to draw."""
LONG_LINE = 10_000
LONG_RUN = 2_000

SegmentKind = Literal["text", "code", "long"]
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([^`]*)$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$")
_UNBROKEN = re.compile(r"[!-~]{2000}")


@dataclass(slots=True)
class Segment:
    """One piece.

    Attributes:
        kind: `text` (Markdown), `code`, or `long` (one overlong line, shown as it is).
        text: without fences.
        info: the info string of a code block.
        closed: nothing is added any more.
    """

    kind: SegmentKind
    text: str = ""
    info: str = ""
    closed: bool = False


class Splitter:
    """Takes text as it comes. `segments` grows at its end; only its last element is ever open."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._line = ""
        self._fence = ""
        self._indent = 0
        self._table: list[str] = []
        self._size = 0

    def feed(self, text: str) -> int:
        """Add text; returns the index of the first segment that changed."""
        first = max(0, len(self.segments) - 1)
        self._withdraw_line()
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._add_line(line + "\n")
        self._line = rest
        self._show_line()
        return min(first, max(0, len(self.segments) - 1))

    def finish(self) -> None:
        """The message is complete."""
        self._withdraw_line()
        if self._line:
            self._add_line(self._line)
            self._line = ""
        if self.segments:
            self.segments[-1].closed = True

    # --- whole lines -------------------------------------------------------------------------------------------------

    def _add_line(self, line: str) -> None:
        if self._fence:
            self._add_code_line(line)
            return
        found = _FENCE.match(line.rstrip("\n"))
        if found:
            self._close()
            self._fence = found[1]
            self._indent = len(line) - len(line.lstrip(" "))
            self.segments.append(Segment("code", info=found[2].strip()))
        elif is_long(line):
            self._close()
            self.segments.append(Segment("long", line.rstrip("\n"), closed=True))
        else:
            self._add_text_line(line)

    def _add_code_line(self, line: str) -> None:
        stripped = line.strip()
        if stripped and not stripped.strip(self._fence[0]) and len(stripped) >= len(self._fence):
            self._fence = ""
            self._close()
        else:
            self._open("code").text += self._outdented(line)

    def _outdented(self, line: str) -> str:
        """A code line without the blanks that its fence had in front."""
        return line[min(self._indent, len(line) - len(line.lstrip(" "))) :] if self._indent else line

    def _add_text_line(self, line: str) -> None:
        is_open = bool(self.segments) and self.segments[-1].kind == "text" and not self.segments[-1].closed
        if not is_open and not line.strip():
            return  # blank lines between segments are what the layout's spacing is for
        if is_open:
            size = len(self.segments[-1].text)
            if (size > SOFT and not line.strip()) or size > HARD:
                self._close()
                if not line.strip():
                    return
        segment = self._open("text")
        self._continue_table(segment, line)
        segment.text += line

    def _continue_table(self, segment: Segment, line: str) -> None:
        """A table that was cut gets its head again."""
        if not line.startswith("|"):
            self._table = []
        elif not segment.text and len(self._table) == 2:
            segment.text = "".join(self._table)
        elif len(self._table) < 2:
            self._table = [*self._table, line] if not self._table or _TABLE_RULE.match(line) else [line]

    def _open(self, kind: SegmentKind) -> Segment:
        if not self.segments or self.segments[-1].closed or self.segments[-1].kind != kind:
            self.segments.append(Segment(kind))
        return self.segments[-1]

    def _close(self) -> None:
        if self.segments:
            self.segments[-1].closed = True

    # --- the unfinished last line --------------------------------------------------------------------------------------

    def _show_line(self) -> None:
        """Show what there is of the last line; it is taken back when more comes."""
        self._size = 0
        line = self._line
        if not line or (not self._fence and line.lstrip()[:1] in ("`", "~") and not line.strip().strip("`~")):
            return  # nothing, or the beginning of a fence
        if is_long(line) and not self._fence:
            self._close()
            self.segments.append(Segment("long", line))
        elif self._fence:
            line = self._outdented(line)
            self._open("code").text += line
        elif line.strip() or (self.segments and self.segments[-1].kind == "text" and not self.segments[-1].closed):
            self._open("text").text += line
        else:
            return
        self._size = len(line)

    def _withdraw_line(self) -> None:
        if not self._size:
            return
        last = self.segments[-1]
        last.text = last.text[: -self._size]
        if not last.text and last.kind != "code":
            self.segments.pop()
        self._size = 0


def is_long(line: str) -> bool:
    """A line that is folded: very long, or an unbroken run such as base64."""
    return len(line) > LONG_LINE or (len(line) > LONG_RUN and _UNBROKEN.search(line) is not None)


def split(text: str) -> list[Segment]:
    """All segments of a complete message."""
    splitter = Splitter()
    splitter.feed(text.replace("\r\n", "\n"))
    splitter.finish()
    return [segment for segment in splitter.segments if segment.text.strip() or segment.kind == "code"]
