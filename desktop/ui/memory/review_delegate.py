"""Draws what waits: a sign and a word for what would be done, the file, its age, and below what it says or why it waits. GUI thread."""

from __future__ import annotations

from desktop.ui.memory.review_model import ROW_ROLE, ReviewRow, wanted_word
from desktop.ui.memory.two_lines import Index, Lines, Piece, TwoLineDelegate
from desktop.ui.memory.who import DEED_ICONS


class ReviewDelegate(TwoLineDelegate):
    """Paints one proposal."""

    def lines_of(self, index: Index) -> Lines | None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ReviewRow):
            return None
        first = (Piece(wanted_word(row.deed)), Piece(row.path, strong=True))
        return Lines(DEED_ICONS[row.deed], row.proposal.time, first, row.about, row.proposal.untrusted)
