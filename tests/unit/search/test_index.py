"""What users of an index see: limits, filters, floors, several questions, who said it, neighbours, meaning, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError
from desktop.search.index import SearchIndex, Within
from desktop.search.passage import Document, Passage
from desktop.search.segment import query_terms
from tests.unit.search.make import TOPICS, WordVectors, answers, corpus, document, fresh_answers, key, opened


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    made = opened(tmp_path / "index.sqlite")
    made.update(corpus())
    yield made
    made.close()


def talk(name: str, *said: tuple[str, str]) -> Document:
    passages = tuple(Passage(text, unit=number, role=role) for number, (role, text) in enumerate(said, 1))
    return Document(name, "sessions", name, "session", "1", passages)


def test_a_hit_tells_where_it_is_from(index: SearchIndex) -> None:
    hit = index.search("fact 17 part 0").hits[0]
    assert (hit.document, hit.scope, hit.scope_id, hit.kind) == (key(17), "global", "global-1", "user")
    assert (hit.unit, hit.ref, hit.role, hit.time, hit.title) == (0, "line:1", "user", 1_700_001_020.0, "database 17")
    assert hit.score == 1.0
    assert hit.text.startswith("We keep orders")
    assert hit.snippet.strip("…") in hit.text.replace("\n", " ")
    assert {"fact", "17"} <= set(hit.words)
    assert not hit.meaning


def test_limit_and_hits_of_one_document(index: SearchIndex) -> None:
    assert len(index.search("port 5433", limit=4, floor=0.0).hits) == 4
    alone = index.search("port 5433", limit=50, floor=0.0, per_document=1).hits
    assert len({hit.document for hit in alone}) == len(alone) > 2
    assert [hit.score for hit in alone] == sorted((hit.score for hit in alone), reverse=True)


def test_the_floor_keeps_the_first(index: SearchIndex) -> None:
    assert len(index.search("fact 17", floor=1.01).hits) == 1
    everything = index.search("fact 17", floor=0.0, limit=500).hits
    assert all(hit.score >= 0.5 for hit in index.search("fact 17", floor=0.5, limit=500).hits)
    assert everything[-1].score < 0.5


@pytest.mark.parametrize(("within", "scopes", "kinds"), [
    (Within(scopes=(("global", None),)), {"global"}, {"feedback", "user", "project"}),
    (Within(scopes=(("global", "global-1"),), kinds=frozenset(("user",))), {"global"}, {"user"}),
    (Within(scopes=(("global", "other"),)), set(), set()),
    (Within(kinds=frozenset(("feedback",))), {"global", "projects"}, {"feedback"}),
])  # fmt: skip
def test_a_search_sees_only_what_it_may(within: Within, scopes: set[str], kinds: set[str], index: SearchIndex) -> None:
    hits = index.search("fact", within=within, limit=100, floor=0.0).hits
    assert {hit.scope for hit in hits} == scopes
    assert {hit.kind for hit in hits} == kinds


def test_a_filter_does_not_change_what_is_in_it(index: SearchIndex) -> None:
    """Documents that a search may not see give no hit, no neighbour and no place to one that it may."""
    wanted = key(9)
    hits = index.search("port 5433", within=Within(documents=frozenset((wanted,))), limit=50).hits
    assert {hit.document for hit in hits} == {wanted}


def test_several_questions_are_answered_together(index: SearchIndex) -> None:
    hits = index.search(["camping", "rocket"], limit=20).hits
    assert {hit.document for hit in hits} >= {key(6), key(7)}
    both = index.search(["port", "端口"], limit=1).hits[0]
    assert "5433" in both.text
    assert index.search(["camping", "camping"], limit=3).hits == index.search(["camping", "camping"], limit=3).hits


def test_what_a_person_said_counts_more(tmp_path: Path) -> None:
    index = opened(None)
    index.update([talk("a", ("assistant", "The mascot is a heron.")), talk("b", ("user", "The mascot is a heron."))])
    assert [hit.document for hit in index.search("which heron mascot").hits] == ["b", "a"]


def test_a_heavier_document_comes_first() -> None:
    index = opened(None)
    index.update(
        [Document(name, "s", "x", "k", "1", (Passage("The mascot is a heron."),), weight) for name, weight in (("a", 0.5), ("b", 1.2))]
    )
    assert [hit.document for hit in index.search("heron").hits] == ["b", "a"]


def test_a_word_in_the_title_counts_more_and_all_words_more_than_some() -> None:
    index = opened(None)
    one = [("titled", "heron", "a plain text of five"), ("said", "", "a heron text of five"), ("none", "", "a plain text of five")]
    index.update([Document(name, "s", "x", "k", "1", (Passage(text, title=title),)) for name, title, text in one])
    assert [hit.document for hit in index.search("heron").hits] == ["titled", "said"]
    index.update([Document("both", "s", "x", "k", "1", (Passage("a heron mascot of five"),))])
    assert index.search("mascot heron").hits[0].document == "both"


def test_meaning_finds_what_words_do_not_and_says_so() -> None:
    encoder = WordVectors()
    index = opened(None, encoder)
    index.update(
        [
            Document(f"d{n}", "s", "x", "k", "1", (Passage(text),))
            for n, text in enumerate(("alpha beta gamma", "delta", "epsilon zeta", "eta"))
        ]
    )
    assert index.encode() == 4
    words = index.search("alpha gamma", dense=False).hits
    assert [(hit.document, hit.meaning) for hit in words] == [("d0", False)]
    both = index.search("alpha gamma", floor=0.0).hits
    assert both[0].document == "d0"
    assert not both[0].meaning


def test_an_encoder_that_cannot_be_used_is_told_and_words_go_on(tmp_path: Path) -> None:
    def broken() -> None:
        raise NotFoundError("Its weights are not on this machine.")

    index = SearchIndex(tmp_path / "index.sqlite", encoder=broken)
    index.update(corpus(4))
    found = index.search("port 5433")
    assert found.hits
    assert len(found.notes) == 1
    assert "weights" in found.notes[0]
    with pytest.raises(NotFoundError):
        index.encode()
    assert index.search("port 5433", dense=False).notes == ()
    index.close()


def test_encoding_can_be_stopped_and_goes_on(tmp_path: Path) -> None:
    encoder = WordVectors()
    index = opened(tmp_path / "index.sqlite", encoder)
    index.update(corpus(40))
    told: list[tuple[int, int]] = []
    first = index.encode(lambda: len(told) > 0, progress=lambda done, wanted: told.append((done, wanted)))
    assert 0 < first < 120
    assert told == [(first, 120)]
    assert index.encode() == 120 - first
    assert encoder.encoded == 120
    assert index.encode() == 0
    index.close()


def test_count_and_check(index: SearchIndex) -> None:
    assert index.count() == (24, 72)
    assert index.check()
    assert (index.problem, index.rebuilt) == ("", 0)
    index.optimize()
    assert index.check()
    before = answers(index)
    index.scrub()
    assert answers(index) == before


def test_a_hundred_equals_come_in_one_order_whatever_came_first() -> None:
    """More of them than are looked at: the cut may not choose among equals by when they came into the index."""
    equals = [document(number * len(TOPICS), passages=1) for number in range(100)]
    made = opened(None)
    for one in equals:
        made.update([one])
    found = answers(made, ["build with bun"])
    assert [len(hits) for hits in found] == [8] and {hit[2] for hit in found[0]} == {1.0}
    assert found == fresh_answers(equals[::-1], ["build with bun"])
    made.close()


def test_equal_indexes_answer_alike_whatever_came_first(index: SearchIndex) -> None:
    other = opened(None)
    for one in reversed(corpus()):
        other.update([one])
    assert answers(other) == answers(index)


def test_it_is_told_how_common_words_are(index: SearchIndex, tmp_path: Path) -> None:
    rare, none, common = query_terms("orders zebra 17")
    passages = index.count()[1]
    total, counts = index.frequencies([rare, common, none])
    assert total == passages and 0 < counts[0] < counts[1] <= total and counts[2] == 0
    index.update([talk("zebra", ("user", "A zebra crossed."))])
    assert index.frequencies([none]) == (passages + 1, [1])
    empty = opened(tmp_path / "empty.sqlite")
    assert empty.frequencies([rare, none]) == (0, [0, 0]) and empty.frequencies([]) == (0, [])
    empty.close()


def test_encoding_takes_one_scope_before_all_others(tmp_path: Path) -> None:
    class Noted(WordVectors):
        texts: list[str]

        def passages(self, texts: Sequence[str]) -> Any:
            self.texts += texts
            return super().passages(texts)

    encoder = Noted()
    encoder.texts = []
    index = opened(tmp_path / "index.sqlite", encoder)
    index.update(Document(f"a/{number}", "ours", "x", "session", "1", (Passage(f"ours {number}"),)) for number in range(20))
    index.update(Document(f"b/{number}", "theirs", "x", "session", "1", (Passage(f"theirs {number}"),)) for number in range(20))
    assert index.encode(first="ours") == 40
    assert all("ours" in text for text in encoder.texts[:20]) and all("theirs" in text for text in encoder.texts[20:])
    assert index.encode(first="ours") == 0
    index.close()
