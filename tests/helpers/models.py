"""Requests and stream collecting for tests of models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from desktop.base.errors import KeepsakeError
from desktop.messages.events import ResponseEnd, StreamEvent
from desktop.messages.parts import Message, Part, TextPart, ToolResultPart
from desktop.messages.tools import ToolSpec
from desktop.providers.base import Model, ModelRequest

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WRITE = ToolSpec(
    "Write",
    "Write a file.",
    {
        "type": "object",
        "properties": {"file_path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["file_path", "content"],
    },
)


def user(text: str, **values: Any) -> Message:
    return Message("msg_u", "user", (TextPart(text),), NOW, **values)


def assistant(*parts: Part) -> Message:
    return Message("msg_a", "assistant", parts, NOW, origin="model")


def results(*parts: ToolResultPart) -> Message:
    return Message("msg_t", "tool", parts, NOW, origin="tool")


def request(*messages: Message, **values: Any) -> ModelRequest:
    values = {"kind": "main", "system": "You are Keepsake.", "tools": (WRITE,)} | values
    return ModelRequest(messages=messages or (user("Hello"),), **values)


async def collect(model: Model, asked: ModelRequest) -> list[StreamEvent]:
    """All events of one response; the model is left open."""
    return [event async for event in model.stream(asked)]


def ask(make: Callable[[], Model], *asked: ModelRequest) -> list[list[StreamEvent]]:
    """Run requests one after the other on one model, then close it."""

    async def run() -> list[list[StreamEvent]]:
        model = make()
        try:
            return [await collect(model, one) for one in asked or (request(),)]
        finally:
            await model.close()

    return asyncio.run(run())


def fail(make: Callable[[], Model], asked: ModelRequest | None = None) -> tuple[list[StreamEvent], KeepsakeError]:
    """Run a request that must fail: what was streamed before, and the error."""

    async def run() -> tuple[list[StreamEvent], KeepsakeError]:
        model = make()
        seen: list[StreamEvent] = []
        try:
            async for event in model.stream(asked or request()):
                seen.append(event)
        except KeepsakeError as error:
            return seen, error
        finally:
            await model.close()
        raise AssertionError(f"the request did not fail: {seen}")

    return asyncio.run(run())


def ending(events: list[StreamEvent]) -> ResponseEnd:
    """The one ResponseEnd, which must be the last event."""
    ends = [event for event in events if isinstance(event, ResponseEnd)]
    assert len(ends) == 1 and events[-1] is ends[0], events
    return ends[0]
