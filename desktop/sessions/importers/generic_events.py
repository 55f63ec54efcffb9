"""Logs of events that tell a conversation piece by piece, as chat records: calls and results of their own, turns, prompts with answers.

Known are records by `type`, the spans of agent observability (ATOF), the wire of Kimi, and what `generic_streams` knows. Pure; nothing
raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.chat_content import first_text
from desktop.sessions.importers.chat_message import TIME_NAMES, is_message, role_of
from desktop.sessions.importers.generic_streams import Streams, belongs, is_stream, kimi_usage

Record = dict[str, Any]

CALLS = ("tool_call", "function_call", "tool_use", "custom_tool_call")
RESULTS = ("tool_result", "function_call_output", "tool_output", "custom_tool_call_output")
THOUGHTS = ("reasoning", "thinking")
PAIRS = (
    ("prompt", ("response", "completion", "answer")),
    ("user", ("assistant", "bot", "ai", "model")),
    ("human", ("assistant", "ai", "gpt", "bot")),
    ("question", ("answer", "response")),
)
"""Fields of records that hold a question and its answer side by side."""
_FEW = 20
"""Fields of a record that holds such a pair; a table of words may well have both of them among its own."""
WIRE = (
    *("TurnBegin", "TurnEnd", "StepBegin", "StepInterrupted", "ContentPart", "ToolCall", "ToolCallPart", "ToolResult", "StatusUpdate"),
    "SubagentEvent",
)


AGENTS_DEEP = 5
"""Sub-agents of sub-agents that are read."""


def is_event(record: Any) -> bool:
    """Whether a record is one of the events that are known here, and tells of something that was said or done."""
    if not isinstance(record, dict) or (role_of(record) is not None and is_message(record)):
        return False
    return is_stream(record) or _is_typed(record) or is_span(record) or is_wire(record) or bool(_pair(record)) or bool(_ended(record))


def _is_typed(record: Record) -> bool:
    return "role" not in record and record.get("type") in (*CALLS, *RESULTS, *THOUGHTS)


def may_be_part(record: Record) -> bool:
    """Whether an event out of a broken text may be the part of a message that was torn around it: parts have no time of their own."""
    return _is_typed(record) and not is_stream(record) and not any(name in record for name in TIME_NAMES)


def is_span(record: Record) -> bool:
    return isinstance(record.get("atof_version"), str) and record.get("kind") in ("scope", "mark")


def is_wire(record: Record) -> bool:
    inner = _wired(record)
    return inner.get("type") in WIRE and isinstance(inner.get("payload"), dict)


def _wired(record: Record) -> Record:
    inner = record.get("message")
    return inner if isinstance(inner, dict) and "payload" in inner else record


def _pair(record: Record) -> tuple[str, str] | None:
    """The names of the fields that hold a prompt and its answer."""
    for asked, answers in PAIRS if len(record) <= _FEW else ():
        if isinstance(record.get(asked), str):
            for answer in answers:
                if isinstance(record.get(answer), str) and record[asked].strip() and record[answer].strip():
                    return asked, answer
    return None


def _ended(record: Record) -> Record:
    """The event inside a record that names one (`metadata`), with what was said in it; else an empty object."""
    inner = values.mapping(record.get("metadata")) or record
    said = first_text(inner, "response", "prompt")
    return inner if said and isinstance(inner.get("event"), str) else {}


@dataclass(slots=True)
class Events:
    """Turns events into chat records; `flush` gives what was still coming in."""

    _depth: int = 0
    _step: list[Any] = field(default_factory=list)
    _calls: list[Record] = field(default_factory=list)
    _time: Any = None
    _asked: str = ""
    _streams: Streams = field(default_factory=Streams)
    _agents: dict[str, Events] = field(default_factory=dict)
    """What sub-agents are saying, by the call that they work for."""

    def take(self, record: Record) -> Iterator[Record]:
        """The chat records that an event is, at most a few; none for events that say nothing."""
        if belongs(record):
            yield from self._streams.take(record)
        elif is_wire(record):
            yield from self._wire(record)
        elif is_span(record):
            yield from self._span(record)
        elif _is_typed(record):
            yield from self._typed(record)
        elif pair := _pair(record):
            yield _said("user", record[pair[0]], record)
            yield _said("assistant", record[pair[1]], record)
        elif event := _ended(record):
            yield from self._ended(event)

    def heed(self, record: Record) -> None:
        """A record that is no event, but may tell of those to come."""
        self._streams.heed(record)

    @staticmethod
    def _typed(record: Record) -> Iterator[Record]:
        kind = record["type"]
        role = "tool" if kind in RESULTS else "assistant"
        part = {**record, "type": "tool_use" if kind in CALLS else "tool_result" if kind in RESULTS else "thinking"}
        yield {"role": role, "content": [part], **_around(record)}

    @staticmethod
    def _ended(event: Record) -> Iterator[Record]:
        for name, role in (("prompt", "user"), ("response", "assistant")):
            if first_text(event, name):
                yield {"role": role, "content": event[name], "timestamp": _stamp(event.get("timestamp"))}

    # --- spans ---

    def _span(self, record: Record) -> Iterator[Record]:
        category, side = record.get("category"), record.get("scope_category")
        data, metadata = record.get("data"), values.mapping(record.get("metadata"))
        more = {**_around(record), **{name: metadata[name] for name in ("session_id", "model") if isinstance(metadata.get(name), str)}}
        held = values.mapping(data)
        if category == "llm" and side == "start":
            said = _request(held)
            if said and said != self._asked:
                yield {"role": "user", "content": said, **more}
            self._asked = said or self._asked
        elif category == "llm" and side == "end" and (answer := _answer(held)):
            yield {"role": "assistant", **answer, **more}
        elif category == "tool" and side in ("start", "end"):
            ident = first_text(metadata, "tool_call_id") or values.identifier(record.get("uuid"))
            part: Record = {"id": ident, "name": values.text(record.get("name"))}
            if side == "start":
                yield {"role": "assistant", "content": [{**part, "type": "tool_use", "input": data}], **more}
            else:
                wrong = metadata.get("status") in ("error", "failed") or "error" in held
                yield {"role": "tool", "content": [{**part, "type": "tool_result", "content": data, "is_error": wrong}], **more}

    # --- wire ---

    def _wire(self, record: Record) -> Iterator[Record]:
        inner = _wired(record)
        kind, payload = inner["type"], inner["payload"]
        stamp = record.get("timestamp")
        if kind == "ContentPart":
            self._time = self._time or stamp
            self._step.append(payload)
        elif kind == "ToolCall":
            self._time = self._time or stamp
            self._calls.append({**payload, "type": "tool_use"})
        elif kind == "ToolCallPart":
            self._more(values.text(payload.get("arguments_part")))
        else:
            yield from self._step_ended(kimi_usage(payload.get("token_usage")))
            if kind == "SubagentEvent":
                yield from self._of_agent(payload, stamp)
            elif kind == "TurnBegin" and payload.get("user_input"):
                yield {"role": "user", "content": payload["user_input"], "timestamp": stamp}
            elif kind == "ToolResult":
                yield from self._agent_ended(values.identifier(payload.get("tool_call_id")))
                given = values.mapping(payload.get("return_value") or payload.get("result"))
                output = given.get("output") or given.get("message") or payload.get("content")
                part = {
                    "type": "tool_result",
                    "tool_use_id": payload.get("tool_call_id") or payload.get("id"),
                    "content": output,
                    "is_error": given.get("is_error"),
                }
                yield {"role": "tool", "content": [part], "timestamp": stamp}

    def _of_agent(self, payload: Record, stamp: Any) -> Iterator[Record]:
        """An event of a sub-agent, beside the conversation; its prompt is in the call that began it."""
        call = values.identifier(payload.get("parent_tool_call_id") or payload.get("task_tool_call_id") or payload.get("agent_id"))
        call = call or next(reversed(self._agents), "")
        event = {"message": values.mapping(payload.get("event")), "timestamp": stamp}
        if is_wire(event) and self._depth < AGENTS_DEEP:
            agent = self._agents.setdefault(call, Events(self._depth + 1))
            yield from _beside(agent.take(event))

    def _agent_ended(self, call: str) -> Iterator[Record]:
        if call in self._agents:
            yield from _beside(self._agents.pop(call).flush())

    def _more(self, text: str) -> None:
        """The next stretch of the arguments of the newest call."""
        function = self._calls[-1].get("function") if self._calls else None
        if isinstance(function, dict) and isinstance(function.get("arguments"), str | None):
            self._calls[-1]["function"] = {**function, "arguments": (function.get("arguments") or "") + text}

    def flush(self) -> Iterator[Record]:
        """What was coming in, of sub-agents too."""
        yield from self._step_ended()
        for agent in self._agents.values():
            yield from _beside(agent.flush())

    def _step_ended(self, usage: Record | None = None) -> Iterator[Record]:
        """The step that was coming in, if any."""
        yield from self._streams.flush()
        if self._step or self._calls:
            parts = _joined(self._step) + self._calls
            yield {"role": "assistant", "content": parts, "timestamp": self._time, "usage": usage or {}}
        self._step, self._calls, self._time = [], [], None


def _beside(records: Iterator[Record]) -> Iterator[Record]:
    return ({**record, "isSidechain": True} for record in records)


def _joined(parts: list[Any]) -> list[Any]:
    """Parts with the stretches of one text put together, as they came in."""
    found: list[Any] = []
    for part in parts:
        for name in ("text", "think"):
            last = found[-1] if found else None
            if isinstance(part, dict) and isinstance(part.get(name), str) and isinstance(last, list) and last[0] == name:
                last[1].append(part[name])
                break
            if isinstance(part, dict) and isinstance(part.get(name), str) and part.get("type") == name:
                found.append([name, [part[name]]])
                break
        else:
            found.append(part)
    return [{"type": one[0], one[0]: "".join(one[1])} if isinstance(one, list) else one for one in found]


def _request(data: Record) -> str:
    """What the person said last in a request to a model."""
    content = data.get("content", data)
    messages = values.mappings(values.mapping(content).get("messages") or data.get("messages") or content)
    for message in reversed(messages):
        if message.get("role") == "user":
            return values.as_text(message.get("content"))
    return values.text(content)


def _answer(data: Record) -> Record:
    held = data.get("assistant_message", data.get("content", data.get("response")))
    if isinstance(held, dict):
        return {name: held[name] for name in ("content", "tool_calls", "reasoning_content") if name in held}
    return {"content": held} if isinstance(held, str | list) and held else {}


def _said(role: str, text: str, record: Record) -> Record:
    return {"role": role, "content": text, **_around(record)}


def _around(record: Record) -> Record:
    """What a record says around its words: when, in which session, below what."""
    names = (*TIME_NAMES, "isSidechain", "session_id", "sessionId", "model")
    return {name: record[name] for name in names if name in record}


def _stamp(value: Any) -> Any:
    """A time as `20251231_235959`, else as it is."""
    if isinstance(value, str) and len(value) == 15 and value[8] == "_" and value.replace("_", "").isdigit():
        return f"{value[:4]}-{value[4:6]}-{value[6:8]}T{value[9:11]}:{value[11:13]}:{value[13:]}"
    return value
