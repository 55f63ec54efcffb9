"""Gemini CLI's chats in each of their forms, checkpoints, the log of prompts and AI Studio: messages, pairs, branches, facts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.unit.sessions.importers.others_world import PIXEL, at, file_of, gemini_answer, gemini_call, gemini_head, gemini_user


def test_a_recorded_chat_tells_calls_with_results_thoughts_tokens_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "session-2026.json"
    answer = gemini_answer(
        "a1",
        "Here they are.",
        thoughts=[{"subject": "Plan", "description": "List first.", "timestamp": at(2)}],
        tokens={"input": 100, "output": 7, "total": 107},
        toolCalls=[
            gemini_call("c1", "a.txt\nb.txt"),
            gemini_call("c2", None, status="cancelled", resultDisplay="not run"),
            {"id": "c3", "name": "slow", "args": {}, "status": "executing"},
        ],
    )
    beside = [{"id": "i1", "timestamp": at(3), "type": kind, "content": "shown"} for kind in ("info", "error", "warning")]
    context = gemini_user("u0", "<session_context>\nToday is Monday.\n</session_context>", 0)
    document = gemini_head(
        messages=[context, gemini_user("u1", "列出文件"), answer, *beside], summary="Listing files", directories=["/srv/app"]
    )
    path.write_text(json.dumps(document), "utf-8")
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace) == ("gemini", "gem-1", "Listing files", "/srv/app")
    assert (found.started, found.model, found.branches) == (datetime(2026, 5, 4, 10, tzinfo=UTC), "gemini-3-pro", 1)
    assert [(one.id, one.parent, one.role, one.hidden) for one in found.messages] == [
        ("u0", None, "user", True),
        ("u1", "u0", "user", False),
        ("a1", "u1", "assistant", False),
    ]
    last = found.messages[-1]
    assert (last.text, last.thinking, last.tokens) == ("Here they are.", "Plan\n\nList first.", 107)
    assert [one.id for one in last.tool_calls] == ["c1", "c2", "c3"]
    assert (last.tool_calls[0].name, last.tool_calls[0].input) == ("list_directory", {"path": "."})
    assert [(one.id, one.output, one.is_error) for one in last.tool_results] == [("c1", "a.txt\nb.txt", False), ("c2", "not run", True)]


def test_lines_grow_are_set_and_rewound_and_what_was_rewound_stays_as_a_branch(tmp_path: Path) -> None:
    path = tmp_path / "session-x.jsonl"
    records = [
        gemini_head(messages=[], directories=["/srv/app"]),
        gemini_user("u1", "one"),
        gemini_answer("a1", "", toolCalls=[gemini_call("c1", None)]),
        gemini_answer("a1", "two", toolCalls=[gemini_call("c1", "out")]),
        {"$set": {"lastUpdated": at(9), "summary": "A summary"}},
        gemini_user("u2", "three"),
        gemini_answer("a2", "four"),
        {"$rewindTo": "u2"},
        gemini_user("u3", "three again"),
        {"$set": {"messages": [gemini_user("u1", "one"), gemini_user("n1", "what the compression made")]}},
        gemini_answer("a3", "five"),
    ]
    path.write_bytes(file_of(records))
    found = open_transcript(path)
    assert [(one.id, one.parent) for one in found.messages] == [
        ("u1", None),
        ("a1", "u1"),
        ("u2", "a1"),
        ("a2", "u2"),
        ("u3", "a1"),
        ("n1", "u3"),
        ("a3", "n1"),
    ]
    assert found.messages[1].text == "two" and found.messages[1].tool_results[0].output == "out"
    assert (found.branches, found.leaf, found.title, found.workspace, found.damage) == (2, "a3", "A summary", "/srv/app", ())


def test_a_rewind_to_a_lost_message_is_told(tmp_path: Path) -> None:
    path = tmp_path / "session-x.jsonl"
    path.write_bytes(file_of([gemini_head(), gemini_user("u1", "one"), {"$rewindTo": "gone"}, gemini_answer("a1", "two")]))
    found = open_transcript(path)
    assert [one.line for one in found.damage] == [3]
    assert [one.text for one in found.messages] == ["one", "two"]


def test_checkpoints_pair_calls_without_ids_and_hide_the_opening(tmp_path: Path) -> None:
    history = [
        {"role": "user", "parts": [{"text": "This is the Gemini CLI. We are setting up the context for our chat."}]},
        {"role": "model", "parts": [{"text": "Got it. Thanks for the context!"}]},
        {"role": "user", "parts": [{"text": "look"}, {"inlineData": {"mimeType": "image/png", "data": PIXEL}}]},
        {"role": "model", "parts": [{"text": "hm", "thought": True}, {"functionCall": {"name": "ls", "args": {"p": 1}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "ls", "response": {"error": "no such folder"}}}]},
        {"role": "model", "parts": [{"text": "It is missing."}]},
    ]
    for name, value in (("checkpoint-a.json", history), ("checkpoint-b.json", {"history": history, "authType": "oauth"})):
        path = tmp_path / name
        path.write_text(json.dumps(value), "utf-8")
        found = open_transcript(path)
        assert (found.source, found.id, found.title, found.branches) == ("gemini", path.stem, "look", 1)
        assert [one.hidden for one in found.messages] == [True, True, False, False, False, False]
        assert found.messages[2].pictures == (("image/png", PIXEL),)
        call, result = found.messages[3].tool_calls[0], found.messages[4].tool_results[0]
        assert (call.id, result.output, result.is_error) == (result.id, "no such folder", True)
        assert found.messages[3].thinking == "hm"


def test_the_log_of_prompts_holds_many_sessions(tmp_path: Path) -> None:
    path = tmp_path / "logs.json"
    records = [
        {"sessionId": name, "messageId": number, "type": "user", "message": said, "timestamp": at(number)}
        for number, (name, said) in enumerate([("s1", "/help"), ("s1", "alpha"), ("s2", "beta"), ("s1", "gamma")])
    ]
    path.write_text(json.dumps(records), "utf-8")
    entries = list_transcripts(path)
    assert [(one.session, one.title, one.messages) for one in entries] == [("s1", "alpha", 3), ("s2", "beta", 1)]
    assert [one.text for one in open_transcript(path, "s1").messages] == ["/help", "alpha", "gamma"]
    assert open_transcript(path, "s2").id == "s2"


def test_ai_studio_chunks_are_messages_with_branches(tmp_path: Path) -> None:
    path = tmp_path / "A prompt"
    chunks = [
        {"id": "1", "role": "user", "text": "question", "tokenCount": 3},
        {"id": "2", "role": "model", "text": "thinking about it", "isThought": True, "branchParent": {"id": "1"}},
        {"id": "3", "role": "model", "text": "answer", "parts": [{"text": "ans"}, {"text": "wer"}]},
        {"id": "4", "role": "model", "text": "another answer", "branchParent": {"id": "1"}},
        {"role": "user", "driveDocument": {"id": "doc-7"}},
        {"role": "user", "inlineImage": {"mimeType": "image/png", "data": PIXEL}},
    ]
    document = {"runSettings": {"model": "models/gemini-2.5-pro"}, "chunkedPrompt": {"chunks": chunks, "pendingInputs": [{}]}}
    path.write_text(json.dumps(document), "utf-8")
    found = open_transcript(path)
    assert (found.source, found.title, found.branches, found.model) == ("gemini", "question", 2, "gemini-2.5-pro")
    assert [(one.parent, one.text, one.thinking) for one in found.messages[:4]] == [
        (None, "question", ""),
        ("1", "", "thinking about it"),
        ("2", "answer", ""),
        ("1", "another answer", ""),
    ]
    assert found.messages[4].text == "[doc-7]" and found.messages[5].pictures == (("image/png", PIXEL),)


def test_a_folder_is_a_store_and_tells_workspaces_and_sub_agents(tmp_path: Path) -> None:
    home = tmp_path / "tool-home"
    chats = home / "tmp" / "my-app" / "chats"
    (chats / "gem-1").mkdir(parents=True)
    (home / "projects.json").write_text(json.dumps({"projects": {"/srv/my-app": "my-app"}}), "utf-8")
    (chats / "session-1.jsonl").write_bytes(file_of([gemini_head(lastUpdated=at(50)), gemini_user("u1", "main question")]))
    (chats / "gem-1" / "sub.jsonl").write_bytes(file_of([gemini_head(sessionId="sub-1", kind="subagent"), gemini_user("u1", "do it")]))
    log = [{"sessionId": name, "messageId": 0, "type": "user", "message": name, "timestamp": at(1)} for name in ("gem-1", "only-logged")]
    (home / "tmp" / "my-app" / "logs.json").write_text(json.dumps(log), "utf-8")
    (home / "settings.json").write_text("{}", "utf-8")
    entries = list_transcripts(home)
    assert {(one.session, one.title, one.kind, one.parent) for one in entries} == {
        ("gem-1", "main question", "chat", ""),
        ("sub-1", "do it", "sub-agent", "gem-1"),
        ("only-logged", "only-logged", "chat", ""),
    }
    assert {one.workspace for one in entries if one.path.name != "logs.json"} == {"/srv/my-app"}
    found = open_transcript(home)
    assert (found.id, found.workspace) == ("gem-1", "/srv/my-app")
    assert (open_transcript(home, "sub-1").kind, open_transcript(home, "sub-1").parent) == ("sub-agent", "gem-1")


def test_files_of_no_such_tool_are_not_claimed(tmp_path: Path) -> None:
    talk = [{"type": "user", "content": "hi", "sessionId": "x"}, {"type": "assistant", "content": "hello", "sessionId": "x"}]
    others: dict[str, object] = {
        "messages": {"sessionId": "x", "startTime": at(0), "messages": [{"role": "user", "content": "hi"}]},
        "typed": {"messages": talk},
        "requests": {"requests": [{"requestId": "1", "url": "/a"}], "kind": 0, "v": 1},
        "history": {"history": [{"date": at(0)}], "parts": [1]},
        "session": {"type": "session", "value": 1},
        "config": {"sessionId": "x", "theme": "dark"},
        "parts": [{"role": "admin", "parts": ["a"]}],
    }
    own = {"gemini", "qwen", "copilot", "pi", "opencode"}
    for name, value in others.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(value), "utf-8")
        assert open_transcript(path).source not in own, name
    path = tmp_path / "lines.jsonl"
    path.write_bytes(file_of(talk))
    assert open_transcript(path).source not in own
    path.write_text("".join(f'{{"level": "info", "requestId": "{n}", "message": "GET /", "requests": {n}}}\n' for n in range(5)), "utf-8")
    assert open_transcript(path).source not in own
