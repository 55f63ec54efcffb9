"""Fuzzy matching: order of letters, words in any order, what beats what, Chinese, and marked positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.commands.fuzzy import match


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", "anything"),
        ("tsb", "View: Toggle Side Bar"),
        ("side tog", "View: Toggle Side Bar"),
        ("TOGGLE", "toggle"),
        ("侧栏", "视图：切换侧栏"),
    ],
)
def test_matches(query: str, text: str) -> None:
    assert match(query, text) is not None


@pytest.mark.parametrize(("query", "text"), [("bst", "side bar"), ("xyz", "View"), ("sideq", "Side Bar")])
def test_does_not_match(query: str, text: str) -> None:
    assert match(query, text) is None


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("side", "Side Bar", "Inside Out"),
        ("tog", "Toggle Chat", "View: Restore original"),
        ("tsb", "Toggle Side Bar", "Outside bars"),
        ("mem", "Memory: New", "Show some more items"),
    ],
)
def test_order(query: str, better: str, worse: str) -> None:
    first, second = match(query, better), match(query, worse)
    assert first is not None
    assert second is None or first.score > second.score


def test_positions_are_the_letters_that_took_part() -> None:
    found = match("tsb", "View: Toggle Side Bar")
    assert found is not None
    assert "".join("View: Toggle Side Bar"[at] for at in found.positions) == "TSB"


def test_letters_that_grow_in_lower_case_do_not_shift_positions() -> None:
    found = match("bar", "İİ Bar")
    assert found is not None
    assert found.positions == (3, 4, 5)


@given(st.text(max_size=30), st.text(max_size=60))
def test_positions_are_always_inside(query: str, text: str) -> None:
    found = match(query, text)
    if found is not None:
        assert all(0 <= at < len(text) for at in found.positions)
        assert list(found.positions) == sorted(set(found.positions))


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.split() and text.lower() == text))
def test_a_text_matches_itself(text: str) -> None:
    assert match(text, text) is not None
