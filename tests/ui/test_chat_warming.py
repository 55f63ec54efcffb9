"""What a chat's model needs is loaded when the chat opens, before anything is sent, and given up when the chat goes. What messages need is
loaded once somebody types or a stored conversation is read: an untouched chat holds none of it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.ui.controllers import chat_models
from desktop.ui.controllers.chat_controller import ChatController
from tests.helpers.agent import Desk
from tests.ui.chat_world import ChatWorld

WAIT_MS = 20_000
LATER = ("desktop.agent.remember", "desktop.providers.embedded_guards", "markdown_it", "nh3", "pygments")
"""What an untouched chat does not hold; the one that comes last is the first."""
UNTOUCHED = """
import json, sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_controller import ChatController
from tests.helpers.agent import Desk
later = json.loads(sys.argv[2])
app = QApplication([])
desk = Desk(Path(sys.argv[1]), headless=False)
desk.services.settings.set("model.default", desk.script({"text": "Good."}))
loop, operations, listed = LoopThread(), Operations(), []
controller = ChatController(desk.services, None, loop, operations)
controller.models_changed.connect(lambda models, _current: listed.append(models))
pane = ChatPane(controller)
pane.show()
controller.set_workspace(desk.workspace)
def until(condition):
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        app.processEvents()
        time.sleep(0.005)
until(lambda: controller.session_id and listed)
untouched = [name for name in later if name in sys.modules]
pane.composer.set_text("hello")
until(lambda: later[0] in sys.modules and not pane.warming)
print(json.dumps([bool(listed), untouched, [name for name in later if name in sys.modules]]))
for future in controller.close():
    future.result(60)
loop.stop()
operations.close()
"""
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

        return self.loop.submit(count()).result(60)

    def close(self) -> None:
        for future in self.controller.close():
            future.result(60)
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


# --- what messages need ------------------------------------------------------------------------------------------------------


def test_an_untouched_chat_holds_nothing_that_only_messages_need(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": str(tmp_path / "no-data")}
    order = [sys.executable, "-c", UNTOUCHED, str(tmp_path), json.dumps(LATER)]
    done = subprocess.run(order, capture_output=True, text=True, cwd=root, env=environ, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, [], list(LATER)]


def is_warming(world: ChatWorld) -> bool:
    return world.pane.warming


def test_fonts_are_loaded_once_somebody_types(qtbot: QtBot, tmp_path: Path, operations: Operations) -> None:
    world = ChatWorld(qtbot, tmp_path, operations)
    world.open()
    assert not is_warming(world)
    world.pane.composer.set_text("a")
    assert is_warming(world)
    world.until(lambda: not is_warming(world), "an end")
    world.pane.composer.set_text("ab")
    assert not is_warming(world)
    world.close()


def test_a_stored_conversation_loads_them_while_it_is_read(qtbot: QtBot, tmp_path: Path, operations: Operations) -> None:
    world = ChatWorld(qtbot, tmp_path, operations)

    async def talk() -> str:
        session = world.desk.session({"text": "Good."})
        await world.desk.turn(session, "hello")
        await session.close()
        return session.id

    session_id = asyncio.run(talk())
    assert not is_warming(world)
    world.controller.set_workspace(world.desk.workspace, session_id)
    assert is_warming(world)
    world.until(lambda: world.controller.session_id and not is_warming(world), "an end")
    assert world.controller.session_id == session_id and world.controller.messages
    world.close()
