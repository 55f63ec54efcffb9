"""Memory in the chat pane: which popover a chip opens, marks on messages, “remember this”, the breakdown behind the context meter.

Between the widgets of the pane and `ChatSaves`; keeps what is known of the open conversation's memory and nothing else. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Failure
from desktop.memory.note import INDEX_NAME
from desktop.memory.origins import SessionOrigins
from desktop.memory.roots import PROJECT
from desktop.messages.events import ContextReported, MemoryChangeRef, MemoryProposed, MemorySaved, TurnEvent
from desktop.messages.parts import Message
from desktop.ui.chat.chips import LoadedChip, MemoryChip, RecalledChip, ReviewChip, SavedChip
from desktop.ui.chat.context_details import ContextDetails, LoadedDetails
from desktop.ui.chat.interrupted_card import calls_ended
from desktop.ui.chat.items import Entry, Stored, entries_of
from desktop.ui.chat.memory_details import RecalledDetails, SavedDetails
from desktop.ui.chat.message_list import MessageList
from desktop.ui.chat.pane_chips import PaneChips
from desktop.ui.chat.popover import Popover
from desktop.ui.chat.remember_dialog import RememberDialog
from desktop.ui.controllers.chat_controller import ChatController, Opened
from desktop.ui.controllers.chat_memory import MemoryNote
from desktop.ui.memory.tree_model import type_word

CONTEXT_WIDTH = 460


class PaneMemory(QObject):
    """See the module's text.

    Attributes:
        origins: where the memories of the open conversation come from.
        stored: what is drawn among the entries besides: versions of messages.
        report: the newest load report of it, or None.
        popover: the one that is open, or None.
        chips: keeps them true.

    Signals:
        open_requested(path, root id), history_requested(path, root id)
        review_requested(): show the proposals that wait.
        requests_requested(): show the requests as they were sent.
    """

    open_requested = Signal(str, str)
    history_requested = Signal(str, str)
    review_requested = Signal()
    requests_requested = Signal()

    def __init__(self, controller: ChatController, messages: MessageList, meter: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._controller = controller
        self._saves = controller.saves
        self._messages = messages
        self._meter = meter
        self._window_owner = parent
        self._live: set[str] = set()
        self._earlier: tuple[Message, ...] = ()
        self.origins = SessionOrigins()
        self.stored = Stored()
        self.report: dict[str, Any] | None = None
        self.popover: Popover | None = None
        self.chips = PaneChips(self._saves, messages, self)
        messages.chip_pressed.connect(self.show_chip)
        messages.memory_open_requested.connect(self.open_requested)
        messages.remember_requested.connect(self.ask_remember)
        meter.clicked.connect(self.show_context)  # type: ignore[attr-defined]
        self._saves.origins_changed.connect(self._origins_changed)
        self._saves.changed.connect(self._changed)
        self._saves.open_requested.connect(self.open_requested)
        controller.memory_note_changed.connect(self._note_changed)
        controller.context.reported.connect(self._reported)
        controller.opened.connect(self._opened)
        controller.closed.connect(self._closed)

    # --- the conversation ----------------------------------------------------------------------------------------------

    def entries(self, messages: Sequence[Message]) -> list[Entry]:
        """A conversation as it is drawn, with what was extracted for its messages."""
        entries = entries_of(messages, self.origins.extracted, self.stored, self.origins.proposed)
        return entries if self._controller.running else calls_ended(entries)

    def _opened(self, opened: Opened) -> None:
        self.close_popover()
        self.chips.reset()
        self.report, self.origins = None, SessionOrigins()
        self._live, self._earlier = set(), opened.messages
        self._messages.set_marks({})
        self._offer("" if not opened.incognito else self._incognito_reason())
        if opened.messages:
            self._saves.refresh_origins()

    def _closed(self) -> None:
        self.close_popover()
        self.report, self.origins = None, SessionOrigins()
        self._messages.set_marks({})
        self._messages.set_remember(None)

    def apply(self, event: TurnEvent) -> None:
        """What an event of a turn says of memory, beside what is drawn of it."""
        if isinstance(event, ContextReported):
            self.report = event.report
        elif isinstance(event, MemorySaved):
            self._live.update(ref.change for ref in event.changes)
            self.chips.refresh()
            self._saves.refresh_origins()
        elif isinstance(event, MemoryProposed):
            self._live.update(event.ids)
            self.chips.refresh()
            self._saves.refresh_origins()

    def refresh(self) -> None:
        """Memory was changed somewhere: marks may have come or gone, what chips count may be undone, or done again."""
        self.chips.refresh()
        self._changed()
        if self._controller.session_id and self._controller.messages:
            self._saves.refresh_origins()

    def _origins_changed(self, origins: SessionOrigins) -> None:
        self.origins = origins
        self._messages.set_marks(origins.remembered)
        earlier, self._earlier = self._earlier, ()
        if earlier:
            self._insert_extracted(earlier, origins)

    def _insert_extracted(self, earlier: Sequence[Message], origins: SessionOrigins) -> None:
        """The first look after opening: what was extracted for earlier turns gets its chips; what was said live has them."""
        wanted = {message: refs for message, refs in origins.extracted.items() if not any(ref.change in self._live for ref in refs)}
        proposed = {message: ids for message, ids in origins.proposed.items() if not self._live.intersection(ids)}
        if (wanted or proposed) and len(entries_of(earlier, None, self.stored)) == len(self._messages.entries):
            self._messages.insert_entries(entries_of(earlier, wanted, self.stored, proposed))

    # --- remember this -----------------------------------------------------------------------------------------------

    def _note_changed(self, note: MemoryNote) -> None:
        if self._controller.incognito:
            self._offer(self._incognito_reason())
        else:
            off = self.tr("Memory is off in this chat.")
            self._offer("" if note.session else f"{off} {note.reason}".strip())

    def _incognito_reason(self) -> str:
        return self.tr("This chat is incognito: it writes nothing to memory.")

    def _offer(self, reason: str) -> None:
        self._messages.set_remember(reason)

    def remember_current(self) -> bool:
        """Ask for the message with the focus, or the newest answer, to be remembered; False when there is none."""
        return self._messages.remember_current()

    def ask_remember(self, message_id: str, text: str) -> None:
        """Show what would be remembered, and let the person say so."""
        workspace = self._controller.workspace
        dialog = RememberDialog(self._window_owner.window(), text, workspace.project.label if workspace is not None else "")

        def done() -> None:
            dialog.accept()

        def failed(failure: Failure) -> None:
            dialog.show_problem(failure.text())

        def named(preview: tuple[str, str]) -> None:
            dialog.show_preview(preview[0], type_word(preview[1]))

        dialog.preview_wanted.connect(lambda wanted: self._saves.preview(wanted, self._alive(dialog, named)))
        dialog.remember_requested.connect(
            lambda wanted, to: self._saves.remember(wanted, to, message_id, self._alive(dialog, done), self._alive(dialog, failed))
        )
        dialog.open()

    @staticmethod
    def _alive(widget: QWidget, act: Any) -> Any:
        """`act`, unless the widget is gone by then."""
        return lambda *values: act(*values) if shiboken6.isValid(widget) else None

    # --- popovers ----------------------------------------------------------------------------------------------------

    def show_chip(self, chip: MemoryChip) -> None:
        """What this chip stands for."""
        match chip:
            case SavedChip():
                self._show_saved(chip)
            case RecalledChip():
                recalled = RecalledDetails(chip.items)
                recalled.open_requested.connect(self._open)
                self._popup(chip, recalled)
            case LoadedChip():
                loaded = LoadedDetails(chip.report, self.report)
                loaded.index_requested.connect(lambda: self._open(INDEX_NAME, PROJECT))
                loaded.path_activated.connect(self._open_path)
                self._popup(chip, loaded)
            case ReviewChip():
                self.review_requested.emit()

    def show_context(self) -> None:
        """The breakdown by slot, at the context meter. Without a report yet it is asked for."""
        if self.report is None:
            self._controller.context.read()
        self._show_context()

    def _show_context(self) -> None:
        details = ContextDetails(self.report)
        details.path_activated.connect(self._open_path)
        details.requests_requested.connect(self._show_requests)
        anchor = self._meter if self._meter.isVisible() else self._messages
        self._popup(anchor, details, CONTEXT_WIDTH)

    def _reported(self, report: dict[str, Any]) -> None:
        self.report = report
        if self.popover is not None and isinstance(self.popover.content, ContextDetails):
            self._show_context()

    def _show_saved(self, chip: SavedChip) -> None:
        details = SavedDetails(background=chip.entry.background)
        details.open_requested.connect(self._open)
        details.history_requested.connect(self._history)
        details.undo_requested.connect(self._saves.undo)
        details.redo_requested.connect(self._saves.redo)
        self._popup(chip, details)
        if self.popover is not None:
            details.resized.connect(self.popover.place)
        self._look(details, chip.changes)

    def _look(self, details: SavedDetails, refs: Sequence[MemoryChangeRef]) -> None:
        details.refs = tuple(refs)
        self._saves.look(details.refs, details.show_facts)

    def _changed(self) -> None:
        """Memory was changed: an open popover shows how its changes stand now."""
        details = self.popover.content if self.popover is not None else None
        if isinstance(details, SavedDetails):
            self._look(details, details.refs)

    def _popup(self, anchor: QWidget, content: QWidget, width: int = 0) -> None:
        self.close_popover()
        made = Popover(anchor, content, width=width) if width else Popover(anchor, content)
        self.popover = made
        made.closed.connect(self._popover_closed)
        made.popup()

    def _popover_closed(self) -> None:
        if self.sender() is self.popover:
            self.popover = None

    def close_popover(self) -> None:
        if self.popover is not None:
            self.popover.close_it()
            self.popover = None

    def _open(self, path: str, root: str) -> None:
        self.close_popover()
        self.open_requested.emit(path, root)

    def _open_path(self, path: str) -> None:
        self.close_popover()
        self._saves.open_path(path)

    def _history(self, path: str, root: str) -> None:
        self.close_popover()
        self.history_requested.emit(path, root)

    def _show_requests(self) -> None:
        self.close_popover()
        self.requests_requested.emit()
