"""The lexical leg: a score of every passage that holds words of a question. Owns how words are looked up in FTS5 and weighed.

FTS5 keeps the words; BM25 is computed here over whole arrays, since its own function costs ten times as much a passage (measured: 0.09
against 1.1 µs). Of a long question the rarest words are taken until a number of places is used up, so that a small index is asked for all
of them and a large one costs no more than that allows. One user at a time; reads only.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy

from desktop.search.families import FAMILY
from desktop.search.rank import Weights
from desktop.search.segment import STOP, Term
from desktop.search.table import TIMED, Array, PassageTable, numbers

LEAST_TERMS, MOST_TERMS, MOST_PAIRS = 3, 64, 16
POSTINGS = 30_000
"""Places of words that a search looks at."""

KEPT_POSTINGS = 512
"""Words whose places are kept while the index stays as it is: what a person types letter by letter is asked for again and again."""

K1, B = 1.2, 0.75

SETUP = (
    "CREATE VIRTUAL TABLE temp.place USING fts5vocab(main, term, instance)",
    "CREATE VIRTUAL TABLE temp.stemmer USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 1')",
    "CREATE VIRTUAL TABLE temp.stem USING fts5vocab(temp, stemmer, instance)",
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

    def refresh(self, table: PassageTable) -> None:
        if table.changes == self.changes:
            return
        self.postings.clear()
        if abs(table.total - self.total) * 50 > self.total or len(self.frequencies) > 50_000:
            self.frequencies.clear()
            self.total = table.total
        self.changes = table.changes

    def frequency(self, connection: sqlite3.Connection, term: Term) -> int:
        """In how many passages the word stands; may be a little old in an index that changes."""
        known = self.frequencies.get(term.match)
        if known is None:
            row = connection.execute("SELECT count(*) FROM term WHERE term MATCH ?", (_match(term),)).fetchone()
            known = self.frequencies[term.match] = row[0]
        return known

    def posting(self, connection: sqlite3.Connection, term: Term) -> Posting:
        known = self.postings.pop(term.match, None)
        if known is None:
            known = _posting(connection, term)
            while len(self.postings) >= KEPT_POSTINGS:
                self.postings.popitem(last=False)
        self.postings[term.match] = known
        return known


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a question is looked up.

    Attributes:
        terms, weights: words and how much each counts before its rarity.
        pairs: words that follow each other in the question.
        when: it asks for a time.
        names: words of the question, for speakers.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    pairs: tuple[tuple[Term, Term], ...]
    when: bool
    text: str


@dataclass(frozen=True, slots=True)
class Scores:
    """Passages that hold words of a question, and the score of each.

    Attributes:
        support: share of the question's weight that the best passage holds, 0…1.
    """

    passages: Array
    values: Array
    support: float


def nothing() -> Scores:
    return Scores(numpy.empty(0, dtype=numpy.int64), numpy.empty(0), 0.0)


def _family(term: Term) -> tuple[str, ...]:
    return FAMILY.get(term.shown, ()) if term.kind == "word" else ()


def _match(term: Term) -> str:
    """The FTS5 expression of a word with its irregular forms."""
    family = _family(term)
    return f"({' OR '.join(f'{chr(34)}{form}{chr(34)}' for form in dict.fromkeys((term.shown, *family)))})" if family else term.match


def _posting(connection: sqlite3.Connection, term: Term) -> Posting:
    texts = _places(connection, term)
    passages, counts = numpy.unique(texts, return_counts=True)
    titled = numbers(
        connection.execute("SELECT group_concat(rowid) FROM term WHERE term MATCH ?", (f"title : {_match(term)}",)).fetchone()[0]
    )
    return Posting(passages, counts.astype(numpy.float32), titled)


def _places(connection: sqlite3.Connection, term: Term) -> Array:
    """The passage of every place where a word stands; phrases and beginnings of words count once a passage."""
    if term.kind in ("phrase", "prefix"):
        return _matching(connection, term.match)
    stems = stems_of(connection, dict.fromkeys((term.shown, *_family(term))))
    if stems is None:
        return _matching(connection, _match(term))
    holes = ", ".join("?" * len(stems))
    return numbers(connection.execute(f"SELECT group_concat(doc) FROM temp.place WHERE term IN ({holes})", stems).fetchone()[0])


def _matching(connection: sqlite3.Connection, expression: str) -> Array:
    return numbers(connection.execute("SELECT group_concat(rowid) FROM term WHERE term MATCH ?", (expression,)).fetchone()[0])


def stems_of(connection: sqlite3.Connection, words: Sequence[str] | dict[str, None]) -> list[str] | None:
    """The stems under which FTS5 keeps words; None when one of them is not kept as exactly one."""
    connection.executemany("INSERT INTO temp.stemmer (rowid, word) VALUES (?, ?)", enumerate(words, 1))
    found = connection.execute("SELECT term, doc FROM temp.stem").fetchall()
    connection.execute("DELETE FROM temp.stemmer")
    if len(found) != len(words) or len({doc for _, doc in found}) != len(words):
        return None
    return list(dict.fromkeys(stem for stem, _ in found))


def chosen(connection: sqlite3.Connection, asked: Asked, lexicon: Lexicon) -> Asked:
    """The question with its rarest words only, as far as the places that are looked at allow."""
    counted = sorted((count, number) for number, term in enumerate(asked.terms) if (count := lexicon.frequency(connection, term)))
    kept: list[int] = []
    cost = 0
    for count, number in counted:
        cost += count
        if len(kept) >= MOST_TERMS or (len(kept) >= LEAST_TERMS and cost > POSTINGS):
            break
        kept.append(number)
    return replace(asked, terms=tuple(asked.terms[n] for n in kept), weights=tuple(asked.weights[n] for n in kept))


def score(
    connection: sqlite3.Connection, asked: Asked, table: PassageTable, lexicon: Lexicon, allowed: Array | None, weights: Weights
) -> Scores:
    """BM25 with rarer words heavier, title words heavier, more for passages that hold more of the question and its words side by side."""
    lexicon.refresh(table)
    asked = replace(asked, terms=tuple(_reaching(connection, t, lexicon) if t.kind == "prefix" else t for t in asked.terms))
    missing = [term for term in asked.terms if not lexicon.frequency(connection, term)]
    taken = chosen(connection, asked, lexicon)
    if not taken.terms:
        return nothing()
    postings = [lexicon.posting(connection, term) for term in taken.terms]
    passages = numpy.unique(numpy.concatenate([posting.passages for posting in postings]))
    if allowed is not None:
        passages = passages[allowed[table.document[passages]]]
    if not len(passages):
        return nothing()
    norm = K1 * (1 - B + B * table.length[passages] / table.mean)
    values, held = numpy.zeros(len(passages)), numpy.zeros(len(passages))
    whole = sum(rarity(table.total, 0) * weights.missing for term in missing if term.kind == "word")
    for posting, weight, term in zip(postings, taken.weights, taken.terms, strict=True):
        worth = weight * rarity(table.total, lexicon.frequency(connection, term))
        counts = _counts(posting, passages, weights.title)
        values += worth * counts * (K1 + 1) / (counts + norm)
        held += worth * (counts > 0)
        whole += worth
    values += weights.pair * _pairs(connection, asked, passages, table, lexicon)
    values *= 1 + weights.coverage * held / max(whole, 1e-9)
    if asked.when:
        values *= 1 + weights.when * table.has(passages, TIMED)
    return Scores(passages, values, float(held.max() / max(whole, 1e-9)))


def _reaching(connection: sqlite3.Connection, term: Term, lexicon: Lexicon) -> Term:
    """The beginning of a word as far as the stemmer keeps it: of “deployment” it keeps “deploy”, so that “deploym” would find nothing."""
    for length in range(len(term.shown), max(3, len(term.shown) - 5) - 1, -1):
        begin = term.shown[:length]
        ending = f' OR "{begin[:-1]}"*' if begin.endswith("y") and length > 3 else ""  # the stemmer keeps “deploi” of “deploy”
        shorter = replace(term, match=f'("{begin}"*{ending})')
        if lexicon.frequency(connection, shorter):
            return shorter
    return term


def rarity(total: int, count: int) -> float:
    return math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))


def _counts(posting: Posting, passages: Array, title: float) -> Array:
    """How often a word stands in each of `passages`; once in a title counts as `title` times."""
    counts = numpy.zeros(len(passages))
    _add(counts, passages, posting.passages, posting.counts)
    if title > 1 and len(posting.titles):
        _add(counts, passages, posting.titles, numpy.full(len(posting.titles), title - 1))
    return counts


def _add(counts: Array, passages: Array, ids: Array, amounts: Array) -> None:
    places = numpy.searchsorted(passages, ids)
    places[places == len(passages)] = 0
    same = passages[places] == ids
    counts[places[same]] += amounts[same]


def _pairs(connection: sqlite3.Connection, asked: Asked, passages: Array, table: PassageTable, lexicon: Lexicon) -> Array:
    """For each passage, the worth of neighbouring words of the question that stand close to each other in it."""
    found = numpy.zeros(len(passages))
    for one, other in asked.pairs[:MOST_PAIRS]:
        counts = [lexicon.frequency(connection, term) for term in (one, other)]
        if not all(counts) or max(counts) > POSTINGS:
            continue
        near = Term(f"NEAR({one.match} {other.match}, 3)", "", "phrase")
        ids = lexicon.posting(connection, near).passages
        worth = sum(rarity(table.total, count) for count in counts) / 2
        _add(found, passages, ids, numpy.full(len(ids), worth))
    return found


def asked_of(terms: Sequence[Term], text: str, weights: Weights, when: bool) -> Asked:
    """What is looked up of a question.

    Args:
        terms: with repetitions, function words left out.
    """
    times = Counter(term.match for term in terms)
    unique = tuple({term.match: term for term in terms}.values())
    worth = tuple(times[term.match] ** weights.repeated * _kind_weight(term, text, weights) for term in unique)
    words = [term for term in terms if term.kind == "word"]
    pairs = dict.fromkeys((one, other) for one, other in pairwise(words) if one.match != other.match)
    return Asked(unique, worth, tuple(pairs), when, text)


def _kind_weight(term: Term, text: str, weights: Weights) -> float:
    if term.kind == "character":
        return weights.character
    if term.kind == "word" and term.shown not in STOP and _is_name(term.shown, text):
        return weights.name
    return 1.0


def _is_name(word: str, text: str) -> bool:
    """Whether a word is written with a capital inside the question, not as its first word."""
    at = text.find(word.capitalize())
    return at > 0 and word.isalpha() and word.isascii() and text[:at].strip() != ""
