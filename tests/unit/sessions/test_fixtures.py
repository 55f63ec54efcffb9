"""Files of every version of the record form that was ever written: they open without a loss, today and later."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop.base.clock import iso
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.sessions.transcript import read_transcript
from tests.unit.sessions.make import KEY, message, paths_in, store_in

FIXTURE = Path(__file__).parent / "fixtures" / "schema-1.jsonl"


def test_schema_1_opens_without_a_loss() -> None:
    loaded = read_transcript(FIXTURE)
    assert loaded.damage == [] and not loaded.newer and loaded.next_seq == 12
    header = loaded.header
    assert header is not None
    assert (header.project_key, header.workspace, header.memory_enabled, header.model) == (KEY, "/home/ada/demo", True, "scripted:demo")
    assert iso(header.created) == "2026-01-02T03:04:05.000Z" and header.schema == 1
    assert loaded.meta["title"] == "The demo 演示" and loaded.meta["mode"] == "plan"
    assert loaded.meta["extraction_cursor"] == {"message": loaded.messages[4].id}


def test_schema_1_keeps_every_part() -> None:
    loaded = read_transcript(FIXTURE)
    asked, looked, read, denied, answered, *_ = loaded.messages
    assert asked.text == "看看 a.py, please" and asked.origin == "person"
    assert looked.parts == (
        ThinkingPart("hm", "sig", "anthropic"),
        TextPart("I look."),
        ToolCallPart("c1", "Read", {"file_path": "a.py"}),
        ToolCallPart("c2", "Bash", {}, "{bad"),
    )
    assert looked.usage == Usage(12) and looked.stop == "tool_calls" and looked.model == "scripted:demo"
    assert read.parts == (ToolResultPart("c1", "Read", "1\tx = 1", data={"lines": 1}),)
    assert denied.parts == (ToolResultPart("c2", "Bash", "not allowed", "denied", "-a\n+b"),)
    assert answered.text == "It sets x.\u2028"


def test_schema_1_keeps_its_branches() -> None:
    loaded = read_transcript(FIXTURE)
    assert [m.text for m in loaded.live][-2:] == ["better thanks", "read"]
    assert [m.text for m in loaded.children[loaded.messages[4].id]] == ["thanks", "better thanks"]
    assert loaded.live[-1].origin == "app"


def test_schema_1_is_listed_and_gone_on_with(tmp_path: Path) -> None:
    identity = read_transcript(FIXTURE).header
    assert identity is not None
    path = paths_in(tmp_path).sessions / KEY / f"{identity.id}.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(FIXTURE, path)
    store = store_in(tmp_path)
    assert [(s.id, s.title, s.messages, s.tokens) for s in store.list()] == [(identity.id, "The demo 演示", 7, 32)]
    handle = store.open(identity.id)
    handle.append(message("more"))
    handle.close()
    assert path.read_bytes().startswith(FIXTURE.read_bytes())
    assert len(store.load(identity.id).live) == 8
