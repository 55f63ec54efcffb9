"""What the person does in the memory panel by keys and menus: each act lands in the store, is said once, and can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.store import ChangeOrigin
from desktop.ui.memory.tree_model import MIME
from tests.ui.memory_world import PERSON, Panel, World, key, made_world, note_text, outside_write

PORTS = "---\nname: Which ports are used\ndescription: Ports\nmetadata:\n  type: project\n---\n\n5433\n"
LINKS = "---\nname: links\ndescription: Links\nmetadata:\n  type: project\n---\n\n[[ports]] and [by path](ports.md), not `[[ports]]`\n"


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


@pytest.fixture
def panel(world: World, qtbot: QtBot) -> Iterator[Panel]:
    world.remember("package-manager.md", "We use bun", "project")
    world.workspace.store.write("ports.md", PORTS, base_digest=None, origin=PERSON)
    world.remember("提交信息.md", "提交信息都用中文写", "feedback", body="See [[package-manager]] and [auth](api/auth.md).")
    world.remember("api/auth.md", "Tokens last 15 minutes", "reference", origin=ChangeOrigin("main", "sess_0123"))
    made = Panel(world, qtbot)
    yield made
    made.close()


def submenu(panel: Panel, path: str) -> dict[str, QMenu]:
    """The submenus of a row's context menu by their titles."""
    row = panel.row(path)
    assert row is not None
    found: dict[str, QMenu] = {}
    for action in panel.widget.context_menu(row).actions():
        menu = action.menu()
        if isinstance(menu, QMenu):
            found[action.text()] = menu
    return found


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


# -- deleting --------------------------------------------------------------------------------------------------------------------


def test_delete_moves_to_the_trash_and_undo_brings_it_back(panel: Panel, world: World) -> None:
    before, index = world.text("package-manager.md"), world.text("MEMORY.md")
    panel.select("package-manager.md")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "package-manager.md" not in panel.shown())
    assert "package-manager" not in world.text("MEMORY.md")
    kind, text, _ = panel.notice("is deleted")
    assert kind == "info" and "package-manager.md" in text
    panel.undo("is deleted")
    panel.wait(lambda: "package-manager.md" in panel.shown())
    assert world.text("package-manager.md") == before and world.text("MEMORY.md") == index
    panel.redo("as it was before")
    panel.wait(lambda: "package-manager.md" not in panel.shown())
    panel.undo("Redone: “package-manager.md”.")
    panel.wait(lambda: "package-manager.md" in panel.shown())


def test_several_are_deleted_at_once_and_come_back_at_once(panel: Panel) -> None:
    panel.select("package-manager.md", "提交信息.md")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: panel.shown() == {"MEMORY.md", "api/", "api/auth.md", "ports.md"})
    panel.undo("2 memories are deleted.")
    panel.wait(lambda: {"package-manager.md", "提交信息.md"} <= panel.shown())


def test_deletions_after_each_other_share_one_toast(panel: Panel, world: World) -> None:
    """A burst is said once, in one place on the screen, and its Undo takes all of it back."""
    for number in range(20):
        world.remember(f"n{number:02}.md")
    panel.wait(lambda: len(panel.shown()) == 26)
    for number in range(20):
        panel.controller.acts.delete([("project", f"n{number:02}.md")])
    panel.notice("20 memories are deleted.")
    assert set(panel.tags) == {"memory-delete"}, "each toast takes the place of the one before"
    panel.undo("20 memories are deleted.")
    panel.wait(lambda: len(panel.shown()) == 26)


def test_a_folder_is_deleted_with_what_is_in_it_and_comes_back_whole(panel: Panel, world: World) -> None:
    world.remember("api/limits.md", "Sixty a minute")
    panel.wait(lambda: "api/limits.md" in panel.shown())
    panel.select("api/")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "api/" not in panel.shown())
    panel.undo("2 memories are deleted.")
    panel.wait(lambda: {"api/auth.md", "api/limits.md"} <= panel.shown())


