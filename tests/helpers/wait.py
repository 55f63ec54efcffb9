"""Waiting for a condition without fixed sleeps: polls, and fails with the condition's name when the deadline passes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LONGEST_STEP_S = 0.25


class Patience:
    """Counts the time between looks, each at most `LONGEST_STEP_S`: a machine that stood still for half a minute, as virtual ones do, had
    no chance to make anything true meanwhile, so that the pause does not count.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._left = seconds
        self._clock = clock
        self._looked = clock()

    def over(self) -> bool:
        """Take one look at the clock. True when nothing is left."""
        now = self._clock()
        self._left -= min(max(now - self._looked, 0.0), LONGEST_STEP_S)
        self._looked = now
        return self._left <= 0


def wait_for(condition: Callable[[], bool], *, timeout: float = 30.0, what: str = "the condition") -> None:
    """Return as soon as `condition()` is true."""
    patience = Patience(timeout)
    pause = threading.Event()
    while not condition():
        assert not patience.over(), f"{what} did not come true within {timeout} s"
        pause.wait(0.01)
