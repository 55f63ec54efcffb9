"""The title of the open conversation, whoever changes it: the person, here or in a list; its first message; the model. GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.bridge.post import posting

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.sessions.store import SessionStore


class ChatTitle(QObject):
    """Follows the store, which tells in any thread that a session changed.

    Signals:
        changed(str): the open conversation has another title; empty: none yet.
    """

    changed = Signal(str)

    def __init__(self, sessions: SessionStore, session: Callable[[], AgentSession | None], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._told = ""
        self._unsubscribe: Callable[[], None] | None = sessions.changed.subscribe(posting(self._look))

    def now(self) -> str:
        """The title, or an empty text; it counts as told."""
        session = self._session()
        handle = session.handle if session is not None else None
        self._told = handle.title if handle is not None and handle.title != handle.id else ""
        return self._told

    def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def _look(self, session_id: str) -> None:
        session = self._session()
        before = self._told
        if session is not None and session.id == session_id and self.now() != before:
            self.changed.emit(self._told)
