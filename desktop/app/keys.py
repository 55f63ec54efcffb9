"""The person's `keybindings.json`: read at the start and on demand, opened in the system's editor. Files are touched off the GUI thread."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write, decode, read_bytes
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import spoken
from desktop.commands.keymap import Keymap, parse_keybindings
from desktop.commands.registry import Command
from desktop.ui.palette import Entry, QuickPick
from desktop.ui.shortcuts import shown_key
from desktop.ui.workbench import Workbench

LIMIT = 1_000_000
_LISTED = "  ·  "
"""Between the keys of one command."""
TEMPLATE = b'// Keys of your own, over the defaults. "-view.toggleSideBar" as command takes a key away.\n[\n]\n'


class KeyBindings(QObject):
    """Signals:
    changed(): other keys are in force.
    """

    changed = Signal()

    def __init__(self, file: Path, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._file = file
        self._workbench = workbench
        self._operations = operations
        self.picker = QuickPick(workbench)
        self.picker.chosen.connect(workbench.registry.run)
        category = self.tr("Keyboard")
        workbench.registry.register(
            Command("keys.show", self.tr("Show Keyboard Shortcuts"), self.show_all, "ctrl+k ctrl+s", category=category),
            Command("keys.open", self.tr("Open keybindings.json"), self.open_file, category=category),
            Command("keys.reload", self.tr("Read keybindings.json Again"), self.load, category=category),
        )

    def load(self) -> None:
        file = self._file
        self._operations.read(lambda: read_keymap(file), self._on_keymap, self._on_failed)

    def show_all(self) -> None:
        """Every command that has a key, with all its keys; a choice runs it. Letters of a key find it, too."""
        registry = self._workbench.registry
        keys: dict[str, list[str]] = {}
        for binding in registry.bindings():
            keys.setdefault(binding.command, []).append(shown_key(binding.key))
        rows = [
            Entry(command.id, command.label, detail=_LISTED.join(dict.fromkeys(keys[command.id])), icon=command.icon)
            for command in sorted(registry.all(), key=lambda one: one.label.casefold())
            if command.id in keys
        ]
        change = registry.get("keys.open")
        if change is not None:
            rows.append(Entry(change.id, change.label))
        self.picker.popup(rows, placeholder=self.tr("Type a command or a key"), name=self.tr("Keyboard shortcuts"))

    def open_file(self) -> None:
        """Made first where there is none."""
        file = self._file
        self._operations.write(lambda: _made(file), self._on_made, self._on_failed)

    def _on_keymap(self, keymap: Keymap) -> None:
        self._workbench.registry.set_own_bindings(keymap.bindings)
        if keymap.problems:
            first, *others = map(spoken, keymap.problems)
            self._workbench.notify("warning", first, [(self.tr("Open the File"), self.open_file)], "\n".join(others))
        self.changed.emit()

    def _on_made(self, file: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
        text = self.tr("{file} is opened in the system’s editor.").format(file=file)
        self._workbench.notify("info", text, [(self.tr("Read It Again"), self.load)])

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("warning", failure.text(), detail=failure.detail)


def read_keymap(file: Path) -> Keymap:
    """Blocking. Raises StorageError when the file is there and cannot be read."""
    return parse_keybindings(decode(read_bytes(file, LIMIT)), sys.platform) if file.exists() else Keymap()


def _made(file: Path) -> Path:
    if not file.exists():
        ensure_private_dir(file.parent)
        atomic_write(file, TEMPLATE)
    return file
