"""The JSON of a request or of a part of it, with a line that searches it. Read only; draws only what is in view. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import icon_button, label
from desktop.ui.clear_button import add_clear_button
from desktop.ui.inspector.parts import Drawn

TYPING_MS = 120
PIECE = 96_000
"""Characters that are put into the view at once: a megabyte in one go holds the window up for 200 ms."""
MOST_MARKED = 500
"""Hits that are marked at once, around the current one; all are counted and reached."""


class SearchLine(QLineEdit):
    """Return goes to the next hit, Shift+Return to the one before, Esc leaves.

    Signals:
        step_requested(int): 1 or -1.
        left(): Esc.
    """

    step_requested = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class BodyView(QWidget):
    """Attributes: edit: the text; search: the line; hits: where the words stand, in the units of the view."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hits: list[tuple[int, int]] = []
        self._at = -1
        self._drawn = Drawn("", ())
        self.edit = QPlainTextEdit(self)
        self.edit.setObjectName("requestBody")
        self.edit.setAccessibleName(self.tr("Request as it was sent"))
        self.edit.setReadOnly(True)
        self.edit.setUndoRedoEnabled(False)
        self.edit.setTabChangesFocus(True)
        self.edit.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.edit.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.search = SearchLine(self)
        self.search.setObjectName("requestSearch")
        self.search.setPlaceholderText(self.tr("Search in this request"))
        self.search.setAccessibleName(self.tr("Search in this request"))
        add_clear_button(self.search)
        self.count = label(self, role="secondary")
        self.before = icon_button(self, "arrow-up", self.tr("Previous match"), lambda: self.step(-1))
        self.next = icon_button(self, "arrow-down", self.tr("Next match"), lambda: self.step(1))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._find)
        self._rest = ""
        self._feeding = QTimer(self)
        self._feeding.setInterval(0)
        self._feeding.timeout.connect(self._feed)
        self.search.textChanged.connect(lambda: self._typing.start())
        self.search.step_requested.connect(self._step_now)
        self.search.left.connect(self.edit.setFocus)
        self.edit.installEventFilter(self)
        self._lay_out()
        theme.signals.theme_changed.connect(self._themed)
        self._themed()
        self._show_count()

    def _lay_out(self) -> None:
        now = theme.current()
        self.bar = QHBoxLayout()
        self.bar.setContentsMargins(now.px(10), now.px(4), now.px(10), now.px(4))
        self.bar.setSpacing(now.px(4))
        self.bar.addWidget(self.search, 1)
        for widget in (self.count, self.before, self.next):
            self.bar.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.bar)
        column.addWidget(self.edit, 1)

    def show_text(self, text: Drawn) -> None:
        """Replace what is shown; what is searched for is searched for again."""
        self._drawn = text
        whole = text.lines()
        if text.left_out:
            whole += "\n" + self.tr("… {n} more characters. Copy gives all of it.").format(n=f"{text.left_out:,}")
        self._rest = whole[PIECE:]
        self.edit.setPlainText(whole[:PIECE])
        if self._rest:
            self._feeding.start()
        else:
            self._feeding.stop()
            self._find()

    def _feed(self) -> None:
        """The next piece at the end; what is read, or selected, stays where it is."""
        piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
        cursor = QTextCursor(self.edit.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        if not self._rest:
            self._feeding.stop()
            self._find()

    # --- searching ---------------------------------------------------------------------------------------------------

    def _find(self) -> None:
        self._typing.stop()
        if self._rest:
            return  # once all of it is there
        self.hits = self._drawn.find(self.search.text())
        place = self.edit.textCursor().selectionStart()
        self._at = next((at for at, (start, _) in enumerate(self.hits) if start >= place), 0) if self.hits else -1
        self._show_hit()

    def _step_now(self, by: int) -> None:
        if self._typing.isActive():
            self._find()
        else:
            self.step(by)

    def step(self, by: int) -> None:
        """To the next hit, or the one before; round the end."""
        if self.hits:
            self._at = (self._at + by) % len(self.hits)
            self._show_hit()

    def _show_hit(self) -> None:
        self._show_count()
        if not self.hits:
            self.edit.setExtraSelections([])
            return
        start, end = self.hits[self._at]
        cursor = QTextCursor(self.edit.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.edit.setTextCursor(cursor)
        self.edit.ensureCursorVisible()
        self._mark()

    def _mark(self) -> None:
        first = max(0, self._at - MOST_MARKED // 2)
        form = QTextCharFormat()
        form.setBackground(QColor(theme.current().color("find")))
        marks = []
        for start, end in self.hits[first : first + MOST_MARKED]:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.edit.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor, mark.format = cursor, form
            marks.append(mark)
        self.edit.setExtraSelections(marks)

    def _show_count(self) -> None:
        searched = bool(self.search.text())
        none = self.tr("No match")
        self.count.setText((f"{self._at + 1:,} / {len(self.hits):,}" if self.hits else none) if searched else "")
        for button in (self.before, self.next):
            button.setEnabled(len(self.hits) > 1)

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def _themed(self) -> None:
        now = theme.current()
        self.edit.setFont(theme.code_font())
        self.edit.setTabStopDistance(4 * QFontMetricsF(theme.code_font()).horizontalAdvance(" "))
        ground = now.hex("editor")
        self.edit.setStyleSheet(f"QPlainTextEdit {{ background: {ground}; border: none; border-top: 1px solid {now.hex('border')}; }}")
        if self.hits:
            self._mark()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+F in the text goes to the line."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if control and event.key() == Qt.Key.Key_F:
                self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
                self.search.selectAll()
                return True
        return False
