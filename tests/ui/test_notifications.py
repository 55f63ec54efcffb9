"""Toasts: kinds, actions, waiting for room, not twice, plain text, going by themselves, history."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import notifications as module
from desktop.ui import theme
from desktop.ui.notifications import Notifications


class Window(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.resize(900, 600)
        self.notifications = Notifications(self)


@pytest.fixture
def window(qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    made = Window()
    qtbot.addWidget(made)
    made.show()
    yield made
    made.notifications.dismiss_all()


def buttons(window: Window, row: int = 0) -> dict[str, QPushButton]:
    return {one.text(): one for one in window.notifications.toasts()[row].findChildren(QPushButton)}


def test_an_action_runs_and_the_toast_goes(window: Window, qtbot: QtBot) -> None:
    ran: list[str] = []
    window.notifications.notify("info", "“a.md” is deleted.", [("Undo", lambda: ran.append("undo"))])
    QTest.mouseClick(buttons(window)["Undo"], Qt.MouseButton.LeftButton)
    assert ran == ["undo"]
    assert window.notifications.count == 0


def test_text_is_plain(window: Window) -> None:
    window.notifications.notify("error", "<b>bold</b> & <img src=x>")
    label = next(one for one in window.notifications.toasts()[0].findChildren(QLabel) if "bold" in one.text())
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == "<b>bold</b> & <img src=x>"


def test_three_are_shown_and_the_others_wait(window: Window, qtbot: QtBot) -> None:
    for number in range(5):
        window.notifications.notify("error", f"message {number}")
    assert window.notifications.texts() == ["message 0", "message 1", "message 2"]
    assert window.notifications.count == 5
    close = window.notifications.toasts()[0].findChild(QToolButton, "toastClose")
    assert isinstance(close, QToolButton)
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert window.notifications.texts() == ["message 1", "message 2", "message 3"]


def test_the_same_is_not_said_twice(window: Window) -> None:
    for _ in range(10):
        window.notifications.notify("warning", "again")
    assert window.notifications.count == 1
    assert len(window.notifications.history) == 1


def test_information_goes_by_itself_and_errors_stay(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INFO_MS", 10)
    window.notifications.notify("error", "stays")
    window.notifications.notify("info", "goes")
    qtbot.waitUntil(lambda: window.notifications.texts() == ["stays"])


def test_details_unfold(window: Window, qtbot: QtBot) -> None:
    window.notifications.notify("error", "It failed.", detail="Traceback …" * 2_000)
    toast = window.notifications.toasts()[0]
    before = toast.height()
    QTest.mouseClick(buttons(window)["Details"], Qt.MouseButton.LeftButton)
    assert toast.height() > before
    assert max(len(one.text()) for one in toast.findChildren(QLabel)) <= module.DETAIL_LENGTH


def test_they_stand_above_each_other_inside_the_window(window: Window) -> None:
    window.notifications.notify("info", "one")
    window.notifications.notify("warning", "two " * 60)
    first, second = window.notifications.toasts()
    assert first.geometry().bottom() < second.geometry().top()
    assert window.rect().contains(first.geometry())
    assert window.rect().contains(second.geometry())


def test_history_brings_back_the_last(window: Window) -> None:
    window.notifications.notify("error", "old")
    window.notifications.dismiss_all()
    assert window.notifications.count == 0
    window.notifications.show_history()
    assert window.notifications.texts() == ["old"]


def test_they_are_named_for_screen_readers(window: Window) -> None:
    window.notifications.notify("error", "The file is gone.")
    toast = window.notifications.toasts()[0]
    assert toast.accessibleName() == "The file is gone."
    assert all(one.accessibleName() for one in toast.findChildren(QToolButton))


def test_they_do_not_cover_the_pane_in_which_one_types(window: Window) -> None:
    pane = QWidget(window)
    pane.setGeometry(600, 0, 300, 600)
    pane.show()
    window.notifications.keep_clear(pane)
    window.notifications.notify("info", "“a.md” is deleted.", [("Undo", lambda: None)])
    toast = window.notifications.toasts()[0]
    assert not toast.geometry().intersects(pane.geometry()) and window.rect().contains(toast.geometry())
    pane.setGeometry(500, 0, 400, 600)
    window.notifications.place()
    assert not toast.geometry().intersects(pane.geometry())
    pane.setGeometry(300, 0, 600, 600)
    window.notifications.place()
    assert not toast.geometry().intersects(pane.geometry()), "it is narrower then"
    pane.setGeometry(250, 0, 650, 600)
    window.notifications.place()
    assert window.rect().contains(toast.geometry()), "there is no room beside it: it is seen all the same"
    pane.hide()
    window.notifications.place()
    assert toast.geometry().right() > 850


def test_without_room_beside_the_pane_they_stay_above_what_is_typed(window: Window) -> None:
    window.resize(600, 400)
    pane = QWidget(window)
    pane.setGeometry(270, 36, 330, 340)
    field = QWidget(pane)
    field.setGeometry(10, 260, 310, 70)
    pane.show()
    window.notifications.keep_clear(pane, field)
    for number in range(3):
        window.notifications.notify("warning", f"message {number} " * 12, [("Undo", lambda: None)])
    toasts = window.notifications.toasts()
    typed = field.geometry().translated(pane.pos())
    shown = [one for one in toasts if one.isVisible()]
    assert toasts[-1] in shown and len(shown) < 3, "the newest is seen; the others as there is room"
    assert not any(one.geometry().intersects(typed) or one.geometry().top() < 36 for one in shown)
    assert not any(one.geometry().intersects(other.geometry()) for one in shown for other in shown if one is not other)
    while shown:
        toasts[-1].dismissed.emit()
        toasts = window.notifications.toasts()
        shown = [one for one in toasts if one.isVisible()]
        assert bool(shown) == bool(toasts), "what had no room comes when there is some"
    assert window.notifications.count == 0


def test_the_time_of_what_is_not_seen_does_not_run(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INFO_MS", 10)
    window.notifications.notify("info", "first")
    first = window.notifications.toasts()[0]
    first.seen(False)
    with qtbot.assertNotEmitted(first.dismissed, wait=60):
        assert window.notifications.texts() == ["first"]
    first.seen(True)
    qtbot.waitUntil(lambda: window.notifications.texts() == [])