def test_the_index_is_not_deleted_from_here(panel: Panel, world: World) -> None:
    panel.select("MEMORY.md")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    assert "Delete" not in panel.menu_texts("MEMORY.md") and "Rename…" not in panel.menu_texts("MEMORY.md")
    panel.select("提交信息.md")
    QTest.keyClick(panel.tree, Qt.Key.Key_Delete)
    panel.wait(lambda: "提交信息.md" not in panel.shown())
    assert (world.root / "MEMORY.md").exists()


def test_what_failed_is_said_with_the_rest_done(panel: Panel, world: World) -> None:
    (world.root / "package-manager.md").unlink()
    panel.controller.acts.delete([("project", "提交信息.md"), ("project", "package-manager.md"), ("project", "api/auth.md")])
    kind, text, _ = panel.notice("package-manager.md")
    assert kind == "error" and "package-manager.md" in text
    panel.notice("“提交信息.md” is deleted.")
    assert (world.root / "api/auth.md").exists()


# -- renaming and moving ---------------------------------------------------------------------------------------------------------


def rename_in_place(panel: Panel, path: str, name: str) -> None:
    panel.select(path)
    QTest.keyClick(panel.tree, Qt.Key.Key_F2)
    editor = panel.tree.findChild(QLineEdit, "memoryRename")
    assert editor is not None and editor.text() == path.removesuffix("/").rpartition("/")[2].removesuffix(".md")
    editor.setText(name)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_rename_in_place_and_links_follow(panel: Panel, world: World) -> None:
    """FM-05: `[[stem]]` and `(path.md)` links of other memories lead to the new place, and one Undo takes all of it back."""
    world.workspace.store.write("links.md", LINKS, base_digest=None, origin=PERSON)
    panel.wait(lambda: "links.md" in panel.shown())
    before = world.text("links.md")
    rename_in_place(panel, "ports.md", "端口")
    panel.wait(lambda: "端口.md" in panel.shown())
    assert "端口.md" in world.text("MEMORY.md")
    panel.notice("Links in 1 other memor")
    assert "[[端口]] and [by path](端口.md)" in world.text("links.md")
    assert "`[[ports]]`" in world.text("links.md"), "code is left alone"
    panel.wait(lambda: panel.tree.current() is not None and panel.tree.current().path == "端口.md")  # type: ignore[union-attr]
    panel.undo("Renamed to")
    panel.wait(lambda: "ports.md" in panel.shown() and "端口.md" not in panel.shown())
    panel.settle()
    assert world.text("links.md") == before


def test_a_memory_named_like_its_file_is_named_like_its_new_file(panel: Panel, world: World) -> None:
    """Else the row would say the old name; links by name follow, and a name of its own stays (see above)."""
    texts = {path: world.text(path) for path in ("package-manager.md", "提交信息.md", "MEMORY.md")}
    rename_in_place(panel, "package-manager.md", "包管理器")
    panel.wait(lambda: panel.row("包管理器.md") is not None)
    panel.wait(lambda: panel.row("包管理器.md").name == "包管理器")  # type: ignore[union-attr]
    assert "[[包管理器]]" in world.text("提交信息.md")
    panel.undo("Renamed to")
    panel.wait(lambda: "package-manager.md" in panel.shown())
    panel.settle()
    assert {path: world.text(path) for path in texts} == texts


def test_links_by_path_follow_a_rename(panel: Panel, world: World) -> None:
    before = world.text("提交信息.md")
    rename_in_place(panel, "api/auth.md", "tokens")
    panel.wait(lambda: "api/tokens.md" in panel.shown())
    panel.notice("Links in 1 other memor")
    assert "(api/tokens.md)" in world.text("提交信息.md")
    panel.undo("Renamed to")
    panel.wait(lambda: "api/auth.md" in panel.shown())
    panel.settle()
    assert world.text("提交信息.md") == before


