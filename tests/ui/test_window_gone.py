"""What is left of a window that was made anew: nothing that Qt still knows, and nothing that stays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.bridge.collector import GuiCollector
from tests.ui.app_world import Start, World, opened, starting


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Windows of which nothing is frozen, as every window but the first of a process."""
    monkeypatch.setattr(GuiCollector, "_frozen", True)
    with starting(qapp, qtbot, world) as made:
        yield made


def used(application: Application, qtbot: QtBot) -> None:
    """A window in which much was opened."""
    parts = opened(application, qtbot).parts
    assert parts is not None
    with qtbot.waitSignal(parts.chat.controller.turn_ended):
        parts.chat.controller.send("Hi")
    parts.memory.open_memory("bun.md")
    for command in ("settings.open", "memory.health", "search.show", "sessions.show"):
        application.workbench.run(command)
    qtbot.waitUntil(lambda: application.operations.pending == 0)


def made_anew(application: Application, qtbot: QtBot) -> None:
    """As after a change of the language."""
    old = application.workbench
    application._remake()
    qtbot.waitUntil(lambda: application.parts is not None and bool(application.parts.chat.controller.session_id))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old))
    qtbot.waitUntil(lambda: application.operations.pending == 0)


def test_collecting_what_is_left_of_a_window_destroys_no_living_qt_object(start: Start, world: World, qtbot: QtBot) -> None:
    """Else it would be destroyed at any moment, in any order, not where Qt expects it."""
    application = start(world.folder)
    used(application, qtbot)
    gc.collect()
    made_anew(application, qtbot)
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        left = [one for one in gc.garbage if isinstance(one, QObject)]
        living = sorted({f"{type(one).__name__} {one.objectName()}" for one in left if shiboken6.isValid(one)})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert len(left) > 100, "the window was one knot"
    assert living == []


def test_nothing_of_a_window_before_stays(start: Start, world: World, qtbot: QtBot) -> None:
    application = start(world.folder)
    used(application, qtbot)
    held = [weakref.ref(one) for one in (application.workbench, application.parts, application.controller)]
    made_anew(application, qtbot)
    gc.collect()
    assert [type(one()).__name__ for one in held if one() is not None] == []
