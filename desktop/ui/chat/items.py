"""What a transcript looks like in the chat: messages to a flat list of entries, in the order in which they are drawn.

Results are joined to their calls; what the app put in for the model (reminders, start blocks) is left out, what it read for the person
(other sessions) is a card. Pure; knows no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from desktop.base.phrases import say
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart

MEMORY_SAVED = "memory_saved"
CONTEXT_CARD = "session_context"


@dataclass(frozen=True, slots=True)
class UserEntry:
    message_id: str
    text: str
    time: datetime


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    message_id: str
    text: str
    time: datetime
    model: str


@dataclass(frozen=True, slots=True)
class ThinkingEntry:
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolEntry:
    message_id: str
    call: ToolCallPart
    result: ToolResultPart | None


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """Memory files that a call wrote."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """Another session that was read into this one; `data` is the card's, see `agent.session`."""

    message_id: str
    text: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoppedEntry:
    """An answer that did not come to its end: `interrupted`, `error` or `length`."""

    stop: str


Entry = UserEntry | AnswerEntry | ThinkingEntry | ToolEntry | SavedEntry | ContextEntry | StoppedEntry


def results_by_call(messages: Sequence[Message]) -> dict[str, ToolResultPart]:
    return {result.call_id: result for message in messages for result in message.tool_results}


def entries_of(messages: Sequence[Message]) -> list[Entry]:
    """All entries of a live branch."""
    results = results_by_call(messages)
    found: list[Entry] = []
    for message in messages:
        found += message_entries(message, results)
    return found


def message_entries(message: Message, results: dict[str, ToolResultPart]) -> list[Entry]:
    """The entries of one message. Tool messages have none of their own: their results stand with the calls."""
    if message.role == "user":
        return _user_entries(message)
    if message.role == "tool":
        return []
    found: list[Entry] = []
    for part in message.parts:
        match part:
            case ThinkingPart() if part.text.strip():
                found.append(ThinkingEntry(message.id, part.text))
            case TextPart() if part.text.strip():
                found.append(AnswerEntry(message.id, part.text, message.time, message.model or ""))
            case ToolCallPart():
                result = results.get(part.id)
                found.append(ToolEntry(message.id, part, result))
                found += saved_entries(result)
    if message.stop in ("interrupted", "length", "error"):
        found.append(StoppedEntry(message.stop))
    return found


def entry_index(entries: Sequence[Entry], messages: Sequence[Message], message_id: str, text: str = "") -> int | None:
    """Where a message stands among the entries of its branch; None when it is not on it.

    A result stands with its call; a message that is not drawn is where the one before it is. Of several entries of one message it is the
    one that holds `text`, else its answer, else the first.
    """
    place = next((at for at, message in enumerate(messages) if message.id == message_id), None)
    if place is None:
        return None
    calls = {result.call_id for result in messages[place].tool_results}
    if calls:
        found = [at for at, entry in enumerate(entries) if isinstance(entry, ToolEntry) and entry.call.id in calls]
        holding = [at for at in found if text and (result := getattr(entries[at], "result", None)) is not None and text in result.output]
        return next(iter(holding or found), None)
    known = {message.id: at for at, message in enumerate(messages[: place + 1])}
    at_or_before = [(known[own], at) for at, entry in enumerate(entries) if (own := getattr(entry, "message_id", "")) in known]
    if not at_or_before:
        return 0 if entries else None
    nearest = max(number for number, _ in at_or_before)
    own_entries = [at for number, at in at_or_before if number == nearest]
    holding = [at for at in own_entries if text and text in getattr(entries[at], "text", "")]
    answers = [at for at in own_entries if isinstance(entries[at], AnswerEntry)]
    return next(iter(holding or answers or own_entries))


def saved_entries(result: ToolResultPart | None) -> list[Entry]:
    paths = (result.data or {}).get(MEMORY_SAVED) if result is not None else None
    return [SavedEntry(tuple(str(p) for p in paths))] if isinstance(paths, (list, tuple)) and paths else []


def _user_entries(message: Message) -> list[Entry]:
    if message.origin == "person":
        return [UserEntry(message.id, message.text, message.time)]
    found: list[Entry] = []
    for part in message.parts:
        if isinstance(part, TextPart) and part.data is not None and part.data.get("card") == CONTEXT_CARD:
            found.append(ContextEntry(message.id, part.text, part.data))
    return found


_MAIN_ARGUMENT = ("file_path", "command", "pattern", "sessionId", "path", "query")


def call_title(call: ToolCallPart) -> str:
    """One line for a call without a prepared title: what it does, as the tool itself would say it, else its tool and main argument."""
    for name in _MAIN_ARGUMENT:
        value = call.input.get(name)
        if isinstance(value, str) and value.strip():
            first = value.strip().splitlines()[0]
            short = first.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if name == "file_path" else first
            return _said(call.name, (short or first)[:300])
    return call.name


def _said(tool: str, argument: str) -> str:
    match tool:
        case "Read":
            return say("Read {path}", path=argument)
        case "Edit":
            return say("Edit {path}", path=argument)
        case "Write":
            return say("Write {path}", path=argument)
        case "Glob":
            return say("Find {pattern}", pattern=argument)
        case "Grep":
            return say("Search {pattern}", pattern=argument)
        case "Bash":
            return say("Run {command}", command=argument)
        case "ReadSessionContext":
            return say("Read session {title}", title=argument)
    return f"{tool} {argument}"
