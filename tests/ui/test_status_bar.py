"""The status bar: order of items, hiding, commands, and names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.status_bar import StatusBar


@pytest.fixture
def status(qtbot: QtBot, dark: theme.Theme) -> Iterator[StatusBar]:
    made = StatusBar()
    qtbot.addWidget(made)
    made.resize(900, 23)
    made.show()
    yield made


def test_items_keep_their_order_whatever_comes_first(status: StatusBar, qtbot: QtBot) -> None:
    order = ["memory", "job", "review", "health", "context", "mode", "model", "notifications"]
    for name in ("notifications", "health", "model", "job", "review", "context", "memory", "mode"):
        status.set_item(name, name)
    qtbot.waitUntil(lambda: status.item("memory").x() < status.item("job").x() if status.item("job") else False)  # type: ignore[union-attr]
    places = {name: status.item(name).x() for name in order}  # type: ignore[union-attr]
    assert sorted(places, key=lambda name: places[name]) == order


def test_text_tooltip_and_name(status: StatusBar) -> None:
    status.set_item("memory", "Memory: on & well", "What it means", "circle-filled", "memory.show", token="memory")
    item = status.item("memory")
    assert item is not None
    assert status.text("memory") == "Memory: on & well"
    assert item.accessibleName() == "Memory: on & well"
    assert item.toolTip() == item.accessibleDescription() == "What it means"
    assert item.height() <= status.height()


def test_only_items_with_a_command_can_be_pressed(status: StatusBar, qtbot: QtBot) -> None:
    status.set_item("memory", "memory", command="memory.show")
    status.set_item("job", "extracting…")
    asked: list[str] = []
    status.command_requested.connect(asked.append)
    for name in ("memory", "job"):
        item = status.item(name)
        assert item is not None
        QTest.mouseClick(item, Qt.MouseButton.LeftButton)
    assert asked == ["memory.show"]
    assert status.item("job").focusPolicy() == Qt.FocusPolicy.NoFocus  # type: ignore[union-attr]


def test_an_empty_item_is_hidden_and_comes_back(status: StatusBar) -> None:
    status.set_item("job", "")
    assert not status.item("job").isVisible()  # type: ignore[union-attr]
    status.set_item("job", "", "running", "sync")
    assert status.item("job").isVisible()  # type: ignore[union-attr]
    status.remove_item("job")
    assert status.item("job") is None
    assert status.text("job") == ""


def test_a_gap_between_icon_and_text(status: StatusBar, qtbot: QtBot) -> None:
    status.set_item("mode", "Ask & first", "", "shield", "chat.mode")
    status.set_item("memory", "Memory: on")
    item, plain = status.item("mode"), status.item("memory")
    assert item is not None and plain is not None
    qtbot.waitUntil(lambda: item.width() >= item.sizeHint().width())
    placed = item.placed()
    assert placed.words.left() - placed.icon.right() - 1 == 4
    assert placed.text == "Ask & first", "nothing is cut at its own width"
    assert item.rect().contains(placed.icon) and item.rect().contains(placed.words)
    assert plain.placed().icon.width() == 0 and plain.placed().text == "Memory: on"
