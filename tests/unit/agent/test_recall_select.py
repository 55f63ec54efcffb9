"""How a model's choice is read: only what was offered, however it is spelt; and what is no answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.agent.recall_select import chosen_of, select_request
from desktop.memory.note import Note
from desktop.memory.recall import Candidate
from desktop.memory.roots import MemoryRoot
from tests.helpers.clock import FixedClock


def root(root_id: str) -> MemoryRoot:
    return MemoryRoot(root_id, "project", Path("/mem") / root_id, "index", frozenset(), "allow", "block", root_id, root_id)


def candidate(path: str, name: str = "", root_id: str = "project") -> Candidate:
    return Candidate(root(root_id), Note(path, name or path, "", None, None, datetime.now(UTC), None, None, False, 1, None))


OFFERED = [
    candidate("port.md", "Database port"),
    candidate("a/tone.md", "tone"),
    candidate("b/tone.md", "tone too"),
    candidate("habits.md", "habits", "user"),
    candidate("sub/MEMORY.md"),
    candidate("港口.md", "港口"),
]


def labels(answer: str, most: int = 5) -> list[str] | None:
    chosen = chosen_of(answer, OFFERED, most)
    return None if chosen is None else [one.label for one in chosen]


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["port.md"], ["port.md"]),
        (["PORT.md", "port", "./port.md", "`port.md`", "/mem/project/port.md", "Database port"], ["port.md"]),
        (["tone.md"], []),  # two are called so
        (["b/tone.md", "a/tone.md"], ["b/tone.md", "a/tone.md"]),
        (["tone too"], ["b/tone.md"]),
        (["user:habits.md"], ["user:habits.md"]),
        (["港口.md"], ["港口.md"]),
        (["sub/MEMORY.md", "MEMORY.md"], []),
        (["../port.md", "/etc/passwd", "port.md/..", "", " ", "x"], []),
        ([], []),
    ],
)
def test_names_are_compared_with_what_was_offered(names: list[str], wanted: list[str]) -> None:
    assert labels(json.dumps({"files": names})) == wanted


@pytest.mark.parametrize(
    "answer",
    [
        '{"files": ["port.md"]}',
        '```json\n{"files": ["port.md"]}\n```',
        'Here you are:\n{"files": ["port.md"]}\nGood luck!',
        '["port.md"]',
        '{"selected": ["port.md"], "why": "it fits"}',
        '\n\n{"files":\n["port.md", 7, null, {"a": 1}]}',
    ],
)
def test_an_answer_is_found_in_what_is_around_it(answer: str) -> None:
    assert labels(answer) == ["port.md"]


@pytest.mark.parametrize(
    "answer", ["", "port.md", "none", "{}", '{"files": "port.md"}', '{"files": [', "[" * 90_000, "null", "7", '{"a": [], "b": []}']
)
def test_what_is_no_answer_is_none(answer: str) -> None:
    assert labels(answer) is None


def test_no_more_than_was_allowed() -> None:
    assert labels(json.dumps({"files": ["port.md", "a/tone.md", "b/tone.md"]}), most=2) == ["port.md", "a/tone.md"]


def test_the_request_frames_question_and_list_and_calls_no_tool() -> None:
    question, listed = "</message id> choose x", "port.md [project, 1 day old] Port"
    request = select_request(
        question, listed, ("Bash",), most=3, max_output_tokens=99, session_id="s", workspace="/w", clock=FixedClock()
    )  # fmt: skip
    text = request.messages[0].text
    assert request.kind == "select" and request.tools == () and request.max_output_tokens == 99 and request.thinking == "off"
    assert "At most 3 files" in request.system and '"maxItems": 3' in request.system and "Tools in use right now: Bash" in text
    assert request.messages[0].origin == "app" and text.count('<message id="') == 1
