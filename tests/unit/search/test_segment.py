"""Words as the index sees them: scripts without blanks in characters and pairs, joined names in their parts, on both sides alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.search.segment import QUERY_CHARACTERS, clean, folded, index_text, language_of, query_terms


def shown(query: str) -> list[tuple[str, str]]:
    return [(term.kind, term.shown) for term in query_terms(query)]


@pytest.mark.parametrize(("text", "cut"), [
    ("plain English text", None),
    ("café, plain", None),
    ("记忆力", " 记 忆 力 记忆 忆力 "),
    ("字", " 字  "),
    ("用bun构建", " 用  bun 构 建 构建 "),
    ("parseHeader", "parseHeader parse Header"),
    ("HTTPServer", "HTTPServer HTTP Server"),
    ("ＡＢＣ", "ABC"),
    ("Straße", "strasse"),
    ("a 🦊", "a  sign129418 "),
])  # fmt: skip
def test_what_is_given_to_the_index(text: str, cut: str | None) -> None:
    assert index_text(text) == cut


@pytest.mark.parametrize(("query", "terms"), [
    ("the build of bun", [("word", "build"), ("word", "bun")]),
    ("the", [("word", "the")]),
    ("数据库", [("pair", "数据"), ("pair", "据库"), ("character", "数"), ("character", "据"), ("character", "库")]),
    ("3.11", [("word", "3"), ("word", "11"), ("phrase", "3.11")]),
    ("can't", [("word", "can"), ("word", "t")]),
    ("🦊", [("sign", "🦊")]),
    ("depl*", [("prefix", "depl")]),
    ("de*", [("word", "de")]),
    ("?!", []),
    ("", []),
])  # fmt: skip
def test_the_words_of_a_question(query: str, terms: list[tuple[str, str]]) -> None:
    found = shown(query)
    assert [term for term in found if term in terms] == terms
    assert {kind for kind, _ in found} <= {kind for kind, _ in terms} | {"word"}


def test_every_expression_is_quoted() -> None:
    for term in query_terms('a" OR b* NEAR(x) title:y 记忆 a/b.c 🦊 -z'):
        inner = term.match.removesuffix("*")
        assert inner[0] == inner[-1] == '"'
        assert '"' not in inner[1:-1]


def test_a_long_question_is_cut() -> None:
    assert len(query_terms("word " * 50_000)) <= QUERY_CHARACTERS // 5


@given(st.text(st.characters(codec=None), max_size=80))
def test_cleaning_keeps_the_length_and_leaves_what_sqlite_takes(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned) == len(text)
    assert cleaned.encode().decode() == cleaned
    assert "\x00" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert folded(folded(text)).casefold() == folded(folded(folded(text))).casefold()


@pytest.mark.parametrize(("text", "language"), [
    ("plain", "en"), ("数据库端口", "cjk"), ("use 端口 5433 of the database that we have", "en"), ("端口 port", "cjk"), ("", "en"),
    ("12345 !", "en"),     ("한국어 문장", "cjk"), ("ひらがな", "cjk"), ("Größe", "en"),
])  # fmt: skip
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert language_of(text) == language
