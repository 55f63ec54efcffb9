"""The store: the only code that changes a memory folder. Every change is gated, compared, snapshotted, atomic, journalled and undoable.

Owns the order of one change (safety, design rule 3): gate → lock → compare-and-swap → snapshot → stamp → temporary file, fsync, replace,
fsync folder → journal line → index line → event. Knows no model, no tool and no window. Thread-safe; blocking, so call it off the GUI
thread. A failed change leaves the file as it was.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePath

from desktop.base.clock import Clock
from desktop.base.confine import DEFAULT_NAMES, ProtectedNames, exists_beneath, read_beneath
from desktop.base.errors import KeepsakeError, RefusedError, StorageError
from desktop.base.events import Emitter
from desktop.base.locks import held
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.base.textio import decode, digest
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.gate import GateRequest, GateVerdict, Operation, check
from desktop.memory.identity import Project
from desktop.memory.index import IndexLimits, LoadedIndex, load_index
from desktop.memory.journal import Journal
from desktop.memory.note import Note, list_notes
from desktop.memory.note_cache import NoteCache, header_file
from desktop.memory.outside import Outside
from desktop.memory.pending import Pending
from desktop.memory.proposals import Proposals
from desktop.memory.retention import sweep
from desktop.memory.roots import MemoryRoot, project_root
from desktop.memory.sections import load_sections, load_single
from desktop.memory.switches import MemoryState
from desktop.memory.tombstones import tombstone_file, tombstones_at
from desktop.memory.undoing import Undoing
from desktop.memory.unfinished import Unfinished
from desktop.memory.writing import Writing

__all__ = ["Change", "ChangeOrigin", "Changing", "MemoryStore", "StoredFile"]

log = logging.getLogger(__name__)
LOCK_WAIT_S = 10.0
MAX_READ = 64 << 20


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it was read: path below the root, bytes, their digest (for a later write) and text without a byte order mark."""

    path: str
    data: bytes
    digest: str
    text: str


