"""The lexical leg: a score of every passage that holds words of a question. Owns how words are weighed (BM25 and what is put on it).

Of a long question the rarest words are taken until a number of places is used up, so that a small index is asked for all of them and a
large one costs no more than that allows. One user at a time; reads only.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop.search.arrays import numpy
from desktop.search.lexicon import Lexicon, Posting, related
from desktop.search.rank import Weights
from desktop.search.segment import STOP, TALK, Term, is_function, is_stop, is_telling
from desktop.search.table import TIMED, Array, PassageTable

LEAST_TERMS, MOST_TERMS, MOST_PAIRS = 3, 64, 16
POSTINGS = 30_000
"""Places of words that a search looks at."""

WEAK_POSTINGS, RELATED_POSTINGS, OTHER_POSTINGS, PAIR_POSTINGS = 500, 300, 2_000, 1_500
"""The same for a function word, for words that only begin alike, for an equivalent, and for a word of a pair: none
tells enough to cost more."""

BELOW_EXACT = 0.9
"""Share of the best passage with all words of a question that equivalents may lift one without them to."""

K1, B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a question is looked up.

    Attributes:
        terms, weights: words and how much each counts before its rarity.
        pairs: words that follow each other in the question.
        others: equivalents of its words in the glossary.
        when: it asks for a time.
        text: the question, for capitals.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    pairs: tuple[tuple[Term, Term], ...]
    others: tuple[Term, ...]
    when: bool
    text: str


@dataclass(frozen=True, slots=True)
class Scores:
    """Passages that hold words of a question, and the score of each.

    Attributes:
        known: share of the weight of the question's telling words that stand anywhere, 0…1.
    """

    passages: Array
    values: Array
    known: float


def nothing() -> Scores:
    return Scores(numpy.empty(0, dtype=numpy.int64), numpy.empty(0), 1.0)


def chosen(connection: sqlite3.Connection, asked: Asked, lexicon: Lexicon) -> Asked:
    """The question with its rarest words only, as far as the places that are looked at allow."""
    telling = any(map(is_telling, asked.terms))
    counted = sorted(
        (count, number)
        for number, term in enumerate(asked.terms)
        if (count := lexicon.frequency(connection, term)) and (count <= WEAK_POSTINGS or not telling or not is_stop(term))
    )
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
    taken = chosen(connection, asked, lexicon)
    others = [term for term in asked.others if 0 < lexicon.frequency(connection, term) <= OTHER_POSTINGS]
    if not taken.terms and not others:
        return nothing()
    lexicon.learn(connection, taken.terms)
    postings = [lexicon.posting(connection, term) for term in taken.terms]
    meant = [lexicon.posting(connection, term) for term in others]
    places = _Places(table, postings + meant, allowed)
    if not len(places.passages):
        return nothing()
    size = len(places.passages)
    norm = K1 * (1 - B + B * table.length[places.passages] / table.mean)
    own, every, more = _Sum(size), _Sum(size), _Sum(size)
    tells, says, letters = numpy.zeros(size, dtype=bool), numpy.zeros(size, dtype=bool), numpy.zeros(size)
    for posting, weight, term in zip(postings, taken.weights, taken.terms, strict=True):
        worth = weight * rarity(table.total, lexicon.frequency(connection, term))
        family = related(connection, term, RELATED_POSTINGS, lexicon) if term.kind == "word" and term.shown not in STOP else None
        at, counts = _held(posting, places, weights.title)
        own.add(at, counts, worth)
        if family is not None:
            at, counts = _with_related(at, counts, places.of(family.passages)[0], weights.related, size)
        every.add(at, counts, worth)
        if not is_stop(term):
            says[at] = True
        if is_telling(term):
            tells[at] = True
        elif term.kind == "character" and not is_function(term):
            letters[at] += 1
    for posting, term in zip(meant, others, strict=True):
        at, counts = _held(posting, places, weights.title)
        more.add(at, counts, weights.other * rarity(table.total, lexicon.frequency(connection, term)))
        tells[at] = says[at] = True
    whole = sum(every.worths)
    exact, held, values = own.held(), every.held(), every.weighed(norm)
    values += weights.pair * _pairs(connection, asked, places, table, lexicon)
    known = _known(connection, asked, table, lexicon)
    exact *= known / max(whole, 1e-9)  # words that stand nowhere are words that no passage holds
    values = _with_equivalents(values, more.weighed(norm), 1 + weights.coverage * held / max(whole, 1e-9), exact > 0.999)
    if asked.when:
        values *= 1 + weights.when * table.has(places.passages, TIMED)
    told = _told(asked, tells, says, letters)
    return Scores(places.passages[told], values[told], known)


def _with_equivalents(values: Array, more: Array, factor: Array, whole: Array) -> Array:
    """Scores with what equivalents add, so that no number of them lifts a passage above the best one with all words of the question.

    Args:
        values: by words of the question; `more`: by equivalents; `factor`: for how much of the question is held.
        whole: whether a passage holds every word of the question itself.
    """
    own, total = values * factor, (values + more) * factor
    if not whole.any():
        return total
    most = BELOW_EXACT * float(total[whole].max())
    raised: Array = numpy.where(whole, total, numpy.maximum(own, numpy.minimum(total, most)))
    return raised


def _told(asked: Asked, tells: Array, says: Array, letters: Array) -> Array:
    """Which passages are found. None, unless some passage holds a telling word, or half of the characters of a script without blanks: an
    unrelated question finds nothing. Then those that hold more than function words; with characters, any that hold one. A question of
    function words alone finds what it can."""
    characters = sum(term.kind == "character" and not is_function(term) for term in asked.terms)
    if not characters and not any(map(is_telling, asked.terms)):
        return numpy.ones(len(tells), dtype=bool)
    if not (tells.any() or (characters and (letters * 2 >= characters).any())):
        return numpy.zeros(len(tells), dtype=bool)
    return numpy.ones(len(tells), dtype=bool) if characters else says


class _Places:
    """The passages that hold any word of a question, and where each stands in the arrays of this search."""

    def __init__(self, table: PassageTable, postings: Sequence[Posting], allowed: Array | None) -> None:
        seen = numpy.zeros(len(table.document), dtype=bool)
        for posting in postings:
            seen[posting.passages] = True
        passages = numpy.flatnonzero(seen)
        if allowed is not None:
            passages = passages[allowed[table.document[passages]]]
        self.passages: Array = passages
        self._place = numpy.full(len(seen), -1, dtype=numpy.int32)
        self._place[passages] = numpy.arange(len(passages), dtype=numpy.int32)

    def of(self, ids: Array) -> tuple[Array, Array]:
        """The places of `ids` that are among the passages, and whether each of `ids` is."""
        places = self._place[ids]
        here = places >= 0
        return places[here], here


class _Sum:
    """Words at the places that hold them, added up in one pass: in the order of the words at each place, as sums of floats depend on it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._places: list[Array] = [numpy.empty(0, dtype=numpy.int64)]
        self._counts: list[Array] = [numpy.empty(0)]
        self._sizes = [0]
        self.worths = [0.0]

    def add(self, at: Array, counts: Array, worth: float) -> None:
        """A word that is worth so much, at places that are there once each, and how often it stands in each."""
        self._places.append(at)
        self._counts.append(counts)
        self._sizes.append(len(at))
        self.worths.append(worth)

    def held(self) -> Array:
        """By place, the worth of the words that stand there."""
        return self._summed(numpy.repeat(self.worths, self._sizes))

    def weighed(self, norm: Array) -> Array:
        """By place, what BM25 gives for them."""
        counts = numpy.concatenate(self._counts)
        worths = numpy.repeat(self.worths, self._sizes)
        return self._summed(worths * counts * (K1 + 1) / (counts + norm[numpy.concatenate(self._places)]))

    def _summed(self, amounts: Array) -> Array:
        summed: Array = numpy.bincount(numpy.concatenate(self._places), amounts, self._size)
        return summed.astype(numpy.float64, copy=False)  # of no places at all they are whole numbers


