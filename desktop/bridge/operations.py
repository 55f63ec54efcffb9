"""Work off the GUI thread: one writer, a small pool of readers. Results come back as frozen values through `bridge.post`.

Every failure becomes a `Failure` value; a receiver whose C++ side is gone is dropped. Callbacks run in the thread that made the
`Operations` (the GUI thread). Makes no widgets.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import KeepsakeError
from desktop.bridge.post import deliver, post
from desktop.bridge.post import is_alive as is_alive
from desktop.bridge.spoken import sentences, spoken

T = TypeVar("T")
Work = Callable[[], T]
Done = Callable[[T], None]
log = logging.getLogger(__name__)

READERS = 2


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: `message` names the thing, `hint` is the way out, `detail` is for the unfolded part."""

    message: str
    hint: str = ""
    detail: str = ""

    def text(self) -> str:
        """Message and hint."""
        return sentences(self.message, self.hint)

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        if isinstance(error, KeepsakeError):
            return cls(spoken(error.message), spoken(error.hint), error.detail)
        name = type(error).__name__
        return cls(str(error) or name, "", f"{name}: {error}")


@dataclass(frozen=True, slots=True)
class Result:
    """What one piece of work gave; `number` finds its receivers again."""

    number: int
    value: Any
    failure: Failure | None


class _Workers:
    """Daemon threads on one queue. They never keep the process alive, whatever they are stuck in."""

    def __init__(self, name: str, size: int) -> None:
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._name = name
        self._size = size
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._lock = threading.Lock()

    def put(self, job: Callable[[], None]) -> None:
        with self._lock:
            self._busy += 1
            if len(self._threads) < min(self._size, self._busy):
                thread = threading.Thread(target=self._run, name=f"{self._name}-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._queue.put(job)

    def close(self, deadline: float) -> bool:
        """Let what is queued finish until `deadline` (monotonic seconds); True if it did."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            job()
            with self._lock:
                self._busy -= 1


class Operations(QObject):
    """Runs work in other threads and hands results over in its own.

    Signals:
        failed(Failure): a failure nobody asked for (`failed` was not given).
        busy_changed(int): how many pieces of work are on their way.
    """

    failed = Signal(object)
    busy_changed = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        self._receivers: dict[int, tuple[Done[Any] | None, Done[Failure] | None]] = {}
        self._works: dict[int, Work[Any]] = {}
        self._writer = _Workers("keepsake-writer", 1)
        self._readers = _Workers("keepsake-reader", READERS)
        self._closed = False

    @property
    def pending(self) -> int:
        return len(self._receivers)

    def read(self, work: Work[T], done: Done[T] | None = None, failed: Done[Failure] | None = None) -> int:
        """Run `work` in the pool; `done(value)` or `failed(Failure)` follow in this thread. Returns the number of the work."""
        return self._submit(self._readers, work, done, failed)

    def write(self, work: Work[T], done: Done[T] | None = None, failed: Done[Failure] | None = None) -> int:
        """As `read`, but on the one writer: writes run one after another in the order of their calls."""
        return self._submit(self._writer, work, done, failed)

    def forget(self, number: int) -> None:
        """Drop the receivers of a piece of work: its result is not wanted any more. The work itself runs to its end."""
        if self._receivers.pop(number, None) is not None:
            self.busy_changed.emit(len(self._receivers))

    def close(self, timeout_s: float = 3.0) -> bool:
        """Take no more work, let queued writes finish for at most `timeout_s`; results are no longer delivered."""
        self._closed = True
        self._receivers.clear()
        deadline = monotonic() + timeout_s
        written = self._writer.close(deadline)
        if not written:
            log.warning("writes were still under way when the window closed")
        return self._readers.close(deadline) and written

    def _submit(self, workers: _Workers, work: Work[T], done: Done[T] | None, failed: Done[Failure] | None) -> int:
        number = next(self._numbers)
        if self._closed:
            return number
        self._receivers[number] = (done, failed)
        self._works[number] = work
        workers.put(lambda: self._run(number))
        self.busy_changed.emit(len(self._receivers))
        return number

    def _run(self, number: int) -> None:
        """In a worker thread. Work may hold a QObject, so the last reference to it has to go in the thread of `_deliver`."""
        result = self._attempt(number)
        if not self._closed:
            post(self._deliver, result)

    def _attempt(self, number: int) -> Result:
        """All references of a worker thread to the work end with this frame."""
        try:
            return Result(number, self._works[number](), None)
        except KeepsakeError as error:
            return Result(number, None, Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("an operation failed")
            return Result(number, None, Failure.of(error))

    def _deliver(self, result: Result) -> None:
        self._works.pop(result.number, None)
        receivers = self._receivers.pop(result.number, None)
        if receivers is None:
            return
        self.busy_changed.emit(len(self._receivers))
        done, failed = receivers
        if result.failure is None:
            if done is not None:
                deliver(done, result.value)
        elif failed is None:
            self.failed.emit(result.failure)
        else:
            deliver(failed, result.failure)
