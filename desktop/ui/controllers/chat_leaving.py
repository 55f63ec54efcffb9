"""Sessions and models that the window has let go of: what they still have to do is done in the background, and waited for at the end.

Owns the futures of all that is being closed. GUI thread, but for `wait_for`.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from desktop.bridge.agent_runner import AgentRunner
from desktop.bridge.loop_thread import LoopThread
from desktop.providers.base import Model

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession

LEAVE_S = 5.0
"""How long resuming waits for the same session to be let go of."""


class Leaving:
    """See the module's text."""

    def __init__(self, loop: LoopThread) -> None:
        self._loop = loop
        self._closing: list[Future[None]] = []
        self._sessions: list[tuple[AgentSession, Future[None]]] = []

    def close(self, thing: AgentSession | Model) -> None:
        """Close a session that was never shown, or a model."""
        self._closing.append(self._loop.submit(thing.close()))

    def leave(self, session: AgentSession | None, runner: AgentRunner, *, patient: bool) -> None:
        """Let go of the session that was shown; `patient`: what it has to remember is done first."""
        self._closing = [future for future in self._closing if not future.done()]
        self._sessions = [(left, future) for left, future in self._sessions if not future.done()]
        future = runner.close(patient=patient)
        self._closing.append(future)
        if session is not None:
            self._sessions.append((session, future))

    def wait_for(self, session_id: str) -> None:
        """Wait until a session of that id that is being left has let go of its transcript. In a worker."""
        for session, future in list(self._sessions):
            if session.id == session_id:
                self._loop.call(session.hurry)
                future.result(LEAVE_S)

    def hurry(self) -> list[Future[None]]:
        """End all patience. The futures end when everything is closed."""
        for session, future in self._sessions:
            if not future.done():
                self._loop.call(session.hurry)
        return list(self._closing)
