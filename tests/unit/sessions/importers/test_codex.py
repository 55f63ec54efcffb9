"""Sessions of Codex: rollouts of every form, what is told twice, forks, sub-agents, turns taken back, damage of every kind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import codex
from desktop.sessions.importers.convert import as_transcript
from desktop.sessions.importers.reading import Sample, Source, take_sample
from desktop.sessions.importers.shapes import ImportedSession
from tests.unit.sessions.importers.claude_world import lines, write
from tests.unit.sessions.importers.codex_world import FOLDER, SESSION, event, item, line, meta, plain_session, says
from tests.unit.sessions.importers.damage import Harm, damaged_bytes, damaged_lines, wrong_types


def opened(folder: Path, records: Sequence[dict[str, Any]], name: str = "rollout-x.jsonl") -> ImportedSession:
    return codex.read(Source(write(folder / name, records)), None)


def scored(folder: Path, records: Sequence[dict[str, Any]]) -> int:
    return codex.score(take_sample(Source(write(folder / "any.txt", records))))


def outline(found: ImportedSession) -> list[tuple[str, str]]:
    return [(one.role, one.text or one.thinking or "".join(call.name for call in one.tool_calls) or "result") for one in found.messages]


def test_a_rollout_is_read_whole(tmp_path: Path) -> None:
    found = opened(tmp_path, plain_session())
    assert (found.source, found.id, found.workspace, found.git_branch, found.kind) == ("codex", SESSION, FOLDER, "main", "chat")
    assert (found.model, found.title, found.branches, found.damage) == ("gpt-demo-1", "看看 a.py, please — naïve 🎉", 1, ())
    assert [one.role for one in found.messages] == [
        "system",
        "user",
        "user",
        *["assistant"] * 2,
        "tool",
        *["assistant", "user"] * 2,
        "assistant",
    ]
    assert [one.hidden for one in found.messages] == [True, True, *[False] * 9]
    assert found.messages[3].thinking == "hm"
    call, result = found.messages[4].tool_calls[0], found.messages[5].tool_results[0]
    assert (call.id, call.name, call.input) == ("call_1", "shell", {"command": ["cat", "a.py"]})
    assert (result.id, result.output, result.is_error) == ("call_1", "x = 1\n", False)
    assert [one.tokens for one in found.messages] == [0] * 6 + [40] + [0] * 4
    assert all(one.time is not None for one in found.messages)
    assert [one.id for one in as_transcript(found, "sess_x", "").live] == [one.id for one in found.messages]


def test_its_file_is_known_by_what_it_holds(tmp_path: Path) -> None:
    assert scored(tmp_path, plain_session()) == 95
    assert scored(tmp_path, [event("user_message", message="x")]) == 95
    assert scored(tmp_path, [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}]) == 80
    for other in (
        [{"type": "message", "id": "1", "message": {"role": "user", "content": [{"type": "text", "text": "x"}]}}],
        [{"type": "session", "id": "1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/x"}],
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}],
        [{"type": "session.start", "data": {"sessionId": "x"}}, {"type": "user.message", "data": {"content": "x"}}],
        [{"id": 1, "name": "no transcript"}],
        [{"timestamp": "2026-01-01T00:00:00Z", "role": "user", "content": "x"}, {"type": "tool_result", "name": "x", "result": "y"}],
    ):
        assert scored(tmp_path, other) == 0, other


@pytest.mark.parametrize("first", ["event", "item"])
def test_what_is_told_twice_counts_once(tmp_path: Path, first: str) -> None:
    twice = [
        (says("user", "go on"), event("user_message", message="go on")),
        (says("assistant", "done"), event("agent_message", message="done")),
    ]
    records = [one for pair in twice * 3 for one in (pair if first == "item" else reversed(pair))]
    assert outline(opened(tmp_path, [meta(), *records])) == [("user", "go on"), ("assistant", "done")] * 3


def test_an_event_that_no_item_says_counts(tmp_path: Path) -> None:
    records = [
        meta(),
        event("user_message", message="only here"),
        says("assistant", "an answer"),
        event("agent_message", message="an answer"),
        event("agent_message", message="an answer"),
        event("agent_reasoning", text="a thought"),
        event("user_message", message="again"),
        event("task_complete", last_agent_message="an answer"),
        event("turn.completed", message="ok"),
    ]
    expected = [
        ("user", "only here"),
        ("assistant", "an answer"),
        ("assistant", "an answer"),
        ("assistant", "a thought"),
        ("user", "again"),
    ]
    assert outline(opened(tmp_path, records)) == expected


def test_a_prompt_with_a_picture_is_told_once(tmp_path: Path) -> None:
    url = "data:image/png;base64,iVBORw0KGgo="
    content = [{"type": "input_text", "text": "what is it?"}, {"type": "input_image", "image_url": url}]
    records = [meta(), item("message", role="user", content=content), event("user_message", message="what is it?", images=[url])]
    found = opened(tmp_path, records)
    assert len(found.messages) == 1 and found.messages[0].pictures == (("image/png", "iVBORw0KGgo="),)
    only = opened(tmp_path, [meta(), event("user_message", message="", images=[url])])
    assert only.messages[0].pictures and not only.messages[0].hidden


def test_the_words_behind_an_editors_context_are_the_title(tmp_path: Path) -> None:
    words = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nmend a.py\n"
    found = opened(tmp_path, [meta(), says("user", words)])
    assert found.title == "mend a.py" and not found.messages[0].hidden


WRAPPED = [
    "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
    "<user_instructions>\nbe kind\n</user_instructions>",
    "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
    "<turn_aborted>\nthe person stopped it\n</turn_aborted>",
]


@pytest.mark.parametrize("words", WRAPPED)
def test_what_the_tool_put_in_is_hidden_and_no_title(tmp_path: Path, words: str) -> None:
    found = opened(tmp_path, [meta(), says("user", words), says("user", words, "real words")])
    assert [one.hidden for one in found.messages] == [True, False]
    assert found.title == "real words"


def test_every_kind_of_call(tmp_path: Path) -> None:
    records = [
        meta(),
        item("custom_tool_call", call_id="c1", name="apply_patch", input="*** Begin Patch", status="completed"),
        item("custom_tool_call_output", call_id="c1", output=json.dumps({"output": "failed", "metadata": {"exit_code": 1}})),
        item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["ls"]}, status="completed"),
        item("local_shell_call_output", call_id="c2", output="a.py"),
        item("web_search_call", id="ws_1", action={"type": "search", "query": "x"}, status="completed"),
        item("web_search_call", action={"type": "open_page", "url": "https://example.org"}, status="completed"),
        item("tool_search_call", call_id="c3", arguments={"query": "x"}, status="completed"),
        item("tool_search_output", call_id="c3", tools=[{"name": "x"}]),
        item("function_call", call_id="c4", name="exec_command", arguments="{bad json"),
        item("function_call_output", call_id="c4", output="Chunk ID: 1\nProcess exited with code 2\nOutput:\nno"),
        item("function_call", call_id="c5", name="view_image", arguments="{}"),
        item("function_call_output", call_id="c5", output=[{"type": "input_image", "image_url": "data:image/png;base64,eHh4eA=="}]),
        item("tool_call", function={"name": "one"}, arguments={"a": 1}),
        item("tool_result", name="one", result={"stdout": "o", "stderr": "e", "exitCode": 0}),
        item("image_generation_call", id="ig_1", result="eHh4eA==", status="completed"),
        item("ghost_snapshot", ghost_commit={"id": "x"}),
        item("function_call_output", call_id="orphan", output={"content": "alone", "success": False}),
    ]
    found = opened(tmp_path, records)
    calls = {call.id: call for one in found.messages for call in one.tool_calls}
    results = {one.id: one for message in found.messages for one in message.tool_results}
    assert len(found.messages) == 16 and len(calls) == 9 and len(results) == 7
    assert (calls["c1"].name, calls["c1"].input, results["c1"].output, results["c1"].is_error) == (
        "apply_patch",
        "*** Begin Patch",
        "failed",
        True,
    )
    assert calls["c2"].input == {"type": "exec", "command": ["ls"]} and results["c2"].output == "a.py"
    assert calls["c4"].input == "{bad json" and results["c4"].is_error and not results["c5"].output
    assert results["c5"].pictures == (("image/png", "eHh4eA=="),)
    assert [one.name for one in calls.values()].count("web_search") == 2
    bare = next(call for call in calls.values() if call.name == "one")
    assert bare.input == {"a": 1} and results[bare.id].output == "o\ne"
    assert (results["orphan"].output, results["orphan"].is_error) == ("alone", True)
    assert any(one.pictures for one in found.messages if one.tool_calls)


def test_events_of_tools_count_where_no_item_tells_of_the_call(tmp_path: Path) -> None:
    ended = event("exec_command_end", call_id="c1", command=["ls"], aggregated_output="a.py", exit_code=0)
    begun = event("exec_command_begin", call_id="c1", command=["ls"])
    told = [item("function_call", call_id="c1", name="shell", arguments="{}"), item("function_call_output", call_id="c1", output="a.py")]
    assert len(opened(tmp_path, [meta(), begun, ended, *told]).messages) == 2
    alone = opened(tmp_path, [meta(), begun, ended])
    assert [one.role for one in alone.messages] == ["assistant", "tool"]
    assert alone.messages[1].tool_results[0].output == "a.py"
    called = {"server": "s", "tool": "find", "arguments": {"q": 1}}
    both = opened(tmp_path, [meta(), event("mcp_tool_call_end", call_id="c2", invocation=called, result={"Ok": {"content": []}})])
    assert both.messages[0].tool_calls[0].name == "find" and both.messages[0].tool_results[0].id == "c2"


def test_forks_and_sub_agents_name_where_they_come_from(tmp_path: Path) -> None:
    fork = opened(tmp_path, [meta(id="new", forked_from_id="old"), meta(id="old"), says("user", "x")])
    assert (fork.id, fork.parent, fork.kind) == ("new", "old", "chat")
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "boss", "depth": 1}}}
    agent = opened(tmp_path, [meta(id="new", source=spawned, forked_from_id="old"), says("user", "x")])
    assert (agent.kind, agent.parent) == ("sub-agent", "boss")
    assert opened(tmp_path, [meta(source={"subagent": "review"})]).kind == "sub-agent"


def test_turns_that_were_taken_back_are_another_branch(tmp_path: Path) -> None:
    turns = [one for word in ("one", "two", "three") for one in (says("user", word), says("assistant", f"to {word}"))]
    found = opened(tmp_path, [meta(), *turns, event("thread_rolled_back", num_turns=2), says("user", "four")])
    assert found.branches == 2 and len(found.messages) == 7
    live = as_transcript(found, "sess_x", "").live
    assert [one.text for one in live] == ["one", "to one", "four"]
    assert opened(tmp_path, [meta(), *turns, event("thread_rolled_back", num_turns=99)]).leaf is None


def test_a_compaction_keeps_the_chain_and_adds_no_copies(tmp_path: Path) -> None:
    kept = {
        "message": "short",
        "replacement_history": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one"}]}],
    }
    found = opened(tmp_path, [meta(), says("user", "one"), line("compacted", kept), line("world_state", {"x": 1}), says("user", "two")])
    assert outline(found) == [("user", "one"), ("user", "two")] and found.branches == 1 and found.damage == ()


def test_the_name_of_a_thread_is_its_title(tmp_path: Path) -> None:
    records = [meta(), says("user", "the prompt"), event("thread_name_updated", thread_id=SESSION, thread_name="By the person")]
    assert opened(tmp_path, records).title == "By the person"
    names = [{"id": SESSION, "thread_name": "Old"}, {"id": "other", "thread_name": "Not"}, {"id": SESSION, "thread_name": "In the list"}]
    write(tmp_path / "session_index.jsonl", names)
    assert opened(tmp_path, records[:2], "sessions/2026/01/02/rollout-x.jsonl").title == "In the list"


def flat_session() -> list[dict[str, Any]]:
    head = {"id": SESSION, "timestamp": "2025-06-01T00:00:00Z", "instructions": None, "git": {"branch": "old"}}
    context = "<environment_context>\nCurrent working directory: /home/ada/demo\nApproval policy: never\n</environment_context>"
    items = [one["payload"] for one in plain_session() if one["type"] == "response_item"]
    items[1] = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": context}]}
    return [head, {"record_type": "state"}, *items, {"record_type": "state"}]


def test_the_flat_form_before(tmp_path: Path) -> None:
    assert scored(tmp_path, flat_session()) == 90
    found = opened(tmp_path, flat_session())
    assert (found.id, found.workspace, found.git_branch, len(found.messages), found.damage) == (SESSION, FOLDER, "old", 11, ())
    assert found.title == "看看 a.py, please — naïve 🎉"


def test_the_oldest_form_is_one_document(tmp_path: Path) -> None:
    path = tmp_path / "rollout.json"
    session = {"timestamp": "2025-04-20T00:00:00Z", "id": SESSION, "instructions": ""}
    path.write_text(json.dumps({"session": session, "items": [*flat_session()[2:-1], 7]}, indent=2))
    assert codex.score(take_sample(Source(path))) == 85
    found = codex.read(Source(path), None)
    assert found.id == SESSION and len(found.messages) == 11 and len(found.damage) == 1
    whole = path.read_text()
    path.write_text(json.dumps(json.loads(whole)))
    assert said(codex.read(Source(path), None)) == said(found)
    for cut in (whole, path.read_text()):
        path.write_text(cut[: len(cut) // 2])
        torn = codex.read(Source(path), None)
        assert codex.score(take_sample(Source(path))) > 0
        assert torn.id == SESSION and torn.damage and 2 <= len(torn.messages) < 11


def test_what_exec_prints_is_read(tmp_path: Path) -> None:
    def told(kind: str, own: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "item": {"id": own, **more}}

    records = [
        {"type": "thread.started", "thread_id": SESSION},
        {"type": "turn.started"},
        told("item.completed", "i0", type="reasoning", text="hm"),
        told("item.started", "i1", type="command_execution", command="ls", aggregated_output="", status="in_progress"),
        told("item.completed", "i1", type="command_execution", command="ls", aggregated_output="a.py", exit_code=1, status="failed"),
        told("item.completed", "i2", type="agent_message", text="done"),
        {"type": "turn.completed", "usage": {"input_tokens": 1}},
    ]
    assert scored(tmp_path, records) == 85
    found = opened(tmp_path, records)
    assert found.id == SESSION and outline(found) == [("assistant", "hm"), ("assistant", "command_execution"), ("assistant", "done")]
    result = found.messages[1].tool_results[0]
    assert (result.output, result.is_error) == ("a.py", True)


def test_events_of_the_oldest_protocol(tmp_path: Path) -> None:
    records = [
        {"id": "0", "msg": {"type": "session_configured", "session_id": SESSION, "model": "gpt-demo-1", "cwd": FOLDER}},
        {"id": "1", "msg": {"type": "agent_reasoning", "text": "hm"}},
        {"id": "1", "msg": {"type": "agent_message", "message": "done"}},
    ]
    assert scored(tmp_path, records) == 80
    found = opened(tmp_path, records)
    assert (found.id, found.workspace, outline(found)) == (SESSION, FOLDER, [("assistant", "hm"), ("assistant", "done")])


def test_the_list_reads_the_ends_only(tmp_path: Path) -> None:
    middle = [says("user", "x" * 5_000, second=20)] * 60
    path = write(tmp_path / "rollout.jsonl", [*plain_session(), *middle, says("assistant", "last", second=59)])
    (entry,) = codex.entries(Source(path))
    assert (entry.title, entry.workspace, entry.source) == ("看看 a.py, please — naïve 🎉", FOLDER, "codex")
    assert entry.updated is not None and entry.updated.second == 59


# --- damage ------------------------------------------------------------------------------------------------------------------


def said(found: ImportedSession) -> list[tuple[Any, ...]]:
    return [(one.role, one.text, one.thinking, one.tool_calls, one.tool_results, one.time) for one in found.messages]


LINES = lines(plain_session())
FLAT = lines(flat_session())
CASES = [(kind, harm) for kind, whole in (("payload", LINES), ("flat", FLAT)) for harm in damaged_lines(whole)]


@pytest.mark.parametrize(("kind", "harm"), CASES, ids=lambda one: one.name if isinstance(one, Harm) else one)
def test_every_whole_record_survives(tmp_path: Path, kind: str, harm: Harm) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(harm.data)
    found = codex.read(Source(path), None)
    if harm.survivors is not None:
        whole = tmp_path / "whole.jsonl"
        records = LINES if kind == "payload" else FLAT
        whole.write_bytes(b"".join(records[number] + b"\n" for number in harm.survivors))
        assert said(found) == said(codex.read(Source(whole), None))
        if len(harm.survivors) > 5:
            assert codex.score(take_sample(Source(path))) > 0
    if harm.told is not None and harm.data.strip(b"\xef\xbb\xbf \t\r\n"):
        assert bool(found.damage) == harm.told, found.damage
    assert path.read_bytes() == harm.data
    as_transcript(found, "sess_x", "")


@pytest.mark.parametrize("harm", list(damaged_bytes(b"".join(line + b"\n" for line in LINES))), ids=lambda harm: harm.name)
def test_any_damage_is_borne(tmp_path: Path, harm: Harm) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(harm.data)
    found = codex.read(Source(path), None)
    json.dumps([one.text for one in found.messages], ensure_ascii=False).encode()
    codex.entries(Source(path))
    as_transcript(found, "sess_x", "")


def test_every_field_may_be_of_any_type(tmp_path: Path) -> None:
    records = [
        meta(source={"subagent": {"thread_spawn": {"parent_thread_id": "x"}}}),
        line("turn_context", {"cwd": FOLDER, "model": "m"}),
        item("reasoning", summary=[{"type": "summary_text", "text": "hm"}], content=[{"type": "reasoning_text", "text": "x"}]),
        item("function_call", id="i", name="shell", arguments="{}", call_id="c"),
        item("function_call_output", call_id="c", output={"content": "x", "success": True, "metadata": {"exit_code": 1}}),
        event("token_count", info={"last_token_usage": {"total_tokens": 4}, "total_token_usage": {"total_tokens": 4}}),
        event("exec_command_end", call_id="d", invocation={"tool": "x", "arguments": {}}, aggregated_output="x", exit_code=0),
        event("user_message", message="x", images=["data:image/png;base64,eA=="], kind="plain"),
        event("thread_rolled_back", num_turns=0),
    ]
    tried = 0
    for record in records:
        for one in wrong_types(record):
            assert isinstance(one, dict)
            tried += 1
            changed = [says("user", "first"), one, says("user", "last")]
            found = opened(tmp_path, changed)
            assert codex.score(Sample(tmp_path, tuple(changed), magic=b"{")) == 95
            codex.score(Sample(tmp_path, (one,), one, magic=b"{"))
            words = [message.text for message in found.messages]
            assert "first" in words and "last" in words
            as_transcript(found, "sess_x", "")
    assert tried > 400
    print(f"{tried} records with a field of a wrong type")
