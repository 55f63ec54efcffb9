"""The whole window in this process: start, folders, what comes back, trouble with the data folder, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QListView,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.app.hooks import ErrorHooks
from desktop.ui import i18n, theme
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.sessions.model import ROW
from desktop.ui.tab_order import tab_stops
from tests.ui.app_world import NOTE, Start, World, opened


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_without_a_folder_there_is_the_welcome_page(start: Start) -> None:
    application = start()
    assert application.workbench.editors.open_keys() == ["welcome"]
    assert application.workbench.windowTitle() == "Keepsake"
    assert application.workspace is None


def test_a_folder_by_argument(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    bench = application.workbench
    assert bench.windowTitle() == "项目 one – Keepsake"
    qtbot.waitUntil(lambda: "on" in bench.status.text("memory"))
    assert bench.status.text("mode") == "Ask first"
    assert bench.side.current == "memory"
    assert bench.editors.open_keys() == []
    for name in ("memoryPanel", "memoryTree", "chatView", "composer", "sendButton", "stopButton", "sessionPicker"):
        assert bench.findChild(QWidget, name) is not None, name


def _inside_a_control(widget: QWidget) -> bool:
    """Parts of combo boxes, spin boxes and line edits are Qt's own."""
    above: QWidget | None = widget.parentWidget()
    while above is not None:
        if isinstance(above, (QAbstractSpinBox, QComboBox, QLineEdit)):
            return True
        above = above.parentWidget()
    return False


