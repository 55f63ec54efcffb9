"""What a person does while the window still opens its folder holds: nothing is typed into the conversation of before by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.base.clock import SystemClock
from desktop.base.paths import resolve_paths
from desktop.memory.identity import ensure_project, resolve_project
from desktop.ui.memory.viewer import MemoryViewer
from tests.ui.app_world import NOTE, Start, World, opened

WAIT_MS = 10_000


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def _talked(start: Start, world: World, qtbot: QtBot) -> str:
    """A window in which something was said, closed again; gives the session."""
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    with qtbot.waitSignal(first.parts.chat.controller.turn_ended, timeout=WAIT_MS):
        first.parts.chat.controller.send("Hi")
    session = first.parts.chat.controller.session_id
    first.end()
    return session


def _asked_while_opening(start: Start, command: str, qtbot: QtBot) -> Application:
    """A window in which a command was run between the wish to open the last folder and the folder; no later, no earlier."""
    window = start(built=False)
    asked: list[bool] = []

    def changed(name: str) -> None:
        if name == "folderOpening" and window.registry.facts[name]:
            asked.append(window.workspace is None and window.registry.command_for("ctrl+n") is not None)
            window.workbench.run(command)

    window.registry.facts_changed.subscribe(changed)
    opened(window, qtbot)
    assert asked == [True]
    return window


def test_a_new_chat_that_is_asked_for_while_the_folder_opens_is_what_opens(start: Start, world: World, qtbot: QtBot) -> None:
    before = _talked(start, world, qtbot)
    window = _asked_while_opening(start, "session.new", qtbot)
    assert window.parts is not None
    controller = window.parts.chat.controller
    assert controller.session_id != before and controller.messages == ()
    assert not window.registry.facts["folderOpening"]


def test_so_is_an_incognito_chat(start: Start, world: World, qtbot: QtBot) -> None:
    """Worse than the wrong conversation would be one that is kept."""
    _talked(start, world, qtbot)
    window = _asked_while_opening(start, "session.newIncognito", qtbot)
    assert window.parts is not None
    controller = window.parts.chat.controller
    qtbot.waitUntil(lambda: controller.incognito, timeout=WAIT_MS)
    assert controller.messages == ()


def test_a_wish_dies_with_the_folder_that_could_not_be_opened(start: Start, world: World, qtbot: QtBot) -> None:
    before = _talked(start, world, qtbot)
    away = world.folder.with_name("moved")
    world.folder.rename(away)
    window = start()
    qtbot.waitUntil(lambda: window.parts is not None and not window.registry.facts["folderOpening"], timeout=WAIT_MS)
    window.open_folder(str(world.folder))
    assert window.registry.facts["folderOpening"]
    window.workbench.run("session.new")
    qtbot.waitUntil(lambda: not window.registry.facts["folderOpening"], timeout=WAIT_MS)
    away.rename(world.folder)
    window.open_folder(str(world.folder))
    opened(window, qtbot)
    assert window.parts is not None
    controller = window.parts.chat.controller
    qtbot.waitUntil(lambda: controller.session_id == before, timeout=WAIT_MS)


def test_memory_of_the_workspace_is_switched_from_palette_status_bar_and_panel(start: Start, world: World, qtbot: QtBot) -> None:
    window = opened(start(world.folder), qtbot)
    bench = window.workbench
    assert window.parts is not None
    panel = window.parts.memory.panel

    def titles() -> set[str]:
        return {command.id for command in window.registry.for_palette()}

    qtbot.waitUntil(lambda: "memory.turnOff" in titles(), timeout=WAIT_MS)
    assert "memory.turnOn" not in titles()
    bench.run("memory.turnOff")
    qtbot.waitUntil(lambda: bench.status.text("memory") == "Memory: off", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: any("off" in text for text in bench.notifications.texts()), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: panel.notice.isVisibleTo(panel) and [one.text() for one in panel.notice.buttons][:1] == ["Turn On"])
    item = bench.status.item("memory")
    assert item is not None
    item.customContextMenuRequested.emit(item.rect().center())
    menu = bench.findChild(QMenu, "statusMenu")
    assert isinstance(menu, QMenu)
    assert menu.actions()[0].text() == "Memory: Turn Workspace Memory On"
    menu.close()
    panel.notice.buttons[0].click()
    qtbot.waitUntil(lambda: bench.status.text("memory").startswith("Memory: on"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "memory.turnOff" in titles(), timeout=WAIT_MS)


def test_a_memory_of_another_workspace_that_comes_back_is_called_by_that_ones_name(
    start: Start, world: World, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "其他 项目"
    other.mkdir()
    project = resolve_project(other, resolve_paths(str(world.profile), {}))
    ensure_project(project, SystemClock())
    (project.memory_root / "bun.md").write_text(NOTE, encoding="utf-8")
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    first.parts.settings.open_viewer(project.key, "bun.md", label="其他 项目")
    first.end()
    second = opened(start(), qtbot)
    viewer = second.workbench.editors.current_widget()
    assert isinstance(viewer, MemoryViewer)
    qtbot.waitUntil(lambda: "其他 项目" in viewer.tab_tooltip(), timeout=WAIT_MS)
    assert project.key not in " ".join(one.text() for one in viewer.bar.findChildren(QLabel))
