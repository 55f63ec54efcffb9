"""The list of all memory of this machine below the memory settings: the person's own, then by project, nested, read only. GUI thread."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.memory.roots import USER
from desktop.ui import icons, theme
from desktop.ui.clear_button import add_clear_button
from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.cut import CutLabel
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.rows import SHOWN_ROWS, Forest, Row, cut, filtered, grow
from desktop.ui.memory.tree import MemoryTree
from desktop.ui.memory.tree_model import MemoryTreeModel

HEIGHT = 340
FILTER_DELAY_MS = 60


class AllMemory(QWidget):
    """See the module's text.

    Signals:
        open_requested(project_key, path): show this file in a tab.
        adopt_requested(project_key): move the memory of this lost project into the opened folder's.
    """

    open_requested = Signal(str, str)
    adopt_requested = Signal(str)

    def __init__(self, controller: AllMemoryController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("allMemory")
        self._controller = controller
        self._query = ""
        self._limits: dict[str, int] = {}
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(FILTER_DELAY_MS)
        self._build()
        controller.changed.connect(self._on_changed)
        controller.read_failed.connect(self._on_failed)
        self._typing.timeout.connect(self._apply_filter)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self._show_page("loading", "", self.tr("Reading memory…"))

    def _build(self) -> None:
        self.title = CutLabel(self, self.tr("Memory of all workspaces"))
        self.count = CutLabel(self)
        self.count.setProperty("role", "secondary")
        self.refresh = QToolButton(self)
        icons.bind(self.refresh, "refresh")
        self.refresh.setToolTip(self.tr("Refresh"))
        self.refresh.setAccessibleName(self.tr("Refresh"))
        self.refresh.clicked.connect(self._controller.refresh)
        self.filter = QLineEdit(self)
        self.filter.setObjectName("allMemoryFilter")
        self.filter.setPlaceholderText(self.tr("Filter memories of all workspaces"))
        self.filter.setAccessibleName(self.filter.placeholderText())
        add_clear_button(self.filter)
        self.filter.textChanged.connect(self._typing.start)
        self.model = MemoryTreeModel(self, self._controller.services.clock)
        self.tree = MemoryTree(self.model, self)
        self.tree.setObjectName("allMemoryTree")
        self.tree.setAccessibleName(self.title.text())
        self.tree.open_requested.connect(self._on_open)
        self.tree.more_requested.connect(self._on_more)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        self.page = MessagePage(self)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self.page)
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addWidget(self.count)
        head.addStretch(1)
        head.addWidget(self.refresh)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self.filter)
        self._column.addLayout(self._pages, 1)
        self.setFocusProxy(self.filter)

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _forest(self) -> Forest:
        forest = Forest()
        for memory in self._controller.projects:
            notes = filtered(memory.notes, self._query)
            if self._query and not notes:
                continue
            forest.add(replace(memory.row, count=len(notes)))
            index = None if self._query else memory.index
            grow(forest, notes, index, order="newest", prefix=memory.row.key, project=memory.row.project)
        return cut(forest, self._limits)

    def _on_changed(self) -> None:
        self.tree.show_forest(self._forest(), open_all=bool(self._query))
        self._show_state()

    def _on_more(self, key: str) -> None:
        self._limits[key] = self._limits.get(key, SHOWN_ROWS) + 2 * SHOWN_ROWS
        self.tree.show_forest(self._forest(), open_all=bool(self._query))

    def _apply_filter(self) -> None:
        query = self.filter.text().strip()
        if query != self._query:
            self._query = query
            self._limits.clear()
            self.tree.show_forest(self._forest(), anew=True, open_all=bool(query))
            self._show_state()

    def _show_state(self) -> None:
        projects = self._controller.projects
        workspaces = sum(1 for memory in projects if memory.row.project != USER)
        self.count.setText(self.tr("{n} in %n workspaces", "", workspaces).format(n=sum(len(m.notes) for m in projects)))
        self._fit()
        if self.model.rowCount():
            self._pages.setCurrentWidget(self.tree)
        elif self._query:
            self._show_page("search", self.tr("Nothing found"), self.tr("No memory contains “{text}”.").format(text=self.filter.text()))
        elif self._controller.was_read:
            self._show_page("empty", self.tr("Nothing is remembered yet"), self.tr("What is remembered in any workspace is listed here."))

    def _on_failed(self, failure: Failure) -> None:
        self._show_page("error", self.tr("Memory cannot be read"), failure.text())

    def _show_page(self, kind: str, title: str, text: str) -> None:
        self.page.show_message(kind, title, text, [])
        self._pages.setCurrentWidget(self.page)

    # -- what the person does --------------------------------------------------------------------------------------------------------

    def _on_open(self, key: str) -> None:
        row = self.model.row_of(key)
        if row is not None:
            self.open_requested.emit(row.project, row.path)

    def _show_menu(self, at: QPoint) -> None:
        row = self.tree.current()
        menu = self.context_menu(row) if row is not None and self.tree.indexAt(at).isValid() else None
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.tree.viewport().mapToGlobal(at))

    def context_menu(self, row: Row) -> QMenu | None:
        """What can be done to a row; None for nothing. The list changes nothing by itself."""
        menu = QMenu(self)
        if row.kind == "project" and self._controller.is_lost(row.project):
            menu.addAction(self.tr("Adopt into the Opened Folder"), lambda: self.adopt_requested.emit(row.project))
        elif row.is_file:
            menu.addAction(self.tr("Open"), lambda: self._on_open(row.key))
            path = self._controller.full_path(row.project, row.path)
            menu.addAction(self.tr("Copy Path"), lambda: QGuiApplication.clipboard().setText(path))
        if menu.actions():
            return menu
        menu.deleteLater()
        return None

    def _measure(self) -> None:
        now = theme.current()
        font = theme.ui_font(now)
        font.setBold(True)
        self.title.setFont(font)
        self._column.setContentsMargins(now.px(14), now.px(10), now.px(14), now.px(10))
        self._column.setSpacing(now.px(6))
        self.setFixedHeight(now.px(HEIGHT))
        self._fit()

    def _fit(self) -> None:
        """The title is whole; the numbers beside it are there where both are."""
        others = self.refresh.sizeHint().width() + 3 * self._column.spacing() + 2 * theme.current().px(14)
        self.count.setVisible(self.title.sizeHint().width() + self.count.sizeHint().width() + others <= self.width())

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._controller.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._controller.stop()
        super().hideEvent(event)
