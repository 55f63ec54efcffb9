"""Memory files as editor tabs: opens them once each, follows links between them, and lets each look at its file when the folder changed.

Tab keys are `memory:PROJECT/PATH`, so that a stored arrangement of tabs can be opened again. GUI thread.
"""

from __future__ import annotations

from itertools import count
from typing import Protocol
from urllib.parse import unquote

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.rows import INDEX_NAME, Row, folded, shown
from desktop.ui.memory.viewer import MemoryViewer

PREFIX = "memory:"
NEW_PREFIX = "memory-new:"


class TabArea(Protocol):
    """What is needed of `editor.area.EditorArea`."""

    def open(self, key: str, title: str, factory: Factory, *, icon_name: str = "", focus: bool = True) -> QWidget: ...

    def widget(self, key: str) -> QWidget | None: ...

    def keys(self) -> list[str]: ...

    def rename(self, old: str, new: str, title: str) -> None: ...

    def request_close(self, key: str = "") -> None: ...


class Factory(Protocol):
    def __call__(self) -> QWidget: ...


class MemoryTabs(QObject):
    """See the module's text."""

    def __init__(self, area: TabArea, memory: MemoryController, all_memory: AllMemoryController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._area = area
        self._memory = memory
        self._all = all_memory
        self._numbers = count(1)
        memory.watcher.changed.connect(self._check_all)
        memory.renamed.connect(self._on_renamed)

    def open(self, path: str, *, focus: bool = True) -> QWidget | None:
        """Open a file of the opened folder's memory; None when no folder is open."""
        workspace = self._memory.workspace
        if workspace is None:
            return None
        key = f"{PREFIX}{workspace.project.key}/{path}"
        store, operations = workspace.store, self._memory.operations

        def make() -> QWidget:
            return self._editor(key, MemoryDocument(store, path, operations))

        return self._area.open(key, shown(path.rpartition("/")[2]), make, icon_name=_icon(path), focus=focus)

    def open_new(self) -> QWidget | None:
        """Start a memory that has no file yet; it gets one when it is saved."""
        workspace = self._memory.workspace
        if workspace is None:
            return None
        key = f"{NEW_PREFIX}{next(self._numbers)}"
        store, operations = workspace.store, self._memory.operations

        def make() -> QWidget:
            return self._editor(key, MemoryDocument(store, "", operations))

        return self._area.open(key, self.tr("New memory"), make, icon_name="note")

    def open_in_project(self, project_key: str, path: str) -> QWidget | None:
        """Open a file of any workspace: in an editor if it is the opened one, else read-only."""
        workspace = self._memory.workspace
        if workspace is not None and workspace.project.key == project_key:
            return self.open(path)

        def make() -> QWidget:
            label = self._all.label(project_key)
            viewer = MemoryViewer(self._all.reader(project_key, path), label, path, self._all.operations)
            viewer.link_requested.connect(lambda target: self.open_in_project(project_key, self._linked(target, project_key)))
            return viewer

        return self._area.open(f"{PREFIX}{project_key}/{path}", shown(path.rpartition("/")[2]), make, icon_name=_icon(path))

    def restore(self, key: str) -> bool:
        """Open a tab of an earlier run again; False when the key is not one of these."""
        if not key.startswith(PREFIX) or "/" not in key:
            return False
        project, _, path = key.removeprefix(PREFIX).partition("/")
        return self.open_in_project(project, path) is not None

    def follow_link(self, target: str) -> None:
        """Open what `[[target]]` means: a memory of that name, else the file of that name."""
        self.open(self._linked(target, ""))

    def _editor(self, key: str, document: MemoryDocument) -> MemoryEditor:
        editor = MemoryEditor(document)
        editor.link_requested.connect(self.follow_link)
        editor.path_changed.connect(lambda path: self._on_path(key, path))
        editor.close_requested.connect(lambda: self._area.request_close(self._key_of(editor)))
        return editor

    def _key_of(self, editor: QWidget) -> str:
        open_keys = self._area.keys()
        return next((key for key in open_keys if self._area.widget(key) is editor), "")

    def _on_path(self, key: str, path: str) -> None:
        workspace = self._memory.workspace
        if workspace is not None:
            self._area.rename(key, f"{PREFIX}{workspace.project.key}/{path}", shown(path.rpartition("/")[2]))
        self._memory.refresh()

    def _on_renamed(self, old: str, new: str) -> None:
        """An open file got another path: its tab goes on with it, draft and all."""
        workspace = self._memory.workspace
        if workspace is None:
            return
        before, after = (f"{PREFIX}{workspace.project.key}/{path}" for path in (old, new))
        editor = self._area.widget(before)
        if isinstance(editor, MemoryEditor):
            editor.document.path = new
            self._area.rename(before, after, shown(new.rpartition("/")[2]))
            editor.document.check()

    def _linked(self, target: str, project_key: str) -> str:
        if project_key:
            rows = next((memory.notes for memory in self._all.projects if memory.row.project == project_key), ())
        else:
            rows = self._memory.snapshot.notes if self._memory.snapshot is not None else ()
        return linked_path(target, rows)

    def _check_all(self) -> None:
        """The folder changed: every open file looks whether it was itself."""
        open_keys = self._area.keys()
        for key in open_keys:
            widget = self._area.widget(key)
            if isinstance(widget, MemoryEditor):
                widget.document.check()


def linked_path(target: str, rows: tuple[Row, ...]) -> str:
    """The path of the memory that a link means: by name, then by file stem, then as a path (FM-05)."""
    wanted = folded(unquote(target).split("#")[0].removeprefix("./").removesuffix(".md").strip())
    by_name = [row.path for row in rows if folded(row.name) == wanted]
    by_stem = [row.path for row in rows if folded(row.path.rpartition("/")[2].removesuffix(".md")) == wanted]
    by_path = [row.path for row in rows if folded(row.path.removesuffix(".md")) == wanted]
    found = by_path or by_name or by_stem
    return found[0] if found else f"{unquote(target).removesuffix('.md')}.md"


def _icon(path: str) -> str:
    return "list-unordered" if path == INDEX_NAME else "note"
