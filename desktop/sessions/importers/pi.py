"""Sessions of the pi coding agent and of openclaw: JSON lines in a tree of ids (the first versions: one after the other), compactions.

Read only; see the package. What a compaction or a summary of a left branch put in is no message: it only hands its parent on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from desktop.sessions.importers.collected import Collected, any_file, every_file, parent_in
from desktop.sessions.importers.reading import Found, Sample, Source, salvage
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult, ImportedSession, Role, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, files_below, head_of
from desktop.sessions.importers.values import (
    arguments,
    as_text,
    cost,
    counts,
    identifier,
    is_wrapper,
    joined,
    mapping,
    mappings,
    moment,
    picture,
    text,
    whole,
)

SOURCE = "pi"
PATTERNS = ("*.jsonl",)
_PARTS = {"text", "thinking", "toolCall", "image", "tool_use", "tool_result", "toolResult", "input_text", "image_url"}
_ROLES: dict[str, Role] = {"assistant": "assistant", "toolResult": "tool", "tool": "tool", "system": "system"}
_SUMMARIES = ("branchSummary", "compactionSummary", "hookMessage", "custom")
_KIND = re.compile(r'"type"\s*:\s*"(?:session|message)"')
_ID = re.compile(r"([0-9a-f]{8}-[0-9a-f-]{27}|[^/\\_]+)\.jsonl$")


def is_record(value: dict[str, Any]) -> bool:
    """A line of a session; parts of its messages have types of their own and are none."""
    return isinstance(value.get("type"), str) and value["type"] not in _PARTS


def _is_message(value: dict[str, Any]) -> bool:
    return value.get("type") == "message" and isinstance(mapping(value.get("message")).get("role"), str)


def _is_session(value: dict[str, Any]) -> bool:
    return value.get("type") == "session" and "id" in value and bool({"cwd", "version", "timestamp"} & value.keys())


def score(sample: Sample) -> int:
    """How sure it is that a file, or a folder's files, are pi's."""
    if sample.path.is_dir():
        mark = rb'"type"\s*:\s*"session"'
        return 60 if any_file(sample.path, mark, *PATTERNS) and every_file(sample.path, mark, *PATTERNS) else 0
    messages = sum(map(_is_message, sample.records))
    if any(one.get("type") == "session_start" for one in sample.records):
        return 0  # Factory's droid has messages of the same form
    if any(map(_is_session, sample.records)):
        return 92 if messages else 70
    return 85 if messages else 0


def read(source: Source, session: str | None) -> ImportedSession:
    """The session in a file, or in one of a folder's files.

    Raises:
        OSError: the file cannot be read.
    """
    if source.path.is_dir():
        entry = asked_for(entries(source), session)
        return read(Source(entry.path), None) if entry else ImportedSession(SOURCE, source.path.name)
    held = Collected()
    held.read(source, is_record, lambda found: _take(held, found))
    return held.session(SOURCE, source.path)


def entries(source: Source) -> list[TranscriptEntry]:
    """The sessions of a file or folder, out of the first characters of each file.

    Raises:
        OSError: the file cannot be read.
    """
    if not source.path.is_dir():
        return [_entry(source)]
    found: list[TranscriptEntry] = []
    for path in files_below(source.path, *PATTERNS):
        try:
            if _KIND.search(head_of(Source(path))):
                found.append(_entry(Source(path)))
        except OSError:
            continue
    return found


def _entry(source: Source) -> TranscriptEntry:
    held = Collected()
    for found in salvage(head_of(source), is_record):
        if isinstance(found.value, dict):
            _take(held, found)
    told = held.session(SOURCE, source.path)
    return TranscriptEntry(source.path, held.id or None, SOURCE, told.title, told.workspace, told.started, parent=told.parent)


def _take(held: Collected, found: Found) -> None:
    record = found.value
    kind = record["type"] if isinstance(record.get("type"), str) else ""
    if kind == "message" and isinstance(record.get("message"), dict):
        held.leaf = held.add(_message(record, record["message"]))
        return
    if kind == "custom_message" and record.get("display") is True:
        _, texts, pictures, _, _ = _parts(record.get("content"))
        name, time = identifier(record.get("id")), moment(record.get("timestamp"))
        held.leaf = held.add(ImportedMessage(name, parent_in(record), "system", joined(texts), time=time, pictures=tuple(pictures)))
        return
    if kind == "session":
        _header(held, record)
        return
    held.bridge(record)
    if kind == "model_change":
        held.model = text(record.get("modelId")) or held.model
    elif kind in ("session_info", "title", "title_change"):
        held.titles[0] = text(record.get("name")) or text(record.get("title"))
    elif kind == "leaf":
        held.leaf = identifier(record.get("targetId")) or None
    elif kind in ("compaction", "branch_summary"):
        held.leaf = identifier(record.get("id")) or held.leaf


def _header(held: Collected, record: dict[str, Any]) -> None:
    name = identifier(record.get("id"))
    if name:
        held.bridges[name] = None
        held.id = held.id or name
    held.workspace = held.workspace or text(record.get("cwd"))
    held.started = held.started or moment(record.get("timestamp"))
    held.model = held.model or text(record.get("modelId"))
    held.titles.setdefault(1, text(record.get("title")))
    before = text(record.get("parentSession")) or text(record.get("branchedFrom"))
    stem = _ID.search(before)
    held.parent = held.parent or (stem[1] if stem else before)


def _message(record: dict[str, Any], inner: dict[str, Any]) -> ImportedMessage:
    said = text(inner.get("role"))
    role = _ROLES.get(said, "user")
    usage = mapping(inner.get("usage"))
    facts: dict[str, Any] = {
        "id": identifier(record.get("id")),
        "parent": parent_in(record),
        "time": moment(record.get("timestamp")) or moment(inner.get("timestamp")),
        "model": text(inner.get("model")) if role == "assistant" else "",
        "tokens": whole(usage.get("totalTokens")) or counts(usage, "input", "output", "cacheRead", "cacheWrite"),
        "cost_usd": cost(mapping(usage.get("cost")).get("total")),
    }
    if role == "tool":
        return ImportedMessage(role="tool", text="", tool_results=(_result(inner),), **facts)
    if said == "bashExecution":
        shown = joined((f"$ {text(inner.get('command'))}", text(inner.get("output"))))
        return ImportedMessage(role="user", text=shown, hidden=True, **facts)
    thinking, texts, pictures, calls, results = _parts(inner.get("content"))
    if said in _SUMMARIES:
        texts = [text(inner.get("summary")) or joined(texts)]
    spoken = joined(texts)
    hidden = said in _SUMMARIES or role == "system" or (role == "user" and is_wrapper(spoken))
    return ImportedMessage(
        role=role,
        text=spoken,
        thinking=joined(thinking),
        tool_calls=tuple(calls),
        tool_results=tuple(results),
        hidden=hidden,
        pictures=tuple(pictures),
        **facts,
    )


def _parts(content: Any) -> tuple[list[str], list[str], list[tuple[str, str]], list[ImportedCall], list[ImportedResult]]:
    thinking: list[str] = []
    texts: list[str] = [text(content)] if isinstance(content, str) else []
    pictures: list[tuple[str, str]] = []
    calls: list[ImportedCall] = []
    results: list[ImportedResult] = []
    for part in _each(content):
        kind = text(part.get("type"))
        if kind == "thinking":
            thinking.append(text(part.get("thinking")) or text(part.get("text")))
        elif kind in ("toolCall", "tool_use", "toolUse"):
            given = part.get("arguments", part.get("input"))
            calls.append(ImportedCall(identifier(part.get("id")), text(part.get("name")), arguments(given)))
        elif kind in ("toolResult", "tool_result"):
            results.append(_result(part))
        elif shown := _picture(part):
            pictures.append(shown)
        else:
            texts.append(text(part.get("text")))
    return thinking, texts, pictures, calls, results


def _each(content: Any) -> Iterator[dict[str, Any]]:
    """Parts; plain texts between them as parts of text."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict):
            yield part
        elif isinstance(part, str) and isinstance(content, list):
            yield {"type": "text", "text": part}


def _picture(part: dict[str, Any]) -> tuple[str, str] | None:
    source = mapping(part.get("source"))
    return picture(part.get("mimeType"), part.get("data")) or picture(source.get("media_type"), source.get("data"))


def _result(record: dict[str, Any]) -> ImportedResult:
    content = record.get("content")
    name = next((text(record[key]) for key in ("toolName", "name", "tool_name") if text(record.get(key))), "")
    call = next((identifier(record[key]) for key in ("toolCallId", "tool_use_id", "tool_call_id", "callId") if record.get(key)), "")
    failed = record.get("isError") is True or record.get("is_error") is True
    if isinstance(content, list):
        output = "\n".join(text(one.get("text")) for one in mappings(content) if text(one.get("text")))
        pictures = tuple(shown for one in mappings(content) if (shown := _picture(one)))
        return ImportedResult(call, output or ("" if pictures else as_text(content or "")), failed, name, pictures)
    return ImportedResult(call, as_text(content), failed, name)
