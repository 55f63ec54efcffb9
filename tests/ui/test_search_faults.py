"""What a search meets that changed behind it: files, index, memory, transcripts, drafts; and how its controls look in each state."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui import icons, theme
from desktop.ui.chat.message_list import COLUMN
from desktop.ui.clear_button import ACTION
from desktop.ui.cut import CutButton
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.marked_text import ELLIPSIS, LineDrawer, Marked
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.sessions.viewer import SessionViewer
from tests.helpers.wait import wait_for
from tests.ui.memory_world import World, made_world, outside_write
from tests.ui.search_world import Window, say_all

MANY_WORDS = "Fewer or rarer words find more. " * 5
BODY = "# Otters\n\nAn otter swims.\n\n" + "A line of nothing.\n\n" * 20 + "Here the otter sleeps.\n"


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        made.remember("otter.md", "River animals", body=BODY)
        made.remember("lantern.md", "Light", body="Carry a lantern.")
        yield made


@pytest.fixture
def window(world: World, qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    made = Window(world, qtbot)
    made.open()
    made.bench.run("search.show")
    yield made
    made.close()


def open_hit(window: Window, kind: str = "passage", words: str = "") -> QWidget:
    """Open the first hit of this kind by Enter; the widget of its tab."""
    window.choose(kind, words)
    window.press(Qt.Key.Key_Return, window.view.tree)
    window.settle()
    shown = window.bench.editors.current_widget()
    assert shown is not None
    return shown


# --- what changed since it was found ----------------------------------------------------------------------------------


def test_a_hit_whose_file_is_gone_says_so_and_leaves_the_results(window: Window, world: World) -> None:
    window.type("otter sleeps")
    window.choose("passage")
    (world.root / "otter.md").rename(world.root / "beaver.md")
    editor = open_hit(window)
    assert isinstance(editor, MemoryEditor)
    window.until(lambda: editor.page.isVisible())
    assert "deleted or renamed" in editor.page.body.text()
    window.until(lambda: [row.place.path for row in window.rows("memory") if row.place] == ["beaver.md"])  # type: ignore[union-attr]


def test_a_hit_is_found_where_its_words_stand_now_and_a_draft_is_kept(window: Window, world: World) -> None:
    window.type("sleeps")
    outside_write(world.root / "otter.md", world.text("otter.md").replace("# Otters", "# Otters\n\nnew\n\nlines\n"))
    editor = open_hit(window)
    assert isinstance(editor, MemoryEditor)
    assert "otter sleeps" in editor.source.textCursor().block().text()
    editor.source.change_to(editor.draft().replace("# Otters", "# Otters\n\nmy own draft\n"))
    window.bench.run("search.show")
    open_hit(window)
    assert "my own draft" in editor.draft() and "otter sleeps" in editor.source.textCursor().block().text()
    editor.take_theirs()
    window.settle()


def test_an_index_that_is_deleted_or_broken_under_the_view_is_no_matter(window: Window, world: World) -> None:
    window.type("otter sleeps")
    shutil.rmtree(world.services.paths.index)
    window.type("lantern")
    assert window.texts("memory") == ["lantern"] and window.page()[0] == ""
    window.settle()
    chance = random.Random(7)
    for file in world.services.paths.index.glob("*.sqlite3"):
        file.write_bytes(chance.randbytes(50_000))
    window.search.rebuild()
    window.settle()
    window.type("otter")
    assert window.texts("memory") == ["otter"] and window.page()[0] == ""


def test_memory_that_is_switched_off_meanwhile_can_still_be_searched_by_its_owner(window: Window, world: World) -> None:
    window.type("lantern")
    world.services.settings.set("memory.use", False)
    world.remember("zebra.md", "Zebra crossing")
    window.type("zebra")
    assert window.texts("memory") == ["zebra"]


def test_sessions_that_are_gone_or_damaged_say_so(window: Window, world: World) -> None:
    gone = say_all(world, [("user", "The marble lantern?")])
    damaged = say_all(world, [("user", "granite one"), ("assistant", "granite two"), ("user", "granite three")])
    gone.close()
    damaged.close()
    window.until(lambda: not window.search.controller.busy)
    files = {one.stem: one for one in world.services.paths.sessions.rglob("*.jsonl")}
    window.type("marble")
    files[gone.id].unlink()
    viewer = open_hit(window, "message")
    assert isinstance(viewer, SessionViewer) and viewer.page.isVisible() and gone.id in viewer.page.body.text()
    window.type("granite")
    lines = files[damaged.id].read_bytes().splitlines(keepends=True)
    files[damaged.id].write_bytes(b"".join([*lines[:2], lines[2][:30] + b"\n", *lines[3:]]))
    viewer = open_hit(window, "message", "three")
    assert isinstance(viewer, SessionViewer) and viewer.banner.isVisible() and viewer.messages.isVisible()


def test_closing_in_the_middle_of_indexing_leaves_no_thread(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    for number in range(1_500):
        head = f"---\nname: m{number}\ndescription: d{number}\nmetadata:\n  type: project\n---\n\n"
        (world.root / f"m{number:04}.md").write_text(head + f"words of all kinds {number}. " * 30, encoding="utf-8")
    window = Window(world, qtbot)
    window.bench.registry.set_fact("folderOpen", True)
    window.search.set_workspace(world.workspace)
    reported: list[object] = []
    window.search.controller.progressed.connect(lambda one: reported.append(one) if one is not None and one.done else None)
    window.until(lambda: reported)
    assert window.search.controller.indexer.busy
    window.sessions.controller.close()  # it has a thread of the same name, which begins by itself after a while
    indexing = window.search.controller.indexer._thread  # the list of sessions has one of its own, for those of other tools
    assert indexing is not None
    window.search.close()
    wait_for(lambda: not indexing.is_alive(), timeout=30.0, what="the thread's end")
    window.close()
    wait_for(lambda: not [one for one in threading.enumerate() if one.name == "keepsake-indexer"], timeout=30.0, what="the threads' end")


# --- how it looks -----------------------------------------------------------------------------------------------------


def ground(button: QToolButton) -> QColor:
    """The colour that most of the button has."""
    image: QImage = button.grab().toImage()
    return image.pixelColor(image.width() // 2, image.height() - 4)


def test_what_is_searched_looks_on_or_off_and_its_focus_is_seen(window: Window, qapp: QApplication) -> None:
    filters = window.view.filters
    for name in ("dark", "light"):
        theme.apply(qapp, name)
        on, off = filters.memory, filters.sessions
        on.setChecked(True)
        off.setChecked(False)
        assert ground(on) == theme.current().color("selection") != ground(off)
        rings = set()
        for focused in (False, True):
            (on if focused else window.view.box).setFocus(Qt.FocusReason.TabFocusReason)
            rings.add(on.grab().toImage().pixelColor(on.width() // 2, 0).name())
        assert len(rings) == 2, "the ring of the focus is another than that of being on"


def test_small_buttons_are_as_wide_as_what_they_show(window: Window) -> None:
    for button in (window.view.filters.scope, window.view.filters.kind):
        text = button.fontMetrics().horizontalAdvance(button.text())
        assert text < button.sizeHint().width() - button.iconSize().width() <= text + 24


def test_icons_follow_the_zoom(window: Window, qapp: QApplication) -> None:
    window.memory.tabs.open("project", "otter.md")
    window.settle()
    close = window.bench.editors.findChild(QToolButton, "tabCloseButton")
    assert isinstance(close, QToolButton)
    small = close.height()
    try:
        theme.apply(qapp, "dark", 2.0)
        for button in (window.view.again, window.memory.panel.header.new, close):
            assert button.iconSize().width() == 32, button.objectName()
        assert close.height() > small
    finally:
        theme.apply(qapp, "dark", 1.0)


def test_the_button_that_clears_is_drawn_as_all_icons(window: Window) -> None:
    for line in (window.view.box, window.memory.panel.filter):
        action = line.findChild(QAction, ACTION)
        assert isinstance(action, QAction)
        assert action.icon().cacheKey() == icons.icon("close", "secondary").cacheKey()


def test_rows_use_the_room_that_they_have(dark: theme.Theme) -> None:
    now = theme.current()
    drawer = LineDrawer(theme.ui_font(now), now.color("text"), now.color("text"))
    text = "Run the tests on the staging server, in a clean checkout, and then watch the deployment for a quarter of an hour"
    for width in range(120, 500, 37):
        line = drawer._fitted(Marked(text, ((8, 13),)), width)
        assert line.text.endswith(ELLIPSIS) and width - 16 <= drawer._width(line) <= width


def test_a_page_without_room_scrolls_and_cuts_its_offers(qtbot: QtBot, dark: theme.Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    page = MessagePage()
    qtbot.addWidget(page)
    page.show_message("search", "Nothing found", MANY_WORDS, [("Search in all of the projects", page.hide)] * 3)
    page.resize(130, 120)
    page.show()
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0)
    inside = page.widget()
    assert inside is not None and inside.width() <= page.viewport().width()
    tops = [one.geometry() for one in page.buttons]
    assert all(not first.intersects(second) for first, second in pairwise(tops))
    button: QPushButton = page.buttons[0]
    assert isinstance(button, CutButton) and button.shown_text().endswith(ELLIPSIS)
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_rest: told.append(text))
    QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), QPoint(2, 2)))
    assert told == ["Search in all of the projects"]


def test_a_conversation_in_a_wide_window_stays_a_column(window: Window, world: World) -> None:
    say_all(world, [("user", "Where is the marble lantern?"), ("assistant", "Here.")]).close()
    window.until(lambda: not window.search.controller.busy)
    window.type("marble")
    viewer = open_hit(window, "message")
    assert isinstance(viewer, SessionViewer)
    window.bench.resize(2_400, 700)
    window.until(lambda: viewer.messages.width() > 1_500)
    view = viewer.messages.views[0]
    window.until(lambda: view.width() <= COLUMN + 1)
    left = view.mapTo(viewer.messages, QPoint(0, 0)).x()
    assert abs(left - (viewer.messages.viewport().width() - view.width()) // 2) <= 8
