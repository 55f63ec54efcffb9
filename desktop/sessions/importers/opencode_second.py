"""opencode's second form of a message: one object, with the words of the person in it, or the model's parts in `content`.

It is turned into the first form (facts and parts), which one reader then reads. Pure; never raises for what they hold.
"""

from __future__ import annotations

from typing import Any

from desktop.sessions.importers.values import as_text, identifier, joined, listing, mapping, mappings, text

_HELD = {"user": "text", "assistant": "content", "synthetic": "text", "shell": "command", "compaction": "summary"}
"""Kinds of messages, with what each of them has; switches of model and agent are none."""


def is_message(value: Any) -> bool:
    """Whether an object is a message of the second form."""
    if not isinstance(value, dict) or not identifier(value.get("id")).startswith("msg") or "info" in value or "role" in value:
        return False
    kind = text(value.get("type"))
    return kind in _HELD and _HELD[kind] in value and isinstance(mapping(value.get("time")).get("created"), int | float)


def pairs_of(values: list[Any]) -> list[Any]:
    """Messages in the first form, the oldest first (the server tells the newest first); as they are where none is of the second."""
    if not any(map(is_message, values)):
        return values
    found = [one for one in values if is_message(one)]
    if len(found) == len(values) or all(isinstance(one, dict) and "type" in one for one in values):
        found.sort(key=lambda one: one["time"]["created"])
        return [pair_of(one) for one in found]
    return [pair_of(one) if is_message(one) else one for one in values]


def pair_of(message: dict[str, Any]) -> dict[str, Any]:
    """The facts and the parts of a message."""
    kind = text(message.get("type"))
    role = "assistant" if kind in ("assistant", "shell") else "user"
    model = mapping(message.get("model"))
    info = {**message, "role": role, "modelID": identifier(model.get("id")) or identifier(model.get("modelID"))}
    info.pop("model", None)
    info.pop("summary", None)
    return {"info": info, "parts": _parts(kind, message)}


def _parts(kind: str, message: dict[str, Any]) -> list[dict[str, Any]]:
    if kind == "assistant":
        return [_tool(one) if one.get("type") == "tool" else one for one in mappings(message.get("content"))]
    if kind == "shell":
        state = {"status": "completed", "input": {"command": message.get("command")}, "output": message.get("output")}
        return [{"type": "tool", "tool": "shell", "callID": message.get("callID") or message.get("id"), "state": state}]
    said = {"type": "text", "text": message.get(_HELD.get(kind, "text")), "synthetic": kind != "user"}
    return [said, *(_file(one) for one in mappings(message.get("files")))]


def _tool(part: dict[str, Any]) -> dict[str, Any]:
    """A call; what it gave is a list of texts and files."""
    state = mapping(part.get("state"))
    given = mappings(state.get("content"))
    told = {
        **state,
        "output": state.get("output") or joined([text(one.get("text")) for one in given]) or as_text(state.get("structured")),
        "attachments": [_file(one) for one in (*given, *mappings(state.get("attachments"))) if one.get("type") != "text"],
    }
    if text(state.get("status")) not in ("completed", "error") and not told["output"]:
        told.pop("output")
    error = mapping(state.get("error"))
    if error:
        told["error"] = text(error.get("message")) or as_text(error)
    return {"type": "tool", "tool": part.get("name"), "callID": part.get("id"), "state": told}


def _file(part: dict[str, Any]) -> dict[str, Any]:
    address = part.get("uri") or part.get("url")
    data = part.get("data")
    if not address and isinstance(data, str):
        address = f"data:{text(part.get('mime'))};base64,{data}"
    return {"type": "file", "url": address, "filename": part.get("name") or part.get("filename"), "mime": part.get("mime")}


def messages_in(document: Any) -> list[Any]:
    """The messages that a document holds: a list, or what stands in `messages` or `data`."""
    if isinstance(document, list):
        return document
    held = mapping(document)
    return listing(held.get("messages")) or listing(held.get("data"))
