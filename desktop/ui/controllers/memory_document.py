"""One open memory file: reads it, saves it against the version it was read in, and tells when somebody else changed it, and who.

Knows what is on disk, not what is typed. Every call of the store runs through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.base.textio import decode, digest
from desktop.bridge.operations import Failure, Operations
from desktop.memory.change import undone_ids
from desktop.memory.index import IndexLimits
from desktop.memory.store import Change, MemoryStore, StoredFile
from desktop.ui.controllers.memory_changes import PERSON

log = logging.getLogger(__name__)
RECENT = 5_000
"""Changes of the journal that are looked through for the ones of this file."""


@dataclass(frozen=True, slots=True)
class Saving:
    """How a save ended.

    Attributes:
        ended: whether it was written.
        stored: what is on disk now; after a conflict what somebody else wrote, None: they deleted it.
        warnings: what the person should know of what was saved: a value that looks like a secret, that it was merged.
        merged: somebody else had changed other lines meanwhile; what is on disk now has both.
        sent: the text that was handed over.
        change: who is behind a conflict, or the save itself.
    """

    ended: Literal["saved", "conflict"]
    stored: StoredFile | None
    warnings: tuple[str, ...] = ()
    merged: bool = False
    sent: str = ""
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What is on disk in place of the version that is known.

    Attributes:
        stored: None: the file is gone.
        change: the newest change of it in the journal, so that a person can be told who it was; None when the journal knows none.
        path: where the file lies now.
    """

    stored: StoredFile | None
    change: Change | None
    path: str

    @property
    def actor(self) -> str:
        return self.change.origin.actor if self.change is not None else "outside"


def read_file(store: MemoryStore, path: str) -> StoredFile | None:
    """What is on disk, or None where there is no such file. Blocking."""
    try:
        return store.read(path)
    except NotFoundError:
        return None


def older_version(store: MemoryStore, path: str, known: str) -> StoredFile:
    """A kept version by its digest; an empty text under that digest where it is no longer kept: then nothing can be merged. Blocking."""
    try:
        data = store.version(known)
    except NotFoundError:
        data = b""
    return StoredFile(path, data, known, decode(data))


def newest_change(changes: list[Change], path: str, after: str | None) -> Change | None:
    """The change (of a list, newest first) that left `path` with the content `after`."""
    return next((c for c in changes if (c.path == path and c.after == after) or (after is None and c.old_path == path)), None)


def present_path(changes: list[Change], path: str) -> str:
    """Where the file that was at `path` lies now, by the renames in a list of changes, newest first; `path` when none is known."""
    since = next((at for at, c in enumerate(changes) if c.path == path and c.after is not None), len(changes))
    now = path
    for change in reversed(changes[:since]):
        if change.old_path == now and change.after is not None:
            now = change.path
    return now


def look(store: MemoryStore, path: str, known: str) -> Seen | None:
    """What became of a file whose known version has the digest `known` ("": none); None when it is as it was. Blocking.

    What other programs did is taken into the journal first, so that it has a name and can be undone.
    """
    stored = read_file(store, path)
    if _digest(stored) == known:
        return None
    try:
        store.observe()
    except KeepsakeError as error:  # the difference is shown all the same, only not who made it
        log.warning("changes by other programs were not looked at: %s", error.message)
    changes = store.changes(RECENT, with_index=True)
    moved = present_path(changes, path) if stored is None else path
    if moved != path:
        stored = read_file(store, moved)
        moved = moved if stored is not None else path
    found = stored.digest if stored is not None else None
    return Seen(stored, newest_change(changes, moved, found), moved)


def save_file(store: MemoryStore, path: str, text: str, base: StoredFile | None) -> Saving:
    """Write `text` if the file is still `base` (None: not there yet), or if what changed since can be merged. Blocking.

    Raises:
        RefusedError: the gate refuses it; StorageError: it could not be written.
    """
    known, data = (base.digest, base.data) if base is not None else (None, None)
    try:
        change = store.write(path, text, base_digest=known, origin=PERSON, base=data)
    except ConflictError:
        seen = look(store, path, known or "")
        if seen is not None and seen.path == path:
            return Saving("conflict", seen.stored, sent=text, change=seen.change)
        return Saving("conflict", read_file(store, path), sent=text)
    return Saving("saved", read_file(store, path), change.warnings, change.merged, text, change)


def last_change(store: MemoryStore, path: str) -> Change | None:
    """The newest change of a file that is no undo and was not taken back yet. Blocking."""
    changes = store.changes(RECENT)
    undone = undone_ids(changes[::-1])
    return next((c for c in changes if c.path == path and c.changed and not c.undoes and c.id not in undone), None)


def undo_last(store: MemoryStore, path: str) -> tuple[Change, Change]:
    """Take back the newest change of a file: (what was taken back, the change that did it). Blocking.

    Raises:
        NotFoundError: there is none, or its old version is no longer kept; ConflictError: the file was changed again since.
    """
    store.observe()
    wanted = last_change(store, path)
    if wanted is None:
        raise NotFoundError(say("There is no change of {path} to undo.", path=path))
    return wanted, store.undo(wanted.id)


