"""Messages of several sentences: what of them describes the moment is left alone, what is told for good beside a question is kept."""

from __future__ import annotations

import pytest

from desktop.providers.embedded_features import telling_stretch
from desktop.providers.embedded_guards import Remember, extract_candidates, read_intent
from desktop.providers.embedded_sentences import sentences
from desktop.providers.embedded_signs import lasting_signs, may_last, moment_signs
from desktop.providers.embedded_surroundings import ALONE, surroundings

MOMENT = [
    "the swap partition is full on node9, elastic took 30G. can I drop the old indices?",
    "count rows per region. tables region(id, name), sale(id, region_id)",
    "both files are the same CSV export. is the delimiter to blame?",
    "debug build is fine, release crashes in malloc. what could differ?",
    "I restarted the broker twice and the queue is still at 20k. what next?",
    "磁盘 98% 了，日志占了 40G。能直接删吗",
    "跑了40分钟还没出来，索引是有的。为什么",
]
FOR_GOOD = [
    ("make the plot bigger please. I'm colour blind btw", "blind"),
    ("we deploy on Tuesdays only, never on Fridays. is this fix small enough?", "Tuesdays"),
    ("why does the loop stop early? I'm a nurse who is learning python", "nurse"),
    ("我是做运营的，不懂代码，接口是什么意思？", "运营"),
]


@pytest.mark.parametrize("said", MOMENT)
def test_what_is_told_beside_a_fault_or_a_question_is_of_the_moment(said: str) -> None:
    assert not isinstance(read_intent(said), Remember)
    assert extract_candidates([said]) == []


@pytest.mark.parametrize(("said", "kept"), FOR_GOOD)
def test_what_lasts_is_kept_beside_a_question(said: str, kept: str) -> None:
    assert any(kept in found for found in extract_candidates([said]))


def test_what_is_around_each_sentence_is_told() -> None:
    found = surroundings(sentences("the pod crashes. add a log line. we use helm. why is it red?"), pasted=False)
    assert [one.place for one in found] == ["first", "middle", "middle", "last"]
    assert [one.trouble for one in found] == [False, True, True, True]
    assert [one.question for one in found] == [True, True, True, False]
    assert [one.request for one in found] == [True, False, True, True]
    assert surroundings(sentences("we use helm"), pasted=False) == [ALONE]
    assert surroundings(sentences("we use helm"), pasted=True)[0].momentary


def test_signs_of_lasting_and_of_the_moment() -> None:
    assert set(lasting_signs("we never deploy on fridays in this repo")) >= {"ours", "always", "scope", "date"}
    assert "past" in set(moment_signs("i restarted it twice"))
    assert may_last("我们以后都走工单")
    assert not may_last("stack is just our ImageLoader closure")


def test_the_stretch_that_tells_something_is_found_and_a_supposition_has_none() -> None:
    said = "I teach at a school, find me an example"
    stretch = telling_stretch(said, question=False)
    assert stretch is not None
    assert said[slice(*stretch)] == "I teach at a school"
    assert telling_stretch("for example, we use redis", question=False) is None
    assert telling_stretch("we use redis", question=False) is None


def test_a_face_ends_a_sentence_before_what_follows_but_not_before_in() -> None:
    assert [one.text for one in sentences("no one to ask here 😅 why does it crash?")] == ["no one to ask here", "why does it crash"]
    assert len(sentences("never put 🚀 in commit titles")) == 1


@pytest.mark.parametrize("said", ["could you leave out the recap from now on?", "能不能以后先说结论？"])
def test_a_rule_put_as_a_polite_question_is_one(said: str) -> None:
    assert isinstance(read_intent(said), Remember)


@pytest.mark.parametrize(
    "said", ["can you run this in the future?", "can you fix it every time it breaks?", "可以以后再说吗", "can you stop the server?"]
)
def test_a_question_about_later_is_no_rule(said: str) -> None:
    assert not isinstance(read_intent(said), Remember)
