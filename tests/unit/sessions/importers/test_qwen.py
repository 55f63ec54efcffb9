"""Qwen Code's sessions: the tree of uuids, calls and results, titles, sub-agents, and the older chats that look like Gemini's."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.unit.sessions.importers.others_world import file_of, gemini_head, gemini_user, qwen


def records() -> list[dict[str, object]]:
    return [
        qwen("s0", None, "system", None, 0, subtype="ui_telemetry", systemPayload={"uiEvent": {}}),
        qwen("q1", "s0", "user", [{"text": "<system-reminder>be kind</system-reminder>"}]),
        qwen("q2", "q1", "user", [{"text": "看看目录"}]),
        qwen(
            "q3",
            "q2",
            "assistant",
            [
                {"text": "thinking", "thought": True},
                {"text": "Looking."},
                {"functionCall": {"id": "c1", "name": "ls", "args": {"path": "."}}},
            ],
            3,
            model="qwen3-coder",
            usageMetadata={"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        ),
        qwen(
            "q4",
            "q3",
            "tool_result",
            [{"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a.txt"}}}],
            4,
            toolCallResult={"callId": "c1", "status": "success", "resultDisplay": "a.txt"},
        ),
        qwen("s1", "q4", "system", None, 4, subtype="chat_compression", systemPayload={"compressedHistory": []}),
        qwen("q5", "s1", "assistant", [{"text": "One file."}], 5, model="qwen3-coder"),
        qwen("q6", "q2", "assistant", [{"text": "Another try."}], 6, model="qwen3-max"),
        qwen("s2", "q6", "system", None, 7, subtype="custom_title", systemPayload={"customTitle": "Listing", "titleSource": "manual"}),
    ]


def test_the_tree_its_pairs_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(file_of(records()))
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace, found.git_branch) == ("qwen", "qwen-1", "Listing", "/srv/app", "main")
    assert [(one.id, one.parent, one.role, one.hidden) for one in found.messages] == [
        ("q1", None, "user", True),
        ("q2", "q1", "user", False),
        ("q3", "q2", "assistant", False),
        ("q4", "q3", "tool", False),
        ("q5", "q4", "assistant", False),
        ("q6", "q2", "assistant", False),
    ]
    assert (found.branches, found.leaf, found.model, found.damage) == (2, "q6", "qwen3-max", ())
    assert (found.messages[2].thinking, found.messages[2].text, found.messages[2].tokens) == ("thinking", "Looking.", 15)
    assert found.messages[2].tool_calls[0].id == found.messages[3].tool_results[0].id == "c1"
    assert found.messages[3].tool_results[0].output == "a.txt"


def test_a_failed_call_and_one_whose_response_is_only_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    calls: list[dict[str, object]] = [{"functionCall": {"id": name, "name": "sh", "args": {}}} for name in ("c1", "c2")]
    failed = {"callId": "c2", "status": "error", "resultDisplay": "denied"}
    path.write_bytes(
        file_of(
            [
                qwen("q1", None, "assistant", calls),
                qwen("q2", "q1", "tool_result", [{"functionResponse": {"id": "c1", "name": "sh", "response": {"error": "exit 1"}}}]),
                qwen("q3", "q2", "tool_result", None, toolCallResult=failed),
            ]
        )
    )
    results = [one.tool_results[0] for one in open_transcript(path).messages[1:]]
    assert [(one.id, one.output, one.is_error) for one in results] == [("c1", "exit 1", True), ("c2", "denied", True)]


def test_sub_agents_and_folders(tmp_path: Path) -> None:
    project = tmp_path / "projects" / "-srv-app"
    (project / "chats").mkdir(parents=True)
    (project / "subagents" / "qwen-1").mkdir(parents=True)
    (project / "chats" / "qwen-1.jsonl").write_bytes(file_of(records()))
    (project / "subagents" / "qwen-1" / "agent-7.jsonl").write_bytes(file_of([qwen("z1", None, "user", [{"text": "search"}], 9)]))
    entries = {one.session: one for one in list_transcripts(tmp_path)}
    assert set(entries) == {"qwen-1", "agent-7"}
    assert (entries["agent-7"].kind, entries["agent-7"].parent, entries["agent-7"].title) == ("sub-agent", "qwen-1", "search")
    assert (entries["qwen-1"].title, entries["qwen-1"].workspace) == ("Listing", "/srv/app")
    assert open_transcript(tmp_path, "agent-7").kind == "sub-agent"


def test_the_older_chats_are_told_from_geminis(tmp_path: Path) -> None:
    answer = {"id": "a1", "timestamp": "2026-01-01T00:00:00Z", "type": "qwen", "content": "hello"}
    path = tmp_path / "session-1.json"
    path.write_text(json.dumps(gemini_head(messages=[gemini_user("u1", "hi"), answer])), "utf-8")
    found = open_transcript(path)
    assert (found.source, [one.role for one in found.messages]) == ("qwen", ["user", "assistant"])
    placed = tmp_path / ".qwen" / "tmp" / "ab" / "chats" / "session-1.json"
    placed.parent.mkdir(parents=True)
    placed.write_text(json.dumps(gemini_head(messages=[gemini_user("u1", "hi"), {**answer, "type": "gemini"}])), "utf-8")
    assert open_transcript(placed).source == "qwen"
    assert [one.source for one in list_transcripts(placed)] == ["qwen"]
    for folder in (tmp_path / ".qwen" / "tmp", placed.parent):
        assert [(one.source, one.title) for one in list_transcripts(folder)] == [("qwen", "hi")]
        assert open_transcript(folder).source == "qwen"
