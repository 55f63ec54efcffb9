"""Memory in the window: panel, tabs, lists, commands, status item, wired to each other and to the workbench. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.app.memory_picks import MemoryPicks
from desktop.app.memory_tabs import MemoryTabs, place_of
from desktop.app.tab_drafts import Drafts, Placed
from desktop.bridge.operations import Operations
from desktop.commands.registry import Command
from desktop.memory.origins import MemoryPlace, remembered_at
from desktop.memory.roots import PROJECT
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.memory.panel import MemoryPanel
from desktop.ui.memory.snapshot import MemorySnapshot
from desktop.ui.memory.state_text import status_text, status_tooltip
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

VIEW = "memory"


class MemoryPart(QObject):
    """See the module's text.

    Signals:
        settings_requested(): show the memory settings.
        folder_requested(): let the person choose a folder.
        reopen_requested(folder): this folder has another memory now and has to be opened anew.
        session_requested(session id): show the session in which a memory was made.
        origin_requested(session id, message id): show the very message from which a memory came; the message may be empty.
        ask_requested(str): put this into the composer.
    """

    settings_requested = Signal()
    folder_requested = Signal()
    reopen_requested = Signal(str)
    session_requested = Signal(str)
    origin_requested = Signal(str, str)
    ask_requested = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._badges: dict[str, int] = {}
        self._chat = ""
        self._here = False
        self._looking = 0
        self.controller = MemoryController(services, None, operations, self)
        self.tabs = MemoryTabs(self.controller, workbench, operations)
        self.picks = MemoryPicks(self.controller, workbench)
        self.panel = MemoryPanel(self.controller)
        self.panel.setFocusProxy(self.panel.tree)
        workbench.add_side_view(VIEW, self.tr("Memory"), "database", self.panel, key=workbench.key_text("memory.show"), own_header=True)
        self._connect()
        self._register()

    def _connect(self) -> None:
        panel, controller = self.panel, self.controller
        panel.open_requested.connect(self.tabs.open)
        panel.new_requested.connect(self.tabs.new)
        panel.history_requested.connect(self.tabs.history)
        panel.session_requested.connect(self.session_requested)
        panel.origin_requested.connect(self.origin_requested)
        panel.trash_requested.connect(self.picks.pick_deleted)
        panel.adopt_requested.connect(self.picks.pick_orphan)
        panel.settings_requested.connect(self.settings_requested)
        panel.folder_requested.connect(self.folder_requested)
        panel.ask_requested.connect(self.ask_requested)
        panel.here_ended.connect(lambda: self.show_here(False))
        panel.header.here_requested.connect(self.show_here)
        self.picks.open_requested.connect(self.tabs.open)
        self.tabs.front_changed.connect(panel.show_open)
        self.tabs.session_requested.connect(self.session_requested)
        self.tabs.origin_requested.connect(self.origin_requested)
        controller.snapshot_changed.connect(self._on_snapshot)
        controller.notice_requested.connect(self._on_notice)
        controller.watch_noted.connect(self._on_watch)
        controller.places.relinked.connect(self.reopen_requested)

    def _register(self) -> None:
        memory, opened, acts = self.tr("Memory"), "folderOpen", self.controller.acts
        self._workbench.registry.register(
            Command("memory.show", self.tr("Show Memory"), self.show, "ctrl+shift+m", category=memory),
            Command("memory.new", self.tr("New Memory"), self.new_memory, "", opened, memory),
            Command("memory.refresh", self.tr("Refresh Memory"), self.controller.refresh, "", opened, memory),
            Command("memory.open", self.tr("Go to a Memory…"), self.picks.pick, "ctrl+p", opened, memory),
            Command("memory.filter", self.tr("Filter Memories"), self.filter, "", opened, memory),
            Command("memory.here", self.tr("Show Only What Came from This Chat"), self.toggle_here, "", opened, memory),
            Command("memory.undo", self.tr("Undo Last Memory Change"), acts.undo_last, "ctrl+alt+z", opened, memory),
            Command("memory.history", self.tr("Show History of a Memory"), self.history, "", opened, memory),
            Command("memory.trash", self.tr("Recently Deleted…"), self.picks.pick_deleted, "", opened, memory),
            Command("memory.pin", self.tr("Pin or Unpin"), self.panel.toggle_pin, "", opened, memory),
            Command("memory.adopt", self.tr("Adopt Memory of a Lost Project…"), self.picks.pick_orphan, "", opened, memory),
        )

    # --- folder ------------------------------------------------------------------------------------------------------

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.show_here(False)
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

    # --- what came from the open chat ---------------------------------------------------------------------------------

    def set_chat(self, session_id: str) -> None:
        """The session in the chat pane; empty for a new one."""
        self._chat = session_id
        self._look_here()

    def toggle_here(self) -> None:
        self._workbench.show_side_view(VIEW)
        self.show_here(not self._here)

    def show_here(self, on: bool) -> None:
        """Show only the memories that came from the open chat, made or changed in it, or all again."""
        self._here = on
        self.panel.header.show_here(on)
        if on:
            self._look_here()
        else:
            self.panel.show_only(None)

    def _look_here(self) -> None:
        workspace, session = self.controller.workspace, self._chat
        if not self._here or workspace is None:
            return
        memories = workspace.memories
        self.controller.operations.forget(self._looking)
        self._looking = self.controller.operations.read(lambda: remembered_at(memories, session), self._on_here)

    def _on_here(self, found: dict[str, tuple[MemoryPlace, ...]]) -> None:
        if self._here:
            self.panel.show_only([(root, path) for places in found.values() for root, path, _ in places])

    def set_badge(self, who: str, count: int) -> None:
        """How much of one kind waits for the person; the view's button in the activity bar shows the sum."""
        self._badges[who] = count
        self._workbench.activity.set_badge(VIEW, sum(self._badges.values()))

    # --- what others ask ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        """The memory view; a second time its button hides the side bar again."""
        self._workbench.show_side_view(VIEW)
        self.panel.tree.setFocus()

    def filter(self) -> None:
        self._workbench.show_side_view(VIEW)
        self.panel.focus_filter()

    def reveal(self, root: str, path: str) -> None:
        """The memory view with this file chosen."""
        self._workbench.show_side_view(VIEW)
        if not self.panel.select(root, path):
            self.panel.clear_filter()
            self.panel.select(root, path)
        self.panel.tree.setFocus()

    def open_memory(self, path: str, root: str = PROJECT) -> None:
        """Open a file of a memory root; `path` relative to it."""
        self.tabs.open(root, path)

    def new_memory(self) -> None:
        """An empty memory of the project; it gets its file when it is saved."""
        self.tabs.new(PROJECT)

    def history(self) -> None:
        """The versions of the memory in front, else of the one that is current in the tree."""
        root, path = place_of(self._workbench.editors.current_key())
        row = self.panel.tree.current()
        if not path and row is not None and row.is_file:
            root, path = row.root, row.path
        if path:
            self.tabs.history(root, path)
        else:
            self._workbench.notify(
                "info", self.tr("Choose a memory first: open it, or select it in the memory view."), tag="memory-history"
            )

    def adopt(self, key: str) -> None:
        """Move the memory of a lost project into the opened folder's."""
        self.controller.places.adopt(key)

    def restore(self, key: str) -> bool:
        """Open a tab of before; False when it is none of ours."""
        return self.tabs.restore(key)

    def restore_drafts(self, drafts: Drafts, placed: Placed) -> int:
        """Put texts that were not saved before a crash or a signal back into their tabs; how many have one."""
        return self.tabs.restore_drafts(drafts, placed)

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        self._look_here()
        state, facts = snapshot.state, snapshot.facts
        self._workbench.status.set_item(
            "memory",
            status_text(state, facts.tokens, snapshot.token_limit),
            status_tooltip(state),
            "circle-filled" if state.enabled else "circle-outline",
            "memory.show",
            token="memory" if state.enabled else "secondary",
        )

    def _on_notice(self, kind: str, text: str, actions: object, tag: str) -> None:
        self._workbench.notify(kind, text, actions, tag=tag)  # type: ignore[arg-type]

    def _on_watch(self, note: str) -> None:
        if note:
            self._workbench.status.set_item("watch", "", note, "warning", "memory.refresh", token="warning")
        else:
            self._workbench.status.remove_item("watch")
