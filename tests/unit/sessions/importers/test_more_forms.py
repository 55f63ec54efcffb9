"""Forms of known formats that were met in real files: each was lost, doubled or read for something else before."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from tests.unit.sessions.importers import claude_world as claude
from tests.unit.sessions.importers import codex_world as codex
from tests.unit.sessions.importers.chat_world import put
from tests.unit.sessions.importers.others_world import Record, copilot, file_of, gemini_answer, gemini_call, gemini_head, gemini_user, qwen


def opened(path: Path, records: list[Record]) -> ImportedSession:
    return open_transcript(put(path, file_of(records)))


def said(found: ImportedSession) -> list[tuple[str, str]]:
    """Who said what, and the names of calls and what they gave, in their order."""
    told: list[tuple[str, str]] = []
    for one in found.messages:
        told += [(one.role, one.text)] if one.text else []
        told += [("call", call.name) for call in one.tool_calls]
        told += [("result", result.output) for result in one.tool_results]
    return told


def paired(found: ImportedSession) -> int:
    calls = {call.id for one in found.messages for call in one.tool_calls}
    return sum(result.id in calls for one in found.messages for result in one.tool_results)


# --- Claude Code ----------------------------------------------------------------------------------------------------------


def test_a_first_line_of_facts_alone_is_no_damage(tmp_path: Path) -> None:
    answer = claude.answer("a1", "u1", claude.text("yes"))
    records = [{"sessionId": "one", "cwd": "/srv/first", "timestamp": "2026-05-09T08:00:00Z"}, claude.user("u1", None, "now?"), answer]
    found = opened(tmp_path / "s.jsonl", records)
    assert (found.source, found.damage, found.workspace) == ("claude-code", (), "/srv/first")
    assert said(found) == [("user", "now?"), ("assistant", "yes")]


# --- Codex ----------------------------------------------------------------------------------------------------------------


def completed(kind: str, second: int, **more: Any) -> Record:
    return codex.event("item_completed", second, item={"type": kind, "id": f"i-{second}", **more})


def test_what_is_told_as_item_event_and_item_of_the_turn_is_there_once(tmp_path: Path) -> None:
    records = [
        codex.meta(),
        codex.says("user", "go"),
        codex.event("user_message", 1, message="go"),
        completed("UserMessage", 1, content=[{"type": "text", "text": "go"}]),
        codex.event("agent_message", 2, message="going"),
        completed("AgentMessage", 2, content=[{"type": "Text", "text": "going"}]),
        completed("AgentMessage", 3, content=[{"type": "Text", "text": "gone"}]),
        codex.says("user", "go", second=4),
        completed("UserMessage", 4, content=[{"type": "text", "text": "go"}]),
    ]
    found = opened(tmp_path / "rollout.jsonl", records)
    assert said(found) == [("user", "go"), ("assistant", "going"), ("assistant", "gone"), ("user", "go")]


def test_uses_of_tools_in_items_of_a_turn_are_calls_where_no_item_tells_of_calls(tmp_path: Path) -> None:
    run = completed("CommandExecution", 2, command="ls", aggregated_output="a.txt", exit_code=0, status="completed")
    records = [codex.meta(), codex.says("user", "list"), run, codex.says("assistant", "One file.", second=3)]
    found = opened(tmp_path / "a.jsonl", records)
    assert said(found) == [("user", "list"), ("call", "command_execution"), ("result", "a.txt"), ("assistant", "One file.")]
    call = [
        codex.item("function_call", 1, name="shell", call_id="c", arguments="{}"),
        codex.item("function_call_output", 2, call_id="c", output="a.txt"),
    ]
    found = opened(tmp_path / "b.jsonl", [*records[:2], *call, *records[2:]])
    assert [one for one in said(found) if one[0] == "call"] == [("call", "shell")]


def test_a_rollout_whose_items_stand_in_another_field(tmp_path: Path) -> None:
    inner = codex.says("user", "hello")["payload"]
    told: Record = {"timestamp": "2026-01-02T03:04:05Z", "type": "response_item", "item": inner}
    answer = codex.event("agent_message", 6, text="good day")
    found = opened(tmp_path / "a.jsonl", [codex.meta(), told, answer])
    assert (found.source, said(found)) == ("codex", [("user", "hello"), ("assistant", "good day")])


def test_records_of_another_form_behind_the_head_of_a_rollout(tmp_path: Path) -> None:
    records = [codex.meta(id=None, session_id="other-1"), {"type": "user", "content": "hello"}, {"type": "assistant", "content": "hi"}]
    found = opened(tmp_path / "a.jsonl", records)
    assert (found.source, found.id, found.workspace) == ("codex", "other-1", codex.FOLDER)
    assert (said(found), found.title, found.branches) == ([("user", "hello"), ("assistant", "hi")], "hello", 1)


# --- Gemini CLI, Qwen Code ------------------------------------------------------------------------------------------------


def test_a_patch_of_a_message_changes_it_and_its_calls(tmp_path: Path) -> None:
    begun = {**gemini_call("c1", None), "status": "executing"}
    done = {"id": "c1", "result": gemini_call("c1", "a.txt")["result"], "status": "success"}
    records = [
        gemini_head(),
        gemini_user("u1", "list"),
        gemini_answer("a1", "Listing", toolCalls=[begun]),
        {"$patch": {"id": "a1", "content": "Listed.", "toolCalls": [done, gemini_call("c2", "b.txt")]}},
        {"$patch": {"id": "unknown", "content": "lost"}},
    ]
    found = opened(tmp_path / "session-1.jsonl", records)
    assert found.damage == () and paired(found) == 2
    assert [one for one in said(found) if one[0] in ("user", "assistant")] == [("user", "list"), ("assistant", "Listed.")]
    assert [one for one in said(found) if one[0] == "result"] == [("result", "a.txt"), ("result", "b.txt")]


def test_what_was_typed_while_the_model_worked_is_a_persons(tmp_path: Path) -> None:
    records = [
        qwen("q1", None, "user", [{"text": "begin"}]),
        qwen("q2", "q1", "assistant", [{"text": "I begin."}], 2),
        qwen("q3", "q2", "user", [{"text": "faster"}], 3, subtype="mid_turn_user_message"),
        qwen("q4", "q3", "user", [{"text": "a reminder"}], 4, subtype="notification"),
    ]
    found = opened(tmp_path / "a.jsonl", records)
    assert [(one.text, one.hidden) for one in found.messages if one.role == "user"] == [
        ("begin", False),
        ("faster", False),
        ("a reminder", True),
    ]


def test_a_result_of_qwen_code_without_an_id_is_that_of_the_call_beside_it(tmp_path: Path) -> None:
    call = {"functionCall": {"id": "call-7", "name": "read_file", "args": {}}}
    gave = {"functionResponse": {"name": "read_file", "response": {"output": "text"}}}
    records = [
        qwen("q1", None, "user", [{"text": "read"}]),
        qwen("q2", "q1", "assistant", [call], 2),
        qwen("q3", "q2", "tool_result", [gave], 3, toolCallResult={"callId": "call-7", "status": "success"}),
    ]
    found = opened(tmp_path / "a.jsonl", records)
    assert paired(found) == 1


# --- Copilot --------------------------------------------------------------------------------------------------------------


def test_calls_of_copilot_without_ids_are_paired_in_their_order(tmp_path: Path) -> None:
    records = [
        copilot("e0", None, "session.start", 0, sessionId="cop-1", model="gpt-9"),
        copilot("e1", "e0", "user.message", 1, text="look"),
        copilot("e2", "e1", "tool.execution_start", 2, toolName="view", arguments={"path": "a"}),
        copilot("e3", "e2", "tool.execution_complete", 3, success=True, result={"content": "one"}),
        copilot("e4", "e3", "tool.execution_start", 4, toolName="view", arguments={"path": "b"}),
        copilot("e5", "e4", "tool.execution_complete", 5, success=True, result={"content": "two"}),
        copilot("e6", "e5", "assistant.message", 6, text="Both read."),
    ]
    found = opened(tmp_path / "events.jsonl", records)
    assert paired(found) == 2 and found.model == "gpt-9"
    assert [one for one in said(found) if one[0] == "result"] == [("result", "one"), ("result", "two")]
    assert {("user", "look"), ("assistant", "Both read.")} <= set(said(found))


def test_prompts_of_autopilot_are_hidden_and_words_of_agents_stand_beside(tmp_path: Path) -> None:
    records = [
        copilot("e0", None, "session.start", 0, sessionId="cop-1"),
        copilot("e1", "e0", "user.message", 1, content="do it"),
        copilot("e2", "e1", "assistant.message", 2, content="half done"),
        copilot("e3", "e2", "user.message", 3, content="go on until it is done", isAutopilotContinuation=True),
        copilot("e4", "e3", "assistant.message", 4, content="from the agent") | {"agentId": "agent-1"},
        copilot("e5", "e4", "assistant.message", 5, content="done"),
    ]
    found = opened(tmp_path / "events.jsonl", records)
    assert [one.text for one in found.messages if one.hidden] == ["go on until it is done"]
    assert [one.text for one in found.messages if one.sidechain] == ["from the agent"]


def test_a_call_that_begins_after_a_prompt_answers_this_prompt(tmp_path: Path) -> None:
    call = {"toolCallId": "c1", "toolName": "view", "arguments": {}}
    records = [
        copilot("e0", None, "session.start", 0, sessionId="cop-1"),
        copilot("e1", "e0", "user.message", 1, content="one"),
        copilot("e2", "e1", "assistant.message", 2, content="first"),
        copilot("e3", "e2", "user.message", 3, content="two"),
        copilot("e4", "e3", "tool.execution_start", 4, **call),
    ]
    assert said(opened(tmp_path / "events.jsonl", records)) == [
        ("user", "one"),
        ("assistant", "first"),
        ("user", "two"),
        ("call", "view"),
    ]


# --- opencode -------------------------------------------------------------------------------------------------------------

T0 = 1_790_000_000_000


def second_form() -> list[Record]:
    """Messages of opencode's second form, the oldest first."""
    tool = {"type": "tool", "id": "c1", "name": "read", "time": {"created": T0 + 2}}
    done = {"status": "completed", "input": {"path": "a"}, "content": [{"type": "text", "text": "x = 1"}]}
    failed = {"status": "error", "input": {"path": "b"}, "error": {"message": "no such file"}}
    model = {"id": "model-x", "providerID": "p"}
    return [
        {"id": "msg_1", "type": "user", "text": "read a", "time": {"created": T0}, "files": [], "agents": []},
        {"id": "msg_2", "type": "synthetic", "text": "a note of the program", "time": {"created": T0 + 1}},
        {
            "id": "msg_3",
            "type": "assistant",
            "model": model,
            "time": {"created": T0 + 2},
            "content": [{"type": "reasoning", "text": "hm"}, {**tool, "state": done}, {**tool, "id": "c2", "state": failed}],
        },
        {"id": "msg_4", "type": "model-switched", "time": {"created": T0 + 3}, "model": model},
        {"id": "msg_5", "type": "assistant", "model": model, "time": {"created": T0 + 4}, "content": [{"type": "text", "text": "One."}]},
    ]


