"""Memory health in the window: counted, grouped, live, mended with one click and taken back, passed over and shown again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from desktop.app.health_part import TAB, HealthPart
from desktop.app.memory_part import VIEW, MemoryPart
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.memory.foreign import claude_slug
from desktop.ui.memory.health_row import HealthRow
from desktop.ui.memory.health_view import HealthView
from desktop.ui.workbench import Workbench
from tests.ui.memory_world import World, made_world, outside_write

SECRET = "ghp_" + "Z9y8X7w6" * 5


def dated(name: str, body: str, modified: str = "2026-01-01T00:00:00Z") -> str:
    return f"---\nname: {name}\ndescription: {name}\nmetadata:\n  type: project\n  modified: {modified}\n---\n\n{body}\n"


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Window:
    """A workbench with memory and its health in it."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bench = Workbench(CommandRegistry())
        self.memory = MemoryPart(world.services, self.bench, world.operations)
        self.part = HealthPart(world.services, self.bench, world.operations, self.memory)
        self.offers: list[tuple[str, Callable[[], object]]] = []
        self.part.controller.notice_requested.connect(lambda _kind, _text, actions, _tag: self.offers.extend(actions))
        self.bench.registry.set_fact("folderOpen", True)
        self.bench.resize(1_000, 800)
        self.bench.show()
        self.memory.set_workspace(world.workspace)
        self.part.set_workspace(world.workspace)
        self.settle()

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=20_000)

    def settle(self) -> None:
        controller, health = self.memory.controller, self.part.controller
        self.wait(lambda: controller.snapshot is not None and not controller.is_reading)
        self.wait(lambda: health.report is not None and not health.is_checking and self.world.operations.pending == 0)
        view = self.bench.editors.widget(TAB)
        if isinstance(view, HealthView):
            self.wait(lambda: not view.is_filling)

    @property
    def view(self) -> HealthView:
        self.part.show()
        view = self.bench.editors.widget(TAB)
        assert isinstance(view, HealthView)
        self.wait(lambda: not view.is_filling)
        return view

    def count(self) -> int:
        report = self.part.controller.report
        return report.count if report is not None else -1

    def of_kind(self, kind: str) -> int:
        report = self.part.controller.report
        return len(report.of_kind(kind)) if report is not None else 0

    def kinds(self) -> set[str]:
        report = self.part.controller.report
        return {one.problem.kind for one in report.findings} if report is not None else set()

    def row(self, kind: str, path: str) -> HealthRow:
        self.wait(lambda: kind in self.view.groups)
        return next(row for row in self.view.groups[kind].rows.values() if row.finding.problem.path == path)

    def toast(self, words: str) -> None:
        self.wait(lambda: any(words in text for text in self.bench.notifications.texts()))

    def press(self, button: QAbstractButton) -> None:
        assert button.isEnabled()
        assert button.accessibleName() or button.text()
        button.click()

    def undo(self) -> None:
        """The newest toast's Undo."""
        label, run = self.offers[-1]
        assert label == "Undo"
        run()

    def close(self) -> None:
        for key in self.bench.editors.open_keys():
            self.bench.editors.close(key)
        self.settle()
        self.part.close()
        self.memory.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.bench.deleteLater()


@pytest.fixture
def window(world: World, qtbot: QtBot) -> Iterator[Window]:
    made = Window(world, qtbot)
    yield made
    made.close()


def badge(window: Window) -> int:
    button = window.bench.activity.button(VIEW)
    assert button is not None
    return button._badge


def test_a_healthy_memory_says_that_all_is_well(window: Window) -> None:
    window.world.remember("a.md", "The build uses bun")
    window.memory.controller.refresh()
    window.settle()
    view = window.view
    assert window.count() == 0
    assert view.groups == {}
    assert view.good.isVisibleTo(view)
    assert view.good.title.text() == "All is well"
    assert badge(window) == 0
    assert window.bench.status.item("health") is None
    assert window.part.strip.button.text() == "Health"


