"""Exports of tools that have no module of their own, and forms that known tools have beside their usual ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, open_transcript
from desktop.sessions.importers.values import prompt_title
from tests.unit.sessions.importers.chat_world import put
from tests.unit.sessions.importers.others_world import at, copilot, file_of, gemini_head, pi_head, pi_message

Record = dict[str, Any]


def roles(found: ImportedSession) -> str:
    return "".join(one.role[0] + ("h" if one.hidden else "") for one in found.messages)


def pairs(found: ImportedSession) -> int:
    calls = {call.id for one in found.messages for call in one.tool_calls}
    return len(calls & {result.id for one in found.messages for result in one.tool_results})


def test_a_thread_of_amp(tmp_path: Path) -> None:
    tree = {"displayName": "shop", "uri": "file:///srv/my%20shop"}
    run = {"status": "done", "result": {"content": "1: x"}}
    messages = [
        {"role": "user", "messageId": 0, "content": [{"type": "text", "text": "Fix the cart"}]},
        {
            "role": "assistant",
            "messageId": 1,
            "content": [{"type": "tool_use", "id": "u1", "name": "Read", "input": {"path": "cart"}}],
            "usage": {"model": "m-9", "inputTokens": 5, "outputTokens": 7},
        },
        {"role": "user", "messageId": 2, "content": [{"type": "tool_result", "toolUseID": "u1", "run": run}]},
        {"role": "assistant", "messageId": 3, "content": [{"type": "text", "text": "Done."}]},
    ]
    thread = {"v": 9, "id": "T-1", "title": "Cart", "env": {"initial": {"trees": [tree]}}, "messages": messages}
    found = open_transcript(put(tmp_path / "T-1.json", thread))
    assert (roles(found), pairs(found), found.title, found.workspace) == ("uaua", 1, "Cart", "/srv/my shop")
    assert "1: x" in found.messages[2].tool_results[0].output
    assert (found.messages[1].model, found.messages[1].tokens) == ("m-9", 12)


def test_calls_that_are_kept_as_a_text_of_json(tmp_path: Path) -> None:
    calls = json.dumps([{"id": "h1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}])
    messages = [
        {"id": 1, "role": "user", "content": "List it"},
        {"id": 2, "role": "assistant", "content": "", "tool_calls": calls},
        {"id": 3, "role": "tool", "content": "a.py", "tool_call_id": "h1", "tool_name": "terminal"},
    ]
    session = {"id": "20260504_1", "title": "Files here", "cwd": "/srv/a", "started_at": 1_790_000_000.5}
    found = open_transcript(put(tmp_path / "h.json", {"session": session, "messages": messages}))
    assert (roles(found), pairs(found), found.title, found.workspace, found.id) == ("uat", 1, "Files here", "/srv/a", "20260504_1")
    assert found.started is not None and found.messages[1].tool_calls[0].input == {"command": "ls"}


@pytest.mark.parametrize("as_text", [False, True])
def test_content_under_the_name_of_a_column(tmp_path: Path, as_text: bool) -> None:
    def held(*parts: Record) -> Any:
        return json.dumps(list(parts)) if as_text else list(parts)

    request = {
        "type": "toolRequest",
        "id": "g1",
        "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}},
    }
    response = {"type": "toolResponse", "id": "g1", "toolResult": {"status": "success", "value": [{"type": "text", "text": "a.py"}]}}
    messages = [
        {"message_id": "a", "role": "user", "created_timestamp": 1_790_000_000, "content_json": held({"type": "text", "text": "List it"})},
        {"message_id": "b", "role": "assistant", "created_timestamp": 1_790_000_001, "content_json": held(request)},
        {"message_id": "c", "role": "user", "created_timestamp": 1_790_000_002, "content_json": held(response)},
    ]
    found = open_transcript(put(tmp_path / "g.json", {"session": {"name": "Files", "working_dir": "/srv/a"}, "messages": messages}))
    assert (roles(found), pairs(found), found.title, found.messages[0].text) == ("uau", 1, "Files", "List it")
    assert found.messages[0].time is not None


def test_bubbles_of_cursor(tmp_path: Path) -> None:
    tool = {"toolCallId": "b-9", "name": "read_file", "rawArgs": '{"path": "a"}', "result": "text", "status": "completed"}
    bubbles = [
        {"bubbleId": "1", "type": 1, "text": "Look at a", "createdAt": 1_790_000_000_000},
        {"bubbleId": "2", "type": 2, "text": "", "thinking": {"text": "First a."}, "toolFormerData": tool},
        {"bubbleId": "3", "type": 2, "text": "It is empty.", "modelInfo": {"modelName": "m-3"}},
    ]
    document = {"composer": {"composerId": "c", "name": "The file a", "workspaceProjectDir": "/srv/a"}, "bubbles": bubbles}
    found = open_transcript(put(tmp_path / "c.json", document))
    assert (roles(found), pairs(found), found.title, found.workspace, found.model) == ("uaa", 1, "The file a", "/srv/a", "m-3")
    assert (found.messages[1].thinking, found.messages[1].tool_calls[0].input) == ("First a.", {"path": "a"})


def test_parts_that_hold_a_call_and_its_result(tmp_path: Path) -> None:
    state = {"status": "completed", "input": {"command": "ls"}, "output": "a.py"}
    messages = [
        {"message": {"id": "m1", "role": "user"}, "parts": [{"type": "text", "text": "List it"}]},
        {"message": {"id": "m2", "role": "assistant"}, "parts": [{"id": "p", "type": "tool", "tool": "bash", "state": state}]},
    ]
    found = open_transcript(put(tmp_path / "o.json", {"session": {"title": "Files"}, "messages": messages}))
    assert (roles(found), pairs(found), found.title) == ("ua", 1, "Files")


def test_a_session_of_continue_names_its_folder_by_address(tmp_path: Path) -> None:
    history = [{"message": {"role": "user", "content": "1+1"}}, {"message": {"role": "assistant", "content": "2"}}]
    document = {"sessionId": "s", "title": "Sum", "workspaceDirectory": "file:///srv/a%20b", "history": history}
    found = open_transcript(put(tmp_path / "s.json", document))
    assert (roles(found), found.title, found.workspace) == ("ua", "Sum", "/srv/a b")


def test_a_session_of_droid_is_none_of_pi(tmp_path: Path) -> None:
    records: list[Record] = [
        {"type": "session_start", "id": "d-1", "title": "Split the module", "cwd": "/srv/d"},
        {"type": "message", "timestamp": at(1), "message": {"role": "user", "content": "Split it"}},
        {"type": "message", "timestamp": at(2), "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
    ]
    found = open_transcript(put(tmp_path / "d.jsonl", file_of(records)))
    assert (found.source, found.id, found.title, found.workspace, roles(found)) == ("generic", "d-1", "Split the module", "/srv/d", "ua")


def test_messages_with_a_git_branch_are_none_of_codex(tmp_path: Path) -> None:
    first: Record = {
        "id": "a",
        "timestamp": at(1),
        "sessionId": "s",
        "parentId": "z",
        "role": "user",
        "content": "Hi",
        "git": {"branch": "main"},
    }
    second = {"id": "b", "timestamp": at(2), "sessionId": "s", "parentId": "a", "role": "assistant", "content": "Hello"}
    found = open_transcript(put(tmp_path / "x.jsonl", file_of([first, second])))
    assert (found.source, roles(found), found.damage) == ("generic", "ua", ())


# --- Codex ----------------------------------------------------------------------------------------------------------------


def item(**payload: Any) -> Record:
    return {"timestamp": at(1), "type": "response_item", "payload": payload}


def event(**payload: Any) -> Record:
    return {"timestamp": at(2), "type": "event_msg", "payload": payload}


CODEX_CALL = [
    {"timestamp": at(0), "type": "session_meta", "payload": {"id": "x", "cwd": "/srv/c", "thread_source": "subagent"}},
    item(
        type="message",
        role="user",
        content=[{"type": "input_text", "text": "<no retained transcript delta entries>\n"}, {"text": "Mend it"}],
    ),
    item(type="custom_tool_call", call_id="c1", name="exec", input="apply"),
    item(type="custom_tool_call_output", call_id="c1", output="ok"),
]


def test_a_step_inside_of_a_call_is_no_call_of_its_own(tmp_path: Path) -> None:
    inside = event(type="patch_apply_end", call_id="exec-7", stdout="Done", success=True, changes={"/a": {"type": "update"}})
    found = open_transcript(put(tmp_path / "r.jsonl", file_of([*CODEX_CALL, inside])))
    assert (roles(found), pairs(found), found.kind, found.title) == ("uat", 1, "sub-agent", "Mend it")
    alone = open_transcript(put(tmp_path / "e.jsonl", file_of([CODEX_CALL[0], inside])))
    assert (roles(alone), pairs(alone)) == ("a", 1)


def test_lines_of_exec_that_were_kept_in_a_payload(tmp_path: Path) -> None:
    def told(state: str, **more: Any) -> Record:
        return {
            "type": f"item.{state}",
            "timestamp": at(1),
            "payload": {"item": {"id": "i1", "type": "web_search", "query": "ports", **more}},
        }

    found = open_transcript(put(tmp_path / "w.jsonl", file_of([told("started", status="in_progress"), told("completed")])))
    assert (found.source, roles(found), pairs(found)) == ("codex", "a", 1)


# --- Gemini, Copilot, pi ----------------------------------------------------------------------------------------------------


def test_what_a_person_saw_of_a_prompt_is_the_title(tmp_path: Path) -> None:
    asked = {
        "id": "u",
        "type": "user",
        "timestamp": at(1),
        "displayContent": [{"text": "Read @a"}],
        "content": [{"text": "--- a ---\nxyz"}],
    }
    done = {"id": "t", "name": "read", "args": {}, "response": {"output": "xyz"}}
    answer = {"id": "g", "type": "gemini", "timestamp": at(2), "content": "ok", "toolCalls": [done]}
    found = open_transcript(put(tmp_path / "session-1.json", {**gemini_head(), "messages": [asked, answer]}))
    assert (found.title, found.messages[0].text, pairs(found)) == ("Read @a", "--- a ---\nxyz", 1)


def test_a_result_of_copilot_under_another_name(tmp_path: Path) -> None:
    request = {"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls"}}
    records = [
        copilot("e0", None, "session.start", sessionId="c"),
        copilot("e1", "e0", "user.message", content="List it"),
        copilot("e2", "e1", "assistant.message", content="", toolRequests=[request]),
        copilot("e3", "e2", "tool.result", toolCallId="t1", result={"output": "a.py"}),
    ]
    found = open_transcript(put(tmp_path / "events.jsonl", file_of(records)))
    assert (roles(found), pairs(found), found.messages[2].tool_results[0].output) == ("uat", 1, "a.py")


def test_titles_of_pis_kin_and_notes_with_parts(tmp_path: Path) -> None:
    shown = [{"type": "text", "text": "Budget: 3"}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}]
    records = [
        {**pi_head(), "title": "As it began"},
        pi_message("a", None, "user", "Go"),
        {"type": "custom_message", "id": "n", "parentId": "a", "display": True, "customType": "note", "content": shown},
    ]
    found = open_transcript(put(tmp_path / "p.jsonl", file_of(records)))
    assert (found.title, found.messages[1].text, found.messages[1].pictures) == ("As it began", "Budget: 3", (("image/png", "AAAA"),))
    changed = {"type": "title_change", "id": "t", "parentId": "n", "title": "As it ended", "previousTitle": "As it began"}
    assert open_transcript(put(tmp_path / "q.jsonl", file_of([*records, changed]))).title == "As it ended"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ('Conversation info (untrusted metadata):\n```json\n{"message_id": "7"}\n```\n\nHow far are we?', "How far are we?"),
        ("Sender (untrusted metadata):\n```json\n{}\n```\n[message_id: 7]\nOn time?", "On time?"),
        ("<timestamp>Monday</timestamp>\n<user_query>\nSort it\n</user_query>", "Sort it"),
        ("Notes (untrusted ones): none", "Notes (untrusted ones): none"),
    ],
)
def test_what_a_tool_puts_before_a_prompt_is_no_title(said: str, title: str) -> None:
    assert prompt_title(said) == title


# --- Markdown ---------------------------------------------------------------------------------------------------------------

CURSOR_EXPORT = """# Ports
_Exported on 5/4/2026 at 10:00:00 GMT+2 from Cursor (3.1.0)_

