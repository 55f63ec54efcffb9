"""Logs of agent programs that tell a conversation piece by piece, as chat records: Kimi Code's, the Agent Client Protocol's, Kiro's,
Cursor's stream. Pure; nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from desktop.sessions.importers import values

Record = dict[str, Any]

_LOOP = ("content.part", "tool.call", "tool.result", "step.begin", "step.end")
_TELL_MODEL = ("config.update", "profile.bind", "llm.request")
_SAYS = ("content.part", "tool.call", "tool.result")
_CHUNKS = {"user_message_chunk": "text", "agent_message_chunk": "text", "agent_thought_chunk": "thinking"}
_UPDATES = (*_CHUNKS, "tool_call", "tool_call_update")
_KIRO = {"Prompt": "user", "AssistantMessage": "assistant", "ToolResults": "tool"}
_FOLDER = re.compile(r"current working directory is `([^`\n]{1,4096})`")
_DONE = ("completed", "failed")


def is_stream(record: Record) -> bool:
    """Whether a record is a piece of such a log, and tells of something that was said or done."""
    tests = (_update, _asked, is_kiro, _ran, _is_delta)
    return _looped(record).get("type") in _SAYS or any(test(record) for test in tests)


def belongs(record: Record) -> bool:
    """Whether a record is of such a log, be it one that only parts two steps."""
    return _looped(record).get("type") in _LOOP or is_stream(record)


def _looped(record: Record) -> Record:
    """The event of Kimi Code's loop in a record; else an empty object."""
    return values.mapping(record.get("event")) if record.get("type") == "context.append_loop_event" else {}


def _update(record: Record) -> Record:
    """The update of a session by the Agent Client Protocol, bare or in its message; else an empty object."""
    params = values.mapping(record.get("params"))
    for held in (values.mapping(params.get("update")), values.mapping(record.get("update")), record):
        if held.get("sessionUpdate") in _UPDATES:
            return held
    return {}


def _asked(record: Record) -> list[Any]:
    """The blocks of a prompt that is sent by the Agent Client Protocol."""
    return values.listing(values.mapping(record.get("params")).get("prompt")) if record.get("method") == "session/prompt" else []


def is_kiro(record: Record) -> bool:
    return values.text(record.get("kind")) in _KIRO and isinstance(values.mapping(record.get("data")).get("content"), list)


def _ran(record: Record) -> Record:
    """The call in a line of Cursor's stream: an object under the name of its tool; else an empty object."""
    if record.get("type") != "tool_call" or record.get("subtype") not in ("started", "completed"):
        return {}
    held = values.mapping(record.get("tool_call"))
    return held if any(isinstance(one, dict) for one in held.values()) else {}


def _is_delta(record: Record) -> bool:
    """Whether a record is a stretch of a message, as Gemini CLI's stream tells them."""
    told = record.get("type") == "message" and record.get("delta") is True
    return told and record.get("role") in ("user", "assistant") and isinstance(record.get("content"), str)


def folder_in(record: Record) -> str:
    """The folder that Kimi Code tells in its instructions only."""
    found = _FOLDER.search(values.text(record.get("systemPrompt"))) if record.get("type") == "config.update" else None
    return found[1] if found is not None else ""


