"""A row of controls that goes on in the next line where the width is not enough. One of them may take the free width. GUI thread.

A widget that places its children, not a layout: a layout written in Python is owned by two sides, which is not worth the risk.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from desktop.ui import theme

SPACING, STRETCH_LEAST, COMBO_LEAST = 8, 140, 80


class ScrolledContent(QWidget):
    """What is scrolled: as high as its texts are at the width that it has. Their height at the least width would leave a blank end."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)


class FlowRow(QWidget):
    """See the module's text. Its least width is that of its widest control, so a narrow page clips nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._controls: list[QWidget] = []
        self._asked = 0
        self._stretched: QWidget | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget, *, stretch: bool = False) -> None:
        """Add a control at the end; `stretch`: it takes what is left of its line. A choice with long texts may be narrower than they."""
        if isinstance(widget, QComboBox):
            widget.setMinimumWidth(COMBO_LEAST)
        if stretch:
            self._stretched = widget
        widget.setParent(self)
        self._controls.append(widget)

    def take(self, widget: QWidget) -> None:
        """A control leaves the row; it is the caller's to delete."""
        if widget in self._controls:
            self._controls.remove(widget)

    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._controls if not widget.isHidden()]

    def _smallest(self, widget: QWidget) -> int:
        return widget.minimumWidth() or widget.minimumSizeHint().width()

    def _wanted(self, widget: QWidget) -> int:
        if widget is self._stretched:
            return max(self._smallest(widget), theme.current().px(STRETCH_LEAST))
        return max(self._smallest(widget), widget.sizeHint().width())

    def _lines(self, width: int) -> list[list[QWidget]]:
        gap = theme.current().px(SPACING)
        lines: list[list[QWidget]] = []
        used = 0
        for widget in self._shown():
            need = self._wanted(widget)
            if not lines or used + gap + need > width:
                lines.append([])
                used = -gap
            lines[-1].append(widget)
            used += gap + need
        return lines

    def _places(self, width: int) -> list[tuple[QWidget, QRect]]:
        """Every shown control and its place in a row of this width."""
        gap = theme.current().px(SPACING)
        places: list[tuple[QWidget, QRect]] = []
        top = 0
        for line in self._lines(width):
            height = max(widget.sizeHint().height() for widget in line)
            free = width - sum(map(self._wanted, line)) - gap * (len(line) - 1)
            left = 0
            for widget in line:
                own = min(width, self._wanted(widget)) + (max(0, free) if widget is self._stretched else 0)
                tall = widget.sizeHint().height()
                places.append((widget, QRect(left, top + (height - tall) // 2, own, tall)))
                left += own + gap
            top += height + gap
        return places

    def _arrange(self) -> None:
        for widget, place in self._places(self.width()):
            widget.setGeometry(place)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def minimumSizeHint(self) -> QSize:
        shown = self._shown()
        width = max(map(self._smallest, shown), default=0)
        line = max((widget.sizeHint().height() for widget in shown), default=0)
        return QSize(width, max(line, self.heightForWidth(self.width())) if self._asked else line)

    def sizeHint(self) -> QSize:
        shown = self._shown()
        gaps = theme.current().px(SPACING) * max(0, len(shown) - 1)
        return QSize(sum(map(self._wanted, shown)) + gaps, max((widget.sizeHint().height() for widget in shown), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        asked, self._asked = self._asked, self.heightForWidth(self.width())
        if asked != self._asked:
            self.updateGeometry()  # what stands in a splitter is asked for its least height only, not for that at its width

    def event(self, event: QEvent) -> bool:
        """A control was shown, hidden, or has another text."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange()
        return super().event(event)
