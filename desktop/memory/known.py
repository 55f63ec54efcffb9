"""What a memory folder looked like when it was last seen through: names, stat identities and digests, so that a look costs one stat walk.

Owns `<data>/state/known/<key>.json`, the walk over a folder and the reading of a file that somebody may be writing. The state is a cache:
lost, damaged or of another version it only means that files are read again. Follows no link. Blocking, any thread.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.base.beneath import HANDLES
from desktop.base.confine import open_parent
from desktop.base.errors import KeepsakeError, StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.textio import atomic_write
from desktop.memory.note import INDEX_NAME, MAX_DEPTH

log = logging.getLogger(__name__)
SCHEMA = 1
DOUBT_NS = 2_000_000_000
"""A file that was touched this shortly before the state was saved may have been changed again within one tick: it is read again."""

MAX_KEPT = 64 << 20
"""Bytes of a file that are kept as a version; of a larger one only the digest."""

SKIPPED_FOLDERS = frozenset((".git", "node_modules"))
Stat = tuple[int, int, int, int]
"""Size, mtime and ctime in nanoseconds, inode."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as it was last read."""

    stat: Stat
    digest: str


@dataclass(frozen=True, slots=True)
class Known:
    """The folder as it was last seen through.

    Attributes:
        device: of the folder; 0 when it was not there.
        tail: ids of the newest journalled changes at that time, newest first.
        files: posix path → entry.
        written_ns: when the state was saved, by the clock of the disk.
    """

    device: int = 0
    tail: tuple[str, ...] = ()
    files: Mapping[str, Entry] = field(default_factory=dict)
    written_ns: int = 0

    def settled(self, path: str, now: Stat) -> bool:
        """Whether the file at `path`, with the stat identity `now`, certainly is what it was."""
        entry = self.files.get(path)
        if entry is None or entry.stat != now:
            return False
        moved = now[1] if sys.platform == "win32" else now[2]
        return moved < self.written_ns - DOUBT_NS


def _entry(value: Any) -> Entry | None:
    if not isinstance(value, list) or len(value) != 5 or not all(isinstance(v, int) for v in value[:4]) or not isinstance(value[4], str):
        return None
    return Entry((value[0], value[1], value[2], value[3]), value[4])


class KnownFile:
    """The state file of one root."""

    def __init__(self, paths: AppPaths, key: str) -> None:
        self._file = paths.state / "known" / f"{key}.json"
        self._cache: tuple[Stat, Known] | None = None

    def load(self) -> Known | None:
        """What is known, or None when there is nothing that can be believed. Never raises."""
        try:
            now = stat_of(self._file.stat())
            if self._cache is not None and self._cache[0] == now:
                return self._cache[1]
            known = self._parsed(json.loads(self._file.read_bytes()), now[1])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            log.warning("%s is read anew: %s", self._file, error)
            return None
        if known is not None:
            self._cache = (now, known)
        return known

    def drop(self) -> None:
        """Forget it all, on disk too."""
        self._cache = None
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    @staticmethod
    def _parsed(record: Any, written_ns: int) -> Known | None:
        if not isinstance(record, dict) or record.get("schema") != SCHEMA or not isinstance(record.get("files"), dict):
            return None
        files = {path: entry for path, value in record["files"].items() if (entry := _entry(value))}
        tail = record.get("tail")
        device = record.get("device")
        ids = tuple(str(one) for one in tail) if isinstance(tail, list) else ()
        return Known(device if isinstance(device, int) else 0, ids, files, written_ns)

    def save(self, device: int, tail: tuple[str, ...], files: Mapping[str, Entry]) -> None:
        """Remember what was seen. A fault is logged: the next look is slower then, and no worse."""
        listed = {path: [*entry.stat, entry.digest] for path, entry in files.items()}
        record = {"schema": SCHEMA, "device": device, "tail": list(tail), "files": listed}
        try:
            ensure_private_dir(self._file.parent)
            atomic_write(self._file, json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode())
            now = stat_of(self._file.stat())
        except (StorageError, OSError) as error:
            log.warning("%s was not saved: %s", self._file, error)
            return
        self._cache = (now, Known(device, tail, dict(files), now[1]))


