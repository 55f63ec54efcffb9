"""Filling an index: what stays keeps its row and its vector, what changes is whole or not at all, and its digests always agree."""

from __future__ import annotations

import math
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.search.index import BATCH_DOCUMENTS, SearchIndex, Within
from desktop.search.passage import Document, Passage
from tests.unit.search.make import WordVectors, answers, corpus, document, fresh_answers, key, opened


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    made = opened(tmp_path / "index.sqlite", WordVectors())
    yield made
    assert made.check(), "every digest agrees"
    assert made.rebuilt == 0
    made.close()


def doc(name: str, *texts: str, fingerprint: str = "1", **more: Any) -> Document:
    return Document(name, "s", "x", "k", fingerprint, tuple(Passage(text) for text in texts), **more)


def rows(index: SearchIndex, statement: str, *values: object) -> list[tuple[Any, ...]]:
    return index._store.read(lambda connection: connection.execute(statement, values).fetchall(), [])


def bodies(index: SearchIndex, name: str) -> list[str]:
    found = rows(
        index,
        "SELECT c.body FROM content AS c JOIN passage AS p ON p.id = c.id JOIN document AS d ON d.id = p.document WHERE d.key = ? "
        "ORDER BY p.place",
        name,
    )
    return [row[0] for row in found]


def ids(index: SearchIndex) -> set[int]:
    return {row[0] for row in rows(index, "SELECT id FROM passage")}


# what is kept


def test_what_stays_the_same_keeps_its_row(index: SearchIndex) -> None:
    index.update([doc("a", "one", "two", "three")])
    before = ids(index)
    index.update([doc("a", "one", "two", "three", fingerprint="2")])
    assert ids(index) == before
    assert index.fingerprints() == {"a": "2"}
    index.update([doc("a", "one", "TWO", "three", fingerprint="3")])
    assert len(ids(index) & before) == 2
    assert bodies(index, "a") == ["one", "TWO", "three"]


def test_equal_passages_in_one_document_keep_all_their_places(index: SearchIndex) -> None:
    texts = ["same", "same", "other", "same", "", "", "same"]
    index.update([doc("a", *texts)])
    assert bodies(index, "a") == texts
    index.update([doc("a", *texts[1:], fingerprint="2")])
    assert bodies(index, "a") == texts[1:]
    index.update([doc("a", *texts, "same", fingerprint="3")])
    assert bodies(index, "a") == [*texts, "same"]


def test_the_order_of_places_follows_the_document(index: SearchIndex) -> None:
    chance = random.Random(5)
    texts = [f"passage {n}" for n in range(12)]
    for version in range(20):
        chance.shuffle(texts)
        wanted = texts[: chance.randint(0, 12)]
        index.update([doc("a", *wanted, fingerprint=str(version))])
        assert bodies(index, "a") == wanted, "seed 5"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(["", "a b", "same", "记忆力", "x" * 900]), max_size=6), min_size=1, max_size=5))
def test_any_row_of_versions_ends_like_a_fresh_index(versions: list[list[str]]) -> None:
    made = opened(None)
    for number, texts in enumerate(versions):
        made.update([doc("a", *texts, fingerprint=str(number)), doc(f"b{number}", "same a")])
        assert made.check()
    fresh = opened(None)
    fresh.update([doc(f"b{number}", "same a") for number in range(len(versions))] + [doc("a", *versions[-1])])
    assert answers(made, ["same", "a b", "记忆"]) == answers(fresh, ["same", "a b", "记忆"])
    assert bodies(made, "a") == versions[-1]


# vectors


def test_a_text_that_stays_keeps_its_vector_wherever_it_moves(index: SearchIndex) -> None:
    texts = [f"passage number {n} about {'cats' if n % 2 else 'dogs'}" for n in range(30)]
    index.update([doc("a", *texts)])
    assert index.encode() == 30
    moved = tuple(Passage(text, unit=n + 7, time=5.0 + n, ref=f"line:{n}", role="user") for n, text in enumerate(["new top", *texts]))
    index.update([Document("a", "s", "x", "k", "2", moved)])
    assert index.encode() == 1
    assert len(rows(index, "SELECT passage FROM vector")) == 31
    assert index.search("cats", dense=True).hits


def test_a_document_that_only_gets_another_key_keeps_its_vectors(index: SearchIndex) -> None:
    for put in ([doc("b", "one", "two")], iter([doc("b", "one", "two")])):
        index.update([doc("a", "one", "two")], ["b"])
        index.encode()
        index.update(put, ["a"])
        assert index.fingerprints() == {"b": "1"}
        assert index.encode() == 0


