"""Draws the rows of the results: groups, files and sessions with their age, passages with the found words marked. 22 px a row at zoom 1.

GUI thread; draws only.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui import icons, theme
from desktop.ui.marked_text import LineDrawer
from desktop.ui.memory.age import short_age
from desktop.ui.memory.delegate import AGE_MIN_WIDTH, GAP, ICON, ROW_HEIGHT, SMALL_PX, badge_rect, draw_badge
from desktop.ui.memory.tree_model import type_letter
from desktop.ui.search.model import ROW_ROLE, Index, ResultsModel
from desktop.ui.search.results import ResultRow

DETAIL_PERCENT = 45
"""Of a session's row its detail gets as much room as it needs, but never more than this share."""

_ROLES = {"user": "account", "assistant": "hubot", "tool": "tools"}
_ICONS = {"memory": "note", "session": "comment", "more": "ellipsis"}


def icon_of(row: ResultRow) -> str:
    """The Codicon in front of a row; empty for none."""
    if row.kind == "message":
        return _ROLES.get(row.role, "comment")
    if row.kind == "group":
        return "database" if row.key == "memory" else "history"
    return _ICONS.get(row.kind, "")


class ResultsDelegate(QStyledItemDelegate):
    """Paints one row. Measures follow the theme's zoom."""

    def _front(self, painter: QPainter, rect: QRect, row: ResultRow, token: str) -> int:
        """Badge or icon; returns where the text begins."""
        name = icon_of(row)
        letter = type_letter(row.type) if row.kind == "memory" else ""
        if not name and not letter:
            return rect.left()
        box = badge_rect(rect.left(), rect, theme.current().px(ICON))
        if letter:
            draw_badge(painter, box, letter, theme.current().color("memory"))
        else:
            icons.icon(name, token).paint(painter, box)
        return box.right() + theme.current().px(GAP)

    @staticmethod
    def _right(row: ResultRow, index: Index, width: int) -> str:
        """What stands at the right edge: the age, or how many there are."""
        model = index.model()
        if row.kind == "group":
            return QLocale().toString(row.count)
        if row.kind not in ("memory", "session") or row.time is None or not isinstance(model, ResultsModel):
            return ""
        return short_age(row.time, model.now()) if width >= theme.current().px(AGE_MIN_WIDTH) else ""

    @staticmethod
    def _plain(painter: QPainter, rect: QRect, text: str, font: QFont, color: QColor, align: Qt.AlignmentFlag) -> int:
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | align), shown)
        return min(rect.width(), metrics.horizontalAdvance(shown))

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ResultRow):
            return
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        item.text = ""
        item.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, item.widget)
        now = theme.current()
        selected = bool(item.state & QStyle.StateFlag.State_Selected) and not item.widget.property("quiet")
        strong = now.color("selection_text" if selected else "text")
        quiet = now.color("selection_text" if selected else "secondary")
        font, small = theme.ui_font(now), theme.ui_font(now, SMALL_PX)
        font.setBold(row.kind == "group")
        painter.save()
        rest = QRect(item.rect)
        rest.setLeft(self._front(painter, item.rect, row, "selection_text" if selected else "secondary"))
        rest.setRight(item.rect.right() - now.px(8))
        right = self._right(row, index, rest.width())
        if right:
            used = self._plain(painter, rest, right, small, quiet, Qt.AlignmentFlag.AlignRight)
            rest.setRight(rest.right() - used - now.px(GAP))
        if row.is_hit:
            LineDrawer(font, quiet, strong).draw(painter, rest, row.line)
        else:
            color = quiet if row.kind == "more" else strong
            front = QRect(rest)
            if row.kind == "session" and row.detail:  # whose it is stays to be seen beside a long title
                wanted = QFontMetrics(small).horizontalAdvance(row.detail) + now.px(GAP)
                front.setRight(rest.right() - min(wanted, rest.width() * DETAIL_PERCENT // 100))
            rest.setLeft(rest.left() + self._plain(painter, front, row.line.text, font, color, Qt.AlignmentFlag.AlignLeft) + now.px(GAP))
            if row.detail and rest.width() > now.px(32):
                self._plain(painter, rest, row.detail, small, quiet, Qt.AlignmentFlag.AlignLeft)
        if item.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(now.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(item.rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme.current().px(120), theme.current().px(ROW_HEIGHT))
