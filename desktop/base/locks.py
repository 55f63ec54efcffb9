"""Locks between processes, kept by the operating system, so that a killed holder never leaves one behind. Blocking."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say

SHARE_TRIES = 200
NEWEST = 200
"""Lock files that are tried where the system does not say which are held: a session that is open was opened lately."""


@contextmanager
def held(path: Path, *, timeout_s: float = 5.0) -> Iterator[None]:
    """Hold the lock file `path` for the block.

    Raises:
        StorageError: another process kept it for longer than `timeout_s`.
    """
    from filelock import FileLock, Timeout

    ensure_private_dir(path.parent)
    lock = FileLock(str(path), timeout=timeout_s, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        raise StorageError(
            say("{parent} is in use by another process.", parent=path.parent), hint=say("Wait a moment and try again."), detail=str(path)
        ) from error
    except OSError as error:
        raise StorageError(say("{path} cannot be locked ({reason}).", path=path, reason=os_reason(error)), detail=str(error)) from error
    try:
        yield
    finally:
        lock.release()


def taken(folder: Path, suffix: str = ".lock") -> frozenset[str]:
    """Names, without `suffix`, of the lock files in a folder that are held now, by any process, this one too. Takes none that is free.

    Where the system tells which files are locked (Linux), only those are looked at; else the `NEWEST` of them. A folder that cannot be
    read holds none.
    """
    try:
        with os.scandir(folder) as found:
            files = [one for one in found if one.name.endswith(suffix)]
        locked = _locked_inodes()
        if locked is None:
            files = sorted(files, key=lambda one: one.stat().st_mtime, reverse=True)[:NEWEST]
        else:
            files = [one for one in files if one.inode() in locked]
    except OSError:
        return frozenset()
    return frozenset(one.name.removesuffix(suffix) for one in files if _is_held(Path(one.path)))


def _locked_inodes() -> frozenset[int] | None:
    """Inodes with a lock that excludes others, on whichever device; None where the system does not tell."""
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    words = (line.split() for line in lines)
    places = (one[5].rpartition(":")[2] for one in words if len(one) > 5 and one[1] == "FLOCK" and one[3] == "WRITE")
    return frozenset(int(place) for place in places if place.isdecimal())


def _is_held(path: Path) -> bool:
    """Whether a lock file is held. One that is not is shared for this moment."""
    from filelock import FileLock, Timeout

    if sys.platform == "win32":
        try:
            with FileLock(str(path), timeout=0):
                return False
        except (OSError, Timeout):
            return True
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


class SharedHold:
    """“Somebody has this open”: held by any number of processes at once, let go by the operating system when one of them dies.

    Where the system knows no shared locks (Windows) everybody counts as the first and nobody as alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def take(self) -> bool:
        """Hold it from now on; whether nobody else held it. An error of the system counts as nobody.

        Raises:
            OSError: the file cannot be made.
        """
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        first = self._try(exclusive=True)
        self.share()
        if not first:  # whoever held it may have been alone with it to close it, and is gone by now
            first = self._try(exclusive=True)
            self.share()
        return first

    def alone(self) -> bool:
        """Whether nobody else holds it now; then nobody else can take it until `share` or `release`.

        Where the answer is no, the system may have let go of our part too: `share` takes it again.
        """
        return sys.platform != "win32" and self._try(exclusive=True)

    def share(self) -> None:
        """Hold it together with others again, after `alone`. Waits for one that is alone at this moment, but not for long."""
        pause = threading.Event()
        for _ in range(SHARE_TRIES):
            if self._handle is None or self._try(exclusive=False):
                return
            pause.wait(0.01)

    def release(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _try(self, *, exclusive: bool) -> bool:
        if self._handle is None:
            return False
        if sys.platform == "win32":
            return exclusive
        import fcntl

        try:
            fcntl.flock(self._handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