def test_a_title_or_a_text_that_changes_needs_another_vector(index: SearchIndex) -> None:
    index.update([doc("a", "one", "two")])
    index.encode()
    index.update([Document("a", "s", "x", "k", "2", (Passage("one", title="named"), Passage("two!")))])
    assert index.encode() == 2


def test_a_carried_vector_finds_the_same_as_one_made_anew(tmp_path: Path) -> None:
    carried, fresh = (opened(tmp_path / name, WordVectors()) for name in ("a", "b"))
    carried.update(corpus())
    carried.encode()
    changed = [document(n, version=1 + n % 2, passages=4) for n in range(24)]
    carried.update(changed)
    fresh.update(changed)
    assert fresh.encode() == 96
    assert carried.encode() == 60, "12 documents have other texts, 12 one more"
    assert answers(carried, dense=True) == answers(fresh, dense=True)
    carried.close()
    fresh.close()


def test_another_encoder_makes_all_anew(tmp_path: Path) -> None:
    first, second = WordVectors("one"), WordVectors("two", 16)
    index = opened(tmp_path / "index.sqlite", first)
    index.update(corpus(4))
    assert index.encode() == 12
    index.close()
    index = opened(tmp_path / "index.sqlite", second)
    index.search("port", dense=True)
    assert index.encode() == 12
    assert index.encode() == 0
    index.close()


# ends of documents


def test_extend_adds_to_the_end_and_agrees_with_putting_it_whole(index: SearchIndex) -> None:
    assert not index.extend("a", "1", [Passage("x")])
    assert index.fingerprints() == {}
    index.update([doc("a", "one", fingerprint="1")])
    for number in range(2, 6):
        assert index.extend("a", str(number), [Passage(f"text {number}", unit=number), Passage("same", unit=0)], time=float(number))
    assert index.fingerprints() == {"a": "5"}
    assert index.check()
    before = ids(index)
    pieces = [Passage("one")] + [p for n in range(2, 6) for p in (Passage(f"text {n}", unit=n), Passage("same", unit=0))]
    index.update([Document("a", "s", "x", "k", "5", tuple(pieces), time=5.0)])
    assert ids(index) == before, "not one row differs"


def test_extend_costs_the_same_for_a_long_document(index: SearchIndex) -> None:
    """It reads nothing of what the document holds: counted in SQLite's own steps."""
    index.update([doc("short", "one"), Document("long", "s", "x", "k", "1", tuple(Passage("one", unit=n) for n in range(3_000)))])
    steps: dict[str, int] = {}
    with index._store.writing() as connection:
        for name in ("short", "long"):
            count = [0]
            connection.set_progress_handler(lambda count=count: count.__setitem__(0, count[0] + 1) or 0, 10)  # type: ignore[misc]
            from desktop.search import update

            assert update.extend(connection, name, "2", [Passage("more")], 1.0)
            connection.set_progress_handler(None, 0)
            steps[name] = count[0]
    assert steps["long"] <= 2 * steps["short"] + 10, steps


# contents


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\x00", "\ud800", "a\x00b\udfffc", "é" * 10_000, "x" * 1_000_000, "字" * 300_000, "\u0301" * 50]
)
def test_texts_of_every_kind(text: str, index: SearchIndex) -> None:
    one = Document(
        f"k{text[:10]}", f"s{text[:3]}", text[:3], text[:3], text[:40], (Passage(text, title=text[:50], role=text[:4], ref=text[:9]),)
    )
    index.update([one, doc("other", "a plain text")])
    index.update([replace(one, passages=(*one.passages, Passage("more words")))])
    assert index.check()
    assert [hit.text for hit in index.search("more words").hits] == ["more words"]
    assert len(index.fingerprints()) == 2
    index.update([], [one.key])
    assert set(index.fingerprints()) == {"other"}


def test_documents_without_passages(index: SearchIndex) -> None:
    index.update([doc("a"), doc("b", "")])
    assert index.fingerprints() == {"a": "1", "b": "1"}
    assert index.count() == (2, 1)
    assert index.search("anything").hits == ()
    assert index.extend("a", "2", [Passage("anything at all")])
    assert [hit.document for hit in index.search("anything").hits] == ["a"]


