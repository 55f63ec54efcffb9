"""The history of a memory on a real store: who did what, what it changed, and the way back, also for what is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.change import Change, ChangeOrigin, line_of
from desktop.memory.roots import foreign_root, user_root
from desktop.memory.store import MemoryStore
from desktop.ui import theme
from desktop.ui.memory.history_delegate import HistoryDelegate
from desktop.ui.memory.history_model import HistoryRow
from desktop.ui.memory.history_view import HistoryView
from desktop.ui.memory.who import DEED_ICONS, deed_word, reason_words
from tests.ui.editor_world import AGENT, WAIT_MS, press, store_of
from tests.ui.memory_world import PERSON, World, made_world, outside_write


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Echo(QTranslator):
    """Another language: everything that is translated stands in marks."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"« {text} »"

    def isEmpty(self) -> bool:
        return False


class History:
    """A history on the screen."""

    def __init__(self, world: World, qtbot: QtBot, path: str, *, store: MemoryStore | None = None, rows: bool = True) -> None:
        self.qtbot = qtbot
        self.store = store or world.workspace.store
        self.view = HistoryView(self.store, path, world.operations, clock=world.services.clock)
        qtbot.addWidget(self.view, before_close_func=HistoryView.dispose)
        self.view.resize(1_000, 600)
        self.view.show()
        if rows:
            self.wait(lambda: self.view.model.rowCount() > 0)
            self.settle()

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def settle(self) -> None:
        """Until what is chosen is shown."""
        self.wait(lambda: not (self.view._comparing or self.view._reading or self.view._choosing.isActive()))

    def choose(self, at: int) -> HistoryRow:
        self.view.list.setCurrentIndex(self.view.model.index(at, 0))
        self.settle()
        row = self.view.chosen()
        assert row is not None
        return row

    def rows(self) -> list[HistoryRow]:
        return [row for at in range(self.view.model.rowCount()) if (row := self.view.model.row(at)) is not None]

    def deeds(self) -> list[str]:
        return [row.deed for row in self.rows()]

    def diff(self) -> list[str]:
        return self.view.diff.toPlainText().split("\n")

    def on_disk(self, path: str = "") -> str:
        return (self.store.root / (path or self.view.path)).read_text(encoding="utf-8")


def rewrite(store: MemoryStore, path: str, old: str, new: str, origin: ChangeOrigin = AGENT) -> Change:
    stored = store.read(path)
    assert old in stored.text
    return store.write(path, stored.text.replace(old, new), base_digest=stored.digest, origin=origin)


