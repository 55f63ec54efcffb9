"""Memories in tabs: which key a tab has, what stands in it, how it comes back, and what becomes of it when its memory moves. GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.app.tab_drafts import Draft, Drafts, Placed
from desktop.bridge.operations import Operations
from desktop.memory.index import IndexLimits
from desktop.memory.roots import PROJECT
from desktop.memory.store import MemoryStore
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.back_links import BackLinks
from desktop.ui.memory.link_completion import LinkCompletion
from desktop.ui.memory.rows import INDEX_NAME, row_key, shown, split_key
from desktop.ui.workbench import Workbench

PREFIX = "memory:"
NEW = "memory-new:"
HISTORY = "memory-history:"


def tab_key(root: str, path: str) -> str:
    """Key of the tab of a memory; the project's have no root in it, as they never had."""
    return PREFIX + (path if root == PROJECT else row_key(root, path))


def place_of(key: str) -> tuple[str, str]:
    """Root and path of the memory in a tab; an empty path for other tabs."""
    if not key.startswith(PREFIX):
        return PROJECT, ""
    rest = key.removeprefix(PREFIX)
    return split_key(rest) if "//" in rest else (PROJECT, rest)


class MemoryTabs(QObject):
    """See the module's text.

    Signals:
        front_changed(root id, path): another memory is in the tab in front; an empty path for none.
        session_requested(session id): show the chat in which a version was made.
        origin_requested(session id, message id): show the very message from which a memory or a version came; the message may be empty.
    """

    front_changed = Signal(str, str)
    session_requested = Signal(str)
    origin_requested = Signal(str, str)

    def __init__(self, controller: MemoryController, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._controller = controller
        self._workbench = workbench
        self._operations = operations
        self._numbers = count(1)
        workbench.editors.current_changed.connect(self._on_tab)
        controller.acts.moved.connect(self._on_moved)

    # --- opening -----------------------------------------------------------------------------------------------------

    def open(self, root: str, path: str) -> QWidget | None:
        """Open a memory; one of another tool in a view that changes nothing. None when there is no such root."""
        store = self._controller.store(root)
        if store is None or not path:
            return None

        def make() -> QWidget:
            return self._viewer(store, path) if store.memory_root.read_only else self._editor(self._document(store, path))

        return self._workbench.editors.open(tab_key(root, path), self._title(store, path), make, icon_name="note")

    def reveal(self, root: str, path: str, line: int, text: str = "") -> None:
        """Open a memory at a line (1-based), with `text` selected there."""
        reveal = getattr(self.open(root, path), "reveal", None)
        if callable(reveal):
            reveal(line, text)

    def new(self, root: str, folder: str = "") -> None:
        """An empty memory; it gets its file when it is saved."""
        store = self._controller.store(root)
        if store is None:
            return
        number = f"{next(self._numbers)}"

        def make() -> QWidget:
            document = self._document(store, "")
            document.folder = folder
            return self._editor(document)

        key = NEW + (number if root == PROJECT else row_key(root, number))
        self._workbench.editors.open(key, self.tr("New memory"), make, icon_name="note")

    def history(self, root: str, path: str) -> None:
        """The versions of a memory; also of one that was deleted."""
        store = self._controller.store(root)
        if store is None or not path or store.memory_root.read_only:
            return

        def make() -> QWidget:
            from desktop.ui.memory.history_view import HistoryView

            view = HistoryView(store, path, self._operations, clock=self._controller.clock)
            view.session_requested.connect(self.session_requested)
            view.origin_requested.connect(self.origin_requested)
            view.path_changed.connect(self._on_history_path)
            self._controller.snapshot_changed.connect(view.refresh)
            return view

        title = self.tr("History of {file}").format(file=self._title(store, path))
        self._workbench.editors.open(f"{HISTORY}{root}/{path}", title, make, icon_name="history")

    def _title(self, store: MemoryStore, path: str) -> str:
        """The file's name; MEMORY.md of another root than the project's says which."""
        name = shown(path.rpartition("/")[2])
        picture = self._controller.picture(store.memory_root.id)
        return f"{name} · {picture.label}" if path == INDEX_NAME and picture is not None and picture.id != PROJECT else name

    def _document(self, store: MemoryStore, path: str) -> MemoryDocument:
        workspace = self._controller.workspace
        limits = workspace.memories.limits if workspace is not None else IndexLimits
        return MemoryDocument(store, path, self._operations, limits=limits)

    def _editor(self, document: MemoryDocument) -> MemoryEditor:
        root = document.store.memory_root.id
        editor = MemoryEditor(document)
        editor.link_requested.connect(lambda name: self.follow_link(root, name))
        editor.history_requested.connect(self.history)
        editor.origin_requested.connect(self.origin_requested)
        self._add_links(editor)
        editor.close_requested.connect(self._on_close_requested)
        editor.path_changed.connect(self._on_path_changed)
        self._controller.snapshot_changed.connect(document.check)
        return editor

    def _add_links(self, editor: MemoryEditor) -> None:
        """What links to the memory, and completion of links that are typed in it."""
        document = editor.document
        root = document.store.memory_root.id

        def names() -> list[str]:
            picture = self._controller.picture(root)
            return [row.name for row in picture.notes if row.path != document.path] if picture is not None else []

        back = BackLinks(document.store, lambda: document.path, self._operations, editor)
        editor.below_form.addWidget(back)
        back.open_requested.connect(lambda path: self.open(root, path))
        LinkCompletion(editor.source, names)
        document.opened.connect(back.refresh)
        self._controller.snapshot_changed.connect(back.refresh)

    def _viewer(self, store: MemoryStore, path: str) -> QWidget:
        from desktop.ui.memory.viewer import MemoryViewer

        root = store.memory_root.id
        picture = self._controller.picture(root)
        viewer = MemoryViewer(lambda: store.read(path), picture.label if picture is not None else root, path, self._operations)
        viewer.link_requested.connect(lambda name: self.follow_link(root, name))
        return viewer

    def follow_link(self, root: str, name: str) -> None:
        """A `[[link]]` or a link to another file of the same root: by its path, its name, or its file's stem."""
        picture = self._controller.picture(root)
        wanted = name.removesuffix(".md").casefold()
        for row in picture.notes if picture is not None else ():
            stem = row.path.rpartition("/")[2].removesuffix(".md")
            if wanted in (row.path.removesuffix(".md").casefold(), row.name.casefold(), stem.casefold()):
                self.open(root, row.path)
                return
        self._workbench.notify("info", self.tr("There is no memory called “{name}”.").format(name=name))

    # --- coming back -------------------------------------------------------------------------------------------------

    def restore(self, key: str) -> bool:
        """Open a tab of before; False when it is none of ours."""
        if key.startswith(HISTORY):
            root, _, path = key.removeprefix(HISTORY).partition("/")
            self.history(root, path)
            return True
        root, path = place_of(key)
        if path:
            self.open(root, path)
        return bool(path)

    def restore_drafts(self, drafts: Drafts, placed: Placed) -> int:
        """Put texts that were not saved before a crash or a signal back into their tabs; how many have one. `placed`: see `TabDrafts`."""
        found = 0
        for stored, draft in drafts.items():
            key = stored
            if key.startswith(NEW):
                root, number = split_key(key.removeprefix(NEW))
                self.new(root if number else PROJECT)
                key = self._workbench.editors.current_key()
            elif not self.restore(key):
                continue
            editor = self._workbench.editors.widget(key)
            if isinstance(editor, MemoryEditor):
                self._put_back(editor, draft, partial(placed, stored))
                found += 1
        return found

    @staticmethod
    def _put_back(editor: MemoryEditor, draft: Draft, placed: Callable[[], None]) -> None:
        """Now for a new memory and one that is read already, else once the file is read: the draft then stands over what is on disk."""

        def put() -> None:
            editor.restore_draft(draft.text, draft.base)
            placed()

        if not editor.document.path or editor.document.base is not None:
            put()
        else:
            editor.document.opened.connect(lambda _: put(), Qt.ConnectionType.SingleShotConnection)
            editor.document.missing.connect(put, Qt.ConnectionType.SingleShotConnection)

    # --- moving ------------------------------------------------------------------------------------------------------

    def _key_of(self, editor: QObject) -> str:
        editors = self._workbench.editors
        return next((key for key in editors.open_keys() if editors.widget(key) is editor), "")

    def _on_close_requested(self) -> None:
        self._workbench.editors.close(self._key_of(self.sender()))

    def _on_path_changed(self, path: str) -> None:
        editor = self.sender()
        if isinstance(editor, MemoryEditor):
            root = editor.document.store.memory_root.id
            self._workbench.editors.rename(self._key_of(editor), tab_key(root, path), shown(path.rpartition("/")[2]))
            self._on_tab(self._workbench.editors.current_key())

    def _on_history_path(self, path: str) -> None:
        """The memory whose history is open was renamed."""
        key = self._key_of(self.sender())
        root = key.removeprefix(HISTORY).partition("/")[0]
        title = self.tr("History of {file}").format(file=shown(path.rpartition("/")[2]))
        self._workbench.editors.rename(key, f"{HISTORY}{root}/{path}", title)

    def _on_moved(self, source: str, old: str, root: str, path: str) -> None:
        """A memory went to another root: so does its tab, unless something is typed in it that is not saved."""
        key, editors = tab_key(source, old), self._workbench.editors
        if key in editors.open_keys() and key not in editors.modified_keys():
            editors.close(key)
            self.open(root, path)

    def _on_tab(self, key: str) -> None:
        self.front_changed.emit(*place_of(key))