@pytest.mark.parametrize("unit", [0, 1, 2**31 - 1, 2**31])
def test_units_up_to_their_limit(unit: int, index: SearchIndex) -> None:
    index.update([Document("a", "s", "x", "k", "1", (Passage("cats", unit=unit), Passage("dogs", unit=3)))])
    index.update([doc("b", "dogs")])
    assert [(hit.document, hit.unit) for hit in index.search("cats").hits][:1] == [("a", unit)]
    assert {(hit.document, hit.unit) for hit in index.search("dogs", floor=0.0).hits} >= {("a", 3), ("b", 0)}


@pytest.mark.parametrize("unit", [-1, 2**31 + 1, 2**70])
def test_units_beyond_it_are_a_mistake_of_the_caller(unit: int, index: SearchIndex) -> None:
    index.update([doc("a", "cats")])
    with pytest.raises(ValueError, match="unit"):
        index.update([doc("b", "x"), Document("a", "s", "x", "k", "2", (Passage("dogs", unit=unit),))])
    assert index.fingerprints() == {"a": "1"}
    with pytest.raises(ValueError, match="unit"):
        index.extend("a", "2", [Passage("dogs", unit=unit)])
    assert [hit.text for hit in index.search("cats").hits] == ["cats"]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 1e300, 5, True])
def test_numbers_of_every_kind(value: float, index: SearchIndex) -> None:
    index.update([Document("a", "s", "x", "k", "1", (Passage("cats", time=value),), value, value), doc("b", "cats and dogs")])
    assert index.check()
    hits = index.search("cats").hits
    assert hits[0].score == 1.0
    assert all(math.isfinite(hit.time) and math.isfinite(hit.score) for hit in hits)


# one call


def test_the_last_of_equal_keys_stays(index: SearchIndex) -> None:
    index.update([doc("a", "first"), doc("b", "x"), doc("a", "second", fingerprint="2")])
    assert bodies(index, "a") == ["second"]
    assert index.fingerprints() == {"a": "2", "b": "1"}
    assert index.search("first").hits == ()


def test_a_key_that_is_taken_out_and_put_in_by_one_call_is_in(index: SearchIndex) -> None:
    index.update([doc("a", "first")])
    index.update([doc("a", "second", fingerprint="2")], ["a", "nobody"])
    assert bodies(index, "a") == ["second"]
    index.update(iter([doc("a", "third", fingerprint="3")]), ["a"])
    assert bodies(index, "a") == ["third"]


def test_what_is_renamed_is_never_missing(index: SearchIndex) -> None:
    """A list is put in together with what goes out: another connection sees both or none."""
    index.update([doc("a", "cats")])
    seen: list[int] = []
    original = index._store.write

    def watched(work: Any) -> Any:
        found = original(work)
        seen.append(len(index.fingerprints()))
        return found

    index._store.write = watched  # type: ignore[method-assign]
    index.update([doc("b", "cats")], ["a"])
    assert seen == [1]


def test_a_generator_that_fails_leaves_whole_documents_only(index: SearchIndex) -> None:
    def some() -> Iterator[Document]:
        for number in range(BATCH_DOCUMENTS + 20):
            yield doc(f"d{number:04}", f"text {number}", "two")
        raise RuntimeError("of the caller")

    with pytest.raises(RuntimeError):
        index.update(some())
    assert len(index.fingerprints()) == BATCH_DOCUMENTS
    assert index.count() == (BATCH_DOCUMENTS, 2 * BATCH_DOCUMENTS)


def test_stopped_in_the_middle_keeps_what_was_done_and_goes_on(index: SearchIndex) -> None:
    told: list[int] = []
    given: list[int] = []

    def some(start: int) -> Iterator[Document]:
        for number in range(start, 40):
            given.append(number)
            yield document(number)

    assert index.update(some(0), progress=told.append, stopped=lambda: len(given) >= 15) == 15
    assert told == [15]
    assert len(index.fingerprints()) == 15
    assert index.update(some(15), [key(0)]) == 25
    assert len(index.fingerprints()) == 39
    assert index.update(some(0), stopped=lambda: True) == 1


def test_progress_is_told_after_each_batch(index: SearchIndex) -> None:
    told: list[int] = []
    many = (doc(f"d{number}", "x") for number in range(BATCH_DOCUMENTS * 2 + 3))
    assert index.update(many, progress=told.append) == BATCH_DOCUMENTS * 2 + 3
    assert told == [BATCH_DOCUMENTS, BATCH_DOCUMENTS * 2, BATCH_DOCUMENTS * 2 + 3]


