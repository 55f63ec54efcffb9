"""Search over conversations: the index of all transcripts of a profile, kept in step with them, and what a search over it gives.

Transcripts are the truth; `<data>/index/sessions.sqlite` may be deleted at any time. Every branch is found; what stands on the live branch
counts more. Of a question's words a hit should hold all (C-25): such hits come before those that hold some. Sessions of other tools stand
in it under a scope of their own and are found only by who asks for them. Knows nothing of models and permissions: who may see which
project is decided by whoever asks. Thread-safe and blocking: never in the GUI thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.search.encoder import Encoder
from desktop.search.index import FLOOR, Found, Hit, SearchIndex, Within
from desktop.sessions.coverage import Asked, asked, band, scored, words_of
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.found import Neighbourhood, SessionFound, SessionHit
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.index_fill import SCOPE, Filled, Filling, Progress, session_of
from desktop.sessions.index_others import OtherTools
from desktop.sessions.lines import Stopped
from desktop.sessions.lookup import Place, SessionLookup, Standing
from desktop.sessions.search_source import block_from
from desktop.sessions.store import SessionStore

__all__ = ["Neighbourhood", "SessionFound", "SessionHit", "SessionSearch", "Whose"]

FILE = "sessions.sqlite"
LIMIT, MOST = 10, 50
A_SESSION = 3
"""Hits of one session before those of others; the rest of its hits fill what room is left."""

DEEPER = 4
"""How many times more are fetched than are wanted, so that hits with all words are among them."""

PROBLEMS_TOLD = 3
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
        self, *, project_keys: Sequence[str] | None = None, look: bool = False, stopped: Stopped | None = None, progress: Progress | None = None
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
        """Make the vectors that are missing, for the background; see `SearchIndex.encode`."""
        return self._index.encode(stopped, progress=progress)

    def purge(self) -> None:
        """Delete the index with all text in it; the next search fills it again from the transcripts.

        Raises:
            StorageError: its file cannot be deleted.
        """
        with self._filling:
            self._index.purge()

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
        ranked = self._ranked(found.hits, [asked(query) for query in given[:4]])
        hits = self._chosen(ranked, limit, A_SESSION if session_id is None else limit, None if project_key is None else keys, leave_out)
        if self._others is not None and whose != "own":
            notes += _first_of(self._others.problems(None if project_key is None else keys, session_id))
        if not complete:
            notes.append(say("Not all conversations are indexed yet; what is missing is found later."))
        if self._index.problem:
            notes.append(
                say("The index of conversations cannot be kept on disk ({reason}); it is made anew each time.", reason=self._index.problem)
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

    def _ranked(self, found: Iterable[Hit], questions: Sequence[Asked]) -> list[_Ranked]:
        """What was found in order, with the numbers that it has in the transcripts now; what is not there any more is left out."""
        standing: dict[str, Standing | None] = {}
        straight: dict[str, bool] = {}
        ranked: dict[tuple[str, str], _Ranked] = {}
        for hit in found:
            session = session_of(hit.document)
            others = self._others if is_foreign(session) else None
            if session not in standing:
                standing[session] = others.stands(session) if others is not None else self._lookup.stands(session, hit.scope_id)
                straight[session] = others is None and self._is_straight(session, hit.scope_id)
            stands = standing[session]
            if stands is None or (session, hit.ref) in ranked:
                continue
            if others is not None:
                numbers: tuple[int, int | None] | None = (hit.unit, others.live_number(stands, hit.unit))
            else:
                numbers = (hit.unit, hit.unit) if straight[session] else self._numbers(stands, hit.ref)
            if numbers is not None:
                words = words_of(hit, questions)
                found_band = band(hit, words, questions)
                if found_band == 2 and hit.score < FLOOR:
                    continue  # some word or other; what holds all of them is kept however long its text is
                score = scored(hit, found_band, live=numbers[1] is not None)
                ranked[session, hit.ref] = _Ranked(score, hit, stands, *numbers, words, found_band < 2)
        return sorted(ranked.values(), key=lambda one: (-one.score, -one.hit.time, one.standing.id, one.number))

    def _is_straight(self, session_id: str, folder: str) -> bool:
        """Whether the live branch is simply the file from start to end."""
        blocks = self._index.fingerprints(f"{session_id}/")
        return all((block := block_from(value, 0, folder)) is not None and block.straight for value in blocks.values())

    def _numbers(self, standing: Standing, message_id: str) -> tuple[int, int | None] | None:
        try:
            skeleton = self._lookup.skeleton(standing)
        except OSError:
            return None
        at = skeleton.places.get(message_id)
        return None if at is None else (at + 1, skeleton.live_number(at))

    def _chosen(
        self,
        ranked: Iterable[_Ranked],
        limit: int,
        a_session: int,
        keys: Sequence[str | None] | None,
        leave_out: Callable[[SessionHit], bool] | None,
    ) -> tuple[SessionHit, ...]:
        """The best, not too many of one session while others have some; scores are shares of the first one's."""
        first: list[SessionHit] = []
        further: list[SessionHit] = []
        counts: dict[str, int] = {}
        for one in ranked:
            if len(first) >= limit:
                break
            place = self._place(one.standing)
            if place is None:
                continue
            hit = one.hit_in(place)
            if keys is not None and place.project_key not in keys:
                continue  # a file of another project that lies in this one's folder
            if leave_out is None or not leave_out(hit):
                counts[hit.session_id] = counts.get(hit.session_id, 0) + 1
                (first if counts[hit.session_id] <= a_session else further).append(hit)
        taken = sorted([*first, *further][:limit], key=lambda hit: -hit.score)
        top = taken[0].score if taken else 1.0
        return tuple(replace(hit, score=hit.score / top if top else 1.0) for hit in taken)

    def _place(self, standing: Standing) -> Place | None:
        """None for a session of another tool that was switched off meanwhile."""
        if self._others is not None and is_foreign(standing.id):
            return self._others.place(standing)
        return self._lookup.place(standing)

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
    return [*problems[:PROBLEMS_TOLD], say("{count} more conversations cannot be searched.", count=more)]


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A hit of the index in its session: its numbers in the file and in the live branch."""

    score: float
    hit: Hit
    standing: Standing
    number: int
    live: int | None
    words: tuple[str, ...]
    all_words: bool

    def hit_in(self, place: Place) -> SessionHit:
        hit = self.hit
        return SessionHit(
            session_id=self.standing.id,
            title=place.title,
            project_key=place.project_key,
            workspace=place.workspace,
            path=self.standing.path,
            message=self.live,
            number=self.number,
            message_id=hit.ref,
            role=hit.role,
            time=datetime.fromtimestamp(hit.time, UTC),
            snippet=hit.snippet,
            marks=hit.marks,
            score=self.score,
            words=self.words,
            all_words=self.all_words,
            meaning=not self.words,
            text=hit.text,
            source=place.source,
        )
