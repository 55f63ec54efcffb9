"""Locks between processes, kept by the operating system, so that a killed holder never leaves one behind. Blocking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say


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
