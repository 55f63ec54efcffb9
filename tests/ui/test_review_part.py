"""The review inbox in the window: line, badge, status item, toast, tab, command, and the way to the message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.app.memory_part import MemoryPart
from desktop.app.review_part import ReviewPart
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.memory.change import ChangeOrigin
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.back_links import BackLinks
from desktop.ui.memory.link_completion import LinkCompletion
from desktop.ui.memory.review_view import ReviewView
from desktop.ui.workbench import Workbench
from tests.ui.memory_world import World, made_world
from tests.ui.test_memory_review import propose


class Window:
    """A workbench with the memory view and the inbox."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bench = Workbench(CommandRegistry())
        self.memory = MemoryPart(world.services, self.bench, world.operations)
        self.review = ReviewPart(world.services, self.bench, world.operations, self.memory)
        self.bench.registry.set_fact("folderOpen", True)
        self.bench.resize(1_000, 700)
        self.bench.show()
        self.memory.set_workspace(world.workspace)
        self.review.set_workspace(world.workspace)
        self.memory.show()
        self.wait(lambda: self.memory.controller.snapshot is not None and not self.memory.controller.is_reading)
        self.wait(lambda: not self.review.controller.is_reading)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=10_000)

    def wait_count(self, count: int) -> None:
        self.wait(lambda: len(self.review.controller.picture.rows) == count)

    def toasts(self) -> list[str]:
        return self.bench.notifications.texts()

    def view(self) -> ReviewView:
        view = self.bench.editors.current_widget()
        assert isinstance(view, ReviewView)
        return view

    def close(self) -> None:
        for key in self.bench.editors.open_keys():
            self.bench.editors.close(key)
        self.review.close()
        self.memory.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.bench.deleteLater()


@pytest.fixture
def window(tmp_path: Path, operations: Operations, qtbot: QtBot) -> Iterator[Window]:
    with made_world(tmp_path, operations) as world:
        made = Window(world, qtbot)
        yield made
        made.close()


def test_nothing_is_shown_while_nothing_waits(window: Window) -> None:
    assert window.review.strip.isHidden() and not window.toasts()
    assert "memory.review" in {command.id for command in window.bench.registry.for_palette()}


def test_what_comes_in_is_counted_and_told_once(window: Window) -> None:
    for number in range(3):
        propose(window.world, f"n{number}.md")
    window.wait_count(3)
    assert window.review.strip.isVisible() and "(3)" in window.review.strip.button.text()
    window.wait(lambda: any("wait for your review" in text for text in window.toasts()))
    assert sum("wait for your review" in text for text in window.toasts()) == 1
    QTest.mouseClick(window.review.strip.button, Qt.MouseButton.LeftButton)
    assert window.bench.editors.current_key() == "review"
    propose(window.world, "later.md")
    window.wait_count(4)
    assert window.view().model.rowCount() == 4
    assert not any("wait" in text for text in window.toasts()), "the inbox is in front: nobody has to be told of it"


