"""Search in the window: the side-bar view, its commands, and what is opened when a result is chosen. GUI thread.

A memory opens in its editor at the line; a session opens read only in a tab at the message, so that the open conversation is left alone,
or, when it is that conversation, the chat pane scrolls there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop.app.session_marks import SessionMarks
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import sentences
from desktop.commands.registry import Command
from desktop.ui.controllers.search_controller import SearchController
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.results import MemoryPlace, ResultRow, Results, SessionPlace
from desktop.ui.search.view import SearchView, focused, selected_words
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.ui.sessions.viewer import SessionViewer

VIEW = "search"
PREFIX = "session:"


class SearchPart(QObject):
    """See the module's text.

    Signals:
        memory_requested(root id, path, line, text): show a memory of the opened folder at a line.
        other_memory_requested(project key, path, line, text, label): show one of another project.
        reveal_requested(root id, path): show a file in the memory view.
        chat_requested(message id, text): the message is in the open conversation: scroll there.
        resume_requested(session id), read_requested(session id)
        path_copy_requested(text), reference_copied(session id)
        session_memory_requested(path, root id): a memory was clicked in a session that is shown.
        review_requested(): proposals were clicked there.
        fork_requested(session id), export_requested(session id, kind), session_reveal_requested(session id): from the menu of such a tab.
        models_requested(), folder_requested()
    """

    memory_requested = Signal(str, str, int, str)
    other_memory_requested = Signal(str, str, int, str, str)
    reveal_requested = Signal(str, str)
    chat_requested = Signal(str, str)
    resume_requested = Signal(str)
    read_requested = Signal(str)
    reference_copied = Signal(str)
    fork_requested = Signal(str)
    export_requested = Signal(str, str)
    session_reveal_requested = Signal(str)
    session_memory_requested = Signal(str, str)
    review_requested = Signal()
    models_requested = Signal()
    folder_requested = Signal()

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._services = services
        self._workbench = workbench
        self._operations = operations
        self._current = ""
        self._passing = ""
        self.controller = SearchController(services, operations, self)
        self.marks = SessionMarks(self._viewers, operations, self)
        self.view = SearchView(services.clock)
        self._register()
        title, key = self.tr("Search"), workbench.key_text("search.show")
        workbench.add_side_view(VIEW, title, "search", self.view, key=key, own_header=True, first=True)
        self._connect()

    def _connect(self) -> None:
        view, controller = self.view, self.controller
        view.query_changed.connect(self._on_query)
        view.again_requested.connect(controller.again)
        view.more_requested.connect(controller.more)
        view.rebuild_requested.connect(self.rebuild)
        view.appeared.connect(controller.refresh_sessions)
        view.open_requested.connect(self.open)
        view.copy_requested.connect(self._on_copy)
        view.path_requested.connect(self._on_path)
        view.reveal_requested.connect(self._on_reveal)
        view.read_requested.connect(lambda row: self.read_requested.emit(row.place.session))
        view.resume_requested.connect(lambda row: self.resume_requested.emit(row.place.session))
        view.models_requested.connect(self.models_requested)
        view.folder_requested.connect(self.folder_requested)
        controller.found.connect(self._on_found)
        controller.failed.connect(self._on_failed)
        controller.index_failed.connect(self._on_index_failed)
        controller.progressed.connect(view.show_progress)
        queued = Qt.ConnectionType.QueuedConnection  # a file that is read into an editor counts as typed for a moment
        self._workbench.editors.modified_changed.connect(self._on_modified, queued)

    def _register(self) -> None:
        category, results = self.tr("Search"), "searchResults"
        self._workbench.registry.register(
            Command("search.show", self.tr("Search Memory and Sessions"), self.show, "ctrl+shift+f", category=category, icon="search"),
            Command("search.next", self.tr("Next Result"), partial(self.step, 1), "f4", results, category),
            Command("search.previous", self.tr("Previous Result"), partial(self.step, -1), "shift+f4", results, category),
            Command("search.clear", self.tr("Clear the Search"), self.view.box.clear, "", results, category),
            Command("search.rebuild", self.tr("Rebuild the Search Index"), self.rebuild, "", "folderOpen", category),
        )

    # --- folder ------------------------------------------------------------------------------------------------------

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.view.set_opened(workspace is not None)
        self._set_fact(None)
        self.controller.set_workspace(workspace)
        self.marks.set_workspace(workspace)

    def state(self) -> SearchQuery:
        """What comes back after a restart."""
        return self.view.query()

    def restore_state(self, query: SearchQuery) -> None:
        self.view.set_query(query)

    def restore(self, key: str) -> bool:
        """Open a tab of before; False when it is none of ours."""
        if key.startswith(PREFIX):
            self.open_session(key.removeprefix(PREFIX))
        return key.startswith(PREFIX)

    def close(self) -> None:
        self.controller.close()

    # --- commands ----------------------------------------------------------------------------------------------------

    def show(self, text: str = "") -> None:
        """The view with the keyboard in its box, and what is selected in it."""
        before = focused()
        words = text or selected_words(before if before is not None and not self.view.isAncestorOf(before) else None)
        self._workbench.show_side_view(VIEW)
        self.view.begin(words, before)

    def step(self, by: int) -> None:
        """The next or previous result, opened. The tab that the last step opened makes room for it."""
        row = self.view.step(by)
        if row is not None:
            self.open(row, passing=True)

    def rebuild(self) -> None:
        """Make the indexes anew from the files."""
        self.view.show_results(None)
        self.controller.rebuild()

    # --- opening -----------------------------------------------------------------------------------------------------

    def open(self, row: ResultRow, *, passing: bool = False) -> None:
        """Show a result at its place."""
        editors = self._workbench.editors
        known = set(editors.open_keys())
        place, passed = row.place, self._passing
        self._passing = ""
        if isinstance(place, MemoryPlace) and place.root:
            self.memory_requested.emit(place.root, place.path, place.line, place.text)
        elif isinstance(place, MemoryPlace):
            label = row.detail.partition(" · ")[0]
            self.other_memory_requested.emit(place.project, place.path, place.line, place.text, label)
        elif isinstance(place, SessionPlace) and place.session == self._current:
            self.chat_requested.emit(place.message, place.text)
        elif isinstance(place, SessionPlace):
            self.open_session(place.session, place.message, place.text)
        now = editors.current_key()
        if passed and passed != now and passed in known and passed not in editors.modified_keys():
            editors.close(passed)
        if passing and (now not in known or now == passed):
            self._passing = now

    def open_session(self, session_id: str, message: str = "", text: str = "", *, number: int = 0) -> None:
        """A stored session, read only, in a tab; at a message by its id, or by its number on the live branch."""

        def make() -> QWidget:
            from desktop.ui.sessions.pages import side_file_of
            from desktop.ui.sessions.viewer import SessionViewer, read_session

            sessions = self._services.all_sessions
            viewer = SessionViewer(
                lambda: read_session(sessions, session_id),
                session_id,
                self._operations,
                side_file=side_file_of(sessions, session_id),
            )
            viewer.resume_requested.connect(self.resume_requested)
            viewer.menu.read_requested.connect(self.read_requested)
            viewer.menu.reference_copied.connect(self.reference_copied)
            viewer.menu.fork_requested.connect(self.fork_requested)
            viewer.menu.export_requested.connect(self.export_requested)
            viewer.menu.reveal_requested.connect(self.session_reveal_requested)
            viewer.memory_open_requested.connect(self.session_memory_requested)
            viewer.review_requested.connect(self.review_requested)
            viewer.session_requested.connect(lambda session, at: self.open_session(session, number=at))
            return viewer

        viewer: SessionViewer = self._workbench.editors.open(PREFIX + session_id, self.tr("Session"), make, icon_name="comment-discussion")  # type: ignore[assignment]
        self.marks.read(session_id)
        if message:
            viewer.reveal(message, text)
        elif number:
            viewer.reveal_number(number)

    def _viewers(self) -> dict[str, SessionViewer]:
        """The tabs that show sessions, by their ids."""
        editors = self._workbench.editors
        tabs = {key.removeprefix(PREFIX): editors.widget(key) for key in editors.open_keys() if key.startswith(PREFIX)}
        return {session_id: tab for session_id, tab in tabs.items() if hasattr(tab, "messages")}  # type: ignore[misc]

    def retitle(self, title_of: Callable[[str], str]) -> None:
        """Sessions have other titles now: `title_of` gives that of an id, or an empty text."""
        for key in self._workbench.editors.open_keys():
            title = title_of(key.removeprefix(PREFIX)) if key.startswith(PREFIX) else ""
            retitled = getattr(self._workbench.editors.widget(key), "set_title", None)
            if title and callable(retitled):
                retitled(title)

    def set_current(self, session_id: str) -> None:
        """The session in the chat pane."""
        self._current = session_id

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_query(self) -> None:
        query = self.view.query()
        if query.is_blank:
            self.view.show_results(None)
            self._set_fact(None)
        self.controller.ask(query)

    def _on_found(self, results: Results) -> None:
        if results.query == self.view.query():
            self.view.show_results(results)
            self._set_fact(results)

    def _on_failed(self, failure: Failure) -> None:
        self.view.show_failure(failure)
        self._set_fact(None)

    def _on_index_failed(self, failure: Failure) -> None:
        """What is indexed can be searched, so this only says what is missing."""
        text = sentences(self.tr("Search may miss what is new."), failure.text())
        self._workbench.notify("warning", text, [(self.tr("Rebuild Index"), self.rebuild)], failure.detail, tag="search-index")

    def _set_fact(self, results: Results | None) -> None:
        self._workbench.registry.set_fact("searchResults", results is not None and results.hits > 0)

    def _on_modified(self) -> None:
        """What is edited is no tab in passing any more."""
        if self._passing in self._workbench.editors.modified_keys():
            self._passing = ""

    def _on_copy(self, row: ResultRow) -> None:
        QGuiApplication.clipboard().setText(row.line.text)

    def _on_path(self, row: ResultRow) -> None:
        if isinstance(row.place, MemoryPlace):
            QGuiApplication.clipboard().setText(row.place.absolute)
        elif isinstance(row.place, SessionPlace):
            self.reference_copied.emit(row.place.session)

    def _on_reveal(self, row: ResultRow) -> None:
        if isinstance(row.place, MemoryPlace) and row.place.root:
            self.reveal_requested.emit(row.place.root, row.place.path)
