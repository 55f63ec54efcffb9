"""JSON values that every reader takes, however deep, whatever stands in them."""

from __future__ import annotations

import json
import math
from typing import Any

from desktop.base.json_value import dumps, finite, inert, is_deeper, mapped


def nested(depth: int) -> Any:
    value: Any = "end"
    for _ in range(depth):
        value = {"a": [value]}
    return value


def test_a_value_of_any_depth_is_changed_without_running_out_of_stack() -> None:
    changed = mapped(nested(20_000), lambda one, key: f"{key}{one}!")
    depth = 0
    while isinstance(changed, dict):
        changed, depth = changed["a"][0], depth + 1
    assert (changed, depth) == ("end!", 20_000)


def test_ends_know_their_key_and_keys_change_too() -> None:
    value = {"a": 1, "b": [2, ("x",)], "c": {"d": None}}
    assert mapped(value, lambda one, key: (key, one), str.upper) == {
        "A": ("A", 1), "B": [("", 2), [("", "x")]], "C": {"D": ("D", None)},
    }  # fmt: skip
    assert value == {"a": 1, "b": [2, ("x",)], "c": {"d": None}}


def test_numbers_that_json_does_not_know_become_text() -> None:
    value = {"n": [math.inf, -math.inf, 1.5, True, None], "m": math.nan}
    assert finite(value) == {"n": ["inf", "-inf", 1.5, True, None], "m": "nan"}
    assert json.loads(dumps(value), parse_constant=lambda word: 1 / 0) == finite(value)


def test_no_sign_that_turns_writing_or_ends_a_line_stands_in_the_text() -> None:
    value = {"words": "a\x9b31m\x7f\u202egnp\u2066 \u2028 \x85 数据 \u200f می‌خواهم"}
    text = dumps(value)
    assert json.loads(text) == value and "数据" in text and len(text.splitlines()) == 1
    assert not any(sign in text for sign in "\x9b\x7f\x85\u202e\u2066\u2028")
    assert inert('{"a": "b"}') == '{"a": "b"}' and dumps(value, ascii_only=True).isascii()


def test_how_deep_a_value_is() -> None:
    assert not is_deeper("text", 0) and is_deeper([], 0) and not is_deeper([], 1)
    assert is_deeper(nested(20_000), 39_999) and not is_deeper(nested(20_000), 40_000)
    assert not is_deeper([[1], {"a": [2]}], 3) and is_deeper([[1], {"a": [2]}], 2)