def _known(connection: sqlite3.Connection, asked: Asked, table: PassageTable, lexicon: Lexicon) -> float:
    """Share of the weight of a question's telling words that stand anywhere in the index, 0…1."""
    whole = found = 0.0
    for term in asked.terms:
        if (term.kind == "word" and term.shown not in STOP) or term.kind == "hash" or (term.kind == "pair" and not is_function(term)):
            count = lexicon.frequency(connection, term)
            worth = rarity(table.total, count)
            whole += worth
            found += worth if count else 0.0
    return found / whole if whole else 1.0


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


def _held(posting: Posting, places: _Places, title: float) -> tuple[Array, Array]:
    """The places that hold a word, each once, and how often each does; once in a title counts as `title` times."""
    at, here = places.of(posting.passages)
    counts = posting.counts[here].astype(numpy.float64)
    if not len(posting.titles):
        return at, counts
    every = numpy.zeros(len(places.passages))
    every[at] = counts
    every[places.of(posting.titles)[0]] += title - 1
    found = numpy.flatnonzero(every)
    return found, every[found]


def _with_related(at: Array, counts: Array, family: Array, worth: float, size: int) -> tuple[Array, Array]:
    """The same with the places of words that begin alike, `worth` each where the word itself does not stand."""
    alike = numpy.zeros(size, dtype=bool)
    alike[family] = True
    counts = numpy.where(alike[at], numpy.maximum(counts, worth), counts)
    alike[at] = False
    more = family[alike[family]]
    return numpy.concatenate([at, more]), numpy.concatenate([counts, numpy.full(len(more), worth)])


