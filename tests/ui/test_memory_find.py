"""Find in the source of a memory: by key, with counting and stepping, over Chinese and pairs of surrogates, in editor and viewer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui.memory.find_in_source import FindInSource, places_of
from desktop.ui.memory.viewer import MemoryViewer
from tests.ui.editor_world import WAIT_MS, Editor
from tests.ui.memory_world import World, made_world

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEXT = "Bun here. 😀 bun there.\n\n数据库迁移，再说数据库。 BUN at the end."


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


def opened(world: World, qtbot: QtBot) -> Editor:
    world.remember("tool.md", "The tool", "project", TEXT)
    editor = Editor(world, qtbot, "tool.md")
    editor.widget.activateWindow()
    editor.widget.source.setFocus()
    return editor


def find(widget: QWidget, finding: FindInSource, words: str) -> None:
    QTest.keyClick(widget, Qt.Key.Key_F, CONTROL)
    assert not finding.isHidden()
    finding.box.setText(words)


def test_places_do_not_overlap_and_count_as_qt_counts() -> None:
    assert places_of("aa", "aaaa") == [(0, 2), (2, 4)]
    assert places_of("b", "😀b 😀B") == [(2, 3), (6, 7)]
    assert places_of(".", "a.b") == [(1, 2)] and places_of("", "a") == [] and places_of("x", "a") == []
    assert len(places_of("a", "a" * 10, most=3)) == 3


def test_the_key_shows_the_row_and_return_steps_around(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    source, finding = editor.widget.source, editor.widget.finding
    assert finding.isHidden()
    find(source, finding, "bun")
    assert finding.count.text() == "1 of 3" and source.textCursor().selectedText() == "Bun"
    assert len(source.extraSelections()) == 3
    seen = []
    for _ in range(3):
        QTest.keyClick(finding.box, Qt.Key.Key_Return)
        seen.append((source.textCursor().selectedText(), finding.count.text()))
    assert seen == [("bun", "2 of 3"), ("BUN", "3 of 3"), ("Bun", "1 of 3")]
    QTest.keyClick(finding.box, Qt.Key.Key_Return, SHIFT)
    assert source.textCursor().selectedText() == "BUN"
    QTest.keyClick(source, Qt.Key.Key_F3)
    assert finding.count.text() == "1 of 3"
    assert not editor.widget.is_modified()


def test_escape_gives_the_keyboard_back_and_takes_the_marks_away(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    source, finding = editor.widget.source, editor.widget.finding
    find(source, finding, "数据库")
    assert finding.count.text() == "1 of 2"
    QTest.keyClick(finding.box, Qt.Key.Key_Escape)
    assert finding.isHidden() and source.extraSelections() == []
    assert source.textCursor().selectedText() == "数据库" and editor.widget.focusWidget() is source
    source.setTextCursor(editor.widget.source.cursorForPosition(source.rect().topLeft()))
    QTest.keyClick(source, Qt.Key.Key_F, CONTROL)
    assert finding.box.text() == "数据库"  # what was looked for last is there again


def test_what_is_selected_is_looked_for_and_what_is_typed_is_marked_anew(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    source, finding = editor.widget.source, editor.widget.finding
    source.reveal(1, "there")
    QTest.keyClick(source, Qt.Key.Key_F, CONTROL)
    assert finding.box.text() == "there" and finding.count.text() == "1 of 1"
    finding.box.setText("nowhere")
    assert finding.count.text() == "No match" and not finding.next.isEnabled()
    editor.type("nowhere\n")
    editor.wait(lambda: finding.count.text() == "1 of 1")
    assert source.textCursor().atEnd()  # the one who types keeps the cursor


def test_from_the_preview_the_source_comes_into_view(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.widget.set_mode("preview")
    editor.widget.preview.setFocus()
    find(editor.widget.preview.browser, editor.widget.finding, "tool")
    assert editor.widget.source.isVisible() and editor.widget.finding.count.text().endswith("of 2")


def test_where_no_text_is_shown_nothing_is_looked_for(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    (editor.root / "tool.md").unlink()
    editor.document.open()
    editor.wait(lambda: editor.widget.page.isVisible())
    editor.widget.finding.begin()
    assert editor.widget.finding.isHidden()
    viewer = MemoryViewer(lambda: world.workspace.store.read("tool.md"), "demo", "tool.md", world.operations)
    qtbot.addWidget(viewer)
    viewer.show()
    qtbot.waitUntil(lambda: viewer.pages.currentWidget() is viewer.page, timeout=WAIT_MS)
    viewer.finding.begin()
    assert viewer.finding.isHidden() and viewer.pages.currentWidget() is viewer.page, "the message stays"
    viewer.dispose()


def test_a_memory_that_is_only_read_can_be_searched_too(world: World, qtbot: QtBot) -> None:
    world.remember("tool.md", "The tool", "project", TEXT)
    viewer = MemoryViewer(lambda: world.workspace.store.read("tool.md"), "demo", "tool.md", world.operations)
    qtbot.addWidget(viewer)
    viewer.show()
    viewer.activateWindow()
    qtbot.waitUntil(lambda: bool(viewer.source.text()), timeout=WAIT_MS)
    find(viewer, viewer.finding, "数据库")
    assert viewer.pages.currentWidget() is viewer.source and viewer.finding.count.text() == "1 of 2"
    viewer.dispose()
