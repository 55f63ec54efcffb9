"""Qwen Code: JSON lines in a tree of uuids with Google's `Content` in each, and the older chats that it has in common with Gemini CLI.

Read only; see the package. `system` records (compressions, commands, telemetry, titles) are no messages: they hand their parent on.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.sessions.importers import gemini, gemini_chat
from desktop.sessions.importers.collected import Collected, any_file, every_file, parent_in
from desktop.sessions.importers.google_parts import CallIds, content_of
from desktop.sessions.importers.reading import Found, Sample, Source, salvage
from desktop.sessions.importers.shapes import ImportedMessage, ImportedResult, ImportedSession, Role, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, files_below, head_of
from desktop.sessions.importers.values import as_text, counts, identifier, is_wrapper, mapping, mappings, moment, text, whole

SOURCE = "qwen"
PATTERNS = ("*.jsonl",)
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "model": "assistant", "tool_result": "tool"}


def is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and ("uuid" in value or "sessionId" in value or len(value) < 40)


def _is_own(value: Any) -> bool:
    """A record that no other tool writes: Claude Code's have `content` where these have `parts`."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or ("uuid" not in value and value["type"] not in _ROLES):
        return False
    if "uuid" not in value and "sessionId" not in value:
        return False
    return isinstance(mapping(value.get("message")).get("parts"), list) or "systemPayload" in value or "toolCallResult" in value


_OF_A_PERSON = ("", "mid_turn_user_message")
"""Kinds of a user's record that hold a person's words: the plain one, and what was typed while the model worked."""


def score(sample: Sample) -> int:
    """How sure it is that a file, or a folder's files, are Qwen Code's."""
    if sample.path.is_dir():
        new = any_file(sample.path, b'"parentUuid"', "*chats/*.jsonl") and any_file(sample.path, b'"parts"', "*chats/*.jsonl")
        return 75 if (new and every_file(sample.path, b'"parentUuid"', "*.jsonl")) or _has_older(sample.path) else 0
    if any(map(_is_own, sample.records)):
        return 93
    if _is_older(sample):
        return 94
    return 85 if '"parentUuid"' in sample.head and '"parts"' in sample.head and '"systemPayload"' in sample.head else 0


def _has_older(folder: Path) -> bool:
    return ".qwen" in folder.parts and gemini.score(Sample(folder)) > 0


def _is_older(sample: Sample) -> bool:
    """A chat in Gemini's form that Qwen Code wrote: by the kind of its answers, or by the folder where its form is Gemini's."""
    if gemini.score(sample) < 60:
        return False
    document = mapping(sample.document)
    records = (*sample.records, *mappings(document.get("messages")))
    if any(one.get("type") == "qwen" and gemini_chat.is_message(one) for one in records):
        return True
    return ".qwen" in sample.path.parts


def read(source: Source, session: str | None) -> ImportedSession:
    """The session in a file, or in one of a folder's files.

    Raises:
        OSError: the file cannot be read.
    """
    if source.path.is_dir():
        entry = asked_for(entries(source), session)
        return read(Source(entry.path), entry.session) if entry else ImportedSession(SOURCE, source.path.name)
    if '"parentUuid"' not in head_of(source) and not any(_is_own(found.value) for found in source.records(is_record)):
        return replace(gemini.read(source, session), source=SOURCE)
    held, ids = Collected(), CallIds()
    held.read(source, is_record, lambda found: _take(held, found, ids))
    _place(held, source)
    return held.session(SOURCE, source.path)


def _place(held: Collected, source: Source) -> None:
    """Sub-agents lie in `subagents/<session>/`."""
    folder = source.path.parent
    if folder.parent.name == "subagents":
        held.kind, held.parent = "sub-agent", folder.name
        held.id = source.path.stem


