"""The roots of the memory panel: which are shown and how, the workspace file that has to be allowed, moved folders, lost projects."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.foreign import claude_slug
from desktop.memory.identity import read_project_file, resolve_project
from tests.ui.memory_world import PERSON, Panel, World, key, made_world, note_text, outside_write


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


def workspace_file(world: World) -> Path:
    return world.workspace.folder / ".agents" / "memory" / "MEMORY.md"


def buttons(panel: Panel) -> dict[str, object]:
    return {button.text(): button for button in panel.widget.notice.buttons}


def press(panel: Panel, text: str) -> None:
    next(button for button in panel.widget.notice.buttons if button.text() == text).click()


# -- what is shown -----------------------------------------------------------------------------------------------------------------


def test_empty_roots_are_quiet_and_a_root_of_one_file_takes_one_row(world: World, qtbot: QtBot) -> None:
    world.remember("a.md")
    panel = Panel(world, qtbot)
    for root in ("workspace", "user"):
        row = panel.row("", root)
        assert row is not None and row.quiet and row.detail == "empty" and not row.problem
        assert not panel.widget.model.hasChildren(panel.widget.model.index_of(row.key))
    world.workspace.memories.store("user").write("MEMORY.md", "# Rules\n\nAlways Chinese.\n", base_digest=None, origin=PERSON)
    panel.wait(lambda: panel.row("", "user").path == "MEMORY.md")  # type: ignore[union-attr]
    row = panel.row("", "user")
    assert row is not None and not row.quiet and row.is_file and panel.shown("user") == set()
    world.remember("editor.md", "Prefers vim keys", "user", root="user")
    panel.wait(lambda: panel.shown("user") == {"MEMORY.md", "editor.md"})
    panel.close()


def test_a_folder_that_appears_later_is_followed(world: World, qtbot: QtBot) -> None:
    world.remember("a.md")
    panel = Panel(world, qtbot)
    assert not workspace_file(world).parent.parent.exists()
    outside_write(workspace_file(world), "# Team\n\ntabs\n")
    panel.wait(lambda: panel.row("", "workspace").path == "MEMORY.md")  # type: ignore[union-attr]
    user = world.workspace.memories.store("user").root
    shutil.rmtree(user, ignore_errors=True)
    outside_write(user / "late.md", note_text("late", "Came later"))
    panel.wait(lambda: panel.row("", "user") is not None and panel.row("", "user").count == 1)  # type: ignore[union-attr]
    outside_write(user / "later.md", note_text("later"))
    panel.wait(lambda: "later.md" in panel.shown("user"))
    panel.close()


def test_another_tools_memory_shows_only_when_it_is_on_and_cannot_be_changed(world: World, qtbot: QtBot) -> None:
    home = Path(world.services.environ["HOME"])
    folder = home / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text(note_text("deploy", "Through the staging branch"), encoding="utf-8")
    world.remember("a.md")
    panel = Panel(world, qtbot)
    root = "foreign:claude-code"
    assert panel.row("", root) is None
    world.services.settings.set("memory.foreign", ["claude-code"])
    panel.wait(lambda: "deploy.md" in panel.shown(root))
    row = panel.row("deploy.md", root)
    assert row is not None and row.read_only
    texts = panel.menu_texts("deploy.md", root)
    assert "Open" in texts and "Copy Text" in texts
    assert not {"Delete", "Rename…", "Move to", "Pin", "Show History"} & set(texts)
    whole = panel.row("", root)
    assert whole is not None and "read only" in panel.widget.model.data(
        panel.widget.model.index_of(whole.key), Qt.ItemDataRole.AccessibleTextRole
    )
    panel.tree.select(key("deploy.md", root))
    panel.widget.delete_selected()
    assert not panel.widget.model.flags(panel.widget.model.index_of(row.key)) & Qt.ItemFlag.ItemIsDragEnabled
    outside_write(folder / "more.md", note_text("more"))
    panel.wait(lambda: "more.md" in panel.shown(root), 15_000)
    assert (folder / "deploy.md").exists()
    world.services.settings.set("memory.foreign", [])
    panel.wait(lambda: panel.row("", root) is None)
    panel.close()


def test_the_same_path_in_two_roots_are_two_rows(world: World, qtbot: QtBot) -> None:
    world.remember("same.md", "Of the project")
    world.remember("same.md", "Of the person", root="user")
    panel = Panel(world, qtbot)
    assert panel.row("same.md").detail == "Of the project" and panel.row("same.md", "user").detail == "Of the person"  # type: ignore[union-attr]
    panel.select("same.md", root="user")
    panel.widget.delete_selected()
    panel.wait(lambda: "same.md" not in panel.shown("user"))
    assert (world.root / "same.md").exists()
    panel.close()


# -- the workspace file ------------------------------------------------------------------------------------------------------------


def test_a_workspace_file_of_somebody_else_is_asked_about_until_it_is_allowed(world: World, qtbot: QtBot) -> None:
    outside_write(workspace_file(world), "# Team\n\nUse tabs.\n")
    panel = Panel(world, qtbot)
    opened: list[tuple[str, str]] = []
    panel.widget.open_requested.connect(lambda root, path: opened.append((root, path)))
    assert "brings its own memory" in panel.widget.notice.text() and list(buttons(panel)) == ["Show", "Allow", "Not Now"]
    assert panel.row("", "workspace").detail == "not loaded until you allow it"  # type: ignore[union-attr]
    press(panel, "Show")
    assert opened == [("workspace", "MEMORY.md")]
    assert world.workspace.memories.workspace_file().state == "untrusted"
    press(panel, "Allow")
    panel.wait(lambda: world.workspace.memories.workspace_file().state == "trusted" and panel.widget.notice.isHidden())
    outside_write(workspace_file(world), "# Team\n\nSomething else.\n")
    panel.wait(lambda: panel.widget.notice.isVisible() and world.workspace.memories.workspace_file().state == "untrusted")
    press(panel, "Not Now")
    assert panel.widget.notice.isHidden() and world.workspace.memories.workspace_file().state == "untrusted"
    panel.tree.select(key("", "workspace"))
    assert "Allow Chats to Load It" in panel.menu_texts("", "workspace")
    panel.widget.menus.allow.trigger()
    panel.wait(lambda: world.workspace.memories.workspace_file().state == "trusted")
    panel.close()


def test_what_the_person_writes_there_needs_no_question(world: World, qtbot: QtBot) -> None:
    panel = Panel(world, qtbot)
    world.workspace.memories.store("workspace").write("MEMORY.md", "# Ours\n", base_digest=None, origin=PERSON)
    panel.wait(lambda: panel.row("", "workspace") is not None and panel.row("", "workspace").path == "MEMORY.md")  # type: ignore[union-attr]
    assert panel.widget.notice.isHidden()
    panel.close()


# -- folders that moved ------------------------------------------------------------------------------------------------------------


def moved_world(world: World) -> World:
    """The folder is renamed, as in a file manager, and opened under its new name."""
    world.remember("bun.md", "We use bun")
    world.remember("tabs.md", "Tabs, not spaces")
    renamed = world.workspace.folder.with_name("weather")
    world.workspace.folder.rename(renamed)
    return replace(world, workspace=world.services.open_workspace(renamed))


def test_memory_of_a_renamed_folder_is_offered_and_used(world: World, qtbot: QtBot) -> None:
    old = world.workspace.folder
    later = moved_world(world)
    panel = Panel(later, qtbot)
    reopened: list[str] = []
    panel.controller.places.relinked.connect(reopened.append)
    panel.wait(lambda: "was renamed or moved" in panel.widget.notice.text())
    assert str(old) in panel.widget.notice.text() and "2 memories" in panel.widget.notice.text()
    assert list(buttons(panel)) == ["Use It", "Start Fresh", "Not Now"] and not panel.shown()
    press(panel, "Use It")
    panel.wait(lambda: reopened == [str(later.workspace.folder)])
    panel.controller.set_workspace(world.services.open_workspace(later.workspace.folder))
    panel.wait(lambda: {"bun.md", "tabs.md"} <= panel.shown())
    assert "was renamed" not in panel.widget.notice.text()
    panel.undo("memory of before again")
    panel.wait(lambda: len(reopened) == 2)
    panel.controller.set_workspace(world.services.open_workspace(later.workspace.folder))
    panel.wait(lambda: panel.controller.snapshot is not None and not panel.shown())
    panel.close()


def test_start_fresh_is_remembered_and_not_now_is_not(world: World, qtbot: QtBot) -> None:
    later = moved_world(world)
    panel = Panel(later, qtbot)
    panel.wait(lambda: "was renamed or moved" in panel.widget.notice.text())
    press(panel, "Not Now")
    assert panel.widget.notice.isHidden()
    panel.controller.set_workspace(world.services.open_workspace(later.workspace.folder))
    panel.wait(lambda: "was renamed or moved" in panel.widget.notice.text())
    press(panel, "Start Fresh")
    panel.wait(lambda: bool(read_project_file(later.workspace.project).data.get("declined")))
    panel.settle()
    panel.controller.set_workspace(world.services.open_workspace(later.workspace.folder))
    panel.wait(lambda: panel.controller.snapshot is not None)
    panel.settle()
    assert panel.widget.notice.isHidden()
    panel.close()


def test_memory_that_belongs_to_another_folder_is_off_and_says_so(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    world.remember("a.md")
    other = tmp_path / "another"
    other.mkdir()
    theirs = resolve_project(other, world.services.paths)
    shutil.copytree(world.workspace.project.home, theirs.home)
    panel = Panel(replace(world, workspace=world.services.open_workspace(other)), qtbot)
    panel.wait(lambda: "two projects" in panel.widget.notice.text())
    assert not panel.widget.header.dot.on
    assert str(world.workspace.folder) in panel.widget.notice.text()
    reopened: list[str] = []
    panel.controller.places.relinked.connect(reopened.append)
    press(panel, "Use It Here")
    panel.wait(lambda: reopened == [str(other)])
    panel.controller.set_workspace(world.services.open_workspace(other))
    panel.wait(lambda: "a.md" in panel.shown() and panel.widget.header.dot.on)
    assert panel.widget.notice.isHidden()
    panel.close()


def test_lost_memory_is_adopted_and_given_back(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    world.remember("bun.md", "We use bun")
    key_of_old = world.workspace.project.key
    shutil.rmtree(world.workspace.folder)
    folder = tmp_path / "new"
    folder.mkdir()
    later = replace(world, workspace=world.services.open_workspace(folder))
    later.remember("mine.md")
    panel = Panel(later, qtbot)
    found: list[tuple[str, int]] = []
    panel.controller.places.find_orphans(lambda orphans: found.extend((one.project.key, one.notes) for one in orphans))
    panel.wait(lambda: found == [(key_of_old, 1)])
    panel.controller.places.adopt(key_of_old)
    panel.wait(lambda: {"bun.md", "mine.md"} <= panel.shown())
    assert "bun.md" in later.text("MEMORY.md")
    panel.undo("in this project now.")
    panel.wait(lambda: "bun.md" not in panel.shown() and "mine.md" in panel.shown())
    assert (world.root / "bun.md").exists()
    panel.close()


def test_the_notice_of_the_panel_is_the_most_important_one(world: World, qtbot: QtBot) -> None:
    outside_write(workspace_file(world), "# Team\n")
    world.services.settings.set("memory.use", False)
    panel = Panel(world, qtbot)
    assert "memory.use" in panel.widget.notice.text()
    world.services.settings.reset("memory.use")
    panel.wait(lambda: "brings its own memory" in panel.widget.notice.text())
    panel.close()
