"""The window: regions, their widths and what comes back, views, shortcuts, menus, names, and when it is painted or closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.commands.keymap import Binding
from desktop.commands.registry import Command, CommandRegistry
from desktop.ui import theme
from desktop.ui.controllers.workbench_controller import WorkbenchController
from desktop.ui.tab_order import next_stop, tab_stops
from desktop.ui.title_bar import CommandCenter
from desktop.ui.window_state import SIDE_WIDTH, Layout
from desktop.ui.workbench import Workbench


class Settings:
    """A store in memory."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {"appearance.theme": "dark", "appearance.zoom": 1.0, "appearance.language": "en"}

    def value(self, key: str) -> object:
        return self.values[key]

    def set(self, key: str, value: object) -> None:
        self.values[key] = value


class Bench(Workbench):
    """A workbench with its controller, two views and a chat."""

    def __init__(self, operations: Operations) -> None:
        super().__init__(CommandRegistry())
        self.settings = Settings()
        self.controller = WorkbenchController(self, operations, self.settings)
        self.memory, self.sessions = QLineEdit(), QLineEdit()
        self.add_side_view("memory", "Memory", "database", self.memory)
        self.add_side_view("sessions", "Sessions", "history", self.sessions)
        self.set_chat(QPushButton("Send"))


@pytest.fixture
def bench(qtbot: QtBot, dark: theme.Theme, operations: Operations) -> Iterator[Bench]:
    made = Bench(operations)
    qtbot.addWidget(made)
    made.restore_layout(Layout((0, 0, 1200, 700)))
    made.show()
    yield made
    made.finish_close()


def test_main_widgets_have_their_names(bench: Bench) -> None:
    for name in ("mainWindow", "activityBar", "sideBar", "editorArea", "chatPane", "statusBar", "commandPalette", "titleBar"):
        found = bench if name == "mainWindow" else bench.findChild(QWidget, name)
        assert found is not None, name
        if name != "commandPalette":
            assert found.accessibleName(), name


def test_every_button_has_a_name(bench: Bench) -> None:
    bench.status.set_item("model", "embedded", "The model", "hubot", "models.open")
    bench.controller.refresh_keys()
    nameless = [
        one.objectName() or type(one).__name__
        for one in bench.findChildren(QAbstractButton)
        if not (one.accessibleName() or one.text()) and not one.objectName().startswith(("ScrollLeft", "ScrollRight", "qt_"))
    ]
    assert nameless == []


def test_regions_hide_and_come_back_as_wide_as_before(bench: Bench) -> None:
    bench.set_region("side", False)
    bench.set_region("side", True)
    bench._splitter.setSizes([333, 400, 467])
    before = bench._splitter.sizes()
    bench.run("view.toggleSideBar")
    assert not bench.side.isVisible()
    bench.run("view.toggleChat")
    assert not bench.chat_pane.isVisible()
    bench.run("view.toggleSideBar")
    bench.run("view.toggleChat")
    assert bench._splitter.sizes() == before


def test_the_layout_comes_back(bench: Bench, qtbot: QtBot, operations: Operations) -> None:
    bench._splitter.setSizes([300, 400, 500])
    bench.show_side_view("sessions")
    bench.set_region("status", False)
    stored = bench.layout_state()
    other = Bench(operations)
    qtbot.addWidget(other)
    other.restore_layout(stored)
    other.add_side_view("third", "Third", "gear", QLabel("x"))
    other.show()
    assert replace(other.layout_state(), geometry=None) == replace(stored, geometry=None)
    assert other.layout_state().geometry[2:] == (stored.geometry or ())[2:]  # type: ignore[index]
    assert other.side.current == "sessions"
    assert not other.status.isVisible()
    other.finish_close()


def test_a_hidden_region_is_restored_with_its_width(bench: Bench) -> None:
    wide = bench.layout_state().chat_width
    bench.set_region("chat", False)
    assert bench.layout_state().chat_width == wide
    assert bench.layout_state().chat_visible is False


