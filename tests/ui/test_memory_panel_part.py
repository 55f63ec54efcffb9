"""Memory in the window: tabs of every root, the lists over the window, and the commands, on a real workbench."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop.app.memory_part import MemoryPart
from desktop.app.memory_tabs import place_of, tab_key
from desktop.app.tab_drafts import Draft
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.memory.foreign import claude_slug
from desktop.memory.store import ChangeOrigin
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.history_view import HistoryView
from desktop.ui.memory.viewer import MemoryViewer
from desktop.ui.workbench import Workbench
from tests.ui.memory_world import PERSON, World, made_world, note_text

COMMANDS = {
    "memory.show", "memory.new", "memory.refresh", "memory.open", "memory.filter", "memory.undo", "memory.history", "memory.trash",
    "memory.pin", "memory.adopt",
}  # fmt: skip


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Window:
    """A workbench with memory in it. Not given to qtbot, which would delete it, and the controller with it, before `close`."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bench = Workbench(CommandRegistry())
        self.part = MemoryPart(world.services, self.bench, world.operations)
        self.bench.registry.set_fact("folderOpen", True)
        self.bench.resize(1_000, 700)
        self.bench.show()
        self.part.set_workspace(world.workspace)
        self.settle()

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=10_000)

    def settle(self) -> None:
        controller = self.part.controller
        self.wait(lambda: controller.snapshot is not None and not controller.is_reading and self.world.operations.pending == 0)
        for watcher in controller.watchers:
            watcher.join()

    def shown(self, path: str, root: str = "project") -> bool:
        picture = self.part.controller.picture(root)
        return picture is not None and any(row.path == path for row in picture.notes)

    def tabs(self) -> list[str]:
        return self.bench.editors.open_keys()

    def toasts(self) -> list[str]:
        return self.bench.notifications.texts()

    def close(self) -> None:
        for key in self.tabs():
            self.bench.editors.close(key)
        self.settle()
        self.part.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.bench.deleteLater()


@pytest.fixture
def window(world: World, qtbot: QtBot) -> Iterator[Window]:
    world.remember("bun.md", "We use bun", origin=ChangeOrigin("main", "sess_42"))
    world.remember("editor.md", "Prefers vim keys", "user", root="user")
    made = Window(world, qtbot)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("root", "path", "key"),
    [
        ("project", "a/b.md", "memory:a/b.md"),
        ("user", "a/b.md", "memory:user//a/b.md"),
        ("foreign:claude-code", "x.md", "memory:foreign:claude-code//x.md"),
    ],
)
def test_keys_of_tabs(root: str, path: str, key: str) -> None:
    assert tab_key(root, path) == key and place_of(key) == (root, path)
    assert place_of("settings") == ("project", "")


def test_every_command_is_in_the_palette(window: Window) -> None:
    commands = {command.id: command for command in window.bench.registry.all()}
    assert commands.keys() >= COMMANDS
    listed = {command.id for command in window.bench.registry.for_palette()}
    assert listed >= COMMANDS
    assert window.bench.registry.key_of("memory.undo")


def test_tabs_of_other_roots_open_save_and_come_back(window: Window, world: World) -> None:
    window.part.panel.open_requested.emit("user", "editor.md")
    assert window.tabs() == ["memory:user//editor.md"]
    editor = window.bench.editors.widget("memory:user//editor.md")
    assert isinstance(editor, MemoryEditor)
    window.wait(lambda: editor.document.base is not None)
    editor.source.change_to(editor.source.text().replace("vim", "emacs"))
    editor.save(lambda _ok: None)
    window.wait(lambda: "emacs" in world.text("editor.md", "user"))
    window.bench.editors.close("memory:user//editor.md")
    assert window.part.restore("memory:user//editor.md") and window.tabs() == ["memory:user//editor.md"]
    assert not window.part.restore("settings")
    assert window.part.panel.tree.open_key == "user//editor.md"


def test_a_new_memory_of_a_root_and_folder_gets_its_file_there(window: Window, world: World) -> None:
    window.part.panel.new_requested.emit("user", "habits")
    key = window.bench.editors.current_key()
    assert key.startswith("memory-new:user//")
    editor = window.bench.editors.widget(key)
    assert isinstance(editor, MemoryEditor)
    editor.source.change_to(note_text("coffee", "No sugar"))
    editor.save(lambda _ok: None)
    window.wait(lambda: window.tabs() == ["memory:user//habits/coffee.md"])
    assert "No sugar" in world.text("habits/coffee.md", "user")


def test_a_draft_of_another_root_comes_back_there(window: Window) -> None:
    drafts = {"memory-new:user//1": Draft("typed for the person"), "memory:bun.md": Draft("typed for the project")}
    placed: list[str] = []
    count = window.part.restore_drafts(drafts, placed.append)
    window.wait(lambda: sorted(placed) == sorted(drafts))
    assert count == 2 and window.tabs()[0].startswith("memory-new:user//") and "memory:bun.md" in window.tabs()
    new = window.bench.editors.widget(window.tabs()[0])
    assert isinstance(new, MemoryEditor) and new.document.store.memory_root.id == "user"
    assert "typed for the person" in new.source.text()


def test_another_tools_memory_opens_read_only(window: Window, world: World) -> None:
    folder = Path(world.services.environ["HOME"]) / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text(note_text("deploy"), encoding="utf-8")
    world.services.settings.set("memory.foreign", ["claude-code"])
    window.wait(lambda: window.shown("deploy.md", "foreign:claude-code"))
    window.part.panel.open_requested.emit("foreign:claude-code", "deploy.md")
    key = "memory:foreign:claude-code//deploy.md"
    assert isinstance(window.bench.editors.widget(key), MemoryViewer)


