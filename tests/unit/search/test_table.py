"""Numbers of passages as arrays, and the dense scan over vectors: right values on a few passages that are put in and taken out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

from desktop.search import dense, update
from desktop.search.dense import VectorTable
from desktop.search.digests import vector_sum
from desktop.search.lexical import rarity
from desktop.search.passage import Document, Passage
from desktop.search.schema import connect, in_memory
from desktop.search.table import PassageTable, numbers


class Base:
    """A connection that changes and one that reads."""

    def __init__(self) -> None:
        place = in_memory(2 * 10**9)
        self.writer, self.reader = connect(place), connect(place)
        self.table = PassageTable()

    def put(self, key: str, *texts: str, scope: str = "s", scope_id: str = "x", kind: str = "k", weight: float = 1.0) -> None:
        passages = tuple(Passage(text, unit=n, role="user" if n % 2 else "") for n, text in enumerate(texts))
        with self.writer:
            update.put(self.writer, Document(key, scope, scope_id, kind, "1", passages, weight))
        self.table.refresh(self.reader)

    def vector(self, passage: int, *values: float, encoder: str = "e") -> None:
        data = numpy.array(values, dtype="<f2").tobytes()
        with self.writer:
            dense.store(self.writer, [(passage, encoder, data, vector_sum(passage, data))])
        self.table.refresh(self.reader)


@pytest.fixture
def base() -> Iterator[Base]:
    made = Base()
    yield made
    made.writer.close()
    made.reader.close()


def listed(values: Any) -> list[Any]:
    return list(values.tolist())


def test_numbers_of_a_joined_column() -> None:
    assert listed(numbers("3,1,2")) == [3, 1, 2]
    assert listed(numbers(None)) == []
    assert listed(numbers("4294967296")) == [1 << 32]


def test_what_it_holds_by_passage(base: Base) -> None:
    base.put("a", "one two", "three")
    base.put("b", "four five six 字", weight=2.0)
    table = base.table
    assert (table.total, listed(table.document[1:4]), listed(table.unit[1:4])) == (3, [1, 1, 2], [0, 1, 0])
    assert listed(table.said[1:4]) == [False, True, False]
    assert listed(table.weight) == [1.0, 1.0, 2.0]
    lengths = [row[0] for row in base.reader.execute("SELECT length FROM passage ORDER BY id")]
    assert listed(table.length[1:4]) == lengths
    assert lengths[:2] == [2, 1]
    assert table.mean == sum(lengths) / 3


def test_it_follows_changes_and_nothing_else(base: Base) -> None:
    base.put("a", "one")
    seen = base.table.changes
    base.table.refresh(base.reader)
    assert base.table.changes == seen
    base.put("a", "two", "three")
    assert base.table.changes == seen + 1
    assert base.table.total == 2
    with base.writer:
        update.remove(base.writer, ["a"])
    base.table.refresh(base.reader)
    assert (base.table.total, base.table.mean) == (0, 1.0)


def test_many_passages_find_room(base: Base) -> None:
    base.put("a", *["x"] * 1_500)
    base.put("b", *["y"] * 1_500)
    assert base.table.total == 3_000
    assert listed(base.table.document[[1, 1_500, 1_501, 3_000]]) == [1, 1, 2, 2]


@pytest.mark.parametrize(("scopes", "kinds", "keys", "seen"), [
    (None, None, None, None),
    ((("s", None),), None, None, [1, 2]),
    ((("s", "x"),), None, None, [1]),
    ((("s", "x"), ("t", "x")), None, None, [1, 3]),
    ((("nowhere", None),), None, None, []),
    ((), None, None, []),
    (None, frozenset("k"), None, [1, 3]),
    (None, frozenset(), None, []),
    (None, None, frozenset(("b", "nobody")), [2]),
    ((("s", None),), frozenset("l"), frozenset("abc"), [2]),
])  # fmt: skip
def test_which_documents_may_be_seen(base: Base, scopes: Any, kinds: Any, keys: Any, seen: list[int] | None) -> None:
    base.put("a", "one")
    base.put("b", "two", scope_id="y", kind="l")
    base.put("c", "three", scope="t")
    allowed = base.table.allowed(scopes, kinds, keys)
    assert (None if allowed is None else listed(numpy.flatnonzero(allowed))) == seen


def test_rarer_words_weigh_more() -> None:
    assert rarity(100, 1) > rarity(100, 2) > rarity(100, 50) > rarity(100, 100) > 0
    assert rarity(10, 0) == pytest.approx(numpy.log(1 + 10.5 / 0.5))
    assert rarity(1, 5) > 0, "more places than passages, as while the index changes"


# vectors


def test_the_nearest_vector_is_first_and_what_is_below_the_mean_is_nothing(base: Base) -> None:
    base.put("a", *[f"text {n}" for n in range(6)])
    vectors = VectorTable("e", 2)
    for passage, angle in enumerate((0.0, 0.3, 0.6, 0.9, 1.2, 1.5), 1):
        base.vector(passage, numpy.cos(angle), numpy.sin(angle))
    vectors.refresh(base.reader, base.table)
    passages, values = vectors.scores(numpy.array([1.0, 0.0], dtype=numpy.float32), base.table, None)
    assert listed(passages) == [1, 2, 3, 4, 5, 6]
    assert listed(numpy.argsort(-values)[:3]) == [0, 1, 2]
    similar = numpy.cos([0.0, 0.3, 0.6, 0.9, 1.2, 1.5])
    assert values == pytest.approx(numpy.maximum(0, (similar - similar.mean()) / similar.std()), abs=2e-3)


def test_only_documents_that_may_be_seen_are_scanned(base: Base) -> None:
    base.put("a", "one")
    base.put("b", "two")
    vectors = VectorTable("e", 2)
    base.vector(1, 1.0, 0.0)
    base.vector(2, 0.0, 1.0)
    vectors.refresh(base.reader, base.table)
    allowed = base.table.allowed(None, None, frozenset("b"))
    passages, _ = vectors.scores(numpy.array([1.0, 0.0], dtype=numpy.float32), base.table, allowed)
    assert listed(passages) == [2]


def test_vectors_come_and_go_and_damaged_ones_are_left_out(base: Base) -> None:
    base.put("a", "one", "two", "three", "four")
    for passage in range(1, 5):
        base.vector(passage, 1.0, 0.0, encoder="other" if passage == 4 else "e")
    vectors = VectorTable("e", 2)
    with base.writer:
        base.writer.execute("UPDATE vector SET data = x'0000' WHERE passage = 2")
    base.table.refresh(base.reader)
    vectors.refresh(base.reader, base.table)
    assert listed(vectors.passages) == [1, 3]
    base.put("a", "one", "two", "four")
    vectors.refresh(base.reader, base.table)
    assert listed(vectors.passages) == [1]
    base.vector(2, 0.5, 0.5)
    vectors.refresh(base.reader, base.table)
    assert sorted(listed(vectors.passages)) == [1, 2]


def test_what_lacks_a_vector_is_told_newest_first(base: Base) -> None:
    base.put("a", "one", "two", "three")
    base.vector(2, 1.0, 0.0)
    assert [(one.passage, one.text) for one in dense.missing(base.reader, "e", 10)] == [(3, "three"), (1, "one")]
    assert [one.passage for one in dense.missing(base.reader, "e", 1)] == [3]
    assert (dense.count_missing(base.reader, "e"), dense.count_missing(base.reader, "new")) == (2, 3)


def test_a_vector_for_a_passage_that_is_gone_is_not_kept(base: Base) -> None:
    base.put("a", "one")
    base.vector(7, 1.0, 0.0)
    assert base.reader.execute("SELECT count(*) FROM vector").fetchone() == (0,)
    assert isinstance(base.reader, sqlite3.Connection)
