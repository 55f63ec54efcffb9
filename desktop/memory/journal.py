"""The journal of every change to memory, and the old versions it refers to, both outside the memory folder.

Owns `<data>/journal/<key>.jsonl` (one JSON object a line, appended and fsynced), `<data>/snapshots/<key>/` (contents by digest) and
`<data>/trash/<key>/`. Knows no rule. A damaged line hides no other, and a line that is not understood is left alone. What was read is kept
in memory, and only what was appended since is read again. Callers hold the store's lock when they append. Blocking, any thread.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import append_flushed, atomic_write, digest, read_bytes, write_all
from desktop.memory.change import (
    BASELINE,
    INDEX_REASON,
    SCHEMA,
    Change,
    ChangeOrigin,
    change_from_line,
    change_from_record,
    last_of,
    line_of,
    record_from_line,
)

__all__ = ["INDEX_REASON", "SCHEMA", "Change", "ChangeOrigin", "Journal", "change_from_line", "last_of", "line_of"]

FLUSHED_AT_ONCE = 64
"""Contents kept in one go that are flushed one by one; a larger burst is flushed by the system, and each is checked when it is read."""


_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class _Seen:
    """What was read of the file so far.

    Attributes:
        inode, mtime_ns: of the file that was read.
        offset: bytes of whole lines that are taken in.
        changes, ids: in file order.
        contents: path → digest of what lies there after all of them.
        observed: a baseline was written: every file in the folder is known since.
    """

    inode: int = 0
    mtime_ns: int = 0
    offset: int = 0
    changes: list[Change] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    contents: dict[str, str] = field(default_factory=dict)
    observed: bool = False

    def take(self, line: bytes) -> None:
        """Take in one line, whatever it holds."""
        record = record_from_line(line) if line.strip() else None
        if record is None:
            return
        change = change_from_record(record)
        if change is None:
            self._take_other(record)
        elif change.id not in self.ids:  # a line that was written twice says the same twice
            self.ids.add(change.id)
            self.changes.append(change)
            self._place(change.path, change.old_path, change.after)

    def _take_other(self, record: dict[str, Any]) -> None:
        """The baseline, or a line of a newer program: what it says of contents is believed, the rest is left to that program."""
        files = record.get("files")
        if record.get("op") == BASELINE and isinstance(files, dict):
            self.observed = True
            self.contents = {path: value for path, value in files.items() if isinstance(value, str)}
        elif isinstance(record.get("schema"), int) and record["schema"] > SCHEMA and isinstance(record.get("path"), str):
            after, old = record.get("after"), record.get("old_path")
            self._place(record["path"], old if isinstance(old, str) else "", after if isinstance(after, str) else None)

    def _place(self, path: str, old_path: str, after: str | None) -> None:
        if old_path:
            self.contents.pop(old_path, None)
        if after:
            self.contents[path] = after
        else:
            self.contents.pop(path, None)


class Journal:
    """Journal, snapshots and trash of one root.

    Attributes:
        file, snapshots, trash: their places.
    """

    def __init__(self, paths: AppPaths, key: str) -> None:
        self._paths = paths
        self.file = paths.journal / f"{key}.jsonl"
        self.snapshots = paths.snapshots / key
        self.trash = paths.trash / key
        self._seen = _Seen()
        self._mutex = threading.Lock()

    def beside(self, key: str) -> Journal:
        """The journal of another root of the same profile."""
        return Journal(self._paths, key)

    # writing

    def append(self, changes: Change | Iterable[Change]) -> None:
        """Add lines, on disk when this returns. A torn last line of a crash is closed first.

        Raises:
            StorageError: they could not be written; nothing of them is left.
        """
        self._append(b"".join(line_of(change) for change in ((changes,) if isinstance(changes, Change) else changes)))

    def append_baseline(self, identity: str, moment: datetime, files: Mapping[str, str]) -> None:
        """Add the line that says what lay in the folder (path → digest) when it was looked at for the first time.

        Raises:
            StorageError: as for `append`.
        """
        record = {"schema": SCHEMA, "id": identity, "time": iso(moment), "op": BASELINE, "files": dict(files)}
        self._append(json.dumps(record, ensure_ascii=True).encode() + b"\n")

    def _append(self, data: bytes) -> None:
        ensure_private_dir(self.file.parent)
        size = -1
        try:
            size = self.file.stat().st_size if self.file.exists() else 0
            append_flushed(self.file, data)
        except OSError as error:
            self._cut(size)
            message = say("The journal {file} could not be written ({reason}).", file=self.file, reason=os_reason(error))
            raise self._failed(message, error) from error

    def _cut(self, size: int) -> None:
        """Take back what was appended but never acknowledged: after a failed flush nobody knows what of it is on disk.

        It is done on a handle of its own: the one that failed is not to be believed any more.
        """
        if size < 0:
            return
        with suppress(OSError):
            handle = os.open(self.file, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
            try:
                os.ftruncate(handle, size)
                os.fsync(handle)
            finally:
                os.close(handle)

    def rewrite(self, edit: Callable[[dict[str, Any]], dict[str, Any] | None]) -> int:
        """Replace the whole file, atomically, with `edit` applied to each line of our schema; None drops the line. For a purge only.

        Lines that are damaged or of another schema stay as they are.

        Returns:
            How many lines became others or went.

        Raises:
            StorageError: it could not be done; the journal is as before.
        """
        done: list[bytes] = []
        touched = 0
        for line in self._bytes().split(b"\n"):
            record = record_from_line(line) if line.strip() else None
            if record is None or record.get("schema") != SCHEMA:
                done += [line] if line.strip() else []
                continue
            edited = edit(dict(record))
            if edited == record:
                done.append(line)
                continue
            touched += 1
            done += [json.dumps(edited, ensure_ascii=True).encode()] if edited is not None else []
        if touched:
            atomic_write(self.file, b"".join(line + b"\n" for line in done))
        return touched

    # reading

    def written_anew(self) -> int:
        """A number that stays as long as lines are only added, and is another one after a purge, in whatever process; 0 without a file.
        Blocking for one look."""
        try:
            return self.file.stat().st_ino
        except OSError:
            return 0

    def read(self) -> list[Change]:
        """Every change that can be read, oldest first.

        Raises:
            StorageError: the file is there and cannot be read.
        """
        with self._mutex:
            return list(self._refreshed().changes)

    def holds(self, change_id: str) -> bool:
        """Whether a change is journalled."""
        with self._mutex:
            return change_id in self._refreshed().ids

    def contents(self) -> dict[str, str]:
        """Path → digest of every file, as the journal last knew it."""
        with self._mutex:
            return dict(self._refreshed().contents)

    def content(self, path: str) -> str | None:
        """Digest of what lies at `path`, as the journal last knew it; None: nothing, or it is not known."""
        with self._mutex:
            return self._refreshed().contents.get(path)

    @property
    def observed(self) -> bool:
        """Whether the folder was looked at as a whole before, so that a file the journal does not know came in since."""
        with self._mutex:
            return self._refreshed().observed

    def _bytes(self) -> bytes:
        try:
            return self.file.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._unreadable(error) from error

    def _refreshed(self) -> _Seen:
        """What is in the file now; only lines that were appended since the last look are parsed."""
        try:
            handle = os.open(self.file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            self._seen = _Seen()
            return self._seen
        except OSError as error:
            raise self._unreadable(error) from error
        try:
            with os.fdopen(handle, "rb") as stream:
                status = os.fstat(stream.fileno())
                seen = self._seen
                same = seen.inode == status.st_ino and seen.offset <= status.st_size
                if same and seen.offset == status.st_size and seen.mtime_ns == status.st_mtime_ns:
                    return seen
                if not same or seen.offset == status.st_size:
                    seen = _Seen()
                stream.seek(seen.offset)
                return self._taken(seen, stream.read(), status)
        except OSError as error:
            raise self._unreadable(error) from error

    def _taken(self, seen: _Seen, data: bytes, status: os.stat_result) -> _Seen:
        whole, _, torn = data.rpartition(b"\n")
        for line in whole.split(b"\n"):
            seen.take(line)
        seen.offset += len(data) - len(torn)
        seen.inode, seen.mtime_ns = status.st_ino, status.st_mtime_ns
        self._seen = seen
        if torn and record_from_line(torn) is not None:  # whole but for its line break: it counts, and is read again next time
            rest = _Seen(changes=list(seen.changes), ids=set(seen.ids), contents=dict(seen.contents), observed=seen.observed)
            rest.take(torn)
            return rest
        return seen

    # contents

    def keep(self, data: bytes, *, flush: bool = True) -> str:
        """Keep a content; gives its digest. A content that is there already is only made younger.

        Args:
            flush: it is on disk when this returns. Off only for bursts of what other programs wrote.

        Raises:
            StorageError: it could not be kept.
        """
        name = digest(data)
        ensure_private_dir(self.snapshots)
        path = self.snapshots / name
        try:
            if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                os.utime(path)
                return name
        except OSError:
            pass  # it is written anew below, and that says what is wrong
        if flush:
            atomic_write(path, data)
        else:
            self._put(path, data)
        return name

    def _put(self, path: Path, data: bytes) -> None:
        temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                write_all(handle, data)
            finally:
                os.close(handle)
            temporary.replace(path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            message = say("{path} could not be saved ({reason}).", path=path, reason=os_reason(error))
            raise self._failed(message, error) from error

    def kept(self, name: str) -> bytes:
        """A kept content.

        Raises:
            NotFoundError: it is not kept (any more), or it is damaged.
        """
        try:
            if not _DIGEST.fullmatch(name):
                raise StorageError(say("{name} is not a digest.", name=name))
            data = read_bytes(self.snapshots / name)
        except StorageError as error:
            raise NotFoundError(say("This older version is no longer kept."), detail=error.detail) from error
        if digest(data) != name:
            raise NotFoundError(say("This older version is damaged and cannot be restored."), detail=str(self.snapshots / name))
        return data

    def discard(self, change_id: str, path: str, data: bytes) -> Path:
        """Put a deleted file's content into the trash; gives its place there.

        Raises:
            StorageError: it could not be kept.
        """
        folder = ensure_private_dir(self.trash / change_id)
        target = folder / path.rsplit("/", 1)[-1]
        atomic_write(target, data)
        return target

    @staticmethod
    def _failed(message: str, error: OSError) -> StorageError:
        return StorageError(message, hint=say("Free some space."), detail=str(error))

    def _unreadable(self, error: OSError) -> StorageError:
        message = say("The journal {file} could not be read ({reason}).", file=self.file, reason=os_reason(error))
        return StorageError(message, detail=str(error))