def test_rename_never_replaces_another_memory(panel: Panel, world: World) -> None:
    taken = world.text("提交信息.md")
    panel.controller.acts.rename("project", "package-manager.md", "提交信息")
    kind, text, _ = panel.notice("提交信息.md")
    assert kind == "error" and "exists" in text
    assert world.text("提交信息.md") == taken and (world.root / "package-manager.md").exists()


@pytest.mark.parametrize(
    ("path", "name", "lands"),
    [
        ("package-manager.md", "tools/bun", "tools/bun.md"),
        ("api/auth.md", "/auth", "auth.md"),
        ("api/auth.md", "v2/auth.md", "api/v2/auth.md"),
    ],
)
def test_a_name_with_a_slash_moves_into_a_folder(panel: Panel, path: str, name: str, lands: str) -> None:
    rename_in_place(panel, path, name)
    panel.wait(lambda: lands in panel.shown() and path not in panel.shown())
    panel.undo("Renamed to")
    panel.wait(lambda: path in panel.shown() and lands not in panel.shown())


def test_a_name_that_leads_out_is_refused(panel: Panel, world: World) -> None:
    panel.controller.acts.rename("project", "package-manager.md", "../../escaped")
    panel.wait(lambda: any(kind == "error" for kind, _, _ in panel.notices))
    assert (world.root / "package-manager.md").exists() and not (world.root.parent.parent / "escaped.md").exists()


def test_a_folder_is_renamed_with_what_is_in_it(panel: Panel, world: World) -> None:
    world.remember("api/limits.md", "Sixty a minute")
    panel.wait(lambda: "api/limits.md" in panel.shown())
    rename_in_place(panel, "api/", "interface")
    panel.wait(lambda: {"interface/auth.md", "interface/limits.md"} <= panel.shown() and "api/" not in panel.shown())
    panel.undo("2 memories are moved.")
    panel.wait(lambda: {"api/auth.md", "api/limits.md"} <= panel.shown() and "interface/" not in panel.shown())


def test_move_to_another_root_by_the_menu_and_back(panel: Panel, world: World) -> None:
    before = world.text("package-manager.md")
    panel.select("package-manager.md")
    menus = submenu(panel, "package-manager.md")
    choose(menus["Move to"], "User (all projects)")
    panel.wait(lambda: "package-manager.md" in panel.shown("user") or panel.row("", "user").path != "")  # type: ignore[union-attr]
    panel.wait(lambda: "package-manager.md" not in panel.shown())
    assert "package-manager" in world.text("package-manager.md", "user")
    panel.undo("is in “User (all projects)” now.")
    panel.wait(lambda: "package-manager.md" in panel.shown() and "package-manager.md" not in panel.shown("user"))
    panel.settle()
    assert world.text("package-manager.md") == before and "package-manager.md" in world.text("MEMORY.md")


def test_move_into_a_folder_by_the_menu(panel: Panel) -> None:
    panel.select("package-manager.md", "提交信息.md")
    choose(submenu(panel, "package-manager.md")["Move to"], "api/")
    panel.wait(lambda: {"api/package-manager.md", "api/提交信息.md"} <= panel.shown())
    panel.undo("2 memories are moved.")
    panel.wait(lambda: {"package-manager.md", "提交信息.md"} <= panel.shown())


def drop(panel: Panel, sources: list[str], target: str, root: str = "project") -> bool:
    """Let rows go over a row, as at the end of a drag; whether they were taken."""
    place = panel.tree.visualRect(panel.widget.model.index_of(key(target, root))).center()
    return panel.tree.drop_at(place, [key(path) for path in sources])