@dataclass(slots=True)
class Streams:
    """Turns pieces into chat records; `flush` gives what was still coming in."""

    _role: str = ""
    _parts: list[tuple[Record, list[str]]] = field(default_factory=list)
    """Parts, with the stretches of their text where they have one."""
    _results: list[Record] = field(default_factory=list)
    _time: Any = None
    _begun: set[str] = field(default_factory=set)
    _step: str = ""
    _model: str = ""
    _by: str = ""
    """The model when the message began to come in."""

    def heed(self, record: Record) -> None:
        """A record between the pieces: it may tell the model of those to come."""
        if record.get("type") in _TELL_MODEL:
            self._model = values.text(record.get("modelAlias")) or values.text(record.get("model")) or self._model

    def take(self, record: Record) -> Iterator[Record]:
        """The chat records that a piece is or brings to an end."""
        if event := _looped(record):
            yield from self._loop(event, record.get("time"))
        elif update := _update(record):
            yield from self._updated(update, record.get("timestamp"))
        elif blocks := _asked(record):
            yield from self.flush()
            yield {"role": "user", "content": blocks, "timestamp": record.get("timestamp")}
        elif is_kiro(record):
            yield _kiro(record)
        elif ran := _ran(record):
            yield from self._cursor(record, ran)
        elif _is_delta(record):
            yield from self._piece(record["role"], {"type": "text", "text": record["content"]}, record.get("timestamp"))

    def flush(self, usage: Record | None = None) -> Iterator[Record]:
        """The message that was coming in, and what its calls gave.

        Args:
            usage: tokens of the request behind it.
        """
        if self._parts:
            parts = [{**part, part["type"]: "".join(texts)} if texts else part for part, texts in self._parts]
            yield {"role": self._role, "content": parts, "timestamp": self._time, "usage": usage or {}, "model": self._by}
        yield from self._results
        self._role, self._parts, self._results, self._time, self._step = "", [], [], None, ""

    def _piece(self, role: str, part: Record, stamp: Any) -> Iterator[Record]:
        """A part of a message; a text goes on where the part before is of its kind."""
        if role != self._role:
            yield from self.flush()
        self._by = self._by if self._parts else self._model
        self._role, self._time = role, self._time or stamp
        name = part["type"]
        texts = [part[name]] if name in ("text", "thinking") and isinstance(part.get(name), str) else []
        if texts and self._parts and self._parts[-1][0]["type"] == name:
            self._parts[-1][1].extend(texts)
        else:
            self._parts.append((part, texts))

    # --- Kimi Code ---

    def _loop(self, event: Record, stamp: Any) -> Iterator[Record]:
        kind, step = event.get("type"), values.identifier(event.get("stepUuid"))
        if kind in ("step.begin", "step.end") or (step and self._step and step != self._step):
            yield from self.flush(kimi_usage(event.get("usage")))
        if kind == "content.part" and isinstance(event.get("part"), dict):
            part = event["part"]
            thought = part.get("type") == "think"
            yield from self._piece("assistant", {"type": "thinking", "thinking": part.get("think")} if thought else _typed(part), stamp)
        elif kind == "tool.call":
            call = {"type": "tool_use", "id": event.get("toolCallId"), "name": event.get("name"), "input": event.get("args")}
            yield from self._piece("assistant", call, stamp)
        elif kind == "tool.result":
            given = values.mapping(event.get("result"))
            found = _result(event.get("toolCallId"), given.get("output"), given.get("isError") is True, stamp)
            if self._parts:
                self._results.append(found)
            else:
                yield found
        self._step = step or self._step

    # --- Agent Client Protocol ---

    def _updated(self, update: Record, stamp: Any) -> Iterator[Record]:
        kind = update["sessionUpdate"]
        if kind in _CHUNKS:
            given = update.get("content")
            part = _typed(given if isinstance(given, dict) else {"text": given})
            if _CHUNKS[kind] == "thinking":
                part = {"type": "thinking", "thinking": part.get("text")}
            yield from self._piece("user" if kind.startswith("user") else "assistant", part, stamp)
            return
        call = values.identifier(update.get("toolCallId"))
        if kind == "tool_call" and call not in self._begun:
            self._begun.add(call)
            name = values.text(update.get("title")) or values.text(update.get("kind"))
            yield from self._piece("assistant", {"type": "tool_use", "id": call, "name": name, "input": update.get("rawInput")}, stamp)
        if update.get("status") in _DONE:
            given = [values.mapping(one).get("content", one) for one in values.listing(update.get("content"))]
            yield from self.flush()
            yield _result(call, given or update.get("rawOutput"), update["status"] == "failed", stamp)

    # --- Cursor ---

    def _cursor(self, record: Record, ran: Record) -> Iterator[Record]:
        name, held = next((key, one) for key, one in ran.items() if isinstance(one, dict))
        call = values.identifier(record.get("call_id"))
        stamp = record.get("timestamp_ms") or record.get("timestamp")
        if call not in self._begun:
            self._begun.add(call)
            part = {"type": "tool_use", "id": call, "name": name.removesuffix("ToolCall"), "input": held.get("args")}
            yield {"role": "assistant", "content": [part], "timestamp": stamp}
        if record.get("subtype") == "completed":
            given = values.mapping(held.get("result"))
            failed = "error" in given or "rejected" in given
            yield _result(call, given.get("success", given), failed, stamp)


def kimi_usage(usage: Any) -> Record:
    """Tokens as Kimi counts them, under the names of requests; empty for what is none."""
    held = values.mapping(usage)
    names = (("inputOther", "input_other"), ("inputCacheRead", "input_cache_read"), ("inputCacheCreation", "input_cache_creation"))
    read = sum(values.whole(held.get(one) or held.get(other)) for one, other in names)
    return {"input_tokens": read, "output_tokens": values.whole(held.get("output"))} if held else {}


def _typed(part: Record) -> Record:
    return part if isinstance(part.get("type"), str) else {"type": "text", "text": values.text(part.get("text"))}


def _result(call: Any, given: Any, failed: bool, stamp: Any) -> Record:
    part = {"type": "tool_result", "tool_use_id": call, "content": given, "is_error": failed}
    return {"role": "tool", "content": [part], "timestamp": stamp}


def _kiro(record: Record) -> Record:
    data = record["data"]
    parts = [_kiro_part(one) for one in values.mappings(data["content"])]
    stamp = values.mapping(data.get("meta")).get("timestamp")
    return {"role": _KIRO[record["kind"]], "content": parts, "id": data.get("message_id"), "timestamp": stamp}


def _kiro_part(part: Record) -> Record:
    kind, data = values.text(part.get("kind")), part.get("data")
    held = values.mapping(data)
    if kind == "thinking":
        return {"type": "thinking", "thinking": held.get("text")}
    if kind == "toolUse":
        return {"type": "tool_use", "id": held.get("toolUseId"), "name": held.get("name"), "input": held.get("input")}
    if kind == "toolResult":
        given = [{"type": "text", "text": values.as_text(one.get("data"))} for one in values.mappings(held.get("content"))]
        failed = held.get("status") == "error"
        return {"type": "tool_result", "tool_use_id": held.get("toolUseId"), "content": given, "is_error": failed}
    return {"type": "text", "text": values.text(data)}
