"""What the context holds, slot by slot, in a popover: a bar and figures for each slot, what is in it, what was cut or left out and why.

One list draws only what is seen of it, so that hundreds of entries cost nothing. Draws only; emits what the person wants. GUI thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHBoxLayout, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from desktop.ui import icons, theme
from desktop.ui.chat.context_rows import ContextRow, context_rows, loaded_rows, percent_text, tokens_text
from desktop.ui.chat.surface import KeyButton, label, tip

ROW = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
SLOT_HEIGHT, ITEM_HEIGHT, LIST_ROWS = 34, 22, 16
BAR = 4
_ICONS = {"cut": ("warning", "warning"), "left-out": ("circle-slash", "secondary"), "error": ("error", "removed")}


class ContextModel(QAbstractListModel):
    """The rows of a report."""

    def __init__(self, rows: Sequence[ContextRow], parent: QObject) -> None:
        super().__init__(parent)
        self.rows = rows

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return row.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else tip(row.spoken())
        return row if role == ROW else None


class ContextDelegate(QStyledItemDelegate):
    """A slot: name, figures, a bar. What is in it: a sign, name, why, tokens."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: ContextRow = index.data(ROW)
        return QSize(10, theme.current().px(SLOT_HEIGHT if row.kind == "slot" else ITEM_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ContextRow = index.data(ROW)
        now, area = theme.current(), QRect(option.rect)
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected) and bool(state & QStyle.StateFlag.State_HasFocus)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, now.color("selection" if selected else "hover"))
        area.adjust(now.px(12), 0, -now.px(12), 0)
        if row.kind == "slot":
            self._slot(painter, area, row, selected)
        else:
            self._item(painter, area, row, selected)

    def _slot(self, painter: QPainter, area: QRect, row: ContextRow, selected: bool) -> None:
        now = theme.current()
        line = QRect(area.left(), area.top() + now.px(5), area.width(), now.px(18))
        figures = " · ".join(part for part in (row.note, tokens_text(row.tokens), percent_text(row.share)) if part)
        plain, bold = painter.font(), painter.font()
        bold.setBold(True)
        width = QFontMetrics(plain).horizontalAdvance(figures)
        painter.setPen(now.color("selection_text" if selected else "secondary"))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figures)
        painter.setFont(bold)
        painter.setPen(now.color("selection_text" if selected else "text"))
        room = QRect(line.left(), line.top(), line.width() - width - now.px(12), line.height())
        name = QFontMetrics(bold).elidedText(row.name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), name)
        painter.setFont(plain)
        self._bar(painter, QRectF(area.left(), line.bottom() + now.px(3), area.width(), now.px(BAR)), row)

    @staticmethod
    def _bar(painter: QPainter, whole: QRectF, row: ContextRow) -> None:
        """The whole window, the slot's share of it, and in the memory colour what of that is memory."""
        now, round_ = theme.current(), whole.height() / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for share, token in ((1.0, "scroll"), (row.share, "accent"), (row.memory_share, "memory")):
            if share > 0:
                painter.setBrush(now.color(token))
                width = min(whole.width(), max(whole.height(), whole.width() * share))
                painter.drawRoundedRect(QRectF(whole.left(), whole.top(), width, whole.height()), round_, round_)
        painter.restore()

    @staticmethod
    def _item(painter: QPainter, area: QRect, row: ContextRow, selected: bool) -> None:
        now = theme.current()
        edge = now.px(icons.SMALL_SIZE)
        name, token = _ICONS.get(row.state, ("", ""))
        indent = now.px(22 if row.kind == "dropped" else 4)
        if name:
            sign = icons.icon(name, "selection_text" if selected else token)
            sign.paint(painter, area.left() + indent, area.center().y() - edge // 2, edge, edge)
        area.setLeft(area.left() + indent + edge + now.px(6))
        metrics = QFontMetrics(painter.font())
        dim = now.color("selection_text" if selected else "secondary")
        if row.tokens >= 0:
            figure = f"{row.tokens:,}"
            painter.setPen(dim)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figure)
            area.setRight(area.right() - metrics.horizontalAdvance(figure) - now.px(12))
        painter.setPen(now.color("selection_text" if selected else "secondary" if row.kind == "dropped" else "text"))
        text = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        used = metrics.horizontalAdvance(text) + now.px(10)
        note = " · ".join(dict.fromkeys(part for part in (row.state_word(), row.note) if part))
        if note and used + now.px(30) < area.width():
            area.setLeft(area.left() + used)
            painter.setPen(dim)
            cut = metrics.elidedText(note, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), cut)


