"""From scores of passages to an order of units: fusion of both legs, who said it, neighbours, several passages of one unit.

Owns the one table of weights, fitted on one half of public sets and reported on the other (docs/benchmarks.md). Knows neither SQLite nor
what is indexed. Pure; arrays only.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.search.arrays import numpy
from desktop.search.dates import Day
from desktop.search.table import ASKS, LABELLED, PREFERS, STANDING, Array, PassageTable
from desktop.search.traits import UNKNOWN_DAY


@dataclass(frozen=True, slots=True)
class Weights:
    """The one table.

    Attributes:
        title: how often a word in a title counts as one in the text.
        character: of a single character of a script without blanks, against a pair; `function` of a pair with a function character.
        name: of a word with a capital; `stop` of a function word, `talk` of a word about the conversation itself, beside others.
        repeated: exponent of how often a word stands in the question.
        related: how often a word of the same beginning counts as the word itself.
        other: of an equivalent in the glossary, say in the other language.
        coverage: factor of a passage that holds all of a question, above 1.
        pair: of two words side by side.
        when: of words of time, for a question for a time.
        further: share of the second best passage of a unit; of the third its square.
        speaker: of a unit whose speaker the question names; `dated` of one of a day that it names.
        before, after: shares of the unit before and the one after; `answer`: more of the one before where it asks; `far`: of those beyond.
        asking: what a unit loses that only asks.
        said: of what a person said; `standing`, `prefers`: of their rules and preferences.
        support: how far the words must carry for the lexical leg to count in full beside the dense one; `known`: exponent of the share of
            the question's words that stand anywhere.
        dense_further, dense_before, dense_after: as those of the lexical leg. The share of the dense leg is its encoder's.
    """

    title: float = 3.0
    character: float = 0.3
    function: float = 0.4
    name: float = 1.5
    stop: float = 0.2
    talk: float = 0.3
    repeated: float = 0.5
    related: float = 0.4
    other: float = 0.8
    coverage: float = 0.75
    pair: float = 0.4
    when: float = 0.2
    further: float = 0.15
    speaker: float = 0.6
    dated: float = 2.0
    before: float = 0.3
    after: float = 0.3
    answer: float = 0.3
    far: float = 0.1
    asking: float = 0.2
    said: float = 2.0
    standing: float = 1.0
    prefers: float = 0.3
    support: float = 1.5
    known: float = 0.5
    dense_further: float = 0.1
    dense_before: float = 0.05
    dense_after: float = 0.1


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Units:
    """Units in the order of (document, unit), with the score of each and the passage that stands for it."""

    documents: Array
    units: Array
    scores: Array
    passages: Array


@dataclass(frozen=True, slots=True)
class Dense:
    """Scores of the dense leg.

    Attributes:
        values: at least 0 by passage, standardised.
        share: of the leg in the whole.
        complete: the encoder knows every language. Otherwise words that carry little say nothing against the lexical leg: what the
            encoder cannot see can be found by them alone.
    """

    values: Array
    share: float
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """What of a question concerns units as a whole.

    Attributes:
        names: numbers of its words, for speakers.
        recalls: it asks what was said or done, and not how to do something.
        known: share of the weight of its telling words that stand anywhere, 0…1.
        days: that it names.
    """

    names: frozenset[int]
    recalls: bool
    known: float = 1.0
    days: tuple[Day, ...] = ()


def ranked(
    table: PassageTable, passages: Array, lexical: Array, dense: Dense | None, question: Question, weights: Weights = WEIGHTS
) -> Units:
    """Fuse the scores of passages into scores of units.

    Args:
        passages: ids, each once.
        lexical: BM25 by passage, 0 without a word.
        dense: what the encoder gave; None without one.
    """
    keys = (table.document[passages] << 32) + table.unit[passages]
    order = numpy.lexsort((table.place[passages], keys))
    passages, lexical, keys = passages[order], lexical[order], keys[order]
    near = None if dense is None else dense.values[order]
    starts = numpy.flatnonzero(numpy.r_[True, keys[1:] != keys[:-1]])
    first, last = passages[starts], passages[numpy.r_[starts[1:] - 1, len(passages) - 1]]
    beside = _Beside(table, keys[starts], first, last)
    named = 1 + weights.speaker * numpy.isin(table.speaker[first], numpy.fromiter(question.names, dtype=numpy.int64))
    named = named * (1 + weights.dated * _of_days(table.day[first], question.days))
    words = _of_units(lexical, starts, weights.further)
    best = float(words.max())
    scores = _normal(beside.window(words * named, weights.before, weights.after, weights.answer, weights.far))
    if dense is not None and near is not None:
        support = (best / float(numpy.log1p(table.total)) * max(question.known, 0.05) ** weights.known) ** 2
        meaning = _of_units(near, starts, weights.dense_further)
        spread = _normal(beside.window(meaning * named, weights.dense_before, weights.dense_after, 0.0, 0.0))
        trust = support / (support + weights.support**2) if dense.complete else 1.0
        scores = scores * trust + dense.share * spread
    scores = scores * _priors(table, first, beside.asks, question, weights)
    stands = _best(lexical, near, 0.0 if dense is None else dense.share, starts)
    return Units(table.document[first], table.unit[first], scores, passages[stands])


def _of_days(days: Array, asked: tuple[Day, ...]) -> Array:
    """Whether each day is one that is asked for; one without a year is of any."""
    found = numpy.zeros(len(days), dtype=bool)
    for day in asked:
        found |= (days if day.year else days % 10_000) == day.number
    return found & (days < UNKNOWN_DAY)


def _normal(values: Array) -> Array:
    return values / (float(values.max(initial=0.0)) or 1.0)


def _of_units(values: Array, starts: Array, share: float) -> Array:
    """The best passage of each unit, with a share of the second and its square of the third."""
    rest = values.astype(numpy.float64, copy=True)
    sizes = numpy.diff(numpy.r_[starts, len(values)])
    total = numpy.zeros(len(starts))
    for power in range(3):
        top = numpy.maximum.reduceat(rest, starts)
        total += share**power * numpy.maximum(top, 0)
        is_top = rest == numpy.repeat(top, sizes)
        rest[is_top] = -1.0
    return total


def _best(lexical: Array, dense: Array | None, share: float, starts: Array) -> Array:
    """The place of the passage that stands for each unit."""
    values = _normal(lexical)
    if dense is not None:
        values = values + share * _normal(dense)
    sizes = numpy.diff(numpy.r_[starts, len(values)])
    top = numpy.repeat(numpy.maximum.reduceat(values, starts), sizes)
    places = numpy.flatnonzero(values == top)
    owner = numpy.searchsorted(starts, places, side="right") - 1
    return places[numpy.unique(owner, return_index=True)[1]]


class _Beside:
    """The units beside each unit: of the same document, and of the same day where the texts begin with one.

    Attributes:
        asks: by unit, whether somebody who is no user of ours ends it with a question; only where the text tells that somebody speaks.
    """

    def __init__(self, table: PassageTable, keys: Array, first: Array, last: Array) -> None:
        self._keys = keys
        self._days = table.day[first]
        self.asks = table.has(last, ASKS) & table.has(first, LABELLED) & ~table.said[first]

    def _at(self, step: int) -> tuple[Array, Array]:
        """Whether the unit `step` further is there, and its place."""
        at = numpy.searchsorted(self._keys, self._keys + step)
        at[at == len(self._keys)] = 0
        return (self._keys[at] == self._keys + step) & (self._days[at] == self._days), at

    def window(self, values: Array, before: float, after: float, answer: float, far: float) -> Array:
        """Each value with shares of those beside it."""
        total = values.copy()
        for step, share in ((-1, before), (1, after), (-2, far), (2, far)):
            if share or answer:
                there, at = self._at(step)
                more = share + answer * self.asks[at] if step == -1 else share
                total += numpy.where(there, more * values[at], 0.0)
        return total


def _priors(table: PassageTable, first: Array, asks: Array, question: Question, weights: Weights) -> Array:
    """Who said it, whether it is a rule, and what the document is worth."""
    said = table.said[first]
    rule = table.has(first, STANDING)
    worth = table.weight[table.document[first]] * (1 - weights.asking * asks) * (1 + (weights.said - 1) * said)
    rules = weights.standing * (said & rule) + weights.prefers * (said & ~rule & table.has(first, PREFERS))
    total: Array = worth if question.recalls else worth * (1 + rules)
    return total
