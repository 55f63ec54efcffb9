"""Every given real rollout of Codex against a count that knows nothing of our code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import open_transcript
from tests.helpers.data import data_file, shared_data

TRANSCRIPTS = "real/transcripts"


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


def given() -> list[Path]:
    kinds = {"session_meta", "response_item"}
    return [path for path in sorted(data_file(TRANSCRIPTS).rglob("*.jsonl")) if any(one.get("type") in kinds for one in records(path))]


def words(payload: dict[str, Any]) -> str:
    return "".join(block.get("text", "") for block in payload["content"]).strip()


def count(path: Path) -> tuple[int, int]:
    """Messages and tool pairs that are told by id."""
    items = [one["payload"] for one in records(path) if one["type"] == "response_item"]
    events = [one["payload"] for one in records(path) if one["type"] == "event_msg"]
    said = [(one["role"], words(one)) for one in items if one["type"] == "message"]
    thoughts = [one for one in items if one["type"] == "reasoning" and (one["summary"] or one["content"])]
    calls = [one for one in items if one["type"].endswith("_call")]
    results = [one for one in items if one["type"].endswith(("_output", "tool_result"))]
    more = [one for one in events if one["type"] == "user_message" and ("user", one["message"].strip()) not in said]
    pairs = {one.get("call_id") for one in calls} & {one.get("call_id") for one in results} - {None}
    return len(said) + len(thoughts) + len(calls) + len(results) + len(more), len(pairs)


@pytest.mark.parametrize("path", given(), ids=lambda path: str(path.relative_to(data_file(TRANSCRIPTS)))[-60:])
def test_a_real_rollout_has_what_a_plain_count_finds(path: Path) -> None:
    before = path.read_bytes()
    found = open_transcript(path)
    calls = {call.id for message in found.messages for call in message.tool_calls if not call.id.startswith("line-")}
    results = {result.id for message in found.messages for result in message.tool_results}
    assert found.source == "codex"
    assert (len(found.messages), len(calls & results)) == count(path)
    assert found.branches == min(1, len(found.messages))
    assert found.workspace or not any("cwd" in str(one) for one in records(path))
    assert path.read_bytes() == before


def test_the_given_rollouts_are_many() -> None:
    shared_data(TRANSCRIPTS)
    assert len(given()) >= 9
