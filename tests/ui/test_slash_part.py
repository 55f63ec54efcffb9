"""Slash commands in the whole window: the palette's entries, what their buttons open, the memory view that follows."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop.agent.slash import COMMANDS
from desktop.app.application import Application
from desktop.ui.chat.command_card import CommandCard
from tests.ui.app_world import Start, World, opened
from tests.ui.test_application import world

__all__ = ["world"]  # the fixture of the whole window


def cards(application: Application) -> list[CommandCard]:
    assert application.parts is not None
    return [view for view in application.parts.chat.pane.messages.views if isinstance(view, CommandCard)]


def test_every_command_is_in_the_palette(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    registry = application.workbench.registry
    listed = {command.id: command for command in registry.for_palette()}
    for command in COMMANDS:
        entry = listed[command.window or f"slash.{command.name}"]
        assert entry.title
        assert command.window or command.typed in entry.title
    application.workbench.run("slash.status")
    qtbot.waitUntil(lambda: bool(cards(application)), timeout=10_000)
    assert str(world.folder) in cards(application)[-1].body.text


def test_one_that_needs_words_goes_into_the_composer(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    pane = application.parts.chat.pane
    application.workbench.set_region("chat", False)
    application.workbench.run("slash.remember")
    assert pane.composer.text == "/remember "
    assert pane.composer.edit.textCursor().atEnd()
    pane.composer.set_text("we use bun")
    application.workbench.run("slash.remember")
    assert pane.composer.text == "/remember we use bun"
    pane.composer.set_text("")


def test_without_a_folder_none_is_offered(start: Start, qtbot: QtBot) -> None:
    application = start()
    assert not [one for one in application.workbench.registry.for_palette() if one.id.startswith("slash.")]


def test_what_a_card_did_is_in_the_memory_view_and_opens_from_it(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None
    parts.slash.commands.run("/remember The harbour crane is inspected on Fridays")
    qtbot.waitUntil(lambda: bool(cards(application)), timeout=10_000)
    card = cards(application)[-1]
    path = card.result.data["path"]

    def paths() -> set[str]:
        snapshot = parts.memory.controller.snapshot
        assert snapshot is not None
        return {row.path for row in snapshot.notes}

    qtbot.waitUntil(lambda: path in paths(), timeout=10_000)
    next(button for button in card.buttons if button.accessibleName() == "Open the memory").click()
    qtbot.waitUntil(lambda: application.workbench.editors.current_key().endswith(path), timeout=10_000)
    assert card.undo_button is not None
    card.undo_button.click()
    qtbot.waitUntil(lambda: path not in paths(), timeout=10_000)


def test_settings_open_from_a_card(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.slash.commands.run("/memory")
    qtbot.waitUntil(lambda: bool(cards(application)), timeout=10_000)
    next(button for button in cards(application)[-1].buttons if button.accessibleName() == "Memory settings").click()
    qtbot.waitUntil(lambda: application.workbench.editors.current_key() == "settings", timeout=10_000)


def test_the_window_command_of_a_slash(start: Start, world: World, qtbot: QtBot, tmp_path: Path) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    first = application.parts.chat.controller.session_id
    application.parts.chat.pane.composer.set_text("/new")
    application.parts.chat.pane.composer.edit.send_requested.emit()
    qtbot.waitUntil(
        lambda: application.parts is not None and application.parts.chat.controller.session_id not in ("", first), timeout=10_000
    )
