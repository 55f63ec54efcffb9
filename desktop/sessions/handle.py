"""One open session: the only writer of its transcript, under a lock kept by the operating system.

A message counts once it is appended and fsynced; before that it is in nobody's list. Nothing is rewritten in place: a torn end gets a
newline (its bytes are copied beside it first), a failed write or fsync closes the file, and the next append starts behind what is there.
Any thread; appending blocks for one fsync.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from desktop.base.clock import Clock
from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, fsync_dir, write_all
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message
from desktop.sessions.migrate import free_name
from desktop.sessions.putting_aside import put_aside
from desktop.sessions.record import SessionHeader, decode_line, encode, header_to_json
from desktop.sessions.side_files import PutAside, SideFiles
from desktop.sessions.summary import TITLE_NAMES, first_prompt_title, title_of, usage_of, values_for_list
from desktop.sessions.transcript import LEAF, MODEL, LoadedTranscript, branch, read_transcript

COPY_LIMIT = 1 << 20
"""Bytes of a torn end that are copied; what stands before them is NUL or binary and stays in the file."""
GRACE_S = 0.1
"""A lock that is held longer is held by a writer; who only looks whether it is (`base.locks.taken`) is gone by then."""
log = logging.getLogger(__name__)

Values = dict[str, Any]


class Item(NamedTuple):
    """A record to be written: kind, payload, and what stands behind the payload for the session list."""

    kind: str
    payload: Any
    summary: Values


class WriterLock:
    """The lock of one session's writer. Taken once and held until the session is closed, also from another thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: Any = None

    def acquire(self, session_id: str) -> None:
        """Raises StorageError when another window or process has the session open."""
        from filelock import FileLock, Timeout

        if self._lock is not None:
            return
        ensure_private_dir(self.path.parent)
        lock = FileLock(str(self.path), timeout=GRACE_S, poll_interval=GRACE_S / 5, mode=0o600, thread_local=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise StorageError(
                say("The session {session_id} is open elsewhere.", session_id=session_id),
                hint=say("Close it in the other window or process, then try again."),
            ) from error
        except OSError as error:
            raise StorageError(
                say("The session {session_id} cannot be locked ({reason}).", session_id=session_id, reason=os_reason(error)),
                hint=say("Check that you may write to {parent}.", parent=self.path.parent),
                detail=str(error),
            ) from error
        self._lock = lock

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class SessionHandle:
    """An open session.

    Attributes:
        id, header, path: fixed.
        messages: the live branch; grows with each acknowledged append.
        meta: latest value of each name.
        model: the model last used or chosen.
        damage: what could not be read when it was opened.
        crashed: a process ended in the middle of a turn of it, as `running.recover` found when it was opened.
        incognito: nothing of it is ever on disk.
    """

    incognito = False

    def __init__(
        self,
        header: SessionHeader,
        path: Path,
        lock: WriterLock,
        clock: Clock,
        *,
        loaded: LoadedTranscript | None = None,
        side_files: SideFiles | None = None,
        on_change: Callable[[str], None] = lambda session_id: None,
        on_close: Callable[[SessionHandle], None] = lambda handle: None,
    ) -> None:
        self.id = header.id
        self.header = header
        self.path = path
        self.messages: list[Message] = list(loaded.live) if loaded else []
        self.meta: dict[str, Any] = dict(loaded.meta) if loaded else {}
        self.damage: tuple[tuple[int, str], ...] = tuple(loaded.damage) if loaded else ()
        self.crashed = False
        self.model = (loaded.model if loaded else "") or header.model
        self._all: dict[str, Message] = {m.id: m for m in loaded.messages} if loaded else {}
        self._seq = loaded.next_seq if loaded else 0
        self._header_stored = loaded is not None and loaded.header is not None
        self._usage = usage_of(self._all.values())
        self._live_title = first_prompt_title(self.messages)
        self._any_title = first_prompt_title(self._all.values())
        self._pending: dict[str, Any] = {}
        self._writer_lock = lock
        self._side_files = side_files or SideFiles(path)
        self._clock = clock
        self._on_change = on_change
        self._on_close = on_close
        self._file: int | None = None
        self._identity: os.stat_result | None = None
        self._lock = threading.RLock()
        self._closed = False

    @property
    def title(self) -> str:
        return title_of(self.meta, self._live_title or self._any_title) or self.id

    @property
    def stored(self) -> bool:
        """Whether the session is on disk; it is so from its first message on."""
        return self._header_stored

    def append(self, message: Message, *, first: bool = False, when: datetime | None = None) -> Message:
        """Store a message behind its parent; without a parent it goes behind the last one of the live branch.

        Args:
            first: it has no parent and begins the conversation anew, beside the first message that is there.
            when: the time of its record, which the list orders by, where that is not now.

        Returns:
            The message as it was stored: images in it have become references to side files.

        Raises:
            StorageError: it is not stored and not in `messages`. The same call may be made again.
        """
        with self._lock:
            if not first and message.parent not in self._all:
                message = replace(message, parent=self.messages[-1].id if self.messages else None)
            live = [message] if first else self._live_with(message)
            [message] = self._store_messages([message], live, when)
            self.messages[:] = [*live[:-1], message]
        self._on_change(self.id)
        return message

    def append_all(self, messages: Sequence[Message]) -> None:
        """Store messages one behind the other at the end of the live branch, in one write: all of them count, or none.

        In a new session they are there together or not at all, whatever happens; in an old one a power cut may leave the first of them.

        Raises:
            StorageError: none is stored.
        """
        with self._lock:
            chain: list[Message] = []
            behind = self.messages[-1].id if self.messages else None
            for message in messages:
                chain.append(message if message.parent == behind else replace(message, parent=behind))
                behind = message.id
            if chain:
                self.messages += self._store_messages(chain, [*self.messages, *chain])
        self._on_change(self.id)

    def _store_messages(self, messages: Sequence[Message], live: Sequence[Message], when: datetime | None = None) -> list[Message]:
        """Write messages, the last ones of `live`, with all that has to stand before them; gives them as they are held from now on."""
        usage, used, any_title = self._usage, self.model, self._any_title
        live_title = self._live_title if self._goes_on(live, len(messages)) else first_prompt_title(live[: -len(messages)])
        items: list[Item] = []
        held: list[Message] = []
        for number, message in enumerate(messages, len(live) - len(messages) + 1):
            aside = self._put_aside(message)
            held.append(aside.message)
            usage = usage_of((message,), usage)
            live_title = live_title or first_prompt_title([message])
            any_title = any_title or live_title
            used = message.model or used
            summary = values_for_list(number, message, usage, used, self.meta, live_title or any_title)
            items.append(Item("message", message_to_json(aside.record), summary))
        again = self._lost_records()
        start = [] if self._header_stored else [self._header_item()]
        metas = [self._meta_item(name, value, self.meta) for name, value in self._pending.items()]
        self._write([*start, *again, *metas, *items], when)
        self._header_stored = True
        self._pending = {}
        self._all |= {message.id: message for message in held}
        self._usage, self._live_title, self._any_title, self.model = usage, live_title, any_title, used
        return held

    def _goes_on(self, live: Sequence[Message], new: int) -> bool:
        """Whether a branch is the live one with so many new messages at its end."""
        count = len(live) - new
        return count == len(self.messages) and (not count or live[count - 1].id == self.messages[-1].id)

    def _put_aside(self, message: Message) -> PutAside:
        """The message with big outputs and images in side files, which are on disk from here on."""
        aside = put_aside(message)
        self._side_files.store(aside)
        return aside

    def _header_item(self) -> Item:
        return Item("session", header_to_json(self.header), {})

    def _lost_records(self) -> list[Item]:
        """What has to be stored once more because the file was removed or exchanged while it was open; usually nothing."""
        if not (self._all or self._header_stored) or self._same_file():
            return []
        log.warning("the transcript %s was removed or exchanged; what is missing in it is stored again", self.path)
        self._drop_file()
        there = read_transcript(self.path, whole=False)
        known = {message.id for message in there.messages}
        self._seq = there.next_seq
        start = [] if there.header is not None or not self._header_stored else [self._header_item()]
        missing = [message for message in self._all.values() if message.id not in known]
        messages = [Item("message", message_to_json(self._put_aside(message).record), {}) for message in missing]
        values = {name: value for name, value in self.meta.items() if name != LEAF and there.meta.get(name) != value}
        leaf = self.messages[-1].id if self.messages else None
        if leaf != (missing[-1].id if missing else there.leaf):
            values[LEAF] = leaf  # stands behind the messages, since it names one of them
        return [*start, *messages, *(self._meta_item(name, value, self.meta) for name, value in values.items())]

    def _same_file(self) -> bool:
        """Whether the file is the one that was written to last; of one that was not written to yet only, whether there is one."""
        try:
            now = self.path.stat()
        except OSError:
            return False
        return self._identity is None or os.path.samestat(self._identity, now)

    def _live_with(self, message: Message) -> list[Message]:
        if message.parent == (self.messages[-1].id if self.messages else None):
            return [*self.messages, message]
        return [*branch(self._all, message.parent), message]

    def set_meta(self, name: str, value: Any) -> None:
        """Store a named value. Before the first message it waits in memory and is stored with that.

        Raises:
            StorageError: it is not stored; the old value holds.
        """
        with self._lock:
            meta = {**self.meta, name: value}
            if self._header_stored or self._all:
                again = self._lost_records()
                start = [] if self._header_stored else [self._header_item()]  # a file that lost its own
                self._write([*start, *again, self._meta_item(name, value, meta)])
                self._header_stored = True
            else:
                self._pending[name] = value
            self.meta = meta
            if name == MODEL and isinstance(value, str) and value:
                self.model = value
        self._on_change(self.id)

    def _meta_item(self, name: str, value: Any, meta: Values) -> Item:
        """A named value; with a title goes the one that holds now, and with another live branch all that the session list shows."""
        holds: Values = {"title": title_of(meta, self._live_title or self._any_title)} if name in TITLE_NAMES else {}
        if name == LEAF:
            live = branch(self._all, value if isinstance(value, str) else None)
            title = first_prompt_title(live) or self._any_title
            holds = values_for_list(len(live), live[-1] if live else None, self._usage, self.model, meta, title)
        return Item("meta", {"name": name, "value": value}, holds)

    def everything(self) -> tuple[Message, ...]:
        """The messages of all branches, in the order in which they were stored. Any thread."""
        with self._lock:
            return tuple(self._all.values())

    def branch_to(self, message_id: str | None) -> list[Message]:
        """The messages from the first one to this one; none for a message that is not here."""
        return list(branch(self._all, message_id))

    def ancestors(self, message_id: str) -> Iterator[str]:
        """The ids of a message and of those before it on its branch, the newest first; none for a message that is not here."""
        at = self._all.get(message_id)
        while at is not None:
            yield at.id
            at = self._all.get(at.parent) if at.parent is not None else None

    def set_leaf(self, message_id: str | None) -> None:
        """Make the branch that ends with this message the live one; None goes back to the start. Nothing is removed.

        Raises:
            StorageError: it is not stored, or there is no such message.
        """
        with self._lock:
            if message_id is not None and message_id not in self._all:
                raise StorageError(say("The session {id} has no message {message_id}.", id=self.id, message_id=message_id))
            self.set_meta(LEAF, message_id)
            self.messages[:] = branch(self._all, message_id)
            self._live_title = first_prompt_title(self.messages)

    def close(self) -> None:
        """Let go of the file and the lock. A second call does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._drop_file()
            self._writer_lock.release()
        self._on_close(self)

    # --- the file ----------------------------------------------------------------------------------------------------

    def _write(self, items: list[Item], when: datetime | None = None) -> None:
        """Append the records in one write and flush them; only then they count."""
        if self._closed:
            raise StorageError(say("The session {id} is closed.", id=self.id), hint=say("Open it again."))
        now = when or self._clock.now()
        lines = [encode(self._seq + i, kind, payload, now, **summary) for i, (kind, payload, summary) in enumerate(items)]
        try:
            if os.path.lexists(self.path):
                file = self._opened()
                write_all(file, b"".join(lines))
                os.fsync(file)
            else:
                self._begin(b"".join(lines))
        except OSError as error:
            self._drop_file()
            raise StorageError(
                say("The message could not be saved to {path} ({reason}).", path=self.path, reason=os_reason(error)),
                hint=say("Free some space or check the folder, then send it again. What was saved before is unharmed."),
                detail=str(error),
            ) from error
        self._seq += len(lines)

    def _drop_file(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            try:
                os.close(file)
            except OSError as error:
                log.warning("closing %s failed: %s", self.path.name, error)

    def _begin(self, data: bytes) -> None:
        """The first write: the file appears with all of it or not at all; one that breaks off leaves no half session or fork."""
        self._writer_lock.acquire(self.id)
        ensure_private_dir(self.path.parent)
        try:
            atomic_write(self.path, data)
        except StorageError:
            with suppress(OSError):  # it may have its name already; what is not acknowledged is not there
                self.path.unlink(missing_ok=True)
            raise
        try:
            self._file = self._opened()
        except OSError as error:
            log.info("%s is opened at the next message: %s", self.path.name, error)

    def _opened(self) -> int:
        if self._file is not None:
            return self._file
        self._writer_lock.acquire(self.id)
        ensure_private_dir(self.path.parent)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        file = os.open(self.path, flags, 0o600)
        try:
            if os.fstat(file).st_size == 0:
                fsync_dir(self.path.parent)
            else:
                self._mend_end(file)
        except (OSError, StorageError):
            os.close(file)
            raise
        self._file, self._identity = file, os.fstat(file)
        return file

    def _mend_end(self, file: int) -> None:
        """Give a torn end its newline, so that the next record stands on a line of its own."""
        size = os.fstat(file).st_size
        with self.path.open("rb") as reader:
            reader.seek(max(0, size - COPY_LIMIT))
            end = reader.read(COPY_LIMIT)
        if end.endswith(b"\n"):
            return
        torn = end[end.rfind(b"\n") + 1 :]
        if any(isinstance(item, str) for item in decode_line(torn)):
            atomic_write(free_name(self.path, "torn", self._clock), torn)
        write_all(file, b"\n")