---

**User**

Which one?

**Prompt:** none

---

**Cursor**

Here is a talk:

**User**

no turn

**Answer:** 80

### User

neither

---

**User**

Thanks
"""


def test_only_names_behind_a_rule_speak_in_an_export_of_cursor(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / "chat.md", CURSOR_EXPORT.encode()))
    assert (roles(found), found.title, found.branches) == ("uau", "Ports", 1)
    assert found.messages[1].text.endswith("neither")


def test_turns_that_only_some_rules_part_stay_turns(tmp_path: Path) -> None:
    text = "**User**\n\nHi\n\n**Assistant**\n\nHello\n\n---\n\n**User**\n\nBye\n\n**Assistant**\n\nBye\n"
    assert roles(open_transcript(put(tmp_path / "chat.md", text.encode()))) == "uaua"


def test_headings_of_two_levels_that_were_copied_from_a_page(tmp_path: Path) -> None:
    you, it = "##### **You said:**\n\n", "###### **ChatGPT said:**\n\n"
    text = f"{you}Which port?\n\n{it}80\n\n### Why\n\nIt is.\n\n{you}Thanks\n\n{it}Sure\n"
    found = open_transcript(put(tmp_path / "page.md", text.encode()))
    assert (roles(found), found.title) == ("uaua", "Which port?")
