"""What an error of SQLite means for an index: broken, in use, not to be written, or something else. Pure."""

from __future__ import annotations

import sqlite3
from enum import Enum, auto


class Fault(Enum):
    """What is the matter."""

    DAMAGED = auto()
    BUSY = auto()
    REFUSED = auto()
    OTHER = auto()


_BY_CODE = {
    sqlite3.SQLITE_CORRUPT: Fault.DAMAGED,
    sqlite3.SQLITE_NOTADB: Fault.DAMAGED,
    sqlite3.SQLITE_FORMAT: Fault.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: Fault.DAMAGED,
    sqlite3.SQLITE_MISMATCH: Fault.DAMAGED,
    sqlite3.SQLITE_BUSY: Fault.BUSY,
    sqlite3.SQLITE_LOCKED: Fault.BUSY,
    sqlite3.SQLITE_PROTOCOL: Fault.BUSY,
    sqlite3.SQLITE_FULL: Fault.REFUSED,
    sqlite3.SQLITE_READONLY: Fault.REFUSED,
    sqlite3.SQLITE_PERM: Fault.REFUSED,
    sqlite3.SQLITE_CANTOPEN: Fault.REFUSED,
    sqlite3.SQLITE_IOERR: Fault.REFUSED,
    sqlite3.SQLITE_NOLFS: Fault.REFUSED,
}
"""Our own statements break no constraint of a sound index, so one that is broken tells of damage."""


def fault_of(error: sqlite3.Error) -> Fault:
    """By SQLite's primary code; an error that Python or this package raised itself tells by its class."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _BY_CODE.get(code & 0xFF, Fault.OTHER)
    return Fault.DAMAGED if type(error) in (sqlite3.DatabaseError, sqlite3.IntegrityError) else Fault.OTHER
