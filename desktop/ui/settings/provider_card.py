"""A provider: its key, a model to try, the test button and what it gave. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.providers.registry import CheckResult
from desktop.settings.secrets import SecretSource
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.models_facts import ModelsFacts
from desktop.ui.settings.card import Card, ResultLine
from desktop.ui.settings.key_entry import KeyEntry


class ProviderCard(Card):
    """One provider or one endpoint."""

    def __init__(self, controller: ModelsController, name: str, label: str, parent: QWidget | None = None) -> None:
        super().__init__(f"provider:{name}", parent)
        self.controller = controller
        self.name = name
        self.title.setText(label)
        self.text.hide()
        self.key = KeyEntry(name, self)
        self.key.save_requested.connect(self._save_key)
        self.key.remove_requested.connect(self._remove_key)
        self.model = QComboBox(self)
        self.model.setObjectName(f"providerModel:{name}")
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.model.completer()
        if completer is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.model.setAccessibleName(self.tr("Model of {name}").format(name=label))
        self.test = self.button(self.tr("Test"), self._test, name=f"providerTest:{name}")
        self.use = self.button(self.tr("Use for New Chats"), self._use, name=f"providerUse:{name}")
        self.result = ResultLine(self)
        self.column.addWidget(self.key)
        self.row(self.model, self.test, self.use, stretch=0)
        self.column.addWidget(self.result)
        controller.checked.connect(self._on_checked)
        controller.key_failed.connect(self._on_key_failed)
        controller.key_saved.connect(self._on_key_saved)

    def show_key(self, source: SecretSource | None, variables: tuple[str, ...], models: tuple[str, ...], facts: ModelsFacts) -> None:
        """Show where the key comes from and which models there are."""
        self.state.setText(self._state(source))
        self.key.show_facts(source, variables, keyring=facts.keyring, key_file=facts.key_file, key_store=facts.key_store)
        typed = self.model.currentText()
        names = [model.partition(":")[2] for model in models]
        if names != [self.model.itemText(at) for at in range(self.model.count())]:
            self.model.clear()
            self.model.addItems(names)
            if typed:
                self.model.setCurrentText(typed)
        default = facts.default.partition(":")
        self.use.setEnabled(not (default[0] == self.name and default[2] == self.model.currentText()))

    def _state(self, source: SecretSource | None) -> str:
        return self.tr("✓ key found") if source else self.tr("no key")

    def model_id(self) -> str:
        return f"{self.name}:{self.model.currentText().strip()}"

    def _save_key(self, value: str, place: str) -> None:
        self.result.show_result(None, self.tr("saving the key…"))
        self.controller.save_key(self.name, value, "keyring" if place == "keyring" else "file")

    def _remove_key(self) -> None:
        self.controller.remove_key(self.name)

    def _test(self) -> None:
        if self.model.currentText().strip():
            self.test.setEnabled(False)
            self.result.show_result(None, self.tr("asking {model}…").format(model=self.model.currentText().strip()))
            self.controller.check(self.model_id())

    def _use(self) -> None:
        if self.model.currentText().strip():
            self.controller.set_default(self.model_id())

    def _on_checked(self, model_id: str, result: CheckResult) -> None:
        if model_id.partition(":")[0] == self.name and not self.test.isEnabled():
            self.test.setEnabled(True)
            self.result.show_result(result.ok, sentences(result.message, result.hint))

    def _on_key_failed(self, name: str, failure: Failure) -> None:
        if name == self.name:
            self.result.show_result(False, failure.text())

    def _on_key_saved(self, name: str) -> None:
        if name == self.name:
            self.key.show_saved()
            self.result.dismiss()
