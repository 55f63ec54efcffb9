"""Sees that the window's state is stored soon after it changed, so that a killed window comes back as it stood. GUI thread.

Owns when; what and where is the application's. Nothing is stored while nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer

from desktop.app.parts import Parts
from desktop.ui.workbench import Workbench

SAVE_MS = 600
"""Many changes come together: stored this long after the first of them."""
_MOVED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.WindowStateChange)


class StateKeeper(QObject):
    """Watches the arrangement, the tabs with their places, and the lists of one window.

    Args:
        save: stores the state; called only after a change.
    """

    def __init__(self, workbench: Workbench, parts: Parts, save: Callable[[], None]) -> None:
        super().__init__(workbench)
        self._stopped = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_MS)
        self._timer.timeout.connect(save)
        editors = workbench.editors
        changes = (editors.opened, editors.closed, editors.current_changed, workbench.layout_changed, parts.sessions.options_changed)
        for changed in (*changes, parts.search.view.query_changed, parts.places.changed):
            changed.connect(self._changed)
        workbench.installEventFilter(self)

    def stop(self) -> None:
        """The window goes; its state was stored, or is about to be."""
        self._timer.stop()
        self._stopped = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window was moved or has another size."""
        if event.type() in _MOVED:
            self._changed()
        return False

    def _changed(self, *_what: object) -> None:
        if not self._stopped and not self._timer.isActive():
            self._timer.start()
