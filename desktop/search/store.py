"""The SQLite file of one index: opening it, keeping it sound, changing it. Owns connections and locks; knows no ranking.

One connection writes and another reads, so that a search does not wait for an update. What is damaged is thrown away and counted in
`rebuilt`; whoever fills the index sees empty fingerprints then and fills it again. A place that cannot be written gives an index in memory,
with what the file held, until it can. Two locks, always in this order: the one of whoever changes or opens, then the one of whoever reads.
After `close` the next use opens it again. Thread-safe, blocking.
"""

from __future__ import annotations

import itertools
import logging
import sqlite3
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

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

BROKEN_ROWS = (IndexError, KeyError, OverflowError, TypeError, ValueError, struct.error)
"""What reading numbers and texts ends with where they are not as they were written."""

T = TypeVar("T")
_numbers = itertools.count(1)


class IndexStore:
    """The connections of one index file.

    Args:
        file: where; None keeps it in memory.
        busy_ms: how long to wait for another process that writes.
        vfs: SQLite's name of another layer for the file system.
        monotonic: seconds, for when a file is tried again.

    Attributes:
        rebuilt: how often this process came upon other content than it had before: thrown away as damaged, made anew by another process,
            or moved between file and memory. What is in step has to be found out again then.
        problem: why the index is in memory only, or "".
    """

    def __init__(
        self, file: Path | None, *, busy_ms: int = BUSY_MS, vfs: str = "", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.file = file
        self.rebuilt = 0
        self.problem = ""
        self._busy_ms, self._vfs, self._monotonic = busy_ms, vfs, monotonic
        self._write_lock = threading.RLock()
        self._lock = threading.RLock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._alternating = False
        self._changing = False
        self._known: Look = []
        self._inode: list[int] = []
        self._opened = False
        self._retry_at = 0.0
        self._hold: SharedHold | None = None
        self._seal = Seal(file) if file is not None else None

    # use

    def read(self, work: Callable[[sqlite3.Connection], T], empty: T) -> T:
        """What `work` finds in one state of the index; `empty` when it is damaged (and thrown away now) or cannot be read now.

        `work` uses nothing but its connection: it is called under the lock of the readers.
        """
        before = self.rebuilt
        try:
            with self._reading() as connection:
                before = self.rebuilt
                return _in_one_state(connection, work)
        except sqlite3.Error as error:
            self._cannot_read(error, before)
        except BROKEN_ROWS:
            if self.verify():
                raise  # the index is sound, so it is a fault of ours
        return empty

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work` in one transaction; once more where the index had to be made anew or taken into memory for it.

        Raises:
            StorageError: it cannot be written now: locked by another process, full disk. Nothing of `work` was kept.
        """
        with self._write_lock:
            before = self.rebuilt
            try:
                with self.writing() as connection:
                    return work(connection)
            except StorageError:
                if self.rebuilt == before:
                    raise
            with self.writing() as connection:
                return work(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction.

        Raises:
            StorageError: it cannot be written now. What was damaged is thrown away, so that the next try starts anew.
        """
        with self._write_lock, ExitStack() as stack:
            connection = self._begin(stack)
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                _roll_back(connection)
                stack.close()
                self._cannot_write(error)
                raise _unwritable(self.file, error) from error
            except BaseException:
                _roll_back(connection)
                raise

    def verify(self) -> bool:
        """Look through the whole index; throws away one that is damaged and says False. Searches go on meanwhile."""
        with self._write_lock:
            try:
                with ExitStack() as stack:
                    whole = self._looked_through(self._begin(stack))
            except sqlite3.Error as error:
                log.info("the search index cannot be looked through now: %s", error)
                return fault_of(error) in (Fault.BUSY, Fault.REFUSED)
            if not whole:
                self._throw_away(sqlite3.DatabaseError("the index does not agree with itself"))
            return whole

    def scrub(self) -> None:
        """Take out what is left of deleted texts: FTS5 keeps their words until its lists are merged, the log until it is folded in.

        Raises:
            StorageError: it cannot be written now.
        """
        self.write(lambda connection: connection.execute("INSERT INTO term (term) VALUES ('optimize')"))
        with self._write_lock, ExitStack() as stack:
            connection = self._begin(stack)
            try:
                connection.execute("VACUUM")
                if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise sqlite3.OperationalError("somebody still reads the old state")
            except sqlite3.Error as error:
                raise _unwritable(self.file, error) from error

    def drop(self) -> None:
        """Delete the index: no byte of any text is left in it.

        Raises:
            StorageError: its file cannot be deleted.
        """
        with self._write_lock, self._lock:
            self._disconnect()
            self.problem = ""
            if self.file is None or not self.file.parent.exists():
                return
            try:
                with self._door():
                    self._delete()
            except OSError as error:
                raise _unwritable(self.file, error) from error

    def close(self) -> None:
        """Close it; the file is marked as whole when nobody else has it open. The next use opens it again."""
        with self._write_lock, self._lock:
            hold, self._hold = self._hold, None
            ours = self._in_file() and not self._is_doubtful()
            self._fold_in()
            if ours:
                self._note_state(leave=True)
            ours = ours and hold is not None and hold.alone()
            self._disconnect()
            if ours and self._seal is not None:
                self._seal.leave_for_good()
            if hold is not None:
                hold.release()

    # locks

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The reading connection, held. Only who has to open waits for whoever writes."""
        with ExitStack() as stack:
            stack.enter_context(self._lock)
            if not self._is_current():
                stack.close()
                stack.enter_context(self._write_lock)
                stack.enter_context(self._lock)
                self._refresh()
            assert self._reader is not None
            yield self._reader

    def _begin(self, stack: ExitStack) -> sqlite3.Connection:
        """The writing connection, with a mark that what changes until `stack` is closed was done by us. Holds the write lock already."""
        with self._lock:
            self._refresh()
            self._changing = True
            assert self._writer is not None
        stack.callback(self._end)
        if self._alternating:
            stack.enter_context(self._lock)
        return self._writer

    def _end(self) -> None:
        with self._lock:
            self._changing = False
            self._note_state(leave=True)

    # is it still the same

    def _in_file(self) -> bool:
        return self.file is not None and not self.problem and self._reader is not None

    def _is_current(self) -> bool:
        """Whether what is open is what stands at our path, and nobody else changed it."""
        if self._reader is None or self._retry_is_due():
            return False
        if not self._in_file():
            return True
        return not self._was_replaced() if self._changing else not self._is_doubtful()

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

    def _note_state(self, *, leave: bool) -> None:
        """Know the file as it is from now on; `leave` tells other processes that it was us."""
        if self.file is None or self._seal is None or not self._in_file():
            return
        with suppress(OSError):
            self._known = look(self.file)
            if leave:
                self._seal.leave(self._known)

    def _refresh(self) -> None:
        """Have connections to what stands at our path, looked through where somebody unknown changed it. Both locks are held."""
        if self._changing:
            return  # our own transaction asks
        if self._retry_is_due():
            self._try_file()
        if self._in_file() and self._was_replaced():
            log.info("the search index was made anew by somebody else")
            self._disconnect()
        if self._reader is None:
            self._open()
        elif self._in_file() and self._is_doubtful():
            self._settle_doubt()

    def _settle_doubt(self) -> None:
        """The file changed. Another process of ours says so in the record; if nobody else has it open and none says so, look through it."""
        assert self._seal is not None and self._hold is not None and self._writer is not None
        with suppress(OSError):
            if self.file is not None and self._seal.left() == look(self.file):
                self._note_state(leave=False)
                return
        alone = self._hold.alone()
        self._hold.share()
        if not alone:
            return  # it is at work at this moment, and will say so
        log.info("somebody else changed the search index; it is looked through")
        try:
            whole = self._looked_through(self._writer)
        except sqlite3.Error as error:
            whole = fault_of(error) is Fault.BUSY
        if whole:
            self._note_state(leave=True)
        else:
            self._throw_away(sqlite3.DatabaseError("the index was changed from outside"))

    # faults

    def _cannot_read(self, error: sqlite3.Error, rebuilt: int) -> None:
        """Throw away what is damaged, unless another thread did so since the index was rebuilt that many times."""
        log.info("the search index cannot be read now: %s", error)
        fault = fault_of(error)
        if fault is Fault.DAMAGED:
            with self._write_lock, self._lock:
                if self.rebuilt == rebuilt:
                    self._throw_away(error)
        elif fault is not Fault.BUSY and self.verify():
            log.warning("a search failed", exc_info=error)
            with self._write_lock, self._lock:
                if not self.problem and self.file is not None:
                    self._disconnect()

    def _cannot_write(self, error: sqlite3.Error) -> None:
        fault = fault_of(error)
        if fault is Fault.DAMAGED:
            self._throw_away(error)
        elif fault is Fault.REFUSED:
            self._take_into_memory(error)
        elif fault is Fault.OTHER:
            self.verify()

    def _throw_away(self, error: sqlite3.Error) -> None:
        with self._write_lock, self._lock:
            if self.file is None or self.problem:
                self._open_in_memory(self.problem)
            else:
                self._open_anew(self.file, error)

    def _take_into_memory(self, error: sqlite3.Error) -> None:
        """Go on in memory with what the file holds, since it cannot be changed any more."""
        with self._write_lock, self._lock:
            if not self._in_file() or self.file is None or self._reader is None:
                return
            try:
                if self.file.stat().st_size > MOST_CARRIED:
                    return
                place = in_memory(next(_numbers))
                keeper = sqlite3.connect(place, uri=True)
                self._reader.execute("VACUUM INTO ?", (place,))
            except (OSError, sqlite3.Error) as second:
                log.info("the search index cannot be taken into memory: %s", second)
                self._open_in_memory(str(error))
                return
            self._open_in_memory(str(error), place)
            keeper.close()

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
                self._open_anew(self.file, error)

    def _open_in_memory(self, reason: str, place: str = "") -> None:
        """Two connections to one place in memory. Its readers and its writer take turns, since it has no log."""
        if reason and reason != self.problem:
            log.warning("the search index is kept in memory only: %s", reason)
        self._disconnect()
        self.rebuilt += self._opened
        self._opened = True
        self.problem = reason
        self._retry_at = self._monotonic() + RETRY_S
        place = place or in_memory(next(_numbers))
        self._writer = connect(place, busy_ms=self._busy_ms)
        self._reader = connect(place, busy_ms=self._busy_ms)
        self._alternating = True

    def _open_anew(self, file: Path, why: sqlite3.Error) -> None:
        log.warning("the search index is made anew: %s", why)
        self._disconnect()
        self.rebuilt += 1
        try:
            with self._door():
                self._delete()
                self._open_file(file, self._busy_ms)
        except (OSError, StorageError, sqlite3.Error) as error:
            self._open_in_memory(str(error))

    def _delete(self) -> None:
        assert self.file is not None and self._seal is not None
        self._seal.remove()
        remove(self.file)
        self._inode = []

    def _try_file(self) -> None:
        """Leave memory for the file, where that works again."""
        assert self.file is not None
        in_use = (self._reader, self._writer, self._alternating)
        problem, self.problem = self.problem, ""
        self._reader = self._writer = None
        try:
            ensure_private_dir(self.file.parent)
            with self._door():
                self._open_file(self.file, min(QUICK_MS, self._busy_ms))
        except (OSError, StorageError, sqlite3.Error) as error:
            log.info("the search index stays in memory: %s", error)
            self._disconnect()
            self._reader, self._writer, self._alternating = in_use
            self.problem = problem
            self._retry_at = self._monotonic() + RETRY_S
            return
        self.rebuilt += 1
        self._be_patient()
        for connection in in_use[:2]:
            if connection is not None:
                connection.close()

    def _be_patient(self) -> None:
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.execute(f"PRAGMA busy_timeout = {self._busy_ms}")

    def _open_file(self, file: Path, busy_ms: int) -> None:
        assert self._seal is not None
        first = self._first_to_open(file)
        new = not file.exists() or file.stat().st_size == 0
        trusted = new or not first or self._seal.is_true()
        self._writer = connect(file, busy_ms=busy_ms, vfs=self._vfs)
        self._alternating = self._writer.execute("PRAGMA journal_mode").fetchone()[0] != "wal"
        if not trusted and not self._looked_through(self._writer):
            raise sqlite3.DatabaseError("the index does not agree with itself")
        self._reader = connect(file, busy_ms=busy_ms, vfs=self._vfs)
        self.rebuilt += bool(self._inode) and self._was_replaced()
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

    def _looked_through(self, connection: sqlite3.Connection) -> bool:
        """Whether the index is whole; others do not change it meanwhile.

        Raises:
            sqlite3.Error: it cannot be looked at now.
        """
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if fault_of(error) is Fault.DAMAGED:
                return False
            raise
        try:
            whole = is_whole(connection)
            connection.execute("COMMIT")
        except sqlite3.Error:
            whole = False
        finally:
            _roll_back(connection)
        return whole

    def _fold_in(self) -> None:
        if self._writer is not None and self._in_file():
            with suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def _disconnect(self) -> None:
        for connection in (self._reader, self._writer):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self._reader = self._writer = None
        self._alternating = False
        self._known = []


def _in_one_state(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Every question of `work` sees the index as it was at the first one, whatever is committed meanwhile."""
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        with suppress(sqlite3.Error):
            connection.execute("COMMIT")  # not taken back: what a search sets up for itself stays
        _roll_back(connection)


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _inode(file: Path) -> list[int]:
    status = file.lstat()
    return [status.st_dev, status.st_ino]


def _unwritable(file: Path | None, error: Exception) -> StorageError:
    from desktop.base.phrases import say

    return StorageError(
        say("The search index {file} cannot be written now ({reason}).", file=file or say("(in memory)"), reason=str(error)),
        hint=say("It is a cache and may be deleted. Check free space and permissions, then search again."),
        detail=repr(error),
    )