SECOND = [("user", "read a"), ("user", "a note of the program"), ("call", "read"), ("call", "read")]
SECOND += [("result", "x = 1"), ("result", "no such file"), ("assistant", "One.")]


def check_second_form(found: ImportedSession) -> None:
    assert (found.source, found.damage, found.model, found.branches) == ("opencode", (), "model-x", 1)
    assert said(found) == SECOND
    assert [one.text for one in found.messages if one.hidden] == ["a note of the program"]
    assert [result.is_error for one in found.messages for result in one.tool_results] == [False, True]
    assert found.messages[2].thinking == "hm" and paired(found) == 2


def test_messages_of_the_second_form_that_a_server_told_newest_first(tmp_path: Path) -> None:
    check_second_form(open_transcript(put(tmp_path / "messages.json", {"data": second_form()[::-1], "cursor": {}})))
    check_second_form(open_transcript(put(tmp_path / "list.json", second_form())))


def test_a_time_without_end_in_the_second_form_loses_no_message(tmp_path: Path) -> None:
    first, *_, last = second_form()
    found = open_transcript(put(tmp_path / "list.json", [{**last, "time": {"created": 10**400}}, first]))
    assert [one.text for one in found.messages] == ["read a", "One."]


def test_a_database_whose_messages_stand_in_the_table_of_the_second_form(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER)")
        connection.execute(
            "CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, time_created INTEGER, data TEXT)"
        )
        connection.execute("INSERT INTO session VALUES ('ses_1', '/srv/app', 'Reading', ?)", (T0,))
        for one in second_form():
            data = json.dumps({key: value for key, value in one.items() if key not in ("id", "type")})
            row = (one["id"], "ses_1", one["type"], one["time"]["created"], data)
            connection.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?)", row)
        connection.commit()
    found = open_transcript(path)
    check_second_form(found)
    assert (found.id, found.title, found.workspace) == ("ses_1", "Reading", "/srv/app")
    assert [(one.session, one.title, one.messages) for one in list_transcripts(path)] == [("ses_1", "Reading", 3)]


