"""Words of one beginning: what need not be looked up is not, and that changes nothing of what is found."""

from __future__ import annotations

import sqlite3

import numpy
import pytest

from desktop.search import lexicon as words
from desktop.search.index import SearchIndex
from desktop.search.lexical import K1, _Sum
from desktop.search.lexicon import Lexicon, related
from desktop.search.passage import Document, Passage
from desktop.search.query import Searcher
from desktop.search.segment import Term

TEXTS = (
    "schedule the build",
    "the scheduler stopped",
    "scheduled and scheduling",
    "schema and scheme",
    "rely on it",
    "reliable",
    "relies, relying",
    "happy",
    "happiness",
    "happily ever after",
    "process and processes",
    "processing",
    "procession",
    "went",
    "goes",
    "gone going",
    "university",
    "universe and universal",
    "house houses",
    "housing",
    "deploy",
    "deployment deployments deployed",
    "story stories",
    "storied",
)
ASKED = [
    "schedule",
    "scheduler",
    "rely",
    "relying",
    "happy",
    "happiness",
    "process",
    "processes",
    "went",
    "going",
    "university",
    "house",
    "deploy",
    "stories",
    "running",
]


def test_what_is_not_looked_up_would_have_been_too_much() -> None:
    index = SearchIndex(None)
    index.update([Document("a", "s", "s", "k", "1", tuple(Passage(text, unit=n) for n, text in enumerate(TEXTS)))])
    skipped = 0

    def look(connection: sqlite3.Connection) -> int:
        nonlocal skipped
        for statement in words.SETUP:
            connection.execute(statement)
        for most in (0, 1, 2, 3, 5):
            for shown in ASKED:
                term = Term(f'"{shown}"', shown, "word")
                plain, quick = Lexicon(), Lexicon()
                quick.learn(connection, [term])  # with its stem it is known what its beginning reaches
                known = related(connection, term, most, plain)
                found = related(connection, term, most, quick)
                assert (found is None) == (known is None), (shown, most)
                if found is not None and known is not None:
                    assert found.passages.tolist() == known.passages.tolist()
                skipped += len(quick.postings) < len(plain.postings)
        return 1

    assert index._store.read(look, 0) == 1
    assert skipped > 10
    index.close()


def test_sums_are_those_of_one_word_after_the_other() -> None:
    rng = numpy.random.default_rng(3)
    size = 50
    norm = rng.random(size) + 0.5
    total = _Sum(size)
    held, weighed = numpy.zeros(size), numpy.zeros(size)
    for _ in range(40):
        at = rng.permutation(size)[: rng.integers(0, size)]
        counts, worth = rng.integers(1, 9, len(at)).astype(float), float(rng.random() * 7)
        total.add(at, counts, worth)
        dense = numpy.zeros(size)
        dense[at] = counts
        held += worth * (dense > 0)
        weighed += worth * dense * (K1 + 1) / (dense + norm)
    assert total.held().tolist() == held.tolist()  # to the last bit: equal scores are told apart by other things
    assert total.weighed(norm).tolist() == weighed.tolist()


@pytest.mark.parametrize("size", [0, 4])
def test_no_word_at_all_gives_zeros(size: int) -> None:
    total = _Sum(size)
    assert total.held().tolist() == [0.0] * size and total.held().dtype == numpy.float64
    assert total.weighed(numpy.ones(size)).tolist() == [0.0] * size


def test_one_question_and_the_same_one_twice_give_one_order() -> None:
    index = SearchIndex(None)
    index.update([Document("a", "s", "s", "k", "1", tuple(Passage(f"{text} number {n % 3}", unit=n) for n, text in enumerate(TEXTS * 4)))])

    def look(connection: sqlite3.Connection) -> bool:
        searcher = Searcher(connection)
        for query in ("schedule number", "happy house", "number 2"):
            once, twice = searcher.units([query], (None, None, None)), searcher.units([query, query], (None, None, None))
            assert once
            assert [(unit.document, unit.unit, unit.passage) for unit in once] == [
                (unit.document, unit.unit, unit.passage) for unit in twice
            ]
        return True

    assert index._store.read(look, False)
    index.close()
