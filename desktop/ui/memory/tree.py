"""The tree view of a memory panel. Keeps expansion, selection and scroll by key, over re-ordering, filtering and files that come back.

Turns keys and clicks into intents; does nothing by itself. GUI thread.
"""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QWidget

from desktop.ui import icons, theme
from desktop.ui.memory.delegate import MemoryDelegate
from desktop.ui.memory.drag_tree import DragTree
from desktop.ui.memory.rows import FOLDS, Forest, Row
from desktop.ui.memory.tree_model import MemoryTreeModel
from desktop.ui.tree_look import prepare

AGES_EVERY_MS = 30_000
"""How often the ages are drawn anew while the tree is visible."""
INDENT = 12
MANY = 1_500
"""With more rows than this, folders start folded: only what stands open has to be laid out."""

MANY_PROJECTS = 12
"""With more workspaces than this they start folded, so that they are seen as a list."""


class MemoryTree(DragTree):
    """Shows a `Forest`.

    Attributes:
        open_key: the file in the editor in front; its name is drawn bold. `show_open` sets it.

    Signals:
        open_requested(key): the person wants to see this file.
        delete_requested(): the selected rows are to be deleted.
        new_requested(key): a memory is to be written in this root, which holds none.
        more_requested(key): show more of the rows below this one.
        current_changed(key): the row with the keyboard focus; empty for none.
    """

    open_requested = Signal(str)
    delete_requested = Signal()
    new_requested = Signal(str)
    more_requested = Signal(str)
    drop_requested = Signal(object, str)
    current_changed = Signal(str)

    def __init__(self, model: MemoryTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryTree")
        self._rows = model
        self._folded: set[str] = set()
        self._opened: set[str] = set()
        self._wanted = ""
        self._updating = False
        self._open_all = False
        self._twice = False
        self.open_key = ""
        prepare(self, model, MemoryDelegate(self), QAbstractItemView.SelectionMode.ExtendedSelection)
        if model.editable:
            self.accept_drags()
        self.collapsed.connect(self._on_collapsed)
        self.expanded.connect(self._on_expanded)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._ages = QTimer(self)
        self._ages.setInterval(AGES_EVERY_MS)
        self._ages.timeout.connect(self._draw_ages)
        theme.signals.theme_changed.connect(self._measure)
        icons.when_ready(self._draw_ages)
        self._measure()

    # -- what is shown ---------------------------------------------------------------------------------------------------------------

    def show_forest(self, forest: Forest, *, anew: bool = False, open_all: bool = False) -> None:
        """Show `forest`.

        Args:
            forest: the rows.
            anew: it is another view of the files (a filter was typed), not the same one after a change.
            open_all: every folder stands open, whatever the person folded (while a filter is set).
        """
        value, anchor, top = self.verticalScrollBar().value(), self._top_key(), self._top_offset()
        renewed = anew or self._rows.is_large(forest)
        folders = set() if renewed else self._folder_keys()
        chosen = [row.key for row in self.selected()] if renewed and not anew else []
        self._open_all = open_all
        self._updating = True
        if renewed:
            self._rows.show_all(forest)
        else:
            self._rows.show_changes(forest)
        self._unfold(forest, folders)
        self.setAutoScroll(anew)
        self._select_wanted()
        self._select_all(chosen)
        self.setAutoScroll(True)
        self._updating = False
        self.executeDelayedItemsLayout()
        if anew and not self.currentIndex().isValid():
            self.scrollToTop()
        elif value and not anew:
            self._scroll_back(value, anchor, top)

    def _unfold(self, forest: Forest, known: set[str]) -> None:
        """Open what is new and stands open; what the person folded or opened stays as it was."""
        starting = {"folder"} if len(forest.rows) > MANY else set()
        starting |= {"project"} if sum(row.kind == "project" for row in forest.rows.values()) > MANY_PROJECTS else set()
        for row in forest.rows.values():
            if row.kind in FOLDS and row.key not in known:
                self.setExpanded(self._rows.index_of(row.key), self._open_all or self._stands_open(row, starting))

    def _stands_open(self, row: Row, starting: Collection[str]) -> bool:
        """Whether a row is open; `starting`: kinds that start folded."""
        if row.key in self._folded:
            return False
        starts_folded = row.kind in starting or (row.kind == "root" and row.read_only)
        return not starts_folded or row.key in self._opened

    def _select_all(self, keys: list[str]) -> None:
        """Several rows are selected again after the whole was shown anew."""
        if len(keys) < 2:
            return
        selection = QItemSelection()
        for index in map(self._rows.index_of, keys):
            if index.isValid():
                selection.select(index, index)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.Select)

    def fold(self, key: str) -> None:
        """Close a folder and remember it as the person's choice."""
        self._folded.add(key)
        self._opened.discard(key)
        self.collapse(self._rows.index_of(key))

    def fold_all(self) -> None:
        """Close every folder; the roots stay open."""
        for key in self._folder_keys("folder", "project"):
            self.fold(key)

    def _folder_keys(self, *kinds: str) -> set[str]:
        found = map(self._rows.row_of, self._rows.row_keys())
        return {row.key for row in found if row is not None and row.kind in (kinds or FOLDS)}

    def selected(self) -> list[Row]:
        """The selected rows from top to bottom."""
        rows = [(self.visualRect(index).top(), self._rows.row_at(index)) for index in self.selectedIndexes()]
        return [row for _, row in sorted(rows, key=lambda pair: pair[0]) if row is not None]

    def current(self) -> Row | None:
        return self._rows.row_at(self.currentIndex())

    def select(self, key: str) -> bool:
        """Make a row current, open the folders above it and scroll to it; False when it is not shown."""
        index = self._rows.index_of(key)
        if not index.isValid():
            return False
        self._make_current(index)
        self.scrollTo(index)
        return True

    def _make_current(self, index: QModelIndex) -> None:
        """Alone. `setCurrentIndex` would add the row to the selection while Ctrl is held, as it is for Ctrl+W: Delete then took both."""
        self.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        )

    def want(self, key: str) -> None:
        """Make a row current as soon as it is shown."""
        self._wanted = key
        self._select_wanted()

    def show_open(self, key: str) -> None:
        """Mark the file of the editor in front and make it current; the keyboard stays where it is."""
        self.open_key = key
        present = self.current()
        if key and (present is None or present.key != key):
            self.want(key)
        self.viewport().update()

    def rename_current(self, before: str = "") -> None:
        """Edit the name in place, with `before` put before it and the cursor there."""
        row = self.current()
        if row is None or not self._rows.flags(self.currentIndex()) & Qt.ItemFlag.ItemIsEditable:
            return
        self.edit(self.currentIndex())
        line = self.findChild(QLineEdit, "memoryRename")
        if before and line is not None:
            line.setText(before + line.text())
            line.setCursorPosition(0)

    # -- keeping the place -----------------------------------------------------------------------------------------------------------

    def _top_key(self) -> str:
        row = self._rows.row_at(self.indexAt(QPoint(1, 1)))
        return row.key if row is not None else ""

    def _top_offset(self) -> int:
        return self.visualRect(self.indexAt(QPoint(1, 1))).top()

    def _scroll_back(self, value: int, anchor: str, top: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(value)
        index = self._rows.index_of(anchor)
        if index.isValid():
            bar.setValue(bar.value() + self.visualRect(index).top() - top)

    def _select_wanted(self) -> None:
        """The row that the person chose is current again as soon as it is there, also after its file was away for a while."""
        index = self._rows.index_of(self._wanted)
        if index.isValid() and index != self.currentIndex():
            self._make_current(index)

    def _on_current(self, now: QModelIndex, before: QModelIndex) -> None:
        row = self._rows.row_at(now)
        if not self._updating:
            self._wanted = row.key if row is not None else ""
        self.current_changed.emit(row.key if row is not None else "")

    def _on_collapsed(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index)
        if row is not None and not self._updating and not self._open_all:
            self._folded.add(row.key)
            self._opened.discard(row.key)

    def _on_expanded(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index)
        if row is not None and not self._updating and not self._open_all:
            self._folded.discard(row.key)
            self._opened.add(row.key)

    def _on_scrolled(self, _value: int) -> None:
        """A row that stands for more came into sight: get them."""
        if self._updating:
            return
        row = self._rows.row_at(self.indexAt(QPoint(1, self.viewport().height() - 2)))
        if row is not None and row.kind == "more":
            self.more_requested.emit(row.parent)

    def _draw_ages(self) -> None:
        if self.isVisible():
            self.viewport().update()

    def _set_quiet(self, quiet: bool) -> None:
        """Without the keyboard the selection steps back."""
        if self.property("quiet") != quiet:
            self.setProperty("quiet", quiet)
            self.style().unpolish(self)
            self.style().polish(self)

    def _measure(self) -> None:
        self.setIndentation(theme.current().px(INDENT))
        self.scheduleDelayedItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index)
        if row is None:
            return
        if row.is_file:
            self.open_requested.emit(row.key)
        elif row.kind == "more":
            self.more_requested.emit(row.parent)
        elif self._rows.hasChildren(index):
            self.setExpanded(index, not self.isExpanded(index))

    def _on_return(self) -> None:
        row = self.current()
        if row is not None and row.kind == "root" and row.quiet and not row.read_only:
            self.new_requested.emit(row.key)
        else:
            self._open(self.currentIndex())

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._on_return()
        elif event.key() == Qt.Key.Key_F2:
            self.rename_current()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and index.isValid() and self.visualRect(index).contains(event.position().toPoint()):
            self._open(index)
            if not self._twice:
                self.setFocus(Qt.FocusReason.MouseFocusReason)  # one click looks: keys go on belonging to the tree
        self._twice = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second click goes into the file."""
        self._twice = event.button() == Qt.MouseButton.LeftButton
        super().mouseDoubleClickEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_quiet(False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_quiet(event.reason() != Qt.FocusReason.PopupFocusReason)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._ages.start()

    def hideEvent(self, event: object) -> None:
        self._ages.stop()
        super().hideEvent(event)  # type: ignore[arg-type]
