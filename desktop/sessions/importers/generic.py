"""Conversations of any program: JSON, JSON lines or Markdown in which somebody says something. The last one asked, the least sure.

Claims only what has a role and words; data, logs and documents stay unknown. Read only, blocking, reading threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.chat_content import first_text
from desktop.sessions.importers.chat_message import is_message, role_of, unwrapped
from desktop.sessions.importers.generic_dialects import dialect_folder, dialect_records, is_dialect
from desktop.sessions.importers.generic_documents import (
    Conversation,
    conversations,
    is_conversation,
    parents_first,
)
from desktop.sessions.importers.generic_events import Events, is_event, may_be_part
from desktop.sessions.importers.generic_markdown import looks_like_chat, read_markdown
from desktop.sessions.importers.generic_streams import belongs, folder_in
from desktop.sessions.importers.reading import SAMPLE_RECORDS, Found, Sample, Source, loads, salvage, take_sample
from desktop.sessions.importers.shapes import Damage, ImportedSession, TranscriptEntry, replaced

SOURCE = "generic"
JSON_SCORE, TEXT_SCORE = 30, 15
_SAME = ("context", "wire", "messages", "events", "session", "chat", "conversation", "transcript", "history")

Record = dict[str, Any]


def score(sample: Sample) -> int:
    """How sure it is that a file is a conversation: never as sure as a format that knows its own."""
    if sample.path.is_dir():
        return 0
    if sample.magic.startswith(b"SQLite"):
        return 0
    if sample.document is not None:
        return JSON_SCORE if conversations(sample.document) or _is_said(sample.document) else 0
    if _are_spoken(sample):
        return JSON_SCORE
    return TEXT_SCORE if looks_like_chat(sample.head) else 0


def _are_spoken(sample: Sample) -> bool:
    """Whether the records of a file, if it has any, are of a conversation: one in ten at least, and some of a person or a model."""
    told = [one for one in sample.records if _is_said(one) or is_conversation(one)]
    told_who = any(role_of(unwrapped(one)) in ("user", "assistant") for one in told)
    spoken = told_who or any(is_event(one) or is_dialect(one) or is_conversation(one) for one in told)
    return spoken and len(told) * 10 >= len(sample.records) and _is_json(sample) and not _is_text(sample.head)


def _is_text(head: str) -> bool:
    """Whether a file is a chat in Markdown, so that records in it are examples."""
    return not head.lstrip("\ufeff\0 \t\r\n").startswith(("{", "[")) and looks_like_chat(head)


def _is_json(sample: Sample) -> bool:
    """Whether a file is JSON, however broken, and no text with examples in it: records have lines of their own, or make up much of it."""
    lines = (line.strip("\ufeff\0 \t\r") for line in sample.head.split("\n"))
    if (
        len(sample.records) >= SAMPLE_RECORDS
        or _is_wreck(sample.head)
        or any(line.startswith("{") and line.endswith("}") for line in lines)
    ):
        return True
    return sum(len(values.as_text(one)) for one in sample.records) * 4 >= len(sample.head)


def _is_wreck(head: str) -> bool:
    """Whether a good part of a start is no text of anybody: then it says nothing about what stands behind it."""
    return sum(head.count(sign) for sign in "\0\ufffd[{") * 5 > len(head) > 0


def _is_said(record: Any) -> bool:
    return is_message(record) or is_event(record) or is_dialect(record)


def _is_whole(record: Record) -> bool:
    """Whether an object out of a broken text is a record by itself, no part of one."""
    return (_is_said(record) and not may_be_part(record)) or is_conversation(record)


def read(source: Source, session: str | None) -> ImportedSession:
    """The conversation of a file; of many, the one that is asked for, else the newest (the last one where no times are told).

    Raises:
        OSError: the file cannot be read.
    """
    sample = take_sample(source)
    if sample.document is None and not _are_spoken(sample):
        return _with_source(read_markdown(source), source)
    if sample.document is not None:
        return _from_document(sample.document, source, session)
    if _holds_many(sample):
        return _from_lines_of_many(source, session)
    if sample.records and "composerId" in sample.records[0] and any("bubbleId" in one for one in sample.records):
        return _from_bubbles(source)
    return _from_records(source, session)


def _with_source(assembly: Assembly, source: Source) -> ImportedSession:
    return assembly.session(SOURCE, _name(source.path))


def _name(path: Path) -> str:
    """The id of a file's session that tells none: the name of the file, or of its folder where all files are called the same."""
    return path.parent.name if path.stem in _SAME and path.parent.name else path.stem


