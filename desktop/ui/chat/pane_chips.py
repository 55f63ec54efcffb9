"""Keeps the chips of the open conversation true: what they count is looked up when they come and whenever memory or an inbox changed.

Holds no chip: it asks the message list which are there. One look at a time, through `ChatSaves`. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from desktop.ui.chat.chips import ChipRow, ReviewChip, SavedChip
from desktop.ui.chat.message_list import MessageList
from desktop.ui.controllers.chat_saves import ChatSaves
from desktop.ui.controllers.chat_standing import Standing

GATHER_MS = 30
"""What comes within this time is looked up together."""


class PaneChips(QObject):
    """See the module's text."""

    def __init__(self, saves: ChatSaves, messages: MessageList, parent: QObject) -> None:
        super().__init__(parent)
        self._saves = saves
        self._messages = messages
        self._reading = 0
        self._again = False
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self._look)
        messages.chips_made.connect(self.refresh)
        saves.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Chips have come, or what they count may stand otherwise now."""
        if not self._gather.isActive():
            self._gather.start()

    def reset(self) -> None:
        """Another conversation is shown, or none."""
        self._saves.forget(self._reading)
        self._reading, self._again = 0, False
        self.refresh()

    def _chips(self) -> tuple[list[SavedChip], list[ReviewChip]]:
        found = [chip for row in self._messages.views if isinstance(row, ChipRow) for chip in row.chips]
        return [one for one in found if isinstance(one, SavedChip)], [one for one in found if isinstance(one, ReviewChip)]

    def _look(self) -> None:
        if self._reading:
            self._again = True
            return
        saved, review = self._chips()
        changes = {change for chip in saved for change in chip.counted}
        proposals = {one for chip in review for one in chip.ids}
        if changes or proposals:
            self._reading = self._saves.stand(changes, proposals, lambda found: self._found(found, changes, proposals))

    def _found(self, standing: Standing | None, changes: set[tuple[str, str]], proposals: set[str]) -> None:
        """Chips that came, or grew, since it was asked are told nothing: the next look is theirs."""
        self._reading = 0
        if self._again:
            self._again = False
            self.refresh()
        if standing is None:
            return
        saved, review = self._chips()
        for chip in saved:
            if chip.counted <= changes:
                chip.stand(standing)
        for proposed in review:
            if proposals.issuperset(proposed.ids):
                proposed.stand(standing)
