"""The status bar: 22 px of small items, each with a tooltip and, where it leads somewhere, a command. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStyle, QStyleOptionToolButton, QStylePainter, QToolButton, QWidget

from desktop.ui import icon_text, icons, theme

HEIGHT = 22
EDGE = 6
"""Room at the left and right of an item."""
LEFT = ("workspace", "memory", "job", "watch")
"""Items at the left in this order; every other item stands at the right, these last: """
RIGHT = ("review", "health", "context", "mode", "model", "notifications")


class StatusItem(QToolButton):
    """One item. Without a command it can be read but not pressed."""

    def __init__(self, item_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"status_{item_id}")
        self.setProperty("role", "status")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.command = ""
        self._icon: tuple[str, str] = ("", "")

    def describe(self, text: str, tooltip: str, icon_name: str, token: str, command: str) -> None:
        self.setText(text.replace("&", "&&"))
        self.setToolTip(tooltip)
        self.setAccessibleName(text or tooltip)
        self.setAccessibleDescription(tooltip)
        self.command = command
        self.setProperty("pressable", bool(command))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if command else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if command else Qt.CursorShape.ArrowCursor)
        if (icon_name, token) != self._icon:
            self._icon = (icon_name, token)
            if icon_name:
                icons.bind(self, icon_name, token)
        style = Qt.ToolButtonStyle.ToolButtonTextOnly
        if icon_name:
            style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.setToolButtonStyle(style)
        self.updateGeometry()

    def placed(self) -> icon_text.Placed:
        """Where its icon and its text stand."""
        inside = self.rect().adjusted(theme.current().px(EDGE), 0, -theme.current().px(EDGE), 0)
        edge = 0 if self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextOnly else self.iconSize().width()
        return icon_text.place(inside, edge, self.text().replace("&&", "&"), self.fontMetrics(), centred=False)

    # --- Qt ----------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        text = self.text().replace("&&", "&")
        width = self.fontMetrics().horizontalAdvance(text) + 1 if text else 0
        if self.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonTextOnly:
            width += self.iconSize().width() + (theme.current().px(icon_text.GAP) if text else 0)
        return QSize(width + 2 * theme.current().px(EDGE), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        icon_text.draw(painter, self.placed(), self.icon(), theme.current().color("text"))
        painter.end()


class StatusBar(QFrame):
    """Items by id.

    Signals:
        command_requested(str): the id of the command of the pressed item.
        menu_requested(str, QPoint): the id of an item, and the place on the screen where its menu is wanted.
    """

    command_requested = Signal(str)
    menu_requested = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self.setAccessibleName(self.tr("Status bar"))
        self._items: dict[str, StatusItem] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(0)
        self._left = QHBoxLayout()
        self._right = QHBoxLayout()
        for part in (self._left, self._right):
            part.setSpacing(0)
        row.addLayout(self._left)
        row.addStretch(1)
        row.addLayout(self._right)
        theme.signals.theme_changed.connect(self._resize)
        self._resize()

    def set_item(
        self,
        item_id: str,
        text: str,
        tooltip: str = "",
        icon_name: str | None = None,
        command: str | None = None,
        token: str = "secondary",
    ) -> None:
        """Show or change an item. An empty text without an icon hides it. `token`: colour of its icon."""
        item = self._items.get(item_id)
        if item is None:
            item = self._make(item_id)
        item.describe(text, tooltip, icon_name or "", token, command or "")
        item.setVisible(bool(text or icon_name))

    def remove_item(self, item_id: str) -> None:
        item = self._items.pop(item_id, None)
        if item is not None:
            item.hide()  # at once: it is deleted only when the event loop comes round
            item.deleteLater()

    def item(self, item_id: str) -> StatusItem | None:
        return self._items.get(item_id)

    def text(self, item_id: str) -> str:
        """What an item shows; empty for one that is not there."""
        item = self._items.get(item_id)
        return item.text().replace("&&", "&") if item is not None else ""

    def _make(self, item_id: str) -> StatusItem:
        item = StatusItem(item_id, self)
        item.setIconSize(QSize(theme.current().px(14), theme.current().px(14)))
        item.clicked.connect(lambda: self._pressed(item_id))
        item.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        item.customContextMenuRequested.connect(lambda at: self.menu_requested.emit(item_id, item.mapToGlobal(at)))
        self._items[item_id] = item
        order = LEFT if item_id in LEFT else RIGHT
        layout = self._left if item_id in LEFT else self._right
        rank = order.index(item_id) if item_id in order else -1
        place = 0
        for other_id in self._items:
            if other_id == item_id or (other_id in LEFT) != (item_id in LEFT):
                continue
            if (order.index(other_id) if other_id in order else -1) <= rank:
                place += 1
        layout.insertWidget(place, item)
        return item

    def _pressed(self, item_id: str) -> None:
        item = self._items.get(item_id)
        if item is not None and item.command:
            self.command_requested.emit(item.command)

    def _resize(self) -> None:
        present = theme.current()
        self.setFixedHeight(present.px(HEIGHT) + 1)
        for item in self._items.values():
            item.setIconSize(QSize(present.px(14), present.px(14)))