# --- one document -------------------------------------------------------------------------------------------------------


def _from_document(document: Any, source: Source, session: str | None) -> ImportedSession:
    found = conversations(document)
    if not found:
        return _assembled(Conversation([document] if isinstance(document, dict) else [])).session(SOURCE, _name(source.path))
    if len(found) == 1 and session is None:
        return _assembled(found[0]).session(SOURCE, _name(source.path))
    return _chosen(_numbered(found, source), session)


def _numbered(found: list[Conversation], source: Source) -> Iterator[ImportedSession]:
    for number, one in enumerate(found, 1):
        yield _assembled(one).session(SOURCE, _stem(source, number))


def _stem(source: Source, number: int) -> str:
    """The id of a session that has none: the file's name and its place."""
    return f"{_name(source.path)}-{number}"


def _chosen(found: Iterator[ImportedSession], session: str | None) -> ImportedSession:
    """The session that is asked for by its id, else the newest."""
    best: ImportedSession | None = None
    for one in found:
        if session is not None and one.id == session:
            return one
        if session is None and (best is None or _when(one) >= _when(best)):
            best = one
    if best is not None:
        return best
    return ImportedSession(SOURCE, session or "", damage=(Damage(0, say("the file holds no session of this id")),))


def _when(one: ImportedSession) -> float:
    moment = next((message.time for message in reversed(one.messages) if message.time is not None), one.started)
    return moment.timestamp() if moment is not None else 0.0


def _assembled(conversation: Conversation) -> Assembly:
    assembly, events = Assembly(leaf=conversation.leaf), Events()
    for about in conversation.about:
        assembly.told.take({**about, **values.mapping(about.get("metadata"))})
    for record in parents_first(conversation.records):
        _take(assembly, events, record)
    for record in events.flush():
        assembly.take(record)
    return assembly


def _take(assembly: Assembly, events: Events, record: Record) -> None:
    """A record of any kind: a message, an event, a step, or what is none but may tell of the session."""
    if is_dialect(record):
        for one in (*events.flush(), *dialect_records(record)):
            assembly.take(one)
        assembly.told.workspace = assembly.told.workspace or dialect_folder(record)
    elif is_message(record) and not belongs(record):
        for one in (*events.flush(), record):
            assembly.take(one)
    elif is_event(record) or belongs(record):
        for one in events.take(record):
            assembly.take(one)
    else:
        assembly.bridge(record)
        if not assembly.messages:
            assembly.told.take(record, line=True)
        events.heed(record)
        assembly.told.workspace = assembly.told.workspace or folder_in(record)
        assembly.told.model = assembly.told.model or first_text(record, "model", "modelAlias")


# --- lines --------------------------------------------------------------------------------------------------------------


def _holds_many(sample: Sample) -> bool:
    """Whether the lines are conversations rather than messages."""
    many = sum(is_conversation(one) and not _is_said(one) for one in sample.records)
    return sum(map(_is_said, sample.records)) * 2 < many  # a torn conversation leaves some of its messages


def _records(source: Source, *, whole: bool = False) -> Iterator[Found]:
    """Every object of a file of lines, or of a document in pieces; damage in between.

    Args:
        whole: conversations out of broken lines stay whole.
    """
    for number, line in source.lines():
        raw = line.decode("utf-8", errors="replace").strip("\ufeff \t")
        text = raw.strip("\0 \t")
        if text != raw:
            yield Found(number, None, say("a run of NUL bytes"))
        if not text:
            continue
        try:
            value = loads(text)
        except ValueError:
            found = salvage(text, _is_whole, first_line=number)
            yield from found if whole else _apart(found)
            continue
        yield Found(number, value) if isinstance(value, dict) else Found(number, None, say("the line is not a record"))


