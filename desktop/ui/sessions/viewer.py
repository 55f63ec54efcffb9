"""A stored session in a tab, read only: any length, any branch, at the message that is asked for. The open conversation is left alone.

Shows what `pages` reads: its end at once, the rest as it is scrolled to. Follows nothing, changes nothing. GUI thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import sentences, spoken
from desktop.ui import theme
from desktop.ui.chat.branch_switcher import keyboard_step
from desktop.ui.chat.chips import MemoryChip, ReviewChip, offer_places
from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.font_warmer import FontWarmer
from desktop.ui.chat.images import ImageSource
from desktop.ui.chat.items import Stored, entries_of, entry_index
from desktop.ui.chat.paged_list import PagedMessageList
from desktop.ui.chat.surface import icon_button, label
from desktop.ui.cut import CutLabel
from desktop.ui.markdown import shown, warm
from desktop.ui.memory.age import full_time
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.plain import tooltip
from desktop.ui.sessions.facts import facts_of, source_name, title_text
from desktop.ui.sessions.find_bar import FindBar, FindInSession
from desktop.ui.sessions.pages import Place, SessionPages, StoredSession, read_session
from desktop.ui.sessions.stretch import Stretch
from desktop.ui.sessions.viewer_menu import ViewerMenu

__all__ = ["SessionViewer", "StoredSession", "read_session"]

_PLACE = re.compile(r"\S{1,80} \d{1,4} -?\d{1,6}")
DETAIL_LINES = 200
"""Places of damage that are told one by one."""
SideFile = Callable[[str], bytes | None]


class SessionViewer(QWidget):
    """One session.

    Args:
        side_file: gives the content of one of its side files by digest, None where it is lost; blocking.

    Signals:
        title_changed(str): its title was read.
        resume_requested(str): go on with it in the chat; of another tool's session, in a new one of ours.
        memory_open_requested(path, root id): a memory.
        review_requested(): the proposals that wait for the person.
        session_requested(str, int): another session, at a message.
    """

    title_changed = Signal(str)
    resume_requested = Signal(str)
    memory_open_requested = Signal(str, str)
    review_requested = Signal()
    session_requested = Signal(str, int)

    def __init__(
        self,
        read: Callable[[], StoredSession],
        session_id: str,
        operations: Operations,
        parent: QWidget | None = None,
        *,
        side_file: SideFile = lambda digest: None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sessionViewer")
        self.setAccessibleName(self.tr("Session, read only"))
        self.session_id = session_id
        self._sought: tuple[str, int, str] = ("", 0, "")
        self._place = ""
        self._stretch = Stretch()
        self._build(ImageSource(operations, side_file))
        self.reader = SessionPages(read, operations, self)
        self.reader.opened.connect(self._on_opened)
        self.reader.failed.connect(self._on_failed)
        self.reader.facts_changed.connect(self._say_facts)
        self.reader.indexed.connect(self._on_indexed)
        self.finder = FindInSession(self.find_bar, self.reader, lambda: self._stretch.first or 1, self)
        self.finder.place_found.connect(lambda number, text: self._go(number, text=text))
        self.setFocusProxy(self.messages)
        operations.read(warm)
        self._fonts = FontWarmer(self)
        self._fonts.begin(0)
        self.reload()

    def _build(self, images: ImageSource) -> None:
        self.title = CutLabel(self)
        self.badge = label(self, role="badge")
        self.badge.setObjectName("sessionSource")
        self.badge.hide()
        self.facts = CutLabel(self, greedy=True)
        self.facts.setProperty("role", "secondary")
        self.find_button = icon_button(self, "search", self.tr("Find in this session"), self.begin_find)
        self.menu = ViewerMenu(self.session_id, self)
        self.resume = QPushButton(self.tr("Resume"), self)
        self.resume.setObjectName("sessionResume")
        self.resume.setProperty("role", "secondary")
        self.resume.clicked.connect(lambda: self.resume_requested.emit(self.session_id))
        self.find_bar = FindBar(self)
        self.banner = Banner("sessionNote", self)
        self.details = PlainView(self, lines=8, wrap=True)
        self.details.setAccessibleName(self.tr("What could not be read"))
        self.details.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._details_room = QWidget(self)
        QVBoxLayout(self._details_room).addWidget(self.details)
        self._details_room.hide()
        self.branch_banner = Banner("sessionBranch", self)
        self.messages = PagedMessageList(self)
        self.messages.images = images
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.messages)
        self.pages.addWidget(self.page)
        self._head = self._head_rows()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        for one in (self.find_bar, self.banner, self._details_room, self.branch_banner):
            column.addWidget(one)
        column.addWidget(self.pages, 1)
        self._connect()
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _head_rows(self) -> QVBoxLayout:
        """Title and source above the facts, each row with a button at its end: in a narrow tab none pushes another out."""
        centre = Qt.AlignmentFlag.AlignVCenter
        self._rows = QHBoxLayout(), QHBoxLayout()
        names, facts = self._rows
        names.addWidget(self.title)
        names.addWidget(self.badge, 0, centre)
        names.addStretch(1)
        names.addWidget(self.find_button, 0, centre)
        names.addWidget(self.menu.button, 0, centre)
        facts.addWidget(self.facts, 1)
        facts.addWidget(self.resume, 0, centre)
        head = QVBoxLayout()
        head.addLayout(names)
        head.addLayout(facts)
        return head

    def _connect(self) -> None:
        messages, bar = self.messages, self.find_bar
        messages.memory_open_requested.connect(self.memory_open_requested)
        messages.chip_pressed.connect(self._on_chip)
        messages.session_requested.connect(self._on_session)
        messages.branch_requested.connect(self._on_branch)
        messages.older_requested.connect(self._on_older)
        messages.newer_requested.connect(self._on_newer)
        messages.newest_requested.connect(self._show_newest)
        messages.oldest_requested.connect(partial(self._go, 1))
        bar.number_given.connect(partial(self._go, flash=True))
        bar.closed.connect(lambda: self.messages.setFocus())
        keys = (
            ("Ctrl+F", self.begin_find), ("Ctrl+G", self.ask_number),
            ("F3", lambda: bar.step(1)), ("Shift+F3", lambda: bar.step(-1)),
        )  # fmt: skip
        for sequence, slot in keys:
            shortcut = QShortcut(QKeySequence(sequence), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    # --- what others use ---------------------------------------------------------------------------------------------

    def tab_tooltip(self) -> str:
        return tooltip(f"{self.title.text() or self.session_id}\n{self.facts.text()}")

    def set_title(self, title: str) -> None:
        """Its title as it is now."""
        if self.title.text() != shown(title):
            self.title.setText(shown(title))
            self.title.setToolTip(tooltip(shown(title)))
            self.title_changed.emit(shown(title)[:60])

    def reload(self) -> None:
        """Read the session again."""
        self.reader.reload()

    def reveal(self, message_id: str, text: str = "") -> None:
        """Show a message, on whichever branch it is, with `text` selected in it; now or once it is read."""
        self._sought = (message_id, 0, text)
        self._show_sought()

    def reveal_number(self, number: int) -> None:
        """Show the message of that number, from 1, of the live branch."""
        self._sought = ("", number, "")
        self._show_sought()

    def place(self) -> str:
        """Where it is scrolled to, for `set_place`; empty at its end."""
        if self._place:
            return self._place
        found = self.messages.place() if self._stretch.first else None
        return f"{found[0]} {found[1]} {found[2]}" if found is not None else ""

    def set_place(self, place: str) -> None:
        """Go to where it was scrolled to before, once it is read, unless a message is asked for."""
        self._place = place if _PLACE.fullmatch(place) else ""

    def begin_find(self) -> None:
        """Find words in the session."""
        self.find_bar.begin()

    def ask_number(self) -> None:
        """Ask for the number of a message to go to."""
        self.find_bar.begin(number=True)

    def dispose(self) -> None:
        """Before the widget goes."""
        self.reader.close()

    # --- what was read -----------------------------------------------------------------------------------------------

    def _on_opened(self) -> None:
        stored = self.reader.stored
        assert stored is not None
        summary = stored.summary
        self.set_title(title_text(summary))
        self.badge.setText(source_name(summary.source))
        self.badge.setToolTip(self.tr("From another tool. It is only read; its tool calls are history and are never run."))
        self.badge.setVisible(stored.is_foreign)
        self.menu.own = not stored.is_foreign
        self.resume.setText(self.tr("Continue in Keepsake") if stored.is_foreign else self.tr("Resume"))
        self._say_facts()
        if stored.page.messages or stored.facts.done:
            self._show_place(Place(stored.page.last, stored.page, stored.facts))
        else:
            self._show_page("search", self.tr("Reading the session…"), "")

    def _say_facts(self) -> None:
        stored, facts = self.reader.stored, self.reader.facts
        if stored is None:
            return
        parts = [self.tr("read only"), full_time(stored.summary.updated), facts_of(stored.summary)]
        if not facts.done and facts.size:
            parts.append(self.tr("{n} % read").format(n=min(99, facts.read * 100 // facts.size)))
        self.facts.setText(" · ".join(part for part in parts if part))
        self.find_bar.set_total(facts.total if facts.done else 0)

    def _on_indexed(self) -> None:
        """Everything has its number now: what is shown gets its versions, and what was asked for meanwhile is shown."""
        self._say_facts()
        self._say_damage()
        place, self._place = self._place, ""
        if any(self._sought):
            self._show_sought()
        elif place and self.messages.follows:
            self._go_back(place)
        elif not self._stretch.first:
            self.reader.newest(self._on_numbered)

    def _on_numbered(self, place: Place) -> None:
        if self._stretch.number(place.page):
            self.messages.more_above = self._stretch.more_above
            self.messages.prepend_entries([], more=self._stretch.more_above)
        else:
            self._show_place(place)

    def _say_damage(self) -> None:
        facts = self.reader.facts
        if not facts.damaged:
            self.banner.dismiss()
            self._details_room.hide()
            return
        if facts.skipped:
            text = self.tr("%n records of this session could not be read and are left out. The file was not changed.", "", facts.skipped)
        else:
            text = self.tr("%n places of this session are shown with doubt. The file was not changed.", "", facts.damaged)
        if facts.newer:
            text = sentences(text, self.tr("Some were written by a newer version."))
        self.banner.show_text("warning", text, [(self.tr("Details"), self._show_details)])

    def _show_details(self) -> None:
        if not self._details_room.isHidden():
            self._details_room.hide()
            return
        facts = self.reader.facts
        lines = [
            (self.tr("Line {n}: {reason}").format(n=f"{line:,}", reason=spoken(reason)) if line else spoken(reason))
            for line, reason in facts.damage[:DETAIL_LINES]
        ]
        if facts.damaged > len(lines):
            lines.append(self.tr("… and {n} more").format(n=f"{facts.damaged - len(lines):,}"))
        self.details.set_text(shown("\n".join(lines)))
        self._details_room.show()
        self.details.setFocus()

    def _on_failed(self, failure: Failure) -> None:
        self._show_page("error", self.tr("This session cannot be read"), failure.text())

    def _show_page(self, kind: str, title: str, text: str) -> None:
        actions = [(self.tr("Try Again"), self.reload)] if kind != "search" else []
        self.page.show_message(kind, title, text, actions)
        self.pages.setCurrentWidget(self.page)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _go_back(self, place: str) -> None:
        message_id, entry, offset = place.split()

        def show(found: Place | None) -> None:
            if found is None:
                self.reader.newest(self._show_place)  # that message is not there any more
            else:
                self._show_place(found, at=message_id, held=(int(entry), int(offset)))

        self.reader.locate(show, message_id=message_id)

    def _show_place(self, place: Place | None, text: str = "", *, at: str = "", held: tuple[int, int] | None = None) -> None:
        """Show a page, at its end or at the message with the id `at`; `held`: at which of its entries, and how far down in the view."""
        if place is None:
            return
        stretch = self._stretch = Stretch.of(place.page, place.behind)
        entries = stretch.entries(self._stored())
        if not entries and not stretch.more_above:
            title = self.tr("Nothing was said in this session") if not place.facts.messages else self.tr("This branch is empty")
            self._show_page("empty", title, "")
        else:
            self.pages.setCurrentWidget(self.messages)
            found = entry_index(entries, stretch.messages, at, text) if at else None
            offset = None
            if held is not None and found is not None:
                own = [one for one in range(len(entries)) if getattr(entries[one], "message_id", "") == at] or [found]
                found, offset = own[min(held[0], len(own) - 1)], held[1]
            self.messages.show_stretch(entries, above=stretch.more_above, below=stretch.more_below, at=found, text=text, offset=offset)
        self._say_branch(is_live=place.facts.is_live)

    def _stored(self) -> Stored:
        """What is drawn besides words and calls: versions, and of another tool's session what that put in."""
        stored = self.reader.stored
        versions = {one: (found.position, found.ids) for one, found in self._stretch.versions.items()}
        return Stored(versions, reminders=stored is not None and stored.is_foreign)

    def _say_branch(self, *, is_live: bool) -> None:
        if is_live:
            self.branch_banner.dismiss()
        else:
            note = self.tr("The session went on differently from here: this is an earlier version of it.")
            self.branch_banner.show_text("info", note, [(self.tr("Show the Present Version"), partial(self._on_branch, ""))])

    def _on_older(self) -> None:
        if not self._stretch.first:
            return  # it is asked for again once the file is indexed
        self.reader.older(self._stretch.first, self._add_older)

    def _add_older(self, page: object) -> None:
        added = self._stretch.prepend(page)  # type: ignore[arg-type]
        self.messages.prepend_entries(entries_of(added, stored=self._stored()), more=self._stretch.more_above)
        self._forget(above=False)

    def _on_newer(self) -> None:
        if self._stretch.last:
            self.reader.newer(self._stretch.last, self._add_newer)

    def _add_newer(self, page: object) -> None:
        added = self._stretch.append(page)  # type: ignore[arg-type]
        self.messages.append_entries(entries_of(added, stored=self._stored()), more=self._stretch.more_below)
        self._forget(above=True)

    def _forget(self, *, above: bool) -> None:
        """Messages far from what is read are let go, page by page."""
        while (size := self._stretch.spare(above, self._stored(), self.messages.spare(above))) > 0:
            self.messages.drop_entries(size if above else 0, 0 if above else size)

    def _show_newest(self) -> None:
        self.reader.newest(self._show_place)

    def _on_branch(self, message_id: str) -> None:
        by = keyboard_step(self.window().focusWidget())

        def show(place: Place | None) -> None:
            self._show_place(place, at=message_id)
            if by and not self.messages.focus_versions(message_id, by):
                self.messages.setFocus()
            if place is not None:
                self.find_bar.set_total(place.facts.total)
                self.finder.again()

        self.reader.show_branch(message_id, show)

    # --- going somewhere ---------------------------------------------------------------------------------------------

    def _show_sought(self) -> None:
        if not self.reader.is_indexed:
            return
        (message_id, number, text), self._sought = self._sought, ("", 0, "")
        if number:
            self._go(number, flash=True, live=True)
        elif message_id:
            self.reader.locate(lambda place: self._show_place(place, text, at=message_id), message_id=message_id)

    def _go(self, number: int, *, flash: bool = False, text: str = "", live: bool = False) -> None:
        """Show the message of a number of the branch that is shown, or of the live one."""
        number = max(1, min(number, self.reader.facts.total or 1))

        def show(place: Place | None) -> None:
            last = place.page.messages[-1].id if place is not None and place.page.messages else ""
            self._show_place(place, text, at=last)

        self.reader.locate(show, number=number, live=live)

    def _on_session(self, session_id: str, number: int) -> None:
        """A reference was pressed: within this session it is gone to, another one is opened by who listens."""
        if session_id == self.session_id:
            self._go(number or 1, flash=True, live=True)
        else:
            self.session_requested.emit(session_id, number)

    def _on_chip(self, chip: MemoryChip) -> None:
        """What a chip names is opened, or offered where there are several."""
        if isinstance(chip, ReviewChip):
            self.review_requested.emit()
        else:
            offer_places(chip, self.memory_open_requested.emit)

    def _measure(self) -> None:
        now = theme.current()
        self._head.setContentsMargins(now.px(16), now.px(4), now.px(8), now.px(4))
        self._head.setSpacing(now.px(2))
        for row in self._rows:
            row.setSpacing(now.px(8))
        room = self._details_room.layout()
        if room is not None:
            room.setContentsMargins(now.px(16), now.px(4), now.px(8), now.px(4))
