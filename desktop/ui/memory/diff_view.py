"""What differs between two texts in one column: what was taken out and what was put in, line by line. Draws only. GUI thread.

Every changed line has a sign in front, so that it reads without colour too; its numbers on both sides stand in the gutter.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop.base.redact import visible
from desktop.ui import theme
from desktop.ui.memory.line_diff import LONGEST, Difference, DiffLine

TOKENS = {" ": "text", "-": "removed", "+": "added", "@": "secondary"}
GAP = "⋯"
_GROUND, _STRONG = 0.13, 0.34


def line_formats(line: DiffLine) -> tuple[QTextBlockFormat, QTextCharFormat, QTextCharFormat, QTextCharFormat]:
    """How a line is drawn: its ground, its sign, its text, and the part of it that makes the difference."""
    now = theme.current()
    block, sign, chars = QTextBlockFormat(), QTextCharFormat(), QTextCharFormat()
    color = now.color(TOKENS[line.mark])
    sign.setForeground(color)
    chars.setForeground(color if line.mark == "@" else now.color("text"))
    strong = QTextCharFormat(chars)
    if line.mark in "+-":
        block.setBackground(_tint(color, _GROUND))
        strong.setBackground(_tint(color, _STRONG))
    return block, sign, chars, strong


def _tint(color: QColor, strength: float) -> QColor:
    made = QColor(color)
    made.setAlphaF(strength)
    return made


def insert_line(cursor: QTextCursor, line: DiffLine, formats: tuple[QTextCharFormat, QTextCharFormat, QTextCharFormat]) -> None:
    """The sign and the text of one line at the cursor, with the differing part marked."""
    sign, chars, strong = formats
    if line.mark == "@":
        cursor.insertText(GAP, chars)
        return
    cursor.insertText(f"{line.mark}  ", sign)
    start, end = line.span or (0, 0)
    for text, form in ((line.text[:start], chars), (line.text[start:end], strong), (line.text[end:], chars)):
        if text:
            cursor.insertText(_drawn(text), form)


def _drawn(text: str) -> str:
    return visible(text, keep="\t") if len(text) <= LONGEST else visible(text[:LONGEST], keep="\t") + " …"


class _Numbers(QWidget):
    """The gutter of a `DiffView`."""

    def __init__(self, view: DiffView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(self, event.rect())


class DiffView(QPlainTextEdit):
    """Read-only; text can be selected and copied, signs included."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryDiff")
        self.setReadOnly(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # lines are wrapped
        self.setAccessibleName(self.tr("Differences"))
        self._shown: Difference | None = None
        self._equal = ""
        self._gutter = _Numbers(self)
        self.updateRequest.connect(self._scroll_gutter)
        theme.signals.theme_changed.connect(self._draw)
        self._draw()

    def show_difference(self, shown: Difference, equal: str = "") -> None:
        """Show a comparison; `equal` is what is said when nothing differs."""
        self._shown, self._equal = shown, equal or self.tr("There is no difference.")
        self._draw()

    def clear_difference(self) -> None:
        """Show nothing: the comparison is being made."""
        self._shown = None
        self._draw()

    def _draw(self) -> None:
        now = theme.current()
        self.setFont(theme.code_font())
        self.setStyleSheet(f"DiffView {{ background: {now.hex('editor')}; border: none; padding: {now.px(6)}px 0; }}")
        self.clear()
        shown = self._shown
        if shown is not None:
            cursor = QTextCursor(self.document())
            cursor.beginEditBlock()
            if not shown.lines:
                quiet = QTextCharFormat()
                quiet.setForeground(now.color("secondary"))
                cursor.insertText(self._equal, quiet)
            for at, line in enumerate(shown.lines):
                block, *chars = line_formats(line)
                if at:
                    cursor.insertBlock(block, chars[1])
                else:
                    cursor.setBlockFormat(block)
                insert_line(cursor, line, (chars[0], chars[1], chars[2]))
            if shown.left_out:
                self._insert_rest(cursor, shown.left_out)
            cursor.endEditBlock()
        self._place_gutter()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _insert_rest(self, cursor: QTextCursor, many: int) -> None:
        quiet = QTextCharFormat()
        quiet.setForeground(theme.current().color("secondary"))
        cursor.insertBlock(QTextBlockFormat(), quiet)
        cursor.insertText(self.tr("%n more lines differ and are not shown.", "", many), quiet)

    # -- gutter ----------------------------------------------------------------------------------------------------------------------

    def _lines(self) -> tuple[DiffLine, ...]:
        return self._shown.lines if self._shown is not None else ()

    def _digits(self) -> int:
        return max((len(str(max(line.old, line.new))) for line in self._lines()[-1:]), default=1)

    def _column(self) -> int:
        return self.fontMetrics().horizontalAdvance("0") * max(2, self._digits())

    def paint_gutter(self, gutter: QWidget, area: QRect) -> None:
        """The numbers of a line before and after."""
        now, lines = theme.current(), self._lines()
        painter = QPainter(gutter)
        painter.fillRect(area, now.color("editor"))
        painter.setFont(self.font())
        painter.setPen(now.color("disabled"))
        block, width, height = self.firstVisibleBlock(), self._column(), self.fontMetrics().height()
        while block.isValid() and block.blockNumber() < len(lines):
            top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
            if top > area.bottom():
                break
            line = lines[block.blockNumber()]
            if line.mark != "@":
                for at, number in enumerate((line.old, line.new)):
                    place = QRect(now.px(12) + at * (width + now.px(8)), top, width, height)
                    painter.drawText(place, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), str(number) if number else "")
            block = block.next()
        painter.end()

    def _place_gutter(self) -> None:
        now = theme.current()
        width = 2 * self._column() + now.px(12 + 8 + 10) if self._lines() else now.px(12)
        self.setViewportMargins(width, 0, 0, 0)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), width, area.height()))

    def _scroll_gutter(self, area: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()
