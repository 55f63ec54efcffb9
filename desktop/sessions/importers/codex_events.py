"""Events of a Codex rollout, and the lines of `codex exec --json`, as messages. Pure; wrong types are empty fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.codex_items import Item, listed, result_of, said, thought
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage

_PERSON = ("user_message", "UserMessage", "userMessage")
_MODEL = ("agent_message", "AgentMessage", "agentMessage")
_USED = ("CommandExecution", "FileChange", "McpToolCall", "WebSearch", "DynamicToolCall")
"""Items of a turn that are uses of tools."""
_THOUGHTS = ("agent_reasoning", "agent_reasoning_raw_content")
_BEGIN, _END = "_begin", "_end"
_DETAILS = frozenset(
    ["type", "call_id", "turn_id", "stdout", "stderr", "aggregated_output", "formatted_output", "exit_code", "duration", "result"]
)
_PLAIN_KIND = ("", "plain")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(slots=True)
class EventReader:
    """Makes messages of events."""

    begun: set[str] = field(default_factory=set)

    def item(self, payload: dict[str, Any], place: str, moment: datetime | None, model: str) -> Item | None:
        """What an event says; None for one that says nothing."""
        kind = values.text(payload.get("type"))
        if kind == "item_completed":
            inner = values.mapping(payload.get("item"))
            return self._completed(inner, place, moment, model)
        if kind in _PERSON:
            return _asked(payload, place, moment)
        if kind in _MODEL:
            return _said("assistant", payload.get("message") or payload.get("text"), place, moment, model)
        if kind in _THOUGHTS:
            return thought((values.text(payload.get("text")),), place, moment, model)
        if kind.endswith((_BEGIN, _END)) and values.identifier(payload.get("call_id")):
            return self._used(payload, kind, place, moment, model)
        return None

    def _completed(self, inner: dict[str, Any], place: str, moment: datetime | None, model: str) -> Item | None:
        """An item of a turn that is done: what was said, or a use of a tool that no event before it told of."""
        kind, said_in = values.text(inner.get("type")), inner.get("content") or inner.get("text")
        if kind in _PERSON:
            return _said("user", said_in, place, moment, model)
        if kind in _MODEL:
            return _said("assistant", said_in, place, moment, model)
        own_id = values.identifier(inner.get("id"))
        if kind[:1].upper() + kind[1:] not in _USED or not own_id or own_id in self.begun:
            return None
        self.begun.add(own_id)
        return self.streamed({**inner, "type": _WORDS.sub("_", kind).lower()}, own_id, moment)

    def _used(self, payload: dict[str, Any], kind: str, place: str, moment: datetime | None, model: str) -> Item:
        """A tool that began or ended. One that ends without having begun is call and result in one."""
        call = values.identifier(payload.get("call_id"))
        invocation = values.mapping(payload.get("invocation"))
        tool = values.text(invocation.get("tool")) or kind.removesuffix(_BEGIN).removesuffix(_END)
        given = invocation.get("arguments") if invocation else {key: one for key, one in payload.items() if key not in _DETAILS}
        calls = () if call in self.begun else (ImportedCall(call, tool, values.arguments(given)),)
        self.begun.add(call)
        if kind.endswith(_BEGIN):
            return Item(ImportedMessage(place, None, "assistant", "", tool_calls=calls, time=moment, model=model))
        result = result_of(call, payload.get("result", payload), "" if calls else tool)
        return Item(
            ImportedMessage(
                place,
                None,
                "assistant" if calls else "tool",
                "",
                tool_calls=calls,
                tool_results=(result,),
                time=moment,
                model=model if calls else "",
            )
        )

    def streamed(self, item: dict[str, Any], own_id: str, moment: datetime | None) -> Item | None:
        """An item of `exec --json`: its call and what it gave stand in one."""
        kind = values.text(item.get("type")) or values.text(item.get("item_type"))
        if kind in {"agent_message", "assistant_message"}:
            return _said("assistant", item.get("text"), own_id, moment, "")
        if kind == "user_message":
            return _said("user", item.get("text", item.get("content")), own_id, moment, "")
        if kind == "reasoning":
            return thought((values.text(item.get("text")),), own_id, moment, "")
        if kind in {"", "error", "todo_list"}:
            return None
        tool = values.text(item.get("tool")) or kind
        given = item.get(
            "arguments", {key: one for key, one in item.items() if key not in {"id", "type", "item_type", "status", *_DETAILS}}
        )
        done = item.get("status") != "in_progress"
        results = (result_of(own_id, item.get("result", item), failed=item.get("status") == "failed"),) if done else ()
        return Item(
            ImportedMessage(
                own_id,
                None,
                "assistant",
                "",
                tool_calls=(ImportedCall(own_id, tool, values.arguments(given)),),
                tool_results=results,
                time=moment,
            )
        )


def _said(role: str, content: Any, place: str, moment: datetime | None, model: str) -> Item | None:
    found = said(role, content, place, moment, model)
    return found if found.message.text.strip() or found.message.pictures else None


def _asked(payload: dict[str, Any], place: str, moment: datetime | None) -> Item | None:
    """What a person typed; older rollouts mark what was wrapped around it by a kind."""
    found = _said("user", payload.get("message") or payload.get("text"), place, moment, "")
    pictures = tuple(one for text in listed(payload.get("images")) if (one := values.data_url(text)) is not None)
    if found is None:
        if not pictures:
            return None
        found = Item(ImportedMessage(place, None, "user", "", time=moment))
    wrapped = found.message.hidden or values.text(payload.get("kind")) not in _PLAIN_KIND
    message = replace(found.message, pictures=pictures, hidden=wrapped and not pictures)
    return replace(found, message=message)
