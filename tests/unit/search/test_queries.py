"""Questions of every content: none raises, each answers twice the same, and what can be looked for literally is found by itself."""

from __future__ import annotations

import itertools
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.search.index import Found, SearchIndex, Within
from desktop.search.passage import Document, Passage
from tests.unit.search.make import corpus, opened

SEED = 404
SYNTAX = (
    "AND", "OR", "NOT", "NEAR", "NEAR(", ")", "(", '"', "'", "*", "^", ":", "+", "-", "{", "}", "title:", "body:", "term", ",",
    "NEAR/2", "\\",
)  # fmt: skip
PLAIN = (
    "", " ", "\n\t\r", "\x00", "\x00\x00", "a\x00b", "\ud800", "\udfff\ud800", "x\udc80y", "?", "!!!", "。。。", "…", "--", "'",
    '"', '""', '"a', "a\"", "* *", "a*", "*a", "a**", "^a", "a^", "a:b", "title:x", "title : x", "body : *", "-title:x",
    "{title body}:x", "a AND", "AND b", "OR", "NOT", "NOT a", "a NOT NOT b", "NEAR(a b", "NEAR(a b, 5)", "NEAR(a, x)", "(((((",
    ")))))", "a) OR (b", "+", "a + b", "\\", "%", "_", ";", "'; DROP TABLE document; --", "1=1", "a", "a ", "字", '"', "(", "* ",
    "a", "the", "the of and to", "的 了 是", "我们 什么", "什么", "a", "I", "é", "ß", "ﬁ", "Ⅳ", "½", "①", "５", "７７", "甲", "㐀",
    "𠀀", "々", "あ", "ア", "한", "שלום", "مرحبا", "\u202eabc\u202c", "\u200b", "a\u200bb", "\u200d", "\ufeff", "e\u0301",
    "\u0301", "\u0301\u0301\u0301", "क्षि", "ที่", "🦊", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "🦊🦊🦊", "←", "→ ∞ ≠", "☃", "c++",
    "C#", ".NET", "node.js", "--no-verify", "-v", "a/b/c.py:12", "me@example.org", "https://example.org/a?b=c&d=%20#e",
    "C:\\Users\\me\\a.txt", "\\\\server\\share", "~/.ssh", "$HOME", "${x}", "`ls`", "^a.*b$", "[a-z]+", "(?:x)", "\\d+", "a|b",
    "<b>x</b>", "&amp;", "{{x}}", "0", "-1", "1e9", "0x1F", "3.11.2", "v2", "10%", "$5", "#4711", "@me", "2024-01-02", "12:30",
    "1,000", "…a…", "can't", "it's", "o’clock", "rock'n'roll", "x-y-z", "x_y_z", "xY", "XMLHttpRequest", "HTTPServer2", "ABC",
    "iPhone15Pro", "a.b.c.d.e.f", "\x1b[31mred\x1b[0m", "\x7f", "\u2028", "\u0085", "\ufffd", "\uffff", "\U0010ffff", "\ue000",
)  # fmt: skip
LITERALS = (
    "c++", "C#", ".NET", "node.js", "--no-verify", "a/b/c.py:12", "me@example.org", "https://example.org/a?b=c&d=%20#e",
    "C:\\Users\\me\\a.txt", "3.11.2", "#4711", "2024-01-02", "x_y_z", "x-y-z", "XMLHttpRequest", "parseHeader", "🦊",
    "👩‍👩‍👧‍👦", "甲", "字", "数据库", "한국어", "あいう", "שלום", "مرحبا", "naïve", "Straße", "ﬁne", "ＡＢＣ", "e\u0301clair",
    "0x1F", "1,000", "$HOME", "kubectl", "can't", "ที่นี่", "𠀀", "X", "7", "the", "不", "NOT", "AND", "NEAR", "OR",
)  # fmt: skip


def made_up(count: int) -> Iterator[str]:
    """Pieces of FTS5's syntax, of words and of odd characters in any order."""
    chance = random.Random(SEED)
    pieces = (*SYNTAX, "a", "port", "端口", "🦊", "\x00", "\ud800", "\u202e", " ", "the", "5433", string.punctuation)
    for _ in range(count):
        yield "".join(chance.choice(pieces) + chance.choice(("", " ")) for _ in range(chance.randint(1, 12)))


