"""What the next request of the open conversation would be made of, asked for on the session's own thread. GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure
from desktop.bridge.post import post

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession


class ChatContext(QObject):
    """See the module's text.

    Signals:
        reported(dict): a load report as JSON (`agent.load_report`).
        failed(Failure)
    """

    reported = Signal(object)
    failed = Signal(object)

    def __init__(self, session: Callable[[], AgentSession | None], loop: LoopThread, parent: QObject) -> None:
        """Args:
        session: gives the open session, or None.
        """
        super().__init__(parent)
        self._session = session
        self._loop = loop

    def read(self) -> None:
        """Ask; `reported` or `failed` follows, unless another conversation is open by then. Calls no model."""
        session = self._session()
        if session is not None:
            session_id = session.id
            self._loop.submit(session.context_report()).add_done_callback(lambda future: self._done(session_id, future))

    def _done(self, session_id: str, future: Future[Any]) -> None:
        """In the session's thread."""
        if future.cancelled():
            return
        error = future.exception()
        post(self._arrived, session_id, Failure.of(error) if error is not None else future.result().to_json())

    def _arrived(self, session_id: str, report: object) -> None:
        session = self._session()
        if session is None or session.id != session_id:
            return
        if isinstance(report, Failure):
            self.failed.emit(report)
        else:
            self.reported.emit(report)
