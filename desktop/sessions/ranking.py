"""What a search found in the index, as hits in the sessions as they are now: which come first, with which numbers, how many of a session.

Those that hold all words of a question come before those that hold some (see `coverage`). What is not there any more is no hit. Keeps
nothing. Thread-safe, blocking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from desktop.search.index import FLOOR, QUERIES, Hit, SearchIndex
from desktop.sessions.coverage import Asked, asked, band, scored, words_of
from desktop.sessions.found import SessionHit
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.index_fill import session_of
from desktop.sessions.index_others import OtherTools
from desktop.sessions.lookup import Place, SessionLookup, Standing
from desktop.sessions.search_source import block_from

Numbers = tuple[int, int | None]
"""The number of a message in its file, and in the live branch."""


@dataclass(frozen=True, slots=True)
class _Session:
    """A session in which something was found; `numbers` gives None for a message that is not there any more."""

    standing: Standing
    numbers: Callable[[Hit], Numbers | None]


class Ranking:
    """One for a search.

    Args:
        others: the sessions of other tools, where they are searched.
    """

    def __init__(self, index: SearchIndex, lookup: SessionLookup, others: OtherTools | None) -> None:
        self._index = index
        self._lookup = lookup
        self._others = others

    def hits(
        self,
        found: Iterable[Hit],
        queries: Sequence[str],
        limit: int,
        a_session: int,
        keys: Sequence[str | None] | None,
        leave_out: Callable[[SessionHit], bool] | None,
    ) -> tuple[SessionHit, ...]:
        """The best, not too many of one session while others have some; scores are shares of the first one's.

        Args:
            limit: hits at most.
            a_session: hits of one session before those of others.
            keys: of the projects that are searched; None: all.
        """
        first: list[SessionHit] = []
        further: list[SessionHit] = []
        counts: dict[str, int] = {}
        for one in self._ranked(found, [asked(query) for query in queries[:QUERIES]]):
            if len(first) >= limit:
                break
            place = self._place(one.standing)
            if place is None or (keys is not None and place.project_key not in keys):
                continue  # switched off meanwhile, or a file of another project that lies in this one's folder
            hit = one.hit_in(place)
            if leave_out is None or not leave_out(hit):
                counts[hit.session_id] = counts.get(hit.session_id, 0) + 1
                (first if counts[hit.session_id] <= a_session else further).append(hit)
        taken = sorted([*first, *further][:limit], key=lambda hit: -hit.score)
        top = taken[0].score if taken else 1.0
        return tuple(replace(hit, score=hit.score / top if top else 1.0) for hit in taken)

    def _ranked(self, found: Iterable[Hit], questions: Sequence[Asked]) -> list[_Ranked]:
        """What was found in order, with the numbers that it has in the transcripts now; what is not there any more is left out."""
        sessions: dict[str, _Session | None] = {}
        ranked: dict[tuple[str, str], _Ranked] = {}
        for hit in found:
            name = session_of(hit.document)
            if name not in sessions:
                sessions[name] = self._session(name, hit.scope_id)
            session = sessions[name]
            if session is None or (name, hit.ref) in ranked:
                continue
            numbers = session.numbers(hit)
            if numbers is not None:
                words = words_of(hit, questions)
                found_band = band(hit, words, questions)
                if found_band == 2 and hit.score < FLOOR:
                    continue  # some word or other; what holds all of them is kept however long its text is
                score = scored(hit, found_band, live=numbers[1] is not None)
                ranked[name, hit.ref] = _Ranked(score, hit, session.standing, *numbers, words, found_band < 2)
        return sorted(ranked.values(), key=lambda one: (-one.score, -one.hit.time, one.standing.id, one.number))

    def _session(self, name: str, folder: str) -> _Session | None:
        if is_foreign(name):
            return self._session_of_another(name)
        standing = self._lookup.stands(name, folder)
        if standing is None:
            return None
        if self._is_straight(name, folder):
            return _Session(standing, lambda hit: (hit.unit, hit.unit))
        return _Session(standing, lambda hit: self._numbers(standing, hit.ref))

    def _session_of_another(self, name: str) -> _Session | None:
        others = self._others
        standing = others.stands(name) if others is not None else None
        if others is None or standing is None:
            return None
        live = others.live_numbers(name)
        return _Session(standing, lambda hit: (hit.unit, live.of(hit.unit)))

    def _is_straight(self, session_id: str, folder: str) -> bool:
        """Whether the live branch is simply the file from start to end."""
        blocks = self._index.fingerprints(f"{session_id}/")
        return all((block := block_from(value, 0, folder)) is not None and block.straight for value in blocks.values())

    def _numbers(self, standing: Standing, message_id: str) -> Numbers | None:
        try:
            skeleton = self._lookup.skeleton(standing)
        except OSError:
            return None
        at = skeleton.places.get(message_id)
        return None if at is None else (at + 1, skeleton.live_number(at))

    def _place(self, standing: Standing) -> Place | None:
        """None for a session of another tool that was switched off meanwhile."""
        if self._others is not None and is_foreign(standing.id):
            return self._others.place(standing)
        return self._lookup.place(standing)


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
