"""The store: the only code that changes a memory folder. Every change is gated, compared, snapshotted, atomic, journalled and undoable.

Owns the order of one change (safety, design rule 3): gate → lock → compare-and-swap → snapshot → stamp → temporary file, fsync, replace,
fsync folder → journal line → index line → event. Knows no model, no tool and no window. Thread-safe; blocking, so call it off the GUI
thread. A failed change leaves the file as it was.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath

from desktop.base.clock import Clock, iso
from desktop.base.confine import exists_beneath, read_beneath
from desktop.base.errors import ConflictError, NotFoundError, RefusedError, StorageError
from desktop.base.events import Emitter
from desktop.base.locks import held
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.base.textio import decode, digest
from desktop.memory.changing import Changing
from desktop.memory.duplicates import find_duplicate, same_meaning, twin_of
from desktop.memory.frontmatter import encode_text, parse, serialise
from desktop.memory.gate import GateRequest, GateVerdict, Operation, check
from desktop.memory.identity import Project
from desktop.memory.index import IndexLimits, LoadedIndex, load_index
from desktop.memory.index_text import entries_of
from desktop.memory.journal import INDEX_REASON, Change, ChangeOrigin, Journal, last_of
from desktop.memory.note import INDEX_NAME, Note, list_notes
from desktop.memory.stamp import stamped
from desktop.memory.switches import MemoryState
from desktop.memory.unfinished import Unfinished

__all__ = ["Change", "ChangeOrigin", "MemoryStore", "StoredFile"]

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
    """The memory of one project.

    Attributes:
        project: whose memory it is.
        root: its folder.
        changed: emits every change of a memory, in the thread that made it; the index keeper's own follow-ups are not emitted.
    """

    def __init__(self, project: Project, paths: AppPaths, clock: Clock, state: Callable[[], MemoryState]) -> None:
        self.project = project
        self.root = project.memory_root
        self.changed: Emitter[Change] = Emitter()
        self._clock = clock
        self._state = state
        self._journal = Journal(paths, project.key)
        self._changing = Changing(self.root, self._journal, Unfinished(paths, project.key), clock)
        self._lock_file = paths.state / "locks" / f"memory-{project.key}.lock"
        self._mutex = threading.RLock()

    # reading

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

    def load_index(self, limits: IndexLimits | None = None) -> LoadedIndex:
        """The index as it goes into a prompt. Never raises."""
        return load_index(self.root, limits)

    def notes(self) -> list[Note]:
        """Every note, newest first. Never raises."""
        return list_notes(self.root)

    def changes(self, limit: int = 100, *, with_index: bool = False) -> list[Change]:
        """Journalled changes, newest first; the index keeper's only when asked for."""
        found = [c for c in self._journal.read() if with_index or c.origin.reason != INDEX_REASON]
        return found[::-1][:limit]

    def version(self, content_digest: str) -> bytes:
        """An older content by its digest.

        Raises:
            NotFoundError: it is no longer kept.
        """
        return self._journal.kept(content_digest)

    # changing

    def write(self, relative: str | PurePath, text: str, *, base_digest: str | None, origin: ChangeOrigin) -> Change:
        """Write a whole file.

        Args:
            relative: posix path below the root.
            text: the new text; line breaks are kept as they are.
            base_digest: digest of what the writer had read; None: the file must be new.
            origin: who, where, why. Switches and content rules bind everyone but the person.

        Raises:
            RefusedError: the gate refused, or the same memory is there already.
            ConflictError: the file is not what the writer had read.
            StorageError: it could not be saved; the file is as before.
        """
        path = self.relative(relative)
        verdict = self._gate("write", path, text, origin)
        with self._locked():
            before = self._changing.current(path)
            self._compare(path, before, base_digest)
            if before is None:
                self._refuse_twins(path, text, origin)
            data = self._bytes_for(path, text, before, base_digest, origin)
            warnings = (*verdict.warnings, *_kept_lines(path, text, data))
            if before is not None and same_meaning(before, data):
                return self._changing.change("write", path, digest(before), digest(before), origin, warnings=warnings)
            change = self._changing.apply(path, before, data, "write", origin, warnings=warnings)
            change = self._changing.follow(change, before, data)
        self.changed.emit(change)
        return change

    def delete(self, relative: str | PurePath, *, origin: ChangeOrigin) -> Change:
        """Move a file to the trash; its index line goes with it. Undoable.

        Raises:
            RefusedError: the gate refused (agents never delete the index).
            NotFoundError: it is not there.
            StorageError: it could not be moved; it is as before.
        """
        path = self.relative(relative)
        self._gate("delete", path, "", origin)
        with self._locked():
            data = read_beneath(self.root, path)
            change = self._changing.follow(self._changing.remove(path, data, "delete", origin), data, None)
        self.changed.emit(change)
        return change

    def rename(self, relative: str | PurePath, new: str | PurePath, *, origin: ChangeOrigin) -> Change:
        """Give a file another path; its index line follows, wording kept.

        Raises:
            RefusedError, NotFoundError, StorageError: as for `write` and `delete`; ConflictError when the new path is taken.
        """
        old_path, new_path = self.relative(relative), self.relative(new)
        self._gate("rename", old_path, "", origin)
        self._gate("rename", new_path, "", origin)
        with self._locked():
            data = read_beneath(self.root, old_path)
            self._refuse_taken(new_path)
            self._refuse_spelling(new_path, but=old_path)
            change = self._changing.move(old_path, new_path, data, origin)
        self.changed.emit(change)
        return change

    def undo(self, change_id: str | None = None) -> Change:
        """Take back one change (default: the newest that is not taken back yet). The person's act, whatever the switches say.

        Raises:
            NotFoundError: no such change, or its old version is no longer kept.
            ConflictError: the file was changed again since.
        """
        with self._locked():
            changes = self._journal.read()
            wanted = last_of(changes, undoable=True) if change_id is None else next((c for c in changes if c.id == change_id), None)
            if wanted is None:
                raise NotFoundError(
                    say("There is no change to undo.") if change_id is None else say("There is no change {change_id}.", change_id=change_id)
                )
            if any(c.undoes == wanted.id for c in changes):
                raise ConflictError(say("The change of {path} is already undone.", path=wanted.path))
            change = self._take_back(wanted, changes)
        self.changed.emit(change)
        return change

    def finish_left_over(self) -> None:
        """Finish a change that a killed process left half done, so that what it wrote is in the index. Does nothing else; never raises."""
        if not self._changing.left_over:
            return
        try:
            with self._locked():
                pass
        except StorageError as error:
            log.warning("an interrupted change of memory waits: %s", error.message)

    # the steps

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Between threads by a mutex, between processes by a lock file."""
        with self._mutex, held(self._lock_file, timeout_s=LOCK_WAIT_S):
            self._changing.finish_left_over()
            try:
                yield
            finally:
                self._changing.end()

    def _gate(self, op: Operation, path: str, text: str, origin: ChangeOrigin) -> GateVerdict:
        exists = origin.actor == "person" and exists_beneath(self.root, path)
        verdict = check(GateRequest(origin.actor, op, path, text, self._state(), exists, origin.untrusted))
        if not verdict.allowed:
            log.info("memory %s by %s refused: %s", op, origin.actor, verdict.rule)
            raise RefusedError(verdict.reason, hint=verdict.hint, detail=verdict.rule)
        return verdict

    def _compare(self, path: str, before: bytes | None, base_digest: str | None) -> None:
        """Compare-and-swap: what stands there must be what the writer saw, or only the keeper's own lines may have come in between."""
        now = digest(before) if before is not None else None
        if now == base_digest or (path == INDEX_NAME and self._changing.only_index_steps(base_digest, now)):
            return
        if base_digest is None:
            raise ConflictError(
                say("{path} exists already.", path=path), hint=say("Read it first, then change what is there, or choose another name.")
            )
        if now is None:
            raise ConflictError(
                say("{path} was deleted meanwhile.", path=path), hint=say("Save it under a new name, or undo the deletion.")
            )
        raise ConflictError(
            say("{path} was changed meanwhile.", path=path), hint=say("Read it again and repeat the change on what is there now.")
        )

    def _refuse_twins(self, path: str, text: str, origin: ChangeOrigin) -> None:
        self._refuse_spelling(path)
        if path == INDEX_NAME or origin.actor == "person":
            return
        duplicate = find_duplicate(self.root, self.notes(), text)
        if duplicate:
            raise RefusedError(
                say("This is already remembered in {duplicate}.", duplicate=duplicate),
                hint=say("Nothing had to be written; change that file if something is new."),
            )

    def _refuse_spelling(self, path: str, but: str = "") -> None:
        twin = twin_of(self.root, path)
        if twin and twin != but:
            raise ConflictError(
                say("{path} differs from the existing {twin} only in its spelling.", path=path, twin=twin),
                hint=say("Use {twin}, or choose a really different name.", twin=twin),
            )

    def _refuse_taken(self, path: str) -> None:
        if self._changing.current(path) is not None:
            raise ConflictError(say("{path} exists already.", path=path), hint=say("Choose another name."))

    def _bytes_for(self, path: str, text: str, before: bytes | None, base: str | None, origin: ChangeOrigin) -> bytes:
        """The bytes to write: in the encoding of what was there, stamped; an index without doubled lines."""
        previous = parse(before) if before is not None else None
        encoding, bom = (previous.encoding, previous.bom) if previous else ("utf-8", b"")
        if bom:
            text = text.removeprefix("\ufeff")
        if path == INDEX_NAME:
            text = self._changing.index_text(text, before, base, keep_lines=origin.actor != "person")
        data = bom + encode_text(text, encoding)
        if path == INDEX_NAME or (before is not None and same_meaning(before, data)):
            return data if path == INDEX_NAME or before is None else before
        return serialise(
            stamped(
                parse(data),
                now=iso(self._clock.now()),
                session_id=origin.session_id,
                message_id=origin.message_id,
                previous=previous,
            )
        )

    def _take_back(self, wanted: Change, changes: list[Change]) -> Change:
        origin = ChangeOrigin("person", reason=f"undo of {wanted.id}")
        current = self._changing.current(wanted.path)
        if (digest(current) if current is not None else None) != wanted.after:
            raise ConflictError(
                say("{path} was changed again since.", path=wanted.path),
                hint=say("Undo the later change first, or restore the older text by hand."),
            )
        if wanted.old_path and current is not None:
            self._refuse_taken(wanted.old_path)
            return self._changing.move(wanted.path, wanted.old_path, current, origin, undoes=wanted.id)
        if wanted.before is None:
            if current is None:
                raise NotFoundError(say("{path} is not there any more.", path=wanted.path))
            change = self._changing.remove(wanted.path, current, "restore", origin, undoes=wanted.id)
            return self._changing.follow(change, current, None)
        old = self._journal.kept(wanted.before)
        change = self._changing.apply(wanted.path, current, old, "restore", origin, undoes=wanted.id)
        if wanted.op == "delete" and self._changing.restore_lines(wanted, changes, origin):
            return change
        return self._changing.follow(change, current, old)


def _kept_lines(path: str, wanted: str, data: bytes) -> tuple[str, ...]:
    """What the writer of an index is told when lines stayed that its text did not have."""
    if path != INDEX_NAME or len(entries_of(decode(data))) <= len(entries_of(wanted)):
        return ()
    return (say("Lines of memories that exist stay in the index: each goes when its memory is deleted."),)
