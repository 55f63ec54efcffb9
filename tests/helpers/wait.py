"""Waiting for a condition without fixed sleeps: polls, and fails with the condition's name when the deadline passes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool], *, timeout: float = 30.0, what: str = "the condition") -> None:
    """Return as soon as `condition()` is true."""
    deadline = time.monotonic() + timeout
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come true within {timeout} s"
        pause.wait(0.01)
