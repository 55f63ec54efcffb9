"""One background job at a time, the newest snapshot wins, never too often. Knows nothing of what the job does. Asyncio thread.

A run that is cancelled or fails is not repeated by itself: its cursor was not moved, so the next snapshot holds its work again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from desktop.base.clock import Clock

S = TypeVar("S")
Sleep = Callable[[float], Awaitable[None]]
log = logging.getLogger(__name__)


class LatestWins(Generic[S]):
    """Runs `work` on snapshots: single flight, a newer snapshot replaces the one that waits.

    Args:
        work: the job.
        spacing_s: least seconds between the starts of two runs.
        most_runs: runs in this session; further snapshots are dropped.
    """

    def __init__(
        self, work: Callable[[S], Awaitable[None]], *, clock: Clock, spacing_s: float, most_runs: int, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._work = work
        self._clock = clock
        self._spacing = spacing_s
        self._left = most_runs
        self._sleep = sleep
        self._waiting: S | None = None
        self._task: asyncio.Task[None] | None = None
        self._last_start: float | None = None
        self._closed = False
        self._taking = True
        self._flush = asyncio.Event()

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def waiting(self) -> bool:
        """Whether a snapshot waits that no run has taken yet."""
        return self._waiting is not None

    def submit(self, snapshot: S) -> bool:
        """Take a snapshot; False when no more runs are allowed or the scheduler is closed."""
        if not self._taking or self._left <= 0:
            return False
        self._waiting = snapshot
        if not self.busy:
            self._start()
        return True

    async def _loop(self) -> None:
        while self._waiting is not None and self._left > 0 and not self._closed:
            await self._wait_for_turn()
            snapshot, self._waiting = self._waiting, None
            if snapshot is None:
                return
            self._left -= 1
            self._last_start = self._clock.monotonic()
            await self._work(snapshot)

    def _start(self) -> None:
        self._task = asyncio.create_task(self._loop())
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """After a run that ended by a fault of its own, what came meanwhile still has its turn."""
        fault = None if task.cancelled() else task.exception()
        if fault is None:
            return
        log.error("a background job failed", exc_info=fault)
        if self._waiting is not None and self._left > 0 and not self._closed:
            self._start()

    async def _wait_for_turn(self) -> None:
        if self._last_start is None:
            return
        wait = self._last_start + self._spacing - self._clock.monotonic()
        if wait <= 0 or self._flush.is_set():
            return
        waits = {asyncio.ensure_future(self._sleep(wait)), asyncio.ensure_future(self._flush.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waits:
                one.cancel()

    async def finish(self, timeout_s: float) -> None:
        """Take nothing more, run what waits at once, and wait for its end, at most `timeout_s` seconds. Cancels nothing."""
        self._taking = False
        self._flush.set()
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=timeout_s)

    async def close(self, timeout_s: float) -> None:
        """Take nothing more, give a running job `timeout_s` seconds, then cancel it and wait for its end."""
        self._closed, self._taking = True, False
        self._waiting = None
        task = self._task
        if task is None or task.done():
            return
        _, late = await asyncio.wait({task}, timeout=max(0.0, timeout_s))
        for running in late:
            running.cancel()
        if late:
            await asyncio.wait(late)
