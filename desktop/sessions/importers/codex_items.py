"""One item of a Codex rollout as a message: what was said, thought, called or given back. Pure; wrong types are empty fields."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.reading import loads
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult, Role
from desktop.sessions.importers.wrappers import is_wrapped

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_CALL_NAMES = {"local_shell_call": "local_shell", "web_search_call": "web_search", "image_generation_call": "image_generation"}
_RESULTS = ("_output", "tool_result", "function_result")
_ENDED_WITH = re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,9})\b")
_LOOKED_AT = 600
"""Characters of an output in which the program's exit code is looked for."""
_INPUTS = ("arguments", "input", "action", "parameters", "args")
_OUTPUTS = ("output", "result", "content", "tools")


@dataclass(frozen=True, slots=True)
class Item:
    """A message, and the texts by which events that say the same are known."""

    message: ImportedMessage
    texts: tuple[str, ...] = ()
    prompt: str = ""
    """What of it a person wrote."""


@dataclass(slots=True)
class ItemReader:
    """Makes messages of the items of one file."""

    calls: set[str] = field(default_factory=set)
    _nameless: deque[str] = field(default_factory=deque)
    """Made ids of calls that the file gives none, until their results come."""

    def item(self, payload: dict[str, Any], line: str, moment: datetime | None, model: str) -> Item | None:
        """The message of an item; None for an item that says nothing.

        Args:
            payload: the item.
            line: the id of the message, where the item has none.
            moment: when it was written, where the item does not tell.
            model: the model that answers now.
        """
        kind = values.text(payload.get("type"))
        own_id = values.identifier(payload.get("id")) or line
        moment = values.moment(payload.get("timestamp")) or moment
        if kind == "message":
            return said(payload.get("role"), payload.get("content"), own_id, moment, model)
        if kind == "reasoning":
            return thought((*listed(payload.get("summary")), *listed(payload.get("content"))), own_id, moment, model)
        if kind.endswith("_call"):
            return self._call(payload, kind, own_id, moment, model)
        if kind.endswith(_RESULTS):
            return self._result(payload, line if own_id == payload.get("call_id") else own_id, moment)
        return None

    def _call(self, payload: dict[str, Any], kind: str, own_id: str, moment: datetime | None, model: str) -> Item:
        function = values.mapping(payload.get("function"))
        call = values.identifier(payload.get("call_id")) or values.identifier(payload.get("id"))
        if not call:
            call = own_id
            if kind not in _CALL_NAMES:
                self._nameless.append(call)
        self.calls.add(call)
        name = values.text(payload.get("name")) or values.text(function.get("name")) or _CALL_NAMES.get(kind) or kind.removesuffix("_call")
        given = next((payload[key] for key in _INPUTS if payload.get(key) is not None), function.get("arguments"))
        made = values.picture("image/png", payload.get("result")) if kind == "image_generation_call" else None
        return Item(
            ImportedMessage(
                own_id,
                None,
                "assistant",
                "",
                tool_calls=(ImportedCall(call, name, values.arguments(given)),),
                time=moment,
                model=model,
                pictures=(made,) if made is not None else (),
            )
        )

    def _result(self, payload: dict[str, Any], own_id: str, moment: datetime | None) -> Item:
        call = values.identifier(payload.get("call_id")) or values.identifier(payload.get("tool_call_id"))
        if not call:
            call = self._nameless.popleft() if self._nameless else own_id
        given = next((payload[key] for key in _OUTPUTS if payload.get(key) is not None), None)
        result = result_of(call, given, values.text(payload.get("name")), failed=payload.get("is_error") is True)
        return Item(ImportedMessage(own_id, None, "tool", "", tool_results=(result,), time=moment))


def said(role: Any, content: Any, own_id: str, moment: datetime | None, model: str) -> Item:
    """A message of words and pictures. What Codex itself puts in is hidden."""
    blocks = [block for block in (content if isinstance(content, list) else [content]) if isinstance(block, (str, dict))]
    texts = [text for text in map(block_text, blocks) if text.strip()]
    pictures = tuple(found for block in values.mappings(blocks) if (found := values.data_url(image_url(block))) is not None)
    known = _ROLES.get(values.text(role), "system")
    own = [text for text in texts if not is_wrapped(text)]
    return Item(
        ImportedMessage(
            own_id,
            None,
            known,
            values.joined(texts),
            time=moment,
            hidden=known == "system" or (not own and not pictures),
            model=model if known == "assistant" else "",
            pictures=pictures,
        ),
        (values.joined(texts).strip(), *(text.strip() for text in texts)),
        values.joined(own) if known == "user" else "",
    )


def thought(texts: tuple[str, ...], own_id: str, moment: datetime | None, model: str) -> Item | None:
    """The model's own reasoning; None where only an unreadable form of it was kept."""
    thinking = values.joined(texts)
    if not thinking.strip():
        return None
    message = ImportedMessage(own_id, None, "assistant", "", thinking, time=moment, model=model)
    return Item(message, tuple(text.strip() for text in texts))


def listed(value: Any) -> Iterator[str]:
    """The texts of a list of blocks, or the one text that stands in its place."""
    for block in value if isinstance(value, list) else [value]:
        yield block_text(block)


def block_text(block: Any) -> str:
    if isinstance(block, dict):
        return values.text(block.get("text")) or values.text(block.get("refusal"))
    return values.text(block)


def image_url(block: dict[str, Any]) -> Any:
    """The address of a picture; OpenAI's older form has it in an object."""
    found = block.get("image_url")
    return found.get("url") if isinstance(found, dict) else found


def result_of(call: str, given: Any, name: str = "", *, failed: bool = False) -> ImportedResult:
    """What a call gave, in any of the forms that it was kept in: a text, JSON in a text, an object, a list of blocks."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            inner = loads(given)
        except ValueError:
            inner = None
        if isinstance(inner, dict) and ("output" in inner or "metadata" in inner):
            given = inner
    if isinstance(given, dict):
        return _from_object(call, given, name, failed=failed)
    pictures = tuple(found for block in values.mappings(given) if (found := values.data_url(image_url(block))) is not None)
    if pictures and isinstance(given, list):
        given = [block for block in given if not (isinstance(block, dict) and image_url(block) is not None)]
    output = values.as_text(given) if given != [] else ""
    return ImportedResult(call, output, failed or _failed(output), name, pictures)


def _from_object(call: str, given: dict[str, Any], name: str, *, failed: bool) -> ImportedResult:
    code = next((given[key] for key in ("exit_code", "exitCode") if key in given), values.mapping(given.get("metadata")).get("exit_code"))
    failed = failed or given.get("success") is False or (isinstance(code, int) and code != 0) or given.get("isError") is True
    for key in ("output", "content", "body", "aggregated_output", "Ok", "Err"):
        if key in given:
            inner = given[key]
            return ImportedResult(call, values.as_text(inner), failed or key == "Err" or _failed(values.text(inner)), name)
    streams = [values.text(given.get(key)) for key in ("stdout", "stderr")]
    output = "\n".join(one for one in streams if one) if "stdout" in given or "stderr" in given else values.as_text(given)
    return ImportedResult(call, output, failed, name)


def _failed(output: str) -> bool:
    """Whether an output begins with the note that its program ended with an error."""
    found = _ENDED_WITH.search(output[:_LOOKED_AT])
    return found is not None and int(found[1]) != 0
