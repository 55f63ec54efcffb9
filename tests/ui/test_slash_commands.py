"""Slash commands in the chat: completion, hints, cards with buttons and Undo, the palette. Real session, real loop, real widgets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop.agent.slash import COMMANDS
from desktop.bridge.operations import Operations
from desktop.ui import theme
from desktop.ui.chat.command_card import CommandCard, CommandCards
from desktop.ui.chat.completion import awaited, command_proposals, open_command
from desktop.ui.chat.composer_edit import ComposerEdit
from desktop.ui.chat.message_views import UserView
from desktop.ui.controllers.chat_commands import ChatCommands
from tests.ui.chat_world import ChatWorld

Key = Qt.Key


class CommandWorld(ChatWorld):
    """A chat world whose composer knows commands."""

    def wire(self) -> None:
        self.commands = ChatCommands(self.controller, self.desk.services, self.operations, self.controller)
        self.commands.failed.connect(self.failures.append)
        self.cards = CommandCards(self.commands, self.controller, self.pane.composer, self.pane.messages, self.controller)
        self.cards.card_shown.connect(self.pane.show_messages)
        self.opened: list[tuple[str, str]] = []
        self.windows: list[str] = []
        self.cards.memory_open_requested.connect(lambda path, root: self.opened.append((path, root)))
        self.cards.window_command_requested.connect(self.windows.append)

    @property
    def edit(self) -> ComposerEdit:
        return self.pane.composer.edit

    def focus(self) -> None:
        self.pane.activateWindow()
        self.edit.setFocus()
        self.qtbot.waitUntil(self.edit.hasFocus)

    def command(self, text: str) -> CommandCard:
        """Type and send a command; the card that it gives."""
        before = len(self.views(CommandCard))
        self.send(text)
        self.until(lambda: len(self.views(CommandCard)) > before, f"a card for {text}")
        card = self.views(CommandCard)[-1]
        assert isinstance(card, CommandCard)
        return card

    def close(self) -> None:
        super().close()
        self.desk.services.memory_search.close()
        self.desk.services.session_search.close()

    def notes(self) -> list[str]:
        return [note.path for note in self.desk.workspace.store.notes()]


@pytest.fixture
def chat(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[CommandWorld]:
    world = CommandWorld(qtbot, tmp_path, operations, {"text": "Hello."})
    world.wire()
    world.open()
    yield world
    world.pane.flush_draft()
    world.close()


# --- completion -----------------------------------------------------------------------------------------------------------


def test_what_a_slash_completes() -> None:
    assert open_command("/") == ""
    assert open_command("  /Mem") == "mem"
    assert open_command("／记") == "记"
    for text in ("hello /mem", "/memory ", "/etc/hosts", "#x", "", "a/b"):
        assert open_command(text) is None
    assert [one.insert for one in command_proposals("")] == [one.typed for one in COMMANDS]
    assert [one.insert for one in command_proposals("re")] == ["/remember", "/recall", "/resume", "/rewind", "/rename"]
    assert [one.insert for one in command_proposals("记")] == ["/memory", "/remember"]
    assert command_proposals("zzz") == []
    assert all(one.detail for one in command_proposals(""))


def test_what_still_awaits_words() -> None:
    waiting = awaited("/remember ")
    assert waiting is not None
    assert waiting.name == "remember"
    assert awaited("/remember bun") is None
    assert awaited("/memory ") is None


def test_a_slash_opens_the_list_and_tab_completes(chat: CommandWorld) -> None:
    chat.focus()
    composer = chat.pane.composer
    QTest.keyClicks(chat.edit, "/")
    assert composer.completion.isVisible()
    assert composer.completion.list.accessibleName() == "Commands"
    assert composer.completion.list.model().rowCount() == len(COMMANDS)
    QTest.keyClicks(chat.edit, "rem")
    QTest.keyClick(chat.edit, Key.Key_Tab)
    assert composer.text == "/remember "
    assert not composer.completion.isVisible()
    assert "TEXT" in composer.hint.text()
    assert chat.edit.hasFocus()
    QTest.keyClicks(chat.edit, "x")
    assert composer.hint.isHidden()


def test_arrows_choose_and_return_completes_without_running(chat: CommandWorld) -> None:
    chat.focus()
    QTest.keyClicks(chat.edit, "/s")
    QTest.keyClick(chat.edit, Key.Key_Return)
    assert chat.pane.composer.text == "/status "
    assert chat.views(CommandCard) == []
    QTest.keyClick(chat.edit, Key.Key_Return)
    chat.until(lambda: chat.views(CommandCard), "the card")
    assert chat.pane.composer.text == ""


def test_a_command_that_is_typed_out_runs_at_once(chat: CommandWorld) -> None:
    chat.focus()
    QTest.keyClicks(chat.edit, "/memory")
    assert chat.pane.composer.completion.isVisible()
    QTest.keyClick(chat.edit, Key.Key_Return)
    chat.until(lambda: chat.views(CommandCard), "the card")
    assert not chat.pane.composer.completion.isVisible()


def test_escape_closes_the_list_and_leaves_the_text(chat: CommandWorld) -> None:
    chat.focus()
    QTest.keyClicks(chat.edit, "/mem")
    QTest.keyClick(chat.edit, Key.Key_Escape)
    assert not chat.pane.composer.completion.isVisible()
    assert chat.pane.composer.text == "/mem"


def test_an_input_method_is_left_alone(chat: CommandWorld) -> None:
    chat.focus()
    QTest.keyClicks(chat.edit, "/")
    QApplication.sendEvent(chat.edit, QInputMethodEvent("ji", []))
    QTest.keyClick(chat.edit, Key.Key_Return)
    assert chat.pane.composer.text == "/"
    assert chat.views(CommandCard) == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("记住")
    QApplication.sendEvent(chat.edit, commit)
    assert chat.pane.composer.completion.isVisible()
    QTest.keyClick(chat.edit, Key.Key_Tab)
    assert chat.pane.composer.text == "/remember "


def test_a_slash_within_a_text_opens_nothing(chat: CommandWorld) -> None:
    chat.focus()
    QTest.keyClicks(chat.edit, "either /or")
    assert not chat.pane.composer.completion.isVisible()
    QTest.keyClick(chat.edit, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(chat.edit, "/mem")
    assert not chat.pane.composer.completion.isVisible(), "a command begins the whole text"


# --- sending --------------------------------------------------------------------------------------------------------------


def test_a_card_is_no_part_of_the_conversation(chat: CommandWorld) -> None:
    card = chat.command("/memory")
    assert "Memory is on" in card.body.text
    assert not chat.controller.messages
    assert chat.pane.stack.currentWidget() is chat.pane.messages
    assert chat.pane.composer.text == ""
    assert not chat.desk.dumps.exists()
    chat.turn("hi")
    assert [view.text for view in chat.views(UserView)] == ["hi"]
    assert "Memory is on" not in str(chat.desk.bodies())
    card.close_button.click()
    chat.until(lambda: card not in chat.views(CommandCard), "the card to go")


def test_the_draft_of_a_command_is_not_kept(chat: CommandWorld) -> None:
    chat.pane.composer.set_text("/memory")
    chat.pane.flush_draft()
    chat.command("/memory")
    drafts = chat.desk.services.paths.state / "drafts"
    chat.until(lambda: not any("/memory" in file.read_text() for file in drafts.rglob("*") if file.is_file()), "the draft to go")


def test_a_command_works_while_a_turn_runs(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> None:
    world = CommandWorld(qtbot, tmp_path, operations, {"text": "slow " * 60, "delay_ms": 20, "chunk": 5})
    world.wire()
    world.open()
    world.send("hello")
    world.until(lambda: world.controller.running, "the turn")
    world.send("a message")
    assert not world.pane.composer.hint.isHidden(), "a message has to wait"
    world.command("/remember The harbour crane is inspected on Fridays")
    assert world.controller.running
    assert len(world.notes()) == 1
    world.controller.stop()
    world.until(lambda: not world.controller.running, "the end")
    world.pane.composer.set_text("")
    world.pane.flush_draft()
    world.close()


def test_a_path_is_sent_and_a_mistyped_command_is_asked_about_once(chat: CommandWorld) -> None:
    chat.send("/memroy")
    assert "/memory" in chat.pane.composer.hint.text()
    assert not chat.controller.messages
    chat.turn("/memroy")
    assert chat.controller.messages[0].text == "/memroy"
    chat.turn("/etc/hosts is wrong")
    assert chat.controller.messages[2].text == "/etc/hosts is wrong"
    assert chat.views(CommandCard) == []


def test_a_command_without_its_words_stays_and_says_what_is_missing(chat: CommandWorld) -> None:
    chat.send("/remember")
    assert "TEXT" in chat.pane.composer.hint.text()
    assert chat.pane.composer.text == "/remember"
    assert chat.views(CommandCard) == []


def test_commands_of_the_window_go_to_the_window(chat: CommandWorld) -> None:
    chat.send("/model")
    assert chat.windows == ["chat.model"]
    chat.turn("hi")
    with chat.qtbot.waitSignal(chat.controller.title_changed):
        chat.send("/rename The harbour")
    assert chat.pane.head.given_title == "The harbour"
    assert chat.pane.composer.text == ""


def test_a_command_typed_while_a_chat_is_opened_waits_for_it(
    qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme
) -> None:
    world = CommandWorld(qtbot, tmp_path, operations, {"text": "Hello."})
    world.wire()
    world.send("/memory")
    assert [failure.message for failure in world.failures] == ["No folder is open."]
    world.controller.set_workspace(world.desk.workspace, "")
    assert world.controller.opening
    world.send("/status")
    world.until(lambda: world.views(CommandCard), "the card")
    world.pane.flush_draft()
    world.close()


def test_without_any_model_commands_still_work(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> None:
    world = CommandWorld(qtbot, tmp_path, operations)
    world.desk.services.settings.set("model.default", "nobody:knows-this")
    world.wire()
    with qtbot.waitSignal(world.controller.opening_failed):
        world.controller.set_workspace(world.desk.workspace, "")
    card = world.command("/remember The harbour crane is inspected on Fridays")
    assert card.result.changes
    assert len(world.notes()) == 1
    world.pane.flush_draft()
    world.close()


# --- cards ----------------------------------------------------------------------------------------------------------------


def test_undo_and_redo_of_a_memory(chat: CommandWorld) -> None:
    card = chat.command("/remember The harbour crane is inspected on Fridays")
    (path,) = chat.notes()
    assert card.undo_button is not None
    card.undo_button.click()
    chat.until(lambda: chat.notes() == [], "the memory to go")
    chat.until(lambda: card.undo_button is not None and card.undo_button.text() == "Redo", "the button")
    assert card.note.text() == "Undone."
    card.undo_button.click()
    chat.until(lambda: chat.notes() == [path], "the memory to come back")
    chat.until(lambda: card.undo_button is not None and card.undo_button.text() == "Undo", "the button")


def test_the_focus_stays_on_undo_and_goes_back_to_the_composer(chat: CommandWorld) -> None:
    card = chat.command("/remember The harbour crane is inspected on Fridays")
    undo = card.undo_button
    assert undo is not None
    chat.pane.window().activateWindow()
    undo.setFocus()
    chat.until(undo.hasFocus, "the focus")
    undo.click()
    chat.until(lambda: undo.text() == "Redo", "the button")
    assert undo.hasFocus()
    card.close_button.setFocus()
    card.close_button.click()
    assert chat.pane.composer.edit.hasFocus()


def test_a_card_that_is_closed_while_it_undoes(chat: CommandWorld) -> None:
    card = chat.command("/remember The harbour crane is inspected on Fridays")
    assert card.undo_button is not None
    with chat.qtbot.waitSignal(chat.commands.changed):
        card.undo_button.click()
        card.close_button.click()
    assert chat.notes() == []
    assert chat.failures == []


def test_undo_that_is_too_late_says_so_and_keeps_what_is_there(chat: CommandWorld) -> None:
    card = chat.command("/remember The harbour crane is inspected on Fridays")
    (path,) = chat.notes()
    file = chat.desk.workspace.project.memory_root / path
    file.write_text(file.read_text() + "\nAnd on Mondays.\n")
    chat.desk.workspace.memories.observe()
    assert card.undo_button is not None
    card.undo_button.click()
    chat.until(lambda: card.note.isVisible(), "the reason")
    assert file.exists()
    assert card.undo_button.text() == "Undo"


def test_choices_are_buttons_and_one_of_them_forgets(chat: CommandWorld) -> None:
    chat.command("/remember The harbour crane is inspected on Fridays")
    chat.command("/remember The harbour café opens at nine")
    asked = chat.command("/forget harbour")
    assert len(asked.choices) == 2
    assert all(button.accessibleName() for button in asked.choices)
    assert "1." not in asked.body.text
    assert len(chat.notes()) == 2
    before = len(chat.views(CommandCard))
    asked.choices[0].click()
    chat.until(lambda: len(chat.views(CommandCard)) > before, "the result")
    assert len(chat.notes()) == 1
    assert not asked.choices[1].isEnabled(), "it was chosen"
    assert chat.views(CommandCard)[-1].undo_button is not None


def test_buttons_open_memories_and_have_names(chat: CommandWorld) -> None:
    chat.command("/remember The harbour crane is inspected on Fridays")
    card = chat.command("/memory")
    opener = next(button for button in card.buttons if button.accessibleName().startswith("Open"))
    opener.click()
    assert chat.opened == [("MEMORY.md", "project")]
    for button in card.findChildren(QPushButton):
        if button.isVisible():
            assert button.accessibleName() or button.text()
    asked: list[None] = []
    chat.cards.settings_requested.connect(lambda: asked.append(None))
    next(button for button in card.buttons if button.accessibleName() == "Memory settings").click()
    assert asked == [None]


def test_an_error_is_a_card_of_its_own_look(chat: CommandWorld) -> None:
    card = chat.command("/forget MEMORY.md")
    assert card.result.status == "error"
    assert card.border == "removed"
    assert card.undo_button is None


def test_a_result_is_data(chat: CommandWorld) -> None:
    chat.command("/remember <b>bold</b> [x](http://evil.example) is in every footer of the harbour page")
    card = chat.command("/recall footer of the harbour page")
    html = "".join(view.toHtml() for view in card.body.views)  # type: ignore[union-attr]
    assert "[x](" in html, "a link of a memory is no link of ours"
    assert "&lt;b&gt;bold" in html
