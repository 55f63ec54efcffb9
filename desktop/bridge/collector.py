"""Cyclic garbage collection in the GUI thread only. Python collects in whichever thread happens to allocate; a QObject that is freed in a
worker thread takes the process down. Owns the one timer that collects instead. Never draws; lives in the GUI thread.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from desktop.base.loading import is_loading
from desktop.bridge import heap

INTERVAL_MS = 1_000
_OLDEST_EVERY = 60
"""The oldest generation is looked at once in so many rounds: it is the slow one."""


class GuiCollector(QObject):
    """Switches automatic collection off and collects on a timer; `stop` switches it on again.

    What exists when `freeze` is called (imported modules, mostly) is never looked at again, which keeps a round short.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._round = 0
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()

    @staticmethod
    def freeze() -> None:
        """Take everything that lives now out of later rounds; call it once the heavy imports are done.

        What of a window is taken out stays when a change of the language makes another one, 2 MiB each time. Looking at all of it
        again is no way out: it would destroy Qt objects of the window before while a worker still imports or reports to them.
        """
        gc.freeze()

    def collect(self) -> None:
        """One round: the generations that are due by Python's own thresholds. None while a large library is being imported."""
        if is_loading():
            return
        self._round += 1
        young, middle, _ = gc.get_count()
        if self._round % _OLDEST_EVERY == 0:
            gc.collect(2)
            heap.give_back()  # what a long conversation left behind
        elif middle > self._thresholds[1]:
            gc.collect(1)
        elif young > self._thresholds[0]:
            gc.collect(0)
