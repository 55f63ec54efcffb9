"""The chat pane: head, messages, composer, wired to the controller. Shows facts, emits intents; does no work of its own. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.messages.events import TurnEnded, TurnEvent
from desktop.sessions.summary import SessionSummary
from desktop.ui import theme
from desktop.ui.chat.approval_card import ApprovalCard
from desktop.ui.chat.completion import Completion
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.empty_state import EmptyState
from desktop.ui.chat.font_warmer import FontWarmer
from desktop.ui.chat.head import ChatHead
from desktop.ui.chat.items import UserEntry, entries_of, entry_index
from desktop.ui.chat.leave_question import LeaveQuestion
from desktop.ui.chat.live_turn import LiveTurn
from desktop.ui.chat.memory_banner import MemoryBanner
from desktop.ui.chat.message_list import MessageList
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.pane_branches import PaneBranches
from desktop.ui.chat.pane_memory import PaneMemory
from desktop.ui.chat.session_proposals import SessionProposals
from desktop.ui.chat.waiting_line import WaitingLine
from desktop.ui.controllers.chat_controller import ChatController, MemoryNote, Opened
from desktop.ui.sessions.dialogs import RenameDialog
from desktop.ui.sessions.facts import title_text
from desktop.ui.tab_order import put_before

COMPOSER_SHARE = 0.35
"""Of the pane's height, that the text which is typed takes at most."""
STACK_LEAST = 24
MOST_WIDGETS = 400
"""A conversation that grew beyond this is shown from its transcript again after a turn."""


