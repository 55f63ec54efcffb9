"""What is in the window once it stands: memory, chat, sessions, settings, welcome. Made after the first paint, wired to each other here.

One instance a window and services; folders come and go with `set_workspace` and `leave_workspace`. GUI thread.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.app.chat_part import ChatPart
from desktop.app.health_part import HealthPart
from desktop.app.inspector_part import InspectorPart
from desktop.app.memory_part import MemoryPart
from desktop.app.recovery_note import RecoveryNote
from desktop.app.review_part import ReviewPart
from desktop.app.search_part import SearchPart
from desktop.app.sessions_part import SessionsPart
from desktop.app.settings_part import SettingsPart
from desktop.app.slash_part import SlashPart
from desktop.app.tab_drafts import Drafts, Placed, TabDrafts
from desktop.app.tab_places import TabPlaces
from desktop.app.welcome_part import WelcomePart
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.tasks import Tasks
from desktop.memory.roots import PROJECT, USER
from desktop.ui.controllers.chat_controller import MemoryNote
from desktop.ui.window_state import FolderState, WindowState
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

OTHER_TOOLS = "sessions.other_tools"
"""The setting whether sessions of other tools are shown."""


class Parts(QObject):
    """See the module's text.

    Signals:
        setting_changed(str): a setting has another value, wherever it was changed in this process.
        folder_requested(str): open this folder.
        session_folder_requested(folder, session id): open this folder with this session in the chat.
        choose_folder_requested(): let the person choose one.
        session_shown(str): this session is in the chat pane now; empty for a new one.
    """

    setting_changed = Signal(str)
    folder_requested = Signal(str)
    session_folder_requested = Signal(str, str)
    choose_folder_requested = Signal()
    session_shown = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, loop: LoopThread, tasks: Tasks) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._unsubscribe = services.settings.changed.subscribe(posting(self._on_any_setting))
        self.memory = MemoryPart(services, workbench, operations)
        self.review = ReviewPart(services, workbench, operations, self.memory)
        self.health = HealthPart(services, workbench, operations, self.memory)
        self.sessions = SessionsPart(services, workbench, operations)
        self.search = SearchPart(services, workbench, operations)
        self.settings = SettingsPart(services, workbench, operations, tasks)
        self.chat = ChatPart(services, workbench, operations, loop)
        self.inspector = InspectorPart(services, workbench, operations)
        self.slash = SlashPart(services, workbench, self.chat.pane, operations)
        self.welcome = WelcomePart(services, workbench, operations)
        self.recovery = RecoveryNote(workbench, self.chat.controller)
        self.drafts = TabDrafts(services.paths.state, workbench.editors, operations, self._on_draft_failed)
        self.places = TabPlaces(workbench.editors)
        self._wire_memory()
        self._wire_chat()
        self._wire_settings()
        self._wire_search()
        self._wire_slash()
        self.welcome.folder_requested.connect(self.folder_requested)
        self.welcome.session_requested.connect(self.chat.controller.resume)
        self.memory.session_requested.connect(self.chat.controller.resume)

    # --- wiring ------------------------------------------------------------------------------------------------------

    def _wire_memory(self) -> None:
        memory = self.memory
        memory.folder_requested.connect(self.choose_folder_requested)
        memory.settings_requested.connect(self._show_memory_settings)
        memory.ask_requested.connect(self.chat.ask)
        memory.reopen_requested.connect(self.folder_requested)
        memory.origin_requested.connect(self._on_origin)
        memory.panel.others_requested.connect(self.settings.show_all_memory)
        memory.panel.switch_on_requested.connect(lambda: self._workbench.run("memory.turnOn"))
        self._workbench.set_status_menu("memory", ("memory.turnOff", "memory.turnOn", "memory.show", "settings.memory"))
        self.review.message_requested.connect(self._on_origin)

    def _wire_chat(self) -> None:
        chat, sessions, pane = self.chat, self.sessions, self.chat.pane
        chat.session_shown.connect(sessions.set_current)
        chat.session_shown.connect(self.session_shown)
        chat.session_shown.connect(self.memory.set_chat)
        chat.activity_changed.connect(sessions.set_activity)
        chat.controller.workspace_requested.connect(self.session_folder_requested)
        chat.controller.models_requested.connect(self._show_models)
        chat.controller.memory_note_changed.connect(self._on_memory_note)
        chat.controller.closed.connect(self._on_chat_closed)
        pane.memory_open_requested.connect(self.memory.open_memory)
        pane.memory_history_requested.connect(lambda path, root: self.memory.tabs.history(root, path))
        pane.requests_requested.connect(self.inspector.show)
        pane.review_requested.connect(lambda: self.review.show())
        chat.controller.saves.changed.connect(self.memory.controller.refresh)
        self.memory.controller.files_changed.connect(pane.memory.refresh)
        self.memory.controller.snapshot_changed.connect(lambda _snapshot: pane.memory.chips.refresh())
        self.review.controller.changed.connect(lambda _picture: pane.memory.chips.refresh())
        pane.session_open_requested.connect(self._on_session_open)
        pane.sessions_requested.connect(sessions.pick)
        pane.folder_requested.connect(self.choose_folder_requested)
        sessions.controller.sessions_changed.connect(lambda _found: self.search.retitle(sessions.controller.title_of))
        sessions.controller.sessions_changed.connect(lambda found: pane.set_sessions(found, sessions.controller.haystacks))
        pane.proposals.set_finder(sessions.controller.new_finder())
        sessions.resume_requested.connect(self._on_resume)
        sessions.open_requested.connect(self.search.open_session)
        sessions.read_requested.connect(self._on_read)
        sessions.new_requested.connect(chat.new_session)

    def _wire_slash(self) -> None:
        self.slash.memory_open_requested.connect(self.memory.open_memory)
        self.slash.settings_requested.connect(self._show_memory_settings)
        self.slash.memory_changed.connect(self.memory.controller.refresh)

    def _wire_settings(self) -> None:
        settings, chat = self.settings, self.chat
        settings.controller.apply_here_requested.connect(chat.controller.apply_memory_switch)
        settings.controller.workspace_memory_changed.connect(self._on_switch)
        settings.controller.save_failed.connect(self._on_save_failed)
        settings.models_changed.connect(self._on_models)
        self.setting_changed.connect(self._on_setting)
        settings.memory_open_requested.connect(self._on_memory_of)
        settings.memory_adopt_requested.connect(self.memory.adopt)

    def _wire_search(self) -> None:
        search, memory, chat = self.search, self.memory, self.chat
        self._workbench.palette_box.search_requested.connect(search.show)
        search.memory_requested.connect(memory.tabs.reveal)
        search.session_memory_requested.connect(memory.open_memory)
        search.review_requested.connect(lambda: self.review.show())
        search.other_memory_requested.connect(self.settings.open_viewer)
        search.reveal_requested.connect(memory.reveal)
        search.chat_requested.connect(self._on_chat_message)
        search.resume_requested.connect(self._on_resume)
        search.read_requested.connect(self.sessions.ask_read)
        search.reference_copied.connect(self.sessions.copy_reference)
        search.fork_requested.connect(self.sessions.controller.fork)
        search.export_requested.connect(self.sessions.ask_export)
        search.session_reveal_requested.connect(self.sessions.reveal)
        search.models_requested.connect(self._show_models)
        search.folder_requested.connect(self.choose_folder_requested)
        memory.controller.files_changed.connect(search.controller.refresh_memory)
        memory.controller.snapshot_changed.connect(lambda _snapshot: search.marks.refresh())
        chat.controller.running_changed.connect(search.controller.set_turn_running)
        chat.session_shown.connect(search.set_current)
        self.memory.panel.set_finder(search.controller.finder)

    # --- folder ------------------------------------------------------------------------------------------------------

    def build(self, state: WindowState) -> None:
        self.search.restore_state(state.search)
        self.sessions.set_options(state.sessions)
        self.welcome.set_folders(state.recent_folders, is_open=False)
        self.settings.say_problems()

    def set_workspace(self, workspace: Workspace, folder_state: FolderState, state: WindowState, session_id: str = "") -> None:
        """Show a folder: its memory, the tabs of before, and a session (the one asked for, else the last, else a new one)."""
        self.welcome.close_page()
        self.memory.set_workspace(workspace)
        self.sessions.set_workspace(workspace)
        self.review.set_workspace(workspace)
        self.health.set_workspace(workspace)
        self.settings.set_workspace(workspace)
        self.search.set_workspace(workspace)
        self.places.begin(folder_state.places)
        self._restore_tabs(folder_state)
        wanted = session_id or folder_state.session_id
        self.recovery.begin()
        self.chat.set_workspace(workspace, wanted, restoring=not session_id)
        self.drafts.begin(str(workspace.folder), self._on_drafts)
        self.welcome.set_folders(state.recent_folders, is_open=True)

    def leave_workspace(self) -> None:
        """Close what belongs to the folder. Unsaved text was asked for before."""
        self.drafts.end()
        for key in self._workbench.editors.open_keys():
            self._workbench.editors.close(key)
        self.chat.set_workspace(None)
        self.settings.set_workspace(None)
        self.search.set_workspace(None)
        self.sessions.set_workspace(None)
        self.review.set_workspace(None)
        self.health.set_workspace(None)
        self.memory.set_workspace(None)

    def show_no_folder(self, state: WindowState) -> None:
        self.memory.show_no_folder()
        self.chat.controller.refresh_models()
        self.welcome.set_folders(state.recent_folders, is_open=False)
        self.welcome.show()

    def folder_state(self) -> FolderState:
        """What comes back when the folder is opened again. Texts without a file do not."""
        editors = self._workbench.editors
        tabs = tuple(tab for tab in editors.open_tabs() if not tab.key.startswith("memory-new:"))
        return FolderState(tabs, editors.current_key(), self.chat.kept_session, self.places.now())

    def _restore_tabs(self, state: FolderState) -> None:
        """Open the tabs of before; what nobody knows any more is left out."""
        parts = (self.memory, self.review, self.health, self.settings, self.search, self.welcome, self.inspector)
        restorers = [part.restore for part in parts]
        for tab in state.tabs:
            any(restore(tab.key) for restore in restorers)
        if state.active_tab in self._workbench.editors.open_keys():
            any(restore(state.active_tab) for restore in restorers)

    def close(self) -> list[Future[None]]:
        """Stop everything; the futures end when sessions are closed."""
        self._unsubscribe()
        waiting = self.chat.close()
        self.search.close()
        self.review.close()
        self.health.close()
        self.memory.close()
        self.sessions.close()
        self.settings.close()
        return waiting

    # --- from one part to another ------------------------------------------------------------------------------------

    def _on_drafts(self, drafts: Drafts, placed: Placed) -> None:
        self.recovery.tabs_restored(self.memory.restore_drafts(drafts, placed))

    def _on_draft_failed(self, failure: Failure) -> None:
        text = self.tr("What you type cannot be kept as a draft: save your tabs before you close the window.")
        self._workbench.notify("warning", text, detail=failure.text())

    def _show_models(self) -> None:
        self.settings.show("models")

    def _show_memory_settings(self) -> None:
        self.settings.show("memory")

    def _on_session_open(self, session_id: str, message: int) -> None:
        """A session that the conversation speaks of is shown beside it, at the message: the conversation itself is never left for it."""
        controller = self.chat.controller
        if session_id != controller.session_id:
            self.search.open_session(session_id, number=message)
        elif 0 < message <= len(controller.messages):
            self._on_chat_message(controller.messages[message - 1].id, "")

    def _on_read(self, session_id: str, query: str, strategy: str, tokens: int) -> None:
        """Who reads a session into the conversation sees it there, and goes on typing."""
        self.chat.controller.read_into(session_id, query, strategy, tokens)
        self.chat.focus()

    def _on_resume(self, session_id: str) -> None:
        """Who goes on with a conversation goes on typing."""
        self.chat.controller.resume(session_id)
        self.chat.focus()

    def _on_chat_message(self, message: str, text: str) -> None:
        """In the open conversation; what is on none of its present branch is shown apart."""
        if self.chat.pane.reveal(message, text):
            self._workbench.set_region("chat", True)
            self.chat.pane.messages.setFocus()
        else:
            self.search.open_session(self.chat.controller.session_id, message, text)

    def _on_origin(self, session_id: str, message: str) -> None:
        """Where a memory comes from: in the open conversation, else in a stored one, at the very message."""
        if session_id and session_id == self.chat.controller.session_id and message:
            self._on_chat_message(message, "")
        elif session_id:
            self.search.open_session(session_id, message)

    def _on_memory_of(self, project_key: str, path: str) -> None:
        """A memory of the open folder is edited, one of another workspace is shown."""
        workspace = self.memory.controller.workspace
        if workspace is not None and project_key in (workspace.project.key, USER):
            self.memory.open_memory(path, USER if project_key == USER else PROJECT)
        else:
            self.settings.open_viewer(project_key, path)

    def _on_memory_note(self, note: MemoryNote) -> None:
        self.settings.controller.set_open_chat_memory(note.session)

    def _on_chat_closed(self) -> None:
        self.settings.controller.set_open_chat_memory(None)

    def _on_any_setting(self, key: str) -> None:
        self.setting_changed.emit(key)

    def _on_setting(self, key: str) -> None:
        if key == OTHER_TOOLS:
            self.sessions.controller.look_again()

    def _on_switch(self) -> None:
        self.chat.controller.refresh_memory_note()
        self.memory.controller.refresh()

    def _on_models(self) -> None:
        """A model can be used now that could not before: the chat that waited for one begins."""
        controller = self.chat.controller
        controller.refresh_models()
        self.welcome.refresh()
        if controller.workspace is not None and not controller.session_id:
            controller.new_session()

    def _on_save_failed(self, _key: str, failure: Failure) -> None:
        """The page shows it where the setting stands; this is for when the page is not in front."""
        if self._workbench.editors.current_key() != "settings":
            self._workbench.notify("error", failure.text(), detail=failure.detail)
