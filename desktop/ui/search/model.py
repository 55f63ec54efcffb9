"""The Qt model behind the tree of results. Every answer is shown as a whole: at most some hundred rows. GUI thread; no widgets, no I/O."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.base.clock import Clock
from desktop.ui.memory.age import full_time, short_age
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.tree_model import type_word
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.results import HOLDERS, MemoryPlace, ResultRow, Results

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `ResultRow` behind an index."""
NONE = Results(SearchQuery())

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ResultsModel(QAbstractItemModel):
    """The rows of one answer.

    Attributes:
        results: what is shown.
    """

    def __init__(self, parent: QObject | None, clock: Clock) -> None:
        super().__init__(parent)
        self._clock = clock
        self.results = NONE
        self._numbers: dict[str, int] = {}
        self._children: dict[str, list[int]] = {}
        self._position: list[int] = []

    def show(self, results: Results) -> None:
        self.beginResetModel()
        self.results = results
        self._numbers = {row.key: number for number, row in enumerate(results.rows)}
        self._children, self._position = {}, []
        for number, row in enumerate(results.rows):
            below = self._children.setdefault(row.parent, [])
            self._position.append(len(below))
            below.append(number)
        self.endResetModel()

    def now(self) -> datetime:
        return self._clock.now()

    def row_at(self, index: Index) -> ResultRow | None:
        return self.results.rows[index.internalId()] if index.isValid() else None

    def index_of(self, key: str) -> QModelIndex:
        """Where the row `key` is; invalid when it is not shown."""
        number = self._numbers.get(key)
        return QModelIndex() if number is None else self.createIndex(self._position[number], 0, number)

    def hits(self) -> list[str]:
        """Keys of all hits, from top to bottom."""
        return [row.key for row in self.results.rows if row.is_hit]

    # -- texts -----------------------------------------------------------------------------------------------------------------------

    def role_word(self, row: ResultRow) -> str:
        """Who said it, in the window's language."""
        words = {"user": self.tr("you"), "assistant": self.tr("the agent"), "tool": self.tr("a tool")}
        return words.get(row.role, "")

    def _number(self, row: ResultRow) -> str:
        if not row.number:
            return ""
        return (self.tr("line {n}") if row.kind == "passage" else self.tr("message {n}")).format(n=row.number)

    def _count(self, row: ResultRow) -> str:
        if row.count < 0:
            return ""
        if row.kind == "group":
            return self.tr("%n files", "", row.count) if row.key == "memory" else self.tr("%n sessions", "", row.count)
        return self.tr("%n results", "", row.count)

    def _tooltip(self, row: ResultRow) -> str:
        place = row.place
        lines = [row.line.text, row.detail, type_word(row.type), self.role_word(row), self._number(row)]
        if row.kind == "memory" and isinstance(place, MemoryPlace):
            lines.insert(1, place.path)
        if row.time is not None:
            lines.append(full_time(row.time))
        if row.why:
            lines.append(row.why)
        if row.score and row.is_hit:
            lines.append(self.tr("{n} % of the best result's score").format(n=round(100 * row.score)))
        return tooltip("\n".join(line for line in lines if line))

    def _spoken(self, row: ResultRow) -> str:
        """What a screen reader says: everything that the row shows by shape, colour or letter."""
        parts = [self.role_word(row), row.line.text, type_word(row.type), row.detail, self._number(row), self._count(row)]
        if row.time is not None:
            parts.append(short_age(row.time, self.now()))
        return ", ".join(part for part in parts if part)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        key = self.results.rows[parent.internalId()].key if parent.isValid() else ""
        below = self._children.get(key, [])
        return self.createIndex(row, 0, below[row]) if column == 0 and 0 <= row < len(below) else QModelIndex()

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        row = self.row_at(index)
        return self.index_of(row.parent) if row is not None and row.parent else QModelIndex()

    def rowCount(self, parent: Index = _ROOT) -> int:
        row = self.row_at(parent)
        return len(self._children.get(row.key if row is not None else "", []))

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if row.kind in HOLDERS else flags | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.line.text
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None
