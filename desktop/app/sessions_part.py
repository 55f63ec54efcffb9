"""Stored sessions in the window: the side-bar view, the picker, and the dialogs of “Read into chat…” and renaming. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.session_trash import Trashed
from desktop.commands.registry import Command
from desktop.sessions.summary import SessionSummary
from desktop.ui.controllers.sessions_controller import SessionsController
from desktop.ui.sessions.dialogs import ReadIntoDialog, RenameDialog
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.view import SessionsView
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services

VIEW = "sessions"


class SessionsPart(QObject):
    """See the module's text.

    Signals:
        resume_requested(str): go on with this session.
        read_requested(session id, question, strategy, tokens): read it into the open conversation.
        new_requested(): a new conversation.
    """

    resume_requested = Signal(str)
    read_requested = Signal(str, str, str, int)
    new_requested = Signal()

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._current = ""
        self.controller = SessionsController(services, operations, self)
        self.view = SessionsView()
        self.picker = SessionPicker(workbench)
        workbench.add_side_view(VIEW, self.tr("Sessions"), "history", self.view, key="")
        for widget in (self.view, self.picker):
            widget.resume_requested.connect(self.resume_requested)
            widget.read_requested.connect(self.ask_read)
            widget.rename_requested.connect(self.ask_rename)
            widget.trash_requested.connect(self.controller.trash)
            widget.reference_copied.connect(self.copy_reference)
        self.view.new_requested.connect(self.new_requested)
        self.controller.sessions_changed.connect(self._on_sessions)
        self.controller.trashed.connect(self._on_trashed)
        self.controller.failed.connect(self._on_failed)
        category = self.tr("Sessions")
        workbench.registry.register(
            Command("sessions.pick", self.tr("Go Back to a Session…"), self.pick, "ctrl+r", category=category),
            Command("sessions.show", self.tr("Show Sessions"), self.show, category=category),
        )
        self.controller.refresh()

    def set_current(self, session_id: str) -> None:
        """The session in the chat pane: it is marked in the lists."""
        self._current = session_id
        self._on_sessions(self.controller.sessions)

    def set_activity(self, activity: str) -> None:
        """What the session in the chat pane does now (`ui.sessions.model`)."""
        for model in (self.view.model, self.picker.model):
            model.set_activity(activity)

    def close(self) -> None:
        self.controller.close()

    def pick(self) -> None:
        self.controller.refresh()
        self.picker.popup()

    def show(self) -> None:
        self._workbench.show_side_view(VIEW)
        self.view.list.choose(max(0, self.view.list.currentIndex().row()))
        self.view.list.setFocus()

    def ask_read(self, session_id: str) -> None:
        """Question and strategy first; then `read_requested`."""
        dialog = ReadIntoDialog(self._workbench, session_id, self.controller.title_of(session_id))
        dialog.read_requested.connect(self.read_requested)
        dialog.open()

    def ask_rename(self, session_id: str) -> None:
        dialog = RenameDialog(self._workbench, session_id, self.controller.title_of(session_id))
        dialog.rename_requested.connect(self.controller.rename)
        dialog.open()

    def copy_reference(self, session_id: str) -> None:
        QGuiApplication.clipboard().setText(f"#{session_id}")
        self._workbench.notify("info", self.tr("The reference is copied: put it into a message, and the agent can read that session."))

    def _on_sessions(self, sessions: Sequence[SessionSummary]) -> None:
        now = self.controller.now()
        self.view.set_sessions(sessions, now, self._current)
        self.picker.set_sessions(sessions, now, self._current)

    def _on_trashed(self, trashed: Trashed) -> None:
        text = self.tr("“{title}” is in the trash.").format(title=trashed.title)
        self._workbench.notify("info", text, [(self.tr("Undo"), lambda: self.controller.restore(trashed))])

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("error", failure.text(), detail=failure.detail)
