"""What was forgotten, as digests: so that a second look at a transcript, or a rewind, does not bring it back (memory design, 6.8, B27).

Owns `<data>/journal/<root key>.tombstones.jsonl` and what counts as the same text. Holds digests, message and session ids, never a word
of the text. It judges and keeps; the store calls `noted` after each of its changes, the gate and the extractor ask `forgotten`. The file
is read again only when its stat changed. Blocking, thread-safe; lines are added with the store's lock held.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.clock import iso, parse_iso
from desktop.base.errors import StorageError
from desktop.base.ids import ALPHABET
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import append_flushed, digest
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import parse
from desktop.memory.journal import Change, Journal
from desktop.memory.roots import Actor

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

log = logging.getLogger(__name__)
SCHEMA = 1
FORGETTERS: frozenset[Actor] = frozenset(("main", "extractor", "person"))
"""Whose deletion means “forget this”. Another program's, or a tidy-up that moved the words elsewhere, does not."""

MAX_COMPARED = 1 << 20
MOVED = "move_"
"""How the group of a move between two roots begins: what is deleted on one side is not forgotten, it stands on the other."""

LINE_WEIGHT = 12
"""A line of a text counts as its own from here on; a character outside ASCII counts double."""

_MARKS = re.compile(r"^(?:[#>*+\-\s]|\d{1,9}[.)]\s)+")
_ALWAYS = datetime.max.replace(tzinfo=UTC)
_ULID = re.compile(rf"_([{ALPHABET}]{{26}})$")


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One forgotten memory.

    Attributes:
        digests: of the folded text; the first is of the whole, the others of its lines.
        messages: where it had been said, and where it was asked to be forgotten.
        said: the former alone; what else they say is not looked at a second time, while the wish may tell something new beside it.
        sessions: the sessions of these.
        time: when it was forgotten.
    """

    digests: tuple[str, ...]
    messages: tuple[str, ...]
    sessions: tuple[str, ...]
    time: datetime
    said: tuple[str, ...] = ()

    def holds(self, prints: Prints) -> bool:
        """Whether a text says what was forgotten: the same as a whole, or all of its lines among its own."""
        lines = self.digests[1:]
        return self.digests[0] == prints.whole or (bool(lines) and prints.lines.issuperset(lines))


@dataclass(frozen=True, slots=True)
class Prints:
    """The digests of one text."""

    whole: str
    lines: frozenset[str]


_NOTHING = Prints("", frozenset())


def weight(text: str) -> int:
    """Characters of a text, those outside ASCII twice: ten Chinese characters say as much as twenty letters."""
    return sum(1 if character.isascii() else 2 for character in text)


def text_lines(body: str) -> list[str]:
    """The folded lines of a body that say something, without the marks of lists, quotes and headings."""
    found = (folded(_MARKS.sub("", line)) for line in body[:MAX_COMPARED].splitlines())
    return [line for line in found if weight(line) >= LINE_WEIGHT]


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))


def prints_of(data: bytes) -> Prints:
    """The digests of a memory's bytes; its header does not count, so that a re-worded one makes no other memory of it."""
    document = parse(data[: MAX_COMPARED * 4])
    said = folded(document.body[:MAX_COMPARED]) or folded(document.description or "")
    if not said:
        return _NOTHING
    return Prints(_digest(said), frozenset(_digest(line) for line in text_lines(document.body)))


def tombstone_file(paths: AppPaths, key: str) -> Path:
    return paths.journal / f"{key}.tombstones.jsonl"


