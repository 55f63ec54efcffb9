"""Branches in the chat: the menu of a message, editing in the composer, versions, rewinding, and what was left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.messages.parts import Message, TextPart
from desktop.ui.chat.edit_line import LaterRow
from desktop.ui.chat.entry_views import VersionsRow
from desktop.ui.chat.message_actions import MessageView
from desktop.ui.chat.message_views import AnswerView, UserView
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.tool_card import ToolCard
from tests.helpers.script import call
from tests.ui.chat_world import WAIT_MS, ChatWorld

MakeWorld = Callable[..., ChatWorld]


@pytest.fixture
def world(qtbot: QtBot, tmp_path: Path) -> Iterator[MakeWorld]:
    made: list[ChatWorld] = []

    def make(*answers: str | dict[str, Any]) -> ChatWorld:
        responses = [{"text": answer} if isinstance(answer, str) else answer for answer in answers]
        chat = ChatWorld(qtbot, tmp_path, Operations(), *responses)
        made.append(chat)
        chat.open()
        return chat

    yield make
    for chat in made:
        chat.close()


def shown(chat: ChatWorld) -> list[str]:
    """What is said, in order."""
    return [view.message_text() for view in chat.views(MessageView)]


def menu_of(view: MessageView) -> dict[str, Any]:
    menu = QMenu(view)
    view.extend_menu(menu)
    return {action.objectName().removeprefix("message."): action for action in menu.actions() if action.objectName()}


def versions(chat: ChatWorld) -> list[tuple[int, int]]:
    return [(row.switcher.position, row.switcher.total) for row in chat.views(VersionsRow)]


def ended(chat: ChatWorld, act: Callable[[], object]) -> None:
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=WAIT_MS):
        act()


def test_a_message_is_edited_in_the_composer_and_both_versions_can_be_seen(world: MakeWorld) -> None:
    chat = world("a1", "a2", "a1b")
    chat.turn("u1")
    chat.turn("u2")
    chat.pane.composer.set_text("half a thought")
    menu_of(chat.views(UserView)[0])["edit"].trigger()
    assert chat.pane.composer.text == "u1" and chat.pane.branches.line.isVisible()
    chat.pane.composer.set_text("u1, said better")
    ended(chat, chat.pane.composer.edit.send_requested.emit)
    chat.until(lambda: shown(chat) == ["u1, said better", "a1b"], "the new branch")
    assert not chat.pane.branches.line.isVisible()
    assert chat.pane.composer.text == "half a thought", "what stood in the composer comes back"
    assert versions(chat) == [(2, 2)]

    row = chat.views(VersionsRow)[0]
    row.switcher.previous.click()
    chat.until(lambda: shown(chat) == ["u1", "a1", "u2", "a2"], "the old branch")
    assert versions(chat) == [(1, 2)]
    assert chat.pane.branches.step(1)
    chat.until(lambda: shown(chat) == ["u1, said better", "a1b"], "the new branch again")
    assert not chat.pane.branches.step(1), "there is none behind the last"
    assert chat.failures == []


def test_an_edit_can_be_left(world: MakeWorld) -> None:
    chat = world("a1")
    chat.turn("u1")
    chat.pane.composer.set_text("half a thought")
    assert chat.pane.branches.act_on_current("edit")
    QTest.keyClick(chat.pane.composer.edit, Qt.Key.Key_Escape)
    chat.until(lambda: not chat.pane.branches.editing, "the end of editing")
    assert chat.pane.composer.text == "half a thought" and shown(chat) == ["u1", "a1"]


def test_a_retry_shows_the_versions_of_the_answer(world: MakeWorld) -> None:
    chat = world("a1", {"text": "b", "tool_calls": [call("Glob", pattern="*")]}, "a1b")
    chat.turn("u1")
    ended(chat, menu_of(chat.views(AnswerView)[0])["retry"].trigger)
    chat.until(lambda: versions(chat) == [(2, 2)], "the versions")
    assert shown(chat) == ["u1", "b", "a1b"] and len(chat.views(ToolCard)) == 1
    views = list(chat.pane.messages.views)
    row = chat.views(VersionsRow)[0]
    assert views.index(chat.views(UserView)[0]) < views.index(row) < views.index(chat.views(AnswerView)[0])
    row.switcher.previous.click()
    chat.until(lambda: shown(chat) == ["u1", "a1"], "the first answer")


def test_a_rewind_keeps_what_came_after_within_reach(world: MakeWorld) -> None:
    chat = world("a1", "a2", "a3")
    chat.turn("u1")
    chat.turn("u2")
    menu_of(chat.views(UserView)[1])["rewind"].trigger()
    chat.until(lambda: shown(chat) == ["u1", "a1"] and chat.pane.composer.text == "u2", "the rewind")
    later = chat.views(LaterRow)[0]
    later.forward.click()
    chat.until(lambda: shown(chat) == ["u1", "a1", "u2", "a2"], "what came after")
    assert chat.views(LaterRow) == []

    chat.pane.composer.set_text("")
    chat.pane.branches.act("rewind", chat.controller.messages[1].id)
    chat.until(lambda: shown(chat) == ["u1", "a1"], "the rewind to the answer")
    assert chat.pane.composer.text == ""
    chat.turn("u2 another way")
    assert chat.views(LaterRow) == [] and shown(chat)[-2:] == ["u2 another way", "a3"]
    assert versions(chat) == [(2, 2)]


def test_a_chat_rewound_to_its_start_can_be_taken_up_again(world: MakeWorld) -> None:
    chat = world("a1")
    chat.turn("u1")
    chat.pane.branches.act("rewind", chat.controller.messages[0].id)
    chat.until(lambda: shown(chat) == [] and len(chat.views(LaterRow)) == 1, "the rewind")
    assert chat.pane.stack.currentWidget() is chat.pane.messages
    chat.views(LaterRow)[0].forward.click()
    chat.until(lambda: shown(chat) == ["u1", "a1"], "what came after")


def test_a_fork_opens_a_new_session_and_leaves_the_old_one(world: MakeWorld) -> None:
    chat = world("a1", "a2")
    chat.turn("u1")
    chat.turn("u2")
    old = chat.controller.session_id
    menu_of(chat.views(AnswerView)[0])["fork"].trigger()
    chat.until(lambda: chat.controller.session_id not in ("", old), "the fork")
    chat.until(lambda: shown(chat) == ["u1", "a1"], "its messages")
    assert chat.pane.head.given_title == "u1 (fork)"
    assert len(chat.desk.services.sessions.load(old).live) == 4


def test_branches_are_there_after_a_restart(world: MakeWorld) -> None:
    chat = world("a1", "a1b")
    chat.turn("u1")
    ended(chat, lambda: chat.controller.edit(chat.controller.messages[0].id, "u1b"))
    session_id = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", session_id), "a new chat")
    chat.controller.resume(session_id)
    chat.until(lambda: versions(chat) == [(2, 2)], "the versions")
    chat.views(VersionsRow)[0].switcher.previous.click()
    chat.until(lambda: shown(chat) == ["u1", "a1"], "the old branch")


def test_a_message_is_copied_and_referred_to(world: MakeWorld) -> None:
    chat = world("**a1**")
    chat.turn("u1")
    told: list[str] = []
    chat.pane.branches.told.connect(told.append)
    menu_of(chat.views(AnswerView)[0])["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "**a1**"
    menu_of(chat.views(AnswerView)[0])["reference"].trigger()
    assert QGuiApplication.clipboard().text() == f"#{chat.controller.session_id}:2"
    assert len(told) == 2


def test_acts_that_move_the_branch_wait_for_the_end_of_a_turn(world: MakeWorld) -> None:
    chat = world("a1", {"text": "slow", "delay_ms": 50, "chunk": 1}, "x")
    chat.turn("u1")
    chat.send("u2")
    chat.until(lambda: chat.controller.running and len(chat.views(UserView)) == 2, "the turn")
    menu = menu_of(chat.views(UserView)[0])
    assert [act for act, action in menu.items() if not action.isEnabled()] == ["edit", "retry", "rewind"]
    told: list[str] = []
    chat.pane.branches.told.connect(told.append)
    assert chat.pane.branches.act_on_current("edit") and not chat.pane.branches.editing
    assert told == ["Not while a turn runs: stop it, or wait for its end."], "a key that can do nothing says so"
    chat.pane.branches.act("rewind", chat.controller.messages[0].id)
    chat.until(lambda: chat.failures, "the reason")
    assert "A turn is running" in chat.failures[0].message
    chat.until(lambda: not chat.controller.running, "the end")
    assert all(action.isEnabled() for action in menu_of(chat.views(UserView)[0]).values())


def test_commands_of_the_composer_move_the_branch(world: MakeWorld) -> None:
    from desktop.ui.chat.command_card import CommandCard, CommandCards
    from desktop.ui.controllers.chat_commands import ChatCommands

    chat = world("a1", "a2")
    commands = ChatCommands(chat.controller, chat.desk.services, chat.operations, chat.pane)
    cards = CommandCards(commands, chat.controller, chat.pane.composer, chat.pane.messages, chat.pane)
    chat.turn("u1")
    chat.turn("u2")
    cards.run("/rewind")
    chat.until(lambda: shown(chat) == ["u1", "a1"] and chat.pane.composer.text == "u2", "the rewind")
    old = chat.controller.session_id
    cards.run("/fork")
    chat.until(lambda: chat.controller.session_id not in ("", old) and shown(chat) == ["u1", "a1"], "the fork")
    cards.run(f"/resume #{old}")
    chat.until(lambda: chat.controller.session_id == old, "the old one")
    assert chat.views(CommandCard) == []


def test_what_lies_before_a_boundary_is_shown(world: MakeWorld) -> None:
    chat = world("a1", "a2")
    chat.turn("u1")
    session_id, last = chat.controller.session_id, chat.controller.messages[-1]
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", session_id), "a new chat")
    handle = chat.desk.services.sessions.open(session_id)
    handle.append(Message("msg_b", "user", (TextPart("the summary"),), last.time, last.id, "app", notes={"boundary": {}}))
    handle.close()
    chat.controller.resume(session_id)
    chat.until(lambda: shown(chat) == ["u1", "a1"], "the messages")
    assert "summarised here" in chat.views(NoticeCard)[-1].label.text()
