"""The lines of a transcript: one JSON object each, ASCII only, with schema, sequence number, kind, payload, time and a checksum at the end.

Kinds: `session` (the header), `message`, `meta` (a named value). A message line ends with what the session list needs (`count`, `tokens`,
`state`, `title`, `time`), so that the list reads the end of a file and nothing else. Pure; reading never raises.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from desktop.base.clock import iso, parse_iso
from desktop.base.errors import StorageError
from desktop.base.json_value import dumps, is_deeper
from desktop.base.phrases import say
from desktop.sessions.schema_steps import upgraded

SCHEMA = 1
"""Version of the record form. A line of a lower one is read as the present one, and its file is brought to it, with a copy kept, before
it is written to. A line of a higher one is skipped and said, and its file is never written by this version."""

CHECKED_FROM = 1
"""The first version whose lines have a checksum."""

LEVELS = 400
"""Values in values that a line may hold: so many are no trouble for anybody who reads, shows or exports it. Nothing is written that
holds more, and of what others wrote nothing is taken."""

KINDS = ("session", "message", "meta")
_END = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_START = re.compile(rb'\{"schema":\d+,"seq":\d+,"kind":"')
_TRIES = 32
"""Starts tried before one end in a broken line; more are only in lines made to waste time."""


@dataclass(frozen=True, slots=True)
class SessionHeader:
    """What was fixed when the session began.

    Attributes:
        id: `sess_` + ULID.
        schema: version of the record form that wrote it.
        project_key: the resolved project, as `memory.identity` gave it.
        workspace: real path of the opened folder.
        created: aware UTC.
        memory_enabled: the session's own memory switch (UI-02), fixed at creation.
        model: id of the model it began with.
        app_version: version of Keepsake that wrote it.
        branch: the workspace's git branch then; empty: none.
        kind: `chat`, or `sub-agent`: held by an agent on behalf of the session `parent`.
        parent: id of the session that it was forked from, continues, or works for.
        parent_message: the message of `parent` after which it goes its own way.
    """

    id: str
    schema: int
    project_key: str
    workspace: str
    created: datetime
    memory_enabled: bool
    model: str
    app_version: str
    branch: str = ""
    kind: str = "chat"
    parent: str = ""
    parent_message: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One line that could be read.

    Attributes:
        seq: its number in the file, from 0.
        kind: one of KINDS, or another word of an unknown version.
        payload: the value under the kind's name.
        time: as written, or None.
        schema: version of the form that it was written in.
        note: what is not as it should be although it could be read; empty for a sound record.
    """

    seq: int
    kind: str
    payload: Any
    time: datetime | None
    schema: int = SCHEMA
    note: str = ""


def header_to_json(header: SessionHeader) -> dict[str, Any]:
    """The payload of a header; what is as usual is left out."""
    usual = {"branch": "", "kind": "chat", "parent": "", "parent_message": ""}
    more = {name: getattr(header, name) for name, value in usual.items() if getattr(header, name) != value}
    return {
        "id": header.id,
        "project_key": header.project_key,
        "workspace": header.workspace,
        "created": iso(header.created),
        "memory_enabled": header.memory_enabled,
        "model": header.model,
        "app_version": header.app_version,
        **more,
    }


