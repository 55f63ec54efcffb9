"""A line above the composer: the conversation is incognito, memory is off here, or the folder's switch says something else. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label


class MemoryBanner(Surface):
    """See the module's text.

    Signals:
        apply_requested(): let the folder's switch hold here too.
    """

    apply_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("memoryBanner")
        self.label = label(self, role="secondary", wrap=True)
        self.apply_button = KeyButton(self.tr("Apply Here Too"), self, secondary=True)
        self.apply_button.clicked.connect(self.apply_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 8, 6)
        row.setSpacing(8)
        self._incognito = False
        self.off_icon = IconLabel(self, "circle-slash", "secondary")
        self.incognito_icon = IconLabel(self, "eye-closed", "secondary")
        row.addWidget(self.off_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.incognito_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)
        row.addWidget(self.apply_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def set_incognito(self, on: bool, *, reads_memory: bool = True) -> None:
        """An incognito conversation says what that means for as long as it is open."""
        self._incognito = on
        self.off_icon.setVisible(not on)
        self.incognito_icon.setVisible(on)
        if not on:
            self.hide()
            return
        if reads_memory:
            text = self.tr("Incognito: memory is read, nothing is written. This chat is gone when you leave it.")
        else:
            text = self.tr("Incognito, without memory: nothing is read or written. This chat is gone when you leave it.")
        self._say(text)

    def _say(self, text: str) -> None:
        self.label.setText(text)
        self.setAccessibleName(text)
        self.apply_button.hide()
        self.show()

    def show_state(self, *, session: bool, workspace: bool) -> None:
        """Memory in this conversation, and what a new one would have."""
        if self._incognito:
            return
        if session and workspace:
            self.hide()
            return
        if session:
            text = self.tr("Memory was switched off for this workspace. This chat keeps it; new ones go without.")
        elif workspace:
            text = self.tr("This chat goes without memory. New ones in this workspace have it.")
        else:
            text = self.tr("Memory is off here: nothing is read, written or sent.")
        self._say(text)
        self.apply_button.setVisible(session != workspace)
