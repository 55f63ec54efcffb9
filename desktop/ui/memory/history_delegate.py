"""Draws the versions of a memory file: a sign and a word for what was done, who did it, when, and why. GUI thread."""

from __future__ import annotations

from desktop.ui.memory.history_model import ROW_ROLE, HistoryRow
from desktop.ui.memory.result_text import short_date
from desktop.ui.memory.two_lines import Index, Lines, Piece, TwoLineDelegate
from desktop.ui.memory.who import DEED_ICONS, deed_word


class HistoryDelegate(TwoLineDelegate):
    """Paints one version."""

    def second_line(self, row: HistoryRow) -> str:
        """Why it was done, or how long the version is kept."""
        if row.present:
            kept = self.tr("present version")
        elif not row.available:
            kept = self.tr("no longer kept")
        elif row.expires is not None:
            kept = self.tr("kept until {date}").format(date=short_date(row.expires))
        else:
            kept = ""
        if row.reason and row.available and not row.present:
            return row.reason  # how long it is kept stands beside the text
        return " · ".join(part for part in (kept, row.reason) if part)

    def lines_of(self, index: Index) -> Lines | None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, HistoryRow):
            return None
        first = (Piece(deed_word(row.deed), strong=True, bold=row.present), Piece(row.who))
        return Lines(DEED_ICONS[row.deed], row.change.time, first, self.second_line(row))
