"""The notice at the end of a conversation that stopped in the middle: what was interrupted, and the way to ask again. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from desktop.agent.interrupted import Interruption
from desktop.agent.prompts import INTERRUPTED
from desktop.bridge.spoken import spoken
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.ui.chat.items import Entry, ToolEntry, call_title
from desktop.ui.chat.notice_card import NoticeCard

NAMED = 3
"""Calls that are named one by one."""


def calls_ended(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of a whole conversation in which nothing runs: a call without a result was interrupted."""

    def ended(entry: Entry) -> Entry:
        if not isinstance(entry, ToolEntry) or entry.result is not None:
            return entry
        from desktop.agent.calls import said  # with all of a turn's work, which no start waits for

        return replace(entry, result=ToolResultPart(entry.call.id, entry.call.name, INTERRUPTED, "interrupted", data=said(INTERRUPTED)))

    return [ended(entry) for entry in entries]


class InterruptedCard(NoticeCard):
    """See the module's text; `retry_requested` asks again."""

    def __init__(self, parent: QWidget, found: Interruption) -> None:
        super().__init__(parent, "warning" if found.crashed else "info", "")
        self.found = found
        self.set_text(self._text())
        self.retry = self.add_button(self.tr("Retry"), self.retry_requested.emit)
        self.retry.setAccessibleDescription(self.label.text())

    def _text(self) -> str:
        match self.found.where:
            case "answer":
                return self.tr("Keepsake ended in the middle of this answer. What had come is kept; Retry asks again.")
            case "calls":
                text = self.tr("Keepsake ended while this ran: {calls}. It may be done in part; Retry asks again.")
                return text.format(calls=self._names(self.found.calls))
            case "between":
                return self.tr("Keepsake ended in the middle of this turn. What was done is kept; Retry asks again.")
        if self.found.crashed:
            return self.tr("Keepsake ended before the answer to this message began. Retry asks again.")
        return self.tr("This message has no answer yet. Retry asks for one.")

    def _names(self, calls: Sequence[ToolCallPart]) -> str:
        names = [f"“{spoken(call_title(call))}”" for call in calls[:NAMED]]
        more = len(calls) - len(names)
        return self.tr(", ").join([*names, *([self.tr("%n more", "", more)] if more else [])])
