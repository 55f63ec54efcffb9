"""The sweep of old versions that opening a workspace starts in the background; a test that takes folders away waits for it."""

from __future__ import annotations

import threading

NAME = "memory-sweep"


def sweeps_done() -> None:
    """Return when no sweep is under way in this process: nothing is written below a profile by one any more."""
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join(120)
            assert not thread.is_alive(), "a sweep did not end within two minutes"
