"""A memory editor on the screen with what a test asks of it."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from desktop.memory.index import IndexLimits
from desktop.memory.roots import MemoryRoot
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.memory.banner import Banner
from tests.ui.memory_world import World

WAIT_MS = 5_000
AGENT = ChangeOrigin("main", "sess_01", "msg_01", reason="it was said")


class Editor:
    """One file in an editor, on a real store."""

    def __init__(
        self,
        world: World,
        qtbot: QtBot,
        path: str,
        *,
        wait: bool = True,
        store: MemoryStore | None = None,
        limits: IndexLimits | None = None,
    ) -> None:
        self.qtbot = qtbot
        self.store = store or world.workspace.store
        self.root = self.store.root
        given = limits or IndexLimits()
        self.widget = MemoryEditor(MemoryDocument(self.store, path, world.operations, limits=lambda: given))
        self.document = self.widget.document
        qtbot.addWidget(self.widget)
        self.widget.resize(900, 600)
        self.widget.show()
        if wait and path:
            self.wait(lambda: self.document.base is not None)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def type(self, text: str) -> None:
        """At the end of the file."""
        source = self.widget.source
        cursor = source.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        source.setTextCursor(cursor)
        source.insertPlainText(text)

    def replace(self, old: str, new: str) -> None:
        """In the draft."""
        assert old in self.widget.draft()
        self.widget.source.change_to(self.widget.draft().replace(old, new))

    def save(self) -> bool:
        ended: list[bool] = []
        self.widget.save(ended.append)
        self.wait(lambda: bool(ended))
        return ended[0]

    def on_disk(self, path: str = "") -> str:
        return (self.root / (path or self.document.path)).read_text(encoding="utf-8")

    def agent_changes(self, old: str, new: str, origin: ChangeOrigin = AGENT) -> None:
        """The agent edits this file through the store."""
        stored = self.store.read(self.document.path)
        assert old in stored.text
        self.store.write(self.document.path, stored.text.replace(old, new), base_digest=stored.digest, origin=origin)


def store_of(world: World, root: MemoryRoot) -> MemoryStore:
    """The store of another root of the table."""
    workspace, services = world.workspace, world.services
    return MemoryStore(workspace.project, services.paths, services.clock, workspace.memory_state, root=root)


def press(banner: Banner, text: str) -> None:
    """Click a button of a banner."""
    next(button for button in banner.buttons if button.text() == text).click()


def choices(banner: Banner) -> list[str]:
    """What a banner offers."""
    return [button.text() for button in banner.buttons]
