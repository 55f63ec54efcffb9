"""The tree of results: keeps what the person folded and chose by key, and turns keys and clicks into intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from desktop.ui import icons, theme
from desktop.ui.memory.tree import INDENT
from desktop.ui.search.delegate import ResultsDelegate
from desktop.ui.search.model import ResultsModel
from desktop.ui.search.results import LEAVES, ResultRow, Results
from desktop.ui.tree_look import prepare


class ResultTree(QTreeView):
    """See the module's text.

    Signals:
        open_requested(ResultRow): show what is found at its place.
        more_requested(): the row that stands for the rest.
        copy_requested(ResultRow)
        left_above(): ↑ on the first row.
        left(): Escape.
    """

    open_requested = Signal(object)
    more_requested = Signal()
    copy_requested = Signal(object)
    left_above = Signal()
    left = Signal()

    def __init__(self, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchResults")
        self._results = model
        self._folded: set[str] = set()
        self._updating = False
        prepare(self, model, ResultsDelegate(self), QAbstractItemView.SelectionMode.SingleSelection)
        self.collapsed.connect(self._on_collapsed)
        self.expanded.connect(self._on_expanded)
        theme.signals.theme_changed.connect(self._measure)
        icons.when_ready(self._redraw)
        self._measure()

    # -- what is shown ---------------------------------------------------------------------------------------------------------------

    def show_results(self, results: Results) -> None:
        """Show another answer. The same query keeps its place; another one begins at the top."""
        same = results.query == self._results.results.query
        chosen, scrolled = self.current(), self.verticalScrollBar().value()
        self._updating = True
        self._results.show(results)
        self.expandAll()
        for key in self._folded:
            index = self._results.index_of(key)
            if index.isValid():
                self.collapse(index)
        self._updating = False
        if same:
            if chosen is not None:
                self.setCurrentIndex(self._results.index_of(chosen.key))
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(scrolled)
        else:
            self.scrollToTop()

    def fold_all(self) -> None:
        """Close files and sessions; a second time the groups too."""
        inner = [row.key for row in self._results.results.rows if row.kind in ("memory", "session")]
        if all(not self.isExpanded(self._results.index_of(key)) for key in inner):
            inner = [row.key for row in self._results.results.rows if row.kind == "group"]
        for key in inner:
            self.collapse(self._results.index_of(key))

    def current(self) -> ResultRow | None:
        return self._results.row_at(self.currentIndex())

    def choose(self, key: str) -> bool:
        """Make a row current, open what holds it, and scroll to it."""
        index = self._results.index_of(key)
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def choose_first(self) -> None:
        """Down from the box: the first hit, or the first row when all is folded."""
        present = self.current()
        if present is not None:
            return
        first = self._results.index(0, 0)
        while first.isValid():
            row = self._results.row_at(first)
            if row is None or row.kind in LEAVES or not self.isExpanded(first):
                break
            first = self._results.index(0, 0, first)
        self.setCurrentIndex(first)

    def step(self, by: int) -> ResultRow | None:
        """The next or the previous hit, around the end; it is current now. None when there is none."""
        hits = self._results.hits()
        if not hits:
            return None
        present = self.current()
        rows = self._results.results.rows
        keys = {row.key: number for number, row in enumerate(rows)}
        at = keys[present.key] if present is not None else (-1 if by > 0 else len(rows))
        numbers = [keys[key] for key in hits]
        ahead = [n for n in numbers if n > at] if by > 0 else [n for n in reversed(numbers) if n < at]
        chosen = rows[ahead[0] if ahead else numbers[0 if by > 0 else -1]]
        self.choose(chosen.key)
        return chosen

    # -- inside ----------------------------------------------------------------------------------------------------------------------

    def _on_collapsed(self, index: QModelIndex) -> None:
        row = self._results.row_at(index)
        if row is not None and not self._updating:
            self._folded.add(row.key)

    def _on_expanded(self, index: QModelIndex) -> None:
        row = self._results.row_at(index)
        if row is not None and not self._updating:
            self._folded.discard(row.key)

    def _activate(self, index: QModelIndex) -> None:
        row = self._results.row_at(index)
        if row is None:
            return
        if row.kind == "more":
            self.more_requested.emit()
        elif row.kind == "group":
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.open_requested.emit(row)

    def _set_quiet(self, quiet: bool) -> None:
        """Without the keyboard the selection steps back."""
        if self.property("quiet") != quiet:
            self.setProperty("quiet", quiet)
            self.style().unpolish(self)
            self.style().polish(self)

    def _redraw(self) -> None:
        self.viewport().update()

    def _measure(self) -> None:
        self.setIndentation(theme.current().px(INDENT))
        self.scheduleDelayedItemsLayout()

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._activate(self.currentIndex())
        elif key == Qt.Key.Key_Escape and plain:
            self.left.emit()
        elif key == Qt.Key.Key_Up and plain and not self.indexAbove(self.currentIndex()).isValid():
            self.left_above.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            row = self.current()
            if row is not None:
                self.copy_requested.emit(row)
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier):
            self.customContextMenuRequested.emit(self.visualRect(self.currentIndex()).center())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        at: QPoint = event.position().toPoint()
        index = self.indexAt(at)
        plain = event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and index.isValid() and self.visualRect(index).contains(at):
            self._activate(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_quiet(False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_quiet(event.reason() != Qt.FocusReason.PopupFocusReason)
