"""Gemini CLI's recorded chats: messages of `user` and `gemini`, a document or JSON lines with `$set` and `$rewindTo`.

A message is written again whenever it grows: the last of an id counts, at the first one's place. Read only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers.google_parts import CallIds, content_of, response_of
from desktop.sessions.importers.reading import SAMPLE_TEXT, Found, Source, loads
from desktop.sessions.importers.shapes import Damage, ImportedCall, ImportedMessage, ImportedResult, ImportedSession, Thread
from desktop.sessions.importers.values import (
    arguments,
    as_text,
    counts,
    first_title,
    identifier,
    is_wrapper,
    joined,
    listing,
    mapping,
    mappings,
    moment,
    prompt_title,
    text,
    told_field,
    told_title,
    whole,
)

SOURCE = "gemini"
MODEL = ("gemini", "qwen", "model", "assistant")
OTHERS = ("info", "error", "warning", "system")
"""Lines that the tool showed beside the conversation; no messages."""
_FAILED = ("error", "cancelled", "canceled")


def is_message(value: Any) -> bool:
    """Whether an object is a message of a chat, of a kind that is known or shown beside it."""
    if not isinstance(value, dict) or value.get("type") not in ("user", *MODEL, *OTHERS):
        return False
    held = "content" in value or "toolCalls" in value or "displayContent" in value or ("id" in value and "tokens" in value)
    return held and "message" not in value and "uuid" not in value and "payload" not in value


def is_head(value: Any) -> bool:
    return isinstance(value, dict) and "sessionId" in value and "type" not in value and ("projectHash" in value or "startTime" in value)


def is_patch(value: Any) -> bool:
    return isinstance(value, dict) and ("$set" in value or "$rewindTo" in value or "$patch" in value)


def is_record(value: dict[str, Any]) -> bool:
    """Also kinds that are not known: they are skipped, which is no damage."""
    return is_patch(value) or is_head(value) or is_message(value) or (isinstance(value.get("type"), str) and len(value) < 40)


def said(record: dict[str, Any]) -> str:
    """The text of a message, whatever shape its content has."""
    return content_of(record.get("content"), CallIds()).text


def kind_of(head: dict[str, Any], path: Path) -> tuple[str, str]:
    """`sub-agent` and the id of the session it works for, which its folder is named after; else `chat`."""
    beside = path.parent.parent.name == "chats"
    if text(head.get("kind")) != "subagent" and not beside:
        return "chat", ""
    return "sub-agent", text(head.get("parentSessionId")) or (path.parent.name if beside else "")


@dataclass(slots=True)
class _Chat:
    """The state while records come in: messages by id in order of their first appearance, and the branch that is live."""

    head: dict[str, Any] = field(default_factory=dict)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    live: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    """Where a message of the live branch stands on it."""
    damage: list[Damage] = field(default_factory=list)

    def take(self, found: Found) -> None:
        value = found.value
        if not isinstance(value, dict):
            self.damage.append(Damage(found.line, found.reason))
        elif "$rewindTo" in value:
            self._rewind(value["$rewindTo"], found.line)
        elif "$set" in value:
            self._set(mapping(value["$set"]))
        elif "$patch" in value:
            self._patch(mapping(value["$patch"]))
        elif is_message(value):
            self.message(value)
        elif is_head(value):
            self._set(value)

    def _set(self, patch: dict[str, Any]) -> None:
        self.head |= {name: one for name, one in patch.items() if name != "messages"}
        held = mappings(patch.get("messages"))
        known = {(one.get("type"), said(one)) for one in self.records.values()} if held else set()
        for one in held:
            told = identifier(one.get("id")) in self.records
            if is_message(one) and (told or (one.get("type"), said(one)) not in known):
                self.message(one)

    def _patch(self, patch: dict[str, Any]) -> None:
        """Some fields of a message that is there, and of its calls by their ids."""
        name = identifier(patch.get("id"))
        before = self.records.get(name)
        if before is None:
            return
        told = {identifier(one.get("id")): one for one in mappings(patch.get("toolCalls"))}
        known = mappings(before.get("toolCalls"))
        calls = [{**one, **told.pop(identifier(one.get("id")), {})} for one in known]
        self.records[name] = {**before, **patch, **({"toolCalls": [*calls, *told.values()]} if calls or told else {})}

    def message(self, record: dict[str, Any]) -> None:
        if record.get("type") in OTHERS:
            return
        name = identifier(record.get("id")) or f"message-{len(self.records) + 1}"
        before = self.records.get(name)
        if before is not None and before.get("type") == record.get("type"):
            self.records[name] = _fuller(before, record)
            if name not in self.places:
                self._append(name)
            return
        while name in self.records:
            name += "~"
        self.records[name] = record
        self.parents[name] = self.live[-1] if self.live else None
        self._append(name)

    def _append(self, name: str) -> None:
        self.places[name] = len(self.live)
        self.live.append(name)

    def _rewind(self, target: Any, line: int) -> None:
        name = identifier(target)
        if name in self.places:
            at = self.places[name]
            for left in self.live[at:]:
                del self.places[left]
            del self.live[at:]
        elif name not in self.records:
            self.damage.append(Damage(line, say("the message that the chat was rewound to is missing")))


def _fuller(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The later record, with what only the earlier one tells."""
    kept = {name: one for name, one in before.items() if one and not after.get(name)}
    return {**after, **kept}


