"""The memory panel of the side bar: header, filter, tree by root, and a page for each state in which there is no tree to show.

Shows snapshots and turns what the person does into calls of the controller. GUI thread; no I/O.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLineEdit, QMenu, QStackedLayout, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.memory.roots import PROJECT
from desktop.ui import theme
from desktop.ui.clear_button import add_clear_button
from desktop.ui.controllers.content_finder import ContentFinder, Snippet
from desktop.ui.controllers.memory_changes import Place
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.cut import CutLink
from desktop.ui.memory.banner import Action, Banner
from desktop.ui.memory.forest import Grown, View, forest_of, is_bare
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.panel_header import PanelHeader
from desktop.ui.memory.panel_menu import PanelMenu
from desktop.ui.memory.panel_notice import PanelNotice
from desktop.ui.memory.rows import FOLDS, INDEX_NAME, SHOWN_ROWS, Forest, Row, SortOrder, row_key, split_key
from desktop.ui.memory.snapshot import MemorySnapshot
from desktop.ui.memory.tree import MemoryTree
from desktop.ui.memory.tree_model import MemoryTreeModel

FILTER_DELAY_MS = 60


class MemoryPanel(QWidget):
    """See the module's text.

    Signals:
        open_requested(root id, path): show this file in an editor; the path is relative to its root.
        new_requested(root id, folder): start a new memory of this root in an editor.
        history_requested(root id, path): show the versions of this file.
        session_requested(session id): show the session in which a memory was made.
        origin_requested(session id, message id): show the very message from which a memory came.
        trash_requested(): show what was deleted.
        adopt_requested(): show the lost projects.
        settings_requested(): show the memory settings.
        switch_on_requested(): turn the memory of the opened folder on.
        folder_requested(): let the person choose a folder.
        ask_requested(text): put this into the composer.
        others_requested(): show the memory of other workspaces.
        here_ended(): show all memories again, not only those of the open chat.
    """

    open_requested = Signal(str, str)
    new_requested = Signal(str, str)
    history_requested = Signal(str, str)
    session_requested = Signal(str)
    origin_requested = Signal(str, str)
    trash_requested = Signal()
    adopt_requested = Signal()
    settings_requested = Signal()
    switch_on_requested = Signal()
    folder_requested = Signal()
    ask_requested = Signal(str)
    here_ended = Signal()
    others_requested = Signal()

    def __init__(self, controller: MemoryController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryPanel")
        self._controller = controller
        self._snapshot: MemorySnapshot | None = None
        self._order: SortOrder = "newest"
        self._query = ""
        self._only: frozenset[str] | None = None
        self._found = 0
        self._limits: dict[str, int] = {}
        self._finder: ContentFinder | None = None
        self._content: tuple[str, dict[str, Snippet]] = ("", {})
        self._build()
        self._fill_texts()
        self._connect()
        self._show_state()

    @property
    def controller(self) -> MemoryController:
        return self._controller

    def set_finder(self, finder: ContentFinder) -> None:
        """The filter looks into the files too, not only at their headers."""
        self._finder = finder
        self.filter.textChanged.connect(self._seek)
        finder.found.connect(self._on_content)

    def add_strip(self, strip: QWidget) -> None:
        """A line between filter and tree, for what waits for the person; it hides itself when there is nothing. Tab comes by there."""
        self._strips.addWidget(strip)
        before: QWidget = self._above[-1]
        for button in strip.findChildren(QAbstractButton):
            QWidget.setTabOrder(before, button)
            before = button
        self._above.append(before)

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.header = PanelHeader(self)
        self.notice = Banner("memoryNotice", self)
        self.here = Banner("memoryOnlyHere", self)
        self.filter = QLineEdit(self)
        self.filter.setObjectName("memoryFilter")
        self._above: list[QWidget] = [self.filter]
        add_clear_button(self.filter)
        self.filter.installEventFilter(self)
        self.model = MemoryTreeModel(self, self._controller.clock, editable=True)
        self.tree = MemoryTree(self.model, self)
        self.page = MessagePage(self)
        self.menus = PanelMenu(self)
        self._notices = PanelNotice(self)
        self.setTabOrder(self.filter, self.notice.label)
        self.setTabOrder(self.notice.label, self.tree)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self.page)
        self._filter_row = QHBoxLayout()
        self._filter_row.addWidget(self.filter)
        self._strips = QVBoxLayout()
        self.others = CutLink(self, self.tr("Other workspaces…"))
        self.others.setObjectName("memoryOthers")
        self.others.setToolTip(self.tr("Show the memory of all workspaces, by project"))
        self.others.clicked.connect(lambda _checked=False: self.others_requested.emit())
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.others)
        self._foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addLayout(self._filter_row)
        layout.addLayout(self._strips)
        layout.addWidget(self.here)
        layout.addWidget(self.notice)
        layout.addLayout(self._pages, 1)
        layout.addLayout(self._foot)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(FILTER_DELAY_MS)
        self._measure()

    def _fill_texts(self) -> None:
        self.setAccessibleName(self.tr("Memory"))
        self.tree.setAccessibleName(self.tr("Memories by where they are kept"))
        self.filter.setPlaceholderText(self.tr("Filter memories"))
        self.filter.setAccessibleName(self.tr("Filter memories"))

    def _connect(self) -> None:
        controller = self._controller
        controller.snapshot_changed.connect(self._on_snapshot)
        controller.read_failed.connect(self._on_read_failed)
        controller.workspace_changed.connect(self._on_workspace)
        controller.watch_noted.connect(self._notices.note_watch)
        controller.places.changed.connect(self._notices.show)
        controller.acts.placed.connect(self._on_placed)
        self.filter.textChanged.connect(self._typing.start)
        self.filter.returnPressed.connect(self._first_hit)
        self._typing.timeout.connect(self._apply_filter)
        self.tree.open_requested.connect(self._open)
        self.tree.new_requested.connect(self._new_in)
        self.tree.more_requested.connect(self._on_more)
        self.tree.delete_requested.connect(self.delete_selected)
        self.tree.drop_requested.connect(self._on_drop)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        self.model.rename_requested.connect(self._rename)
        self.header.new.clicked.connect(self.new_here)
        self.header.fold.clicked.connect(self.tree.fold_all)
        self.header.refresh.clicked.connect(controller.refresh)
        self.header.order_requested.connect(self._on_order)
        theme.signals.theme_changed.connect(self._measure)

    def _measure(self) -> None:
        now = theme.current()
        self._filter_row.setContentsMargins(now.px(12), 0, now.px(12), now.px(6))
        self._foot.setContentsMargins(now.px(12), now.px(4), now.px(12), now.px(6))

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _on_workspace(self) -> None:
        self._snapshot = None
        self._limits.clear()
        self._query = ""
        self.show_only(None)
        self.model.show_all(Forest())
        self.filter.clear()
        self.notice.dismiss()
        self._show_state()

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        self._snapshot = snapshot
        self._show_rows()

    def _show_rows(self, *, anew: bool = False) -> None:
        """The tree, and what stands around it, for the newest snapshot and the present view."""
        grown = self._grown()
        self._found = grown.found
        self.tree.show_forest(grown.forest, anew=anew, open_all=self._is_filtered)
        self._show_state()

    def _grown(self) -> Grown:
        snapshot = self._snapshot
        if snapshot is None or (is_bare(snapshot) and not self._is_filtered):
            return Grown(Forest())
        content = self._content[1] if self._content[0] == self._query else {}
        return forest_of(snapshot, View(self._order, self._query, self._limits, content, self._only))

    @property
    def _is_filtered(self) -> bool:
        return bool(self._query) or self._only is not None

    def _on_read_failed(self, failure: Failure) -> None:
        again: Action = (self.tr("Try Again"), self._controller.refresh)
        if self._snapshot is None:
            self._show_page("error", self.tr("Memory cannot be read"), failure.text(), [again])
        else:
            self.notice.show_text("error", failure.text(), [again])

    def _show_state(self) -> None:
        """Header, notice and the right page for what is known now."""
        snapshot = self._snapshot
        opened = self._controller.workspace is not None
        for widget in (self.filter, *self.header.buttons):
            widget.setEnabled(opened)
        if not opened:
            self.header.show_nothing(self.tr("No folder is open"))
            self._show_page(
                "folder", self.tr("No folder is open"), self.tr("Memory belongs to a project. Open its folder to see what is remembered."),
                [(self.tr("Open Folder…"), self.folder_requested.emit)],
            )  # fmt: skip
        elif snapshot is None:
            self.header.show_nothing("")
            self._show_page("loading", "", self.tr("Reading memory…"), [])
        else:
            self.header.show_project(snapshot.label, snapshot.root, on=snapshot.state.enabled)
            self.header.show_count(snapshot.total, self._found if self._is_filtered else None)
            self._notices.show()
            self._show_tree_or_why()

    def _show_tree_or_why(self) -> None:
        if self.model.rowCount():
            self._pages.setCurrentWidget(self.tree)
        elif self._query and self._finder is not None and self._finder.pending == self._query:
            self._show_page("loading", "", self.tr("Searching…"), [])
        elif self._query:
            self._show_page(
                "search", self.tr("Nothing found"), self.tr("No memory contains “{text}”.").format(text=self.filter.text()),
                [(self.tr("Clear Filter"), self.filter.clear)],
            )  # fmt: skip
        elif self._only is not None:
            all_of_it: Action = (self.tr("Show All"), self.here_ended.emit)
            text = self.tr("Nothing that was said in the open chat is remembered.")
            self._show_page("search", self.tr("Nothing from this chat"), text, [all_of_it])
        else:
            example = self.tr("Remember: we use bun, not npm")
            text = self.tr("Tell the agent in the chat what should last, for example:\n“{example}”").format(example=example)
            ask: Action = (self.tr("Put It in the Chat"), lambda: self.ask_requested.emit(example))
            write: Action = (self.tr("Write It Yourself"), lambda: self.new_requested.emit(PROJECT, ""))
            self._show_page("empty", self.tr("Nothing is remembered yet"), text, [ask, write])

    def _show_page(self, kind: str, title: str, text: str, actions: list[Action]) -> None:
        self.page.show_message(kind, title, text, actions)
        self._pages.setCurrentWidget(self.page)

    # -- finding ---------------------------------------------------------------------------------------------------------------------

    def focus_filter(self) -> None:
        """For the command that searches memory."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def clear_filter(self) -> None:
        """Show everything at once."""
        self.filter.clear()
        self._typing.stop()
        self._apply_filter()

    def show_only(self, places: Iterable[Place] | None) -> None:
        """Only these memories, which came from the open chat; None: all of them."""
        only = None if places is None else frozenset(row_key(root, path) for root, path in places)
        if only == self._only:
            return
        self._only = only
        if only is None:
            self.here.dismiss()
        else:
            self.here.show_text("memory", self.tr("Only what came from the open chat."), [(self.tr("Show All"), self.here_ended.emit)])
        self._limits.clear()
        self._show_rows(anew=True)

    def select(self, root: str, path: str) -> bool:
        """Show where a file stands in the tree; False when the filter hides it or it is gone."""
        key = self._key_of(root, path)
        self._lay_out(key)
        return self.tree.select(key)

    def show_open(self, root: str, path: str) -> None:
        """Mark the file of the editor in front; empty for none."""
        self.tree.show_open(self._key_of(root, path) if path else "")

    def _key_of(self, root: str, path: str) -> str:
        """The row of a file: its root's, where that takes one row."""
        whole = self.model.row_of(row_key(root))
        return row_key(root) if whole is not None and whole.path == path else row_key(root, path)

    def _lay_out(self, key: str) -> None:
        """A row that stands behind “more” is laid out with all before it."""
        root, path = split_key(key)
        picture = self._controller.picture(root)
        if picture is None or self.model.row_of(key) is not None or not any(row.path == path for row in picture.notes):
            return
        folder = path.rpartition("/")[0]
        self._limits[row_key(root, f"{folder}/" if folder else "")] = len(picture.notes)
        self._show_rows()

    def _on_more(self, key: str) -> None:
        self._limits[key] = self._limits.get(key, SHOWN_ROWS) + 2 * SHOWN_ROWS
        self._show_rows()

    def _apply_filter(self) -> None:
        query = self.filter.text().strip()
        if query != self._query:
            self._query = query
            self._limits.clear()
            self._show_rows(anew=True)

    def _seek(self, text: str) -> None:
        """Asked with each key, so that the answer is mostly there when the rows are shown."""
        if self._finder is not None:
            self._finder.ask(text.strip())

    def _on_content(self, text: str, hits: Mapping[tuple[str, str], Snippet]) -> None:
        self._content = (text, {row_key(*place): snippet for place, snippet in hits.items()})
        if text == self._query:
            self._show_rows()

    def _first_hit(self) -> None:
        """Enter in the filter box: to the first memory found."""
        self._typing.stop()
        self._apply_filter()
        index = self.model.index(0, 0)
        while (row := self.model.row_at(index)) is not None and row.kind in FOLDS and self.model.hasChildren(index):
            index = self.model.index(0, 0, index)
        if row is not None:
            self.tree.select(row.key)
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_order(self, order: SortOrder) -> None:
        self._order = order
        self._show_rows()

    # -- what the person does --------------------------------------------------------------------------------------------------------

    def current_place(self) -> Place:
        """Root and folder of the row with the keyboard focus; the project's top for none, and where nothing can be written."""
        row = self.tree.current()
        if row is None or row.read_only or not row.root:
            return PROJECT, ""
        folder = row.path if row.kind == "folder" else row.path.rpartition("/")[0]
        return row.root, folder

    def new_here(self) -> None:
        """A new memory where the selection is."""
        self._new(*self.current_place())

    def _new_in(self, key: str) -> None:
        self._new(split_key(key)[0], "")

    def _new(self, root: str, folder: str) -> None:
        picture = self._controller.picture(root)
        if picture is None or picture.root.profile != "single":
            self.new_requested.emit(root, folder)
        elif picture.is_empty:
            self.open_requested.emit(root, INDEX_NAME)
        else:
            self.new_requested.emit(PROJECT, "")

    def _show_menu(self, at: QPoint) -> None:
        row = self.tree.current()
        if row is None or not self.tree.indexAt(at).isValid() or row.kind == "more":
            return
        menu = self.context_menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def context_menu(self, row: Row) -> QMenu:
        """The menu for `row`, with what can be done to it."""
        return self.menus.menu_for(row)

    def _open(self, key: str) -> None:
        row = self.model.row_of(key)
        if row is not None and row.is_file:
            self.open_requested.emit(row.root, row.path)

    def _rename(self, key: str, name: str) -> None:
        row = self.model.row_of(key)
        if row is not None and row.kind == "folder":
            self._controller.acts.rename_folder(row.root, row.path, name)
        elif row is not None:
            self._controller.acts.rename(row.root, row.path, name)

    def _on_placed(self, root: str, path: str) -> None:
        self.tree.want(self._key_of(root, path))

    def places(self, rows: list[Row]) -> list[Place]:
        """The memories among `rows` and all below their folders, each once. Nothing of a root that is read only, and no index."""
        known = self._snapshot.all_notes() if self._snapshot is not None else ()
        folders = tuple(row.key for row in rows if row.kind == "folder" and not row.read_only)
        found = [(row.root, row.path) for row in rows if row.kind in ("note", "document") and not row.read_only]
        found += [(row.root, row.path) for row in rows if row.kind == "root" and row.path and self._is_content(row.root)]
        found += [(row.root, row.path) for row in known if folders and row.key.startswith(folders)]
        return list(dict.fromkeys(found))

    def _is_content(self, root: str) -> bool:
        """Its MEMORY.md is content and no index that the app would make anew."""
        picture = self._controller.picture(root)
        return picture is not None and picture.root.profile != "index" and not picture.root.read_only

    def delete_selected(self) -> None:
        """The selected memories and all below selected folders. An index is not deleted from here: the app would make it anew."""
        self._controller.acts.delete(self.places(self.tree.selected()))

    def toggle_pin(self) -> None:
        """Pin the selected memories; unpin them when all of them are pinned."""
        rows = [row for row in self.tree.selected() if row.kind == "note"]
        on = not all(row.pinned for row in rows)
        self._controller.acts.pin(self.places([row for row in rows if row.pinned != on]), on)

    def _on_drop(self, keys: list[str], target: str) -> None:
        """Rows were dropped on a root, a folder, or a memory: they move to where that is."""
        row = self.model.row_of(target)
        rows = [found for found in map(self.model.row_of, keys) if found is not None]
        if row is not None:
            folder = row.path if row.kind == "folder" else "" if row.kind == "root" else row.path.rpartition("/")[0]
            self._controller.acts.move(self.places(rows), row.root, folder)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the filter box ↓ leads to what was found, and Escape clears it, then leads back to the tree."""
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not event.modifiers():
            if event.key() == Qt.Key.Key_Down:
                self._first_hit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                if self.filter.text():
                    self.filter.clear()
                else:
                    self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """The window came to the front: settings files lie outside the memory folders, and another program may have changed them."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._controller.refresh()
