"""Coroutines whose result the window wants: they run on the loop thread, their value comes back in the GUI thread.

What `operations` is for blocking work, this is for asyncio work (a connection test, a download). Progress values are coalesced:
only the newest of each task is delivered at a tick. Makes no widgets.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from itertools import count
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import KeepsakeError
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Done, Failure, Result
from desktop.bridge.post import deliver, post

T = TypeVar("T")
Progress = Callable[[Any], None]
log = logging.getLogger(__name__)


class Task:
    """A handle on running work. `cancel` may be called at any time; `failed` then gets nothing, `done` neither."""

    def __init__(self, number: int, tasks: Tasks) -> None:
        self._number = number
        self._tasks = tasks

    def cancel(self) -> None:
        self._tasks.cancel(self._number)


class Tasks(QObject):
    """Runs coroutines on the loop thread and hands their results over in its own thread (the GUI thread).

    Signals:
        failed(Failure): a failure nobody asked for.
    """

    failed = Signal(object)

    def __init__(self, loop: LoopThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop = loop
        self._numbers = count(1)
        self._futures: dict[int, Future[Any]] = {}
        self._receivers: dict[int, tuple[Done[Any] | None, Done[Failure] | None, Progress | None]] = {}
        self._newest: dict[int, Any] = {}
        self._lock = threading.Lock()

    def run(
        self,
        work: Callable[[Progress], Coroutine[Any, Any, T]],
        done: Done[T] | None = None,
        failed: Done[Failure] | None = None,
        progress: Progress | None = None,
    ) -> Task:
        """Start `work(report)`; `report(value)` may be called from any thread and reaches `progress` in this one."""
        number = next(self._numbers)
        self._receivers[number] = (done, failed, progress)
        future = self._loop.submit(work(lambda value: self._report(number, value)))
        self._futures[number] = future
        future.add_done_callback(lambda ended: self._ended(number, ended))
        return Task(number, self)

    def cancel(self, number: int) -> None:
        self._receivers.pop(number, None)
        future = self._futures.pop(number, None)
        if future is not None:
            future.cancel()

    def close(self) -> None:
        for number in list(self._futures):
            self.cancel(number)

    def _report(self, number: int, value: Any) -> None:
        """In any thread. One call stands for all values until it is delivered."""
        with self._lock:
            waiting = number in self._newest
            self._newest[number] = value
        if not waiting:
            post(self._deliver_progress, number)

    def _ended(self, number: int, future: Future[Any]) -> None:
        """In the loop thread."""
        try:
            result = Result(number, future.result(), None)
        except CancelledError:
            return
        except KeepsakeError as error:
            result = Result(number, None, Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("a task failed")
            result = Result(number, None, Failure.of(error))
        post(self._deliver, result)

    def _deliver_progress(self, number: int) -> None:
        with self._lock:
            value = self._newest.pop(number, None)
        receivers = self._receivers.get(number)
        if receivers is not None and receivers[2] is not None:
            deliver(receivers[2], value)

    def _deliver(self, result: Result) -> None:
        self._futures.pop(result.number, None)
        receivers = self._receivers.pop(result.number, None)
        if receivers is None:
            return
        done, failed, _ = receivers
        if result.failure is None:
            if done is not None:
                deliver(done, result.value)
        elif failed is None:
            self.failed.emit(result.failure)
        else:
            deliver(failed, result.failure)
