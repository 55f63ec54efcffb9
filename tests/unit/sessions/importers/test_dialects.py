"""Programs that tell a conversation in words of their own: each form in a few records, with what it holds counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript

Record = dict[str, Any]


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def counted(found: ImportedSession) -> tuple[str, int, int, int]:
    """Roles by their first letters, calls, pairs of call and result, branches."""
    calls = [call.id for one in found.messages for call in one.tool_calls]
    pairs = sum(result.id in calls for one in found.messages for result in one.tool_results)
    return "".join(one.role[0] for one in found.messages), len(calls), pairs, found.branches


ZED_ANSWER = {
    "Agent": {
        "content": [
            {"Thinking": {"text": "hm", "signature": None}},
            {"Text": "I look."},
            {"ToolUse": {"id": "z1", "name": "read_file", "raw_input": "{}", "input": {"path": "a"}, "is_input_complete": True}},
        ],
        "tool_results": {"z1": {"tool_use_id": "z1", "tool_name": "read_file", "is_error": False, "content": [{"Text": "alpha"}]}},
    }
}
ZED_ASKED = {"User": {"id": "u", "content": [{"Text": "Read it"}, {"Mention": {"uri": {"File": {"abs_path": "/srv/a"}}, "content": "x"}}]}}
ZED = {"version": "0.3.0", "title": "From Zed", "messages": [ZED_ASKED, ZED_ANSWER, "Resume"]}
ZED_OLD = {
    "version": "0.2.0",
    "summary": "From Zed",
    "messages": [
        {"id": 0, "role": "user", "segments": [text("Read it")], "tool_uses": [], "tool_results": [], "context": ""},
        {
            "id": 1,
            "role": "assistant",
            "segments": [{"type": "thinking", "text": "hm"}, text("I look.")],
            "tool_uses": [{"id": "z1", "name": "read_file", "input": {}}],
            "tool_results": [{"tool_use_id": "z1", "is_error": False, "content": {"Text": "alpha"}}],
        },
    ],
}
OPENHANDS = [
    {"id": 0, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
    {"id": 1, "source": "user", "action": "message", "args": {"content": "Read it"}, "timestamp": "2026-03-01T10:00:00"},
    {"id": 2, "source": "agent", "action": "run", "args": {"command": "cat a", "thought": "I look."}},
    {"id": 3, "source": "agent", "observation": "run", "content": "alpha", "cause": 2, "extras": {"exit_code": 0}},
    {"id": 4, "source": "agent", "action": "finish", "args": {"final_thought": "Read."}},
]
OPENHANDS_EVENTS = [
    {"kind": "SystemPromptEvent", "source": "agent", "id": "0", "system_prompt": text("Be good.")},
    {"kind": "MessageEvent", "source": "user", "id": "1", "llm_message": {"role": "user", "content": [text("Read it")]}},
    {
        "kind": "ActionEvent",
        "source": "agent",
        "id": "2",
        "thought": [text("I look.")],
        "action": {"kind": "TerminalAction", "command": "cat a"},
        "tool_name": "terminal",
        "tool_call_id": "c1",
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "id": "3",
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "observation": {"content": [text("alpha")], "is_error": False},
    },
]
PYDANTIC = [
    {
        "kind": "request",
        "parts": [{"part_kind": "system-prompt", "content": "Be good."}, {"part_kind": "user-prompt", "content": "Read it"}],
    },
    {
        "kind": "response",
        "model_name": "m-1",
        "parts": [
            {"part_kind": "text", "content": "I look."},
            {"part_kind": "tool-call", "tool_name": "read", "args": '{"path": "a"}', "tool_call_id": "p1"},
        ],
    },
    {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "read", "content": "alpha", "tool_call_id": "p1"}]},
    {"kind": "response", "parts": [{"part_kind": "text", "content": "Read."}]},
]
AUGMENT = {
    "sessionId": "a1",
    "chatHistory": [
        {
            "exchange": {
                "request_message": "Read it",
                "response_text": "I look.",
                "response_nodes": [{"type": 5, "tool_use": {"tool_use_id": "g1", "tool_name": "view", "input_json": "{}"}}],
            }
        },
        {
            "exchange": {
                "request_message": "",
                "request_nodes": [{"type": 1, "tool_result_node": {"tool_use_id": "g1", "content": "alpha", "is_error": False}}],
                "response_text": "Read.",
            }
        },
    ],
}
PROMPT = {"content": {"Prompt": {"prompt": "Read it"}}, "env_context": {"env_state": {"current_working_directory": "/srv/q"}}}
USED = {"ToolUse": {"message_id": "m1", "content": "I look.", "tool_uses": [{"id": "q1", "name": "fs_read", "args": {"path": "a"}}]}}
GIVEN = {"content": {"ToolUseResults": {"tool_use_results": [{"tool_use_id": "q1", "content": [{"Text": "alpha"}], "status": "Success"}]}}}
SAID = {"Response": {"message_id": "m2", "content": "Read."}}
AMAZON = {"conversation_id": "q", "history": [{"user": PROMPT, "assistant": USED}, {"user": GIVEN, "assistant": SAID}]}
AMAZON_OLD = {"conversation_id": "q", "history": [[PROMPT, USED], [GIVEN, SAID]]}
SHARED = {
    "conversations": [
        {"from": "human", "value": "Read it"},
        {"from": "function_call", "value": '{"name": "read", "arguments": {"path": "a"}}'},
        {"from": "observation", "value": "alpha"},
        {"from": "gpt", "value": "Read."},
    ]
}
BEDROCK = {
    "messages": [
        {"role": "user", "content": [{"text": "Read it"}]},
        {"role": "assistant", "content": [{"text": "I look."}, {"toolUse": {"toolUseId": "b1", "name": "read", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "b1", "content": [{"text": "alpha"}], "status": "success"}}]},
    ]
}
SHOWN = {"type": "tool-read", "toolCallId": "s1", "state": "output-available", "input": {"path": "a"}, "output": "alpha"}
INVOKED = {"state": "result", "toolCallId": "s1", "toolName": "read", "args": {"path": "a"}, "result": "alpha"}
SDK = [{"id": "1", "role": "user", "parts": [text("Read it")]}, {"id": "2", "role": "assistant", "parts": [SHOWN, text("Read.")]}]
SDK_OLD = [
    {"id": "1", "role": "user", "content": "Read it", "parts": [text("Read it")]},
    {"id": "2", "role": "assistant", "content": "Read.", "parts": [{"type": "tool-invocation", "toolInvocation": INVOKED}, text("Read.")]},
]
SDK_OLDEST = [
    {"id": "1", "role": "user", "content": "Read it"},
    {"id": "2", "role": "assistant", "content": "Read.", "toolInvocations": [INVOKED]},
]
CHATBOX = {
    "name": "Box",
    "messages": [
        {"id": "1", "role": "user", "contentParts": [text("Read it")]},
        {"id": "2", "role": "assistant", "contentParts": [{"type": "tool-call", **INVOKED}, text("Read.")]},
    ],
}


@pytest.mark.parametrize(
    ("document", "roles"),
    [
        pytest.param(ZED, "ua", id="Zed"),
        pytest.param(ZED_OLD, "ua", id="Zed, older"),
        pytest.param(OPENHANDS, "uata", id="OpenHands"),
        pytest.param(OPENHANDS_EVENTS, "uat", id="OpenHands, newer"),
        pytest.param(PYDANTIC, "uata", id="Pydantic AI"),
        pytest.param(AUGMENT, "uata", id="Augment"),
        pytest.param(AMAZON, "uata", id="Amazon Q"),
        pytest.param(AMAZON_OLD, "uata", id="Amazon Q, older"),
        pytest.param(SHARED, "uata", id="ShareGPT with calls"),
        pytest.param(BEDROCK, "uau", id="Bedrock"),
        pytest.param(SDK, "ua", id="AI SDK 5"),
        pytest.param(SDK_OLD, "ua", id="AI SDK 4"),
        pytest.param(SDK_OLDEST, "ua", id="AI SDK 3"),
        pytest.param(CHATBOX, "ua", id="Chatbox"),
    ],
)
def test_one_call_with_its_result(tmp_path: Path, document: Any, roles: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(document))
    found = open_transcript(path)
    assert (found.source, counted(found)) == ("generic", (roles, 1, 1, 1))
    assert found.messages[0].text.startswith("Read it")
    assert [result.output for one in found.messages for result in one.tool_results] == ["alpha"]
    assert not found.damage and len(list_transcripts(path)) == 1


@pytest.mark.parametrize("records", [OPENHANDS, OPENHANDS_EVENTS, PYDANTIC, AMAZON["history"]])
def test_the_same_as_lines(tmp_path: Path, records: list[Record]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    found = open_transcript(path)
    assert found.source == "generic" and counted(found)[1:] == (1, 1, 1)


def test_what_stands_around_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(ZED))
    assert open_transcript(path).title == "From Zed" and open_transcript(path).messages[0].text == "Read it\n\n[/srv/a]"
    path.write_text(json.dumps(AMAZON))
    assert (open_transcript(path).workspace, open_transcript(path).title) == ("/srv/q", "Read it")


def test_a_cancelled_call_and_what_was_said_instead_are_one_message(tmp_path: Path) -> None:
    results = [{"tool_use_id": "q1", "content": [{"Text": "cancelled"}], "status": "Error"}]
    refused = {"content": {"CancelledToolUses": {"prompt": "Not that file", "tool_use_results": results}}}
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"history": [{"user": PROMPT, "assistant": USED}, {"user": refused, "assistant": SAID}]}))
    found = open_transcript(path)
    assert counted(found) == ("uaua", 1, 1, 1)
    assert found.messages[2].text == "Not that file" and found.messages[2].tool_results[0].is_error


def node(name: str, parent: str | None, kind: str, words: str) -> Record:
    return {"id": name, "parent": parent, "message": {"fragments": [{"type": kind, "content": words}], "model": "deep"}}


def test_the_tree_of_deepseek(tmp_path: Path) -> None:
    nodes = {
        "root": {"id": "root", "parent": None, "message": None},
        "1": node("1", "root", "REQUEST", "Ask"),
        "2": node("2", "1", "RESPONSE", "One"),
        "3": node("3", "1", "RESPONSE", "Two"),
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"id": "d1", "title": "Deep", "mapping": nodes}]))
    found = open_transcript(path)
    assert (counted(found), found.title) == (("uaa", 0, 0, 2), "Deep")


def test_the_export_of_grok(tmp_path: Path) -> None:
    asked = {"_id": "r1", "sender": "human", "message": "Ask", "create_time": {"$date": {"$numberLong": "1760000000000"}}}
    said = {"_id": "r2", "sender": "ASSISTANT", "message": "One", "parent_response_id": "r1", "model": "g-4"}
    held = {"conversation": {"id": "g1", "title": "Grok"}, "responses": [{"response": asked}, {"response": said}]}
    path = tmp_path / "grok.json"
    path.write_text(json.dumps({"conversations": [held]}))
    found = open_transcript(path)
    assert (counted(found), found.title, found.id, found.model) == (("ua", 0, 0, 1), "Grok", "g1", "g-4")
    assert found.messages[0].time is not None and found.messages[1].parent == "r1"


def test_the_chosen_version_of_lm_studio(tmp_path: Path) -> None:
    blocks = [
        {"type": "contentBlock", "style": {"type": "thinking"}, "content": [text("hm")]},
        {"type": "contentBlock", "content": [{"type": "toolCallRequest", "toolCallRequestId": "l1", "name": "read", "parameters": {}}]},
        {"type": "contentBlock", "content": [{"type": "toolCallResult", "toolCallRequestId": "l1", "content": "alpha"}]},
        {"type": "contentBlock", "content": [text("Read.")]},
    ]
    messages = [
        {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user", "content": [text("Read it")]}]},
        {"currentlySelected": 1, "versions": [{"role": "assistant", "steps": []}, {"role": "assistant", "steps": blocks}]},
    ]
    path = tmp_path / "1.conversation.json"
    path.write_text(json.dumps({"name": "Studio", "messages": messages}))
    found = open_transcript(path)
    assert (counted(found), found.title) == (("ua", 1, 1, 1), "Studio")
    assert (found.messages[1].text, found.messages[1].thinking) == ("Read.", "hm")


def test_open_webui_keeps_all_branches_beside_the_live_one(tmp_path: Path) -> None:
    tree = {
        "a": {"id": "a", "parentId": None, "role": "user", "content": "Ask"},
        "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "One"},
        "c": {"id": "c", "parentId": "a", "role": "assistant", "content": "Two"},
    }
    chat = {"title": "Web", "history": {"messages": tree, "currentId": "b"}, "messages": [tree["a"], tree["b"]]}
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"id": "w1", "chat": chat}]))
    found = open_transcript(path)
    assert (counted(found), found.leaf, found.title) == (("uaa", 0, 0, 2), "b", "Web")


@pytest.mark.parametrize(
    "document",
    [
        [{"source": "user", "action": "click", "args": []}, {"source": "web", "event": "load"}],
        [{"User": {"name": "x"}}, {"User": {"name": "y"}}],
        {"kind": "request", "parts": [{"x": 1}], "versions": [{"role": "x"}]},
        [{"filePath": "/a", "messages": [{"ruleId": "x", "severity": 2, "message": "bad", "line": 1}]}],
        {"messages": {"user": "User", "assistant": "Assistant"}},
        [{"from": "function_call", "to": "x"}],
    ],
)
def test_data_that_looks_a_little_like_it_stays_unknown(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(document))
    assert open_transcript(path).source == "unknown" and list_transcripts(path) == []
