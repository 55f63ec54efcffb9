"""The messages that a reading of another session cites: small links that open their place. Draws only. GUI thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.chat.surface import KeyButton, tip
from desktop.ui.markdown import shown
from desktop.ui.settings.flow import FlowRow

FIRST, MOST = 6, 200
"""Links that are shown at first, and when all are asked for."""


def citations_in(data: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """What a reading's `data` says of its citations; what is no citation is left out."""
    found = (data or {}).get("citations")
    return [one for one in found if isinstance(one, dict) and _number(one) > 0] if isinstance(found, (list, tuple)) else []


def _number(citation: Mapping[str, Any]) -> int:
    value = citation.get("message")
    return value if isinstance(value, int) else 0


class CitationRow(FlowRow):
    """Links `#12`, in the order of the conversation.

    Signals:
        message_requested(int): open this message.
    """

    message_requested = Signal(int)

    def __init__(self, parent: QWidget, citations: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Messages that are cited"))
        self._citations = citations
        for citation in citations[:FIRST]:
            self._add(citation)
        self._more: KeyButton | None = None
        if len(citations) > FIRST:
            rest = min(len(citations), MOST) - FIRST
            self._more = KeyButton(f"+{rest}", self, secondary=True)
            self._more.setProperty("role", "link")
            self._more.setObjectName("moreCitations")
            self._more.setAccessibleName(self.tr("Show {n} More Citations").format(n=rest))
            self._more.clicked.connect(self._show_all)
            self.add(self._more)

    def _add(self, citation: Mapping[str, Any]) -> KeyButton:
        number = _number(citation)
        button = KeyButton(f"#{number}", self, secondary=True)
        button.setProperty("role", "link")
        button.setObjectName("citation")
        said = self.tr("Message {n}, {role}").format(n=number, role=self._role(str(citation.get("role", ""))))
        button.setToolTip(tip(f"{said}, {citation.get('time', '')}"))
        button.setAccessibleName(shown(said))
        button.clicked.connect(lambda: self.message_requested.emit(number))
        self.add(button)
        return button

    def _role(self, role: str) -> str:
        return {"user": self.tr("person"), "assistant": self.tr("model"), "tool": self.tr("tool")}.get(role, role)

    def _show_all(self) -> None:
        if self._more is None:
            return
        self.take(self._more)
        self._more.hide()
        self._more.deleteLater()
        self._more = None
        added = [self._add(citation) for citation in self._citations[FIRST:MOST]]
        for button in added:
            button.show()
        added[0].setFocus()
        self.updateGeometry()