def test_what_another_program_writes_is_counted_by_itself_and_leads_to_the_place(window: Window) -> None:
    assert window.count() == 0
    outside_write(window.world.root / "a.md", dated("a", f"The token is {SECRET}.\n\nThe demo is tomorrow."))
    window.wait(lambda: window.count() >= 2)
    window.settle()
    assert {"secret", "relative-date"} <= window.kinds()
    assert badge(window) == window.count()
    assert window.part.strip.button.text() == f"Health ({window.count()})"
    assert window.bench.status.text("health") == str(window.count())
    row = window.row("secret", "a.md")
    assert SECRET not in row.text.text()
    assert row.finding.problem.line == 9
    window.press(row.place)
    window.wait(lambda: window.bench.editors.current_key() == "memory:a.md")


def test_one_click_mends_a_problem_and_undo_gives_every_byte_back(window: Window) -> None:
    place = window.world.root / "a.md"
    outside_write(place, dated("a", "The demo is tomorrow."))
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    before = place.read_bytes()
    window.press(window.row("relative-date", "a.md").fixes["write-date"])
    window.wait(lambda: "relative-date" not in window.kinds())
    window.settle()
    assert b"The demo is 2026-01-02." in place.read_bytes()
    window.toast("“a.md” is fixed.")
    window.undo()
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    assert place.read_bytes() == before
    window.toast("undone")


def test_the_preview_shows_the_difference_before_anything_is_done(window: Window) -> None:
    place = window.world.root / "a.md"
    outside_write(place, dated("a", f"The demo is tomorrow, with {SECRET}."))
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    before = place.read_bytes()
    row = window.row("relative-date", "a.md")
    window.press(row.look)
    window.wait(lambda: row.preview is not None)
    assert row.preview is not None
    shown = row.preview.views[0].toPlainText()
    assert "The demo is tomorrow" in shown
    assert "The demo is 2026-01-02" in shown
    assert SECRET not in shown
    assert place.read_bytes() == before
    window.press(row.preview.cancel)
    window.wait(lambda: row.preview is None)
    window.press(row.look)
    window.wait(lambda: row.preview is not None)
    for preview in filter(None, (row.preview,)):
        window.press(preview.apply)
    window.wait(lambda: b"The demo is 2026-01-02" in place.read_bytes())
    window.settle()


def test_all_of_a_kind_are_previewed_and_mended_as_one(window: Window) -> None:
    for number in range(12):
        outside_write(window.world.root / f"n{number:02d}.md", dated(f"n{number:02d}", f"Number {number}{number} is due tomorrow."))
    window.wait(lambda: window.of_kind("relative-date") == 12)
    window.settle()
    files = {path.name: path.read_bytes() for path in window.world.root.glob("n*.md")}
    group = window.view.groups["relative-date"]
    assert len(group.rows) == 8
    assert group.more.text() == "Show 4 More"
    window.press(group.more)
    assert len(group.rows) == 12
    window.press(group.fix_all)
    window.wait(lambda: group.preview is not None)
    assert group.preview is not None
    window.press(group.preview.apply)
    window.wait(lambda: "relative-date" not in window.kinds())
    window.settle()
    window.toast("12 problem")
    window.undo()
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    assert {path.name: path.read_bytes() for path in window.world.root.glob("n*.md")} == files


def test_the_keyboard_stays_on_the_page_when_what_was_pressed_goes(window: Window) -> None:
    """It went to the next thing in the window, the button for a new chat: a second Return left the conversation."""
    window.bench.set_chat(QPushButton("New chat"))
    window.bench.activateWindow()
    for number in range(3):
        outside_write(window.world.root / f"n{number}.md", dated(f"n{number}", f"Number {number}{number} is due tomorrow."))
    window.wait(lambda: window.of_kind("relative-date") == 3)
    window.settle()
    group = window.view.groups["relative-date"]
    window.press(group.fix_all)
    window.wait(lambda: group.preview is not None and group.preview.apply.hasFocus())
    preview = group.preview
    assert preview is not None
    QTest.keyClick(preview.apply, Qt.Key.Key_Return)
    window.wait(lambda: "relative-date" not in window.kinds())
    window.settle()
    focused = window.bench.focusWidget()
    assert isinstance(focused, QWidget), focused
    assert window.bench.editors.isAncestorOf(focused)


