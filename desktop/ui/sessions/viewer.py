"""A stored session in a tab, read only: its messages, at the one that is asked for. The open conversation is left alone.

Reads through `bridge.operations`; follows nothing, changes nothing. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.messages.parts import Message
from desktop.sessions.summary import SessionSummary
from desktop.sessions.transcript import branch
from desktop.ui import theme
from desktop.ui.chat.chips import MemoryChip, offer_places
from desktop.ui.chat.items import entries_of, entry_index
from desktop.ui.chat.message_list import MessageList
from desktop.ui.cut import CutLabel
from desktop.ui.markdown import shown
from desktop.ui.memory.age import full_time
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.plain import tooltip
from desktop.ui.sessions.model import facts_of

if TYPE_CHECKING:
    from desktop.sessions.store import SessionStore
    from desktop.sessions.transcript import LoadedTranscript

HEIGHT = 35


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is on disk."""

    summary: SessionSummary
    loaded: LoadedTranscript


def read_session(store: SessionStore, session_id: str) -> StoredSession:
    """Blocking. Raises NotFoundError when there is no such session."""
    return StoredSession(store.find(session_id), store.load(session_id))


class SessionViewer(QWidget):
    """One session.

    Signals:
        title_changed(str): its title was read.
        resume_requested(str): go on with it in the chat.
        memory_open_requested(path, root id): a memory.
        session_requested(str, int): another session, at a message.
    """

    title_changed = Signal(str)
    resume_requested = Signal(str)
    memory_open_requested = Signal(str, str)
    session_requested = Signal(str, int)

    def __init__(self, read: Callable[[], StoredSession], session_id: str, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sessionViewer")
        self.setAccessibleName(self.tr("Session, read only"))
        self.session_id = session_id
        self._read = read
        self._operations = operations
        self._reading = 0
        self._stored: StoredSession | None = None
        self._messages: tuple[Message, ...] = ()
        self._sought: tuple[str, int, str] = ("", 0, "")
        self._build()
        self.setFocusProxy(self.messages)
        self.reload()

    def _build(self) -> None:
        self.title = CutLabel(self)
        self.facts = CutLabel(self, greedy=True)
        self.facts.setProperty("role", "secondary")
        self.resume = QPushButton(self.tr("Resume"), self)
        self.resume.setObjectName("sessionResume")
        self.resume.setProperty("role", "secondary")
        self.resume.clicked.connect(lambda: self.resume_requested.emit(self.session_id))
        self.banner = Banner("sessionNote", self)
        self.messages = MessageList(self)
        self.messages.memory_open_requested.connect(self.memory_open_requested)
        self.messages.chip_pressed.connect(self._on_chip)
        self.messages.session_requested.connect(self.session_requested)
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.messages)
        self.pages.addWidget(self.page)
        self._head = QHBoxLayout()
        self._head.addWidget(self.title)
        self._head.addWidget(self.facts, 1)
        self._head.addWidget(self.resume, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self.banner)
        column.addWidget(self.pages, 1)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    # -- what others use -------------------------------------------------------------------------------------------------------------

    def tab_tooltip(self) -> str:
        return tooltip(f"{self.title.text() or self.session_id}\n{self.facts.text()}")

    def reload(self) -> None:
        """Read the session again."""
        self._operations.forget(self._reading)
        self._reading = self._operations.read(self._read, self._on_read, self._on_failed)

    def reveal(self, message_id: str, text: str = "") -> None:
        """Show a message, with `text` selected in it; now or once the session is read. What was written since is read first."""
        self._sought = (message_id, 0, text)
        if self._stored is not None and any(one.id == message_id for one in self._stored.loaded.messages):
            self._show_sought()
        elif self._stored is not None:
            self.reload()

    def reveal_number(self, number: int) -> None:
        """Show the message of that number, from 1, of the live branch."""
        self._sought = ("", number, "")
        if self._stored is not None:
            self._show_sought()

    def dispose(self) -> None:
        """Before the widget goes."""
        self._operations.forget(self._reading)

    # -- inside ----------------------------------------------------------------------------------------------------------------------

    def _on_read(self, stored: StoredSession) -> None:
        self._reading = 0
        self._stored = stored
        summary = stored.summary
        self.title.setText(shown(summary.title))
        self.title.setToolTip(tooltip(shown(summary.title)))
        self.facts.setText(" · ".join((full_time(summary.updated), facts_of(summary), self.tr("read only"))))
        self.title_changed.emit(shown(summary.title)[:60])
        self._show_branch(stored.loaded.live)
        self._show_sought()

    def _on_chip(self, chip: MemoryChip) -> None:
        """What a chip names is opened, or offered where there are several."""
        offer_places(chip, self.memory_open_requested.emit)

    def _show_branch(self, messages: tuple[Message, ...]) -> None:
        self._messages = messages
        entries = entries_of(messages)
        damage = len(self._stored.loaded.damage) if self._stored is not None else 0
        if not entries:
            self._show_page("empty", self.tr("Nothing was said in this session"), "")
            return
        self.pages.setCurrentWidget(self.messages)
        self.messages.show_entries(entries)
        if damage:
            text = self.tr("%n lines of this session's file could not be read and are left out. The file was not changed.", "", damage)
            self.banner.show_text("warning", text)
        else:
            self.banner.dismiss()

    def _show_sought(self) -> None:
        (message_id, number, text), self._sought = self._sought, ("", 0, "")
        stored = self._stored
        if stored is None or not (message_id or number):
            return
        if number:
            live = stored.loaded.live
            message_id = live[number - 1].id if number <= len(live) else ""
        at = entry_index(entries_of(self._messages), self._messages, message_id, text)
        if at is None:
            at = self._on_other_branch(stored, message_id, text)
        if at is not None:
            self.messages.show_entry(at, text)

    def _on_other_branch(self, stored: StoredSession, message_id: str, text: str) -> int | None:
        """The message was left behind when the conversation went on differently: show the way to it."""
        way = branch({one.id: one for one in stored.loaded.messages}, message_id)
        if not way:
            return None
        self._show_branch(way)
        live = stored.loaded.live
        if way != live[: len(way)]:
            note = self.tr("The conversation went on differently from here: this is an earlier version of it.")
            self.banner.show_text("info", note, [(self.tr("Show the Present Version"), lambda: self._show_branch(live))])
        return entry_index(entries_of(way), way, message_id, text)

    def _on_failed(self, failure: Failure) -> None:
        self._reading = 0
        self._show_page("error", self.tr("This session cannot be read"), failure.text())

    def _show_page(self, kind: str, title: str, text: str) -> None:
        self.page.show_message(kind, title, text, [(self.tr("Try Again"), self.reload)])
        self.pages.setCurrentWidget(self.page)

    def _measure(self) -> None:
        now = theme.current()
        self._head.setContentsMargins(now.px(16), now.px(4), now.px(8), now.px(4))
        self._head.setSpacing(now.px(10))
