"""The session list's memory over restarts: what each transcript said, for as long as its file is the one that was read.

One file below the cache folder: a line for each summary, each with its checksum, appended as they come; the last one of a key holds. It is
kept by path, size and times of the file, never trusted over it, and may be deleted, cut or broken at any time: what is missing is read
again. A cache that cannot be written is no error. Any thread; reading it happens with the first question and blocks.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import zlib
from collections.abc import Collection, Iterator
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import desktop
from desktop.base.clock import parse_iso
from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write
from desktop.sessions.summary import SessionSummary

FORM = 1
"""Goes up when summaries are made in another way; lines of another form, or of another version of the app, are not believed."""

MOST_BYTES = 64 << 20
"""A larger cache file is thrown away: 10,000 sessions take about 6 MB."""
SPARE_LINES = 2_000
"""Lines that were replaced by newer ones, beyond the number of those that hold, before the file is written anew."""

log = logging.getLogger(__name__)
_FIELDS = tuple(field.name for field in fields(SessionSummary))
_TIMES = ("started", "updated")


class FileState(NamedTuple):
    """What changes when a file is written: its size in bytes, its times of change in nanoseconds."""

    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class ListCache:
    """See the module's text.

    Args:
        path: of the cache file; None keeps everything in memory alone.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._entries: dict[str, tuple[FileState, SessionSummary]] | None = None
        self._new: dict[str, None] = {}
        self._lines = 0
        self._rewrite = False

    def get(self, key: str, state: FileState) -> SessionSummary | None:
        """The summary that was kept for the file in exactly this state."""
        with self._lock:
            found = self._loaded().get(key)
        return found[1] if found is not None and found[0] == state else None

    def put(self, key: str, state: FileState, summary: SessionSummary) -> None:
        """Keep a summary; it is on disk after the next `flush`."""
        with self._lock:
            self._loaded()[key] = (state, summary)
            self._new[key] = None

    def forget(self, key: str) -> None:
        """The file is not there any more: with the next `flush` nothing of its text is left on disk either."""
        with self._lock:
            if self._loaded().pop(key, None) is not None:
                self._new.pop(key, None)
                self._rewrite = True

    def keep_only(self, keys: Collection[str]) -> None:
        """Forget all others."""
        with self._lock:
            for key in [key for key in self._loaded() if key not in keys]:
                self.forget(key)

    def flush(self) -> None:
        """Write what is new. Cheap when nothing is."""
        with self._lock:
            if self._path is None or not (self._new or self._rewrite):
                return
            try:
                self._write(self._path)
            except (OSError, StorageError) as error:
                log.info("the session list is not cached: %s", error)
                return
            self._new, self._rewrite = {}, False

    # --- the file ----------------------------------------------------------------------------------------------------

    def _write(self, path: Path) -> None:
        entries = self._loaded()
        again = self._rewrite or self._lines + len(self._new) > 2 * len(entries) + SPARE_LINES or not path.exists()
        ensure_private_dir(path.parent)
        if again:
            atomic_write(path, _stamp() + b"".join(_line(key, *entry) for key, entry in entries.items()))
            self._lines = len(entries)
            return
        data = b"".join(_line(key, *entries[key]) for key in self._new)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.write(handle, data)  # one call: another process appends before it or behind it
        finally:
            os.close(handle)
        self._lines += len(self._new)

    def _loaded(self) -> dict[str, tuple[FileState, SessionSummary]]:
        if self._entries is None:
            self._entries = {}
            for key, state, summary in self._read():
                self._lines += 1
                self._entries[key] = (state, summary)
        return self._entries

    def _read(self) -> Iterator[tuple[str, FileState, SessionSummary]]:
        """What the file holds; lines that are cut, changed or of another form are left out, and it is written anew."""
        if self._path is None:
            return
        try:
            with self._path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return
        except OSError as error:
            log.info("the cache of the session list cannot be read: %s", error)
            return
        stamp, _, body = data.partition(b"\n")
        if len(data) > MOST_BYTES or stamp + b"\n" != _stamp():
            self._rewrite = True
            return
        for line in body.split(b"\n"):
            found = _entry(line) if line else None
            if found is not None:
                yield found
            elif line:
                self._rewrite = True


def _stamp() -> bytes:
    return json.dumps({"form": FORM, "app": desktop.__version__, "fields": _FIELDS}, separators=(",", ":")).encode("ascii") + b"\n"


def _line(key: str, state: FileState, summary: SessionSummary) -> bytes:
    values: list[Any] = [getattr(summary, name) for name in _FIELDS]
    plain = [str(v) if isinstance(v, Path) else v.isoformat() if isinstance(v, datetime) else v for v in values]
    data = json.dumps([key, *state, plain], ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(data), data)


def _entry(line: bytes) -> tuple[str, FileState, SessionSummary] | None:
    """What a line holds; None for one that is not whole. The checksum vouches for the types of what a line of this form holds."""
    data = line[9:]
    try:
        if int(line[:8], 16) != zlib.crc32(data) or line[8:9] != b" ":
            return None
        key, size, mtime, ctime, plain = json.loads(data)
        values = dict(zip(_FIELDS, plain, strict=True))
        values["path"] = Path(values["path"])
        for name in _TIMES:
            values[name] = parse_iso(values[name])
            if values[name] is None:
                return None
        return str(key), FileState(int(size), int(mtime), int(ctime)), SessionSummary(**values)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
