"""Real files of Gemini, Copilot, pi, openclaw and opencode against counts that use nothing of ours: messages, tool pairs, branches."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, open_transcript
from tests.helpers.data import data_file, shared_data

FOLDER = "real/transcripts"
Json = dict[str, Any]


@dataclass(frozen=True)
class Count:
    messages: int
    pairs: int
    branches: int


def lines_of(path: Path) -> list[Json]:
    found = []
    for line in path.read_text("utf-8-sig").split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [one for one in found if isinstance(one, dict)]


def leaves(parents: dict[str, str | None]) -> int:
    return sum(name not in parents.values() for name in parents)


def count_gemini(path: Path) -> Count:
    text = path.read_text("utf-8-sig")
    document: Json = json.loads(text) if path.suffix == ".json" else {"messages": lines_of(path)}
    if "chunkedPrompt" in document:
        parents: dict[str, str | None] = {}
        for number, chunk in enumerate(document["chunkedPrompt"]["chunks"]):
            before = next(reversed(parents), None)
            parents[chunk.get("id", str(number))] = chunk.get("branchParent", {}).get("id", before)
        return Count(len(parents), 0, leaves(parents))
    last = {one["id"]: one for one in document["messages"] if one.get("type") in ("user", "gemini")}
    pairs = sum(call.get("result") is not None for one in last.values() for call in one.get("toolCalls", []))
    assert not any("$rewindTo" in one for one in document["messages"])
    return Count(len(last), pairs, 1)


def count_pi(path: Path) -> Count:
    records = lines_of(path)
    messages = [one for one in records if one["type"] == "message"]
    contents = [part for one in messages for part in one["message"]["content"] if isinstance(part, dict)]
    calls = {part["id"] for part in contents if part["type"] == "toolCall"}
    results = [one["message"]["toolCallId"] for one in messages if one["message"]["role"] == "toolResult"]
    pairs = len(calls & set(results))
    if not all("id" in one for one in messages):
        return Count(len(messages), pairs, 1)
    above = {one["id"]: one.get("parentId") for one in records}
    above |= {part["id"]: one["id"] for one in messages for part in one["message"]["content"] if isinstance(part, dict) and "id" in part}
    names = {one["id"] for one in messages}
    parents: dict[str, str | None] = {}
    for name in names:
        at = above[name]
        while at is not None and at not in names:
            at = above.get(at)
        parents[name] = at
    return Count(len(messages), pairs, leaves(parents))


def count_copilot(path: Path) -> Count:
    records = lines_of(path)
    said = [one for one in records if one["type"] in ("user.message", "assistant.message")]
    done = [one for one in records if is_done(one)]
    calls = {call["toolCallId"] for one in said for call in one["data"].get("toolRequests", [])}
    calls |= {one["data"]["toolCallId"] for one in records if one["type"] == "tool.execution_start"}
    results = {one["data"]["toolCallId"] for one in done}
    return Count(len(said) + len(done), len(calls & results), 1)


def is_done(record: Json) -> bool:
    return bool(record["type"] == "tool.execution_complete")


def count_opencode(path: Path) -> Count:
    parts = [one["part"] for one in lines_of(path)]
    tools = {one["callID"] for one in parts if one["type"] == "tool" and one["state"]["status"] in ("completed", "error")}
    return Count(len({one["messageID"] for one in parts}), len(tools), 1)


COUNTS: dict[str, Callable[[Path], Count]] = {
    "gemini": count_gemini,
    "pi": count_pi,
    "copilot": count_copilot,
    "opencode": count_opencode,
}


def looks_like(path: Path) -> str:
    """Which of the tools a file is of, by a word that it alone uses."""
    head = path.read_bytes()[:200_000].decode("utf-8", errors="replace")
    if '"chunkedPrompt"' in head or '"type":"gemini"' in head.replace(" ", ""):
        return "gemini"
    if '"tool.execution_start"' in head:
        return "copilot"
    if '"type":"session"' in head and '"message":{"role"' in head:
        return "pi"
    return "opencode" if '"type":"step_start"' in head else ""


def real_files() -> list[tuple[str, Path]]:
    """Every given file of these tools; none where the data is not on this machine."""
    root = data_file(FOLDER)
    files = sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else []
    return [(tool, path) for path in files if (tool := looks_like(path))]


def pairs_of(found: ImportedSession) -> int:
    calls = {call.id for one in found.messages for call in one.tool_calls}
    return len(calls & {result.id for one in found.messages for result in one.tool_results})


@pytest.mark.parametrize(("tool", "path"), real_files(), ids=lambda one: one.name if isinstance(one, Path) else one)
def test_a_real_file_has_the_counted_messages_pairs_and_branches(tool: str, path: Path) -> None:
    before = path.stat().st_mtime_ns, path.read_bytes()
    found = open_transcript(path)
    told = COUNTS[tool](path)
    print(f"{tool} {path.name}: {told}")
    assert found.source == tool
    assert Count(len(found.messages), pairs_of(found), found.branches) == told
    assert found.damage == ()
    assert (found.title and found.started is not None) or tool == "opencode"
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_the_given_half_has_files_of_each_tool() -> None:
    shared_data(FOLDER)
    told = [tool for tool, _ in real_files()]
    print({tool: told.count(tool) for tool in COUNTS})
    assert set(told) == set(COUNTS) and len(told) >= 10
