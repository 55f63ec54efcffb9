"""The memory of the opened folder, between the services and the panel: reads its roots, follows the disk, and has them journalled.

Every call of a service runs through `bridge.operations`; reading is coalesced, so that a thousand changed files cost two readings. What the
person does is `memory_acts`. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.clock import Clock
from desktop.base.errors import NotFoundError
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.watcher import MemoryWatcher
from desktop.memory.roots import PROJECT
from desktop.ui.controllers.memory_acts import MemoryActs
from desktop.ui.controllers.memory_places import MemoryPlaces
from desktop.ui.memory.snapshot import MemorySnapshot, RootPicture, read_snapshot

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.memory.store import MemoryStore

GRACE_MS = 80
"""What other programs did is journalled before it is shown, unless that takes longer than this."""


class MemoryController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Attributes:
        snapshot: the newest picture, or None before the first.
        acts: what the person does to memories.
        places: moved folders, lost projects, and the workspace file that has to be allowed.

    Signals:
        workspace_changed(): another folder is open, or none.
        snapshot_changed(MemorySnapshot): what is remembered, or whether memory is on, was read anew.
        read_failed(Failure): it could not be read.
        files_changed(): something below a root changed on disk.
        watch_noted(str): how the folder is followed, where that is worse than usual; empty when all is well.
        notice_requested(kind, text, actions, tag): a toast; actions are (label, callable); it takes the place of one with the same tag.
    """

    workspace_changed = Signal()
    snapshot_changed = Signal(object)
    read_failed = Signal(object)
    files_changed = Signal()
    watch_noted = Signal(str)
    notice_requested = Signal(str, str, object, str)

    def __init__(self, services: Services, workspace: Workspace | None, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._workspace: Workspace | None = None
        self._reading = 0
        self._observing = 0
        self._again = False
        self._unsubscribe: Callable[[], None] | None = None
        self._watchers: dict[str, MemoryWatcher] = {}
        self._watch_notes: dict[str, str] = {}
        self.snapshot: MemorySnapshot | None = None
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE_MS)
        self._grace.timeout.connect(self._read)
        self.acts = MemoryActs(self)
        self.places = MemoryPlaces(self)
        self.set_workspace(workspace)

    @property
    def services(self) -> Services:
        return self._services

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
    def watcher(self) -> MemoryWatcher:
        """Of the project's memory."""
        return self._watchers[PROJECT]

    @property
    def watchers(self) -> tuple[MemoryWatcher, ...]:
        return tuple(self._watchers.values())

    @property
    def is_reading(self) -> bool:
        """A reading is under way or waits: `snapshot` is about to be replaced."""
        return bool(self._reading or self._observing)

    def set_workspace(self, workspace: Workspace | None) -> None:
        """Show the memory of another folder, or of none."""
        self.close()
        self._workspace = workspace
        self.snapshot = None
        self.places.forget()
        self.acts.forget()
        self.workspace_changed.emit()
        if workspace is not None:
            self._unsubscribe = workspace.settings.changed.subscribe(posting(self._on_setting))
            self._follow(PROJECT, workspace.store.root)
            self.refresh()

    def close(self) -> None:
        """Stop following the disk. Called before the window goes."""
        self._grace.stop()
        for watcher in self._watchers.values():
            watcher.stop()
            watcher.deleteLater()
        self._watchers.clear()
        self._watch_notes.clear()
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        for number in (self._reading, self._observing):
            if number:
                self._operations.forget(number)
        self._reading = self._observing = 0
        self._again = False

    # -- what the window asks --------------------------------------------------------------------------------------------------------

    def store(self, root_id: str = PROJECT) -> MemoryStore | None:
        """The store of a root of the opened folder; None when there is no such root, or no folder."""
        workspace = self._workspace
        if workspace is None:
            return None
        try:
            return workspace.memories.store(root_id)
        except NotFoundError:
            return None

    def picture(self, root_id: str) -> RootPicture | None:
        return self.snapshot.picture(root_id) if self.snapshot is not None else None

    def full_path(self, root_id: str, path: str) -> str:
        """Absolute path of a file of a root; empty when there is no such root."""
        store = self.store(root_id)
        return str(store.root.joinpath(*PurePosixPath(path).parts)) if store is not None else ""

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Journal what others did, and read again. While that is under way one more round is kept waiting, never two.

        The first picture does not wait for the journal, and shows only the newest memories of a large root.
        """
        workspace = self._workspace
        if workspace is None:
            return
        if self.is_reading:
            self._again = True
            return
        if self.snapshot is None:
            self._read()
            return
        memories = workspace.memories
        self._observing = self._operations.read(lambda: len(memories.observe()), self._on_observed, self._on_not_observed)
        self._grace.start()

    def _read(self) -> None:
        self._grace.stop()
        workspace, first = self._workspace, self.snapshot is None
        if workspace is not None and not self._reading:
            self._reading = self._operations.read(
                lambda: read_snapshot(workspace, first=first), self._on_snapshot, self._on_read_failed
            )  # fmt: skip

    def _on_observed(self, changes: int) -> None:
        """Journalled. What was read meanwhile may lack the index lines that came with it."""
        self._observing = 0
        if self._reading:
            self._again = self._again or changes > 0
        elif self._grace.isActive() or changes:
            self._read()
        else:
            self._read_again()

    def _on_not_observed(self, failure: Failure) -> None:
        self._observing = 0
        self.notice_requested.emit("warning", failure.text(), [], "memory-journal")
        if not self._reading:
            self._read()

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        self._reading = 0
        if self.snapshot is None:
            self._again = True  # what others did meanwhile is journalled now
            self.places.look()
        self.snapshot = snapshot
        self._follow_all(snapshot)
        self.snapshot_changed.emit(snapshot)
        if not snapshot.is_whole:
            self._read()
        else:
            self._read_again()

    def _on_read_failed(self, failure: Failure) -> None:
        self._reading = 0
        self.read_failed.emit(failure)
        self._read_again()

    def _read_again(self) -> None:
        if self._again and not self.is_reading:
            self._again = False
            self.refresh()

    def _on_setting(self, key: str) -> None:
        if key.startswith(("memory.", "features.")):
            self.refresh()

    # -- following -------------------------------------------------------------------------------------------------------------------

    def _follow(self, root_id: str, folder: object) -> None:
        watcher = MemoryWatcher(self)
        watcher.setObjectName(root_id)
        watcher.changed.connect(self.refresh)
        watcher.changed.connect(self.files_changed)
        watcher.polling_changed.connect(self._on_polling)
        watcher.watch_failed.connect(self._on_watch_failed)
        self._watchers[root_id] = watcher
        beside = ("project.json",) if root_id == PROJECT else ()
        watcher.start(folder, beside=beside)  # type: ignore[arg-type]

    def _follow_all(self, snapshot: MemorySnapshot) -> None:
        """One watch a root: those that came are followed, those that went are let go."""
        wanted = {one.id: one.root.folder for one in snapshot.roots}
        for root_id in [one for one in self._watchers if one not in wanted]:
            self._watchers.pop(root_id).stop()
            self._watch_notes.pop(root_id, None)
        for root_id, folder in wanted.items():
            if root_id not in self._watchers:
                self._follow(root_id, folder)

    def _on_polling(self, polling: bool) -> None:
        note = self.tr("The system has no file watches left: memory is looked at every few seconds instead of at once.")
        self._note_watch(note if polling else "")

    def _on_watch_failed(self, reason: str) -> None:
        self._note_watch(self.tr("The memory folder is not followed ({reason}). Use Refresh to see changes.").format(reason=reason))

    def _note_watch(self, note: str) -> None:
        self._watch_notes[self.sender().objectName()] = note
        self.watch_noted.emit(next(filter(None, self._watch_notes.values()), ""))