def is_lines(source: Source) -> bool:
    """Whether a file that is no whole document has records in lines of their own."""
    lines = pieces = 0
    for _, line in source.lines():
        if not line.strip():
            continue
        pieces += 1
        if not (line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{") and line.rstrip().endswith(b"}")):
            continue
        try:
            value = loads(line.decode("utf-8", errors="replace"))
        except ValueError:
            continue
        lines += isinstance(value, dict) and (is_message(value) or is_head(value) or is_patch(value))
        if pieces > 20_000 or lines:
            break
    return lines > 0 or pieces == 0


def read_lines(source: Source) -> ImportedSession:
    chat = _Chat()
    for found in source.records(is_record):
        chat.take(found)
    return _session(chat, source.path)


def read_document(document: dict[str, Any], path: Path) -> ImportedSession:
    chat = _Chat()
    held = document.get("messages")
    chat.take(Found(1, {**document, "messages": []} if is_head(document) or held is not None else document))
    if held is not None and not isinstance(held, list):
        chat.damage.append(Damage(1, say("the messages are not a list")))
    for one in listing(held):
        if isinstance(one, dict):
            chat.message(one) if is_message(one) else None
        else:
            chat.damage.append(Damage(1, say("a message is not an object")))
    chat.head = {**{name: one for name, one in document.items() if name != "messages"}, **chat.head}
    return _session(chat, path)


def read_broken(source: Source, damage: Damage) -> ImportedSession:
    """Every whole message out of a document that is cut or damaged."""
    chat = _Chat()
    for found in source.pieces(lambda value: is_message(value) or is_head(value)):
        if isinstance(found.value, dict) and isinstance(found.value.get("messages"), list):
            chat.head |= {name: one for name, one in found.value.items() if name != "messages"}
            for one in mappings(found.value["messages"]):
                chat.message(one) if is_message(one) else None
        elif found.value is not None:
            chat.take(found)
    chat.damage.insert(0, damage)
    head = source.start(SAMPLE_TEXT)
    told = {name: told_field(head, name) for name in ("sessionId", "startTime", "summary", "kind")}
    chat.head = {name: one for name, one in told.items() if one} | chat.head
    return _session(chat, source.path)


def _session(chat: _Chat, path: Path) -> ImportedSession:
    thread, ids = Thread(), CallIds()
    for name, record in chat.records.items():
        thread.add(_message(name, chat.parents[name], record, ids))
    head = chat.head
    kind, parent = kind_of(head, path)
    models = [one.model for one in thread.messages if one.model]
    return ImportedSession(
        source=SOURCE,
        id=identifier(head.get("sessionId")) or path.stem,
        title=told_title(head.get("summary")) or _first_title(chat, thread),
        workspace=next((text(one) for one in listing(head.get("directories")) if text(one)), ""),
        started=moment(head.get("startTime")) or next((one.time for one in thread.messages if one.time), None),
        messages=tuple(thread.messages),
        branches=thread.branches(),
        damage=tuple(chat.damage),
        model=models[-1] if models else "",
        leaf=chat.live[-1] if chat.live else None,
        parent=parent,
        kind=kind,
    )


def _first_title(chat: _Chat, thread: Thread) -> str:
    """The first prompt as the person saw it, where the tool put more into what it sent."""
    first = next((one for one in thread.messages if one.role == "user" and not one.hidden), None)
    shown = content_of(chat.records[first.id].get("displayContent"), CallIds()).text if first is not None else ""
    return prompt_title(shown) or first_title(thread.messages)


def _message(name: str, parent: str | None, record: dict[str, Any], ids: CallIds) -> ImportedMessage:
    content = content_of(record.get("content"), ids)
    thoughts = [joined((text(one.get("subject")), text(one.get("description")))) for one in mappings(record.get("thoughts"))]
    results = list(content.results)
    calls = list(content.calls)
    for one in mappings(record.get("toolCalls")):
        call = ImportedCall(ids.call(identifier(one.get("id")), text(one.get("name"))), text(one.get("name")), arguments(one.get("args")))
        calls.append(call)
        results += _results(one, call, ids)
    tokens = mapping(record.get("tokens"))
    return ImportedMessage(
        id=name,
        parent=parent,
        role="user" if record.get("type") == "user" else "assistant",
        text=content.text,
        thinking=joined((*content.thoughts, *thoughts)),
        tool_calls=tuple(calls),
        tool_results=tuple(results),
        time=moment(record.get("timestamp")),
        hidden=record.get("type") == "user" and is_wrapper(content.text),
        model=text(record.get("model")),
        tokens=whole(tokens.get("total")) or counts(tokens, "input", "output", "thoughts", "tool"),
        pictures=tuple(content.pictures),
    )


def _results(record: dict[str, Any], call: ImportedCall, ids: CallIds) -> list[ImportedResult]:
    """What a call gave, as the model saw it; else as it was shown. Nothing for a call that did not come to an end."""
    failed = text(record.get("status")) in _FAILED
    held = record.get("result", record.get("response"))
    responses = [one for one in mappings(held) if isinstance(one.get("functionResponse"), dict)]
    if responses:
        found = [response_of(mapping(one["functionResponse"]), ids) for one in responses]
        output = joined(one.output for one in found)
        pictures = tuple(shown for one in found for shown in one.pictures)
        return [ImportedResult(call.id, output, failed or any(one.is_error for one in found), call.name, pictures)]
    shown = held if held not in (None, [], "") else record.get("resultDisplay")
    if shown is None and not failed and text(record.get("status")) != "success":
        return []
    return [ImportedResult(call.id, as_text(shown), failed, call.name)]
