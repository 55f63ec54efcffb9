"""The C library's heap in a long-lived window: pages that nothing uses are given back when nothing happens.

glibc keeps what was freed: after a conversation of 5,000 messages that was 10 to 18 MiB. Elsewhere (macOS, Windows, musl)
the calls are not there and nothing is done. Never touches what is in use; GUI thread.
"""

from __future__ import annotations

import ctypes
import sys

from PySide6.QtCore import QObject, QTimer

AFTER_MS = 4_000
"""Given back this long after a conversation came into view: a collection and the deletion of the old one lie before it."""


def _library() -> ctypes.CDLL | None:
    """The C library this process runs on, where it is glibc."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    known = all(hasattr(library, name) for name in ("gnu_get_libc_version", "malloc_trim"))
    return library if known else None


def give_back() -> bool:
    """Give pages that nothing uses back to the system (1 to 15 ms); whether there were any."""
    library = _library()
    return library is not None and bool(library.malloc_trim(0))


class HeapKeeper(QObject):
    """Gives back once after `soon`, when nothing came for a while."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(give_back)

    def soon(self) -> None:
        """Something large was let go of; called again, the waiting begins anew."""
        self._timer.start()
