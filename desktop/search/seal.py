"""What an index file and its write-ahead log were like after our last change: size, times and inode. Owns that record beside the index.

Whoever changed the file without leaving a record is not one of ours, or was killed meanwhile: then the index is looked through before it is
believed. A record is believed itself only when the file system's clock had moved on before it was written, since a file that is changed
twice within one tick looks the same. Holds no text. Blocking.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from desktop.base.textio import write_all

log = logging.getLogger(__name__)

NAME = ".stamp"
TICK_S = 0.004
TICKS = 12
"""How often a moment is waited for the clock of the file system, which moves every 1 to 10 ms; those of 2 s are never believed."""

MOST_BYTES = 1_000
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
Look = list[int]


def look(file: Path) -> Look:
    """The state of a file and its log; an empty log is like none.

    Raises:
        OSError: there is no such file.
    """
    state = _state(file.stat())
    with suppress(FileNotFoundError):
        log_state = file.with_name(f"{file.name}-wal").stat()
        if log_state.st_size:
            return state + _state(log_state)
    return [*state, 0, 0, 0, 0, 0]


def _state(status: os.stat_result) -> Look:
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]


class Seal:
    """The record of one index file.

    Args:
        pause: waits some seconds.
    """

    def __init__(self, file: Path, pause: Callable[[float], object] | None = None) -> None:
        self._file = file
        self._path = file.with_name(file.name + NAME)
        self._pause = pause or threading.Event().wait

    def leave(self, state: Look) -> None:
        """Record a state. Never raises: without it the index is looked through once more than needed."""
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | _PLAIN, 0o600)
            try:
                data = json.dumps(state).encode()
                write_all(handle, data)
                os.ftruncate(handle, len(data))
            finally:
                os.close(handle)
        except OSError as error:
            log.info("the search index was not marked as whole: %s", error)

    def leave_for_good(self) -> None:
        """Record the file as it is now so that the record is believed at the next opening."""
        with suppress(OSError):
            self.leave(look(self._file))
            for _ in range(TICKS):
                if self._is_later(look(self._file)):
                    break
                self._pause(TICK_S)
                self.leave([])
            self.leave(look(self._file))

    def left(self) -> Look | None:
        """The record, or None without a readable one."""
        try:
            handle = os.open(self._path, os.O_RDONLY | _PLAIN)
            try:
                found = json.loads(os.read(handle, MOST_BYTES))
            finally:
                os.close(handle)
        except (OSError, ValueError):
            return None
        return found if isinstance(found, list) else None

    def is_true(self) -> bool:
        """Whether the file is as it was left, beyond doubt."""
        try:
            now = look(self._file)
            return self.left() == now and self._is_later(now)
        except OSError:
            return False

    def _is_later(self, state: Look) -> bool:
        """Whether the record was written in a later tick than what it records, both by the clock of the file system."""
        written = self._path.stat().st_ctime_ns
        return written > max(state[1], state[2], state[6], state[7])

    def remove(self) -> None:
        """Take the record away.

        Raises:
            OSError: it is there and cannot be deleted.
        """
        self._path.unlink(missing_ok=True)
