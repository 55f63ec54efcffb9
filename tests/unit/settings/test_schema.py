"""The table of settings: every field is sound, and wrong values are told with what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.base.errors import SettingsError
from desktop.settings.schema import FIELDS, TIGHTENING, field_of


@pytest.mark.parametrize("key", sorted(FIELDS))
def test_every_default_is_allowed_and_documented(key: str) -> None:
    field = FIELDS[key]
    assert field.key == key
    assert field.problem(field.default) == ""
    assert field.problem(field.fallback) == ""
    assert field.doc.endswith((".", ")")) and "\n" not in field.doc


@pytest.mark.parametrize("key", sorted(TIGHTENING))
def test_keys_that_a_workspace_may_tighten_fall_closed_when_wrong(key: str) -> None:
    order = TIGHTENING[key]
    assert FIELDS[key].default == order[0]
    assert FIELDS[key].fallback == order[-1]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("memory.use", "false", "true, false"),
        ("memory.use", 0, "true, false"),
        ("agent.max_steps", 0, "from 1"),
        ("agent.max_steps", True, "whole number"),
        ("agent.max_steps", 2.5, "whole number"),
        ("agent.max_cost_usd", float("nan"), "a number"),
        ("appearance.zoom", 9, "0.5 to 3"),
        ("agent.mode", "yolo", "default, accept-edits, plan"),
        ("memory.identity", "git", "git-root, git-id, worktree, workspace"),
        ("memory.directory", "./knowledge/mem", "absolute"),
        ("memory.directory", "~", "folder of its own"),
        ("memory.directory", "//server/share", "network"),
        ("memory.directory", "/a\0b", "NUL"),
        ("memory.directory", ["/x"], "a text"),
        ("memory.foreign", ["claude"], "claude-code, zcode"),
        ("memory.foreign", "claude-code", "a list"),
        ("memory.sensitive_names", ["a/b"], "a/b"),
        ("memory.sensitive_names", [".git", " "], "not the name"),
        ("memory.git_words", [".."], ".."),
        ("memory.git_words", [1], "a list of texts"),
        ("model.default", "  ", "not empty"),
        ("model.endpoints", [], "an object"),
        ("model.endpoints", {"openai": {"base_url": "http://127.0.0.1:1/v1"}}, "openai"),
        ("model.endpoints", {"a:b": {"base_url": "http://127.0.0.1:1/v1"}}, "a:b"),
        ("model.endpoints", {"local": {"base_url": "file:///etc/passwd"}}, "http://"),
        ("model.endpoints", {"local": {"base_url": "http://127.0.0.1:1/v1", "models": "all"}}, "models"),
        ("model.endpoints", {"local": {"base_url": "http://127.0.0.1:1/v1", "context_window": 0}}, "context_window"),
        ("model.endpoints", {"local": "http://127.0.0.1:1/v1"}, "object"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(key: str, value: Any, told: str) -> None:
    assert told in FIELDS[key].problem(value)


def test_an_endpoint_with_models_is_allowed() -> None:
    value = {"local": {"base_url": "http://127.0.0.1:8080/v1", "models": ["qwen"], "context_window": 8192}}
    assert FIELDS["model.endpoints"].problem(value) == ""


def test_an_unknown_setting_names_near_ones() -> None:
    with pytest.raises(SettingsError) as caught:
        field_of("memory.writes")
    assert "memory.writes" in caught.value.message
    assert "memory.write" in caught.value.hint


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("memory.directory", ""), ("memory.directory", "~/notes/keepsake"), ("memory.identity", "git-id")),
        *(("memory.foreign", ["zcode", "claude-code"]), ("memory.sensitive_names", []), ("memory.git_words", ["head", "记忆"])),
    ],
)
def test_what_the_memory_settings_allow(key: str, value: Any) -> None:
    assert FIELDS[key].problem(value) == ""


def test_c26_the_two_lists_of_names_are_settings_with_the_known_defaults() -> None:
    assert len(FIELDS["memory.sensitive_names"].default) == 17
    assert set(FIELDS["memory.git_words"].default) == {"head", "config", "objects", "refs"}


@pytest.mark.parametrize("key", ["memory.identity", "memory.directory", "memory.foreign", "memory.sensitive_names", "memory.git_words"])
def test_a_workspace_s_own_file_never_says_where_memory_is_or_what_is_protected(key: str) -> None:
    assert key not in TIGHTENING
