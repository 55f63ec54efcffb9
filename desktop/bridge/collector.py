"""Cyclic garbage collection in the GUI thread only. Python collects in whichever thread happens to allocate; a QObject that is freed in a
worker thread takes the process down. Owns the one timer that collects instead. Never draws; lives in the GUI thread.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer

from desktop.base.loading import is_loading
from desktop.bridge import heap

INTERVAL_MS = 1_000
_OLDEST_EVERY = 60
"""The oldest generation is looked at once in so many rounds: it is the slow one (20 to 70 ms)."""
_SOONEST, _MUCH = 3, 40_000
"""Sooner, but not before so many rounds, when so many more blocks of memory are in use. A conversation of 5,000 messages, or a window, that
was left is one knot that only this generation undoes. Left for a minute, several of them lie among what lives, and the pages that they
filled stay when they are gone: 4 MiB for each view of 5,000 messages, 1 MiB for each change of the language."""
_TYPING, _LONGEST = 2, 60
"""A key is waited for by the person who pressed it: for so many rounds after one no long round is made, but none is put off by more than so
many. With 10,000 memories and a conversation of 5,000 messages a long round takes 130 to 400 ms."""


class GuiCollector(QObject):
    """Switches automatic collection off and collects on a timer; `stop` switches it on again.

    What exists when `freeze` is called (imported modules, mostly) is never looked at again, which keeps a round short.
    """

    _frozen = False
    """Before, the window is still being made: no long round then."""
    _asked = False
    _typing = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._round = self._waited = 0
        self._blocks = sys.getallocatedblocks()
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

    @classmethod
    def freeze(cls) -> None:
        """Take everything that lives now out of later rounds, once for the process; call it when the heavy imports are done.

        Only the first window is frozen with them: a later one would stay for good when another takes its place, 2 MiB each time. What was
        frozen is never looked at again. When a window has gone, no living Qt object is among what is left of it to collect.
        """
        if not cls._frozen:
            cls._frozen = True
            gc.freeze()

    @classmethod
    def look_soon(cls) -> None:
        """A window was left: the next round looks at everything that is not frozen."""
        cls._asked = True

    @classmethod
    def typed(cls) -> None:
        """A key was pressed in a field in which people write."""
        cls._typing = _TYPING

    def collect(self) -> None:
        """One round: the generations that are due by Python's own thresholds. None while a large library is being imported."""
        if is_loading():
            return
        self._round += 1
        young, middle, _ = gc.get_count()
        due, typing = self._is_oldest_due(), self._typing > 0 and self._waited < _LONGEST
        GuiCollector._typing = max(0, self._typing - 1)
        if due and not typing:
            gc.collect(2)
            heap.give_back()  # what a long conversation left behind
            self._round, self._waited, self._blocks = 0, 0, sys.getallocatedblocks()
            GuiCollector._asked = False
            return
        self._waited += due
        if middle > self._thresholds[1]:
            gc.collect(1)
        elif young > self._thresholds[0]:
            gc.collect(0)

    def _is_oldest_due(self) -> bool:
        if self._round >= _OLDEST_EVERY or self._asked:
            return True
        return self._frozen and self._round >= _SOONEST and sys.getallocatedblocks() - self._blocks > _MUCH
