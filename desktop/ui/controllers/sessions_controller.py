"""The list of stored sessions for picker, side-bar view and `#` completion; renames, moves to the trash and back. GUI thread.

Reads through `bridge.operations`; facts from the store are coalesced, so that a long turn costs few readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.bridge.operations import Operations
from desktop.bridge.session_trash import Trashed, restore, trash
from desktop.sessions.summary import SessionSummary

if TYPE_CHECKING:
    from desktop.compose import Services

QUIET_MS = 400


class SessionsController(QObject):
    """One for the window.

    Attributes:
        sessions: newest first; empty before the first reading.

    Signals:
        sessions_changed(list[SessionSummary])
        trashed(Trashed): a session was moved to the trash; `restore` brings it back.
        failed(Failure)
    """

    sessions_changed = Signal(object)
    trashed = Signal(object)
    failed = Signal(object)
    _store_changed = Signal(str)

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self.sessions: Sequence[SessionSummary] = ()
        self._reading = False
        self._again = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self.refresh)
        self._store_changed.connect(self._on_store_changed, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe: Callable[[], None] | None = services.sessions.changed.subscribe(self._store_changed.emit)

    def now(self) -> datetime:
        return self._services.clock.now()

    def title_of(self, session_id: str) -> str:
        """The title of a listed session, or an empty text."""
        return next((one.title for one in self.sessions if one.id == session_id), "")

    def refresh(self) -> None:
        """Read the list anew; a call during a reading leads to one more."""
        if self._reading:
            self._again = True
            return
        self._reading = True
        self._operations.read(self._services.sessions.list, self._read, self._read_failed)

    def rename(self, session_id: str, title: str) -> None:
        self._operations.write(lambda: self._services.sessions.rename(session_id, title), None, self.failed.emit)

    def trash(self, session_id: str) -> None:
        title = self.title_of(session_id) or session_id
        self._operations.write(lambda: trash(self._services.sessions, session_id, title), self._trashed, self.failed.emit)

    def restore(self, trashed: Trashed) -> None:
        """Put a session back where it was."""
        self._operations.write(lambda: restore(trashed), self._restored, self.failed.emit)

    def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._timer.stop()

    def _on_store_changed(self, _session_id: str) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _read(self, sessions: Sequence[SessionSummary]) -> None:
        self._reading = False
        self.sessions = sessions
        self.sessions_changed.emit(sessions)
        if self._again:
            self._again = False
            self.refresh()

    def _read_failed(self, failure: object) -> None:
        self._reading = False
        self.failed.emit(failure)

    def _trashed(self, trashed: Trashed) -> None:
        self.refresh()
        self.trashed.emit(trashed)

    def _restored(self, _value: object) -> None:
        self.refresh()
