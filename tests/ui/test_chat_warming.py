"""What a chat's model needs is loaded when the chat opens, before anything is sent, and given up when the chat goes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.ui.controllers import chat_models
from desktop.ui.controllers.chat_controller import ChatController
from tests.helpers.agent import Desk

WAIT_MS = 20_000
KEY_NAMES = ("KEEPSAKE_KEY_HOME", "KEEPSAKE_KEY_OTHER")


class Environment(dict[str, str]):
    """Remembers which keys were asked for: opening a client is what asks."""

    def __init__(self) -> None:
        super().__init__({name: "-".join(["no", "key"]) for name in KEY_NAMES})
        self.asked: list[str] = []

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        if key in KEY_NAMES:
            self.asked.append(key)
        return super().get(key, default)


class Chat:
    """A controller over endpoints that are never asked anything."""

    def __init__(self, qtbot: QtBot, folder: Path, operations: Operations) -> None:
        self.qtbot = qtbot
        self.environ = Environment()
        self.desk = Desk(folder, environ=self.environ, headless=False)
        server = {"base_url": "http://127.0.0.1:1/v1", "models": ["m"]}
        self.desk.services.settings.set("model.endpoints", {"home": server, "other": server})
        self.desk.services.settings.set("model.default", "home:m")
        self.loop = LoopThread()
        self.controller = ChatController(self.desk.services, None, self.loop, operations)

    def open(self) -> None:
        self.controller.set_workspace(self.desk.workspace)
        self.qtbot.waitUntil(lambda: bool(self.controller.session_id), timeout=WAIT_MS)

    def tasks(self) -> int:
        """Tasks on the loop thread now."""

        async def count() -> int:
            return len(asyncio.all_tasks()) - 1

        return self.loop.submit(count()).result(10)

    def close(self) -> None:
        for future in self.controller.close():
            future.result(10)
        self.loop.stop()
        self.controller.deleteLater()


@pytest.fixture
def chat(qtbot: QtBot, tmp_path: Path, operations: Operations) -> Iterator[Chat]:
    made = Chat(qtbot, tmp_path, operations)
    yield made
    made.close()


def test_a_chat_that_opens_loads_its_model_and_a_chosen_one_too(chat: Chat, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_models, "WARM_AFTER_S", 0.0)
    chat.open()
    qtbot.waitUntil(lambda: chat.environ.asked == ["KEEPSAKE_KEY_HOME"], timeout=WAIT_MS)
    chat.controller.set_model("other:m")
    qtbot.waitUntil(lambda: chat.environ.asked == list(KEY_NAMES), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: chat.tasks() == 0, timeout=WAIT_MS)


def test_a_chat_that_goes_gives_it_up(chat: Chat, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_models, "WARM_AFTER_S", 3_600.0)
    chat.open()
    qtbot.waitUntil(lambda: chat.tasks() == 1, timeout=WAIT_MS)
    chat.controller.set_workspace(None)
    qtbot.waitUntil(lambda: chat.tasks() == 0, timeout=WAIT_MS)
    assert chat.environ.asked == []
