"""`when` clauses: operators, precedence, unknown names, and clear errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.commands.context import WhenError, holds

FACTS = {"a": True, "b": False, "view": "memory", "count": 3, "some.name": True}


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("", True), ("   ", True), ("a", True), ("b", False), ("unknown", False), ("!b", True), ("!!a", True),
        ("a && b", False), ("a || b", True), ("b && b || a", True), ("a || b && b", True), ("(a || b) && b", False),
        ("view == 'memory'", True), ('view == "memory"', True), ("view == memory", True), ("view != 'memory'", False),
        ("count == 3", True), ("unknown == ''", True), ("some.name", True), ("true", True), ("false || a", True), ("!(a && b)", True),
    ],
)  # fmt: skip
def test_clauses(clause: str, expected: bool) -> None:
    assert holds(clause, FACTS) is expected


@pytest.mark.parametrize("clause", ["a &&", "&& a", "(a", "a)", "a == ", "a b", "==", "a ~ b", "!"])
def test_malformed_clauses_are_refused(clause: str) -> None:
    with pytest.raises(WhenError) as caught:
        holds(clause, FACTS)
    assert clause.strip() in str(caught.value) or "character" in str(caught.value)


@given(st.text(max_size=60))
def test_never_fails_otherwise(clause: str) -> None:
    try:
        assert holds(clause, FACTS) in (True, False)
    except WhenError as error:
        assert str(error)
