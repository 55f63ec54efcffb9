"""What of the sessions is in the trash, with a way back for each, and out for good. Nothing in it is ever deleted by itself.

Emits intents; GUI thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.ui import icons, theme
from desktop.ui.chat.surface import KeyButton, icon_button, label, tip
from desktop.ui.cut import CutLabel
from desktop.ui.markdown import shown
from desktop.ui.memory.age import full_time, short_age
from desktop.ui.sessions.delegate import EDGE, ICON_GAP, SMALL_PX
from desktop.ui.sessions.facts import size_text
from desktop.ui.sessions.model import Index
from desktop.ui.sessions.purge_dialog import entry_title

if TYPE_CHECKING:
    from desktop.sessions.trash import TrashedSession

ENTRY = Qt.ItemDataRole.UserRole
FACTS = Qt.ItemDataRole.UserRole + 1
HEIGHT = 42
JUST_NOW_S = 60
_KEY = re.compile(r"-[0-9a-f]{16}$")
"""What a project's key has behind the folder's name."""


class TrashView(QWidget):
    """See the module's text.

    Signals:
        restore_requested(TrashedSession)
        purge_requested(TrashedSession): the person is to be asked whether it goes for good.
        back_requested(): show the sessions again.
    """

    restore_requested = Signal(object)
    purge_requested = Signal(object)
    back_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sessionTrash")
        self.setAccessibleName(self.tr("Trash of sessions"))
        self.list = QListWidget(self)
        self.list.setObjectName("sessionTrashList")
        self.list.setAccessibleName(self.tr("Sessions in the trash"))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_TrashDelegate(self.list))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.itemDoubleClicked.connect(lambda _item: self.restore())
        self.list.currentItemChanged.connect(lambda _new, _old: self._say())
        self._none = label(self, role="secondary", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._none.setContentsMargins(14, 4, 14, 4)
        self.restore_button = KeyButton(self.tr("Restore"), self)
        self.restore_button.clicked.connect(self.restore)
        self.purge_button = icon_button(self, "trash", self.tr("Delete for Good…"), self.purge, name="trashPurge")
        self._lay_out()
        self._say()

    def _lay_out(self) -> None:
        self.back_button = icon_button(self, "arrow-left", self.tr("Back to the Sessions"), self.back_requested.emit, name="trashBack")
        top = QHBoxLayout()
        top.setContentsMargins(8, 0, 12, 0)
        top.setSpacing(6)
        top.addWidget(self.back_button)
        top.addWidget(CutLabel(self, self.tr("Trash"), greedy=True), 1)
        acts = QHBoxLayout()
        acts.setContentsMargins(14, 0, 12, 2)
        acts.setSpacing(6)
        acts.addWidget(self.restore_button, 1)
        acts.addWidget(self.purge_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(acts)
        column.addWidget(self.list, 1)
        column.addWidget(self._none)
        column.addStretch(0)  # without a list the text stands at the top

    def set_entries(self, entries: Sequence[TrashedSession], now: datetime) -> None:
        """What is in the trash, the latest first."""
        row, had_keyboard = max(0, self.list.currentRow()), self.list.hasFocus()
        self.list.clear()
        for entry in entries:
            title = entry_title(entry)
            item = QListWidgetItem(title, self.list)
            facts = " · ".join((self._since(entry.when, now), size_text(entry.size), shown(_KEY.sub("", entry.project_key))))
            item.setData(ENTRY, entry)
            item.setData(FACTS, facts)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {facts}")
            item.setToolTip(tip(f"{entry.title}\n{full_time(entry.when)}\n{entry.path}"))
        waited = self.back_button.hasFocus()
        if entries:
            self.list.setCurrentRow(min(row, len(entries) - 1))
        self._say()
        if waited and entries:
            self.list.setFocus()
        elif had_keyboard:
            self.set_focus()

    def _since(self, when: datetime, now: datetime) -> str:
        if (now - when).total_seconds() < JUST_NOW_S:
            return self.tr("deleted just now")
        return self.tr("deleted {age} ago").format(age=short_age(when, now))

    def chosen(self) -> TrashedSession | None:
        row = self.list.currentRow()
        entry: TrashedSession | None = self.list.item(row).data(ENTRY) if row >= 0 else None
        return entry

    def restore(self) -> None:
        entry = self.chosen()
        if entry is not None:
            self.restore_requested.emit(entry)

    def purge(self) -> None:
        entry = self.chosen()
        if entry is not None:
            self.purge_requested.emit(entry)

    def set_focus(self) -> None:
        """To the list, as soon as there is something in it."""
        (self.list if self.list.count() else self.back_button).setFocus()

    def _say(self) -> None:
        count = self.list.count()
        self.list.setVisible(count > 0)
        self._none.setVisible(count == 0)
        text = self.tr("The trash is empty. What you delete stays here until you restore it or delete it for good: nothing goes by itself.")
        self._none.setText(text)
        for button in (self.restore_button, self.purge_button):
            button.setEnabled(self.chosen() is not None)

    def _menu(self, at: QPoint) -> None:
        if self.chosen() is not None:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self.tr("Restore"), self.restore)
            menu.addSeparator()
            menu.addAction(self.tr("Delete for Good…"), self.purge)
            menu.popup(self.list.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.back_requested.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.list.hasFocus():
                self.restore()
            case Qt.Key.Key_Delete if self.list.hasFocus():
                self.purge()
            case _:
                super().keyPressEvent(event)


class _TrashDelegate(QStyledItemDelegate):
    """Two lines: the title, and when it was deleted."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10, theme.current().px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        present = theme.current()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, present.color("selection" if selected else "hover"))
        strong = present.color("selection_text" if selected else "text")
        quiet = strong if selected else present.color("secondary")
        edge, size = present.px(EDGE), present.px(icons.SIZE)
        area = rect.adjusted(edge, present.px(4), -edge, -present.px(4))
        token = "selection_text" if selected else "secondary"
        icons.icon("trash", token).paint(painter, QRect(area.left(), area.top() + 1, size, size))
        area.setLeft(area.left() + size + present.px(ICON_GAP))
        half = area.height() // 2
        upper, lower = QRect(area.left(), area.top(), area.width(), half), QRect(area.left(), area.top() + half, area.width(), half)
        for box, role, font, colour in (
            (upper, Qt.ItemDataRole.DisplayRole, theme.ui_font(present), strong),
            (lower, FACTS, theme.ui_font(present, SMALL_PX), quiet),
        ):
            painter.setFont(font)
            painter.setPen(colour)
            text = QFontMetrics(font).elidedText(str(index.data(role)), Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(present.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()
