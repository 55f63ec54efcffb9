"""The stretch of a branch that a view holds: pages that follow one another, with the numbers of their messages. Pure values; no widgets."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop.messages.parts import Message
from desktop.sessions.paging import Page, Versions
from desktop.ui.chat.items import Entry, Stored, entries_of

MOST_MESSAGES = 600
"""Messages that are held; beyond that the pages at the far end are let go."""


@dataclass(slots=True)
class Stretch:
    """See the module's text.

    Attributes:
        pages: messages of each page, in order.
        first: number of the first message; 0 while they have none.
        total: messages of the branch; 0 while that is not known.
        versions: of all messages that have other versions.
    """

    pages: list[tuple[Message, ...]] = field(default_factory=list)
    first: int = 0
    total: int = 0
    versions: dict[str, Versions] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, behind: Page | None = None) -> Stretch:
        """The stretch that is this page, and the one behind it."""
        made = cls([page.messages], page.first, page.total, dict(page.versions))
        if behind is not None:
            made.append(behind)
        return made

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(message for page in self.pages for message in page)

    @property
    def last(self) -> int:
        """Number of the last message; 0 while they have none."""
        return self.first + sum(map(len, self.pages)) - 1 if self.first else 0

    @property
    def more_above(self) -> bool:
        return self.first != 1 and bool(self.first or not self.total)

    @property
    def more_below(self) -> bool:
        return 0 < self.last < self.total

    def entries(self, stored: Stored) -> list[Entry]:
        """What is drawn of it, as the pages came."""
        return [entry for page in self.pages for entry in entries_of(page, stored=stored)]

    def number(self, page: Page) -> bool:
        """Give the messages their numbers from the same page read with them; False when it is another one, or says more of them."""
        if page.versions or [one.id for one in page.messages] != [one.id for one in self.messages]:
            return False
        self.first, self.total = page.first, page.total
        return True

    def prepend(self, page: Page) -> tuple[Message, ...]:
        """Take the page before; what of it was not held yet."""
        added = page.messages[: self.first - page.first]
        self._take(page)
        if added:
            self.pages.insert(0, added)
        self.first = min(self.first, page.first)
        return added

    def append(self, page: Page) -> tuple[Message, ...]:
        """Take the page behind; what of it was not held yet."""
        added = page.messages[self.last + 1 - page.first :] if page.messages else ()
        self._take(page)
        if added:
            self.pages.append(added)
        return added

    def _take(self, page: Page) -> None:
        self.total = page.total
        self.versions.update(page.versions)

    def spare(self, above: bool, stored: Stored, free: int) -> int:
        """Let go of the page at one end if too much is held and its entries, at most `free`, have no widgets; how many these are."""
        if len(self.pages) < 2 or sum(map(len, self.pages)) <= MOST_MESSAGES:
            return 0
        page = self.pages[0 if above else -1]
        size = len(entries_of(page, stored=stored))
        if size > free:
            return 0
        self.pages.pop(0 if above else -1)
        if above:
            self.first += len(page)
        return size
