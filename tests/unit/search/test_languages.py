"""An encoder of one language never stands between a question and a text of another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage
from tests.unit.search.make import WordVectors, opened


class EnglishVectors(WordVectors):
    languages = frozenset({"en"})


TEXTS = {
    "zh-retry": "遇到限流时最多重试三次，每次等待翻倍。",
    "zh-tea": "茶放在厨房的柜子里。",
    "en-times": "Standups are at nine; how long we meet is up to the team.",
    "en-colour": "Buttons are blue, and how they look when pressed is up to the theme.",
    "en-disk": "The build machine has a small disk; empty it when it is full.",
}


@pytest.fixture
def index() -> Iterator[SearchIndex]:
    index = opened(None, EnglishVectors())
    index.update([Document(key, "projects", "p", "project", "1", (Passage(text),)) for key, text in TEXTS.items()])
    index.encode()
    yield index
    index.close()


def found(index: SearchIndex, query: str, *, dense: bool) -> list[str]:
    return [hit.document for hit in index.search(query, floor=0.0, dense=dense).hits]


def test_a_question_in_a_language_that_it_does_not_know_goes_by_words(index: SearchIndex) -> None:
    assert found(index, "限流时重试几次？", dense=True) == found(index, "限流时重试几次？", dense=False)
    assert found(index, "限流时重试几次？", dense=True)[0] == "zh-retry"


def test_what_words_find_in_another_language_stays_above_what_is_only_near(index: SearchIndex) -> None:
    """“Rate limit” and “retry” stand in no text; the glossary knows them as 限流 and 重试."""
    assert found(index, "how do we retry when there is a rate limit", dense=True)[0] == "zh-retry"
