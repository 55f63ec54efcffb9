"""What can be done with a session, and what a list of sessions shows, as menus with their keys. Builds and asks; GUI thread.

The list handles the keys itself; here they are only shown. A session of another tool is read in place: what would change it is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop.sessions.summary import SessionSummary
from desktop.ui.sessions.facts import OWN
from desktop.ui.sessions.filtering import BY_DAY, BY_WORKSPACE, ListOptions

if TYPE_CHECKING:
    from desktop.ui.sessions.session_list import SessionList


class SessionMenu(QObject):
    """The menu of one session in a list."""

    def __init__(self, view: SessionList) -> None:
        super().__init__(view)
        self._list = view

    def menu_for(self, session: SessionSummary) -> QMenu:
        menu = QMenu(self._list)
        menu.setObjectName("sessionMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        own = session.source == OWN
        view = self._list
        self._add(menu, self.tr("Resume") if own else self.tr("Continue in Keepsake"), view.resume, "Return")
        self._add(menu, self.tr("Open Read-Only"), view.open, "Shift+Return")
        self._add(menu, self.tr("Read into Chat…"), view.read, "Ctrl+Return")
        if own:
            self._add(menu, self.tr("Fork"), view.fork)
        menu.addSeparator()
        if own:
            self._add(menu, self.tr("Rename…"), view.rename, "F2")
            self._add(menu, self.tr("Unpin") if session.pinned else self.tr("Pin"), view.pin)
            self._add(menu, self.tr("Unarchive") if session.archived else self.tr("Archive"), view.archive)
        self._add_fold(menu, session)
        self._add_export(menu)
        self._add(menu, self.tr("Copy Reference"), view.copy_reference, "Ctrl+C")
        self._add(menu, self.tr("Reveal in File Manager"), view.reveal)
        if own:
            menu.addSeparator()
            self._add(menu, self.tr("Move to Trash"), view.trash, "Delete")
        return menu

    def _add_fold(self, menu: QMenu, session: SessionSummary) -> None:
        view = self._list
        if view.sessions.sub_agents_of(session) and not view.sessions.filtering:
            row = view.currentIndex().row()
            self._add(menu, self.tr("Show or Hide Sub-Agents"), lambda: view.sessions.toggle(row))

    def _add_export(self, menu: QMenu) -> None:
        export = menu.addMenu(self.tr("Export"))
        self._add(export, self.tr("Markdown…"), lambda: self._list.export("md"))
        self._add(export, self.tr("JSON…"), lambda: self._list.export("json"))

    @staticmethod
    def _add(menu: QMenu, text: str, run: Callable[[], object], key: str = "") -> None:
        action = menu.addAction(text)
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: run())


class OptionsMenu(QObject):
    """The choices of what the lists show.

    Signals:
        options_chosen(ListOptions)
        trash_requested(): show what is in the trash.
    """

    options_chosen = Signal(object)
    trash_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self.options = ListOptions()

    def menu(self, *, folder_open: bool = True) -> QMenu:
        menu = QMenu(self._widget)
        menu.setObjectName("sessionOptions")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        groups = QActionGroup(menu)
        for text, group in ((self.tr("Group by Day"), BY_DAY), (self.tr("Group by Workspace"), BY_WORKSPACE)):
            action = self._check(menu, text, self.options.group == group, partial(self._group_by, group))
            groups.addAction(action)
        menu.addSeparator()
        self._check(menu, self.tr("Show Archived"), self.options.archived, lambda on: self._choose(archived=on))
        here = self._check(menu, self.tr("Only This Workspace"), not self.options.everywhere, lambda on: self._choose(everywhere=not on))
        here.setEnabled(folder_open)
        menu.addSeparator()
        menu.addAction(self.tr("Show the Trash"), self.trash_requested.emit)
        return menu

    @staticmethod
    def _check(menu: QMenu, text: str, on: bool, run: Callable[[bool], object]) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda on: run(on))
        return action

    def _group_by(self, group: str, _on: bool) -> None:
        self._choose(group=group)

    def _choose(self, **changes: object) -> None:
        self.options = replace(self.options, **changes)  # type: ignore[arg-type]
        self.options_chosen.emit(self.options)
