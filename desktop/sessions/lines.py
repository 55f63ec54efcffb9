"""The lines of a transcript one after the other, in bounded memory, and what stands on each: which message, or where the live branch went.

For readers that must not hold a whole file: the search index and the map of branches. Follows `transcript.read_transcript` in what counts
as a message, but never keeps more than `KEEP` bytes of a line. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import BinaryIO, get_args

from desktop.base.clock import parse_iso
from desktop.messages.codec import message_from_json
from desktop.messages.parts import Message, Origin, ResultStatus, Role, TextPart
from desktop.sessions.record import SCHEMA, Record, decode_line, is_sound
from desktop.sessions.transcript import LEAF, MAX_LINE

KEEP = 4 << 20
"""Bytes of a line that are kept; of a longer one the texts at its start are read and the rest is passed over."""

CHUNK = 1 << 20
Stopped = Callable[[], bool]

_HEAD = re.compile(
    rb'\{"schema":%d,"seq":\d{1,18},"kind":"message","message":\{"id":"([^"\\]{1,80})","role":"(%s)","origin":"(%s)",'
    rb'"time":"([^"\\]{1,40})","parent":(?:null|"([^"\\]{1,80})"),'
    % (SCHEMA, "|".join(get_args(Role)).encode(), "|".join(get_args(Origin)).encode())
)
_TEXT = '"kind":"text","text":"'
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?$")
_NOT_OK = tuple(f'"status":"{status}"'.encode() for status in get_args(ResultStatus) if status != "ok")


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes:
        start, end: where it stands in the file, newline included.
        data: its bytes, or the first KEEP of them.
        rest: digest of the bytes that were not kept; empty when all were.
        finished: it has its newline; the last one may be in the middle of being written.
    """

    start: int
    end: int
    data: bytes
    rest: bytes = b""
    finished: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """A message of a line: its id, that of its parent, and itself where it was asked for and may hold something to be read."""

    id: str
    parent: str | None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """The live branch ends with this message from here on; None is the start."""

    leaf: str | None


def lines(file: BinaryIO, start: int = 0, *, stopped: Stopped | None = None) -> Iterator[Line]:
    """The lines from `start` on, which is where a line begins. Ends early when `stopped` says so, also in the middle of a long line."""
    file.seek(start)
    at = start
    while not (stopped is not None and stopped()):
        data = file.readline(KEEP)
        if not data:
            return
        end, rest, finished = at + len(data), b"", data.endswith(b"\n")
        if not finished and len(data) == KEEP:
            skipped = _skip(file, stopped)
            if skipped is None:
                return
            length, rest, finished = skipped
            end += length
        yield Line(at, end, data, rest, finished)
        at = end


def _skip(file: BinaryIO, stopped: Stopped | None) -> tuple[int, bytes, bool] | None:
    """Pass over the rest of a line: how many bytes it had, their digest, whether it ended. None when stopped."""
    digest, length = hashlib.blake2b(digest_size=16), 0
    while piece := file.readline(CHUNK):
        digest.update(piece)
        length += len(piece)
        if piece.endswith(b"\n"):
            return length, digest.digest(), True
        if stopped is not None and stopped():
            return None
    return length, digest.digest() if length else b"", False


def is_final(line: Line) -> bool:
    """Whether the line is as it will stay: it has its newline, or it is a whole record that only lacks it."""
    return line.finished or (not line.rest and is_sound(line.data))


def items(line: Line, *, whole: bool, silent: bool = False) -> Iterator[Seen | Moved]:
    """What a line says of messages and of the live branch.

    Args:
        whole: give the messages themselves, where they were made by a person or the model, or are results with an error in them.
        silent: then give all of them.
    """
    if line.end - line.start > MAX_LINE:
        return
    head = _HEAD.match(line.data)
    if line.rest:
        if head is not None:
            yield _long(head, line.data) if whole else _seen(head)
        return
    if head is not None and not (whole and (silent or _speaks(head, line.data))) and is_sound(line.data):
        yield _seen(head)
        return
    for item in decode_line(line.data):
        if isinstance(item, Record) and item.schema <= SCHEMA:
            yield from _of_record(item)


def _seen(head: re.Match[bytes]) -> Seen:
    return Seen(head[1].decode("ascii", "replace"), None if head[5] is None else head[5].decode("ascii", "replace"))


def _speaks(head: re.Match[bytes], data: bytes) -> bool:
    return head[3] != b"app" and (head[2] != b"tool" or any(status in data for status in _NOT_OK))


def _of_record(record: Record) -> Iterator[Seen | Moved]:
    payload = record.payload
    if record.kind == "message":
        try:
            message = message_from_json(payload)
        except ValueError:
            return
        yield Seen(message.id, message.parent, message)
    elif record.kind == "meta" and isinstance(payload, dict) and payload.get("name") == LEAF:
        value = payload.get("value")
        if value is None or isinstance(value, str):
            yield Moved(value)


def _long(head: re.Match[bytes], data: bytes) -> Seen:
    """A message too long to be read whole, with the texts that stand at its start."""
    seen = _seen(head)
    moment = parse_iso(head[4].decode("ascii", "replace"))
    if moment is None or head[3] == b"app" or head[2] == b"tool":
        return seen
    role: Role = "user" if head[2] == b"user" else "assistant"
    origin: Origin = "person" if head[3] == b"person" else "model"
    parts = tuple(TextPart(text) for text in _texts(data.decode("utf-8", "replace")))
    return Seen(seen.id, seen.parent, Message(seen.id, role, parts, moment, seen.parent, origin))


def _texts(data: str) -> Iterator[str]:
    at = data.find(_TEXT)
    while at >= 0:
        at += len(_TEXT)
        try:
            text, at = scanstring(data, at, False)
        except ValueError:  # the text goes on beyond what was kept
            text, at = scanstring(_CUT_ESCAPE.sub("", data[at:]) + '"', 0, False)[0], len(data)
        yield text
        at = data.find(_TEXT, at)
