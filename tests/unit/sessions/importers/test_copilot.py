"""Copilot's sessions: events of the command line, its older documents, and VS Code's chats as documents and as logs of changes."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.sessions.importers import list_transcripts, open_transcript
from desktop.sessions.importers.convert import as_transcript, foreign_id
from tests.unit.sessions.importers.others_world import copilot, file_of


def request(call: str, name: str) -> dict[str, object]:
    return {"toolCallId": call, "name": name, "arguments": {"path": "."}, "type": "function"}


def events() -> list[dict[str, object]]:
    return [
        copilot("e0", None, "session.start", 0, sessionId="cop-1", context={"cwd": "/srv/app", "branch": "topic"}, selectedModel="gpt-5"),
        copilot("e1", "e0", "system.message", 0, role="system", content="You are a tool."),
        copilot("e2", "e1", "user.message", 1, content="看看", transformedContent="<now/>看看", attachments=[]),
        copilot("e3", "e2", "assistant.turn_start", 2, turnId="0"),
        copilot("e4", "e3", "assistant.reasoning", 2, content="let me look"),
        copilot("e5", "e4", "assistant.message", 3, content="Looking.", toolRequests=[request("c1", "view"), request("c2", "task")]),
        copilot("e6", "e5", "tool.execution_start", 3, toolCallId="c1", toolName="view", arguments={"path": "."}),
        copilot("e7", "e6", "tool.execution_start", 3, toolCallId="c2", toolName="task", arguments={}),
        copilot("e8", "e7", "subagent.started", 3, toolCallId="c2", agentName="explore"),
        copilot("e9", "e8", "tool.execution_complete", 4, toolCallId="c1", success=True, result={"content": "a.txt"}),
        copilot("e10", "e9", "assistant.message", 4, content="sub says", parentToolCallId="c2", toolRequests=[]),
        copilot("e11", "e10", "tool.execution_complete", 5, toolCallId="c2", success=False, error={"message": "it failed"}),
        copilot("e12", "e11", "tool.execution_start", 5, toolCallId="c3", toolName="glob", arguments={"p": "*"}),
        copilot("e13", "e12", "tool.execution_complete", 5, toolCallId="c3", success=True, result={"content": "b.txt"}),
        copilot("e14", "e13", "assistant.turn_end", 5, turnId="0"),
        copilot("e15", "e14", "assistant.message", 6, content="Done.", toolRequests=[], outputTokens=9, model="gpt-5-mini"),
        copilot("e16", "e15", "session.shutdown", 7, shutdownType="routine"),
    ]


def test_events_tell_messages_pairs_thoughts_and_sub_agents(tmp_path: Path) -> None:
    folder = tmp_path / "session-state" / "cop-1"
    folder.mkdir(parents=True)
    path = folder / "events.jsonl"
    path.write_bytes(file_of(events()))
    (folder / "workspace.yaml").write_text("id: cop-1\nname: My look around\ncwd: /other\nsummary: |-\n  By the tool\n", "utf-8")
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace, found.git_branch) == (
        "copilot",
        "cop-1",
        "My look around",
        "/srv/app",
        "topic",
    )
    assert [(one.id, one.role, one.sidechain) for one in found.messages] == [
        ("e2", "user", False),
        ("e5", "assistant", False),
        ("e9", "tool", False),
        ("e10", "assistant", True),
        ("e11", "tool", False),
        ("e13", "tool", False),
        ("e15", "assistant", False),
    ]
    assert (found.branches, found.model, found.damage) == (1, "gpt-5-mini", ())
    asked = found.messages[1]
    assert (asked.thinking, [(one.id, one.name) for one in asked.tool_calls]) == (
        "let me look",
        [("c1", "view"), ("c2", "task"), ("c3", "glob")],
    )
    results = {one.id: one for message in found.messages for one in message.tool_results}
    assert [(one.output, one.is_error) for one in results.values()] == [("a.txt", False), ("it failed", True), ("b.txt", False)]


def test_what_sub_agents_say_in_between_is_off_the_live_branch(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(file_of(events()))
    loaded = as_transcript(open_transcript(path), foreign_id("copilot", "cop-1"), "key")
    assert [one.id for one in loaded.live] == ["e2", "e5", "e9", "e11", "e13", "e15"]
    assert len(loaded.messages) == 7


def test_what_was_rewound_is_a_branch(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    rest = [
        copilot("e17", "e16", "user.message", 8, content="wrong way"),
        copilot("e18", "e17", "session.snapshot_rewind", 9, upToEventId="e17", eventsRemoved=1),
        copilot("e19", "e18", "user.message", 10, content="this way"),
    ]
    path.write_bytes(file_of([*events(), *rest]))
    found = open_transcript(path)
    assert found.branches == 2
    assert {one.id: one.parent for one in found.messages}["e19"] == "e15"


def test_the_older_documents_and_folders(tmp_path: Path) -> None:
    state = tmp_path / "history-session-state"
    state.mkdir()
    calls = [{"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]
    chat = [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "list"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
        {"role": "assistant", "content": [{"type": "text", "text": "One file."}]},
    ]
    document = {"sessionId": "old-1", "startTime": "2025-09-01T10:00:00Z", "chatMessages": chat, "timeline": []}
    (state / "session_old-1_1.json").write_text(json.dumps(document), "utf-8")
    found = open_transcript(state / "session_old-1_1.json")
    assert (found.source, found.id, found.title, found.branches) == ("copilot", "old-1", "list", 1)
    assert [(one.role, one.hidden) for one in found.messages][:2] == [("system", True), ("user", False)]
    assert found.messages[2].tool_calls[0].input == {"command": "ls"} and found.messages[3].tool_results[0].id == "c1"
    assert found.messages[4].text == "One file."
    assert [one.path.name for one in list_transcripts(tmp_path)] == ["session_old-1_1.json"]
    assert open_transcript(tmp_path).id == "old-1"


def editor_request(number: int, *response: object, **more: object) -> dict[str, object]:
    asked = {"text": f"question {number}", "parts": [{"text": f"question {number}", "kind": "text"}]}
    return {"requestId": f"r{number}", "message": asked, "response": list(response), "timestamp": 1_780_000_000_000 + number, **more}


SHOWN = {
    "kind": "toolInvocationSerialized",
    "toolId": "copilot_readFile",
    "toolCallId": "shown-1",
    "invocationMessage": {"value": "Reading a file"},
    "pastTenseMessage": {"value": "Read a file"},
    "isComplete": True,
}


def test_an_editors_chat(tmp_path: Path) -> None:
    storage = tmp_path / "workspaceStorage" / "abc"
    (storage / "chatSessions").mkdir(parents=True)
    (storage / "workspace.json").write_text(json.dumps({"folder": "file:///srv/my%20app"}), "utf-8")
    path = storage / "chatSessions" / "ed-1.json"
    result = {
        "metadata": {
            "toolCallRounds": [{"toolCalls": [{"id": "call-1", "name": "read_file", "arguments": '{"path": "x"}'}]}],
            "toolCallResults": {"call-1": {"content": [{"value": "content of x"}]}},
        }
    }
    reference = {"kind": "inlineReference", "inlineReference": {"path": "/srv/my app/x.py"}}
    document = {
        "version": 3,
        "sessionId": "ed-1",
        "creationDate": 1_780_000_000_000,
        "customTitle": "Reading x",
        "requests": [
            editor_request(1, {"value": "See "}, reference, {"value": "."}, {"kind": "thinking", "value": "hm"}, modelId="copilot/gpt-5"),
            editor_request(2, SHOWN, {"kind": "progressTaskSerialized", "content": "x"}, {"value": "Read."}),
            editor_request(3, {"value": "Rounds."}, result=result),
            editor_request(4, result={"errorDetails": {"message": "too many requests"}}),
        ],
    }
    path.write_text(json.dumps(document), "utf-8")
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace) == ("copilot", "ed-1", "Reading x", "/srv/my app")
    assert [one.role for one in found.messages] == ["user", "assistant"] * 4 and found.branches == 1
    assert (found.messages[1].text, found.messages[1].thinking, found.messages[1].model) == ("See x.py.", "hm", "gpt-5")
    assert (found.messages[3].tool_calls[0].id, found.messages[3].tool_results[0].output) == ("shown-1", "Read a file")
    assert found.messages[5].tool_calls[0].input == {"path": "x"} and found.messages[5].tool_results[0].output == "content of x"
    assert found.messages[7].text == "too many requests"
    for folder in (tmp_path, storage, path.parent):
        assert [(one.session, one.title, one.workspace) for one in list_transcripts(folder)] == [("ed-1", "Reading x", "/srv/my app")]
        assert open_transcript(folder).id == "ed-1"


def test_an_editors_log_of_changes_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "ed-2.jsonl"
    state = {"version": 3, "sessionId": "ed-2", "creationDate": 1_780_000_000_000, "requests": []}
    changes = [
        {"kind": 0, "v": state},
        {"kind": 2, "k": ["requests"], "v": [editor_request(1)]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "draft"}]},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 0, "v": [{"value": "final "}, {"value": "answer"}]},
        {"kind": 1, "k": ["customTitle"], "v": "A title"},
        {"kind": 1, "k": ["requests", 0, "modelId"], "v": "copilot/gpt-5"},
        {"kind": 3, "k": ["customTitle"]},
        {"kind": 2, "k": ["requests"], "v": [editor_request(2, {"value": "second"})]},
        {"kind": 9, "k": ["later"], "v": 1},
    ]
    path.write_bytes(file_of(changes))
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.damage) == ("copilot", "ed-2", "question 1", ())
    assert [one.text for one in found.messages] == ["question 1", "final answer", "question 2", "second"]
    assert found.model == "gpt-5"
    data = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([data[0], data[1], b'{"kind":2,"k":["requests",0,"resp\n', *data[3:]]))
    found = open_transcript(path)
    assert [one.line for one in found.damage] == [3]
    assert [one.text for one in found.messages] == ["question 1", "final answer", "question 2", "second"]
    path.write_bytes(b"".join(data[1:]))
    assert [one.text for one in open_transcript(path).messages] == ["question 1", "final answer", "question 2", "second"]
