"""One line of text with marked pieces: made safe to show, cut to a width so that the first mark can be seen, and drawn.

Text comes from files that anyone may have written: it is plain, unseen characters are written out, and nothing in it is markup.
Marks are (start, end) in characters of the text. GUI thread for what measures and draws; `safe` is pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from desktop.base.redact import visible
from desktop.ui import theme

LEAD = 0.3
"""Share of the width that stands before the first mark, where the beginning has to be left out."""
ELLIPSIS = "…"
REACH, ROUNDS = 40, 2
"""So many characters more are tried where the first guess leaves room, so many times."""
Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """A line and its marks, in order and apart from each other."""

    text: str
    marks: Marks = ()


def tidy(marks: Iterable[tuple[int, int]], length: int) -> Marks:
    """Marks in order, inside the text, joined where they touch."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(length, end)) for start, end in marks):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def safe(text: str, marks: Iterable[tuple[int, int]] = ()) -> Marked:
    """One line in which nothing is invisible, with the marks where they belong in it."""
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    at = length = 0
    for start, end in (*tidy(marks, len(text)), (len(text), len(text))):
        for piece, marked in ((text[at:start], False), (text[start:end], True)):
            shown = visible("".join(" " if c in "\t\n\r\x0b\x0c\x85\u2028\u2029" else c for c in piece))
            pieces.append(shown)
            if marked and shown:
                moved.append((length, length + len(shown)))
            length += len(shown)
        at = end
    return Marked("".join(pieces), tuple(moved))


def utf16(text: str) -> int:
    """Length in what Qt counts positions in."""
    return len(text) if text.isascii() else len(text) + sum(c > "\uffff" for c in text)


def _joins(text: str, at: int) -> bool:
    """Whether the character at `at` belongs to the one before it."""
    return 0 < at < len(text) and (unicodedata.category(text[at]) in ("Mn", "Me", "Mc", "Cf") or text[at - 1] == "\u200d")


def from_mark(line: Marked, before: int) -> Marked:
    """The line from about `before` characters in front of its first mark, at the beginning of a word where one is near."""
    start = max(0, line.marks[0][0] - before) if line.marks else 0
    if start == 0:
        return line
    gap = line.text.find(" ", start, line.marks[0][0])
    if 0 <= gap - start <= 12:
        start = gap + 1
    while _joins(line.text, start):
        start += 1
    shift = start - len(ELLIPSIS)
    return Marked(ELLIPSIS + line.text[start:], tuple((max(1, a - shift), b - shift) for a, b in line.marks if b > start))


def _cut(line: Marked, end: int) -> Marked:
    """The first `end` characters of the line and an ellipsis; a character keeps what belongs to it."""
    end = min(len(line.text), end)
    while end > 0 and _joins(line.text, end):
        end -= 1
    return Marked(line.text[:end].rstrip() + ELLIPSIS, tidy(line.marks, end))


class LineDrawer:
    """Draws lines in one font and one pair of colours.

    Args:
        font: of the text; marked pieces are half bold.
        text: colour of the text.
        marked: colour of the marked pieces, on the theme's `find` ground.
    """

    def __init__(self, font: QFont, text: QColor, marked: QColor) -> None:
        self._font, self._bold = font, QFont(font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._text = text
        self._mark = QTextCharFormat()
        self._mark.setBackground(theme.current().color("find"))
        self._mark.setForeground(marked)
        self._mark.setFontWeight(QFont.Weight.DemiBold)

    def draw(self, painter: QPainter, rect: QRect, line: Marked) -> int:
        """Draw in `rect`, cut where there is no room; returns the width that was used."""
        if rect.width() <= 0:
            return 0
        layout, row = self._laid_out(line)
        if row.naturalTextWidth() > rect.width():
            layout, row = self._laid_out(self._fitted(line, rect.width()))
        painter.setPen(self._text)
        painter.save()
        painter.setClipRect(rect)
        layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - row.height()) / 2))
        painter.restore()
        return min(rect.width(), round(row.naturalTextWidth()))

    def _fitted(self, line: Marked, width: int) -> Marked:
        """The line without its beginning, where its first mark would not be seen, and without what does not fit behind it.

        Guessed in the marks' own font, the wider one, whichever way the text runs; then what room is left is used, since rows that end
        where they could go on look ragged.
        """
        metrics = QFontMetrics(self._bold)
        if line.marks and metrics.horizontalAdvance(line.text[: line.marks[0][1]]) > width * (1 - LEAD / 2):
            line = from_mark(line, self._before(line, round(width * LEAD), metrics))
        shown = metrics.elidedText(line.text, Qt.TextElideMode.ElideRight, width)
        if shown == line.text or self._width(line) <= width:
            return line
        end = max(0, len(shown) - len(ELLIPSIS))
        best = _cut(line, end)
        for _ in range(ROUNDS):
            room = width - self._width(best) + metrics.horizontalAdvance(ELLIPSIS)
            more = metrics.elidedText(line.text[end : end + REACH], Qt.TextElideMode.ElideRight, int(room))
            end += len(more.removesuffix(ELLIPSIS))
            tried = _cut(line, end)
            if tried == best or self._width(tried) > width:
                break
            best = tried
        return best

    @staticmethod
    def _before(line: Marked, room: int, metrics: QFontMetrics) -> int:
        """So many characters in front of the first mark take up `room` pixels."""
        mark, low, high = line.marks[0][0], 0, line.marks[0][0]
        while low < high:
            middle = (low + high + 1) // 2
            if metrics.horizontalAdvance(line.text[mark - middle : mark]) <= room:
                low = middle
            else:
                high = middle - 1
        return low

    def _width(self, line: Marked) -> float:
        layout, row = self._laid_out(line)  # a line lives no longer than its layout
        return row.naturalTextWidth() if layout.lineCount() else 0.0

    def _laid_out(self, line: Marked) -> tuple[QTextLayout, QTextLine]:
        layout = QTextLayout(line.text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        formats = []
        for start, end in line.marks:
            piece = QTextLayout.FormatRange()
            piece.start = utf16(line.text[:start])
            piece.length = utf16(line.text[start:end])
            piece.format = self._mark
            formats.append(piece)
        layout.setFormats(formats)
        layout.beginLayout()
        row = layout.createLine()
        layout.endLayout()
        return layout, row
