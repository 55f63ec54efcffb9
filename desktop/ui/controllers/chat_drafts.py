"""The drafts of the chat: what is typed and not sent, on disk for each conversation, loaded when it is shown again. GUI thread.

Owns under which key a text is kept. A draft is never written over before it was shown: what is typed while a conversation is being
opened stands beside its draft until then. Reading and writing go through `bridge.operations`, in order. Incognito has no key.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.bridge.drafts import DraftStore
from desktop.bridge.operations import Failure, Operations

EARLY = "early-"
"""Before the key of a conversation: what was typed before its draft was shown."""


def new_key(project_key: str) -> str:
    """The key of a conversation that holds no message yet: there is one of a project."""
    return f"new-{project_key}"


def joined(draft: str, since: str) -> str:
    """A draft, and what was typed before it was there."""
    return f"{draft}\n{since}" if draft.strip() and since.strip() else draft or since


class ChatDrafts(QObject):
    """See the module's text.

    Args:
        key: of the conversation that is shown; empty where nothing is kept.

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
        self._opening: str | None = None
        self._shown = ""
        self._early = ""
        self._since = ""
        self._told = False

    # --- which conversation ------------------------------------------------------------------------------------------

    def opening(self, key: str) -> None:
        """Another conversation is being opened; what is typed from now on is its own. The draft of this one was given away."""
        self._drop_early()
        self._opening = key

    def opened(self) -> None:
        """It is shown now; `load` follows, unless a text is sent at once."""
        self._opening = None
        self._shown = ""

    def not_opened(self) -> None:
        """The old one is still shown, with what was typed meanwhile."""
        self._drop_early()
        self._opening = None

    def left(self) -> None:
        """The conversation is not shown any more."""
        self._shown = ""

    # --- reading and writing -----------------------------------------------------------------------------------------

    def save(self, text: str) -> None:
        """Keep what is typed."""
        self._since = text
        key = self._key() if self._opening is None else self._opening
        if not key:
            return
        if self._opening is None and self._shown and self._shown != key:  # it got its first message, and an id with it
            self._put(self._shown, "")
            self._shown = key
        if key == self._shown:
            self._put(key, text)
        else:
            self._early = key
            self._put(EARLY + key, text)

    def load(self) -> None:
        """Give what is kept of the conversation that is shown, once as long as it is: the composer has it from then on."""
        key = self._key()
        if key and key != self._shown:
            self._shown = key
            # on the writer, so that what was just given away is there
            self._operations.write(lambda: self._read(key), lambda found: self._loaded(key, *found), self.failed.emit)

    def _read(self, key: str) -> tuple[str, str]:
        return self._store.load(key), self._store.load(EARLY + key)

    def _loaded(self, key: str, draft: str, early: str) -> None:
        if key != self._shown:
            return
        typed, self._early = self._early == key, ""  # then it stands in the composer
        self.loaded.emit(draft if typed else joined(draft, early))
        if early:
            if not typed:
                self._put(key, joined(draft, early))
            self._put(EARLY + key, "")

    def _drop_early(self) -> None:
        """What was typed early goes on being typed elsewhere."""
        if self._early:
            self._put(EARLY + self._early, "")
            self._early = ""

    def sent(self) -> None:
        """A text was taken over; what is kept from now on was typed since."""
        self._since = ""

    def confirmed(self, session_id: str, project_key: str) -> None:
        """The text that was taken over is on disk: its draft may go, and what was typed since is the session's."""
        self._drop_early()
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
