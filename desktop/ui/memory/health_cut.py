"""The cut of an index that is over its limit: its entries in the order in which they are loaded, with a line where the load ends.

Draws and emits; the order is `memory.health_cut`'s. GUI thread.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.bridge.spoken import sentences, spoken
from desktop.ui import theme
from desktop.ui.memory.age import short_age
from desktop.ui.memory.rows import shown
from desktop.ui.settings.flow import FlowRow

if TYPE_CHECKING:
    from desktop.memory.health_cut import CutEntry, IndexCut

CUT = Qt.ItemDataRole.UserRole + 1
ENTRY = Qt.ItemDataRole.UserRole + 2
AROUND = 6
"""Loaded entries that are shown in front of the line."""

MOST = 400
"""Entries behind the line that are listed; further ones are counted."""

ROW, SHOWN = 22, 12


class _Delegate(QStyledItemDelegate):
    """A row: title, age and cost at the right; the cut is a line with words in it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, theme.current().px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        now = theme.current()
        words = index.data(CUT)
        if words:
            self._paint_cut(painter, option.rect, words)
            return
        super().paint(painter, option, index)
        entry: CutEntry | None = index.data(ENTRY)
        if entry is None:
            return
        right = f"{entry.tokens}"
        if entry.modified is not None:
            right = f"{short_age(entry.modified, index.data(Qt.ItemDataRole.UserRole))}   {right}"
        painter.setPen(now.color("secondary"))
        place = option.rect.adjusted(0, 0, -now.px(8), 0)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), right)

    @staticmethod
    def _paint_cut(painter: QPainter, area: QRect, words: str) -> None:
        now = theme.current()
        color = now.color("warning")
        middle, left = area.center().y(), area.left() + now.px(8)
        painter.setPen(color)
        width = painter.fontMetrics().horizontalAdvance(words)
        painter.drawText(QRect(left + now.px(24), area.top(), width, area.height()), int(Qt.AlignmentFlag.AlignVCenter), words)
        painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPoint(left, middle), QPoint(left + now.px(18), middle))
        painter.drawLine(QPoint(left + now.px(30) + width, middle), QPoint(area.right() - now.px(8), middle))


class HealthCut(QWidget):
    """See the module's text.

    Attributes:
        list: the entries around the cut.
        pin, forget, open: what can be done with those that are selected.

    Signals:
        pin_requested(root id, paths, on): load them first, or no longer.
        forget_requested(root id, paths): move them to the trash.
        open_requested(root id, path, line): show one.
    """

    pin_requested = Signal(str, object, bool)
    forget_requested = Signal(str, object)
    open_requested = Signal(str, str, int)

    def __init__(self, root: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"healthCut:{root}")
        self._root = root
        self.cut: IndexCut | None = None
        self.title = QLabel(self)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Entries of the index around the line where its load ends"))
        self.list.itemSelectionChanged.connect(self._refresh)
        self.list.itemActivated.connect(self._open)
        self.pin = self._button(self.tr("Pin"), self._pin)
        self.forget = self._button(self.tr("Delete"), lambda: self.forget_requested.emit(self._root, self.paths()))
        self.open = self._button(self.tr("Open"), lambda: self._open(self.list.currentItem()))
        row = FlowRow(self)
        for button in (self.pin, self.forget, self.open):
            row.add(button)
        self._column = QVBoxLayout(self)
        for widget in (self.title, self.list, row):
            self._column.addWidget(widget)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self._refresh()

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("role", "secondary")
        button.clicked.connect(lambda _checked=False: run())  # type: ignore[operator]
        return button

    def show_cut(self, cut: IndexCut, now: datetime) -> None:
        """Draw it. The selection goes."""
        self.cut = cut
        behind = cut.left_out
        by = self.tr("Pinned memories are loaded first, then the newest.") if cut.by == "newest" else self.tr("The first lines are loaded.")
        self.title.setText(sentences(self.tr("{limit}.").format(limit=spoken(cut.limit)), by))
        self.list.clear()
        loaded = [entry for entry in cut.entries if entry.loaded]
        if len(loaded) > AROUND:
            self._add_words(self.tr("%n entries before these are loaded", "", len(loaded) - AROUND))
        for entry in loaded[-AROUND:]:
            self._add(entry, now)
        line = QListWidgetItem()
        words = self.tr("the load ends here: {loaded} of {all} entries").format(loaded=len(loaded), all=len(cut.entries))
        line.setData(CUT, words)
        line.setData(Qt.ItemDataRole.AccessibleTextRole, words)
        line.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(line)
        for entry in behind[:MOST]:
            self._add(entry, now)
        if len(behind) > MOST or cut.lines:
            self._add_words(self.tr("%n more lines are not loaded", "", max(len(behind) - MOST, 0) + cut.lines))
        self._refresh()

    def _add(self, entry: CutEntry, now: datetime) -> None:
        parts = [self.tr("pinned")] if entry.pinned else []
        item = QListWidgetItem(" · ".join((*parts, shown(entry.title))))
        item.setData(Qt.ItemDataRole.UserRole, now)
        item.setData(ENTRY, entry)
        item.setForeground(theme.current().color("text" if entry.loaded else "secondary"))
        state = self.tr("loaded") if entry.loaded else self.tr("not loaded")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{shown(entry.title)}, {state}")
        self.list.addItem(item)

    def _add_words(self, words: str) -> None:
        item = QListWidgetItem(words)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def chosen(self) -> list[CutEntry]:
        """The selected entries."""
        return [item.data(ENTRY) for item in self.list.selectedItems() if item.data(ENTRY) is not None]

    def paths(self) -> list[str]:
        """The memories of the selected entries."""
        return [entry.path for entry in self.chosen() if entry.path]

    def _refresh(self) -> None:
        chosen = [entry for entry in self.chosen() if entry.path]
        pinned = bool(chosen) and all(entry.pinned for entry in chosen)
        self.pin.setText(self.tr("Unpin") if pinned else self.tr("Pin"))
        for button in (self.pin, self.forget):
            button.setEnabled(bool(chosen))
        self.open.setEnabled(len(self.chosen()) == 1)

    def _pin(self) -> None:
        chosen = [entry for entry in self.chosen() if entry.path]
        self.pin_requested.emit(self._root, [entry.path for entry in chosen], not all(entry.pinned for entry in chosen))

    def _open(self, item: QListWidgetItem | None) -> None:
        entry: CutEntry | None = item.data(ENTRY) if item is not None else None
        if entry is not None:
            self.open_requested.emit(self._root, entry.path or "MEMORY.md", 1 if entry.path else entry.line)

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(0, now.px(4), 0, now.px(4))
        self._column.setSpacing(now.px(6))
        self.list.setFixedHeight(now.px(ROW) * SHOWN + now.px(4))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()
