"""A plain text editor for Markdown with line numbers, quiet highlighting and undo. Keeps every character as it is. GUI thread; no I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.bridge.collector import GuiCollector
from desktop.ui import icons, theme

HIGHLIGHT_LIMIT = 400_000
"""Characters; longer texts are shown in one colour, so that typing stays quick."""
LONG_LINE = 4_000
"""A line longer than this is not highlighted."""
SIGN = 12
"""Pixels of the sign beside a line that is not loaded."""
LONGEST_LINE = 50_000
"""Characters of one line that can be edited without stalls."""

_HEADER_EDGE = re.compile(r"^---\s*$")
_HEADER_KEY = re.compile(r"^(\s*)([\w.-]+)(:)")
_HEADING = re.compile(r"^#{1,6}\s.*$")
_QUOTE = re.compile(r"^\s{0,3}>.*$")
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_INLINE = (
    (re.compile(r"`[^`]+`"), "code"),
    (re.compile(r"\[\[[^\[\]]+\]\]|\[[^\[\]]*\]\([^()]*\)"), "link"),
    (re.compile(r"\*\*[^*]+\*\*|__[^_]+__"), "bold"),
    (re.compile(r"^\s*(?:[-*+]|\d+[.)])(?=\s)"), "mark"),
)
_IN_HEADER, _IN_FENCE, _IN_TEXT = 1, 2, 0


class MarkdownHighlighter(QSyntaxHighlighter):
    """Frontmatter keys, headings, code, links, bold, list marks, in tokens of the theme."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.take_theme()

    def take_theme(self) -> None:
        now = theme.current()

        def made(token: str, *, bold: bool = False) -> QTextCharFormat:
            shape = QTextCharFormat()
            shape.setForeground(now.color(token))
            if bold:
                shape.setFontWeight(QFont.Weight.DemiBold)
            return shape

        self._formats = {
            "edge": made("secondary"), "key": made("link"), "heading": made("text", bold=True), "quote": made("secondary"),
            "code": made("added"), "link": made("link"), "bold": made("text", bold=True), "mark": made("secondary"), "fence": made("added"),
        }  # fmt: skip

    def highlightBlock(self, text: str) -> None:
        before = self.previousBlockState()
        first = before == -1
        if len(text) > LONG_LINE:
            self.setCurrentBlockState(max(before, _IN_TEXT))
            return
        if _HEADER_EDGE.match(text) and (first or before == _IN_HEADER):
            self.setFormat(0, len(text), self._formats["edge"])
            self.setCurrentBlockState(_IN_HEADER if first else _IN_TEXT)
        elif before == _IN_HEADER:
            self.setCurrentBlockState(_IN_HEADER)
            if found := _HEADER_KEY.match(text):
                self.setFormat(found.start(2), len(found[2]), self._formats["key"])
        elif before == _IN_FENCE or _FENCE.match(text):
            closes = before == _IN_FENCE and _FENCE.match(text) is not None
            self.setCurrentBlockState(_IN_TEXT if closes else _IN_FENCE)
            self.setFormat(0, len(text), self._formats["fence"])
        else:
            self.setCurrentBlockState(_IN_TEXT)
            self._highlight_text(text)

    def _highlight_text(self, text: str) -> None:
        if _HEADING.match(text):
            self.setFormat(0, len(text), self._formats["heading"])
        elif _QUOTE.match(text):
            self.setFormat(0, len(text), self._formats["quote"])
        for rule, name in _INLINE:
            for found in rule.finditer(text):
                self.setFormat(found.start(), found.end() - found.start(), self._formats[name])


