"""The whole window in little room: side bars fold and come back, and nothing that can be pressed lies outside or is cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.base.phrases import say
from desktop.commands.registry import CommandRegistry
from desktop.memory.change import ChangeOrigin
from desktop.ui import theme
from desktop.ui.low_room import LowRoom
from desktop.ui.regions import Room, widths
from desktop.ui.window_state import CHAT_WIDTH, SIDE_WIDTH
from desktop.ui.workbench import CHAT_MIN, EDITOR_MIN, EDITOR_WANTS, Workbench
from tests.ui.app_world import NOTE, Start, World, opened, starting

SLACK = 6
"""Pixels by which the frame of a control may be cut without anything of it being lost."""


# --- which regions have room ------------------------------------------------------------------------------------------

NEEDS = {"side": 170, "chat": 280}


def fit(room: Room, width: int, *shown: str) -> tuple[set[str], int]:
    kept, editor = room.fit(width, shown, NEEDS, 220)
    return set(kept), editor


def test_the_side_bar_folds_before_the_chat_and_comes_back() -> None:
    room = Room(("chat", "side"))
    assert fit(room, 900, "chat", "side") == ({"chat", "side"}, 220)
    assert fit(room, 600, "chat", "side") == ({"chat"}, 220)
    assert room.folded == {"side"}
    assert fit(room, 900, "chat") == ({"chat", "side"}, 220)
    assert not room.folded


def test_what_was_asked_for_last_stays() -> None:
    room = Room(("chat", "side"))
    fit(room, 600, "chat", "side")
    room.asked("side")
    assert fit(room, 600, "chat", "side") == ({"side"}, 220) and room.folded == {"chat"}
    room.settled("side")
    assert fit(room, 600) == ({"chat"}, 220), "when it is hidden the other one comes back"


def test_what_the_person_hid_does_not_come_back() -> None:
    room = Room(("chat", "side"))
    fit(room, 600, "chat", "side")
    room.settled("side")
    assert fit(room, 2_000, "chat") == ({"chat"}, 220)


def test_one_is_shown_however_narrow_it_is() -> None:
    assert fit(Room(("chat", "side")), 400, "chat", "side") == ({"chat"}, 120)
    assert fit(Room(("chat", "side")), 200, "chat", "side") == ({"chat"}, 0)


# --- the window's regions ---------------------------------------------------------------------------------------------


def test_for_the_editor_others_give_what_they_can() -> None:
    wanted, least = {"side": 280, "chat": 420}, {"side": 230, "chat": 320}
    assert widths(1_400, wanted, least, 400) == wanted
    assert widths(1_025, wanted, least, 400) == {"side": 280 - 25, "chat": 420 - 50}
    assert widths(500, wanted, least, 400) == least, "not more than they can"
    assert widths(1_025, wanted, {"chat": 320}, 400) == {"side": 280, "chat": 420 - 75}, "what the person chose stays"
    assert widths(300, {}, least, 400) == {}


@pytest.fixture
def bench(qtbot: QtBot, dark: theme.Theme) -> Iterator[Workbench]:
    made = Workbench(CommandRegistry())
    qtbot.addWidget(made)
    made.resize(1_200, 700)
    made.show()
    made.add_side_view("memory", "Memory", "database", QWidget(made))
    yield made
    made.finish_close()


def shown(bench: Workbench) -> set[str]:
    return {name for name in ("side", "chat") if bench.region_visible(name)}


def test_regions_fold_and_come_back_with_their_widths(bench: Workbench, qtbot: QtBot) -> None:
    bench.restore_layout(replace(bench.layout_state(), side_width=300, chat_width=400))
    bench.resize(1_200, 700)
    widths = (300, 400)
    qtbot.waitUntil(lambda: (bench.side.width(), bench.chat_pane.width()) == widths)
    for width in (700, 600):
        bench.resize(width, 500)
        qtbot.waitUntil(lambda: shown(bench) == {"chat"})
        assert bench.layout_state().side_visible, "it is wanted, and stored so"
    bench.resize(1_200, 700)
    qtbot.waitUntil(lambda: shown(bench) == {"side", "chat"})
    qtbot.waitUntil(lambda: (bench.side.width(), bench.chat_pane.width()) == widths)


def test_widths_that_nobody_chose_leave_room_for_the_editor(bench: Workbench, qtbot: QtBot) -> None:
    def now() -> tuple[int, int]:
        return bench.side.width(), bench.chat_pane.width()

    bench.resize(1_440, 900)
    qtbot.waitUntil(lambda: now() == (SIDE_WIDTH, CHAT_WIDTH))
    bench.resize(1_024, 700)
    qtbot.waitUntil(lambda: bench.editors.width() >= EDITOR_WANTS)
    assert now()[0] < SIDE_WIDTH and now()[1] < CHAT_WIDTH
    assert (bench.layout_state().side_width, bench.layout_state().chat_width) == (SIDE_WIDTH, CHAT_WIDTH), "that is no wish"
    bench.set_region("side", False)
    bench.set_region("side", True)
    assert bench.editors.width() >= EDITOR_WANTS
    side, splitter = bench.side.width(), bench.findChild(QSplitter, "mainSplitter")
    assert isinstance(splitter, QSplitter)
    splitter.setSizes([side + 90, bench.editors.width() - 90, bench.chat_pane.width()])
    splitter.splitterMoved.emit(side + 90, 1)
    assert (bench.layout_state().side_width, bench.layout_state().chat_width) == (side + 90, CHAT_WIDTH), "only that one was moved"
    bench.resize(1_100, 700)
    qtbot.waitUntil(lambda: bench.width() == 1_100 and bench.side.width() == side + 90)
    bench.resize(1_440, 900)
    qtbot.waitUntil(lambda: now() == (side + 90, CHAT_WIDTH))


@pytest.mark.parametrize("zoom", [0.5, 1.0, 1.5, 3.0])
def test_widths_come_to_rest_at_any_size(bench: Workbench, qtbot: QtBot, qapp: QApplication, zoom: float) -> None:
    """Folding, widths and zoom follow each other; none of them begins again when nothing changes."""
    theme.apply(qapp, theme.DARK, zoom)
    splitter = bench.findChild(QSplitter, "mainSplitter")
    assert isinstance(splitter, QSplitter)
    rounds: list[int] = []
    bench.layout_changed.connect(lambda: rounds.append(1))
    for width, height in ((600, 400), (3_840, 2_160), (1_024, 700), (760, 420), (600, 400), (1_440, 900)):
        bench.resize(width, height)
        qtbot.waitUntil(partial(_has_width, bench, width))
        qapp.processEvents()
        sizes, rounds[:] = splitter.sizes(), []
        for _ in range(5):
            qapp.processEvents()
        assert splitter.sizes() == sizes and not rounds
        assert sum(sizes) <= bench.width()


def _has_width(bench: Workbench, width: int) -> bool:
    return bench.width() >= width


def test_in_a_narrow_window_side_bar_and_chat_take_turns(bench: Workbench, qtbot: QtBot) -> None:
    bench.resize(600, 400)
    qtbot.waitUntil(lambda: shown(bench) == {"chat"})
    facts: list[bool] = []
    bench.layout_changed.connect(lambda: facts.append(bench.region_visible("side")))
    bench.show_side_view("memory")
    assert shown(bench) == {"side"} and facts[-1]
    bench.set_region("chat", True)
    assert shown(bench) == {"chat"}
    bench.toggle_region("chat")
    assert shown(bench) == {"side"}, "there is room for it now, and it was asked for"
    bench.toggle_region("side")
    assert shown(bench) == set()
    bench.resize(1_200, 700)
    qtbot.waitUntil(lambda: bench.width() == 1_200)
    assert shown(bench) == set(), "hidden by the person"


def test_zoom_takes_room_too(bench: Workbench, qtbot: QtBot, qapp: QApplication) -> None:
    bench.resize(48 + 170 + EDITOR_MIN + CHAT_MIN + 4, 500)
    qtbot.waitUntil(lambda: shown(bench) == {"side", "chat"})
    theme.apply(qapp, theme.DARK, 1.5)
    qtbot.waitUntil(lambda: shown(bench) == {"chat"})
    theme.apply(qapp, theme.DARK, 1.0)
    qtbot.waitUntil(lambda: shown(bench) == {"side", "chat"})


def test_the_keyboard_leaves_a_side_bar_that_folds(bench: Workbench, qtbot: QtBot) -> None:
    field = QLineEdit(bench)
    bench.add_side_view("search", "Search", "search", field)
    bench.show_side_view("search")
    bench.set_region("chat", True)
    bench.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    bench.resize(600, 400)
    qtbot.waitUntil(lambda: shown(bench) == {"chat"})
    assert not field.hasFocus()


# --- low rooms --------------------------------------------------------------------------------------------------------


def tall(stack: QStackedWidget, height: int) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    field = QLabel("x")
    field.setMinimumHeight(height)
    column.addWidget(field)
    stack.addWidget(page)
    return page


def test_a_low_room_scrolls_only_for_what_is_in_front(qtbot: QtBot, dark: theme.Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    stack = QStackedWidget(window)
    room = LowRoom(stack, window)
    room.resize(300, 200)
    window.resize(300, 200)
    small, large = tall(stack, 50), tall(stack, 400)
    window.show()
    assert room.verticalScrollBar().maximum() == 0 and stack.size() == room.viewport().size()
    stack.setCurrentWidget(large)
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() > 0)
    assert stack.height() > 400
    stack.setCurrentWidget(small)
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() == 0)
    grown = small.findChild(QLabel)
    assert grown is not None
    grown.setMinimumHeight(500)
    qtbot.waitUntil(lambda: stack.height() > 500)


# --- all of it --------------------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> World:
    made = World(tmp_path)
    (made.project.memory_root / "bun.md").write_text(NOTE + "\n".join(f"line {n}" for n in range(40)), encoding="utf-8")
    return made


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, place: World) -> Iterator[Start]:
    with starting(qapp, qtbot, place) as go:
        yield go


def cut_off(window: QWidget) -> list[str]:
    """What can be pressed, is shown, and cannot be reached by scrolling either."""
    found = []
    for one in window.findChildren(QWidget):
        is_control = isinstance(one, (QAbstractButton, QLineEdit, QComboBox))
        if is_control and one.isVisible() and not isinstance(one.parentWidget(), QTabBar) and not _is_whole(one, window):
            where = QRect(one.mapTo(window, QPoint(0, 0)), one.size()).getRect()
            found.append(f"{type(one).__name__} {one.objectName()} {one.accessibleName()} {where}")
    return found


def _is_whole(one: QWidget, window: QWidget) -> bool:
    seen = whole = QRect(one.mapTo(window, QPoint(0, 0)), one.size())
    scrolls = False
    parent = one.parentWidget()
    while parent is not None:
        room = QRect(parent.mapTo(window, QPoint(0, 0)), parent.size())
        area = parent.parentWidget() if parent is not window else None
        if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
            scrolls = True
            if area.horizontalScrollBar().maximum() > 0:
                return True
        seen = seen.intersected(QRect(room.left(), seen.top(), room.width(), seen.height()) if scrolls else room)
        if parent is window:
            break
        parent = parent.parentWidget()
    return seen.width() >= whole.width() - SLACK and seen.height() >= whole.height() - SLACK


VIEWS = (
    "memory.show",
    "sessions.show",
    "search.show",
    "memory.health",
    "memory.review",
    "settings.memory",
    "models.open",
    "chat.inspector",
)


def fill(application: Application, qtbot: QtBot) -> None:
    """A chat, a memory in a tab, and a proposal that waits."""
    assert application.parts is not None and application.workspace is not None
    controller = application.parts.chat.controller
    with qtbot.waitSignal(controller.turn_ended):
        controller.send("Hello")
    origin = ChangeOrigin("extractor", controller.session_id, controller.messages[0].id)
    box = application.workspace.store.proposals
    box.add("write", "tea.md", NOTE, base=None, base_text="", origin=origin, reason=say("It waits."), rule="review")
    application.parts.memory.open_memory("bun.md", "project")
    qtbot.waitUntil(lambda: not application.operations.pending)


@pytest.mark.parametrize(("language", "zoom"), [("en", 1.0), ("zh_CN", 1.0), ("en", 1.5), ("zh_CN", 1.5)])
def test_at_600_by_400_everything_can_be_pressed(place: World, start: Start, qtbot: QtBot, language: str, zoom: float) -> None:
    place.settings(json.dumps({"appearance.zoom": zoom, "appearance.language": language, "memory.extraction": "off"}))
    application = opened(start(place.folder), qtbot)
    bench = application.workbench
    fill(application, qtbot)
    bench.resize(600, 400)
    qtbot.waitUntil(lambda: shown(bench) == {"chat"})
    assert (bench.width(), bench.height()) == (600, 400)
    for command in ("chat.focus", *VIEWS):
        bench.run(command)
        qtbot.waitUntil(lambda: not application.operations.pending)
        bench.run("notifications.clear")

        def is_whole(command: str = command) -> None:
            assert not cut_off(bench), command

        qtbot.waitUntil(is_whole)
