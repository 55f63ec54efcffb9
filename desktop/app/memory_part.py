"""Memory in the window: panel, editor tabs, status item. Wires the memory widgets to each other and to the workbench. GUI thread."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Operations
from desktop.commands.registry import Command
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.panel import MemoryPanel
from desktop.ui.memory.snapshot import MemorySnapshot
from desktop.ui.memory.state_text import status_text, status_tooltip
from desktop.ui.palette import Entry, QuickPick
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

VIEW = "memory"
PREFIX = "memory:"
NEW = "memory-new:"
EARLIEST = datetime.min.replace(tzinfo=UTC)


class MemoryPart(QObject):
    """See the module's text.

    Signals:
        settings_requested(): show the memory settings.
        folder_requested(): let the person choose a folder.
        ask_requested(str): put this into the composer.
    """

    settings_requested = Signal()
    folder_requested = Signal()
    ask_requested = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._operations = operations
        self._numbers = count(1)
        self.controller = MemoryController(services, None, operations, self)
        self.panel = MemoryPanel(self.controller)
        self._picker = QuickPick(workbench)
        self._picker.chosen.connect(self.open_memory)
        workbench.add_side_view(VIEW, self.tr("Memory"), "database", self.panel, key=workbench.key_text("memory.show"), own_header=True)
        workbench.editors.current_changed.connect(self._on_tab)
        self.panel.open_requested.connect(self.open_memory)
        self.panel.new_requested.connect(self.new_memory)
        self.panel.settings_requested.connect(self.settings_requested)
        self.panel.folder_requested.connect(self.folder_requested)
        self.panel.ask_requested.connect(self.ask_requested)
        self.controller.snapshot_changed.connect(self._on_snapshot)
        self.controller.notice_requested.connect(self._on_notice)
        self.controller.watch_noted.connect(self._on_watch)
        workbench.registry.register(
            Command("memory.show", self.tr("Show Memory"), self.show, "ctrl+shift+m", category=self.tr("Memory")),
            Command("memory.new", self.tr("New Memory"), self.new_memory, "", "folderOpen", self.tr("Memory")),
            Command("memory.refresh", self.tr("Refresh Memory"), self.controller.refresh, "", "folderOpen", self.tr("Memory")),
            Command("memory.open", self.tr("Go to a Memory…"), self.pick, "ctrl+p", "folderOpen", self.tr("Memory")),
            Command("memory.filter", self.tr("Filter Memories"), self.filter, "", "folderOpen", self.tr("Memory")),
        )

    # --- folder ------------------------------------------------------------------------------------------------------

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.controller.set_workspace(workspace)
        if workspace is None:
            self._workbench.status.remove_item("memory")
            self._workbench.status.remove_item("watch")

    def show_no_folder(self) -> None:
        """The status bar says why there is no memory."""
        text = self.tr("Memory belongs to a project. Open its folder to see what is remembered.")
        self._workbench.status.set_item("memory", self.tr("Memory: no folder"), text, "circle-outline", "memory.show")

    def close(self) -> None:
        self.controller.close()

    # --- tabs --------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """The memory view; a second time its button hides the side bar again."""
        self._workbench.show_side_view(VIEW)
        self.panel.tree.setFocus()

    def pick(self) -> None:
        """Ctrl+P: every memory by name and description, the newest first."""
        snapshot = self.controller.snapshot
        rows = sorted(snapshot.notes, key=lambda row: row.modified or EARLIEST, reverse=True) if snapshot is not None else []
        entries = [Entry(row.path, row.name, row.detail, icon="note") for row in rows]
        if snapshot is not None and snapshot.index is not None:
            entries.append(Entry(snapshot.index.path, snapshot.index.name, snapshot.index.detail, icon="list-flat"))
        self._picker.popup(entries, placeholder=self.tr("Go to a memory by its name or description"), name=self.tr("Go to a Memory"))

    def filter(self) -> None:
        self._workbench.show_side_view(VIEW)
        self.panel.focus_filter()

    def open_memory(self, path: str) -> None:
        """Open a file of this memory; `path` relative to its root."""
        workspace = self.controller.workspace
        if workspace is None or not path:
            return
        store = workspace.store
        key = PREFIX + path

        def make() -> QWidget:
            return self._editor(MemoryDocument(store, path, self._operations))

        self._workbench.editors.open(key, path.rpartition("/")[2], make, icon_name="note")

    def new_memory(self) -> None:
        """An empty memory; it gets its file when it is saved."""
        workspace = self.controller.workspace
        if workspace is None:
            return
        store = workspace.store
        key = f"{NEW}{next(self._numbers)}"

        def make() -> QWidget:
            return self._editor(MemoryDocument(store, "", self._operations))

        self._workbench.editors.open(key, self.tr("New memory"), make, icon_name="note")

    def follow_link(self, name: str) -> None:
        """A `[[link]]` or a link to another file: by its path, its name, or its file's stem."""
        snapshot = self.controller.snapshot
        if snapshot is None:
            return
        wanted = name.removesuffix(".md").casefold()
        for row in snapshot.notes:
            stem = row.path.rpartition("/")[2].removesuffix(".md")
            if wanted in (row.path.removesuffix(".md").casefold(), row.name.casefold(), stem.casefold()):
                self.open_memory(row.path)
                return
        self._workbench.notify("info", self.tr("There is no memory called “{name}”.").format(name=name))

    def restore(self, key: str) -> bool:
        """Open a tab of before; False when it is none of ours."""
        if not key.startswith(PREFIX):
            return False
        self.open_memory(key.removeprefix(PREFIX))
        return True

    def restore_drafts(self, drafts: Mapping[str, str]) -> int:
        """Put texts that were not saved before a crash or a signal back into their tabs; how many there were."""
        for key, text in drafts.items():
            if key.startswith(NEW):
                self.new_memory()
                key = self._workbench.editors.current_key()
            elif not self.restore(key):
                continue
            editor = self._workbench.editors.widget(key)
            if isinstance(editor, MemoryEditor):
                self._put_back(editor, text)
        return len(drafts)

    @staticmethod
    def _put_back(editor: MemoryEditor, text: str) -> None:
        """Now for a new memory and one that is read already, else once the file is read: the draft then stands over what is on disk."""
        if not editor.document.path or editor.document.base is not None:
            editor.source.change_to(text)
        else:
            editor.document.opened.connect(lambda _: editor.source.change_to(text), Qt.ConnectionType.SingleShotConnection)
            editor.document.missing.connect(lambda: editor.source.change_to(text), Qt.ConnectionType.SingleShotConnection)

    def _editor(self, document: MemoryDocument) -> MemoryEditor:
        editor = MemoryEditor(document)
        editor.link_requested.connect(self.follow_link)
        editor.close_requested.connect(self._on_close_requested)
        editor.path_changed.connect(self._on_path_changed)
        self.controller.snapshot_changed.connect(document.check)
        return editor

    def _key_of(self, editor: QObject) -> str:
        editors = self._workbench.editors
        return next((key for key in editors.open_keys() if editors.widget(key) is editor), "")

    def _on_close_requested(self) -> None:
        self._workbench.editors.close(self._key_of(self.sender()))

    def _on_path_changed(self, path: str) -> None:
        self._workbench.editors.rename(self._key_of(self.sender()), PREFIX + path, path.rpartition("/")[2])
        self._on_tab(self._workbench.editors.current_key())

    def _on_tab(self, key: str) -> None:
        """The tree marks the memory that is in front."""
        self.panel.show_open(key.removeprefix(PREFIX) if key.startswith(PREFIX) else "")

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        state, facts = snapshot.state, snapshot.facts
        self._workbench.status.set_item(
            "memory",
            status_text(state, facts.tokens, snapshot.token_limit),
            status_tooltip(state),
            "circle-filled" if state.enabled else "circle-outline",
            "memory.show",
            token="memory" if state.enabled else "secondary",
        )

    def _on_notice(self, kind: str, text: str, actions: object) -> None:
        self._workbench.notify(kind, text, actions)  # type: ignore[arg-type]

    def _on_watch(self, note: str) -> None:
        if note:
            self._workbench.status.set_item("watch", "", note, "warning", "memory.refresh", token="warning")
        else:
            self._workbench.status.remove_item("watch")
