"""Stored sessions in the window: side-bar view, picker, and the dialogs of “Read into chat…”, renaming and exporting. GUI thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.session_files import file_name
from desktop.bridge.session_trash import Trashed
from desktop.commands.registry import Command
from desktop.sessions.summary import SessionSummary
from desktop.sessions.summary_tail import ARCHIVED
from desktop.ui.controllers.sessions_controller import SessionsController
from desktop.ui.markdown import warm
from desktop.ui.sessions.dialogs import ReadIntoDialog, RenameDialog
from desktop.ui.sessions.filtering import ListOptions
from desktop.ui.sessions.model import WAITING
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.purge_dialog import entry_title, purge_dialog
from desktop.ui.sessions.view import SessionsView
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.sessions.trash import TrashedSession

VIEW = "sessions"


class SessionsPart(QObject):
    """See the module's text.

    Attributes:
        options: what the lists show; `set_options` changes it in both.

    Signals:
        resume_requested(str): go on with this session.
        open_requested(session id, message id, text): show it, read only, beside the conversation; at what was found in it, if anything was.
        read_requested(session id, question, strategy, tokens): read it into the open conversation.
        new_requested(): a new conversation.
        options_changed(ListOptions)
    """

    resume_requested = Signal(str)
    open_requested = Signal(str, str, str)
    read_requested = Signal(str, str, str, int)
    new_requested = Signal()
    options_changed = Signal(object)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._current = ""
        self._keys: frozenset[str] = frozenset()
        self._operations = operations
        self._warmed = False
        self.options = ListOptions()
        self.controller = SessionsController(services, operations, self)
        self.view = SessionsView()
        self.picker = SessionPicker(workbench)
        self._stale: set[SessionsView | SessionPicker] = {self.view, self.picker}
        workbench.add_side_view(VIEW, self.tr("Sessions"), "history", self.view, key="")
        for widget in (self.view, self.picker):
            self._connect(widget)
        self.view.new_requested.connect(self.new_requested)
        self.view.trash_shown.connect(self.controller.read_trash)
        self.view.trash.restore_requested.connect(self.controller.restore_entry)
        self.view.trash.purge_requested.connect(self.ask_purge)
        self.view.appeared.connect(self._on_appeared)
        self.picker.options.trash_requested.connect(self.show_trash)
        self._connect_controller()
        self._register()
        workbench.installEventFilter(self)
        self.controller.refresh()

    def _connect(self, widget: SessionsView | SessionPicker) -> None:
        """What can be asked for in either list."""
        widget.resume_requested.connect(self.resume_requested)
        widget.read_requested.connect(self.ask_read)
        widget.rename_requested.connect(self.ask_rename)
        widget.fork_requested.connect(self.controller.fork)
        widget.mark_requested.connect(self.controller.mark)
        widget.export_requested.connect(self.ask_export)
        widget.reveal_requested.connect(self.reveal)
        widget.trash_requested.connect(self.controller.trash)
        widget.reference_copied.connect(self.copy_reference)
        widget.options.options_chosen.connect(self.set_options)
        finder = self.controller.new_finder()
        widget.open_requested.connect(lambda session_id: self.open_requested.emit(session_id, *finder.place_in(session_id)))
        widget.filter_changed.connect(finder.ask)
        finder.found.connect(widget.set_content)

    def _connect_controller(self) -> None:
        controller = self.controller
        controller.sessions_changed.connect(self._on_sessions)
        controller.held_changed.connect(self._on_held)
        controller.trashed.connect(self._on_trashed)
        controller.trash_read.connect(self._on_trash_read)
        controller.restored.connect(self._on_restored)
        controller.purged.connect(self._on_purged)
        controller.marked.connect(self._on_marked)
        controller.forked.connect(self.resume_requested)
        controller.exported.connect(self._on_exported)
        controller.failed.connect(self._on_failed)

    def _register(self) -> None:
        category = self.tr("Sessions")
        self._workbench.registry.register(
            Command("sessions.pick", self.tr("Go Back to a Session…"), self.pick, "ctrl+r", category=category),
            Command("sessions.show", self.tr("Show Sessions"), self.show, category=category),
            Command("sessions.trash", self.tr("Show the Trash of Sessions"), self.show_trash, category=category),
        )

    # --- what others call --------------------------------------------------------------------------------------------

    def set_current(self, session_id: str) -> None:
        """The session in the chat pane: it is marked in the lists."""
        self._current = session_id
        self._on_sessions(self.controller.sessions)

    def set_activity(self, activity: str) -> None:
        """What the session in the chat pane does now (`ui.sessions.model`)."""
        for model in (self.view.model, self.picker.model):
            model.set_activity(activity)
        self._workbench.activity.set_badge(VIEW, int(activity == WAITING))

    def set_workspace(self, workspace: Workspace | None) -> None:
        """The opened folder: sessions of others are labelled with theirs."""
        from desktop.memory.identity import keys_of

        keys: Iterable[str] = keys_of(workspace.project) if workspace is not None else ()
        self._keys = frozenset(keys)
        for widget in (self.view, self.picker):
            widget.folder_open = workspace is not None
            widget.model.set_here(keys)

    def set_options(self, options: ListOptions) -> None:
        """What the lists show from now on."""
        self.options = options
        for widget in (self.view, self.picker):
            widget.set_options(options)
        self.options_changed.emit(options)

    def close(self) -> None:
        self.controller.close()

    def pick(self) -> None:
        self.controller.refresh()
        self._fill(self.picker)
        self._warm()
        self.picker.popup()

    def show(self) -> None:
        self._workbench.show_side_view(VIEW)
        self.view.show_list()
        self.view.list.choose(max(0, self.view.list.currentIndex().row()))

    def show_trash(self) -> None:
        self.picker.dismiss()
        self._workbench.show_side_view(VIEW)
        self.view.show_trash()

    def ask_read(self, session_id: str) -> None:
        """Question and strategy first; then `read_requested`."""
        found = self.controller.find(session_id)
        strange = found is not None and bool(self._keys) and found.project_key not in self._keys
        elsewhere = (found.workspace or self.tr("a folder that is not known")) if found is not None and strange else ""
        dialog = ReadIntoDialog(self._workbench, session_id, self.controller.title_of(session_id), elsewhere=elsewhere)
        dialog.read_requested.connect(self.read_requested)
        dialog.open()

    def ask_rename(self, session_id: str) -> None:
        dialog = RenameDialog(self._workbench, session_id, self.controller.title_of(session_id))
        dialog.rename_requested.connect(self.controller.rename)
        dialog.open()

    def ask_purge(self, entry: TrashedSession) -> None:
        """Deleting for good cannot be taken back: the person is asked, with the session's name."""
        box = purge_dialog(self._workbench, entry)
        box.accepted.connect(lambda: self.controller.purge_entry(entry))
        box.open()

    def ask_export(self, session_id: str, kind: str) -> None:
        """Where to first; then the file is written."""
        summary = self.controller.find(session_id)
        if summary is None:
            return
        name = file_name(summary, "json" if kind == "json" else "md")
        kinds = self.tr("JSON (*.json)") if kind == "json" else self.tr("Markdown (*.md)")
        dialog = QFileDialog(self._workbench, self.tr("Export Session"), str(Path.home() / name), kinds)
        dialog.setObjectName("sessionExport")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(kind)
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda target: self.controller.export(session_id, kind, Path(target)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def reveal(self, session_id: str) -> None:
        """Show the folder that holds the session's file in the system's file manager."""
        summary = self.controller.find(session_id)
        if summary is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(summary.path.parent)))

    def copy_reference(self, session_id: str) -> None:
        QGuiApplication.clipboard().setText(f"#{session_id}")
        self._workbench.notify("info", self.tr("The reference is copied: put it into a message, and the agent can read that session."))

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_sessions(self, _sessions: Sequence[SessionSummary]) -> None:
        """A list that nobody sees is filled when it is shown: during a turn there is a new one every moment."""
        self._stale = {self.view, self.picker}
        for widget in (self.view, self.picker):
            if widget.isVisible():
                self._fill(widget)

    def _on_held(self, session_ids: frozenset[str]) -> None:
        for model in (self.view.model, self.picker.model):
            model.set_held(session_ids)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Who comes back to this window may have opened or closed sessions in another one."""
        if event.type() == QEvent.Type.WindowActivate and self.view.isVisible():
            self.controller.look_who_holds()
        return False

    def _on_appeared(self) -> None:
        self._fill(self.view)
        self.controller.look_who_holds()
        self._warm()

    def _warm(self) -> None:
        """Who looks for a session will open one: what drawing its messages needs is loaded meanwhile, once."""
        if not self._warmed:
            self._warmed = True
            self._operations.read(warm)

    def _fill(self, widget: SessionsView | SessionPicker) -> None:
        if widget in self._stale:
            self._stale.discard(widget)
            controller = self.controller
            widget.set_sessions(controller.sessions, controller.now(), self._current, haystacks=controller.haystacks)

    def _on_trashed(self, trashed: Trashed) -> None:
        text = self.tr("“{title}” is in the trash.").format(title=trashed.title)
        undo = (self.tr("Undo"), lambda: self.controller.restore(trashed))
        self._workbench.notify("info", text, [undo], tag=_trash_tag(trashed.session_id))
        if self.view.shows_trash:
            self.controller.read_trash()

    def _on_trash_read(self, entries: Sequence[TrashedSession]) -> None:
        self.view.trash.set_entries(entries, self.controller.now())

    def _on_restored(self, session_id: str) -> None:
        """However it came back: what said that it is in the trash, and offered the way back, is true no longer."""
        self._workbench.withdraw(_trash_tag(session_id))
        if self.view.shows_trash:
            self.controller.read_trash()

    def _on_purged(self, entry: TrashedSession) -> None:
        self._workbench.withdraw(_trash_tag(entry.id))
        self._workbench.notify("info", self.tr("“{title}” is deleted for good.").format(title=entry_title(entry)))
        self.controller.read_trash()

    def _on_marked(self, session_id: str, name: str, wanted: bool) -> None:
        """What goes out of sight is said, with the way back; that it is there, for as long as it is."""
        if name != ARCHIVED:
            return
        tag = f"session-archive:{session_id}"
        if not wanted:
            self._workbench.withdraw(tag)
        elif not self.options.archived:
            text = self.tr("“{title}” is in the archive.").format(title=self.controller.title_of(session_id) or session_id)
            self._workbench.notify("info", text, [(self.tr("Undo"), lambda: self.controller.mark(session_id, ARCHIVED, False))], tag=tag)

    def _on_exported(self, target: Path) -> None:
        folder = QUrl.fromLocalFile(str(target.parent))
        text = self.tr("The session was exported to {path}.").format(path=target)
        self._workbench.notify("info", text, [(self.tr("Show Folder"), lambda: QDesktopServices.openUrl(folder))])

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("error", failure.text(), detail=failure.detail)


def _trash_tag(session_id: str) -> str:
    """Of what is said of a session that lies in the trash."""
    return f"session-trash:{session_id}"
