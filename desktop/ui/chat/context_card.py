"""What was read of another session: question, strategy, size, citations that open their message, and the text, folded. GUI thread."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.fold import FoldRow, IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label, menu_text, tip
from desktop.ui.markdown import fold, shown

CITATIONS = 6


class ContextCard(Surface):
    """One reading.

    Signals:
        session_requested(str, int): open this session at this message (0 = its beginning).
    """

    session_requested = Signal(str, int)

    def __init__(self, parent: QWidget, text: str, data: dict[str, Any], title: str = "") -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("contextCard")
        self.session_id = str(data.get("session", ""))
        citations = [c for c in data.get("citations") or () if isinstance(c, dict)]
        name = title or str(data.get("title") or "") or self.session_id
        self.setAccessibleName(shown(self.tr("Read from another session: {name}").format(name=name)))
        self._text = text
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel(self, "references", "link"))
        head.addWidget(label(self, self.tr("Read into this chat"), wrap=True), 1)
        self._column.addLayout(head)
        opener = KeyButton(menu_text(name), self, secondary=True)
        opener.setProperty("role", "link")
        opener.clicked.connect(lambda: self.session_requested.emit(self.session_id, 0))
        self._column.addWidget(opener, 0, Qt.AlignmentFlag.AlignLeft)
        if data.get("query"):
            self._column.addWidget(label(self, self.tr("Question: {query}").format(query=data["query"]), wrap=True))
        self._column.addWidget(label(self, self._facts(data, len(citations)), role="secondary", wrap=True))
        if citations:
            self._column.addLayout(self._citations(citations))
        self.row = FoldRow(self, self.tr("What the model was given"), secondary=True)
        self.row.toggled.connect(self._toggled)
        self._view: PlainView | None = None
        self._column.addWidget(self.row)

    def _facts(self, data: dict[str, Any], citations: int) -> str:
        parts = [self.tr("the end of the session") if data.get("strategy") == "handoff" else self.tr("what fits the question")]
        if data.get("source") == "lite":
            parts.append(self.tr("condensed by the model"))
        parts.append(self.tr("{n} tokens").format(n=f"{int(data.get('tokens') or 0):,}"))
        if citations:
            parts.append(self.tr("{n} messages cited").format(n=citations))
        return " · ".join(parts)

    def _citations(self, citations: list[dict[str, Any]]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        for citation in citations[:CITATIONS]:
            number = int(citation.get("message") or 0)
            button = KeyButton(f"#{number}", self, secondary=True)
            button.setProperty("role", "link")
            button.setObjectName("citation")
            said = self.tr("Message {n}, {role}").format(n=number, role=citation.get("role", ""))
            button.setToolTip(tip(f"{said}, {citation.get('time', '')}"))
            button.setAccessibleName(shown(said))
            button.clicked.connect(lambda _checked=False, at=number: self.session_requested.emit(self.session_id, at))
            row.addWidget(button)
        if len(citations) > CITATIONS:
            row.addWidget(label(self, f"+{len(citations) - CITATIONS}", role="secondary"))
        row.addStretch(1)
        return row

    def _toggled(self, is_open: bool) -> None:
        if self._view is None:
            self._view = PlainView(self, lines=24, wrap=True)
            self._view.setAccessibleName(self.row.title.whole_text())
            self._view.set_text(shown(fold(self._text).text))
            self._column.addWidget(self._view)
        self._view.setVisible(is_open)
