"""Where a search leads: into the editor at the line, source or preview; into a session; and from the filter box of the memory view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.foreign import claude_slug
from desktop.ui import theme
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.viewer import MemoryViewer
from desktop.ui.sessions.viewer import SessionViewer
from tests.ui.memory_world import World, key, made_world, note_text, outside_write
from tests.ui.search_world import Window, say_all

BODY = "# Otters\n\nAn otter swims.\n\n" + "A line of nothing.\n\n" * 60 + "Here the **otter** sleeps, says the otter book.\n"


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


@pytest.fixture
def window(world: World, qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    world.remember("otter.md", "River animals", body=BODY)
    world.remember("database.md", "Where data lives", body="数据库迁移用 Alembic，每次迁移都要能回退。")
    world.remember("deep/lantern.md", "Light", body="Carry a lantern.")
    made = Window(world, qtbot)
    made.open()
    made.bench.run("search.show")
    yield made
    made.close()


def open_first(window: Window, query: str, kind: str) -> None:
    """Search, and open the first row of this kind by Enter."""
    window.type(query)
    window.choose(kind)
    window.press(Qt.Key.Key_Return, window.view.tree)
    window.settle()


def editor_of(window: Window) -> MemoryEditor:
    editor = window.bench.editors.current_widget()
    assert isinstance(editor, MemoryEditor)
    window.until(lambda: editor.document.base is not None)
    return editor


def test_a_memory_opens_at_the_line_with_the_words_selected(window: Window) -> None:
    open_first(window, "otter sleeps", "passage")
    source = editor_of(window).source
    window.until(lambda: source.textCursor().hasSelection())
    assert source.textCursor().selectedText().lower() in ("otter", "sleeps")
    line = source.textCursor().block().text()
    assert "sleeps" in line or "otter" in line.lower()
    assert window.bench.focusWidget() is source, "the keyboard goes along"


def test_an_open_memory_is_shown_at_the_next_place(window: Window) -> None:
    window.memory.tabs.reveal("project", "otter.md", 1, "swims")
    window.settle()
    source = editor_of(window).source
    assert source.textCursor().selectedText() == "swims"
    far = source.text().count("\n")
    window.memory.tabs.reveal("project", "otter.md", far - 1, "otter")
    assert source.textCursor().selectedText() == "otter" and "sleeps" in source.textCursor().block().text()
    assert source.reveal(3, "no such words") is False and source.textCursor().blockNumber() == 2


def test_in_the_preview_the_same_place_is_selected(window: Window) -> None:
    window.memory.tabs.open("project", "otter.md")
    editor = editor_of(window)
    editor.set_mode("preview")
    window.settle()
    far = editor.source.text().count("\n")
    window.memory.tabs.reveal("project", "otter.md", far - 1, "otter")
    browser = editor.preview.browser
    window.until(lambda: browser.textCursor().hasSelection())
    assert browser.textCursor().selectedText() == "otter" and "sleeps" in browser.textCursor().block().text()
    assert editor.shown_mode() == "preview", "the tab stays as it is"


def test_a_memory_of_another_tool_opens_in_its_viewer(window: Window, world: World) -> None:
    home = Path(str(world.services.environ["HOME"]))
    folder = home / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
    outside_write(folder / "theirs.md", note_text("theirs", "Zebra") + "\nMind the zebra crossing.\n")
    world.services.settings.set("memory.foreign", ["claude-code"])
    world.workspace.memories.found(fresh=True)
    window.memory.controller.refresh()
    window.search.controller.refresh_memory()
    window.settle()
    open_first(window, "zebra crossing", "passage")
    viewer = window.bench.editors.current_widget()
    assert isinstance(viewer, MemoryViewer)
    window.until(lambda: viewer.preview.browser.textCursor().selectedText().lower() in ("zebra", "crossing"))


def test_a_session_opens_read_only_at_the_message(window: Window, world: World) -> None:
    handle = say_all(world, [("user", "Where are the keys?"), ("assistant", "Under the marble lantern."), ("user", "Thanks")])
    handle.close()
    window.until(lambda: not window.search.controller.busy)
    open_first(window, "marble", "message")
    viewer = window.bench.editors.current_widget()
    assert isinstance(viewer, SessionViewer) and window.bench.editors.current_key() == f"session:{handle.id}"
    window.until(lambda: len(viewer.messages.views) == 3)  # they come one after the other
    selected = [view.textCursor().selectedText() for view in viewer.findChildren(type(viewer.messages.views[1].body.views[0]))]  # type: ignore[attr-defined]
    assert "marble" in selected
    titles = [tab.title for tab in window.bench.editors.open_tabs()]
    assert titles == ["Where are the keys?"]
    window.bench.editors.close()
    assert window.search.restore(f"session:{handle.id}") and window.tabs() == [f"session:{handle.id}"]
    window.settle()


def test_the_open_conversation_is_scrolled_not_opened_again(window: Window, world: World) -> None:
    handle = say_all(world, [("user", "Is the marble lantern here?")])
    window.search.set_current(handle.id)
    window.until(lambda: not window.search.controller.busy)
    asked: list[tuple[str, str]] = []
    window.search.chat_requested.connect(lambda *values: asked.append(values))
    open_first(window, "marble", "message")
    assert asked == [(handle.messages[0].id, "marble")] and window.tabs() == []
    handle.close()


# --- the filter box of the memory view --------------------------------------------------------------------------------


def filter_by(window: Window, text: str) -> None:
    window.memory.panel.filter.setText(text)
    window.until(lambda: window.memory.panel._query == text)
    window.settle()


def shown(window: Window) -> set[str]:
    return {
        row.path for name in window.memory.panel.model.row_keys() if (row := window.memory.panel.model.row_of(name)) and row.kind == "note"
    }


def test_the_filter_finds_what_stands_in_the_files(window: Window) -> None:
    window.memory.filter()
    filter_by(window, "alembic")
    assert shown(window) == {"database.md"}
    row = window.memory.panel.model.row_of(key("database.md"))
    assert row is not None and "Alembic" in row.snippet and [row.snippet[a:b] for a, b in row.marks] == ["Alembic"]
    assert window.memory.panel.header.count.text().startswith("1 of")
    index = window.memory.panel.model.index_of(key("database.md"))
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "Alembic" in str(index.data(role)), "it says where"
    assert not window.memory.panel.grab().isNull()


def test_the_filter_finds_chinese_and_beginnings_of_words(window: Window) -> None:
    window.memory.filter()
    filter_by(window, "回退")
    assert shown(window) == {"database.md"}
    filter_by(window, "lant")
    assert shown(window) == {"deep/lantern.md"}
    row = window.memory.panel.model.row_of(key("deep/lantern.md"))
    assert row is not None and not row.snippet, "its header says it already"
    filter_by(window, "sleeps")
    assert shown(window) == {"otter.md"}


def test_the_filter_says_when_nothing_is_found_and_follows_the_files(window: Window, world: World) -> None:
    window.memory.filter()
    filter_by(window, "unicorn")
    assert shown(window) == set() and window.memory.panel.page.title.text() == "Nothing found"
    world.remember("new.md", "Something", body="A unicorn came by.")
    window.until(lambda: shown(window) == {"new.md"})
    window.settle()
    window.memory.panel.filter.clear()
    window.until(lambda: len(shown(window)) == 4)
    window.settle()
