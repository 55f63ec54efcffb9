"""The tree of the open conversation: edit and resend, retry, rewind, fork, and the way between branches. GUI thread.

Between the chat pane and `bridge.agent_runner`. Nothing it does removes a message: what is left stays in the transcript as a branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.bridge.operations import Failure
from desktop.bridge.post import post
from desktop.sessions.tree import Versions, versions, ways_on

if TYPE_CHECKING:
    from desktop.agent.branches import Rewound
    from desktop.agent.session import AgentSession
    from desktop.bridge.agent_runner import AgentRunner


class ChatBranches(QObject):
    """See the module's text.

    Signals:
        rewound(str): the live branch ends earlier; the person's message that was taken back, or "".
        forked(str): the id of the new session.
        failed(Failure)
    """

    rewound = Signal(str)
    forked = Signal(str)
    failed = Signal(object)

    def __init__(self, session: Callable[[], AgentSession | None], runner: Callable[[], AgentRunner | None], parent: QObject) -> None:
        """Args:
        session, runner: give what is open, or None.
        """
        super().__init__(parent)
        self._session = session
        self._runner = runner

    # --- what there is -----------------------------------------------------------------------------------------------

    def versions(self) -> dict[str, Versions]:
        """The messages of the live branch that have others beside them."""
        session = self._session()
        return versions(session.handle.everything(), list(session.messages)) if session is not None else {}

    def ways_on(self) -> tuple[str, ...]:
        """The messages that follow the end of the live branch and are not on it: what a rewind left."""
        session = self._session()
        return ways_on(session.handle.everything(), list(session.messages)) if session is not None else ()

    def number_of(self, message_id: str) -> int | None:
        """The number of a message on the live branch, from 1, as references name it."""
        session = self._session()
        ids = [message.id for message in list(session.messages)] if session is not None else []
        return ids.index(message_id) + 1 if message_id in ids else None

    # --- intents -----------------------------------------------------------------------------------------------------

    def edit(self, message_id: str, text: str) -> bool:
        """Send another version of a message of the person; False when nothing was begun."""
        runner = self._free()
        return runner is not None and bool(text.strip()) and runner.edit(message_id, text)

    def retry(self, message_id: str | None = None) -> bool:
        """Let the person's newest message, or the one that this message answers, be answered once more."""
        runner = self._free()
        return runner is not None and runner.retry(message_id)

    def rewind(self, message_id: str) -> None:
        """Go back to a message; `rewound` follows."""
        session, runner = self._session(), self._free()
        if session is not None and runner is not None:
            owner = session.id

            def done(rewound: Rewound) -> None:
                post(self._arrived_back, owner, rewound.text)

            runner.between_turns(lambda: session.rewind(message_id, runner.emit_event), done, self._fail)

    def switch(self, message_id: str) -> None:
        """Show the branch through this message."""
        session, runner = self._session(), self._free()
        if session is not None and runner is not None:
            runner.between_turns(lambda: session.switch_branch(message_id, runner.emit_event), lambda _none: None, self._fail)

    def fork(self, message_id: str | None = None) -> None:
        """Make a new session of the messages up to this one; `forked` follows. May be done beside a running turn."""
        session, runner = self._session(), self._runner()
        if session is not None and runner is not None:
            owner, title = session.id, self._fork_title(session)
            runner.beside(
                lambda: session.fork(message_id, title=title), lambda session_id: post(self._arrived_fork, owner, session_id), self._fail
            )

    def _fork_title(self, session: AgentSession) -> str:
        from desktop.sessions.forks import fork_title

        return fork_title(session.handle.title, self.tr("(fork)"))

    def _free(self) -> AgentRunner | None:
        """The runner, when no turn runs; else the person is told."""
        runner = self._runner()
        if runner is not None and runner.running:
            self.failed.emit(Failure(self.tr("A turn is running."), self.tr("Stop it or wait for its end, then try again.")))
            return None
        return runner

    # --- what came of it ---------------------------------------------------------------------------------------------

    def _fail(self, failure: Failure) -> None:
        """In the session's thread."""
        post(self.failed.emit, failure)

    def _arrived_back(self, owner: str, text: str) -> None:
        if self._is_open(owner):
            self.rewound.emit(text)

    def _arrived_fork(self, owner: str, session_id: str) -> None:
        if self._is_open(owner):
            self.forked.emit(session_id)

    def _is_open(self, session_id: str) -> bool:
        session = self._session()
        return session is not None and session.id == session_id
