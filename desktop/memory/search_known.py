"""What of a memory root was indexed and how its files looked then, so that unchanged files are not read again (FT-04, W-35, W-37).

Owns one state file a root, `<data>/index/search/<root key>.json`, and the rule by which a file certainly is what it was: size, both
times and inode are the same, and it had been left alone for two seconds when it was read. A cache: lost, damaged or of another form it
only means that files are read again. Thread-free but for the caller's lock; blocking.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.textio import atomic_write
from desktop.memory.known import DOUBT_NS, Stat
from desktop.memory.search_source import FORM, Hooks

log = logging.getLogger(__name__)

WORTH_SAVING = 64
"""So many rows, or a fiftieth of all, are written at once; fewer are cheaper read again at the next start."""

_MAX_BYTES = 256 << 20
_HEAD_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Row:
    """One file as it was indexed.

    Attributes:
        stat: size, mtime, ctime, inode when it was read; () when it has to be read again.
        digest: of what was read.
        hook: of what the index said of it, or "".
        name: of its header.
        supersedes: names that it replaces.
    """

    stat: tuple[int, ...]
    digest: str
    hook: str = ""
    name: str = ""
    supersedes: tuple[str, ...] = ()

    def fingerprint(self, superseded: bool) -> str:
        """What stands in the index beside a document that was made of this row."""
        return f"{FORM}.{self.digest}.{self.hook}{'.s' if superseded else ''}"


@dataclass(slots=True)
class Known:
    """All rows of one root.

    Attributes:
        folder: of the root.
        index: stat of its MEMORY.md when the hooks were read, or ().
        rows: by posix path.
        hooks: what that index said, and `hooks_digest` of which content; None until it is read by this process.
    """

    folder: str
    index: tuple[int, ...] = ()
    rows: dict[str, Row] = field(default_factory=dict)
    hooks: Hooks | None = None
    hooks_digest: str = ""

    def replaced_names(self) -> frozenset[str]:
        """Folded names that some memory says it replaces."""
        return frozenset(name.casefold() for row in self.rows.values() for name in row.supersedes if name.casefold() != row.name.casefold())


def is_replaced(path: str, row: Row, names: frozenset[str]) -> bool:
    """Whether the memory at `path` is one of those names; a memory is named by its header, then by its file."""
    return bool(names) and (row.name.casefold() in names or PurePosixPath(path).stem.casefold() in names)


def settled(stat: Stat, read_ns: int) -> bool:
    """Whether a file that was read at `read_ns` (wall time) would look different after one more change."""
    return max(stat[1], stat[2]) + DOUBT_NS <= read_ns


def hook_digest(words: str) -> str:
    return hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=4).hexdigest() if words else ""


class KnownFiles:
    """The state of every root, in memory and on disk."""

    def __init__(self, paths: AppPaths) -> None:
        self._folder = paths.index / "search"
        self._loaded: dict[str, Known] = {}
        self._unsaved: dict[str, int] = {}

    def of(self, key: str, folder: Path) -> Known:
        """What is known of the root with that key at that place. Never raises."""
        known = self._loaded.get(key)
        if known is None or known.folder != str(folder):
            known = self._loaded[key] = self._read(key, str(folder))
        return known

    def save(self, key: str, changed: int, *, at_once: bool = False) -> None:
        """Remember the rows for the next start, when enough changed to be worth it. Never raises."""
        known = self._loaded[key]
        waiting = self._unsaved.get(key, 0) + changed
        worth = at_once or waiting >= WORTH_SAVING or waiting * 50 >= max(len(known.rows), 50)
        self._unsaved[key] = 0 if worth else waiting
        if not waiting or not worth:
            return
        try:
            ensure_private_dir(self._folder)
            atomic_write(self._file(key), _dumped(key, known))
        except StorageError as error:
            log.info("what was indexed of %s was not noted: %s", known.folder, error.message)

    def drop(self) -> None:
        """Forget everything, on disk too."""
        self._loaded.clear()
        self._unsaved.clear()
        with suppress(OSError):
            for file in self._folder.iterdir():
                file.unlink(missing_ok=True)

    def drop_root(self, key: str) -> None:
        self._loaded.pop(key, None)
        with suppress(OSError):
            self._file(key).unlink(missing_ok=True)

    def abandoned(self) -> list[str]:
        """Keys of roots whose folder is not there any more. Never raises."""
        found = []
        try:
            files = sorted(self._folder.glob("*.json"))
        except OSError:
            return []
        for file in files:
            try:
                with file.open("rb") as stream:
                    head = stream.readline(_HEAD_BYTES).split(b" ", 3)
                key, folder = json.loads(head[3])
            except (OSError, ValueError, IndexError, TypeError, RecursionError):
                continue
            if isinstance(key, str) and isinstance(folder, str) and not os.path.lexists(folder):
                found.append(key)
        return found

    def _file(self, key: str) -> Path:
        return self._folder / f"{key.replace(':', '-')}.json"

    def _read(self, key: str, folder: str) -> Known:
        blank = Known(folder)
        try:
            with self._file(key).open("rb") as stream:
                head, _, data = stream.read(_MAX_BYTES).partition(b"\n")
            if head != _head(key, folder, data):
                return blank
            found = json.loads(data)
            return Known(folder, tuple(found["index"]), {path: _row(value) for path, value in found["rows"].items()})
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            return blank


def _head(key: str, folder: str, data: bytes) -> bytes:
    return b"keepsake-search %d %s %s" % (FORM, hashlib.sha256(data).hexdigest().encode(), json.dumps([key, folder]).encode())


def _dumped(key: str, known: Known) -> bytes:
    rows = {path: [row.stat, row.digest, row.hook, row.name, row.supersedes] for path, row in known.rows.items()}
    data = json.dumps({"index": known.index, "rows": rows}, separators=(",", ":")).encode()
    return _head(key, known.folder, data) + b"\n" + data


def _row(value: list[Any]) -> Row:
    stat, digest, hook, name, supersedes = value
    return Row(tuple(stat), digest, hook, name, tuple(supersedes))


def rows_replaced(rows: Iterable[tuple[str, Row]], names: frozenset[str]) -> set[str]:
    """Paths of the rows that one of the names means."""
    return {path for path, row in rows if is_replaced(path, row, names)} if names else set()