class MemoryStore:
    """One root of memory.

    Attributes:
        project: whose memory it is.
        memory_root: its row in the table of roots.
        root: its folder.
        tombstones: what was forgotten in it.
        proposals: changes of it that wait for the person.
        changed: emits every change, once the lock is free again, in the thread that made or found it; the index keeper's own follow-ups
            are not emitted.
        forgotten: emits itself after a purge: whoever keeps copies of texts drops them.
    """

    def __init__(
        self,
        project: Project,
        paths: AppPaths,
        clock: Clock,
        state: Callable[[], MemoryState],
        *,
        root: MemoryRoot | None = None,
        names: Callable[[], ProtectedNames] = lambda: DEFAULT_NAMES,
    ) -> None:
        self.project = project
        self.memory_root = root or project_root(project)
        self.root = self.memory_root.folder
        self.changed: Emitter[Change] = Emitter()
        self.forgotten: Emitter[MemoryStore] = Emitter()
        self._clock = clock
        self._state = state
        self._names = names
        key = self.memory_root.key
        self._journal = Journal(paths, key)
        self.tombstones = tombstones_at(tombstone_file(paths, key))
        self._changing = Changing(
            self.root,
            self._journal,
            Unfinished(paths, key),
            clock,
            indexed=self.memory_root.profile == "index",
            noted=partial(self.tombstones.noted, self._journal),
        )
        self._writing = Writing(self.root, self._changing, clock, self.tombstones, self.notes, self.gate)
        self._outside = Outside(self.memory_root, paths, self._journal)
        self.paths = paths
        self.pending = Pending(paths, key)
        self.proposals = Proposals(paths, self.memory_root, clock)
        self.note_cache = NoteCache(self.root, header_file(paths, key))
        self._locks = paths.state / "locks"
        self._mutex = threading.RLock()
        self._depth = 0

    # reading

    @property
    def journal(self) -> Journal:
        """Its journal, for those who show what happened; who writes to it holds the lock by `exclusive`."""
        return self._journal

    def relative(self, path: str | PurePath) -> str:
        """`path` as a posix path below the root; an absolute one must lie inside.

        Raises:
            RefusedError: it lies elsewhere.
        """
        if isinstance(path, PurePath) and path.is_absolute():
            try:
                return path.relative_to(self.root).as_posix()
            except ValueError as error:
                raise RefusedError(say("{path} is not inside the memory folder {root}.", path=path, root=self.root)) from error
        return path.as_posix() if isinstance(path, PurePath) else path

    def read(self, relative: str | PurePath) -> StoredFile:
        """A file of memory.

        Raises:
            NotFoundError, RefusedError, StorageError: see `base.confine.read_beneath`.
        """
        path = self.relative(relative)
        data = read_beneath(self.root, path, limit=MAX_READ + 1)
        if len(data) > MAX_READ:
            raise StorageError(
                say("{path} is larger than {size} MiB.", path=self.root / path, size=MAX_READ >> 20),
                hint=say("Split it outside the app."),
            )
        return StoredFile(path, data, digest(data), decode(data))

    def forget_caches(self) -> None:
        """Drop what is remembered of notes and of the folder besides the journal: after a purge nothing of a text is left there."""
        self.note_cache.drop()
        self._outside.forget()
        self.forgotten.emit(self)

    def load_index(self, limits: IndexLimits | None = None) -> LoadedIndex:
        """What of this root goes into a prompt, by its profile: the index, the document with its topics, or the one file. Never raises."""
        if self.memory_root.profile == "sections":
            return load_sections(self.root, self.memory_root.tokens)
        if self.memory_root.profile == "single":
            return load_single(self.root, self.memory_root.bytes)
        return load_index(self.root, limits)

    def notes(self) -> list[Note]:
        """Every note, newest first. Never raises."""
        return list_notes(self.root, self.note_cache)

    def changes(self, limit: int = 100, *, with_index: bool = False) -> list[Change]:
        """Journalled changes, newest first; the index keeper's only when asked for."""
        found = [c for c in self._journal.read() if with_index or not c.by_keeper]
        return found[::-1][:limit]

    def version(self, content_digest: str) -> bytes:
        """An older content by its digest.

        Raises:
            NotFoundError: it is no longer kept.
        """
        return self._journal.kept(content_digest)

    # changing

    def write(
        self, relative: str | PurePath, text: str, *, base_digest: str | None, origin: ChangeOrigin, base: bytes | None = None
    ) -> Change:
        """Write a whole file.

        Args:
            relative: posix path below the root.
            text: the new text; line breaks are kept as they are.
            base_digest: digest of what the writer had read; None: the file must be new.
            origin: who, where, why. Switches and content rules bind everyone but the person.
            base: what the writer had read, where the caller still has it; else the kept version with that digest is looked for. When the
                file was changed meanwhile and that text is known, both changes go in if they are of different lines.

        Raises:
            RefusedError: the gate refused, or the same memory is there already.
            ConflictError: the file is not what the writer had read, and the two changes cannot both go in.
            StorageError: it could not be saved; the file is as before.
        """
        path = self.relative(relative)
        verdict = self.gate("write", path, text, origin)
        with self.exclusive():
            return self._writing.write(path, text, base_digest, origin, base, verdict.warnings)

    def delete(self, relative: str | PurePath, *, origin: ChangeOrigin) -> Change:
        """Move a file to the trash; its index line goes with it. Undoable.

        Raises:
            RefusedError: the gate refused (agents never delete the index).
            NotFoundError: it is not there.
            StorageError: it could not be moved; it is as before.
        """
        path = self.relative(relative)
        self.gate("delete", path, "", origin)
        with self.exclusive() as changing:
            data = read_beneath(self.root, path)
            return changing.follow(changing.remove(path, data, "delete", origin), data, None)

    def delete_all(self, relatives: Iterable[str | PurePath], *, origin: ChangeOrigin) -> list[Change]:
        """Move several files to the trash as one act: all of them or, when one fails, none. The index is written once.

        Raises:
            RefusedError, NotFoundError, StorageError: as for `delete`.
        """
        paths = [self.relative(relative) for relative in relatives]
        for path in paths:
            self.gate("delete", path, "", origin)
        with self.exclusive() as changing, changing.grouped(changing.new_group()):
            changes = [changing.remove(path, read_beneath(self.root, path), "delete", origin) for path in paths]
            warning = changing.sync_index_with(changing.news_of(changes), origin)
        return [replace(change, warnings=(warning,)) for change in changes] if warning else changes

    def rename(self, relative: str | PurePath, new: str | PurePath, *, origin: ChangeOrigin) -> Change:
        """Give a file another path; its index line follows, wording kept.

        Raises:
            RefusedError, NotFoundError, StorageError: as for `write` and `delete`; ConflictError when the new path is taken.
        """
        old_path, new_path = self.relative(relative), self.relative(new)
        self.gate("rename", old_path, "", origin)
        self.gate("rename", new_path, "", origin)
        with self.exclusive() as changing:
            data = read_beneath(self.root, old_path)
            self._writing.refuse_taken(new_path, but=old_path)
            return changing.move(old_path, new_path, data, origin)

    def undo(self, change_id: str | None = None) -> Change:
        """Take back one change (default: the newest that is not taken back yet) with all that were made as one act with it.

        The person's act, whatever the switches say. An undo is taken back in the same way, by its own id. What came out of the review
        inbox waits there again, and no more once the undo is taken back.

        Raises:
            NotFoundError: no such change, or its old version is no longer kept.
            ConflictError: a file was changed again since; then nothing is taken back.
        """
        with self.exclusive() as changing:
            undoing = Undoing(changing, ChangeOrigin("person"))
            wanted = undoing.wanted(change_id)
            with self.proposals.following(wanted):
                made = undoing.undo(wanted)
        self.proposals.look()
        return made

    @contextmanager
    def exclusive(self, *, group: str = "") -> Iterator[Changing]:
        """Nobody else changes this root during the block: between threads by a mutex, between processes by a lock file.

        Work that a killed process left is finished first; what other programs made of a file is journalled before it is touched. Inside
        another such block it is part of that one. What was changed is emitted when the outermost block is over.

        Args:
            group: given to every change of the block; such changes are undone as one, and made all or, when one fails or the process is
                killed, not at all. `Changing.new_group()` makes a name.

        Raises:
            RefusedError: the root is shown only, and never changed.
            StorageError: another process kept the lock for 10 s.
        """
        if self.memory_root.read_only:
            raise RefusedError(
                say("{root} belongs to another program and is only shown here.", root=self.root),
                hint=say("Copy the memory into this project first."),
            )
        made: list[Change] = []
        try:
            with self._mutex:
                if self._depth:
                    with self._changing.grouped(group):
                        yield self._changing
                else:
                    with held(self._lock_file(), timeout_s=LOCK_WAIT_S), self._outermost(made), self._changing.grouped(group):
                        yield self._changing
        finally:
            for change in made:
                self.changed.emit(change)

    @contextmanager
    def _outermost(self, made: list[Change]) -> Iterator[None]:
        self._depth = 1
        try:
            self._changing.finish_left_over()
            if self.pending.finish(self._changing):
                self.forget_caches()
            yield
        finally:
            made += self._changing.end()
            self._depth = 0

    def observe(self) -> list[Change]:
        """Journal what other programs changed below the root, so that it can be seen, compared and undone; the changes.

        One stat walk while nothing changed. A file that is being written is looked at again after 200 ms, and left for the next time when
        it still moves. The first look at a folder keeps its contents and calls nothing a change. While memory or its writing is off the
        index is left alone: then nothing below the root changes.

        Raises:
            StorageError: contents or journal could not be written, or another process kept the lock for 10 s.
        """
        if self.memory_root.read_only or not (self._changing.left_over or self._outside.looks_changed()):
            return []
        with self.exclusive() as changing:
            return self._outside.take(changing, index=self._state().write)

    def sweep(self, now: datetime | None = None) -> int:
        """Throw away versions older than 30 days that nothing needs, and temporary files that a killed process left. Never raises.

        Returns:
            How many files went.
        """
        try:
            with self.exclusive():
                return sweep(self.paths, self.memory_root.key, now or self._clock.now(), root=self.root)
        except KeepsakeError as error:
            log.info("nothing was swept below %s: %s", self.root, error.message)
            return 0

    def _lock_file(self) -> Path:
        """Named by the real folder, so that two roots over one folder never write at the same time."""
        place = hashlib.sha256(os.fsencode(os.path.realpath(self.root))).hexdigest()[:16]
        return self._locks / f"memory-{place}.lock"

    def finish_left_over(self) -> None:
        """Finish a change that a killed process left half done, so that what it wrote is in the index. Does nothing else; never raises."""
        if self.memory_root.read_only or not (self._changing.left_over or self.pending.there):
            return
        try:
            with self.exclusive():
                pass
        except StorageError as error:
            log.warning("an interrupted change of memory waits: %s", error.message)

    # the steps

    def gate(self, op: Operation, path: str, text: str, origin: ChangeOrigin) -> GateVerdict:
        """The gate's word on one change of this root, for those who change it by `exclusive`.

        Raises:
            RefusedError: it is not allowed.
        """
        exists = origin.actor == "person" and exists_beneath(self.root, path)
        verdict = check(
            GateRequest(
                origin.actor,
                op,
                path,
                text,
                self._state(),
                exists,
                origin.untrusted,
                root=self.memory_root,
                approved=origin.approved,
                session_id=origin.session_id,
                names=self._names(),
            )
        )
        if not verdict.allowed:
            log.info("memory %s by %s refused: %s", op, origin.actor, verdict.rule)
            raise RefusedError(verdict.reason, hint=verdict.hint, detail=verdict.rule)
        return verdict