class Tombstones:
    """The tombstones of one root."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._guard = threading.Lock()
        self._seen: tuple[int, ...] = ()
        self._stones: tuple[Tombstone, ...] = ()

    def all(self) -> tuple[Tombstone, ...]:
        """Every tombstone that was not lifted, oldest first. Never raises: what cannot be read is logged and counts as none."""
        try:
            status = self.file.stat()
        except OSError:
            return ()
        seen = (status.st_mtime_ns, status.st_size, status.st_ino)
        with self._guard:
            if seen != self._seen:
                try:
                    self._stones, self._seen = _read(self.file.read_bytes()), seen
                except OSError as error:
                    log.warning("the tombstones %s could not be read: %s", self.file.name, error)
            return self._stones

    def add(
        self, data: bytes, *, messages: Iterable[str] = (), asked: Iterable[str] = (), sessions: Iterable[str] = (), time: datetime
    ) -> Tombstone | None:
        """Remember that a memory was forgotten; None when it said nothing.

        Args:
            data: the memory's bytes; the message and session of its header count as where it was said.
            messages: where it had been said besides.
            asked: where it was asked to be forgotten.
            sessions: the sessions of all these.
            time: when it was forgotten.

        Raises:
            StorageError: it could not be written.
        """
        prints, document = prints_of(data), parse(data)
        if not prints.whole:
            return None
        own_message, own_session = document.field("originMessageId"), document.field("originSessionId")
        stone = Tombstone(
            (prints.whole, *sorted(prints.lines)),
            _ids((own_message, *messages, *asked)),
            _ids((own_session, *sessions)),
            time,
            _ids((own_message, *messages)),
        )
        told = {"messages": list(stone.messages), "sessions": list(stone.sessions), "said": list(stone.said)}
        self._append(_record("forget", stone.digests, time) | told)
        return stone

    def lift(self, data: bytes, *, time: datetime, before: bytes | None = None) -> bool:
        """Take back every tombstone of what a text says, and what it replaces (`before`) did not; False when there was none.

        Raises:
            StorageError: it could not be written.
        """
        prints = prints_of(data)
        had = prints_of(before) if before is not None else _NOTHING
        gone = [stone.digests[0] for stone in self.all() if stone.holds(prints) and not stone.holds(had)]
        if gone:
            self._append(_record("lift", tuple(dict.fromkeys(gone)), time))
        return bool(gone)

    def forgotten(self, data: bytes, message_id: str, *, actor: Actor = "extractor", before: bytes | None = None) -> bool:
        """Whether a text would bring back what was forgotten.

        Args:
            data: the whole new file.
            message_id: where it was said.
            actor: the extractor and Dream never bring it back; the main agent may once it was said in a newer message; the person may.
            before: what the file held up to now: what stands there already is not brought back.
        """
        stones = () if actor in ("person", "outside") else self.all()
        if not stones:
            return False
        prints = prints_of(data)
        had = prints_of(before) if before is not None else _NOTHING
        for stone in stones:
            same = stone.holds(prints) and not stone.holds(had)
            if actor == "main":
                if same and not _is_newer(message_id, stone):
                    return True
            elif same or (before is None and message_id != "" and message_id in stone.said):
                return True
        return False

    def noted(self, journal: Journal, change: Change, before: bytes | None, after: bytes | None) -> None:
        """Follow one journalled change: forget what was deleted, lift what came back. A fault is logged; it never undoes the change."""
        origin = change.origin
        try:
            if after is None and before is not None:
                cause = _cause(journal, change)
                if cause.op == "delete" and cause.origin.actor in FORGETTERS and not cause.group.startswith(MOVED):
                    self.add(before, asked=(cause.origin.message_id,), sessions=(cause.origin.session_id,), time=change.time)
            elif after is None or after == before or change.by_keeper:  # a line that the index keeper makes says nothing again
                return
            elif (change.op == "restore" or origin.actor in ("person", "main")) and self.all():
                self.lift(after, time=change.time, before=before)
        except StorageError as error:
            log.warning("what was forgotten could not be noted: %s", error.message)

    def _append(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=True).encode() + b"\n"
        ensure_private_dir(self.file.parent)
        try:
            append_flushed(self.file, line)
        except OSError as error:
            raise StorageError(
                say("{file} could not be written ({reason}).", file=self.file, reason=os_reason(error)),
                hint=say("Free some space."),
                detail=str(error),
            ) from error


@lru_cache(maxsize=256)
def tombstones_at(file: Path) -> Tombstones:
    """The tombstones in `file`; one object a file, so that its cache serves every store over the same root."""
    return Tombstones(file)


def add(store: MemoryStore, data: bytes, *, messages: Iterable[str] = (), sessions: Iterable[str] = (), time: datetime) -> Tombstone | None:
    """See `Tombstones.add`."""
    return store.tombstones.add(data, messages=messages, sessions=sessions, time=time)


def forgotten(store: MemoryStore, text: str, message_id: str, *, actor: Actor = "extractor", before: str | None = None) -> bool:
    """Whether writing `text` would bring back what was forgotten in this root; one stat while nothing was. See `Tombstones.forgotten`."""
    old = before.encode("utf-8", "surrogatepass") if before is not None else None
    return store.tombstones.forgotten(text.encode("utf-8", "surrogatepass"), message_id, actor=actor, before=old)


def lift(store: MemoryStore, text: str, *, time: datetime) -> bool:
    """See `Tombstones.lift`."""
    return store.tombstones.lift(text.encode("utf-8", "surrogatepass"), time=time)


def _cause(journal: Journal, change: Change) -> Change:
    """The change that is done again by an undo of an undo; the change itself when it undoes nothing."""
    if not change.undoes:
        return change
    known = {one.id: one for one in journal.read()}
    while change.undoes in known:
        change = known[change.undoes]
    return change


def _ids(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str) and value))


def _record(op: str, digests: tuple[str, ...], time: datetime) -> dict[str, Any]:
    return {"schema": SCHEMA, "op": op, "time": iso(time), "digests": list(digests)}


def _texts(record: dict[str, Any], key: str) -> tuple[str, ...]:
    value = record.get(key)
    return tuple(one for one in value if isinstance(one, str) and one) if isinstance(value, list) else ()


def _read(data: bytes) -> tuple[Tombstone, ...]:
    """The tombstones of a file's bytes; a damaged line is skipped."""
    found: list[Tombstone] = []
    for line in data.split(b"\n"):
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        digests = _texts(record, "digests")
        if record.get("op") == "lift":
            found = [stone for stone in found if stone.digests[0] not in digests]
        elif record.get("op") == "forget" and digests:
            time = record.get("time")
            moment = parse_iso(time) if isinstance(time, str) else None
            messages = _texts(record, "messages")
            said = _texts(record, "said") if "said" in record else messages
            found.append(Tombstone(digests, messages, _texts(record, "sessions"), moment or _ALWAYS, said))
    return tuple(found)


def _is_newer(message_id: str, stone: Tombstone) -> bool:
    """Whether a message came after something was forgotten. Message ids carry their time; one that does not is new unless it is named."""
    if not message_id or message_id in stone.messages:
        return False
    match = _ULID.search(message_id)
    if not match:
        return True
    value = 0
    for character in match.group(1):
        value = value << 5 | ALPHABET.index(character)
    return (value >> 80) > stone.time.timestamp() * 1000
