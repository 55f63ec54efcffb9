"""A tree view whose rows can be dragged onto other rows of the same tree; what that means is for others. GUI thread.

The row under the pointer is marked whole: nothing is dropped between rows, since their order is the app's.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from desktop.ui.memory.rows import Row
from desktop.ui.memory.tree_model import ROW_ROLE

EXPAND_MS = 600
"""A folder opens when something is held over it for so long."""


class DragTree(QTreeView):
    """See the module's text.

    Attributes:
        drop_key: the row that what is dragged would fall on; empty for none.

    Signals:
        drop_requested(keys, key): the rows `keys` were dropped on the row `key`.
    """

    drop_requested = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drop_key = ""
        self._dragged: list[str] = []

    def accept_drags(self) -> None:
        """Let rows be dragged; without this nothing can be."""
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self.setAutoExpandDelay(EXPAND_MS)

    def drop_target(self, at: QPoint, dragged: list[str]) -> Row | None:
        """The row at a place in the viewport that rows may be dropped on; none of the dragged ones itself."""
        index = self.indexAt(at)
        row: Row | None = index.data(ROW_ROLE) if index.isValid() else None
        if row is None or row.key in dragged or not index.flags() & Qt.ItemFlag.ItemIsDropEnabled:
            return None
        return row

    def drop_at(self, at: QPoint, dragged: list[str]) -> bool:
        """Rows were let go at a place in the viewport; whether something could be dropped there."""
        target = self.drop_target(at, dragged)
        if target is not None:
            self.drop_requested.emit(list(dragged), target.key)
        return target is not None

    def _end_drag(self) -> None:
        self.drop_key = ""
        self.stopAutoScroll()
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def startDrag(self, supported: Qt.DropAction) -> None:
        indexes = [index for index in self.selectedIndexes() if index.flags() & Qt.ItemFlag.ItemIsDragEnabled]
        self._dragged = [index.data(ROW_ROLE).key for index in indexes]
        if self._dragged:
            super().startDrag(supported)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        event.setAccepted(event.source() is self)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges and opens folders
        target = self.drop_target(event.position().toPoint(), self._dragged) if event.source() is self else None
        self.drop_key = target.key if target is not None else ""
        event.setAccepted(target is not None)
        self.viewport().update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        at, dragged = event.position().toPoint(), self._dragged if event.source() is self else []
        self._end_drag()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.setAccepted(bool(dragged) and self.drop_at(at, dragged))
