"""The two connections to one index file, or to memory in its place: opening, looking through, throwing away, noticing what others did.

Owns when a file is trusted. A place that cannot be written gives an index in memory, with what the file held, until it can. Knows no locks
between threads: its user, `desktop.search.store`, holds them. Blocking.
"""

from __future__ import annotations

import itertools
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.locks import SharedHold, held
from desktop.base.paths import ensure_private_dir
from desktop.search.faults import Fault, fault_of
from desktop.search.schema import BUSY_MS, connect, in_memory, remove
from desktop.search.seal import Look, Seal, look
from desktop.search.soundness import is_whole

log = logging.getLogger(__name__)

HOLD, DOOR = ".open", ".lock"
DOOR_S = 30.0
"""How long opening waits for another process that opens the same file: it may look through a large one."""

RETRY_S = 60.0
"""After this time an index in memory tries its file again."""

QUICK_MS = 200
"""How long such a try waits for others."""

MOST_CARRIED = 512 << 20
"""A larger file is not taken into memory; it is read on, and cannot be changed."""

_numbers = itertools.count(1)


class Connections:
    """One that reads and one that writes.

    Args:
        file: where; None keeps it in memory.
        busy_ms: how long to wait for another process that writes.
        vfs: SQLite's name of another layer for the file system.
        monotonic: seconds, for when a file is tried again.

    Attributes:
        reader, writer: None until `open`.
        alternating: they cannot be used at the same time, since there is no log.
        rebuilt: how often other content was come upon than was there before.
        problem: why it is in memory only, or "".
    """

    def __init__(
        self, file: Path | None, *, busy_ms: int = BUSY_MS, vfs: str = "", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.file = file
        self.rebuilt = 0
        self.problem = ""
        self.reader: sqlite3.Connection | None = None
        self.writer: sqlite3.Connection | None = None
        self.alternating = False
        self._busy_ms, self._vfs, self._monotonic = busy_ms, vfs, monotonic
        self._known: Look = []
        self._inode: list[int] = []
        self._opened = False
        self._retry_at = 0.0
        self._hold: SharedHold | None = None
        self._seal = Seal(file) if file is not None else None

    # is it still the same

    def in_file(self) -> bool:
        return self.file is not None and not self.problem and self.reader is not None

    def is_current(self, *, changing: bool) -> bool:
        """Whether what is open is what stands at our path and nobody else changed it; `changing`: we do at this moment."""
        if self.reader is None or self._retry_is_due():
            return False
        if not self.in_file():
            return True
        return not self._was_replaced() if changing else not self._is_doubtful()

    def _retry_is_due(self) -> bool:
        return bool(self.problem) and self._monotonic() >= self._retry_at

    def _was_replaced(self) -> bool:
        """Whether the file at our path is another by now, say since another process made it anew, or is gone."""
        try:
            return self.file is not None and _inode(self.file) != self._inode
        except OSError:
            return True

    def _is_doubtful(self) -> bool:
        """Whether the file or its log is not as we know it."""
        try:
            return self.file is not None and look(self.file) != self._known
        except OSError:
            return True

    def note_state(self, *, leave: bool) -> None:
        """Know the file as it is from now on; `leave` tells other processes that it was us."""
        if self.file is None or self._seal is None or not self.in_file():
            return
        with suppress(OSError):
            self._known = look(self.file)
            if leave:
                self._seal.leave(self._known)

    def refresh(self) -> None:
        """Have connections to what stands at our path, looked through where somebody unknown changed it."""
        if self._retry_is_due():
            self._try_file()
        if self.in_file() and self._was_replaced():
            log.info("the search index was made anew or taken away by somebody else")
            self.disconnect()
            self._inode = []
            self.rebuilt += 1
        if self.reader is None:
            self._open()
        elif self.in_file() and self._is_doubtful():
            self._settle_doubt()

    def _settle_doubt(self) -> None:
        """The file changed. Another process of ours says so in the record; if nobody else has it open and none says so, look through it."""
        assert self._seal is not None and self._hold is not None
        with suppress(OSError):
            if self.file is not None and self._seal.left() == look(self.file):
                self.note_state(leave=False)
                return
        alone = self._hold.alone()
        self._hold.share()
        if alone:  # if not, it is at work at this moment, and will say so
            log.info("somebody else changed the search index; it is looked through")
            self.disconnect()  # what these connections have in memory may not be what the file holds
            self._open()

    # opening

    @contextmanager
    def _door(self) -> Iterator[None]:
        """One process at a time opens, looks through, deletes and makes a file."""
        assert self.file is not None
        with held(self.file.with_name(self.file.name + DOOR), timeout_s=DOOR_S):
            yield

    def _open(self) -> None:
        """Connect twice; a file that is not sound is thrown away first, a place that cannot be written leads to memory."""
        if self.file is None:
            self._open_in_memory("")
            return
        try:
            ensure_private_dir(self.file.parent)
            with self._door():
                self._open_file(self.file, self._busy_ms)
        except (OSError, StorageError) as error:
            self._open_in_memory(str(error))
        except sqlite3.Error as error:
            if fault_of(error) is Fault.BUSY:
                self._open_in_memory(str(error))
            else:
                self.throw_away(error)

    def _open_file(self, file: Path, busy_ms: int) -> None:
        assert self._seal is not None
        first = self._first_to_open(file)
        new = not file.exists() or file.stat().st_size == 0
        trusted = new or not first or self._seal.is_true()
        self.writer = connect(file, busy_ms=busy_ms, vfs=self._vfs)
        self.alternating = self.writer.execute("PRAGMA journal_mode").fetchone()[0] != "wal"
        if not trusted and not _looked_through(self.writer):
            raise sqlite3.DatabaseError("the index does not agree with itself")
        self.reader = connect(file, busy_ms=busy_ms, vfs=self._vfs)
        self.rebuilt += bool(self._inode) and (new or self._was_replaced())
        self._opened = True
        self._inode = _inode(file)
        self._known = look(file)
        if first:
            self._seal.leave(self._known)

    def _first_to_open(self, file: Path) -> bool:
        """Whether nobody else has the index open; another process that has looked it through when it opened it."""
        if self._hold is None:
            hold = SharedHold(file.with_name(file.name + HOLD))
            first = hold.take()
            self._hold = hold
            return first
        first = self._hold.alone()
        self._hold.share()
        return first

    def _open_in_memory(self, reason: str, place: str = "") -> None:
        """Two connections to one place in memory. Its readers and its writer take turns, since it has no log."""
        if reason and reason != self.problem:
            log.warning("the search index is kept in memory only: %s", reason)
        self.disconnect()
        self._let_go()
        self.rebuilt += self._opened
        self._opened = True
        self.problem = reason
        self._retry_at = self._monotonic() + RETRY_S
        place = place or in_memory(next(_numbers))
        self.writer = connect(place, busy_ms=self._busy_ms)
        self.reader = connect(place, busy_ms=self._busy_ms)
        self.alternating = True

    def take_into_memory(self, error: Exception) -> None:
        """Go on in memory with what the file holds, since it cannot be changed any more."""
        if not self.in_file() or self.file is None or self.reader is None:
            return
        with ExitStack() as stack:
            place = in_memory(next(_numbers))
            try:
                if self.file.stat().st_size > MOST_CARRIED:
                    return
                keeper = sqlite3.connect(place, uri=True)
                stack.callback(keeper.close)
                self.reader.execute("VACUUM INTO ?", (place,))
            except (OSError, sqlite3.Error, UnicodeDecodeError) as second:
                log.info("the search index cannot be taken into memory: %s", second)
                place = ""
            self._open_in_memory(str(error), place)

    def throw_away(self, why: Exception) -> None:
        """Make it anew, empty."""
        if self.file is None or self.problem:
            self._open_in_memory(self.problem)
            return
        log.warning("the search index is made anew: %s", why)
        self.disconnect()
        self.rebuilt += 1
        try:
            with self._door():
                self._delete(self.file)
                self._open_file(self.file, self._busy_ms)
        except (OSError, StorageError, sqlite3.Error) as error:
            self._open_in_memory(str(error))

    def _try_file(self) -> None:
        """Leave memory for the file, where that works again."""
        assert self.file is not None
        in_use = (self.reader, self.writer, self.alternating)
        problem, self.problem = self.problem, ""
        self.reader = self.writer = None
        try:
            ensure_private_dir(self.file.parent)
            with self._door():
                self._open_file(self.file, min(QUICK_MS, self._busy_ms))
        except (OSError, StorageError, sqlite3.Error) as error:
            log.info("the search index stays in memory: %s", error)
            self.disconnect()
            self._let_go()
            self.reader, self.writer, self.alternating = in_use
            self.problem = problem
            self._retry_at = self._monotonic() + RETRY_S
            return
        self.rebuilt += 1
        self._be_patient()
        for connection in in_use[:2]:
            if connection is not None:
                connection.close()

    def _be_patient(self) -> None:
        for connection in (self.reader, self.writer):
            if connection is not None:
                connection.execute(f"PRAGMA busy_timeout = {self._busy_ms}")

    # looking through, deleting, closing

    def is_whole(self, connection: sqlite3.Connection) -> bool:
        """Whether everything is as it was written, by a connection of its own: the others know pages by heart that may have changed.

        Args:
            connection: the one that writes; serves for an index in memory.

        Raises:
            sqlite3.Error: it cannot be looked at now.
        """
        with ExitStack() as stack:
            if self.in_file() and self.file is not None:
                connection = connect(self.file, busy_ms=self._busy_ms, vfs=self._vfs)
                stack.callback(connection.close)
            return _looked_through(connection)

    def delete(self) -> None:
        """Delete the file and what stands beside it with text in it.

        Raises:
            OSError: it cannot be deleted.
            StorageError: the place cannot be written.
        """
        self.disconnect()
        self.problem = ""
        if self.file is not None and self.file.parent.is_dir():
            with self._door():
                self._delete(self.file)

    def _delete(self, file: Path) -> None:
        assert self._seal is not None
        self._seal.remove()
        remove(file)
        self._inode = []

    def close(self) -> None:
        """Close it; the file is marked as whole when nobody else has it open and all that changed it was known."""
        hold, self._hold = self._hold, None
        ours = self.in_file() and not self._is_doubtful()
        if self.in_file() and self.writer is not None:
            with suppress(sqlite3.Error, UnicodeDecodeError):
                self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if ours:
            self.note_state(leave=True)
        ours = ours and hold is not None and hold.alone()
        self.disconnect()
        if ours and self._seal is not None:
            self._seal.leave_for_good()
        if hold is not None:
            hold.release()

    def _let_go(self) -> None:
        """We have the file open no more, so that others may be alone with it."""
        hold, self._hold = self._hold, None
        if hold is not None:
            hold.release()

    def disconnect(self) -> None:
        for connection in (self.reader, self.writer):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self.reader = self.writer = None
        self.alternating = False
        self._known = []


def _looked_through(connection: sqlite3.Connection) -> bool:
    """Whether the index is whole; others do not change it meanwhile.

    Raises:
        sqlite3.Error: it cannot be looked at now.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except UnicodeDecodeError:
        return False
    except sqlite3.Error as error:
        if fault_of(error) is Fault.DAMAGED:
            return False
        raise
    try:
        whole = is_whole(connection)
        connection.execute("COMMIT")
    except (sqlite3.Error, UnicodeDecodeError):
        whole = False
    finally:
        roll_back(connection)
    return whole


def roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _inode(file: Path) -> list[int]:
    status = file.lstat()
    return [status.st_dev, status.st_ino]
