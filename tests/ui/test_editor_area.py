"""Editor tabs: opening once, recently used order, modified dots, middle click, and the question before unsaved text goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMessageBox, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.editor.area import EditorArea
from desktop.ui.editor.tab_bar import CloseButton


class Editor(QWidget):
    modified_changed = Signal(bool)
    title_changed = Signal(str)

    def __init__(self, saves: bool = True) -> None:
        super().__init__()
        self.modified = False
        self.saves = saves
        self.saved = 0
        self.disposed = 0

    def is_modified(self) -> bool:
        return self.modified

    def set_modified(self, modified: bool) -> None:
        self.modified = modified
        self.modified_changed.emit(modified)

    def save(self, done: Callable[[bool], None]) -> None:
        self.saved += 1
        if self.saves:
            self.set_modified(False)
        done(self.saves)

    def dispose(self) -> None:
        self.disposed += 1


@pytest.fixture
def area(qtbot: QtBot, dark: theme.Theme) -> Iterator[EditorArea]:
    made = EditorArea()
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show()
    yield made


def dialog(area: EditorArea) -> QMessageBox:
    found = area.window().findChild(QMessageBox, "unsavedDialog")
    assert isinstance(found, QMessageBox)
    return found


def answer(area: EditorArea, role: QMessageBox.ButtonRole, qtbot: QtBot) -> None:
    box = dialog(area)
    button = next(one for one in box.buttons() if box.buttonRole(one) == role)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def open_three(area: EditorArea) -> list[Editor]:
    return [area.open(key, key.upper(), Editor) for key in ("a", "b", "c")]  # type: ignore[misc]


def test_a_key_is_opened_once(area: EditorArea) -> None:
    first = area.open("a", "A", Editor)
    area.open("b", "B", Editor)
    assert area.open("a", "A", Editor) is first
    assert area.open_keys() == ["a", "b"]
    assert area.current_key() == "a"
    assert area.stack.currentWidget() is first


def test_the_first_tab_is_shown(area: EditorArea) -> None:
    widget = area.open("a", "A & B", Editor)
    assert area.stack.currentWidget() is widget
    assert area.tabs.isVisible()
    assert area.tabs.tabText(0) == "A && B"


def test_without_tabs_the_watermark_is_there(area: EditorArea) -> None:
    area.watermark.set_rows([("Show All Commands", "Ctrl+Shift+P")])
    assert area.stack.currentWidget() is area.watermark
    assert not area.tabs.isVisible()
    area.open("a", "A", Editor)
    area.close("a")
    assert area.stack.currentWidget() is area.watermark
    assert area.current_key() == ""


def test_closing_goes_to_the_recently_used_tab(area: EditorArea) -> None:
    editors = open_three(area)
    area.open("a", "A", Editor)
    area.close("a")
    assert area.current_key() == "c"
    assert editors[0].disposed == 1
    assert area.open_tabs()[0].key == "b"


def test_ctrl_tab_walks_along_recent_tabs(area: EditorArea, qtbot: QtBot) -> None:
    open_three(area)
    area.open("a", "A", Editor)
    area.show_recent()
    assert area.current_key() == "c"
    area.show_recent()
    assert area.current_key() == "b"
    QTest.keyRelease(area, Qt.Key.Key_Control)
    area.show_recent()
    assert area.current_key() == "a"
    QTest.keyRelease(area, Qt.Key.Key_Control)
    area.show_next()
    assert area.current_key() == "b"
    area.show_next(-1)
    area.show_next(-1)
    assert area.current_key() == "c"


def test_middle_click_and_button_close(area: EditorArea, qtbot: QtBot) -> None:
    open_three(area)
    middle = area.tabs.tabRect(1).center()
    QTest.mouseClick(area.tabs, Qt.MouseButton.MiddleButton, pos=middle)
    assert area.open_keys() == ["a", "c"]
    button = area.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert isinstance(button, CloseButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert area.open_keys() == ["c"]


def test_modified_tabs_say_so(area: EditorArea) -> None:
    editor = open_three(area)[0]
    editor.set_modified(True)
    button = area.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert isinstance(button, CloseButton)
    assert "not saved" in button.accessibleName()
    assert area.modified_keys() == ["a"]
    editor.title_changed.emit("New name")
    assert area.tabs.tabText(0) == "New name"
    assert "New name" in button.accessibleName()


def test_closing_modified_text_asks_and_cancel_keeps_it(area: EditorArea, qtbot: QtBot) -> None:
    editor = open_three(area)[0]
    editor.set_modified(True)
    area.request_close("a")
    assert "a" in area.open_keys()
    assert "A" in dialog(area).text()
    answer(area, QMessageBox.ButtonRole.RejectRole, qtbot)
    assert "a" in area.open_keys()
    assert editor.saved == 0


def test_save_then_close(area: EditorArea, qtbot: QtBot) -> None:
    editor = open_three(area)[0]
    editor.set_modified(True)
    area.request_close("a")
    answer(area, QMessageBox.ButtonRole.AcceptRole, qtbot)
    assert editor.saved == 1
    assert "a" not in area.open_keys()


def test_a_save_that_fails_keeps_the_tab(area: EditorArea, qtbot: QtBot) -> None:
    area.open("a", "A", lambda: Editor(saves=False))
    editor = area.widget("a")
    assert isinstance(editor, Editor)
    editor.set_modified(True)
    area.request_close("a")
    answer(area, QMessageBox.ButtonRole.AcceptRole, qtbot)
    assert area.open_keys() == ["a"]


def test_discard(area: EditorArea, qtbot: QtBot) -> None:
    editor = open_three(area)[0]
    editor.set_modified(True)
    area.request_close("a")
    answer(area, QMessageBox.ButtonRole.DestructiveRole, qtbot)
    assert "a" not in area.open_keys()
    assert editor.saved == 0


def test_close_all_asks_for_each_and_stops_at_cancel(area: EditorArea, qtbot: QtBot) -> None:
    editors = open_three(area)
    editors[0].set_modified(True)
    editors[2].set_modified(True)
    with qtbot.waitSignal(area.close_all_finished) as ended:
        area.close_all()
        answer(area, QMessageBox.ButtonRole.DestructiveRole, qtbot)
        qtbot.waitUntil(lambda: area.open_keys() == ["c"])
        answer(area, QMessageBox.ButtonRole.RejectRole, qtbot)
    assert ended.args == [False]
    assert area.open_keys() == ["c"]


def test_confirming_before_the_window_closes_keeps_tabs(area: EditorArea, qtbot: QtBot) -> None:
    editors = open_three(area)
    answers: list[bool] = []
    area.confirm_all(answers.append)
    assert answers == [True]
    editors[1].set_modified(True)
    area.confirm_all(answers.append)
    answer(area, QMessageBox.ButtonRole.AcceptRole, qtbot)
    assert answers == [True, True]
    assert area.open_keys() == ["a", "b", "c"]


def test_renaming_keeps_place_and_widget(area: EditorArea) -> None:
    editors = open_three(area)
    area.rename("b", "x", "X")
    assert area.open_keys() == ["a", "x", "c"]
    assert area.widget("x") is editors[1]
    assert area.tabs.tabText(1) == "X"


def test_in_a_narrow_area_the_keys_stand_below_their_names(area: EditorArea, qtbot: QtBot) -> None:
    area.watermark.set_rows([("Search Memory and Sessions", "Ctrl+Shift+F"), ("Settings", "Ctrl+,")])
    name, key, other, _ = area.watermark.findChildren(QLabel)

    def whole(label: QLabel) -> bool:
        at = label.mapTo(area, QPoint(0, 0)).x()
        return label.isVisible() and label.width() >= label.sizeHint().width() and at >= 0 and at + label.width() <= area.width()

    area.setFixedWidth(250)
    qtbot.waitUntil(lambda: area.watermark.width() <= 250 and name.geometry().bottom() < key.geometry().top())
    assert all(map(whole, (name, key, other))) and key.geometry().bottom() < other.geometry().top()
    area.setFixedWidth(500)
    qtbot.waitUntil(lambda: name.geometry().right() < key.geometry().left())
    assert all(map(whole, (name, key, other)))
    area.setFixedWidth(90)
    qtbot.waitUntil(lambda: not name.isVisible() and not key.isVisible())


def _turn(area: EditorArea, degrees: int) -> None:
    """The wheel over the tabs, down for a negative number."""
    at = QPointF(20, 10)
    none = QPoint()
    event = QWheelEvent(
        at, area.tabs.mapToGlobal(at), none, QPoint(0, degrees), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(area.tabs, event)


def _many(area: EditorArea) -> None:
    for number in range(12):
        area.open(f"k{number}", f"tab number {number}", Editor)


def test_the_wheel_moves_along_the_tabs_and_brings_none_to_the_front(area: EditorArea, qtbot: QtBot) -> None:
    _many(area)
    area.open("k0", "", Editor)
    left = area.tabs.tabRect(0).left()
    _turn(area, -120)
    qtbot.waitUntil(lambda: area.tabs.tabRect(0).left() < left)
    assert area.current_key() == "k0"
    moved = area.tabs.tabRect(0).left()
    _turn(area, 120)
    qtbot.waitUntil(lambda: area.tabs.tabRect(0).left() > moved)
    assert area.current_key() == "k0"


def test_the_arrows_stand_over_the_close_buttons(area: EditorArea, qtbot: QtBot) -> None:
    _many(area)
    arrow = area.tabs.findChild(QToolButton, "ScrollLeftButton")
    assert isinstance(arrow, QToolButton)
    qtbot.waitUntil(arrow.isVisible)
    above = area.tabs.children()
    assert all(above.index(arrow) > above.index(button) for button in area.tabs.findChildren(CloseButton))


def _menu_of(area: EditorArea, key: str) -> QMenu:
    area.tabs.customContextMenuRequested.emit(area.tabs.tabRect(area.open_keys().index(key)).center())
    found = area.findChildren(QMenu)
    assert found
    return found[-1]


def test_the_menu_of_a_tab_closes_it_the_others_or_those_to_the_right(area: EditorArea) -> None:
    open_three(area)
    menu = _menu_of(area, "b")
    names = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert names == ["Close", "Close Others", "Close to the Right", "Close All"]
    next(action for action in menu.actions() if action.text() == "Close to the Right").trigger()
    menu.close()
    assert area.open_keys() == ["a", "b"]
    last = _menu_of(area, "b")
    assert not next(action for action in last.actions() if action.text() == "Close to the Right").isEnabled()
    last.close()
