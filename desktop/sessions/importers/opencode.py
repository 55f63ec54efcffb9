"""opencode and its lineage: the database, the older tree of JSON files, exports, and event streams of `run --format json` and server.

Read only; see the package. Messages follow each other: what was undone ends the live branch, sub-agents are sessions of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import opencode_db, opencode_files, opencode_second
from desktop.sessions.importers.opencode_parts import message_of, own_title
from desktop.sessions.importers.reading import Found, Sample, Source
from desktop.sessions.importers.shapes import Damage, ImportedSession, Thread, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, head_of
from desktop.sessions.importers.values import identifier, mapping, mappings, text, told_field, told_title

SOURCE = "opencode"
DATABASES = ("opencode.db", "mimocode.db", "db.sqlite")
_SESSION_ID = re.compile("ses")
_PARTS = re.compile(r'"(?:parts?|content|state)"\s*:')
"""Where a message begins: a title behind it is that of a tool."""
_EVENTS = {"step_start", "step_finish", "tool_use", "text", "reasoning", "error"}


def _is_event(value: Any) -> bool:
    """A line of `run --format json`."""
    if not isinstance(value, dict) or "sessionID" not in value or text(value.get("type")) not in _EVENTS:
        return False
    return isinstance(value.get("part"), dict) or "error" in value


def _is_bus(value: Any) -> bool:
    """An event of the server: facts of a session or message, or a part."""
    properties = value.get("properties") if isinstance(value, dict) else None
    if not isinstance(properties, dict) or not text(value.get("type")).startswith(("message.", "session.")):
        return False
    return isinstance(properties.get("info"), dict) or isinstance(properties.get("part"), dict) or "sessionID" in properties


def _is_pair(value: Any) -> bool:
    """A message with its parts, as exports have it."""
    return isinstance(value, dict) and isinstance(value.get("info"), dict) and isinstance(value.get("parts"), list)


def _is_session(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and identifier(value.get("id")).startswith("ses")
        and isinstance(value.get("time"), dict)
        and bool({"projectID", "directory", "version"} & value.keys())
    )


def _is_piece(value: Any) -> bool:
    """A file of one message or part."""
    return isinstance(value, dict) and "sessionID" in value and ("role" in value or "messageID" in value) and "part" not in value


def is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and ("sessionID" in value or "properties" in value or "part" in value or len(value) < 4)


def score(sample: Sample) -> int:
    """How sure it is that a file or folder is opencode's."""
    if sample.path.is_dir():
        return 80 if _database_in(sample.path) or opencode_files.stores_at(sample.path) else 0
    if sample.magic.startswith(opencode_db.MAGIC):
        return opencode_db.score(sample.path)
    document = sample.document
    if any(map(opencode_second.is_message, opencode_second.messages_in(document)[:50])):
        return 85
    if isinstance(document, list):
        return 85 if any(map(_is_pair, document[:50])) else 0
    if isinstance(document, dict) and (isinstance(document.get("messages"), list) and _is_export(document)):
        return 92
    if _is_session(document) or _is_piece(document):
        return 85 if opencode_files.stores_at(sample.path) else 40 if _is_session(document) else 0
    if any(_is_event(one) or _is_bus(one) for one in sample.records):
        return 92
    if any(map(_is_pair, sample.records)):
        return 85
    if '"sessionID"' in sample.head and '"messageID"' in sample.head:
        return 60
    return 60 if sample.path.suffix == ".json" and sample.path.stem.startswith("ses_") and opencode_files.stores_at(sample.path) else 0


def _is_export(document: dict[str, Any]) -> bool:
    return any(map(_is_pair, document["messages"][:50])) or (not document["messages"] and _is_session(document.get("info")))


def _database_in(folder: Path) -> Path | None:
    return next((folder / name for name in DATABASES if (folder / name).is_file()), None)


def read(source: Source, session: str | None) -> ImportedSession:
    """A session of a database, a store, an export or a stream.

    Raises:
        OSError: the file cannot be read.
    """
    path = source.path
    if path.is_dir():
        return _read_folder(path, session)
    if _is_database(path):
        return opencode_db.read(path, session)
    document, damage = source.document()
    pairs = opencode_second.pairs_of(opencode_second.messages_in(document))
    if any(map(_is_pair, pairs)):
        return _export(mapping(mapping(document).get("info")), pairs, path, [])
    if opencode_files.stores_at(path) and not (damage and _has_lines(source)):
        return opencode_files.read(path, session)
    if damage is not None and not _has_lines(source):
        found = [one.value for one in source.pieces(_is_pair) if _is_pair(one.value)]
        if found:
            return _export({"id": told_field(head_of(source), "id")}, found, path, [damage])
    if _is_session(document):
        return _export(mapping(document), [], path, [])
    return _stream(source)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == opencode_db.MAGIC


