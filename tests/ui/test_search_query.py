"""What the Search view asks for comes back after a restart, and nothing that looks like a secret is kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.controllers.search_work import typed
from desktop.ui.search.query import SearchQuery, from_json, to_json
from desktop.ui.window_state import WindowState
from desktop.ui.window_state import from_json as state_from_json
from desktop.ui.window_state import to_json as state_to_json

QUERY = SearchQuery("数据库 迁移", memory=True, sessions=False, everywhere=True, type="feedback")


def test_round_trip() -> None:
    assert from_json(json.loads(json.dumps(to_json(QUERY)))) == QUERY
    state = WindowState(search=QUERY)
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))).search == QUERY


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "memory", "sessions", "type", "x"]), inner),
    max_leaves=8,
)


@given(json_values)
def test_anything_can_be_read(value: object) -> None:
    query = from_json(value)
    assert query.memory or query.sessions
    assert from_json(to_json(query)).memory == query.memory


def test_a_secret_is_not_kept() -> None:
    key = "sk-ant-" + "api03-" + "a1B2c3D4e5F6g7H8" * 4
    assert to_json(SearchQuery(f"where is {key}"))["text"] == ""
    assert to_json(SearchQuery("x" * 5_000))["text"] == ""


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("pack", "pack*"),
        ("package man", "package man*"),
        ("pa", "pa"),
        ("pack ", "pack "),
        ("迁移", "迁移"),
        ("迁移pack", "迁移pack*"),
        ("", ""),
    ],
)
def test_the_last_word_may_go_on(text: str, asked: str) -> None:
    assert typed(text) == asked
