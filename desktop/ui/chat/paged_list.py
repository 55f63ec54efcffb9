"""A list of messages of which only a stretch is at hand: more is asked for at either end, and what is far from the view is let go again.

For stored sessions of any length: nothing is ever added to it but what was asked for. Draws only. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.chat.items import Entry
from desktop.ui.chat.message_list import NEAR, PAGE, MessageList

MOST_MOUNTED = 120
"""Widgets beyond which those far from what is read are taken out again."""
FAR = 3
"""Heights of the view from what is read at which a widget may be taken out."""


class PagedMessageList(MessageList):
    """See the module's text.

    Attributes:
        more_above, more_below: there is more than the entries that are at hand.

    Signals:
        older_requested(), newer_requested(): more entries are needed at this end; one answer to each.
        newest_requested(), oldest_requested(): the person wants the end or the beginning, which is not at hand.
    """

    older_requested = Signal()
    newer_requested = Signal()
    newest_requested = Signal()
    oldest_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.more_above = self.more_below = False
        self._asked_above = self._asked_below = False

    def show_stretch(
        self, entries: Sequence[Entry], *, above: bool, below: bool, at: int | None = None, text: str = "", offset: int | None = None
    ) -> None:
        """Show a stretch from its end, or at an entry of it.

        Args:
            above, below: there is more at that end.
            at: an entry that is brought into view and marked for a moment, with `text` selected.
            offset: where its upper edge is in the view; it is not marked then.
        """
        self.more_above = self.more_below = False
        if at is None:
            self.show_entries(entries)
        else:
            self._begin_at(entries, at)
            if offset is None:
                self._hold_at(at, text)
            else:
                self._follow, self._anchor = False, (self._widgets[at - self._mounted], offset)
                self._hold_wanted.emit()
        self.more_above, self.more_below = above, below
        self._follow = self._follow and not below
        self._want_older()

    def prepend_entries(self, entries: Sequence[Entry], *, more: bool) -> None:
        """The answer to `older_requested`: what stands before the entries; `more`: and there is more before it."""
        self._entries = [*entries, *self._entries]
        self._mounted += len(entries)
        self._end += len(entries)
        self.more_above, self._asked_above = more, False
        self._want_older()

    def append_entries(self, entries: Sequence[Entry], *, more: bool) -> None:
        """The answer to `newer_requested`: what stands behind the entries; `more`: and there is more behind it."""
        if self._follow and self._anchor is None and entries:
            self._follow, self._anchor = False, self._first_in_view()
        self._entries = [*self._entries, *entries]
        self.more_below, self._asked_below = more, False
        self._want_older()

    def spare(self, above: bool) -> int:
        """How many entries at an end have no widget."""
        return self._mounted if above else len(self._entries) - self._end

    def drop_entries(self, above: int, below: int) -> None:
        """Forget so many entries at each end, which are not in view: they are asked for again when they are needed."""
        above, below = min(above, self._mounted), min(below, len(self._entries) - self._end)
        self._entries = self._entries[above : len(self._entries) - below]
        self._mounted -= above
        self._end -= above
        self.more_above, self.more_below = self.more_above or above > 0, self.more_below or below > 0

    # --- inside ------------------------------------------------------------------------------------------------------

    def _recycle_below(self) -> None:
        """Take out what stands far below what is read."""
        if len(self._widgets) != self._end - self._mounted:
            return
        limit = self.verticalScrollBar().value() + self._far()
        keep = len(self._widgets)
        while keep > MOST_MOUNTED and self._widgets[keep - 1].y() > limit:
            keep -= 1
        leaving, self._widgets = self._widgets[keep:], self._widgets[:keep]
        self._end -= len(leaving)
        self._follow = self._follow and not leaving
        self._unmount(leaving)

    def _recycle_above(self) -> None:
        """Take out what stands far above what is read, which stays where it is."""
        if len(self._widgets) != self._end - self._mounted:
            return
        limit = self.verticalScrollBar().value() - self._far()
        go = 0
        while len(self._widgets) - go > MOST_MOUNTED and self._widgets[go].geometry().bottom() < limit:
            go += 1
        if not go:
            return
        if self._anchor is None:
            self._anchor = self._first_in_view()
        leaving, self._widgets = self._widgets[:go], self._widgets[go:]
        self._mounted += go
        self._unmount(leaving)

    def _far(self) -> int:
        return max(FAR * self.viewport().height(), 2 * NEAR)

    def _mount_older(self) -> None:
        super()._mount_older()
        self._recycle_below()

    def _mount_newer(self) -> None:
        super()._mount_newer()
        self._recycle_above()

    def _want_older(self) -> None:
        super()._want_older()
        bar = self.verticalScrollBar()
        near = bar.value() < NEAR if not self._follow else bar.maximum() < NEAR
        self._ask_for_more(near, bar.maximum() - bar.value() < NEAR)

    def _ask_for_more(self, near_top: bool, near_end: bool) -> None:
        """What is not among the entries is asked for once what is has a widget."""
        if self.more_above and near_top and self._mounted <= PAGE and not self._asked_above and self._entries:
            self._asked_above = True
            self.older_requested.emit()
        if self.more_below and near_end and self._end == len(self._entries) and not self._asked_below and self._entries:
            self._asked_below = True
            self.newer_requested.emit()

    # --- what the list does otherwise, too -----------------------------------------------------------------------------

    def clear(self) -> None:
        self._asked_above = self._asked_below = False
        super().clear()

    @property
    def at_bottom(self) -> bool:
        return super().at_bottom and not self.more_below

    def scroll_to_bottom(self) -> None:
        if self.more_below and self._entries:
            self.newest_requested.emit()
        else:
            super().scroll_to_bottom()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Home and (self.more_above or self.hidden_entries):
            self.oldest_requested.emit()
        else:
            super().keyPressEvent(event)
