"""The models page: keys and where they are kept, endpoints, the default model, the test button, embedded models."""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.bridge.tasks import Tasks
from desktop.providers.catalogue import CATALOGUE, CatalogueModel
from desktop.ui import theme
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.settings.flow import FlowRow
from desktop.ui.settings.models_page import ModelsPage
from desktop.ui.settings.sizes import seconds_text, size_text
from tests.helpers.http_server import ModelServer, Reply
from tests.ui.memory_world import BoxKeyring, World, made_world

WAIT_MS = 15_000
KEY = "sk-" + "test-" + "0123456789" * 3


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Page:
    """The page on the screen with what a test asks of it."""

    def __init__(self, world: World, qtbot: QtBot, catalogue: Sequence[CatalogueModel] = CATALOGUE) -> None:
        self.qtbot = qtbot
        self.world = world
        self.loop = LoopThread()
        self.tasks = Tasks(self.loop)
        self.controller = ModelsController(world.services, world.operations, self.tasks, catalogue=catalogue)
        self.widget = ModelsPage(self.controller)
        qtbot.addWidget(self.widget)
        self.widget.resize(800, 900)
        self.widget.show()
        self.wait(lambda: self.controller.facts is not None)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def source(self, name: str) -> str | None:
        assert self.controller.facts is not None
        sources = {one.name: one.source for one in self.controller.facts.vendors}
        sources |= {one.name: one.source for one in self.controller.facts.endpoints}
        return sources.get(name)

    def close(self) -> None:
        self.controller.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.tasks.close()
        self.loop.stop()


@pytest.fixture
def page(world: World, qtbot: QtBot) -> Iterator[Page]:
    made = Page(world, qtbot)
    yield made
    made.close()


def test_shows_embedded_models_providers_and_what_is_small(page: Page) -> None:
    assert set(page.widget.providers) == {"anthropic", "openai", "google"}
    assert len(page.widget.embedded) >= 2
    card = next(iter(page.widget.embedded.values()))
    assert "not installed" in card.state.text() and "1.12 GB" in card.text.text() and "Apache-2.0" in card.text.text()
    words = " ".join(label.text() for label in page.widget.findChildren(type(card.title)))
    assert "small" in words and "real coding work" in words
    for card_ in page.widget.providers.values():
        for control in (card_.key.value, card_.key.place, card_.model):
            assert control.accessibleName()


def test_a_key_goes_into_the_file_that_was_chosen_and_nowhere_else(page: Page) -> None:
    card = page.widget.providers["anthropic"]
    assert card.key.value.echoMode() == QLineEdit.EchoMode.Password
    assert [card.key.place.itemData(at) for at in range(card.key.place.count())] == ["file"]
    assert "no keyring" in card.key.note.text() and "not encrypted" in card.key.note.text()
    assert not card.key.save.isEnabled()
    QTest.keyClicks(card.key.value, KEY)
    card.key.save.click()
    page.wait(lambda: page.source("anthropic") == "file")
    assert card.key.value.text() == "" and "✓" in card.state.text()
    file = page.world.services.secrets.file
    assert file.stat().st_mode & 0o777 == 0o600 and KEY in file.read_text(encoding="utf-8")
    shown = " ".join(widget.text() for widget in page.widget.findChildren(type(card.title)))
    assert KEY not in shown
    logs = "".join(log.read_text(encoding="utf-8") for log in page.world.services.paths.logs.glob("*"))
    assert KEY not in logs
    card.key.remove.click()
    page.wait(lambda: page.source("anthropic") is None)
    assert KEY not in file.read_text(encoding="utf-8")


