"""The Qt model behind a memory tree. GUI thread; no widgets, no I/O.

A change of the files is applied as removals, insertions and one re-ordering, so that selection, expansion, scroll and keyboard focus
stay where the person left them; only a change of very many rows is a reset, since each removal costs the view a layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.base.clock import Clock, SystemClock
from desktop.ui.memory.age import full_time, short_age
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import FOLDS, OPENED, Forest, Row, RowKind

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Row` behind an index."""

MIME = "application/x-keepsake-memory"
LARGE = 400
"""Rows that may come and go one by one; with more the whole is shown anew, and the view puts place and selection back."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


def type_word(kind: str | None) -> str:
    """The type of a memory in the window's language; empty for none."""
    words = {
        "user": QCoreApplication.translate("MemoryTree", "user"),
        "feedback": QCoreApplication.translate("MemoryTree", "feedback"),
        "project": QCoreApplication.translate("MemoryTree", "project"),
        "reference": QCoreApplication.translate("MemoryTree", "reference"),
    }
    return words.get(kind or "", "")


def type_letter(kind: str | None) -> str:
    """One letter or character for the badge; empty for none."""
    letters = {
        "user": QCoreApplication.translate("MemoryTree", "U", "badge of the type user, one character"),
        "feedback": QCoreApplication.translate("MemoryTree", "F", "badge of the type feedback, one character"),
        "project": QCoreApplication.translate("MemoryTree", "P", "badge of the type project, one character"),
        "reference": QCoreApplication.translate("MemoryTree", "R", "badge of the type reference, one character"),
    }
    return letters.get(kind or "", "")


@cache
def _flags(kind: RowKind, editable: bool) -> Qt.ItemFlag:
    """Of a row of this kind. Qt asks for those of every row each time the current one changes, and joining flags is slow in Python."""
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    if kind not in FOLDS:
        flags |= Qt.ItemFlag.ItemNeverHasChildren
    if editable and kind in ("note", "folder"):
        flags |= Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsEditable
    if editable and (kind == "note" or kind in FOLDS):
        flags |= Qt.ItemFlag.ItemIsDropEnabled
    return flags


