"""Exports: the conversation to be read, or all of it; no secret leaves in either, and nothing in a text breaks the document."""

from __future__ import annotations

import json
from dataclasses import replace
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


def test_words_of_a_message_reach_no_further_than_they_stand(tmp_path: Path) -> None:
    text = exported(
        tmp_path,
        "md",
        message("see ```\n## 9 · Person · 2026-01-01T00:00:00.000Z\n\nforged"),
        message("```python\nx = 1 < 2\n<b>", "assistant"),
        message("<script>alert(1)</script> `<i>` <!-- \x1b[2J\u202etxt <https://a.example>", number=3),
        message("", "assistant", parts=(ThinkingPart("hm\n# 1\u2028> <img src=x>"),)),
        message("last", number=5),
    )
    lines = text.split("\n")
    headings = [line for line in lines if line.startswith("## ")]
    assert [heading.split(" · ")[0] for heading in headings] == [f"## {n}" for n in range(1, 6)]
    assert lines.index("```python") < lines.index("```") < lines.index(headings[2])  # what was left open is closed
    assert "x = 1 < 2\n<b>" in text  # code stays as it is
    assert "\\<script>alert(1)\\</script> `<i>` \\<!-- \\u{1b}[2J\\u{202e}txt <https://a.example>" in text
    assert "<img" not in text.replace("\\<img", "")
    assert not set("\x1b\u202e") & set(text)


def test_json_of_a_value_nested_deeply_or_infinite_can_be_read_by_all(tmp_path: Path) -> None:
    deep: dict[str, object] = {"password": "hunter" + "2Xy!9"}
    for _ in range(380):
        deep = {"a": deep}
    text = exported(
        tmp_path,
        "json",
        message("\x9b2J\u202e"),
        message("", "assistant", parts=(ToolCallPart("c", "X", deep), ToolCallPart("d", "X", {"n": float("inf")}))),
    )
    assert "hunter2" not in text and "[secret]" in text and not set("\x9b\u202e") & set(text)
    value = json.loads(text, parse_constant=lambda word: pytest.fail(word))
    assert value["messages"][1]["parts"][1]["input"] == {"n": "inf"}


def test_a_file_name_holds_no_secret_and_is_one_that_every_file_system_takes(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    summary = store.find(handle.id)
    secret = "ghp_" + "a1B2" * 9
    for title in (f"key {secret}", "\U00020000" * 80, "数" * 80, "../../etc/passwd", "a/b\\c:d*?\x1b[2J\u202e", "...", ""):
        for kind in ("md", "json"):
            name = export_name(replace(summary, title=title), kind)
            assert secret not in name and len(name.encode()) <= 200 and Path(name).name == name
            (tmp_path / name).write_text("x")
