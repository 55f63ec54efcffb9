"""The memory panel of the side bar: header, filter, tree, and a page for each state in which there is no tree to show.

Shows snapshots and turns what the person does into calls of the controller. GUI thread; no I/O.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QStackedLayout, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.ui import theme
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.memory.banner import Action, Banner
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.panel_header import PanelHeader
from desktop.ui.memory.rows import Forest, Row, SortOrder, filtered, grow
from desktop.ui.memory.snapshot import MemorySnapshot
from desktop.ui.memory.state_text import off_text, read_only_text
from desktop.ui.memory.tree import MemoryTree
from desktop.ui.memory.tree_model import MemoryTreeModel

FILTER_DELAY_MS = 60


class MemoryPanel(QWidget):
    """See the module's text.

    Signals:
        open_requested(path): show this file of the memory in an editor; relative to the memory root.
        new_requested(): start a new memory in an editor.
        settings_requested(): show the memory settings.
        folder_requested(): let the person choose a folder.
        ask_requested(text): put this into the composer.
    """

    open_requested = Signal(str)
    new_requested = Signal()
    settings_requested = Signal()
    folder_requested = Signal()
    ask_requested = Signal(str)

    def __init__(self, controller: MemoryController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryPanel")
        self._controller = controller
        self._snapshot: MemorySnapshot | None = None
        self._order: SortOrder = "newest"
        self._query = ""
        self._watch_note = ""
        self._build()
        self._fill_texts()
        self._connect()
        self._show_state()

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.header = PanelHeader(self)
        self.notice = Banner("memoryNotice", self)
        self.filter = QLineEdit(self)
        self.filter.setObjectName("memoryFilter")
        self.filter.setClearButtonEnabled(True)
        self.model = MemoryTreeModel(self, self._controller.clock, editable=True)
        self.tree = MemoryTree(self.model, self)
        self.page = MessagePage(self)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self.page)
        self._filter_row = QHBoxLayout()
        self._filter_row.addWidget(self.filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addLayout(self._filter_row)
        layout.addWidget(self.notice)
        layout.addLayout(self._pages, 1)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(FILTER_DELAY_MS)
        self._build_actions()
        self._measure()

    def _build_actions(self) -> None:
        self.open_action = self._action(self._open_current, "Return")
        self.rename_action = self._action(self.tree.rename_current, "F2")
        self.delete_action = self._action(self._delete_selected, "Del")
        self.copy_path_action = self._action(self._copy_path)
        self.copy_text_action = self._action(self._copy_text)
        self.reveal_action = self._action(self._reveal)

    def _action(self, run: object, key: str = "") -> QAction:
        """An entry of the context menu. The tree handles the keys itself; here they are only shown."""
        action = QAction(self)
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(run)
        return action

    def _fill_texts(self) -> None:
        self.setAccessibleName(self.tr("Memory"))
        self.tree.setAccessibleName(self.tr("Memories of this project"))
        self.filter.setPlaceholderText(self.tr("Filter memories"))
        self.filter.setAccessibleName(self.tr("Filter memories"))
        self.open_action.setText(self.tr("Open"))
        self.rename_action.setText(self.tr("Rename…"))
        self.delete_action.setText(self.tr("Delete"))
        self.copy_path_action.setText(self.tr("Copy Path"))
        self.copy_text_action.setText(self.tr("Copy Text"))
        self.reveal_action.setText(self.tr("Reveal in File Manager"))

    def _connect(self) -> None:
        controller = self._controller
        controller.snapshot_changed.connect(self._on_snapshot)
        controller.read_failed.connect(self._on_read_failed)
        controller.workspace_changed.connect(self._on_workspace)
        controller.watch_noted.connect(self._on_watch_noted)
        controller.renamed.connect(self._on_renamed)
        self.filter.textChanged.connect(self._typing.start)
        self.filter.returnPressed.connect(self._first_hit)
        self._typing.timeout.connect(self._apply_filter)
        self.tree.open_requested.connect(self.open_requested)
        self.tree.delete_requested.connect(self._delete_selected)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        self.model.rename_requested.connect(self._rename)
        self.header.new.clicked.connect(self.new_requested)
        self.header.fold.clicked.connect(self.tree.fold_all)
        self.header.refresh.clicked.connect(controller.refresh)
        self.header.order_requested.connect(self._on_order)
        theme.signals.theme_changed.connect(self._measure)

    def _measure(self) -> None:
        now = theme.current()
        self._filter_row.setContentsMargins(now.px(12), 0, now.px(12), now.px(6))

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _on_workspace(self) -> None:
        self._snapshot = None
        self.model.show_all(Forest())
        self.filter.clear()
        self.notice.dismiss()
        self._show_state()

    def _on_snapshot(self, snapshot: MemorySnapshot) -> None:
        self._snapshot = snapshot
        self.tree.show_forest(self._forest(), open_all=bool(self._query))
        self._show_state()

    def _on_read_failed(self, failure: Failure) -> None:
        if self._snapshot is None:
            self.page.show_message(
                "error", self.tr("Memory cannot be read"), failure.text(),
                [(self.tr("Try Again"), self._controller.refresh)],
            )  # fmt: skip
            self._pages.setCurrentWidget(self.page)
        else:
            self.notice.show_text("error", failure.text(), [(self.tr("Try Again"), self._controller.refresh)])

    def _on_watch_noted(self, text: str) -> None:
        self._watch_note = text
        self._show_notice()

    def _forest(self) -> Forest:
        forest = Forest()
        if self._snapshot is not None:
            index = None if self._query else self._snapshot.index
            grow(forest, filtered(self._snapshot.notes, self._query), index, order=self._order)
        return forest

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
            self.header.show_count(len(snapshot.notes), self._found() if self._query else None)
            self._show_notice()
            self._show_tree_or_why(snapshot)

    def _show_notice(self) -> None:
        state = self._snapshot.state if self._snapshot is not None else None
        settings: Action = (self.tr("Open Settings"), self.settings_requested.emit)
        if state is not None and not state.enabled:
            self.notice.show_text("memory", off_text(state), [settings])
        elif state is not None and not state.write:
            self.notice.show_text("info", read_only_text(state), [settings])
        elif self._watch_note:
            self.notice.show_text("warning", self._watch_note, [])
        else:
            self.notice.dismiss()

    def _show_tree_or_why(self, snapshot: MemorySnapshot) -> None:
        if self.model.rowCount():
            self._pages.setCurrentWidget(self.tree)
        elif self._query:
            self._show_page(
                "search", self.tr("Nothing found"), self.tr("No memory contains “{text}”.").format(text=self.filter.text()),
                [(self.tr("Clear Filter"), self.filter.clear)],
            )  # fmt: skip
        else:
            example = self.tr("Remember: we use bun, not npm")
            text = self.tr("Tell the agent in the chat what should last, for example:\n“{example}”").format(example=example)
            ask: Action = (self.tr("Put It in the Chat"), lambda: self.ask_requested.emit(example))
            write: Action = (self.tr("Write It Yourself"), self.new_requested.emit)
            self._show_page("empty", self.tr("Nothing is remembered yet"), text, [ask, write])

    def _show_page(self, kind: str, title: str, text: str, actions: list[Action]) -> None:
        self.page.show_message(kind, title, text, actions)
        self._pages.setCurrentWidget(self.page)

    def _found(self) -> int:
        """Memories that the filter lets through."""
        rows = map(self.model.row_of, self.model.row_keys())
        return sum(1 for row in rows if row is not None and row.kind == "note")

    # -- what the person does --------------------------------------------------------------------------------------------------------

    def focus_filter(self) -> None:
        """For the command that searches memory."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def select(self, path: str) -> bool:
        """Show where a file stands in the tree; False when the filter hides it or it is gone."""
        return self.tree.select(path)

    def show_open(self, path: str) -> None:
        """Mark the file of the editor in front; empty for none."""
        self.tree.show_open(path)

    def _apply_filter(self) -> None:
        query = self.filter.text().strip()
        if query != self._query:
            self._query = query
            self.tree.show_forest(self._forest(), anew=True, open_all=bool(query))
            self._show_state()

    def _first_hit(self) -> None:
        """Enter in the filter box: to the first memory found."""
        self._typing.stop()
        self._apply_filter()
        index = self.model.index(0, 0)
        while (row := self.model.row_at(index)) is not None and row.kind == "folder":
            index = self.model.index(0, 0, index)
        if row is not None:
            self.tree.select(row.key)
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_order(self, order: SortOrder) -> None:
        self._order = order
        self.tree.show_forest(self._forest(), open_all=bool(self._query))

    def _show_menu(self, at: QPoint) -> None:
        row = self.tree.current()
        if row is None or not self.tree.indexAt(at).isValid():
            return
        menu = self.context_menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def context_menu(self, row: Row) -> QMenu:
        """The menu for `row`, with what can be done to it."""
        menu = QMenu(self)
        menu.setObjectName("memoryMenu")
        if row.kind != "folder":
            menu.addAction(self.open_action)
            menu.addSeparator()
            menu.addAction(self.copy_text_action)
        menu.addAction(self.copy_path_action)
        menu.addAction(self.reveal_action)
        if row.kind != "index":
            menu.addSeparator()
        if row.kind == "note":
            menu.addAction(self.rename_action)
        if row.kind != "index":
            menu.addAction(self.delete_action)
        return menu

    def _open_current(self) -> None:
        row = self.tree.current()
        if row is not None and row.kind != "folder":
            self.open_requested.emit(row.path)

    def _rename(self, key: str, name: str) -> None:
        row = self.model.row_of(key)
        if row is not None:
            self._controller.rename(row.path, name)

    def _on_renamed(self, _old: str, new: str) -> None:
        self.tree.want(new)

    def _delete_selected(self) -> None:
        """The selected memories and all below selected folders. The index is not deleted from here: the app would make it anew."""
        chosen = self.tree.selected()
        folders = tuple(row.path + "/" for row in chosen if row.kind == "folder")
        paths = [row.path for row in chosen if row.kind == "note"]
        known = self._snapshot.notes if self._snapshot is not None else ()
        paths += [row.path for row in known if folders and row.path.startswith(folders)]
        self._controller.delete(list(dict.fromkeys(paths)))

    def _copy_path(self) -> None:
        row = self.tree.current()
        if row is not None:
            self._controller.copy_path(row.path)

    def _copy_text(self) -> None:
        row = self.tree.current()
        if row is not None and row.kind != "folder":
            self._controller.copy_text(row.path)

    def _reveal(self) -> None:
        row = self.tree.current()
        if row is not None:
            self._controller.reveal(row.path)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """The window came to the front: the switches live outside the memory folder, and another program may have set them."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._controller.refresh()
