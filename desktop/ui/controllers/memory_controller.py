"""The memory of the opened folder, between the services and the panel: follows the disk, carries out intents, offers undo.

Every call of a service runs through `bridge.operations`; reading is coalesced, so that a thousand changed files cost two readings.
GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop.base.clock import Clock
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.watcher import MemoryWatcher
from desktop.memory.store import Change
from desktop.ui.controllers.memory_changes import Deleted, delete_all, rename, renamed_path, undo_all
from desktop.ui.memory.rows import shown
from desktop.ui.memory.snapshot import MemorySnapshot, read_snapshot

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace


class MemoryController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Attributes:
        snapshot: the newest picture, or None before the first.

    Signals:
        workspace_changed(): another folder is open, or none.
        snapshot_changed(MemorySnapshot): what is remembered, or whether memory is on, was read anew.
        read_failed(Failure): it could not be read.
        watch_noted(str): how the folder is followed, where that is worse than usual; empty when all is well.
        renamed(old, new): a file has another path now.
        notice_requested(kind, text, actions): a toast; actions are (label, callable).
    """

    workspace_changed = Signal()
    snapshot_changed = Signal(object)
    read_failed = Signal(object)
    watch_noted = Signal(str)
    renamed = Signal(str, str)
    notice_requested = Signal(str, str, object)
    _settings_changed = Signal(str)

    def __init__(self, services: Services, workspace: Workspace | None, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._workspace: Workspace | None = None
        self._reading = 0
        self._again = False
        self._unsubscribe: Callable[[], None] | None = None
        self.snapshot: MemorySnapshot | None = None
        self.watcher = MemoryWatcher(self)
        self.watcher.changed.connect(self.refresh)
        self.watcher.polling_changed.connect(self._on_polling)
        self.watcher.watch_failed.connect(self._on_watch_failed)
        self._settings_changed.connect(self._on_setting, Qt.ConnectionType.QueuedConnection)
        self.set_workspace(workspace)

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def clock(self) -> Clock:
        return self._services.clock

    @property
    def operations(self) -> Operations:
        return self._operations

    @property
    def is_reading(self) -> bool:
        """A reading is under way or waits: `snapshot` is about to be replaced."""
        return bool(self._reading)

    def set_workspace(self, workspace: Workspace | None) -> None:
        """Show the memory of another folder, or of none."""
        self.close()
        self._workspace = workspace
        self.snapshot = None
        self.workspace_changed.emit()
        if workspace is not None:
            self._unsubscribe = workspace.settings.changed.subscribe(self._settings_changed.emit)
            self.watcher.start(workspace.store.root)
            self.refresh()

    def close(self) -> None:
        """Stop following the disk. Called before the window goes."""
        self.watcher.stop()
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        if self._reading:
            self._operations.forget(self._reading)
        self._reading, self._again = 0, False

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read again. While a reading is under way one more is kept waiting, never two."""
        workspace = self._workspace
        if workspace is None:
            return
        if self._reading:
            self._again = True
            return
        self._reading = self._operations.read(lambda: read_snapshot(workspace), self._on_snapshot, self._on_read_failed)

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        self._reading = 0
        self.snapshot = snapshot
        self.snapshot_changed.emit(snapshot)
        self._read_again()

    def _on_read_failed(self, failure: Failure) -> None:
        self._reading = 0
        self.read_failed.emit(failure)
        self._read_again()

    def _read_again(self) -> None:
        if self._again:
            self._again = False
            self.refresh()

    def _on_setting(self, key: str) -> None:
        if key.startswith(("memory.", "features.")):
            self.refresh()

    def _on_polling(self, polling: bool) -> None:
        note = self.tr("The system has no file watches left: memory is looked at every few seconds instead of at once.")
        self.watch_noted.emit(note if polling else "")

    def _on_watch_failed(self, reason: str) -> None:
        self.watch_noted.emit(self.tr("The memory folder is not followed ({reason}). Use Refresh to see changes.").format(reason=reason))

    # -- intents ---------------------------------------------------------------------------------------------------------------------

    def full_path(self, path: str) -> str:
        """Absolute path of a file of this memory; empty when no folder is open."""
        workspace = self._workspace
        return str(workspace.store.root.joinpath(*PurePosixPath(path).parts)) if workspace is not None else ""

    def copy_path(self, path: str) -> None:
        QGuiApplication.clipboard().setText(self.full_path(path))

    def copy_text(self, path: str) -> None:
        """The file's whole text to the clipboard."""
        workspace = self._workspace
        if workspace is not None:
            store = workspace.store
            self._operations.read(lambda: store.read(path).text, self._to_clipboard, self._on_failed)

    def reveal(self, path: str) -> None:
        """Show the folder that holds the file in the system's file manager."""
        folder = Path(self.full_path(path)).parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def delete(self, paths: Sequence[str]) -> None:
        """Move files to the trash, and offer to bring them back."""
        workspace = self._workspace
        if workspace is None or not paths:
            return
        store, wanted = workspace.store, tuple(paths)
        self._operations.write(lambda: delete_all(store, wanted), self._on_deleted, self._on_failed)

    def undo(self, changes: Sequence[str]) -> None:
        """Take back changes, newest first."""
        workspace = self._workspace
        if workspace is not None:
            store, ids = workspace.store, tuple(changes)
            self._operations.write(lambda: undo_all(store, ids), self._on_undone, self._on_failed)

    def rename(self, path: str, name: str) -> None:
        """Give a file another name in its folder. An existing file is never replaced."""
        workspace = self._workspace
        if workspace is None:
            return
        store, target = workspace.store, renamed_path(path, name)
        self._operations.write(lambda: rename(store, path, target), self._on_renamed, self._on_failed)

    def _to_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _on_deleted(self, outcome: Deleted) -> None:
        ids = [change.id for change in outcome.changes]
        if len(ids) == 1:
            text = self.tr("“{path}” is deleted.").format(path=shown(outcome.changes[0].path))
        else:
            text = self.tr("%n memories are deleted.", "", len(ids))
        if ids:
            self.notice_requested.emit("info", text, [(self.tr("Undo"), lambda: self.undo(ids))])
        if outcome.failure is not None:
            self._on_failed(outcome.failure)
        self.refresh()

    def _on_undone(self, changes: list[Change]) -> None:
        if len(changes) == 1:
            text = self.tr("“{path}” is back.").format(path=shown(changes[0].path))
        else:
            text = self.tr("%n memories are back.", "", len(changes))
        self.notice_requested.emit("info", text, [])
        self.refresh()

    def _on_renamed(self, change: Change) -> None:
        text = self.tr("Renamed to “{path}”.").format(path=shown(change.path))
        self.notice_requested.emit("info", text, [(self.tr("Undo"), lambda: self.undo([change.id]))])
        self.renamed.emit(change.old_path, change.path)
        self.refresh()

    def _on_failed(self, failure: Failure) -> None:
        self.notice_requested.emit("error", failure.text(), [])
        self.refresh()