def test_a_list_of_messages_has_no_title_of_a_tool(tmp_path: Path) -> None:
    tool = {"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "output": "x", "title": "not the chat's"}}
    path = put(tmp_path / "list.json", [{"id": "msg_1", "info": {"role": "assistant", "time": {"created": T0}}, "parts": [tool]}])
    assert [(one.title, one.session) for one in list_transcripts(path)] == [("", None)]


# --- Cline ----------------------------------------------------------------------------------------------------------------


def test_results_that_stand_as_text_behind_calls_are_theirs(tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "id": name, "name": "read_file", "input": {"path": name}} for name in ("a", "b")]
    given = [{"type": "text", "text": f"[read_file for '{name}'] Result:\n1 | {name}"} for name in ("a", "b")]
    records: list[Record] = [
        {"role": "user", "content": [{"type": "text", "text": "<task>\nread both\n</task>"}]},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": [*given, {"type": "text", "text": "<environment_details>\nnow\n</environment_details>"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Read."}]},
        {"role": "user", "content": [{"type": "text", "text": "[read_file for 'c'] Result:\nnobody asked"}]},
    ]
    found = open_transcript(put(tmp_path / "1790000000000" / "api_conversation_history.json", records))
    assert found.source == "cline" and paired(found) == 2
    assert [one for one in said(found) if one[0] == "result"] == [("result", "1 | a"), ("result", "1 | b")]
    assert "nobody asked" in found.messages[-1].text and found.messages[-1].hidden


