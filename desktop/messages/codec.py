"""Messages to JSON values and back: the `message` field of a transcript record. Reading is tolerant: an unknown part becomes a text part.

Pure. Raises ValueError only when a value is no message at all.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, get_args

from desktop.base.clock import iso, parse_iso
from desktop.base.phrases import say
from desktop.messages.parts import (
    Message,
    Origin,
    Part,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.messages.usage import Usage

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ROLES, _ORIGINS, _STATUSES = get_args(Role), get_args(Origin), get_args(ResultStatus)
_ORIGIN_OF: dict[Role, Origin] = {"user": "person", "assistant": "model", "tool": "tool"}


def parse_arguments(raw: str) -> tuple[dict[str, Any], str | None]:
    """The object behind a call's raw arguments; anything else gives an empty object and the raw text."""
    if not raw.strip():
        return {}, None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}, raw
    return (value, None) if isinstance(value, dict) else ({}, raw)


def part_to_json(part: Part) -> dict[str, Any]:
    match part:
        case TextPart():
            return {"kind": "text", "text": part.text} | ({"data": part.data} if part.data is not None else {})
        case ThinkingPart():
            optional = {"signature": part.signature, "provider": part.provider}
            return {"kind": "thinking", "text": part.text} | {k: v for k, v in optional.items() if v is not None}
        case ToolCallPart():
            value: dict[str, Any] = {"kind": "tool_call", "id": part.id, "name": part.name, "input": part.input}
            return value if part.raw is None else value | {"raw": part.raw}
        case ToolResultPart():
            value = {"kind": "tool_result", "call_id": part.call_id, "name": part.name, "output": part.output, "status": part.status}
            optional_parts = {"diff": part.diff, "data": part.data}
            return value | {k: v for k, v in optional_parts.items() if v is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _optional_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def part_from_json(value: object) -> Part:
    if not isinstance(value, dict):
        return TextPart(_text(value))
    match value.get("kind"):
        case "thinking":
            return ThinkingPart(_text(value.get("text")), _optional_text(value.get("signature")), _optional_text(value.get("provider")))
        case "tool_call":
            given = value.get("input")
            raw = _optional_text(value.get("raw"))
            return ToolCallPart(_text(value.get("id")), _text(value.get("name")), given if isinstance(given, dict) else {}, raw)
        case "tool_result":
            status: ResultStatus = value["status"] if value.get("status") in _STATUSES else "error"
            data = value.get("data")
            return ToolResultPart(
                _text(value.get("call_id")),
                _text(value.get("name")),
                _text(value.get("output")),
                status,
                _optional_text(value.get("diff")),
                data if isinstance(data, dict) else None,
            )
        case "text":
            data = value.get("data")
            return TextPart(_text(value.get("text")), data=data if isinstance(data, dict) else None)
    return TextPart(_text(value))


def message_to_json(message: Message) -> dict[str, Any]:
    value: dict[str, Any] = {
        "id": message.id,
        "role": message.role,
        "origin": message.origin,
        "time": iso(message.time),
        "parent": message.parent,
        "parts": [part_to_json(p) for p in message.parts],
    }
    if message.model is not None:
        value["model"] = message.model
    if message.usage is not None:
        value["usage"] = message.usage.to_json()
    if message.stop is not None:
        value["stop"] = message.stop
    if message.notes:
        value["notes"] = message.notes
    return value


def _parent(value: dict[str, Any]) -> str | None:
    """The id of the message before it; None begins a conversation, an empty id, where a record tells none, follows the one before."""
    parent = value.get("parent", "")
    return parent if parent is None or isinstance(parent, str) else ""


def message_from_json(value: object) -> Message:
    """The message behind a JSON value.

    Raises:
        ValueError: no object, or without a usable id or role.
    """
    if not isinstance(value, dict):
        raise ValueError(say("a message is a JSON object"))
    if not isinstance(value.get("id"), str) or value.get("role") not in _ROLES:
        raise ValueError(say("a message needs an id and a role"))
    role: Role = value["role"]
    fallback = _ORIGIN_OF[role]
    parts = value.get("parts")
    usage, notes = value.get("usage"), value.get("notes")
    return Message(
        id=value["id"],
        role=role,
        parts=tuple(part_from_json(p) for p in parts) if isinstance(parts, list) else (),
        time=parse_iso(value["time"]) or _EPOCH if isinstance(value.get("time"), str) else _EPOCH,
        parent=_parent(value),
        origin=value["origin"] if value.get("origin") in _ORIGINS else fallback,
        model=_optional_text(value.get("model")),
        usage=Usage.from_json(usage) if isinstance(usage, dict) else None,
        stop=_optional_text(value.get("stop")),
        notes=notes if isinstance(notes, dict) else None,
    )