class ChatPane(QWidget):
    """See the module's text.

    Attributes:
        messages, composer, head, memory, branches: the parts.
        proposals: what `#` completes.
        leave_question: asks before an incognito conversation is left.

    Signals:
        memory_open_requested(path, root id): a memory.
        memory_history_requested(path, root id): the versions of a memory.
        review_requested(): the proposals that wait for the person.
        requests_requested(): the requests as they were sent.
        session_open_requested(str, int): another session, at a message (from a context card).
        sessions_requested(): show the picker.
        folder_requested(): open a folder.
        attention_requested(): a question waits for an answer.
        questions_changed(bool): whether one does.
    """

    memory_open_requested = Signal(str, str)
    memory_history_requested = Signal(str, str)
    review_requested = Signal()
    requests_requested = Signal()
    session_open_requested = Signal(str, int)
    sessions_requested = Signal()
    folder_requested = Signal()
    attention_requested = Signal()
    questions_changed = Signal(bool)

    def __init__(self, controller: ChatController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chat")
        self.setAccessibleName(self.tr("Chat"))
        self.controller = controller
        self.proposals = SessionProposals(self)
        self._before: QWidget | None = None
        self.leave_question = LeaveQuestion(self)
        self.head = ChatHead(self)
        self.messages = MessageList(self)
        self.empty = EmptyState(self)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.messages)
        self.stack.setMinimumHeight(STACK_LEAST)  # in a low window it gives way first: it scrolls, the composer does not
        self.waiting = WaitingLine(self)
        self.banner = MemoryBanner(self)
        self.composer = Composer(self)
        self.live = self._new_live()
        self._lay_out()
        self.memory = PaneMemory(controller, self.messages, self.composer.meter, self)
        self.branches = PaneBranches(controller, self.messages, self.composer, self.memory, lambda: self.live, self)
        self.branches.shown.connect(self._choose_page)
        self._foot.insertWidget(self._foot.indexOf(self.composer), self.branches.line)
        self._connect_widgets()
        self._connect_controller()
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self._escape)
        workspace = controller.workspace
        self.empty.set_folder(workspace.folder.name if workspace is not None else None)
        self._fonts = FontWarmer(self)

    @property
    def warming(self) -> bool:
        """Fonts are being loaded ahead of the first message."""
        return self._fonts.busy

    def warm(self) -> None:
        """Load ahead what drawing messages needs: somebody types, or a stored conversation is about to be shown."""
        self.controller.warming.messages()
        self._fonts.begin()

    def _typed(self) -> None:
        if self.composer.edit.document().characterCount() > 1:
            self.warm()
            self._fonts.begin(texts=(self.head.given_title, self.composer.edit.document().begin().text()))
            self._fonts.rest()
            self.controller.warming.facts()

    def _lay_out(self) -> None:
        line = QFrame(self)
        line.setProperty("role", "line")
        foot = self._foot = QVBoxLayout()
        edge = theme.current().px(12)
        foot.setContentsMargins(edge, 4, edge, edge)
        foot.setSpacing(6)
        foot.addWidget(self.waiting)
        foot.addWidget(self.banner)
        foot.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(line)
        column.addWidget(self.stack, 1)
        column.addLayout(foot)

    def _new_live(self) -> LiveTurn:
        live = LiveTurn(self.messages, self, can_go_on=lambda: self.controller.full.can_go_on)
        live.answered.connect(self.controller.answer)
        live.answered.connect(self._answered)
        live.question_asked.connect(self._question)
        live.retry_requested.connect(self.controller.retry)
        live.new_chat_requested.connect(self._go_on_in_new_chat)
        return live

    def _connect_widgets(self) -> None:
        controller = self.controller
        self.composer.stop_requested.connect(controller.stop)
        self.composer.mode_requested.connect(controller.set_mode)
        self.composer.model_requested.connect(controller.set_model)
        self.composer.edit.textChanged.connect(self._typed)
        self.composer.draft_changed.connect(lambda text: controller.save_draft(self.branches.with_before(text)))
        self.composer.set_completion_source(self._proposals)
        self.composer.set_session_source(self.proposals.find)
        self.composer.session_requested.connect(lambda session: self.session_open_requested.emit(session, 0))
        self.proposals.changed.connect(self.composer.refresh_completion)
        self.messages.title_of = self._title_of
        self.memory.open_requested.connect(self.memory_open_requested)
        self.memory.history_requested.connect(self.memory_history_requested)
        self.memory.review_requested.connect(self.review_requested)
        self.memory.requests_requested.connect(self.requests_requested)
        self.messages.session_requested.connect(self.session_open_requested)
        self.empty.prompt_requested.connect(self.put_text)
        self.empty.folder_requested.connect(self.folder_requested)
        self.banner.apply_requested.connect(controller.apply_memory_switch)
        self.head.new_requested.connect(controller.new_session)
        self.head.sessions_requested.connect(self.sessions_requested)
        self.head.rename_requested.connect(self.ask_rename)
        self.head.incognito_requested.connect(lambda reads: controller.new_incognito(reads_memory=reads))

    def _connect_controller(self) -> None:
        controller = self.controller
        controller.reading.connect(self.warm)
        controller.sent.connect(self.warm)
        controller.sent.connect(lambda: controller.warming.facts())
        controller.switching.connect(self._switching)
        controller.leaving.connect(self.flush_draft)
        controller.opened.connect(self._opened)
        controller.closed.connect(self._closed)
        controller.opening_failed.connect(self._opening_failed)
        controller.events_arrived.connect(self._events)
        controller.turn_ended.connect(self._turn_ended)
        controller.running_changed.connect(self.composer.set_running)
        controller.sent.connect(self.composer.accepted)
        controller.sent.connect(self.branches.sent)
        controller.text_returned.connect(self._text_returned)
        controller.draft_loaded.connect(self._draft_loaded)
        controller.draft_returned.connect(lambda text: self.composer.set_draft(text + self.composer.draft))
        controller.title_changed.connect(self.head.set_title)
        controller.mode_changed.connect(self.composer.set_mode)
        controller.models_changed.connect(self.composer.set_models)
        controller.usage_changed.connect(self.composer.meter.set_usage)
        controller.memory_note_changed.connect(self._memory_note)
        controller.leave_incognito_requested.connect(self.leave_question.ask)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.composer.edit.set_most(int(self.height() * COMPOSER_SHARE))

    # --- what others use ---------------------------------------------------------------------------------------------

    def focus_composer(self) -> None:
        self.composer.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def put_text(self, text: str) -> None:
        """Put text into the composer: in an empty one it stands alone, else at the end."""
        before = self.composer.draft.rstrip()
        self.composer.set_text(f"{before}\n{text}" if before else text)
        self.focus_composer()

    def begin_command(self, typed: str) -> None:
        """Put a slash command into the composer, in front of what stands there."""
        self.composer.set_text(f"{typed} {self.composer.draft.lstrip()}")
        self.focus_composer()

    def show_messages(self) -> None:
        """Something that is no message was added to the list."""
        self._choose_page()

    def reveal(self, message_id: str, text: str = "") -> bool:
        """Scroll to a message of the open conversation and mark it; False when it is not on its branch."""
        messages = self.controller.messages
        entries = self.memory.entries(messages)
        at = entry_index(entries, messages, message_id, text)
        if at is None:
            return False
        if len(entries) != len(self.messages.entries) and not self.controller.running:
            self.messages.show_entries(entries)
        self.messages.show_entry(at, text)
        return at < len(self.messages.entries)

    def set_sessions(self, sessions: Sequence[SessionSummary], texts: Sequence[str] = ()) -> None:
        """What `#` completes; see `SessionProposals.set_sessions`."""
        self.proposals.set_sessions(sessions, texts)
        self.composer.refresh_references()

    def ask_rename(self) -> None:
        """Let the person give the open conversation a title."""
        if self.controller.session_id:
            dialog = RenameDialog(self.window(), self.controller.session_id, self._present_title())
            dialog.rename_requested.connect(lambda _session, title: self.controller.rename(title))
            dialog.open()

    def flush_draft(self) -> None:
        """Give what is in the composer to the controller; before the window closes."""
        self.composer.flush_draft()

    def _present_title(self) -> str:
        return self.head.given_title

    def _title_of(self, session_id: str) -> str:
        found = self.proposals.find(session_id)
        return title_text(found) if found is not None else ""

    # --- facts -------------------------------------------------------------------------------------------------------

    def _switching(self) -> None:
        """The draft stays with its conversation; what is typed while the next one opens is that one's."""
        self.composer.set_draft("")

    def _opened(self, opened: Opened) -> None:
        self.leave_question.withdraw()
        entries = entries_of(opened.messages)
        self.live.deleteLater()
        self.live = self._new_live()
        self.branches.show(opened.messages)
        self.composer.edit.set_history([entry.text for entry in entries if isinstance(entry, UserEntry)])
        self.head.set_session(opened.session_id, opened.title)
        self.head.set_incognito(opened.incognito)
        self.banner.set_incognito(opened.incognito, reads_memory=opened.reads_memory)
        self.composer.set_running(False)
        self.waiting.stop()
        self._show_memory(reads=opened.reads_memory, writes=opened.reads_memory and not opened.incognito)
        damage = opened.damage
        if damage:
            text = self.tr("%n lines of this session's file could not be read and are left out. The file was not changed.", "", damage)
            self.messages.add(NoticeCard(self.messages.inside, "warning", text))
        self._choose_page()

    def _show_memory(self, *, reads: bool, writes: bool) -> None:
        """What an empty conversation says it can do is what it can do."""
        workspace = self.controller.workspace
        self.empty.set_folder(workspace.folder.name if workspace is not None else None, reads=reads, writes=writes)
        self.composer.set_remembers(writes)

    def _closed(self) -> None:
        self.leave_question.withdraw()
        self.messages.clear()
        self.composer.set_running(False)
        self.waiting.stop()
        self.head.set_session("", "")
        self.head.set_incognito(False)
        self.banner.set_incognito(False)
        self.empty.set_folder(None)
        self._choose_page()

    def _opening_failed(self, failure: Failure) -> None:
        card = NoticeCard(self.messages.inside, "error", failure.message, hint=failure.hint, detail=failure.detail)
        card.add_button(self.tr("Models and Keys…"), self.controller.models_requested.emit)
        card.add_button(self.tr("Try Again"), self._try_again, secondary=True)
        self.messages.add(card)
        self._choose_page()

    def _try_again(self) -> None:
        self.messages.clear()
        self._choose_page()
        self.controller.new_session()

    def _choose_page(self) -> None:
        self.stack.setCurrentWidget(self.messages if self.messages.views or self.messages.hidden_entries else self.empty)

    def _events(self, events: tuple[TurnEvent, ...]) -> None:
        for event in events:
            self.branches.apply(event)
            self.live.apply(event)
            self.memory.apply(event)
            self.waiting.apply(event)
        if self.stack.currentWidget() is not self.messages and self.messages.views:
            self._choose_page()

    def _turn_ended(self, ended: TurnEnded) -> None:
        """After a good turn a conversation of hundreds of widgets is shown from its transcript again, newest page first."""
        if ended.stop == "end" and len(self.messages.views) > MOST_WIDGETS and self.messages.at_bottom:
            self.branches.show(self.controller.messages)

    def _text_returned(self, text: str) -> None:
        """A message that was not taken stands in the composer again, before what was typed since."""
        since = self.composer.draft.strip()
        self.composer.set_text(f"{text}\n{since}" if since else text)

    def _draft_loaded(self, text: str) -> None:
        """The stored draft stands before what was typed since the conversation was opened."""
        if self.composer.text.strip():
            self.composer.edit.put_before(text)
        else:
            self.composer.set_draft(text)

    def _memory_note(self, note: MemoryNote) -> None:
        self.banner.show_state(session=note.session, workspace=note.workspace)
        if not self.controller.incognito:
            self._show_memory(reads=note.session, writes=note.session)

    # --- questions ---------------------------------------------------------------------------------------------------

    def _question(self, card: ApprovalCard) -> None:
        """Show the card; it gets the focus unless an input method is in the middle of a word."""
        QTimer.singleShot(0, card, lambda: self._show_question(card))
        self._put_before_composer(card)
        self.attention_requested.emit()
        self.questions_changed.emit(True)

    def _put_before_composer(self, card: ApprovalCard) -> None:
        """Tab leads from the question into the composer and back, although the card is the youngest widget of the window."""
        stops = [one for one in card.findChildren(QWidget) if one.focusPolicy() != Qt.FocusPolicy.NoFocus]
        put_before(self.composer.first_stop, [card, *stops])

    def _show_question(self, card: ApprovalCard) -> None:
        self.messages.show_widget(card)
        focus = QApplication.focusWidget()
        if card.open and not self.composer.edit.composing and (focus is None or self.isAncestorOf(focus)):
            self._before = focus if not isinstance(focus, ApprovalCard) else self._before
            card.setFocus(Qt.FocusReason.OtherFocusReason)

    def _answered(self) -> None:
        waiting = self.live.open_questions
        self.questions_changed.emit(bool(waiting))
        if waiting:
            self._show_question(waiting[0])
        elif self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_composer()

    # --- intents -----------------------------------------------------------------------------------------------------

    def _go_on_in_new_chat(self) -> None:
        """What is typed, and what stood there before an earlier message was edited, goes along."""
        self.controller.full.go_on(self.branches.with_before(self.composer.draft))

    def _escape(self) -> None:
        if self.composer.completion.isVisible():
            self.composer.completion.hide()
            self.composer.edit.completing = False
        elif self.controller.running:
            self.controller.stop()
        elif self.branches.editing:
            self.branches.cancel_edit()

    def _proposals(self, word: str) -> Sequence[Completion]:
        """Sessions for a `#` word."""
        workspace = self.controller.workspace
        return self.proposals.ask(word, own=self.controller.session_id, folder=str(workspace.folder) if workspace is not None else "")
