"""What the editor area shows when no tab is open: the name of the app and the keys that lead on. GUI thread only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.cut import CutLabel

NAME_LEAST = 48
"""Pixels of a name beyond its first letters."""


class Watermark(QWidget):
    """Rows of (what, key)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("watermark")
        self.setAccessibleName(self.tr("No editor is open"))
        column = QVBoxLayout(self)
        column.addStretch(2)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(10)
        holder = self._holder = QWidget(self)
        holder.setLayout(self._grid)
        column.addWidget(holder, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self._rows: tuple[tuple[str, str], ...] = ()

    def set_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()  # at once: until the event loop deletes it, it would stand where it stood, over the new ones
                widget.deleteLater()
        for row, (what, key) in enumerate(rows):
            name = CutLabel(self, what)
            name.setProperty("role", "secondary")
            cap = QLabel(key, self)
            cap.setProperty("role", "key")
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cap, row, 1, Qt.AlignmentFlag.AlignLeft)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def _fit(self) -> None:
        """Half a key says nothing, nor does a name of which dots are left: where the rows do not fit there are none."""
        least = self._holder.minimumSizeHint()
        width = least.width() + theme.current().px(NAME_LEAST)
        self._holder.setVisible(width <= self.width() and least.height() <= self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