def test_what_went_to_the_model_is_clines_by_the_name_of_its_file(tmp_path: Path) -> None:
    records = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
    assert open_transcript(put(tmp_path / "t" / "api_conversation_history.json", records)).source == "cline"
    assert open_transcript(put(tmp_path / "t" / "other.json", records)).source == "generic"


# --- any program ----------------------------------------------------------------------------------------------------------


def test_a_record_of_a_tool_with_what_it_was_given_and_gave(tmp_path: Path) -> None:
    use = {"role": "tool", "tool_name": "bash", "tool_input": {"command": "ls"}, "tool_output": "a.txt"}
    found = opened(tmp_path / "a.jsonl", [{"role": "user", "content": "list"}, use, {"role": "assistant", "content": "One."}])
    assert said(found) == [("user", "list"), ("call", "bash"), ("result", "a.txt"), ("assistant", "One.")]
    assert paired(found) == 1


def test_lines_of_cursors_database_are_in_the_order_that_its_composer_tells(tmp_path: Path) -> None:
    heads = [{"bubbleId": name, "type": kind} for name, kind in (("b1", 1), ("b2", 2), ("b3", 1))]
    composer = {"composerId": "c", "name": "Ports", "modelConfig": {"modelName": "m-3"}, "fullConversationHeadersOnly": heads}
    bubbles = [{"bubbleId": "b3", "type": 1, "text": "why?"}, {"bubbleId": "b1", "type": 1, "text": "which?"}]
    found = opened(tmp_path / "a.jsonl", [composer, *bubbles, {"bubbleId": "b2", "type": 2, "text": "8080"}])
    assert said(found) == [("user", "which?"), ("assistant", "8080"), ("user", "why?")]
    assert (found.title, found.model) == ("Ports", "m-3")


