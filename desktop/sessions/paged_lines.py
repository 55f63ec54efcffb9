"""One line of a transcript read for a page: whole, or of an overlong one the beginning, its length and whether its checksum is right.

And the messages that stand on it: of a line that is not whole, one with the beginnings of its parts. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import BinaryIO, get_args

from desktop.base.clock import parse_iso
from desktop.messages.codec import message_from_json
from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.message_table import MessageTable
from desktop.sessions.paging import CUT
from desktop.sessions.record import SCHEMA, Record, decode_line, is_sound
from desktop.sessions.transcript import MAX_LINE

WHOLE = 16 << 20
"""Bytes of a line that is read whole."""
KEPT = 1 << 20
"""Bytes of the beginning of a longer one that are kept."""
_CHUNK = 1 << 20
_END = 18
"""Bytes of a record's checksum and what closes it."""

HEAD = re.compile(
    rb'\{"schema":%d,"seq":(\d{1,18}),"kind":"message","message":\{"id":"([^"\\]{1,80})","role":"(%s)","origin":"(%s)",'
    rb'"time":"([^"\\]{1,40})","parent":(?:null|"([^"\\]{1,80})"),'
    % (SCHEMA, "|".join(get_args(Role)).encode(), "|".join(get_args(Origin)).encode())
)
_PART = re.compile(
    r'\{"kind":"(?:(text|thinking)","text":"|tool_result","call_id":"([^"\\]{0,200})","name":"([^"\\]{0,200})","output":"'
    r'|tool_call","id":"([^"\\]{0,200})","name":"([^"\\]{0,200})","input":)'
)
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?$")


@dataclass(slots=True)
class Line:
    """One line: where it begins, its length with the newline, and its bytes, or the first KEPT of one over WHOLE."""

    start: int
    length: int
    data: bytes
    is_sound: bool
    is_ended: bool

    @property
    def is_whole(self) -> bool:
        return len(self.data) == self.length


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def read_line(file: BinaryIO, start: int, *, check: bool = True) -> Line | None:
    """The line that begins at `start`; its checksum is looked at where `check` says so. None at the end of the file."""
    if file.tell() != start:
        file.seek(start)
    data = file.readline(WHOLE)
    if not data:
        return None
    if data.endswith(b"\n") or len(data) < WHOLE:
        return Line(start, len(data), data, check and is_sound(data), data.endswith(b"\n"))
    return _long_line(file, start, data)


def _long_line(file: BinaryIO, start: int, data: bytes) -> Line:
    """The rest of a line over WHOLE, passed over in pieces, with its checksum."""
    kept, length, held, total = data[:KEPT], len(data), data[-64:], zlib.crc32(memoryview(data)[:-64])
    del data
    while (piece := file.readline(_CHUNK)) and length <= 4 * MAX_LINE:
        length += len(piece)
        held += piece
        total = zlib.crc32(memoryview(held)[:-64], total)
        held = held[-64:]
        if piece.endswith(b"\n"):
            break
    is_ended = held.endswith(b"\n")
    held = held.rstrip(b"\r\n")
    total = zlib.crc32(memoryview(held)[:-_END], total)
    return Line(start, length, kept, held[-_END:] == b',"crc":"%08x"}' % total, is_ended)


def message_at(file: BinaryIO, table: MessageTable, place: int) -> Message | None:
    """The message at a place, if it still stands there."""
    line = read_line(file, table.offsets[place], check=False)
    return message_of(line, table, place) if line is not None else None


def message_of(line: Line, table: MessageTable, place: int) -> Message | None:
    if not line.is_whole:
        head = HEAD.match(line.data)
        return _cut_message(head, line) if head is not None and table.is_at(place, text_of(head[2])) else None
    return next((one for one in messages_on(line.data) if table.is_at(place, one.id)), None)


def messages_on(data: bytes) -> Iterator[Message]:
    for item in decode_line(data):
        if isinstance(item, Record) and item.kind == "message" and item.schema <= SCHEMA:
            try:
                yield message_from_json(item.payload)
            except ValueError:
                continue


def _cut_message(head: re.Match[bytes], line: Line) -> Message | None:
    """A message too long to be read whole: the beginnings of its parts, and a note of its size."""
    moment = parse_iso(text_of(head[5]))
    if moment is None:
        return None
    role: Role = text_of(head[3])  # type: ignore[assignment]
    origin: Origin = text_of(head[4])  # type: ignore[assignment]
    parts = tuple(_cut_parts(line.data.decode("utf-8", "replace")))
    parent = None if head[6] is None else text_of(head[6])
    return Message(text_of(head[2]), role, parts, moment, parent, origin, notes={CUT: line.length})


def _cut_parts(data: str) -> Iterator[Part]:
    at = 0
    while found := _PART.search(data, at):
        at = found.end()
        if found[4] is not None:
            raw = data[at:]
            end = raw.find('}},{"kind":"')
            yield ToolCallPart(found[4], found[5], {}, raw[: end + 1] if end >= 0 else raw)
            continue
        text, at = _string(data, at)
        if found[1] == "text":
            yield TextPart(text)
        elif found[1] == "thinking":
            yield ThinkingPart(text)
        else:
            yield ToolResultPart(found[2], found[3], text)


def _string(data: str, at: int) -> tuple[str, int]:
    """The text of a JSON string whose quote stands before `at`, and where it ends; what there is of one that is cut."""
    try:
        text, end = scanstring(data, at, False)
        return str(text), int(end)
    except ValueError:
        return str(scanstring(_CUT_ESCAPE.sub("", data[at:]) + '"', 0, False)[0]), len(data)


def raw_forms(words: str) -> tuple[bytes, ...]:
    """What a line holds, in small letters, that says these words: with escapes or as they are. Nothing where case cannot be told so."""
    if any(not one.isascii() and one.lower() != one.upper() for one in words):
        return ()
    return tuple(json.dumps(words, ensure_ascii=is_ascii)[1:-1].lower().encode("utf-8", "replace") for is_ascii in (True, False))
