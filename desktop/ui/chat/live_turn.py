"""Applies the events of a running turn to the message list: streams the answer, fills tool cards, asks, says what happened.

Holds references to what is still changing and to nothing else. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    ApprovalResolved,
    JobChanged,
    MemoryLoaded,
    MemoryProposed,
    MemoryRecalled,
    MemorySaved,
    MessageAppended,
    Notice,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.ui.chat.approval_card import ApprovalCard
from desktop.ui.chat.items import ClaimEntry, Entry, RecalledEntry, StoppedEntry, message_entries
from desktop.ui.chat.live_chips import LiveChips
from desktop.ui.chat.message_list import MessageList
from desktop.ui.chat.message_views import AnswerView, ThinkingView
from desktop.ui.chat.notice_card import RetryCard, ended_card, notice_card
from desktop.ui.chat.tool_card import ToolCard
from desktop.ui.controllers.chat_full import is_full


class LiveTurn(QObject):
    """What of the conversation is still changing.

    Signals:
        answered(str, ApprovalAnswer): the person answered the question with this id.
        question_asked(ApprovalCard): a card appeared and wants the focus.
        retry_requested(): from an error card.
        new_chat_requested(): from the card that says that nothing fits any more: go on in a new conversation.
    """

    answered = Signal(str, object)
    question_asked = Signal(object)
    retry_requested = Signal()
    new_chat_requested = Signal()

    def __init__(self, messages: MessageList, parent: QObject | None = None, *, can_go_on: Callable[[], bool] = lambda: False) -> None:
        """Args:
        can_go_on: whether a new conversation can take over from the open one.
        """
        super().__init__(parent)
        self._can_go_on = can_go_on
        self._list = messages
        self._answer: AnswerView | None = None
        self._thinking: ThinkingView | None = None
        self._step: list[QWidget] = []
        self._writing: dict[str, ToolCard] = {}
        self._cards: dict[str, ToolCard] = {}
        self._questions: dict[str, ApprovalCard] = {}
        self._retry: RetryCard | None = None
        self._shown_messages: set[str] = set()
        self._chips = LiveChips(messages)

    @property
    def open_questions(self) -> list[ApprovalCard]:
        return [card for card in self._questions.values() if card.open]

    def reset(self) -> None:
        """Another branch was put into the list: nothing that was live is in it any more."""
        self._forget_step()
        self._cards.clear()
        self._questions.clear()
        self._shown_messages.clear()
        self._retry = None
        self._chips.reset()

    def apply(self, event: TurnEvent) -> None:
        """Show one event."""
        match event:
            case TurnStarted():
                self._begin(event.message)
            case StepStarted():
                self._begin_step()
            case TextDelta():
                self._text(event.text)
            case ThinkingDelta():
                self._think(event.text)
            case ToolCallDelta():
                self._call_written(event)
            case MessageAppended():
                self._message(event.message)
            case ToolStarted() | ToolOutput() | ToolFinished():
                self._tool(event)
            case ApprovalRequest():
                self._ask(event)
            case ApprovalResolved():
                self._resolved(event)
            case Notice():
                self._notice(event)
            case MemoryLoaded() | MemoryRecalled():
                self._chips.at_start(event)
            case MemorySaved():
                self._chips.saved(event)
            case MemoryProposed():
                self._chips.proposed(event)
            case JobChanged(state="running"):
                self._chips.work_begins()
            case TurnEnded():
                self._ended(event)

    def _begin(self, message: Message) -> None:
        """A turn begins. What was loaded for it was said just before, and stands behind the person's message with what is recalled."""
        early = self._chips.begin()
        self._show_user(message)
        if early is not None:
            self._list.move_to_end(early)

    # --- the answer --------------------------------------------------------------------------------------------------

    def _begin_step(self) -> None:
        """A request goes out. What an earlier try of it had streamed is not in the transcript and goes."""
        for widget in self._step:
            self._list.remove(widget)
        self._forget_step()
        if self._retry is not None:
            self._retry.finish()
            self._retry = None

    def _forget_step(self) -> None:
        self._step, self._answer, self._thinking = [], None, None
        self._writing.clear()

    def _add_live(self, widget: QWidget) -> None:
        self._step.append(widget)
        self._list.add(widget)

    def _text(self, text: str) -> None:
        if self._thinking is not None:
            self._thinking.finish()
            self._thinking = None
        if self._answer is None:
            if not text.strip():
                return
            self._answer = AnswerView(self._list.inside)
            self._list.equipped(self._answer)
            self._add_live(self._answer)
            text = text.lstrip("\n")
        self._answer.feed(text)

    def _think(self, text: str) -> None:
        if self._thinking is None:
            if not text.strip():
                return
            self._thinking = ThinkingView(self._list.inside)
            self._add_live(self._thinking)
            self._close_answer()
        self._thinking.feed(text)

    def _close_answer(self) -> None:
        if self._answer is not None:
            self._answer.finish()
            self._answer = None

    def _call_written(self, event: ToolCallDelta) -> None:
        card = self._writing.get(event.id)
        if card is None:
            card = self._tool_card(None, event.name)
            self._writing[event.id] = card
            self._add_live(card)
        card.writing(event.arguments)

    def _tool_card(self, call: ToolCallPart | None, name: str = "") -> ToolCard:
        card = ToolCard(self._list.inside, call, name=name, source=self._list.images)
        card.session_requested.connect(self._list.session_requested)
        return card

    # --- messages ----------------------------------------------------------------------------------------------------

    def _show_user(self, message: Message) -> None:
        if message.id in self._shown_messages:
            return
        self._shown_messages.add(message.id)
        for entry in message_entries(message, {}):
            self._list.add(self._list.make(entry))
        if message.origin == "person":
            self._list.scroll_to_bottom()

    def _message(self, message: Message) -> None:
        if message.role == "user":
            self._show_user(message)
        elif message.role == "assistant":
            self._settle(message)
        else:
            for result in message.tool_results:
                self._result(result, None)

    def _settle(self, message: Message) -> None:
        """The streamed pieces become the message of the transcript, in its order."""
        live = [w for w in self._step if isinstance(w, (AnswerView, ThinkingView))]
        parts = [p for p in message.parts if isinstance(p, (TextPart, ThinkingPart)) and p.text.strip()]
        same = len(live) == len(parts) and all(
            isinstance(w, AnswerView) == isinstance(p, TextPart) for w, p in zip(live, parts, strict=True)
        )
        if same:
            for widget, part in zip(live, parts, strict=True):
                if isinstance(widget, AnswerView):
                    widget.finish(None if widget.text.strip() == part.text.strip() else part.text)
                    self._list.settled(widget, message.id)
                elif isinstance(widget, ThinkingView):
                    widget.finish()
            self._settle_calls(message)
        else:
            for piece in self._step:
                self._list.remove(piece)
            self._writing.clear()
            for entry in message_entries(message, {}):
                if not isinstance(entry, StoppedEntry | ClaimEntry | RecalledEntry):  # events of the turn say it
                    self._add_entry(entry)
        self._forget_step()

    def _add_entry(self, entry: Entry) -> None:
        widget = self._list.make(entry)
        self._list.add(widget)
        if isinstance(widget, ToolCard) and widget.call is not None:
            self._cards[widget.call.id] = widget

    def _settle_calls(self, message: Message) -> None:
        waiting = dict(self._writing)
        for call in message.tool_calls:
            card = waiting.pop(call.id, None) or _first_named(waiting, call)
            if card is None:
                card = self._tool_card(call)
                self._list.add(card)
            card.set_call(call)
            self._cards[call.id] = card
        for card in waiting.values():
            self._list.remove(card)

    # --- tools -------------------------------------------------------------------------------------------------------

    def _tool(self, event: ToolStarted | ToolOutput | ToolFinished) -> None:
        match event:
            case ToolStarted():
                card = self._cards.get(event.call.id)
                if card is None:
                    card = self._tool_card(event.call)
                    self._cards[event.call.id] = card
                    self._list.add(card)
                card.start(event.title)
            case ToolOutput():
                if event.call_id in self._cards:
                    self._cards[event.call_id].add_output(event.text)
            case ToolFinished():
                self._result(event.result, event.seconds)

    def _result(self, result: ToolResultPart, seconds: float | None) -> None:
        card = self._cards.get(result.call_id)
        if card is not None and (seconds is not None or card.state in ("writing", "waiting", "running")):
            card.set_result(result, seconds)

    # --- questions ---------------------------------------------------------------------------------------------------

    def _ask(self, request: ApprovalRequest) -> None:
        card = ApprovalCard(self._list.inside, request)
        card.answered.connect(self._answered)
        self._questions[request.id] = card
        self._list.add(card, after=self._cards.get(request.call.id))
        self.question_asked.emit(card)

    def _answered(self, answer: ApprovalAnswer) -> None:
        card = self.sender()
        if isinstance(card, ApprovalCard):
            self.answered.emit(card.request.id, answer)

    def _resolved(self, event: ApprovalResolved) -> None:
        card = self._questions.get(event.id)
        if card is not None and card.open:
            card.resolve(event.answer)

    # --- notices, end ----------------------------------------------------------------------------------------

    def _notice(self, notice: Notice) -> None:
        card = notice_card(self._list.inside, notice)
        if isinstance(card, RetryCard):
            self._retry = card
        self._list.add(card)

    def _ended(self, ended: TurnEnded) -> None:
        self._chips.end()
        self._close_answer()
        if self._thinking is not None:
            self._thinking.finish()
        for card in self._writing.values():
            self._list.remove(card)
        if self._retry is not None:
            self._retry.finish()
            self._retry = None
        self._forget_step()
        for question in self.open_questions:
            question.expire()
        self._questions.clear()
        self._cards.clear()
        notice = ended_card(self._list.inside, ended)
        if notice is None:
            return
        notice.setParent(self._list.inside)
        if is_full(ended) and self._can_go_on():
            notice.add_button(self.tr("Continue in a New Chat"), self.new_chat_requested.emit)
        if ended.stop == "error":
            notice.add_button(self.tr("Try Again"), self.retry_requested.emit, secondary=True)
        self._list.add(notice)


def _first_named(waiting: dict[str, ToolCard], call: ToolCallPart) -> ToolCard | None:
    """A card that was written under another id (a provider that gives ids late), by the tool's name."""
    for key, card in waiting.items():
        if card.tool_name == call.name:
            del waiting[key]
            return card
    return None
