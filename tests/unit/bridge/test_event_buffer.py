"""Joining, bounding and ordering of events on their way to the window."""

from __future__ import annotations

import threading

from desktop.bridge.event_buffer import CARD_COST, EVENT_COST, LIVE_OUTPUT, EventBuffer
from desktop.bridge.pace import LEAST, MOST
from desktop.messages.events import StepStarted, TextDelta, ThinkingDelta, ToolCallDelta, ToolOutput, ToolStarted, TurnEvent
from desktop.messages.parts import ToolCallPart


def _drain(buffer: EventBuffer) -> list[TurnEvent]:
    taken: list[TurnEvent] = []
    while buffer:
        taken += buffer.take()
    return taken


def test_consecutive_text_of_one_kind_is_joined_and_order_is_kept() -> None:
    buffer = EventBuffer()
    for event in (
        ThinkingDelta("a"), ThinkingDelta("b"), TextDelta("c"), TextDelta("d"), StepStarted(2), TextDelta("e"),
        ToolOutput("x", "1"), ToolOutput("y", "2"), ToolOutput("y", "3"), ToolCallDelta("k", "Write", "{"), ToolCallDelta("k", "", "}"),
    ):  # fmt: skip
        buffer.add(event)
    assert buffer.take() == (
        ThinkingDelta("ab"),
        TextDelta("cd"),
        StepStarted(2),
        TextDelta("e"),
        ToolOutput("x", "1"),
        ToolOutput("y", "23"),
        ToolCallDelta("k", "Write", "{}"),
    )
    assert not buffer


def test_a_taking_is_bounded_in_characters_and_loses_nothing() -> None:
    buffer = EventBuffer()
    text = "0123456789" * 1_000
    buffer.add(TextDelta(text))
    buffer.add(StepStarted(2))
    pieces: list[str] = []
    last: TurnEvent | None = None
    while buffer:
        taken = buffer.take()
        size = sum(len(event.text) for event in taken if isinstance(event, TextDelta))
        assert size <= MOST
        pieces += [event.text for event in taken if isinstance(event, TextDelta)]
        last = taken[-1]
    assert "".join(pieces) == text
    assert last == StepStarted(2)


def test_a_taking_may_be_smaller_than_the_most() -> None:
    buffer = EventBuffer()
    buffer.add(TextDelta("a" * 400))
    assert buffer.take(LEAST) == (TextDelta("a" * LEAST),)
    assert "".join(event.text for event in _drain(buffer) if isinstance(event, TextDelta)) == "a" * (400 - LEAST)


def test_a_taking_is_bounded_in_events() -> None:
    buffer = EventBuffer()
    bound = MOST // EVENT_COST
    for n in range(bound * 2 + 5):
        buffer.add(StepStarted(n))
    assert len(buffer.take()) == bound
    assert [event.step for event in _drain(buffer) if isinstance(event, StepStarted)] == list(range(bound, bound * 2 + 5))


def test_cards_weigh_more_than_other_events_and_one_always_goes() -> None:
    buffer = EventBuffer()
    for n in range(20):
        buffer.add(ToolStarted(ToolCallPart(f"c{n}", "Read", {}), "Read"))
    assert len(buffer.take(CARD_COST * 3)) == 3
    assert len(buffer.take(1)) == 1
    assert len(_drain(buffer)) == 16


def test_waiting_live_output_is_bounded_and_keeps_its_end() -> None:
    buffer = EventBuffer()
    for n in range(50):
        buffer.add(ToolOutput("c", f"{n:04}" * 1_000))
    buffer.add(ToolOutput("c", "x" * (LIVE_OUTPUT * 3)))
    text = "".join(event.text for event in _drain(buffer) if isinstance(event, ToolOutput))
    assert len(text) <= LIVE_OUTPUT
    assert text.endswith("x")


def test_only_the_first_event_of_an_empty_buffer_wakes() -> None:
    buffer = EventBuffer()
    assert buffer.add(TextDelta("a"))
    assert not buffer.add(TextDelta("b"))
    buffer.take()
    assert buffer.add(StepStarted(1))


def test_adding_from_another_thread_while_taking_loses_nothing() -> None:
    buffer = EventBuffer()

    def produce() -> None:
        for n in range(5_000):
            buffer.add(TextDelta(f"{n},"))

    thread = threading.Thread(target=produce)
    thread.start()
    taken: list[TurnEvent] = []
    while thread.is_alive() or buffer:
        taken += buffer.take()
    thread.join()
    assert "".join(event.text for event in taken if isinstance(event, TextDelta)) == "".join(f"{n}," for n in range(5_000))