class LineNumbers(QWidget):
    """The gutter of a `SourceEdit`."""

    def __init__(self, editor: SourceEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(self, event.rect())


class SourceEdit(QPlainTextEdit):
    """The editor. `text` and `set_text` work in `\\n` lines and keep no-break blanks and Unicode line separators.

    Attributes:
        swallows: asked of each key; those that a list over the text is to have are not typed.

    Signals:
        paste_refused(int): a line of so many characters was to be pasted; laid out anew at each key it would bring the window to a halt.
    """

    paste_refused = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memorySource")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setTabChangesFocus(False)
        self._gutter = LineNumbers(self)
        self.swallows: Callable[[QKeyEvent], bool] = lambda _event: False
        self._left_out: frozenset[int] = frozenset()
        self._cut_label = ""
        self._highlighter = MarkdownHighlighter(self.document())
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self._gutter.update)
        theme.signals.theme_changed.connect(self._take_theme)
        self._take_theme()

    # -- text ------------------------------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """All of it; lines end in `\\n`."""
        return self.document().toRawText().replace("\u2029", "\n")

    def set_text(self, text: str) -> None:
        """Show another text; nothing can be undone across it."""
        colored = len(text) <= HIGHLIGHT_LIMIT
        self._highlighter.setDocument(self.document() if colored else None)
        self.setPlainText(text)

    def change_to(self, text: str) -> None:
        """Turn the text into `text` by replacing what differs: undo, cursor and scroll stay."""
        now = self.text()
        start, end_now, end_new = differing(now, text)
        if start == end_now and start == end_new:
            return
        bar = self.verticalScrollBar().value()
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16(now[:start]))
        cursor.setPosition(utf16(now[:end_now]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[start:end_new])
        self.verticalScrollBar().setValue(bar)

    def go_to_line(self, line: int) -> None:
        """Put the cursor at the start of `line` (1-based) and show it."""
        block = self.document().findBlockByNumber(max(0, line - 1))
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def reveal(self, line: int, text: str = "") -> bool:
        """Select `text` where it stands at or behind `line` (1-based), else anywhere; False when it stands nowhere: the line is shown."""
        block = self.document().findBlockByNumber(max(0, line - 1))
        start = QTextCursor(block) if block.isValid() else QTextCursor(self.document())
        exact = QTextDocument.FindFlag.FindCaseSensitively
        found = (
            next((one for one in (self.document().find(text, at, exact) for at in (start, 0)) if not one.isNull()), None) if text else None
        )
        self.setTextCursor(found or start)
        self.centerCursor()
        return found is not None

    def select(self, start: int, end: int) -> None:
        """Select from `start` to `end` (UTF-16 units) and bring it into view; the keyboard stays where it is."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def mark_spans(self, spans: Sequence[tuple[int, int]]) -> None:
        """Put a ground behind each place (UTF-16 units) that was found; none takes them away."""
        shape = QTextCharFormat()
        shape.setBackground(theme.current().color("find"))
        marks = []
        for start, end in spans:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor, mark.format = cursor, shape
            marks.append(mark)
        self.setExtraSelections(marks)

    def mark_left_out(self, lines: frozenset[int], label: str = "") -> None:
        """Mark the lines (1-based) of which nothing is loaded: a line above each run of them with `label` on it, a sign in the gutter."""
        if lines != self._left_out or label != self._cut_label:
            self._left_out, self._cut_label = lines, label
            self._place_gutter()
            self.viewport().update()
            self._gutter.update()

    def left_out(self) -> frozenset[int]:
        """The lines that are marked."""
        return self._left_out

    # -- gutter ----------------------------------------------------------------------------------------------------------------------

    def gutter_width(self) -> int:
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("0") * digits + theme.current().px(24 + (SIGN if self._left_out else 0))

    def paint_gutter(self, gutter: QWidget, area: QRect) -> None:
        now = theme.current()
        painter = QPainter(gutter)
        painter.fillRect(area, now.color("editor"))
        painter.setFont(self.font())
        current = self.textCursor().blockNumber()
        block = self.firstVisibleBlock()
        width = gutter.width() - now.px(14)
        while block.isValid():
            top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
            if top > area.bottom():
                break
            if block.isVisible():
                painter.setPen(now.color("text" if block.blockNumber() == current else "disabled"))
                line = QRect(0, top, width, self.fontMetrics().height())
                if block.blockNumber() + 1 in self._left_out:
                    size = now.px(SIGN)
                    sign = QRect(now.px(6), top + (line.height() - size) // 2, size, size)
                    icons.icon("eye-closed", "warning").paint(painter, sign)
                painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), str(block.blockNumber() + 1))
            block = block.next()
        painter.end()

    def _place_gutter(self) -> None:
        width = self.gutter_width()
        self.setViewportMargins(width, 0, 0, 0)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), width, area.height()))

    def _scroll_gutter(self, area: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def _take_theme(self) -> None:
        ground = theme.current().hex("editor")
        # The app's style sheet draws every text field as an input; a source text is the ground itself.
        self.setStyleSheet(f"SourceEdit {{ background: {ground}; border: none; }}")
        self.setFont(theme.code_font())
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * 4)
        self._highlighter.take_theme()
        if self._highlighter.document() is not None:
            self._highlighter.rehighlight()
        self._place_gutter()

    def _paint_cuts(self) -> None:
        """A dashed line where lines begin that are not loaded."""
        now = theme.current()
        painter = QPainter(self.viewport())
        font = theme.ui_font(size=11)
        painter.setFont(font)
        pen = QPen(now.color("warning"))
        pen.setStyle(Qt.PenStyle.DashLine)
        block, bottom, right = self.firstVisibleBlock(), self.viewport().height(), self.viewport().width()
        while block.isValid():
            top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
            if top > bottom:
                break
            number = block.blockNumber() + 1
            if number in self._left_out and number - 1 not in self._left_out:
                painter.setPen(pen)
                painter.drawLine(0, top, right, top)
                self._paint_label(painter, block, top, right)
            block = block.next()
        painter.end()

    def _paint_label(self, painter: QPainter, block: QTextBlock, top: int, right: int) -> None:
        """What the line means, at its right end, where that hides no text."""
        now = theme.current()
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(self._cut_label) + now.px(12), metrics.height()
        place = QRect(right - width - now.px(8), max(0, top - height // 2), width, height)
        above = block.previous()
        lines = [block.layout().lineAt(0)]
        if above.isValid() and above.layout().lineCount():
            lines.append(above.layout().lineAt(above.layout().lineCount() - 1))
        if max(line.naturalTextWidth() for line in lines) > place.left() - now.px(8):
            return
        painter.fillRect(place, now.color("editor"))
        painter.setPen(now.color("warning"))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), self._cut_label)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        GuiCollector.typed()
        if self.swallows(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def insertFromMimeData(self, source: QMimeData) -> None:
        longest = max(map(len, source.text().splitlines()), default=0) if len(source.text()) > LONGEST_LINE else 0
        if longest > LONGEST_LINE:
            self.paste_refused.emit(longest)
        else:
            super().insertFromMimeData(source)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._left_out:
            self._paint_cuts()


def cut_lines(text: str, limit: int = LONGEST_LINE) -> str:
    """`text` with the rest of every line behind `limit` left out: a paragraph is laid out whole, which takes seconds for megabytes."""
    if len(text) <= limit:
        return text
    return "\n".join(line if len(line) <= limit else f"{line[:limit]} …" for line in text.split("\n"))


def utf16(text: str) -> int:
    """Length in UTF-16 units: what Qt counts positions in."""
    return len(text) + sum(1 for c in text if ord(c) > 0xFFFF) if not text.isascii() else len(text)


def differing(old: str, new: str) -> tuple[int, int, int]:
    """(start, end in old, end in new) of the one region in which two texts differ; equal texts give an empty region at their end."""
    start = _common_start(old, new)
    tail = _common_end(old, new, min(len(old), len(new)) - start)
    return start, len(old) - tail, len(new) - tail


def _common_start(first: str, second: str) -> int:
    """Length of the common start, by halving: comparing slices is quick where comparing characters is not."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(first: str, second: str, most: int) -> int:
    """Length of the common end, at most `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle - 1
    return low