def test_every_kind_of_change_is_told_with_who_when_and_why(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one\n\ntwo\n\nthree")
    rewrite(store, "bun.md", "one", "uno")
    base = store.read("bun.md")
    rewrite(store, "bun.md", "two", "dos", ChangeOrigin("extractor", "sess_2", reason="第二次提到"))
    store.write("bun.md", base.text.replace("three", "tres"), base_digest=base.digest, origin=PERSON, base=base.data)
    store.rename("bun.md", "package.md", origin=PERSON)
    store.rename("package.md", "tools/package.md", origin=AGENT)
    outside_write(store.root / "tools/package.md", store.read("tools/package.md").text + "by hand\n")
    store.observe()
    store.undo(store.changes()[0].id)
    store.delete("tools/package.md", origin=PERSON)
    history = History(world, qtbot, "tools/package.md")
    assert history.deeds() == ["deleted", "undone", "changed", "moved", "renamed", "merged", "changed", "changed", "created"]
    who = [row.who for row in history.rows()]
    assert who == ["You", "You", "Another program", "Agent", "You", "You", "Background extraction", "Agent", "You"]
    words = history.rows()[6].words()
    assert "Changed" in words and "Background extraction" in words and "第二次提到" in words
    assert len({DEED_ICONS[row.deed] for row in history.rows()}) == 7, "each kind has a sign of its own"
    history.choose(4)
    assert "bun.md → package.md" in history.view.bar.why.text() and "The text is the same" in history.diff()[0]


def test_the_difference_to_the_version_before_and_to_the_present_one(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one\n\ntwo")
    rewrite(store, "bun.md", "one", "uno")
    rewrite(store, "bun.md", "two", "dos")
    history = History(world, qtbot, "bun.md")
    history.choose(1)
    lines = history.diff()
    assert "-  one" in lines and "+  uno" in lines and not any("dos" in line for line in lines)
    history.view.bar.switch["present"].click()
    history.settle()
    lines = history.diff()
    assert "-  two" in lines and "+  dos" in lines and not any(line[:1] in "-+" and "uno" in line for line in lines if line)
    history.choose(0)
    assert history.diff() == ["This is what the file holds now."]
    history.choose(2)
    history.view.show_against("before")
    history.settle()
    assert all(line.startswith("+") for line in history.diff())


def test_an_older_version_is_restored_without_a_question_told_and_undone(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    old = history_text = store.read("bun.md").text
    rewrite(store, "bun.md", "one", "two")
    history = History(world, qtbot, "bun.md")
    done: list[Change] = []
    history.view.restored.connect(done.append)
    assert history.rows()[0].present and not history.view.bar.restore.isEnabled()
    history.choose(1)
    history.view.bar.restore.click()
    history.wait(lambda: history.view.model.rowCount() == 3)
    assert history.on_disk() == old and history.deeds()[0] == "restored" and len(done) == 1
    history.settle()
    assert history.view.chosen() == history.rows()[0] and "is restored" in history.view.banner.text()
    press(history.view.banner, "Undo")
    history.wait(lambda: "two" in history.on_disk())
    history.wait(lambda: history.deeds()[0] == "undone")
    assert history_text != history.on_disk()


def test_an_offer_to_undo_a_restoring_goes_when_something_else_was_done_since(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    store.observe()
    rewrite(store, "bun.md", "one", "two")
    history = History(world, qtbot, "bun.md")
    done: list[Change] = []
    history.view.restored.connect(done.append)
    history.choose(1)
    history.view.bar.restore.click()
    history.wait(lambda: bool(done) and history.view.banner.isVisible())
    history.settle()
    assert history.view.banner.isVisible()
    store.undo(done[0].id)
    history.wait(lambda: history.view.banner.isHidden())


def test_a_deleted_memory_has_its_history_and_comes_back_with_its_index_line(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", "We use bun", body="one")
    text = store.read("bun.md").text
    store.delete("bun.md", origin=AGENT)
    history = History(world, qtbot, "bun.md")
    row = history.choose(0)
    assert row.deed == "deleted" and history.view.bar.restore.text() == "Restore" and "-  one" in history.diff()
    history.view.show_against("present")
    history.settle()
    assert "deleted now" in history.view.note.text()
    history.view.bar.restore.click()
    history.wait(lambda: (store.root / "bun.md").exists())
    assert history.on_disk() == text
    history.wait(lambda: "We use bun" in history.on_disk("MEMORY.md"))


def test_what_another_program_did_is_shown_as_a_difference(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    place = world.remember("bun.md", body="one\n\ntwo")
    store.observe()
    outside_write(place, place.read_text(encoding="utf-8").replace("two", "zwei"))
    store.observe()
    history = History(world, qtbot, "bun.md")
    assert history.rows()[0].who == "Another program"
    assert "-  two" in history.diff() and "+  zwei" in history.diff()
    history.choose(1)
    history.view.restore_chosen()
    history.wait(lambda: "two" in history.on_disk())


def test_what_is_no_longer_kept_is_said(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    rewrite(store, "bun.md", "one", "two")
    rewrite(store, "bun.md", "two", "three")
    middle = store.changes()[1].after
    assert middle is not None
    for place in world.services.paths.snapshots.rglob(middle):
        place.unlink()
    history = History(world, qtbot, "bun.md")
    assert "no longer kept" in history.view.note.text() and any("three" in line for line in history.diff())
    row = history.choose(1)
    assert not row.available and history.view.texts.currentWidget() is history.view.lost
    assert "no longer kept" in history.view.lost.title.text() and "no longer kept" in history.view.bar.why.text()
    assert not history.view.bar.restore.isEnabled() and not history.view.bar.copy.isEnabled()
    delegate = history.view.list.itemDelegate()
    assert isinstance(delegate, HistoryDelegate) and "no longer kept" in delegate.second_line(row)
    history.view.restore_chosen()
    history.choose(2)
    assert history.view.bar.restore.isEnabled() and "Kept until" in history.view.bar.why.text()


def test_a_thousand_versions_scroll_and_follow_the_keys(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    lines = []
    for number in range(1_000):
        moment = world.services.clock.now() - timedelta(hours=1_000 - number)
        before, after = (f"{n:064x}" for n in (number, number + 1))
        lines.append(line_of(Change(f"chg_{number:026}", moment, "write", "bun.md", before, after, AGENT)))
    world.services.paths.journal.mkdir(parents=True, exist_ok=True)
    with (world.services.paths.journal / f"{world.workspace.store.memory_root.key}.jsonl").open("ab") as journal:
        journal.write(b"".join(lines))
    world.remember("bun.md", body="one")
    history = History(world, qtbot, "bun.md")
    view = history.view
    assert view.model.rowCount() >= 1_001
    QTest.keyClick(view.list, Qt.Key.Key_End)
    history.settle()
    assert view.list.currentIndex().row() == view.model.rowCount() - 1
    for _ in range(3):
        QTest.keyClick(view.list, Qt.Key.Key_Up)
    history.settle()
    assert view.list.currentIndex().row() == view.model.rowCount() - 4
    assert view.texts.currentWidget() is view.lost
    QTest.keyClick(view.list, Qt.Key.Key_Home)
    history.settle()
    assert view.texts.currentWidget() is view.diff and view.list.uniformItemSizes()
    view.grab()


def test_the_list_follows_while_it_is_open_and_keeps_what_is_chosen(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    rewrite(store, "bun.md", "one", "two")
    history = History(world, qtbot, "bun.md")
    chosen = history.choose(1)
    rewrite(store, "bun.md", "two", "three")
    history.wait(lambda: history.view.model.rowCount() == 3)
    now = history.view.chosen()
    assert now is not None and now.change == chosen.change and history.view.list.currentIndex().row() == 2
    told: list[str] = []
    history.view.path_changed.connect(told.append)
    history.view.title_changed.connect(told.append)
    store.rename("bun.md", "package.md", origin=PERSON)
    history.wait(lambda: history.deeds()[0] == "renamed")
    assert told == ["package.md (history)", "package.md"] and history.view.path == "package.md"


def test_everything_is_done_from_the_keyboard(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    old = store.read("bun.md").text
    rewrite(store, "bun.md", "one", "two")
    history = History(world, qtbot, "bun.md")
    view = history.view
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    history.settle()
    QTest.keyClick(view.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == old
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    history.wait(lambda: history.on_disk() == old)
    history.wait(lambda: history.view.model.rowCount() == 3)
    assert view.focusProxy() is view.list
    bar = view.bar
    for control in (view, view.list, view.diff, bar.restore, bar.copy, bar.open_session, *bar.switch.values()):
        assert control.accessibleName()
    index = view.model.index(0, 0)
    assert deed_word("restored") in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_version_leads_to_the_chat_in_which_it_was_said(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    rewrite(store, "bun.md", "one", "two", ChangeOrigin("main", "sess_the_one", "msg_9", "the person\nsaid so"))
    history = History(world, qtbot, "bun.md")
    asked: list[tuple[str, str]] = []
    history.view.origin_requested.connect(lambda session, message: asked.append((session, message)))
    assert history.view.bar.open_session.isVisible() and "msg_9" in history.view.bar.why.text()
    assert "the person said so" in history.view.bar.why.text()
    history.view.bar.open_session.click()
    assert asked == [("sess_the_one", "msg_9")]
    history.choose(1)
    assert history.view.bar.open_session.isHidden()


def test_huge_texts_are_compared_in_part_and_that_is_said(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    lines = [f"line {number}" for number in range(40_000)]
    store.write("big.md", "\n".join(lines), base_digest=None, origin=PERSON)
    base = store.read("big.md")
    store.write("big.md", "\n".join(line.upper() for line in lines) + "\n" + "x" * 300_000, base_digest=base.digest, origin=PERSON)
    history = History(world, qtbot, "big.md")
    shown = history.diff()
    assert len(shown) < 3_100 and "more lines differ" in shown[-1]
    history.choose(1)
    assert len(history.diff()) < 3_100
    QTest.keyClick(history.view.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\n".join(lines)


def test_an_index_and_a_section_file_have_a_history_too(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    history = History(world, qtbot, "MEMORY.md")
    assert history.deeds() == ["kept"] and any("We use bun" in line for line in history.diff())
    store = store_of(world, user_root(world.services.paths))
    store.write("MEMORY.md", "# Rules\n\none\n", base_digest=None, origin=PERSON)
    rewrite(store, "MEMORY.md", "one", "two", PERSON)
    user = History(world, qtbot, "MEMORY.md", store=store)
    user.choose(1)
    user.view.restore_chosen()
    user.wait(lambda: "one" in user.on_disk())


def test_nothing_known_and_nothing_readable(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    view = History(world, qtbot, "nothing.md", rows=False)
    view.wait(lambda: view.view.pages.currentWidget() is view.view.page)
    assert "nothing.md" in view.view.page.body.text()
    world.remember("bun.md")
    journal = world.services.paths.journal / f"{world.workspace.store.memory_root.key}.jsonl"
    kept = journal.read_bytes()
    journal.unlink()
    journal.mkdir()
    broken = History(world, qtbot, "bun.md", rows=False)
    broken.wait(lambda: "cannot be read" in broken.view.page.title.text())
    assert str(journal) in broken.view.page.body.text()
    journal.rmdir()
    journal.write_bytes(kept)
    broken.view.page.buttons[0].click()
    broken.wait(lambda: broken.view.model.rowCount() == 1 and broken.view.pages.currentWidget() is broken.view.split)


def test_a_restore_that_fails_is_told_and_changes_nothing(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    rewrite(store, "bun.md", "one", "two")
    history = History(world, qtbot, "bun.md")
    history.choose(1)
    place = store.root / "bun.md"
    kept = place.read_bytes()
    place.unlink()
    place.mkdir()
    history.view.restore_chosen()
    history.wait(lambda: history.view.banner.isVisible())
    assert "bun.md" in history.view.banner.text() and place.is_dir()
    place.rmdir()
    place.write_bytes(kept)


def test_another_tools_file_offers_no_restore(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "build.md").write_text("text\n", encoding="utf-8")
    store = store_of(world, foreign_root("claude-code", "Claude Code", folder))
    history = History(world, qtbot, "build.md", store=store, rows=False)
    history.wait(lambda: history.view.pages.currentWidget() is history.view.page)
    assert history.view.bar.restore.isHidden()


def test_a_narrow_history_stands_below_its_list(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    world.remember("bun.md", body="one")
    history = History(world, qtbot, "bun.md")
    assert history.view.split.orientation() == Qt.Orientation.Horizontal
    history.view.resize(460, 700)
    history.wait(lambda: history.view.split.orientation() == Qt.Orientation.Vertical)
    history.wait(lambda: history.view.minimumSizeHint().width() <= 460)
    assert history.view.bar.restore.geometry().right() <= history.view.bar.width()


def test_hidden_characters_of_a_reason_are_made_visible(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="one")
    rewrite(store, "bun.md", "one", "tw\u202eo", ChangeOrigin("main", "sess_1", reason="said \u202eso <b>loud</b>"))
    history = History(world, qtbot, "bun.md")
    assert "\\u{202e}" in history.view.bar.why.text() and "<b>loud</b>" in history.view.bar.why.text()
    assert any("\\u{202e}" in line for line in history.diff()) and not any("\u202e" in line for line in history.diff())


def test_what_the_app_notes_as_a_reason_is_in_the_windows_words(world: World) -> None:
    assert reason_words("links follow a.md to b c.md") == "links follow a.md to b c.md"
    QCoreApplication.installTranslator(echo := Echo())
    try:
        assert reason_words("links follow a.md to b c.md") == "« links follow a.md to b c.md »"
        assert reason_words("pinned") == "« pinned »"
        assert reason_words("We agreed on bun") == "We agreed on bun", "what was said stays as it was said"
    finally:
        QCoreApplication.removeTranslator(echo)
