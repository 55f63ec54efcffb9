"""A transcript of ours read a page at a time: its end at once, the rest of it indexed bit by bit while that is on the screen.

Follows `transcript.read_transcript` in what counts as a message, as the live branch and as damage, and holds 25 bytes a message. A line
over `WHOLE` bytes is never read whole: its message is given with the beginnings of its parts. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

import codecs
import os
import re
import threading
import time
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from desktop.base.phrases import say
from desktop.messages.codec import message_from_json
from desktop.messages.parts import Message
from desktop.sessions.message_table import MessageTable
from desktop.sessions.paged_lines import HEAD, KEPT, Line, message_at, message_of, messages_on, raw_forms, read_line, text_of
from desktop.sessions.paging import (
    KEPT_DAMAGE,
    MOST_FOUND,
    PAGE_MESSAGES,
    Facts,
    Finding,
    LoadedPager,
    Page,
    Pager,
    Versions,
    holds,
    page_numbers,
)
from desktop.sessions.record import SCHEMA, Record, decode_line, is_sound
from desktop.sessions.side_files import SideFiles, bring_back, missing, references
from desktop.sessions.transcript import LEAF, MAX_LINE, _Reading, open_plain, read_transcript

_TAIL, _MOST_TAIL = 128 << 10, 8 << 20
"""Bytes from the end of the file that are looked at for the first page, at first and at most."""
_REFERENCE = b'"file":"'
_ENOUGH = 24
"""Messages that fill a screen whatever they say."""


def open_pager(path: Path, side_files: SideFiles | None = None) -> Pager:
    """The pager of a transcript, with its side files where they do not stand beside it. One in UTF-16 is read whole.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    with open_plain(path) as file:
        start = file.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return LoadedPager(read_transcript(path))
    return FilePager(path, side_files)


