"""The settings card for other tools' memory: what showing it means, and a switch for each tool, with what was found. GUI thread."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop.bridge.spoken import spoken
from desktop.memory.foreign import PRIVACY, TOOLS
from desktop.ui.controllers.foreign_memory import FoundMemory, read_found
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.memory.rows import folded, shown
from desktop.ui.settings.card import Card
from desktop.ui.settings.switch import Switch

KEY = "memory.foreign"


class ForeignMemoryCard(Card):
    """See the module's text.

    Attributes:
        switches: the switch of each tool; object names are `foreignMemory:<tool>`.
        found: beside each, what the tool keeps of the opened folder.
    """

    def __init__(self, controller: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__("foreignMemoryCard", parent)
        self._controller = controller
        self._reading = 0
        self.switches: dict[str, Switch] = {}
        self.found: dict[str, QLabel] = {}
        self.title.setText(self.tr("Memory of other tools"))
        self.text.setText(spoken(PRIVACY))
        self._build()
        controller.changed.connect(self._on_changed)
        controller.save_failed.connect(self._on_save_failed)
        controller.workspace_changed.connect(self._look)
        self._show()
        self._look()

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for line, (tool, name) in enumerate(TOOLS.items()):
            switch = Switch(self)
            switch.setObjectName(f"foreignMemory:{tool}")
            switch.setAccessibleName(self.tr("Show the memory of {tool}").format(tool=name))
            switch.clicked.connect(lambda on, tool=tool: self._on_clicked(tool, on))
            label = self.label("secondary")
            grid.addWidget(self.label_of(name), line, 0)
            grid.addWidget(label, line, 1)
            grid.addWidget(switch, line, 2)
            self.switches[tool], self.found[tool] = switch, label
        self.column.addLayout(grid)
        self.note = self.label("secondary")
        self.note.hide()
        self.column.addWidget(self.note)

    def label_of(self, name: str) -> QLabel:
        """The name of a tool; it does not wrap."""
        label = QLabel(name, self)
        label.setMinimumWidth(label.sizeHint().width())
        return label

    def matches(self, words: list[str]) -> bool:
        """Whether every folded word of a search stands on the card."""
        text = folded("\n".join((self.title.text(), self.text.text(), KEY, *TOOLS.values())))
        return all(word in text for word in words)

    def _show(self) -> None:
        on = self._controller.value(KEY)
        locked = self._controller.is_tightened(KEY)
        for tool, switch in self.switches.items():
            switch.setChecked(tool in on)
            switch.setEnabled(not locked)
        self.note.setVisible(locked)
        if locked:
            file = shown(str(self._controller.workspace_file()))
            self.note.setText(self.tr("Held by {file} of the opened folder.").format(file=file))

    def _look(self) -> None:
        """What is there for the opened folder."""
        workspace = self._controller.workspace
        if workspace is None:
            for label in self.found.values():
                label.setText(self.tr("Open a folder to see what was found."))
            return
        self._reading = self._controller.operations.read(lambda: read_found(workspace), self._on_found)

    def _on_found(self, found: tuple[FoundMemory, ...]) -> None:
        for one in found:
            label = self.found[one.tool]
            if one.folders:
                label.setText(self.tr("%n memories of this folder", "", one.notes))
                label.setToolTip("\n".join(map(shown, one.folders)))
            else:
                label.setText(self.tr("nothing about this folder"))
                label.setToolTip("")

    def _on_clicked(self, tool: str, on: bool) -> None:
        chosen = [one for one in self._controller.value(KEY) if one != tool]
        self._controller.set(KEY, [*chosen, tool] if on else chosen)

    def _on_changed(self, key: str) -> None:
        if key == KEY:
            self._show()
            self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """The other tools go on writing while the page is not in front."""
        super().showEvent(event)
        self._look()

    def _on_save_failed(self, key: str, _failure: object) -> None:
        if key == KEY:
            self._show()