def test_the_page_ends_where_its_content_ends(window: Window) -> None:
    """At the least width its texts are many times as high: as a least height that left a blank end to scroll through."""
    for number in range(6):
        outside_write(
            window.world.root / f"n{number}.md", dated(f"n{number}", f"Number {number}{number}. See [[nothing-{number}]] tomorrow.")
        )
    window.wait(lambda: window.of_kind("relative-date") == 6 and window.of_kind("dangling-link") == 6)
    window.settle()
    window.wait(lambda: not window.view.is_filling)
    area = window.view.findChild(QScrollArea, "welcomeScroll")
    assert isinstance(area, QScrollArea)
    content = area.widget()
    assert content is not None
    window.wait(lambda: content.height() == max(area.viewport().height(), content.heightForWidth(content.width())))
    last = max(group.geometry().bottom() for group in window.view.groups.values())
    assert content.height() - last < 60


def test_an_ignored_problem_is_not_counted_stays_ignored_and_can_be_shown_again(window: Window, qtbot: QtBot) -> None:
    outside_write(window.world.root / "a.md", dated("a", "The demo is tomorrow."))
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    many = window.count()
    window.press(window.row("relative-date", "a.md").ignore)
    window.wait(lambda: window.count() == many - 1)
    window.settle()
    assert "relative-date" not in window.view.groups
    assert badge(window) == many - 1
    again = Window(window.world, qtbot)
    assert again.count() == many - 1
    again.close()
    window.view.ignored.setChecked(True)
    row = window.row("relative-date", "a.md")
    assert not row.fixes
    window.press(row.ignore)
    window.wait(lambda: window.count() == many)
    window.settle()


def test_rows_that_stay_are_kept_when_another_problem_comes(window: Window) -> None:
    outside_write(window.world.root / "a.md", dated("a", "The demo is tomorrow."))
    window.wait(lambda: "relative-date" in window.kinds())
    window.settle()
    row = window.row("relative-date", "a.md")
    outside_write(window.world.root / "b.md", dated("b", "The talk is tomorrow."))
    window.wait(lambda: window.of_kind("relative-date") == 2)
    window.settle()
    assert window.row("relative-date", "a.md") is row
    assert window.row("relative-date", "b.md").isVisibleTo(window.view)


def test_the_cut_of_an_index_is_drawn_and_a_pin_brings_an_entry_in(window: Window) -> None:
    window.world.services.settings.set("memory.index_lines", 10)
    for number in range(14):
        window.world.remember(f"topic-{number:02d}.md", f"Decision {number}")
    window.memory.controller.refresh()
    window.wait(lambda: "oversize-index" in window.kinds())
    window.settle()
    view = window.view
    window.wait(lambda: "project" in view.cuts)
    drawn = view.cuts["project"]
    assert drawn.cut is not None and drawn.cut.loaded == 10
    texts = [drawn.list.item(at).data(Qt.ItemDataRole.AccessibleTextRole) or drawn.list.item(at).text() for at in range(drawn.list.count())]
    line = next(at for at, text in enumerate(texts) if text == "the load ends here: 10 of 14 entries")
    assert all("not loaded" in text for text in texts[line + 1 :])
    assert all("not loaded" not in text for text in texts[:line])
    last = drawn.cut.left_out[-1]
    drawn.list.setCurrentRow(drawn.list.count() - 1)
    assert drawn.paths() == [last.path]
    window.press(drawn.pin)

    def pinned() -> bool:
        cut = view.cuts["project"].cut
        return cut is not None and any(one.path == last.path and one.loaded for one in cut.entries)

    window.wait(pinned)
    window.settle()


