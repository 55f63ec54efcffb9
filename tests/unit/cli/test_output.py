"""What the terminal prints, gathers and reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from desktop.base.errors import UsageError
from desktop.cli import standard_input
from desktop.cli.events import LOADED_NOTHING, Gathered, event_to_json
from desktop.cli.output import put_json, say, table
from desktop.cli.standard_input import PipedInput
from desktop.messages.events import MemoryLoaded, MemorySaved, MessageAppended, Notice, StepStarted, TextDelta, ToolStarted, TurnEnded
from desktop.messages.parts import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def appended(role: Role, *parts: Part) -> MessageAppended:
    return MessageAppended(Message("m", role, parts, NOW))


# --- printing ------------------------------------------------------------------------------------------------------------


def test_control_characters_for_the_person_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    say("a \x1b[31mred\u202e name")
    assert capsys.readouterr().err == "a \\u{1b}[31mred\\u{202e} name\n"


def test_json_is_one_readable_line(capsys: pytest.CaptureFixture[str]) -> None:
    put_json({"text": "中\nb"})
    assert capsys.readouterr().out == '{"text": "中\\nb"}\n'


def test_columns_fit_wide_characters() -> None:
    assert table([("中文", "a"), ("x", "b")]) == "中文  a\nx     b"
    assert table([]) == ""


# --- gathering -----------------------------------------------------------------------------------------------------------


def test_a_turn_is_gathered() -> None:
    written: list[dict[str, Any]] = []
    notices: list[str] = []
    gathered = Gathered(written.append, notices.append)
    assert gathered.loaded == LOADED_NOTHING
    for event in (
        MemoryLoaded({"entries": 2}),
        appended("tool", ToolResultPart("old", "Read", "of an earlier turn", "interrupted")),
        appended(
            "assistant", TextPart("let me look"), ToolCallPart("c1", "Read", {"file_path": "a"}), ToolCallPart("c2", "Bash", {}, "{bad")
        ),
        appended("tool", ToolResultPart("c1", "Read", "content")),
        MemorySaved(("a.md", "b.md"), "main", "/m"),
        MemorySaved(("a.md",), "main", "/m"),
        MemorySaved(("c.md",), "extractor", "/m"),
        Notice("warning", "x", "careful"),
        Notice("info", "y", "by the way"),
        appended("assistant", TextPart("answer")),
        TurnEnded("end", Usage()),
    ):
        gathered.take(event)
    assert gathered.text == "answer" and gathered.loaded == {"entries": 2}
    assert list(gathered.calls.values()) == [
        {"id": "c1", "name": "Read", "input": {"file_path": "a"}, "status": "ok", "output": "content"},
        {"id": "c2", "name": "Bash", "input": {}, "status": "interrupted", "output": "", "raw": "{bad"},
    ]
    assert gathered.saved == ["a.md", "b.md"] and notices == ["careful"]
    assert len(written) == 10 and written[0] == {"type": "memory_loaded", "report": {"entries": 2}}


def test_events_become_json_whole() -> None:
    assert event_to_json(TextDelta("x")) == {"type": "text_delta", "text": "x"}
    started = event_to_json(ToolStarted(ToolCallPart("c", "Read", {"a": 1}), "Read a"))
    assert started == {
        "type": "tool_started",
        "call": {"kind": "tool_call", "id": "c", "name": "Read", "input": {"a": 1}},
        "title": "Read a",
    }
    assert event_to_json(appended("user", TextPart("x")))["message"]["parts"] == [{"kind": "text", "text": "x"}]
    assert event_to_json(TurnEnded("end", Usage(1, 2)))["usage"]["input_tokens"] == 1


# --- standard input ------------------------------------------------------------------------------------------------------


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for handle in (reading, writing):
        try:
            os.close(handle)
        except OSError:
            continue


def test_a_pipe_is_read_to_its_end(pipe: tuple[int, int]) -> None:
    piped = PipedInput(wanted=False, handle=pipe[0])
    os.write(pipe[1], b"\xef\xbb\xbf\xe4\xb8\xad ")
    os.write(pipe[1], b"more")
    os.close(pipe[1])
    assert piped.text() == "中 more"


def test_an_open_empty_pipe_is_given_up(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standard_input, "FIRST_BYTE_S", 0.05)
    assert PipedInput(wanted=False, handle=pipe[0]).text() == ""
    os.close(pipe[1])


def test_a_device_is_not_read_unless_it_is_wanted() -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    assert PipedInput(wanted=False, handle=null).text() == "" == PipedInput(wanted=True, handle=null).text()
    os.close(null)


def test_a_closed_descriptor_is_told_only_when_it_is_wanted(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    assert PipedInput(wanted=False, handle=pipe[0]).text() == ""
    with pytest.raises(UsageError, match="cannot be read"):
        PipedInput(wanted=True, handle=pipe[0]).text()


def test_too_much_is_refused_with_the_limit(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standard_input, "MOST_BYTES", 10)
    piped = PipedInput(wanted=True, handle=pipe[0])
    os.write(pipe[1], b"x" * 11)
    with pytest.raises(UsageError, match="larger than"):
        piped.text()


def test_outputs_that_are_left_out_of_a_request_are_said() -> None:
    notices: list[str] = []
    Gathered(None, notices.append).take(Notice("info", "context.outputs_cut", "2 old tool outputs are left out"))
    assert notices == ["2 old tool outputs are left out"]


def test_an_answer_that_could_not_be_stored_is_still_the_text() -> None:
    gathered = Gathered(None, lambda text: None)
    for event in (
        StepStarted(1),
        TextDelta("a retry "),
        StepStarted(1),
        TextDelta("the "),
        TextDelta("answer"),
        TurnEnded("error", Usage()),
    ):
        gathered.take(event)
    assert gathered.text == "the answer"
