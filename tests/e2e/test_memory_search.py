"""memory_search over real processes: a turn that searches and answers, what is found at once, in Chinese and across sessions, and off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.headless import Headless, note_call

SENTENCE = "我们决定使用端口5433，数据库是postgres"


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path, {"LANG": "zh_CN.UTF-8"})


def root_of(app: Headless) -> Path:
    return Path(app.run("memory", "list", "--json").json["root"])


def search_call(*queries: str, **more: Any) -> dict[str, Any]:
    return {"id": "s1", "name": "memory_search", "input": {"queries": list(queries), **more}}


def remember(app: Headless) -> str:
    model = app.script({"tool_calls": [note_call("数据库", root_of(app), SENTENCE)]}, {"text": "记住了。"}, name="remember.json")
    done = app.ask("记住：端口是5433", model)
    assert done.json["memory"]["saved"] == ["数据库.md"]
    return str(done.json["session_id"])


def test_a_turn_in_a_chinese_workspace_searches_and_answers(app: Headless) -> None:
    session = remember(app)
    model = app.script({"tool_calls": [search_call("端口", "port number")]}, {"text": "端口是 5433。"}, name="ask.json")
    done = app.ask("我们的数据库用哪个端口？", model)
    assert (done.status, done.json["stop"], done.json["text"]) == (0, "end", "端口是 5433。")
    (made,) = done.json["tool_calls"]
    assert made["status"] == "ok", "reading own memory is no question"
    file = root_of(app) / "数据库.md"
    assert SENTENCE in made["output"] and str(file) in made["output"] and session in made["output"]
    last = app.requests()[-1]["body"]
    assert "memory_search" in [tool["name"] for tool in last["tools"]] and "memory_search" in last["system"]
    assert SENTENCE in json.dumps(last, ensure_ascii=False)


def test_what_a_turn_saves_it_finds_in_the_same_turn(app: Headless) -> None:
    root = root_of(app)
    model = app.script(
        {"tool_calls": [search_call("granatufer")]},
        {"tool_calls": [note_call("colour", root, "The colour is granatufer.", "w1")]},
        {"tool_calls": [search_call("granatufer")]},
        {"text": "done"},
        name="save.json",
    )
    done = app.ask("Remember the colour", model)
    before, _, after = [made["output"] for made in done.json["tool_calls"]]
    assert "Nothing in memory matches" in before and "colour.md" in after


def test_it_searches_while_memory_is_not_written(app: Headless) -> None:
    remember(app)
    settings = app.profile / "config" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"memory.write": false}')
    done = app.ask("端口？", app.script({"tool_calls": [search_call("端口")]}, {"text": "5433"}, name="ro.json"))
    assert SENTENCE in done.json["tool_calls"][0]["output"]


def test_off_means_no_tool_and_nothing_of_what_it_found_before(app: Headless) -> None:
    remember(app)
    first = app.ask("端口？", app.script({"tool_calls": [search_call("端口")]}, {"text": "好的"}, name="on.json"))
    assert app.run("memory", "off").status == 0
    model = app.script({"tool_calls": [search_call("端口")]}, {"text": "好的"}, name="off.json")
    again = app.ask("再说一次", model, "--resume", first.json["session_id"])
    assert again.json["memory"]["enabled"] is False and again.json["tool_calls"][0]["status"] == "error"
    for request in app.requests()[-2:]:
        body = request["body"]
        text = json.dumps([body["system"], body["messages"]], ensure_ascii=False)
        assert SENTENCE not in text and str(root_of(app)) not in text and "memory_search" not in text
        assert "memory_search" not in [tool["name"] for tool in body["tools"]]
    assert [hit["path"] for hit in app.run("memory", "search", "端口", "--json").json["hits"]] == ["数据库.md"], "the person still finds it"


def test_the_command_finds_purges_leave_nothing_and_errors_are_said(app: Headless) -> None:
    remember(app)
    hits = app.run("memory", "search", "5433", "--json").json["hits"]
    assert [(hit["path"], hit["scope"], hit["snippet"]) for hit in hits] == [("数据库.md", "projects", SENTENCE)]
    assert hits[0]["origin"].startswith("sess_")
    wrong = app.run("memory", "search", "x", "--scope", "nowhere", "--json")
    assert (wrong.status, wrong.out) == (2, "") and "nowhere" in wrong.err and "projects" in wrong.err
    assert app.run("memory", "purge", "数据库.md", "--yes").status == 0
    index = app.profile / "data" / "index"
    assert not [path for path in index.rglob("*") if path.is_file() and b"postgres" in path.read_bytes()]
    assert app.run("memory", "search", "5433", "--json").json["hits"] == []
