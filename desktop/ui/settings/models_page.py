"""Models and keys: the model of new chats, the embedded models, providers with their keys, and OpenAI-compatible servers.

Shows the controller's facts and passes intents on. GUI thread; no I/O.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.providers.fetch import Progress
from desktop.providers.registry import CheckResult
from desktop.settings.secrets import environment_names
from desktop.ui import theme
from desktop.ui.controllers.models_controller import FILE, ModelsController
from desktop.ui.controllers.models_facts import EndpointFacts, ModelsFacts
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.rows import folded
from desktop.ui.settings.card import Card, ResultLine
from desktop.ui.settings.embedded_card import EmbeddedCard, progress_text
from desktop.ui.settings.encoder_section import EncoderSection
from desktop.ui.settings.endpoint_form import EndpointForm
from desktop.ui.settings.provider_card import ProviderCard


class EndpointCard(ProviderCard):
    """A configured OpenAI-compatible server. A key is needed by few of them."""

    def _state(self, source: object) -> str:
        return self.tr("✓ key found") if source else self.tr("without a key")


class ModelsPage(QWidget):
    """See the module's text."""

    def __init__(self, controller: ModelsController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelsPage")
        self.setAccessibleName(self.tr("Models and keys"))
        self._controller = controller
        self.embedded: dict[str, EmbeddedCard] = {}
        self.providers: dict[str, ProviderCard] = {}
        self.endpoints: dict[str, EndpointCard] = {}
        self._headings: list[QLabel] = []
        self._build()
        controller.facts_changed.connect(self._on_facts)
        controller.failed.connect(self._on_failed)
        controller.checked.connect(self._on_checked)
        controller.download_changed.connect(self._on_download)
        controller.download_failed.connect(self._on_download_failed)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._column = QVBoxLayout(self)
        self.problem = Banner("modelsProblem", self)
        self._column.addWidget(self.problem)
        self._build_default()
        self._embedded_box = self._section(
            self.tr("On this computer"),
            self.tr(
                "The embedded models need no key and no network. They are small: they chat, remember and do simple edits. "
                "Connect a provider for real coding work."
            ),
        )
        self._build_own_file()
        self._build_encoders()
        self._provider_box = self._section(
            self.tr("Providers"), self.tr("Paste a key and test it. The model names are the providers’ own.")
        )
        self._build_key_store()
        self._endpoint_box = self._section(
            self.tr("OpenAI-compatible servers"),
            self.tr("Ollama, LM Studio, vLLM, llama.cpp or any other server that speaks this protocol."),
        )
        self.add_endpoint = QPushButton(self.tr("Add a Server…"), self)
        self.add_endpoint.setObjectName("endpointAdd")
        self.add_endpoint.setProperty("role", "secondary")
        self.add_endpoint.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.add_endpoint.clicked.connect(self._add_endpoint)
        self.form_card = Card("endpointFormCard", self)
        self.form_card.text.hide()
        self.form = EndpointForm(self.form_card)
        self.form.save_requested.connect(self._save_endpoint)
        self.form.closed.connect(self._close_form)
        self.form_card.column.addWidget(self.form)
        self.form_card.hide()
        self._column.addWidget(self.form_card)
        self._column.addWidget(self.add_endpoint)

    def _build_default(self) -> None:
        card = Card("defaultModel", self)
        card.title.setText(self.tr("Model of new chats"))
        card.text.hide()
        self.default = QComboBox(card)
        self.default.setObjectName("defaultModelChoice")
        self.default.setAccessibleName(card.title.text())
        self.default.activated.connect(self._on_default)
        self.test = card.button(self.tr("Test"), self._test, name="defaultModelTest")
        self.result = ResultLine(card)
        card.row(self.default, self.test, stretch=0)
        card.column.addWidget(self.result)
        self._column.addWidget(card)

    def _build_encoders(self) -> None:
        box = self._section(
            self.tr("Search by meaning"),
            self.tr(
                "Search works without any of these: it finds words. With an encoder it also finds what says the same in other words, and "
                "with most of them in another language. It runs on this computer; nothing is sent anywhere."
            ),
        )
        self.encoders = EncoderSection(self._controller, self)
        box.addWidget(self.encoders)

    def _build_own_file(self) -> None:
        """A file that the person has already: no download."""
        self.own_file = QPushButton(self.tr("Use a Model File You Have…"), self)
        self.own_file.setObjectName("embeddedOwnFile")
        self.own_file.setProperty("role", "link")
        self.own_file.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.own_file.clicked.connect(self._choose_file)
        self.file_result = ResultLine(self)
        self._column.addWidget(self.own_file)
        self._column.addWidget(self.file_result)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Model file"), "", self.tr("Models for llama.cpp (*.gguf)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self._controller.add_file(Path(file)))
        dialog.open()

    def _build_key_store(self) -> None:
        card = Card("keyStore", self)
        card.title.setText(self.tr("Where keys are kept"))
        card.text.setText(self.tr("A key in the environment always wins. A key in a file is readable by you alone, but not encrypted."))
        self.key_store = QComboBox(card)
        self.key_store.setObjectName("keyStoreChoice")
        self.key_store.setAccessibleName(card.title.text())
        for value, label in (
            ("ask", self.tr("Ask each time")), ("keyring", self.tr("In the system’s keyring")),
            ("file", self.tr("In a file only you can read")), ("environment", self.tr("Only in the environment")),
        ):  # fmt: skip
            self.key_store.addItem(label, value)
        self.key_store.activated.connect(lambda at: self._controller.set_key_store(str(self.key_store.itemData(at))))
        card.row(self.key_store)
        self._provider_box.addWidget(card)

    def _section(self, title: str, text: str) -> QVBoxLayout:
        """A heading with a sentence and a place for cards."""
        heading = QLabel(title, self)
        heading.setProperty("role", "section")
        about = QLabel(text, self)
        about.setProperty("role", "secondary")
        about.setWordWrap(True)
        about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        box = QVBoxLayout()
        self._headings.append(heading)
        self._column.addWidget(heading)
        self._column.addWidget(about)
        self._column.addLayout(box)
        return box

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(now.px(14), 0, now.px(14), now.px(8))
        self._column.setSpacing(now.px(8))
        for heading in self._headings:
            heading.setContentsMargins(0, now.px(10), 0, 0)
        for box in (self._embedded_box, self._provider_box, self._endpoint_box):
            box.setSpacing(now.px(8))

    def matches(self, words: list[str]) -> bool:
        """Whether a search means this page."""
        cards = (*self.embedded.values(), *self.providers.values(), *self.endpoints.values())
        known = "anthropic openai google ollama lm studio vllm llama gguf claude gpt gemini"
        titles = " ".join(card.title.text() for card in cards)
        about = self.tr("models keys providers download test API key")
        text = folded(f"{about} {known} {self.default.currentText()} {titles} {self.encoders.matches_text()}")
        return all(word in text for word in words)

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _on_facts(self) -> None:
        facts = self._controller.facts
        if facts is None:
            return
        self._show_default(facts)
        self._show_embedded(facts)
        self.encoders.show_facts(facts)
        for vendor in facts.vendors:
            card = self.providers.get(vendor.name)
            if card is None:
                card = self.providers[vendor.name] = ProviderCard(self._controller, vendor.name, vendor.label, self)
                self._provider_box.addWidget(card)
            card.show_key(vendor.source, vendor.variables, vendor.models, facts)
        self._show_endpoints(facts)
        self.key_store.setCurrentIndex(max(0, self.key_store.findData(facts.key_store)))

    def _show_default(self, facts: ModelsFacts) -> None:
        self.default.clear()
        for choice in facts.choices:
            self.default.addItem(choice.label if choice.id.startswith("embedded") else choice.id, choice.id)
        at = self.default.findData(facts.default)
        if at < 0:
            self.default.insertItem(0, self.tr("{model} (cannot be used now)").format(model=facts.default), facts.default)
            at = 0
        self.default.setCurrentIndex(at)

    def _show_embedded(self, facts: ModelsFacts) -> None:
        names = {model.name for model in facts.embedded}
        for name in [name for name in self.embedded if name not in names]:
            _drop(self.embedded.pop(name))
        for model in facts.embedded:
            if model.name in self.embedded:
                self.embedded[model.name].show_facts(model, facts.free)
            else:
                card = self.embedded[model.name] = EmbeddedCard(self._controller, model, facts.free, self)
                self._embedded_box.addWidget(card)

    def _show_endpoints(self, facts: ModelsFacts) -> None:
        names = {endpoint.name for endpoint in facts.endpoints}
        for name in [name for name in self.endpoints if name not in names]:
            _drop(self.endpoints.pop(name))
        for endpoint in facts.endpoints:
            card = self.endpoints.get(endpoint.name) or self._new_endpoint(endpoint)
            card.text.setText(endpoint.base_url)
            card.text.show()
            models = tuple(f"{endpoint.name}:{model}" for model in endpoint.models)
            card.show_key(endpoint.source, environment_names(endpoint.name), models, facts)

    def _new_endpoint(self, endpoint: EndpointFacts) -> EndpointCard:
        name = endpoint.name
        card = self.endpoints[name] = EndpointCard(self._controller, name, name, self)
        change = card.button(self.tr("Change…"), lambda: self._change_endpoint(name), name=f"endpointChange:{name}")
        remove = card.button(self.tr("Remove"), lambda: self._controller.remove_endpoint(name), name=f"endpointRemove:{name}")
        card.row(change, remove)
        self._endpoint_box.addWidget(card)
        return card

    def _on_failed(self, failure: Failure) -> None:
        self.problem.show_text("error", failure.text(), [(self.tr("Close"), self.problem.dismiss)])

    def _on_checked(self, model_id: str, result: CheckResult) -> None:
        if model_id == self.default.currentData() and not self.test.isEnabled():
            self.test.setEnabled(True)
            self.result.show_result(result.ok, sentences(result.message, result.hint))

    def _on_download(self, name: str, progress: Progress | None) -> None:
        if name in self.embedded:
            self.embedded[name].show_progress(progress)
        elif name == FILE:
            self.file_result.show_result(None, progress_text(progress)) if progress is not None else self.file_result.dismiss()
        else:
            self.encoders.show_progress(name, progress)

    def _on_download_failed(self, name: str, failure: Failure) -> None:
        if name in self.embedded:
            self.embedded[name].show_failure(failure)
        elif name == FILE:
            self.file_result.show_result(False, failure.text())
        else:
            self.encoders.show_failure(name, failure)

    # -- what the person does --------------------------------------------------------------------------------------------------------

    def _on_default(self, at: int) -> None:
        self.result.dismiss()
        self._controller.set_default(str(self.default.itemData(at)))

    def _test(self) -> None:
        model = self.default.currentData()
        if model:
            self.test.setEnabled(False)
            self.result.show_result(None, self.tr("asking {model}…").format(model=self.default.currentText()))
            self._controller.check(str(model))

    def _add_endpoint(self) -> None:
        self.form_card.title.setText(self.tr("Add a server"))
        self.form.start_new()
        self.form_card.show()
        self.add_endpoint.hide()
        self.form.models.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change_endpoint(self, name: str) -> None:
        facts = self._controller.facts
        endpoint = next((one for one in facts.endpoints if one.name == name), None) if facts is not None else None
        if endpoint is not None:
            self.form_card.title.setText(self.tr("Change {name}").format(name=name))
            self.form.start_change(endpoint)
            self.form_card.show()
            self.add_endpoint.hide()

    def _save_endpoint(self, name: str, base_url: str, models: list[str], window: int | None, old_name: str) -> None:
        self.problem.dismiss()
        self._controller.save_endpoint(name, base_url, models, window, old_name=old_name)
        self._close_form()

    def _close_form(self) -> None:
        self.form_card.hide()
        self.add_endpoint.show()

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._controller.refresh()


def _drop(card: QWidget) -> None:
    card.hide()
    card.setParent(None)
    card.deleteLater()