def test_dragging_moves_between_folders_and_roots(panel: Panel, world: World) -> None:
    world.remember("editor.md", "Prefers vim keys", "user", root="user")
    panel.wait(lambda: "editor.md" in panel.shown("user"))
    assert drop(panel, ["package-manager.md"], "api/")
    panel.wait(lambda: "api/package-manager.md" in panel.shown())
    assert drop(panel, ["api/package-manager.md"], "", "user")
    panel.wait(lambda: "package-manager.md" in panel.shown("user"))
    assert drop(panel, ["api/auth.md"], "提交信息.md"), "onto a memory: to where that lies"
    panel.wait(lambda: "auth.md" in panel.shown())
    assert not drop(panel, ["auth.md"], "MEMORY.md") and not drop(panel, ["auth.md"], "auth.md")
    index, note = panel.widget.model.index_of(key("MEMORY.md")), panel.widget.model.index_of(key("auth.md"))
    assert not panel.widget.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    data = panel.widget.model.mimeData([note])
    assert bytes(data.data(MIME).data()).decode() == key("auth.md") and data.text() == "auth.md"


# -- pinning, undoing, looking ---------------------------------------------------------------------------------------------------


def test_pin_and_unpin(panel: Panel, world: World) -> None:
    before = world.text("提交信息.md")
    panel.select("提交信息.md")
    assert "Pin" in panel.menu_texts("提交信息.md")
    panel.widget.menus.pin.trigger()
    panel.wait(lambda: bool(panel.row("提交信息.md") and panel.row("提交信息.md").pinned))  # type: ignore[union-attr]
    index = panel.widget.model.index_of(key("提交信息.md"))
    assert "pinned" in panel.widget.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert "Unpin" in panel.menu_texts("提交信息.md")
    panel.undo("is pinned")
    panel.wait(lambda: not panel.row("提交信息.md").pinned)  # type: ignore[union-attr]
    panel.settle()
    assert world.text("提交信息.md") == before
    panel.widget.toggle_pin()
    panel.wait(lambda: panel.row("提交信息.md").pinned)  # type: ignore[union-attr]
    panel.widget.toggle_pin()
    panel.notice("no longer pinned")


def test_undo_last_takes_back_whatever_was_last(panel: Panel, world: World) -> None:
    world.remember("by-agent.md", "Written by the agent", origin=ChangeOrigin("main", "sess_0123"))
    panel.wait(lambda: "by-agent.md" in panel.shown())
    panel.controller.acts.undo_last()
    panel.wait(lambda: "by-agent.md" not in panel.shown())
    panel.notice("is gone again")
    panel.controller.acts.move([("project", "package-manager.md")], "user", "")
    panel.wait(lambda: "package-manager.md" not in panel.shown())
    panel.controller.acts.undo_last()
    panel.wait(lambda: "package-manager.md" in panel.shown())
    panel.settle()
    assert not (world.workspace.memories.store("user").root / "package-manager.md").exists(), "a move is taken back on both sides"


def test_undo_last_takes_an_act_back_as_a_whole(panel: Panel, world: World) -> None:
    """Who deleted three memories with one key does not have to undo three times; and the toast that offered it goes."""
    before = panel.shown()
    world.remember("working-hours.md", root="user")
    panel.controller.acts.delete([("project", "package-manager.md"), ("project", "ports.md"), ("user", "working-hours.md")])
    panel.notice("3 memories are deleted.")
    panel.settle()
    panel.controller.acts.undo_last()
    panel.notice("3 changes are undone.")
    panel.wait(lambda: panel.shown() == before and panel.row("working-hours.md", "user") is not None)
    assert panel.tags[-1] == "memory-delete", "it takes the place of the toast that has nothing to undo any more"


def test_a_toast_takes_back_what_is_left_to_take_back(panel: Panel, world: World) -> None:
    before = panel.shown()
    for path in ("package-manager.md", "ports.md"):
        panel.controller.acts.delete([("project", path)])
    panel.notice("2 memories are deleted.")
    panel.settle()
    panel.controller.acts.undo_last()
    panel.wait(lambda: "ports.md" in panel.shown())
    assert "package-manager.md" not in panel.shown(), "two acts are two steps"
    panel.undo("2 memories are deleted.")
    panel.wait(lambda: panel.shown() == before)
    assert all(kind == "info" for kind, _, _ in panel.notices)