def test_every_control_has_a_name(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.open_memory("bun.md")
    for command in ("settings.open", "welcome.show", "palette.show"):
        application.workbench.run(command)
    nameless = [
        f"{type(one).__name__} {one.objectName()}"
        for kind in (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox, QTreeView, QListView)
        for one in application.workbench.findChildren(kind)
        if not one.accessibleName() and not getattr(one, "text", str)() and not one.objectName().startswith(("Scroll", "qt_"))
        and not _inside_a_control(one)
    ]  # fmt: skip
    assert not nameless, "; ".join(nameless)


def test_tabs_layout_and_folder_come_back(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    first.parts.memory.open_memory("bun.md")
    first.workbench.run("settings.open")
    first.workbench.run("sessions.show")
    first.workbench.set_region("status", False)
    first.end()
    second = opened(start(), qtbot)
    assert second.workbench.editors.open_keys() == ["memory:bun.md", "settings"]
    assert second.workbench.editors.current_key() == "settings"
    assert second.workbench.side.current == "sessions"
    assert not second.workbench.region_visible("status")


def test_the_chat_comes_back(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    with qtbot.waitSignal(first.parts.chat.controller.turn_ended, timeout=10_000):
        first.parts.chat.controller.send("Hi")
    session = first.parts.chat.controller.session_id
    first.end()
    second = opened(start(), qtbot)
    assert second.parts is not None
    assert second.parts.chat.controller.session_id == session


def test_a_last_folder_that_is_gone_gives_the_welcome_page(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    first.end()
    world.folder.rename(world.folder.with_name("moved"))
    second = start()
    qtbot.waitUntil(lambda: second.workbench.editors.open_keys() == ["welcome"], timeout=10_000)
    assert any("项目 one" in text for text in second.workbench.notifications.texts())


def test_two_windows_on_one_profile_and_folder(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    with qtbot.waitSignal(first.parts.chat.controller.turn_ended, timeout=10_000):
        first.parts.chat.controller.send("Hi")
    state = world.profile / "data" / "state" / "window.json"
    shown = first.parts.chat.controller.session_id
    qtbot.waitUntil(lambda: state.exists() and shown in state.read_text(encoding="utf-8"), timeout=10_000)
    second = opened(start(world.folder), qtbot)
    assert second.parts is not None
    assert second.parts.chat.controller.session_id != first.parts.chat.controller.session_id
    notes = second.workbench.notifications
    qtbot.waitUntil(lambda: any("last chat" in text for text in notes.texts()), timeout=10_000)


def test_another_program_s_change_reaches_tree_and_tab(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.open_memory("bun.md")
    editor = application.workbench.editors.widget("memory:bun.md")
    assert isinstance(editor, MemoryEditor)
    qtbot.waitUntil(lambda: "We use bun." in editor.draft())
    (world.project.memory_root / "bun.md").write_text(NOTE.replace("We use bun.", "We use pnpm."), encoding="utf-8")
    (world.project.memory_root / "新的.md").write_text(NOTE, encoding="utf-8")
    qtbot.waitUntil(lambda: "pnpm" in editor.draft(), timeout=10_000)
    controller = application.parts.memory.controller
    qtbot.waitUntil(lambda: controller.snapshot is not None and len(controller.snapshot.notes) == 2, timeout=10_000)


def test_a_new_memory_is_saved_and_its_tab_gets_the_file_s_name(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.new_memory()
    editors = application.workbench.editors
    editor = editors.widget(editors.current_key())
    assert isinstance(editor, MemoryEditor)
    editor.source.change_to(NOTE.replace("name: bun", "name: deploy-day"))
    application.workbench.run("editor.save")
    qtbot.waitUntil(lambda: editors.open_keys() == ["memory:deploy-day.md"], timeout=10_000)
    assert (world.project.memory_root / "deploy-day.md").exists()


def test_closing_asks_for_unsaved_text(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.new_memory()
    editor = application.workbench.editors.current_widget()
    assert isinstance(editor, MemoryEditor)
    editor.source.insertPlainText("typed")
    application.workbench.close()
    box = application.workbench.findChild(QMessageBox, "unsavedDialog")
    assert isinstance(box, QMessageBox)
    QTest.mouseClick(next(one for one in box.buttons() if one.text() == "Cancel"), Qt.MouseButton.LeftButton)
    assert application.workbench.isVisible()
    application.workbench.close()
    box = next(one for one in application.workbench.findChildren(QMessageBox, "unsavedDialog") if one.isVisible())
    QTest.mouseClick(next(one for one in box.buttons() if one.text() == "Don’t Save"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: application.left == [0])  # type: ignore[attr-defined]


def test_unsaved_text_survives_a_signal(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    first.parts.memory.open_memory("bun.md")
    editor = first.workbench.editors.widget("memory:bun.md")
    assert isinstance(editor, MemoryEditor)
    qtbot.waitUntil(lambda: "We use bun." in editor.draft())
    editor.source.change_to(NOTE + "typed and not saved\n")
    first.on_signal(15)
    assert "typed" not in (world.project.memory_root / "bun.md").read_text(encoding="utf-8")
    second = opened(start(), qtbot)
    again = second.workbench.editors.widget("memory:bun.md")
    assert isinstance(again, MemoryEditor)
    qtbot.waitUntil(lambda: "typed and not saved" in again.draft(), timeout=10_000)
    assert again.is_modified()


def test_closing_during_a_turn(start: Start, world: World, qtbot: QtBot) -> None:
    world.answers([{"text": "word " * 200, "delay_ms": 100, "chunk": 5}])
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    controller = application.parts.chat.controller
    with qtbot.waitSignal(controller.events_arrived, timeout=10_000):
        controller.send("Hi")
    session = controller.session_id
    application.end()
    assert application.left == [0]  # type: ignore[attr-defined]
    assert application.services is not None
    assert application.services.sessions.find(session).state == "interrupted"


def test_a_broken_settings_file_is_said_and_kept_aside(start: Start, world: World) -> None:
    world.settings("{broken")
    application = start()
    text = " ".join(application.workbench.notifications.texts())
    assert "settings.json" in text
    assert list((world.profile / "config").glob("settings.json.broken-*"))


def test_theme_language_and_zoom_of_the_settings_hold_from_the_first_picture(start: Start, world: World) -> None:
    world.settings('{"appearance": {"theme": "light", "language": "zh_CN", "zoom": 1.5}}')
    application = start(built=False)
    assert theme.current().name == "light"
    assert theme.current().zoom == 1.5
    assert i18n.current() == "zh_CN"
    assert application.workbench.activity.accessibleName() != "Activity bar"


def test_the_language_is_changed_in_the_running_window(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.open_memory("bun.md")
    before = application.workbench
    before.run("language.chinese")
    button = next(one for one in before.notifications.toasts()[-1].findChildren(QPushButton) if one.text() == "Change Now")
    qtbot.waitUntil(lambda: application.services.settings.value("appearance.language") == "zh_CN")  # type: ignore[union-attr]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert application.workbench is not before
    qtbot.waitUntil(lambda: application.workbench.editors.open_keys() == ["memory:bun.md"], timeout=10_000)
    assert i18n.current() == "zh_CN"
    assert application.left == []  # type: ignore[attr-defined]


def test_an_unusable_data_folder_can_be_mended(start: Start, world: World, qtbot: QtBot) -> None:
    data = world.profile / "data"
    data.rename(world.profile / "aside")
    data.write_text("a file in its place", encoding="utf-8")
    application = start(built=False)
    qtbot.waitUntil(lambda: application.workbench.editors.open_keys() == ["problem"])
    page = application.workbench.editors.widget("problem")
    assert page is not None
    assert str(data) in page.accessibleDescription()
    assert application.registry.run("view.toggleSideBar"), "the window itself works"
    data.unlink()
    button = next(one for one in page.findChildren(QPushButton) if one.text() == "Try Again")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: application.workbench.editors.open_keys() == ["welcome"], timeout=10_000)


def test_exit_after_paint(start: Start, world: World, qtbot: QtBot) -> None:
    application = start(world.folder, built=False, exit_after_paint=True)
    qtbot.waitUntil(lambda: application.left == [0])  # type: ignore[attr-defined]
    assert application.parts is None


def test_an_uncaught_exception_is_said_once(start: Start, qtbot: QtBot) -> None:
    application = start()
    hooks = ErrorHooks()
    hooks.occurred.connect(application.on_error)
    try:
        error = RuntimeError("odd")
        hooks._on_exception(RuntimeError, error, None)
        hooks._on_exception(RuntimeError, error, None)
        qtbot.waitUntil(lambda: any("RuntimeError: odd" in text for text in application.workbench.notifications.texts()))
        assert sum("odd" in text for text in application.workbench.notifications.texts()) == 1
    finally:
        hooks.remove()


def test_the_person_s_keys_are_read(start: Start, world: World, qtbot: QtBot) -> None:
    (world.profile / "config").mkdir(parents=True, exist_ok=True)
    (world.profile / "config" / "keybindings.json").write_text('[{"key": "ctrl+j", "command": "view.toggleChat"}, {"key": "x+"}]', "utf-8")
    application = start()
    qtbot.waitUntil(lambda: application.registry.key_of("view.toggleChat") == "ctrl+j")
    qtbot.waitUntil(lambda: any("keybindings.json, entry 2" in text for text in application.workbench.notifications.texts()))


def test_every_key_is_in_a_list_that_letters_of_commands_and_keys_find(start: Start, world: World, qtbot: QtBot) -> None:
    (world.profile / "config").mkdir(parents=True, exist_ok=True)
    (world.profile / "config" / "keybindings.json").write_text('[{"key": "ctrl+alt+j", "command": "view.toggleChat"}]', "utf-8")
    application = start()
    qtbot.waitUntil(lambda: application.registry.key_of("view.toggleChat") == "ctrl+alt+j")
    assert application.registry.run("keys.show")
    picker = application.keys.picker
    assert picker.isVisible() and picker.line.accessibleName() == "Keyboard shortcuts"
    listed = picker.ids()
    assert set(listed) == {one.command for one in application.registry.bindings()} | {"keys.open"} and len(listed) == len(set(listed))
    picker.line.setText("Ctrl+Alt+J")
    assert picker.ids()[0] == "view.toggleChat"
    picker.line.setText("palette")
    assert "palette.show" in picker.ids()
    QTest.keyClick(picker.line, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_without_a_folder_model_and_memory_are_said(start: Start, world: World, qtbot: QtBot) -> None:
    application = start()
    bench, parts = application.workbench, application.parts
    assert parts is not None
    assert bench.status.text("memory") == "Memory: no folder"
    qtbot.waitUntil(lambda: bool(bench.status.text("model")))
    model = parts.chat.pane.composer.model_button
    assert model.accessibleName() == f"Model: scripted:{world.script}", "the same that new chats use"
    application.open_folder(str(world.folder))
    opened(application, qtbot)
    qtbot.waitUntil(lambda: bench.status.text("memory").startswith("Memory: on"))
    application.close_folder()
    qtbot.waitUntil(lambda: application.workspace is None)
    assert bench.status.text("memory") == "Memory: no folder" and bench.status.text("mode") == ""


def test_the_lists_say_what_the_open_session_does(start: Start, world: World, qtbot: QtBot) -> None:
    world.answers([
        {"tool_calls": [{"name": "Bash", "input": {"command": "true", "description": "nothing"}}]}, {"text": "Done."},
    ])  # fmt: skip
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None
    parts.chat.controller.send("Hi")
    qtbot.waitUntil(lambda: bool(parts.chat.pane.live.open_questions), timeout=10_000)
    parts.sessions.pick()
    model = parts.sessions.picker.model
    qtbot.waitUntil(lambda: model.rowCount() == 1 and "needs answer" in model.index(0).data(ROW).facts, timeout=10_000)
    parts.chat.pane.live.open_questions[0].once.click()
    qtbot.waitUntil(lambda: not parts.chat.controller.running, timeout=10_000)
    qtbot.waitUntil(lambda: "needs answer" not in model.index(0).data(ROW).facts and "running" not in model.index(0).data(ROW).facts)


def test_the_tree_follows_the_tabs(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None
    parts.memory.open_memory("bun.md")
    tree = parts.memory.panel.tree
    qtbot.waitUntil(lambda: [row.key for row in tree.selected()] == ["project//bun.md"] and tree.open_key == "project//bun.md")
    assert not tree.hasFocus()
    parts.settings.show("memory")
    assert tree.open_key == ""


def test_tab_leads_from_region_to_region(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts, bench = application.parts, application.workbench
    assert parts is not None
    parts.memory.open_memory("bun.md")
    composer, name = parts.chat.pane.composer.edit, bench.editors.findChild(QLineEdit, "frontmatterName")
    qtbot.waitUntil(lambda: name is not None and name.isVisible() and bench.status.item("model") is not None)
    stops = tab_stops(bench, (bench.title_bar, bench.activity, bench.side, bench.editors, bench.chat_pane, bench.status))
    panel, model = parts.memory.panel, bench.status.item("model")
    wanted = [bench.activity.button("memory"), panel.filter, panel.tree, name, composer, model]
    places = [stops.index(one) for one in wanted]  # type: ignore[arg-type]
    assert places == sorted(places)


def test_what_was_searched_comes_back(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None
    first.workbench.run("search.show")
    first.parts.search.view.box.setText("bun")
    first.parts.search.view.filters.sessions.click()
    qtbot.waitUntil(lambda: first.parts is not None and first.parts.search.view.model.rowCount() == 1, timeout=10_000)
    first.end()
    qtbot.waitUntil(lambda: bool(first.left))  # type: ignore[attr-defined]
    second = opened(start(), qtbot)
    assert second.parts is not None
    view = second.parts.search.view
    assert view.box.text() == "bun" and not view.filters.sessions.isChecked()
    assert second.workbench.side.current == "search"
    qtbot.waitUntil(lambda: view.model.rowCount() == 1, timeout=10_000)
    assert [row.line.text for row in view.model.results.rows if row.kind == "memory"] == ["bun"]


def test_search_is_in_menus_palette_and_bar(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    bench, parts = application.workbench, application.parts
    assert parts is not None
    assert {"search.show", "search.rebuild"} <= {command.id for command in bench.registry.for_palette()}
    assert bench.shortcuts.is_active("ctrl+shift+f") and not bench.shortcuts.is_active("f4")
    bench.palette_box.open_palette()
    bench.palette_box.line.setText("bun we use")
    assert bench.palette_box.ids() == ["search.show:bun we use"], "what is no command can be searched for"
    QTest.keyClick(bench.palette_box.line, Qt.Key.Key_Return)
    assert bench.side.current == "search" and parts.search.view.box.text() == "bun we use"
    qtbot.waitUntil(lambda: parts.search.view.model.rowCount() >= 1, timeout=10_000)
    qtbot.waitUntil(lambda: bench.shortcuts.is_active("f4"))
    bench.run("search.next")
    assert bench.editors.current_key() == "memory:bun.md"


def test_a_cited_message_is_shown_in_its_session(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None
    with qtbot.waitSignal(parts.chat.controller.turn_ended, timeout=10_000):
        parts.chat.controller.send("Which tool?")
    said = parts.chat.controller.session_id
    parts.chat.controller.new_session()
    qtbot.waitUntil(lambda: parts.chat.controller.session_id not in ("", said), timeout=10_000)
    parts.chat.pane.session_open_requested.emit(said, 2)
    assert application.workbench.editors.current_key() == f"session:{said}"
    viewer = application.workbench.editors.current_widget()
    qtbot.waitUntil(lambda: len(viewer.messages.views) >= 2, timeout=10_000)  # type: ignore[union-attr]
    assert parts.chat.controller.session_id != said, "the open conversation is left alone"


def test_no_stop_of_tab_is_a_bare_scroll_area(start: Start, world: World, qtbot: QtBot) -> None:
    """It takes the focus and shows nothing of it."""
    application = opened(start(world.folder), qtbot)
    for command in ("settings.open", "memory.health", "welcome.show"):
        application.workbench.run(command)
    areas = application.workbench.findChildren(QScrollArea)
    assert areas
    taking = [one.objectName() for one in areas if type(one) is QScrollArea and one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert taking == []


def test_who_resumes_a_conversation_can_type_at_once(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None
    chat = parts.chat
    chat.pane.composer.set_text("Hello")
    chat.pane.composer.edit.send_requested.emit()
    qtbot.waitUntil(lambda: len(chat.controller.messages) == 2 and not chat.controller.running, timeout=10_000)
    first = chat.controller.session_id
    chat.controller.new_session()
    qtbot.waitUntil(lambda: chat.controller.session_id not in ("", first), timeout=10_000)
    application.workbench.activateWindow()
    parts.memory.show()
    qtbot.waitUntil(parts.memory.panel.tree.hasFocus)
    parts.sessions.resume_requested.emit(first)
    qtbot.waitUntil(lambda: chat.controller.session_id == first, timeout=10_000)
    assert chat.pane.composer.edit.hasFocus()
