"""Draws the versions of a memory file: a sign and a word for what was done, who did it, when, and why. Two lines a row. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.base.clock import Clock
from desktop.ui import icons, theme
from desktop.ui.memory.age import short_age
from desktop.ui.memory.history_model import ROW_ROLE, HistoryRow
from desktop.ui.memory.result_text import short_date
from desktop.ui.memory.who import DEED_ICONS, deed_word

ROW_HEIGHT = 44
ICON = 16
SMALL_PX = 11

_Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class HistoryDelegate(QStyledItemDelegate):
    """Paints one version. Measures follow the theme's zoom."""

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock

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

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, HistoryRow):
            return
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        widget = item.widget
        item.text = ""
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, widget)
        selected = bool(item.state & QStyle.StateFlag.State_Selected)
        painter.save()
        self._draw(painter, QRect(item.rect), row, selected)
        if item.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.current().color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(item.rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _draw(self, painter: QPainter, rect: QRect, row: HistoryRow, selected: bool) -> None:
        now = theme.current()
        strong = now.color("selection_text" if selected else "text")
        quiet = now.color("selection_text" if selected else "secondary")
        gap, size = now.px(8), now.px(ICON)
        inner = rect.adjusted(now.px(12), now.px(4), -now.px(10), -now.px(4))
        half = inner.height() // 2
        first = QRect(inner.left(), inner.top(), inner.width(), half)
        token = "selection_text" if selected else "secondary"
        icons.icon(DEED_ICONS[row.deed], token).paint(painter, QRect(first.left(), first.top() + (half - size) // 2, size, size))
        left = first.left() + size + gap
        first.setLeft(left)
        font, small = theme.ui_font(now), theme.ui_font(now, SMALL_PX)
        age = short_age(row.change.time, self._clock.now())
        self._text(painter, first, age, small, quiet, _RIGHT)
        first.setRight(first.right() - QFontMetrics(small).horizontalAdvance(age) - gap)
        font.setWeight(QFont.Weight.DemiBold if row.present else QFont.Weight.Normal)
        used = self._text(painter, first, deed_word(row.deed), font, strong, _LEFT)
        first.setLeft(first.left() + used + gap)
        font.setWeight(QFont.Weight.Normal)
        self._text(painter, first, row.who, font, quiet, _LEFT)
        second = QRect(left, inner.top() + half, inner.right() - left + 1, half)
        self._text(painter, second, self.second_line(row), small, quiet, _LEFT)

    @staticmethod
    def _text(painter: QPainter, rect: QRect, text: str, font: QFont, color: QColor, flags: int) -> int:
        """Draws elided; returns the width that was used."""
        metrics = QFontMetrics(font)
        cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, flags, cut)
        return metrics.horizontalAdvance(cut)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(theme.current().px(160), theme.current().px(ROW_HEIGHT))
