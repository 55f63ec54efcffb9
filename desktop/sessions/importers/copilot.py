"""GitHub Copilot: the command line's events (`session-state`), its older session documents, and VS Code's chat sessions.

Read only; see the package. A call stands in the model's message, what it gave in an event of its own. What sub-agents say is marked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import copilot_editor
from desktop.sessions.importers.collected import Collected, any_file, every_file
from desktop.sessions.importers.reading import Found, Sample, Source, salvage, take_sample
from desktop.sessions.importers.shapes import Damage, ImportedCall, ImportedMessage, ImportedResult, ImportedSession, Role, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, files_below, head_of, small_text
from desktop.sessions.importers.values import (
    arguments,
    as_text,
    identifier,
    is_wrapper,
    joined,
    listing,
    mapping,
    mappings,
    moment,
    picture,
    text,
    whole,
)

SOURCE = "copilot"
PATTERNS = ("*events.jsonl", "*session-state/*.jsonl", "*session_*.json", "*[cC]hatSessions/*.json", "*[cC]hatSessions/*.jsonl")
_EVENT = re.compile(r"(?:session|user|assistant|tool|system|hook|subagent|skill|agent)\.[a-z_]+|abort")
_FACT = re.compile(r"^(name|summary|cwd|branch|id):[ \t]*(?:[|>][+-]?[ \t]*\n[ \t]+)?(.*)$", re.MULTILINE)


def is_record(value: dict[str, Any]) -> bool:
    """An event of the command line, or a change of an editor's session."""
    return isinstance(value.get("type"), str) or copilot_editor.is_change(value)


def is_event(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and isinstance(value.get("data"), dict)
        and _EVENT.fullmatch(value["type"]) is not None
    )