# --- aider, SpecStory -----------------------------------------------------------------------------------------------------

AIDER = """
# aider chat started at 2026-03-01 09:30:00

> Main model: first/model with diff edit format⏎

#### /ask which port?⏎

#### which port?⏎

It is 80.

#### /model other/model⏎
> Main model: other/model with whole edit format⏎

#### /help⏎
> /add     Add files to the chat⏎
> /drop    Remove files     ⏎
> and free the context⏎

#### thanks⏎

You are welcome.
""".replace("⏎", "  ")


def test_a_question_of_a_command_that_stands_twice_is_asked_once(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / ".aider.chat.history.md", AIDER))
    shown = [(one.role, one.text) for one in found.messages if not one.hidden]
    assert shown == [("user", "which port?"), ("assistant", "It is 80."), ("user", "thanks"), ("assistant", "You are welcome.")]
    assert [one.model for one in found.messages if one.role == "assistant"][-1] == "other/model"


def specstory(head: str, body: str, version: str = "v2.1.0", name: str = "chat.md") -> str:
    return f"<!-- Generated by SpecStory, Markdown {version} -->\n\n{head}\n\n_**User**_\n\nHi\n\n---\n\n_**Assistant**_\n\n{body}\n\n---\n"


def test_the_time_behind_a_title_is_no_part_of_it_and_the_start_is_the_surest_one(tmp_path: Path) -> None:
    text = specstory("# Ports (2025-12-21 09:05Z)", "Hello")
    found = open_transcript(put(tmp_path / "chat.md", text))
    assert (found.title, found.started) == ("Ports", datetime(2025, 12, 21, 9, 5, tzinfo=UTC))
    found = open_transcript(put(tmp_path / "2025-12-21_09-04-58Z-ports.md", text))
    assert found.started == datetime(2025, 12, 21, 9, 4, 58, tzinfo=UTC)
    head = "# Ports (2025-12-21 09:05Z)\n\n<!-- Claude Code Session abc (2025-12-21_09-03-00Z) -->"
    found = open_transcript(put(tmp_path / "2025-12-21_09-04-58Z-more.md", specstory(head, "Hello")))
    assert (found.id, found.started) == ("abc", datetime(2025, 12, 21, 9, 3, tzinfo=UTC))


TOOL = """Look:

<tool-use data-tool-type="read" data-tool-name="read_file"><details>
<summary>Tool use: **read_file**</summary>

Parameters:

```json
{"path": "a &lt; b"}
```

Result:

```
if a &lt; b &amp;&amp; c:
```

Status: **error**
</details></tool-use>

---

It is short."""


def test_a_block_of_a_tool_is_its_arguments_and_its_bare_output(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / "chat.md", specstory("# Ports", TOOL)))
    answer = found.messages[1]
    assert answer.text == "Look:\n\nIt is short."
    assert answer.tool_calls[0].input == {"path": "a < b"}
    assert [(one.output, one.is_error) for one in answer.tool_results] == [("if a < b && c:", True)]
    found = open_transcript(put(tmp_path / "old.md", specstory("# Ports", TOOL, "v2.0.0")))
    assert found.messages[1].tool_results[0].output == "if a &lt; b &amp;&amp; c:"
