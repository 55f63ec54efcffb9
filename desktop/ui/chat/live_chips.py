"""The memory chips of a running turn and of the work after it: what belongs together stands in one chip.

Holds references to the chips that may still grow and to nothing else. GUI thread only.
"""

from __future__ import annotations

from typing import TypeVar

from desktop.messages.events import MemoryLoaded, MemoryProposed, MemoryRecalled, MemorySaved
from desktop.ui.chat.chips import ChipRow, LoadedChip, MemoryChip, RecalledChip, ReviewChip, SavedChip
from desktop.ui.chat.items import SavedEntry, together
from desktop.ui.chat.message_list import MessageList

Chip = TypeVar("Chip", SavedChip, ReviewChip)


class LiveChips:
    """See the module's text."""

    def __init__(self, messages: MessageList) -> None:
        self._list = messages
        self._running = False
        self._start: ChipRow | None = None
        self._recalled: RecalledChip | None = None
        self._growing: list[MemoryChip] = []
        """What came since the background work began that runs now, or ran last."""

    def reset(self) -> None:
        """Another branch was put into the list."""
        self._start = self._recalled = None
        self._growing.clear()

    def begin(self) -> ChipRow | None:
        """A turn begins; gives the row of what was loaded for it, which was said before."""
        early = self._start if not self._running else None
        self._running, self._start, self._recalled = True, early, None
        return early

    def end(self) -> None:
        """The turn is over."""
        self._running, self._start, self._recalled = False, None, None

    def work_begins(self) -> None:
        """What is done to memory from now on is another work's."""
        self._growing.clear()

    def at_start(self, event: MemoryLoaded | MemoryRecalled) -> None:
        """“loaded” and “recalled” stand side by side behind the person's message."""
        inside = self._list.inside
        if isinstance(event, MemoryLoaded):
            if event.report.get("entries"):
                self._add(LoadedChip(inside, event.report))
        elif self._recalled is not None:
            self._recalled.add(event.items)
        elif event.items:
            self._recalled = RecalledChip(inside, event.items)
            self._add(self._recalled)

    def _add(self, chip: MemoryChip) -> None:
        if self._start is None:
            self._start = self._list.chip_row(chip)
            self._list.add(self._start)
        else:
            self._start.add(chip)

    def saved(self, event: MemorySaved) -> None:
        """Calls of one answer share a chip, as the transcript shows them; so does all that one work in the background saves."""
        if not event.paths and not event.deleted and not event.changes:
            return
        entry = SavedEntry(event.paths, event.deleted, event.changes, background=event.actor == "extractor")
        chip = self._last(SavedChip, trailing=not entry.background)
        if chip is not None and chip.entry.background == entry.background and (self._running or entry.background):
            chip.show_entry(together([chip.entry, entry]))
        else:
            self._put(SavedChip(self._list.inside, entry))

    def proposed(self, event: MemoryProposed) -> None:
        """Proposals of one work, or of calls right after each other, share a chip."""
        if event.count <= 0:
            return
        chip = self._last(ReviewChip, trailing=self._running)
        if chip is not None:
            chip.add(event.count, event.waiting, event.ids)
        else:
            self._put(ReviewChip(self._list.inside, event.count, event.waiting, event.ids))

    def _put(self, chip: MemoryChip) -> None:
        self._list.add(self._list.chip_row(chip))
        self._growing.append(chip)

    def _last(self, kind: type[Chip], *, trailing: bool) -> Chip | None:
        """The newest chip of that kind that may grow and is still in the list; `trailing`: only chips stand behind it."""
        for row in reversed(self._list.views):
            for chip in reversed(row.chips) if isinstance(row, ChipRow) else ():
                if isinstance(chip, kind) and chip in self._growing:
                    return chip
            if trailing and not isinstance(row, ChipRow):
                break
        return None
