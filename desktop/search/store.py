"""The SQLite file of one index: opening it, keeping it sound, changing it. Owns connections and locks; knows no ranking.

One connection writes and another reads, so that a search never waits for an update. What is damaged is thrown away and counted in
`rebuilt`; whoever fills the index sees empty fingerprints then and fills it again. A folder that cannot be written gives an index in
memory. Thread-safe, blocking.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from desktop.base.errors import StorageError
from desktop.base.locks import SharedHold
from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write
from desktop.search.schema import BESIDE, connect, is_sound, remove

log = logging.getLogger(__name__)

STAMP = ".stamp"
HOLD = ".open"
ORPHANS = """SELECT (SELECT count(*) FROM passage WHERE document NOT IN (SELECT id FROM document))
    + (SELECT count(*) FROM content WHERE id NOT IN (SELECT id FROM passage))
    + (SELECT count(*) FROM passage WHERE id NOT IN (SELECT id FROM content))"""
T = TypeVar("T")


class IndexStore:
    """The connections of one index file.

    Attributes:
        rebuilt: how often the file was thrown away and made anew by this process.
        problem: why the index is in memory only, or "".
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.rebuilt = 0
        self.problem = ""
        self._lock = threading.RLock()
        self._write_lock = threading.RLock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._hold: SharedHold | None = None

    # use

    def read(self, work: Callable[[sqlite3.Connection], T], empty: T) -> T:
        """What `work` finds; `empty` when the index is damaged (and thrown away now) or cannot be read at this moment."""
        with self._lock:
            connection = self._connection(writing=False)
            try:
                return work(connection)
            except sqlite3.OperationalError as error:
                if not is_damage(error):
                    log.info("the search index cannot be read now: %s", error)
                    return empty
                self._throw_away(error)
            except sqlite3.DatabaseError as error:
                self._throw_away(error)
            return empty

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. What is damaged is thrown away.

        Raises:
            StorageError: it cannot be written now: locked by another process, full disk, damaged (the next try starts anew).
        """
        with self._write_lock:
            connection = self._connection(writing=True)
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                if is_damage(error):
                    self._throw_away(error)
                raise _unwritable(self.file, error) from error
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def verify(self) -> bool:
        """Look through the whole file; throws away one that is damaged and says False."""
        with self._lock, self._write_lock:
            connection = self._connection(writing=True)
            if _is_whole(connection):
                return True
            self._throw_away(sqlite3.DatabaseError("the index does not agree with itself"))
            return False

    def drop(self) -> None:
        """Delete the index: no byte of any text is left in it.

        Raises:
            StorageError: its file cannot be deleted.
        """
        with self._lock, self._write_lock:
            self._disconnect()
            if self.file is None:
                return
            try:
                self._unstamp()
                remove(self.file)
            except OSError as error:
                raise _unwritable(self.file, error) from error

    def close(self) -> None:
        """Close it; the file is marked as whole when nobody else has it open."""
        with self._lock, self._write_lock:
            hold, self._hold = self._hold, None
            self._fold_in()
            self._disconnect()
            if self.file is not None and hold is not None and hold.alone() and not self.problem:
                self._write_stamp()
            if hold is not None:
                hold.release()

    # opening

    def _connection(self, *, writing: bool) -> sqlite3.Connection:
        with self._lock:
            if self._reader is not None and self._was_replaced():
                self._disconnect()
            if self._reader is None:
                self._open()
            found = self._writer if writing else self._reader
            assert found is not None
            return found

    def _was_replaced(self) -> bool:
        """Whether the file at our path is another by now, say since it was deleted or another process made it anew."""
        if self.file is None or self.problem:
            return False
        try:
            status = self.file.stat()
        except OSError:
            return True
        return (status.st_dev, status.st_ino) != self._identity

    def _open(self) -> None:
        """Connect twice; a file that is not sound is thrown away first, a folder that cannot be written leads to memory."""
        if self.file is None:
            self._reader = self._writer = connect(None)
            return
        try:
            ensure_private_dir(self.file.parent)
            self._open_file(self.file)
        except (OSError, StorageError) as error:
            self._open_in_memory(str(error))
        except sqlite3.Error as error:
            if _is_refusal(error):
                self._open_in_memory(str(error))
            else:
                self._open_anew(self.file, error)

    def _open_in_memory(self, reason: str) -> None:
        log.warning("the search index is kept in memory only: %s", reason)
        self._disconnect()
        self.problem = reason
        self._reader = self._writer = connect(None)

    def _open_anew(self, file: Path, why: sqlite3.Error) -> None:
        log.warning("the search index is made anew: %s", why)
        self._disconnect()
        self.rebuilt += 1
        try:
            self._unstamp()
            remove(file)
            self._open_file(file)
        except (OSError, sqlite3.Error) as error:
            self._open_in_memory(str(error))

    def _open_file(self, file: Path) -> None:
        first = self._first_to_open(file)
        trusted = not first or self._is_stamped(file)
        self._unstamp()
        self._writer = connect(file)
        if not trusted and not _is_whole(self._writer):
            raise sqlite3.DatabaseError("the index does not agree with itself")
        self._reader = connect(file)
        status = file.stat()
        self._identity = (status.st_dev, status.st_ino)

    def _first_to_open(self, file: Path) -> bool:
        """Whether nobody else has the index open; another process that has looked it through when it opened it."""
        if self._hold is None:
            self._hold = SharedHold(file.with_name(file.name + HOLD))
            return self._hold.take()
        return True

    def _disconnect(self) -> None:
        for connection in dict.fromkeys((self._reader, self._writer)):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self._reader = self._writer = None
        self._identity = None

    def _throw_away(self, error: sqlite3.Error) -> None:
        with self._lock, self._write_lock:
            self._disconnect()
            if self.file is not None and not self.problem:
                self._open_anew(self.file, error)

    # the mark of a file that was closed in order

    def _fold_in(self) -> None:
        if self._writer is not None and self.file is not None and not self.problem:
            with suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def _stamp_file(self, file: Path) -> Path:
        return file.with_name(file.name + STAMP)

    def _write_stamp(self) -> None:
        assert self.file is not None
        try:
            atomic_write(self._stamp_file(self.file), json.dumps(_identity(self.file)).encode())
        except (OSError, StorageError) as error:
            log.info("the search index was not marked as whole: %s", error)

    def _is_stamped(self, file: Path) -> bool:
        try:
            beside = [file.with_name(file.name + end) for end in BESIDE]
            if any(one.stat().st_size for one in beside if one.exists()):
                return False
            stamp = json.loads(self._stamp_file(file).read_bytes())
            return bool(stamp == _identity(file))
        except (OSError, ValueError):
            return not file.exists() or file.stat().st_size == 0

    def _unstamp(self) -> None:
        if self.file is not None:
            self._stamp_file(self.file).unlink(missing_ok=True)


def _identity(file: Path) -> list[int]:
    status = file.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error means that the file is broken, as against busy, full or not writable."""
    if isinstance(error, sqlite3.OperationalError):
        return any(word in str(error) for word in ("malformed", "no such table", "no such column", "no such module", "vtable", "corrupt"))
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, (sqlite3.IntegrityError, sqlite3.ProgrammingError))


