"""The memory panel on real files: what it shows, how it follows the disk, and what its keys and menus do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.identity import set_memory_switch
from desktop.ui import theme
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.memory.panel import MemoryPanel
from desktop.ui.memory.rows import Row
from tests.ui.memory_world import World, made_world, note_text, outside_write

WAIT_MS = 5_000


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Panel:
    """A panel on the screen with what a test asks of it."""

    def __init__(self, world: World, qtbot: QtBot, *, opened: bool = True) -> None:
        self.qtbot = qtbot
        self.controller = MemoryController(world.services, world.workspace if opened else None, world.operations)
        self.notices: list[tuple[str, str, list[tuple[str, Callable[[], Any]]]]] = []
        self.controller.notice_requested.connect(lambda kind, text, actions: self.notices.append((kind, text, actions)))
        self.widget = MemoryPanel(self.controller)
        qtbot.addWidget(self.widget)
        self.widget.resize(300, 500)
        self.widget.show()
        if opened:
            self.wait(lambda: self.controller.snapshot is not None)
            self.controller.watcher.join()
            watch = self.controller.watcher._watch
            assert watch is not None and watch.wait_ready()

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def shown(self) -> set[str]:
        return set(self.widget.model.row_keys())

    def row(self, key: str) -> Row | None:
        return self.widget.model.row_of(key)

    def close(self) -> None:
        """Once what is under way is through, so that no thread outlives the test."""
        self.qtbot.waitUntil(lambda: not self.controller.is_reading, timeout=30_000)
        self.controller.close()


@pytest.fixture
def panel(world: World, qtbot: QtBot) -> Iterator[Panel]:
    world.remember("package-manager.md", "We use bun", "project")
    world.remember("提交信息.md", "提交信息都用中文写", "feedback")
    world.remember("api/auth.md", "Tokens last 15 minutes", "reference")
    made = Panel(world, qtbot)
    made.wait(lambda: len(made.shown()) == 5)
    yield made
    made.close()


def test_shows_index_folders_and_notes(panel: Panel) -> None:
    widget = panel.widget
    assert widget.objectName() == "memoryPanel" and widget.tree.objectName() == "memoryTree"
    assert panel.shown() == {"MEMORY.md", "api/", "api/auth.md", "package-manager.md", "提交信息.md"}
    assert widget.model.row_at(widget.model.index(0, 0)).key == "MEMORY.md"  # type: ignore[union-attr]
    assert widget.header.count.text() == "3"
    assert widget.header.title.text() == "天气 app"
    assert widget.header.dot.on
    assert widget.tree.isExpanded(widget.model.index_of("api/"))


def test_every_control_has_a_name(panel: Panel) -> None:
    widget = panel.widget
    for control in (widget, widget.tree, widget.filter, *widget.header.buttons):
        assert control.accessibleName(), control.objectName()


def test_follows_other_programs(panel: Panel, world: World) -> None:
    outside_write(world.root / "new.md", note_text("new", "Written by hand"))
    panel.wait(lambda: "new.md" in panel.shown())
    outside_write(world.root / "new.md", note_text("new", "Replaced by rename"))
    panel.wait(lambda: panel.row("new.md") is not None and panel.row("new.md").detail == "Replaced by rename")  # type: ignore[union-attr]
    (world.root / "new.md").rename(world.root / "moved.md")
    panel.wait(lambda: "moved.md" in panel.shown() and "new.md" not in panel.shown())
    (world.root / "moved.md").unlink()
    panel.wait(lambda: "moved.md" not in panel.shown())


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
    panel.wait(lambda: len(panel.shown()) == 1_005)
    assert panel.widget.header.count.text() == "1003"
    for file in world.root.glob("burst-*.md"):
        file.unlink()
    panel.wait(lambda: len(panel.shown()) == 5)


def test_keeps_selection_expansion_and_scroll(panel: Panel, world: World) -> None:
    for number in range(200):
        (world.root / f"n{number:03}.md").write_text(note_text(f"n{number:03}"), encoding="utf-8")
    panel.wait(lambda: len(panel.shown()) == 205)
    tree, model = panel.widget.tree, panel.widget.model
    tree.fold("api/")
    assert tree.select("n100.md")
    top = model.row_at(tree.indexAt(tree.viewport().rect().topLeft()))
    assert top is not None and tree.verticalScrollBar().value() > 0
    outside_write(world.root / "newest.md", note_text("newest"))
    panel.wait(lambda: "newest.md" in panel.shown())
    assert tree.current().key == "n100.md"  # type: ignore[union-attr]
    assert [row.key for row in tree.selected()] == ["n100.md"]
    assert not tree.isExpanded(model.index_of("api/"))
    assert model.row_at(tree.indexAt(tree.viewport().rect().topLeft())) == top
    (world.root / "n100.md").rename(world.root.parent / "n100.md")
    panel.wait(lambda: "n100.md" not in panel.shown())
    (world.root.parent / "n100.md").rename(world.root / "n100.md")
    panel.wait(lambda: "n100.md" in panel.shown())
    assert tree.current().key == "n100.md"  # type: ignore[union-attr]


def test_filter_hides_the_rest_and_gives_it_back(panel: Panel) -> None:
    widget = panel.widget
    widget.tree.fold("api/")
    widget.filter.setText("分钟 x")
    panel.wait(lambda: widget.page.isVisible())
    assert widget.page.title.text() == "Nothing found"
    widget.filter.setText("ＭＩＮＵＴＥＳ")
    panel.wait(lambda: panel.shown() == {"api/", "api/auth.md"})
    assert widget.tree.isExpanded(widget.model.index_of("api/"))
    assert widget.header.count.text() == "1 of 3"
    widget.filter.clear()
    panel.wait(lambda: len(panel.shown()) == 5)
    assert not widget.tree.isExpanded(widget.model.index_of("api/"))
    widget.filter.setText("minutes")
    widget.filter.returnPressed.emit()
    assert widget.tree.current().key == "api/auth.md"  # type: ignore[union-attr]
    widget.filter.clear()
    panel.wait(lambda: len(panel.shown()) == 5)
    assert widget.tree.current().key == "api/auth.md"  # type: ignore[union-attr]
    assert widget.tree.isExpanded(widget.model.index_of("api/"))


def test_opening_by_click_and_by_key(panel: Panel) -> None:
    tree = panel.widget.tree
    opened: list[str] = []
    panel.widget.open_requested.connect(opened.append)
    place = tree.visualRect(panel.widget.model.index_of("package-manager.md")).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    tree.select("MEMORY.md")
    QTest.keyClick(tree, Qt.Key.Key_Return)
    tree.select("api/")
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert opened == ["package-manager.md", "MEMORY.md"]
    assert not tree.isExpanded(panel.widget.model.index_of("api/"))
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert opened == ["package-manager.md", "MEMORY.md"]


def test_delete_moves_to_the_trash_and_undo_brings_it_back(panel: Panel, world: World) -> None:
    before = (world.root / "package-manager.md").read_bytes()
    panel.widget.tree.select("package-manager.md")
    QTest.keyClick(panel.widget.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "package-manager.md" not in panel.shown())
    assert "package-manager" not in (world.root / "MEMORY.md").read_text(encoding="utf-8")
    kind, text, actions = panel.notices[-1]
    assert kind == "info" and "package-manager.md" in text and actions[0][0] == "Undo"
    actions[0][1]()
    panel.wait(lambda: "package-manager.md" in panel.shown())
    assert (world.root / "package-manager.md").read_bytes() == before
    assert "package-manager" in (world.root / "MEMORY.md").read_text(encoding="utf-8")


def test_a_folder_is_deleted_with_what_is_in_it_and_comes_back_whole(panel: Panel, world: World) -> None:
    world.remember("api/limits.md", "Sixty a minute")
    panel.wait(lambda: "api/limits.md" in panel.shown())
    panel.widget.tree.select("api/")
    QTest.keyClick(panel.widget.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "api/" not in panel.shown())
    panel.notices[-1][2][0][1]()
    panel.wait(lambda: {"api/auth.md", "api/limits.md"} <= panel.shown())


def test_the_index_is_not_deleted_from_here(panel: Panel, world: World) -> None:
    panel.widget.tree.select("MEMORY.md")
    QTest.keyClick(panel.widget.tree, Qt.Key.Key_Delete)
    assert panel.widget.delete_action not in panel.widget.context_menu(panel.row("MEMORY.md")).actions()  # type: ignore[arg-type]
    panel.widget.tree.select("提交信息.md")
    QTest.keyClick(panel.widget.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "提交信息.md" not in panel.shown())
    assert (world.root / "MEMORY.md").exists()


def test_rename_in_place(panel: Panel, world: World) -> None:
    tree = panel.widget.tree
    tree.select("package-manager.md")
    QTest.keyClick(tree, Qt.Key.Key_F2)
    editor = tree.findChild(QLineEdit, "memoryRename")
    assert editor is not None and editor.text() == "package-manager"
    editor.setText("包管理器")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    panel.wait(lambda: "包管理器.md" in panel.shown())
    assert "包管理器.md" in (world.root / "MEMORY.md").read_text(encoding="utf-8")
    panel.wait(lambda: tree.current() is not None and tree.current().key == "包管理器.md")  # type: ignore[union-attr]
    panel.wait(lambda: bool(panel.notices))
    panel.notices[-1][2][0][1]()
    panel.wait(lambda: "package-manager.md" in panel.shown())


def test_rename_never_replaces_another_memory(panel: Panel, world: World) -> None:
    taken = (world.root / "提交信息.md").read_bytes()
    panel.controller.rename("package-manager.md", "提交信息")
    panel.wait(lambda: bool(panel.notices))
    assert panel.notices[-1][0] == "error" and "提交信息.md" in panel.notices[-1][1]
    assert (world.root / "提交信息.md").read_bytes() == taken
    assert (world.root / "package-manager.md").exists()


def test_copy_path_and_text(panel: Panel, world: World) -> None:
    panel.widget.tree.select("提交信息.md")
    panel.widget.copy_path_action.trigger()
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == str(world.root / "提交信息.md")
    panel.widget.copy_text_action.trigger()
    panel.wait(lambda: clipboard.text() == (world.root / "提交信息.md").read_text(encoding="utf-8"))


def test_problems_are_marked_with_their_reason(panel: Panel, world: World) -> None:
    outside_write(world.root / "broken.md", "---\nname: broken\ndescription: [open\n---\n\nbody\n")
    panel.wait(lambda: "broken.md" in panel.shown())
    index = panel.widget.model.index_of("broken.md")
    assert "line" in panel.widget.model.data(index, Qt.ItemDataRole.ToolTipRole)
    outside_write(world.root / "MEMORY.md", "".join(f"- [note {n}](note-{n}.md) — hook number {n}\n" for n in range(400)))
    panel.wait(lambda: bool(panel.row("MEMORY.md") and panel.row("MEMORY.md").problem))  # type: ignore[union-attr]
    assert "lines" in panel.row("MEMORY.md").problem  # type: ignore[union-attr]


def test_off_says_by_which_switch(panel: Panel, world: World) -> None:
    assert panel.widget.notice.isHidden()
    set_memory_switch(world.workspace.project, False, world.services.clock)
    panel.controller.refresh()
    panel.wait(lambda: panel.widget.notice.isVisible())
    assert "workspace-memory switch" in panel.widget.notice.text() and not panel.widget.header.dot.on
    assert "package-manager.md" in panel.shown()
    asked = []
    panel.widget.settings_requested.connect(lambda: asked.append(True))
    panel.widget.notice.buttons[0].click()
    assert asked
    set_memory_switch(world.workspace.project, True, world.services.clock)
    world.services.settings.set("memory.use", False)
    panel.wait(lambda: "memory.use" in panel.widget.notice.text())
    world.services.settings.set("features.memory", False)
    panel.wait(lambda: "features.memory" in panel.widget.notice.text())
    for key in ("features.memory", "memory.use"):
        world.services.settings.reset(key)
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
    controller.close()


def test_thousands_of_notes_stay_usable(panel: Panel, world: World) -> None:
    for number in range(3_000):
        folder = world.root / f"part{number % 10}"
        folder.mkdir(exist_ok=True)
        (folder / f"n{number:05}.md").write_text(note_text(f"n{number:05}", f"第 {number} 条"), encoding="utf-8")
    panel.qtbot.waitUntil(lambda: len(panel.shown()) == 3_015, timeout=30_000)
    panel.widget.filter.setText("第 2999 条")
    panel.wait(lambda: panel.widget.header.count.text() == "1 of 3003")
    panel.widget.filter.clear()
    panel.wait(lambda: len(panel.shown()) == 3_015)
    assert panel.widget.tree.select("part3/n01503.md")


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
    widget, tree = panel.widget, panel.widget.tree
    widget.activateWindow()
    widget.filter.setFocus()
    panel.wait(widget.filter.hasFocus)
    widget.show_open("api/auth.md")
    assert tree.open_key == "api/auth.md"
    assert [row.key for row in tree.selected()] == ["api/auth.md"]
    assert widget.filter.hasFocus() and tree.property("quiet"), "the selection steps back while the keyboard is elsewhere"
    tree.setFocus()
    panel.wait(lambda: not tree.property("quiet"))
    widget.filter.setFocus()
    panel.wait(lambda: bool(tree.property("quiet")))
    widget.show_open("later.md")
    world.remember("later.md")
    panel.wait(lambda: [row.key for row in tree.selected()] == ["later.md"])
    widget.show_open("")
    assert tree.open_key == "" and [row.key for row in tree.selected()] == ["later.md"], "another tab takes the mark, not the place"
