"""The scrolling column of messages. History is a list of entries of which only pages are made into widgets, newest first.

Keeps to the bottom only while the person is there; older pages come in above without moving what is read. Draws only. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.memory.origins import MemoryPlace
from desktop.ui import theme
from desktop.ui.chat.chips import ChipRow, MemoryChip
from desktop.ui.chat.entry_views import VersionsRow, make_view
from desktop.ui.chat.images import ImageSource
from desktop.ui.chat.items import Entry, VersionsEntry
from desktop.ui.chat.message_actions import MessageView, selected_text
from desktop.ui.chat.pointer import point_at
from desktop.ui.chat.surface import Column, icon_button

PAGE = 16
LEAST = 6
"""Entries of a conversation that come at once when it is opened: a short one stands there whole."""
PAGE_CHARACTERS = 24_000
NEAR = 600
"""Pixels to an end of what is mounted at which the next page comes."""
SLACK = 8
COLUMN = 960
"""A conversation is no wider than this: longer lines are hard to read, and what the person said would stand far from the answer."""
ABOVE = 24
"""Pixels above an entry that is brought into view."""
LEAVING_A_TURN = 4
SLICE_MS = 12
"""A page ends after this long, so that the window never waits for one; the next begins when what came meanwhile is done."""


class MessageList(QScrollArea):
    """See the module's text.

    Attributes:
        title_of: gives the title of another session by its id, or an empty text.
        images: decodes pictures; None: they are not shown.
        slice_ms: a page ends after this long; 0: it is always whole.

    Signals:
        chip_pressed(MemoryChip): show what this chip stands for.
        chips_made(): chips have come whose standing is not known yet.
        memory_open_requested(path, root id): a memory that came from a message.
        remember_requested(message id, text): the person wants this remembered.
        session_requested(str, int): another session, at a message.
        branch_requested(str): the branch with this message.
        act_requested(act, message id): as `MessageView`.
    """

    chip_pressed = Signal(object)
    chips_made = Signal()
    memory_open_requested = Signal(str, str)
    remember_requested = Signal(str, str)
    session_requested = Signal(str, int)
    branch_requested = Signal(str)
    act_requested = Signal(str, str)
    _hold_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatView")
        self.setAccessibleName(self.tr("Messages"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._entries: Sequence[Entry] = ()
        self.title_of: Callable[[str], str] = _no_title
        self.images: ImageSource | None = None
        self.slice_ms = SLICE_MS
        self._marks: Mapping[str, Sequence[MemoryPlace]] = {}
        self._remember: str | None = None
        self._acts: str | None = None
        self._mounted = self._end = 0
        self._widgets: list[QWidget] = []
        self._follow = True
        self._anchor: tuple[QWidget, int] | None = None
        self._sought: tuple[int, str] | None = None
        self._holding = self._clamped = False
        self._hold_wanted.connect(self._hold, Qt.ConnectionType.QueuedConnection)
        self._inside = Column()
        self._column = QVBoxLayout(self._inside)
        self._column.setSpacing(6)
        self._column.addStretch(1)
        self.setWidget(self._inside)
        self._margins()
        self.to_bottom = icon_button(self, "arrow-down", self.tr("Scroll to the newest message"), self.scroll_to_bottom)
        self.to_bottom.setAutoRaise(False)
        self.to_bottom.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.to_bottom.hide()
        self._leaving: list[QWidget] = []
        self._undertaker = QTimer(self)
        self._undertaker.setSingleShot(True)
        self._undertaker.timeout.connect(self._delete_some)
        self._older = QTimer(self)
        self._older.setSingleShot(True)
        self._older.timeout.connect(self._mount_older)
        self._newer = QTimer(self)
        self._newer.setSingleShot(True)
        self._newer.timeout.connect(self._mount_newer)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._range_changed)
        theme.signals.theme_changed.connect(self._margins)

    # --- content -------------------------------------------------------------------------------------------------------

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show a conversation from its newest end."""
        self.clear()
        self._entries = entries
        self._mounted = self._end = len(entries)
        self._mount_page(least=LEAST)
        self.scroll_to_bottom()

    def show_entry(self, at: int, text: str = "") -> None:
        """Bring an entry of `show_entries` into view, mark it for a moment, and select `text` in it."""
        if not 0 <= at < len(self._entries):
            return
        if not self._mounted <= at < self._end and len(self._widgets) == self._end - self._mounted:
            self._begin_at(self._entries, at)
        if self._mounted > at:  # what was added since stays: page by page up to it
            self._sought = at - len(self._entries), text
            self._older.start(0)
        else:
            self._hold_at(at, text)

    def _begin_at(self, entries: Sequence[Entry], at: int) -> None:
        """Show a conversation from an entry on, with what says which of several versions it is."""
        first = at - 1 if at and isinstance(entries[at - 1], VersionsEntry) else at
        self.clear()
        self._entries, self._mounted, self._end = entries, first, first
        while self._end <= at:
            self._mount_newer()

    def _hold_at(self, at: int, text: str) -> None:
        """Keep an entry that has its widget in view, however what stands around it grows."""
        widget = self._widgets[at - self._mounted]
        self._follow = False
        self._anchor = (widget, min(theme.current().px(ABOVE), self.viewport().height() // 3 - point_at(widget, text)))
        self._inside.adjustSize()
        self._hold_wanted.emit()

    @property
    def follows(self) -> bool:
        """It stays at the end as that grows: nobody scrolled away from it."""
        return self._follow

    def place(self) -> tuple[str, int, int] | None:
        """What is read: a message's id, which of its entries, and where that one's upper edge is in the view; None at the end."""
        found = self._first_in_view() if not self.at_bottom else None
        if found is None or len(self._widgets) < self._end - self._mounted:
            return None
        at = min(self._widgets.index(found[0]), self._end - self._mounted - 1)
        ids = [str(getattr(one, "message_id", "")) for one in self._entries[self._mounted : self._mounted + at + 1]]
        while ids and not ids[-1]:  # a line that belongs to no message: the one above
            ids.pop()
        if not ids:
            return None
        first = len(ids) - 1
        while first and ids[first - 1] == ids[-1]:
            first -= 1
        return ids[-1], len(ids) - 1 - first, self._widgets[len(ids) - 1].y() - self.verticalScrollBar().value()

    @property
    def entries(self) -> Sequence[Entry]:
        """What was given to `show_entries`; what was added since is not in it."""
        return self._entries

    def clear(self) -> None:
        """Empty the list. Hundreds of text views take 0.3 s to delete: they are hidden now and deleted bit by bit."""
        self._older.stop()
        self._newer.stop()
        self._entries, self._mounted, self._end = (), 0, 0
        leaving, self._widgets = self._widgets, []
        self._unmount(leaving)
        self._follow, self._anchor, self._sought = True, None, None

    def _unmount(self, widgets: Sequence[QWidget]) -> None:
        for widget in widgets:
            self._column.removeWidget(widget)
            widget.hide()
        self._leaving += widgets
        if self._leaving and not self._undertaker.isActive():
            self._undertaker.start(0)

    def _delete_some(self) -> None:
        for widget in self._leaving[:LEAVING_A_TURN]:
            widget.deleteLater()
        self._leaving = self._leaving[LEAVING_A_TURN:]
        if self._leaving:
            self._undertaker.start(10)

    @property
    def views(self) -> Sequence[QWidget]:
        """What is mounted, in order."""
        return self._widgets

    @property
    def hidden_entries(self) -> int:
        """Older entries that have no widget yet."""
        return self._mounted

    def add(self, widget: QWidget, after: QWidget | None = None) -> None:
        """Put a widget at the end, or right behind another one."""
        if self._end < len(self._entries):
            self.show_entries(self._entries)  # what lies between is shown first
        at = len(self._widgets) if after is None or after not in self._widgets else self._widgets.index(after) + 1
        place = self._column.indexOf(self._widgets[at]) if at < len(self._widgets) else self._column.count() - 1
        self._widgets.insert(at, widget)
        self._column.insertWidget(place, widget)
        widget.show()

    def remove(self, widget: QWidget) -> None:
        if widget in self._widgets:
            self._widgets.remove(widget)
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()

    def move_to_end(self, widget: QWidget) -> None:
        """Put a widget that was added behind all others."""
        if widget in self._widgets[self._end - self._mounted :]:
            self._widgets.remove(widget)
            self._widgets.append(widget)
            self._column.removeWidget(widget)
            self._column.insertWidget(self._column.count() - 1, widget)

    def make(self, entry: Entry) -> QWidget:
        """The widget of an entry."""
        return make_view(self, entry)

    @property
    def inside(self) -> QWidget:
        """The parent for widgets that are added."""
        return self._inside

    # --- memory ------------------------------------------------------------------------------------------------------

    def chip_row(self, *chips: MemoryChip) -> ChipRow:
        """Chips in a row, whose presses go on."""
        row = ChipRow(self._inside, *chips)
        row.pressed.connect(self.chip_pressed)
        self.chips_made.emit()
        return row

    def equipped(self, view: MessageView) -> MessageView:
        """A view of a message with its mark, and with what can be done with it."""
        view.remember_requested.connect(self.remember_requested)
        view.open_requested.connect(self.memory_open_requested)
        view.act_requested.connect(self.act_requested)
        view.set_remember(self._remember)
        view.set_acts(self._acts)
        view.set_marks(self._marks.get(view.message_id, ()))
        return view

    def set_remember(self, reason: str | None) -> None:
        """Whether messages can be remembered: None: not offered; "": yes; else why not."""
        self._remember = reason
        for view in self._message_views():
            view.set_remember(reason)

    def set_acts(self, reason: str | None) -> None:
        """What can be done with messages, as `MessageView.set_acts`."""
        self._acts = reason
        for view in self._message_views():
            view.set_acts(reason)

    def message_for(self, fits: Callable[[MessageView], bool]) -> MessageView | None:
        """The message that has the focus, or text selected in it; else the newest one that fits."""
        views = [view for view in self._message_views() if fits(view)]
        focus = self.window().focusWidget()
        focused = [view for view in views if view.isAncestorOf(focus)]
        selected = [view for view in views if selected_text(view)]
        return next(iter(focused or selected[::-1] or views[::-1]), None)

    def newest_message(self, fits: Callable[[MessageView], bool]) -> MessageView | None:
        """The newest message that fits, wherever the focus is."""
        return next((view for view in reversed(self._message_views()) if fits(view)), None)

    def set_marks(self, marks: Mapping[str, Sequence[MemoryPlace]]) -> None:
        """The memories that came from each message, by its id."""
        self._marks = marks
        for view in self._message_views():
            view.set_marks(marks.get(view.message_id, ()))

    def focus_versions(self, message_id: str, by: int) -> bool:
        """Put the keyboard at the versions of a message, on the arrow in this direction; False where they are not shown."""
        row = next((one for one in self._widgets if isinstance(one, VersionsRow) and message_id in one.switcher.ids), None)
        if row is not None:
            row.switcher.take_focus(by)
        return row is not None

    def _message_views(self) -> list[MessageView]:
        return [view for view in self._widgets if isinstance(view, MessageView)]

    def settled(self, view: MessageView, message_id: str) -> None:
        """A streamed message is in the transcript now."""
        view.settle(message_id)
        view.set_marks(self._marks.get(message_id, ()))

    def remember_current(self) -> bool:
        """Ask for the message that has the focus, or text selected in it, to be remembered; else for the newest answer."""
        chosen = self.message_for(lambda view: view.can_remember)
        if chosen is not None:
            chosen.remember()
        return chosen is not None

    def insert_entries(self, entries: Sequence[Entry]) -> None:
        """Show further entries among those of `show_entries`; `entries` holds these in the same order, and the further ones."""
        if len(entries) == len(self._entries):
            return
        known = iter(self._entries)
        held = next(known, None)
        grown = list(self._entries)
        for at, entry in enumerate(entries):
            if entry is held or entry == held:
                held = next(known, None)
                continue
            grown.insert(at, entry)
            self._entries = grown
            self._make_room(at, entry)

    def _make_room(self, at: int, entry: Entry) -> None:
        """An entry came in at `at`: what is mounted gets its widget, what is above or below only moves on."""
        if at < self._mounted:
            self._mounted += 1
            self._end += 1
        elif at <= self._end:
            widget = self.make(entry)
            self._column.insertWidget(at - self._mounted, widget)
            self._widgets.insert(at - self._mounted, widget)
            self._end += 1
            widget.show()
            self._hold_wanted.emit()

    # --- pages -------------------------------------------------------------------------------------------------------

    def _mount_page(self, *, least: int = 1) -> None:
        """One page above what is mounted; `least`: so many entries of it, however long they take."""
        characters, clock = 0, QElapsedTimer()
        clock.start()
        for number in range(PAGE):
            if self._mounted == 0 or characters > PAGE_CHARACTERS or (number >= least and self._is_late(clock)):
                return
            self._mounted -= 1
            entry = self._entries[self._mounted]
            characters += min(len(getattr(entry, "text", "")), PAGE_CHARACTERS // 3)
            widget = self.make(entry)
            self._widgets.insert(0, widget)
            self._column.insertWidget(0, widget)
            widget.show()

    def _is_late(self, clock: QElapsedTimer) -> bool:
        return self.slice_ms > 0 and clock.elapsed() >= self.slice_ms

    def _mount_older(self) -> None:
        if self._mounted == 0:
            return
        if not self._follow and self._anchor is None:
            self._anchor = self._first_in_view()
        self._mount_page()
        if self._sought is not None:
            self._seek(*self._sought)
        self._hold_wanted.emit()

    def _seek(self, at: int, text: str) -> None:
        """Go on until the entry that is to be shown, counted from the end, has its widget."""
        if self._mounted > at + len(self._entries):
            self._older.start(0)
        else:
            self._sought = None
            self._hold_at(at + len(self._entries), text)

    def _mount_newer(self) -> None:
        """One page below what is mounted, while the end of the conversation is not."""
        characters, clock = 0, QElapsedTimer()
        clock.start()
        for number in range(PAGE):
            if self._end == len(self._entries) or characters > PAGE_CHARACTERS or (number and self._is_late(clock)):
                break
            entry = self._entries[self._end]
            characters += min(len(getattr(entry, "text", "")), PAGE_CHARACTERS // 3)
            widget = self.make(entry)
            self._column.insertWidget(self._end - self._mounted, widget)
            self._widgets.insert(self._end - self._mounted, widget)
            self._end += 1
            widget.show()
        self._hold_wanted.emit()

    def _first_in_view(self) -> tuple[QWidget, int] | None:
        """What is read, and where its upper edge is in the view."""
        top = self.verticalScrollBar().value()
        found = next((widget for widget in self._widgets if widget.y() + widget.height() > top), None)
        return (found, found.y() - top) if found is not None else None

    def _hold(self) -> None:
        """Keep what is read in its place, whatever grew above or below it, until the person scrolls."""
        if self._anchor is not None and self._anchor[0] in self._widgets:
            widget, offset = self._anchor
            self._holding = True
            self.verticalScrollBar().setValue(widget.y() - offset)
            self._holding = False
        self._want_older()

    def _want_older(self) -> None:
        bar = self.verticalScrollBar()
        if self._older.isActive() or self._newer.isActive():
            return  # one page at a time: what waits in the window comes between them
        if self._end < len(self._entries) and bar.maximum() - bar.value() < NEAR:
            self._newer.start(0)
        elif self._mounted and (bar.value() < NEAR if not self._follow else bar.maximum() < NEAR):
            self._older.start(0)

    # --- scrolling ---------------------------------------------------------------------------------------------------

    @property
    def at_bottom(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - SLACK and self._end == len(self._entries)

    def scroll_to_bottom(self) -> None:
        if self._end < len(self._entries):
            self.show_entries(self._entries)
            return
        self._follow, self._anchor = True, None
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self.to_bottom.hide()
        self._want_older()

    def _scrolled(self) -> None:
        is_clamped, self._clamped = self._clamped, False
        if not self._holding and not is_clamped:
            self._anchor = None
            self._follow = self.at_bottom
        self.to_bottom.setVisible(not self.at_bottom)
        self._want_older()

    def _range_changed(self, _low: int, high: int) -> None:
        self._clamped = self.verticalScrollBar().value() > high  # the bar moves right after this, and no person moved it
        if self._anchor is not None:
            self._hold_wanted.emit()  # the widgets are moved right after this
        elif self._follow:
            self.verticalScrollBar().setValue(high)
        self.to_bottom.setVisible(not self.at_bottom)
        self._want_older()

    def show_widget(self, widget: QWidget) -> None:
        """Bring a widget into view."""
        self.ensureWidgetVisible(widget, 0, 40)

    def _margins(self) -> None:
        edge = theme.current().px(12)
        side = max(edge, (self.viewport().width() - theme.current().px(COLUMN)) // 2)
        self._column.setContentsMargins(side, edge, side, edge)

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._margins()
        size = self.to_bottom.sizeHint()
        edge = theme.current().px(10)
        self.to_bottom.move(self.viewport().width() - size.width() - edge, self.viewport().height() - size.height() - edge)
        self.to_bottom.raise_()
        if self._follow:
            self.scroll_to_bottom()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_End:
                self.scroll_to_bottom()
            case Qt.Key.Key_Home:
                bar.setValue(bar.minimum())
            case _:
                super().keyPressEvent(event)


def _no_title(session_id: str) -> str:
    return ""
