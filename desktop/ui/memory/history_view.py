"""The history of one memory file in an editor tab: every version with who, when and why, what it changed, and the way back to it.

Shows files that are deleted now, and versions that are no longer kept. Reading, comparing and restoring run through `bridge.operations`;
the list follows the file while it is open. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QListView, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.base.clock import Clock, SystemClock
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.memory.history import restore
from desktop.memory.store import Change, MemoryStore
from desktop.ui import theme
from desktop.ui.controllers.memory_changes import PERSON
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.diff_view import DiffView
from desktop.ui.memory.history_bar import HistoryBar
from desktop.ui.memory.history_delegate import HistoryDelegate
from desktop.ui.memory.history_model import Against, Comparison, HistoryModel, HistoryPicture, HistoryRow, compare, read_history
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.result_text import restored_text
from desktop.ui.memory.rows import shown
from desktop.ui.memory.two_lines import dress_list, fit_split

LIST_WIDTH = 290
CHOOSE_MS = 60
"""After the selection moved; a held arrow key compares only where it stops."""
REFRESH_MS = 150


class HistoryView(QWidget):
    """One file's versions.

    Args:
        store: of the root that holds the file.
        path: relative to the root; the file need not exist any more.
        clock: for ages.

    Signals:
        session_requested(str): open the chat in which it was said.
        origin_requested(session id, message id): show the very message.
        restored(Change): an older version is in the file again.
        path_changed(str), title_changed(str): the file was renamed while its history is open.
    """

    session_requested = Signal(str)
    origin_requested = Signal(str, str)
    restored = Signal(object)
    path_changed = Signal(str)
    title_changed = Signal(str)

    def __init__(
        self, store: MemoryStore, path: str, operations: Operations, parent: QWidget | None = None, *, clock: Clock | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("memoryHistory")
        self.setAccessibleName(self.tr("History"))
        self.store = store
        self.path = path
        self.against: Against = "before"
        self._operations = operations
        self._picture: HistoryPicture | None = None
        self._reading = self._comparing = 0
        self._text: str | None = None
        self._wanted = ""
        self._offered = ""
        self._build(clock or SystemClock())
        self._connect()
        self.refresh()

    def _build(self, clock: Clock) -> None:
        self.bar = HistoryBar(self)
        self.bar.allow_restore(not self.store.memory_root.read_only)
        self.banner = Banner("memoryHistoryResult", self)
        self.note = Banner("memoryHistoryNote", self)
        self.model = HistoryModel(self)
        self.list = QListView(self)
        self.list.setObjectName("memoryHistoryList")
        self.list.setAccessibleName(self.tr("Versions"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(HistoryDelegate(clock, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.diff = DiffView(self)
        self.lost = MessagePage(self)
        self.texts = QStackedWidget(self)
        self.texts.addWidget(self.diff)
        self.texts.addWidget(self.lost)
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, self.note):
            column.addWidget(widget)
        column.addWidget(self.texts, 1)
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(right)
        self.split.setStretchFactor(1, 1)
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.split)
        self.pages.addWidget(self.page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.banner)
        whole.addWidget(self.pages, 1)
        self.setFocusProxy(self.list)
        self._measure()

    def _connect(self) -> None:
        self._choosing = self._timer(CHOOSE_MS, self._compare)
        self._refreshing = self._timer(REFRESH_MS, self.refresh)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.bar.against_requested.connect(self.show_against)
        self.bar.restore_requested.connect(self.restore_chosen)
        self.bar.copy_requested.connect(self.copy_text)
        self.bar.session_requested.connect(self.session_requested)
        self.bar.origin_requested.connect(self.origin_requested)
        self._unsubscribe = self.store.changed.subscribe(posting(self._on_store_changed))
        theme.signals.theme_changed.connect(self._measure)

    def _timer(self, interval_ms: int, run: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(run)
        return timer

    # -- what the area asks ----------------------------------------------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("{name} (history)").format(name=shown(self.path.rpartition("/")[2]))

    def tab_tooltip(self) -> str:
        return tooltip(self.tr("History of {path}").format(path=str(self.store.root / self.path)))

    def dispose(self) -> None:
        """Before the widget goes: nothing is wanted any more."""
        self._unsubscribe()
        for timer in (self._choosing, self._refreshing):
            timer.stop()
        for number in (self._reading, self._comparing):
            self._operations.forget(number)

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the versions again; the chosen one stays chosen."""
        store, path = self.store, self.path
        self._operations.forget(self._reading)
        self._reading = self._operations.read(lambda: read_history(store, path), self._on_read, self._on_read_failed)

    def _on_store_changed(self, change: Change) -> None:
        """In the GUI thread, whichever thread made the change. Many at once cost one reading."""
        if change.old_path == self.path and change.path != self.path and change.after is not None:
            self.path = change.path
            self.title_changed.emit(self.title())
            self.path_changed.emit(self.path)
        if self._offered and change.path == self.path and change.id != self._offered:
            self._offered = ""  # the file went on since: its restoring is no longer what an undo would take back
            self.banner.dismiss()
        self._refreshing.start()

    def _on_read(self, picture: HistoryPicture) -> None:
        self._reading = 0
        if picture == self._picture:
            return
        chosen = self._wanted or self._chosen_key()
        self._picture, self._wanted = picture, ""
        self.model.set_rows(picture.rows)
        if not picture.rows:
            self._show_page("empty", self.tr("No versions yet"), self.tr("Nothing is known of {path}.").format(path=shown(self.path)))
            return
        self.pages.setCurrentWidget(self.split)
        at = self.model.place_of(chosen)
        self.list.setCurrentIndex(self.model.index(max(0, at), 0))
        self._show_row()
        self._compare()

    def _on_read_failed(self, failure: Failure) -> None:
        self._reading = 0
        self._show_page("error", self.tr("The history cannot be read"), failure.text())
        self._picture = None

    def _show_page(self, kind: str, title: str, text: str) -> None:
        self.page.show_message(kind, title, text, [(self.tr("Try Again"), self.refresh)])
        self.pages.setCurrentWidget(self.page)

    # -- the chosen version ----------------------------------------------------------------------------------------------------------

    def chosen(self) -> HistoryRow | None:
        """The version that is shown."""
        return self.model.row(self.list.currentIndex().row())

    def _chosen_key(self) -> str:
        row = self.chosen()
        return row.key if row is not None else ""

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_row()
        self._choosing.start()

    def _show_row(self) -> None:
        row = self.chosen()
        if row is not None:
            self.bar.show_row(row)

    def show_against(self, against: Against) -> None:
        """Compare with the version before, or with what the file holds now."""
        self.against = against
        self.bar.show_against(against)
        self._compare()

    def _compare(self) -> None:
        row = self.chosen()
        self._choosing.stop()
        self._operations.forget(self._comparing)
        self._text = None
        if row is None:
            return
        store, path, against = self.store, self.path, self.against
        self._comparing = self._operations.read(lambda: compare(store, path, row, against), self._on_compared, self._on_compare_failed)

    def _on_compared(self, comparison: Comparison) -> None:
        self._comparing = 0
        self._text = comparison.text if comparison.found is not None else None
        self.bar.allow_copy(self._text is not None)
        self.note.dismiss()
        row = self.chosen()
        if comparison.found is None or row is None:
            self._show_lost(self.tr("This version is no longer kept"), self.tr("Its text is gone; who changed it and when is still known."))
            return
        if comparison.lone:
            self.note.show_text("info", self.tr("The version before is no longer kept, so this is the whole text of this one."))
        elif comparison.gone:
            self.note.show_text("info", self.tr("The file is deleted now, so all of this text is missing."))
        self.diff.show_difference(comparison.found, self._equal_text(row))
        self.texts.setCurrentWidget(self.diff)

    def _equal_text(self, row: HistoryRow) -> str:
        if self.against == "present":
            return self.tr("This is what the file holds now.")
        if row.change.old_path:
            old, new = shown(row.change.old_path), shown(row.change.path)
            return self.tr("The text is the same. The file was {old} before and is {new} since.").format(old=old, new=new)
        return self.tr("The text is the same as in the version before.")

    def _on_compare_failed(self, failure: Failure) -> None:
        self._comparing = 0
        self.bar.allow_copy(False)
        self._show_lost(self.tr("This version cannot be shown"), failure.text())

    def _show_lost(self, title: str, text: str) -> None:
        self.lost.show_message("search", title, text, [])
        self.texts.setCurrentWidget(self.lost)

    # -- acts ------------------------------------------------------------------------------------------------------------------------

    def restore_chosen(self) -> None:
        """Put the chosen version back into the file, also when it is deleted. Asks nothing: one undo takes it back."""
        row = self.chosen()
        if row is None or row.digest is None or not self.bar.restore.isEnabled():
            return
        store, path, digest = self.store, self.path, row.digest
        self._operations.write(
            lambda: (row, restore(store, path, digest, origin=PERSON)), self._on_restored, self._on_failed
        )  # fmt: skip

    def _on_restored(self, done: tuple[HistoryRow, Change]) -> None:
        row, change = done
        self._wanted = self._offered = change.id
        self.banner.show_text("info", restored_text(row.change.time), [(self.tr("Undo"), lambda: self._undo(change.id))])
        self.restored.emit(change)
        self.refresh()

    def _undo(self, change_id: str) -> None:
        store = self.store
        self._offered = ""
        self._operations.write(lambda: store.undo(change_id), self._on_undone, self._on_failed)

    def _on_undone(self, change: Change) -> None:
        self._wanted = change.id
        self.banner.show_text("info", self.tr("The restore is undone."))
        self.restored.emit(change)
        self.refresh()

    def _on_failed(self, failure: Failure) -> None:
        self.banner.show_text("error", failure.text())
        self.refresh()

    def copy_text(self) -> None:
        """The chosen version's whole text to the clipboard."""
        if self._text is not None:
            QGuiApplication.clipboard().setText(self._text)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        dress_list(self.list)
        self._fit()

    def _fit(self) -> None:
        fit_split(self.split, self.width(), LIST_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Ctrl+C copies the version's text, not the words of its row, and Enter restores it; a click only shows it."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.matches(QKeySequence.StandardKey.Copy):
                self.copy_text()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
                self.restore_chosen()
                return True
        return super().eventFilter(watched, event)
