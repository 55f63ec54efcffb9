"""Folders that no tool owns: the sessions of all tools in them are listed, each once, whatever else lies there."""

from __future__ import annotations

from pathlib import Path

from desktop.sessions.importers import list_transcripts
from tests.unit.sessions.importers.chat_world import AIDER, CLINE_API, CLINE_WINDOW, OPENAI, SPECSTORY, lines, put
from tests.unit.sessions.importers.more_world import MORE
from tests.unit.sessions.importers.others_world import file_of


def test_a_folder_of_many_tools_lists_each_session_once(tmp_path: Path) -> None:
    put(tmp_path / ".aider.chat.history.md", AIDER)
    put(tmp_path / ".specstory" / "history" / "a.md", SPECSTORY)
    put(tmp_path / "cline" / "tasks" / "1760000000000" / "api_conversation_history.json", CLINE_API)
    put(tmp_path / "cline" / "tasks" / "1760000000000" / "ui_messages.json", CLINE_WINDOW)
    put(tmp_path / "kimi" / "hash" / "s1" / "context.jsonl", b"\n".join(lines(OPENAI)))
    put(tmp_path / "kimi" / "hash" / "s1" / "wire.jsonl", b"\n".join(lines(OPENAI)))
    put(tmp_path / "deep" / "er" / "talk.json", OPENAI)
    put(tmp_path / "node_modules" / "x" / "talk.json", OPENAI)
    put(tmp_path / "README.md", "# Read me\n\nNo chat.\n")
    found = list_transcripts(tmp_path)
    assert sorted((one.source, one.path.name) for one in found) == [
        ("aider", ".aider.chat.history.md"),
        ("aider", ".aider.chat.history.md"),
        ("cline", "api_conversation_history.json"),
        ("generic", "context.jsonl"),
        ("generic", "talk.json"),
        ("specstory", "a.md"),
    ]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "here" / "talk.json", OPENAI)
    (tmp_path / "here" / "round").symlink_to(tmp_path / "here")
    assert [one.path for one in list_transcripts(tmp_path / "here")] == [tmp_path / "here" / "talk.json"]


def test_a_folder_with_one_task_of_cline_below_it_is_looked_through_all_the_same(tmp_path: Path) -> None:
    put(tmp_path / "some task" / "api_conversation_history.json", CLINE_API)
    put(tmp_path / "talk.json", OPENAI)
    put(tmp_path / "more" / "talk.json", OPENAI)
    found = [(one.source, one.path.name) for one in list_transcripts(tmp_path)]
    assert sorted(found) == [("cline", "api_conversation_history.json"), ("generic", "talk.json"), ("generic", "talk.json")]


def test_a_session_of_another_tool_in_a_tools_own_folder_is_listed_too(tmp_path: Path) -> None:
    put(tmp_path / "one" / "chat_history.jsonl", file_of([*MORE[1].records]))
    put(tmp_path / "one" / "two" / "chat_history.jsonl", file_of([*MORE[1].records]))
    put(tmp_path / "one" / "session.jsonl", file_of([*MORE[2].records]))
    put(tmp_path / "one" / "plan.json", OPENAI)
    found = [(one.source, one.path.relative_to(tmp_path).as_posix()) for one in list_transcripts(tmp_path)]
    assert sorted(found) == [("grok", "one/chat_history.jsonl"), ("grok", "one/two/chat_history.jsonl"), ("muse", "one/session.jsonl")]
