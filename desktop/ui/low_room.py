"""The place of a stack of widgets: as high as it is, but never lower than the front one can be drawn; then it scrolls. GUI thread.

So nothing that can be pressed is cut off in a low window, at any zoom. Owns no widget of the stack.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.ui import theme

MOST = 640
"""Pixels that a widget may ask for at least; one that asks for more has a reason of its own and scrolls itself."""


class LowRoom(QScrollArea):
    """See the module's text."""

    def __init__(self, stack: QStackedWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("lowRoom")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = stack
        self.setWidget(stack)
        stack.currentChanged.connect(self._fit)
        theme.signals.theme_changed.connect(self._fit)

    def _fit(self) -> None:
        room = self.viewport().size()
        least = min(self._least(room.width()), theme.current().px(MOST))
        self._stack.resize(room.width(), max(room.height(), least))

    def _least(self, width: int) -> int:
        """Pixels that the front widget needs in its height."""
        front = self._stack.currentWidget()
        return least_height(front, width) if front is not None else 0

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """The front widget wants another height by now."""
        handled = super().viewportEvent(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled


def least_height(widget: QWidget, width: int) -> int:
    """Pixels that a widget needs in its height at a width, also inside splitters and stacks, which Qt asks for their hints only."""
    if widget.minimumHeight() > 0:
        return widget.minimumHeight()
    if isinstance(widget, QStackedWidget):
        front = widget.currentWidget()
        return max(least_height(front, width) if front is not None else 0, widget.minimumSizeHint().height())
    if isinstance(widget, QSplitter):
        return _of_splitter(widget, width)
    layout = widget.layout()
    if isinstance(layout, QVBoxLayout):
        return _of_column(layout, width)
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalMinimumHeightForWidth(width)
    wrapped = widget.heightForWidth(width) if layout is None and widget.hasHeightForWidth() else 0
    return max(0, widget.minimumSizeHint().height(), wrapped)


def _of_splitter(splitter: QSplitter, width: int) -> int:
    parts = [one for one in map(splitter.widget, range(splitter.count())) if one is not None and not one.isHidden()]
    if splitter.orientation() == Qt.Orientation.Horizontal:
        return max((least_height(one, one.width()) for one in parts), default=0)
    above = sum(max(least_height(one, width), one.height()) for one in parts[:-1])  # a splitter takes nothing from these for the last one
    return above + sum(least_height(one, width) for one in parts[-1:]) + splitter.handleWidth() * max(0, len(parts) - 1)


def _of_column(column: QVBoxLayout, width: int) -> int:
    edges = column.contentsMargins()
    inside = width - edges.left() - edges.right()
    heights = []
    for item in filter(None, map(column.itemAt, range(column.count()))):
        held = item.widget()
        if held is not None and not held.isHidden():
            heights.append(least_height(held, inside))
        elif held is None and item.layout() is not None:
            heights.append(item.minimumHeightForWidth(inside) if item.hasHeightForWidth() else item.minimumSize().height())
    return sum(heights) + column.spacing() * max(0, len(heights) - 1) + edges.top() + edges.bottom()
