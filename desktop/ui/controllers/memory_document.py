"""One open memory file: reads it, saves it against the version it was read in, and tells when somebody else changed it.

Knows what is on disk, not what is typed. Every call of the store runs through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import ConflictError, NotFoundError
from desktop.bridge.operations import Failure, Operations
from desktop.memory.store import MemoryStore, StoredFile
from desktop.ui.controllers.memory_changes import PERSON


@dataclass(frozen=True, slots=True)
class Saving:
    """How a save ended.

    Attributes:
        ended: whether it was written.
        stored: what is on disk now; after a conflict what somebody else wrote, None: they deleted it.
        warnings: what the gate noticed in what was saved (a value that looks like a secret, say).
    """

    ended: Literal["saved", "conflict"]
    stored: StoredFile | None
    warnings: tuple[str, ...] = ()


def read_file(store: MemoryStore, path: str) -> StoredFile | None:
    """What is on disk, or None where there is no such file. Blocking."""
    try:
        return store.read(path)
    except NotFoundError:
        return None


def save_file(store: MemoryStore, path: str, text: str, base_digest: str | None) -> Saving:
    """Write `text` if the file is still the one with `base_digest` (None: not there yet). Never overwrites anything else. Blocking.

    Raises:
        RefusedError: the gate refuses it; StorageError: it could not be written.
    """
    try:
        change = store.write(path, text, base_digest=base_digest, origin=PERSON)
    except ConflictError:
        return Saving("conflict", read_file(store, path))
    return Saving("saved", read_file(store, path), change.warnings)


class MemoryDocument(QObject):
    """See the module's text.

    Attributes:
        path: relative to the memory root; empty for a new memory that has no name yet.
        base: the version that edits start from; None where the file is not on disk.

    Signals:
        opened(StoredFile): the file was read for the first time.
        missing(): there is no such file.
        failed(Failure): reading or saving failed; nothing was changed.
        saved(text, StoredFile): `text` was handed over and this is on disk now (times are stamped into it).
        warned(texts): what was saved holds something that the person should know of.
        changed_outside(StoredFile or None): somebody else changed (None: deleted) the file; `base` is still the old one.
        save_ended(bool): whether the save that was asked for worked.
    """

    opened = Signal(object)
    missing = Signal()
    failed = Signal(object)
    saved = Signal(str, object)
    warned = Signal(object)
    changed_outside = Signal(object)
    save_ended = Signal(bool)

    def __init__(self, store: MemoryStore, path: str, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._operations = operations
        self._saving = ""
        self._is_saving = False
        self._checking = 0
        self._check_again = False
        self.path = path
        self.base: StoredFile | None = None

    @property
    def store(self) -> MemoryStore:
        return self._store

    @property
    def operations(self) -> Operations:
        return self._operations

    @property
    def is_saving(self) -> bool:
        return self._is_saving

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
        store, path = self._store, self.path
        self._checking = self._operations.read(lambda: read_file(store, path), self._on_checked, self._on_check_failed)

    def accept(self, stored: StoredFile | None) -> None:
        """The person knows of this version: the next save replaces it."""
        self.base = stored

    def save(self, text: str) -> None:
        """Save; `saved`, `changed_outside` (a conflict) or `failed` follows, and `save_ended` in each case."""
        if self._is_saving:
            return
        self._is_saving, self._saving = True, text
        store, path, base = self._store, self.path, self.base.digest if self.base is not None else None
        self._operations.write(lambda: save_file(store, path, text, base), self._on_saved, self._on_save_failed)

    def _on_opened(self, stored: StoredFile | None) -> None:
        if stored is None:
            self.missing.emit()
        else:
            self.base = stored
            self.opened.emit(stored)

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _on_checked(self, stored: StoredFile | None) -> None:
        self._checking = 0
        if self._check_again:
            self._check_again = False
            self.check()
        elif not self._is_saving and _digest(stored) != _digest(self.base):
            self.changed_outside.emit(stored)

    def _on_check_failed(self, failure: Failure) -> None:
        """The file is there and cannot be read now. The next change is looked at again; saving would say what is wrong."""
        self._checking, self._check_again = 0, False

    def _on_saved(self, outcome: Saving) -> None:
        self._is_saving = False
        if outcome.ended == "conflict" or outcome.stored is None:
            self.changed_outside.emit(outcome.stored)
        else:
            self.base = outcome.stored
            self.saved.emit(self._saving, outcome.stored)
            if outcome.warnings:
                self.warned.emit(outcome.warnings)
        self.save_ended.emit(outcome.ended == "saved")

    def _on_save_failed(self, failure: Failure) -> None:
        self._is_saving = False
        self.failed.emit(failure)
        self.save_ended.emit(False)


def _digest(stored: StoredFile | None) -> str:
    return stored.digest if stored is not None else ""
