"""The list of sessions for picker, side-bar view and `#` completion; what is done with a stored session. GUI thread.

Reads through `bridge.operations`; facts from the store are coalesced, so that a long turn costs few readings. Sessions of other tools are
looked for in the background, after ours are shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.bridge.indexer import Indexer, Report, Stopped
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.session_files import write_export
from desktop.bridge.session_trash import Trashed, purge, restore, trash
from desktop.sessions.summary import SessionSummary
from desktop.ui.controllers.session_finder import IndexFilling, SessionFinder, giving_way
from desktop.ui.sessions.facts import title_text
from desktop.ui.sessions.filtering import Haystacks

if TYPE_CHECKING:
    from desktop.compose import Services
    from desktop.sessions.trash import TrashedSession

Listed = tuple[list[SessionSummary], list[str], frozenset[str]]
log = logging.getLogger(__name__)
QUIET_MS = 400
SCAN_WAIT_MS = 1_500
"""Sessions of other tools are looked for so long after the list was asked for: the window's first pictures come first."""
SCAN_AGAIN_S = 60.0
"""Seconds after which sessions of other tools are looked for again, when the list is asked for."""


class SessionsController(QObject):
    """One for the window.

    Attributes:
        sessions: newest first; empty before the first reading.
        haystacks: what a filter looks into, one for each session.
        held: ids of sessions that another window or process has open, as of the last reading or look.

    Signals:
        sessions_changed(list[SessionSummary])
        held_changed(frozenset[str]): other sessions are open elsewhere now.
        trashed(Trashed): a session was moved to the trash; `restore` brings it back.
        trash_read(list[TrashedSession]): what is in the trash.
        restored(str): a session is back, by its id.
        purged(TrashedSession): nothing is left of this one.
        marked(str, name, bool): a session has this mark now, or no longer.
        forked(str): the id of the new session.
        exported(Path): the file that was written.
        failed(Failure)
    """

    sessions_changed = Signal(object)
    held_changed = Signal(object)
    trashed = Signal(object)
    trash_read = Signal(object)
    restored = Signal(str)
    purged = Signal(object)
    marked = Signal(str, str, bool)
    forked = Signal(str)
    exported = Signal(object)
    failed = Signal(object)

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self.sessions: Sequence[SessionSummary] = ()
        self.haystacks: Sequence[str] = ()
        self.held: frozenset[str] = frozenset()
        self._texts = Haystacks()
        self._by_id: dict[str, SessionSummary] = {}
        self._reading = False
        self._again = False
        self._closed = False
        self._scanned: datetime | None = None
        self._indexer = Indexer(self)
        self._filling = IndexFilling(services.session_search, self._indexer, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self._reread)
        self._scanning = QTimer(self)
        self._scanning.setSingleShot(True)
        self._scanning.setInterval(SCAN_WAIT_MS)
        self._scanning.timeout.connect(self._scan)
        self._finders: list[SessionFinder] = []
        self._unsubscribe: Callable[[], None] | None = services.sessions.changed.subscribe(posting(self._on_store_changed))

    def now(self) -> datetime:
        return self._services.clock.now()

    def find(self, session_id: str) -> SessionSummary | None:
        """A listed session."""
        return self._by_id.get(session_id)

    def title_of(self, session_id: str) -> str:
        """The title of a listed session, or an empty text."""
        found = self._by_id.get(session_id)
        return title_text(found) if found is not None else ""

    def new_finder(self) -> SessionFinder:
        """What searches the sessions' contents for a filter; lives as long as this."""
        finder = SessionFinder(self._services, self._operations, self._filling, self)
        self._finders.append(finder)
        return finder

    # --- the list ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the list anew, and look for sessions of other tools now and then; a call during a reading leads to one more."""
        self._reread()
        now = self.now()
        if not self._closed and (self._scanned is None or abs((now - self._scanned).total_seconds()) > SCAN_AGAIN_S):
            self._scanned = now
            self._scanning.start()

    def look_again(self) -> None:
        """Sessions of other tools are wanted now that were not before, or no longer: the list follows at once."""
        self._scanned = None
        self.refresh()

    def _scan(self) -> None:
        foreign = self._services.all_sessions.foreign

        def look(stopped: Stopped, report: Report) -> bool:
            return foreign.refresh(giving_way(stopped, report))

        self._indexer.run("other-tools", look, self._on_scanned, self._scan_failed)

    def _reread(self) -> None:
        if self._reading:
            self._again = True
            return
        self._reading = True
        self._operations.read(self._listed, self._read, self._read_failed)

    def _listed(self) -> Listed:
        """In a reading thread, one at a time: the sessions, what their filter looks into, and which are open elsewhere."""
        sessions = self._services.all_sessions.list()
        return sessions, self._texts.of(sessions), self._services.sessions.open_elsewhere()

    def look_who_holds(self) -> None:
        """See which sessions are open elsewhere now; no transcript is touched. A session that is not listed yet is read."""
        if not self._closed and self._by_id:
            self._operations.read(self._services.sessions.open_elsewhere, self._holders, self._holders_failed)

    def _holders(self, held: frozenset[str]) -> None:
        if held - self._by_id.keys():
            self._reread()
        self._set_held(held)

    @staticmethod
    def _holders_failed(failure: Failure) -> None:
        log.warning("whether sessions are open elsewhere is not known: %s", failure.text())

    def _set_held(self, held: frozenset[str]) -> None:
        if held != self.held:
            self.held = held
            self.held_changed.emit(held)

    def _on_scanned(self, changed: bool) -> None:
        if changed:
            self._filling.invalidate()
            self._reread()
            for finder in self._finders:
                finder.again()

    @staticmethod
    def _scan_failed(failure: Failure) -> None:
        """Those that are known are listed; nobody asked for others just now."""
        log.warning("sessions of other tools could not be looked for: %s", failure.text())

    def _on_store_changed(self, _session_id: str) -> None:
        self._filling.invalidate()
        if not self._timer.isActive():
            self._timer.start()

    def _read(self, found: Listed) -> None:
        self._reading = False
        self.sessions, self.haystacks, held = found
        self._by_id = {session.id: session for session in self.sessions}
        self._set_held(held)
        self.sessions_changed.emit(self.sessions)
        self._read_again()

    def _read_failed(self, failure: Failure) -> None:
        self._reading = False
        self.failed.emit(failure)
        self._read_again()

    def _read_again(self) -> None:
        if self._again:
            self._again = False
            self._reread()

    # --- what is done with a session ---------------------------------------------------------------------------------

    def rename(self, session_id: str, title: str) -> None:
        self._write(lambda: self._services.sessions.rename(session_id, title))

    def mark(self, session_id: str, name: str, wanted: bool) -> None:
        """Pin a session (`pinned`) or put it into the archive (`archived`), or take that back; `marked` follows."""
        done = partial(self._on_marked, session_id, name, wanted)
        self._write(lambda: self._services.sessions.set_flag(session_id, name, wanted), done)

    def _on_marked(self, session_id: str, name: str, wanted: bool, _value: object) -> None:
        self.marked.emit(session_id, name, wanted)

    def fork(self, session_id: str) -> None:
        """A new session with what the live branch of this one holds; `forked` tells its id."""

        def forked() -> str:
            from desktop.sessions.forks import fork, fork_title

            return fork(self._services.sessions, session_id, title=fork_title(title, mark) if title else "")

        title, mark = self.title_of(session_id), self.tr("(fork)")
        self._write(forked, self.forked.emit)

    def export(self, session_id: str, kind: str, target: Path) -> None:
        """Write a session as `md` or `json`; `exported` tells the file."""
        sessions = self._services.all_sessions
        self._write(lambda: write_export(sessions, session_id, "json" if kind == "json" else "md", target), self.exported.emit)

    def trash(self, session_id: str) -> None:
        title = self.title_of(session_id) or session_id
        self._write(lambda: trash(self._services.sessions, session_id, title), self._trashed)

    def restore(self, trashed: Trashed) -> None:
        """Put back a session that was just moved to the trash."""
        self._write(lambda: restore(self._services.sessions, trashed), lambda _value: self._restored(trashed.session_id))

    def read_trash(self) -> None:
        """`trash_read` follows."""
        self._operations.read(self._services.sessions.trashed, self.trash_read.emit, self.failed.emit)

    def restore_entry(self, entry: TrashedSession) -> None:
        """Put back a session that lies in the trash."""
        self._write(lambda: self._services.sessions.restore(entry), lambda _value: self._restored(entry.id))

    def purge_entry(self, entry: TrashedSession) -> None:
        """Delete a session in the trash for good; `purged` follows. The person was asked."""
        services = self._services
        self._write(
            lambda: purge(services.sessions, services.session_search, services.paths.state, entry), lambda _value: self.purged.emit(entry)
        )

    def close(self) -> None:
        self._closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._timer.stop()
        self._scanning.stop()
        for finder in self._finders:
            finder.close()
        self._indexer.close()

    def _write(self, work: Callable[[], Any], done: Callable[[Any], None] | None = None) -> None:
        self._operations.write(work, done, self._write_failed)

    def _write_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _trashed(self, trashed: Trashed) -> None:
        self._reread()
        self.trashed.emit(trashed)

    def _restored(self, session_id: str) -> None:
        self._reread()
        self.restored.emit(session_id)