def test_many_are_taken_out(index: SearchIndex) -> None:
    index.update(doc(f"d{number}", "x") for number in range(1_200))
    index.update([], (f"d{number}" for number in range(1_150)))
    assert len(index.fingerprints()) == 50


def test_an_update_inside_the_generator_of_another(index: SearchIndex) -> None:
    index.update([doc("old", "x")])

    def some() -> Iterator[Document]:
        index.update([], ["old"])
        yield doc("new", "y")

    index.update(some())
    assert set(index.fingerprints()) == {"new"}


def test_fingerprints_of_a_prefix(index: SearchIndex) -> None:
    names = ["a", "a/", "a/b", "a/\U0010ffff", "a0", "b", "é/x", "a\x00b"]
    index.update([doc(name, "x") for name in names])
    assert set(index.fingerprints("a/")) == {"a/", "a/b", "a/\U0010ffff"}
    assert set(index.fingerprints("é")) == {"é/x"}
    assert set(index.fingerprints("a/\U0010ffff")) == {"a/\U0010ffff"}
    assert set(index.fingerprints("\U0010ffff")) == set()
    assert set(index.fingerprints("\ud7ff")) == set()
    assert set(index.fingerprints("%")) == set()
    assert len(index.fingerprints()) == len(names)


def test_a_word_that_was_asked_for_before_it_was_put_in_is_found(index: SearchIndex) -> None:
    """How often words stand is kept between searches, but not that they stand nowhere."""
    index.update(corpus(100))
    assert index.search("quokka").hits == index.search("quok*").hits == ()
    index.update([doc("new", "The quokka smiles.")])
    assert [hit.document for hit in index.search("quokka", dense=False).hits] == ["new"]
    assert [hit.document for hit in index.search("quok*", dense=False).hits] == ["new"]
    index.update([], ["new"])
    assert index.search("quokka", dense=False).hits == ()


def test_labels_and_weight_are_brought_up_to_date(index: SearchIndex) -> None:
    index.update([doc("a", "cats"), doc("b", "cats")])
    index.update([Document("a", "global", "g", "user", "2", (Passage("cats"),), weight=2.0)])
    assert index.check()
    hit = index.search("cats").hits[0]
    assert (hit.document, hit.scope, hit.scope_id, hit.kind) == ("a", "global", "g", "user")
    assert [h.document for h in index.search("cats", within=Within(scopes=(("s", None),))).hits] == ["b"]
    assert [h.document for h in index.search("cats", within=Within(kinds=frozenset(("user",)))).hits] == ["a"]
    assert index.search("cats", within=Within(documents=frozenset())).hits == ()


def test_an_index_filled_step_by_step_answers_like_a_fresh_one(index: SearchIndex) -> None:
    chance = random.Random(11)
    numbers = list(range(24))
    chance.shuffle(numbers)
    for number in numbers:
        index.update([document(number, version=2)])
    index.update([document(number) for number in numbers])
    index.update([], [key(number) for number in numbers[:6]])
    kept = [document(number) for number in range(24) if number not in numbers[:6]]
    assert answers(index) == fresh_answers(kept), "seed 11"


def test_a_number_that_would_be_given_twice_is_damage_and_not_an_error(tmp_path: Path) -> None:
    """Where SQLite's own counter is behind, ids would be used again; the index starts anew and the documents are in."""
    index = opened(tmp_path / "index.sqlite")
    index.update([doc("a", "one")])
    with index._store.writing() as connection:
        connection.execute("UPDATE sqlite_sequence SET seq = 0")
    assert index.update([doc("b", "two")]) == 1
    assert index.fingerprints() == {"b": "1"}
    assert index.rebuilt == 1
    index.close()


def test_equal_scores_go_by_time_then_by_key(index: SearchIndex) -> None:
    for name, time in (("b", 5.0), ("c", 9.0), ("a", 5.0), ("d", 0.0)):
        index.update([doc(name, "cats", time=time)])
    assert [hit.document for hit in index.search("cats").hits] == ["c", "a", "b", "d"]


def test_sqlite_errors_of_our_own_statements_do_not_throw_a_sound_index_away(index: SearchIndex) -> None:
    index.update([doc("a", "one")])
    from desktop.base.errors import StorageError

    with pytest.raises(StorageError):
        index._store.write(lambda connection: connection.execute("SELECT nothing"))
    assert index.fingerprints() == {"a": "1"}
    assert isinstance(sqlite3.sqlite_version, str)
