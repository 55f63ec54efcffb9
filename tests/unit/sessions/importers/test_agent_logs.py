"""Logs of agent programs that tell a conversation piece by piece: Kimi Code, the Agent Client Protocol, Kiro, printed streams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, open_transcript
from tests.unit.sessions.importers.others_world import file_of

Record = dict[str, Any]


def loop(kind: str, second: int, **more: Any) -> Record:
    event = {"type": kind, "turnId": "0", "step": 1, **more}
    return {"type": "context.append_loop_event", "agentId": "main", "event": event, "time": 1_790_000_000_000 + second}


def asked(text: str, kind: str = "user") -> Record:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": [], "origin": {"kind": kind}}
    return {"type": "context.append_message", "agentId": "main", "message": message, "time": 1_790_000_000_000}


def part(step: str, kind: str, text: str) -> Record:
    return loop("content.part", 2, stepUuid=step, part={"type": kind, kind: text})


def call(step: str, name: str) -> Record:
    return loop("tool.call", 3, stepUuid=step, toolCallId=name, name="Bash", args={"command": name})


def gave(name: str, output: str, **more: Any) -> Record:
    return loop("tool.result", 4, toolCallId=name, result={"output": output, **more})


KIMI: list[Record] = [
    {"type": "metadata", "protocol_version": "1.5", "created_at": 1_790_000_000_000},
    {"type": "config.update", "systemPrompt": "Rules.\nThe current working directory is `/srv/shop`. More.", "time": 1},
    {"type": "config.update", "modelAlias": "kimi-code/k3", "time": 1},
    {"type": "turn.prompt", "input": [{"type": "text", "text": "Count the orders"}], "origin": {"kind": "user"}, "time": 1},
    asked("Count the orders"),
    asked("The plan mode is on.", "injection"),
    loop("step.begin", 1, uuid="s1"),
    part("s1", "think", "Two files."),
    part("s1", "text", "I look."),
    call("s1", "c1"),
    gave("c1", "12"),
    call("s1", "c2"),
    gave("c2", "no such file", isError=True),
    loop("step.end", 5, uuid="s1"),
    loop("step.begin", 6, uuid="s2"),
    part("s2", "text", "Twelve."),
    loop("step.end", 7, uuid="s2"),
    {"type": "turn.ended", "time": 8},
]


def update(what: str, **more: Any) -> Record:
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "a-1", "update": {"sessionUpdate": what, **more}}}


OK = {"type": "content", "content": {"type": "text", "text": "ok"}}
PROMPT = {"sessionId": "a-1", "prompt": [{"type": "text", "text": "Sort it"}]}


ACP: list[Record] = [
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "session/prompt",
        "params": {"sessionId": "a-1", "prompt": [{"type": "text", "text": "Sort it"}]},
    },
    update("agent_thought_chunk", content={"type": "text", "text": "By na"}),
    update("agent_thought_chunk", content={"type": "text", "text": "me."}),
    update("agent_message_chunk", content={"type": "text", "text": "I "}),
    update("agent_message_chunk", content="sort."),
    update("tool_call", toolCallId="t1", title="Edit list.py", kind="edit", status="pending", rawInput={"path": "list.py"}),
    update("tool_call_update", toolCallId="t1", status="in_progress"),
    update(
        "tool_call_update", toolCallId="t1", status="completed", content=[{"type": "content", "content": {"type": "text", "text": "ok"}}]
    ),
    update("current_mode_update", currentModeId="ask"),
    update("agent_message_chunk", content={"type": "text", "text": "Done."}),
]


def kiro(kind: str, name: str, *content: Record) -> Record:
    return {"version": "v1", "kind": kind, "data": {"message_id": name, "content": list(content), "meta": {"timestamp": 1_790_000_000}}}


KIRO = [
    kiro("Prompt", "k1", {"kind": "text", "data": "Where is the port set?"}),
    kiro("AssistantMessage", "k2", {"kind": "thinking", "data": {"text": "Config."}}, {"kind": "text", "data": "I look."}),
    kiro("AssistantMessage", "k3", {"kind": "toolUse", "data": {"toolUseId": "u1", "name": "fs_read", "input": {"path": "app.toml"}}}),
    kiro("ToolResults", "k4", {"kind": "toolResult", "data": {"toolUseId": "u1", "content": [{"kind": "text", "data": "port = 80"}]}}),
]


def cursor(state: str, **held: Any) -> Record:
    return {"type": "tool_call", "subtype": state, "call_id": "r1", "session_id": "c-1", "tool_call": {"readToolCall": held}}


CURSOR: list[Record] = [
    {"type": "system", "subtype": "init", "cwd": "/srv/app", "session_id": "c-1", "model": "auto"},
    {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "Read the notes"}]}, "session_id": "c-1"},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "I read."}]}, "session_id": "c-1"},
    cursor("started", args={"path": "notes.md"}),
    cursor("completed", args={"path": "notes.md"}, result={"success": {"content": "# Notes"}}),
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Empty."}]}, "session_id": "c-1"},
    {"type": "result", "subtype": "success", "result": "I read.Empty.", "session_id": "c-1"},
]
GEMINI: list[Record] = [
    {"type": "init", "timestamp": "2026-05-04T10:00:00Z", "session_id": "g-1", "model": "gemini-3-pro"},
    {"type": "message", "timestamp": "2026-05-04T10:00:01Z", "role": "user", "content": "What is in here?"},
    {"type": "tool_use", "timestamp": "2026-05-04T10:00:02Z", "tool_name": "ls", "tool_id": "ls-1", "parameters": {"path": "."}},
    {"type": "tool_result", "timestamp": "2026-05-04T10:00:03Z", "tool_id": "ls-1", "status": "success", "output": "a.py"},
    {"type": "message", "timestamp": "2026-05-04T10:00:04Z", "role": "assistant", "content": "One ", "delta": True},
    {"type": "message", "timestamp": "2026-05-04T10:00:05Z", "role": "assistant", "content": "file.", "delta": True},
    {"type": "result", "timestamp": "2026-05-04T10:00:06Z", "status": "success"},
]
LOGS: dict[str, list[Record]] = {"kimi": KIMI, "acp": ACP, "kiro": KIRO, "cursor": CURSOR, "gemini": GEMINI}


def opened(tmp_path: Path, records: list[Record], name: str = "log.jsonl") -> ImportedSession:
    path = tmp_path / name
    path.write_bytes(file_of(records))
    return open_transcript(path)


def roles(found: ImportedSession) -> str:
    return "".join(one.role[0] + ("h" if one.hidden else "") for one in found.messages)


def pairs(found: ImportedSession) -> int:
    calls = {call.id for one in found.messages for call in one.tool_calls}
    return len(calls & {result.id for one in found.messages for result in one.tool_results})


def test_kimi_code_tells_a_step_at_a_time(tmp_path: Path) -> None:
    found = opened(tmp_path, KIMI)
    assert (found.source, roles(found), pairs(found), found.branches, found.damage) == ("kimi", "uuhatta", 2, 1, ())
    step = found.messages[2]
    assert (step.thinking, step.text) == ("Two files.", "I look.")
    assert [one.input for one in step.tool_calls] == [{"command": "c1"}, {"command": "c2"}]
    assert [result.is_error for one in found.messages for result in one.tool_results] == [False, True]
    assert (found.title, found.workspace, found.model) == ("Count the orders", "/srv/shop", "kimi-code/k3")
    assert not any(one.sidechain for one in found.messages)


def test_kimi_code_without_the_ends_of_its_steps(tmp_path: Path) -> None:
    cut = [one for one in KIMI if one.get("event", {}).get("type") not in ("step.begin", "step.end")]
    assert roles(opened(tmp_path, cut)) == "uuhatta"


def test_the_agent_client_protocol_tells_stretches(tmp_path: Path) -> None:
    found = opened(tmp_path, ACP)
    assert (roles(found), pairs(found), found.title) == ("uata", 1, "Sort it")
    first = found.messages[1]
    assert (first.thinking, first.text, first.tool_calls[0].name, first.tool_calls[0].input) == (
        "By name.",
        "I sort.",
        "Edit list.py",
        {"path": "list.py"},
    )
    assert found.messages[2].tool_results[0].output == "ok"


def test_kiro_tells_a_message_a_line(tmp_path: Path) -> None:
    found = opened(tmp_path, KIRO)
    assert (roles(found), pairs(found), found.title) == ("uaat", 1, "Where is the port set?")
    assert (found.messages[1].thinking, found.messages[3].tool_results[0].output) == ("Config.", "port = 80")
    assert found.messages[0].id == "k1" and found.messages[0].time is not None


def test_cursors_stream_is_none_of_claude_code(tmp_path: Path) -> None:
    found = opened(tmp_path, CURSOR)
    assert (found.source, roles(found), pairs(found)) == ("generic", "uaata", 1)
    assert (found.messages[2].tool_calls[0].name, found.workspace) == ("read", "/srv/app")
    assert "# Notes" in found.messages[3].tool_results[0].output


def test_gemini_prints_an_answer_in_stretches(tmp_path: Path) -> None:
    found = opened(tmp_path, GEMINI)
    assert (roles(found), pairs(found), found.messages[3].text) == ("uata", 1, "One file.")


@pytest.mark.parametrize("name", LOGS)
def test_a_torn_line_hides_no_other(tmp_path: Path, name: str) -> None:
    whole = opened(tmp_path, LOGS[name])
    path = tmp_path / "torn.jsonl"
    path.write_bytes(file_of(LOGS[name]) + file_of(LOGS[name])[:60])
    torn = open_transcript(path)
    assert (roles(torn), pairs(torn)) == (roles(whole), pairs(whole))
    assert torn.damage


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, one in inside for place in ((*at, key), *_places(one, (*at, key)))]


def _put(value: Any, place: tuple[Any, ...], junk: Any) -> Any:
    copy = json.loads(json.dumps(value))
    at = copy
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = junk
    return copy


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("junk", [None, 7, True, "x", [], {}, [{}], {"type": []}], ids=repr)
def test_a_field_of_any_other_type_raises_nothing(tmp_path: Path, name: str, junk: Any) -> None:
    records = LOGS[name]
    path = tmp_path / "log.jsonl"
    for number, record in enumerate(records):
        path.write_bytes(file_of([*(_put(record, place, junk) for place in _places(record)), *records[number + 1 :]]))
        open_transcript(path)
