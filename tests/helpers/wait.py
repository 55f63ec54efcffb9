"""Waiting for a condition without fixed sleeps: polls, and fails with the condition's name when the deadline passes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable

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


@contextlib.asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Bound the block as `asyncio.timeout` does, without counting pauses of the machine.

    Raises:
        TimeoutError: it took longer.
    """

    async def watch() -> None:
        patience = Patience(seconds)
        while not patience.over():
            await asyncio.sleep(0.02)
        bound.reschedule(asyncio.get_running_loop().time())

    async with asyncio.timeout(None) as bound:
        watcher = asyncio.create_task(watch())
        try:
            yield
        finally:
            watcher.cancel()
