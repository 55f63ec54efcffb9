"""Conversations of any program: lists of messages, lines, trees, exports of many chats, events; and files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedMessage, list_transcripts, open_transcript
from tests.helpers.data import shared_data
from tests.unit.sessions.importers.chat_world import ANTHROPIC, OPENAI, chatgpt, lines, put


def _jsonl(path: Path, records: list[dict[str, Any]]) -> Path:
    return put(path, b"\n".join(lines(records)) + b"\n")


def _said(messages: tuple[ImportedMessage, ...]) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in messages]


def _pairs(messages: tuple[ImportedMessage, ...]) -> int:
    calls = {call.id for one in messages for call in one.tool_calls}
    return len(calls & {result.id for one in messages for result in one.tool_results})


def _check_openai(messages: tuple[ImportedMessage, ...]) -> None:
    assert [one.role for one in messages] == ["system", "user", "assistant", "tool", "assistant", "user", "assistant"]
    assert messages[0].hidden
    assert messages[2].thinking == "I need the shell."
    assert (messages[2].tool_calls[0].name, messages[2].tool_calls[0].input) == ("shell", {"cmd": "ls"})
    assert (messages[3].tool_results[0].output, messages[3].tool_results[0].name) == ("a.py b.py", "shell")
    assert (messages[4].tokens, messages[4].model) == (15, "m-1")
    assert _pairs(messages) == 1


@pytest.mark.parametrize("around", ["list", "messages", "deep", "lines", "pretty"])
def test_messages_as_openai_stores_them(tmp_path: Path, around: str) -> None:
    shapes: dict[str, Any] = {
        "list": OPENAI,
        "messages": {"id": "s-1", "title": "Files", "messages": OPENAI},
        "deep": {"info": {"cost": 1}, "data": {"request": {"history": OPENAI}}},
        "lines": b"\n".join(lines(OPENAI)),
        "pretty": json.dumps({"messages": OPENAI}, indent=2),
    }
    found = open_transcript(put(tmp_path / "some.file", shapes[around]))
    assert (found.source, found.branches, found.damage) == ("generic", 1, ())
    _check_openai(found.messages)
    assert found.title == ("Files" if around == "messages" else "List the files, 请")
    assert found.id == ("s-1" if around == "messages" else "some")


def test_messages_as_anthropic_stores_them(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / "a.json", ANTHROPIC))
    assert (found.source, len(found.messages), _pairs(found.messages)) == ("generic", 4, 2)
    assert found.messages[1].thinking == "First the file."
    assert [(one.output, one.is_error) for one in found.messages[2].tool_results] == [("print(1)", False), ("no such file", True)]
    assert found.messages[2].role == "user"


@pytest.mark.parametrize(
    "record",
    [
        {"from": "human", "value": "Hi"},
        {"sender": "human", "text": "Hi"},
        {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hi"]}},
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"type": "human", "data": {"content": "Hi"}},
        {"message": {"role": "user", "content": "Hi"}, "contextItems": []},
        {"role": "user", "content": [{"type": "text", "text": {"value": "Hi", "annotations": []}}]},
        {"isCreatedByUser": True, "sender": "Somebody", "text": "Hi"},
        {"speaker": "User", "body": "Hi"},
        {"kind": "message", "seq": 4, "message": {"id": "m", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}},
    ],
)
def test_the_words_that_programs_use_for_a_role_and_a_text(tmp_path: Path, record: dict[str, Any]) -> None:
    answer = {"role": "assistant", "content": "Hello"}
    for path in (put(tmp_path / "a.json", [record, answer]), _jsonl(tmp_path / "a.jsonl", [record, answer])):
        found = open_transcript(path)
        assert (found.source, _said(found.messages)) == ("generic", [("user", "Hi"), ("assistant", "Hello")])


def test_a_tree_of_messages_has_all_its_branches(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / "c.json", [chatgpt()]))
    assert (found.source, found.id, found.title, found.branches, found.leaf) == ("generic", "conv-1", "Ports", 2, "a2")
    parents = {one.id: one.parent for one in found.messages}
    assert parents == {"q2": None, "a2": "q2", "q1": None, "a1": "q1"}
    before: set[str | None] = {None}
    for one in found.messages:
        assert one.parent in before
        before.add(one.id)


def test_an_export_of_many_chats_lists_each(tmp_path: Path) -> None:
    path = put(tmp_path / "conversations.json", [chatgpt("one", "First"), chatgpt("two", "Second")])
    found = list_transcripts(path)
    assert sorted((one.session, one.title, one.messages) for one in found) == [("one", "First", 4), ("two", "Second", 4)]
    assert open_transcript(path, "one").title == "First"
    assert open_transcript(path, "three").damage
    assert open_transcript(path).messages


def test_lines_that_are_conversations_are_sessions(tmp_path: Path) -> None:
    path = _jsonl(
        tmp_path / "train.jsonl",
        [{"messages": OPENAI}, {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}]}],
    )
    assert sorted(str(one.session) for one in list_transcripts(path)) == ["train-1", "train-2"]
    assert _said(open_transcript(path, "train-2").messages) == [("user", "Hi"), ("assistant", "Yo")]
    _check_openai(open_transcript(path, "train-1").messages)


def test_messages_by_id_with_parents(tmp_path: Path) -> None:
    messages = {
        "m1": {"id": "m1", "parentId": None, "role": "user", "content": "Hi"},
        "m2": {"id": "m2", "parentId": "m1", "role": "assistant", "content": "A"},
        "m3": {"id": "m3", "parentId": "m1", "role": "assistant", "content": "B"},
    }
    document = [{"id": "chat-1", "title": "T", "chat": {"history": {"messages": messages, "currentId": "m2"}}}]
    found = open_transcript(put(tmp_path / "c.json", document))
    assert (found.branches, found.leaf, found.id, found.title) == (2, "m2", "chat-1", "T")


def test_parents_that_go_in_a_ring_end(tmp_path: Path) -> None:
    records = [
        {"id": "a", "parent": "b", "role": "user", "content": "1"},
        {"id": "b", "parent": "a", "role": "assistant", "content": "2"},
        {"id": "c", "parent": "c", "role": "user", "content": "3"},
    ]
    for path in (put(tmp_path / "a.json", records), _jsonl(tmp_path / "a.jsonl", records)):
        assert len(open_transcript(path).messages) == 3


def test_kimi_keeps_context_and_wire(tmp_path: Path) -> None:
    session = tmp_path / "hash" / "session-1"
    context: list[dict[str, Any]] = [
        {"role": "_system_prompt", "content": "You are"},
        {"role": "_checkpoint", "id": 0},
        {"role": "user", "content": "修复错误"},
        {"role": "_checkpoint", "id": 1},
        {
            "role": "assistant",
            "content": [{"type": "think", "think": "Look first.", "encrypted": None}, {"type": "text", "text": "Looking."}],
            "tool_calls": [{"type": "function", "id": "k1", "function": {"name": "Shell", "arguments": '{"command":"ls"}'}}],
        },
        {
            "role": "tool",
            "content": [{"type": "text", "text": "<system>ok</system>"}, {"type": "text", "text": "a.py"}],
            "tool_call_id": "k1",
        },
        {"role": "_usage", "token_count": 123},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    ]
    wire: list[dict[str, Any]] = [
        {"type": "metadata", "protocol_version": "1.1"},
        *(
            {"timestamp": 1_760_000_000.5 + number, "message": {"type": kind, "payload": payload}}
            for number, (kind, payload) in enumerate(
                [
                    ("TurnBegin", {"user_input": "修复错误"}),
                    ("StepBegin", {"n": 1}),
                    ("ContentPart", {"type": "think", "think": "Look "}),
                    ("ContentPart", {"type": "think", "think": "first."}),
                    ("ContentPart", {"type": "text", "text": "Looking."}),
                    ("ToolCall", {"type": "function", "id": "k1", "function": {"name": "Shell", "arguments": '{"comm'}}),
                    ("ToolCallPart", {"arguments_part": 'and":"ls"}'}),
                    ("StatusUpdate", {"token_usage": None}),
                    ("ToolResult", {"tool_call_id": "k1", "return_value": {"is_error": False, "output": "a.py", "message": ""}}),
                    ("StepBegin", {"n": 2}),
                    ("ContentPart", {"type": "text", "text": "Done."}),
                ]
            )
        ),
    ]
    for path in (_jsonl(session / "context.jsonl", context), _jsonl(session / "wire.jsonl", wire)):
        found = open_transcript(path)
        assert (found.source, found.id, found.title, _pairs(found.messages)) == ("kimi", "session-1", "修复错误", 1)
        assert [one.role for one in found.messages] == ["user", "assistant", "tool", "assistant"]
        assert (found.messages[1].thinking, found.messages[1].text) == ("Look first.", "Looking.")
        assert found.messages[1].tool_calls[0].input == {"command": "ls"}
    assert [one.path.name for one in list_transcripts(tmp_path)] == ["context.jsonl"]


def test_spans_of_agents(tmp_path: Path) -> None:
    def span(category: str, side: str, name: str, data: Any, **more: Any) -> dict[str, Any]:
        return {
            "atof_version": "0.1",
            "kind": "scope",
            "category": category,
            "scope_category": side,
            "uuid": name,
            "timestamp": "2026-07-18T09:00:00Z",
            "name": name,
            "metadata": {"session_id": "s-1", **more},
            "data": data,
        }

    records = [
        span("agent", "start", "run", {}),
        span("llm", "start", "l1", {"content": {"messages": [{"role": "user", "content": "Hi"}]}}),
        span("llm", "end", "l1", {"assistant_message": {"content": "Yo", "tool_calls": []}}),
        span("tool", "start", "terminal", {"command": "ls"}, tool_call_id="t1"),
        span("tool", "end", "terminal", {"stdout": "a"}, tool_call_id="t1", status="error"),
        span("llm", "start", "l2", {"content": {"messages": [{"role": "user", "content": "Hi"}]}}),
        span("llm", "end", "l2", {"error": "x"}),
    ]
    found = open_transcript(_jsonl(tmp_path / "a.jsonl", records))
    assert (found.id, [one.role for one in found.messages]) == ("s-1", ["user", "assistant", "assistant", "tool"])
    assert (_pairs(found.messages), found.messages[3].tool_results[0].is_error) == (1, True)


def test_calls_and_results_without_ids_find_each_other(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {"role": "user", "content": "Which branch?", "timestamp": "2026-01-01T00:00:00Z"},
        {"type": "tool_call", "function": {"name": "git"}, "arguments": "status", "timestamp": "2026-01-01T00:00:01Z"},
        {"type": "tool_call", "function": {"name": "ls"}, "arguments": "{}", "timestamp": "2026-01-01T00:00:01Z"},
        {"type": "tool_result", "name": "ls", "result": "a", "timestamp": "2026-01-01T00:00:02Z"},
        {"type": "tool_result", "name": "git", "result": "main", "timestamp": "2026-01-01T00:00:03Z"},
        {"type": "error", "error": "x", "timestamp": "2026-01-01T00:00:03Z"},
        {"role": "assistant", "content": "main"},
    ]
    found = open_transcript(_jsonl(tmp_path / "a.jsonl", records))
    names = {call.id: call.name for one in found.messages for call in one.tool_calls}
    assert [(names[result.id], result.output) for one in found.messages for result in one.tool_results] == [("ls", "a"), ("git", "main")]
    assert len(found.messages) == 6
    assert found.damage == ()


def test_steps_of_a_trajectory(tmp_path: Path) -> None:
    steps = [{"action": "ls", "observation": "a.py", "thought": "Look", "response": "Look\n```ls```"}] * 2
    found = open_transcript(put(tmp_path / "x.traj", {"environment": "e", "trajectory": steps, "info": {}}))
    assert ([one.role for one in found.messages], _pairs(found.messages)) == (["assistant", "tool"] * 2, 2)


def test_questions_with_their_answers_and_ends_of_sessions(tmp_path: Path) -> None:
    found = open_transcript(_jsonl(tmp_path / "a.jsonl", [{"prompt": "1+1?", "response": "2"}, {"prompt": "2+2?", "response": "4"}]))
    assert _said(found.messages) == [("user", "1+1?"), ("assistant", "2"), ("user", "2+2?"), ("assistant", "4")]
    ended = {"metadata": {"event": "session_end", "timestamp": "20251005_225222", "response": "Bye"}}
    found = open_transcript(_jsonl(tmp_path / "b.jsonl", [ended]))
    assert _said(found.messages) == [("assistant", "Bye")]
    assert found.messages[0].time is not None


def test_messages_that_are_told_again_count_once(tmp_path: Path) -> None:
    records = [
        {"id": "1", "role": "user", "content": "Hi"},
        {"id": "2", "role": "assistant", "content": "He"},
        {"id": "2", "role": "assistant", "content": "Hello"},
        {"id": "2", "role": "user", "content": "an id used for another message"},
    ]
    found = open_transcript(_jsonl(tmp_path / "a.jsonl", records))
    assert _said(found.messages) == [("user", "Hi"), ("assistant", "Hello"), ("user", "an id used for another message")]


NO_CONVERSATIONS: dict[str, Any] = {
    "package.json": {"name": "x", "version": "1.0.0", "author": {"name": "Bob", "role": "maintainer"}, "scripts": {"test": "x"}},
    "users.json": [{"role": "user", "name": "Bob"}, {"role": "admin", "name": "Eve"}],
    "prompts.json": {"messages": [{"role": "system", "content": "You help."}]},
    "log.jsonl": b'{"level":"info","message":"started","user":"bob"}\n{"level":"warn","message":"slow","type":"agent"}\n',
    "events.jsonl": b'{"type":"user","action":"login","id":3}\n{"type":"page","path":"/"}\n',
    "schema.json": {"type": "object", "properties": {"role": {"type": "string"}, "content": {"type": "string"}}},
    "numbers.json": [1, 2, 3],
    "text.json": "words",
    "table.csv": "role,content\nadmin,x\n",
    "README.md": "# Project\n\n## Install\n\nRun it.\n\n## User guide\n\nText\n\n## License\n\nMIT\n",
    "manual.md": "# Roles\n\n## System\n\nx\n\n## User\n\nx\n\n## Setup\n\nx\n\n## Agent\n\nx\n\n## Limits\n\nx\n\n## Faults\n\nx\n",
    "server.log": "2026-01-01 10:00:00 INFO user: bob logged in\n2026-01-01 10:00:01 INFO agent: started\n",
    "code.py": "class User:\n    pass\n\n\nclass Assistant:\n    pass\n",
    "notes.txt": "Human: a person.\nSome other text.\n",
    "api.md": "# Use it\n\n" + "Some words on it.\n" * 20 + '```python\nclient.ask(messages=[{"role": "user", "content": "Hi"}])\n```\n',
    "icons.json": {**{f"icon-{number}": "f1" for number in range(60)}, "human": "f12", "ai": "f13"},
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8,
}


@pytest.mark.parametrize("name", NO_CONVERSATIONS)
def test_what_is_no_conversation_is_unknown_and_says_why(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / name, NO_CONVERSATIONS[name])
    found = open_transcript(path)
    assert (found.source, found.messages, list_transcripts(path)) == ("unknown", (), [])
    assert found.damage[0].reason


def _roles(value: Any) -> int:
    return sum(isinstance(one, dict) and one.get("role", one.get("r")) in ("user", "assistant", "system", "tool") for one in value)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("brian-ln-agentic-primer/archive/session-compact.jsonl", "lines"),
        ("jazzyalex-agent-sessions/Resources/Fixtures/session_branch.jsonl", "typed"),
        ("swe-agent-mini-swe-agent/tests/test_data/github_issue.traj.json", "document"),
        ("microsoft-amplifier/amplifier-next/dot-amplifier/transcripts/transcript_final_20251005_225222.jsonl", "end"),
        ("sinity-polylogue/tests/fixtures/hermes/atof/nemo_relay_atof_v0.1_real_redacted.jsonl", "spans"),
    ],
)
def test_real_ones_against_an_independent_count(name: str, kind: str) -> None:
    path = shared_data("real/transcripts") / name
    text = path.read_text("utf-8")
    records = json.loads(text) if kind == "document" else [json.loads(line) for line in text.split("\n") if line.strip()]
    expected, pairs = _roles(records), 0
    if kind == "lines":
        pairs = sum("tool_result" in one for one in records)
    elif kind == "typed":
        expected += sum(one.get("type") in ("tool_call", "tool_result") for one in records)
        pairs = 1
    elif kind == "end":
        expected = sum("response" in one["metadata"] for one in records)
    elif kind == "spans":
        spans = [(one["category"], one.get("scope_category"), one.get("data", {})) for one in records]
        ends = sum(category == "tool" and side == "end" for category, side, _ in spans)
        said = {data["content"] for category, side, data in spans if (category, side) == ("llm", "start")}
        answers = sum("assistant_message" in data for _, _, data in spans)
        expected, pairs = len(said) + answers + 2 * ends, ends
    found = open_transcript(path)
    assert (found.source, len(found.messages), _pairs(found.messages), found.branches, found.damage) == ("generic", expected, pairs, 1, ())
    print(f"{kind}: {expected} messages, {pairs} pairs")