def _pairs(connection: sqlite3.Connection, asked: Asked, places: _Places, table: PassageTable, lexicon: Lexicon) -> Array:
    """For each passage, the worth of neighbouring words of the question that stand close to each other in it."""
    found = numpy.zeros(len(places.passages))
    for one, other in asked.pairs[:MOST_PAIRS]:
        counts = [lexicon.frequency(connection, term) for term in (one, other)]
        if not all(counts) or max(counts) > PAIR_POSTINGS:
            continue
        near = Term(f"NEAR({one.match} {other.match}, 3)", "", "phrase")
        worth = sum(rarity(table.total, count) for count in counts) / 2
        found[places.of(lexicon.posting(connection, near).passages)[0]] += worth
    return found


def asked_of(terms: Sequence[Term], others: tuple[Term, ...], text: str, weights: Weights, when: bool) -> Asked:
    """What is looked up of a question.

    Args:
        terms: with repetitions, in their order.
        others: equivalents of words in it.
    """
    times = Counter(term.match for term in terms)
    unique = tuple({term.match: term for term in terms}.values())
    weak = {term.match: _weakness(term, weights) for term in unique}
    telling = any(value == 1 for value in weak.values())
    worth = tuple(times[t.match] ** weights.repeated * _kind_weight(t, text, weights) * (weak[t.match] if telling else 1.0) for t in unique)
    words = [term for term in terms if term.kind == "word" and term.shown not in STOP]
    pairs = dict.fromkeys((one, other) for one, other in pairwise(words) if one.match != other.match)
    return Asked(unique, worth, tuple(pairs), others, when, text)


def _weakness(term: Term, weights: Weights) -> float:
    """What a word is worth that tells little, as long as others tell more."""
    if term.kind != "word":
        return 1.0
    return weights.stop if term.shown in STOP else weights.talk if term.shown in TALK else 1.0


def _kind_weight(term: Term, text: str, weights: Weights) -> float:
    if term.kind == "character":
        return weights.character
    if term.kind == "pair":
        return weights.function if is_function(term) else 1.0
    return weights.name if term.kind == "word" and term.shown not in STOP and _is_name(term.shown, text) else 1.0


def _is_name(word: str, text: str) -> bool:
    """Whether a word is written with a capital inside the question, not as its first word."""
    at = text.find(word.capitalize())
    return at > 0 and word.isalpha() and word.isascii() and text[:at].strip() != ""