def test_other_tools_memory_is_looked_at_and_never_mended(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    home = tmp_path / "home"
    with made_world(tmp_path, operations, environ={"HOME": str(home)}) as world:
        folder = home / ".claude" / "projects" / claude_slug(str(world.workspace.folder)) / "memory"
        folder.mkdir(parents=True)
        (folder / "theirs.md").write_text(dated("theirs", f"The token is {SECRET}."), encoding="utf-8")
        world.services.settings.set("memory.foreign", ["claude-code"])
        window = Window(world, qtbot)
        window.wait(lambda: "secret" in window.kinds())
        row = window.row("secret", "theirs.md")
        assert not row.fixes
        assert not row.look.isVisibleTo(row)
        window.close()


def test_a_narrow_editor_shows_all_of_it_without_scrolling_sideways(window: Window) -> None:
    name = "a-memory-with-quite-a-long-name-that-nobody-would-shorten.md"
    outside_write(window.world.root / name, dated("long", "See [[nowhere-at-all]]."))
    window.memory.controller.refresh()
    window.wait(lambda: window.of_kind("dangling-link") == 1)
    view = window.view
    window.bench.resize(1_000, 700)
    window.wait(lambda: view.width() < 600)
    scroll = view.findChild(QScrollArea, "welcomeScroll")
    assert isinstance(scroll, QScrollArea)
    view.setFixedWidth(240)
    window.wait(lambda: scroll.viewport().width() <= 240 and scroll.horizontalScrollBar().maximum() == 0)
    row = window.row("dangling-link", name)
    assert name in row.place.text() and name in row.place.accessibleName()


def test_a_long_memory_is_split_out_of_its_preview_and_one_undo_brings_it_back(window: Window) -> None:
    said = "The nightly job copies the orders of a region into the archive and tells the desk. " * 90
    whole = dated("orders", "".join(f"## Part {n}\n\n{said}\n\n" for n in range(6)))
    outside_write(window.world.root / "orders.md", whole)
    window.memory.controller.refresh()
    window.wait(lambda: window.of_kind("oversize-note") == 1)
    row = window.row("oversize-note", "orders.md")
    button = row.fixes["split-sections"]
    assert button.text() == "Split by Sections…"
    window.press(button)
    window.wait(lambda: row.preview is not None)
    assert row.preview is not None
    assert (window.world.root / "orders.md").read_text(encoding="utf-8") == whole  # shown, not made
    assert not row.preview.choice.isVisibleTo(row)
    window.offers.clear()
    window.press(row.preview.apply)
    window.wait(lambda: len(list(window.world.root.glob("orders-part-*.md"))) == 6)
    window.settle()
    window.wait(lambda: bool(window.offers))
    dict(window.offers)["Undo"]()
    window.wait(lambda: (window.world.root / "orders.md").read_text(encoding="utf-8") == whole)
    window.wait(lambda: not list(window.world.root.glob("orders-part-*.md")))
    window.settle()


def test_what_cannot_be_read_says_why_and_opens_its_folder(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("PySide6.QtGui.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    os.mkfifo(window.world.root / "pipe.md")
    outside_write(window.world.root / "a.md", dated("a", "Words."))
    window.memory.controller.refresh()
    window.part.controller.check()
    window.wait(lambda: window.of_kind("unreadable") == 1)
    row = window.row("unreadable", "pipe.md")
    assert "not a plain file" in row.text.text()
    assert row.way.isVisibleTo(row) and "Open its folder" in row.way.text()
    assert row.folder.accessibleName() == "Open the folder of pipe.md"
    window.press(row.folder)
    assert opened == [str(window.world.root)]
    (window.world.root / "pipe.md").unlink()
    window.settle()


def test_another_repair_of_a_problem_is_looked_at_before_it_is_made(window: Window) -> None:
    outside_write(window.world.root / "a.md", dated("a", "The port of the API is 3000."))
    outside_write(window.world.root / "b.md", dated("b", "The port of the API is 8080.", "2026-02-01T00:00:00Z"))
    window.memory.controller.refresh()
    window.wait(lambda: window.of_kind("contradicted") == 1)
    row = window.row("contradicted", "a.md")
    window.press(row.look)
    window.wait(lambda: row.preview is not None)
    assert row.preview is not None
    choice = row.preview.choice
    assert [choice.itemText(at) for at in range(choice.count())] == ["Delete It", "Mark as Superseded"]
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    window.wait(lambda: row.preview is not None and row.preview.choice is not choice and bool(row.preview.views))
    assert row.preview.choice.currentData() == "mark-superseded"
    assert any("Superseded by" in view.toPlainText() for view in row.preview.views)
    assert (window.world.root / "a.md").exists()
    window.press(row.preview.apply)
    window.wait(lambda: "Superseded" in (window.world.root / "a.md").read_text(encoding="utf-8"))
    window.settle()
