"""Entering an API key: a hidden field, the place where it is kept, save and remove. GUI thread.

The key leaves this widget once, with save, and is cleared when it was kept.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.settings.secrets import SecretSource
from desktop.ui.settings.flow import FlowRow


class KeyEntry(QWidget):
    """See the module's text.

    Signals:
        save_requested(value, place): `keyring` or `file`.
        remove_requested(): forget the stored key.
    """

    save_requested = Signal(str, str)
    remove_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"key:{name}")
        self._name = name
        self.value = QLineEdit(self)
        self.value.setObjectName(f"keyValue:{name}")
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.value.setAccessibleName(self.tr("API key for {name}").format(name=name))
        self.place = QComboBox(self)
        self.place.setObjectName(f"keyPlace:{name}")
        self.place.setAccessibleName(self.tr("Where the key is kept"))
        self.save = QPushButton(self.tr("Save Key"), self)
        self.save.setObjectName(f"keySave:{name}")
        self.remove = QPushButton(self.tr("Remove Key"), self)
        self.remove.setObjectName(f"keyRemove:{name}")
        for button in (self.save, self.remove):
            button.setProperty("role", "secondary")
        self.note = QLabel(self)
        self.note.setProperty("role", "secondary")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        line = FlowRow(self)
        line.add(self.value, stretch=True)
        for widget in (self.place, self.save, self.remove):
            line.add(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(line)
        column.addWidget(self.note)
        self.save.clicked.connect(self._save)
        self.value.returnPressed.connect(self._save)
        self.value.textChanged.connect(self._on_typed)
        self.remove.clicked.connect(self.remove_requested)
        self._on_typed("")

    def show_facts(self, source: SecretSource | None, variables: tuple[str, ...], *, keyring: bool, key_file: str, key_store: str) -> None:
        """Offer the places that this system and the settings allow, and say where the present key comes from.

        Args:
            source: where the key comes from now.
            variables: environment variables that may hold it.
            keyring: the system has a keyring.
            key_file: path of the key file.
            key_store: the setting `keys.store`.
        """
        chosen = self.place.currentData()
        self.place.clear()
        if keyring and key_store in ("ask", "keyring"):
            self.place.addItem(self.tr("in the system’s keyring"), "keyring")
        if key_store in ("ask", "file"):
            self.place.addItem(self.tr("in a file only you can read"), "file")
        self.place.setCurrentIndex(max(0, self.place.findData(chosen)))
        open_places = self.place.count() > 0
        for widget in (self.value, self.place, self.save):
            widget.setVisible(open_places)
        self.remove.setVisible(source in ("keyring", "file"))
        self.value.setPlaceholderText(self.tr("Paste another key to replace it") if source else self.tr("Paste the API key"))
        self.note.setText(self._note(source, variables, keyring, key_file, key_store))

    def _note(self, source: SecretSource | None, variables: tuple[str, ...], keyring: bool, key_file: str, key_store: str) -> str:
        names = self.tr(" or ").join(variables)
        if source == "environment":
            return self.tr("The key comes from the environment ({names}) and wins over a stored one.").format(names=names)
        if source == "keyring":
            return self.tr("The key is in the system’s keyring.")
        if source == "file":
            return self.tr("The key is in {file}, which only you can read. It is not encrypted.").format(file=key_file)
        if key_store == "environment":
            return self.tr("Keys come from the environment only: start Keepsake with {names} set.").format(names=names)
        if key_store == "keyring" and not keyring:
            return self.tr("This system has no keyring. Choose another place for keys below, or set {names}.").format(names=names)
        if not keyring:
            return self.tr("This system has no keyring. The file would be {file}; it is not encrypted. Or set {names}.").format(
                file=key_file, names=names
            )
        return self.tr("Or start Keepsake with {names} set.").format(names=names)

    def show_saved(self) -> None:
        """It is kept: nothing of it stays here."""
        self.value.clear()

    def _save(self) -> None:
        if self.value.text().strip() and self.place.currentData():
            self.save_requested.emit(self.value.text(), str(self.place.currentData()))

    def _on_typed(self, text: str) -> None:
        self.save.setEnabled(bool(text.strip()))
