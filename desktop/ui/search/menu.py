"""The context menu of a result: what can be done with it, with the keys that do it too. Builds and asks; GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from desktop.sessions.importers.convert import is_foreign
from desktop.ui.search.results import MemoryPlace, ResultRow, SessionPlace

if TYPE_CHECKING:
    from desktop.ui.search.view import SearchView


class ResultMenu(QObject):
    """See the module's text."""

    def __init__(self, view: SearchView) -> None:
        super().__init__(view)
        self._view = view

    def menu_for(self, row: ResultRow) -> QMenu:
        """The menu of a row that has a place."""
        view = self._view
        menu = QMenu(view)
        menu.setObjectName("searchMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add(menu, self.tr("Open"), lambda: view.open_requested.emit(row), "Return")
        memory = isinstance(row.place, MemoryPlace)
        if not memory:
            foreign = isinstance(row.place, SessionPlace) and is_foreign(row.place.session)
            self._add(menu, self.tr("Continue in Keepsake") if foreign else self.tr("Resume"), lambda: view.resume_requested.emit(row))
            self._add(menu, self.tr("Read into Chat…"), lambda: view.read_requested.emit(row))
        menu.addSeparator()
        self._add(menu, self.tr("Copy"), lambda: view.copy_requested.emit(row), "Ctrl+C")
        self._add(menu, self.tr("Copy Path") if memory else self.tr("Copy Reference"), lambda: view.path_requested.emit(row))
        if isinstance(row.place, MemoryPlace) and row.place.root:
            menu.addSeparator()
            self._add(menu, self.tr("Reveal in Memory View"), lambda: view.reveal_requested.emit(row))
        return menu

    def _add(self, menu: QMenu, text: str, run: Callable[[], object], key: str = "") -> None:
        """The tree handles the keys itself; here they are only shown."""
        action = menu.addAction(text)
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: run())
