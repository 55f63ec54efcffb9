"""What was read of another session: question, strategy, size, citations that open their message, and the text, folded. GUI thread."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.sessions.context import body_of
from desktop.ui.chat.body import MessageBody
from desktop.ui.chat.citation_row import CitationRow, citations_in
from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.fold import FoldRow, IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label, menu_text
from desktop.ui.markdown import fold, shown

ANSWER_MOST = 40_000
"""Characters of a text in which the model's answer is shown at once."""


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
        citations = citations_in(data)
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
        self.facts = label(self, self._facts(data, len(citations)), role="secondary", wrap=True)
        self._column.addWidget(self.facts)
        answer = body_of(text[:ANSWER_MOST]) if data.get("source") == "lite" else ""
        if answer:  # passages, which are no answer, are there to be looked up
            self.answer = MessageBody(self)
            self.answer.set_text(answer)
            self.answer.session_requested.connect(self.session_requested)
            self._column.addWidget(self.answer)
        if citations:
            self.citations = CitationRow(self, citations)
            self.citations.message_requested.connect(lambda at: self.session_requested.emit(self.session_id, at))
            self._column.addWidget(self.citations)
        self.row = FoldRow(self, self.tr("What the model was given"), secondary=True)
        self.row.toggled.connect(self._toggled)
        self._view: PlainView | None = None
        self._column.addWidget(self.row)

    def _facts(self, data: dict[str, Any], citations: int) -> str:
        parts = [self.tr("the end of the session") if data.get("strategy") == "handoff" else self.tr("what fits the question")]
        sources = {
            "lite": self.tr("condensed by the model"),
            "fallback": self.tr("passages, since the model found nothing or failed"),
            "local": self.tr("passages, chosen without a model"),
        }
        parts.append(sources.get(str(data.get("source")), ""))
        parts.append(self.tr("{n} tokens").format(n=f"{_count(data, 'tokens'):,}"))
        if citations:
            parts.append(self.tr("1 message cited") if citations == 1 else self.tr("{n} messages cited").format(n=citations))
        if dropped := _count(data, "dropped"):
            parts.append(self.tr("{n} more found no room").format(n=f"{dropped:,}"))
        return " · ".join(part for part in parts if part)

    def _toggled(self, is_open: bool) -> None:
        if self._view is None:
            self._view = PlainView(self, lines=24, wrap=True)
            self._view.setAccessibleName(self.row.title.whole_text())
            self._view.set_text(shown(fold(self._text).text))
            self._column.addWidget(self._view)
        self._view.setVisible(is_open)


def _count(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0
