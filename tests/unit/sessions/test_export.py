"""Exports: the conversation to be read, or all of it; no secret leaves in either, and nothing in a text breaks the document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.export import export_name, export_session
from tests.unit.sessions.make import filled, message, new_handle, store_in


def exported(tmp_path: Path, kind: str, *messages: object) -> str:
    store = store_in(tmp_path)
    handle = new_handle(store)
    for one in messages:
        handle.append(one)  # type: ignore[arg-type]
    handle.close()
    return export_session(store.load(handle.id), store.find(handle.id), kind)  # type: ignore[arg-type]


def test_markdown_holds_words_thinking_calls_and_results_in_order(tmp_path: Path) -> None:
    text = exported(
        tmp_path,
        "md",
        message("请读一下配置"),
        message("", "assistant", parts=(ThinkingPart("hm\nso"), TextPart("Reading."), ToolCallPart("c", "Read", {"file_path": "/a"}))),
        message("", "tool", parts=(ToolResultPart("c", "Read", "port = 1", "error"),)),
        message("It is 1.", "assistant"),
    )
    places = [
        text.index(part)
        for part in ("# 请读一下配置", "## 1 · Person", "> hm", "> so", "Reading.", '"file_path": "/a"', "port = 1", "It is 1.")
    ]
    assert places == sorted(places)
    assert "**Result of Read** (error)" in text and "- Messages: 4" in text


def test_a_fence_inside_a_result_does_not_end_it(tmp_path: Path) -> None:
    inner = "```\ncode\n```\n````\nmore\n````"
    text = exported(tmp_path, "md", message("", "tool", parts=(ToolResultPart("c", "Read", inner),)))
    assert f"`````text\n{inner}\n`````" in text


def test_secrets_are_masked_in_both(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    for kind in ("md", "json"):
        text = exported(
            tmp_path / kind, kind, message(f"my token is {secret}"), message("", "tool", parts=(ToolResultPart("c", "x", secret),))
        )
        assert secret not in text


def test_json_holds_every_branch(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    first = filled(handle, 2)
    handle.set_leaf(first[0].id)
    other = handle.append(message("another answer", "assistant"))
    handle.close()
    value = json.loads(export_session(store.load(handle.id), store.find(handle.id), "json"))
    assert value["kind"] == "keepsake-session" and value["leaf"] == other.id
    assert [(one["id"], one["live"]) for one in value["messages"]] == [(first[0].id, True), (first[1].id, False), (other.id, True)]


def test_lone_surrogates_and_deep_values_are_written(tmp_path: Path) -> None:
    for kind in ("md", "json"):
        assert exported(tmp_path / kind, kind, message("broken \ud800 text")).encode("utf-8")


@pytest.mark.parametrize(
    ("title", "name"), [("a/b: *c*?", "2026-01-02 a b c.md"), ("修复 登录", "2026-01-02 修复 登录.md"), ("../..", None)]
)
def test_the_file_name_is_one_everywhere(tmp_path: Path, title: str, name: str | None) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2, title)
    handle.set_meta("title", title)
    handle.close()
    summary = store.find(handle.id)
    assert export_name(summary, "md") == (name or f"2026-01-02 {summary.id}.md")
