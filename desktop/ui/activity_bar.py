"""The activity bar: one 48 px button a view, badges, settings at the bottom. Emits which view is wanted. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from desktop.ui import icons, theme

WIDTH = 48


class ActivityButton(QToolButton):
    """A checkable icon with a bar at its left when active and a badge with a number."""

    def __init__(self, name: str, icon_name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "activity")
        self.setObjectName(f"activity_{name}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icon_name = icon_name
        self._badge = 0
        self.toggled.connect(self._recolour)
        theme.signals.theme_changed.connect(self._resize)
        self._resize()
        self._recolour(False)

    def describe(self, title: str, key: str) -> None:
        self.setAccessibleName(title)
        self.setToolTip(f"{title} ({key})" if key else title)

    def set_badge(self, count: int) -> None:
        self._badge = count
        self.setAccessibleDescription(str(count) if count else "")
        self.update()

    def _resize(self) -> None:
        size = theme.current().px(WIDTH)
        self.setFixedSize(size, size)
        edge = theme.current().px(icons.ACTIVITY_SIZE)
        self.setIconSize(QSize(edge, edge))

    def _recolour(self, active: bool) -> None:
        icons.bind(self, self._icon_name, "text" if active else "secondary")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        present = theme.current()
        painter = QPainter(self)
        if self.isChecked():
            painter.fillRect(0, 0, present.px(2), self.height(), present.color("accent"))
        if self._badge:
            text = str(self._badge) if self._badge < 100 else "99+"
            font = theme.ui_font(present, 9)
            painter.setFont(font)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            height = present.px(16)
            width = max(height, painter.fontMetrics().horizontalAdvance(text) + present.px(8))
            left, top = self.width() - width - present.px(5), self.height() - height - present.px(6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(present.color("accent"))
            painter.drawRoundedRect(left, top, width, height, height / 2, height / 2)
            painter.setPen(present.color("accent_text"))
            painter.drawText(left, top, width, height, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.end()


class ActivityBar(QFrame):
    """Buttons of the views, in the order they were added; actions at the bottom.

    Signals:
        view_requested(str): a view's button was pressed, also when it is the active one.
        action_requested(str): a bottom button was pressed; the id of a command.
    """

    view_requested = Signal(str)
    action_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activityBar")
        self.setAccessibleName(self.tr("Activity bar"))
        self._views: dict[str, ActivityButton] = {}
        self._actions: dict[str, ActivityButton] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        theme.signals.theme_changed.connect(self._resize)
        self._resize()

    def add_view(self, view_id: str, title: str, icon_name: str, key: str = "", *, first: bool = False) -> ActivityButton:
        """A view's button, below those that are there; `first`: above them."""
        button = ActivityButton(view_id, icon_name, self)
        button.setCheckable(True)
        button.describe(title, key)
        button.clicked.connect(lambda: self._pressed(view_id))
        others = list(self._views.values())
        self._column.insertWidget(0 if first else len(others), button)
        if first and others:
            self.setTabOrder(button, others[0])
        self._views = {view_id: button, **self._views} if first else {**self._views, view_id: button}
        return button

    def add_action(self, command_id: str, title: str, icon_name: str, key: str = "") -> ActivityButton:
        button = ActivityButton(command_id.replace(".", "_"), icon_name, self)
        button.describe(title, key)
        button.clicked.connect(lambda: self.action_requested.emit(command_id))
        self._column.addWidget(button)
        self._actions[command_id] = button
        return button

    def button(self, name: str) -> ActivityButton | None:
        """The button of a view or of a bottom action."""
        return self._views.get(name) or self._actions.get(name)

    def remove_view(self, view_id: str) -> None:
        button = self._views.pop(view_id, None)
        if button is not None:
            button.deleteLater()

    def set_active(self, view_id: str) -> None:
        """Mark the view that is shown; empty for none."""
        for name, button in self._views.items():
            button.setChecked(name == view_id)

    def set_badge(self, view_id: str, count: int) -> None:
        if view_id in self._views:
            self._views[view_id].set_badge(count)

    def _pressed(self, view_id: str) -> None:
        self.view_requested.emit(view_id)

    def _resize(self) -> None:
        self.setFixedWidth(theme.current().px(WIDTH) + 1)
