"""The head of the memory panel: the memory dot, the project's name, the count, and the buttons. Draws and emits; GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktop.ui import icons, theme
from desktop.ui.cut import CutLabel
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import SortOrder

HEIGHT, BUTTON = 35, 22
TITLE_LEAST = 72
"""Room that the project's name keeps: in a narrow side bar the buttons go first, the last one first."""


class MemoryDot(QWidget):
    """The dot of the memory view: filled when memory is on, a ring when it is off."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.on = True

    def set_on(self, on: bool) -> None:
        self.on = on
        self.setToolTip(self.tr("Memory is on") if on else self.tr("Memory is off"))
        self.setAccessibleName(self.toolTip())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = theme.current().color("memory")
        painter.setPen(color)
        painter.setBrush(color if self.on else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(self.rect().adjusted(1, 1, -2, -2))
        painter.end()


class PanelHeader(QWidget):
    """See the module's text.

    Signals:
        order_requested(SortOrder): show the memories in another order.
        here_requested(bool): show only what came from the open chat, or all again.
    """

    order_requested = Signal(str)
    here_requested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dot = MemoryDot(self)
        self.title = CutLabel(self, greedy=True)
        self.title.setObjectName("memoryProject")
        self.count = CutLabel(self)
        self.count.setObjectName("memoryCount")
        self.count.setProperty("role", "secondary")
        self.new = self._tool("memoryNew", "new-file", self.tr("New memory"))
        self.sort = self._tool("memorySort", "sort-precedence", self.tr("Sort"))
        self.fold = self._tool("memoryFold", "collapse-all", self.tr("Collapse folders"))
        self.refresh = self._tool("memoryRefresh", "refresh", self.tr("Refresh"))
        self.buttons = (self.new, self.sort, self.fold, self.refresh)
        self._row = QHBoxLayout(self)
        for widget in (self.dot, self.title, self.count):
            self._row.addWidget(widget, 1 if widget is self.title else 0, Qt.AlignmentFlag.AlignVCenter)
        for button in self.buttons:
            self._row.addWidget(button)
        self._build_orders()
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _tool(self, name: str, icon_name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAutoRaise(True)
        button.setToolTip(text)
        button.setAccessibleName(text)
        icons.bind(button, icon_name)
        return button

    def _build_orders(self) -> None:
        menu, group = QMenu(self), QActionGroup(self)
        orders: tuple[tuple[SortOrder, str], ...] = (
            ("newest", self.tr("Newest first")), ("name", self.tr("By name")), ("type", self.tr("By type")),
        )  # fmt: skip
        self.orders: dict[SortOrder, QAction] = {}
        for order, text in orders:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(order)
            group.addAction(action)
            self.orders[order] = action
        self.orders["newest"].setChecked(True)
        group.triggered.connect(self._on_order)
        menu.addSeparator()
        self.here = menu.addAction(self.tr("Only from This Chat"))
        self.here.setCheckable(True)
        self.here.triggered.connect(self.here_requested)
        self.sort.setMenu(menu)
        self.sort.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def show_here(self, on: bool) -> None:
        """Whether only what came from the open chat is shown."""
        self.here.setChecked(on)

    def _on_order(self, action: QAction) -> None:
        self.order_requested.emit(str(action.data()))

    def show_nothing(self, title: str) -> None:
        """No folder is open, or nothing was read yet."""
        self.title.setText(title)
        self.title.setToolTip("")
        self.dot.hide()
        self.count.clear()
        self._fit()

    def show_project(self, label: str, root: str, *, on: bool) -> None:
        self.title.setText(label)
        self.title.setToolTip(tooltip(root))
        self.dot.set_on(on)
        self.dot.show()
        self._fit()

    def show_count(self, total: int, found: int | None) -> None:
        """How many memories there are, and how many the filter lets through (None: no filter)."""
        if found is None:
            self.count.setText(str(total))
        else:
            self.count.setText(self.tr("{found} of {total}").format(found=found, total=total))
        self.count.setToolTip(self.tr("%n memories", "", total))
        self.count.setAccessibleName(self.count.toolTip())
        self._fit()

    def _measure(self) -> None:
        now = theme.current()
        self.setFixedHeight(now.px(HEIGHT))
        self._row.setContentsMargins(now.px(12), 0, now.px(6), 0)
        self._row.setSpacing(now.px(6))
        self.dot.setFixedSize(now.px(10), now.px(10))
        for button in self.buttons:
            button.setFixedSize(now.px(BUTTON), now.px(BUTTON))
        self._fit()

    def _fit(self) -> None:
        """As many buttons as leave the name its room."""
        now = theme.current()
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        taken = margins.left() + margins.right() + (0 if self.dot.isHidden() else self.dot.width() + gap)
        taken += min(now.px(TITLE_LEAST), self.title.sizeHint().width()) + gap + self.count.sizeHint().width()
        room = (self.width() - taken) // (now.px(BUTTON) + gap)
        for at, button in enumerate(self.buttons):
            button.setVisible(at < room)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
