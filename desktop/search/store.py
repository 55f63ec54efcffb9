"""Reading and changing one index from many threads. Owns the locks and what happens after a fault; knows no ranking.

One connection writes and another reads, so that a search does not wait for an update. What is damaged is thrown away and counted in
`rebuilt`; whoever fills the index sees empty fingerprints then and fills it again. Two locks, always in this order: the one of whoever
changes or opens, then the one of whoever reads. After `close` the next use opens it again. Blocking.
"""

from __future__ import annotations

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
from desktop.base.phrases import say
from desktop.search.connections import Connections, roll_back
from desktop.search.faults import Fault, fault_of
from desktop.search.schema import BUSY_MS

log = logging.getLogger(__name__)

BROKEN_ROWS = (IndexError, KeyError, OverflowError, TypeError, ValueError, struct.error)
"""What reading numbers and texts ends with where they are not as they were written."""

T = TypeVar("T")


class IndexStore:
    """One index, for any number of threads.

    Args:
        file: where; None keeps it in memory.
        busy_ms: how long to wait for another process that writes.
        vfs: SQLite's name of another layer for the file system.
        monotonic: seconds, for when a file that could not be used is tried again.
    """

    def __init__(
        self, file: Path | None, *, busy_ms: int = BUSY_MS, vfs: str = "", monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._made = Connections(file, busy_ms=busy_ms, vfs=vfs, monotonic=monotonic)
        self._write_lock = threading.RLock()
        self._lock = threading.RLock()
        self._changing = False

    @property
    def rebuilt(self) -> int:
        """How often this process came upon other content than it had before: thrown away as damaged, made anew by another process, moved
        between file and memory. What is in step has to be found out again then."""
        return self._made.rebuilt

    @property
    def problem(self) -> str:
        """Why the index is in memory only, or ""."""
        return self._made.problem

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
            except (sqlite3.Error, UnicodeDecodeError) as error:
                roll_back(connection)
                stack.close()
                self._cannot_write(error)
                raise self._unwritable(error) from error
            except BaseException:
                roll_back(connection)
                raise

    def verify(self) -> bool:
        """Look through the whole index; throws away one that is damaged and says False. Searches go on meanwhile."""
        with self._write_lock:
            try:
                with ExitStack() as stack:
                    whole = self._made.is_whole(self._begin(stack))
            except sqlite3.Error as error:
                log.info("the search index cannot be looked through now: %s", error)
                whole = fault_of(error) in (Fault.BUSY, Fault.REFUSED)
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
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise self._unwritable(error) from error

    def drop(self) -> None:
        """Delete the index: no byte of any text is left in it.

        Raises:
            StorageError: its file cannot be deleted.
        """
        with self._write_lock, self._lock:
            try:
                self._made.delete()
            except OSError as error:
                raise self._unwritable(error) from error

    def close(self) -> None:
        """Close it; the file is marked as whole when nobody else has it open. The next use opens it again."""
        with self._write_lock, self._lock:
            self._made.close()

    # locks

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The reading connection, held. Only who has to open waits for whoever writes."""
        with ExitStack() as stack:
            stack.enter_context(self._lock)
            if not self._made.is_current(changing=self._changing):
                stack.close()
                stack.enter_context(self._write_lock)
                stack.enter_context(self._lock)
                self._refresh()
            assert self._made.reader is not None
            yield self._made.reader

    def _begin(self, stack: ExitStack) -> sqlite3.Connection:
        """The writing connection, with a mark that what changes until `stack` is closed was done by us. Holds the write lock already."""
        with self._lock:
            self._refresh()
            self._changing = True
        stack.callback(self._end)
        if self._made.alternating:
            stack.enter_context(self._lock)
        assert self._made.writer is not None
        return self._made.writer

    def _end(self) -> None:
        with self._lock:
            self._changing = False
            self._made.note_state(leave=True)

    def _refresh(self) -> None:
        if not self._changing:  # else our own transaction asks
            self._made.refresh()

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
                if self._made.in_file():
                    self._made.disconnect()

    def _cannot_write(self, error: sqlite3.Error | UnicodeDecodeError) -> None:
        fault = Fault.OTHER if isinstance(error, UnicodeDecodeError) else fault_of(error)
        if fault is Fault.DAMAGED:
            self._throw_away(error)
        elif fault is Fault.REFUSED:
            with self._write_lock, self._lock:
                self._made.take_into_memory(error)
        elif fault is Fault.OTHER:
            self.verify()

    def _throw_away(self, error: Exception) -> None:
        with self._write_lock, self._lock:
            self._made.throw_away(error)

    def _unwritable(self, error: Exception) -> StorageError:
        file = self._made.file
        return StorageError(
            say("The search index {file} cannot be written now ({reason}).", file=file or say("(in memory)"), reason=str(error)),
            hint=say("It is a cache and may be deleted. Check free space and permissions, then search again."),
            detail=repr(error),
        )


def _in_one_state(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Every question of `work` sees the index as it was at the first one, whatever is committed meanwhile."""
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        with suppress(sqlite3.Error, UnicodeDecodeError):
            connection.execute("COMMIT")  # not taken back: what a search sets up for itself stays
        roll_back(connection)
