"""A root of memory as one zip of Markdown files: export, and import through the store. Round trip equal, byte for byte, times kept.

Owns the form of the archive (files as they are, `keepsake.json` with schema, root and times) and what an import does where a file is there
already. `desktop.memory.archive_check` judges every archive before anything is written. An import is the person's act, one step to undo,
and never blocks what the gate would only warn of. Memory is bounded: one file at a time. Blocking, any thread.
"""

from __future__ import annotations

import io
import json
import os
import secrets
import shutil
import stat
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Literal

from desktop.base.beneath import HANDLES, open_parent, read_beneath
from desktop.base.clock import iso
from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, RefusedError, StorageError, UsageError
from desktop.base.phrases import listed, os_reason, say
from desktop.base.textio import decode, digest, fsync_dir
from desktop.memory.archive_check import (
    MANIFEST,
    MAX_FILE,
    MAX_FILES,
    MAX_RATIO,
    MAX_TOTAL,
    RATIO_FROM,
    SCHEMA,
    Entry,
    Names,
    content,
    is_archive,
    name_problem,
    opened,
    read_entries,
    spelling,
)
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.frontmatter import decode_text, encode_text
from desktop.memory.gate import secret_kinds
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.journal import FLUSHED_AT_ONCE
from desktop.memory.note import INDEX_NAME, MAX_DEPTH, list_notes
from desktop.memory.trash import free_path

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

Conflict = Literal["keep-both", "skip", "replace"]
MAX_SPOOLED = MAX_TOTAL + (64 << 20)
_SKIPPED_FOLDERS = frozenset((".git", "node_modules"))
_FIRST_DATE, _LAST_DATE = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was exported: number of files, their bytes, and what was left out with the reason."""

    files: int
    bytes: int
    skipped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, by path.

    Attributes:
        written: new files, under the names they have now.
        replaced: files that stood there and became the archive's.
        same: files that were there already with the same bytes.
        skipped: files that were there already and stayed.
        renamed: (path in the archive, path here) where both were kept.
        warnings: what the person should know.
        change: one of the changes; `store.undo(change.id)` takes the whole import back. None when nothing changed.
    """

    written: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    change: Change | None = None


# export


def export_memory(store: MemoryStore, target: BinaryIO | Path) -> ExportReport:
    """Write the whole root into a zip.

    Args:
        target: a file, made or replaced in one step with mode 0600, or a stream.

    Raises:
        UsageError: the root is larger than an archive may be.
        StorageError: something could not be read or written; a file at `target` is as before.
    """
    if not isinstance(target, Path):
        return _export(store, target)
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w+b") as stream:
            report = _export(store, stream)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        fsync_dir(target.parent)
    except OSError as error:
        raise StorageError(
            say("{path} could not be saved ({reason}).", path=target, reason=os_reason(error)),
            hint=say("Choose another place."),
            detail=str(error),
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return report


def _export(store: MemoryStore, stream: IO[bytes]) -> ExportReport:
    root = store.memory_root
    if root.read_only:
        return _packed(store, stream, None)
    with store.exclusive() as changing:
        return _packed(store, stream, changing)


def _packed(store: MemoryStore, stream: IO[bytes], changing: Changing | None) -> ExportReport:
    skipped: list[tuple[str, str]] = []
    times: dict[str, dict[str, int]] = {}
    names = Names()
    total = 0
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, found in _files(store.root):
            problem = found or _left_out(path)
            data, moment, problem = _read(store.root, path) if not problem else (b"", 0, problem)
            twin = "" if problem else names.clash(path)
            if problem or twin:
                skipped.append((path, problem or say("its name differs from {twin} only in its spelling", twin=twin)))
                continue
            total += len(data)
            if len(times) >= MAX_FILES or total > MAX_TOTAL:
                raise UsageError(
                    say(
                        "This memory is too large for one archive: at most {files:,} files and {size} MiB.",
                        files=MAX_FILES,
                        size=MAX_TOTAL >> 20,
                    ),
                    hint=say("Copy the folder {root} instead.", root=store.root),
                )
            times[path] = {"modified_ns": moment}
            archive.writestr(_info(path, data, moment), data)
        archive.writestr(_info(MANIFEST, b"", 0), _manifest(store, changing, times))
    return ExportReport(len(times), total, tuple(skipped))


def _manifest(store: MemoryStore, changing: Changing | None, times: dict[str, dict[str, int]]) -> bytes:
    root = store.memory_root
    made = iso(changing.change("write", MANIFEST, None, None, ChangeOrigin("person")).time) if changing else ""
    about = {"id": root.id, "kind": root.kind, "profile": root.profile, "label": store.project.label}
    record = {"schema": SCHEMA, "made": made, "root": about, "files": times}
    return json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True).encode("utf-8", "replace")


