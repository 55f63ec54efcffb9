"""Muse Code: a log of events a session (`session.jsonl`), of which those of a run tell what was said and done; sub-agents have own logs.

Read only, blocking, reading threads. The model's own reasoning is kept as a summary; a call's words are history and run nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.reading import Sample, Source
from desktop.sessions.importers.shapes import ImportedCall, ImportedResult, ImportedSession, TranscriptEntry, replaced

SOURCE = "muse"
_SURE = 92
_MICRO, _ENDLESS = 1_000_000, 1 << 62
_SUBAGENT = "subagent"
"""Folder in a session's own in which those of its sub-agents stand."""


def _envelope(value: dict[str, Any]) -> dict[str, Any]:
    """The event in a line; an export has it inside an object of its own."""
    inner = value.get("envelope")
    return inner if isinstance(inner, dict) else value


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object is a line of such a log; frames of permissions tell nothing here."""
    return "retained_frame" in value or is_event(value)


def is_event(value: dict[str, Any]) -> bool:
    record = _envelope(value)
    return isinstance(record.get("payload_type"), str) and isinstance(record.get("payload"), dict)


def score(sample: Sample) -> int:
    """How sure it is that a file is a log of Muse Code."""
    if sample.path.is_dir():
        return 0
    told = (_envelope(one) for one in sample.records if is_event(one))
    return _SURE if any(one["payload_type"].startswith(("runtime.", "run.")) and "stream" in one for one in told) else 0


@dataclass(slots=True)
class _Log:
    """The state while events come in."""

    held: Assembly = field(default_factory=Assembly)
    model: str = ""
    asked: tuple[str, datetime | None] = ("", None)
    """What the person sent and no run has begun with, and when."""
    calls: dict[str, str] = field(default_factory=dict)
    """Names of tools by the ids of their calls."""
    seen: set[str] = field(default_factory=set)
    """Ids of events that were taken."""

    def take(self, record: dict[str, Any]) -> None:
        ident = values.identifier(record.get("id"))
        if ident and ident in self.seen:
            return
        self.seen.add(ident)
        payload, when = record["payload"], _moment(record.get("recorded_at"))
        stream = values.mapping(record.get("stream"))
        if stream.get("kind") == "session":
            self.held.told.id = self.held.told.id or values.identifier(stream.get("id"))
        self.held.told.started = self.held.told.started or when
        if record["payload_type"] == "runtime.user_intent.accepted":
            self.asked = _sent(payload), when
        elif payload.get("kind") == "run":
            self._run(values.mapping(payload.get("event")), when)
        else:
            facts = values.mapping(payload.get("record"))
            told = values.text(facts.get("workspace_root")) or values.text(facts.get("cwd"))
            self.held.told.workspace = self.held.told.workspace or told
            self.model = values.text(facts.get("model_id")) or self.model

    def _run(self, event: dict[str, Any], when: datetime | None) -> None:
        kind, said = event.get("kind"), values.text(event.get("text"))
        if kind == "started":
            self._prompt(values.text(event.get("prompt")), when)
            self.asked = "", None
        elif kind == "inbox_item_queued" and values.mapping(event.get("source")).get("source") == "user_steer":
            self._prompt(values.text(values.mapping(event.get("payload")).get("prompt")) or values.text(event.get("body")), when)
        elif kind == "tool_result_batch_committed":
            self.held.say("tool", "", tool_results=tuple(map(self._result, values.mappings(event.get("results")))), time=when)
        elif kind == "tool_result_model_visible_content":
            given = (values.picture(one.get("media_type"), one.get("base64_data")) for one in values.mappings(event.get("content")))
            if pictures := tuple(one for one in given if one):
                self.held.say("tool", "", pictures=pictures, time=when)
        elif kind == "assistant_tool_calls_committed":
            self._answer("", when, tool_calls=tuple(map(self._call, values.mappings(event.get("tool_calls")))))
        elif kind == "assistant_message_committed" and said:
            self._answer(said, when)
        elif kind == "reasoning_summary_committed" and said:
            self._answer("", when, thinking=said)
        elif kind == "model_completed":
            self._used(values.mapping(event.get("usage")))

    def _prompt(self, said: str, when: datetime | None) -> None:
        if said.strip():
            self.held.say("user", said, hidden=values.is_wrapper(said), time=when)

    def _answer(self, said: str, when: datetime | None, **more: Any) -> None:
        self._prompt(*self.asked)
        self.asked = "", None
        self.held.say("assistant", said, time=when, model=self.model, **more)

    def _call(self, call: dict[str, Any]) -> ImportedCall:
        name = values.text(call.get("name"))
        ident = values.identifier(call.get("call_id")) or values.identifier(call.get("id"))
        self.calls[ident] = name
        return ImportedCall(ident, name, values.arguments(call.get("args")))

    def _result(self, result: dict[str, Any]) -> ImportedResult:
        ident, output = values.identifier(result.get("tool_call_id")), values.as_text(result.get("text"))
        return ImportedResult(ident, output, result.get("is_error") is True or _has_failed(output), self.calls.get(ident, ""))

    def _used(self, usage: dict[str, Any]) -> None:
        """Tokens of a request go to the last message of the model before they are told."""
        messages = self.held.messages
        place = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "assistant"), None)
        if place is not None and (tokens := values.counts(usage, "input_tokens", "output_tokens")):
            messages[place] = replaced(messages[place], tokens=messages[place].tokens + tokens)

    def end(self) -> Assembly:
        self._prompt(*self.asked)
        self.held.told.model = self.model
        return self.held


def _moment(stamp: Any) -> datetime | None:
    """A time in microseconds."""
    told = isinstance(stamp, int | float) and not isinstance(stamp, bool) and abs(stamp) < _ENDLESS
    return values.moment(stamp / _MICRO) if told else None


def _sent(payload: dict[str, Any]) -> str:
    """What a person sent, where it was said to the session itself."""
    parts = [one for message in values.mappings(payload.get("model_messages")) for one in values.mappings(message.get("content"))]
    return values.joined([values.text(one.get("text")) for one in parts if one.get("kind") == "text"])


def _has_failed(output: str) -> bool:
    """Whether a command's report tells an exit code other than 0."""
    if not output.startswith("{") or '"exit_code"' not in output:
        return False
    try:
        code = values.mapping(json.loads(output)).get("exit_code")
    except (ValueError, RecursionError):
        return False
    return isinstance(code, int) and code != 0


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file.

    Raises:
        OSError: the file cannot be read.
    """
    log = _Log()
    for found in source.records(is_record):
        if not isinstance(found.value, dict):
            log.held.lost(found.line, found.reason)
        elif is_event(found.value):
            log.take(_envelope(found.value))
    found_session = log.end().session(SOURCE, source.path.parent.name or source.path.stem)
    kind, parent = _place(source.path)
    return replaced(found_session, kind=kind, parent=parent, agents=_agents(source.path))


def _place(path: Path) -> tuple[str, str]:
    """What a session is by its place, and the one it works for."""
    above = path.parent.parent
    return ("sub-agent", above.parent.name) if above.name == _SUBAGENT else ("chat", "")


def _agents(path: Path) -> tuple[str, ...]:
    return tuple(sorted(one.parent.name for one in (path.parent / _SUBAGENT).glob(f"*/{path.name}")))


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file."""
    kind, parent = _place(source.path)
    return [TranscriptEntry(source.path, None, SOURCE, kind=kind, parent=parent)]