def test_a_key_goes_into_the_keyring_where_there_is_one(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    keyring = BoxKeyring()
    with made_world(tmp_path, operations, keyring=keyring) as world:
        page = Page(world, qtbot)
        entry = page.widget.providers["openai"].key
        assert entry.place.currentData() == "keyring"
        QTest.keyClicks(entry.value, KEY)
        QTest.keyClick(entry.value, Qt.Key.Key_Return)
        page.wait(lambda: page.source("openai") == "keyring")
        assert list(keyring.kept.values()) == [KEY] and not world.services.secrets.file.exists()
        page.close()


def test_a_key_of_the_environment_is_said(tmp_path: Path, operations: Operations, qtbot: QtBot) -> None:
    with made_world(tmp_path, operations, {"GEMINI_API_KEY": KEY}) as world:
        page = Page(world, qtbot)
        entry = page.widget.providers["google"].key
        assert "GEMINI_API_KEY" in entry.note.text() and "environment" in entry.note.text() and entry.remove.isHidden()
        page.close()


def test_places_follow_the_setting(page: Page) -> None:
    choice = page.widget.key_store
    choice.setCurrentIndex(choice.findData("environment"))
    choice.activated.emit(choice.currentIndex())
    entry = page.widget.providers["openai"].key
    page.wait(lambda: entry.value.isHidden())
    assert "OPENAI_API_KEY" in entry.note.text() and page.world.services.settings.value("keys.store") == "environment"


def test_a_wrong_key_is_refused_with_its_reason(page: Page) -> None:
    card = page.widget.providers["openai"]
    card.key.value.setText("schlüssel mit leerzeichen")
    card.key.save.click()
    page.wait(lambda: "✗" in card.result.text())
    assert "letter" in card.result.text() and card.key.value.text()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_server_is_added_tested_changed_and_removed(page: Page) -> None:
    widget, form = page.widget, page.widget.form
    widget.add_endpoint.click()
    assert form.isVisible() and form.address.text() == "http://localhost:11434/v1" and form.name.text() == "ollama"
    assert not form.save.isEnabled()
    form.preset.setCurrentIndex(form.preset.count() - 1)
    form.preset.activated.emit(form.preset.currentIndex())
    form.name.setText("box")
    form.address.setText(f"http://127.0.0.1:{free_port()}/v1")
    form.models.setText("qwen3，llama、 phi, ")
    form.window_size.setText("65,536")
    form.save.click()
    page.wait(lambda: "box" in widget.endpoints)
    entry = page.world.services.settings.value("model.endpoints")["box"]
    assert entry["models"] == ["qwen3", "llama", "phi"] and entry["context_window"] == 65_536
    card = widget.endpoints["box"]
    assert [card.model.itemText(at) for at in range(card.model.count())] == ["qwen3", "llama", "phi"]
    page.world.services.settings.set("agent.retries", 0)
    card.test.click()
    assert "…" in card.result.text()
    page.wait(lambda: card.test.isEnabled())
    assert "✗" in card.result.text() and len(card.result.text()) > 10
    card.use.click()
    page.wait(lambda: page.world.services.settings.value("model.default") == "box:qwen3")
    widget._change_endpoint("box")
    assert form.name.text() == "box" and form.models.text() == "qwen3, llama, phi" and form.window_size.text() == "65536"
    form.name.setText("kiste")
    form.save.click()
    page.wait(lambda: set(widget.endpoints) == {"kiste"})
    assert page.world.services.settings.value("model.endpoints")["kiste"]["context_window"] == 65_536
    page.controller.remove_endpoint("kiste")
    page.wait(lambda: not widget.endpoints)


def test_a_server_that_the_settings_refuse_is_said(page: Page) -> None:
    page.controller.save_endpoint("openai", "http://localhost:1/v1", ["x"], None)
    page.wait(lambda: page.widget.problem.isVisible())
    assert "openai" in page.widget.problem.text()


def test_the_default_model_is_chosen_and_tested(page: Page, tmp_path: Path) -> None:
    assert "cannot be used" in page.widget.default.currentText()
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"responses": [{"for": "title", "text": "OK"}]}), encoding="utf-8")
    page.controller.set_default(f"scripted:{script}")
    page.wait(lambda: page.widget.default.currentData() == f"scripted:{script}")
    page.widget.test.click()
    page.wait(lambda: page.widget.test.isEnabled())
    assert page.widget.result.text().startswith("✓") and "answers" in page.widget.result.text()


def test_a_model_that_is_not_there_fails_the_test_with_the_way_out(page: Page) -> None:
    page.widget.test.click()
    page.wait(lambda: page.widget.test.isEnabled())
    assert page.widget.result.text().startswith("✗") and "not installed" in page.widget.result.text()


def test_no_key_fails_the_test_of_a_provider(page: Page) -> None:
    card = page.widget.providers["anthropic"]
    card.test.click()
    page.wait(lambda: card.test.isEnabled())
    assert card.result.text().startswith("✗") and "ANTHROPIC_API_KEY" in card.result.text()


def test_sizes_and_times(qapp: QApplication) -> None:
    assert [size_text(n) for n in (1_117_320_768, 491_400_064, 12_000)] == ["1.12 GB", "491 MB", "12 kB"]
    assert [seconds_text(n) for n in (0.4, 59.6, 200, 3_900)] == ["0 s", "1 min 0 s", "3 min 20 s", "1 h 5 min"]


CONTENT = b"GGUF" + bytes(range(256)) * 4_000
NAME = "tiny-model"


def entry(server: ModelServer, sha256: str = "") -> CatalogueModel:
    """A small model behind a real server on this machine."""
    return CatalogueModel(
        name=NAME, label="Tiny (built in)", file="tiny-model-for-tests.gguf", size=len(CONTENT),
        sha256=sha256 or hashlib.sha256(CONTENT).hexdigest(), licence="Apache-2.0", publisher="Nobody",
        hub=f"{server.url}/tiny.gguf", pieces=(), needs=1_000_000, resident=1_000_000,
    )  # fmt: skip


