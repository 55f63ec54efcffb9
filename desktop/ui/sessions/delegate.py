"""Draws a session: title, below it state, folder, model, length and age; the first of a day has a hairline above and the day at its right.

GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui import icons, theme
from desktop.ui.sessions.model import ROW, Index, Row

HEIGHT, EDGE, ICON_GAP = 42, 10, 6


class SessionDelegate(QStyledItemDelegate):
    """All rows are of one height, so that 10,000 of them cost nothing."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10, theme.current().px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row | None = index.data(ROW)
        if row is None:
            return
        present = theme.current()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, present.color("selection" if selected else "hover"))
        if row.group and index.row() > 0:
            painter.setPen(present.color("border"))
            painter.drawLine(rect.topLeft(), rect.topRight())
        text = present.color("selection_text" if selected else "text")
        dim = text if selected else present.color("secondary")
        edge = present.px(EDGE)
        area = rect.adjusted(edge, present.px(4), -edge, -present.px(4))
        icon = present.px(icons.SIZE)
        icons.icon("comment-discussion" if row.current else "comment").paint(painter, area.left(), area.top() + 1, icon, icon)
        area.setLeft(area.left() + icon + present.px(ICON_GAP))
        upper = QRect(area.left(), area.top(), area.width(), area.height() // 2)
        lower = QRect(area.left(), upper.bottom() + 1, area.width(), area.height() - upper.height())
        self._line(painter, upper, row.title, row.group, text, dim)
        self._line(painter, lower, row.facts, row.age, dim, dim)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(present.color("focus"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    @staticmethod
    def _line(painter: QPainter, area: QRect, left: str, right: str, left_colour: QColor, right_colour: QColor) -> None:
        metrics = QFontMetrics(painter.font())
        width = metrics.horizontalAdvance(right) + 12 if right else 0
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(left_colour)
        elided = metrics.elidedText(left, Qt.TextElideMode.ElideRight, area.width() - width)
        painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignLeft), elided)
        if right:
            painter.setPen(right_colour)
            painter.drawText(area, middle | int(Qt.AlignmentFlag.AlignRight), right)
