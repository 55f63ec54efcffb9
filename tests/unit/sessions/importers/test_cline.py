"""Cline, Roo Code and Kilo Code: what went to the model, what the window showed, the newer sessions, and folders of tasks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from desktop.sessions.importers import ImportedMessage, list_transcripts, open_transcript
from tests.helpers.data import shared_data
from tests.unit.sessions.importers.chat_world import CLINE_API, CLINE_WINDOW, put

TASK = "1760000000000"


def _pairs(messages: tuple[ImportedMessage, ...]) -> int:
    calls = {call.id for one in messages for call in one.tool_calls}
    return len(calls & {result.id for one in messages for result in one.tool_results})


def test_what_went_to_the_model(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / TASK / "api_conversation_history.json", CLINE_API))
    assert (found.source, found.id, found.branches, found.damage) == ("cline", TASK, 1, ())
    assert [one.role for one in found.messages] == ["user", "assistant"] * 3
    assert found.title == "Build the page"
    assert found.messages[0].text == "Build the page"
    assert found.workspace == "/home/p/site"
    assert found.started == datetime.fromtimestamp(1_760_000_000, UTC)
    assert _pairs(found.messages) == 1
    assert [one.hidden for one in found.messages] == [False, False, False, False, True, False]


def test_the_format_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    assert open_transcript(put(tmp_path / "a.json", CLINE_API)).source == "cline"
    assert open_transcript(put(tmp_path / "b.json", CLINE_WINDOW)).source == "cline"


def test_what_the_window_showed(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / TASK / "ui_messages.json", CLINE_WINDOW))
    assert (found.source, found.id, found.branches) == ("cline", TASK, 1)
    assert [(one.role, one.text) for one in found.messages] == [
        ("user", "Build the page"),
        ("assistant", ""),
        ("assistant", "I'll read the file."),
        ("assistant", ""),
        ("assistant", ""),
        ("assistant", "Which colour?\n- red\n- blue"),
        ("user", "blue"),
        ("assistant", "The page is blue."),
    ]
    assert found.messages[1].thinking == "Files first."
    assert (found.messages[1].tokens, found.messages[1].cost_usd) == (15, 0.5)
    assert found.messages[3].tool_calls[0].input == {"path": "a.html"}
    assert (found.messages[4].tool_calls[0].name, found.messages[4].tool_calls[0].input) == ("command", {"command": "npm test"})
    assert found.messages[4].tool_results[0].output == "1 passed"
    assert found.messages[0].pictures == (("image/png", "iVBORw0KGgo="),)


def test_texts_that_are_alike_are_two_unless_one_was_unfinished(tmp_path: Path) -> None:
    records = [
        {"ts": 1, "type": "say", "say": "text", "text": "Go"},
        {"ts": 2, "type": "say", "say": "api_req_started", "text": "{}"},
        {"ts": 3, "type": "say", "say": "text", "text": "Done"},
        {"ts": 4, "type": "say", "say": "text", "text": "Done"},
        {"ts": 5, "type": "say", "say": "text", "text": "Next", "partial": True},
        {"ts": 6, "type": "say", "say": "text", "text": "Next step"},
    ]
    found = open_transcript(put(tmp_path / "ui_messages.json", records))
    assert [one.text for one in found.messages] == ["Go", "Done", "Done", "Next step"]


def test_a_command_that_is_asked_and_then_told_is_one_call(tmp_path: Path) -> None:
    records = [
        {"ts": 1, "type": "say", "say": "task", "text": "Go"},
        {"ts": 2, "type": "ask", "ask": "command", "text": "npm te"},
        {"ts": 3, "type": "say", "say": "command", "text": "npm test"},
        {"ts": 4, "type": "say", "say": "command_output", "text": "line 1"},
        {"ts": 5, "type": "say", "say": "command_output", "text": "line 2"},
        {"ts": 6, "type": "ask", "ask": "command", "text": "npm run build"},
    ]
    found = open_transcript(put(tmp_path / "ui_messages.json", records))
    assert [call.input for one in found.messages for call in one.tool_calls] == [{"command": "npm test"}, {"command": "npm run build"}]
    assert found.messages[1].tool_results[0].output == "line 1\nline 2"


def test_the_newer_session_and_what_stands_beside_it(tmp_path: Path) -> None:
    messages = [
        {
            "id": "m1",
            "role": "user",
            "content": [{"type": "text", "text": "Hello"}, {"type": "file", "path": "/a.py", "content": "x"}],
            "ts": 1_760_000_000_000,
        },
        {
            "id": "m2",
            "role": "assistant",
            "content": [{"type": "text", "text": "Hi"}],
            "ts": 1_760_000_001_000,
            "modelInfo": {"id": "some/model", "provider": "x"},
            "metrics": {"inputTokens": 7, "outputTokens": 3, "cost": 0.25},
        },
    ]
    path = put(tmp_path / "s1" / "s1.messages.json", {"version": 1, "sessionId": "s1", "messages": messages})
    put(tmp_path / "s1" / "s1.json", {"cwd": "/home/p", "metadata": {"title": "A greeting"}})
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace, found.model) == ("cline", "s1", "A greeting", "/home/p", "some/model")
    assert found.messages[0].text == "Hello\n\n[/a.py]"
    assert (found.messages[1].tokens, found.messages[1].cost_usd) == (10, 0.25)


def test_a_storage_folder_lists_its_tasks_with_the_titles_of_the_index(tmp_path: Path) -> None:
    put(tmp_path / "tasks" / TASK / "api_conversation_history.json", CLINE_API)
    put(tmp_path / "tasks" / TASK / "ui_messages.json", CLINE_WINDOW)
    put(tmp_path / "tasks" / "1750000000000" / "claude_messages.json", CLINE_WINDOW)
    put(tmp_path / "tasks" / "empty" / "task_metadata.json", {})
    index = [{"id": TASK, "ts": 1_760_000_009_000, "task": "Page in blue", "cwdOnTaskInitialization": "/home/p/site"}]
    put(tmp_path / "state" / "taskHistory.json", index)
    found = list_transcripts(tmp_path)
    assert [(one.path.parent.name, one.title, one.workspace) for one in found] == [
        (TASK, "Page in blue", "/home/p/site"),
        ("1750000000000", "", ""),
    ]
    assert open_transcript(found[0].path).id == TASK
    assert open_transcript(tmp_path, "1750000000000").messages
    assert open_transcript(tmp_path).id == TASK
    assert open_transcript(tmp_path, "no-such-task").damage
    assert [one.path.name for one in list_transcripts(tmp_path / "tasks" / TASK)] == ["api_conversation_history.json"]


@pytest.mark.parametrize("records", [CLINE_API, CLINE_WINDOW], ids=["model", "window"])
def test_a_cut_document_keeps_every_whole_message(tmp_path: Path, records: list[dict[str, object]]) -> None:
    whole = open_transcript(put(tmp_path / "whole.json", records)).messages
    found = open_transcript(put(tmp_path / "cut.json", json.dumps(records, indent=1)[:-12]))
    assert found.source == "cline"
    assert found.damage
    assert [one.text for one in found.messages] == [one.text for one in whole][: len(found.messages)]
    assert len(found.messages) >= len(whole) - 1


def test_real_tasks_against_an_independent_count() -> None:
    folder = shared_data("real/transcripts")
    document = json.loads((folder / "cline-cline/sdk/packages/core/fixtures/session/session.messages.json").read_text("utf-8"))
    found = open_transcript(folder / "cline-cline/sdk/packages/core/fixtures/session/session.messages.json")
    kinds = [part["type"] for one in document["messages"] for part in one["content"]]
    assert len(found.messages) == len(document["messages"])
    assert _pairs(found.messages) == kinds.count("tool_use") == kinds.count("tool_result")
    for kin in ("cline", "roo-code"):
        path = folder / f"yigitkonur-cli-continues/test-fixtures/{kin}/tasks/test-task-1/ui_messages.json"
        records = json.loads(path.read_text("utf-8"))
        said = [one for one in records if one["say"] in ("text", "user_feedback", "reasoning", "completion_result")]
        grown = sum(
            later["say"] == one["say"] and bool(one.get("partial")) and later["text"].startswith(one["text"].rstrip("."))
            for one, later in pairwise(said)
        )
        assert len(open_transcript(path).messages) == len(said) - grown
        print(f"{kin}: {len(said) - grown} messages")
