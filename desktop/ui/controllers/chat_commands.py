"""Slash commands of the open conversation: runs them beside whatever runs, and takes back what they changed.

A command that is typed while a conversation is being opened waits for it; where none can be opened (no model is installed) it is run
without one. Nothing of it is stored. Between the composer and `bridge.agent_runner`; what blocks goes through `bridge.operations`.
GUI thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.agent.slash.result import CommandResult
from desktop.bridge.agent_runner import AgentRunner
from desktop.bridge.operations import Failure, Operations, is_alive
from desktop.messages.events import MemoryChangeRef
from desktop.ui.controllers.chat_controller import ChatController
from desktop.ui.controllers.chat_saves import Reversed, undo_all

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

Undone = Callable[[Sequence[MemoryChangeRef], Failure | None], None]
"""Told what came of taking changes back: the changes that reverse it, and where it stopped."""


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A command as it was typed, and what it gave."""

    typed: str
    result: CommandResult


class ChatCommands(QObject):
    """See the module's text.

    Signals:
        done(CommandDone)
        changed(): memory was changed by a command, or such a change was taken back.
        failed(Failure): it could not be run at all; for a toast.
    """

    done = Signal(object)
    changed = Signal()
    failed = Signal(object)

    def __init__(self, controller: ChatController, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._services = services
        self._operations = operations
        self._runner: AgentRunner | None = None
        self._waiting: list[str] = []
        controller.opened.connect(self._opened)
        controller.opening_failed.connect(self._opened)
        controller.closed.connect(self._waiting.clear)

    def run(self, text: str) -> None:
        """Run a typed command; `done` follows."""
        workspace = self._controller.workspace
        if workspace is None:
            self.failed.emit(Failure(self.tr("No folder is open."), self.tr("Open a folder first: a chat belongs to one.")))
        elif self._controller.opening:
            self._waiting.append(text)
        else:
            self._start(text, workspace)

    def _opened(self) -> None:
        waiting, self._waiting = self._waiting, []
        for text in waiting:
            self.run(text)

    def _start(self, text: str, workspace: Workspace) -> None:
        runner = self._controller.runner
        if runner is None:
            services = self._services
            self._operations.read(lambda: run_alone(services, workspace, text), self._alone, self.failed.emit)
            return
        if runner is not self._runner:
            self._runner = runner
            runner.command_done.connect(self._ended)
            runner.command_failed.connect(self.failed)
        runner.command(text)

    def _alone(self, done: CommandDone) -> None:
        self._ended(done.typed, done.result)

    def _ended(self, typed: str, result: CommandResult) -> None:
        self.done.emit(CommandDone(typed, result))
        if result.changes:
            self.changed.emit()

    def undo(self, changes: Sequence[MemoryChangeRef], done: Undone) -> None:
        """Take changes back; an undo is taken back in the same way."""
        workspace, wanted = self._controller.workspace, tuple(changes)
        if workspace is None or not wanted:
            return
        memories = workspace.memories

        def told(changes: Sequence[MemoryChangeRef], failure: Failure | None) -> None:
            if is_alive(done):  # the card may have been closed meanwhile
                done(changes, failure)
            elif failure is not None:
                self.failed.emit(failure)

        def finished(result: Reversed) -> None:
            told(result.done, result.failure)
            self.changed.emit()

        self._operations.write(lambda: undo_all(memories, wanted), finished, lambda failure: told((), failure))


def run_alone(services: Services, workspace: Workspace, text: str) -> CommandDone:
    """Run a command without a conversation or a model. In a worker thread."""

    async def work() -> CommandResult:
        session = services.command_session(workspace)
        try:
            return await session.command(text)
        finally:
            await session.close()

    return CommandDone(text, asyncio.run(work()))
