"""An incognito chat in the window: marked, explained, kept nowhere, and not left by accident."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.base.clock import SystemClock
from desktop.base.ids import new_message_id
from desktop.bridge.operations import Operations
from desktop.messages.parts import Message, TextPart
from desktop.ui import theme
from tests.e2e.test_incognito import forms_of
from tests.ui.app_world import World as AppWorld
from tests.ui.app_world import opened, starting
from tests.ui.chat_world import ChatWorld


@pytest.fixture
def world(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[ChatWorld]:
    made = ChatWorld(qtbot, tmp_path, operations, {"text": "Antwort flaschenpost"}, {"text": "zwei"})
    yield made
    made.close()


def incognito(world: ChatWorld, *, reads_memory: bool = True) -> None:
    before = world.controller.session_id
    world.controller.new_incognito(reads_memory=reads_memory)
    world.until(lambda: world.controller.session_id not in ("", before) and world.controller.incognito, "an incognito chat")


def leave_box(world: ChatWorld) -> QMessageBox:
    boxes = world.pane.window().findChildren(QMessageBox, "leaveIncognito")
    assert len(boxes) == 1
    return boxes[0]


def test_it_is_marked_and_says_what_that_means(world: ChatWorld) -> None:
    world.open()
    assert not world.pane.head.mark.isVisible() and not world.pane.banner.isVisible()
    incognito(world)
    assert world.pane.head.mark.isVisible()
    assert "gone when you leave it" in world.pane.banner.label.text()
    assert "memory is read" in world.pane.banner.label.text()
    incognito(world, reads_memory=False)
    assert "without memory" in world.pane.banner.label.text()


def test_the_banner_stays_through_a_turn(world: ChatWorld) -> None:
    world.open()
    incognito(world)
    world.turn("hallo")
    world.until(lambda: world.pane.banner.isVisible(), "the banner")
    assert "Incognito" in world.pane.banner.label.text()


def test_nothing_of_it_is_on_disk_or_in_the_list(world: ChatWorld) -> None:
    world.open()
    incognito(world)
    shown: list[str] = []
    world.controller.session_shown.connect(shown.append)
    world.pane.composer.set_text("halb getippt zirkonkatze")
    world.pane.flush_draft()
    world.turn("frage zirkonkatze")
    world.pane.composer.set_text("noch ein entwurf zirkonkatze")
    world.pane.flush_draft()
    world.operations.write(lambda: None)
    world.until(lambda: not world.controller.running, "the end of the turn")
    assert set(shown) <= {""}
    assert world.desk.services.sessions.list() == []
    assert not world.desk.dumps.exists() or not list(world.desk.dumps.iterdir())
    for path in world.desk.folder.rglob("*"):
        if path.is_file() and path.name != "script.json":
            data = path.read_bytes()
            assert not any(form in data for word in ("zirkonkatze", "flaschenpost") for form in forms_of(word)), path


def test_the_draft_of_the_chat_before_is_kept(world: ChatWorld) -> None:
    world.open()
    world.pane.composer.set_text("ein gewöhnlicher entwurf")
    incognito(world)
    assert world.pane.composer.text == ""
    world.controller.new_session()
    world.until(lambda: not world.controller.incognito, "an ordinary chat")
    world.until(lambda: world.pane.composer.text == "ein gewöhnlicher entwurf", "the draft")


def test_it_is_not_left_by_accident(world: ChatWorld) -> None:
    world.open()
    incognito(world)
    world.turn("hallo")
    here = world.controller.session_id
    world.controller.new_session()
    box = leave_box(world)
    next(button for button in box.buttons() if box.buttonRole(button) == QMessageBox.ButtonRole.RejectRole).click()
    assert world.controller.session_id == here
    world.controller.new_session()
    box = world.pane.window().findChildren(QMessageBox, "leaveIncognito")[-1]
    next(button for button in box.buttons() if box.buttonRole(button) == QMessageBox.ButtonRole.AcceptRole).click()
    world.until(lambda: world.controller.session_id not in ("", here), "another chat")
    assert not world.pane.head.mark.isVisible()


def test_an_empty_one_is_left_at_once(world: ChatWorld) -> None:
    world.open()
    incognito(world)
    here = world.controller.session_id
    world.controller.new_session()
    world.until(lambda: world.controller.session_id not in ("", here), "another chat")


def examples(world: ChatWorld) -> list[str]:
    return [button.text() for button in world.pane.empty.findChildren(QPushButton, "examplePrompt") if button.isVisible()]


def test_it_offers_to_remember_only_where_it_can(world: ChatWorld) -> None:
    """An empty conversation says what it can do: one that writes nothing does not ask for what to remember."""
    world.open()
    said, edit = world.pane.empty.said, world.pane.composer.edit
    assert any("Remember" in text for text in examples(world)) and "remembers what you tell it" in said.text()
    incognito(world)
    assert not any(text.startswith("Remember") for text in examples(world)) and "remembers" not in said.text()
    assert any("remember about this project" in text for text in examples(world)), "it reads"
    assert "remember" not in edit.placeholderText() and edit.placeholderText()
    incognito(world, reads_memory=False)
    assert not any("remember" in text.lower() for text in examples(world))
    world.controller.new_session()
    world.until(lambda: not world.controller.incognito, "an ordinary chat")
    assert any("Remember" in text for text in examples(world)) and "remembers what you tell it" in said.text()
    assert not world.controller.incognito
    assert world.pane.window().findChildren(QMessageBox, "leaveIncognito") == []


# --- the whole window ---------------------------------------------------------------------------------------------------


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Application]:
    """A window on an incognito chat that holds a turn."""
    place = AppWorld(tmp_path)
    with starting(qapp, qtbot, place) as start:
        application = opened(start(place.folder), qtbot)
        controller = application.parts.chat.controller  # type: ignore[union-attr]
        controller.new_incognito()
        qtbot.waitUntil(lambda: controller.incognito, timeout=10_000)
        with qtbot.waitSignal(controller.turn_ended, timeout=20_000):
            controller.send("hallo")
        yield application


def asked(application: Application) -> list[QMessageBox]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return application.workbench.findChildren(QMessageBox, "leaveIncognito")


def press(box: QMessageBox, role: QMessageBox.ButtonRole) -> None:
    next(button for button in box.buttons() if box.buttonRole(button) == role).click()


def test_closing_the_window_asks_too(window: Application) -> None:
    window.workbench.close()
    assert window.workbench.isVisible() and not window.left  # type: ignore[attr-defined]
    press(asked(window)[0], QMessageBox.ButtonRole.RejectRole)
    assert window.workbench.isVisible() and asked(window) == []
    window.workbench.close()
    assert len(asked(window)) == 1, "it is asked anew: to stay was no answer for later"
    press(asked(window)[0], QMessageBox.ButtonRole.AcceptRole)
    assert window.left == [0]  # type: ignore[attr-defined]


def test_closing_it_once_more_is_an_answer(window: Application) -> None:
    window.workbench.close()
    assert len(asked(window)) == 1
    window.workbench.close()
    assert window.left == [0]  # type: ignore[attr-defined]


def test_a_signal_asks_nothing(window: Application) -> None:
    window.on_signal(15)
    assert window.left == [0] and asked(window) == []  # type: ignore[attr-defined]


def test_another_folder_and_no_folder_ask_too(window: Application, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "other"
    other.mkdir()
    here = window.parts.chat.controller.session_id  # type: ignore[union-attr]
    ways: list[Callable[[], None]] = [
        lambda: window.open_folder(str(other)), window.close_folder, lambda: window.open_session_folder(str(other), "")
    ]  # fmt: skip
    for leave in ways:
        leave()
        boxes = asked(window)
        assert len(boxes) == 1, "one question, about what was asked for last"
    press(boxes[0], QMessageBox.ButtonRole.RejectRole)
    assert window.parts.chat.controller.session_id == here  # type: ignore[union-attr]
    window.open_folder(str(other))
    press(asked(window)[0], QMessageBox.ButtonRole.AcceptRole)
    qtbot.waitUntil(lambda: window.workspace is not None and window.workspace.folder == other, timeout=10_000)


def test_a_session_of_another_folder_is_asked_for_once(window: Application, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "other"
    other.mkdir()
    handle = window.services.sessions.create(  # type: ignore[union-attr]
        project_key="other-0123456789abcdef", workspace=other, memory_enabled=False, model="scripted"
    )
    handle.append(Message(new_message_id(SystemClock().now()), "user", (TextPart("hi"),), SystemClock().now(), origin="person"))
    handle.close()
    window.parts.chat.controller.resume(handle.id)  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: len(asked(window)) == 1, timeout=10_000)
    press(asked(window)[0], QMessageBox.ButtonRole.AcceptRole)
    qtbot.waitUntil(lambda: window.workspace is not None and window.workspace.folder == other, timeout=10_000)
    assert asked(window) == []
