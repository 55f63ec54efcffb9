"""Search in the window: asks the services off the GUI thread, newest question first, and keeps their indexes in step in the background.

Indexing begins after a folder was opened, goes on when its files or the sessions change, and ends with the folder. GUI thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.bridge.indexer import Indexer, Progress
from desktop.bridge.latest import Latest
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.memory.identity import keys_of
from desktop.ui.controllers import search_work as work
from desktop.ui.controllers.content_finder import ContentFinder
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.results import Results

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

log = logging.getLogger(__name__)

BEGIN_MS = 300
"""Indexing begins so long after a folder was opened: its first picture comes first."""
SESSIONS_MS = 2_000
"""Sessions are looked through so long after one changed; a running turn changes its own all the time."""
QUIET_MS = 3_000
"""Vectors are made only when the person typed nothing here for so long."""


class SearchController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Attributes:
        finder: for the filter box of the memory view.

    Signals:
        found(Results): the answer to the newest question; never to an older one.
        failed(Failure): it could not be searched.
        index_failed(Failure): the index could not be brought up to date; what it holds can be searched.
        progressed(Progress | None): how far the index is; None when nothing is indexed.
        index_changed(): what can be found may be something else now.
    """

    found = Signal(object)
    failed = Signal(object)
    index_failed = Signal(object)
    progressed = Signal(object)
    index_changed = Signal()

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._workspace: Workspace | None = None
        self._query = SearchQuery()
        self._limit = work.FIRST
        self._ready = False
        self._everywhere = False
        self._turn = False
        self.indexer = Indexer(self)
        self.indexer.progressed.connect(self.progressed)
        self._asking = Latest(operations, lambda question: work.find(services, question), self._on_found, self._on_failed, self)
        self.finder = ContentFinder(services, operations, self)
        self._begin = self._timer(BEGIN_MS, self._index_all)
        self._sessions = self._timer(SESSIONS_MS, self._index_sessions)
        self._quiet = self._timer(QUIET_MS, self._on_quiet)
        changes = (services.sessions.changed, services.all_sessions.foreign.changed)
        self._unsubscribe = [change.subscribe(posting(self._on_session_written)) for change in changes]

    def _timer(self, interval: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(slot)
        return timer

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def busy(self) -> bool:
        """A question is under way, or something is indexed or waits to be."""
        waiting = any(timer.isActive() for timer in (self._begin, self._sessions))
        return self._asking.busy or self.indexer.busy or waiting

    @property
    def ready(self) -> bool:
        """The memory of the opened folder was looked through once."""
        return self._ready

    def set_workspace(self, workspace: Workspace | None) -> None:
        """Another folder, or none: what was under way for the last one ends."""
        for timer in (self._begin, self._sessions, self._quiet):
            timer.stop()
        self._asking.drop()
        self.indexer.cancel_all()
        self.progressed.emit(None)
        self._workspace = workspace
        self._ready, self._everywhere = False, self._query.everywhere
        self.finder.set_workspace(None)
        if workspace is not None:
            self.progressed.emit(Progress("memory"))
            self._begin.start()
            self.again()

    def close(self) -> None:
        """Before the window goes: indexing ends within a second; what was done stays, and goes on the next time."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self.set_workspace(None)
        self.indexer.close()

    # -- asking ----------------------------------------------------------------------------------------------------------------------

    def ask(self, query: SearchQuery) -> None:
        """Another query; `found` follows, unless it is blank."""
        self._query, self._limit = query, work.FIRST
        self._pause()
        if query.everywhere and not self._everywhere and self._workspace is not None and not query.is_blank:
            self._everywhere = True
            self._index_memory()
            self._index_sessions()
        self.again()

    def again(self) -> None:
        """The same query once more."""
        workspace = self._workspace
        if workspace is None or self._query.is_blank:
            self._asking.drop()
        else:
            self._asking.ask(work.Question(self._query, workspace, self._limit, self._ready))

    def more(self) -> None:
        """As many hits as there can be."""
        if self._limit < work.MOST:
            self._limit = work.MOST
            self.again()

    def _on_found(self, question: work.Question, results: Results) -> None:
        if question.query == self._query and question.workspace is self._workspace:
            self.found.emit(results)

    def _on_failed(self, question: work.Question, failure: Failure) -> None:
        if question.query == self._query and question.workspace is self._workspace:
            self.failed.emit(failure)

    # -- indexing --------------------------------------------------------------------------------------------------------------------

    def refresh_memory(self) -> None:
        """Files of a memory root changed."""
        if self._workspace is not None and not self._begin.isActive():
            self._index_memory()

    def refresh_sessions(self) -> None:
        """Take in at once what was said since the sessions were looked through."""
        if self._sessions.isActive():
            self._sessions.stop()
            self._index_sessions()

    def rebuild(self) -> None:
        """Throw the indexes away and make them anew from the files."""
        if self._workspace is None:
            return
        self.indexer.cancel_all()
        self._ready = False
        self.finder.set_workspace(None)
        self.indexer.run("purge", work.purge_job(self._services), self._on_purged, self._on_not_indexed)
        self._index_all()

    def set_turn_running(self, running: bool) -> None:
        """While the agent works, vectors wait."""
        self._turn = running
        self._pause()

    def _index_all(self) -> None:
        self._begin.stop()
        self._index_memory()
        self._index_sessions()

    def _index_memory(self) -> None:
        if self._workspace is not None:
            if not self._ready:
                self.progressed.emit(Progress("memory"))
            job = work.memory_job(self._services, self._workspace, everywhere=self._everywhere)
            self.indexer.run("memory", job, self._on_memory_indexed, self._on_memory_not_indexed)

    def _index_sessions(self) -> None:
        if self._workspace is not None:
            keys = None if self._everywhere else keys_of(self._workspace.project)
            self.indexer.run("sessions", work.sessions_job(self._services, keys), self._on_indexed, self._on_not_indexed)

    def _on_memory_indexed(self, _changed: int) -> None:
        """Also when nothing changed: what was saved through the stores was taken in at once."""
        self._set_ready()
        self._on_indexed(1)

    def _set_ready(self) -> None:
        if self._ready:
            self.finder.again()
        else:
            self._ready = True
            self.finder.set_workspace(self._workspace)

    def _on_memory_not_indexed(self, failure: Failure) -> None:
        """What is indexed can be searched all the same."""
        self._set_ready()
        self._on_not_indexed(failure)

    def _on_indexed(self, changed: int) -> None:
        if not self.indexer.busy:
            self.progressed.emit(None)
            self._pause()
        if changed:
            self.index_changed.emit()
            self.again()

    def _on_not_indexed(self, failure: Failure) -> None:
        self.progressed.emit(None)
        self.index_failed.emit(failure)
        self.again()

    def _on_purged(self, _value: object) -> None:
        self.index_changed.emit()

    def _on_session_written(self, _session_id: str) -> None:
        if self._workspace is not None and not self._begin.isActive() and not self._sessions.isActive():
            self._sessions.start()

    # -- vectors ---------------------------------------------------------------------------------------------------------------------

    def _pause(self) -> None:
        """Vectors wait until it was quiet for a while."""
        self.indexer.hold(True)
        if self._workspace is not None:
            self._quiet.start()

    def _on_quiet(self) -> None:
        if self._workspace is None or self._turn:
            return
        self.indexer.hold(False)
        if self._ready and not self.indexer.busy:
            self._encode_memory()

    def _encode_memory(self) -> None:
        job = work.encode_job(self._services.memory_search.encode)
        self.indexer.run("encode", job, self._on_memory_encoded, self._on_not_encoded, idle=True)

    def _on_memory_encoded(self, made: tuple[int, bool]) -> None:
        if made[1]:
            self._pause()
            return
        job = work.encode_job(self._services.session_search.encode)
        self.indexer.run("encode", job, self._on_encoded, self._on_not_encoded, idle=True)
        if made[0]:
            self.again()

    def _on_encoded(self, made: tuple[int, bool]) -> None:
        self.progressed.emit(None)
        if made[1]:
            self._pause()
        elif made[0]:
            self.again()

    def _on_not_encoded(self, failure: Failure) -> None:
        """A search says itself that it goes by words only."""
        log.warning("no vectors were made: %s", failure.text())
        self.progressed.emit(None)
