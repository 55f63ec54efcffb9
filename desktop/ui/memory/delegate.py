"""Draws the rows of a memory tree: badge or icon, name, description, problem mark, age. 22 px a row at zoom 1. GUI thread; draws only."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.memory.roots import USER
from desktop.ui import icons, theme
from desktop.ui.marked_text import LineDrawer, Marked
from desktop.ui.memory.age import short_age
from desktop.ui.memory.rows import FOLDS, Row
from desktop.ui.memory.tree_model import ROW_ROLE, MemoryTreeModel, type_letter

ROW_HEIGHT = 22
ICON = 16
GAP = 6
SMALL_PX = 11
AGE_MIN_WIDTH = 150
"""A row narrower than this leaves the age to the tooltip."""

Index = QModelIndex | QPersistentModelIndex
_VCENTER = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_ICONS = {"folder": "folder", "project": "repo", "index": "list-unordered", "document": "book", "more": "ellipsis"}
_ROOT_ICONS = {"project": "repo", "workspace": "root-folder", "user": "account", "foreign": "plug"}


def badge_rect(left: int, row: QRect, size: int) -> QRect:
    return QRect(left, row.top() + (row.height() - size) // 2, size, size)


def draw_badge(painter: QPainter, rect: QRect, letter: str, color: QColor) -> None:
    """A type badge: a letter in a rounded outline, so that it reads without colour too."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tint = QColor(color)
    tint.setAlphaF(0.10)
    painter.setBrush(tint)
    edge = QColor(color)
    edge.setAlphaF(0.65)
    painter.setPen(edge)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(rect.height() * 0.62)))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, letter)
    painter.restore()


def _count(row: Row) -> str:
    return QLocale().toString(row.count) if row.count >= 0 else ""


class MemoryDelegate(QStyledItemDelegate):
    """Paints one row. Measures follow the theme's zoom."""

    def _colors(self, selected: bool) -> tuple[QColor, QColor]:
        """For the name, and for what stands back."""
        now = theme.current()
        if selected:
            return now.color("selection_text"), now.color("selection_text")
        return now.color("text"), now.color("secondary")

    def _draw_icon(self, painter: QPainter, rect: QRect, row: Row, expanded: bool) -> None:
        letter = type_letter(row.type) if row.kind == "note" else ""
        if letter:
            draw_badge(painter, rect, letter, theme.current().color("memory"))
            return
        name = _ROOT_ICONS.get(row.root.partition(":")[0], "database") if row.kind == "root" else _ICONS.get(row.kind, "note")
        if row.kind == "project" and row.project == USER:
            name = _ROOT_ICONS[USER]
        if row.kind == "folder" and expanded:
            name = "folder-opened"
        icons.icon(name, "memory" if row.kind in ("index", "document") else "secondary").paint(painter, rect)

    def _draw_mark(self, painter: QPainter, rest: QRect, name: str, token: str) -> int:
        """An icon at the right end of the free room; returns its left edge."""
        mark = badge_rect(rest.right() - theme.current().px(ICON), rest, theme.current().px(ICON))
        icons.icon(name, token).paint(painter, mark)
        return mark.left()

    def _draw_text(self, painter: QPainter, rect: QRect, text: str, font: QFont, color: QColor) -> int:
        """Draws elided; returns the width that was used."""
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, int(_VCENTER), shown)
        return min(rect.width(), metrics.horizontalAdvance(shown))

    def _draw_age(self, painter: QPainter, rect: QRect, row: Row, index: Index, font: QFont, color: QColor) -> int:
        """At the right edge; returns the width that was used."""
        model = index.model()
        if rect.width() < theme.current().px(AGE_MIN_WIDTH) or not isinstance(model, MemoryTreeModel):
            return 0
        if row.modified is None and (row.count < 0 or row.kind not in FOLDS):
            return 0
        text = short_age(row.modified, model.now()) if row.modified is not None else _count(row)
        width = QFontMetrics(font).horizontalAdvance(text)
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, int(_VCENTER | Qt.AlignmentFlag.AlignRight), text)
        return width + theme.current().px(GAP)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        widget = item.widget
        style = widget.style()
        item.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, item, painter, widget)
        now = theme.current()
        selected = bool(item.state & QStyle.StateFlag.State_Selected) and not widget.property("quiet")
        strong, quiet = self._colors(selected)
        gap, icon_size = now.px(GAP), now.px(ICON)
        font, small = theme.ui_font(now), theme.ui_font(now, SMALL_PX)
        font.setBold(row.kind == "root" or row.key == getattr(widget, "open_key", ""))
        if (row.quiet or row.kind == "more") and not selected:
            strong = quiet
        painter.save()
        box = badge_rect(item.rect.left(), item.rect, icon_size)
        self._draw_icon(painter, box, row, bool(item.state & QStyle.StateFlag.State_Open))
        rest = QRect(item.rect)
        rest.setLeft(box.right() + gap)
        rest.setRight(item.rect.right() - now.px(8))
        rest.setRight(rest.right() - self._draw_age(painter, rest, row, index, small, quiet))
        if row.problem:
            rest.setRight(self._draw_mark(painter, rest, "warning", "selection_text" if selected else "warning") - gap)
        if row.pinned:
            rest.setRight(self._draw_mark(painter, rest, "pinned", "selection_text" if selected else "memory") - gap)
        name = str(index.data()) if row.kind == "more" else row.name
        rest.setLeft(rest.left() + self._draw_text(painter, rest, name, font, strong) + gap)
        if row.snippet and rest.width() > now.px(32):
            LineDrawer(small, quiet, strong).draw(painter, rest, Marked(row.snippet, row.marks))
        elif row.detail and rest.width() > now.px(32):
            self._draw_text(painter, rest, row.detail, small, quiet)
        if item.state & QStyle.StateFlag.State_HasFocus or row.key == getattr(widget, "drop_key", ""):
            painter.setPen(now.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(item.rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme.current().px(120), theme.current().px(ROW_HEIGHT))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("memoryRename")
        editor.setAccessibleName(self.tr("New file name"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRect(option.rect)
        rect.setLeft(rect.left() + theme.current().px(ICON + GAP - 4))
        editor.setGeometry(rect)
