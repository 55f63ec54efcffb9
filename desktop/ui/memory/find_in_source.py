"""Find in the source of a memory: the row above it, the places that are marked, and the one that is selected. GUI thread; no I/O.

Owns what is looked for and where it stands. Reads the text of the editor and selects in it; changes nothing.
"""

from __future__ import annotations

import re
from itertools import islice

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import icon_button, label
from desktop.ui.memory.source_edit import SourceEdit, utf16

TYPING_MS = 120
MOST = 5_000
"""Places that are counted and marked; a longer list is of no use, and marking it would stall the window."""

Span = tuple[int, int]
"""Start and end in UTF-16 units, as Qt counts positions."""


def places_of(words: str, text: str, most: int = MOST) -> list[Span]:
    """Where `words` stand in `text`, letters of either case alike; they never overlap."""
    if not words:
        return []
    spans: list[Span] = []
    read = at = 0
    for found in islice(re.finditer(re.escape(words), text, re.IGNORECASE), most):
        at += utf16(text[read : found.start()])
        end = at + utf16(found.group())
        spans.append((at, end))
        read, at = found.end(), end
    return spans


class FindInSource(QWidget):
    """Hidden until `begin`; Esc hides it and gives the keyboard back to the source.

    Signals:
        wanted(): the source is to come into view, since looking begins.
    """

    wanted = Signal()

    def __init__(self, source: SourceEdit, parent: QWidget) -> None:
        """`parent`: the widget in which the keys hold; the row belongs to it."""
        super().__init__(parent)
        self.setObjectName("memoryFind")
        self._source = source
        self._spans: list[Span] = []
        self._at = -1
        self._from = 0
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(TYPING_MS)
        self._waiting.timeout.connect(self._look_again)
        self.box = QLineEdit(self)
        self.box.setObjectName("memoryFindBox")
        self.box.setPlaceholderText(self.tr("Find in this memory"))
        self.box.setAccessibleName(self.tr("Find in this memory"))
        self.box.textChanged.connect(self._look)
        self.box.installEventFilter(self)
        self.count = label(self, role="secondary")
        self.previous = icon_button(self, "arrow-up", self.tr("Previous match"), lambda: self.step(-1))
        self.next = icon_button(self, "arrow-down", self.tr("Next match"), lambda: self.step(1))
        self.close_button = icon_button(self, "close", self.tr("Close"), self.end)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.box, 1)
        for widget in (self.count, self.previous, self.next, self.close_button):
            self._row.addWidget(widget)
        self._bind(parent)
        source.textChanged.connect(self._on_text)
        theme.signals.theme_changed.connect(self._on_theme)
        self._measure()
        self._show_count()
        self.hide()

    def _bind(self, parent: QWidget) -> None:
        acts = (("Ctrl+F", self.begin), ("F3", lambda: self.step(1)), ("Shift+F3", lambda: self.step(-1)))
        for key, act in acts:
            shortcut = QShortcut(QKeySequence(key), parent)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def begin(self) -> None:
        """Show the row with the keyboard in it; what is selected on one line of the source is looked for."""
        self.wanted.emit()
        if not self._source.isVisible():  # there is no text to look in: the file is gone, too large, or compared
            return
        cursor = self._source.textCursor()
        self._from = cursor.selectionStart()
        selected = cursor.selectedText()
        self.show()
        if selected and "\u2029" not in selected:
            self.box.setText(selected)
        self._look()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def end(self) -> None:
        """Hide it; what was found last stays selected."""
        self._waiting.stop()
        self.hide()
        self._spans, self._at = [], -1
        self._source.setExtraSelections([])
        self._source.setFocus(Qt.FocusReason.OtherFocusReason)

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) place, around the ends."""
        if self.isHidden():
            self.begin()
        elif self._spans:
            self._at = (self._at + by) % len(self._spans) if self._at >= 0 else 0
            self._show_place()

    def places(self) -> list[Span]:
        """What is found now."""
        return list(self._spans)

    # -- looking ---------------------------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Find what the box says; the first place from where looking began is shown."""
        self._waiting.stop()
        self._spans = places_of(self.box.text(), self._source.text())
        self._at = next((at for at, (start, _) in enumerate(self._spans) if start >= self._from), 0 if self._spans else -1)
        self._show_place()

    def _on_text(self) -> None:
        if not self.isHidden():
            self._waiting.start()

    def _look_again(self) -> None:
        """The text became another one: mark anew, and leave the cursor of the one who types alone."""
        self._spans = places_of(self.box.text(), self._source.text())
        here = self._source.textCursor().selectionStart()
        self._at = next((at for at, (start, _) in enumerate(self._spans) if start >= here), 0 if self._spans else -1)
        self._mark()
        self._show_count()

    def _show_place(self) -> None:
        self._mark()
        self._show_count()
        if self._at >= 0:
            self._source.select(*self._spans[self._at])

    def _mark(self) -> None:
        self._source.mark_spans(self._spans)

    def _show_count(self) -> None:
        self.previous.setEnabled(bool(self._spans))
        self.next.setEnabled(bool(self._spans))
        if not self.box.text():
            text = ""
        elif not self._spans:
            text = self.tr("No match")
        else:
            text = self.tr("{at} of {n}").format(at=f"{self._at + 1:,}", n=f"{len(self._spans):,}")
        self.count.setText(text)
        self.box.setAccessibleDescription(text)

    def _on_theme(self) -> None:
        self._measure()
        if not self.isHidden():
            self._mark()

    def _measure(self) -> None:
        now = theme.current()
        self._row.setContentsMargins(now.px(16), now.px(2), now.px(8), now.px(4))
        self._row.setSpacing(now.px(4))
        self.box.setMinimumWidth(now.px(60))

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.box or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)
