"""The memory panel on real files: what it shows, how it follows the disk, and how it is filtered and walked through."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.identity import set_memory_switch
from desktop.ui import theme
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.memory.health_strip import HealthStrip
from desktop.ui.memory.panel import MemoryPanel
from desktop.ui.memory.rows import SHOWN_ROWS
from desktop.ui.memory.tree_model import LARGE
from desktop.ui.tab_order import tab_stops
from tests.ui.memory_world import Panel, World, key, made_world, note_text, outside_write

WAIT_MS = 5_000


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


@pytest.fixture
def panel(world: World, qtbot: QtBot) -> Iterator[Panel]:
    world.remember("package-manager.md", "We use bun", "project")
    world.remember("提交信息.md", "提交信息都用中文写", "feedback")
    world.remember("api/auth.md", "Tokens last 15 minutes", "reference")
    made = Panel(world, qtbot)
    yield made
    made.close()


def test_shows_the_tree_by_root_index_first_and_nested(panel: Panel) -> None:
    widget = panel.widget
    assert widget.objectName() == "memoryPanel" and widget.tree.objectName() == "memoryTree"
    assert panel.shown() == {"MEMORY.md", "api/", "api/auth.md", "package-manager.md", "提交信息.md"}
    top = [widget.model.row_at(widget.model.index(at, 0)) for at in range(widget.model.rowCount())]
    assert [row.root for row in top if row is not None] == ["project", "workspace", "user"]
    project = widget.model.index(0, 0)
    assert widget.model.row_at(widget.model.index(0, 0, project)).key == key("MEMORY.md")  # type: ignore[union-attr]
    assert widget.header.count.text() == "3"
    assert widget.header.title.text() == "天气 app"
    assert widget.header.dot.on
    assert widget.tree.isExpanded(widget.model.index_of(key("api/")))


def test_every_control_has_a_name(panel: Panel) -> None:
    widget = panel.widget
    for control in (widget, widget.tree, widget.filter, *widget.header.buttons):
        assert control.accessibleName(), control.objectName()


def test_follows_other_programs_and_journals_what_they_did(panel: Panel, world: World) -> None:
    store = world.workspace.store
    outside_write(world.root / "new.md", note_text("new", "Written by hand"))
    panel.wait(lambda: "new.md" in panel.shown())
    outside_write(world.root / "new.md", note_text("new", "Replaced by rename"))
    panel.wait(lambda: panel.row("new.md") is not None and panel.row("new.md").detail == "Replaced by rename")  # type: ignore[union-attr]
    panel.wait(lambda: "(new.md)" in world.text("MEMORY.md"))
    (world.root / "new.md").rename(world.root / "moved.md")
    panel.wait(lambda: "moved.md" in panel.shown() and "new.md" not in panel.shown())
    panel.wait(lambda: any(c.path == "moved.md" for c in store.changes()))
    (world.root / "moved.md").unlink()
    panel.wait(lambda: "moved.md" not in panel.shown())
    panel.wait(lambda: {c.origin.actor for c in store.changes() if c.path == "moved.md" and c.after is None} == {"outside"})
    gone = next(c for c in store.changes() if c.path == "moved.md" and c.after is None)
    assert "Replaced by rename" in store.version(gone.before or "").decode(), "what another program deleted is kept"
    panel.wait(lambda: "moved.md" not in world.text("MEMORY.md"))


def test_a_folder_that_goes_and_comes_back(panel: Panel, world: World) -> None:
    aside = world.root.with_name("aside")
    world.root.rename(aside)
    panel.wait(lambda: not panel.shown())
    assert panel.widget.page.isVisible() and "Nothing is remembered yet" in panel.widget.page.title.text()
    shutil.copytree(aside, world.root)
    panel.wait(lambda: len(panel.shown()) == 5)
    outside_write(world.root / "after.md", note_text("after"))
    panel.wait(lambda: "after.md" in panel.shown())


def test_a_thousand_files_at_once(panel: Panel, world: World) -> None:
    for number in range(1_000):
        (world.root / f"burst-{number:04}.md").write_text(note_text(f"burst-{number:04}"), encoding="utf-8")
    panel.wait(lambda: panel.widget.header.count.text() == "1003", 30_000)
    assert not panel.notices, "what other programs do is shown, not shouted"
    for file in world.root.glob("burst-*.md"):
        file.unlink()
    panel.wait(lambda: len(panel.shown()) == 5, 30_000)
    panel.settle()


def test_keeps_selection_expansion_and_scroll(panel: Panel, world: World) -> None:
    for number in range(200):
        (world.root / f"n{number:03}.md").write_text(note_text(f"n{number:03}"), encoding="utf-8")
    panel.wait(lambda: len(panel.shown()) == 205)
    tree, model = panel.tree, panel.widget.model
    tree.fold(key("api/"))
    assert tree.select(key("n100.md"))
    top = model.row_at(tree.indexAt(tree.viewport().rect().topLeft()))
    assert top is not None and tree.verticalScrollBar().value() > 0
    outside_write(world.root / "newest.md", note_text("newest"))
    panel.wait(lambda: "newest.md" in panel.shown())
    assert tree.current().key == key("n100.md")  # type: ignore[union-attr]
    assert [row.path for row in tree.selected()] == ["n100.md"]
    assert not tree.isExpanded(model.index_of(key("api/")))
    assert model.row_at(tree.indexAt(tree.viewport().rect().topLeft())) == top
    (world.root / "n100.md").rename(world.root.parent / "n100.md")
    panel.wait(lambda: "n100.md" not in panel.shown())
    (world.root.parent / "n100.md").rename(world.root / "n100.md")
    panel.wait(lambda: "n100.md" in panel.shown())
    assert tree.current().key == key("n100.md")  # type: ignore[union-attr]


def test_a_large_change_keeps_what_is_selected(panel: Panel, world: World) -> None:
    panel.tree.fold(key("api/"))
    panel.select("package-manager.md", "提交信息.md")
    for number in range(LARGE + 50):
        (world.root / "api" / f"b{number:03}.md").write_text(note_text(f"b{number:03}"), encoding="utf-8")
    panel.wait(lambda: panel.widget.header.count.text() == str(LARGE + 53), 30_000)
    assert {row.path for row in panel.tree.selected()} == {"package-manager.md", "提交信息.md"}
    assert not panel.tree.isExpanded(panel.widget.model.index_of(key("api/")))


def test_filter_hides_the_rest_and_gives_it_back(panel: Panel) -> None:
    widget = panel.widget
    widget.tree.fold(key("api/"))
    widget.filter.setText("分钟 x")
    panel.wait(lambda: widget.page.isVisible())
    assert widget.page.title.text() == "Nothing found"
    widget.filter.setText("ＭＩＮＵＴＥＳ")
    panel.wait(lambda: panel.shown() == {"api/", "api/auth.md"})
    assert widget.tree.isExpanded(widget.model.index_of(key("api/")))
    assert widget.header.count.text() == "1 of 3"
    widget.filter.clear()
    panel.wait(lambda: len(panel.shown()) == 5)
    assert not widget.tree.isExpanded(widget.model.index_of(key("api/")))
    widget.filter.setText("minutes")
    widget.filter.returnPressed.emit()
    assert widget.tree.current().key == key("api/auth.md")  # type: ignore[union-attr]
    widget.filter.clear()
    panel.wait(lambda: len(panel.shown()) == 5)
    assert widget.tree.current().key == key("api/auth.md")  # type: ignore[union-attr]
    assert widget.tree.isExpanded(widget.model.index_of(key("api/")))


def test_the_filter_box_is_left_by_keys(panel: Panel) -> None:
    """Down leads to what was found, Escape clears, and once more goes back to the tree."""
    widget = panel.widget
    widget.activateWindow()
    widget.focus_filter()
    QTest.keyClicks(widget.filter, "minutes")
    QTest.keyClick(widget.filter, Qt.Key.Key_Down)
    assert widget.tree.current().key == key("api/auth.md")  # type: ignore[union-attr]
    assert widget.focusWidget() is widget.tree
    widget.focus_filter()
    QTest.keyClick(widget.filter, Qt.Key.Key_Escape)
    assert widget.filter.text() == "" and widget.focusWidget() is widget.filter
    QTest.keyClick(widget.filter, Qt.Key.Key_Escape)
    assert widget.focusWidget() is widget.tree


def test_tab_goes_from_the_filter_over_the_notice_to_the_tree(panel: Panel) -> None:
    widget = panel.widget
    widget.notice.show_text("info", "Something", [("First", lambda: None), ("Second", lambda: None)])
    order: list[QWidget] = []
    step: QWidget | None = widget.filter
    while step is not None and step is not widget.tree and len(order) < 50:
        step = step.nextInFocusChain()
        if step in (*widget.notice.buttons, widget.tree):
            order.append(step)
    assert order == [*widget.notice.buttons, widget.tree]


def test_a_narrow_notice_shows_all_of_its_text(panel: Panel) -> None:
    """Also where a word or a button is wider than the side bar would like."""
    widget = panel.widget
    widget.resize(180, 700)
    words = "Somewhat longer words explain extraordinarily complicated circumstances here. "
    widget.notice.show_text("info", words * 3, [("OK", lambda: None)])
    label = widget.notice.label
    panel.wait(lambda: label.height() >= label.heightForWidth(label.width()) and widget.notice.height() > label.height())


def test_opening_by_click_and_by_key(panel: Panel) -> None:
    tree = panel.tree
    opened: list[tuple[str, str]] = []
    panel.widget.open_requested.connect(lambda root, path: opened.append((root, path)))
    place = tree.visualRect(panel.widget.model.index_of(key("package-manager.md"))).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    tree.select(key("MEMORY.md"))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    tree.select(key("api/"))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert opened == [("project", "package-manager.md"), ("project", "MEMORY.md")]
    assert not tree.isExpanded(panel.widget.model.index_of(key("api/")))
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert len(opened) == 2


def test_one_click_looks_and_two_go_into_the_file(panel: Panel) -> None:
    """What follows a click, such as Delete, belongs to the tree and never to the text of the file."""
    tree = panel.tree
    editor = QLineEdit(panel.widget)
    editor.show()
    panel.widget.open_requested.connect(lambda _root, _path: editor.setFocus())
    place = tree.visualRect(panel.widget.model.index_of(key("package-manager.md"))).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert panel.widget.focusWidget() is tree
    QTest.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert panel.widget.focusWidget() is editor
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert panel.widget.focusWidget() is editor


def test_a_row_that_is_chosen_while_ctrl_is_held_is_chosen_alone(panel: Panel) -> None:
    """Ctrl+W brings another tab to the front and its row with it: one Delete must not take two memories."""
    tree, handle = panel.tree, panel.widget.windowHandle()
    tree.select(key("package-manager.md"))
    QTest.keyPress(handle, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
    tree.show_open(key("提交信息.md"))
    QTest.keyRelease(handle, Qt.Key.Key_Control)
    assert [row.path for row in tree.selected()] == ["提交信息.md"]


def test_problems_are_marked_with_their_reason(panel: Panel, world: World) -> None:
    outside_write(world.root / "broken.md", "---\nname: broken\ndescription: [open\n---\n\nbody\n")
    panel.wait(lambda: "broken.md" in panel.shown())
    index = panel.widget.model.index_of(key("broken.md"))
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "line" in panel.widget.model.data(index, role)
    outside_write(world.root / "MEMORY.md", "".join(f"- [note {n}](note-{n}.md) — hook number {n}\n" for n in range(400)))
    panel.wait(lambda: bool(panel.row("MEMORY.md") and panel.row("MEMORY.md").problem))  # type: ignore[union-attr]
    assert "lines" in panel.row("MEMORY.md").problem  # type: ignore[union-attr]


def test_off_says_by_which_switch_and_switches_live(panel: Panel, world: World) -> None:
    """UI-02: `project.json` is followed too, so a switch that another process sets shows at once."""
    assert panel.widget.notice.isHidden()
    set_memory_switch(world.workspace.project, False, world.services.clock)
    panel.wait(lambda: panel.widget.notice.isVisible())
    assert "workspace-memory switch" in panel.widget.notice.text() and not panel.widget.header.dot.on
    assert "package-manager.md" in panel.shown()
    asked = []
    panel.widget.settings_requested.connect(lambda: asked.append(True))
    buttons = {button.text(): button for button in panel.widget.notice.buttons}
    assert list(buttons) == ["Turn On", "Open Settings"]
    buttons["Open Settings"].click()
    assert asked
    set_memory_switch(world.workspace.project, True, world.services.clock)
    world.services.settings.set("memory.use", False)
    panel.wait(lambda: "memory.use" in panel.widget.notice.text())
    world.services.settings.set("features.memory", False)
    panel.wait(lambda: "features.memory" in panel.widget.notice.text())
    for name in ("features.memory", "memory.use"):
        world.services.settings.reset(name)
    world.services.settings.set("memory.write", False)
    panel.wait(lambda: "memory.write" in panel.widget.notice.text() and panel.widget.header.dot.on)


def test_off_by_the_environment(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    with made_world(tmp_path, operations, {"KEEPSAKE_DISABLE_MEMORY": "1"}) as world:
        panel = Panel(world, qtbot)
        assert "KEEPSAKE_DISABLE_MEMORY" in panel.widget.notice.text()
        panel.close()


def test_empty_says_what_to_say_in_the_chat(world: World, qtbot: QtBot) -> None:
    panel = Panel(world, qtbot)
    asked: list[str] = []
    panel.widget.ask_requested.connect(asked.append)
    assert panel.widget.page.isVisible()
    panel.widget.page.buttons[0].click()
    assert asked and asked[0] in panel.widget.page.body.text()
    world.remember("first.md")
    panel.wait(lambda: "first.md" in panel.shown())
    assert panel.widget.tree.isVisible()
    panel.close()


def test_no_folder(world: World, qtbot: QtBot) -> None:
    panel = Panel(world, qtbot, opened=False)
    asked = []
    panel.widget.folder_requested.connect(lambda: asked.append(True))
    panel.widget.page.buttons[0].click()
    assert asked and not panel.widget.filter.isEnabled()
    panel.controller.set_workspace(world.workspace)
    panel.wait(lambda: panel.widget.header.title.text() == "天气 app")
    assert panel.widget.filter.isEnabled()
    panel.close()


def test_a_folder_that_cannot_be_read_is_an_error_not_an_empty_list(world: World, qtbot: QtBot) -> None:
    world.root.rmdir()
    world.root.write_text("a file in its place", encoding="utf-8")
    controller = MemoryController(world.services, world.workspace, world.operations)
    widget = MemoryPanel(controller)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: widget.page.title.text() == "Memory cannot be read", timeout=WAIT_MS)
    assert str(world.root) in widget.page.body.text()
    world.root.unlink()
    widget.page.buttons[0].click()
    qtbot.waitUntil(lambda: widget.page.title.text() == "Nothing is remembered yet", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not controller.is_reading and world.operations.pending == 0, timeout=WAIT_MS)
    controller.close()


def test_a_root_that_cannot_be_read_hides_no_other(world: World, qtbot: QtBot) -> None:
    world.remember("a.md")
    user = world.workspace.memories.store("user").root
    shutil.rmtree(user, ignore_errors=True)
    user.parent.mkdir(parents=True, exist_ok=True)
    user.write_text("a file in its place", encoding="utf-8")
    panel = Panel(world, qtbot)
    row = panel.row("", "user")
    assert row is not None and str(user) in row.problem and "a.md" in panel.shown()
    assert str(user) in panel.widget.model.data(panel.widget.model.index_of(row.key), Qt.ItemDataRole.AccessibleTextRole)
    panel.close()


def test_thousands_of_notes_stay_usable(world: World, qtbot: QtBot) -> None:
    world.remember("api/auth.md", "Tokens last 15 minutes", "reference")
    for number in range(2_000):
        folder = world.root / f"part{number % 2}"
        folder.mkdir(exist_ok=True)
        (folder / f"n{number:05}.md").write_text(note_text(f"n{number:05}", f"第 {number} 条"), encoding="utf-8")
    panel = Panel(world, qtbot)
    assert panel.widget.header.count.text() == "2001"
    assert len(panel.shown()) < 4 * SHOWN_ROWS, "rows are laid out as they are needed"
    panel.widget.filter.setText("第 1999 条")
    panel.wait(lambda: panel.widget.header.count.text() == "1 of 2001")
    panel.widget.filter.setText("第")
    panel.wait(lambda: panel.widget.header.count.text() == "2000 of 2001")
    panel.widget.filter.clear()
    panel.wait(lambda: "api/auth.md" in panel.shown())
    assert panel.widget.select("project", "part1/n00003.md"), "one that stands behind “more” is found all the same"
    more = panel.widget.model.row_of(key("part0/") + "?more")
    assert more is not None and f"{more.count} more" in panel.widget.model.data(panel.widget.model.index_of(more.key))
    before = len(panel.shown())
    panel.tree.select(more.key)
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert len(panel.shown()) > before
    panel.close()


@pytest.mark.parametrize("name", ["dark", "light"])
def test_badge_reads_on_every_ground(name: str) -> None:
    colors = theme.load(name)
    for ground in ("side", "hover", "selection"):
        assert theme.contrast(colors.color("memory"), colors.color(ground)) >= 4.5


def test_in_a_narrow_side_bar_the_buttons_go_before_the_name(panel: Panel, dark: theme.Theme) -> None:
    header = panel.widget.header
    assert all(button.isVisible() for button in header.buttons)
    panel.widget.resize(170, 500)
    panel.wait(lambda: not header.refresh.isVisible() and header.title.shown_text() == header.title.text())
    assert header.new.isVisible()
    panel.widget.resize(300, 500)
    panel.wait(lambda: header.refresh.isVisible())


def test_the_open_file_is_current_and_marked_without_the_focus(panel: Panel, world: World, dark: theme.Theme) -> None:
    widget, tree = panel.widget, panel.tree
    widget.activateWindow()
    widget.filter.setFocus()
    panel.wait(widget.filter.hasFocus)
    widget.show_open("project", "api/auth.md")
    assert tree.open_key == key("api/auth.md")
    assert [row.path for row in tree.selected()] == ["api/auth.md"]
    assert widget.filter.hasFocus() and tree.property("quiet"), "the selection steps back while the keyboard is elsewhere"
    tree.setFocus()
    panel.wait(lambda: not tree.property("quiet"))
    widget.filter.setFocus()
    panel.wait(lambda: bool(tree.property("quiet")))
    widget.show_open("project", "later.md")
    world.remember("later.md")
    panel.wait(lambda: [row.path for row in tree.selected()] == ["later.md"])
    widget.show_open("project", "")
    assert tree.open_key == "" and [row.path for row in tree.selected()] == ["later.md"], "another tab takes the mark, not the place"


def test_tab_goes_from_the_filter_by_the_strips_to_the_tree(panel: Panel) -> None:
    """Although strips are made by other parts, long after the panel."""
    strips = [HealthStrip(), HealthStrip()]
    for strip in strips:
        panel.widget.add_strip(strip)
        strip.show_count(3)
    stops = tab_stops(panel.widget, [])
    order: list[QWidget] = [panel.widget.filter, *(strip.button for strip in strips), panel.tree]
    assert [stop for stop in stops if any(stop is one for one in order)] == order
