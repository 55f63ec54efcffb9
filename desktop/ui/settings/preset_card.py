"""The settings card for presets: whose way memory goes, what that means in one sentence, and every setting that it changes. GUI thread."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from desktop.settings.presets import BUNDLES, PRESET
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.memory.rows import folded, shown
from desktop.ui.settings.card import Card
from desktop.ui.settings.entries import entries
from desktop.ui.settings.flow import FlowRow


class PresetCard(Card):
    """See the module's text.

    Attributes:
        choice: the control.
        changes: the settings that the chosen preset brings, one a line.
    """

    def __init__(self, controller: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__("memoryPresetCard", parent)
        self._controller = controller
        self._entries = {entry.key: entry for entry in entries()}
        self.title.setText(self.tr("How memory works"))
        self._sentences = {
            "default": self.tr(
                "Keepsake's own way: everything is loaded, changes are told, memories are recalled, and chats are learnt from."
            ),
            "zcode": self.tr(
                "As ZCode: each opened folder has its own memory, loaded once a chat; a background job learns, and nothing is recalled."
            ),
            "claude": self.tr(
                "As Claude Code: memory of the repository stands in the system prompt, and a model chooses what is recalled."
            ),
            "mini": self.tr(
                "As a small agent: one file of the folder, read again for each message; nothing is learnt or recalled by itself."
            ),
        }
        self.choice = QComboBox(self)
        self.choice.setObjectName("memoryPreset")
        self.choice.setAccessibleName(self.title.text())
        for value, name in (("default", self.tr("Default")), ("zcode", "ZCode"), ("claude", "Claude Code"), ("mini", self.tr("Mini"))):
            self.choice.addItem(name, value)
        self.choice.activated.connect(lambda at: controller.set(PRESET, self.choice.itemData(at)))
        row = FlowRow(self)
        row.add(self.choice)
        self.column.addWidget(row)
        self.changes = self.label("secondary")
        self.changes.setObjectName("memoryPresetChanges")
        self.column.addWidget(self.changes)
        controller.changed.connect(self._on_changed)
        controller.save_failed.connect(lambda _key, _failure: self._show())
        controller.workspace_changed.connect(self._show)
        self._show()

    def matches(self, words: list[str]) -> bool:
        """Whether every folded word of a search stands on the card."""
        names = [self.choice.itemText(at) for at in range(self.choice.count())]
        text = folded("\n".join((self.title.text(), PRESET, *names, *self._sentences.values(), self.changes.text())))
        return all(word in text for word in words)

    def _show(self) -> None:
        chosen = str(self._controller.value(PRESET))
        self.choice.setCurrentIndex(max(0, self.choice.findData(chosen)))
        self.text.setText(self._sentences.get(chosen, ""))
        lines = [self._line(key, value) for key, value in BUNDLES.get(chosen, {}).items()]
        head = self.tr("It changes, as far as you set nothing else:")
        self.changes.setText("\n".join((head, *lines)) if lines else "")
        self.changes.setVisible(bool(lines))

    def _line(self, key: str, value: Any) -> str:
        """One setting: what the preset makes of it, and what the person set instead."""
        entry = self._entries.get(key)
        title = entry.title if entry is not None else key
        line = self.tr("{setting}: {value}").format(setting=title, value=self._value(key, value))
        if self._controller.source(key) == "person":
            own = self._value(key, self._controller.value(key))
            line = self.tr("{line} (you set: {value})").format(line=line, value=own)
        return f"• {line}"

    def _value(self, key: str, value: Any) -> str:
        entry = self._entries.get(key)
        if isinstance(value, bool):
            return self.tr("on") if value else self.tr("off")
        return shown(dict(entry.choices).get(value, str(value)) if entry is not None else str(value))

    def _on_changed(self, key: str) -> None:
        if key.startswith("memory."):
            self._show()
