"""Search over conversations: the index of all transcripts of a profile, kept in step with them, and what a search over it gives.

Transcripts are the truth; `<data>/index/sessions.sqlite` may be deleted at any time. Every branch is found; what stands on the live branch
counts more. Of a question's words a hit should hold all (C-25): such hits come before those that hold some. Sessions of other tools stand
in it under a scope of their own and are found only by who asks for them. Knows nothing of models and permissions: who may see which
project is decided by whoever asks. Thread-safe and blocking: never in the GUI thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Literal

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.search.encoder import Encoder
from desktop.search.index import Found, SearchIndex, Within
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.found import Neighbourhood, SessionFound, SessionHit
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.index_fill import SCOPE, Filled, Filling, Progress
from desktop.sessions.index_others import OtherTools
from desktop.sessions.lines import Stopped
from desktop.sessions.lookup import SessionLookup
from desktop.sessions.ranking import Ranking
from desktop.sessions.store import SessionStore

__all__ = ["Neighbourhood", "SessionFound", "SessionHit", "SessionSearch", "Whose"]

FILE = "sessions.sqlite"
LIMIT, MOST = 10, 50
A_SESSION = 3
"""Hits of one session before those of others; the rest of its hits fill what room is left."""

DEEPER = 4
"""How many times more are fetched than are wanted, so that hits with all words are among them."""

PROBLEMS_TOLD = 3
FORGET_S = 20.0
"""How long deleting for good waits for it."""
WAIT_S = 2.0
"""How long a search waits for somebody else's reconciling; then it searches what is there, and says so."""


Whose = Literal["own", "others", "all"]
"""Which sessions are searched: ours, those of other tools, or both."""


