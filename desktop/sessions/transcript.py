"""Reading a transcript, whole or damaged: every record that is sound is given, whatever stands before or after it.

Lines are split on `\n` in bytes. Nothing is written, nothing raises: what could not be read stands in `damage` with its line number.
Blocking; runs in reading threads.
"""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from desktop.base.phrases import os_reason, say
from desktop.messages.codec import message_from_json
from desktop.messages.parts import Message
from desktop.sessions.record import KINDS, SCHEMA, Record, SessionHeader, decode_line, header_from_json
from desktop.sessions.side_files import SideFiles, bring_back

MAX_LINE = 256 << 20
"""Bytes of a line that are looked at; a longer one is skipped and said."""

LEAF = "leaf"
"""Name of the meta value that moves the live branch: id of its last message, or None for the start."""

MOST_TOLD = 10_000
"""Places of damage that are named, so that a file of bad lines alone does not fill the memory; `skipped` counts them all."""

MODEL = "model"
"""Name of the meta value that holds a newly chosen model."""


@dataclass(frozen=True, slots=True)
class LoadedTranscript:
    """What a transcript holds.

    Attributes:
        header: the first sound header, or None.
        messages: all branches, in file order, each message once.
        live: the active branch from the first message to its leaf.
        meta: the latest value of each name: title, generated_title, mode, model, memory_enabled, cursor, …
        damage: (line, reason) of what could not be read, or only with doubt, MOST_TOLD at most; lines count from 1, 0 is the file itself.
        next_seq: the number of the next record.
        newer: a record of a later version is there: show it, never write to it.
        model: the model last used or chosen, or an empty string.
        skipped: records and stretches that are not shown, for the banner; what is only read with doubt does not count.
        older: a record of an earlier version is there: it is shown, and brought to this one before the file is written to.
        written: when the last message was stored, which for a fork is later than when it was said; None: not told.
    """

    header: SessionHeader | None
    messages: tuple[Message, ...]
    live: tuple[Message, ...]
    meta: dict[str, Any]
    damage: list[tuple[int, str]]
    next_seq: int = 0
    newer: bool = False
    model: str = ""
    skipped: int = 0
    older: bool = False
    written: datetime | None = None

    @property
    def leaf(self) -> str | None:
        return self.live[-1].id if self.live else None

    @property
    def children(self) -> dict[str | None, list[Message]]:
        """Messages by the id of their parent: every branch, also those that are not live."""
        result: dict[str | None, list[Message]] = {}
        for message in self.messages:
            result.setdefault(message.parent, []).append(message)
        return result


