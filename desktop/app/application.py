"""The life of the window: state and services before it is shown, the parts after the first paint, folders, and the end.

Wires; decides nothing that a controller could decide. GUI thread. The order of the end: sessions and their tasks, tasks of the window,
watchers, stored state and queued writes, the loop thread, then the window.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QFileDialog

from desktop.base.errors import KeepsakeError
from desktop.base.paths import resolve_paths
from desktop.base.resources import resource_path
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.tasks import Tasks
from desktop.commands.registry import Command, CommandRegistry
from desktop.ui import i18n, icons, theme
from desktop.ui.controllers.workbench_controller import WorkbenchController
from desktop.ui.window_state import FolderState, WindowState
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.app.parts import Parts
    from desktop.app.state_keeper import StateKeeper
    from desktop.compose import Options, Services, Workspace

log = logging.getLogger(__name__)

SESSION_S, WRITES_S, LOOP_S = 2.5, 1.5, 1.0
"""Bounds of the steps of the end; together they stay under the 5 s of the design."""
HARD_END_S = 5.0
"""If even that does not work, the process ends itself."""


class Application(QObject):
    """One window on one profile.

    `leave` ends the event loop with an exit status once the window is closed.

    Attributes:
        workbench: the window.
        services: the Qt-free services, or None while the data folder cannot be used.
    """

    def __init__(
        self,
        app: QApplication,
        options: Options,
        *,
        folder: Path | None = None,
        exit_after_paint: bool = False,
        leave: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__()
        self._app = app
        self._leave: Callable[[int], None] = leave or app.exit
        self._options = options
        self._folder_wanted = str(folder) if folder is not None else ""
        self._exit_after_paint = exit_after_paint
        self.operations = Operations(self)
        self.loop = LoopThread()
        self.tasks = Tasks(self.loop, self)
        self.services: Services | None = None
        self.workspace: Workspace | None = None
        self.parts: Parts | None = None
        self._keeper: StateKeeper | None = None
        self.state = WindowState()
        self._service_failure: Failure | None = None
        self._closing = False
        self._folder_to_restore = ""
        self._session_wanted = ""
        self._saved: tuple[WindowState, str] | None = None
        self.operations.failed.connect(self._on_failure)
        self.tasks.failed.connect(self._on_failure)

    # --- start -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Read what the first picture needs, and show it. Everything else follows after the first paint."""
        from desktop.app.state_file import StateFile

        self.paths = resolve_paths(self._options.profile_dir, self._options.environ)
        self._build_services()
        self._state_file = StateFile(self.paths.state, self.operations)
        self.state = self._state_file.read()
        self._apply_appearance()
        self._make_window()
        self.workbench.show()

    def _build_services(self) -> None:
        from desktop.compose import build_services

        try:
            self.services = build_services(self._options)
            self._service_failure = None
        except (KeepsakeError, OSError) as error:
            log.error("the services cannot be built: %s", error)
            self._service_failure = Failure.of(error)

    def _apply_appearance(self) -> None:
        name, zoom, language = theme.SYSTEM, 1.0, i18n.SYSTEM
        if self.services is not None:
            settings = self.services.settings
            name, zoom = str(settings.value("appearance.theme")), float(settings.value("appearance.zoom"))
            language = str(settings.value("appearance.language"))
        i18n.install(language)
        theme.apply(self._app, name, zoom)

    def _make_window(self) -> None:
        self.registry = CommandRegistry()
        self.registry.set_recent(self.state.recent_commands)
        self.workbench = Workbench(self.registry)
        self.controller = WorkbenchController(self.workbench, self.operations)
        self._register_commands()
        self.workbench.restore_layout(self.state.layout)
        self.workbench.close_requested.connect(self.close)
        self.workbench.folder_dropped.connect(self.open_folder)
        self.workbench.first_painted.connect(self._on_painted)
        self.controller.language_changed.connect(self._on_language)
        self.controller.about_requested.connect(self._on_about)

    def _on_painted(self) -> None:
        """The window stands; now what takes longer."""
        if self._exit_after_paint:
            self.end()
            return
        icons.load()
        self._app.setWindowIcon(QIcon(str(resource_path("icons", "keepsake.svg"))))
        QTimer.singleShot(0, self._build_parts)

    def _build_parts(self) -> None:
        if self._closing:
            return
        if self.services is None:
            self._show_storage_problem()
            return
        from desktop.app.keys import KeyBindings
        from desktop.app.parts import Parts
        from desktop.app.state_keeper import StateKeeper
        from desktop.bridge.collector import GuiCollector

        self.controller.set_settings(self.services.settings)
        self.parts = Parts(self.services, self.workbench, self.operations, self.loop, self.tasks)
        self.parts.setting_changed.connect(self.controller.on_setting)
        self.parts.folder_requested.connect(self.open_folder)
        self.parts.session_folder_requested.connect(self.open_session_folder)
        self.parts.choose_folder_requested.connect(self.choose_folder)
        self.parts.session_shown.connect(self._on_session)
        self.keys = KeyBindings(self.paths.keybindings_file, self.workbench, self.operations)
        self.keys.changed.connect(self.controller.refresh_keys)
        self.keys.load()
        self.parts.build(self.state)
        self._keeper = StateKeeper(self.workbench, self.parts, self._save_state)
        self.controller.refresh_keys()
        GuiCollector.freeze()
        wanted = self._folder_wanted or self.state.last_folder
        if self.state.folders.get(wanted, FolderState()).session_id:
            self.parts.chat.pane.warm()
        if wanted:
            self._open(wanted, restoring=not self._folder_wanted)
        else:
            self.parts.show_no_folder(self.state)

    def _register_commands(self) -> None:
        category = self.tr("Folder")
        self.registry.register(
            Command("folder.open", self.tr("Open Folder…"), self.choose_folder, "ctrl+o|ctrl+k ctrl+o", category=category),
            Command("folder.close", self.tr("Close Folder"), self.close_folder, "ctrl+k f", "folderOpen", category),
        )

    # --- folders -----------------------------------------------------------------------------------------------------

    def choose_folder(self) -> None:
        """Let the person choose a folder, then open it."""
        dialog = QFileDialog(self.workbench, self.tr("Open Folder"), str(self.workspace.folder) if self.workspace else str(Path.home()))
        dialog.setObjectName("folderDialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.resize(820, 520)
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Open"))
        dialog.fileSelected.connect(self.open_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_folder(self, folder: str) -> None:
        """Open another folder in this window; unsaved tabs are asked for first."""
        self._sure(lambda: self._open(folder))

    def open_session_folder(self, folder: str, session_id: str) -> None:
        """Open the folder of a session, with that session in the chat."""
        self._sure(lambda: self._open(folder, session_id=session_id))

    def close_folder(self) -> None:
        self._sure(lambda: self._leave_folder(forget=True))

    def _sure(self, go_on: Callable[[], object]) -> None:
        """Go on once the person let go of what would be lost: tabs that are not saved, and an incognito conversation."""

        def leave_chat() -> None:
            if self.parts is not None:
                self.parts.chat.controller.sure_to_leave(go_on)
            else:
                go_on()

        self.workbench.editors.confirm_all(lambda sure: leave_chat() if sure else None)

    def _open(self, folder: str, *, restoring: bool = False, session_id: str = "") -> None:
        services = self.services
        if services is None:
            return
        self._folder_to_restore = folder if restoring else ""
        self._session_wanted = session_id
        self.registry.set_fact("folderOpening", True)
        path = Path(folder)
        self.operations.read(lambda: services.open_workspace(path), self._on_workspace, self._on_open_failed)

    def _on_workspace(self, workspace: Workspace) -> None:
        if self.parts is None or self._closing:
            return
        if self.workspace is not None:
            self._leave_folder(forget=False)
        self.workspace = workspace
        folder = str(workspace.folder)
        self.state = self.state.opened(folder)
        self.registry.set_fact("folderOpening", False)
        self.registry.set_fact("folderOpen", True)
        self.workbench.set_title(folder, workspace.project.label)
        wanted, self._session_wanted = self._session_wanted, ""
        self.parts.set_workspace(workspace, self.state.folders.get(folder, FolderState()), self.state, wanted)
        self.controller.refresh_keys()
        self._save_state()

    def _on_open_failed(self, failure: Failure) -> None:
        """Say it; when the last folder could not be restored, the welcome page stands in for it."""
        self._on_failure(failure)
        self.registry.set_fact("folderOpening", False)
        if self.parts is not None:
            self.parts.chat.forget_wish()
        if self._folder_to_restore:
            self.state = self.state.without_folder(self._folder_to_restore)
            self._folder_to_restore = ""
        if self.workspace is None and self.parts is not None:
            self.parts.show_no_folder(self.state)

    def _leave_folder(self, *, forget: bool) -> None:
        """Close what belongs to the open folder; its tabs and session are kept in the state."""
        if self.workspace is None or self.parts is None:
            return
        self._save_state()
        self.parts.leave_workspace()
        self.workspace = None
        self.registry.set_fact("folderOpen", False)
        if forget:
            self.state = replace(self.state, last_folder="")
            self.workbench.set_title("")
            self.parts.show_no_folder(self.state)
            self._save_state()

    # --- state -------------------------------------------------------------------------------------------------------

    def _on_session(self, _session_id: str) -> None:
        self._save_state()

    def _save_state(self) -> None:
        state = replace(self.state, layout=self.workbench.layout_state(), recent_commands=self.registry.recent)
        if self.parts is not None:
            state = replace(state, search=self.parts.search.state(), sessions=self.parts.sessions.options)
        folder = ""
        if self.workspace is not None and self.parts is not None:
            folder = str(self.workspace.folder)
            state = state.with_folder(folder, self.parts.folder_state())
        self.state = state
        if self.services is not None and (state, folder) != self._saved:
            self._saved = (state, folder)
            self._state_file.save(state, folder)

    # --- trouble -----------------------------------------------------------------------------------------------------

    def on_error(self, line: str, detail: str) -> None:
        """An exception that nobody caught: it is in the log, and the person sees it once."""
        text = self.tr("Something went wrong inside Keepsake: {error}. Your files are as they were; you can go on.").format(error=line)
        if not self._closing:
            self.workbench.notify("error", text, detail=detail)

    def _on_failure(self, failure: Failure) -> None:
        if not self._closing:
            self.workbench.notify("error", failure.text(), detail=failure.detail)

    def _show_storage_problem(self) -> None:
        """The data folder cannot be used: say which and why, and let the person try again. The window itself works."""
        from desktop.ui.problem_page import ProblemPage

        failure = self._service_failure or Failure("")

        def make() -> ProblemPage:
            again = (self.tr("Try Again"), self._try_again)
            return ProblemPage(self.tr("Keepsake cannot store anything"), failure.message, failure.hint, [again])

        self.workbench.editors.open("problem", self.tr("Problem"), make, icon_name="warning")

    def _try_again(self) -> None:
        self.workbench.editors.close("problem")
        self._build_services()
        self._build_parts()

    def _on_about(self) -> None:
        import desktop

        text = self.tr("Keepsake {version}: chat with a coding agent that remembers. Everything is stored below {folder}.")
        self.workbench.notify("info", text.format(version=desktop.__version__, folder=self.paths.data))

    def _on_language(self, _choice: str) -> None:
        self.workbench.notify(
            "info",
            self.tr("The language changes when the window is made anew. Nothing is lost: folder, tabs and chat come back."),
            [(self.tr("Change Now"), self._ask_remake)],
        )

    def _ask_remake(self) -> None:
        self._sure(self._remake)

    def _remake(self) -> None:
        """The same window in another language. Unsaved text was saved or discarded before."""
        from desktop.bridge.collector import GuiCollector

        if self.parts is not None:
            self.parts.drafts.end()
        self._save_state()
        folder = str(self.workspace.folder) if self.workspace is not None else ""
        self._end_parts(monotonic() + SESSION_S)
        old = self.workbench
        self.workspace = None
        self._folder_wanted = folder
        self._apply_appearance()
        self._make_window()
        self.workbench.show()
        old.finish_close()
        old.destroyed.connect(GuiCollector.look_soon)
        old.deleteLater()

    # --- end ---------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the window: unsaved tabs and an incognito conversation are asked for, what runs is stopped.

        Who closes again instead of answering for the conversation has answered.
        """
        if self._closing:
            return
        if self.parts is not None and self.parts.chat.pane.leave_question.asks:
            self._end_in_order()
        else:
            self._sure(self._end_in_order)

    def _end_in_order(self) -> None:
        """Everything was saved or discarded: no draft is left."""
        if self.parts is not None:
            self.parts.drafts.end()
        self.end()

    def on_signal(self, number: int) -> None:
        """SIGTERM, SIGINT or SIGHUP: no questions; what was typed and not saved is stored as a draft."""
        log.info("signal %d: closing", number)
        if self.parts is not None:
            self.parts.drafts.keep()
        self.end()

    def end(self) -> None:
        """The end, in order and within bounds."""
        if self._closing:
            return
        self._closing = True
        guard = threading.Timer(HARD_END_S, _end_hard)
        guard.daemon = True
        guard.start()
        started = monotonic()
        self._save_state()
        self.workbench.hide()
        self._end_parts(started + SESSION_S)
        self._close_indexes()
        self.tasks.close()
        self.operations.close(WRITES_S)
        if not self.loop.stop(LOOP_S):
            log.warning("the loop thread did not end in time")
        self.workbench.finish_close()
        guard.cancel()
        log.info("closed in %.2f s", monotonic() - started)
        self._leave(0)

    def _close_indexes(self) -> None:
        """Closed in order, the next start need not look through them."""
        if self.services is not None:
            self.operations.write(self.services.memory_search.close)
            self.operations.write(self.services.session_search.close)

    def _end_parts(self, deadline: float) -> None:
        if self.parts is None:
            return
        if self._keeper is not None:
            self._keeper.stop()
        waiting: list[Future[None]] = self.parts.close()
        for future in waiting:
            try:
                error = future.exception(max(0.05, deadline - monotonic()))
            except (FutureTimeout, CancelledError):
                log.warning("a session did not close in time")
            else:
                if error is not None:
                    log.error("a session did not close cleanly", exc_info=error)
        self.parts = None


def _end_hard() -> None:
    log.error("the window did not close in time; ending the process")
    logging.shutdown()
    os._exit(1)
