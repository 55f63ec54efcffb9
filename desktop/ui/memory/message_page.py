"""What stands in place of a list when there is none to show: a title, a sentence, and what can be done. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import icons, theme
from desktop.ui.cut import CutButton
from desktop.ui.memory.banner import Action

_ICONS = {
    "error": ("error", "removed"),
    "folder": ("folder", "secondary"),
    "search": ("search", "secondary"),
    "empty": ("lightbulb", "memory"),
    "good": ("pass", "added"),
}
_ICON = 24
_COLUMN = 440
"""A line longer than this is hard to read, and a button longer than this looks like a bar."""


class MessagePage(QScrollArea):
    """One message at the top of the free space; a column in the middle where there is much of it, scrolled where there is too little.

    Attributes:
        buttons: what is offered, in order.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self._inside = QWidget()
        self.buttons: list[QPushButton] = []
        self.picture = QLabel(self._inside)
        self.title = self._label("messageTitle")
        self.body = self._label("messageText")
        self._layout = QVBoxLayout(self._inside)
        for widget in (self.picture, self.title, self.body):
            self._layout.addWidget(widget)
        self._layout.addStretch(1)
        self.setWidget(self._inside)
        self._kind = ""
        theme.signals.theme_changed.connect(self._measure)
        icons.when_ready(self._measure)
        self._measure()

    def _label(self, name: str) -> QLabel:
        label = QLabel(self._inside)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        return label

    @property
    def kind(self) -> str:
        """Of the message that is shown."""
        return self._kind

    def show_message(self, kind: str, title: str, text: str, actions: list[Action]) -> None:
        """Replace what is shown. The texts may come from anywhere: they are plain."""
        self._kind = kind
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.body.setText(text)
        for button in self.buttons:
            self._layout.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(at, label, run) for at, (label, run) in enumerate(actions)]
        self._measure()

    def _button(self, at: int, label: str, run: object) -> QPushButton:
        button = CutButton(label, self._inside)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.setProperty("role", "secondary" if at else "")
        button.clicked.connect(lambda _checked=False: run())  # type: ignore[operator]
        self._layout.insertWidget(3 + at, button)
        return button

    def _measure(self) -> None:
        now = theme.current()
        self._fit()
        self._layout.setSpacing(now.px(8))
        name, token = _ICONS.get(self._kind, ("", ""))
        self.picture.setVisible(bool(name))
        if name:
            size = now.px(_ICON)
            self.picture.setPixmap(icons.icon(name, token).pixmap(QSize(size, size)))
        font = theme.ui_font(now)
        font.setBold(True)
        self.title.setFont(font)

    def _fit(self) -> None:
        now = theme.current()
        side = max(now.px(12), (self.width() - now.px(_COLUMN)) // 2)
        self._layout.setContentsMargins(side, now.px(16), side, now.px(16))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)
