"""The line in which is searched: says what was typed once an input method is through with it, and leads into the results. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.ui.clear_button import add_clear_button


class SearchBox(QLineEdit):
    """See the module's text.

    Attributes:
        composing: an input method is in the middle of a word.

    Signals:
        typed(): there is another text, and it is whole.
        entered(): Enter.
        down(), up(): into the results.
        left(): Escape with nothing to clear.
    """

    typed = Signal()
    entered = Signal()
    down = Signal()
    up = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.composing = False
        self._told = ""
        add_clear_button(self)
        self.textChanged.connect(self._on_text)

    def _on_text(self, _text: str) -> None:
        if not self.composing:
            self._tell()

    def _tell(self) -> None:
        if self.text() != self._told:
            self._told = self.text()
            self.typed.emit()

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """A selection is gone as soon as composing begins: that is no query yet."""
        self.composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        if not self.composing:
            self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.key()
        if self.composing or not plain:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Down:
            self.down.emit()
        elif key == Qt.Key.Key_Up:
            self.up.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        else:
            super().keyPressEvent(event)