def test_history_opens_in_a_tab_and_by_command(window: Window) -> None:
    window.part.panel.history_requested.emit("project", "bun.md")
    key = "memory-history:project/bun.md"
    assert isinstance(window.bench.editors.widget(key), HistoryView)
    window.bench.editors.close(key)
    window.part.open_memory("bun.md")
    window.bench.run("memory.history")
    assert key in window.tabs()
    window.bench.editors.close(key)
    assert window.part.restore(key) and key in window.tabs()
    sessions: list[str] = []
    window.part.session_requested.connect(sessions.append)
    window.part.panel.session_requested.emit("sess_42")
    assert sessions == ["sess_42"]


def test_a_tab_follows_its_memory_to_another_root(window: Window, world: World) -> None:
    window.part.open_memory("bun.md")
    editor = window.bench.editors.widget("memory:bun.md")
    assert isinstance(editor, MemoryEditor)
    window.wait(lambda: editor.document.base is not None)
    window.part.controller.acts.move([("project", "bun.md")], "user", "")
    window.wait(lambda: window.tabs() == ["memory:user//bun.md"])
    assert (world.workspace.memories.store("user").root / "bun.md").exists()


def test_go_to_a_memory_lists_every_root(window: Window) -> None:
    window.bench.run("memory.open")
    picker = window.part.picks.picker
    assert set(picker.ids()) >= {"project//bun.md", "user//editor.md", "project//MEMORY.md"}
    picker.line.setText("vim")
    assert picker.ids()[0] == "user//editor.md"
    picker.chosen.emit("user//editor.md")
    assert window.tabs() == ["memory:user//editor.md"]
    picker.dismiss()


def test_recently_deleted_puts_back(window: Window, world: World) -> None:
    before = world.text("bun.md")
    window.part.controller.acts.delete([("project", "bun.md")])
    window.wait(lambda: not window.shown("bun.md"))
    window.bench.run("memory.trash")
    picker = window.part.picks.picker
    window.wait(lambda: picker.isVisible() and len(picker.ids()) == 1)
    entry = picker._model.rows[0][0]
    assert entry.label == "bun.md" and "You" in entry.detail and "bytes" in entry.right
    picker.chosen.emit(entry.id)
    assert picker.ids() == ["back", "purge"]
    picker.chosen.emit("back")
    window.wait(lambda: window.shown("bun.md"))
    assert world.text("bun.md") == before
    picker.dismiss()


def test_deleting_for_good_asks_first_and_says_what_still_holds_it(window: Window, world: World) -> None:
    words = "kept-nowhere-else-" + "x" * 6
    world.remember("secret-plan.md", "A plan", body=words)
    session = world.services.paths.sessions / world.workspace.project.key
    session.mkdir(parents=True, exist_ok=True)
    (session / "sess_77.jsonl").write_text(f'{{"text": "{words}"}}\n', encoding="utf-8")
    window.part.controller.acts.delete([("project", "secret-plan.md")])
    window.wait(lambda: any("secret-plan.md" in text for text in window.toasts()))
    window.bench.run("memory.trash")
    picker = window.part.picks.picker
    window.wait(lambda: picker.isVisible() and len(picker.ids()) == 1)
    picker.chosen.emit(picker.ids()[0])
    picker.chosen.emit("purge")
    box = window.bench.findChild(QMessageBox, "purgeDialog")
    assert box is not None and "secret-plan.md" in box.text() and "cannot be undone" in box.informativeText()
    assert "until you delete them" in box.informativeText() and box.defaultButton().text() == "Cancel"
    next(button for button in box.findChildren(QPushButton) if button.text() == "Delete for Good").click()
    window.wait(lambda: any("for good" in text for text in window.toasts()))
    told = next(text for text in window.toasts() if "for good" in text)
    assert "sess_77" in told, "the transcript that still holds it is named"
    kept = [file for file in world.services.paths.data.rglob("*") if file.is_file() and words.encode() in file.read_bytes()]
    assert kept == [session / "sess_77.jsonl"]
    picker.dismiss()


def test_nothing_deleted_and_no_lost_project_are_said(window: Window) -> None:
    window.bench.run("memory.trash")
    window.wait(lambda: any("Nothing was deleted" in text for text in window.toasts()))
    window.bench.run("memory.adopt")
    window.wait(lambda: any("no lost project" in text for text in window.toasts()))


def test_a_toast_of_a_burst_takes_the_place_of_the_last(window: Window, world: World) -> None:
    for number in range(30):
        world.remember(f"n{number:02}.md")
    for number in range(30):
        window.part.controller.acts.delete([("project", f"n{number:02}.md")])
    window.wait(lambda: any("30 memories" in text for text in window.toasts()))
    assert window.bench.notifications.count == 1
    window.bench.run("memory.undo")
    window.wait(lambda: window.shown("n29.md"))


def test_the_workspace_file_is_named_by_its_root(window: Window, world: World) -> None:
    world.workspace.memories.store("workspace").write("MEMORY.md", "# Team\n", base_digest=None, origin=PERSON)
    window.wait(lambda: (picture := window.part.controller.picture("workspace")) is not None and not picture.is_empty)
    window.part.panel.open_requested.emit("workspace", "MEMORY.md")
    assert "memory:workspace//MEMORY.md" in window.tabs()
