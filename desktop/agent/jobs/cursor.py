"""How far a session was looked at: a cursor that is stored with it and survives restart, rewind, fork and the loss of its message (W-06).

Owns the two named values of the transcript that hold it. Every message up to a cursor was looked at, on the cursor's own branch; after a
rewind that is everything up to the nearest common ancestor, and the cursor of a branch that was left is kept for the way back. Moving it
blocks for one fsync; asyncio thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.base.ids import ALPHABET
from desktop.messages.parts import Message
from desktop.sessions.store import SessionHandle

CURSOR = "extraction_cursor"
"""Id of the last message that was looked at, on the newest branch."""

LEFT = "extraction_cursors_left"
"""The cursors of branches that were left by a rewind."""

MOST_LEFT = 32
_ULID = re.compile(rf"msg_[{ALPHABET}]{{26}}")


class Cursor:
    """The cursor of one open session."""

    def __init__(self, handle: SessionHandle) -> None:
        self._handle = handle

    def position(self, messages: Sequence[Message]) -> int:
        """Index of the first of these messages (a branch from its start) that was not looked at yet."""
        places = {message.id: number for number, message in enumerate(messages)}
        return max((self._behind(one, messages, places) for one in self._all()), default=0)

    def move(self, message_id: str) -> None:
        """Everything up to this message was looked at.

        Raises:
            StorageError: it is not stored; the old cursor holds.
        """
        passed = set(self._handle.ancestors(message_id))
        left = [one for one in self._all() if one not in passed and any(self._handle.ancestors(one))][-MOST_LEFT:]
        if left != self._left():
            self._handle.set_meta(LEFT, left)
        self._handle.set_meta(CURSOR, message_id)

    def _left(self) -> list[str]:
        left = self._handle.meta.get(LEFT)
        return [one for one in left if isinstance(one, str)] if isinstance(left, list) else []

    def _all(self) -> list[str]:
        """Every cursor, the present one last."""
        now = self._handle.meta.get(CURSOR)
        return [*self._left(), now] if isinstance(now, str) else self._left()

    def _behind(self, cursor: str, messages: Sequence[Message], places: dict[str, int]) -> int:
        known = False
        for ancestor in self._handle.ancestors(cursor):
            known = True
            if ancestor in places:
                return places[ancestor] + 1
        return 0 if known else _by_time(cursor, messages)


def _by_time(cursor: str, messages: Sequence[Message]) -> int:
    """Where a cursor stood whose message is lost: ids tell when a message was made. Unknown forms count as none."""
    if not _ULID.fullmatch(cursor):
        return 0
    return next((n for n, message in enumerate(messages) if not _ULID.fullmatch(message.id) or message.id > cursor), len(messages))