def _is_broken_document(source: Source) -> bool:
    """Whether the file is one document that is cut: hardly a line of it is an object."""
    lines = [line.strip() for _, line in islice(source.lines(), 400) if line.strip(b"\0 \t\r\n")]
    return sum(line.startswith(b"{") and line.rstrip(b",").endswith(b"}") for line in lines) * 2 < len(lines)


def _apart(found: Iterator[Found]) -> Iterator[Found]:
    """What was found in a wreck; a conversation into which the rest of a torn message went is told message by message."""
    for one in found:
        held = conversations(one.value) if isinstance(one.value, dict) else []
        if not held:
            yield one
        for conversation in held:
            yield from (Found(one.line, about) for about in conversation.about)
            yield from (Found(one.line, record) for record in conversation.records)


def _from_records(source: Source, session: str | None) -> ImportedSession:
    assembly, events = Assembly(), Events()
    found = _apart(source.pieces(_is_whole)) if _is_broken_document(source) else _records(source)
    for one in found:
        if one.value is None:
            assembly.lost(one.line, one.reason)
        else:
            _take(assembly, events, one.value)
    for record in events.flush():
        assembly.take(record)
    _mark_agents(assembly)
    done = assembly.session(SOURCE, _name(source.path))
    if session is not None and session not in (done.id, source.path.stem, source.path.parent.name):
        return ImportedSession(SOURCE, session, damage=(Damage(0, say("the file holds no session of this id")),))
    return done


def _from_bubbles(source: Source) -> ImportedSession:
    """Cursor's messages in lines, which its database gives in any order: the line that is told before them has the right one."""
    lost: list[Damage] = []
    lines: list[Record] = []
    for one in _records(source):
        if one.value is None:
            lost.append(Damage(one.line, one.reason))
        else:
            lines.append(one.value)
    heads = values.mappings(lines[0].get("fullConversationHeadersOnly"))
    order = {values.identifier(head.get("bubbleId")): place for place, head in enumerate(heads)}
    lines[1:] = sorted(lines[1:], key=lambda one: order.get(values.identifier(one.get("bubbleId")), len(order)))
    model = values.text(values.mapping(lines[0].get("modelConfig")).get("modelName"))
    found = _assembled(Conversation(lines[1:], about=[{**lines[0], "model": model}])).session(SOURCE, _name(source.path))
    return replaced(found, damage=tuple(lost))


def _mark_agents(assembly: Assembly) -> None:
    """Where some messages name an agent and others none, those of agents stand beside the conversation."""
    marked = assembly.agents
    if marked and len(marked) < len(assembly.messages):
        for place, message in enumerate(assembly.messages):
            if message.id in marked:
                assembly.messages[place] = replaced(message, sidechain=True)


def _from_lines_of_many(source: Source, session: str | None) -> ImportedSession:
    lost: list[Damage] = []

    def each() -> Iterator[ImportedSession]:
        number = 0
        for one in _records(source, whole=True):
            if one.value is None:
                lost.append(Damage(one.line, one.reason))
            for conversation in conversations(one.value):
                number += 1
                yield _assembled(conversation).session(SOURCE, _stem(source, number))

    found = _chosen(each(), session)
    return replaced(found, damage=(*found.damage, *lost)) if lost else found


def entries(source: Source) -> list[TranscriptEntry]:
    """The conversations of a file; one entry without a name for a file that is one.

    Raises:
        OSError: the file cannot be read.
    """
    sample = take_sample(source)
    if sample.document is not None:
        found = conversations(sample.document)
        if len(found) > 1:
            return [_entry(source, one, _stem(source, number)) for number, one in enumerate(found, 1)]
    elif _are_spoken(sample) and _holds_many(sample):
        many = [one for record in _records(source, whole=True) for one in conversations(record.value)]
        return [_entry(source, one, _stem(source, number)) for number, one in enumerate(many, 1)]
    return [TranscriptEntry(source.path, None, SOURCE)]


def _entry(source: Source, conversation: Conversation, fallback: str) -> TranscriptEntry:
    one = _assembled(conversation).session(SOURCE, fallback)
    updated = next((message.time for message in reversed(one.messages) if message.time is not None), None)
    return TranscriptEntry(source.path, one.id, SOURCE, one.title, one.workspace, one.started, updated, len(one.messages))
