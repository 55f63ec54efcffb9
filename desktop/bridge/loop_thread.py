"""The one asyncio loop, in one daemon thread: agents, providers and subprocesses run here and nowhere else.

Owns the thread and the order of its end: cancel what runs, wait a bounded time, stop the loop, join. Makes no QObject and touches none.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)

DRAIN_S = 3.0
"""How long cancelled tasks may take to finish their records before the loop is stopped under them."""
JOIN_S = 1.0


class LoopThread:
    """Started by the first `submit` or by `start`; `stop` may be called from any thread but its own, and twice."""

    def __init__(self, name: str = "keepsake-loop") -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> asyncio.AbstractEventLoop:
        """The running loop.

        Raises:
            RuntimeError: it was stopped before.
        """
        with self._lock:
            if self._stopped:
                raise RuntimeError("The loop thread was stopped.")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop. The future may be cancelled from any thread, which cancels the task."""
        try:
            loop = self.start()
        except RuntimeError:
            work.close()
            raise
        return asyncio.run_coroutine_threadsafe(work, loop)

    def call(self, function: Callable[[], None]) -> None:
        """Call something short on the loop; nothing happens once it was stopped."""
        with self._lock:
            loop = None if self._stopped else self._loop
        if loop is not None:
            loop.call_soon_threadsafe(function)

    def stop(self, drain_s: float = DRAIN_S) -> bool:
        """End everything; True if every task ended by itself within `drain_s` seconds."""
        with self._lock:
            self._stopped = True
            loop, thread = self._loop, self._thread
        if loop is None or thread is None or not thread.is_alive():
            return True
        drained = True
        try:
            left = asyncio.run_coroutine_threadsafe(_cancel_all(drain_s), loop).result(drain_s + JOIN_S)
            drained = left == 0
        except TimeoutError:
            drained = False
            log.warning("the loop did not answer within %.1f s of its stop", drain_s + JOIN_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(JOIN_S)
        return drained and not thread.is_alive()

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            asyncio.set_event_loop(None)
            loop.close()


async def _cancel_all(drain_s: float) -> int:
    """Cancel every other task and wait for them; returns how many are still there."""
    own = asyncio.current_task()
    tasks = [task for task in asyncio.all_tasks() if task is not own]
    for task in tasks:
        task.cancel()
    if not tasks:
        return 0
    done, pending = await asyncio.wait(tasks, timeout=drain_s)
    for task in done:
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed while it was stopped", exc_info=task.exception())
    for task in pending:
        log.warning("a task did not end in time: %s", task.get_name())
    return len(pending)
