"""The command palette: a line and a list over the window, fuzzy, with the matching letters marked and the keys shown.

`QuickPick` is the reusable part: it shows entries and tells which was chosen. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.base.redact import visible
from desktop.commands.fuzzy import Match, match
from desktop.commands.registry import CommandRegistry
from desktop.ui import icons, theme
from desktop.ui.shortcuts import shown_key

WIDTH, ROWS = 600, 12
SEARCH, SHOWN_QUERY = "search.show", 80
HIDDEN = 1_000
"""How far a hit in an id stands below every hit in what is shown."""
ENTRY = Qt.ItemDataRole.UserRole
POSITIONS = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: `id` comes back when it is chosen; `detail` stands dimmed behind the label, `right` at the right edge."""

    id: str
    label: str
    detail: str = ""
    right: str = ""
    icon: str = ""
    group: str = ""


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[tuple[Entry, tuple[int, ...]]] = []

    def set_rows(self, rows: list[tuple[Entry, tuple[int, ...]]]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        entry, positions = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.label, entry.detail, entry.right) if part)
        if role == ENTRY:
            return entry
        return positions if role == POSITIONS else None


class _Delegate(QStyledItemDelegate):
    """Draws icon, label with marked letters, detail, and what stands at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10, theme.current().px(24))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry, positions = index.data(ENTRY), index.data(POSITIONS)
        present = theme.current()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, present.color("selection"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, present.color("hover"))
        text = present.color("selection_text" if selected else "text")
        dim = text if selected else present.color("secondary")
        gap = present.px(8)
        area = rect.adjusted(gap, 0, -gap, 0)
        if entry.icon:
            edge = present.px(icons.SIZE)
            icons.icon(entry.icon, "text").paint(painter, area.left(), rect.center().y() - edge // 2, edge, edge)
            area.setLeft(area.left() + edge + present.px(6))
        metrics = QFontMetrics(painter.font())
        if entry.right:
            width = metrics.horizontalAdvance(entry.right)
            painter.setPen(dim)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), entry.right)
            area.setRight(area.right() - width - gap)
        elif entry.group and index.row() == 0:
            painter.setPen(dim)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), entry.group)
        mark = text if selected else present.color("link")
        used = _draw_marked(painter, area, entry.label, frozenset(positions), text, mark)
        if entry.detail and used + gap < area.width():
            area.setLeft(area.left() + used + gap)
            painter.setPen(dim)
            shown = metrics.elidedText(entry.detail, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


def _draw_marked(painter: QPainter, area: QRect, label: str, positions: frozenset[int], text: QColor, mark: QColor) -> int:
    """Draw `label` with the letters at `positions` in bold and another colour; returns the width used."""
    plain = painter.font()
    bold = painter.font()
    bold.setBold(True)
    metrics = QFontMetrics(plain)
    shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, area.width())
    left, at = area.left(), 0
    while at < len(shown):
        marked = at in positions
        end = at + 1
        while end < len(shown) and (end in positions) == marked:
            end += 1
        piece = shown[at:end]
        painter.setFont(bold if marked else plain)
        painter.setPen(mark if marked else text)
        painter.drawText(QRect(left, area.top(), area.right() - left + 1, area.height()), int(Qt.AlignmentFlag.AlignVCenter), piece)
        left += QFontMetrics(painter.font()).horizontalAdvance(piece)
        at = end
    painter.setFont(plain)
    return left - area.left()


def _hit(query: str, entry: Entry) -> Match | None:
    """By what is shown, else by the id: its English words are found in every language, below what is shown, with nothing marked."""
    shown = match(query, f"{entry.label} {entry.detail}".strip())
    if shown is not None:
        return shown
    hidden = match(query, entry.id)
    return Match(hidden.score - HIDDEN, ()) if hidden is not None else None


class QuickPick(QFrame):
    """A filtered list at the top of the window.

    Signals:
        chosen(str): the id of an entry; the list is hidden already.
        dismissed(): closed without a choice.
    """

    chosen = Signal(str)
    dismissed = Signal()

    def __init__(self, window: QWidget, name: str = "quickPick") -> None:
        super().__init__(window)
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._window = window
        self._entries: Sequence[Entry] = ()
        self._before: QWidget | None = None
        self.line = QLineEdit(self)
        self.line.setObjectName(f"{name}Input")
        self.list = QListView(self)
        self.list.setObjectName(f"{name}List")
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._model = _Model(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Delegate(self.list))
        self._none = QLabel(self.tr("Nothing matches"), self)
        self._none.setProperty("role", "secondary")
        self._none.setContentsMargins(10, 4, 10, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(4)
        column.addWidget(self.line)
        column.addWidget(self.list)
        column.addWidget(self._none)
        self._describe(self.tr("Choose"))
        self.line.textChanged.connect(self._filter)
        self.line.installEventFilter(self)
        self.list.clicked.connect(self._on_clicked)
        self.hide()

    def popup(self, entries: Sequence[Entry], *, placeholder: str, name: str) -> None:
        """Show the entries; what was typed before is gone."""
        self._describe(name)
        self.line.setPlaceholderText(placeholder)
        self._entries = entries
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.line.clear()
        self._filter("")
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        self._window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._on_focus)  # type: ignore[union-attr]

    def _describe(self, name: str) -> None:
        for widget in (self, self.line, self.list):
            widget.setAccessibleName(name)

    def dismiss(self) -> None:
        if self._put_away():
            self.dismissed.emit()

    def ids(self) -> list[str]:
        """What is listed now, in order."""
        return [entry.id for entry, _ in self._model.rows]

    def _put_away(self) -> bool:
        if not self.isVisible():
            return False
        QApplication.instance().focusChanged.disconnect(self._on_focus)  # type: ignore[union-attr]
        self._window.removeEventFilter(self)
        had_focus = self.line.hasFocus()
        self.hide()
        if had_focus and self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None
        return True

    def _filter(self, query: str) -> None:
        found = [(entry, _hit(query, entry)) for entry in self._entries]
        rows = [(entry, hit) for entry, hit in found if hit is not None]
        if query.strip():
            rows.sort(key=lambda row: -row[1].score)
        shown = [(entry, hit.positions) for entry, hit in rows] + [(entry, ()) for entry in self._further(query.strip())]
        self._model.set_rows(shown)
        self.list.setCurrentIndex(self._model.index(0))
        self.list.setVisible(bool(shown))
        self._none.setVisible(not shown)
        self._place()

    def _further(self, query: str) -> Sequence[Entry]:
        """What else can be done with what was typed; stands below what fits."""
        return ()

    def _place(self) -> None:
        present = theme.current()
        rows = min(ROWS, max(1, len(self._model.rows)))
        self.list.setFixedHeight(rows * present.px(24) + 4)
        self.setFixedWidth(min(present.px(WIDTH), self._window.width() - 40))
        self.adjustSize()
        self.move((self._window.width() - self.width()) // 2, present.px(4))

    def _accept(self, row: int) -> None:
        if 0 <= row < len(self._model.rows):
            entry = self._model.rows[row][0]
            self._put_away()
            self.chosen.emit(entry.id)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._accept(index.row())

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new is not self and not self.isAncestorOf(new):
            self.dismiss()

    def _move(self, key: int) -> bool:
        count = len(self._model.rows)
        row = self.list.currentIndex().row()
        steps = {
            Qt.Key.Key_Down: row + 1, Qt.Key.Key_Up: row - 1, Qt.Key.Key_PageDown: min(row + ROWS, count - 1),
            Qt.Key.Key_PageUp: max(row - ROWS, 0),
        }  # fmt: skip
        target = steps.get(Qt.Key(key))
        if target is None or not count:
            return target is not None
        self.list.setCurrentIndex(self._model.index(target % count))
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        if watched is not self.line or not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept(self.list.currentIndex().row())
            return True
        return self._move(event.key())


class CommandPalette(QuickPick):
    """The quick pick over all active commands; a choice runs it. What was typed can be searched for, too.

    Signals:
        search_requested(str): look for this in memory and sessions.
    """

    search_requested = Signal(str)

    def __init__(self, registry: CommandRegistry, window: QWidget) -> None:
        super().__init__(window, "commandPalette")
        self._registry = registry
        self.chosen.connect(self._run)
        self.chosen.connect(self._left)
        self.dismissed.connect(self._left)

    def open_palette(self) -> None:
        """Show every active command, recently used first."""
        recent = set(self._registry.recent)
        entries = [
            Entry(
                command.id,
                command.label,
                right=shown_key(self._registry.key_of(command.id)),
                icon=command.icon,
                group=self.tr("recently used") if command.id in recent else "",
            )
            for command in self._registry.for_palette()
        ]
        self._registry.set_fact("paletteVisible", True)
        self.popup(entries, placeholder=self.tr("Type the name of a command"), name=self.tr("Command palette"))

    def _left(self) -> None:
        self._registry.set_fact("paletteVisible", False)

    def _further(self, query: str) -> Sequence[Entry]:
        command = self._registry.get(SEARCH)
        if not query or command is None or not self._registry.active(command):
            return ()
        label = self.tr("Search memory and sessions for “{text}”").format(text=visible(query[:SHOWN_QUERY]))
        return (Entry(f"{SEARCH}:{query}", label, right=shown_key(self._registry.key_of(SEARCH)), icon="search"),)

    def _run(self, command_id: str) -> None:
        self._registry.set_fact("paletteVisible", False)
        if command_id.startswith(f"{SEARCH}:"):
            self.search_requested.emit(command_id.removeprefix(f"{SEARCH}:"))
        else:
            self._registry.run(command_id)
