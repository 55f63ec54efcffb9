"""A search index: what its users call. Owns the order of a search (words, meaning, fusion, snippets) and nothing of what is indexed.

Files are the truth; the SQLite file may be deleted at any time. Thread-safe and blocking: never call it in the GUI thread. No question of
any content raises, and a broken file is made anew and found empty.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import StorageError
from desktop.search import update
from desktop.search.asking import PATIENCE_S, Answer, Asking
from desktop.search.encoder import Encoder
from desktop.search.literals import literals_of, share_held
from desktop.search.passage import Document, Passage
from desktop.search.segment import QUERY_CHARACTERS, Term, query_terms
from desktop.search.snippet import snippet
from desktop.search.store import IndexStore
from desktop.search.update import Vectors

if TYPE_CHECKING:
    from desktop.search.query import Searcher, Unit
    from desktop.search.rank import Weights

BATCH_PASSAGES, BATCH_DOCUMENTS = 2_000, 500
"""Passages or documents of one transaction: a search sees progress, a kill loses little."""

FLOOR = 0.15
QUERIES = 4
SETTLED = 60
"""Units at the top whose equals are told apart, with all equals of the last of them; further down nobody sees in which order they come."""

ENCODE_BATCH = 8
LOOKED_AT = 200
"""Units whose texts are looked at for literals, and passages of each."""


@dataclass(frozen=True, slots=True)
class Within:
    """Which documents a search may see; None: any.

    Attributes:
        scopes: (scope, scope_id); a scope_id of None is any.
        kinds: of documents.
        documents: keys.
    """

    scopes: tuple[tuple[str, str | None], ...] | None = None
    kinds: frozenset[str] | None = None
    documents: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One unit that was found.

    Attributes:
        document, scope, scope_id, kind: of its document.
        unit, ref, role, time, title, text: of the passage that stands for it.
        score: the first one's is 1.
        snippet: one line out of `text`; `marks` are (start, end) in it.
        words: which words of the question it holds.
        meaning: it holds none that counts and was found by the encoder.
    """

    document: str
    scope: str
    scope_id: str
    kind: str
    unit: int
    ref: str
    role: str
    time: float
    title: str
    score: float
    snippet: str
    marks: tuple[tuple[int, int], ...]
    text: str
    words: tuple[str, ...]
    meaning: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, and what the person should know of how they were found."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


