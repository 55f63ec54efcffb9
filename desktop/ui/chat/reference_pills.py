"""References to sessions inside the text of the composer, drawn as pills with what the session is called. GUI thread.

The text itself stays `#sess_…`, in what is sent, copied, stored and taken back: only its letters are made as wide as the pill that is drawn
over them. A pill is one thing for the keyboard and the pointer , which is the field's matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from desktop.ui import theme
from desktop.ui.chat.reference_text import SESSION_LINK
from desktop.ui.markdown import shown

WIDTH, PAD = 180, 6
"""Pixels that a pill takes at most, and beside its text."""
UNKNOWN = 10
"""Characters of an id that stand for a session which is not known."""


@dataclass(frozen=True, slots=True)
class Pill:
    """A reference in a block: where it begins and ends there (in UTF-16, as Qt counts), what it is called, and behind that the message."""

    start: int
    end: int
    title: str
    number: str = ""


def pills_in(text: str, title_of: Callable[[str], str]) -> list[Pill]:
    """The references of one line."""
    if "#sess_" not in text:
        return []
    found = []
    for one in SESSION_LINK.finditer(text):
        if text[one.end() : one.end() + 1].isalnum():
            continue  # something that only begins like one
        title = " ".join(shown(title_of(one[1])).split()) or one[1][:UNKNOWN] + "…"
        start = _units(text[: one.start()])
        found.append(Pill(start, start + len(one[0]), f"#{title}", f":{one[2]}" if one[2] else ""))
    return found


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class ReferencePills(QSyntaxHighlighter):
    """Makes room for the pills of a document, and draws them.

    Attributes:
        title_of: what a session is called by its id; empty where it is not known.
        room: pixels of a line; set before `rehighlight`.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.title_of: Callable[[str], str] = lambda session_id: ""
        self.room = WIDTH

    def highlightBlock(self, text: str) -> None:
        """The letters of a reference take the room of its pill, and are not seen."""
        for pill in pills_in(text, self.title_of):
            rest = self._unseen(1)
            tiny = QFont(self._font())
            tiny.setPixelSize(1)
            taken = QFontMetricsF(tiny).horizontalAdvance(text[pill.start + 1 : pill.end]) + self._metrics().horizontalAdvance("#")
            first = self._unseen(0)
            first.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
            first.setFontLetterSpacing(max(0.0, self._width(pill) - taken))
            self.setFormat(pill.start, 1, first)
            self.setFormat(pill.start + 1, pill.end - pill.start - 1, rest)

    @staticmethod
    def _unseen(pixels: int) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(QColor(Qt.GlobalColor.transparent))
        if pixels:
            made.setProperty(QTextCharFormat.Property.FontPixelSize, pixels)
        return made

    def _font(self) -> QFont:
        return self.document().defaultFont()

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._font())

    def _most(self) -> float:
        return float(max(theme.current().px(60), min(theme.current().px(WIDTH), self.room - theme.current().px(12))))

    def _width(self, pill: Pill) -> float:
        return min(self._most(), self._metrics().horizontalAdvance(pill.title + pill.number) + 2 * theme.current().px(PAD) + 2)

    def pills_of(self, block: QTextBlock) -> list[Pill]:
        return pills_in(block.text(), self.title_of)

    def draw(self, painter: QPainter, block: QTextBlock, origin: QPointF) -> None:
        """Draw the pills of a block whose upper left corner is at `origin`."""
        layout = block.layout()
        before, held = layout.preeditAreaPosition(), _units(layout.preeditAreaText())
        for pill in self.pills_of(block):
            at = pill.start + (held if held and before <= pill.start else 0)
            line = layout.lineForTextPosition(at)
            if line.isValid():
                left = line.cursorToX(at)
                x = float(left[0] if isinstance(left, tuple) else left)  # type: ignore[arg-type]
                self._draw_one(painter, QRectF(origin.x() + x, origin.y() + line.y(), self._width(pill), line.height()), pill)

    def _draw_one(self, painter: QPainter, place: QRectF, pill: Pill) -> None:
        present = theme.current()
        body = place.adjusted(0.5, 1.5, -1.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(present.color("code"))
        painter.setPen(present.color("border"))
        painter.drawRoundedRect(body, present.px(4), present.px(4))
        painter.setFont(self._font())
        painter.setPen(present.color("link"))
        pad = present.px(PAD)
        room = body.width() - 2 * pad + 1 - self._metrics().horizontalAdvance(pill.number)
        words = self._metrics().elidedText(pill.title, Qt.TextElideMode.ElideRight, room) + pill.number
        painter.drawText(body.adjusted(pad, -1, -pad, 0), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
        painter.restore()
