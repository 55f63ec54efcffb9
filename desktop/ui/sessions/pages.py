"""A stored session as its view reads it: first its end, then the index bit by bit, then whichever page is asked for, and what is found.

All reading goes through `bridge.operations`; what is not wanted any more is dropped. Makes no widgets. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import NotFoundError
from desktop.bridge.operations import Failure, Operations
from desktop.sessions.paging import MOST_FOUND, Facts, Finding, Page, Pager
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import SessionSummary

if TYPE_CHECKING:
    from desktop.sessions.all_sessions import AllSessions

T = TypeVar("T")
LAST = 1 << 40
"""A number behind every message."""
FIRST_S, SLICE_S, NEW_S = 0.25, 0.12, 5.0
"""Seconds of indexing: before the first page is shown, of each further piece of work, and of what was written since."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is on disk: its row of the list, the way to its messages, the end of the live branch, what is known so far.

    Attributes:
        is_foreign: another tool held it.
    """

    summary: SessionSummary
    pager: Pager
    page: Page
    facts: Facts
    is_foreign: bool = False


def read_session(sessions: SessionStore | AllSessions, session_id: str) -> StoredSession:
    """Blocking, for about as long as it takes to show something.

    Raises:
        NotFoundError: there is no such session.
        OSError: its file cannot be read.
    """
    from desktop.sessions.all_sessions import AllSessions
    from desktop.sessions.paged_file import open_pager
    from desktop.sessions.paging import LoadedPager

    is_foreign = AllSessions.is_foreign(session_id)
    summary = sessions.find(session_id)
    pager = LoadedPager(sessions.load(session_id)) if is_foreign else open_pager(sessions.path_of(session_id))
    facts = pager.index(FIRST_S)
    return StoredSession(summary, pager, pager.newest(), facts, is_foreign)


def side_file_of(sessions: SessionStore | AllSessions, session_id: str) -> Callable[[str], bytes | None]:
    """What gives the content of a session's side files by digest, None where it is lost; blocking."""
    own = sessions if isinstance(sessions, SessionStore) else sessions.own

    def content(digest: str) -> bytes | None:
        try:
            return own.side_file(session_id, digest)
        except NotFoundError:
            return None

    return content


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands: its number on the branch that is shown, the page that ends with it, and what stands behind it."""

    number: int
    page: Page
    facts: Facts
    behind: Page | None = None


def _place(pager: Pager, number: int, facts: Facts) -> Place:
    behind = pager.page(number + 1, LAST) if number < facts.total else None
    return Place(number, pager.page(0, number), facts, behind)


class SessionPages(QObject):
    """See the module's text.

    Attributes:
        stored: the session, once it was read.
        facts: what is known of it now.

    Signals:
        opened(): it was read; `stored` holds its end.
        failed(Failure): it cannot be read.
        facts_changed(): more of it is indexed.
        indexed(): all of it is.
    """

    opened = Signal()
    failed = Signal(object)
    facts_changed = Signal()
    indexed = Signal()

    def __init__(self, read: Callable[[], StoredSession], operations: Operations, parent: QObject) -> None:
        super().__init__(parent)
        self._read = read
        self._operations = operations
        self._works: dict[str, int] = {}
        self.stored: StoredSession | None = None
        self.facts = Facts(done=False)

    @property
    def is_indexed(self) -> bool:
        return self.facts.done

    # --- reading -----------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read the session again."""
        self.close()
        self._works["open"] = self._operations.read(self._read, self._on_opened, self._on_failed)

    def close(self) -> None:
        """Nothing that is under way is wanted any more."""
        for number in self._works.values():
            self._operations.forget(number)
        self._works.clear()

    def _on_opened(self, stored: StoredSession) -> None:
        self.stored, self.facts = stored, stored.facts
        self.opened.emit()
        if self.facts.done:
            self.indexed.emit()
        else:
            self._index()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _index(self) -> None:
        pager = self._pager()
        self._run("index", lambda: pager.index(SLICE_S), self._on_indexed)

    def _on_indexed(self, facts: Facts) -> None:
        self.facts = facts
        self.facts_changed.emit()
        if facts.done:
            self.indexed.emit()
        else:
            self._index()

    # --- pages -------------------------------------------------------------------------------------------------------

    def newest(self, done: Callable[[Place], None]) -> None:
        """The end of the branch that is shown."""
        pager = self._pager()

        def work() -> Place:
            facts = pager.facts()
            page = pager.page(0, facts.total) if facts.done else pager.newest()
            return Place(page.last, page, facts)

        self._run("page", work, done)

    def older(self, before: int, done: Callable[[Page], None]) -> None:
        """The page that ends before a number."""
        pager = self._pager()
        self._run("older", lambda: pager.page(0, before - 1), done)

    def newer(self, behind: int, done: Callable[[Page], None]) -> None:
        """The page that begins behind a number."""
        pager = self._pager()
        self._run("newer", lambda: pager.page(behind + 1, LAST), done)

    def locate(self, done: Callable[[Place | None], None], *, message_id: str = "", number: int = 0, live: bool = False) -> None:
        """The place of a message by its id, whichever branch it is on, or by its number; None: there is no such message.

        Args:
            live: the number is one of the live branch, which is shown then.
        """
        pager = self._pager()

        def work() -> Place | None:
            if live:
                pager.show("")
            at = number or pager.number_of(message_id)
            if not at and message_id and (pager.show(message_id) or (pager.index(NEW_S).done and pager.show(message_id))):
                at = pager.number_of(message_id)
            facts = pager.facts()
            return _place(pager, at, facts) if 0 < at <= facts.total else None

        self._run("page", work, done)

    def show_branch(self, message_id: str, done: Callable[[Place | None], None]) -> None:
        """Show the branch with this message, the live one where it is on that or the id is empty."""
        pager = self._pager()

        def work() -> Place | None:
            pager.show(message_id)
            facts = pager.facts()
            at = pager.number_of(message_id) if message_id else facts.total
            return _place(pager, at, facts) if at else None

        self._run("page", work, done)

    # --- find --------------------------------------------------------------------------------------------------------

    def find(self, words: str, found: Callable[[tuple[int, ...], bool], None]) -> None:
        """Numbers of the messages of the shown branch that say these words; `found(numbers, done)` comes as they are found."""
        self.stop_finding()
        self._find(words, 1, (), found)

    def stop_finding(self) -> None:
        self._operations.forget(self._works.pop("find", 0))

    def _find(self, words: str, start: int, before: tuple[int, ...], found: Callable[[tuple[int, ...], bool], None]) -> None:
        pager = self._pager()

        def on_found(finding: Finding) -> None:
            numbers = (*before, *finding.numbers)[:MOST_FOUND]
            is_done = not finding.next or len(numbers) >= MOST_FOUND
            found(numbers, is_done)
            if not is_done:
                self._find(words, finding.next, numbers, found)

        self._run("find", lambda: pager.find(words, start, SLICE_S), on_found)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _pager(self) -> Pager:
        assert self.stored is not None
        return self.stored.pager

    def _run(self, name: str, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._operations.forget(self._works.pop(name, 0))
        self._works[name] = self._operations.read(work, done, self._on_failed)
