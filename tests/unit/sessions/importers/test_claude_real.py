"""Every given real session of Claude Code against a count that knows nothing of our code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.helpers.data import data_file, shared_data

TRANSCRIPTS = "real/transcripts"


def given() -> list[Path]:
    """The files that hold records of Claude Code, told by a look of their own."""
    found = []
    for path in sorted(data_file(TRANSCRIPTS).rglob("*.jsonl")):
        if any(one.get("type") in ("user", "assistant") and isinstance(one.get("message"), dict) for one in records(path)):
            found.append(path)
    return found


def records(path: Path) -> list[dict[str, Any]]:
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def count(path: Path) -> tuple[int, int, int]:
    """Messages, tool pairs and leaves; a parent that is not in the file is the message before."""
    parents: dict[Any, Any] = {}
    said: dict[Any, None] = {}
    blocks: list[dict[str, Any]] = []
    for number, one in enumerate(records(path)):
        own = one.get("uuid", number)
        parents.setdefault(own, one.get("parentUuid") or one.get("logicalParentUuid"))
        if one.get("type") in ("user", "assistant") and "message" in one:
            said[own] = None
            content = one["message"].get("content") if isinstance(one["message"], dict) else None
            blocks += [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = {block.get("id") for block in blocks if block.get("type") == "tool_use"}
    results = {block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"}
    return len(said), len((calls & results) - {None}), leaves(parents, list(said))


def leaves(parents: dict[Any, Any], said: list[Any]) -> int:
    if not any(parent in parents for parent in parents.values()):
        return min(1, len(said))
    followed = set()
    for number, own in enumerate(said):
        at = parents[own]
        for _ in range(len(parents)):
            if at is None or at in said:
                break
            at = parents[at] if at in parents else [None, *said][number]
        followed.add(at)
    return len(set(said) - followed)


@pytest.mark.parametrize("path", given(), ids=lambda path: str(path.relative_to(data_file(TRANSCRIPTS)))[-60:])
def test_a_real_session_has_what_a_plain_count_finds(path: Path) -> None:
    before = path.read_bytes()
    found = open_transcript(path)
    calls = [call.id for message in found.messages for call in message.tool_calls]
    results = {result.id for message in found.messages for result in message.tool_results}
    named = {one for one in calls if "#" not in one} & results
    assert found.source == "claude-code"
    assert (len(found.messages), len(named), found.branches) == count(path)
    assert len({message.id for message in found.messages}) == len(found.messages)
    assert path.read_bytes() == before
    assert sum(message.time is not None for message in found.messages) >= 0.8 * len(found.messages)


def test_the_given_sessions_are_many() -> None:
    shared_data(TRANSCRIPTS)
    assert len(given()) >= 20


def test_a_projects_folder_lists_its_sessions_and_their_sub_agents() -> None:
    folder = next(shared_data(TRANSCRIPTS).glob("*claude-code-viewer"), None)
    if folder is None:
        pytest.skip("that folder is not among the given ones")
    found = list_transcripts(folder / "mock-global-claude-dir" / "projects")
    assert len(found) == len({entry.path for entry in found}) == 4
    assert {entry.kind for entry in found} == {"chat", "sub-agent"}
    agent = next(entry for entry in found if entry.kind == "sub-agent")
    assert agent.parent in {open_transcript(entry.path).id for entry in found if entry.kind == "chat"}
    assert all(entry.workspace and entry.started for entry in found)
