"""Opening, reading and writing files below a folder so that no link can lead outside, also while somebody swaps folders for links.

Owns the walk by directory handles: each folder on the way is opened relative to the one before with O_NOFOLLOW, and the last step
happens inside the opened folder (temporary file, fsync, replace, fsync folder). Where the system has no such calls (Windows) every
component is checked to be a plain folder first. Knows nothing of what is stored. Blocking: call it off the GUI thread.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from desktop.base.errors import NotFoundError, RefusedError, StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import HELD, REPLACE_TRIES, Sleep, atomic_write, fsync_dir, temporary_name, write_all

HANDLES = sys.platform != "win32" and os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system opens files relative to an opened folder."""

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def split_relative(relative: str | PurePosixPath) -> list[str]:
    """The components of a path below a root.

    Raises:
        RefusedError: it is absolute, empty, or holds an empty, `.` or `..` component or a NUL.
    """
    text = str(relative)
    parts = text.split("/")
    if not text or any(part in ("", ".", "..") or "\x00" in part for part in parts) or (os.sep == "\\" and "\\" in text):
        raise RefusedError(say("“{text}” is not a path below a folder.", text=text), hint=say("Give the name of a file, e.g. topic.md."))
    return parts


def _link_error(root: Path, relative: str, error: OSError) -> StorageError | RefusedError:
    """The error for a step of the walk that failed."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return RefusedError(
            say("{path} is reached through a link or a plain file, so it is not touched.", path=root / relative),
            hint=say("Replace the link by a real folder, or name another file."),
            detail=str(error),
        )
    return StorageError(
        say("{path} could not be reached ({reason}).", path=root / relative, reason=os_reason(error)),
        hint=say("Check that the folder exists and that you may use it."),
        detail=str(error),
    )


def _open_child(parent: int, name: str, *, create: bool) -> int:
    if create:
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
        except FileExistsError:
            pass
        else:
            os.fsync(parent)
    return os.open(name, _FOLDER, dir_fd=parent)


_STARTS: dict[Path, Path] = {}
"""Roots inside a folder that may be anybody's work: their walk begins at that folder, not at the root itself."""


def walk_from(root: Path, start: Path) -> None:
    """Let every walk below `root` begin at `start`, a folder above it: then no folder between the two may be a link that leads out (B31).

    Without this the way to the root may hold links, as a home folder's does (B33).
    """
    _STARTS[root] = start


def _way(root: Path) -> tuple[Path, list[str]]:
    """Where the walk to `root` begins, and the components from there to it.

    Raises:
        OSError: it leaves the folder that it has to stay in.
    """
    start = _STARTS.get(root)
    if start is None:
        return root, []
    home, real = Path(os.path.realpath(start)), Path(os.path.realpath(root))
    if root.is_symlink() or not real.is_relative_to(home):
        raise OSError(errno.ELOOP, say("{path} is reached through a link that leads elsewhere", path=root))
    return home, list(real.relative_to(home).parts)


def obstacle_beneath(root: Path, relative: str) -> str | None:
    """Why `relative` cannot be reached below `root` without a link, as a sentence, or None; what does not exist is no obstacle.

    An early word for people: reading and writing look again, by handles.
    """
    try:
        start, below = _way(root)
        if not below and root.is_symlink():
            return say("The memory folder {root} is itself a link, so nothing is written through it.", root=root)
        place, parts = start, [*below, *split_relative(relative)]
        for index, part in enumerate(parts):
            place = place / part
            mode = place.lstat().st_mode
            if stat.S_ISLNK(mode):
                return say("{path} is a link, and memory is not written through links.", path=place)
            if index < len(parts) - 1 and not stat.S_ISDIR(mode):
                return say("{path} is not a folder.", path=place)
            if index == len(parts) - 1 and not stat.S_ISREG(mode):
                return say("{path} is not a plain file.", path=place)
    except FileNotFoundError:
        return None
    except RefusedError as error:
        return error.message
    except (OSError, ValueError) as error:
        return say("{path} could not be reached ({reason}).", path=root / relative, reason=error)
    return None


