"""The settings page on a real profile: every setting, the search, the workspace-memory switch, broken files, all memory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QStyle, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.bridge.tasks import Tasks
from desktop.memory.identity import read_project_file
from desktop.settings.presets import BUNDLES
from desktop.settings.schema import FIELDS
from desktop.ui import theme
from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.memory.viewer import MemoryViewer
from desktop.ui.settings.entries import HIDDEN, category_titles, entries
from desktop.ui.settings.page import CategoryDelegate, SettingsPage
from desktop.ui.settings.switch import Switch
from tests.ui.memory_world import PERSON, World, made_world, note_text, outside_write

WAIT_MS = 10_000


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Page:
    """The page on the screen with what a test asks of it."""

    def __init__(self, world: World, qtbot: QtBot, *, opened: bool = True) -> None:
        self.qtbot = qtbot
        self.world = world
        self.loop = LoopThread()
        self.tasks = Tasks(self.loop)
        self.controller = SettingsController(world.services, world.workspace if opened else None, world.operations)
        self.models = ModelsController(world.services, world.operations, self.tasks)
        self.all_memory = AllMemoryController(world.services, world.operations)
        self.widget = SettingsPage(self.controller, self.models, self.all_memory)
        qtbot.addWidget(self.widget)
        self.widget.resize(1000, 800)
        self.widget.show()
        self.wait(lambda: self.models.facts is not None and self.all_memory.was_read)
        if opened:
            self.wait(lambda: self.controller.workspace_memory is not None)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def close(self) -> None:
        self.all_memory.stop()
        self.models.close()
        self.controller.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.tasks.close()
        self.loop.stop()

    def stored(self) -> dict[str, object]:
        file = self.world.services.paths.settings_file
        found: dict[str, object] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return found


@pytest.fixture
def page(world: World, qtbot: QtBot) -> Iterator[Page]:
    made = Page(world, qtbot)
    yield made
    made.close()


def test_every_setting_is_on_the_page(page: Page) -> None:
    shown = set(page.widget.rows) | HIDDEN
    assert {key for key, field in FIELDS.items() if field.kind != "map"} <= shown
    assert next(iter(category_titles())) == "memory" and page.widget.categories.item(0).text() == "Memory"
    assert page.widget.objectName() == "settingsPage"
    for key, row in page.widget.rows.items():
        assert row.control.widget.accessibleName(), key
        assert row.title.text() and row.description.text(), key


def test_choices_have_words_and_only_what_the_schema_allows(page: Page) -> None:
    for entry in entries():
        field = FIELDS[entry.key]
        if field.kind == "choice":
            assert tuple(value for value, _ in entry.choices) == field.choices
            assert all(label and label not in ("git-root", "accept-edits") for _, label in entry.choices)


def test_a_value_is_saved_marked_and_reset(page: Page) -> None:
    row = page.widget.rows["memory.index_lines"]
    spin = row.control.widget
    assert isinstance(spin, QAbstractSpinBox) and not row.is_modified() and row.reset.isHidden()
    spin.setValue(120)  # type: ignore[attr-defined]
    page.wait(row.is_modified)
    assert page.controller.value("memory.index_lines") == 120
    assert not row.mark.isHidden() and "120" in json.dumps(page.stored())
    row.reset.click()
    page.wait(lambda: not row.is_modified())
    assert page.controller.value("memory.index_lines") == 200 and spin.value() == 200  # type: ignore[attr-defined]


def test_switches_choices_and_zoom(page: Page) -> None:
    write = page.widget.rows["memory.write"].control.widget
    assert isinstance(write, Switch) and write.isChecked() and write.word() == "On"
    QTest.mouseClick(write, Qt.MouseButton.LeftButton)
    page.wait(lambda: page.controller.value("memory.write") is False)
    assert write.word() == "Off"
    QTest.keyClick(write, Qt.Key.Key_Space)
    page.wait(lambda: page.controller.value("memory.write") is True)
    theme = page.widget.rows["appearance.theme"].control.widget
    assert isinstance(theme, QComboBox)
    theme.setCurrentIndex(theme.findData("light"))
    theme.activated.emit(theme.currentIndex())
    page.wait(lambda: page.controller.value("appearance.theme") == "light")
    zoom = page.widget.rows["appearance.zoom"].control.widget
    zoom.setValue(150)  # type: ignore[attr-defined]
    page.wait(lambda: page.controller.value("appearance.zoom") == 1.5)


def test_the_wheel_never_changes_a_value(page: Page) -> None:
    for key in ("memory.index_lines", "agent.thinking", "agent.max_cost_usd"):
        widget = page.widget.rows[key].control.widget
        before = page.controller.value(key)
        middle = QPointF(widget.rect().center())
        wheel = QWheelEvent(
            middle, widget.mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        widget.setFocus()
        QApplication.sendEvent(widget, wheel)
        page.wait(lambda: page.world.operations.pending == 0)
        assert page.controller.value(key) == before


def test_a_change_from_elsewhere_is_shown(page: Page) -> None:
    page.world.services.settings.set("agent.max_steps", 7)
    spin = page.widget.rows["agent.max_steps"].control.widget
    page.wait(lambda: spin.value() == 7)  # type: ignore[attr-defined]


def test_search_finds_by_title_text_key_and_choice(page: Page) -> None:
    def visible() -> set[str]:
        return {key for key, row in page.widget.rows.items() if not row.isHidden()}

    for text, keys in (
        ("agent.max_steps", {"agent.max_steps"}),
        ("Worktree", {"memory.identity"}),
        ("WHEEL nothing", set()),
        ("colour", {"appearance.theme"}),
    ):
        page.widget.search.setText(text)
        page.wait(lambda keys=keys: visible() == keys)  # type: ignore[misc]
    page.widget.search.setText("ollama")
    page.wait(lambda: page.widget.models.isVisible() and not visible())
    page.widget.search.clear()
    page.wait(lambda: len(visible()) == len(page.widget.rows))


def test_categories_scroll_and_follow(page: Page) -> None:
    page.widget.show_category("agent")
    heading = page.widget.rows["agent.mode"].mapTo(page.widget, page.widget.rows["agent.mode"].rect().topLeft())
    assert 0 <= heading.y() < page.widget.height() // 2
    assert page.widget.categories.currentItem().text() == "Agent"
    page.widget.area.verticalScrollBar().setValue(0)
    assert page.widget.categories.currentItem().text() == "Memory"


def test_workspace_memory_switch(page: Page) -> None:
    card, project = page.widget.memory_card, page.world.workspace.project
    switch = page.widget.findChild(QWidget, "workspaceMemorySwitch")
    assert switch is card.switch and card.switch.isChecked() and "天气 app" in card.title.text()
    assert not card.cost.isHidden() and "cost" in card.cost.text()
    QTest.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    page.wait(lambda: page.controller.workspace_memory is not None and not page.controller.workspace_memory.on)
    assert read_project_file(project).switch is False
    assert "without memory" in card.what.text()
    assert page.world.workspace.memory_state().enabled is False
    QTest.keyClick(card.switch, Qt.Key.Key_Space)
    page.wait(lambda: page.controller.workspace_memory is not None and page.controller.workspace_memory.on)
    assert "switch" not in json.loads(project.project_file.read_text(encoding="utf-8"))


def test_the_open_chat_keeps_its_memory_until_applied(page: Page) -> None:
    card = page.widget.memory_card
    assert card.chat.isHidden() and card.apply_here.isHidden()
    page.controller.set_open_chat_memory(True)
    assert not card.chat.isHidden() and card.apply_here.isHidden()
    page.controller.set_workspace_memory(False)
    page.wait(lambda: not card.apply_here.isHidden())
    assert "keeps it until" in card.chat.text()
    asked: list[bool] = []
    page.controller.apply_here_requested.connect(lambda: asked.append(True))
    card.apply_here.click()
    assert asked
    page.controller.set_open_chat_memory(False)
    assert card.apply_here.isHidden()
    page.controller.set_workspace_memory(True)
    page.wait(lambda: not card.apply_here.isHidden())
    assert "stays so" in card.chat.text()


def test_another_switch_that_decides_is_named(page: Page) -> None:
    page.controller.set("features.memory", False)
    page.wait(lambda: page.widget.memory_card.notice.isVisible())
    assert "features.memory" in page.widget.memory_card.notice.text()


def test_a_broken_project_file_waits_for_the_person(page: Page) -> None:
    file = page.world.workspace.project.project_file
    file.write_text("{", encoding="utf-8")
    page.controller.refresh_workspace_memory()
    card = page.widget.memory_card
    page.wait(lambda: card.notice.isVisible())
    assert str(file) in card.notice.text()
    card.notice.buttons[0].click()
    page.wait(lambda: card.notice.isHidden())
    assert read_project_file(page.world.workspace.project).readable
    assert list(file.parent.glob("project.json.broken-*"))


def test_without_a_folder(world: World, qtbot: QtBot) -> None:
    page = Page(world, qtbot, opened=False)
    assert not page.widget.memory_card.switch.isEnabled() and "Open a folder" in page.widget.memory_card.what.text()
    page.controller.set_workspace(world.workspace)
    page.wait(lambda: page.widget.memory_card.switch.isEnabled())
    page.close()


def test_the_workspace_may_only_tighten_and_that_is_said(world: World, qtbot: QtBot) -> None:
    file = world.workspace.folder / ".keepsake" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"memory.write": False}), encoding="utf-8")
    world.workspace.settings.load()
    page = Page(world, qtbot)
    row = page.widget.rows["memory.write"]
    assert not row.control.widget.isEnabled() and str(file) in row.note.text()
    page.close()


def test_a_broken_settings_file_is_said_and_decided(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    config = tmp_path / "profile" / "config"
    config.mkdir(parents=True)
    (config / "settings.json").write_text("{ broken", encoding="utf-8")
    with made_world(tmp_path, operations) as world:
        page = Page(world, qtbot)
        assert page.widget.problems.isVisible() and page.controller.is_broken()
        assert not world.workspace.memory_state().write
        page.widget.problems.buttons[0].click()
        page.wait(lambda: not page.controller.is_broken())
        assert world.workspace.memory_state().write
        assert list(config.glob("settings.json.broken-*"))
        page.close()


def test_a_value_that_cannot_be_saved_is_shown_as_it_was(page: Page) -> None:
    config = page.world.services.paths.config
    if config.exists():
        shutil.rmtree(config)
    config.write_text("a file where the folder belongs", encoding="utf-8")
    spin = page.widget.rows["agent.max_steps"].control.widget
    spin.setValue(9)  # type: ignore[attr-defined]
    page.wait(lambda: page.widget.problems.isVisible())
    page.wait(lambda: spin.value() == page.controller.value("agent.max_steps"))  # type: ignore[attr-defined]
    assert "Not saved" in page.widget.problems.text() and page.controller.value("agent.max_steps") == 50
    config.unlink()
    spin.setValue(8)  # type: ignore[attr-defined]
    page.wait(lambda: page.controller.value("agent.max_steps") == 8)
    page.wait(lambda: page.widget.problems.isHidden())


def second_project(world: World, tmp_path: Path) -> str:
    folder = tmp_path / "shop"
    folder.mkdir()
    other = world.services.open_workspace(folder)
    other.store.write("deep/er/payments.md", note_text("payments", "Stripe in test mode"), base_digest=None, origin=PERSON)
    return other.project.key


def test_all_memory_of_all_workspaces(world: World, tmp_path: Path, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    key = second_project(world, tmp_path)
    page = Page(world, qtbot)
    listing, own = page.widget.all_memory, world.workspace.project.key
    page.wait(lambda: f"{key}/deep/er/payments.md" in listing.model.row_keys())
    first = listing.model.index(0, 0)
    assert listing.model.row_at(first).name == "shop"  # type: ignore[union-attr]
    assert listing.model.row_at(listing.model.index(0, 0, first)).key == f"{key}/MEMORY.md"  # type: ignore[union-attr]
    assert {f"{own}/MEMORY.md", f"{own}/bun.md", f"{key}/deep/er/"} <= set(listing.model.row_keys())
    opened: list[tuple[str, str]] = []
    page.widget.memory_open_requested.connect(lambda project, path: opened.append((project, path)))
    listing.tree.select(f"{key}/deep/er/payments.md")
    QTest.keyClick(listing.tree, Qt.Key.Key_Return)
    assert opened == [(key, "deep/er/payments.md")]
    listing.filter.setText("ＳＴＲＩＰＥ")
    page.wait(lambda: f"{own}/bun.md" not in listing.model.row_keys())
    listing.filter.clear()
    page.wait(lambda: f"{own}/bun.md" in listing.model.row_keys())
    page.all_memory.watcher.join()
    outside_write(world.services.paths.projects / key / "memory" / "new.md", note_text("new"))
    page.wait(lambda: f"{key}/new.md" in listing.model.row_keys())
    page.close()


def test_the_viewer_shows_and_never_changes(world: World, tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    key = second_project(world, tmp_path)
    controller = AllMemoryController(world.services, operations)
    viewer = MemoryViewer(controller.reader(key, "deep/er/payments.md"), "shop", "deep/er/payments.md", operations)
    qtbot.addWidget(viewer)
    viewer.show()
    qtbot.waitUntil(lambda: "Body of payments." in viewer.preview.browser.toPlainText(), timeout=WAIT_MS)
    assert viewer.form.description.text() == "Stripe in test mode" and viewer.form.description.isReadOnly()
    assert not viewer.form.kind.isEnabled() and viewer.source.isReadOnly()
    assert viewer.title() == "payments.md" and "shop" in viewer.tab_tooltip()
    gone = MemoryViewer(controller.reader("nothing-0000000000000000", "x.md"), "gone", "x.md", operations)
    qtbot.addWidget(gone)
    gone.show()
    qtbot.waitUntil(lambda: gone.page.isVisible(), timeout=WAIT_MS)
    assert "not there any more" in gone.page.body.text()


@pytest.mark.parametrize("width", [300, 360, 1000])
def test_nothing_is_cut_off_in_a_narrow_tab(page: Page, dark: theme.Theme, width: int) -> None:
    page.widget.resize(width, 700)
    inside, area = page.widget.area.widget(), page.widget.area
    assert inside is not None
    page.wait(lambda: inside.minimumSizeHint().width() <= area.viewport().width() and page.widget.categories.isVisible() == (width == 1000))
    row = page.widget.rows["agent.mode"]
    page.wait(lambda: row.control.widget.geometry().right() < row.width())
    assert row.key.isHidden() == (width < 400), "the key goes where there is no room for it"
    if width == 1000:
        assert row.control.widget.width() == 320


@pytest.mark.parametrize("width", [420, 760, 1200])
def test_the_page_ends_with_its_last_setting(page: Page, width: int) -> None:
    """Nothing but the margin comes below it, however wide the tab is."""
    page.widget.resize(width, 600)

    def below() -> int:
        shown = [row for row in page.widget.rows.values() if row.isVisible()]
        return page.widget._content.height() - max(row.geometry().bottom() for row in shown)

    page.wait(lambda: below() < 100)
    assert page.widget._content.height() >= page.widget.area.viewport().height()


def test_the_category_with_the_keyboard_focus_is_marked(page: Page, dark: theme.Theme) -> None:
    """What the list tells its delegate, and the delegate what it draws."""
    categories = page.widget.categories
    delegate = categories.itemDelegate()
    assert isinstance(delegate, CategoryDelegate)
    option = QStyleOptionViewItem()
    delegate.initStyleOption(option, categories.currentIndex())
    assert delegate.frame(option) is None
    option.state |= QStyle.StateFlag.State_HasFocus
    assert delegate.frame(option) == "focus"


def test_every_setting_of_memory_in_use_has_words(page: Page) -> None:
    titles = {entry.key: entry.title for entry in entries()}
    for key in FIELDS:
        if key.startswith("memory.") and key not in HIDDEN:
            assert titles[key] != key, key


def test_what_is_learnt_here_is_chosen_for_this_workspace(page: Page) -> None:
    card = page.widget.memory_card
    page.wait(lambda: card.extraction.isVisible() and card.extraction.count() == 4)
    assert "Automatic" in card.extraction.itemText(0) and card.extraction.currentIndex() == 0
    for at, wanted in ((2, "review"), (3, "off"), (1, "auto"), (0, "auto")):
        card.extraction.activated.emit(at)

        def holds(at: int = at, wanted: str = wanted) -> bool:
            return card.extraction.currentIndex() == at and page.world.workspace.memory_state().extraction == wanted

        page.wait(holds)
        assert card.held.isVisible() == (wanted == "review")
    assert "extraction" not in json.loads(page.world.workspace.project.project_file.read_text())


def test_the_folders_own_file_allows_no_more(page: Page) -> None:
    folder = page.world.workspace.folder
    (folder / ".keepsake").mkdir()
    (folder / ".keepsake" / "settings.json").write_text('{"memory": {"extraction": "review"}}')
    page.world.workspace.settings.load()
    card = page.widget.memory_card
    page.controller.set_workspace_extraction("auto")
    page.wait(lambda: card.held.isVisible())
    assert "settings.json" in card.held.text() and "Ask me first" in card.held.text()
    assert page.world.workspace.memory_state().extraction == "review"


@pytest.mark.parametrize("preset", ["zcode", "claude", "mini"])
def test_a_preset_says_what_it_changes(page: Page, preset: str) -> None:
    card = page.widget.presets
    assert not card.changes.isVisible() and card.text.text()
    page.controller.set("memory.index_channel", "user")
    page.wait(lambda: page.controller.is_modified("memory.index_channel") or page.controller.source("memory.index_channel") == "person")
    card.choice.activated.emit(card.choice.findData(preset))
    page.wait(lambda: page.controller.value("memory.preset") == preset and card.changes.isVisible())
    lines = card.changes.text().split("\n")
    assert len(lines) == 1 + len(BUNDLES[preset])
    assert page.controller.value("memory.recall") == BUNDLES[preset]["memory.recall"]
    assert not any("memory." in line or "two-steps" in line or "git-root" in line for line in lines), "in words"
    if preset in ("claude", "mini"):
        (channel,) = [line for line in lines if "Where memory stands" in line]
        assert "In the system prompt" in channel and "you set: Before the chat" in channel
    card.choice.activated.emit(0)
    page.wait(lambda: not card.changes.isVisible())


@pytest.mark.parametrize("words", ["ZCode preset", "recall", "ask me first"])
def test_memory_in_use_is_found(page: Page, words: str) -> None:
    page.widget.search.setText(words.split()[0])
    page.wait(lambda: not page.widget._typing.isActive())
    assert page.widget.presets.isVisible() or any(row.isVisible() for row in page.widget.rows.values())


def test_the_list_of_all_memory_is_one_step_away(page: Page) -> None:
    page.widget.show_all_memory()
    bar = page.widget.area.verticalScrollBar()
    page.wait(lambda: bar.value() >= min(page.widget.all_memory.y(), bar.maximum()) > 0)
    page.widget.rows[next(iter(page.widget.rows))].setFixedHeight(900)  # what stands above it grows: it stays in view
    page.wait(lambda: bar.value() == min(page.widget.all_memory.y(), bar.maximum()) > 900)
    assert page.widget.all_memory.focusProxy() is page.widget.all_memory.filter