def test_what_waited_before_the_start_is_counted_and_not_told(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    with made_world(tmp_path, operations) as world:
        propose(world, "old.md")
        window = Window(world, qtbot)
        window.wait_count(1)
        assert window.review.strip.isVisible() and not window.toasts()
        window.close()


def test_the_command_decides_with_undo_and_the_memory_view_follows(window: Window) -> None:
    made = propose(window.world, "new.md")
    window.wait_count(1)
    window.review.show(made.id)
    view = window.view()
    window.wait(lambda: view._comparison is not None and not view._comparing)
    view.accept()
    window.wait_count(0)

    def is_there() -> bool:
        picture = window.memory.controller.picture("project")
        return picture is not None and any(row.path == "new.md" for row in picture.notes)

    window.wait(is_there)
    assert any("is remembered" in text for text in window.toasts()) and window.review.strip.isHidden()


def test_the_tab_comes_back_and_leads_to_the_message(window: Window) -> None:
    asked: list[tuple[str, str]] = []
    window.review.message_requested.connect(lambda session, message: asked.append((session, message)))
    propose(window.world, "new.md")
    window.wait_count(1)
    assert not window.review.restore("settings")
    assert window.review.restore("review")
    window.view().bar.message.click()
    assert asked == [("sess_one", "msg_two")]


def test_only_what_came_from_the_open_chat(window: Window) -> None:
    window.world.remember("here.md", origin=ChangeOrigin("main", "sess_here", "msg_1"))
    window.world.remember("there.md", origin=ChangeOrigin("main", "sess_there", "msg_2"))
    memory = window.memory
    window.wait(lambda: memory.panel.model.rowCount() > 0 and memory.panel.select("project", "there.md"))
    memory.set_chat("sess_here")
    memory.toggle_here()
    window.wait(lambda: memory.panel.here.isVisible())
    window.wait(lambda: not memory.panel.select("project", "there.md") and memory.panel.select("project", "here.md"))
    assert memory.panel.header.here.isChecked()
    memory.set_chat("sess_there")
    window.wait(lambda: memory.panel.select("project", "there.md") and not memory.panel.select("project", "here.md"))
    memory.panel.here.buttons[0].click()
    assert not memory.panel.header.here.isChecked() and memory.panel.select("project", "here.md")


def test_what_links_here_and_completing_a_link(window: Window) -> None:
    window.world.remember("bun.md", "We use bun")
    window.world.remember("ci.md", "CI", body="See [[bun]] and [bun](bun.md).")
    window.memory.open_memory("bun.md")
    editor = window.bench.editors.current_widget()
    assert isinstance(editor, MemoryEditor)
    back = editor.findChild(BackLinks)
    assert isinstance(back, BackLinks)
    window.wait(lambda: back.paths == ("ci.md",))
    assert back.isVisible() and back.links[0].text() == "ci"
    back.links[0].click()
    assert window.bench.editors.current_key() == "memory:ci.md"
    other = window.bench.editors.current_widget()
    assert isinstance(other, MemoryEditor)
    window.wait(lambda: other.document.base is not None)
    completion = other.findChild(LinkCompletion)
    assert isinstance(completion, LinkCompletion)
    source = other.source
    source.setFocus()
    source.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(source, "[[b")
    window.wait(lambda: completion.is_open)
    QTest.keyClick(completion.popup, Qt.Key.Key_Return)
    assert source.text().endswith("[[bun]]") and not completion.is_open
    QTest.keyClicks(source, " [[zzz")
    assert not completion.is_open
    QTest.keyClicks(source, "]]  x")
    QTest.keyClick(source, Qt.Key.Key_Return)
    assert source.text().endswith("[[zzz]]  x\n"), "without a list the keys type as ever"
    other.source.undo()


def last_toast(window: Window) -> str:
    return window.toasts()[-1] if window.toasts() else ""


def test_the_key_takes_a_decision_back_and_the_toast_makes_it_again(window: Window) -> None:
    for number, verdict in enumerate(("accept", "reject")):
        propose(window.world, f"决定-{number}.md")
        window.wait_count(1)
        row = window.review.controller.picture.rows[0]
        (window.review.controller.accept if verdict == "accept" else window.review.controller.reject)([row])
        window.wait_count(0)
        window.bench.registry.run("memory.undo")
        window.wait_count(1)
        assert not (window.world.root / row.path).exists()
        window.wait(lambda: "waits for your review again" in last_toast(window))
        window.wait(lambda: not window.world.operations.pending)
        buttons = window.bench.notifications.toasts()[-1].findChildren(QPushButton)
        QTest.mouseClick(next(one for one in buttons if one.text() in ("Undo", "Redo")), Qt.MouseButton.LeftButton)
        window.wait_count(0)
        assert (window.world.root / row.path).exists() is (verdict == "accept")