def test_an_undo_over_a_later_change_is_refused_and_nothing_is_lost(panel: Panel, world: World) -> None:
    panel.controller.acts.pin([("project", "提交信息.md")], True)
    panel.notice("is pinned")
    later = note_text("提交信息", "changed since")
    outside_write(world.root / "提交信息.md", later)
    panel.wait(lambda: bool(panel.row("提交信息.md") and panel.row("提交信息.md").detail == "changed since"))  # type: ignore[union-attr]
    panel.settle()
    panel.undo("is pinned")
    panel.wait(lambda: any(kind == "error" and "提交信息.md" in text for kind, text, _ in panel.notices))
    assert world.text("提交信息.md") == later


def test_copy_path_and_text(panel: Panel, world: World) -> None:
    panel.select("提交信息.md")
    panel.widget.menus.copy_path.trigger()
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == str(world.root / "提交信息.md")
    panel.widget.menus.copy_text.trigger()
    panel.wait(lambda: clipboard.text() == world.text("提交信息.md"))


def test_origin_session_and_history_are_asked_for(panel: Panel) -> None:
    sessions: list[str] = []
    histories: list[tuple[str, str]] = []
    panel.widget.session_requested.connect(sessions.append)
    panel.widget.history_requested.connect(lambda root, path: histories.append((root, path)))
    assert "Show Origin" in panel.menu_texts("api/auth.md")
    assert "Show Origin" not in panel.menu_texts("package-manager.md")
    panel.select("api/auth.md")
    panel.widget.menus.session.trigger()
    panel.widget.menus.history.trigger()
    assert sessions == ["sess_0123"] and histories == [("project", "api/auth.md")]


def test_the_origin_is_the_very_message_where_it_is_known(panel: Panel) -> None:
    asked: list[tuple[str, str]] = []
    panel.widget.origin_requested.connect(lambda session, message: asked.append((session, message)))
    panel.world.remember("said.md", origin=ChangeOrigin("main", "sess_one", "msg_two"))
    panel.wait(lambda: panel.widget.model.row_of(key("said.md")) is not None)
    panel.select("said.md")
    assert "Show Origin" in panel.menu_texts("said.md")
    panel.widget.menus.session.trigger()
    assert asked == [("sess_one", "msg_two")]


def test_only_what_came_from_one_chat(panel: Panel) -> None:
    ended: list[bool] = []
    panel.widget.here_ended.connect(lambda: ended.append(True))
    panel.widget.show_only([("project", "api/auth.md")])
    assert [path for path in panel.shown() if path.endswith(".md")] == ["api/auth.md"]
    assert panel.widget.here.isVisible() and "1 of" in panel.widget.header.count.text()
    panel.widget.here.buttons[0].click()
    assert ended == [True]
    panel.widget.show_only([])
    assert panel.widget.page.isVisible() and "Nothing from this chat" in panel.widget.page.title.text()
    panel.widget.show_only(None)
    assert not panel.widget.here.isVisible() and len(panel.shown()) > 2


def test_a_new_memory_starts_where_the_selection_is(panel: Panel) -> None:
    asked: list[tuple[str, str]] = []
    opened: list[tuple[str, str]] = []
    panel.widget.new_requested.connect(lambda root, folder: asked.append((root, folder)))
    panel.widget.open_requested.connect(lambda root, path: opened.append((root, path)))
    panel.select("api/auth.md")
    panel.widget.header.new.click()
    panel.select("package-manager.md")
    panel.widget.header.new.click()
    panel.tree.select(key("", "user"))
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    panel.tree.select(key("", "workspace"))
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert asked == [("project", "api"), ("project", ""), ("user", "")]
    assert opened == [("workspace", "MEMORY.md")], "the workspace has one file only"
