"""Every given transcript of other tools opens as what it is, and nothing in it contradicts itself; counts stand in each format's tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.helpers.data import data_file, shared_data

FOLDER = "real/transcripts"
BY_PLACE = {
    "dot-aider.chat.history.md": "aider",
    "dot-specstory/": "specstory",
    "sdk/packages/core/fixtures/session": "cline",
    "ui_messages.json": "cline",
    "pi-coding-agent/": "pi",
    "badlogic-pi-mono/": "pi",
    "agents/openclaw/": "pi",
    "gemini": "gemini",
    "copilot": "copilot",
    "opencode": "opencode",
    "codex": "codex",
    "rollout-": "codex",
    "session-compact.jsonl": "generic",
    "session_branch.jsonl": "generic",
    "github_issue.traj.json": "generic",
    "dot-amplifier/": "generic",
    "hermes/atof/": "generic",
}
"""What a file is, by a stretch of its path; all others are of Claude Code."""
EMPTY = ("agent-empty000.jsonl",)
WITHOUT_MESSAGES = ("codex_050_legacy.jsonl", "codex_053_rate_limit.jsonl", "agent-acompact-xyz.jsonl", "medium-conversation.jsonl")


def _files() -> list[str]:
    folder = data_file(FOLDER)
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []


def _source(name: str) -> str:
    return next((source for place, source in BY_PLACE.items() if place in name), "claude-code")


@pytest.mark.parametrize("name", _files() or ["-"])
def test_each_real_transcript_opens_as_what_it_is(name: str) -> None:
    path = shared_data(FOLDER) / name
    before = path.read_bytes()
    found = open_transcript(path)
    assert found.source == ("unknown" if path.name in EMPTY else _source(name))
    assert bool(found.messages) == (path.name not in (*EMPTY, *WITHOUT_MESSAGES))
    assert found.messages or found.damage
    seen: set[str | None] = {None}
    for one in found.messages:
        assert one.id not in seen
        assert one.parent in seen
        seen.add(one.id)
    assert found.branches == sum(one.id not in {other.parent for other in found.messages} for one in found.messages)
    json.dumps([dict(one) for one in found.messages], default=str, ensure_ascii=False).encode()
    assert path.read_bytes() == before
    calls = {call.id for one in found.messages for call in one.tool_calls}
    pairs = len(calls & {result.id for one in found.messages for result in one.tool_results})
    print(f"{name}: {found.source}, {len(found.messages)} messages, {pairs} pairs, {found.branches} branches, {len(found.damage)} damaged")


def test_every_real_transcript_is_listed() -> None:
    folder = shared_data(FOLDER)
    listed = {entry.path for entry in list_transcripts(folder)}
    given = {path for path in folder.rglob("*") if path.is_file() and path.name not in EMPTY}
    assert {path for path in given - listed if not _is_part(path)} == set()


def _is_part(path: Path) -> bool:
    """Whether a file belongs to a session beside it, whose folder is listed as a whole."""
    return path.parent.name == "subagents"