class SessionSearch:
    """One for a profile and process.

    Args:
        encoder: gives the encoder of the dense leg, or None; called at each search.
        foreign: the sessions of other tools, which are searched too; None: ours alone.
    """

    def __init__(
        self,
        sessions: SessionStore,
        paths: AppPaths,
        *,
        encoder: Callable[[], Encoder | None] | None = None,
        foreign: ForeignSessions | None = None,
    ) -> None:
        self._sessions = sessions
        self._index = SearchIndex(paths.index / FILE, encoder=encoder)
        self._lookup = SessionLookup(sessions, paths.sessions)
        self._others = OtherTools(foreign, self._index) if foreign is not None else None
        self._ranking = Ranking(self._index, self._lookup, self._others)
        self._filling = threading.Lock()
        self._touched: set[str] = set()
        self._unsubscribe = sessions.changed.subscribe(self._touched.add)

    # --- keeping in step -------------------------------------------------------------------------------------------------

    def reconcile(self, *, project_key: str | None = None, stopped: Stopped | None = None, progress: Progress | None = None) -> int:
        """Read what is new in the transcripts of a project, or of all, newest sessions first. Cheap when nothing changed.

        Args:
            stopped: True ends soon; what was read stays, and the next time goes on from there.
            progress: takes (sessions done, sessions to do).

        Returns:
            How many sessions were read or taken out.

        Raises:
            StorageError: the sessions cannot be listed, or the index cannot be written now.
        """
        with self._filling:
            return self._fill(project_key, None, stopped, progress).changed

    def refresh(self, *, stopped: Stopped | None = None) -> int:
        """The same for those sessions alone of which this process heard that they changed; says how many.

        Raises:
            StorageError: as `reconcile`.
        """
        changed = 0
        with self._filling:
            while self._touched and not (stopped is not None and stopped()):
                changed += self._fill(None, self._touched.pop(), stopped, None).changed
        return changed

    def reconcile_others(
        self,
        *,
        project_keys: Sequence[str] | None = None,
        look: bool = False,
        stopped: Stopped | None = None,
        progress: Progress | None = None,
    ) -> int:
        """The same for the sessions of other tools, for the background: after ours. Of those that are switched off nothing stays.

        Args:
            project_keys: only sessions of this project are read; None: all.
            look: first look for sessions, if this process did not yet.

        Returns:
            How many sessions were read or taken out.

        Raises:
            StorageError: the index cannot be written now.
        """
        if self._others is None:
            return 0
        return self._others.fill(project_keys, None, stopped or _never, progress, look=look).changed

    def _fill(self, project_key: str | None, session_id: str | None, stopped: Stopped | None, progress: Progress | None) -> Filled:
        if session_id is None and project_key is None:
            self._touched.clear()  # what changes from here on is heard of anew
        return Filling(self._sessions, self._index, stopped or _never, progress).run(project_key, session_id)

    def _filled(self, keys: Sequence[str | None], session_id: str | None, whose: Whose, stopped: Stopped | None) -> tuple[bool, list[str]]:
        """Bring the index up to date for a search: whether it is, and what the person should know."""
        complete, notes = self._filled_own(keys, session_id, stopped) if whose != "others" else (True, [])
        if whose != "own" and self._others is not None:
            try:
                wanted = [key for key in keys if key is not None] if None not in keys else None
                complete = self._others.fill(wanted, session_id, stopped or _never, None, look=True, wait_s=WAIT_S).complete and complete
            except StorageError as error:
                complete, notes = False, [*notes, error.text()]
        return complete, notes

    def _filled_own(self, keys: Sequence[str | None], session_id: str | None, stopped: Stopped | None) -> tuple[bool, list[str]]:
        if not self._filling.acquire(timeout=WAIT_S):
            return False, []
        complete = True
        notes: list[str] = []
        problems: list[str] = []
        try:
            for key in keys if session_id is None else (None,):
                filled = self._fill(key, session_id, stopped, None)
                complete = complete and filled.complete
                problems += filled.problems
        except StorageError as error:
            complete, notes = False, [*notes, error.text()]
        finally:
            self._filling.release()
        return complete, [*_first_of(problems), *notes]

    def encode(self, stopped: Stopped | None = None, *, progress: Progress | None = None) -> int:
        """Make the vectors that are missing, those of our sessions first, for the background; see `SearchIndex.encode`."""
        return self._index.encode(stopped, progress=progress, first=SCOPE)

    def purge(self) -> None:
        """Delete the index with all text in it; the next search fills it again from the transcripts.

        Raises:
            StorageError: its file cannot be deleted.
        """
        with self._filling:
            self._index.purge()

    def forget(self, session_id: str) -> None:
        """Take a session out with every byte of its text, for one that is deleted for good. One that is still there is read anew later.

        Raises:
            StorageError: the index is being filled, or cannot be written now.
        """
        if not self._filling.acquire(timeout=FORGET_S):
            raise StorageError(
                say("The search index is being filled; what it holds of the session cannot be deleted now."),
                hint=say("Try again in a minute."),
            )
        try:
            self._index.update((), self._index.fingerprints(f"{session_id}/"))
            self._index.scrub()
        finally:
            self._filling.release()

    def check(self) -> bool:
        """Look through the whole index; a damaged one is thrown away, and False says that the next search fills it again."""
        return self._index.check()

    def close(self) -> None:
        self._unsubscribe()
        self._index.close()

    # --- searching -------------------------------------------------------------------------------------------------------

    def search(
        self,
        queries: str | Sequence[str],
        *,
        project_key: str | Sequence[str] | None,
        session_id: str | None = None,
        limit: int = LIMIT,
        reconcile: bool = True,
        stopped: Stopped | None = None,
        leave_out: Callable[[SessionHit], bool] | None = None,
        whose: Whose = "own",
    ) -> SessionFound:
        """Messages that answer, best first: those that hold all words of a question before those that hold some.

        Args:
            queries: one question, or up to four phrasings of it.
            project_key: the project whose sessions are searched, or several keys of it; None is every project.
            session_id: only this session.
            limit: hits at most, 1 to 50.
            reconcile: read what is new first; False searches what is indexed.
            stopped: True ends reading what is new; what is indexed by then is searched.
            leave_out: hits that are not wanted.
            whose: ours, those of other tools, or both; a session that is named is searched whosever it is.
        """
        given = [queries] if isinstance(queries, str) else list(queries)
        limit = max(1, min(limit, MOST))
        keys: tuple[str | None, ...] = (
            (None,) if project_key is None else (project_key,) if isinstance(project_key, str) else (*project_key,)
        )
        if session_id is not None:
            whose = "others" if is_foreign(session_id) else "own"
        complete, notes = self._filled(keys, session_id, whose, stopped) if reconcile else (True, [])
        before = self._index.rebuilt
        found = self._found(given, keys, session_id, whose, limit)
        if self._index.rebuilt != before and reconcile:  # it was broken and is empty now
            complete, notes = self._filled(keys, session_id, whose, stopped)
            found = self._found(given, keys, session_id, whose, limit)
        a_session = A_SESSION if session_id is None else limit
        hits = self._ranking.hits(found.hits, given, limit, a_session, None if project_key is None else keys, leave_out)
        if self._others is not None and whose != "own":
            notes += _first_of(self._others.problems(None if project_key is None else keys, session_id))
        if not complete:
            notes.append(say("Not all sessions are indexed yet; what is missing is found later."))
        if self._index.problem:
            notes.append(
                say("The index of sessions cannot be kept on disk ({reason}); it is made anew each time.", reason=self._index.problem)
            )
        return SessionFound(hits, (*notes, *found.notes), complete)

    def _found(self, queries: Sequence[str], keys: Sequence[str | None], session_id: str | None, whose: Whose, limit: int) -> Found:
        kinds = None if session_id is None else frozenset((session_id,))
        scopes = [(SCOPE, key) for key in keys] if whose != "others" else []
        if whose != "own" and self._others is not None:
            scopes += self._others.scopes(keys)
        if not scopes:
            return Found(())
        within = Within(scopes=tuple(scopes), kinds=kinds)
        depth = max(DEEPER * limit, 40)
        return self._index.search(queries, limit=depth, within=within, floor=0.0, per_document=limit if session_id is None else None)

    def around(self, session_id: str, message: int | str, before: int = 5, after: int = 5, *, words: Sequence[str] = ()) -> Neighbourhood:
        """The messages beside one, along its branch: each at most 1,600 characters, all at most 20 KB, secrets masked.

        Args:
            message: its number in the live branch, from 1, or its id, which may be on any branch.
            before, after: how many that can be read, at most 50.
            words: of the question: of a long message the part with these is given.

        Raises:
            NotFoundError: no such session or message.
            StorageError: the transcript cannot be read.
        """
        if self._others is not None and is_foreign(session_id):
            return self._others.around(session_id, message, before, after, words)
        return self._lookup.around(session_id, message, before, after, words)


def _first_of(problems: Sequence[str]) -> list[str]:
    """A few of the conversations that cannot be searched, and how many more there are: a whole folder may be unreadable."""
    more = len(problems) - PROBLEMS_TOLD
    if more <= 1:
        return list(problems)
    return [*problems[:PROBLEMS_TOLD], say("{count} more sessions cannot be searched.", count=more)]


def _never() -> bool:
    return False
