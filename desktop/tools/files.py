"""Opening and replacing workspace files by handles: the path that was shown and allowed is the file that is read or written.

A resolved path holds no links, so each folder on the way is opened without following any; a link that was put there meanwhile makes the
call fail instead of leading elsewhere. Knows nothing of permissions or memory. Blocking: called in worker threads.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import ConflictError, StorageError, ToolError
from desktop.base.phrases import os_reason, say
from desktop.base.textio import digest, write_all

_BY_HANDLE = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_FOLDER: int = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | getattr(os, "O_CLOEXEC", 0)
_READ: int = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CREATE: int = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file's bytes, and what the system says of it."""

    data: bytes
    stat: os.stat_result

    @property
    def digest(self) -> str:
        return digest(self.data)


@contextmanager
def _folder(path: Path, *, create: bool = False) -> Iterator[int | None]:
    """A handle of the real folder `path`, reached without following a link; None where the system has no such calls."""
    if not _BY_HANDLE:
        if create:
            path.mkdir(parents=True, exist_ok=True)
        if Path(os.path.realpath(path)) != path:
            raise OSError(f"{path} is reached through a link now")
        yield None
        return
    handle = os.open(path.anchor, _FOLDER)
    try:
        for part in path.parts[1:]:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
            deeper = os.open(part, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = deeper
        yield handle
    finally:
        os.close(handle)


def is_folder(path: Path) -> bool:
    """Whether a folder is there; False also for a path that the system cannot look at."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long


def exists(path: Path) -> bool:
    """Whether something is there; False also for a path that the system cannot look at."""
    return os.path.exists(path)  # noqa: PTH110 - as above


def _name(path: Path, folder: int | None) -> str:
    return str(path) if folder is None else path.name


@contextmanager
def opened(path: Path) -> Iterator[tuple[int, os.stat_result]]:
    """A regular file opened for reading.

    Raises:
        OSError: missing, unreadable, or reached through a link.
        ToolError: a folder, pipe, socket or device.
    """
    with _folder(path.parent) as folder:
        handle = os.open(_name(path, folder), _READ, dir_fd=folder)
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise ToolError(say("{path} is a folder.", path=path), hint=say("List it with Glob and the pattern “*”."))
        if not stat.S_ISREG(found.st_mode):
            raise ToolError(say("{path} is not an ordinary file but a pipe, socket or device, and is not opened.", path=path))
        yield handle, found
    finally:
        os.close(handle)


def read_handle(handle: int, limit: int | None = None) -> bytes:
    """All the bytes from here on, at most `limit`."""
    pieces, left = [], limit
    while left is None or left > 0:
        piece = os.read(handle, 1 << 20 if left is None else min(1 << 20, left))
        if not piece:
            break
        pieces.append(piece)
        left = None if left is None else left - len(piece)
    return b"".join(pieces)


def load(path: Path, most: int) -> Found | None:
    """The whole file, or None when there is none.

    Raises:
        OSError: unreadable. ToolError: no regular file, or larger than `most` bytes.
    """
    try:
        with opened(path) as (handle, found):
            if found.st_size > most:
                raise ToolError(
                    say("{path} has {size:,} bytes; at most {most:,} can be changed here.", path=path, size=found.st_size, most=most),
                    hint=say("Use Bash for it."),
                )
            return Found(read_handle(handle, most + 1), found)
    except (FileNotFoundError, NotADirectoryError):
        return None


def replace(path: Path, data: bytes, *, before: Found | None) -> None:
    """Put `data` at `path` in one step: readers see the old or the new file. Missing folders are made; mode and owner are kept.

    Args:
        path: a real path.
        data: all the bytes.
        before: the file as it was shown, or None for a new file.

    Raises:
        ConflictError: the file is not what was shown; nothing was changed.
        StorageError: the system refused; nothing was changed and no temporary file is left.
    """
    try:
        with _folder(path.parent, create=before is None) as folder:
            _check_unchanged(path, before, folder)
            _put(path, data, before, folder)
    except FileExistsError as error:
        raise ConflictError(
            say("{path} has come to exist meanwhile; nothing was written.", path=path), hint=say("Read it, then decide again.")
        ) from error
    except OSError as error:
        raise StorageError(
            say("{path} could not be written ({reason}).", path=path, reason=os_reason(error)),
            hint=say("Check that the folder exists, that there is free space, and that you may write there."),
            detail=str(error),
        ) from error


def _check_unchanged(path: Path, before: Found | None, folder: int | None) -> None:
    try:
        handle = os.open(_name(path, folder), _READ, dir_fd=folder)
    except FileNotFoundError:
        if before is None:
            return
        raise ConflictError(say("{path} was removed meanwhile; nothing was written.", path=path)) from None
    try:
        if before is None:
            raise FileExistsError
        now = os.fstat(handle)
        if not stat.S_ISREG(now.st_mode) or now.st_size != len(before.data) or digest(read_handle(handle)) != before.digest:
            raise ConflictError(
                say("{path} was changed meanwhile; nothing was written.", path=path), hint=say("Read it again, then repeat the change.")
            )
    finally:
        os.close(handle)


def _put(path: Path, data: bytes, before: Found | None, folder: int | None) -> None:
    temporary = path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}.tmp")
    name, final = _name(temporary, folder), _name(path, folder)
    handle = os.open(name, _CREATE, 0o666 if before is None else 0o600, dir_fd=folder)
    try:
        try:
            write_all(handle, data)
            if before is not None:
                _keep_rights(handle, before.stat)
            os.fsync(handle)
        finally:
            os.close(handle)
        if before is None and _linked(name, final, folder):
            os.unlink(name, dir_fd=folder)
        else:
            os.replace(name, final, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise
    _flush_folder(path.parent, folder)


def _keep_rights(handle: int, before: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def _linked(name: str, final: str, folder: int | None) -> bool:
    """Give a new file its name without ever replacing another; False where the file system has no hard links.

    Raises:
        FileExistsError: the name was taken meanwhile.
    """
    try:
        os.link(name, final, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        return False
    return True


def _flush_folder(path: Path, folder: int | None) -> None:
    if folder is None:
        return
    with contextlib.suppress(PermissionError):  # a folder that may be entered but not listed cannot be opened for this
        handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
