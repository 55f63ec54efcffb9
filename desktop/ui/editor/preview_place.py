"""Where a rendered text is scrolled to, kept while its text, its width or its look change. GUI thread.

While the window runs the paragraph at the top is found again by its words, else the heading above it, else the share of the whole. What is
stored between two runs are numbers only: the heading's, and how far behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QResizeEvent, QTextBlock, QTextDocument
from PySide6.QtWidgets import QWidget

from desktop.ui.safe_browser import SafeBrowser

MILLE = 1_000
_STORED = re.compile(r"(\d{1,6})\.(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """What stands at the top: a paragraph and how many pixels of it are above, the heading before it, the share of the whole per mille."""

    text: str
    number: int
    above: float
    heading: str
    share: int


class PlacedBrowser(SafeBrowser):
    """A rendered text that stays where it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._wanted = ""
        self._held: Anchor | None = None
        super().__init__(parent)

    def hold(self) -> None:
        """What stands at the top now stands there again when the next text is shown, whatever becomes of this one until then."""
        self._held = self._held or self._anchor()

    def show_html(self, html: str, *, in_place: bool) -> None:
        """Another text, or the same again; from its top unless `in_place`."""
        anchor = (self._held or self._anchor()) if in_place else None
        self._held = None
        self.setHtml(html)
        wanted, self._wanted = self._wanted, ""
        if wanted:
            self._go_to_stored(wanted)
        elif anchor is not None:
            self._go_to(anchor)

    def place(self) -> str:
        """`heading.share`: the number of the heading above the top (0: none) and how far behind it, per mille; empty at the beginning."""
        if self._wanted:
            return self._wanted
        value = self.verticalScrollBar().value()
        if value <= 0:
            return ""
        bounds = self._bounds()
        at = max(number for number, top in enumerate(bounds[:-1]) if top <= value or number == 0)
        return f"{at}.{round(MILLE * (value - bounds[at]) / max(1.0, bounds[at + 1] - bounds[at]))}"

    def set_place(self, place: str) -> None:
        """Go to what `place` gave as soon as the next text is shown."""
        self._wanted = place if _STORED.fullmatch(place) else ""

    # -- inside ----------------------------------------------------------------------------------------------------------------------

    def _anchor(self) -> Anchor | None:
        bar = self.verticalScrollBar()
        if bar.value() <= 0:
            return None
        block = self.cursorForPosition(QPoint(2, 2)).block()
        heading = block
        while heading.isValid() and not heading.blockFormat().headingLevel():
            heading = heading.previous()
        share = round(MILLE * bar.value() / max(1, bar.maximum()))
        above = bar.value() - self._top(block)
        return Anchor(block.text(), block.blockNumber(), above, heading.text() if heading.isValid() else "", share)

    def _go_to(self, anchor: Anchor) -> None:
        bar = self.verticalScrollBar()
        self.document().size()  # lays out all of it, which sets the bar's range
        found = self._nearest(anchor.text, anchor.number) if anchor.text.strip() else None
        if found is not None:
            height = self.document().documentLayout().blockBoundingRect(found).height()
            bar.setValue(round(self._top(found) + min(anchor.above, max(0.0, height))))
            return
        heading = self._nearest(anchor.heading, anchor.number) if anchor.heading else None
        bar.setValue(round(self._top(heading)) if heading is not None else round(anchor.share * bar.maximum() / MILLE))

    def _go_to_stored(self, place: str) -> None:
        found = _STORED.fullmatch(place)
        if found is not None:
            bounds = self._bounds()
            at = min(int(found[1]), len(bounds) - 2)
            self.verticalScrollBar().setValue(round(bounds[at] + int(found[2]) * (bounds[at + 1] - bounds[at]) / MILLE))

    def _bounds(self) -> list[float]:
        """The tops of the beginning, of each heading, and the end."""
        end = self.document().size().height()
        return [0.0, *(self._top(block) for block in _blocks(self.document()) if block.blockFormat().headingLevel()), end]

    def _top(self, block: QTextBlock) -> float:
        return self.document().documentLayout().blockBoundingRect(block).top()

    def _nearest(self, text: str, number: int) -> QTextBlock | None:
        """The block with these words whose place is nearest to what it was."""
        same = (block for block in _blocks(self.document()) if block.text() == text)
        return min(same, key=lambda block: abs(block.blockNumber() - number), default=None)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        anchor = (self._held or self._anchor()) if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) else None
        super().changeEvent(event)
        if anchor is not None:
            self._go_to(anchor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        anchor = self._held or (self._anchor() if event.oldSize().width() not in (-1, event.size().width()) else None)
        super().resizeEvent(event)
        if anchor is not None:
            self._go_to(anchor)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()