def _is_saved(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chatMessages"), list) and ("sessionId" in value or "timeline" in value)


def score(sample: Sample) -> int:
    """How sure it is that a file, or a folder's files, are Copilot's."""
    if sample.path.is_dir():
        return 65 if _is_store(sample.path) else 0
    if copilot_editor.is_session(sample.document) or _is_saved(sample.document):
        return 92
    events = sum(map(is_event, sample.records))
    if events:
        return 92 if events * 2 >= len(sample.records) else 60
    return copilot_editor.score_pieces(sample)


def _is_store(folder: Path) -> bool:
    marks = (b'"session.start"', PATTERNS[:2]), (b'"chatMessages"', PATTERNS[2:3]), (b'"requests"', PATTERNS[3:])
    own = b'"session.start"|"(?:user|assistant).message"|"requests"|"kind"'
    return any(any_file(folder, mark, *patterns) for mark, patterns in marks) and every_file(folder, own, "*.jsonl")


def read(source: Source, session: str | None) -> ImportedSession:
    """The session in a file, or in one of a folder's files.

    Raises:
        OSError: the file cannot be read.
    """
    if source.path.is_dir():
        entry = asked_for(entries(source), session)
        return read(Source(entry.path), None) if entry else ImportedSession(SOURCE, source.path.name)
    if any(is_event(found.value) for found in source.records(is_record)):
        return _events(source)
    document, damage = source.document()
    if _is_saved(document):
        return _saved(document, source)
    return copilot_editor.read(source, document, damage)


def entries(source: Source) -> list[TranscriptEntry]:
    """The sessions of a file or folder, out of the first characters of each file.

    Raises:
        OSError: the file cannot be read.
    """
    if not source.path.is_dir():
        return [_entry(source)]
    found: list[TranscriptEntry] = []
    for path in files_below(source.path, "*.json", "*.jsonl"):
        try:
            head = head_of(Source(path))
            marked = any(mark in head for mark in ('"session.start"', '"user.message"', '"requests"', '"chatMessages"'))
            if marked and score(take_sample(Source(path))) > 0:
                found.append(_entry(Source(path)))
        except OSError:
            continue
    return found


def _entry(source: Source) -> TranscriptEntry:
    head = head_of(source)
    if '"requests"' in head and '"session.start"' not in head:
        return copilot_editor.entry(source, head)
    log = _Log()
    for found in salvage(head, is_record):
        if is_event(found.value):
            log.take(found)
    held = log.end()
    _beside(held, source)
    told = held.session(SOURCE, source.path)
    return TranscriptEntry(source.path, held.id or None, SOURCE, told.title, told.workspace, told.started)


# --- events of the command line -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Log:
    """The state while events come in. Each follows the one before: `parentId` is that of the log, whoever speaks."""

    held: Collected = field(default_factory=Collected)
    last: str | None = None
    before: dict[str, str | None] = field(default_factory=dict)
    """The message before an event, by the event's id: a rewind names the first event that it took away."""
    thoughts: dict[str, str] = field(default_factory=dict)
    """What a side thought and has not said yet."""
    answers: dict[str, str] = field(default_factory=dict)
    """The last message of the model, by side."""
    calls: set[str] = field(default_factory=set)
    unnamed: dict[str, list[str]] = field(default_factory=dict)
    """Made ids of calls without one that are not done yet, by side."""
    made: int = 0
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    """Events by id, kind and a hash of all that they say: ids alone do not tell them apart in files that were made anonymous."""

    def take(self, found: Found) -> None:
        event = found.value
        kind, data = text(event.get("type")), mapping(event.get("data"))
        side = _side(event, data)
        mark = (identifier(event.get("id")) or text(event.get("timestamp")), kind, hash(repr(data)))
        if mark in self.seen:
            return
        self.seen.add(mark)
        self.before.setdefault(identifier(event.get("id")), self.last)
        if kind == "user.message":
            self.answers.pop(side, None)  # what is begun from here on answers this one
        elif kind.startswith("tool.execution_") and not identifier(data.get("toolCallId")):
            data = {**data, "toolCallId": self._made(kind, side)}
        if kind == "assistant.reasoning":
            self.thoughts[side] = joined((self.thoughts.get(side, ""), text(data.get("content"))))
        elif kind == "tool.execution_start":
            self._started(event, data, side)
        elif kind == "session.snapshot_rewind":
            self.last = self.before.get(identifier(data.get("upToEventId")), self.last)
        elif (message := _message(kind, event, data, self.held)) is not None:
            self._add(message, side)
        else:
            _facts(self.held, kind, event, data)

    def _made(self, kind: str, side: str) -> str:
        """An id for a call that has none: a new one where it begins, that of the oldest one still open where it is done."""
        waiting = self.unnamed.setdefault(side, [])
        if kind == "tool.execution_start":
            self.made += 1
            waiting.append(f"call-{self.made}")
            return waiting[-1]
        return waiting.pop(0) if waiting and kind == "tool.execution_complete" else ""

    def _add(self, message: ImportedMessage, side: str) -> None:
        if message.role == "assistant":
            thought = self.thoughts.pop(side, "")
            message = replace(message, thinking=message.thinking or thought)
            self.calls |= {call.id for call in message.tool_calls}
        self.last = self.held.add(replace(message, parent=self.last), distinct=True)
        if message.role == "assistant":
            self.answers[side] = self.last

    def _started(self, event: dict[str, Any], data: dict[str, Any], side: str) -> None:
        """A call that no message of the model tells of belongs to the message before."""
        call = ImportedCall(identifier(data.get("toolCallId")), text(data.get("toolName")), arguments(data.get("arguments")))
        if call.id in self.calls:
            return
        self.calls.add(call.id)
        answer = self.answers.get(side, "")
        if answer:
            before = self.held.messages[answer]
            self.held.messages[answer] = replace(before, tool_calls=(*before.tool_calls, call))
        else:
            self._add(ImportedMessage(role="assistant", text="", tool_calls=(call,), **_common(event, data)), side)

    def end(self) -> Collected:
        for side, thought in self.thoughts.items():
            held = ImportedMessage("", self.last, "assistant", "", thought, sidechain=bool(side))
            self.last = self.held.add(held)
        return self.held


def _events(source: Source) -> ImportedSession:
    log = _Log()
    log.held.read(source, is_record, log.take)
    held = log.end()
    _beside(held, source)
    return held.session(SOURCE, source.path)


def _beside(held: Collected, source: Source) -> None:
    """Facts of `workspace.yaml` in the session's own folder."""
    if source.path.name != "events.jsonl":
        return
    held.id = held.id or source.path.parent.name
    facts = {found[1]: found[2].strip().strip("\"'") for found in _FACT.finditer(small_text(source.path.parent / "workspace.yaml"))}
    held.titles[5], held.titles[6] = facts.get("name", ""), facts.get("summary", "")
    held.workspace = held.workspace or facts.get("cwd", "")
    held.branch = held.branch or facts.get("branch", "")


def _facts(held: Collected, kind: str, event: dict[str, Any], data: dict[str, Any]) -> None:
    if kind in ("session.start", "session.resume", "session.context_changed"):
        _context(held, event, data)
    elif kind == "session.model_change":
        held.model = text(data.get("newModel")) or held.model
    elif kind in ("session.title_changed", "session.renamed"):
        held.titles[1] = text(data.get("title")) or text(data.get("name"))


def _context(held: Collected, event: dict[str, Any], data: dict[str, Any]) -> None:
    context = mapping(data.get("context")) or data
    held.id = held.id or identifier(data.get("sessionId"))
    held.workspace = held.workspace or text(context.get("cwd")) or text(context.get("gitRoot"))
    held.branch = held.branch or text(context.get("branch"))
    held.started = held.started or moment(data.get("startTime")) or moment(event.get("timestamp"))
    held.model = held.model or text(data.get("selectedModel")) or text(data.get("model"))


def _common(event: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": identifier(event.get("id")),
        "parent": None,
        "time": moment(event.get("timestamp")),
        "sidechain": bool(_side(event, data)),
    }


def _side(event: dict[str, Any], data: dict[str, Any]) -> str:
    """The sub-agent that an event is of, by the call it works for or its own id; empty for the conversation itself."""
    return identifier(data.get("parentToolCallId")) or identifier(event.get("agentId"))


def _said(data: dict[str, Any]) -> str:
    return text(data.get("content")) or text(data.get("text"))


def _message(kind: str, event: dict[str, Any], data: dict[str, Any], held: Collected) -> ImportedMessage | None:
    """The message in an event; None for events that are none."""
    facts = _common(event, data)
    if kind == "user.message":
        said = _said(data)
        by_program = text(data.get("source")).startswith(("skill", "system", "jit")) or data.get("isAutopilotContinuation") is True
        hidden = is_wrapper(said) or by_program
        return ImportedMessage(role="user", text=said, pictures=_pictures(data), hidden=hidden, **facts)
    if kind == "assistant.message":
        calls = tuple(_call(one) for one in mappings(data.get("toolRequests")))
        thinking, tokens = text(data.get("reasoningText")), whole(data.get("outputTokens"))
        model = text(data.get("model")) or held.model
        said = _said(data)
        return ImportedMessage(role="assistant", text=said, thinking=thinking, tool_calls=calls, tokens=tokens, model=model, **facts)
    if kind in ("tool.execution_complete", "tool.result"):
        return ImportedMessage(role="tool", text="", tool_results=(_result(data),), **facts)
    return None


def _pictures(data: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    found = (picture(one.get("mimeType"), one.get("data")) for one in mappings(data.get("attachments")))
    return tuple(one for one in found if one)


def _call(request: dict[str, Any]) -> ImportedCall:
    return ImportedCall(identifier(request.get("toolCallId")), text(request.get("name")), arguments(request.get("arguments")))


def _result(data: dict[str, Any]) -> ImportedResult:
    result = data.get("result")
    held = mapping(result)
    error = data.get("error")
    output = (
        as_text(held.get("content"))
        or as_text(held.get("output"))
        or as_text(held.get("detailedContent"))
        or (as_text(result) if not held else "")
    )
    if not output and error:
        output = text(mapping(error).get("message")) or as_text(error)
    failed = data.get("success") is False or bool(error)
    return ImportedResult(identifier(data.get("toolCallId")), output, failed, text(data.get("toolName")))


# --- the command line's older documents -----------------------------------------------------------------------------------

_ROLES: dict[str, Role] = {"assistant": "assistant", "tool": "tool", "system": "system", "developer": "system"}


def _saved(document: dict[str, Any], source: Source) -> ImportedSession:
    """A session that was saved as one document: messages as they were sent to the model."""
    held = Collected(id=identifier(document.get("sessionId")), started=moment(document.get("startTime")))
    held.model = text(document.get("selectedModel")) or text(document.get("model"))
    before: str | None = None
    for one in listing(document.get("chatMessages")):
        if isinstance(one, dict):
            before = held.add(_saved_message(one, before))
        else:
            held.damage.append(Damage(1, say("a message is not an object")))
    return held.session(SOURCE, source.path)


def _saved_message(record: dict[str, Any], before: str | None) -> ImportedMessage:
    role = _ROLES.get(text(record.get("role")), "user")
    said = as_text(record.get("content"))
    calls = []
    for one in mappings(record.get("tool_calls")):
        function = mapping(one.get("function"))
        calls.append(ImportedCall(identifier(one.get("id")), text(function.get("name")), arguments(function.get("arguments"))))
    results = (ImportedResult(identifier(record.get("tool_call_id")), said),) if role == "tool" else ()
    return ImportedMessage(
        id=identifier(record.get("id")),
        parent=before,
        role=role,
        text="" if role == "tool" else joined([said]),
        tool_calls=tuple(calls),
        tool_results=results,
        time=moment(record.get("timestamp")),
        hidden=role == "system" or is_wrapper(said),
    )
