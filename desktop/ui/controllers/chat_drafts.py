"""The drafts of the chat: what is typed and not sent, on disk for each conversation, loaded when it is shown again. GUI thread.

The composer's text belongs to one conversation at any time, its owner. While another one is being opened the composer is empty and what
is typed belongs to that one; it comes back behind the old text when nothing comes of it. A draft is never written over before it stands
in the composer: until then what is typed is kept beside it. Reading and writing go through `bridge.operations`, in order. Incognito has
an empty key, and nothing of it is kept.
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


def joined(*texts: str) -> str:
    """Texts that were typed one after the other, each on lines of its own."""
    return "\n".join(text for text in texts if text.strip()) or "".join(texts)


class ChatDrafts(QObject):
    """See the module's text.

    Args:
        key: of the conversation that is shown; empty where nothing is kept.

    Signals:
        asked(): give what is typed to `save`, at once.
        emptied(): take everything out of the composer; it was given away.
        loaded(str): put this before what is typed, on lines of its own.
        returned(str): put this right before what is typed: it was there, and was given away for nothing.
        failed(Failure): it cannot be kept; said once until it can.
    """

    asked = Signal()
    emptied = Signal()
    loaded = Signal(str)
    returned = Signal(str)
    failed = Signal(object)

    def __init__(self, folder: Path, operations: Operations, key: Callable[[], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = DraftStore(folder)
        self._operations = operations
        self._key = key
        self._owner: str | None = None
        """Whose text the composer holds; None before there is a conversation."""
        self._whole = False
        """The stored draft of the owner is in it."""
        self._opening: str | None = None
        """What is being opened with an empty composer."""
        self._given = ""
        """The owner's text, given away for that."""
        self._text = ""
        """What was typed last, as far as it was given here."""
        self._early = ""
        """Under which key text of this process is kept beside a draft."""
        self._reading = 0
        self._told = False

    # --- which conversation ------------------------------------------------------------------------------------------

    def opening(self, key: str) -> None:
        """Another conversation is being opened; what is typed from now on is its own."""
        if self._opening is None and self._owner in (None, key):
            return  # what stands in the composer is for that one
        self.asked.emit()
        if self._opening is None:
            self._given = self._text
            self._give_away()
        self._drop_early()  # what was typed for one that is not opened after all goes on with the next
        self._opening = key
        self._reading += 1

    def opened(self) -> None:
        """It is shown now; `load` follows, unless a text is sent at once."""
        key = self._key()
        if self._opening is not None or self._owner != key:
            self._opening, self._given = None, ""
            self._owner, self._whole = key, not key
            self._reading += 1
        if self._early != key:
            self._drop_early()

    def not_opened(self) -> None:
        """The old one is still shown, with what was typed meanwhile; `load` follows."""
        if self._opening is None:
            return
        self._drop_early()
        self._opening, given, self._given = None, self._given, ""
        if self._whole:
            self.returned.emit(given)
        self.asked.emit()

    def left(self) -> None:
        """The conversation is not shown any more, and no other one of its folder will be."""
        self.asked.emit()
        if self._opening is not None:
            self._owner, self._whole, self._opening = self._opening, False, None
        if self._owner is not None:
            self._give_away()
        self._drop_early()
        self._owner, self._whole, self._given = None, False, ""
        self._reading += 1

    def _give_away(self) -> None:
        """The owner keeps what stands in the composer, behind a draft that had not come yet."""
        key, text = self._owner, self._text
        if key and not self._whole:
            own = self._early == key
            self._early = ""
            self._write(lambda: self._append(key, text, own=own))
        self._text = ""
        self.emptied.emit()

    def _append(self, key: str, text: str, *, own: bool) -> None:
        early = "" if own else self._store.load(EARLY + key)
        if early or text:
            self._store.save(key, joined(self._store.load(key), early, text))
        self._store.save(EARLY + key, "")

    # --- reading and writing -----------------------------------------------------------------------------------------

    def save(self, text: str) -> None:
        """Keep what is typed."""
        self._text = text
        if self._opening is not None:
            self._put_early(self._opening, text)
            return
        key = self._key()
        if key != self._owner and self._owner is not None:  # it got its first message, and an id with it
            if self._whole and self._owner:
                self._put(self._owner, "")
            self._owner = key
        if self._whole:
            self._put(key, text)
        else:
            self._put_early(key, text)

    def load(self) -> None:
        """Give what is kept of the conversation that is shown, once as long as it is: the composer has it from then on."""
        key = self._key()
        if not key or self._opening is not None or (key == self._owner and self._whole):
            return
        self._owner, self._whole = key, False
        self._reading += 1
        reading = self._reading
        # on the writer, so that what was just given away is there
        self._operations.write(lambda: self._read(key), lambda found: self._loaded(reading, *found), self.failed.emit)

    def _read(self, key: str) -> tuple[str, str]:
        return self._store.load(key), self._store.load(EARLY + key)

    def _loaded(self, reading: int, draft: str, early: str) -> None:
        if reading != self._reading or self._owner is None:
            return
        self._whole = True
        typed = self._early == self._owner  # then it stands in the composer
        self.loaded.emit(draft if typed else joined(draft, early))
        self.asked.emit()
        self._early = ""
        if early or typed:
            self._put(EARLY + self._owner, "")

    def sent(self) -> None:
        """A text was taken over; what is kept from now on was typed since."""
        self._text = ""

    def confirmed(self, session_id: str, project_key: str) -> None:
        """The text that was taken over is on disk: its draft may go, and what was typed since is the session's."""
        if self._opening is not None:
            return
        was_new = self._whole and self._owner == new_key(project_key)  # else what is kept for a new conversation waits for the next one
        self._drop_early()
        self._owner, self._whole = session_id, True
        self._reading += 1
        self._put(session_id, self._text)
        if was_new:
            self._put(new_key(project_key), "")

    def drop(self, key: str) -> None:
        """What is kept of a conversation that is not shown was taken over by another one."""
        if key != self._owner:
            self._put(key, "")

    def _put_early(self, key: str, text: str) -> None:
        if key:
            self._early = key if text else ""
            self._put(EARLY + key, text)

    def _drop_early(self) -> None:
        """What was typed early goes on being typed elsewhere."""
        if self._early:
            self._put(EARLY + self._early, "")
            self._early = ""

    def _put(self, key: str, text: str) -> None:
        if key:
            self._write(lambda: self._store.save(key, text))

    def _write(self, work: Callable[[], None]) -> None:
        self._operations.write(work, self._kept, self._not_kept)

    def _kept(self, _none: object) -> None:
        self._told = False

    def _not_kept(self, failure: Failure) -> None:
        if not self._told:
            self._told = True
            self.failed.emit(failure)