def test_a_model_is_downloaded_after_a_yes_and_removed_after_another(world: World, qtbot: QtBot) -> None:
    with ModelServer(Reply([CONTENT[:500_000], CONTENT[500_000:]])) as server:
        page = Page(world, qtbot, [entry(server)])
        card = page.widget.embedded[NAME]
        card.download.click()
        assert "1 MB" in card.problem.text() and "free" in card.problem.text() and not server.received
        card.problem.buttons[1].click()
        assert card.problem.isHidden() and not card.download.isHidden()
        card.download.click()
        page.controller.refresh()
        page.wait(lambda: world.operations.pending == 0)
        assert card.download.isHidden() and not card.problem.isHidden()
        seen: list[str] = []
        page.controller.download_changed.connect(lambda _name, progress: seen.append(progress.phase if progress else "ended"))
        finished: list[str] = []
        page.controller.download_finished.connect(finished.append)
        card.problem.buttons[0].click()
        assert not card.bar.isHidden() and not card.cancel.isHidden() and card.download.isHidden()
        page.wait(lambda: "installed" in card.state.text() and "not" not in card.state.text())
        assert finished == [NAME] and seen[-1] == "ended"
        file = world.services.paths.models / "tiny-model-for-tests.gguf"
        assert file.read_bytes() == CONTENT and str(file) in card.text.text()
        card.remove.click()
        assert file.exists()
        card.problem.buttons[0].click()
        page.wait(lambda: "not installed" in card.state.text())
        assert not file.exists()
        page.close()


def test_a_download_is_stopped_at_once_and_is_no_error(world: World, qtbot: QtBot) -> None:
    with ModelServer(Reply([CONTENT[:300_000]], ending="hang")) as server:
        other = replace(entry(server), name="other", file="other.gguf")
        page = Page(world, qtbot, [entry(server), other])
        card = page.widget.embedded[NAME]
        page.controller.download(NAME)
        assert not page.widget.embedded["other"].download.isEnabled()
        page.wait(server.hanging.is_set)
        page.wait(lambda: "of 1 MB" in card.progress.text())
        card.cancel.click()
        page.wait(lambda: not card.download.isHidden())
        assert card.problem.isHidden() and card.bar.isHidden()
        page.wait(page.widget.embedded["other"].download.isEnabled)
        page.wait(server.client_left.is_set)
        page.close()


def test_a_wrong_file_is_refused_with_the_ways_out(world: World, qtbot: QtBot) -> None:
    with ModelServer(Reply([CONTENT])) as server:
        page = Page(world, qtbot, [entry(server, "0" * 64)])
        card = page.widget.embedded[NAME]
        page.controller.download(NAME)
        page.wait(lambda: not card.problem.isHidden())
        assert "digest is wrong" in card.problem.text() and card.problem.buttons[0].text() == "Try Again"
        assert not (world.services.paths.models / "tiny-model-for-tests.gguf").exists()
        page.close()


def test_no_network_says_what_else_can_be_done(world: World, qtbot: QtBot) -> None:
    with ModelServer() as server:
        gone = entry(server)
    page = Page(world, qtbot, [gone])
    card = page.widget.embedded[NAME]
    page.controller.download(NAME)
    page.wait(lambda: not card.problem.isHidden())
    assert "could not be reached" in card.problem.text() and "Ollama" in card.problem.text()
    page.close()


def test_a_file_of_the_persons_own(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    page = Page(world, qtbot, [])
    file = tmp_path / "my-model.gguf"
    file.write_bytes(CONTENT)
    page.controller.add_file(file)
    page.wait(lambda: "my-model" in page.widget.embedded)
    assert "installed" in page.widget.embedded["my-model"].state.text() and page.widget.file_result.isHidden()
    text = tmp_path / "notes.txt"
    text.write_text("no model", encoding="utf-8")
    page.controller.add_file(text)
    page.wait(lambda: "✗" in page.widget.file_result.text())
    assert "notes.txt" in page.widget.file_result.text()
    page.close()


def test_a_row_goes_on_in_the_next_line_where_it_is_narrow(qtbot: QtBot, dark: theme.Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    row = FlowRow(holder)
    line, save, remove = QLineEdit(), QPushButton("Save Key"), QPushButton("Remove Key")
    row.add(line, stretch=True)
    row.add(save)
    row.add(remove)
    column.addWidget(row)
    column.addStretch(1)
    holder.resize(600, 200)
    holder.show()
    qtbot.waitUntil(lambda: remove.geometry().right() == row.width() - 1 and line.width() > 300)
    assert abs(line.geometry().center().y() - remove.geometry().center().y()) <= 1
    holder.resize(180, 200)
    qtbot.waitUntil(lambda: line.geometry().bottom() < save.y() < remove.y() and row.height() > 3 * line.height())
    assert all(row.rect().contains(one.geometry()) for one in (line, save, remove))
    save.hide()
    qtbot.waitUntil(lambda: line.geometry().bottom() < remove.y() and row.height() < 3 * line.height())
