"""The Search view: what is typed is found in memory and sessions, grouped and marked, by keyboard alone, with a page for every state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.indexer import Progress
from desktop.bridge.operations import Failure, Operations
from desktop.memory.foreign import claude_slug
from desktop.ui import icons, theme
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.view import selected_words
from tests.ui.memory_world import PERSON, World, made_world, note_text, outside_write
from tests.ui.search_world import Window, add, say_all

Key = Qt.Key


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


@pytest.fixture
def filled(world: World) -> World:
    """Memories of two roots and types, and two sessions."""
    world.remember("bun.md", "We use bun", body="The package manager is bun, never npm.\n\nThe lock file is bun's.")
    world.remember("style.md", "Commit messages", "feedback", body="Write them in the imperative mood.")
    world.remember("database.md", "数据库是 PostgreSQL", body="数据库迁移用 Alembic，每次迁移都要能回退。")
    world.remember("editor.md", "Prefers vim keys", "user", body="Uses vim keys in every editor.", root="user")
    first = say_all(world, [("user", "Which package manager do we use?"), ("assistant", "It is bun; npm is not used.")])
    second = say_all(world, [("user", "数据库迁移怎么回退？"), ("assistant", "用 alembic downgrade 回退一步。")])
    first.close()
    second.close()
    return world


@pytest.fixture
def window(filled: World, qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    made = Window(filled, qtbot)
    made.open()
    made.bench.run("search.show")
    yield made
    made.close()


# --- finding ----------------------------------------------------------------------------------------------------------


def test_typing_finds_memories_and_messages_in_groups(window: Window) -> None:
    window.type("package manager")
    assert window.texts("group") == ["Memory", "Sessions"]
    assert window.texts("memory")[0] == "bun"
    assert "The package manager is bun" in window.texts("passage")[0]
    assert any("Which package manager" in text for text in window.texts("message"))
    groups = {row.key: row.count for row in window.rows("group")}
    assert groups == {"memory": len(window.rows("memory")), "sessions": len(window.rows("session"))}
    hits, files, sessions = len(window.rows("passage", "message")), len(window.rows("memory")), len(window.rows("session"))
    numbers = [int(word) for word in window.view.notes.summary.text().split() if word.isdigit()]
    assert numbers == [hits, files, sessions]


def test_the_found_words_are_marked(window: Window) -> None:
    window.type("package manager")
    line = window.rows("passage")[0].line
    assert [line.text[start:end] for start, end in line.marks] == ["package", "manager"]


def test_a_word_is_found_while_it_is_typed(window: Window) -> None:
    for text in ("imp", "imper", "imperati", "imperative"):
        window.type(text)
        assert window.texts("memory") == ["style"], text


def test_chinese_is_found_in_both(window: Window) -> None:
    window.type("迁移")
    assert window.texts("memory") == ["database"]
    assert any("数据库迁移怎么回退" in text for text in window.texts("message"))
    window.type("回退")
    assert window.texts("group") == ["Memory", "Sessions"]


def test_nothing_is_searched_while_an_input_method_composes(window: Window) -> None:
    asked: list[str] = []
    window.view.query_changed.connect(lambda: asked.append(window.view.query().text))
    box = window.view.box
    for pre in ("q", "qi", "qian", "qianyi"):
        QApplication.sendEvent(box, QInputMethodEvent(pre, []))
    assert asked == [] and box.composing
    commit = QInputMethodEvent("", [])
    commit.setCommitString("迁移")
    QApplication.sendEvent(box, commit)
    assert asked == ["迁移"]
    window.answered()
    assert window.texts("memory") == ["database"]


def test_a_selection_that_composing_replaces_is_no_query(window: Window) -> None:
    window.type("bun")
    asked: list[str] = []
    window.view.query_changed.connect(lambda: asked.append(window.view.query().text))
    window.view.box.selectAll()
    QApplication.sendEvent(window.view.box, QInputMethodEvent("hui", []))
    assert asked == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("回退")
    QApplication.sendEvent(window.view.box, commit)
    assert asked == ["回退"]


def test_what_is_typed_fast_ends_with_the_newest(window: Window) -> None:
    shown: list[str] = []
    window.search.controller.found.connect(lambda results: shown.append(results.query.text))
    for text in ("n", "np", "npm", "vim", "vim k", "vim keys"):
        window.view.box.setText(text)
    window.answered()
    assert shown[-1] == "vim keys" and window.view.model.results.query.text == "vim keys"
    assert window.texts("memory") == ["editor"]


def test_old_results_stay_until_the_new_ones_come(window: Window) -> None:
    window.type("vim")
    before = window.texts()
    window.view.box.setText("imperative")
    assert window.texts() == before, "no flicker"
    window.answered()
    assert window.texts("memory") == ["style"]


# --- what is searched -------------------------------------------------------------------------------------------------


def test_memory_and_sessions_can_be_switched(window: Window) -> None:
    window.type("bun")
    window.view.filters.sessions.click()
    window.answered()
    assert window.texts("group") == ["Memory"]
    window.view.filters.memory.click()
    window.answered()
    assert window.texts("group") == ["Sessions"], "who switches the last one off means the other"
    assert window.view.query() == SearchQuery("bun", memory=False, sessions=True)


def test_types_of_memory(window: Window) -> None:
    window.view.filters.sessions.click()
    window.type("imperative vim bun")
    assert set(window.texts("memory")) == {"bun", "style", "editor"}
    window.view.filters.kinds["user"].trigger()
    window.answered()
    assert window.texts("memory") == ["editor"]
    window.view.filters.kinds[""].trigger()
    window.answered()
    assert len(window.texts("memory")) == 3


def test_other_projects_only_when_they_are_asked_for(window: Window, tmp_path: Path) -> None:
    world = window.world
    other = tmp_path / "other project"
    other.mkdir()
    elsewhere = world.services.open_workspace(other)
    elsewhere.store.write("pnpm.md", note_text("pnpm", "Here we use pnpm"), base_digest=None, origin=PERSON)
    say_all(world, [("user", "Is pnpm faster?")], project_key=elsewhere.project.key).close()
    window.type("pnpm")
    assert window.rows() == []
    window.view.filters.scopes[True].trigger()
    window.until(lambda: window.texts("group") == ["Memory", "Sessions"])
    window.settle()
    assert window.texts("memory") == ["pnpm"] and window.rows("memory")[0].detail.startswith("other project")
    asked: list[tuple[object, ...]] = []
    window.search.other_memory_requested.connect(lambda *values: asked.append(values))
    window.choose("memory")
    window.press(Key.Key_Return, window.view.tree)
    assert asked[0][:2] == (elsewhere.project.key, "pnpm.md") and asked[0][4] == "other project"


def test_other_tools_only_when_they_are_on(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    home = Path(str(world.services.environ["HOME"]))
    folder = home / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
    outside_write(folder / "theirs.md", note_text("theirs", "A zebra crossing"))
    window = Window(world, qtbot)
    window.open()
    window.bench.run("search.show")
    window.type("zebra")
    assert window.rows() == []
    world.services.settings.set("memory.foreign", ["claude-code"])
    world.workspace.memories.found(fresh=True)
    window.search.controller.refresh_memory()
    window.until(lambda: window.texts("memory") == ["theirs"])
    window.settle()
    assert "Claude" in window.rows("memory")[0].detail
    window.close()


def test_what_is_saved_or_said_meanwhile_is_found(window: Window) -> None:
    window.type("walrus")
    assert window.rows() == []
    window.world.remember("walrus.md", "The walrus operator is fine")
    window.until(lambda: window.texts("memory") == ["walrus"])
    outside_write(window.world.root / "other.md", note_text("other", "Another walrus"))
    window.until(lambda: set(window.texts("memory")) == {"walrus", "other"})
    handle = say_all(window.world, [("user", "May I use the walrus?")])
    window.until(lambda: any("May I use" in text for text in window.texts("message")))
    handle.close()


# --- keyboard ---------------------------------------------------------------------------------------------------------


def test_the_keyboard_alone(window: Window) -> None:
    bench, view = window.bench, window.view
    window.memory.open_memory("bun.md")
    window.settle()
    editor = bench.editors.current_widget()
    assert editor is not None
    editor.setFocus()
    before = bench.focusWidget()
    assert bench.registry.key_of("search.show") == "ctrl+shift+f"
    bench.run("search.show")
    assert view.box.hasFocus() and bench.side.current == "search"
    window.type("vim")
    window.press(Key.Key_Down)
    row = view.tree.current()
    assert view.tree.hasFocus() and row is not None and row.kind == "passage"
    window.press(Key.Key_Return)
    window.until(lambda: "memory:user//editor.md" in window.tabs())
    bench.run("search.show")
    assert view.box.hasFocus() and view.box.selectedText() == "vim"
    window.press(Key.Key_Down)
    while not view.box.hasFocus():
        window.press(Key.Key_Up)
    window.press(Key.Key_Escape)
    assert view.box.text() == "" and view.box.hasFocus(), "the first Escape clears"
    bench.editors.open("memory:bun.md", "bun.md", QWidget)
    assert before is not None
    before.setFocus()
    bench.run("search.show")
    view.box.clear()
    window.press(Key.Key_Escape)
    assert bench.focusWidget() is before, "the second one leads back"
    window.settle()


def test_the_selection_is_searched(window: Window) -> None:
    window.memory.open_memory("bun.md")
    window.settle()
    editor = window.bench.editors.current_widget()
    assert editor is not None
    source = editor.source  # type: ignore[attr-defined]
    assert source.reveal(1, "package manager")
    source.setFocus()
    window.bench.run("search.show")
    assert window.view.box.text() == "package manager"
    window.answered()
    source.selectAll()
    source.setFocus()
    window.bench.run("search.show")
    assert window.view.box.text() == "package manager", "several lines are no query"


def test_f4_goes_from_result_to_result_and_opens_one_tab(window: Window) -> None:
    registry = window.bench.registry
    assert registry.command_for("f4") is None, "only while there are results"
    window.view.filters.sessions.click()
    window.type("bun imperative vim")
    next_one, previous = registry.command_for("f4"), registry.command_for("shift+f4")
    assert next_one is not None and previous is not None
    hits = [row.place.path for row in window.rows("passage")]  # type: ignore[union-attr]
    assert len(hits) >= 3
    seen = []
    for _ in hits:
        registry.run("search.next")
        window.settle()
        assert len(window.tabs()) == 1, "a tab in passing makes room for the next one"
        seen.append(window.view.tree.current().place.path)  # type: ignore[union-attr]
    assert seen == hits
    registry.run("search.next")
    assert window.view.tree.current().place.path == hits[0]  # type: ignore[union-attr]
    registry.run("search.previous")
    assert window.view.tree.current().place.path == hits[-1]  # type: ignore[union-attr]
    window.settle()
    window.view.box.clear()
    assert registry.command_for("f4") is None


def test_a_tab_that_was_open_or_is_edited_is_not_closed_in_passing(window: Window) -> None:
    window.view.filters.sessions.click()
    window.memory.open_memory("bun.md")
    window.type("bun imperative vim")
    for _ in range(3):
        window.bench.run("search.next")
        window.settle()
    assert "memory:bun.md" in window.tabs() and len(window.tabs()) == 2
    editor = window.bench.editors.current_widget()
    assert editor is not None
    editor.source.change_to(editor.source.text() + "more\n")  # type: ignore[attr-defined]
    kept = window.bench.editors.current_key()
    for _ in range(2):
        window.bench.run("search.next")
        window.settle()
    assert kept in window.tabs()


# --- folding and looking ----------------------------------------------------------------------------------------------


def test_what_is_folded_stays_folded_in_the_next_answer(window: Window) -> None:
    window.type("bun")
    tree, model = window.view.tree, window.view.model
    tree.collapse(model.index_of("sessions"))
    window.type("bun npm")
    assert not tree.isExpanded(model.index_of("sessions")) and tree.isExpanded(model.index_of("memory"))
    window.view.fold.click()
    assert all(not tree.isExpanded(model.index_of(row.key)) for row in window.rows("memory", "session"))


def test_rows_say_everything_and_are_named(window: Window) -> None:
    window.type("package manager")
    model = window.view.model
    spoken = {row.kind: str(model.index_of(row.key).data(Qt.ItemDataRole.AccessibleTextRole)) for row in window.rows()}
    assert "bun" in spoken["memory"] and "project" in spoken["memory"]
    assert "line" in spoken["passage"] and "package" in spoken["passage"]
    assert spoken["message"].startswith(("you", "the agent"))
    tip = str(model.index_of(window.rows("passage")[0].key).data(Qt.ItemDataRole.ToolTipRole))
    assert "package" in tip and "%" in tip, "why it was found, and how well it fits"
    names = [one for one in window.view.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible()]
    assert names and all(one.accessibleName() or one.property("text") for one in names)
    button = window.bench.activity.button("search")
    assert button is not None and "Ctrl+Shift+F" in button.toolTip()
    assert [one.objectName() for one in window.bench.activity.findChildren(QWidget) if one.objectName().startswith("activity_")]
    assert list(window.bench.activity._views) == ["search", "memory", "sessions"]


def test_text_that_hides_something_is_written_out(window: Window) -> None:
    window.world.remember("odd.md", "ok", body="The heron\u202etxt.exe is <b>bold</b> and \u200bhidden heron.")
    window.type("heron")
    window.until(lambda: window.texts("memory") == ["odd"])
    shown = window.texts("passage")[0]
    assert "\u202e" not in shown and "\\u{202e}" in shown and "<b>bold</b>" in shown
    line = window.rows("passage")[0].line
    assert all(line.text[start:end].startswith("heron") for start, end in line.marks)
    tip = str(window.view.model.index_of(window.rows("passage")[0].key).data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;" in tip, "a tool tip takes no markup from a file"


def test_rows_are_drawn_in_both_themes_selected_and_not(window: Window, qapp: QApplication) -> None:
    window.type("package manager")
    window.choose("passage")
    for name in (theme.LIGHT, theme.DARK):
        theme.apply(qapp, name, 1.5)
        assert not window.view.grab().isNull()
        assert window.view.tree.visualRect(window.view.model.index(0, 0)).height() == theme.current().px(22)


# --- states -----------------------------------------------------------------------------------------------------------


def test_without_a_folder(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    window = Window(world, qtbot)
    window.bench.run("search.show")
    title, _, offers = window.page()
    assert title == "No folder is open" and offers == ["Open Folder…"]
    wanted: list[bool] = []
    window.search.folder_requested.connect(lambda: wanted.append(True))
    window.view.page.buttons[0].click()
    assert wanted == [True] and not window.view.box.isEnabled()
    window.close()


def test_before_a_query_and_after_one_that_finds_nothing(window: Window) -> None:
    title, text, _ = window.page()
    assert title == "Search memory and sessions" and "数据库" in text
    window.view.filters.kinds["feedback"].trigger()
    window.view.filters.sessions.click()
    window.type("package manager")
    title, text, offers = window.page()
    assert title == "Nothing found" and "package manager" in text
    assert offers == ["Search All Types", "Search Sessions Too", "Search All Projects", "Clear the Search"]
    window.click("Search All Types")
    assert window.texts("memory") == ["bun"]
    window.view.clear.click()
    assert window.page()[0] == "Search memory and sessions" and window.view.box.text() == ""


def test_a_failure_names_the_way_out_and_the_index_is_made_anew(window: Window) -> None:
    window.type("bun")
    window.view.show_failure(Failure("The index cannot be read.", "Rebuild it."))
    title, text, offers = window.page()
    assert title == "Search failed" and "Rebuild it." in text and offers == ["Rebuild Index", "Try Again"]
    assert window.rows() == [], "what was found before is no answer"
    window.view.page.buttons[0].click()
    window.until(lambda: window.texts("memory") == ["bun"])
    window.settle()
    assert "search.rebuild" in {command.id for command in window.bench.registry.for_palette()}


def test_sessions_that_cannot_be_listed_are_said_and_memory_is_found(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    world.remember("bun.md", "We use bun")
    place = world.services.paths.sessions / world.workspace.project.key
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("not a folder", encoding="utf-8")
    window = Window(world, qtbot)
    window.open()
    window.until(lambda: any("Search may miss" in text for text in window.bench.notifications.texts()))
    window.bench.run("search.show")
    window.type("bun")
    assert window.texts("memory") == ["bun"]
    window.close()


def test_progress_is_shown_when_it_lasts(window: Window) -> None:
    notes = window.view.notes
    window.view.show_progress(Progress("memory", 1_240, 10_000))
    assert not notes.bar.isVisible(), "what is over in a moment is not shown"
    window.until(notes.bar.isVisible)
    assert notes.progress.text() == "Indexing 1,240 of 10,000…" and notes.bar.maximum() == 10_000
    window.view.show_progress(Progress("memory", 0, 0))
    assert notes.progress.text() == "Indexing…" and notes.bar.maximum() == 0
    window.view.box.setText("nothing like it")
    window.answered()
    assert window.page()[0] == "Nothing found yet"
    window.view.show_progress(None)
    assert not notes.bar.isVisible() and window.page()[0] == "Nothing found"
    window.settle()


def test_another_folder_in_the_middle_of_a_search(window: Window, tmp_path: Path) -> None:
    window.type("bun")
    other = tmp_path / "empty"
    other.mkdir()
    elsewhere = window.world.services.open_workspace(other)
    window.view.box.setText("vim keys")
    window.memory.set_workspace(elsewhere)
    window.search.set_workspace(elsewhere)
    window.until(lambda: window.search.controller.ready)
    window.answered()
    assert window.texts("memory") == ["editor"], "what holds in all projects is found, nothing of the folder before"
    window.type("package manager")
    assert window.rows() == []
    window.search.set_workspace(None)
    assert window.page()[0] == "No folder is open" and window.rows() == []
    window.settle()


# --- what can be done with a result -----------------------------------------------------------------------------------


def test_the_menu_of_a_memory_and_of_a_message(window: Window) -> None:
    window.type("bun")
    memory, message = window.rows("memory")[0], window.rows("message")[0]
    texts = {row.kind: [one.text() for one in window.view.context_menu(row).actions() if one.text()] for row in (memory, message)}
    assert texts["memory"] == ["Open", "Copy", "Copy Path", "Reveal in Memory View"]
    assert texts["message"] == ["Open", "Resume", "Read into Chat…", "Copy", "Copy Reference"]
    clipboard = QGuiApplication.clipboard()
    window.view.path_requested.emit(memory)
    assert clipboard.text() == str(window.world.root / "bun.md")
    window.view.path_requested.emit(message)
    assert clipboard.text() == f"#{message.place.session}"  # type: ignore[union-attr]
    window.choose("message")
    QTest.keyClick(window.view.tree, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == message.line.text
    asked: list[str] = []
    window.search.resume_requested.connect(asked.append)
    window.search.read_requested.connect(asked.append)
    window.view.resume_requested.emit(message)
    window.view.read_requested.emit(message)
    assert asked == [message.place.session] * 2  # type: ignore[union-attr]
    window.memory.panel.filter.setText("vim")
    window.settle()
    window.until(lambda: window.memory.panel._query == "vim")
    window.view.reveal_requested.emit(memory)
    assert window.bench.side.current == "memory" and window.memory.panel.filter.text() == "", "a filter that hides it is cleared"
    row = window.memory.panel.tree.current()
    assert row is not None and row.path == "bun.md"


def test_many_hits_end_in_a_row_that_asks_for_more(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    for number in range(60):
        outside_write(world.root / f"n{number:02}.md", note_text(f"n{number:02}", "An otter swims"))
    window = Window(world, qtbot)
    window.open()
    window.bench.run("search.show")
    window.type("otter")
    assert len(window.rows("memory")) == 20 and window.rows()[-1].kind == "more"
    window.choose("more")
    window.press(Key.Key_Return, window.view.tree)
    window.until(lambda: len(window.rows("memory")) == 50)
    assert "another word" in window.texts("more")[0]
    window.press(Key.Key_Return, window.view.tree)
    window.settle()
    window.close()


def test_icons_come_when_the_font_is_there(window: Window) -> None:
    assert icons.is_ready()
    window.type("bun")
    handle = say_all(window.world, [("user", "bun?")])
    add(handle, "assistant", "bun!")
    handle.close()
    window.settle()


def test_a_hidden_text_is_never_taken_for_a_query(qtbot: QtBot) -> None:
    line = QLineEdit("hidden words")
    qtbot.addWidget(line)
    line.selectAll()
    assert selected_words(line) == "hidden words"
    line.setEchoMode(QLineEdit.EchoMode.Password)
    assert selected_words(line) == "" and selected_words(None) == ""


def test_while_memory_is_off_only_a_search_looks_at_the_files(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    world.remember("bun.md", "We use bun")
    world.services.memory_search.forget()
    world.services.settings.set("memory.use", False)
    assert not world.workspace.memories.state().enabled
    window = Window(world, qtbot)
    window.open()
    index = world.services.paths.index / "memory.sqlite3"
    assert not index.exists() or world.services.memory_search._index().count()[0] == 0
    window.bench.run("search.show")
    window.type("bun")
    assert window.texts("memory") == ["bun"]
    window.close()
