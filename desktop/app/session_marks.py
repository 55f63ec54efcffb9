"""The marks on messages of sessions that are read in tabs: which memories came from them. Reads in a worker; GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.bridge.operations import Operations

if TYPE_CHECKING:
    from desktop.compose import Workspace
    from desktop.memory.origins import MemoryPlace
    from desktop.ui.sessions.viewer import SessionViewer


class SessionMarks(QObject):
    """A tab has its marks when it opens, and again when memory was changed. Without a folder there are none.

    Args:
        viewers: the open tabs by their sessions, asked anew each time: one that was closed meanwhile is not touched.
    """

    def __init__(self, viewers: Callable[[], Mapping[str, SessionViewer]], operations: Operations, parent: QObject) -> None:
        super().__init__(parent)
        self._viewers = viewers
        self._operations = operations
        self._workspace: Workspace | None = None
        self._reading: dict[str, int] = {}

    def set_workspace(self, workspace: Workspace | None) -> None:
        self._workspace = workspace
        self.refresh()

    def refresh(self) -> None:
        """Memory was changed, or other tabs are open."""
        for session_id in self._viewers():
            self.read(session_id)

    def read(self, session_id: str) -> None:
        """Look for the memories of this session, and mark its messages in its tab."""
        from desktop.memory.origins import remembered_at

        self._operations.forget(self._reading.pop(session_id, 0))
        if self._workspace is None:
            self._show(session_id, {})
            return
        memories = self._workspace.memories
        self._reading[session_id] = self._operations.read(
            lambda: remembered_at(memories, session_id), lambda marks: self._show(session_id, marks)
        )

    def _show(self, session_id: str, marks: Mapping[str, tuple[MemoryPlace, ...]]) -> None:
        viewer = self._viewers().get(session_id)
        if viewer is not None:
            viewer.messages.set_marks(marks)
