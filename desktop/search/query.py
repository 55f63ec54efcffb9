"""One search: words, meaning and rank, over one reading connection. Owns what is kept between searches of an index that stays as it is.

One user at a time (the index locks). Reads only.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from desktop.search.arrays import numpy
from desktop.search.asking import Answer
from desktop.search.dates import days_in
from desktop.search.dense import VectorTable
from desktop.search.encoder import Encoder
from desktop.search.glossary import others
from desktop.search.lexical import Scores, asked_of, nothing, score
from desktop.search.lexicon import SETUP, Lexicon
from desktop.search.rank import WEIGHTS, Dense, Question, Units, Weights, ranked
from desktop.search.segment import QUERY_CHARACTERS, Term, language_of, query_terms
from desktop.search.table import Array, PassageTable
from desktop.search.traits import number_of

DEPTH = 400
"""Passages of each leg that are ranked further; with their neighbours in the conversation."""

MOST = 200
"""Units of one question that are handed on."""

Limits = tuple[tuple[tuple[str, str | None], ...] | None, frozenset[str] | None, frozenset[str] | None]
_WHEN = re.compile(r"\bwhen\b|\bhow long\b|\bwhat (?:date|day|month|year|time)\b|什么时候|何时|哪天|哪一天|几月|几号|多久", re.IGNORECASE)
_RECALLS = re.compile(
    r"\b(?:did|have|had|was|were) (?:i|we|you)\b"
    r"|\b(?:i|we|you) (?:\w+ )?(?:mention|said|say|told|discuss|brought|outlin|recommend|suggest)\w*\b|还记得|说过|提到过|聊过",
    re.IGNORECASE,
)
"""A question for what was said or done, as against one for advice, in which a person's standing rules matter."""

_NAME = re.compile(r"[^\W\d_]+")


class Unit(NamedTuple):
    """A file or a message that was found, with the passage that stands for it."""

    document: int
    unit: int
    score: float
    passage: int


class Searcher:
    """Searches of one connection.

    Attributes:
        connection: the one that it reads.
    """

    def __init__(self, connection: sqlite3.Connection, weights: Weights | None = None) -> None:
        self.connection = connection
        self._weights = weights or WEIGHTS
        self._table = PassageTable()
        self._lexicon = Lexicon()
        self._vectors: VectorTable | None = None
        for statement in SETUP:
            connection.execute(statement)

    def units(self, queries: Sequence[str], limits: Limits, vectors: Sequence[Answer] = ()) -> list[Unit]:
        """What answers any of the questions, best first; a unit that answers several of them earns from each.

        Args:
            vectors: the encoder with the vector of each question, or None; empty for none at all.
        """
        self._table.refresh(self.connection)
        allowed = self._table.allowed(*limits)
        if allowed is not None and not allowed.any():
            return []
        if len(queries) == 1:
            return sorted(self._one(queries[0], vectors[0] if vectors else None, allowed), key=_rank)
        found: dict[tuple[int, int], Unit] = {}
        for query, vector in zip_longest(queries, vectors):
            for unit in self._one(query, vector, allowed):
                key = (unit.document, unit.unit)
                known = found.get(key)
                found[key] = unit if known is None else max(known, unit, key=_score)._replace(score=known.score + unit.score)
        return sorted(found.values(), key=_rank)

    def frequencies(self, terms: Sequence[Term]) -> tuple[int, list[int]]:
        """How many passages there are, and in how many of them each word stands."""
        self._table.refresh(self.connection)
        self._lexicon.refresh(self._table)
        return self._table.total, [self._lexicon.frequency(self.connection, term) for term in terms]

    def _one(self, query: str, vector: Answer, allowed: Array | None) -> list[Unit]:
        words = self._words(query, allowed)
        passages, lexical = self._best_of(words)
        dense = None
        if vector is not None and _knows(vector[0], query):
            near, values = self._meaning(vector, allowed)
            both = numpy.union1d(passages, _top(near, values)[0])
            lexical, dense = (
                _at(both, words.passages, words.values),
                Dense(_at(both, near, values), vector[0].share, vector[0].languages is None),
            )
            passages = both
        if not len(passages):
            return []
        question = Question(
            frozenset(map(number_of, _NAME.findall(query[:1_000]))),
            bool(_RECALLS.search(query[:1_000])),
            words.known,
            days_in(query[:1_000]),
        )
        return _listed(ranked(self._table, passages, lexical, dense, question, self._weights))

    def _best_of(self, words: Scores) -> tuple[Array, Array]:
        """The best passages by words, and those of the units beside them that hold a word too."""
        if len(words.passages) <= DEPTH:
            return words.passages, words.values
        best, _ = _top(words.passages, words.values)
        keys = (self._table.document[words.passages] << 32) + self._table.unit[words.passages]
        chosen = numpy.unique((self._table.document[best] << 32) + self._table.unit[best])
        near = numpy.unique(numpy.concatenate([chosen - 1, chosen, chosen + 1]))
        places = numpy.minimum(numpy.searchsorted(near, keys), len(near) - 1)
        kept = near[places] == keys
        return words.passages[kept], words.values[kept]

    def _words(self, query: str, allowed: Array | None) -> Scores:
        terms = query_terms(query)
        if not terms:
            return nothing()
        asked = asked_of(
            terms, others(query[:QUERY_CHARACTERS]), query[:QUERY_CHARACTERS], self._weights, bool(_WHEN.search(query[:1_000]))
        )
        return score(self.connection, asked, self._table, self._lexicon, allowed, self._weights)

    def _meaning(self, vector: tuple[Encoder, Array], allowed: Array | None) -> tuple[Array, Array]:
        """(passages, score of each) by the encoder."""
        encoder, question = vector
        if self._vectors is None or self._vectors.encoder != encoder.id:
            self._vectors = VectorTable(encoder.id, encoder.dimensions)
        self._vectors.refresh(self.connection, self._table)
        return self._vectors.scores(question, self._table, allowed)


def _knows(encoder: Encoder, query: str) -> bool:
    """Whether the encoder knows the language of a question; of another its vectors make no sense."""
    return encoder.languages is None or language_of(query) in encoder.languages


def _top(passages: Array, values: Array) -> tuple[Array, Array]:
    """The best DEPTH of them, in any order."""
    if len(passages) <= DEPTH:
        return passages, values
    best = numpy.argpartition(-values, DEPTH)[:DEPTH]
    return passages[best], values[best]


def _at(wanted: Array, passages: Array, values: Array) -> Array:
    """The values of `wanted`, 0 where it is not among `passages`. Both without repetitions, `wanted` in order."""
    found = numpy.zeros(len(wanted))
    if len(wanted):
        places = numpy.minimum(numpy.searchsorted(wanted, passages), len(wanted) - 1)
        same = wanted[places] == passages
        found[places[same]] = values[same]
    return found


def _score(unit: Unit) -> float:
    return unit.score


def _rank(unit: Unit) -> tuple[float, int]:
    return -unit.score, -unit.passage


def _listed(units: Units) -> list[Unit]:
    """As values, best first, the best one's score 1; of many the best MOST."""
    top = float(units.scores.max()) or 1.0
    best = numpy.argsort(-units.scores, kind="stable")[:MOST]
    columns = (units.documents, units.units, units.scores / top, units.passages)
    return list(map(Unit._make, zip(*(column[best].tolist() for column in columns), strict=True)))
