"""Find in the session that is shown, and go to a message by its number: the row above the messages, and what it finds. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import icon_button, label
from desktop.ui.sessions.pages import SessionPages

TYPING_MS = 250


class FindBar(QWidget):
    """Hidden until `begin`; Esc hides it.

    Signals:
        words_changed(str): look for this; an empty text ends looking.
        stepped(int): the next (1) or the previous (-1) of what was found.
        number_given(int): show the message of this number.
        closed(): it was hidden by the person.
    """

    words_changed = Signal(str)
    stepped = Signal(int)
    number_given = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sessionFind")
        self._asked = ""
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._ask)
        self.box = QLineEdit(self)
        self.box.setObjectName("sessionFindBox")
        self.box.setPlaceholderText(self.tr("Find in this session"))
        self.box.setAccessibleName(self.tr("Find in this session"))
        self.box.textChanged.connect(lambda: self._typing.start())
        self.count = label(self, role="secondary")
        self.previous = icon_button(self, "arrow-up", self.tr("Previous match"), lambda: self.stepped.emit(-1))
        self.next = icon_button(self, "arrow-down", self.tr("Next match"), lambda: self.stepped.emit(1))
        self.number = QLineEdit(self)
        self.number.setObjectName("sessionNumberBox")
        self.number.setAccessibleName(self.tr("Go to message number"))
        self.number.setMaxLength(9)
        self.number.returnPressed.connect(self._go)
        self.close_button = icon_button(self, "close", self.tr("Close"), self.end)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.box, 1)
        for widget in (self.count, self.previous, self.next, self.number, self.close_button):
            self._row.addWidget(widget)
        for box in (self.box, self.number):
            box.installEventFilter(self)
        self.set_total(0)
        self.set_found(0, 0, done=True)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.hide()

    def begin(self, *, number: bool = False, words: str = "") -> None:
        """Show the bar with the keyboard in the box for words, or for a number."""
        self.show()
        if words:
            self.box.setText(words)
        box = self.number if number else self.box
        box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        box.selectAll()

    def end(self) -> None:
        """Hide it and end looking."""
        self._typing.stop()
        self.hide()
        self._tell("")
        self.closed.emit()

    def step(self, by: int) -> None:
        """The next (1) or the previous (-1) place; the bar comes first where it is hidden."""
        if self.isHidden():
            self.begin()
        else:
            self.stepped.emit(by)

    def set_total(self, total: int) -> None:
        """How many messages there are; 0: not known yet."""
        text = self.tr("Message 1–{n}").format(n=f"{total:,}") if total else self.tr("Message…")
        self.number.setPlaceholderText(text)
        self.number.setEnabled(total > 0)

    def set_found(self, at: int, of: int, *, done: bool) -> None:
        """Which of the places is shown, from 1; 0: none. `done`: there are no further ones."""
        self.previous.setEnabled(of > 0)
        self.next.setEnabled(of > 0)
        if not self.box.text().strip():
            text = ""
        elif not of:
            text = self.tr("Nothing found") if done else self.tr("Looking…")
        elif not done:
            text = self.tr("{at} of {n} so far").format(at=f"{at:,}", n=f"{of:,}")
        else:
            text = self.tr("{at} of {n}").format(at=f"{at:,}", n=f"{of:,}")
        self.count.setText(text)
        self.box.setAccessibleDescription(text)

    def _ask(self) -> None:
        self._tell(self.box.text())

    def _tell(self, words: str) -> None:
        if words.strip() != self._asked:
            self._asked = words.strip()
            self.words_changed.emit(self._asked)

    def _go(self) -> None:
        text = self.number.text().strip().lstrip("#").replace(",", "")
        if text.isdecimal():
            self.number_given.emit(int(text))

    def _measure(self) -> None:
        now = theme.current()
        self._row.setContentsMargins(now.px(16), now.px(2), now.px(8), now.px(4))
        self._row.setSpacing(now.px(4))
        self.box.setMinimumWidth(now.px(60))
        self.number.setMinimumWidth(now.px(48))
        self.number.setMaximumWidth(now.px(120))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self.box:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self.box.text().strip() != self._asked:
                    self._typing.stop()
                    self._ask()
                else:
                    self.stepped.emit(-1 if back else 1)
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)


class FindInSession(QObject):
    """What is typed into the bar is looked for; places are stepped through.

    Args:
        here: number of the first message at hand, from where the first place is sought.

    Signals:
        place_found(int, str): show the message of this number, with this text.
    """

    place_found = Signal(int, str)

    def __init__(self, bar: FindBar, reader: SessionPages, here: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._bar, self._reader, self._here = bar, reader, here
        self._words = ""
        self._numbers: tuple[int, ...] = ()
        self._at = -1
        self._done = True
        bar.words_changed.connect(self._on_words)
        bar.stepped.connect(self._step)
        reader.indexed.connect(self._on_indexed)

    def again(self) -> None:
        """Another branch is shown: look there."""
        if self._words:
            self._on_words(self._words)

    def _on_words(self, words: str) -> None:
        self._words, self._numbers, self._at, self._done = words, (), -1, not words
        self._reader.stop_finding()
        self._bar.set_found(0, 0, done=self._done)
        if words and self._reader.is_indexed:
            self._reader.find(words, self._on_found)

    def _on_indexed(self) -> None:
        """What was typed while the session was still being read is looked for now."""
        if self._words and not self._done:
            self.again()

    def _on_found(self, numbers: tuple[int, ...], done: bool) -> None:
        """The first place at or behind what is read is shown at once, else the first of all."""
        self._numbers, self._done = numbers, done
        if self._at < 0 and numbers:
            here = self._here()
            ahead = next((at for at, number in enumerate(numbers) if number >= here), None)
            if ahead is not None or done:
                self._at = ahead or 0
                self.place_found.emit(numbers[self._at], self._words)
        self._bar.set_found(self._at + 1, len(numbers), done=done)

    def _step(self, by: int) -> None:
        if self._numbers:
            self._at = (self._at + by) % len(self._numbers)
            self.place_found.emit(self._numbers[self._at], self._words)
            self._bar.set_found(self._at + 1, len(self._numbers), done=self._done)