def test_the_activity_bar_shows_and_hides_views(bench: Bench, qtbot: QtBot) -> None:
    sessions = bench.activity.button("sessions")
    assert sessions is not None
    QTest.mouseClick(sessions, Qt.MouseButton.LeftButton)
    assert bench.side.current == "sessions"
    assert sessions.isChecked()
    QTest.mouseClick(sessions, Qt.MouseButton.LeftButton)
    assert not bench.region_visible("side")
    assert not sessions.isChecked()
    QTest.mouseClick(sessions, Qt.MouseButton.LeftButton)
    assert bench.region_visible("side")


def test_badges_say_their_number(bench: Bench) -> None:
    button = bench.activity.button("memory")
    assert button is not None
    bench.activity.set_badge("memory", 3)
    assert button.accessibleDescription() == "3"
    assert not button.grab().isNull()


def test_keys_run_commands_and_follow_the_person_s_own(bench: Bench, qtbot: QtBot) -> None:
    QTest.keyClick(bench, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not bench.region_visible("side")
    bench.registry.set_own_bindings([Binding("ctrl+b", "view.toggleChat"), Binding("ctrl+j", "view.toggleSideBar")])
    qtbot.waitUntil(lambda: bench.shortcuts.keys() >= {"ctrl+j"})
    QTest.keyClick(bench, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not bench.region_visible("chat")
    QTest.keyClick(bench, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert bench.region_visible("side")


def test_an_inactive_key_reaches_the_widget(bench: Bench) -> None:
    assert not bench.shortcuts.is_active("ctrl+w")
    bench.editors.open("a", "A", QWidget)
    assert bench.shortcuts.is_active("ctrl+w")
    bench.run("editor.close")
    assert not bench.shortcuts.is_active("ctrl+w")


def test_menus_come_from_the_registry(bench: Bench) -> None:
    bar = bench.findChild(QMenuBar, "menuBar")
    assert isinstance(bar, QMenuBar)
    view = next(action.menu() for action in bar.actions() if action.text().replace("&", "") == "View")
    assert isinstance(view, QMenu)
    view.aboutToShow.emit()
    entries = {action.data(): action for action in view.actions() if action.data()}
    assert entries["view.toggleSideBar"].text() == "Toggle Side Bar\tCtrl+B"
    assert "memory.show" not in entries, "what does not exist is not listed"
    lines = [action.isSeparator() for action in view.actions()]
    assert not lines[0] and not lines[-1], "no line at an edge"
    entries["view.toggleSideBar"].trigger()
    assert not bench.region_visible("side")


def test_inactive_entries_are_grey(bench: Bench) -> None:
    bar = bench.findChild(QMenuBar, "menuBar")
    assert isinstance(bar, QMenuBar)
    menu = next(action.menu() for action in bar.actions() if action.text().replace("&", "") == "File")
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    close = next(action for action in menu.actions() if action.data() == "editor.close")
    assert isinstance(close, QAction)
    assert not close.isEnabled()


def test_zoom_and_theme_are_applied_and_stored(bench: Bench, qtbot: QtBot) -> None:
    height = bench.status.height()
    bench.run("view.zoomIn")
    bench.run("view.zoomIn")
    qtbot.waitUntil(lambda: theme.current().zoom == 1.2)
    assert bench.status.height() > height
    qtbot.waitUntil(lambda: bench.settings.values["appearance.zoom"] == 1.2)
    bench.run("view.zoomReset")
    qtbot.waitUntil(lambda: theme.current().zoom == 1.0)
    bench.run("theme.light")
    assert theme.current().name == "light"
    qtbot.waitUntil(lambda: bench.settings.values["appearance.theme"] == "light")


def test_f6_comes_back_to_what_had_the_keyboard_in_a_part(bench: Bench, qtbot: QtBot) -> None:
    """Not to the first button of the part: who leaves the text for the tree goes on in the text."""
    bench.activateWindow()
    _, made = _page_of_buttons(bench, "one", "two")
    made["two"].setFocus()
    qtbot.waitUntil(made["two"].hasFocus)
    for _ in range(3):
        bench.run("view.focusNextRegion")
    assert made["two"].hasFocus()
    made["two"].hide()
    bench.memory.setFocus()
    bench.run("view.focusNextRegion")
    assert bench.editors.isAncestorOf(bench.focusWidget())


def test_shift_f10_asks_for_the_menu_of_what_has_the_keyboard(bench: Bench, qtbot: QtBot) -> None:
    bench.activateWindow()
    asked: list[QPoint] = []
    bench.memory.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    bench.memory.customContextMenuRequested.connect(asked.append)
    bench.memory.setFocus()
    qtbot.waitUntil(bench.memory.hasFocus)
    QTest.keyClick(bench.memory, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    assert len(asked) == 1 and bench.memory.rect().contains(asked[0])


def test_a_double_click_on_a_sash_brings_the_widths_back(bench: Bench, qtbot: QtBot) -> None:
    splitter = bench.findChild(QSplitter, "mainSplitter")
    assert isinstance(splitter, QSplitter)
    bench.set_region("chat", False)
    before = splitter.sizes()
    splitter.setSizes([before[0] + 40, before[1] - 40, 0])
    splitter.splitterMoved.emit(0, 1)
    assert bench.layout_state().side_width == before[0] + 40
    told: list[bool] = []
    bench.layout_changed.connect(lambda: told.append(True))
    QTest.mouseDClick(splitter.handle(1), Qt.MouseButton.LeftButton)
    assert splitter.sizes()[0] == SIDE_WIDTH and told
    assert bench.layout_state().side_width == SIDE_WIDTH


def test_steps_of_zoom_that_come_faster_than_the_window_is_styled_are_shown_at_once(bench: Bench, qtbot: QtBot) -> None:
    """Each styling of a window with the settings page in it takes a good second: a key that is held down must not queue them up."""
    styled: list[float] = []
    theme.signals.theme_changed.connect(lambda now: styled.append(now.zoom))
    for _ in range(5):
        bench.run("view.zoomIn")
    bench.run("view.zoomOut")
    qtbot.waitUntil(lambda: bool(styled))
    assert styled == [1.4]
    qtbot.waitUntil(lambda: bench.settings.values["appearance.zoom"] == 1.4)


def _page_of_buttons(bench: Bench, *names: str) -> tuple[QWidget, dict[str, QPushButton]]:
    """A tab with a frame of buttons in it and one beside the frame."""
    page = QWidget()
    column = QVBoxLayout(page)
    frame = QFrame()
    row = QVBoxLayout(frame)
    made: dict[str, QPushButton] = {}
    for name in names:
        made[name] = QPushButton(name)
        row.addWidget(made[name])
    column.addWidget(frame)
    made["outside"] = QPushButton("outside")
    column.addWidget(made["outside"])
    bench.editors.open("page", "Page", lambda: page)
    return frame, made


@pytest.mark.parametrize("way", ["hide", "hide what is around it", "switch off"])
def test_when_what_has_the_keyboard_goes_the_keyboard_stays_beside_it(bench: Bench, qtbot: QtBot, way: str) -> None:
    """Return pressed twice must not press a button of another part: the new-chat button comes next in Qt's own order."""
    bench.activateWindow()
    frame, made = _page_of_buttons(bench, "apply", "cancel")
    made["apply"].setFocus()
    qtbot.waitUntil(made["apply"].hasFocus)
    if way == "hide":
        made["apply"].hide()
    elif way == "switch off":
        made["apply"].setEnabled(False)
    else:
        frame.hide()
    expected = made["outside"] if way == "hide what is around it" else made["cancel"]
    assert bench.focusWidget() is expected


def test_a_toast_that_goes_gives_the_keyboard_back(bench: Bench, qtbot: QtBot) -> None:
    bench.activateWindow()
    _, made = _page_of_buttons(bench, "one", "two")
    made["two"].setFocus()
    qtbot.waitUntil(made["two"].hasFocus)
    pressed: list[bool] = []
    bench.notify("info", "Rejected.", [("Undo", lambda: pressed.append(True))])
    undo = next(one for one in bench.findChildren(QPushButton) if one.text() == "Undo")
    qtbot.waitUntil(undo.isVisible)
    undo.setFocus()
    undo.click()
    assert pressed
    qtbot.waitUntil(made["two"].hasFocus)


def test_the_tab_key_still_goes_through_the_window(bench: Bench, qtbot: QtBot) -> None:
    bench.activateWindow()
    _, made = _page_of_buttons(bench, "one", "two")
    made["one"].setFocus()
    qtbot.waitUntil(made["one"].hasFocus)
    QTest.keyClick(made["one"], Qt.Key.Key_Tab)
    assert made["two"].hasFocus()


def test_a_right_click_on_a_status_item_offers_its_active_commands(bench: Bench, qtbot: QtBot) -> None:
    done: list[str] = []
    bench.registry.register(
        Command("memory.turnOff", "Turn Off", lambda: done.append("off"), when="isOn", category="Memory"),
        Command("memory.turnOn", "Turn On", lambda: done.append("on"), when="!isOn", category="Memory"),
    )
    bench.set_status_menu("memory", ("memory.turnOff", "memory.turnOn", "no.such"))
    bench.status.set_item("memory", "Memory: on", command="memory.show")
    bench.registry.set_fact("isOn", True)
    item = bench.status.item("memory")
    assert item is not None
    item.customContextMenuRequested.emit(QPoint(1, 1))
    menu = bench.findChild(QMenu, "statusMenu")
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ["Memory: Turn Off"]
    menu.actions()[0].trigger()
    assert done == ["off"]
    menu.close()


def test_old_rows_of_the_watermark_go_at_once(bench: Bench, qtbot: QtBot) -> None:
    """Deleted only when the event loop came round, a key cap stood alone in the first picture of a slow start."""

    def shown(key: str) -> bool:
        return any(one.isVisible() and one.text() == key for one in bench.editors.watermark.findChildren(QLabel))

    bench.editors.watermark.set_rows([("New Chat", "Ctrl+N")])
    qtbot.waitUntil(lambda: shown("Ctrl+N"))
    bench.editors.watermark.set_rows([("New Chat", "Ctrl+M")])
    assert not shown("Ctrl+N")
    qtbot.waitUntil(lambda: shown("Ctrl+M"))


def test_a_setting_changed_elsewhere_is_applied(bench: Bench) -> None:
    bench.settings.values["appearance.theme"] = "light"
    bench.controller.on_setting("appearance.theme")
    assert theme.current().name == "light"


def test_another_language_asks_for_a_new_window(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.controller.language_changed) as asked:
        bench.run("language.chinese")
    assert asked.args == ["zh_CN"]
    with qtbot.assertNotEmitted(bench.controller.language_changed):
        bench.run("language.english")


def test_f6_goes_from_part_to_part(bench: Bench) -> None:
    bench.editors.open("a", "A", QLineEdit)
    bench.memory.setFocus()
    bench.run("view.focusNextRegion")
    assert bench.editors.isAncestorOf(bench.focusWidget())
    bench.run("view.focusNextRegion")
    assert bench.chat_pane.isAncestorOf(bench.focusWidget())
    bench.run("view.focusPreviousRegion")
    assert bench.editors.isAncestorOf(bench.focusWidget())


def test_painted_once(qtbot: QtBot, dark: theme.Theme, operations: Operations) -> None:
    made = Bench(operations)
    qtbot.addWidget(made)
    seen: list[int] = []
    made.first_painted.connect(lambda: seen.append(1))
    made.show()
    qtbot.waitUntil(lambda: seen == [1])
    made.update()
    qtbot.wait(20)
    assert seen == [1]
    made.finish_close()


def test_closing_is_asked_for_first(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.close_requested):
        bench.close()
    assert bench.isVisible()
    bench.finish_close()
    assert not bench.isVisible()


def test_a_dropped_folder_is_told(bench: Bench, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/工作")])
    event = QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(bench.folder_dropped) as dropped:
        bench.dropEvent(event)
    assert dropped.args == ["/tmp/工作"]


def test_title(bench: Bench) -> None:
    bench.set_title("/home/x/项目")
    assert bench.windowTitle() == "项目 – Keepsake"
    bench.set_title("")
    assert bench.windowTitle() == "Keepsake"


def test_setting_another_chat_drops_the_old_one(bench: Bench) -> None:
    new = QLabel("new")
    bench.set_chat(new)
    assert bench.chat is new
    bench.set_chat(None)
    assert bench.chat is None


def region_of(bench: Bench, widget: QWidget) -> str:
    parts: dict[str, QWidget] = {
        "title": bench.title_bar, "activity": bench.activity, "side": bench.side, "editor": bench.editors,
        "chat": bench.chat_pane, "status": bench.status,
    }  # fmt: skip
    return next((name for name, part in parts.items() if part.isAncestorOf(widget)), "")


def focused_widget() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_tab_goes_through_the_regions_in_their_order(bench: Bench, qtbot: QtBot) -> None:
    """Also through what is made late, and in the wrong order: status item, chat, tab, view."""
    bench.activateWindow()
    bench.status.set_item("model", "a model", command="chat.model")
    bench.set_chat(QPushButton("Send"))
    bench.editors.open("late", "Late", QLineEdit)
    bench.add_side_view("third", "Third", "history", QLineEdit())
    bench.show_side_view("third")
    first = bench.activity.button("memory")
    assert first is not None
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    walked = [region_of(bench, first)]
    for _ in range(30):
        QTest.keyClick(focused_widget(), Qt.Key.Key_Tab)
        focused = focused_widget()
        if focused is first:
            break
        walked.append(region_of(bench, focused))
    order = [name for at, name in enumerate(walked) if at == 0 or walked[at - 1] != name]
    assert order == ["activity", "side", "editor", "chat", "status", "title"]
    QTest.keyClick(first, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert region_of(bench, focused_widget()) == "title"


def test_without_a_tab_stop_ahead_the_focus_goes_around(bench: Bench, qtbot: QtBot) -> None:
    bench.activateWindow()
    stops = tab_stops(bench, (bench.side, bench.chat_pane))
    assert all(stop.isVisible() and stop.isEnabled() for stop in stops)
    stops[-1].setFocus()
    qtbot.waitUntil(stops[-1].hasFocus)
    assert next_stop(bench, (bench.side, bench.chat_pane), stops[-1], forward=True) is stops[0]
    assert next_stop(bench, (bench.side, bench.chat_pane), stops[0], forward=False) is stops[-1]


def test_the_name_in_the_middle_stands_off_its_icon_and_is_cut(bench: Bench) -> None:
    center = bench.title_bar.findChild(CommandCenter)
    assert center is not None
    placed = center.placed()
    assert placed.words.left() - placed.icon.right() - 1 == 4 and placed.text == "Keepsake"
    bench.set_title("/srv/" + "long" * 50)
    placed = center.placed()
    assert placed.text.endswith("…") and center.rect().contains(placed.words)


def test_return_presses_the_button_that_has_the_focus(bench: Bench, qtbot: QtBot) -> None:
    button = bench.chat_pane.findChild(QPushButton)
    assert button is not None
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    bench.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    QTest.keyClick(button, Qt.Key.Key_Return)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert pressed == [True, True]
    bench.memory.setFocus()
    QTest.keyClick(bench.memory, Qt.Key.Key_Return)
    assert len(pressed) == 2
