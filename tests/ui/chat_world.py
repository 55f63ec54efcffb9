"""A chat pane on real services with a scripted model: real session, real loop thread, real widgets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure, Operations
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_controller import ChatController
from desktop.ui.controllers.sessions_controller import SessionsController
from tests.helpers.agent import Desk

WAIT_MS = 10_000


class ChatWorld:
    """One pane in a window of its own. `close` ends everything."""

    def __init__(self, qtbot: QtBot, folder: Path, operations: Operations, *responses: dict[str, Any]) -> None:
        self.qtbot = qtbot
        self.desk = Desk(folder, headless=False)
        self.failures: list[Failure] = []
        self.loop = LoopThread()
        self.operations = operations
        operations.failed.connect(self.failures.append)
        self.controller = ChatController(self.desk.services, None, self.loop, operations)
        self.controller.failed.connect(self.failures.append)
        self.sessions = SessionsController(self.desk.services, operations)
        self.pane = ChatPane(self.controller)
        qtbot.addWidget(self.pane)
        self.pane.resize(460, 800)
        self.pane.show()
        self.desk.services.settings.set("model.default", self.desk.script(*responses))

    def open(self, session_id: str = "") -> None:
        """Open the folder and wait for a conversation."""
        self.controller.set_workspace(self.desk.workspace, session_id)
        self.until(lambda: bool(self.controller.session_id), "a session")

    def send(self, text: str) -> None:
        """Type and send through the composer."""
        self.pane.composer.set_text(text)
        self.pane.composer.edit.send_requested.emit()

    def turn(self, text: str) -> None:
        """Send and wait for the end of the turn."""
        with self.qtbot.waitSignal(self.controller.turn_ended, timeout=WAIT_MS):
            self.send(text)

    def until(self, condition: Callable[[], object], what: str = "the condition") -> None:
        def holds() -> None:
            assert condition(), f"{what} did not come true"

        self.qtbot.waitUntil(holds, timeout=WAIT_MS)

    def views(self, kind: type[QWidget]) -> list[Any]:
        """Widgets of this kind in the message list, in order."""
        return [view for view in self.pane.messages.views if isinstance(view, kind)]

    def close(self) -> None:
        self.sessions.close()
        for future in self.controller.close():
            future.result(WAIT_MS / 1000)
        self.loop.stop()
        self.operations.close()
        self.controller.deleteLater()
        self.sessions.deleteLater()
