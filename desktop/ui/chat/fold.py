"""A row that unfolds what is below it: for thinking, tool calls and technical detail. Works by mouse and keyboard. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from desktop.ui import icons, theme
from desktop.ui.chat.surface import ElidedLabel, Surface, label


class IconLabel(QLabel):
    """A Codicon that follows the theme."""

    def __init__(self, parent: QWidget, name: str = "", token: str = "text") -> None:
        super().__init__(parent)
        self._name, self._token = name, token
        edge = theme.current().px(icons.SIZE)
        self.setFixedSize(edge, edge)
        self._draw()
        theme.signals.theme_changed.connect(self._draw)
        icons.when_ready(self._draw)

    def set_icon(self, name: str, token: str) -> None:
        self._name, self._token = name, token
        self._draw()

    def _draw(self) -> None:
        edge = theme.current().px(icons.SIZE)
        self.setFixedSize(edge, edge)
        if self._name:
            self.setPixmap(icons.icon(self._name, self._token).pixmap(QSize(edge, edge), self.devicePixelRatioF()))


class FoldRow(Surface):
    """A clickable row: chevron, icon, title, a note at its right.

    Signals:
        toggled(bool): it was unfolded or folded.
    """

    toggled = Signal(bool)

    def __init__(self, parent: QWidget, title: str = "", *, secondary: bool = False) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._open = False
        self.chevron = IconLabel(self, "chevron-right", "secondary")
        self.icon = IconLabel(self)
        self.icon.hide()
        self.title = ElidedLabel(self, title, mode=Qt.TextElideMode.ElideMiddle)
        if secondary:
            self.title.setProperty("role", "secondary")
        self.note = label(self, role="secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 3, 8, 3)
        row.setSpacing(6)
        row.addWidget(self.chevron)
        row.addWidget(self.icon)
        row.addWidget(self.title, 1)
        row.addWidget(self.note)
        self.set_title(title)

    @property
    def is_open(self) -> bool:
        return self._open

    def set_title(self, title: str) -> None:
        self.title.set_text(title)
        self._name()

    def set_note(self, text: str) -> None:
        self.note.setText(text)
        self._name()

    def set_icon(self, name: str, token: str) -> None:
        self.icon.set_icon(name, token)
        self.icon.show()

    def set_open(self, is_open: bool) -> None:
        if is_open == self._open:
            return
        self._open = is_open
        self.chevron.set_icon("chevron-down" if is_open else "chevron-right", "secondary")
        self._name()
        self.toggled.emit(is_open)

    def _name(self) -> None:
        parts = [self.title.whole_text(), self.note.text()]
        parts.append(self.tr("unfolded") if self._open else self.tr("folded"))
        self.setAccessibleName(", ".join(part for part in parts if part))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.set_open(not self._open)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.set_open(not self._open)
        elif event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self.set_open(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)
