"""Words of an index and the passages in which they stand, as FTS5 keeps them. Owns how they are looked up and what is kept of that.

FTS5's own BM25 costs ten times as much a passage as its lists of places read as one text (measured: 1.1 against 0.09 µs), so places are
read and weighed over whole arrays. One user at a time; reads only.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from desktop.search.arrays import numpy
from desktop.search.families import FAMILY
from desktop.search.porter import porter
from desktop.search.segment import Term
from desktop.search.snippet import beginning_of
from desktop.search.table import Array, PassageTable, numbers

COUNTED_POSTINGS = 400
"""Passages up to which it is counted how often a word stands in each: it tells little of a common one, and costs three times as much."""

KEPT_POSTINGS, KEPT_STEMS = 512, 20_000
"""Words whose places are kept while the index stays as it is: what a person types letter by letter is asked for again and again."""

COMMON = 1_000
"""Words in more passages than this may be counted as they were a little while ago."""

SETUP = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.place USING fts5vocab(main, term, instance)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.stemmer USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 1')",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.stem USING fts5vocab(temp, stemmer, instance)",
)


@dataclass(frozen=True, slots=True)
class Posting:
    """Where a word stands: ids of passages in order, how often in each, and which of them hold it in the title."""

    passages: Array
    counts: Array
    titles: Array


@dataclass(slots=True)
class Lexicon:
    """Words of an index with their places, kept while it does not change."""

    changes: int = -1
    total: int = 0
    frequencies: dict[str, int] = field(default_factory=dict)
    postings: OrderedDict[str, Posting] = field(default_factory=OrderedDict)
    stems: dict[str, str] = field(default_factory=dict)
    titled: bool = False

    def refresh(self, table: PassageTable) -> None:
        if table.changes == self.changes:
            return
        self.postings.clear()
        self.titled = table.titled
        if abs(table.total - self.total) * 50 > self.total or len(self.frequencies) > 50_000:
            self.frequencies.clear()
            self.total = table.total
        else:  # a word that was nowhere may stand somewhere now; only what is common is dear to count and hardly another
            self.frequencies = {match: count for match, count in self.frequencies.items() if count > COMMON}
        self.changes = table.changes

    def frequency(self, connection: sqlite3.Connection, term: Term) -> int:
        """In how many passages the word stands; of a common word it may be a little old in an index that changes."""
        known = self.frequencies.get(term.match)
        if known is None:
            row = connection.execute("SELECT count(*) FROM term WHERE term MATCH ?", (matching(term),)).fetchone()
            known = self.frequencies[term.match] = row[0]
        return known

    def learn(self, connection: sqlite3.Connection, terms: Iterable[Term]) -> None:
        """Find the stems of all words of a question at once; one by one costs as much as all else."""
        stems_of(connection, dict.fromkeys(form for t in terms if t.kind not in _ONCE for form in (t.shown, *_family(t))), self.stems)

    def some(self, connection: sqlite3.Connection, term: Term, most: int) -> Posting:
        """Of the passages that hold a term the first `most`, each counted once."""
        key = f"{most} {term.match}"
        known = self.postings.pop(key, None)
        if known is None:
            row = connection.execute(
                "SELECT group_concat(rowid) FROM (SELECT rowid FROM term WHERE term MATCH ? LIMIT ?)", (term.match, most)
            ).fetchone()
            passages = numbers(row[0])
            known = Posting(passages, numpy.ones(len(passages), dtype=numpy.float32), numpy.empty(0, dtype=numpy.int64))
        return self._keep(key, known)

    def _keep(self, key: str, posting: Posting) -> Posting:
        while len(self.postings) >= KEPT_POSTINGS:
            self.postings.popitem(last=False)
        self.postings[key] = posting
        return posting

    def posting(self, connection: sqlite3.Connection, term: Term) -> Posting:
        known = self.postings.pop(term.match, None)
        if known is None:
            counted = term.kind not in _ONCE and self.frequency(connection, term) <= COUNTED_POSTINGS
            known = _posting(connection, term, self.stems, self.titled, counted)
        return self._keep(term.match, known)


def _family(term: Term) -> tuple[str, ...]:
    return FAMILY.get(term.shown, ()) if term.kind == "word" else ()


def matching(term: Term) -> str:
    """The FTS5 expression of a word with its irregular forms."""
    family = _family(term)
    return f"({' OR '.join(f'{chr(34)}{form}{chr(34)}' for form in dict.fromkeys((term.shown, *family)))})" if family else term.match


def _posting(connection: sqlite3.Connection, term: Term, stems: dict[str, str], titled: bool, counted: bool) -> Posting:
    texts = _places(connection, term, stems) if counted else _matching(connection, matching(term))
    if (
        not counted and len(texts) and texts[0] >= 0 and (texts[1:] > texts[:-1]).all()
    ):  # each passage once, as FTS5 of a sound index gives them
        passages, counts = texts, numpy.ones(len(texts), dtype=numpy.float32)
    else:
        times = numpy.bincount(texts) if len(texts) else texts  # in one pass; sorting them takes ten times as long
        passages = numpy.flatnonzero(times)
        counts = times[passages].astype(numpy.float32)
    whole = titled and term.kind not in _ONCE
    titles = _matching(connection, f"title : {matching(term)}") if whole else numpy.empty(0, dtype=numpy.int64)
    return Posting(passages, counts, titles)


_ONCE = ("phrase", "prefix", "sign", "hash")
"""Kinds of terms that count once a passage: FTS5 tells where they stand only as a whole."""


def _places(connection: sqlite3.Connection, term: Term, stems: dict[str, str]) -> Array:
    """The passage of every place where a word stands."""
    if term.kind in _ONCE:
        return _matching(connection, term.match)
    kept = stems_of(connection, dict.fromkeys((term.shown, *_family(term))), stems)
    if kept is None:
        return _matching(connection, matching(term))
    holes = ", ".join("?" * len(kept))
    return numbers(connection.execute(f"SELECT group_concat(doc) FROM temp.place WHERE term IN ({holes})", kept).fetchone()[0])


def _matching(connection: sqlite3.Connection, expression: str) -> Array:
    return numbers(connection.execute("SELECT group_concat(rowid) FROM term WHERE term MATCH ?", (expression,)).fetchone()[0])


def stems_of(connection: sqlite3.Connection, words: Iterable[str], known: dict[str, str]) -> list[str] | None:
    """The stems under which FTS5 keeps words, each once; None when one of them is not kept as exactly one.

    Args:
        known: stems by word that were found before, "" for a word that is not kept as one; added to.
    """
    wanted = list(words)
    new = [word for word in wanted if word not in known]
    if new:
        if len(known) > KEPT_STEMS:
            known.clear()
            new = wanted
        connection.executemany("INSERT INTO temp.stemmer (rowid, word) VALUES (?, ?)", enumerate(new))
        found: dict[int, list[str]] = {}
        for stem, number in connection.execute("SELECT term, doc FROM temp.stem").fetchall():
            found.setdefault(number, []).append(stem)
        connection.execute("DELETE FROM temp.stemmer")
        known.update((word, found[n][0] if len(found.get(n, ())) == 1 else "") for n, word in enumerate(new))
    stems = list(dict.fromkeys(known[word] for word in wanted))
    return stems if all(stems) else None


def _reaches(begin: str, term: Term, stems: dict[str, str]) -> bool:
    """Whether words that begin so are surely this one too: then there are as many of them at least, and they need not be counted."""
    return not _family(term) and stems.get(term.shown, "").startswith(porter(begin))


def related(connection: sqlite3.Connection, term: Term, most: int, lexicon: Lexicon) -> Posting | None:
    """Where words stand that begin as this one's stem does: scheduler for schedule. None when they are too many to tell anything."""
    begin = beginning_of(term)
    if not begin or (lexicon.frequency(connection, term) > most and _reaches(begin, term, lexicon.stems)):
        return None
    family = Term(f'"{begin}"*', "", "prefix")
    posting = lexicon.some(connection, family, most + 1)
    return posting if len(posting.passages) <= most else None
