"""Messages and their typed parts: what the transcript stores, the loop appends and the adaptors translate. Frozen values; no I/O.

A user message holds text; an assistant message holds thinking, text and tool calls; a tool message holds the results of the calls
of the assistant message before it. Nothing of any provider library appears here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from desktop.messages.usage import Usage

Role = Literal["user", "assistant", "tool"]
Origin = Literal["person", "model", "tool", "app"]
"""Who made the message. `app` = synthetic (reminders, start block, deltas): never counts as the person's words."""

ResultStatus = Literal["ok", "error", "denied", "interrupted"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text. `data` holds structured values for the window (a card's citations, say); only `text` is sent."""

    text: str
    kind: Literal["text"] = "text"
    data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """The model's own reasoning. `signature` and `provider` let the same provider take it back unchanged."""

    text: str
    signature: str | None = None
    provider: str | None = None
    kind: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A call that the model asked for. `input` is the parsed object; arguments that are no JSON object stay in `raw`, `input` is empty."""

    id: str
    name: str
    input: dict[str, Any] = field(default_factory=dict)
    raw: str | None = None
    kind: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    """What a call gave. `output` goes to the model; `diff` and `data` are for the person's eyes only."""

    call_id: str
    name: str
    output: str
    status: ResultStatus = "ok"
    diff: str | None = None
    data: dict[str, Any] | None = None
    kind: Literal["tool_result"] = "tool_result"


Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        id: `msg_` + ULID.
        role: user, assistant or tool.
        parts: in the order in which they were made.
        time: aware UTC.
        parent: id of the message before it on its branch, or None for the first.
        origin: who made it.
        model: the model's id on assistant messages.
        usage: what the request cost, on assistant messages.
        stop: why the assistant message ended: `end`, `tool_calls`, `length`, `interrupted`, `error`.
        notes: never sent: `recalled` (memories that were added to the turn), `claim` (a save that did not happen), for the window;
            `context` (see `agent.standing`), `boundary` (see `messages.boundary`).
    """

    id: str
    role: Role
    parts: tuple[Part, ...]
    time: datetime
    parent: str | None = None
    origin: Origin = "person"
    model: str | None = None
    usage: Usage | None = None
    stop: str | None = None
    notes: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The text parts, joined by a blank line."""
        return "\n\n".join(p.text for p in self.parts if isinstance(p, TextPart))

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        return tuple(p for p in self.parts if isinstance(p, ToolCallPart))

    @property
    def tool_results(self) -> tuple[ToolResultPart, ...]:
        return tuple(p for p in self.parts if isinstance(p, ToolResultPart))