def header_from_json(value: object, schema: int) -> SessionHeader | None:
    """The header behind a payload, or None if it names no session. A missing memory switch counts as off: that sends nothing."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        return None

    def text(key: str) -> str:
        found = value.get(key)
        return found if isinstance(found, str) else ""

    created = parse_iso(text("created"))
    if created is None:
        return None
    enabled = value.get("memory_enabled") is True
    return SessionHeader(
        value["id"],
        schema,
        text("project_key"),
        text("workspace"),
        created,
        enabled,
        text("model"),
        text("app_version"),
        text("branch"),
        text("kind") or "chat",
        text("parent"),
        text("parent_message"),
    )


def encode(seq: int, kind: str, payload: Any, moment: datetime, **summary: Any) -> bytes:
    """The bytes of one line, newline included. `summary` stands between payload and time.

    Raises:
        StorageError: the payload is no JSON value (nested too deeply); nothing is lost that was stored before.
    """
    try:
        line = {"schema": SCHEMA, "seq": seq, "kind": kind, kind: payload, **summary, "time": iso(moment)}
        body = dumps(line, ascii_only=True, compact=True)
        if body.count("{") + body.count("[") > LEVELS and is_deeper(line, LEVELS):
            raise ValueError("it is nested too deeply")
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(say("A message cannot be stored: it is not a plain JSON value."), detail=str(error)) from error
    data = body[:-1].encode("ascii")
    return b'%s,"crc":"%08x"}\n' % (data, zlib.crc32(data))


def _checked(line: bytes) -> bool:
    """Whether the line ends with the checksum of what stands before it."""
    end = _END.fullmatch(line, len(line) - 18) if len(line) > 18 else None
    return end is not None and int(end.group(1), 16) == zlib.crc32(memoryview(line)[: len(line) - 18])


def is_sound(line: bytes) -> bool:
    """Whether a line, with or without its newline, is a record with a right checksum; costs no more than the checksum."""
    return _checked(line.rstrip(b"\r\n"))


def _tolerant_int(text: str) -> int | float:
    return int(text) if len(text) <= 4_000 else math.inf


_DECODER = json.JSONDecoder(parse_constant=lambda _: None)


def _load(text: bytes) -> Any:
    """The JSON value of a line, or None. NaN becomes None and numbers too long for Python infinite: neither spoils the rest."""
    value = _parsed(text)
    return None if text.count(b"{") + text.count(b"[") > LEVELS and is_deeper(value, LEVELS) else value


def _parsed(text: bytes) -> Any:
    try:
        decoded = text.decode("utf-8", errors="replace")
        return _DECODER.decode(decoded)
    except RecursionError:
        return None
    except ValueError:
        try:
            return json.loads(decoded, parse_constant=lambda _: None, parse_int=_tolerant_int)
        except (ValueError, RecursionError):
            return None


def _record(value: Any, note: str) -> Record | None:
    if not isinstance(value, dict):
        return None
    schema = value.get("schema")
    if isinstance(schema, int) and not isinstance(schema, bool) and 0 <= schema < SCHEMA:
        present = upgraded(value, schema, SCHEMA)
        value, note = (value, note) if present is None else (present, note if schema >= CHECKED_FROM else "")
    seq, kind = value.get("seq"), value.get("kind")
    if not isinstance(schema, int) or not isinstance(seq, int) or not isinstance(kind, str):
        return None
    if isinstance(schema, bool) or isinstance(seq, bool) or seq < 0:
        return None
    moment = value.get("time")
    return Record(seq, kind, value.get(kind), parse_iso(moment) if isinstance(moment, str) else None, schema, note)


def decode_line(line: bytes) -> Iterator[Record | str]:
    """Everything that one line holds: records, and for each stretch that is none a reason in words.

    A sound line gives one record. A torn record with a whole one glued behind it gives a reason and the whole one; NUL bytes and binary
    around records are passed over and said. A line that is a record but for its checksum is given with a note.
    """
    line = line.rstrip(b"\r\n")
    if not line.strip():
        return
    record = _record(_load(line), "") if _checked(line) else None
    if record is not None:
        yield record
        return
    found = list(_salvage(line))
    if not any(isinstance(item, Record) for item in found):
        loose = _record(_load(line.strip(b"\0 \t")), say("its checksum is wrong or missing; it is shown as it stands"))
        found = [loose] if loose is not None else found
    yield from found


def _salvage(line: bytes) -> Iterator[Record | str]:
    """Records with a right checksum anywhere in a broken line, from left to right. Work is bounded by a multiple of its length."""
    starts = [match.start() for match in _START.finditer(line)]
    position, budget = 0, 64 * len(line) + (1 << 20)
    for end in _END.finditer(line):
        low, high = bisect_left(starts, position), bisect_left(starts, end.start())
        for start in reversed(starts[max(low, high - _TRIES) : high]):
            budget -= end.end() - start
            if budget < 0:
                yield say("the line is too broken to search")
                return
            piece = line[start : end.end()]
            record = _record(_load(piece), "") if _checked(piece) else None
            if record is not None:
                if start > position:
                    yield _describe(line[position:start])
                yield record
                position = end.end()
                break
    if line[position:]:
        yield _describe(line[position:])


def _describe(rest: bytes) -> str:
    if not rest.strip(b"\0"):
        return say("a run of NUL bytes")
    if rest.lstrip(b"\0 \t").startswith(b"{"):
        return say("the record is cut or not JSON")
    return say("the line is not a record")
