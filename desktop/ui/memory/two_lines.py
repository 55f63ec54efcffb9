"""What lists of two-line rows beside a text have in common: the row (sign, first line with its age, second line), the split. GUI thread."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QSplitter, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.base.clock import Clock
from desktop.ui import icons, theme
from desktop.ui.memory.age import short_age
from desktop.ui.sash import SashReset

ROW_HEIGHT = 44
ICON, MARK = 16, 12
SMALL_PX = 11
NARROW = 640
"""Below this width the text stands under the list."""

Index = QModelIndex | QPersistentModelIndex
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class Piece(NamedTuple):
    """A word of the first line: quiet ones tell about the strong one."""

    text: str
    strong: bool = False
    bold: bool = False


class Lines(NamedTuple):
    """What a row shows: its sign, when, the pieces of the first line, the second line, and whether that begins with a warning sign."""

    icon: str
    time: datetime
    first: Sequence[Piece]
    second: str
    warning: bool = False


class TwoLineDelegate(QStyledItemDelegate):
    """Paints a row of two lines. Measures follow the theme's zoom."""

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock

    @abstractmethod
    def lines_of(self, index: Index) -> Lines | None:
        """What to show; None for a row that is none."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        lines = self.lines_of(index)
        if lines is None:
            return
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        widget = item.widget
        item.text = ""
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, widget)
        painter.save()
        self._draw(painter, QRect(item.rect), lines, bool(item.state & QStyle.StateFlag.State_Selected))
        if item.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.current().color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(item.rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _draw(self, painter: QPainter, rect: QRect, lines: Lines, selected: bool) -> None:
        now = theme.current()
        token = "selection_text" if selected else "secondary"
        strong, quiet = now.color("selection_text" if selected else "text"), now.color(token)
        gap, size = now.px(8), now.px(ICON)
        inner = rect.adjusted(now.px(12), now.px(4), -now.px(10), -now.px(4))
        half = inner.height() // 2
        first = QRect(inner.left(), inner.top(), inner.width(), half)
        icons.icon(lines.icon, token).paint(painter, QRect(first.left(), first.top() + (half - size) // 2, size, size))
        left = first.left() + size + gap
        first.setLeft(left)
        font, small = theme.ui_font(now), theme.ui_font(now, SMALL_PX)
        age = short_age(lines.time, self._clock.now())
        _text(painter, first, age, small, quiet, _RIGHT)
        first.setRight(first.right() - QFontMetrics(small).horizontalAdvance(age) - gap)
        for piece in lines.first:
            font.setWeight(QFont.Weight.DemiBold if piece.bold else QFont.Weight.Normal)
            first.setLeft(first.left() + _text(painter, first, piece.text, font, strong if piece.strong else quiet, _LEFT) + gap)
        second = QRect(left, inner.top() + half, inner.right() - left + 1, half)
        if lines.warning:
            side = now.px(MARK)
            mark = QRect(second.left(), second.top() + (half - side) // 2, side, side)
            icons.icon("warning", "selection_text" if selected else "warning").paint(painter, mark)
            second.setLeft(mark.right() + now.px(5))
        _text(painter, second, lines.second, small, quiet, _LEFT)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme.current().px(160), theme.current().px(ROW_HEIGHT))


def _text(painter: QPainter, rect: QRect, text: str, font: QFont, color: QColor, flags: int) -> int:
    """Draws elided; returns the width that was used."""
    metrics = QFontMetrics(font)
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, rect.width()))
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, flags, cut)
    return metrics.horizontalAdvance(cut)


def dress_list(view: QListView) -> None:
    """Ground, row height and least size of such a list, as the theme has them now."""
    now = theme.current()
    view.setStyleSheet(
        f"QListView {{ background: {now.hex('side')}; border: none; }} QListView::item {{ height: {now.px(ROW_HEIGHT)}px; }}"
    )
    view.setMinimumWidth(now.px(180))
    view.setMinimumHeight(now.px(ROW_HEIGHT * 2))


def fit_split(split: QSplitter, width: int, list_width: int) -> None:
    """List beside text, or above it where it is narrow; what the person moved since stays until that changes."""
    now = theme.current()
    narrow = width < now.px(NARROW)
    wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal

    def place() -> None:
        across = split.orientation() == Qt.Orientation.Horizontal
        split.setSizes([now.px(list_width if across else ROW_HEIGHT * 4), 10_000])

    if not split.property("placed"):
        split.setProperty("placed", True)
        SashReset(split, place)
    elif split.orientation() == wanted:
        return
    split.setOrientation(wanted)
    place()
