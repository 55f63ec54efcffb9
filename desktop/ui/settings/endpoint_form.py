"""Adding or changing an OpenAI-compatible server: preset, name, address, models, context window. Emits what was entered. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from desktop.ui.controllers.models_controller import PRESETS
from desktop.ui.controllers.models_facts import EndpointFacts


class EndpointForm(QWidget):
    """See the module's text.

    Signals:
        save_requested(name, base_url, models, context_window or None, old_name).
        closed(): it was cancelled.
    """

    save_requested = Signal(str, str, object, object, str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("endpointForm")
        self._old_name = ""
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.preset = QComboBox(self)
        self.preset.setObjectName("endpointPreset")
        for preset in PRESETS:
            self.preset.addItem(preset.label, preset)
        self.preset.addItem(self.tr("Another server"), None)
        self.name = self._line("endpointName", "")
        self.address = self._line("endpointAddress", "http://localhost:8000/v1")
        self.models = self._line("endpointModels", self.tr("names, with commas between"))
        self.window_size = self._line("endpointWindow", self.tr("tokens; empty: 32768"))
        rows = (
            (self.tr("Server"), self.preset), (self.tr("Name"), self.name), (self.tr("Base URL"), self.address),
            (self.tr("Models"), self.models), (self.tr("Context window"), self.window_size),
        )  # fmt: skip
        for at, (text, widget) in enumerate(rows):
            label = QLabel(text, self)
            label.setBuddy(widget)
            widget.setAccessibleName(text)
            self._grid.addWidget(label, at, 0)
            self._grid.addWidget(widget, at, 1)
        self.save = QPushButton(self.tr("Save Server"), self)
        self.save.setObjectName("endpointSave")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setProperty("role", "secondary")
        buttons = QHBoxLayout()
        buttons.addWidget(self.save)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        self._grid.addLayout(buttons, len(rows), 1)
        self._grid.setColumnStretch(1, 1)
        self.preset.activated.connect(self._on_preset)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.closed)
        for line in (self.name, self.address, self.models):
            line.textChanged.connect(self._on_typed)
        self.start_new()

    def _line(self, name: str, placeholder: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(name)
        line.setPlaceholderText(placeholder)
        return line

    def start_new(self) -> None:
        """Empty, with the first preset."""
        self._old_name = ""
        self.models.clear()
        self.window_size.clear()
        self.preset.setEnabled(True)
        self.preset.setCurrentIndex(0)
        self._on_preset(0)

    def start_change(self, endpoint: EndpointFacts) -> None:
        """Filled with what is configured."""
        self._old_name = endpoint.name
        self.preset.setCurrentIndex(self.preset.count() - 1)
        self.preset.setEnabled(False)
        self.name.setText(endpoint.name)
        self.address.setText(endpoint.base_url)
        self.models.setText(", ".join(endpoint.models))
        self.window_size.setText(str(endpoint.context_window or ""))

    def _on_preset(self, at: int) -> None:
        preset = self.preset.itemData(at)
        self.name.setText(preset.name if preset is not None else "")
        self.address.setText(preset.base_url if preset is not None else "")
        self._on_typed()

    def _on_typed(self) -> None:
        self.save.setEnabled(bool(self.name.text().strip() and self.address.text().strip() and self.model_names()))

    def model_names(self) -> list[str]:
        """What was typed, without empty ones; Chinese commas part them too."""
        return [name.strip() for name in self.models.text().replace("，", ",").replace("、", ",").split(",") if name.strip()]

    def _save(self) -> None:
        digits = self.window_size.text().replace(",", "").replace(" ", "")
        window = int(digits) if digits.isascii() and digits.isdigit() else None
        self.save_requested.emit(self.name.text().strip(), self.address.text().strip(), self.model_names(), window, self._old_name)
