"""The title bar follows the commands that it shows, and leaves all others alone while a window registers them."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from desktop.commands.keymap import Binding
from desktop.commands.registry import Command, CommandRegistry
from desktop.ui.title_bar import CommandCenter, TitleBar


def nothing() -> None: ...


def test_it_follows_its_own_commands_and_any_change_of_keys(qtbot: QtBot) -> None:
    registry = CommandRegistry()
    bar = TitleBar(registry)
    qtbot.addWidget(bar)
    center, switch = bar.findChild(CommandCenter), bar.findChild(QToolButton, "title_view_toggleChat")
    assert center is not None and switch is not None

    registry.register(Command("palette.show", "Show All Commands", nothing, "ctrl+shift+p"))
    assert "Ctrl+Shift+P" in center.toolTip()
    registry.register(Command("view.toggleChat", "Toggle the Chat", nothing, "ctrl+alt+b"))
    assert switch.toolTip() == "Toggle the Chat (Ctrl+Alt+B)" and switch.accessibleName() == "Toggle the Chat" and not switch.isHidden()

    registry.set_own_bindings([Binding("f9", "palette.show", "")])
    assert "F9" in center.toolTip()
    registry.unregister("view.toggleChat")
    assert switch.isHidden()


def test_other_commands_do_not_touch_it(qtbot: QtBot) -> None:
    registry = CommandRegistry()
    bar = TitleBar(registry)
    qtbot.addWidget(bar)
    center = bar.findChild(CommandCenter)
    assert center is not None
    center.setToolTip("as it was")
    registry.register(Command("memory.new", "New Memory", nothing, "ctrl+m"), Command("session.new", "New Chat", nothing))
    registry.unregister("memory.new")
    assert center.toolTip() == "as it was"
