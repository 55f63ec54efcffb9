"""Importing a large library: no garbage collection meets it half done, and what it leaves is never looked at again.

An SDK makes some 400,000 objects that stay. Collecting over them takes 100 to 400 ms in one piece, whichever thread does it, and finds
nothing. Any thread.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Loads:
    """How many imports are under way, and whether automatic collection was on before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.was_automatic = False


_loads = _Loads()


@contextmanager
def large_import() -> Iterator[None]:
    """Around the import. Automatic collection rests meanwhile; at the end all that lives is taken out of later collections."""
    with _loads.lock:
        if not _loads.count:
            _loads.was_automatic = gc.isenabled()
            gc.disable()
        _loads.count += 1
    try:
        yield
    finally:
        with _loads.lock:
            _loads.count -= 1
            gc.freeze()
            if not _loads.count and _loads.was_automatic:
                gc.enable()


def is_loading() -> bool:
    """Whether an import is under way, so that whoever collects by hand waits."""
    return _loads.count > 0
