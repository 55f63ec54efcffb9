"""`keepsake sessions list`: what it prints, in both forms, of which sessions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import UsageError
from desktop.cli.arguments import parse
from desktop.cli.sessions_list import list_sessions, rows, summary_to_json
from desktop.messages.parts import Message, TextPart
from tests.helpers.agent import Desk


class Terminal:
    """A profile with sessions, and what the command prints."""

    def __init__(self, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
        self.desk = desk
        self._capsys = capsys

    def add(self, text: str, *, project_key: str = "", parent: str = "", kind: str = "chat") -> str:
        handle = self.desk.services.sessions.create(
            project_key=project_key or self.desk.workspace.project.key,
            workspace=self.desk.workspace_folder,
            memory_enabled=True,
            model="m",
            parent=parent,
            kind=kind,
        )
        now = self.desk.services.clock.now()
        handle.append(Message("msg_1", "user", (TextPart(text),), now))
        handle.append(Message("msg_2", "assistant", (TextPart("ok"),), now, parent="msg_1", origin="model", stop="end"))
        handle.close()
        return handle.id

    def run(self, *words: str) -> str:
        found = parse(["sessions", "list", "--workspace", str(self.desk.workspace_folder), *words])
        assert list_sessions(found, self.desk.services) == 0
        captured = self._capsys.readouterr()
        return captured.out + captured.err

    def json(self, *words: str) -> list[dict[str, Any]]:
        value: list[dict[str, Any]] = json.loads(self.run("--json", *words))["sessions"]
        return value


@pytest.fixture
def terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(Desk(tmp_path), capsys)


def test_the_shape_of_the_interface_and_more(terminal: Terminal) -> None:
    session = terminal.add("修一下登录页")
    [found] = terminal.json()
    needed = {"id", "title", "workspace", "source", "started", "updated", "messages", "model", "tokens", "state", "path"}
    assert needed <= found.keys()
    assert (found["id"], found["title"], found["source"], found["messages"], found["state"]) == (
        session,
        "修一下登录页",
        "keepsake",
        2,
        "done",
    )
    assert found["size"] == Path(found["path"]).stat().st_size and found["kind"] == "chat" and found["cost_usd"] is None


def test_of_this_workspace_or_of_all(terminal: Terminal) -> None:
    here, there = terminal.add("here"), terminal.add("there", project_key="elsewhere-0123456789abcdef")
    assert [one["id"] for one in terminal.json()] == [here]
    assert {one["id"] for one in terminal.json("--all")} == {here, there}


def test_the_archive_is_shown_when_it_is_asked_for(terminal: Terminal) -> None:
    session = terminal.add("put away")
    terminal.desk.services.sessions.set_flag(session, "archived", True)
    assert terminal.json() == [] and "--archived" in terminal.run()
    assert [one["archived"] for one in terminal.json("--archived")] == [True]
    assert "(archived)" in terminal.run("--archived")


def test_pins_first_and_sub_agents_counted(terminal: Terminal) -> None:
    old = terminal.add("old one")
    new = terminal.add("new one")
    for number in range(2):
        terminal.add(f"look {number}", parent=new, kind="sub-agent")
    terminal.add("without its own", parent="sess_gone", kind="sub-agent")
    terminal.desk.services.sessions.set_flag(old, "pinned", True)
    lines = terminal.run().splitlines()
    assert len(lines) == 3 and lines[0].startswith(old) and lines[0].endswith("old one  (pinned)")
    assert "without its own  (sub-agent)" in lines[1] and lines[2].endswith("new one  (2 sub-agents)")
    assert len(terminal.json()) == 5, "for programs every session stands for itself"


def test_a_limit_a_source_and_nothing_at_all(terminal: Terminal) -> None:
    assert "no sessions here yet" in terminal.run() and "no sessions yet" in terminal.run("--all")
    for number in range(4):
        terminal.add(f"session {number}")
    assert [one["title"] for one in terminal.json("--limit", "2")] == ["session 3", "session 2"]
    assert terminal.json("--source", "codex") == [] and len(terminal.json("--source", "keepsake")) == 4


def test_titles_show_no_secrets_and_no_unseen_characters(terminal: Terminal) -> None:
    secret = "sk-" + "ant-api03-" + "A1b2C3d4" * 6
    terminal.add(f"use {secret} \u202e now")
    out = terminal.run()
    assert secret not in out and "\u202e" not in out


def test_sessions_of_other_tools_are_looked_for_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    folder = home / ".codex" / "sessions" / "2026" / "03" / "01"
    folder.mkdir(parents=True)
    meta = {"id": "0195-a", "cwd": str(tmp_path / "ws"), "originator": "codex"}

    def said(role: str, kind: str, words: str) -> dict[str, Any]:
        return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}

    rows = [
        {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": meta},
        {"timestamp": "2026-03-01T10:00:01Z", "type": "response_item", "payload": said("user", "input_text", "Port the parser")},
        {"timestamp": "2026-03-01T10:00:02Z", "type": "response_item", "payload": said("assistant", "output_text", "Done.")},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "rollout-2026-03-01T10-00-00-0195-a.jsonl").write_text(text, encoding="utf-8")
    terminal = Terminal(Desk(tmp_path, environ={"HOME": str(home)}), capsys)
    terminal.add("ours")
    assert sorted(one["source"] for one in terminal.json("--all")) == ["codex", "keepsake"]  # nobody had looked yet
    (folder / "rollout-2026-03-01T11-00-00-0195-b.jsonl").write_text(text.replace("0195-a", "0195-b"), encoding="utf-8")
    assert sorted(one["source"] for one in terminal.json("--all")) == ["codex", "keepsake"]
    assert sorted(one["source"] for one in terminal.json("--all", "--scan")) == ["codex", "codex", "keepsake"]
    assert "codex" in terminal.run("--all") and "Port the parser" in terminal.run("--all")


@pytest.mark.parametrize("limit", ["0", "-3"])
def test_a_limit_that_lets_nothing_through_is_refused(terminal: Terminal, limit: str) -> None:
    terminal.add("one")
    with pytest.raises(UsageError, match=f"--limit is {limit}") as refused:
        terminal.run("--limit", limit)
    assert refused.value.hint


def test_an_empty_list_says_where_there_are_some(terminal: Terminal) -> None:
    assert "--all shows those of every workspace" in terminal.run()
    terminal.add("one")
    said = terminal.run("--source", "codexx")
    assert "no sessions of codexx here" in said and "keepsake" in said.split("some of:")[1]


def test_secrets_in_titles_and_previews_are_masked_in_both_forms(terminal: Terminal) -> None:
    secret = "ghp_" + "a1B2" * 9
    terminal.add(f"my token is {secret}")
    for words in ((), ("--json",)):
        said = terminal.run(*words)
        assert secret not in said and "[secret]" in said


def test_an_agent_of_an_agent_counts_for_the_chat_and_a_ring_hides_nobody(terminal: Terminal) -> None:
    chat = terminal.add("the chat")
    first = terminal.add("first agent", parent=chat, kind="sub-agent")
    terminal.add("its own agent", parent=first, kind="sub-agent")
    said = terminal.run()
    assert "2 sub-agents" in said and "first agent" not in said and "its own agent" not in said
    summaries = terminal.desk.services.sessions.list()
    ring = [replace(one, kind="sub-agent", parent=other.id) for one, other in zip(summaries, [*summaries[1:], summaries[0]], strict=True)]
    assert {row[0] for row in rows(ring)} == {one.id for one in summaries}


def test_what_was_not_counted_is_said_to_be_so_and_is_no_nought(terminal: Terminal) -> None:
    terminal.add("a chat")
    large = [replace(one, messages=0, tokens=0, counted=False) for one in terminal.desk.services.sessions.list()]
    (row,) = rows(large)
    assert row[2].strip() == "–" and "not counted" in row[-1]
    value = summary_to_json(large[0])
    assert (value["messages"], value["tokens"], value["counted"]) == (None, None, False)
    assert all(one["messages"] == 2 and one["counted"] for one in terminal.json())
