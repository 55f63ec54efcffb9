"""One quiet message when a folder is opened again after Keepsake was killed: what was interrupted, and which texts are back. GUI thread.

Waits for the chat and for the drafts of the tabs, then speaks once, or not at all where nothing was lost or left.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop.bridge.spoken import sentences
from desktop.ui.controllers.chat_controller import ChatController, Opened
from desktop.ui.markdown import shown
from desktop.ui.workbench import Workbench

TITLE_LENGTH = 60


class RecoveryNote(QObject):
    """One for a window; `begin` for each folder that is opened."""

    def __init__(self, workbench: Workbench, chat: ChatController) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._waiting: set[str] = set()
        self._title: str | None = None
        self._tabs = 0
        chat.opened.connect(self._on_opened)
        chat.opening_failed.connect(lambda _failure: self._arrived("chat"))

    def begin(self) -> None:
        """A folder is being opened with the chat and the tabs of before."""
        self._waiting = {"chat", "tabs"}
        self._title, self._tabs = None, 0

    def tabs_restored(self, count: int) -> None:
        """So many tabs have a text again that was not saved."""
        self._tabs = count
        self._arrived("tabs")

    def _on_opened(self, opened: Opened) -> None:
        if "chat" in self._waiting:
            self._title = opened.title or opened.session_id if opened.crashed else None
            self._arrived("chat")

    def _arrived(self, fact: str) -> None:
        if fact in self._waiting:
            self._waiting.discard(fact)
            if not self._waiting:
                self._say()

    def _say(self) -> None:
        turn = tabs = ""
        if self._title is not None:
            title = shown(self._title)
            title = title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1] + "…"
            turn = self.tr("Keepsake ended in the middle of a turn of “{title}”; the chat says where.").format(title=title)
        if self._tabs:
            tabs = self.tr("Unsaved text of %n tabs is back.", "", self._tabs)
        if turn or tabs:
            self._workbench.notify("info", sentences(turn, tabs), tag="recovered")
