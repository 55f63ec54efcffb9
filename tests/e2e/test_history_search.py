"""Search over conversations in real processes: the model's tool, with memory on and off, and the terminal command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.headless import Headless


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path, {"HOME": str(tmp_path / "home")})


def history(call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"id": call_id, "name": "history_search", "input": arguments}]}


@pytest.mark.parametrize("memory", [True, False])
def test_the_model_searches_and_reads_beside_what_it_found(app: Headless, memory: bool) -> None:
    first = app.ask("我们决定使用端口5433，数据库是postgres", app.script({"text": "Noted: port 5433."}, name="one.json")).json["session_id"]
    extra = {} if memory else {"KEEPSAKE_DISABLE_MEMORY": "1"}
    app.environ |= extra
    model = app.script(
        history("c1", queries=["端口", "port"]), history("c2", queries=[], around=f"{first}:1"), {"text": "5433"}, name="two.json"
    )
    done = app.ask("Which port did we choose?", model)
    assert done.status == 0
    found, beside = done.json["tool_calls"]
    assert (found["status"], beside["status"]) == ("ok", "ok")
    assert f"{first}:1" in found["output"] and "untrusted data" in found["output"]
    assert done.json["session_id"] not in found["output"]
    assert "[1] user" in beside["output"] and "Noted: port 5433." in beside["output"]
    names = [tool["name"] for tool in app.requests()[-1]["body"]["tools"]]
    assert "history_search" in names
    assert ("memory_search" in names) is memory


def test_other_projects_need_the_persons_permission(app: Headless, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    app.ask("the marmot lives here", app.script({"text": "ok"}, name="one.json"), "--workspace", str(other))
    model = app.script(history("c1", queries=["marmot"], scope="all"), {"text": "no"}, name="two.json")
    done = app.ask("search everywhere", model)
    assert done.status == 3
    assert done.json["tool_calls"][0]["status"] == "denied"
    assert "marmot lives" not in done.json["tool_calls"][0]["output"]


def test_the_terminal_command(app: Headless, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    first = app.ask("我们决定使用端口5433", app.script({"text": "Noted: --no-verify is forbidden"}, name="one.json")).json["session_id"]
    app.ask("端口 9000", app.script({"text": "ok"}, name="two.json"), "--workspace", str(other))
    hits = app.run("sessions", "search", "端口", "--json").json["hits"]
    assert [hit["session"] for hit in hits] == [first]
    names = ("session", "title", "workspace", "message", "role", "time", "snippet", "score", "path")
    assert [name for name in names if name not in hits[0]] == []
    assert (hits[0]["message"], hits[0]["role"], hits[0]["score"]) == (1, "user", 1.0)
    assert hits[0]["workspace"] == str(app.workspace) and Path(hits[0]["path"]).is_file()
    assert len(app.run("sessions", "search", "端口", "--all", "--json").json["hits"]) == 2
    assert len(app.run("sessions", "search", "端口", "--session", f"#{first}", "--json").json["hits"]) == 1
    flagged = app.run("sessions", "search", "--json", "--", "--no-verify").json["hits"]
    assert (flagged[0]["message"], flagged[0]["role"]) == (2, "assistant")
    shown = app.run("sessions", "search", "端口")
    assert first in shown.out and "[1] user" in shown.out and "我们决定使用端口5433" in shown.out
    nothing = app.run("sessions", "search", "unicorn", "--json")
    assert nothing.status == 0 and nothing.json["hits"] == []
    assert "nothing was found" in app.run("sessions", "search", "unicorn").err


def test_wrong_use_of_the_command_is_said(app: Headless) -> None:
    assert app.run("sessions", "search").status == 2
    assert app.run("sessions", "search", "x", "--limit", "0").status == 2
    assert app.run("sessions", "search", "x", "--all", "--workspace", str(app.workspace)).status == 2
    missing = app.run("sessions", "search", "x", "--session", "sess_" + "0" * 26)
    assert missing.status == 1 and "There is no session" in missing.err


def test_a_trashed_session_is_not_found_and_the_index_may_be_deleted(app: Headless) -> None:
    session = app.ask("the marmot", app.script({"text": "ok"})).json["session_id"]
    assert app.run("sessions", "search", "marmot", "--json").json["hits"][0]["session"] == session
    index = app.profile / "data" / "index"
    assert {path.stat().st_mode & 0o777 for path in index.iterdir()} == {0o600}
    for path in index.iterdir():
        path.unlink()
    assert app.run("sessions", "search", "marmot", "--json").json["hits"][0]["session"] == session
    app.transcripts()[0].unlink()
    assert app.run("sessions", "search", "marmot", "--json").json["hits"] == []


def test_other_tools_conversations_are_found_from_the_terminal_until_they_are_switched_off(app: Headless, tmp_path: Path) -> None:
    place = tmp_path / "home" / ".claude" / "projects" / "p" / "one.jsonl"
    place.parent.mkdir(parents=True)
    record: dict[str, Any] = {"type": "user", "uuid": "one-0", "parentUuid": None, "sessionId": "one", "cwd": str(app.workspace)}
    record |= {"timestamp": "2026-02-01T10:00:00Z", "message": {"role": "user", "content": "端口用5433 for the marmot"}}
    place.write_text(json.dumps(record) + "\n", encoding="utf-8")
    ours = app.ask("the marmot", app.script({"text": "ok"})).json["session_id"]
    hits = {hit["source"]: hit for hit in app.run("sessions", "search", "marmot", "--json").json["hits"]}
    assert hits["keepsake"]["session"] == ours
    theirs = hits["claude-code"]
    assert (theirs["message"], theirs["path"], theirs["workspace"]) == (1, str(place), str(app.workspace))
    assert [hit["session"] for hit in app.run("sessions", "search", "端口", "--json").json["hits"]] == [theirs["session"]]
    assert "· claude-code" in app.run("sessions", "search", "端口", "--session", theirs["session"]).out
    assert app.run("sessions", "show", theirs["session"]).status == 0
    config = app.profile / "config" / "settings.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('{"sessions.other_tools": false}', encoding="utf-8")
    assert [hit["source"] for hit in app.run("sessions", "search", "marmot", "--json").json["hits"]] == ["keepsake"]