def stat_of(status: os.stat_result) -> Stat:
    """The stat identity of a file."""
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@dataclass(slots=True)
class Seen:
    """A walk over a folder.

    Attributes:
        there: the folder exists and is a real one.
        reachable: False when it could not be looked into, so that nothing is known of it now.
        device: of the folder.
        files: posix path → stat identity of every Markdown file.
        blind: prefixes of folders, and paths of files, that could not be looked into.
    """

    there: bool = False
    reachable: bool = True
    device: int = 0
    files: dict[str, Stat] = field(default_factory=dict)
    blind: list[str] = field(default_factory=list)

    def hides(self, path: str) -> bool:
        """Whether `path` may exist although it was not seen."""
        return any(path.startswith(prefix) for prefix in self.blind)


_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def walk(root: Path, *, single: bool = False) -> Seen:
    """Every Markdown file below `root`, as the list of notes shows them, and the index. Never raises.

    Args:
        single: only MEMORY.md counts.
    """
    seen = Seen()
    try:
        status = os.lstat(root)
    except FileNotFoundError:
        return seen
    except OSError:
        seen.reachable = False
        return seen
    if not stat.S_ISDIR(status.st_mode):
        seen.reachable = not stat.S_ISLNK(status.st_mode)
        return seen
    seen.there, seen.device = True, status.st_dev
    try:
        _walk_handle(os.open(root, _FOLDER), "", 0, seen, single) if HANDLES else _walk_path(root, "", 0, seen, single)
    except OSError:
        seen.reachable = False
    return seen


def _walk_handle(handle: int, prefix: str, depth: int, seen: Seen, single: bool) -> None:
    try:
        folders = _take(handle, prefix, depth, seen, single)
        for name in folders:
            try:
                child = os.open(name, _FOLDER, dir_fd=handle)
            except OSError as error:
                _blind(seen, f"{prefix}{name}/", error)
                continue
            _walk_child(child, f"{prefix}{name}/", depth + 1, seen, single)
    finally:
        os.close(handle)


def _walk_child(handle: int, prefix: str, depth: int, seen: Seen, single: bool) -> None:
    try:
        _walk_handle(handle, prefix, depth, seen, single)
    except OSError as error:
        _blind(seen, prefix, error)


def _walk_path(folder: Path, prefix: str, depth: int, seen: Seen, single: bool) -> None:
    for name in _take(str(folder), prefix, depth, seen, single):
        try:
            _walk_path(folder / name, f"{prefix}{name}/", depth + 1, seen, single)
        except OSError as error:
            _blind(seen, f"{prefix}{name}/", error)


def _blind(seen: Seen, prefix: str, error: OSError) -> None:
    if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):  # gone meanwhile, or a link: nothing of ours is there
        seen.blind.append(prefix)


def _take(folder: int | str, prefix: str, depth: int, seen: Seen, single: bool) -> list[str]:
    """Take in the files of one folder; the names of the folders in it."""
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[-3:].lower() == ".md":
                if single and (depth or name != INDEX_NAME):
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError as error:
                    _blind(seen, prefix + name, error)
                    continue
                if stat.S_ISREG(status.st_mode):
                    seen.files[prefix + name] = stat_of(status)
                    continue
            if not single and depth < MAX_DEPTH and name not in SKIPPED_FOLDERS and entry.is_dir(follow_symlinks=False):
                folders.append(name)
    return folders


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read whole while nothing changed it; `data` is None for one that is too large to be kept."""

    stat: Stat
    digest: str
    data: bytes | None


def read_settled(root: Path, path: str) -> Reading | None:
    """A file below `root`, or None when it is gone, cannot be read, is no plain file, or is being written just now."""
    try:
        if not HANDLES:
            return _read_open(os.open(root / path, os.O_RDONLY | getattr(os, "O_BINARY", 0)))
        with open_parent(root, path) as (folder, name):
            return _read_open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder))
    except (OSError, KeepsakeError):
        return None


def _read_open(handle: int) -> Reading | None:
    with os.fdopen(handle, "rb") as stream:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            return None
        if before.st_size <= MAX_KEPT:
            data: bytes | None = stream.read(MAX_KEPT + 1)
            found = hashlib.sha256(data or b"")
        else:
            data, found = None, hashlib.sha256()
            while piece := stream.read(1 << 20):
                found.update(piece)
        after = os.fstat(handle)
    same = stat_of(before) == stat_of(after) and (data is None or len(data) == after.st_size)
    return Reading(stat_of(after), found.hexdigest(), data) if same else None