class _Damage(list[tuple[int, str]]):
    """Keeps the first KEPT_DAMAGE places and counts all."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    def append(self, place: tuple[int, str]) -> None:
        self.told += 1
        if len(self) < KEPT_DAMAGE:
            super().append(place)


@dataclass(slots=True)
class _Index(_Reading):
    """The state while the file is indexed; messages go into the table instead of being kept."""

    table: MessageTable = field(default_factory=MessageTable)
    end: int = 0
    lines: int = 0
    is_ended: bool = True
    at: int = 0
    """Where the line begins that is taken in."""
    file: BinaryIO | None = None
    beside: SideFiles | None = None

    def take_line(self, line: Line) -> None:
        """Take a line that is as it will stay."""
        if self.is_ended or line.data.strip():
            self.lines += 1
        self.at, self.end, self.is_ended = line.start, line.start + line.length, line.is_ended
        head = HEAD.match(line.data)
        if line.length > MAX_LINE:
            self.take(self.lines, f"the line is longer than {MAX_LINE >> 20} MiB")
        elif head is not None and line.is_sound:
            self._sound(head, line)
        elif not line.is_whole:
            self.take(self.lines, "the record is cut or not JSON")
        else:
            for item in decode_line(line.data):
                self.take(self.lines, item)

    def _sound(self, head: re.Match[bytes], line: Line) -> None:
        seq = int(head[1])
        if seq != self.next_seq or self.lost:
            self._count(self.lines, Record(seq, "message", None, None))
        else:
            self.next_seq += 1
        message_id, parent = text_of(head[2]), None if head[6] is None else text_of(head[6])
        is_new = self.table.add(message_id, parent, line.start) >= 0
        if line.is_whole and (not is_new or _REFERENCE in line.data):
            for message in messages_on(line.data):
                self._look_beside(message)
                if not is_new:
                    self._again(message)

    def _message(self, number: int, item: Record) -> None:
        try:
            message = message_from_json(item.payload)
        except ValueError as error:
            self._skip(number, say("the message cannot be read: {reason}", reason=error))
            return
        self._look_beside(message)
        if self.table.add(message.id, message.parent, self.at) < 0:
            self._again(message)

    def _look_beside(self, message: Message) -> None:
        """Side files that are lost are said; what is in them is not read."""
        for one in references(message):
            if self.beside is not None and not self.beside.has(one["file"], one["bytes"], one["media"]):
                self.damage.append((self.lines, say("{what}; what the record holds of it is shown", what=missing(one))))

    def _again(self, message: Message) -> None:
        """A message whose id is taken: said where it is not the same one."""
        assert self.file is not None
        place = self.file.tell()
        known = message_at(self.file, self.table, self.table.find(message.id))
        self.file.seek(place)
        if known is not None and known.parts != message.parts:
            self._skip(self.lines, say("a second message with the same id is left out"))

    def _meta(self, number: int, item: Record) -> None:
        super(_Index, self)._meta(number, item)
        payload = item.payload
        if isinstance(payload, dict) and payload.get("name") == LEAF:
            value = payload.get("value")
            if value is None:
                self.table.leaf = -1
            elif isinstance(value, str) and (place := self.table.find(value)) >= 0:
                self.table.leaf = place


class FilePager:
    """See the module's text, and `paging.Pager` for the methods."""

    def __init__(self, path: Path, side_files: SideFiles | None = None) -> None:
        self._path = path
        self._side_files = side_files or SideFiles(path)
        self._lock = threading.Lock()
        self._identity: tuple[int, int] = (0, 0)
        self._chosen = ""
        self._index = self._fresh()
        self._shown: tuple[int, int, str, array[int]] = (-1, -1, "", array("i"))
        self._loose: list[tuple[int, str]] = []
        self._done = False
        self._size = 0

    def _fresh(self) -> _Index:
        return _Index(damage=_Damage(), beside=self._side_files)

    # --- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """The file; what was indexed of another one that stood in its place is forgotten."""
        with self._lock, open_plain(self._path) as file:
            status = os.fstat(file.fileno())
            identity = (status.st_dev, status.st_ino)
            if identity != self._identity or status.st_size < self._index.end:
                self._identity = identity
                self._index = self._fresh()
                self._index.end = len(codecs.BOM_UTF8) if file.read(3) == codecs.BOM_UTF8 else 0
                self._done = False
            self._index.file = file
            try:
                yield file
            finally:
                self._index.file = None

    def index(self, seconds: float) -> Facts:
        until = time.monotonic() + seconds
        with self._opened() as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(self._index.end)
            self._done, self._loose = False, []
            self._size = size
            while all(self._next(file) for _ in range(256)):
                if time.monotonic() >= until:
                    return self._facts()
            self._done = True
            return self._facts()

    def facts(self) -> Facts:
        with self._lock:
            return self._facts()

    def _next(self, file: BinaryIO) -> bool:
        """Take in the next line; False at the end of the file, or at a line that is still being written."""
        line = read_line(file, self._index.end)
        if line is None:
            return False
        if not line.is_ended and not line.is_sound:
            found = list(decode_line(line.data))
            if not any(isinstance(item, Record) for item in found):
                self._loose = [(self._index.lines + 1, item) for item in found if isinstance(item, str)]
                return False
        self._index.take_line(line)
        return True

    def _facts(self) -> Facts:
        index = self._index
        damage = [*index.damage, *self._loose]
        if self._done and not index.lines and not self._loose:
            damage.append((1, say("the file is empty")))
        if self._done and index.header is None and len(index.table):
            damage.append((1, say("the header is missing; the folder gives the project")))
        count = len(damage) - len(index.damage) + getattr(index.damage, "told", 0)
        shown, live = self._branch() if self._done else array("i"), index.table.leaf
        is_live = not self._chosen or (bool(shown) and shown[-1] == live)
        return Facts(
            done=self._done,
            read=index.end,
            size=self._size,
            total=len(shown),
            messages=len(index.table),
            is_live=is_live,
            damage=tuple(damage[:KEPT_DAMAGE]),
            damaged=count,
            skipped=index.skipped + len(self._loose),
            newer=index.newer,
        )

    # --- pages -------------------------------------------------------------------------------------------------------

    def newest(self) -> Page:
        with self._opened() as file:
            size = os.fstat(file.fileno()).st_size
            if self._done and self._index.end == size:
                self._chosen = ""
                return self._page(file, 0, len(self._branch()))
            span = _TAIL
            while True:
                start = max(self._index.end if not self._index.lines else 0, size - span)
                found, is_enough = _tail(file, start, size)
                if is_enough or start + span <= span or span >= _MOST_TAIL:
                    return Page(found)
                span *= 4

    def page(self, first: int, last: int) -> Page:
        with self._opened() as file:
            return self._page(file, first, last)

    def _page(self, file: BinaryIO, first: int, last: int) -> Page:
        shown, table = self._branch(), self._index.table
        read: dict[int, Message | None] = {}

        def message(number: int) -> Message | None:
            if number not in read:
                read[number] = _rooted(file, table, shown[number - 1])
            return read[number]

        def size(number: int) -> int:
            place = shown[number - 1]
            behind = table.offsets[place + 1] if place + 1 < len(table) else self._index.end
            return min(behind - table.offsets[place], KEPT)

        numbers = page_numbers(first, last, len(shown), size, lambda number: (one := message(number)) is not None and one.role == "tool")
        messages = tuple(one for number in numbers if (one := message(number)) is not None)
        versions = {
            one.id: found
            for number in numbers
            if (one := read[number]) is not None and (found := self._versions(file, shown[number - 1])) is not None
        }
        return Page(messages, numbers.start, len(shown), versions)

    def _versions(self, file: BinaryIO, place: int) -> Versions | None:
        table = self._index.table
        places = table.versions(place)
        if len(places) < 2:
            return None
        ids = [(at, one.id) for at in places if (one := message_at(file, table, at)) is not None]
        position = next((number for number, (at, _) in enumerate(ids, 1) if at == place), 0)
        return Versions(position, tuple(one for _, one in ids)) if position else None

    def _branch(self) -> array[int]:
        """The places of the branch that is shown."""
        table = self._index.table
        key = (len(table), table.leaf, self._chosen)
        if self._shown[:3] != key:
            live = table.upwards(table.leaf)
            place = table.find(self._chosen) if self._chosen else -1
            is_other = place >= 0 and not _is_in(live, place)
            self._shown = (*key, table.upwards(table.end_of(place)) if is_other else live)
        return self._shown[3]

    def number_of(self, message_id: str) -> int:
        with self._lock:
            place, shown = self._index.table.find(message_id), self._branch()
            return _position(shown, place) + 1 if place >= 0 and _is_in(shown, place) else 0

    def show(self, message_id: str) -> bool:
        with self._lock:
            if message_id and self._index.table.find(message_id) < 0:
                return False
            self._chosen = message_id
            return True

    # --- find --------------------------------------------------------------------------------------------------------

    def find(self, words: str, start: int, seconds: float) -> Finding:
        needle, until = words.casefold(), time.monotonic() + seconds
        raw = raw_forms(words)
        found: list[int] = []
        with self._opened() as file:
            shown, table = self._branch(), self._index.table
            for number in range(start, len(shown) + 1):
                if number > start and not number & 31 and time.monotonic() > until:
                    return Finding(tuple(found), number)
                place = shown[number - 1]
                line = read_line(file, table.offsets[place], check=False)
                is_cut = line is not None and _REFERENCE in line.data
                if line is None or (raw and line.is_whole and not is_cut and not any(one in line.data.lower() for one in raw)):
                    continue
                message = message_of(line, table, place)
                if message is not None and is_cut:
                    message = bring_back(message, self._side_files).message
                if message is not None and holds(message, needle):
                    found.append(number)
                    if len(found) >= MOST_FOUND:
                        break
        return Finding(tuple(found))


