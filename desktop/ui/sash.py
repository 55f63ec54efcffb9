"""The parts of the window side by side: a splitter that says when it was resized, and a double click on the line between two parts, which
brings their widths back to what they are by themselves. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter


class Sashes(QSplitter):
    """Signals:
    resized(): its parts have shared out another width.
    """

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class SashReset(QObject):
    """Watches the handles of one splitter; parts that are added later are not watched."""

    def __init__(self, splitter: QSplitter, reset: Callable[[], None]) -> None:
        super().__init__(splitter)
        self._reset = reset
        for at in range(1, splitter.count()):
            splitter.handle(at).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.MouseButtonDblClick:
            return False
        self._reset()
        return True
