"""Files: atomic replacement, durable appends, tolerant decoding. Owns the order write → fsync → replace → fsync folder.

Every file is 0600 from its creation. Nothing here knows what is stored. Blocking: call it off the GUI thread.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.phrases import os_reason, say

REPLACE_TRIES = 5
"""A target that another program holds open (Windows) is tried this often, 50 ms more apart each time."""

HELD = frozenset((errno.EACCES, errno.EPERM, errno.EBUSY, errno.ETXTBSY))
"""What a system says when another program holds a file for a moment."""

Replace = Callable[[str, str], None]
Sleep = Callable[[float], None]


def digest(data: bytes) -> str:
    """SHA-256 in hex: the identity of a file's content."""
    return hashlib.sha256(data).hexdigest()


def fsync_dir(path: Path) -> None:
    """Make the names in a folder durable. Windows has no such call."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write every byte, also when the system takes fewer at a time."""
    view = memoryview(data)
    while view:
        written = os.write(handle, view)
        view = view[written:]


def temporary_name(name: str) -> str:
    """The name beside `name` under which its next content is written; within the 255 bytes of a name, also where `name` is no text."""
    start = name.encode("utf-8", "surrogateescape")[:60].decode("utf-8", "ignore")
    return f".{start}.{secrets.token_hex(6)}.tmp"


def append_flushed(path: Path, data: bytes, *, most: int = 0) -> None:
    """Add whole lines to a file (0600), on disk when this returns; a torn last line of a crash is closed first, a new file's name flushed.

    Args:
        path: its folder must exist; a link is not followed.
        data: lines, each with its break.
        most: bytes; a file that is larger is begun anew. 0: no limit.

    Raises:
        OSError: what of it is on disk is not known.
    """
    existed = path.exists()
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        size = os.fstat(handle).st_size
        if most and size > most:
            os.ftruncate(handle, 0)
        elif size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            data = data if os.read(handle, 1) == b"\n" else b"\n" + data
        write_all(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    if not existed:
        fsync_dir(path.parent)


def _replace_with_retry(source: str, target: str, replace: Replace, sleep: Sleep) -> None:
    for attempt in range(REPLACE_TRIES):
        try:
            replace(source, target)
            return
        except OSError as error:
            if error.errno not in HELD or attempt == REPLACE_TRIES - 1:
                raise
            sleep(0.05 * (attempt + 1))


def atomic_write(path: Path, data: bytes, *, mode: int = 0o600, replace: Replace = os.replace, sleep: Sleep = time.sleep) -> None:
    """Put `data` at `path`: a reader sees the old or the new file, never half of one.

    Args:
        path: the final name; its folder must exist.
        data: all the bytes.
        mode: permission bits, held from the creation of the temporary file on.

    Raises:
        StorageError: nothing was changed and no temporary file is left.
    """
    temporary = path.with_name(temporary_name(path.name))
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
        try:
            write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        _replace_with_retry(str(temporary), str(path), replace, sleep)
        fsync_dir(path.parent)
    except OSError as error:
        with suppress(OSError):  # the first fault is the one to be told
            temporary.unlink(missing_ok=True)
        raise StorageError(
            say("{path} could not be saved ({reason}).", path=path, reason=os_reason(error)),
            hint=say("Free some space or close the program that holds the file, then save again."),
            detail=str(error),
        ) from error


def read_bytes(path: Path, limit: int | None = None) -> bytes:
    """The file's bytes, at most `limit` of them.

    Raises:
        StorageError: it is missing, a folder, or unreadable.
    """
    try:
        with path.open("rb") as file:
            return file.read() if limit is None else file.read(limit)
    except OSError as error:
        raise StorageError(say("{path} could not be read ({reason}).", path=path, reason=os_reason(error)), detail=str(error)) from error


def decode(data: bytes) -> str:
    """Text of any file: BOMs are honoured, otherwise UTF-8 with replacement marks. Never raises."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")
