"""Snippets: one line of the original text around what was asked for, with marks that are exact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.search.segment import query_terms
from desktop.search.snippet import LENGTH, merged, snippet


def told(text: str, query: str) -> tuple[str, list[str], tuple[str, ...]]:
    line, spans, words = snippet(text, query_terms(query))
    return line, [line[start:end] for start, end in spans], words


@pytest.mark.parametrize(("text", "query", "marked"), [
    ("We tested it on Fridays.", "testing friday", ["tested", "Fridays"]),
    ("我们使用端口 5433。", "端口", ["端口"]),
    ("Call parseHeader first.", "header", ["parseHeader"]),
    ("Version 3.11.2 is out", "3.11.2", ["3", "11", "2"]),
    ("ＡＢＣ公司", "abc", ["ＡＢＣ"]),
    ("a 🦊 and a 🦊", "🦊", ["🦊", "🦊"]),
    ("deployments", "deploym*", ["deployments"]),
    ("nothing here", "elsewhere", []),
    ("", "word", []),
])  # fmt: skip
def test_what_is_marked(text: str, query: str, marked: list[str]) -> None:
    line, found, words = told(text, query)
    assert line == text
    assert found == marked
    assert bool(words) == bool(marked)


def test_the_best_part_of_a_long_text() -> None:
    text = "filler words here. " * 50 + "The port of the database is 5433. " + "more words there. " * 50
    line, found, _ = told(text, "database port")
    assert found == ["port", "database"]
    assert line.startswith("…")
    assert line.endswith("…")
    assert len(line) <= LENGTH + 2


def test_breaks_and_blanks_become_one_blank_and_marks_follow() -> None:
    line, found, _ = told("one\n\n\n   two\tthree  \n", "three")
    assert line == "one two three"
    assert found == ["three"]


def test_spans_that_touch_are_joined() -> None:
    assert merged([(4, 6), (0, 2), (2, 3), (5, 9)]) == [(0, 3), (4, 9)]
    assert merged([]) == []


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=600), st.text(max_size=30))
def test_any_text_and_any_question(text: str, query: str) -> None:
    line, spans, _ = snippet(text, query_terms(query))
    assert len(line) <= LENGTH + 2
    assert "\n" not in line
    assert "\r" not in line
    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(line)
        end = stop


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["port", "Ports", "端口", "  ", " ", "\n", "\t\n", "\u3000", "x"]), min_size=1, max_size=60),
    st.integers(5, 80),
)
def test_blanks_become_one_and_marks_stay_on_their_words(parts: list[str], length: int) -> None:
    text = "".join(parts)
    line, spans, _ = snippet(text, query_terms("port 端口"), length)
    assert line.strip("… ") in " ".join(text.split())
    for start, end in spans:
        marked = line[start:end]
        assert marked == marked.strip() and any(word in marked.casefold() for word in ("port", "端", "口"))


@pytest.mark.parametrize(("text", "line", "marked"), [
    ("\n\n  a   port", "a port", ["port"]),
    ("port\n\n\n端口\t\tx", "port 端口 x", ["port", "端口"]),
    ("port\u3000端口", "port 端口", ["port", "端口"]),
])  # fmt: skip
def test_runs_of_blanks_before_and_between_marks(text: str, line: str, marked: list[str]) -> None:
    assert told(text, "port 端口")[:2] == (line, marked)
