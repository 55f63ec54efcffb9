"""Read-only monospaced text in the chat: source code coloured in slices, and plain output. Copies; never runs anything. GUI thread."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from math import ceil

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.message_actions import text_menu
from desktop.ui.chat.surface import KeyButton, Surface, icon_button, label
from desktop.ui.highlight import language_of, tokens
from desktop.ui.markdown import shown

SLICE_MS = 6
MAX_COLOURED = 200_000
FOLDED_LINES = 40
LINE, MORE_OF_LINE, PIECE = 4_000, 40_000, 2_000
"""Characters of a line that are drawn at first, and with each press; longer ones are laid out in pieces, with which Qt is not slow."""
DRAWN, MORE = 300_000, 600_000
"""Characters of a block that are drawn at first, and more with each press."""
_FLAT = "QPlainTextEdit { background: transparent; border: none; padding: 0; }"


class SlicedHighlighter(QObject):
    """Colours a document little by little, so that no block of code holds the window up."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._tokens: Iterator[tuple[int, int, str]] = iter(())
        self._block = -1
        self._wide: list[int] = []
        self._formats: list[QTextLayout.FormatRange] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._slice)

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    def start(self, code: str, language: str) -> None:
        """Begin anew with `code`, which is the document's text."""
        self._block, self._formats = -1, []
        self._wide = [at for at, character in enumerate(code) if character > "\uffff"] if not code.isascii() else []
        self._tokens = tokens(code, language, theme.current().dark) if language and len(code) <= MAX_COLOURED else iter(())
        self._timer.start(0)

    def _slice(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        for start, length, colour in self._tokens:
            begin, end = self._units(start), self._units(start + length)
            self._add(begin, end - begin, colour)
            if clock.elapsed() >= SLICE_MS:
                self._timer.start(0)
                return
        self._flush()

    def _units(self, offset: int) -> int:
        """Python's offset as Qt's, which counts characters beyond U+FFFF twice."""
        return offset + bisect_left(self._wide, offset) if self._wide else offset

    def _add(self, start: int, length: int, colour: str) -> None:
        """One coloured piece; it may go over several lines."""
        end = start + length
        while start < end:
            block = self._document.findBlock(start)
            if not block.isValid():
                return
            if block.blockNumber() != self._block:
                self._flush()
                self._block = block.blockNumber()
            part = QTextLayout.FormatRange()
            part.start = start - block.position()
            part.length = min(end, block.position() + block.length()) - start
            form = QTextCharFormat()
            form.setForeground(QColor(colour))
            part.format = form
            self._formats.append(part)
            start = block.position() + block.length()

    def _flush(self) -> None:
        if self._block >= 0 and self._formats:
            block = self._document.findBlockByNumber(self._block)
            block.layout().setFormats(self._formats)
            self._document.markContentsDirty(block.position(), block.length())
        self._formats = []


class PlainView(QPlainTextEdit):
    """Monospaced text as high as its lines, at most `lines` of them; beyond that it scrolls in itself."""

    def __init__(self, parent: QWidget, *, lines: int = FOLDED_LINES, wrap: bool = False) -> None:
        super().__init__(parent)
        self.setStyleSheet(_FLAT)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth if wrap else QPlainTextEdit.LineWrapMode.NoWrap)
        if wrap:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self._lines = lines
        self._wrap = wrap
        self._themed()
        theme.signals.theme_changed.connect(self._themed)

    def _themed(self) -> None:
        font = theme.code_font()
        self.setFont(font)
        self.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))
        self.fit()

    def set_text(self, text: str) -> None:
        """Replace the text; only the new end is added when it begins with what is there."""
        old = self.toPlainText()
        if old and text.startswith(old):
            self.append_text(text[len(old) :])
            return
        self.setPlainText(text)
        self.fit()

    def append_text(self, text: str) -> None:
        if not text:
            return
        bar = self.verticalScrollBar()
        follow = bar.value() >= bar.maximum() - 1
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        self.fit()
        if follow:
            bar.setValue(bar.maximum())

    def set_lines(self, lines: int) -> None:
        self._lines = lines
        self.fit()

    def fit(self) -> None:
        """Take the height of the text.

        Which bars there are follows from text and width alone. Asked of the bars themselves, a text a little narrower than the view never
        came to rest: the lower bar took room, so that the other one came, which took what the text needed, so that the lower one came.
        """
        height, more = self._text_height()
        always_off, as_needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(as_needed if more else always_off)
        total = ceil(height) + 4
        if not self._wrap:
            room = self.contentsRect().width() - (self.verticalScrollBar().sizeHint().width() if more else 0)
            wide = int(self.document().size().width()) > room
            self.setHorizontalScrollBarPolicy(as_needed if wide else always_off)
            total += self.horizontalScrollBar().sizeHint().height() if wide else 0
        if self.height() != total or self.minimumHeight() != total:
            self.setFixedHeight(total)

    def _text_height(self) -> tuple[float, bool]:
        """Of the first lines, and whether there are more; a line that holds Chinese is higher than the font's own."""
        left, height = self._lines, 0.0
        block = self.document().firstBlock()
        while block.isValid() and left > 0:
            whole = self.blockBoundingRect(block).height()
            count = max(1, block.layout().lineCount())
            height += whole * min(count, left) / count
            left -= count
            block = block.next()
        return height, left < 0 or block.isValid()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        text_menu(self, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll in itself only where there is something to scroll; the chat gets the rest."""
        bar = self.verticalScrollBar()
        up = event.angleDelta().y() > 0
        sideways = bool(event.angleDelta().x()) or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if sideways or (bar.maximum() > 0 and bar.value() != (bar.minimum() if up else bar.maximum())):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeView(Surface):
    """A code block: language, copy button, coloured text.

    Attributes:
        text: the code as it is (what is copied); unseen characters are escapes in the view only.
    """

    def __init__(self, parent: QWidget, info: str = "") -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("codeBlock")
        self.text = ""
        self._language = language_of(info)
        self.edit = PlainView(self)
        self.edit.setAccessibleName(self.tr("Code"))
        self._highlighter = SlicedHighlighter(self.edit.document())
        self.more = KeyButton("", self, secondary=True)
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._show_all)
        self.more.hide()
        self.rest = KeyButton("", self, secondary=True)
        self.rest.setProperty("role", "link")
        self.rest.clicked.connect(self._show_rest)
        self.rest.hide()
        self._line, self._limit, self._hidden, self._all_lines = LINE, DRAWN, 0, False
        self.copy_button = icon_button(self, "copy", self.tr("Copy code"), self.copy)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(label(self, self._language or self.tr("text"), role="secondary"))
        head.addStretch(1)
        head.addWidget(self.copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 4, 8)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.edit)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.rest, 0, Qt.AlignmentFlag.AlignLeft)
        theme.signals.theme_changed.connect(self._colour)

    def set_text(self, text: str, *, closed: bool) -> None:
        """Show `text`; it is coloured once it is complete. Overlong lines are folded, and lines that a window would be slow with."""
        self.text = text.removesuffix("\n") if closed else text
        drawn, lines = self._drawn(), self.text.count("\n") + 1
        self.edit.set_text(shown(drawn))
        folded = closed and lines > FOLDED_LINES
        self.rest.setVisible(self._hidden > 0)
        self.rest.setText(self.tr("Show More ({n} characters)").format(n=f"{self._hidden:,}"))
        self.edit.set_lines(FOLDED_LINES)
        self.more.setVisible(folded)
        if folded:
            self.more.setText(self.tr("Show All {n} Lines").format(n=f"{lines:,}"))
        if closed:
            self._colour()

    def _drawn(self) -> str:
        """The text with the first characters of each overlong line, of the first lines where there are very many."""
        self._hidden = 0
        if len(self.text) <= self._line:
            return self.text
        text = self.text[: self._limit]
        self._hidden = len(self.text) - len(text)
        if not any(len(line) > self._line for line in text.split("\n")):
            return text
        lines: list[str] = []
        for line in text.split("\n"):
            if len(line) > self._line:
                self._hidden += len(line) - self._line
                line = f"{line[: self._line]} … [{len(line) - self._line:,}]"
            lines += [line[at : at + PIECE] for at in range(0, len(line), PIECE)] if len(line) > 2 * PIECE else [line]
        return "\n".join(lines)

    def _show_rest(self) -> None:
        self._line += MORE_OF_LINE
        self._limit += MORE
        self.set_text(self.text, closed=True)
        if self.more.isHidden() or self._all_lines:
            self._show_all()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    def _show_all(self) -> None:
        self._all_lines = True
        self.edit.set_lines(self.edit.blockCount())
        self.more.hide()

    def _colour(self) -> None:
        self._highlighter.start(self.edit.toPlainText(), self._language)