def entries(source: Source) -> list[TranscriptEntry]:
    """The sessions of a file or folder, out of the first characters of each file.

    Raises:
        OSError: the file cannot be read.
    """
    if not source.path.is_dir():
        return [_entry(source)]
    found = [replace(one, source=SOURCE) for one in gemini.entries(source)] if _has_older(source.path) else []
    for path in files_below(source.path, *PATTERNS):
        try:
            if '"parentUuid"' in head_of(Source(path)):
                found.append(_entry(Source(path)))
        except OSError:
            continue
    return found


def _entry(source: Source) -> TranscriptEntry:
    head = head_of(source)
    if '"parentUuid"' not in head and not any(_is_own(found.value) for found in salvage(head, is_record)):
        return replace(gemini.entries(source)[0], source=SOURCE)
    held, ids = Collected(), CallIds()
    for found in salvage(head, is_record):
        if isinstance(found.value, dict):
            _take(held, found, ids)
    _place(held, source)
    told = held.session(SOURCE, source.path)
    return TranscriptEntry(
        source.path, held.id or None, SOURCE, told.title, told.workspace, told.started, kind=told.kind, parent=told.parent
    )


def _take(held: Collected, found: Found, ids: CallIds) -> None:
    record = found.value
    held.id = held.id or identifier(record.get("sessionId"))
    held.workspace = held.workspace or text(record.get("cwd"))
    held.branch = held.branch or text(record.get("gitBranch"))
    held.started = held.started or moment(record.get("timestamp"))
    kind = record["type"] if isinstance(record.get("type"), str) else ""
    if kind in _ROLES and (isinstance(record.get("message"), (dict, list, str)) or kind == "tool_result"):
        name = held.add(_message(record, _ROLES[kind], ids), identifier(record.get("agentId")) if record.get("isSidechain") is True else "")
        if record.get("isSidechain") is not True:
            held.leaf = name
        return
    held.bridge(record, "uuid", "parentUuid")
    if kind == "system":
        _system(held, record)


def _system(held: Collected, record: dict[str, Any]) -> None:
    payload = mapping(record.get("systemPayload"))
    for rank, key in enumerate(("customTitle", "title", "sessionTitle")):
        if text(payload.get(key)).strip() and "title" in text(record.get("subtype")):
            by_tool = text(payload.get("titleSource")) in ("auto", "generated")
            held.titles[rank + 10 * by_tool] = text(payload[key])


def _is_unnamed(record: dict[str, Any]) -> bool:
    """Whether what a call gave does not tell which call it was."""
    parts = mappings(mapping(record.get("message")).get("parts"))
    return not any(identifier(mapping(one.get("functionResponse")).get("id")) for one in parts)


def _message(record: dict[str, Any], role: Role, ids: CallIds) -> ImportedMessage:
    content = content_of(record.get("message"), ids)
    results = content.results
    outcome = mapping(record.get("toolCallResult"))
    failed = text(outcome.get("status")) in ("error", "cancelled")
    if role == "tool" and not results and outcome:
        results = [ImportedResult(identifier(outcome.get("callId")), as_text(outcome.get("resultDisplay")), failed)]
    elif len(results) == 1:
        told = identifier(outcome.get("callId")) if _is_unnamed(record) else ""
        output = results[0].output or as_text(outcome.get("resultDisplay"))
        results = [replace(results[0], id=told or results[0].id, output=output)]
    if failed:
        results = [replace(one, is_error=True) for one in results]
    usage = mapping(record.get("usageMetadata"))
    return ImportedMessage(
        id=identifier(record.get("uuid")),
        parent=parent_in(record, "parentUuid"),
        role=role,
        text=content.text,
        thinking=content.thinking,
        tool_calls=tuple(content.calls),
        tool_results=tuple(results),
        time=moment(record.get("timestamp")),
        sidechain=record.get("isSidechain") is True,
        hidden=role == "user" and (is_wrapper(content.text) or text(record.get("subtype")) not in _OF_A_PERSON),
        model=text(record.get("model")) if role == "assistant" else "",
        tokens=whole(usage.get("totalTokenCount")) or counts(usage, "promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"),
        pictures=tuple(content.pictures),
    )
