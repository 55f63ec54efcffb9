"""The drafts of the chat: what is typed and not sent, on disk for each conversation, loaded when it is shown again. GUI thread.

Owns under which key a text is kept; reading and writing go through `bridge.operations`, in order. An incognito conversation has no key.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.bridge.drafts import DraftStore
from desktop.bridge.operations import Failure, Operations


def new_key(project_key: str) -> str:
    """The key of a conversation that holds no message yet: there is one of a project."""
    return f"new-{project_key}"


class ChatDrafts(QObject):
    """See the module's text.

    Args:
        key: of the conversation that is shown, or that is being opened; empty where nothing is kept.

    Signals:
        loaded(str): what was kept of the conversation that is shown now.
        failed(Failure): it cannot be kept; said once until it can.
    """

    loaded = Signal(str)
    failed = Signal(object)

    def __init__(self, folder: Path, operations: Operations, key: Callable[[], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = DraftStore(folder)
        self._operations = operations
        self._key = key
        self._shown = ""
        self._since = ""
        self._told = False

    def save(self, text: str) -> None:
        """Keep what is typed."""
        self._since = text
        key = self._key()
        if key:
            self._put(key, text)

    def load(self) -> None:
        """Give what is kept of the conversation that is shown, once as long as it is shown: the composer has it from then on."""
        key = self._key()
        if key and key != self._shown:
            self._shown = key
            # on the writer, so that what was just given away is there
            self._operations.write(lambda: self._store.load(key), lambda text: self._loaded(key, text), self.failed.emit)

    def _loaded(self, key: str, text: str) -> None:
        if key in (self._shown, self._key()):
            self.loaded.emit(text)

    def left(self) -> None:
        """The conversation is not shown any more."""
        self._shown = ""

    def sent(self) -> None:
        """A text was taken over; what is kept from now on was typed since."""
        self._since = ""

    def confirmed(self, session_id: str, project_key: str) -> None:
        """The text that was taken over is on disk: its draft may go, and what was typed since is the session's."""
        self._shown = session_id
        self._put(session_id, self._since)
        if project_key:
            self._put(new_key(project_key), "")

    def _put(self, key: str, text: str) -> None:
        self._operations.write(lambda: self._store.save(key, text), self._kept, self._not_kept)

    def _kept(self, _none: object) -> None:
        self._told = False

    def _not_kept(self, failure: Failure) -> None:
        if not self._told:
            self._told = True
            self.failed.emit(failure)