def _rooted(file: BinaryIO, table: MessageTable, place: int) -> Message | None:
    """The message at a place with the parent that it follows here: the one before it, where its own is lost."""
    message, parent = message_at(file, table, place), table.parents[place]
    if message is None or message.parent is None or (parent >= 0 and table.is_at(parent, message.parent)):
        return message
    before = message_at(file, table, parent) if parent >= 0 else None
    return replace(message, parent=before.id if before is not None else None)


def _is_in(places: array[int], place: int) -> bool:
    at = _position(places, place)
    return at < len(places) and places[at] == place


def _position(places: array[int], place: int) -> int:
    return bisect_left(places, place)


@dataclass(slots=True)
class _Tail:
    """What the end of a file holds: by id, the parent and the line of each message, and the last live one."""

    found: dict[str, tuple[str | None, bytes]] = field(default_factory=dict)
    leaf: str | None = None
    any_leaf: bool = False

    def take(self, data: bytes) -> None:
        head = HEAD.match(data)
        if head is not None and is_sound(data):
            self._message(text_of(head[2]), None if head[6] is None else text_of(head[6]), data)
            return
        for item in decode_line(data):
            if not isinstance(item, Record) or item.schema > SCHEMA:
                continue
            if item.kind == "message":
                for message in messages_on(data):
                    self._message(message.id, message.parent, data)
            elif item.kind == "meta" and isinstance(item.payload, dict) and item.payload.get("name") == LEAF:
                value = item.payload.get("value")
                if value is None or isinstance(value, str):
                    self.leaf, self.any_leaf = value, True

    def _message(self, message_id: str, parent: str | None, data: bytes) -> None:
        if message_id not in self.found:
            self.found[message_id] = (parent, data)
            self.leaf, self.any_leaf = message_id, True

    def chain(self) -> list[str]:
        """The end of the live branch, newest first, as far as it stands here."""
        ids: list[str] = []
        at = self.leaf
        while at is not None and at in self.found:
            ids.append(at)
            at = self.found[at][0]
        return ids


def _tail(file: BinaryIO, start: int, size: int) -> tuple[tuple[Message, ...], bool]:
    """The end of the live branch as far as it stands behind `start`, at most a page; and whether that fills a screen."""
    file.seek(start)
    data = file.read(size - start)
    if start:
        data = data[data.find(b"\n") + 1 :] if b"\n" in data else b""
    tail = _Tail()
    for line in data.split(b"\n"):
        if line.strip():
            tail.take(line)
    ids = tail.chain()
    is_enough = len(ids) >= _ENOUGH or (tail.any_leaf and tail.leaf is None)
    messages = [next(one for one in messages_on(tail.found[one_id][1]) if one.id == one_id) for one_id in reversed(ids[:PAGE_MESSAGES])]
    while start and messages and messages[0].role == "tool":
        messages.pop(0)
    return tuple(messages), is_enough
