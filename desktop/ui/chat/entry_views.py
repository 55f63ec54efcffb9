"""The widget of each entry of a conversation. Knows no scrolling: `message_list` says which entries have a widget. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.chat.branch_switcher import BranchSwitcher
from desktop.ui.chat.chips import LoadedChip, MemoryChip, RecalledChip, ReviewChip, SavedChip
from desktop.ui.chat.context_card import ContextCard
from desktop.ui.chat.items import (
    AnswerEntry,
    BoundaryEntry,
    ClaimEntry,
    ContextEntry,
    CutEntry,
    Entry,
    ProposedEntry,
    RecalledEntry,
    ReminderEntry,
    SavedEntry,
    StoppedEntry,
    ThinkingEntry,
    ToolEntry,
    UserEntry,
    VersionsEntry,
    claim_text,
)
from desktop.ui.chat.message_views import AnswerView, ThinkingView, UserView
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.reminder import ReminderView
from desktop.ui.chat.tool_card import ToolCard

if TYPE_CHECKING:
    from desktop.ui.chat.message_list import MessageList

translate = QCoreApplication.translate


class VersionsRow(QWidget):
    """Above a message: which of several versions it is, and the way to the others.

    Signals:
        branch_requested(str): show the branch with this message.
    """

    branch_requested = Signal(str)

    def __init__(self, parent: QWidget, entry: VersionsEntry) -> None:
        super().__init__(parent)
        self.setObjectName("versionsRow")
        self.switcher = BranchSwitcher(self)
        self.switcher.set_position(entry.position, len(entry.ids), entry.ids)
        self.switcher.branch_requested.connect(self.branch_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        if entry.persons:  # what the person wrote stands at the right
            row.addStretch(1)
        row.addWidget(self.switcher)
        if not entry.persons:
            row.addStretch(1)


def make_view(owner: MessageList, entry: Entry) -> QWidget:
    """The widget of an entry, with what the list gives to each of its kind."""
    inside = owner.inside
    match entry:
        case UserEntry():
            user = UserView(
                inside,
                entry.text,
                entry.time,
                message_id=entry.message_id,
                images=entry.images,
                source=owner.images,
                title_of=owner.title_of,
            )
            user.session_requested.connect(owner.session_requested)
            return owner.equipped(user)
        case AnswerEntry():
            answer = AnswerView(
                inside,
                entry.text,
                time=entry.time,
                model=entry.model,
                message_id=entry.message_id,
                images=entry.images,
                source=owner.images,
            )
            answer.session_requested.connect(owner.session_requested)
            return owner.equipped(answer)
        case ThinkingEntry():
            return ThinkingView(inside, entry.text)
        case ToolEntry():
            call = ToolCard(inside, entry.call, entry.result, source=owner.images)
            call.session_requested.connect(owner.session_requested)
            return call
        case SavedEntry():
            return owner.chip_row(SavedChip(inside, entry))
        case ProposedEntry():
            return owner.chip_row(ReviewChip(inside, len(entry.ids), 0, entry.ids, known=False))
        case RecalledEntry():
            chips: list[MemoryChip] = [LoadedChip(inside, dict(entry.loaded))] if entry.loaded else []
            return owner.chip_row(*chips, *([RecalledChip(inside, entry.items)] if entry.items else []))
        case ClaimEntry():
            return NoticeCard(inside, "warning", claim_text(entry.claim))
        case ContextEntry():
            card = ContextCard(inside, entry.text, entry.data, owner.title_of(str(entry.data.get("session", ""))))
            card.session_requested.connect(owner.session_requested)
            return card
        case StoppedEntry():
            return NoticeCard(inside, "info", _stop_text(entry.stop))
        case VersionsEntry():
            row = VersionsRow(inside, entry)
            row.branch_requested.connect(owner.branch_requested)
            return row
        case CutEntry():
            size = owner.locale().formattedDataSize(entry.size, 1)
            said = translate("MessageList", "The message above is {size} long. Its beginning is shown.").format(size=size)
            return NoticeCard(inside, "info", said)
        case ReminderEntry():
            return ReminderView(inside, entry.text)
        case BoundaryEntry():
            said = translate("MessageList", "What stands above was summarised here: the model is given the summary and what follows.")
            return NoticeCard(inside, "info", said, detail=entry.text)


def _stop_text(stop: str) -> str:
    if stop == "interrupted":
        return translate("MessageList", "Stopped.")
    if stop == "recovered":
        return translate("MessageList", "Keepsake ended in the middle of this answer. What had come is kept.")
    if stop == "length":
        return translate("MessageList", "The answer was cut at the model's output limit.")
    return translate("MessageList", "The answer broke off.")
