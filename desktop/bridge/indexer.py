"""Long work in the background, one piece after another, in a thread of its own: indexing what is searched.

What `operations` is for short work, this is for work of minutes: it says how far it is, gives way to what the person does, and ends within
one batch when it is told to. Makes no widgets; its signals come in the thread that made it (the GUI thread).

The thread is not of a lower priority: it holds the interpreter while it works, and a thread that waits for the processor with the
interpreter in its hand would stop the window. It gives way by short pauses at each report instead.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import KeepsakeError
from desktop.bridge.operations import Done, Failure
from desktop.bridge.post import deliver, post

log = logging.getLogger(__name__)

PAUSE_S, WORK_S = 0.002, 0.02
"""A report after so much work gives way for so long: the window's events and a search come in between."""
HELD_S = 0.1
"""How often held work looks whether it may go on; it ends within this time when it is told to."""

Stopped = Callable[[], bool]
Report = Callable[[int, int], None]
Job = Callable[[Stopped, Report], Any]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: `kind` names the work, `total` is 0 where it is not known."""

    kind: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class _Ended:
    number: int
    value: Any
    failure: Failure | None


@dataclass(slots=True)
class _Waiting:
    number: int
    kind: str
    job: Job | None
    idle: bool
    over: bool = False


class Indexer(QObject):
    """Runs jobs in the order in which they came; those that may wait give way to the others, also in the middle.

    Signals:
        progressed(Progress): coalesced; the newest of the running job.
        busy_changed(bool): whether there is anything to do.
    """

    progressed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        self._receivers: dict[int, tuple[Done[Any] | None, Done[Failure] | None]] = {}
        self._jobs: dict[int, Job] = {}
        self._waiting: deque[_Waiting] = deque()
        self._running: _Waiting | None = None
        self._held = False
        self._closed = False
        self._newest: Progress | None = None
        self._paused = 0.0
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        return bool(self._receivers)

    def run(self, kind: str, job: Job, done: Done[Any] | None = None, failed: Done[Failure] | None = None, *, idle: bool = False) -> int:
        """Do `job(stopped, report)` when it is its turn; a job of the same kind that still waits is replaced.

        Args:
            kind: names the work; there is at most one of a kind in the queue beside the running one.
            job: asks `stopped` often, and ends when it says so; tells `report(done, total)` how far it is.
            done, failed: get the end in this thread; neither comes for what was replaced or cancelled.
            idle: it may wait: it runs after all others, and not while `hold` is on.

        Returns:
            The number of the work, for `cancel`.
        """
        number = next(self._numbers)
        if self._closed:
            return number
        was_busy = self.busy
        with self._wake:
            for old in [one for one in self._waiting if one.kind == kind]:
                self._forget(old.number)
                self._waiting.remove(old)
            self._receivers[number] = (done, failed)
            self._jobs[number] = job
            self._waiting.append(_Waiting(number, kind, job, idle))
            self._wake.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="keepsake-indexer", daemon=True)
            self._thread.start()
        if not was_busy:
            self.busy_changed.emit(True)
        return number

    def cancel_all(self) -> None:
        """Nothing that was asked for is wanted any more; what runs ends soon."""
        with self._wake:
            for one in self._waiting:
                self._jobs.pop(one.number, None)
            self._waiting.clear()
            if self._running is not None:
                self._running.over = True
            was_busy, self._receivers = self.busy, {}
            self._newest = None
            self._wake.notify_all()
        if was_busy:
            self.busy_changed.emit(False)

    def hold(self, held: bool) -> None:
        """Let work that may wait wait, also what runs (the person types, a turn runs); or go on."""
        with self._wake:
            self._held = held
            self._wake.notify_all()

    def close(self, timeout_s: float = 1.0) -> bool:
        """End everything; True if the thread ended in time."""
        self._closed = True
        self.cancel_all()
        thread = self._thread
        if thread is None:
            return True
        deadline = monotonic() + timeout_s
        with self._wake:
            self._wake.notify_all()
        thread.join(max(0.0, deadline - monotonic()))
        if thread.is_alive():
            log.warning("indexing was still under way when the window closed")
        return not thread.is_alive()

    # --- in the thread -----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (one := self._next()) is not None:
            ended = self._attempt(one)
            with self._wake:
                self._running = None
            if not self._closed:
                post(self._deliver, ended)
            del one, ended

    def _next(self) -> _Waiting | None:
        with self._wake:
            while not self._closed:
                chosen = next((one for one in self._waiting if not one.idle), None)
                if chosen is None and not self._held and self._waiting:
                    chosen = self._waiting[0]
                if chosen is not None:
                    self._waiting.remove(chosen)
                    self._running = chosen
                    return chosen
                self._wake.wait(None)
        return None

    def _attempt(self, one: _Waiting) -> _Ended:
        """All references of this thread to the job end with this frame: it may hold a QObject."""
        job, one.job = one.job, None
        assert job is not None
        try:
            return _Ended(one.number, job(lambda: self._is_over(one), lambda done, total: self._report(one, done, total)), None)
        except KeepsakeError as error:
            return _Ended(one.number, None, Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("indexing failed")
            return _Ended(one.number, None, Failure.of(error))

    def _is_over(self, one: _Waiting) -> bool:
        """What a job asks: waits here while it is held, and is told to end when it is not wanted or others are due."""
        with self._wake:
            while one.idle and self._held and not self._closed and not one.over and not self._due():
                self._wake.wait(HELD_S)
            return self._closed or one.over or (one.idle and self._due())

    def _due(self) -> bool:
        return any(not one.idle for one in self._waiting)

    def _report(self, one: _Waiting, done: int, total: int) -> None:
        with self._wake:
            first = self._newest is None
            self._newest = Progress(one.kind, done, total)
            if not self._closed and monotonic() - self._paused > WORK_S:
                self._wake.wait(PAUSE_S)
                self._paused = monotonic()
        if first and not self._closed:
            post(self._deliver_progress)

    # --- in the GUI thread -------------------------------------------------------------------------------------------

    def _forget(self, number: int) -> None:
        self._receivers.pop(number, None)
        self._jobs.pop(number, None)

    def _deliver_progress(self) -> None:
        with self._wake:
            newest, self._newest = self._newest, None
        if newest is not None and self.busy:
            self.progressed.emit(newest)

    def _deliver(self, ended: _Ended) -> None:
        self._jobs.pop(ended.number, None)
        receivers = self._receivers.pop(ended.number, None)
        if receivers is None:
            return
        done, failed = receivers
        if ended.failure is None:
            if done is not None:
                deliver(done, ended.value)
        elif failed is not None:
            deliver(failed, ended.failure)
        if not self.busy:
            self.busy_changed.emit(False)