def _read_folder(folder: Path, session: str | None) -> ImportedSession:
    entry = asked_for(entries(Source(folder)), session)
    if entry is not None and _is_database(entry.path):
        return opencode_db.read(entry.path, entry.session)
    return opencode_files.read(folder, session or (entry.session if entry else None))


def _has_lines(source: Source) -> bool:
    """Whether it is a stream: some line is an event, or damaged and no piece of an export."""
    for number, found in enumerate(source.records(is_record)):
        if isinstance(found.value, dict) and (_is_event(found.value) or _is_bus(found.value)):
            return True
        if number > 50_000:
            return False
    return False


def entries(source: Source) -> list[TranscriptEntry]:
    """The sessions of a database, of a store, or the one of a file.

    Raises:
        OSError: the file cannot be read.
    """
    path = source.path
    if path.is_dir():
        database = _database_in(path)
        found = opencode_db.entries(database) if database else []
        known = {one.session for one in found}
        return found + [one for one in opencode_files.entries(path) if one.session not in known]
    if _is_database(path):
        return opencode_db.entries(path)
    if opencode_files.stores_at(path):
        return opencode_files.entries(path)
    head = head_of(source)
    name = told_field(head, "sessionID") or next(filter(_SESSION_ID.match, (told_field(head, "id"),)), "")
    head = _PARTS.split(head, maxsplit=1)[0]
    title = told_title(own_title(told_field(head, "title")))
    return [TranscriptEntry(path, name or None, SOURCE, title, told_field(head, "directory"))]


# --- exports --------------------------------------------------------------------------------------------------------------


def _export(info: dict[str, Any], pairs: list[Any], path: Path, damage: list[Damage]) -> ImportedSession:
    thread = Thread()
    for number, one in enumerate(pairs, 1):
        if not _is_pair(one):
            damage.append(Damage(1, say("a message has no parts")))
            continue
        name = identifier(one["info"].get("id")) or f"message-{number}"
        thread.add(message_of(name, one["info"], mappings(one["parts"])), follow=True)
    session = identifier(info.get("id")) or next((identifier(one["info"].get("sessionID")) for one in pairs if _is_pair(one)), "")
    row = opencode_files.row_of(info)
    return opencode_db.session_of(SOURCE, session or path.stem, row, text(info.get("directory")), thread, damage)


# --- streams --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Stream:
    """The state while events come in: facts and parts by message; of what is told twice the last counts."""

    infos: dict[str, dict[str, Any]] = field(default_factory=dict)
    parts: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    session: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    last: str = ""
    agents: set[str] = field(default_factory=set)
    """Sessions of sub-agents."""

    def take(self, found: Found) -> None:
        value = found.value
        if not isinstance(value, dict):
            self.damage.append(Damage(found.line, found.reason))
            return
        properties = mapping(value.get("properties")) or value
        self.session = self.session or identifier(properties.get("sessionID"))
        info = mapping(properties.get("info"))
        if info and text(value.get("type")).startswith("session."):
            self._session(info)
        elif info:
            name = identifier(info.get("id"))
            self.infos[name] = {**self.infos.get(name, {}), **info}
        elif isinstance(properties.get("part"), dict):
            self._part(properties["part"], properties)
        elif isinstance(properties.get("delta"), str):
            self._grown(properties)

    def _session(self, info: dict[str, Any]) -> None:
        """Facts of the session, or of one that works for it: the server tells of both in one stream."""
        name = identifier(info.get("id"))
        if name and identifier(info.get("parentID")) and (self.facts or self.infos):
            self.agents.add(name)
            return
        self.facts |= info
        self.session = name or self.session

    def _part(self, part: dict[str, Any], event: dict[str, Any]) -> None:
        name = identifier(part.get("messageID")) or self.last or "message"
        self.last = name
        self.session = self.session or identifier(part.get("sessionID"))
        held = self.parts.setdefault(name, {})
        held[identifier(part.get("id")) or f"part-{len(held) + 1}"] = part
        self.infos.setdefault(name, {}).setdefault("time_created", event.get("timestamp"))

    def _grown(self, event: dict[str, Any]) -> None:
        """The next stretch of a text; the part is told as a whole at its end, if the stream goes on so long."""
        held = self.parts.get(identifier(event.get("messageID")), {}).get(identifier(event.get("partID")))
        name = text(event.get("field"))
        if held is not None and isinstance(before := held.get(name, ""), str):
            held[name] = before + event["delta"]


def _stream(source: Source) -> ImportedSession:
    stream = _Stream()
    for found in source.records(is_record):
        stream.take(found)
    thread = Thread()
    agents = stream.agents - {stream.session}
    for name, info in stream.infos.items():
        message = message_of(name, info, list(stream.parts.get(name, {}).values()))
        beside = identifier(info.get("sessionID")) in agents
        thread.add(replace(message, sidechain=True) if beside else message, follow=True)
    row = opencode_files.row_of(stream.facts)
    workspace = text(stream.facts.get("directory"))
    return opencode_db.session_of(SOURCE, stream.session or source.path.stem, row, workspace, thread, stream.damage)
