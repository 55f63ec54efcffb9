"""Cutting long texts into sections: all of the text, in order, none too long, never between a letter and its marks."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.search.passage import GOAL, MOST, sections


def pieces(text: str, goal: int = GOAL, most: int = MOST) -> list[str]:
    return [text[start:end] for start, end in sections(text, goal, most)]


def test_a_short_text_is_one_section() -> None:
    assert pieces("One.\n\nTwo.") == ["One.\n\nTwo."]
    assert pieces("  a \n") == ["a"]
    assert pieces("") == pieces(" \n\t\n ") == []


def test_a_heading_begins_a_section() -> None:
    one, two = "# One\n\n" + "first " * 40, "## Two\n\n" + "second " * 40
    assert pieces(f"{one}\n\n{two}") == [one.strip(), two.strip()]


def test_it_is_cut_at_lines_and_sentences_before_the_middle_of_one() -> None:
    text = " ".join(f"This is sentence number {n}." for n in range(60))
    found = pieces(text)
    assert len(found) > 2
    assert all(piece.endswith(".") and piece.startswith("This") for piece in found)
    assert " ".join(found) == text


def test_chinese_is_cut_at_its_own_marks() -> None:
    found = pieces("".join(f"这是第{n}句话。" for n in range(200)))
    assert len(found) > 1
    assert all(piece.endswith("。") for piece in found)


@pytest.mark.parametrize("text", ["x" * 5_000, "字" * 5_000, "e\u0301" * 3_000, "👩\u200d👧" * 1_500, "a b " * 2_000])
def test_a_text_without_breaks_is_cut_at_the_most(text: str) -> None:
    found = pieces(text)
    assert all(len(piece) <= MOST for piece in found)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
    assert not any(unicodedata.combining(piece[0]) for piece in found)


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from("ab .\n#。，字🦊\u0301\t"), max_size=400), st.integers(5, 30))
def test_nothing_but_blanks_is_left_out(text: str, goal: int) -> None:
    found = sections(text, goal, goal * 2)
    at = 0
    for start, end in found:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert end - start <= goal * 2 or not text[start:end].split()
        at = end
    assert not text[at:].strip()