class ContextList(QListView):
    """Rows of a report, as high as they are, at most `LIST_ROWS` items.

    Signals:
        path_activated(str): the file of a row was chosen.
    """

    path_activated = Signal(str)

    def __init__(self, parent: QWidget, rows: Sequence[ContextRow], name: str) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setModel(ContextModel(rows, self))
        self.setItemDelegate(ContextDelegate(self))
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.activated.connect(self._activated)
        now = theme.current()
        high = sum(now.px(SLOT_HEIGHT if row.kind == "slot" else ITEM_HEIGHT) for row in rows[: 4 * LIST_ROWS])
        self._wanted = min(high, LIST_ROWS * now.px(ITEM_HEIGHT)) + now.px(4)
        self.setMinimumHeight(min(self._wanted, 3 * now.px(ITEM_HEIGHT)))

    def sizeHint(self) -> QSize:
        return QSize(200, self._wanted)

    def _activated(self, index: QModelIndex) -> None:
        row: ContextRow = index.data(ROW)
        if row.path:
            self.path_activated.emit(row.path)


class ContextDetails(QWidget):
    """The breakdown behind the context meter.

    Signals:
        path_activated(str): show this file.
        requests_requested(): show the requests as they were sent.
    """

    path_activated = Signal(str)
    requests_requested = Signal()

    def __init__(self, report: Mapping[str, Any] | None) -> None:
        super().__init__()
        self.setObjectName("contextDetails")
        self.setAccessibleName(self.tr("What the context window holds"))
        now = theme.current()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), 0, now.px(8))
        column.setSpacing(now.px(6))
        column.addLayout(head(self, self.accessibleName(), self._facts(report or {})))
        rows = context_rows(report or {})
        self.list = ContextList(self, rows, self.accessibleName())
        self.list.path_activated.connect(self.path_activated)
        self.list.setVisible(bool(rows))
        column.addWidget(self.list, 1)
        if rows:
            self.setFocusProxy(self.list)
        self.requests = KeyButton(self.tr("Show Requests…"), self, secondary=True)
        self.requests.setProperty("role", "link")
        self.requests.clicked.connect(self.requests_requested)
        column.addLayout(foot(self, self.requests))

    def _facts(self, report: Mapping[str, Any]) -> str:
        total, window, memory = (int(report.get(name) or 0) for name in ("total", "window", "memory_tokens"))
        if not total:
            return self.tr("Nothing was sent yet in this chat. The figures come with the first message.")
        of = self.tr("{total} of {window} tokens, estimated ({percent})").format(
            total=f"{total:,}", window=f"{window:,}", percent=percent_text(total / window)
        )
        text = of if window else tokens_text(total)
        return text + (" · " + self.tr("memory costs {n}").format(n=f"{memory:,}") if memory else "")


class LoadedDetails(QWidget):
    """What of memory was loaded into the conversation, and what was cut.

    Signals:
        index_requested(): open the index.
        path_activated(str): show this file.
    """

    index_requested = Signal()
    path_activated = Signal(str)

    def __init__(self, report: Mapping[str, Any], context: Mapping[str, Any] | None) -> None:
        super().__init__()
        self.setObjectName("loadedDetails")
        self.setAccessibleName(self.tr("Loaded memory"))
        now = theme.current()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), 0, now.px(8))
        column.setSpacing(now.px(6))
        column.addLayout(head(self, self.tr("Loaded into this chat"), self._facts(report)))
        rows = loaded_rows(report, context)
        if rows:
            self.list = ContextList(self, rows, self.accessibleName())
            self.list.path_activated.connect(self.path_activated)
            column.addWidget(self.list, 1)
        self.index = KeyButton(self.tr("Open Index"), self, secondary=True)
        self.index.setProperty("role", "link")
        self.index.clicked.connect(self.index_requested)
        column.addLayout(foot(self, self.index))

    def _facts(self, report: Mapping[str, Any]) -> str:
        entries, lines, size, tokens = (int(report.get(name) or 0) for name in ("entries", "lines", "bytes", "tokens"))
        parts = [self.tr("%n memories in the index", "", entries)]
        if lines:
            parts.append(self.tr("%n lines", "", lines))
        if size:
            parts.append(self.tr("{n} bytes").format(n=f"{size:,}"))
        parts.append(tokens_text(tokens))
        text = " · ".join(parts)
        if report.get("truncated"):
            text += "\n" + self.tr("The index is over its limit: what is left out below is found by search only.")
        return text


def head(parent: QWidget, title: str, facts: str) -> QVBoxLayout:
    """Title and facts at the top of a popover."""
    now = theme.current()
    column = QVBoxLayout()
    column.setContentsMargins(now.px(12), 0, now.px(12), 0)
    column.setSpacing(now.px(2))
    said = label(parent, title, wrap=True)
    font = said.font()
    font.setBold(True)
    said.setFont(font)
    column.addWidget(said)
    if facts:
        column.addWidget(label(parent, facts, role="secondary", wrap=True))
    return column


def foot(parent: QWidget, *buttons: QWidget) -> QHBoxLayout:
    """Buttons at the bottom of a popover."""
    now = theme.current()
    row = QHBoxLayout()
    row.setContentsMargins(now.px(12), 0, now.px(12), 0)
    row.setSpacing(now.px(8))
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
