"""Draws what waits: a sign and a word for what would be done, the file, its age, and below why it waits. Two lines a row. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.base.clock import Clock
from desktop.ui import icons, theme
from desktop.ui.memory.age import short_age
from desktop.ui.memory.review_model import ROW_ROLE, ReviewRow, wanted_word
from desktop.ui.memory.who import DEED_ICONS

ROW_HEIGHT = 44
ICON = 16
SMALL_PX = 11

_Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class ReviewDelegate(QStyledItemDelegate):
    """Paints one proposal. Measures follow the theme's zoom."""

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ReviewRow):
            return
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        widget = item.widget
        item.text = ""
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, widget)
        painter.save()
        self._draw(painter, QRect(item.rect), row, bool(item.state & QStyle.StateFlag.State_Selected))
        if item.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.current().color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(item.rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _draw(self, painter: QPainter, rect: QRect, row: ReviewRow, selected: bool) -> None:
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
        age = short_age(row.proposal.time, self._clock.now())
        self._text(painter, first, age, small, quiet, _RIGHT)
        first.setRight(first.right() - QFontMetrics(small).horizontalAdvance(age) - gap)
        used = self._text(painter, first, wanted_word(row.deed), font, quiet, _LEFT)
        first.setLeft(first.left() + used + gap)
        self._text(painter, first, row.path, font, strong, _LEFT)
        second = QRect(left, inner.top() + half, inner.right() - left + 1, half)
        if row.proposal.untrusted:
            mark = QRect(second.left(), second.top() + (half - now.px(12)) // 2, now.px(12), now.px(12))
            icons.icon("warning", "selection_text" if selected else "warning").paint(painter, mark)
            second.setLeft(mark.right() + now.px(5))
        self._text(painter, second, row.why, small, quiet, _LEFT)

    @staticmethod
    def _text(painter: QPainter, rect: QRect, text: str, font: QFont, color: QColor, flags: int) -> int:
        """Draws elided; returns the width that was used."""
        metrics = QFontMetrics(font)
        cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, rect.width()))
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, flags, cut)
        return metrics.horizontalAdvance(cut)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(theme.current().px(160), theme.current().px(ROW_HEIGHT))