def _is_refusal(error: sqlite3.Error) -> bool:
    """Whether the place refuses us: no permission, read-only, full, locked. Making the file anew would not help."""
    text = str(error)
    return any(word in text for word in ("unable to open", "readonly", "read-only", "disk is full", "locked", "disk I/O error"))


def _unwritable(file: Path | None, error: Exception) -> StorageError:
    from desktop.base.phrases import say

    return StorageError(
        say("The search index {file} cannot be written now ({reason}).", file=file or say("(in memory)"), reason=str(error)),
        hint=say("It is a cache and may be deleted. Check free space and permissions, then search again."),
        detail=repr(error),
    )


# digests


def passage_digest(unit: int, place: int, role: str, time: float, title: str, body: str, ref: str) -> bytes:
    """What tells two passages apart, 12 bytes."""
    head = struct.pack("<qqd", unit, place, time)
    parts = "\0".join((role, title, body, ref)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(head + parts, digest_size=12).digest()


def document_digest(passages: list[bytes]) -> str:
    return hashlib.blake2b(b"".join(passages), digest_size=12).hexdigest()


def _is_whole(connection: sqlite3.Connection) -> bool:
    """SQLite's, FTS5's and our own view of the file agree: also a changed letter inside a stored text is found."""
    if not is_sound(connection):
        return False
    try:
        for identity, digest in connection.execute("SELECT id, digest FROM document").fetchall():
            if digest != _stored_digest(connection, identity):
                return False
        orphans = connection.execute(ORPHANS).fetchone()[0]
    except (sqlite3.Error, UnicodeError, struct.error, TypeError):
        return False
    return not orphans


def _stored_digest(connection: sqlite3.Connection, document: int) -> str:
    rows = connection.execute(
        "SELECT p.unit, p.place, p.role, p.time, c.title, c.body, c.ref FROM passage AS p JOIN content AS c ON c.id = p.id "
        "WHERE p.document = ? ORDER BY p.unit, p.place",
        (document,),
    )
    return document_digest([passage_digest(*row) for row in rows])