def _info(path: str, data: bytes, modified_ns: int) -> zipfile.ZipInfo:
    try:
        date = time.gmtime(modified_ns / 1e9)[:6]
    except (OverflowError, OSError, ValueError):
        date = _FIRST_DATE
    info = zipfile.ZipInfo(path, min(max(date, _FIRST_DATE), _LAST_DATE))
    info.external_attr = (stat.S_IFREG | 0o600) << 16
    info.create_system = 3
    dense = len(data) > RATIO_FROM and len(zlib.compress(data)) * MAX_RATIO <= len(data) + MAX_RATIO
    info.compress_type = zipfile.ZIP_STORED if dense else zipfile.ZIP_DEFLATED  # what no import would take for honest is not packed
    return info


def _files(root: Path, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """(path, problem) of every Markdown file below the root, in order of paths; links are named and not followed."""
    try:
        with os.scandir(root / prefix if prefix else root) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(
            say("{path} could not be read ({reason}).", path=root / prefix, reason=os_reason(error)), detail=str(error)
        ) from error
    for entry in found:
        path = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            if depth < MAX_DEPTH and entry.name not in _SKIPPED_FOLDERS:
                yield from _files(root, f"{path}/", depth + 1)
        elif entry.name.lower().endswith(".md"):
            plain = stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
            yield path, "" if plain else say("it is a link or not a plain file")


def _left_out(path: str) -> str:
    """Why a file cannot go into an archive that every system takes, or ""."""
    return name_problem(path) or "" if path.endswith(".md") else say("its name does not end in .md in small letters")


def _read(root: Path, path: str) -> tuple[bytes, int, str]:
    """A file's bytes, time of last change, and why it is left out, or ""."""
    try:
        data = read_beneath(root, path, limit=MAX_FILE + 1)
        moment = (root / path).lstat().st_mtime_ns
    except NotFoundError:
        return b"", 0, say("it was deleted meanwhile")
    except KeepsakeError as error:
        return b"", 0, error.message
    if len(data) > MAX_FILE:
        return b"", 0, say("it is larger than {size} MiB", size=MAX_FILE >> 20)
    return (b"", 0, say("it is an archive itself")) if is_archive(data) else (data, max(moment, 0), "")


# import


@dataclass(slots=True)
class _Done:
    """What an import has done so far."""

    written: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def report(self) -> ImportReport:
        return ImportReport(
            tuple(self.written), tuple(self.replaced), tuple(self.same), tuple(self.skipped), tuple(self.renamed), tuple(self.warnings),
            self.changes[0] if self.changes else None,
        )  # fmt: skip


def import_memory(
    store: MemoryStore, source: BinaryIO | Path, *, origin: ChangeOrigin, on_conflict: Conflict = "keep-both"
) -> ImportReport:
    """Bring the files of an archive into a root.

    The whole archive is judged first: a single bad entry refuses all of it, and nothing is written. Then all files are written as one act.

    Args:
        on_conflict: what becomes of a file that is there already with other bytes: both are kept (the archive's under a name with a
            number), the one here stays, or it becomes the archive's, which can be undone. Index lines are joined, never lost.

    Raises:
        UsageError: the archive is refused; the message names the entry.
        RefusedError: somebody else than the person asks, or the root takes no such file.
        StorageError: something could not be read or written; nothing is changed.
    """
    if origin.actor != "person":
        raise RefusedError(say("Only the person can import memory."))
    with _seekable(source) as stream, opened(stream) as archive:
        entries = read_entries(archive)
        for entry in entries:
            whole = decode(content(archive, entry)) if store.memory_root.profile == "single" else ""
            store.gate("write", entry.path, whole, origin)
        with store.exclusive() as changing, changing.grouped(changing.new_group()):
            return _Import(store, changing, archive, origin, on_conflict).run(entries)


@contextmanager
def _seekable(source: BinaryIO | Path) -> Iterator[IO[bytes]]:
    """The source as a stream that can be read from any place."""
    try:
        if isinstance(source, Path):
            with source.open("rb") as stream:
                yield stream
        elif source.seekable():
            yield source
        else:
            with tempfile.TemporaryFile() as spool:
                _spool(source, spool)
                yield spool
    except OSError as error:
        raise StorageError(
            say(
                "The archive {path} could not be read ({reason}).", path=source if isinstance(source, Path) else "", reason=os_reason(error)
            ),
            detail=str(error),
        ) from error


def _spool(source: BinaryIO, spool: IO[bytes]) -> None:
    shutil.copyfileobj(io.BufferedReader(_Bounded(source)), spool, 1 << 20)


class _Bounded(io.RawIOBase):
    """A stream that ends in an error once it has given more than an archive can have."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._left = MAX_SPOOLED

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise UsageError(say("The archive is too large: at most {size} MiB.", size=MAX_TOTAL >> 20), hint=say("Nothing was changed."))
        buffer[: len(data)] = data
        return len(data)


class _Import:
    """One import, with the store's lock held."""

    def __init__(
        self, store: MemoryStore, changing: Changing, archive: zipfile.ZipFile, origin: ChangeOrigin, on_conflict: Conflict
    ) -> None:
        self._store = store
        self._root = store.root
        self._changing = changing
        self._archive = archive
        self._origin = replace(origin, reason=origin.reason or "import")
        self._on_conflict = on_conflict
        self._done = _Done()
        self._lines: list[tuple[str, str]] = []
        self._many = False

    def run(self, entries: list[Entry]) -> ImportReport:
        here = {spelling(path): path for path, _ in _files(self._root)}
        self._many = len(entries) > FLUSHED_AT_ONCE
        plans = [(entry, *self._place(entry, here)) for entry in entries]  # every place is looked at before the first is written
        index = next((entry for entry in entries if self._changing.is_index(entry.path)), None)
        for entry, path, before in plans:
            if entry is not index:
                self._take(entry, path, before)
        self._index(index)
        return self._done.report()

    def _place(self, entry: Entry, here: dict[str, str]) -> tuple[str, str | None]:
        """Where an entry goes, and the digest of what stands there, "" for a file that differs in spelling only.

        Args:
            here: every file that is there, by its spelling.

        Raises:
            RefusedError: a link or a folder stands in the way.
        """
        twin = here.get(spelling(entry.path), entry.path)
        if twin != entry.path:
            if self._on_conflict != "keep-both":
                raise ConflictError(
                    say("{path} differs from the existing {twin} only in its spelling.", path=entry.path, twin=twin),
                    hint=say("Nothing was changed. Rename one of them, or keep both."),
                )
            return entry.path, ""
        data = self._changing.current(entry.path)
        return entry.path, digest(data) if data is not None else None

    def _take(self, entry: Entry, path: str, before: str | None) -> None:
        done = self._done
        if before == entry.digest:
            done.same.append(path)
        elif before is None:
            self._write(entry, path, None)
            done.written.append(path)
        elif self._on_conflict == "skip":
            done.skipped.append(path)
        elif self._on_conflict == "replace":
            self._write(entry, path, self._changing.current(path))
            done.replaced.append(path)
        else:
            other = free_path(self._changing, self._root, path)
            self._write(entry, other, None)
            done.written.append(other)
            done.renamed.append((path, other))
            done.warnings.append(say("{path} was taken, so the archive's is {other}.", path=path, other=other))

    def _write(self, entry: Entry, path: str, before: bytes | None) -> None:
        data = content(self._archive, entry)
        kinds = secret_kinds(decode(data))
        if kinds:
            self._done.warnings.append(say("{path} holds what looks like a secret ({kinds}).", path=path, kinds=listed(kinds)))
        if self._many:  # the file itself is flushed, and a kept version is checked when it is read
            self._changing.journal.keep(data, flush=False)
        change = self._changing.apply(path, before, data, "write", self._origin)
        self._done.changes.append(change)
        self._keep_time(path, entry)
        self._lines.append((entry.path, path))

    def _keep_time(self, path: str, entry: Entry) -> None:
        """The file's time of last change, as it was; a disk that cannot keep it keeps the file all the same."""
        if entry.modified_ns is None:
            return
        times = (entry.modified_ns, entry.modified_ns)
        with suppress(OSError, KeepsakeError, OverflowError):
            if not HANDLES:
                os.utime(self._root / path, ns=times)
                return
            with open_parent(self._root, path) as (folder, name):
                os.utime(name, ns=times, dir_fd=folder, follow_symlinks=False)

    # the index

    def _index(self, entry: Entry | None) -> None:
        """The archive's index as it is where there was none; else its lines for what came in, in its words, and none of ours lost."""
        if not self._changing.is_index(INDEX_NAME):
            return
        data = content(self._archive, entry) if entry is not None else b""
        before = self._changing.current(INDEX_NAME)
        if entry is not None and before is None:
            self._write(entry, INDEX_NAME, None)
            self._done.written.append(INDEX_NAME)
            return
        if entry is not None and before == data:
            self._done.same.append(INDEX_NAME)
            return
        if entry is not None and self._on_conflict == "replace":
            self._replaced_index(entry, data, before or b"")
            return
        theirs = decode_text(data)[0]
        self._changing.sync_index(lambda text: self._joined(text, theirs), self._origin)

    def _replaced_index(self, entry: Entry, data: bytes, before: bytes) -> None:
        keeper, notes = IndexKeeper(self._root), list_notes(self._root)
        text, encoding, bom = decode_text(data)
        text = keeper.with_lost_lines(text, decode_text(before)[0], notes)
        new = bom + encode_text(text, encoding)
        self._done.changes.append(self._changing.apply(INDEX_NAME, before, new, "write", self._origin))
        self._done.replaced.append(INDEX_NAME)
        if new == data:
            self._keep_time(INDEX_NAME, entry)

    def _joined(self, text: str, theirs: str) -> str:
        keeper = IndexKeeper(self._root)
        notes = {note.path: note for note in list_notes(self._root)}
        known = {line.target for line in entries_of(theirs)}
        for path, here in self._lines:
            if path in known and path == here:
                text = keeper.with_lines_of(text, theirs, path)
        fresh = [notes[here] for _, here in self._lines if here in notes]
        return keeper.synced(text, added=fresh)
