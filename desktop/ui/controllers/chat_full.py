"""A conversation that does not fit into its model's window any more: says that it is full, and goes on with it in a new one.

Owns the way from the old conversation to the new one while that is being opened; the text that was refused, and what is typed, go along.
GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from desktop.messages.events import TurnEnded
from desktop.ui.controllers.chat_drafts import ChatDrafts
from desktop.ui.controllers.chat_opened import Opened

if TYPE_CHECKING:
    from desktop.ui.controllers.chat_controller import ChatController

FULL = ("contextfull", "context_length")
"""`kind` of the error of a turn that ended because nothing fits any more: ours before anything is sent, and the provider's."""
HANDOFF_TOKENS, HANDOFF_LEAST = 6_000, 500
HANDOFF_SHARE = 4
"""What is read of the old conversation takes at most one part of so many of the window."""


def is_full(ended: TurnEnded) -> bool:
    """Whether a turn ended because the model's window is full."""
    return ended.stop in ("limit", "error") and (ended.error or {}).get("kind", "") in FULL


@dataclass(frozen=True, slots=True)
class _Way:
    """From which conversation, with which text."""

    old: str
    text: str
    window: int


class ChatFull(QObject):
    """See the module's text."""

    def __init__(self, controller: ChatController, drafts: ChatDrafts, window: Callable[[], int]) -> None:
        """Args:
        window: tokens of the window of the open conversation's model; 0: not known.
        """
        super().__init__(controller)
        self._controller = controller
        self._drafts = drafts
        self._window = window
        self._way: _Way | None = None
        controller.turn_ended.connect(self._ended)
        controller.opened.connect(self._opened)
        controller.opening_failed.connect(self._gone)
        controller.closed.connect(self._gone)

    def _ended(self, ended: TurnEnded) -> None:
        """What the model was sent last may have been little: it is what does not fit that fills the window."""
        window = self._window()
        if is_full(ended) and window > 0:
            self._controller.usage_changed.emit(window, window)

    @property
    def can_go_on(self) -> bool:
        """Whether a new conversation helps: there is something to take along besides the newest message, and it is kept."""
        controller = self._controller
        return not controller.incognito and any(message.role == "assistant" for message in controller.messages)

    def go_on(self, typed: str = "") -> None:
        """Open a new conversation, read this one into it, and give the newest message back with what was typed since."""
        controller = self._controller
        if not controller.session_id or controller.opening or controller.running:
            return
        persons = [message for message in controller.messages if message.role == "user" and message.origin == "person"]
        texts = (persons[-1].text.strip() if persons else "", typed.strip())
        self._way = _Way(controller.session_id, "\n".join(text for text in texts if text), self._window())
        controller.new_session()
        if not controller.opening:
            self._way = None

    def _opened(self, opened: Opened) -> None:
        way, self._way = self._way, None
        if way is not None and opened.new:
            QTimer.singleShot(0, self, lambda: self._arrive(way, opened.session_id))  # once its stored draft is asked for

    def _arrive(self, way: _Way, session_id: str) -> None:
        controller = self._controller
        if controller.session_id != session_id:
            return
        if way.text:
            controller.text_returned.emit(way.text)
        controller.leaving.emit()  # the composer gives it to this one's draft
        self._drafts.drop(way.old)
        query = QCoreApplication.translate("ChatController", "Where that work stands, to go on with it here.")
        tokens = min(HANDOFF_TOKENS, max(HANDOFF_LEAST, way.window // HANDOFF_SHARE)) if way.window > 0 else HANDOFF_TOKENS
        controller.read_into(way.old, query, "handoff", tokens)

    def _gone(self) -> None:
        self._way = None
