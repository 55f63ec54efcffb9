"""From scores of passages to an order of units: fusion of both legs, who said it, neighbours, several passages of one unit.

Owns the one table of weights, fitted on one half of public sets and reported on the other (docs/benchmarks.md). Knows neither SQLite nor
what is indexed. Pure; arrays only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from desktop.search.table import ASKS, POLITE, PREFERS, STANDING, Array, PassageTable


@dataclass(frozen=True, slots=True)
class Weights:
    """The one table.

    Attributes:
        title: how often a word in a title counts as one in the text.
        character: of a single character of a script without blanks, against a pair.
        name: of a word with a capital.
        repeated: exponent of how often a word stands in the question.
        missing: share of the weight of words that stand nowhere, when it is told how much of a question a passage holds.
        coverage: factor of a passage that holds all of a question, above 1.
        pair: of two words side by side.
        when: of words of time, for a question for a time.
        further: share of the second best passage of a unit; of the third its square.
        steady: how soon the lexical leg counts in full; the dense one is heavier where words hardly match.
        dense: share of the dense leg against the lexical one.
        speaker: of a unit whose speaker the question names.
        said: of what a person said.
        before, after: shares of the unit before and the one after; `answer`: more of the one before where it asks; `far`: of those beyond.
        asking: what a unit loses that only asks.
        standing, prefers, polite: of a person's rules, preferences and thanks.
    """

    title: float = 3.0
    character: float = 0.3
    name: float = 1.5
    repeated: float = 0.5
    missing: float = 0.0
    coverage: float = 0.75
    pair: float = 0.4
    when: float = 0.2
    further: float = 0.2
    steady: float = 1.0
    dense: float = 0.5
    speaker: float = 0.6
    said: float = 2.0
    before: float = 0.3
    after: float = 0.3
    answer: float = 0.3
    far: float = 0.05
    asking: float = 0.2
    standing: float = 0.0
    prefers: float = 0.0
    polite: float = 0.0


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Units:
    """Units in the order of (document, unit), with the score of each and the passage that stands for it.

    Attributes:
        lexical, dense: what each leg gave, 0…1, before neighbours.
    """

    documents: Array
    units: Array
    scores: Array
    passages: Array
    lexical: Array
    dense: Array


def ranked(
    table: PassageTable, passages: Array, lexical: Array, dense: Array | None, names: frozenset[int], weights: Weights = WEIGHTS
) -> Units:
    """Fuse the scores of passages into scores of units.

    Args:
        passages: ids, each once.
        lexical: BM25 by passage, 0 without a word.
        dense: at least 0 by passage, standardised; None without an encoder.
        names: numbers of the question's words, for speakers.
    """
    keys = (table.document[passages] << 32) + table.unit[passages]
    order = numpy.lexsort((table.place[passages], keys))
    passages, lexical, keys = passages[order], lexical[order], keys[order]
    starts = numpy.flatnonzero(numpy.r_[True, keys[1:] != keys[:-1]])
    words = _of_units(lexical, starts, weights.further)
    top = float(words.max())
    if top > 0:
        words = words / top * (top / (top + weights.steady * numpy.log1p(table.total)))
    meaning = numpy.zeros(len(starts))
    if dense is not None:
        meaning = _of_units(dense[order], starts, weights.further)
        meaning = meaning / (float(meaning.max()) or 1.0)
    fused = words + weights.dense * meaning
    best = _best(fused, lexical, None if dense is None else dense[order], starts, weights)
    first, last = passages[starts], passages[numpy.r_[starts[1:] - 1, len(passages) - 1]]
    scores = _among_neighbours(table, keys[starts], first, last, fused, names, weights)
    return Units(table.document[first], table.unit[first], scores, passages[best], words, meaning)


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


def _best(fused: Array, lexical: Array, dense: Array | None, starts: Array, weights: Weights) -> Array:
    """The place of the passage that stands for each unit."""
    scale = float(lexical.max()) or 1.0
    values = lexical / scale
    if dense is not None:
        values = values + weights.dense * dense / (float(dense.max()) or 1.0)
    sizes = numpy.diff(numpy.r_[starts, len(values)])
    top = numpy.repeat(numpy.maximum.reduceat(values, starts), sizes)
    places = numpy.flatnonzero(values == top)
    owner = numpy.searchsorted(starts, places, side="right") - 1
    return places[numpy.unique(owner, return_index=True)[1]]


def _among_neighbours(
    table: PassageTable, keys: Array, first: Array, last: Array, fused: Array, names: frozenset[int], weights: Weights
) -> Array:
    """Scores with what the question says of the speaker, with shares of the units beside, and with who said it."""
    documents = table.document[first]
    own = fused * table.weight[documents]
    if names:
        own = own * (1 + weights.speaker * numpy.isin(table.speaker[first], numpy.fromiter(names, dtype=numpy.int64)))
    said = table.said[first]
    asks = table.has(last, ASKS) & ~said
    days = table.day[first]
    scores = own.copy()
    for step, share in ((-1, weights.before), (1, weights.after), (-2, weights.far), (2, weights.far)):
        there, at = _beside(keys, days, step)
        more = share + (weights.answer * asks[at] if step == -1 else 0.0)
        scores += numpy.where(there, more * own[at], 0.0)
    scores *= 1 - weights.asking * asks
    scores *= 1 + (weights.said - 1) * said
    if weights.standing or weights.prefers or weights.polite:
        rule = table.has(first, STANDING)
        scores *= 1 + said * (weights.standing * rule + weights.prefers * (table.has(first, PREFERS) & ~rule))
        scores *= 1 - weights.polite * (table.has(first, POLITE) & said)
    return scores


def _beside(keys: Array, days: Array, step: int) -> tuple[Array, Array]:
    """Whether the unit `step` further in the same document and of the same day is there, and its place."""
    at = numpy.searchsorted(keys, keys + step)
    at[at == len(keys)] = 0
    return (keys[at] == keys + step) & (days[at] == days), at