class MemoryDocument(QObject):
    """See the module's text.

    Attributes:
        path: relative to the memory root; empty for a new memory that has no name yet.
        folder: where a new memory gets its file, below the root; empty for the root itself.
        base: the version that edits start from; None where the file is not on disk.
        limits: how much of an index is loaded.

    Signals:
        opened(StoredFile): the file was read for the first time.
        missing(): there is no such file.
        failed(Failure): reading or saving failed; act_failed(Failure): undoing did. Nothing was changed.
        saved(Saving): it was written; times are stamped into it, and lines of somebody else may have been merged into it.
        changed_outside(Seen): somebody else changed or deleted the file; `base` is still the old one.
        as_known(): the file was looked at, and is `base`, also when it was something else, or gone, in between.
        moved(old): the file has another path now, which `path` follows.
        undone(Change, Change): what was taken back, and the change that did it.
        save_ended(bool): whether the save that was asked for worked.
    """

    opened = Signal(object)
    missing = Signal()
    failed = Signal(object)
    act_failed = Signal(object)
    saved = Signal(object)
    changed_outside = Signal(object)
    as_known = Signal()
    moved = Signal(str)
    undone = Signal(object, object)
    save_ended = Signal(bool)

    def __init__(
        self,
        store: MemoryStore,
        path: str,
        operations: Operations,
        parent: QObject | None = None,
        *,
        limits: Callable[[], IndexLimits] = IndexLimits,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._operations = operations
        self._is_saving = False
        self._checking = 0
        self._check_again = False
        self.path = path
        self.folder = ""
        self.base: StoredFile | None = None
        self.limits = limits

    @property
    def store(self) -> MemoryStore:
        return self._store

    @property
    def operations(self) -> Operations:
        return self._operations

    @property
    def is_saving(self) -> bool:
        return self._is_saving

    @property
    def read_only(self) -> bool:
        """Nobody writes this root here (another tool's memory)."""
        return self._store.memory_root.read_only

    def full_path(self) -> str:
        return str(self._store.root / self.path)

    def open(self) -> None:
        """Read the file; `opened`, `missing` or `failed` follows."""
        store, path = self._store, self.path
        self._operations.read(lambda: read_file(store, path), self._on_opened, self._on_failed)

    def check(self) -> None:
        """Something in the folder changed: look whether it was this file."""
        if self._is_saving or not self.path:
            return
        if self._checking:
            self._check_again = True
            return
        store, path, known = self._store, self.path, _digest(self.base)
        self._checking = self._operations.read(lambda: (known, look(store, path, known)), self._on_checked, self._on_check_failed)

    def accept(self, stored: StoredFile | None) -> None:
        """The person knows of this version: the next save replaces it."""
        self.base = stored

    def accept_sent(self, text: str) -> None:
        """Edits go on from `text`, which was handed over and merged with lines that are not in the draft: the next save merges again."""
        data = text.encode("utf-8", errors="surrogateescape")
        self.base = StoredFile(self.path, data, digest(data), text)

    def start_from(self, known: str) -> None:
        """Edits go on from an older version, by its digest (the draft of before a crash); what came since is then looked at."""
        store, path = self._store, self.path
        self._operations.read(lambda: older_version(store, path, known), self._on_older, self._on_failed)

    def save(self, text: str) -> None:
        """Save; `saved`, `changed_outside` (a conflict) or `failed` follows, and `save_ended` in each case."""
        if self._is_saving:
            return
        self._is_saving = True
        store, path, base = self._store, self.path, self.base
        self._operations.write(lambda: save_file(store, path, text, base), self._on_saved, self._on_save_failed)

    def undo_last(self) -> None:
        """Take back the newest change of this file, whoever made it; `undone` or `act_failed` follows."""
        store, path = self._store, self.path
        self._operations.write(lambda: undo_last(store, path), self._on_undone, self._on_act_failed)

    def undo(self, change_id: str) -> None:
        """Take back one change; an undo too."""
        store = self._store
        self._operations.write(lambda: store.undo(change_id), self._on_redone, self._on_act_failed)

    # -- results ---------------------------------------------------------------------------------------------------------------------

    def _on_opened(self, stored: StoredFile | None) -> None:
        if stored is None:
            self.missing.emit()
        else:
            self.base = stored
            self.opened.emit(stored)

    def _on_older(self, base: StoredFile) -> None:
        self.base = base
        self.check()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _on_act_failed(self, failure: Failure) -> None:
        self.act_failed.emit(failure)

    def _on_checked(self, found: tuple[str, Seen | None]) -> None:
        known, seen = found
        self._checking = 0
        if self._check_again:
            self._check_again = False
            self.check()
        elif self._is_saving or known != _digest(self.base):
            return
        elif seen is not None:
            self._follow(seen)
        elif self.base is not None:
            self.as_known.emit()

    def _follow(self, seen: Seen) -> None:
        old = self.path
        if seen.path != old:
            self.path = seen.path
            self.moved.emit(old)
        if _digest(seen.stored) != _digest(self.base):
            self.changed_outside.emit(seen)
        else:
            self.as_known.emit()

    def _on_check_failed(self, failure: Failure) -> None:
        """The file is there and cannot be read now. The next change is looked at again; saving would say what is wrong."""
        self._checking, self._check_again = 0, False

    def _on_saved(self, outcome: Saving) -> None:
        self._is_saving = False
        if outcome.ended == "conflict" or outcome.stored is None:
            self.changed_outside.emit(Seen(outcome.stored, outcome.change, self.path))
        else:
            self.base = outcome.stored
            self.saved.emit(outcome)
        self.save_ended.emit(outcome.ended == "saved")

    def _on_save_failed(self, failure: Failure) -> None:
        self._is_saving = False
        self.failed.emit(failure)
        self.save_ended.emit(False)

    def _on_undone(self, changes: tuple[Change, Change]) -> None:
        taken, change = changes
        self.undone.emit(taken, change)
        self.check()

    def _on_redone(self, change: Change) -> None:
        self.undone.emit(None, change)
        self.check()


def _digest(stored: StoredFile | None) -> str:
    return stored.digest if stored is not None else ""
