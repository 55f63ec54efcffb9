"""The context menu of the memory tree: what can be done to a row, with the keys that do it too. Builds and asks; GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop.ui.memory.rows import INDEX_NAME, Row

if TYPE_CHECKING:
    from desktop.ui.memory.panel import MemoryPanel

MOST_FOLDERS = 20
"""Folders that “Move to” offers; any other is reached by its name (F2)."""


class PanelMenu(QObject):
    """See the module's text. Actions that are the same for every row are made once, so that they can be found and their keys shown."""

    def __init__(self, panel: MemoryPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        tree = panel.tree
        self.open = self._action(self.tr("Open"), self._open, "Return")
        self.new = self._action(self.tr("New Memory Here"), panel.new_here)
        self.history = self._action(self.tr("Show History"), self._history)
        self.allow = self._action(self.tr("Allow Chats to Load It"), self._allow)
        self.session = self._action(self.tr("Show Origin"), self._session)
        self.copy_text = self._action(self.tr("Copy Text"), self._copy_text)
        self.copy_path = self._action(self.tr("Copy Path"), self._copy_path)
        self.reveal = self._action(self.tr("Reveal in File Manager"), self._reveal)
        self.pin = self._action(self.tr("Pin"), lambda: self._set_pinned(True))
        self.unpin = self._action(self.tr("Unpin"), lambda: self._set_pinned(False))
        self.rename = self._action(self.tr("Rename…"), tree.rename_current, "F2")
        self.delete = self._action(self.tr("Delete"), panel.delete_selected, "Del")
        self.trash = self._action(self.tr("Recently Deleted…"), panel.trash_requested.emit)

    def _action(self, text: str, run: Callable[..., object], key: str = "") -> QAction:
        """The tree handles the keys itself; here they are only shown."""
        action = QAction(text, self)
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: run())
        return action

    # -- building --------------------------------------------------------------------------------------------------------------------

    def menu_for(self, row: Row) -> QMenu:
        """What can be done to `row`; for what is selected beside it too, where it is one of several."""
        menu = QMenu(self._panel)
        menu.setObjectName("memoryMenu")
        groups = (self._looking(row), self._making(row), self._taking(row), self._changing(row))
        for group in groups:
            if group and menu.actions():
                menu.addSeparator()
            for one in group:
                if isinstance(one, QMenu):
                    one.setParent(menu, one.windowFlags())
                    menu.addMenu(one)
                else:
                    menu.addAction(one)
        return menu

    def _looking(self, row: Row) -> list[QAction | QMenu]:
        if not row.is_file:
            return []
        found: list[QAction | QMenu] = [self.open]
        if not row.read_only:
            found.append(self.history)
        if row.session:
            found.append(self.session)
        picture = self._panel.controller.picture(row.root)
        if picture is not None and picture.untrusted and row.path == INDEX_NAME:
            found.append(self.allow)
        return found

    def _making(self, row: Row) -> list[QAction | QMenu]:
        picture = self._panel.controller.picture(row.root)
        single = picture is not None and picture.root.profile == "single" and not picture.is_empty
        if row.read_only or row.kind not in ("root", "folder"):
            return []
        return [self.trash] if single else [self.new, self.trash] if row.kind == "root" else [self.new]

    def _taking(self, row: Row) -> list[QAction | QMenu]:
        return [*([self.copy_text] if row.is_file else []), self.copy_path, self.reveal]

    def _changing(self, row: Row) -> list[QAction | QMenu]:
        if row.read_only:
            return []
        places = self._panel.places(self._rows(row))
        found: list[QAction | QMenu] = []
        if row.kind == "note":
            found.append(self.unpin if row.pinned else self.pin)
        if row.kind in ("note", "folder"):
            found += [self.rename, self._move_menu(row)]
        if places:
            found.append(self.delete)
        return found

    def _move_menu(self, row: Row) -> QMenu:
        """The other roots, and the folders of this one."""
        panel = self._panel
        menu = QMenu(self.tr("Move to"))
        menu.setObjectName("memoryMoveMenu")
        snapshot = panel.controller.snapshot
        for picture in snapshot.roots if snapshot is not None else ():
            root = picture.root
            if root.id != row.root and not root.read_only and root.profile != "single":
                self._add_move(menu, picture.label, root.id, "")
        menu.addSeparator()
        here = row.path.rpartition("/")[0]
        if here:
            self._add_move(menu, self.tr("Out of the folder"), row.root, "")
        for folder in self._folders(row.root)[:MOST_FOLDERS]:
            inside = row.kind == "folder" and (folder == row.path or folder.startswith(f"{row.path}/"))
            if folder != here and not inside:
                self._add_move(menu, f"{folder}/", row.root, folder)
        action = menu.addAction(self.tr("New Folder…"))
        action.triggered.connect(lambda _checked=False: panel.tree.rename_current("/"))
        action.setEnabled(row.kind == "note")
        return menu

    def _add_move(self, menu: QMenu, text: str, root: str, folder: str) -> None:
        def move() -> None:
            self._panel.controller.acts.move(self._panel.places(self._panel.tree.selected()), root, folder)

        action = menu.addAction(text.replace("&", "&&"))
        action.triggered.connect(lambda _checked=False: move())

    def _folders(self, root: str) -> list[str]:
        """Every folder of a root that holds a memory."""
        picture = self._panel.controller.picture(root)
        found: set[str] = set()
        for note in picture.notes if picture is not None else ():
            folder = note.path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return sorted(found, key=str.casefold)

    def _rows(self, row: Row) -> list[Row]:
        selected = self._panel.tree.selected()
        return selected if any(one.key == row.key for one in selected) else [row]

    # -- doing -----------------------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        row = self._panel.tree.current()
        if row is not None and row.is_file:
            self._panel.open_requested.emit(row.root, row.path)

    def _history(self) -> None:
        row = self._panel.tree.current()
        if row is not None and row.is_file:
            self._panel.history_requested.emit(row.root, row.path or INDEX_NAME)

    def _allow(self) -> None:
        row = self._panel.tree.current()
        picture = self._panel.controller.picture(row.root) if row is not None else None
        if picture is not None and picture.untrusted:
            self._panel.controller.places.allow(picture.untrusted)

    def _session(self) -> None:
        row = self._panel.tree.current()
        if row is not None and row.session and row.message:
            self._panel.origin_requested.emit(row.session, row.message)
        elif row is not None and row.session:
            self._panel.session_requested.emit(row.session)

    def _copy_text(self) -> None:
        row = self._panel.tree.current()
        if row is not None and row.is_file:
            self._panel.controller.acts.copy_text(row.root, row.path)

    def _copy_path(self) -> None:
        row = self._panel.tree.current()
        if row is not None:
            self._panel.controller.acts.copy_path(row.root, row.path)

    def _reveal(self) -> None:
        row = self._panel.tree.current()
        if row is not None:
            self._panel.controller.acts.reveal(row.root, row.path)

    def _set_pinned(self, on: bool) -> None:
        rows = [row for row in self._panel.tree.selected() if row.kind == "note" and row.pinned != on]
        self._panel.controller.acts.pin(self._panel.places(rows), on)