class MemoryTreeModel(QAbstractItemModel):
    """Rows of one or several memory roots.

    Attributes:
        editable: whether file names may be edited in place (F2).

    Signals:
        rename_requested(key, name): a name was typed in place. Nothing changes until the file has.
    """

    rename_requested = Signal(str, str)

    def __init__(self, parent: QObject | None = None, clock: Clock | None = None, *, editable: bool = False) -> None:
        super().__init__(parent)
        self.editable = editable
        self._clock = clock or SystemClock()
        self._forest = Forest()
        self._position: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        self._keys: list[str] = []

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def row_at(self, index: Index) -> Row | None:
        """The row behind an index, or None."""
        return self._forest.rows.get(self._keys[index.internalId()]) if index.isValid() else None

    def index_of(self, key: str) -> QModelIndex:
        """Where the row `key` is now; invalid when it is not shown."""
        if key not in self._position:
            return QModelIndex()
        return self.createIndex(self._position[key], 0, self._id(key))

    def row_of(self, key: str) -> Row | None:
        return self._forest.rows.get(key)

    def row_keys(self) -> list[str]:
        """Keys of all rows, in no particular order."""
        return list(self._forest.rows)

    def now(self) -> datetime:
        return self._clock.now()

    # -- changing --------------------------------------------------------------------------------------------------------------------

    def show_all(self, forest: Forest) -> None:
        """Show something else altogether: another filter, another project."""
        self.beginResetModel()
        self._take(forest)
        self.endResetModel()

    def is_large(self, forest: Forest) -> bool:
        """Whether so many rows come or go that showing the whole anew is quicker than each change."""
        return len(self._forest.rows.keys() ^ forest.rows.keys()) > LARGE

    def show_changes(self, forest: Forest) -> None:
        """Show the same tree in its new state; everything that is still there keeps its identity."""
        self._remove_gone(forest)
        self._insert_new(forest)
        self._put_in_order(forest)
        self._tell_changed(forest)

    def _take(self, forest: Forest) -> None:
        self._forest = Forest(dict(forest.rows), {key: list(below) for key, below in forest.children.items()})
        self._number_all()

    def _number_all(self) -> None:
        self._position = {key: at for below in self._forest.children.values() for at, key in enumerate(below)}

    def _id(self, key: str) -> int:
        if key not in self._ids:
            self._ids[key] = len(self._keys)
            self._keys.append(key)
        return self._ids[key]

    def _remove_gone(self, forest: Forest) -> None:
        gone = [key for key in self._forest.rows if key not in forest.rows]
        parents = {self._forest.rows[key].parent for key in gone}
        for parent in parents:
            if parent and parent not in forest.rows:
                continue  # goes with its own parent
            below = self._forest.children[parent]
            at = len(below)
            while at > 0:
                last = at - 1
                if below[last] in forest.rows:
                    at = last
                    continue
                first = last
                while first > 0 and below[first - 1] not in forest.rows:
                    first -= 1
                self._remove_range(parent, first, last)
                at = first

    def _remove_range(self, parent: str, first: int, last: int) -> None:
        self.beginRemoveRows(self.index_of(parent), first, last)
        below = self._forest.children[parent]
        doomed = below[first : last + 1]
        del below[first : last + 1]
        while doomed:
            key = doomed.pop()
            doomed += self._forest.children.pop(key, [])
            self._forest.rows.pop(key)
            self._position.pop(key)
        for at in range(first, len(below)):
            self._position[below[at]] = at
        self.endRemoveRows()

    def _insert_new(self, forest: Forest) -> None:
        new: dict[str, list[str]] = {}
        for parent, below in forest.children.items():
            if parent and parent not in self._forest.rows:
                continue  # comes with its own parent
            added = [key for key in below if key not in self._forest.rows]
            if added:
                new[parent] = added
        for parent, added in new.items():
            start = len(self._forest.children.get(parent, []))
            self.beginInsertRows(self.index_of(parent), start, start + len(added) - 1)
            self._graft(forest, parent, added)
            self.endInsertRows()

    def _graft(self, forest: Forest, parent: str, added: list[str]) -> None:
        below = self._forest.children.setdefault(parent, [])
        for key in added:
            self._position[key] = len(below)
            below.append(key)
            self._forest.rows[key] = forest.rows[key]
            if forest.children.get(key):
                self._graft(forest, key, forest.children[key])

    def _put_in_order(self, forest: Forest) -> None:
        if all(self._forest.children.get(parent, []) == below for parent, below in forest.children.items()):
            return
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        self._forest.children = {key: list(below) for key, below in forest.children.items()}
        self._number_all()
        moved = [self.createIndex(self._position[self._keys[i.internalId()]], i.column(), i.internalId()) for i in held]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _tell_changed(self, forest: Forest) -> None:
        for below in forest.children.values():
            changed = [key for key in below if self._forest.rows[key] != forest.rows[key]]
            for key in changed:
                self._forest.rows[key] = forest.rows[key]
            if changed:
                self.dataChanged.emit(self.index_of(changed[0]), self.index_of(changed[-1]))

    # -- texts -----------------------------------------------------------------------------------------------------------------------

    def _tooltip(self, row: Row) -> str:
        lines = [row.path if row.kind in OPENED else row.name, row.detail, row.snippet, type_word(row.type)]
        if row.kind == "more":
            lines = [self._more(row)]
        if row.count >= 0 and row.kind in FOLDS:
            lines.append(self.tr("%n memories", "", row.count))
        if row.pinned:
            lines.append(self.tr("pinned"))
        if row.modified is not None:
            lines.append(self.tr("changed {time}").format(time=full_time(row.modified)))
        if row.problem:
            lines.append(self.tr("Problem: {problem}").format(problem=row.problem))
        return tooltip("\n".join(line for line in lines if line))

    def _more(self, row: Row) -> str:
        return self.tr("%n more", "", row.count)

    def _spoken(self, row: Row) -> str:
        """What a screen reader says: everything that the row shows by shape, colour or letter."""
        parts = [self._more(row) if row.kind == "more" else row.name, type_word(row.type), row.detail, row.snippet]
        if row.pinned:
            parts.append(self.tr("pinned"))
        if row.count >= 0 and row.kind in FOLDS:
            parts.append(self.tr("%n memories", "", row.count))
        if row.modified is not None:
            parts.append(short_age(row.modified, self.now()))
        if row.problem:
            parts.append(self.tr("Problem: {problem}").format(problem=row.problem))
        return ", ".join(part for part in parts if part)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        key = self._keys[parent.internalId()] if parent.isValid() else ""
        below = self._forest.children.get(key, [])
        if column != 0 or not 0 <= row < len(below):
            return QModelIndex()
        return self.createIndex(row, 0, self._id(below[row]))

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        row = self.row_at(index)
        return self.index_of(row.parent) if row is not None and row.parent else QModelIndex()

    def rowCount(self, parent: Index = _ROOT) -> int:
        key = self._keys[parent.internalId()] if parent.isValid() else ""
        return len(self._forest.children.get(key, []))

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 1

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        return self.rowCount(parent) > 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.row_at(index)
        return _flags("more" if row is None else row.kind, self.editable and row is not None and not row.read_only)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._more(row) if row.kind == "more" else row.name
        if role == Qt.ItemDataRole.EditRole:
            return row.path.rpartition("/")[2].removesuffix(".md")
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """For a drag inside the tree: the keys; and the paths, for whatever else it is dropped on."""
        rows = [row for row in map(self.row_at, indexes) if row is not None]
        data = QMimeData()
        data.setData(MIME, "\n".join(row.key for row in rows).encode())
        data.setText("\n".join(row.path for row in rows))
        return data

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        name = str(value).strip()
        if role == Qt.ItemDataRole.EditRole and row is not None and name and name != self.data(index, role):
            self.rename_requested.emit(row.key, name)
        return False
