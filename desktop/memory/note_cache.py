"""Headers of notes that were read before, so that a list of many notes reads only what changed. A cache: it may be deleted at any time.

Owns the file `<data>/index/headers/<key>` and what makes an entry out of date: size, times of change and inode of the file, and doubt about
files that changed just before they were read. Reads and writes no memory. A cache file that is damaged, of another form or of another
folder is ignored and made anew. Thread-safe; blocking.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import phrase_from_json, phrase_to_json
from desktop.base.textio import atomic_write
from desktop.memory.note import Note

log = logging.getLogger(__name__)

FORM = 2
"""Goes up whenever headers are read in another way, so that an older cache is not believed."""

DOUBT_NS = 2_000_000_000
"""A file that changed less than this before it was read may change once more without looking different: coarse clocks tick in up to 2 s."""

WORTH_SAVING = 64
"""So many new or gone entries, or a fiftieth of all, are written at once; fewer are cheaper read again at the next start."""

_MAX_BYTES = 512 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Identity = tuple[int, int, int, int]
"""Size, mtime and ctime in ns, inode."""

Entry = tuple[Identity, Note]


def identity_of(status: os.stat_result) -> Identity:
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def header_file(paths: AppPaths, key: str) -> Path:
    """Where the headers of the root with this key are kept."""
    return paths.index / "headers" / key


class NoteCache:
    """The headers of one memory folder.

    Args:
        root: the memory folder.
        file: where they are kept between runs; None: only in memory.
        now_ns: the wall time in ns that files are stamped with.
    """

    def __init__(self, root: Path, file: Path | None = None, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._root = str(root)
        self._file = file
        self._now_ns = now_ns
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] | None = None
        self._unsaved = 0

    def entries(self) -> Mapping[str, Entry]:
        """What is known, by path; not to be changed."""
        with self._lock:
            if self._entries is None:
                self._entries = _loaded(self._file, self._root) if self._file is not None else {}
            return self._entries

    def settled(self, identity: Identity, *, read_ns: int) -> bool:
        """Whether a file that was read at `read_ns` would look different after one more change."""
        return max(identity[1], identity[2]) + DOUBT_NS <= read_ns

    def now_ns(self) -> int:
        return self._now_ns()

    def replace(self, entries: dict[str, Entry], changed: int) -> None:
        """Take over what a walk found; `changed` entries are new or gone. Writes the file when that is worth it. Never raises."""
        with self._lock:
            self._entries = entries
            self._unsaved += changed
            worth = self._unsaved >= WORTH_SAVING or self._unsaved * 50 >= max(len(entries), 50)
            if self._file is None or not worth:
                return
            self._unsaved = 0
            file = self._file
        try:
            ensure_private_dir(file.parent)
            atomic_write(file, _dumped(entries, self._root))
        except StorageError as error:
            log.info("the cache of note headers was not saved: %s", error.message)

    def drop(self) -> None:
        """Forget everything, on disk too: after a purge nothing of a note's header is left."""
        with self._lock:
            self._entries, self._unsaved = {}, 0
            if self._file is not None:
                with suppress(OSError):
                    self._file.unlink(missing_ok=True)


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def _moment(value: int | None) -> datetime | None:
    return None if value is None else _EPOCH + timedelta(microseconds=value)


def _row(identity: Identity, note: Note) -> list[Any]:
    problem = phrase_to_json(note.problem) or note.problem if note.problem else None
    return [
        *identity,
        note.name,
        note.description,
        note.type,
        _micros(note.created),
        _micros(note.modified),
        note.origin_session,
        note.origin_message,
        note.pinned,
        problem,
        note.hint,
        note.keywords,
        note.supersedes,
        note.explicit,
    ]


def _entry(path: str, row: list[Any]) -> Entry:
    size, mtime, ctime, inode, name, description, kind, created, modified, session, message, pinned, problem, hint = row[:14]
    keywords, supersedes, explicit = row[14:]
    told = phrase_from_json(problem) if isinstance(problem, dict) else problem
    made = _moment(modified) or _EPOCH
    note = Note(
        path, name, description, kind, _moment(created), made, session, message, pinned, size, told, hint, tuple(keywords),
        tuple(supersedes), explicit,
    )  # fmt: skip
    return (size, mtime, ctime, inode), note


def _dumped(entries: Mapping[str, Entry], root: str) -> bytes:
    rows = {path: _row(identity, note) for path, (identity, note) in entries.items()}
    data = json.dumps({"root": root, "notes": rows}, separators=(",", ":")).encode()
    return b"keepsake-headers %d %s\n" % (FORM, hashlib.sha256(data).hexdigest().encode()) + data


def _loaded(file: Path, root: str) -> dict[str, Entry]:
    try:
        with file.open("rb") as stream:
            raw = stream.read(_MAX_BYTES)
    except OSError:
        return {}
    head, _, data = raw.partition(b"\n")
    if head != b"keepsake-headers %d %s" % (FORM, hashlib.sha256(data).hexdigest().encode()):
        return {}
    try:
        found = json.loads(data)
        if found["root"] != root:
            return {}
        return {path: _entry(path, row) for path, row in found["notes"].items()}
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return {}
