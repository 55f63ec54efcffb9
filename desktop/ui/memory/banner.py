"""A strip above content that says what is the matter and offers the ways out. Draws only. GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui import icons, theme
from desktop.ui.memory.plain import tooltip
from desktop.ui.settings.flow import FlowRow

BannerKind = Literal["info", "warning", "error", "memory"]
Action = tuple[str, Callable[[], None]]
_ICONS: dict[BannerKind, tuple[str, str]] = {
    "info": ("info", "link"),
    "warning": ("warning", "warning"),
    "error": ("error", "removed"),
    "memory": ("circle-large-outline", "memory"),
}
_BAR = 3
_ICON = 16
_CLOSE = 22


class Banner(QFrame):
    """Text with an icon and buttons; hidden until `show_text`. The text may come from anywhere: it is plain.

    Attributes:
        buttons: the offered ways out, in order.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, closable: bool = False) -> None:
        """`closable`: what it says can be put away; for news, not for a state that goes on."""
        super().__init__(parent)
        self.setObjectName(name)
        self._kind: BannerKind = "info"
        self.buttons: list[QPushButton] = []
        self.label = QLabel(self)
        self.label.setObjectName(f"{name}Text")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._row = FlowRow(self)
        self._row.hide()
        self.close_button: QToolButton | None = self._close_button() if closable else None
        layout = QVBoxLayout(self)
        layout.addWidget(self.label)
        layout.addWidget(self._row)
        self._measure()
        theme.signals.theme_changed.connect(self._measure)
        icons.when_ready(self.update)
        self.hide()

    def _close_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("bannerClose")
        button.setToolTip(self.tr("Close"))
        button.setAccessibleName(self.tr("Close"))
        icons.bind(button, "close")
        button.clicked.connect(self.dismiss)
        return button

    def text(self) -> str:
        return self.label.text()

    def show_text(self, kind: BannerKind, text: str, actions: list[Action] | None = None, detail: str = "") -> None:
        """Show `text` with one button for each action; the first is the recommended one. `detail` is its tool tip."""
        self._kind = kind
        self.label.setText(text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(detail)
        self.setToolTip(tooltip(detail))
        self._clear_buttons()
        before: QWidget = self.label
        for label, run in actions or []:
            button = QPushButton(label, self)
            button.setProperty("role", "secondary")
            button.clicked.connect(lambda _checked=False, run=run: run())
            self._row.add(button)
            self.buttons.append(button)
            self.setTabOrder(before, button)  # a new widget would come last in the window
            before = button
            button.show()
        self._row.setVisible(bool(self.buttons))
        self._row.updateGeometry()
        self.show()
        self.update()

    def dismiss(self) -> None:
        self._clear_buttons()
        self.label.clear()
        self.hide()

    def _clear_buttons(self) -> None:
        for button in self.buttons:
            self._row.take(button)
            button.hide()
            button.deleteLater()
        self.buttons.clear()
        self._row.hide()

    def _measure(self) -> None:
        now = theme.current()
        layout = self.layout()
        if layout is not None:
            right = 8 if self.close_button is None else 8 + _CLOSE
            layout.setContentsMargins(now.px(_BAR + 9 + _ICON + 6), now.px(8), now.px(right), now.px(8))
            layout.setSpacing(now.px(8))
        self._place_close()
        self.update()

    def _place_close(self) -> None:
        if self.close_button is not None:
            size = theme.current().px(_CLOSE)
            self.close_button.setGeometry(self.width() - size - theme.current().px(6), theme.current().px(5), size, size)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_close()

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        name, token = _ICONS[self._kind]
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.color("code"))
        painter.fillRect(QRect(0, 0, now.px(_BAR), self.height()), now.color(token))
        size = now.px(_ICON)
        icons.icon(name, token).paint(painter, QRect(now.px(_BAR + 9), now.px(8), size, size))
        painter.end()
