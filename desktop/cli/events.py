"""Turn events for the terminal: JSON lines for `stream-json`, and what the final object gathers. Writes only to what it is given."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from desktop.messages.codec import message_to_json, part_to_json
from desktop.messages.events import (
    MemoryLoaded,
    MemoryRecalled,
    MemorySaved,
    MessageAppended,
    Notice,
    StepStarted,
    TextDelta,
    TurnEnded,
    TurnEvent,
)
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage

LOADED_NOTHING = {"entries": 0, "lines": 0, "bytes": 0, "tokens": 0, "truncated": False}


def plain(value: Any) -> Any:
    """A value of an event as JSON."""
    if isinstance(value, Message):
        return message_to_json(value)
    if isinstance(value, Usage):
        return value.to_json()
    if isinstance(value, (TextPart, ThinkingPart, ToolCallPart, ToolResultPart)):
        return part_to_json(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def event_to_json(event: TurnEvent) -> dict[str, Any]:
    """An event with its `type` first: the class name in snake case."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
    return {"type": name, **{field.name: plain(getattr(event, field.name)) for field in fields(event)}}


class Gathered:
    """What one turn gave, in the order in which it came.

    Attributes:
        text: the last text of the model in this turn, also when it could not be stored.
        calls: the calls as the final object has them, by id.
        loaded: report of what of memory went into the request.
        recalled: memories that were added to this turn by themselves, relative to their root, each once.
        saved: memory files written by the agent, relative to their root, each once.
    """

    def __init__(self, write: Callable[[dict[str, Any]], None] | None, notice: Callable[[str], None]) -> None:
        """Args: write: takes each event as JSON (stream-json), or None. notice: takes warnings for the person."""
        self._write = write
        self._notice = notice
        self.text = ""
        self._streamed = ""
        self.calls: dict[str, dict[str, Any]] = {}
        self.loaded: dict[str, Any] = dict(LOADED_NOTHING)
        self.recalled: list[str] = []
        self.saved: list[str] = []

    def take(self, event: TurnEvent) -> None:
        """Note an event; called on the asyncio thread."""
        match event:
            case StepStarted():
                self._streamed = ""
            case TextDelta(text=text):
                self._streamed += text
            case TurnEnded():
                self.text = self._streamed if self._streamed.strip() else self.text
            case MessageAppended(message=message):
                self._message(message)
            case MemoryLoaded(report=report):
                self.loaded = dict(report)
            case MemoryRecalled(items=items):
                self.recalled += [path for path in dict.fromkeys(item.path for item in items) if path not in self.recalled]
            case MemorySaved(paths=paths, actor="main"):
                self.saved += [path for path in paths if path not in self.saved]
            case Notice(kind="warning" | "error", text=text) | Notice(code="context.outputs_cut", text=text):
                self._notice(text)
        if self._write is not None and not isinstance(event, TurnEnded):
            self._write(event_to_json(event))

    def _message(self, message: Message) -> None:
        if message.role == "assistant":
            self.text = message.text if message.text.strip() else self.text
            self._streamed = ""
        for call in message.tool_calls:
            self.calls[call.id] = {"id": call.id, "name": call.name, "input": call.input, "status": "interrupted", "output": ""}
            if call.raw is not None:
                self.calls[call.id]["raw"] = call.raw
        for result in message.tool_results:
            if result.call_id in self.calls:
                self.calls[result.call_id] |= {"status": result.status, "output": result.output}
