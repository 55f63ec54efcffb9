"""Memory on the settings page: the workspace switch against the panel, other tools' memory, and the list of all memory of the machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.foreign import claude_slug
from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.settings.all_memory import AllMemory
from desktop.ui.settings.foreign_card import ForeignMemoryCard
from desktop.ui.settings.memory_card import WorkspaceMemoryCard
from tests.ui.memory_world import Panel, World, made_world, note_text


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


def wait_done(world: World, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: world.operations.pending == 0, timeout=10_000)


def test_the_switch_of_the_window_writes_only_off_and_the_panel_follows(world: World, qtbot: QtBot) -> None:
    """UI-02: kept in `project.json`; “on” takes the word away instead of forcing memory on."""
    world.remember("a.md")
    panel = Panel(world, qtbot)
    controller = SettingsController(world.services, world.workspace, world.operations)
    card = WorkspaceMemoryCard(controller)
    qtbot.addWidget(card)
    card.show()
    qtbot.waitUntil(lambda: controller.workspace_memory is not None and card.switch.isChecked())
    file = world.workspace.project.project_file
    card.switch.click()
    panel.wait(lambda: "workspace-memory switch" in panel.widget.notice.text() and not panel.widget.header.dot.on)
    assert json.loads(file.read_text(encoding="utf-8"))["switch"] == "off"
    assert not world.workspace.memory_state().enabled and "a.md" in panel.shown()
    card.switch.click()
    panel.wait(lambda: panel.widget.notice.isHidden() and panel.widget.header.dot.on)
    assert "switch" not in json.loads(file.read_text(encoding="utf-8"))
    world.services.settings.set("memory.use", False)
    panel.wait(lambda: not panel.widget.header.dot.on)
    assert not world.workspace.memory_state().enabled, "on never forces memory on"
    panel.close()
    controller.close()
    wait_done(world, qtbot)


def test_other_tools_are_off_and_say_what_turning_them_on_means(world: World, qtbot: QtBot) -> None:
    folder = Path(world.services.environ["HOME"]) / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
    folder.mkdir(parents=True)
    for name in ("one", "two"):
        (folder / f"{name}.md").write_text(note_text(name), encoding="utf-8")
    controller = SettingsController(world.services, world.workspace, world.operations)
    card = ForeignMemoryCard(controller)
    qtbot.addWidget(card)
    card.show()
    qtbot.waitUntil(lambda: "2 memories" in card.found["claude-code"].text() and "nothing" in card.found["zcode"].text())
    assert "never changed" in card.text.text() and "sent to a model" in card.text.text()
    for tool, switch in card.switches.items():
        assert not switch.isChecked() and switch.accessibleName() and tool in ("claude-code", "zcode")
    (folder / "three.md").write_text(note_text("three"), encoding="utf-8")  # the other tool goes on writing
    card.switches["claude-code"].click()
    qtbot.waitUntil(lambda: controller.value("memory.foreign") == ["claude-code"])
    qtbot.waitUntil(lambda: "3 memories" in card.found["claude-code"].text())
    (folder / "four.md").write_text(note_text("four"), encoding="utf-8")
    card.hide()
    card.show()
    qtbot.waitUntil(lambda: "4 memories" in card.found["claude-code"].text())
    assert [root.id for root in world.workspace.memories.roots if root.kind == "foreign"] == ["foreign:claude-code"]
    card.switches["zcode"].click()
    qtbot.waitUntil(lambda: controller.value("memory.foreign") == ["claude-code", "zcode"])
    card.switches["claude-code"].click()
    qtbot.waitUntil(lambda: controller.value("memory.foreign") == ["zcode"] and not card.switches["claude-code"].isChecked())
    assert card.matches(["claude", "tools"]) and not card.matches(["theme"])
    controller.close()
    wait_done(world, qtbot)


def test_all_memory_shows_the_persons_own_and_lost_projects(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    """W-38: nested files too; a lost project is labelled with its old folder and can be adopted."""
    world.remember("habits/editor.md", "Prefers vim keys", "user", root="user")
    world.remember("deep/er/bun.md", "We use bun")
    lost = world.workspace.project.key
    folder = tmp_path / "new"
    folder.mkdir()
    later = replace(world, workspace=world.services.open_workspace(folder))
    later.remember("mine.md")
    shutil.rmtree(world.workspace.folder)
    controller = AllMemoryController(world.services, world.operations)
    listing = AllMemory(controller)
    qtbot.addWidget(listing)
    listing.show()
    model = listing.model
    qtbot.waitUntil(lambda: controller.was_read and model.row_of(f"{lost}/deep/er/bun.md") is not None, timeout=10_000)
    assert [model.row_at(model.index(at, 0)).project for at in range(model.rowCount())] == [  # type: ignore[union-attr]
        "user", later.workspace.project.key, lost,
    ]  # fmt: skip
    row = model.row_of(f"{lost}/")
    assert row is not None and "its folder is gone" in row.detail and str(world.workspace.folder) in row.detail
    assert "its folder is gone" in model.data(model.index_of(row.key), Qt.ItemDataRole.AccessibleTextRole)
    opened: list[tuple[str, str]] = []
    adopted: list[str] = []
    listing.open_requested.connect(lambda project, path: opened.append((project, path)))
    listing.adopt_requested.connect(adopted.append)
    listing._on_open("user/habits/editor.md")
    assert opened == [("user", "habits/editor.md")]
    assert "vim" in controller.reader("user", "habits/editor.md")().text
    menu = listing.context_menu(row)
    assert menu is not None
    menu.actions()[0].trigger()
    assert adopted == [lost]
    own = model.row_of(f"{later.workspace.project.key}/")
    assert own is not None and listing.context_menu(own) is None
    note = model.row_of(f"{lost}/deep/er/bun.md")
    assert note is not None
    texts = [action.text() for action in listing.context_menu(note).actions()]  # type: ignore[union-attr]
    assert texts == ["Open", "Copy Path"], "read only"
    listing.hide()
    controller.watcher.join()
    controller.stop()
    wait_done(world, qtbot)


def test_many_workspaces_are_a_list_of_their_names_index_first(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    for number in range(14):
        folder = tmp_path / f"ws-{number:02}"
        folder.mkdir()
        later = replace(world, workspace=world.services.open_workspace(folder))
        later.remember("deep/a.md", f"Fact {number}")
    controller = AllMemoryController(world.services, world.operations)
    listing = AllMemory(controller)
    qtbot.addWidget(listing)
    listing.show()
    model, tree = listing.model, listing.tree
    qtbot.waitUntil(lambda: controller.was_read and model.rowCount() == 14, timeout=10_000)
    for width, has_room in ((900, True), (320, False), (900, True)):
        listing.resize(width, listing.height())
        qtbot.waitUntil(lambda has_room=has_room: listing.count.isVisible() == has_room)  # type: ignore[misc]
        qtbot.waitUntil(lambda: listing.title.shown_text() == listing.title.text())
    tops = [model.index(at, 0) for at in range(14)]
    assert not any(tree.isExpanded(top) for top in tops)
    first = model.row_at(model.index(0, 0, tops[0]))
    assert first is not None and first.path == "MEMORY.md"
    listing.filter.setText("fact 7")
    qtbot.waitUntil(lambda: model.rowCount() == 1, timeout=10_000)
    assert tree.isExpanded(model.index(0, 0))
    listing.hide()
    controller.watcher.join()
    controller.stop()
    wait_done(world, qtbot)
