"""A stored session in a tab: read only, at the message that is asked for, on whichever branch it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui import theme
from desktop.ui.chat.items import entries_of, entry_index
from desktop.ui.chat.message_views import AnswerView, UserView
from desktop.ui.chat.pointer import Frame
from desktop.ui.chat.tool_card import ToolCard
from desktop.ui.sessions.viewer import SessionViewer, read_session
from tests.ui.chat_world import ChatWorld
from tests.ui.memory_world import World, made_world
from tests.ui.search_world import add, add_call, say_all


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Viewer:
    """A viewer of one session on the screen."""

    def __init__(self, world: World, qtbot: QtBot, session_id: str) -> None:
        self.qtbot = qtbot
        store = world.services.sessions
        self.widget = SessionViewer(lambda: read_session(store, session_id), session_id, world.operations)
        qtbot.addWidget(self.widget)
        self.widget.resize(600, 500)
        self.widget.show()

    def pointed(self) -> QWidget | None:
        """The message with the frame, if it is in view."""
        frames = [one for one in self.widget.findChildren(Frame) if one.isVisible()]
        target = frames[0].target if len(frames) == 1 else None
        view = self.widget.messages.viewport()
        top = target.mapTo(view, target.rect().topLeft()).y() if target is not None else 0
        return target if target is not None and -target.height() < top < view.height() else None

    def until_pointed(self, words: str = "") -> QWidget:
        """The message with the frame, once it is in view and holds these words."""
        self.qtbot.waitUntil(lambda: (one := self.pointed()) is not None and words in getattr(one, "text", ""), timeout=10_000)
        found = self.pointed()
        assert found is not None
        return found

    def texts(self) -> list[str]:
        """What the messages say that have a widget."""
        return [one.text for one in self.widget.messages.views if isinstance(one, (UserView, AnswerView))]

    def selected(self) -> list[str]:
        return [one.textCursor().selectedText() for one in self.widget.findChildren(QTextEdit) if one.textCursor().hasSelection()]


def test_it_shows_title_and_messages_and_changes_nothing(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "Which package manager?"), ("assistant", "It is bun.")])
    before = world.services.sessions.path_of(handle.id).read_bytes()
    viewer = Viewer(world, qtbot, handle.id)  # also while it is open elsewhere
    titles: list[str] = []
    viewer.widget.title_changed.connect(titles.append)
    qtbot.waitUntil(lambda: len(viewer.widget.messages.views) == 2)
    assert titles == ["Which package manager?"] and "read only" in viewer.widget.facts.text()
    asked: list[str] = []
    viewer.widget.resume_requested.connect(asked.append)
    viewer.widget.resume.click()
    assert asked == [handle.id]
    assert world.services.sessions.path_of(handle.id).read_bytes() == before
    handle.close()
    viewer.widget.dispose()


def test_what_can_be_done_with_it_stands_on_its_head(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "Which package manager?"), ("assistant", "It is bun.")])
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    qtbot.waitUntil(lambda: len(viewer.widget.messages.views) == 2)
    asked: list[object] = []
    menu = viewer.widget.menu
    for name in ("read_requested", "fork_requested", "reference_copied", "reveal_requested"):
        getattr(menu, name).connect(lambda session, name=name: asked.append((name, session)))
    menu.export_requested.connect(lambda session, kind: asked.append((kind, session)))
    made = menu.menu()
    actions = made.actions()
    for export in made.findChildren(QMenu):
        actions += export.actions()
    for action in actions:
        if action.text() and action.menu() is None:
            action.trigger()
    assert asked == [
        ("read_requested", handle.id), ("fork_requested", handle.id), ("reference_copied", handle.id), ("reveal_requested", handle.id),
        ("md", handle.id), ("json", handle.id),
    ]  # fmt: skip
    menu.own = False  # another tool's
    assert "Fork" not in [action.text() for action in menu.menu().actions()]
    assert menu.button.accessibleName() and menu.button.isVisible()
    viewer.widget.dispose()


def test_the_keys_for_the_next_place_begin_looking_and_step_on(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "one bun"), ("assistant", "two bun"), ("user", "three bun")])
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    qtbot.waitUntil(lambda: len(viewer.widget.messages.views) == 3 and viewer.widget.reader.is_indexed)
    bar = viewer.widget.find_bar
    bar.step(1)
    assert not bar.isHidden()
    bar.box.setText("bun")
    qtbot.waitUntil(lambda: bar.count.text().endswith("of 3"))
    first = bar.count.text()
    bar.step(1)
    assert bar.count.text() != first
    viewer.widget.dispose()


def test_it_goes_to_a_message_far_from_the_end(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    said = [("user" if n % 2 == 0 else "assistant", f"message number {n}\n\n" + "word " * 60) for n in range(120)]
    handle = say_all(world, said)
    messages = handle.messages
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    viewer.widget.reveal(messages[10].id, "number 10")
    target = viewer.until_pointed()
    assert isinstance(target, UserView) and "message number 10\n" in target.text
    assert viewer.selected() == ["number 10"]
    mounted = len(viewer.widget.messages.views)
    assert mounted < 80, "only pages around it are made into widgets"
    viewer.widget.reveal(messages[119].id)
    viewer.until_pointed("number 119")
    viewer.widget.reveal_number(3)
    viewer.until_pointed("number 2\n")
    bar = viewer.widget.messages.verticalScrollBar()
    while not viewer.widget.messages.at_bottom:
        bar.setValue(bar.maximum())
        qtbot.wait(1)
    assert "number 119" in viewer.widget.messages.views[-1].text  # type: ignore[attr-defined]
    viewer.widget.dispose()


def test_a_result_is_shown_with_its_call(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "List the files")])
    result = add_call(handle, "Makefile\npangolin.txt")
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    viewer.widget.reveal(result.id, "pangolin")
    card = viewer.until_pointed()
    assert isinstance(card, ToolCard) and card.row.is_open
    viewer.widget.dispose()


def test_a_message_on_a_branch_that_was_left(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "first question"), ("assistant", "the left answer")])
    left = handle.messages[1]
    add(handle, "assistant", "the kept answer", parent=handle.messages[0].id)
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    viewer.widget.reveal(left.id, "left")
    target = viewer.until_pointed()
    assert isinstance(target, AnswerView) and target.text == "the left answer"
    assert "earlier version" in viewer.widget.branch_banner.text()
    viewer.widget.branch_banner.buttons[0].click()
    qtbot.waitUntil(lambda: viewer.texts() == ["first question", "the kept answer"])
    assert not viewer.widget.branch_banner.isVisible()
    viewer.widget.dispose()


def test_what_was_said_since_is_read_first(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "first")])
    viewer = Viewer(world, qtbot, handle.id)
    qtbot.waitUntil(lambda: len(viewer.widget.messages.views) == 1)
    later = add(handle, "assistant", "later")
    handle.close()
    viewer.widget.reveal(later.id)
    assert isinstance(viewer.until_pointed(), AnswerView)
    viewer.widget.dispose()


def test_a_session_that_is_gone_is_said(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    viewer = Viewer(world, qtbot, "sess_01ARZ3NDEKTSV4RRFFQ69G5FAV")
    qtbot.waitUntil(viewer.widget.page.isVisible)
    assert viewer.widget.page.title.text() == "This session cannot be read"
    viewer.widget.dispose()


def test_an_entry_for_every_message(world: World) -> None:
    handle = say_all(world, [("user", "a"), ("assistant", "b")])
    result = add_call(handle, "c")
    handle.close()
    messages = tuple(handle.messages)
    entries = entries_of(messages)
    found = [entry_index(entries, messages, message.id) for message in messages]
    assert found == [0, 1, 2, 2] and messages[-1].id == result.id
    assert entry_index(entries, messages, "msg_none") is None


def test_the_open_conversation_scrolls_there(tmp_path: Path, operations: Operations, qtbot: QtBot, dark: theme.Theme) -> None:
    chat = ChatWorld(qtbot, tmp_path, operations, *[{"text": f"answer {n} " + "word " * 80} for n in range(6)])
    chat.open()
    for number in range(6):
        chat.turn(f"question {number}")
    first = next(message for message in chat.controller.messages if message.text == "question 0")
    assert chat.pane.reveal(first.id, "question")
    qtbot.waitUntil(lambda: len(chat.pane.findChildren(Frame)) == 1)
    target = chat.pane.findChildren(Frame)[0].target
    assert isinstance(target, UserView) and target.text == "question 0"
    view = chat.pane.messages.viewport()
    qtbot.waitUntil(lambda: 0 <= target.mapTo(view, target.rect().topLeft()).y() < view.height())
    assert not chat.pane.reveal("msg_none")
    chat.close()
