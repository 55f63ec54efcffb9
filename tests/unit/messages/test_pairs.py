"""Calls and results in pairs."""

from __future__ import annotations

from datetime import UTC, datetime

from desktop.messages.pairs import paired
from desktop.messages.parts import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def made(identity: str, role: Role, *parts: Part) -> Message:
    return Message(identity, role, parts, NOW)


def call(identity: str) -> ToolCallPart:
    return ToolCallPart(identity, "Read", {})


def result(identity: str, text: str = "ok") -> ToolResultPart:
    return ToolResultPart(identity, "Read", text)


def shape(messages: tuple[Message, ...]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(m.role, [(r.call_id, r.status) for r in m.tool_results]) for m in messages]


def test_a_sound_conversation_stays_as_it_is() -> None:
    messages = (
        made("u", "user", TextPart("x")),
        made("a", "assistant", call("1"), call("2")),
        made("t1", "tool", result("1")),
        made("t2", "tool", result("2")),
        made("b", "assistant", TextPart("done")),
    )
    assert paired(messages, "lost") == messages


def test_lost_results_are_made_good_where_they_belong_also_in_the_middle_and_at_the_end() -> None:
    messages = [
        made("a", "assistant", call("1"), call("2")),
        made("t", "tool", result("1")),
        made("u", "user", TextPart("go on")),
        made("b", "assistant", call("3")),
    ]
    done = paired(messages, "lost")
    assert shape(done) == [
        ("assistant", []),
        ("tool", [("1", "ok")]),
        ("tool", [("2", "interrupted")]),
        ("user", []),
        ("assistant", []),
        ("tool", [("3", "interrupted")]),
    ]
    assert done[2].tool_results[0].output == "lost"


def test_results_without_a_call_and_second_ones_are_left_out() -> None:
    messages = [
        made("t0", "tool", result("gone")),
        made("a", "assistant", call("1")),
        made("t1", "tool", result("1"), result("other")),
        made("t2", "tool", result("1", "again")),
        made("u", "user", TextPart("x")),
        made("t3", "tool", result("1", "late")),
    ]
    assert shape(paired(messages, "lost")) == [("assistant", []), ("tool", [("1", "ok")]), ("user", [])]


def test_nothing_gives_nothing() -> None:
    assert paired([], "lost") == ()
