"""A row of controls that goes on in the next line where the width is not enough. One of them may take the free width. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QComboBox, QLayout, QLayoutItem, QWidget

from desktop.ui import theme

SPACING, STRETCH_LEAST, COMBO_LEAST = 8, 140, 80


class FlowLayout(QLayout):
    """See the module's text. Its least width is that of its widest control, so a narrow page clips nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._stretched: QWidget | None = None
        self.setContentsMargins(0, 0, 0, 0)

    def add(self, widget: QWidget, *, stretch: bool = False) -> None:
        """Add a control at the end; `stretch`: it takes what is left of its line. A choice with long texts may be narrower than they."""
        if isinstance(widget, QComboBox):
            widget.setMinimumWidth(COMBO_LEAST)
        if stretch:
            self._stretched = widget
        self.addWidget(widget)

    def _visible(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _least(self, item: QLayoutItem) -> int:
        if item.widget() is self._stretched:
            return max(item.minimumSize().width(), theme.current().px(STRETCH_LEAST))
        return max(item.minimumSize().width(), item.sizeHint().width())

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        gap = theme.current().px(SPACING)
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._visible():
            need = self._least(item)
            if not lines or used + gap + need > width:
                lines.append([])
                used = -gap
            lines[-1].append(item)
            used += gap + need
        return lines

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Lay the lines out below each other; gives the height they take."""
        gap = theme.current().px(SPACING)
        top = rect.top()
        for line in self._lines(rect.width()):
            height = max(item.sizeHint().height() for item in line)
            free = rect.width() - sum(map(self._least, line)) - gap * (len(line) - 1)
            left = rect.left()
            for item in line:
                width = min(rect.width(), self._least(item))
                if item.widget() is self._stretched:
                    width = min(item.maximumSize().width(), width + max(0, free))
                if move:
                    own = item.sizeHint().height()
                    item.setGeometry(QRect(QPoint(left, top + (height - own) // 2), QSize(width, own)))
                left += width + gap
            top += height + gap
        return max(0, top - gap - rect.top())

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def minimumSize(self) -> QSize:
        items = self._visible()
        width = max((item.minimumSize().width() for item in items), default=0)
        return QSize(width, max((item.sizeHint().height() for item in items), default=0))

    def sizeHint(self) -> QSize:
        items = self._visible()
        gaps = theme.current().px(SPACING) * max(0, len(items) - 1)
        return QSize(sum(map(self._least, items)) + gaps, self.minimumSize().height())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)
