"""Quiet toasts at the lower right, with actions. Owns what is shown, what waits for room, and the list of what was said before.

Information goes by itself; warnings and errors stay until they are closed. Text is plain text. GUI thread only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui import icons, theme

Kind = Literal["info", "warning", "error"]
Action = tuple[str, Callable[[], object]]

SHOWN = 3
"""Toasts at a time; the others wait."""
INFO_MS = 6_000
INFO_ACTION_MS = 12_000
WIDTH, LEAST = 420, 260
HEAD = 40
"""Pixels of a pane's own title row."""
KEPT = 50
DETAIL_LENGTH = 4_000

_ICONS: dict[str, tuple[str, str]] = {"info": ("info", "link"), "warning": ("warning", "warning"), "error": ("error", "removed")}


@dataclass(frozen=True, slots=True)
class Message:
    """Something said. `text` is one or two sentences; `detail` is shown when unfolded; actions are (label, callable).

    One with a `tag` takes the place of what was said before with the same tag.
    """

    kind: Kind
    text: str
    detail: str = ""
    actions: tuple[Action, ...] = ()
    tag: str = ""


class Toast(QFrame):
    """One message on the screen.

    Signals:
        dismissed(): it wants to go.
        resized(): its detail was folded or unfolded.
    """

    dismissed = Signal()
    resized = Signal()

    def __init__(self, message: Message, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.setObjectName("toast")
        self.setProperty("kind", message.kind)
        self.setAccessibleName(message.text)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismissed)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 8, 10)
        column.setSpacing(8)
        column.addLayout(self._head())
        self._detail = self._detail_label()
        if self._detail is not None:
            column.addWidget(self._detail)
        if message.actions or self._detail is not None:
            column.addLayout(self._buttons())
        self.setFixedWidth(theme.current().px(WIDTH))
        self.adjustSize()

    def fit(self, room: int) -> None:
        """As wide as ever where there is room for it, in pixels."""
        self.setFixedWidth(max(1, min(theme.current().px(WIDTH), room)))

    def start(self) -> None:
        """Information goes by itself, later when there is something to press."""
        if self.message.kind == "info":
            self._timer.start(INFO_ACTION_MS if self.message.actions else INFO_MS)

    def seen(self, on: bool) -> None:
        """Whether there is room for it; while there is none its time does not run."""
        if on == self.isHidden():
            self.setVisible(on)
            self.start() if on else self._timer.stop()

    def _head(self) -> QHBoxLayout:
        present = theme.current()
        row = QHBoxLayout()
        row.setSpacing(8)
        picture = QToolButton(self)
        picture.setEnabled(True)
        picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        picture.setAccessibleName(self._kind_name())
        picture.setIconSize(QSize(present.px(16), present.px(16)))
        icons.bind(picture, *_ICONS[self.message.kind])
        text = QLabel(self.message.text, self)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)  # a new policy forgets that the text is wrapped, and the toast then guesses its height
        text.setSizePolicy(policy)
        close = QToolButton(self)
        close.setObjectName("toastClose")
        close.setAccessibleName(self.tr("Close notification"))
        close.setToolTip(self.tr("Close"))
        close.setIconSize(QSize(present.px(16), present.px(16)))
        close.clicked.connect(self.dismissed)
        icons.bind(close, "close")
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _kind_name(self) -> str:
        names = {"info": self.tr("Information"), "warning": self.tr("Warning"), "error": self.tr("Error")}
        return names[self.message.kind]

    def _detail_label(self) -> QLabel | None:
        if not self.message.detail:
            return None
        label = QLabel(self.message.detail[:DETAIL_LENGTH], self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("role", "secondary")
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.hide()
        return label

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addStretch(1)
        if self._detail is not None:
            row.addWidget(self._button(self.tr("Details"), self._unfold, secondary=True))
        for number, (label, run) in enumerate(self.message.actions):
            row.addWidget(self._button(label, partial(self._act, run), secondary=number > 0))
        return row

    def _button(self, label: str, run: Callable[[], object], *, secondary: bool) -> QPushButton:
        button = QPushButton(label, self)
        button.setAccessibleName(label)
        if secondary:
            button.setProperty("role", "secondary")
        button.clicked.connect(lambda: run())
        return button

    def _act(self, run: Callable[[], object]) -> None:
        self.dismissed.emit()
        run()

    def _unfold(self) -> None:
        if self._detail is not None:
            self._timer.stop()
            self._detail.setVisible(self._detail.isHidden())
            self.resized.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.start()
        super().leaveEvent(event)


class Notifications(QObject):
    """Shows messages over a window.

    Signals:
        count_changed(int): how many messages are shown or wait.
    """

    count_changed = Signal(int)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._shown: list[Toast] = []
        self._waiting: deque[Message] = deque()
        self.history: deque[Message] = deque(maxlen=KEPT)
        self.bottom = 30
        """Height at the bottom that stays free (status bar)."""
        self._pane: QWidget | None = None
        self._typed: QWidget | None = None
        window.installEventFilter(self)

    def keep_clear(self, pane: QWidget, typed: QWidget | None = None) -> None:
        """Toasts stand to the left of this pane at the right edge, while there is room; else at its top, above `typed`, the field in which
        one types at its bottom.

        Call `place` when it was moved, shown or hidden.
        """
        self._pane, self._typed = pane, typed

    def notify(self, kind: Kind, text: str, actions: Sequence[Action] = (), detail: str = "", tag: str = "") -> Message:
        """Say something. The same text that is on the screen already is not said twice; a new text with the same `tag` replaces the old."""
        message = Message(kind, text, detail, tuple(actions), tag)
        self._drop(tag)
        for toast in self._shown:
            if (toast.message.kind, toast.message.text) == (kind, text):
                toast.start()
                return toast.message
        self.history.append(message)
        if len(self._shown) >= SHOWN:
            self._waiting.append(message)
        else:
            self._show(message)
        self.count_changed.emit(self.count)
        return message

    def withdraw(self, tag: str) -> None:
        """What was said with this tag holds no longer: it goes from the screen, and comes back with no look at the last messages."""
        before = self.count
        self._drop(tag)
        if tag:
            self.history = deque((one for one in self.history if one.tag != tag), maxlen=KEPT)
        if self.count != before:
            self.count_changed.emit(self.count)

    def _drop(self, tag: str) -> None:
        """Take back what was said with this tag, shown or waiting."""
        if not tag:
            return
        self._waiting = deque(message for message in self._waiting if message.tag != tag)
        for toast in [one for one in self._shown if one.message.tag == tag]:
            self._remove(toast)

    @property
    def count(self) -> int:
        return len(self._shown) + len(self._waiting)

    def texts(self) -> list[str]:
        """What is on the screen now."""
        return [toast.message.text for toast in self._shown]

    def toasts(self) -> list[Toast]:
        return list(self._shown)

    def dismiss_all(self) -> None:
        self._waiting.clear()
        for toast in list(self._shown):
            self._remove(toast)

    def show_history(self) -> None:
        """Bring back the last messages."""
        self.dismiss_all()
        for message in list(self.history)[-SHOWN:]:
            self._show(message)
        self.count_changed.emit(self.count)

    def _show(self, message: Message) -> None:
        toast = Toast(message, self._window)
        toast.dismissed.connect(self._on_dismissed)
        toast.resized.connect(self.place)
        self._shown.append(toast)
        toast.show()
        toast.raise_()
        toast.start()
        self.place()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(toast, QAccessible.Event.Alert))

    def _on_dismissed(self) -> None:
        sender = self.sender()
        if isinstance(sender, Toast):
            self._remove(sender)

    def _remove(self, toast: Toast) -> None:
        if toast not in self._shown:
            return
        self._shown.remove(toast)
        toast.hide()
        toast.deleteLater()
        if self._waiting:
            self._show(self._waiting.popleft())
        self.place()
        self.count_changed.emit(self.count)

    def place(self) -> None:
        """Newest at the bottom; over a pane in which one types at the top, as many as there is room for."""
        if not self._shown:
            return
        gap, whole = theme.current().px(10), self._window.width()
        pane = self._pane if self._pane is not None and not self._pane.isHidden() else None
        left = pane.mapTo(self._window, QPoint(0, 0)).x() if pane is not None else whole
        beside = pane is None or left >= theme.current().px(LEAST) + 2 * gap
        room = (left if beside else max(whole - left, min(whole, theme.current().px(LEAST)))) - 2 * gap
        for toast in self._shown:
            toast.fit(room)
            wanted = toast.heightForWidth(toast.width())
            toast.setFixedHeight(wanted if wanted > 0 else toast.sizeHint().height())
        if beside or pane is None:
            self._stack(left - gap, gap)
        else:
            self._hang(pane, whole - gap, gap)

    def _stack(self, right: int, gap: int) -> None:
        bottom = self._window.height() - self.bottom - gap
        for toast in reversed(self._shown):
            toast.move(right - toast.width(), bottom - toast.height())
            toast.seen(True)
            bottom -= toast.height() + gap

    def _hang(self, pane: QWidget, right: int, gap: int) -> None:
        top = pane.mapTo(self._window, QPoint(0, 0)).y() + theme.current().px(HEAD)
        end = self._window.height() - self.bottom - gap
        if self._typed is not None and shiboken6.isValid(self._typed) and self._typed.isVisible():
            end = self._typed.mapTo(self._window, QPoint(0, 0)).y() - gap
        newest = self._shown[-1]
        for toast in reversed(self._shown):
            toast.move(right - toast.width(), max(gap, min(top, end - toast.height())))
            toast.seen(toast is newest or top + toast.height() <= end)
            top += toast.height() + gap

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.place()
            QTimer.singleShot(0, self, self.place)  # the panes inside follow only now
        return False
