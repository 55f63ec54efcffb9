"""Settings between the store and the page: values, saving, the workspace-memory switch, and what to do about a broken file.

Values are read from the store's memory; saving and `project.json` go through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.spoken import spoken
from desktop.memory.identity import read_project_file, set_memory_switch
from desktop.memory.project_file import Extraction, set_extraction
from desktop.memory.switches import EXTRACTION_KEY, MemoryState
from desktop.settings.store import SettingsStore

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace


@dataclass(frozen=True, slots=True)
class WorkspaceMemory:
    """The switch of the opened folder.

    Attributes:
        label: the project's readable name.
        file: where the switch is kept.
        on: what the switch says.
        readable: False when `project.json` cannot be read: agents write no memory until the person sets the switch.
        state: what holds for new chats, all switches together.
        extraction: what the person chose for the background job in this workspace; None: what the settings say.
        usual: what the settings say.
        tightened: the workspace's own file allows no more than what holds.
    """

    label: str
    file: str
    on: bool
    readable: bool
    state: MemoryState
    extraction: Extraction | None = None
    usual: str = "auto"
    tightened: bool = False


def read_workspace_memory(workspace: Workspace) -> WorkspaceMemory:
    """Blocking."""
    stored = read_project_file(workspace.project)
    project, settings, on = workspace.project, workspace.settings, stored.switch is not False
    usual = str(settings.value(EXTRACTION_KEY))
    wanted = stored.extraction or usual
    return WorkspaceMemory(
        stored.label or project.label,
        str(project.project_file),
        on,
        stored.readable,
        workspace.memory_state(),
        stored.extraction,
        usual,
        settings.tightened(EXTRACTION_KEY, wanted) != wanted,
    )


class SettingsController(QObject):
    """One for the window.

    Attributes:
        workspace_memory: the newest reading, or None when no folder is open or it was not read yet.
        open_chat_memory: whether the open chat has memory; None when none is open. Set with `set_open_chat_memory`.

    Signals:
        changed(key): a value changed, here or elsewhere in this process.
        save_failed(key, Failure): a value was not saved; what was before holds.
        workspace_changed(): another folder is open, or none.
        workspace_memory_changed(): the switch was read anew, or set.
        open_chat_changed(): the open chat's memory became another, or another chat is open.
        apply_here_requested(): let the switches hold in the open chat too, from its next turn on.
        problems_changed(): what is wrong with the files changed.
    """

    changed = Signal(str)
    save_failed = Signal(str, object)
    workspace_changed = Signal()
    workspace_memory_changed = Signal()
    open_chat_changed = Signal()
    apply_here_requested = Signal()
    problems_changed = Signal()

    def __init__(self, services: Services, workspace: Workspace | None, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._workspace: Workspace | None = None
        self.workspace_memory: WorkspaceMemory | None = None
        self.open_chat_memory: bool | None = None
        self._unsubscribe: Callable[[], None] | None = services.settings.changed.subscribe(posting(self._on_changed))
        self.set_workspace(workspace)

    @property
    def services(self) -> Services:
        return self._services

    @property
    def operations(self) -> Operations:
        return self._operations

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def settings(self) -> SettingsStore:
        """As the opened folder sees them."""
        return self._workspace.settings if self._workspace is not None else self._services.settings

    def set_workspace(self, workspace: Workspace | None) -> None:
        self._workspace = workspace
        self.workspace_memory = None
        self.workspace_changed.emit()
        self.refresh_workspace_memory()

    def close(self) -> None:
        """Before the window goes."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # -- values ----------------------------------------------------------------------------------------------------------------------

    def value(self, key: str) -> Any:
        return self.settings.value(key)

    def is_modified(self, key: str) -> bool:
        return self.settings.is_modified(key)

    def source(self, key: str) -> str:
        """The layer that a value comes from: default, preset, person or workspace."""
        return self.settings.source(key)

    def is_tightened(self, key: str) -> bool:
        """The opened folder's own file holds the value tighter."""
        return self.settings.is_tightened(key)

    def workspace_file(self) -> Path | None:
        """The opened folder's own settings file, which this page never writes."""
        return self._workspace.folder / ".keepsake" / "settings.json" if self._workspace is not None else None

    def set(self, key: str, value: Any) -> None:
        """Save a value; `changed` or `save_failed` follows."""
        settings = self.settings
        self._operations.write(lambda: settings.set(key, value), None, lambda failure: self._on_save_failed(key, failure))

    def reset(self, key: str) -> None:
        settings = self.settings
        self._operations.write(lambda: settings.reset(key), None, lambda failure: self._on_save_failed(key, failure))

    def _on_changed(self, key: str) -> None:
        self.changed.emit(key)
        if key.startswith(("memory.", "features.")):
            self.refresh_workspace_memory()

    def _on_save_failed(self, key: str, failure: Failure) -> None:
        self.save_failed.emit(key, failure)

    # -- broken files ----------------------------------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        return [spoken(problem) for problem in self.settings.problems]

    def is_broken(self) -> bool:
        """A file could not be read, and until the person decides, agents write no memory."""
        return self.settings.broken

    def resolve_broken(self) -> None:
        """The person goes on with the settings that are shown."""
        settings = self.settings
        self._operations.write(settings.resolve_broken, self._on_resolved, lambda failure: self._on_save_failed("", failure))

    def _on_resolved(self, _: None) -> None:
        self.problems_changed.emit()
        self.refresh_workspace_memory()

    # -- the workspace-memory switch -------------------------------------------------------------------------------------------------

    def refresh_workspace_memory(self) -> None:
        workspace = self._workspace
        if workspace is not None:
            self._operations.read(lambda: read_workspace_memory(workspace), self._on_workspace_memory)

    def set_workspace_memory(self, on: bool) -> None:
        """Turn memory of the opened folder's project on or off, for chats that are created from now on."""
        workspace, clock = self._workspace, self._services.clock
        if workspace is None:
            return

        def work() -> WorkspaceMemory:
            set_memory_switch(workspace.project, on, clock)
            return read_workspace_memory(workspace)

        self._operations.write(work, self._on_workspace_memory, self._on_switch_failed)

    def set_workspace_extraction(self, choice: Extraction | None) -> None:
        """What the background job does in the opened folder's project, from its next run on; None: what the settings say."""
        workspace, clock = self._workspace, self._services.clock
        if workspace is None:
            return

        def work() -> WorkspaceMemory:
            set_extraction(workspace.project, choice, clock)
            return read_workspace_memory(workspace)

        self._operations.write(work, self._on_workspace_memory, self._on_switch_failed)

    def set_open_chat_memory(self, enabled: bool | None) -> None:
        """Told by whoever owns the open chat: whether it has memory; None when no chat is open."""
        if enabled != self.open_chat_memory:
            self.open_chat_memory = enabled
            self.open_chat_changed.emit()

    def apply_here(self) -> None:
        self.apply_here_requested.emit()

    def _on_workspace_memory(self, memory: WorkspaceMemory) -> None:
        self.workspace_memory = memory
        self.workspace_memory_changed.emit()

    def _on_switch_failed(self, failure: Failure) -> None:
        self.save_failed.emit("", failure)
        self.workspace_memory_changed.emit()
