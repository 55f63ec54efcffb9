"""What is in the window once it stands: memory, chat, sessions, settings, welcome. Made after the first paint, wired to each other here.

One instance a window and services; folders come and go with `set_workspace` and `leave_workspace`. GUI thread.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.app.memory_part import MemoryPart
from desktop.app.welcome_part import WelcomePart
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.bridge.tasks import Tasks
from desktop.ui.window_state import FolderState, WindowState
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace


class Parts(QObject):
    """See the module's text.

    Signals:
        setting_changed(str): a setting has another value, wherever it was changed in this process.
        folder_requested(str): open this folder.
        choose_folder_requested(): let the person choose one.
        session_shown(str): this session is in the chat pane now; empty for a new one.
    """

    setting_changed = Signal(str)
    folder_requested = Signal(str)
    choose_folder_requested = Signal()
    session_shown = Signal(str)
    _setting_seen = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, loop: LoopThread, tasks: Tasks) -> None:
        super().__init__(workbench)
        self._services = services
        self._workbench = workbench
        self._setting_seen.connect(self.setting_changed, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = services.settings.changed.subscribe(self._setting_seen.emit)
        self.memory = MemoryPart(services, workbench, operations)
        self.welcome = WelcomePart(services, workbench, operations)
        self._wire()

    def _wire(self) -> None:
        self.memory.folder_requested.connect(self.choose_folder_requested)
        self.welcome.folder_requested.connect(self.folder_requested)

    def build(self, state: WindowState) -> None:
        self.welcome.set_folders(state.recent_folders, is_open=False)

    def set_workspace(self, workspace: Workspace, folder_state: FolderState, state: WindowState) -> None:
        self.memory.set_workspace(workspace)
        self.welcome.set_folders(state.recent_folders, is_open=True)

    def leave_workspace(self) -> None:
        self.memory.set_workspace(None)

    def show_no_folder(self) -> None:
        self.welcome.set_folders((), is_open=False)
        self.welcome.show()

    def folder_state(self) -> FolderState:
        editors = self._workbench.editors
        return FolderState(editors.open_tabs(), editors.current_key(), "")

    def close(self) -> list[Future[None]]:
        self._unsubscribe()
        self.memory.close()
        return []
