"""A conversation that no longer fits: the meter says that it is full, and one press goes on with it in a new chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop.app.chat_part import ChatPart
from desktop.bridge.drafts import DraftStore
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.messages.events import TurnEnded
from desktop.messages.parts import TextPart
from desktop.messages.usage import Usage
from desktop.ui import theme
from desktop.ui.chat.context_card import ContextCard
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.pasted import plain
from desktop.ui.chat.surface import KeyButton
from desktop.ui.controllers.chat_full import is_full
from desktop.ui.workbench import Workbench
from tests.helpers.agent import Desk
from tests.ui.chat_world import WAIT_MS, ChatWorld
from tests.ui.test_chat_memory import MakeWorld, world

__all__ = ["world"]
WINDOW = 30_000
FIRST = {"text": "Our package manager is bun.", "usage": {"input_tokens": 600, "output_tokens": 10}}
DISTILLED = {"text": "NO_RELEVANT_CONTEXT", "for": "distil"}
LONG = "字" * 60_000
BUTTON = "Continue in a New Chat"


def ended(kind: str, stop: Any = "limit") -> TurnEnded:
    return TurnEnded(stop, Usage(), {"message": "Full.", "hint": "", "detail": "", "kind": kind})


def full_chat(world: MakeWorld) -> ChatWorld:
    """A small window, one answer, and then a message that does not fit any more."""
    chat = world(opened=False)
    chat.desk.services.settings.set("model.default", chat.desk.script(FIRST, DISTILLED, name="small.json", context_window=WINDOW))
    chat.open()
    chat.turn("Which package manager do we use?")
    chat.turn(LONG)
    return chat


def button(chat: ChatWorld) -> KeyButton | None:
    return next((one for card in chat.views(NoticeCard) for one in card.findChildren(KeyButton) if one.text() == BUTTON), None)


def draft(chat: ChatWorld, session_id: str) -> str:
    return DraftStore(chat.desk.services.paths.state / "drafts").load(session_id)


@pytest.mark.parametrize(
    ("kind", "stop", "full"),
    [("contextfull", "limit", True), ("context_length", "error", True), ("network", "error", False), ("contextfull", "interrupted", False)],
)
def test_which_ends_mean_that_the_window_is_full(kind: str, stop: str, full: bool) -> None:
    assert is_full(ended(kind, stop)) is full
    assert not is_full(TurnEnded("end", Usage()))


def test_the_meter_says_that_it_is_full(world: MakeWorld) -> None:
    said: list[tuple[int, int]] = []
    chat = world(opened=False)
    chat.controller.usage_changed.connect(lambda tokens, window: said.append((tokens, window)))
    chat.desk.services.settings.set("model.default", chat.desk.script(FIRST, name="small.json", context_window=WINDOW))
    chat.open()
    chat.turn("Which package manager do we use?")
    assert said[-1][1] == WINDOW and 0 < said[-1][0] < WINDOW // 10
    chat.turn(LONG)
    assert said[-1] == (WINDOW, WINDOW)
    chat.controller.branches.rewind(chat.controller.messages[0].id)
    chat.until(lambda: said[-1] == (0, WINDOW), "the meter to be empty once the branch is another one")


def test_the_status_bar_shows_a_hundred_percent(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> None:
    desk, loop = Desk(tmp_path, headless=False), LoopThread()
    bench = Workbench(CommandRegistry())
    qtbot.addWidget(bench)
    part = ChatPart(desk.services, bench, operations, loop)
    try:
        desk.services.settings.set("model.default", desk.script({"text": "x"}, context_window=WINDOW))
        part.controller.set_workspace(desk.workspace)
        qtbot.waitUntil(lambda: bool(part.controller.session_id), timeout=WAIT_MS)
        part.controller.usage_changed.emit(600, WINDOW)
        item = bench.status.item("context")
        assert item is not None and item.text() == "Context 2 %"
        part.controller.turn_ended.emit(ended("context_length", "error"))
        assert item.text() == "Context 100 %"
        part.controller.turn_ended.emit(ended("network", "error"))
        assert item.text() == "Context 100 %"
    finally:
        for future in part.close():
            future.result(WAIT_MS / 1000)
        loop.stop()


def test_one_press_goes_on_in_a_new_chat(world: MakeWorld) -> None:
    chat = full_chat(world)
    old = chat.controller.session_id
    chat.pane.composer.set_text("and then this")
    chat.pane.flush_draft()
    pressed = button(chat)
    assert pressed is not None
    pressed.click()
    chat.until(lambda: chat.controller.session_id not in ("", old), "the new chat")
    chat.until(lambda: chat.views(ContextCard), "what was read of the old one")
    assert chat.views(ContextCard)[0].session_id == old
    assert chat.controller.workspace is chat.desk.workspace
    assert chat.pane.composer.text == f"{LONG}\nand then this"
    chat.pane.flush_draft()
    chat.until(lambda: not chat.operations.pending, "the drafts")
    assert draft(chat, old) == "", "what was typed stands once"
    assert plain(draft(chat, chat.controller.session_id)) == f"{LONG}\nand then this"
    assert not chat.failures
    texts = "".join(part.text for message in chat.controller.messages for part in message.parts if isinstance(part, TextPart))
    assert "bun" in texts and len(texts) < len(LONG)


def test_what_is_typed_is_kept_where_no_new_chat_can_be_opened(world: MakeWorld) -> None:
    chat = full_chat(world)
    old = chat.controller.session_id
    chat.pane.composer.set_text("and then this")
    chat.desk.services.settings.set("model.default", "scripted:/no/such/file.json")
    pressed = button(chat)
    assert pressed is not None
    with chat.qtbot.waitSignal(chat.controller.opening_failed, timeout=WAIT_MS):
        pressed.click()
    chat.until(lambda: chat.pane.composer.text == "and then this", "what was typed")
    assert chat.controller.session_id == old
    chat.desk.services.settings.set("model.default", chat.desk.script({"text": "x"}))
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id != old, "another chat, later")
    chat.until(lambda: not chat.operations.pending, "rest")
    assert not chat.views(ContextCard) and not chat.pane.composer.text, "the press is over: nothing of it happens later"


def test_it_is_not_offered_where_it_does_not_help(world: MakeWorld) -> None:
    chat = world(opened=False)
    chat.desk.services.settings.set("model.default", chat.desk.script(FIRST, name="small.json", context_window=WINDOW))
    chat.open()
    chat.turn(LONG)
    assert "This message alone" in chat.views(NoticeCard)[-1].label.text() and button(chat) is None
    old = chat.controller.session_id
    chat.controller.new_incognito()
    chat.until(lambda: chat.controller.session_id not in ("", old), "the incognito chat")
    chat.turn("Which package manager do we use?")
    chat.turn(LONG)
    assert chat.views(NoticeCard) and button(chat) is None, "nothing of an incognito chat can be read"
