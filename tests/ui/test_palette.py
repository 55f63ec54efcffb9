"""The command palette: what it lists, filtering, keys, choosing, and leaving it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from desktop.commands.registry import Command, CommandRegistry
from desktop.ui import theme
from desktop.ui.palette import ENTRY, POSITIONS, CommandPalette


class Window(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []
        self.registry = CommandRegistry()
        for command_id, title, key in (
            ("side", "Toggle Side Bar", "ctrl+b"),
            ("chat", "Toggle Chat Pane", "ctrl+alt+b"),
            ("zh", "切换语言", ""),
        ):
            self.registry.register(Command(command_id, title, partial(self.ran.append, command_id), key, category="View"))
        self.registry.register(Command("hidden", "Hidden", list, when="special"))
        self.palette_box = CommandPalette(self.registry, self)
        self.line = QLineEdit(self)
        self.setCentralWidget(self.line)
        self.resize(900, 600)


@pytest.fixture
def window(qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    made = Window()
    qtbot.addWidget(made)
    made.show()
    made.line.setFocus()
    yield made


def test_lists_active_commands_with_their_keys(window: Window) -> None:
    window.palette_box.open_palette()
    assert set(window.palette_box.ids()) == {"side", "chat", "zh"}
    entry = next(
        window.palette_box.list.model().index(row, 0).data(ENTRY)
        for row in range(3)
        if window.palette_box.list.model().index(row, 0).data(ENTRY).id == "side"
    )
    assert entry.right == "Ctrl+B"
    assert window.palette_box.accessibleName() == "Command palette"
    assert window.palette_box.line.hasFocus()


def test_filters_fuzzily_and_marks_letters(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    QTest.keyClicks(window.palette_box.line, "tsb")
    assert window.palette_box.ids() == ["side"]
    assert len(window.palette_box.list.model().index(0, 0).data(POSITIONS)) == 3
    window.palette_box.line.setText("语言")
    assert window.palette_box.ids() == ["zh"]
    window.palette_box.line.setText("zh")
    assert window.palette_box.ids() == ["zh"], "the id is found in every language"
    assert window.palette_box.list.model().index(0, 0).data(POSITIONS) == ()
    window.palette_box.line.setText("nothing like it")
    assert window.palette_box.ids() == []


def test_enter_runs_and_the_command_is_recent_next_time(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    window.palette_box.line.setText("chat")
    QTest.keyClick(window.palette_box.line, Qt.Key.Key_Return)
    assert window.ran == ["chat"]
    assert not window.palette_box.isVisible()
    window.palette_box.open_palette()
    assert window.palette_box.ids()[0] == "chat"
    assert window.palette_box.line.text() == ""
    window.palette_box.dismiss()


def test_arrow_keys_go_around(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    count = len(window.palette_box.ids())
    QTest.keyClick(window.palette_box.line, Qt.Key.Key_Up)
    assert window.palette_box.list.currentIndex().row() == count - 1
    QTest.keyClick(window.palette_box.line, Qt.Key.Key_Down)
    assert window.palette_box.list.currentIndex().row() == 0
    last = window.palette_box.ids()[1]
    QTest.keyClick(window.palette_box.line, Qt.Key.Key_Down)
    QTest.keyClick(window.palette_box.line, Qt.Key.Key_Enter)
    assert window.ran == [last]


def test_escape_leaves_and_focus_returns(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    assert window.registry.facts["paletteVisible"]
    with qtbot.waitSignal(window.palette_box.dismissed):
        QTest.keyClick(window.palette_box.line, Qt.Key.Key_Escape)
    assert not window.registry.facts["paletteVisible"]
    assert window.line.hasFocus()
    assert window.ran == []


def test_a_click_chooses(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    view = window.palette_box.list
    wanted = window.palette_box.ids()[2]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(2, 0)).center())
    assert window.ran == [wanted]


def test_focus_elsewhere_closes_it(window: Window) -> None:
    window.palette_box.open_palette()
    window.line.setFocus()
    assert not window.palette_box.isVisible()


def test_it_fits_the_window(window: Window, qtbot: QtBot) -> None:
    window.palette_box.open_palette()
    assert window.palette_box.width() == 600
    window.resize(500, 400)
    qtbot.waitUntil(lambda: window.palette_box.width() <= window.width() - 40)
    assert window.palette_box.x() == (window.width() - window.palette_box.width()) // 2
    window.palette_box.dismiss()


def test_rows_can_be_painted(window: Window) -> None:
    window.palette_box.open_palette()
    window.palette_box.line.setText("tog")
    assert not window.palette_box.grab().isNull()
    window.palette_box.dismiss()
