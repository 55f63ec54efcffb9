"""An incognito session: the same handle as any other, with nothing behind it on disk. What it holds is gone when it is closed (UI-14).

Owns that no file, lock or list ever hears of it. Any thread.
"""

from __future__ import annotations

from datetime import datetime

from desktop.base.clock import Clock
from desktop.messages.parts import Message
from desktop.sessions.handle import Item, SessionHandle, WriterLock
from desktop.sessions.record import SessionHeader
from desktop.sessions.side_files import PutAside


class IncognitoHandle(SessionHandle):
    """See the module's text.

    Attributes:
        reads_memory: fixed at creation.
    """

    incognito = True

    def __init__(self, header: SessionHeader, lock: WriterLock, clock: Clock, *, reads_memory: bool) -> None:
        super().__init__(header, lock.path, lock, clock)  # the path is never opened: `_write` does not
        self.reads_memory = reads_memory

    @property
    def stored(self) -> bool:
        return False

    def _lost_records(self) -> list[Item]:
        return []

    def _put_aside(self, message: Message) -> PutAside:
        return PutAside(message, message, ())

    def _write(self, items: list[Item], when: datetime | None = None) -> None:
        """Nothing is written; what counts as appended stands in `messages` alone."""
        self._seq += len(items)