@contextmanager
def open_parent(root: Path, relative: str, *, create: bool = False) -> Iterator[tuple[int, str]]:
    """Hold the folder that holds `relative`, as an open handle, for the block; gives the handle and the last name.

    Args:
        root: a real folder; its last component must not be a link.
        relative: posix path below `root`.
        create: make missing folders (0700), the root included.

    Raises:
        NotFoundError: a folder on the way is missing and `create` is off.
        RefusedError: a component is a link or a plain file.
        StorageError: anything else the system says.
    """
    *folders, name = split_relative(relative)
    handle = -1
    try:
        start, below = _way(root)
        if create and not below:
            ensure_private_dir(root)
        handle = os.open(start, _FOLDER)
        for folder in (*below, *folders):
            child = _open_child(handle, folder, create=create)
            os.close(handle)
            handle = child
    except FileNotFoundError as error:
        if handle >= 0:
            os.close(handle)
        raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
    except (OSError, ValueError) as error:
        if handle >= 0:
            os.close(handle)
        raise _link_error(root, relative, error if isinstance(error, OSError) else OSError(str(error))) from error
    try:
        yield handle, name
    finally:
        os.close(handle)


def _replace_with_retry(action: Callable[[], None], sleep: Sleep) -> None:
    for attempt in range(REPLACE_TRIES):
        try:
            action()
            return
        except OSError as error:
            if error.errno not in HELD or attempt == REPLACE_TRIES - 1:
                raise
            sleep(0.05 * (attempt + 1))


def _check_target(handle: int, name: str) -> None:
    """Only a plain file or nothing may stand where a file is put; a link is replaced by nobody."""
    try:
        mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, say("it is a link"))
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENOTDIR, say("it is not a plain file"))


def _put(handle: int, name: str, data: bytes, mode: int, sleep: Sleep) -> None:
    """The atomic replacement inside the opened folder `handle`."""
    _check_target(handle, name)
    temporary = temporary_name(name)
    try:
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=handle)
        try:
            write_all(file, data)
            os.fsync(file)
        finally:
            os.close(file)
        _replace_with_retry(lambda: os.replace(temporary, name, src_dir_fd=handle, dst_dir_fd=handle), sleep)
        os.fsync(handle)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=handle)
        raise


def write_beneath(root: Path, relative: str, data: bytes, *, create: bool = True, mode: int = 0o600, sleep: Sleep = time.sleep) -> None:
    """Put `data` at `relative` below `root`: old or new file for every reader, never through a link, never in place.

    A file with several names (hard links) gets a new one of its own, so the other names keep their content.

    Raises:
        RefusedError: a link or a plain file is in the way.
        StorageError: nothing was changed, and no temporary file is left.
    """
    if not HANDLES:
        _write_plain(root, relative, data, create=create, mode=mode, sleep=sleep)
        return
    try:
        with open_parent(root, relative, create=create) as (handle, name):
            _put(handle, name, data, mode, sleep)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _link_error(root, relative, error) from error
        raise StorageError(
            say("{path} could not be saved ({reason}).", path=root / relative, reason=os_reason(error)),
            hint=say("Free some space or close the program that holds the file, then save again."),
            detail=str(error),
        ) from error


def read_beneath(root: Path, relative: str, *, limit: int | None = None) -> bytes:
    """The bytes of the plain file `relative` below `root`, at most `limit`.

    Raises:
        NotFoundError: it is not there.
        RefusedError: a link, a folder or a device stands on the way or in its place.
        StorageError: it cannot be read.
    """
    if not HANDLES:
        return _read_plain(root, relative, limit)
    with open_parent(root, relative) as (handle, name):
        try:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=handle)
        except FileNotFoundError as error:
            raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
        except OSError as error:
            raise _link_error(root, relative, error) from error
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise RefusedError(say("{path} is not a plain file.", path=root / relative), hint=say("Name a file."))
            with os.fdopen(file, "rb", closefd=False) as stream:
                return stream.read() if limit is None else stream.read(limit)
        except OSError as error:
            raise _link_error(root, relative, error) from error
        finally:
            os.close(file)


