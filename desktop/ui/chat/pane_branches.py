"""The tree of the conversation in the chat pane: acts on messages, the versions beside them, what is edited, and showing another branch.

Between the widgets of the pane and `ChatBranches`; keeps which message is being edited and nothing else. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop.agent.interrupted import interruption
from desktop.messages.events import BranchMoved, MessageAppended, TurnEnded, TurnEvent, TurnStarted
from desktop.messages.parts import Message
from desktop.ui.chat import message_actions as acts
from desktop.ui.chat.branch_switcher import keyboard_step
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.edit_line import EditLine, LaterRow
from desktop.ui.chat.entry_views import VersionsRow
from desktop.ui.chat.interrupted_card import InterruptedCard
from desktop.ui.chat.items import StoppedEntry, Stored, VersionsEntry
from desktop.ui.chat.live_turn import LiveTurn
from desktop.ui.chat.message_list import MessageList
from desktop.ui.chat.pane_memory import PaneMemory
from desktop.ui.controllers.chat_controller import ChatController, Opened

NOTHING_ASKED = ("", 0, False)
"""No branch was asked for: message, direction, whether the keyboard was in the list."""


class PaneBranches(QObject):
    """See the module's text.

    Attributes:
        editing: id of the message whose other version stands in the composer, or "".
        line: says so, above the composer.

    Signals:
        told(str): a short word for the person that something was done.
        shown(): another branch is in the list.
    """

    told = Signal(str)
    shown = Signal()

    def __init__(
        self,
        controller: ChatController,
        messages: MessageList,
        composer: Composer,
        memory: PaneMemory,
        live: Callable[[], LiveTurn],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._branches = controller.branches
        self._list = messages
        self._composer = composer
        self._memory = memory
        self._live = live
        self._before = ""
        self._later: LaterRow | None = None
        self._stale = self._crashed = False
        self._interrupted: InterruptedCard | None = None
        self._asked = NOTHING_ASKED
        self.editing = ""
        self._edited = ""
        self.line = EditLine(parent)
        self.line.cancelled.connect(self.cancel_edit)
        messages.act_requested.connect(self.act)
        messages.branch_requested.connect(self._switch)
        composer.send_requested.connect(self.send)
        self._branches.rewound.connect(self._rewound)
        controller.switching.connect(self.leave_edit)
        controller.leaving.connect(self.leave_edit)
        controller.opened.connect(self._opened)
        controller.running_changed.connect(self._offer)

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def _opened(self, opened: Opened) -> None:
        self._stale, self._crashed = False, opened.crashed
        self._offer()

    def show(self, messages: Sequence[Message]) -> None:
        """Draw a branch of the open conversation, with the versions beside its messages and what came after its end."""
        self._later = self._interrupted = None
        self._memory.stored = Stored({one: (found.at + 1, found.ids) for one, found in self._branches.versions().items()})
        interrupted = interruption(messages, crashed=self._crashed) if not self._controller.running else None
        entries = self._memory.entries(messages)
        if interrupted is not None and interrupted.where == "answer" and entries and isinstance(entries[-1], StoppedEntry):
            entries.pop()  # the notice says it, with a way out
        self._list.show_entries(entries)
        if interrupted is not None:
            self._interrupted = InterruptedCard(self._list.inside, interrupted)
            self._interrupted.retry_requested.connect(self._controller.retry)
            self._list.add(self._interrupted)
        later = self._branches.ways_on()
        if later and not self._controller.running:
            self._later = LaterRow(self._list.inside, later)
            self._later.branch_requested.connect(self._switch)
            self._list.add(self._later)

    def apply(self, event: TurnEvent) -> None:
        """What an event says of the tree; before it is drawn by anybody else."""
        match event:
            case BranchMoved():
                self._crashed = False
                self._live().reset()
                self.show(event.messages)
                self._keep_keyboard()
                self.shown.emit()
            case TurnStarted():
                self._crashed = False
                self._remove_later()
                self._show_version(event.message)
            case MessageAppended() if event.message.role == "assistant":
                self._stale = self._stale or event.message.id in self._branches.versions()
            case TurnEnded() if self._stale:
                self._stale = False
                if self._list.at_bottom:  # the answer gets its versions; one who reads further up is left in peace
                    self._live().reset()
                    self.show(self._controller.messages)

    def _switch(self, message_id: str) -> None:
        """Show the branch through a message; a keyboard that asked for it from within the list stays there, at that message's versions."""
        holder = self._list.window().focusWidget()
        self._asked = message_id, keyboard_step(holder), self._list.isAncestorOf(holder)
        self._branches.switch(message_id)

    def _keep_keyboard(self) -> None:
        (message_id, by, inside), self._asked = self._asked, NOTHING_ASKED
        if inside and not (by and self._list.focus_versions(message_id, by)):
            self._list.setFocus()

    def _show_version(self, message: Message) -> None:
        """The row above a message that was just sent as another version."""
        found = self._branches.versions().get(message.id)
        if found is not None and not any(row.switcher.ids == found.ids for row in self._rows()):
            row = VersionsRow(self._list.inside, VersionsEntry(message.id, found.at + 1, found.ids, persons=True))
            row.branch_requested.connect(self._switch)
            self._list.add(row)

    def _rows(self) -> list[VersionsRow]:
        return [view for view in self._list.views if isinstance(view, VersionsRow)]

    def _remove_later(self) -> None:
        for row in (self._later, self._interrupted):
            if row is not None:
                self._list.remove(row)
        self._later = self._interrupted = None

    def _offer(self, _running: bool = False) -> None:
        running = self._controller.running
        self._list.set_acts(self._not_now() if running else "")

    def _not_now(self) -> str:
        return self.tr("Not while a turn runs: stop it, or wait for its end.")

    # --- acts --------------------------------------------------------------------------------------------------------

    def act(self, act: str, message_id: str) -> None:
        """One of the acts of `message_actions` on a message."""
        match act:
            case acts.EDIT:
                self.edit(message_id)
            case acts.RETRY:
                self._branches.retry(message_id)
            case acts.REWIND if self._is_end(message_id) and self._text_of(message_id, persons=True) == "":
                self.told.emit(self.tr("The chat ends here already."))
            case acts.REWIND:
                self._branches.rewind(message_id)
            case acts.FORK:
                self._branches.fork(message_id)
            case acts.COPY:
                QGuiApplication.clipboard().setText(self._copied(message_id))
                self.told.emit(self.tr("The message is copied."))
            case acts.REFERENCE:
                self._copy_reference(message_id)

    def act_on_current(self, act: str) -> bool:
        """The act on the message with the focus, else on the newest that it is for; False when there is none."""
        found = self._list.message_for(lambda view: bool(view.message_id) and (view.is_persons or act != acts.EDIT))
        if act == acts.REWIND and found is not None and self._is_end(found.message_id):
            found = self._list.newest_message(lambda view: bool(view.message_id) and view.is_persons)  # else nothing would be taken back
        if found is not None:
            self.act(act, found.message_id)
        return found is not None

    def step(self, by: int) -> bool:
        """To the version before or after, of the message with the focus or the newest that has several; False when there is none."""
        rows = self._rows()
        focus = self._list.window().focusWidget()
        row = next((row for row in rows if row.isAncestorOf(focus)), rows[-1] if rows else None)
        at = row.switcher.position - 1 + by if row is not None else -1
        if row is None or not 0 <= at < len(row.switcher.ids):
            return False
        self._branches.switch(row.switcher.ids[at])
        return True

    def _is_end(self, message_id: str) -> bool:
        """Nothing of the present branch stands behind this message."""
        messages = self._controller.messages
        return bool(messages) and messages[-1].id == message_id

    def _text_of(self, message_id: str, *, persons: bool = False) -> str:
        """The text of a message; with `persons` only of one that the person wrote, else an empty text."""
        found = next((message for message in self._controller.messages if message.id == message_id), None)
        return found.text if found is not None and not (persons and found.origin != "person") else ""

    def _copied(self, message_id: str) -> str:
        """What Copy as Markdown takes of a message."""
        from desktop.sessions.export import message_text

        found = next((message for message in self._controller.messages if message.id == message_id), None)
        return message_text(found) if found is not None else ""

    def _copy_reference(self, message_id: str) -> None:
        number = self._branches.number_of(message_id)
        if self._controller.incognito or number is None:
            self.told.emit(self.tr("An incognito message cannot be referred to: nothing of it is kept."))
            return
        QGuiApplication.clipboard().setText(f"#{self._controller.session_id}:{number}")
        self.told.emit(self.tr("The reference is copied: put it into a message, and the agent can read it."))

    # --- editing -----------------------------------------------------------------------------------------------------

    def edit(self, message_id: str) -> None:
        """Put a message of the person into the composer; sending it makes another version. What stood there comes back afterwards."""
        text = self._text_of(message_id)
        if self._controller.running:
            self.told.emit(self._not_now())
            return
        if not text:
            return
        if not self.editing:
            self._composer.flush_draft()
            self._before = self._composer.draft
        self.editing, self._edited = message_id, text
        self._composer.set_draft(text)
        self.line.show()
        self._composer.edit.setFocus()

    def with_before(self, text: str) -> str:
        """What is to be kept of the composer's text: while a message is edited, what stood there before it as well."""
        return f"{self._before}\n{text}" if self.editing and self._before.strip() else text

    def cancel_edit(self) -> None:
        """Leave the message as it is."""
        if self.editing:
            self._end_edit()
            self._composer.set_draft(self._before)
            self._composer.flush_draft()

    def leave_edit(self) -> None:
        """The edited message is left, or the window closes. What the person changed in it stays as a draft, as after a kill."""
        if not self.editing:
            return
        changed = self._composer.text != self._edited
        kept = self.with_before(self._composer.draft) if changed else self._before
        self._end_edit()
        self._composer.set_draft(kept)
        self._composer.flush_draft()

    def _end_edit(self) -> None:
        self.editing = ""
        self.line.hide()

    def send(self, text: str) -> None:
        """What the composer sends: another version of the message that is edited, else a message."""
        if self.editing:
            self._controller.edit(self.editing, text)
        else:
            self._controller.send(text)

    def sent(self) -> None:
        """The text of the composer was taken over."""
        if self.editing:
            self._end_edit()
            if self._before and not self._composer.text:
                self._composer.set_text(self._before)
            elif self._before:  # something else was sent: the edited text still stands there
                self._composer.edit.put_before(self._before)
            self._before = ""

    def _rewound(self, text: str) -> None:
        """The message that was taken back stands in the composer, unless something else does."""
        if text and not self._composer.text.strip():
            self._composer.set_text(text)
        self._composer.edit.setFocus()
