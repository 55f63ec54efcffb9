"""Keys of the window: one shortcut a key, which runs whatever command has that key now. Made from the registry. GUI thread only.

A key whose commands are all inactive is switched off, so that it reaches the widget that has the focus.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from desktop.commands.keymap import qt_key
from desktop.commands.registry import CommandRegistry


def shown_key(key: str) -> str:
    """A normal key as the platform writes it, or empty."""
    return QKeySequence(qt_key(key)).toString(QKeySequence.SequenceFormat.NativeText) if key else ""


class Shortcuts(QObject):
    """Keeps the shortcuts of a window in step with a registry."""

    def __init__(self, registry: CommandRegistry, window: QWidget) -> None:
        super().__init__(window)
        self._registry = registry
        self._window = window
        self._made: dict[str, QShortcut] = {}
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(self.rebuild)
        self._ends = [registry.changed.subscribe(self._on_changed), registry.facts_changed.subscribe(self._on_facts)]
        self.rebuild()

    def close(self) -> None:
        for end in self._ends:
            end()
        self._due.stop()

    def keys(self) -> set[str]:
        """Every key that leads to a command, active or not."""
        return set(self._made)

    def is_active(self, key: str) -> bool:
        """Whether a key would run something now."""
        return key in self._made and self._made[key].isEnabled()

    def rebuild(self) -> None:
        """Make what is missing, drop what has no command any more."""
        keys = {binding.key for binding in self._registry.bindings()}
        for key in set(self._made) - keys:
            self._made.pop(key).deleteLater()
        for key in keys - set(self._made):
            shortcut = QShortcut(QKeySequence(qt_key(key)), self._window)
            shortcut.activated.connect(self._pressed)
            shortcut.setObjectName(key)
            self._made[key] = shortcut
        self._switch()

    def _on_changed(self, _command: str) -> None:
        if not self._due.isActive():
            self._due.start(0)

    def _on_facts(self, _fact: str) -> None:
        self._switch()

    def _switch(self) -> None:
        for key, shortcut in self._made.items():
            shortcut.setEnabled(self._registry.command_for(key) is not None)

    def _pressed(self) -> None:
        command = self._registry.command_for(self.sender().objectName())
        if command is not None:
            self._registry.run(command.id)