def exists_beneath(root: Path, relative: str) -> bool:
    """Whether something (also a link) stands at `relative` below `root`, reached without following links."""
    if not HANDLES:
        return os.path.lexists(root / relative)
    try:
        with open_parent(root, relative) as (handle, name):
            os.stat(name, dir_fd=handle, follow_symlinks=False)
            return True
    except (NotFoundError, FileNotFoundError):
        return False
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # nothing can have such a name
            return False
        raise _link_error(root, relative, error) from error


def delete_beneath(root: Path, relative: str) -> None:
    """Remove the name `relative` below `root` (a file or a link, never what a link leads to) and the folders it leaves empty.

    Raises:
        NotFoundError: it is not there.
        StorageError: it could not be removed.
    """
    if not HANDLES:
        _delete_plain(root, relative)
    else:
        with open_parent(root, relative) as (handle, name):
            try:
                _replace_with_retry(lambda: os.unlink(name, dir_fd=handle), time.sleep)
                os.fsync(handle)
            except FileNotFoundError as error:
                raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
            except OSError as error:
                raise StorageError(
                    say("{path} could not be removed ({reason}).", path=root / relative, reason=os_reason(error)), detail=str(error)
                ) from error
    _prune_empty(root, relative)


def _prune_empty(root: Path, relative: str) -> None:
    folder = "/".join(split_relative(relative)[:-1])
    while folder:
        try:
            if HANDLES:
                with open_parent(root, folder) as (handle, name):
                    os.rmdir(name, dir_fd=handle)
            else:
                (root / folder).rmdir()
        except (OSError, StorageError, NotFoundError, RefusedError):
            return
        folder = folder.rpartition("/")[0]


def rename_beneath(root: Path, old: str, new: str) -> None:
    """Give the plain file `old` the name `new`, both below `root`; missing folders are made, nothing is overwritten.

    Raises:
        NotFoundError: `old` is not there.
        StorageError: `new` exists, or the system refuses.
    """
    data = read_beneath(root, old)
    if exists_beneath(root, new):
        raise StorageError(say("{path} exists already.", path=root / new), hint=say("Choose another name."))
    write_beneath(root, new, data)
    delete_beneath(root, old)


def _check_plain(root: Path, relative: str, *, create: bool, any_kind: bool = False) -> Path:
    """The walk for systems without directory handles: every component must be a plain folder; `any_kind`: the last may be a link."""
    *folders, name = split_relative(relative)
    try:
        place, below = _way(root)
        if create and not below:
            ensure_private_dir(root)
        for folder in ("", *below, *folders):
            place = place / folder if folder else place
            if create and folder:
                place.mkdir(mode=0o700, exist_ok=True)
            status = os.lstat(place)
            reparse = getattr(status, "st_file_attributes", 0) & getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0)
            if reparse or not stat.S_ISDIR(status.st_mode):
                raise OSError(errno.ELOOP, say("it is a link"))
        target = place / name
        if not any_kind and os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
            raise OSError(errno.ELOOP, say("it is not a plain file"))
    except FileNotFoundError as error:
        raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
    except (OSError, ValueError) as error:
        raise _link_error(root, relative, error if isinstance(error, OSError) else OSError(str(error))) from error
    return target


def _write_plain(root: Path, relative: str, data: bytes, *, create: bool, mode: int, sleep: Sleep) -> None:
    atomic_write(_check_plain(root, relative, create=create), data, mode=mode, sleep=sleep)


def _read_plain(root: Path, relative: str, limit: int | None) -> bytes:
    target = _check_plain(root, relative, create=False)
    try:
        with target.open("rb") as stream:
            return stream.read() if limit is None else stream.read(limit)
    except FileNotFoundError as error:
        raise NotFoundError(say("{path} does not exist.", path=target), detail=str(error)) from error
    except OSError as error:
        raise _link_error(root, relative, error) from error


def _delete_plain(root: Path, relative: str) -> None:
    target = _check_plain(root, relative, create=False, any_kind=True)
    try:
        _replace_with_retry(target.unlink, time.sleep)
        fsync_dir(target.parent)
    except FileNotFoundError as error:
        raise NotFoundError(say("{path} does not exist.", path=target), detail=str(error)) from error
    except OSError as error:
        raise StorageError(
            say("{path} could not be removed ({reason}).", path=target, reason=os_reason(error)), detail=str(error)
        ) from error
