"""Importing a large library, or reading much that stays: no garbage collection meets it half done, and none looks at it again.

An SDK makes some 400,000 objects that stay. Collecting over them takes 100 to 400 ms in one piece, whichever thread does it, and finds
nothing. Any thread.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


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
    with large_reading() as reading:
        reading.stays = True
        yield


@dataclass(slots=True)
class Reading:
    """What is being read. `stays`: it is much and will live for long, so that later collections need not go through it."""

    stays: bool = False


@contextmanager
def large_reading() -> Iterator[Reading]:
    """Around a reading that may make very many objects: collection rests meanwhile. Who reads says in `stays` whether it did."""
    reading = Reading()
    with _loads.lock:
        if not _loads.count:
            _loads.was_automatic = gc.isenabled()
            gc.disable()
        _loads.count += 1
    try:
        yield reading
    finally:
        with _loads.lock:
            _loads.count -= 1
            if reading.stays:
                gc.freeze()
            if not _loads.count and _loads.was_automatic:
                gc.enable()


def is_loading() -> bool:
    """Whether an import is under way, so that whoever collects by hand waits."""
    return _loads.count > 0