class SearchIndex:
    """One SQLite file of documents.

    Args:
        file: where, or a store with its own settings; None keeps it in memory.
        encoder: gives the encoder of the dense leg, or None; called at each search, so it must be quick once it is loaded.
        weights: the table of weights.
        patience_s: how long a search waits for the encoder before it goes by words alone.
    """

    def __init__(
        self,
        file: Path | IndexStore | None,
        *,
        encoder: Callable[[], Encoder | None] | None = None,
        weights: Weights | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._store = file if isinstance(file, IndexStore) else IndexStore(file)
        self._encoder = encoder
        self._asking = Asking(encoder, patience_s) if encoder is not None else None
        self._weights = weights
        self._searcher: Searcher | None = None
        self._searching = threading.Lock()

    @property
    def rebuilt(self) -> int:
        """How often this process came upon other content than it had: found broken and made anew, purged by another process, moved between
        file and memory. What was in step has to be found out again then."""
        return self._store.rebuilt

    @property
    def problem(self) -> str:
        """Why the index is in memory only, or ""."""
        return self._store.problem

    # filling

    def fingerprints(self, prefix: str = "") -> dict[str, str]:
        """Fingerprint by key; empty for a new or broken index."""
        return self._store.read(lambda connection: update.fingerprints(connection, prefix), {})

    def update(
        self,
        put: Iterable[Document],
        remove: Iterable[str] = (),
        *,
        progress: Callable[[int], None] | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> int:
        """Put documents in and take others out, in transactions of some hundred documents each, so that it can be stopped and resumed.

        A text that is taken out and put in again in the same call keeps its vector, under whatever key, unit or time.

        Args:
            put: taken one after the other; a generator is fine. What it gave before an error of its own may be missing afterwards.
            remove: taken out first; in one transaction with a short list `put`, so that no search finds neither.
            progress: called with the number of documents put so far.
            stopped: asked between documents; True ends after those that are done.

        Returns:
            How many documents were put in.

        Raises:
            StorageError: the index cannot be written now; what was committed before stays.
            ValueError: a unit that is no number from 0 to 2^31.
        """
        gone = list(remove)
        known: Vectors = {}
        if gone and not (isinstance(put, list | tuple) and len(put) <= BATCH_DOCUMENTS):
            for start in range(0, len(gone), BATCH_DOCUMENTS):
                known |= self._change((), gone[start : start + BATCH_DOCUMENTS], {})
            gone = []
        done = waiting = 0
        pending: list[Document] = []
        for document in put:
            pending.append(document)
            waiting += len(document.passages)
            if waiting >= BATCH_PASSAGES or len(pending) >= BATCH_DOCUMENTS:
                self._change(pending, gone, known)
                done += len(pending)
                pending, waiting, gone = [], 0, []
                if progress is not None:
                    progress(done)
            if stopped is not None and stopped():
                break
        if pending or gone:
            self._change(pending, gone, known)
            done += len(pending)
            if progress is not None and pending:
                progress(done)
        if done >= BATCH_DOCUMENTS:
            self.optimize()
        return done

    def _change(self, put: Sequence[Document], remove: Sequence[str], vectors: Vectors) -> Vectors:
        """One transaction; gives the vectors of what was taken out. What only got another key keeps its own, and is never missing."""

        def work(connection: sqlite3.Connection) -> Vectors:
            known = update.remove(connection, remove)
            spare = vectors | known
            for document in put:
                update.put(connection, document, spare)
            return known

        return self._store.write(work)

    def extend(self, key: str, fingerprint: str, passages: Sequence[Passage], *, time: float = 0.0) -> bool:
        """Add passages to the end of a document that is there; False when it is not (put it whole then).

        Raises:
            StorageError: the index cannot be written now.
        """
        return self._store.write(lambda connection: update.extend(connection, key, fingerprint, passages, time))

    def optimize(self) -> None:
        """Merge what many small additions left behind. Never raises."""
        with suppress(StorageError), self._store.writing() as connection:
            connection.execute("INSERT INTO term (term) VALUES ('optimize')")

    def encode(
        self, stopped: Callable[[], bool] | None = None, *, progress: Callable[[int, int], None] | None = None, first: str | None = None
    ) -> int:
        """Make the vectors that are missing, newest passages first; does nothing without an encoder. Slow: for the background.

        Args:
            stopped: asked between batches of some passages.
            progress: called with (made, wanted).
            first: documents of this scope come before all others.

        Returns:
            How many passages were looked at.

        Raises:
            KeepsakeError: the encoder cannot be used.
            StorageError: the index cannot be written now.
        """
        encoder = self._encoder() if self._encoder is not None else None
        if encoder is None:
            return 0
        from desktop.search import dense

        wanted = self._store.read(lambda connection: dense.count_missing(connection, encoder.id), 0)
        done, below, scope = 0, dense.LAST, first
        while stopped is None or not stopped():
            none: list[dense.Text] = []
            rows = self._store.read(
                lambda connection, below=below, scope=scope: dense.missing(connection, encoder.id, ENCODE_BATCH, below, scope),  # type: ignore[misc]
                none,
            )
            if not rows and scope is not None:
                below, scope = dense.LAST, None
                continue
            if not rows:
                break
            below = rows[-1].passage
            made = dense.encoded(encoder, rows)
            self._store.write(lambda connection, made=made: dense.store(connection, made))  # type: ignore[misc]
            done += len(rows)
            if progress is not None:
                progress(done, max(wanted, done))
        return done

    def purge(self) -> None:
        """Delete the index with every byte of text in it; it fills again from the files.

        Raises:
            StorageError: its file cannot be deleted.
        """
        self._store.drop()

    def scrub(self) -> None:
        """Leave no byte of what was taken out: words of deleted texts stay in FTS5's lists and in the log until this. Costs about as much
        as filling a tenth of the index; for after a purge, where the whole index need not go.

        Raises:
            StorageError: the index cannot be written now.
        """
        self._store.scrub()

    def check(self) -> bool:
        """Look through the whole file; a damaged one is thrown away, and False says that it has to be filled again."""
        return self._store.verify()

    def count(self) -> tuple[int, int]:
        """Documents and passages."""

        def work(connection: sqlite3.Connection) -> tuple[int, int]:
            row = connection.execute("SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM passage)").fetchone()
            return int(row[0]), int(row[1])

        return self._store.read(work, (0, 0))

    def close(self) -> None:
        """Let go of the file and of what searches keep in memory. May be called twice; the next use opens it again."""
        if self._asking is not None:
            self._asking.close()
        with self._searching:
            self._searcher = None
        self._store.close()

    # searching

    def search(
        self,
        queries: str | Sequence[str],
        *,
        limit: int = 10,
        within: Within | None = None,
        floor: float = FLOOR,
        per_document: int | None = None,
        dense: bool = True,
    ) -> Found:
        """The units that answer, best first.

        Args:
            queries: one question, or up to four phrasings of it whose hits are fused.
            limit: hits at most.
            within: what may be seen.
            floor: share of the first hit's score that a further one must reach; 0: any.
            per_document: hits of one document at most.
            dense: use the encoder, where there is one.
        """
        asked = [queries] if isinstance(queries, str) else list(queries)[:QUERIES]
        vectors, notes = self._vectors_of(asked) if dense else ([], ())
        with self._searching:
            none: tuple[Hit, ...] = ()
            hits = self._store.read(lambda c: self._search(c, asked, vectors, limit, within, floor, per_document), none)
        return Found(hits, notes)

    def frequencies(self, terms: Sequence[Term]) -> tuple[int, list[int]]:
        """How many passages there are, and in how many of them each word stands; 0 of everything in a new or broken index."""
        with self._searching:
            return self._store.read(lambda connection: self._searcher_of(connection).frequencies(terms), (0, [0] * len(terms)))

    def _searcher_of(self, connection: sqlite3.Connection) -> Searcher:
        from desktop.search.query import Searcher

        if self._searcher is None or self._searcher.connection is not connection:
            self._searcher = Searcher(connection, self._weights)
        return self._searcher

    def _vectors_of(self, asked: Sequence[str]) -> tuple[list[Answer], tuple[str, ...]]:
        """The vector of each question, and what is to be said of those that are missing."""
        if self._asking is None:
            return [], ()
        answers = [self._asking.vector(query[:QUERY_CHARACTERS]) if query.strip() else (None, "") for query in asked]
        return [vector for vector, _ in answers], tuple(dict.fromkeys(note for _, note in answers if note))

    def _search(
        self,
        connection: sqlite3.Connection,
        asked: Sequence[str],
        vectors: Sequence[Answer],
        limit: int,
        within: Within | None,
        floor: float,
        per_document: int | None,
    ) -> tuple[Hit, ...]:
        from desktop.search.glossary import others

        seen = within or Within()
        found = self._searcher_of(connection).units(asked, (seen.scopes, seen.kinds, seen.documents), vectors)
        units = _literal_first(connection, found, asked)
        terms = tuple({term.match: term for query in asked for term in (*query_terms(query), *others(query[:QUERY_CHARACTERS]))}.values())
        return tuple(_hits(connection, _cut(_settled(connection, units), limit, floor, per_document), terms, meant=bool(vectors)))


def _literal_first(connection: sqlite3.Connection, ranked: Sequence[Unit], asked: Sequence[str]) -> Sequence[Unit]:
    """What holds a question's literals as they were written before what does not, each by the passage that holds most of them."""
    wanted = [literals for query in asked if (literals := literals_of(query))]
    if not wanted or not ranked:
        return ranked
    top = ranked[0].score
    raised = []
    for unit in ranked[:LOOKED_AT]:
        rows = connection.execute(
            "SELECT p.id, c.title, c.body FROM passage AS p JOIN content AS c ON c.id = p.id WHERE p.document = ? AND p.unit = ? "
            "ORDER BY p.id <> ?, p.place LIMIT ?",
            (unit.document, unit.unit, unit.passage, LOOKED_AT),
        )
        shares = [
            (sum(share_held(f"{title}\n{body}", one) for one in wanted), -n, passage) for n, (passage, title, body) in enumerate(rows)
        ]
        share, _, passage = max(shares, default=(0.0, 0, unit.passage))
        raised.append(unit._replace(score=unit.score + top * share / len(wanted), passage=passage))
    return sorted([*raised, *ranked[LOOKED_AT:]], key=lambda unit: -unit.score)


def _settled(connection: sqlite3.Connection, ranked: Sequence[Unit]) -> Sequence[Unit]:
    """The same order, but of equals the later one first, then by key and unit: never by when something came into the index."""
    end = min(SETTLED, len(ranked))
    while 0 < end < len(ranked) and round(ranked[end].score, 9) == round(ranked[end - 1].score, 9):
        end += 1  # a cut between equals would choose among them by when they came
    ranked, rest = ranked[:end], ranked[end:]
    scores = [round(unit.score, 9) for unit in ranked]
    equals = [unit for n, unit in enumerate(ranked) if scores[n] in (*scores[n + 1 : n + 2], *scores[n - 1 : n])]
    if not equals:
        return [*ranked, *rest]
    told: dict[int, tuple[float, str]] = {}
    for start in range(0, len(equals), 500):
        part = [unit.passage for unit in equals[start : start + 500]]
        holes = ", ".join("?" * len(part))
        told |= {
            row[0]: (-row[1], row[2])
            for row in connection.execute(
                "SELECT p.id, coalesce(nullif(p.time, 0), d.time), d.key FROM passage AS p JOIN document AS d ON d.id = p.document "
                f"WHERE p.id IN ({holes})",  # only question marks
                part,
            )
        }
    return [*sorted(ranked, key=lambda unit: (-round(unit.score, 9), *told.get(unit.passage, (0.0, "")), unit.unit)), *rest]


def _cut(ranked: Sequence[Unit], limit: int, floor: float, per_document: int | None) -> list[Unit]:
    """The first, and what follows above the floor."""
    kept: list[Unit] = []
    seen: dict[int, int] = {}
    for unit in ranked:
        if len(kept) >= limit or (kept and unit.score < floor * kept[0].score):
            break
        if per_document is None or seen.get(unit.document, 0) < per_document:
            kept.append(unit)
            seen[unit.document] = seen.get(unit.document, 0) + 1
    return kept


def _hits(connection: sqlite3.Connection, units: Sequence[Unit], terms: Sequence[Term], *, meant: bool) -> list[Hit]:
    top = (units[0].score if units else 0.0) or 1.0
    hits = []
    for unit in units:
        row = connection.execute(
            "SELECT d.key, d.scope, d.scope_id, d.kind, p.unit, c.ref, p.role, coalesce(nullif(p.time, 0), d.time), c.title, c.body "
            "FROM passage AS p JOIN content AS c ON c.id = p.id JOIN document AS d ON d.id = p.document WHERE p.id = ?",
            (unit.passage,),
        ).fetchone()
        if row is None:
            continue
        key, scope, scope_id, kind, number, ref, role, moment, title, body = row
        line, spans, words = snippet(body, terms)
        score = unit.score / top
        hits.append(Hit(key, scope, scope_id, kind, number, ref, role, moment, title, score, line, spans, body, words, meant and not words))
    return hits
