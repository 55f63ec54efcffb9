"""What the editor area shows when no tab is open: the keys that lead on, beside their names or, in a narrow area, below them. GUI thread
only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

GAP, ROW_GAP, NAME_GAP, EDGE = 16, 10, 2, 8
"""Pixels between a name and its key, between rows, between a name and the key below it, and at the sides."""


class Watermark(QWidget):
    """Rows of (what, key)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("watermark")
        self.setAccessibleName(self.tr("No editor is open"))
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, 0, EDGE, 0)
        column.addStretch(2)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(GAP)
        holder = self._holder = QWidget(self)
        holder.setLayout(self._grid)
        self._grid.setContentsMargins(0, 0, 0, 0)
        column.addWidget(holder, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self._rows: tuple[tuple[str, str], ...] = ()
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._stacked = False

    def set_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        for label in (one for pair in self._labels for one in pair):
            self._grid.removeWidget(label)
            label.hide()  # at once: until the event loop deletes it, it would stand where it stood, over the new ones
            label.deleteLater()
        self._labels = [self._pair(what, key) for what, key in rows]
        self._place()
        self._fit()

    def _pair(self, what: str, key: str) -> tuple[QLabel, QLabel]:
        name, cap = QLabel(what, self._holder), QLabel(key, self._holder)
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setProperty("role", "secondary")
        cap.setProperty("role", "key")
        return name, cap

    def _place(self) -> None:
        right, left, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter
        for row, (name, cap) in enumerate(self._labels):
            self._grid.setRowMinimumHeight(3 * row + 2, ROW_GAP if self._stacked else 0)
            if self._stacked:
                self._grid.addWidget(name, 3 * row, 0, middle)
                self._grid.addWidget(cap, 3 * row + 1, 0, middle)
            else:
                self._grid.addWidget(name, row, 0, right | Qt.AlignmentFlag.AlignVCenter)
                self._grid.addWidget(cap, row, 1, left)
        self._grid.setHorizontalSpacing(0 if self._stacked else GAP)
        self._grid.setVerticalSpacing(NAME_GAP if self._stacked else ROW_GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def _fit(self) -> None:
        """Half a name or key says nothing: what does not fit side by side stands in two lines, else there is none."""
        room = self.width() - 2 * EDGE
        names = max((name.sizeHint().width() for name, _cap in self._labels), default=0)
        caps = max((cap.sizeHint().width() for _name, cap in self._labels), default=0)
        stacked = names + GAP + caps > room
        if stacked != self._stacked:
            self._stacked = stacked
            self._place()
        least = self._holder.minimumSizeHint()
        self._holder.setVisible(max(names, caps) <= room and least.height() <= self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Its labels want another size: the zoom, or the font, is another one."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled
