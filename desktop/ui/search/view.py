"""The Search view of the side bar: box, filters, what was found as a tree, and a page for each state in which there is no tree to show.

Shows what the controller found and turns what the person does into intents. GUI thread; no I/O.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QMenu, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from desktop.base.clock import Clock
from desktop.bridge.indexer import Progress
from desktop.bridge.operations import Failure
from desktop.ui import icons, theme
from desktop.ui.memory.banner import Action
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.panel_header import BUTTON, HEIGHT
from desktop.ui.memory.rows import shown
from desktop.ui.search.box import SearchBox
from desktop.ui.search.filters import Filters
from desktop.ui.search.menu import ResultMenu
from desktop.ui.search.model import NONE, ResultsModel
from desktop.ui.search.notes import SearchNotes
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.results import ResultRow, Results
from desktop.ui.search.tree import ResultTree

LONGEST_TAKEN = 200
"""A selection longer than this is no query."""


class SearchView(QWidget):
    """See the module's text.

    Signals:
        query_changed(): `query()` is another one.
        open_requested(ResultRow): show what is found at its place.
        copy_requested(ResultRow): its text to the clipboard.
        path_requested(ResultRow): path or reference to the clipboard.
        reveal_requested(ResultRow): show the file in the memory view.
        read_requested(ResultRow), resume_requested(ResultRow): a session, into the chat or as the chat.
        more_requested(), again_requested(), rebuild_requested(), models_requested(), folder_requested()
        appeared(): it came into sight.
    """

    query_changed = Signal()
    open_requested = Signal(object)
    copy_requested = Signal(object)
    path_requested = Signal(object)
    reveal_requested = Signal(object)
    read_requested = Signal(object)
    resume_requested = Signal(object)
    more_requested = Signal()
    again_requested = Signal()
    rebuild_requested = Signal()
    models_requested = Signal()
    folder_requested = Signal()
    appeared = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchView")
        self._opened = False
        self._indexing = False
        self._failure: Failure | None = None
        self._results: Results | None = None
        self._before: QWidget | None = None
        self._build(clock)
        self._connect()
        self._show_state()

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self, clock: Clock) -> None:
        self.setAccessibleName(self.tr("Search"))
        self.title = QLabel(self.tr("Search"), self)
        self.title.setProperty("role", "viewTitle")
        self.again = self._tool("searchAgain", "refresh", self.tr("Search again"))
        self.clear = self._tool("searchClear", "clear-all", self.tr("Clear the search"))
        self.fold = self._tool("searchFold", "collapse-all", self.tr("Collapse results"))
        self.box = SearchBox(self)
        self.box.setObjectName("searchBox")
        self.box.setPlaceholderText(self.tr("Search memory and sessions"))
        self.box.setAccessibleName(self.box.placeholderText())
        self.filters = Filters(self)
        self.notes = SearchNotes(self)
        self.model = ResultsModel(self, clock)
        self.tree = ResultTree(self.model, self)
        self.tree.setAccessibleName(self.tr("Search results"))
        self.page = MessagePage(self)
        self.menu = ResultMenu(self)
        self._head = QHBoxLayout()
        self._head.addWidget(self.title, 1)
        for button in (self.again, self.clear, self.fold):
            self._head.addWidget(button)
        self._top = QVBoxLayout()
        self._top.addWidget(self.box)
        self._top.addWidget(self.filters)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._top)
        column.addWidget(self.notes)
        column.addLayout(self._pages, 1)
        self._measure()

    def _tool(self, name: str, icon_name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAutoRaise(True)
        button.setToolTip(text)
        button.setAccessibleName(text)
        icons.bind(button, icon_name)
        return button

    def _connect(self) -> None:
        self.box.typed.connect(self._on_asked)
        self.box.entered.connect(self._on_entered)
        self.box.down.connect(self._into_results)
        self.box.up.connect(self._into_last)
        self.box.left.connect(self._go_back)
        self.filters.changed.connect(self._on_asked)
        self.tree.open_requested.connect(self.open_requested)
        self.tree.more_requested.connect(self.more_requested)
        self.tree.copy_requested.connect(self.copy_requested)
        self.tree.left_above.connect(self.focus_box)
        self.tree.left.connect(self.focus_box)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        self.notes.models_requested.connect(self.models_requested)
        self.again.clicked.connect(self.again_requested)
        self.clear.clicked.connect(self.box.clear)
        self.fold.clicked.connect(self.tree.fold_all)
        theme.signals.theme_changed.connect(self._measure)

    def _measure(self) -> None:
        now = theme.current()
        self._head.setContentsMargins(0, 0, now.px(6), 0)
        self._head.setSpacing(now.px(6))
        self._top.setContentsMargins(now.px(12), 0, now.px(12), now.px(4))
        self._top.setSpacing(now.px(8))
        self.title.setFixedHeight(now.px(HEIGHT))
        for button in (self.again, self.clear, self.fold):
            button.setFixedSize(now.px(BUTTON), now.px(BUTTON))

    # -- asking ----------------------------------------------------------------------------------------------------------------------

    def query(self) -> SearchQuery:
        """What the person asks for now."""
        return self.filters.query(self.box.text())

    def set_query(self, query: SearchQuery) -> None:
        """As it was left, or as somebody else asks; `query_changed` follows when it is another one."""
        if query == self.query():
            return
        self.filters.show_query(query)
        if query.text != self.box.text():
            self.box.setText(query.text)
        else:
            self._on_asked()

    def begin(self, text: str = "", before: QWidget | None = None) -> None:
        """The keyboard to the box, with this text in it, where there is one; Escape leads back to `before`."""
        if before is not None and not self.isAncestorOf(before):
            self._before = before
        if text:
            self.box.setText(text)
        self.focus_box()

    def focus_box(self) -> None:
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def _on_asked(self) -> None:
        self._failure = None
        self.query_changed.emit()
        self._show_state()

    def _on_entered(self) -> None:
        """Enter: search without waiting; where the answer is there already, into it."""
        if self._is_answered() and self.model.rowCount():
            self._into_results()
        else:
            self.again_requested.emit()

    def _into_results(self) -> None:
        if self._pages.currentWidget() is self.tree and self.model.rowCount():
            self.tree.choose_first()
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _into_last(self) -> None:
        if self._pages.currentWidget() is self.tree and self.tree.step(-1) is not None:
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_back(self) -> None:
        """To where the keyboard was before."""
        before, self._before = self._before, None
        window = self.window()
        if before is not None and before.isVisible() and window.isAncestorOf(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            editors = window.findChild(QWidget, "editorArea")
            if editors is not None:
                editors.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def set_opened(self, opened: bool) -> None:
        """Whether there is a folder to search in; what was found in the one before is gone."""
        self._opened = opened
        self.show_results(None)

    def show_results(self, results: Results | None) -> None:
        """The answer to the present query; None: there is none."""
        self._failure = None
        self._results = results
        self.tree.show_results(results or NONE)
        self.notes.show_results(results)
        self._show_state()

    def show_failure(self, failure: Failure) -> None:
        """It cannot be searched; what was found before is not the answer."""
        self.show_results(None)
        self._failure = failure
        self._show_state()

    def show_progress(self, progress: Progress | None) -> None:
        """How far the index is; None when it is up to date."""
        indexing = progress is not None and progress.kind != "encode"
        self.notes.show_progress(progress)
        if indexing != self._indexing:
            self._indexing = indexing
            self._show_state()

    def step(self, by: int) -> ResultRow | None:
        """The next or previous hit, which is current now."""
        return self.tree.step(by)

    def _is_answered(self) -> bool:
        return self._results is not None and self._results.query == self.query()

    def _show_state(self) -> None:
        query = self.query()
        for widget in (self.box, self.filters, self.again, self.clear, self.fold):
            widget.setEnabled(self._opened)
        self.clear.setEnabled(bool(self.box.text()))
        self.fold.setEnabled(self.model.rowCount() > 0)
        if not self._opened:
            text = self.tr("Memory and sessions belong to a project. Open its folder to search in them.")
            self._show_page("folder", self.tr("No folder is open"), text, [(self.tr("Open Folder…"), self.folder_requested.emit)])
        elif self._failure is not None:
            actions: list[Action] = [
                (self.tr("Rebuild Index"), self.rebuild_requested.emit),
                (self.tr("Try Again"), self.again_requested.emit),
            ]
            self._show_page("error", self.tr("Search failed"), self._failure.text(), actions)
        elif query.is_blank:
            self._show_hint()
        elif self.model.rowCount():
            self._pages.setCurrentWidget(self.tree)
        elif self._is_answered() or self._indexing:
            self._show_nothing(query)
        elif self.page.kind == "error":
            self._show_page("loading", "", self.tr("Searching…"), [])

    def _show_hint(self) -> None:
        lines = (
            self.tr("What is remembered and what was said, found as you type: a few words in any order, in English as in Chinese."),
            self.tr("For example:\nstaging server\n数据库 迁移"),
        )
        self._show_page("search", self.tr("Search memory and sessions"), "\n\n".join(lines), [])

    def _show_nothing(self, query: SearchQuery) -> None:
        """What to try, the most promising first."""
        if self._indexing:
            text = self.tr("The index is still being made. What is found is shown as soon as it is there.")
            self._show_page("search", self.tr("Nothing found yet"), text, [])
            return
        actions: list[Action] = []
        if query.memory and query.type:
            actions.append((self.tr("Search All Types"), lambda: self.filters.choose(replace(self.filters.query(""), type=""))))
        if not query.memory or not query.sessions:
            both = self.tr("Search Memory Too") if not query.memory else self.tr("Search Sessions Too")
            actions.append((both, lambda: self.filters.choose(replace(self.filters.query(""), memory=True, sessions=True))))
        if not query.everywhere:
            actions.append((self.tr("Search All Projects"), lambda: self.filters.choose(replace(self.filters.query(""), everywhere=True))))
        actions.append((self.tr("Clear the Search"), self.box.clear))
        found = self.tr("Nothing contains “{text}”. Fewer or rarer words find more; so do other words for the same thing.")
        self._show_page("search", self.tr("Nothing found"), found.format(text=shown(query.text.strip())), actions)

    def _show_page(self, kind: str, title: str, text: str, actions: list[Action]) -> None:
        self.page.show_message(kind, title, text, actions)
        self._pages.setCurrentWidget(self.page)

    def _show_menu(self, at: QPoint) -> None:
        row = self.model.row_at(self.tree.indexAt(at))
        if row is not None and row.place is not None:
            self.context_menu(row).popup(self.tree.viewport().mapToGlobal(at))

    def context_menu(self, row: ResultRow) -> QMenu:
        """What can be done with a row."""
        return self.menu.menu_for(row)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.appeared.emit()


def selected_words(widget: QWidget | None) -> str:
    """The selected text of a text field or view, if it is one line; the widget that has the keyboard is asked. What is hidden stays so."""
    text = ""
    if widget is not None and not (isinstance(widget, QLineEdit) and widget.echoMode() != QLineEdit.EchoMode.Normal):
        cursor = getattr(widget, "textCursor", None)
        chosen = getattr(widget, "selectedText", None)
        text = str(cursor().selectedText()) if callable(cursor) else str(chosen()) if callable(chosen) else ""
    text = text.strip("\u2029\n ")
    return "" if "\u2029" in text or "\n" in text or len(text) > LONGEST_TAKEN else text


def focused() -> QWidget | None:
    """The widget with the keyboard."""
    return QApplication.focusWidget()