@dataclass(slots=True)
class _Reading:
    """The state while lines come in."""

    header: SessionHeader | None = None
    messages: dict[str, Message] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    damage: list[tuple[int, str]] = field(default_factory=list)
    leaf: str | None = None
    next_seq: int = 0
    newer: bool = False
    model: str = ""
    lost: int = 0
    skipped: int = 0
    older: bool = False
    written: datetime | None = None
    side_files: SideFiles | None = None

    def take(self, number: int, item: Record | str) -> None:
        if isinstance(item, str):
            self.lost += 1
            self._skip(number, item)
            return
        self._count(number, item)
        if item.note:
            self._tell(number, item.note)
        self.older = self.older or item.schema < SCHEMA
        if item.schema > SCHEMA:
            self.newer = True
            self._skip(number, say("the record was written by a newer version (schema {schema})", schema=item.schema))
        elif item.kind == "message":
            self._message(number, item)
        elif item.kind == "meta":
            self._meta(number, item)
        elif item.kind == "session":
            self._header(number, item)
        else:
            kind, known = item.kind[:40], ", ".join(KINDS)
            self._skip(number, say("the record is of the unknown kind “{kind}” (known: {known})", kind=kind, known=known))

    def _skip(self, number: int, reason: str, records: int = 1) -> None:
        self.skipped += records
        self._tell(number, reason)

    def _tell(self, number: int, reason: str) -> None:
        if len(self.damage) < MOST_TOLD:
            self.damage.append((number, reason))

    def _count(self, number: int, item: Record) -> None:
        missing = item.seq - self.next_seq - self.lost
        if missing > 0 and not item.note:
            one, more = say("1 record is missing before this line"), say("{n} records are missing before this line", n=missing)
            self._skip(number, one if missing == 1 else more, missing)
        self.lost = 0
        if not item.note or item.seq < self.next_seq + 1_000_000:
            self.next_seq = max(self.next_seq, item.seq + 1)

    def _header(self, number: int, item: Record) -> None:
        header = header_from_json(item.payload, item.schema)
        if header is None:
            self._skip(number, say("the header names no session"))
        elif self.header is None:
            self.header = header
            self.model = self.model or header.model

    def _message(self, number: int, item: Record) -> None:
        try:
            message = message_from_json(item.payload)
        except ValueError as error:
            self._skip(number, say("the message cannot be read: {reason}", reason=error))
            return
        if self.side_files is not None:
            message, lost = bring_back(message, self.side_files)
            for what in lost:
                self._tell(number, say("{what}; what the record holds of it is shown", what=what))
        known = self.messages.get(message.id)
        if known is None:
            self.messages[message.id] = self._rooted(message)
            self.leaf, self.written = message.id, item.time or self.written
            self.model = message.model or self.model
        elif known.parts != message.parts:
            self._skip(number, say("a second message with the same id is left out"))

    def _rooted(self, message: Message) -> Message:
        """The message with a parent that was read before it. Where that is lost or not told, the message before it takes its place."""
        if message.parent is None or message.parent in self.messages:
            return message
        before = next(reversed(self.messages), None)
        return replace(message, parent=before)

    def _meta(self, number: int, item: Record) -> None:
        payload = item.payload
        if not isinstance(payload, dict) or not isinstance(payload.get("name"), str):
            self._skip(number, say("a named value has no name"))
            return
        name, value = payload["name"], payload.get("value")
        self.meta[name] = value
        if name == LEAF and (value is None or (isinstance(value, str) and value in self.messages)):
            self.leaf = value
        elif name == MODEL and isinstance(value, str) and value:
            self.model = value

    def result(self) -> LoadedTranscript:
        live = branch(self.messages, self.leaf)
        return LoadedTranscript(
            self.header,
            tuple(self.messages.values()),
            live,
            self.meta,
            self.damage,
            self.next_seq,
            self.newer,
            self.model,
            self.skipped,
            self.older,
            self.written,
        )


def branch(messages: dict[str, Message], leaf: str | None) -> tuple[Message, ...]:
    """The messages from the first one to `leaf`. A parent always stands before its child, so this ends."""
    found: list[Message] = []
    at = messages.get(leaf) if leaf is not None else None
    while at is not None and len(found) <= len(messages):
        found.append(at)
        at = messages.get(at.parent) if at.parent is not None else None
    return tuple(reversed(found))


def open_plain(path: Path) -> BinaryIO:
    """The file, opened for reading bytes; never waits on a pipe.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(say("it is not a plain file"))
    return os.fdopen(handle, "rb")


def decoded(file: BinaryIO) -> BinaryIO:
    """The file as UTF-8 bytes, its mark skipped; UTF-16 with a mark is turned round in memory."""
    start = file.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        file.seek(0)
        return io.BytesIO(file.read().decode("utf-16", errors="replace").encode("utf-8", errors="replace"))
    file.seek(len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0)
    return file


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Number and bytes of each line; None for one over MAX_LINE."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) <= MAX_LINE:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)
        yield number, None


def read_transcript(path: Path, *, whole: bool = True, side_files: SideFiles | None = None) -> LoadedTranscript:
    """Read a transcript tolerantly; see `LoadedTranscript`. Never raises.

    Args:
        whole: bring big outputs back from their side files. Without it the first part is there, and the reference in the part's `data`.
        side_files: those of the transcript; None: the folder beside it.
    """
    reading = _Reading(side_files=(side_files or SideFiles(path)) if whole else None)
    try:
        with open_plain(path) as file:
            any_line = False
            for number, line in _lines(decoded(file)):
                any_line = True
                if line is None:
                    reading.take(number, say("the line is longer than {size} MiB", size=MAX_LINE >> 20))
                    continue
                for item in decode_line(line):
                    reading.take(number, item)
            if not any_line:
                reading.damage.append((1, say("the file is empty")))
    except OSError as error:
        reading.damage.append((0, say("the file cannot be read: {reason}", reason=os_reason(error))))
    if reading.header is None and reading.messages:
        reading.damage.append((1, say("the header is missing; the folder gives the project")))
    return reading.result()