QUERIES = (*PLAIN, *LITERALS, *map(" ".join, itertools.islice(itertools.permutations(SYNTAX, 2), 0, 440, 9)), *made_up(90))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    made = opened(tmp_path_factory.mktemp("queries") / "index.sqlite")
    literals = [Document(f"literal-{n:02}", "s", "x", "k", "1", (Passage(f"before {text} after"),)) for n, text in enumerate(LITERALS)]
    made.update([*corpus(), *literals])
    yield made
    assert made.check()
    assert made.rebuilt == 0
    made.close()


def check(found: Found) -> None:
    assert found.notes == ()
    last = 1.0
    for hit in found.hits:
        assert 0 < hit.score <= last
        last = hit.score + 1e-9
        assert len(hit.snippet) <= 202
        assert "\n" not in hit.snippet
        assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)


def test_there_are_300_of_them() -> None:
    assert len(set(QUERIES)) >= 300


def test_hostile_questions_never_raise_and_answer_twice_the_same(index: SearchIndex) -> None:
    for query in QUERIES:
        found = index.search(query)
        check(found)
        assert index.search(query) == found, repr(query[:80])
        check(index.search([query, "port", query[::-1]], limit=3, per_document=1))


def test_they_also_hold_in_a_title_a_text_and_a_label(tmp_path: Path) -> None:
    made = opened(tmp_path / "index.sqlite")
    made.update(
        Document(f"{n}{q[:30]}", q[:20], q[:20], q[:9], q, (Passage(q, title=q[:400], role=q[:9], ref=q[:50]),))
        for n, q in enumerate(QUERIES)
    )
    assert made.count()[0] == len(QUERIES)
    for query in QUERIES[::7]:
        within = Within(scopes=((query[:20], query[:20]), (query[:20], None)), kinds=frozenset((query[:9],)), documents=frozenset((query,)))
        check(made.search(query))
        check(made.search(query, within=within))
    assert made.check()
    made.close()


@pytest.mark.parametrize("literal", LITERALS)
def test_what_stands_there_is_found_by_itself(literal: str, index: SearchIndex) -> None:
    hits = index.search(literal, limit=40, floor=0.0, within=Within(scopes=(("s", "x"),))).hits
    assert f"literal-{LITERALS.index(literal):02}" in [hit.document for hit in hits[:3]]


@pytest.mark.parametrize("literal", ["c++", "C#", ".NET", "node.js", "3.11.2", "x_y_z", "XMLHttpRequest", "🦊", "甲", "数据库", "한국어"])
def test_it_is_marked_in_the_snippet(literal: str, index: SearchIndex) -> None:
    hit = next(hit for hit in index.search(literal, limit=40, floor=0.0).hits if hit.document == f"literal-{LITERALS.index(literal):02}")
    assert "before" in hit.snippet
    marked = "".join(hit.snippet[start:end] for start, end in hit.marks)
    assert marked
    assert marked in (literal, re.sub(r"\W|_", "", literal))
    assert hit.words
    assert not hit.meaning


@pytest.mark.parametrize("query", ["", " ", "?!", "。", "\x00", "\ud800", '"', "*", "()", "\u200b"])
def test_questions_without_a_word_find_nothing(query: str, index: SearchIndex) -> None:
    assert index.search(query).hits == ()


@pytest.mark.parametrize("limit", [0, 1, 3, 1_000])
def test_never_more_than_asked_for(limit: int, index: SearchIndex) -> None:
    assert len(index.search("fact", limit=limit, floor=0.0).hits) <= limit


def test_no_questions_and_too_many(index: SearchIndex) -> None:
    assert index.search([]).hits == ()
    assert index.search(["port"] * 100).hits
    assert index.search(["", "port"]).hits == index.search("port").hits


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text(index: SearchIndex, query: str) -> None:
    found = index.search(query)
    check(found)
    assert index.search(query) == found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(categories=("L", "N")), min_size=1, max_size=12), st.text(max_size=30))
def test_any_word_that_was_put_in_is_found(word: str, around: str) -> None:
    """A word of letters and digits of any script, as one token beside others."""
    made = opened(None)
    made.update(
        [
            Document("wanted", "s", "x", "k", "1", (Passage(f"{around} {word} {around}"),)),
            Document("other", "s", "x", "k", "1", (Passage("zzz"),)),
        ]
    )
    hits = made.search(word).hits
    assert [hit.document for hit in hits][:1] == ["wanted"]
    made.close()
