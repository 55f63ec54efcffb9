"""What of a conversation is not sent while memory is off."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.memory_traces import MemoryTraces
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart

NOW = datetime(2026, 1, 2, tzinfo=UTC)
WORKSPACE = Path("/srv/项目")
MEMORY = Path("/home/someone/.local/share/keepsake/memories/projects/p-0123456789abcdef/memory")
FOLDERS = (MEMORY, WORKSPACE / ".agents" / "memory")


def turn(
    name: str, arguments: dict[str, Any], *, raw: str | None = None, text: str = "", data: dict[str, Any] | None = None
) -> list[Message]:
    said = (TextPart(text),) if text else ()
    call = Message("m2", "assistant", (*said, ToolCallPart("c1", name, arguments, raw)), NOW, "m1", "model")
    result = Message("m3", "tool", (ToolResultPart("c1", name, "what it gave", data=data),), NOW, "m2", "tool")
    return [Message("m1", "user", (TextPart("go on"),), NOW, None, "person"), call, result]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Read", {"file_path": f"{MEMORY}/MEMORY.md"}),
        ("Write", {"file_path": f"{MEMORY}/deep/a.md", "content": "x"}),
        ("Edit", {"file_path": ".agents/memory/MEMORY.md", "old_string": "a", "new_string": "b"}),
        ("Edit", {"file_path": "docs/../.agents/memory/MEMORY.md", "old_string": "a", "new_string": "b"}),
        ("Grep", {"pattern": "x", "path": str(MEMORY)}),
        ("Glob", {"pattern": f"{MEMORY}/**"}),
        ("Bash", {"command": f"cat '{MEMORY}/a.md'"}),
        ("Bash", {"command": "cat .agents/memory/MEMORY.md"}),
        ("memory_index", {"action": "list"}),
        ("memory_search", {"queries": ["zebra"]}),
    ],
)
def test_calls_into_memory_are_left_out_with_what_they_gave(name: str, arguments: dict[str, Any]) -> None:
    traces = MemoryTraces(WORKSPACE, FOLDERS)
    assert [m.id for m in traces.left_out(turn(name, arguments))] == ["m1"]
    with_words = traces.left_out(turn(name, arguments, text="I look."))
    assert [(m.id, m.text) for m in with_words] == [("m1", "go on"), ("m2", "I look.")] and with_words[1].parts == (TextPart("I look."),)


def test_arguments_that_were_no_json_and_marked_results_are_found_too() -> None:
    traces = MemoryTraces(WORKSPACE, FOLDERS)
    assert len(traces.left_out(turn("Write", {}, raw=f'{{"file_path": "{MEMORY}/a.md"'))) == 1
    assert len(traces.left_out(turn("Bash", {"command": "rm x"}, data={"deleted": ["a.md"]}))) == 1
    assert len(traces.left_out(turn("Bash", {"command": "make"}, data={"memory_restored": ["a.md"]}))) == 1
    change = {"root": "project", "path": "a.md", "change": "chg_1", "op": "write"}
    assert len(traces.left_out(turn("Bash", {"command": "make"}, data={"memory_changes": [change]}))) == 1
    assert len(traces.left_out(turn("Write", {}, data={"memory_proposed": ["prop_1"]}))) == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Read", {"file_path": "README.md"}),
        ("Write", {"file_path": "docs/memory.md", "content": "about memory"}),
        ("Bash", {"command": "ls .agents"}),
        ("Bash", {"command": "make"}),
    ],
)
def test_all_else_is_sent_as_it_is(name: str, arguments: dict[str, Any]) -> None:
    messages = turn(name, arguments, text="words", data={"exit_status": 0})
    assert list(MemoryTraces(WORKSPACE, FOLDERS).left_out(messages)) == messages
