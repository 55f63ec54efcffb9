"""What was taken out of collection for one window is looked at once more when the next is made: it does not stay for good."""

from __future__ import annotations

import gc
import weakref

from desktop.bridge import heap
from desktop.bridge.collector import FROZEN_BY_PYTHON, GuiCollector


class Knot:
    def __init__(self) -> None:
        self.me = self


def test_a_frozen_cycle_that_nobody_holds_goes_with_the_next_freeze() -> None:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        knot = Knot()
        gone = weakref.ref(knot)
        kept = [[number] for number in range(2 * FROZEN_BY_PYTHON)]
        GuiCollector.freeze()
        del knot
        gc.collect()
        assert gone() is not None, "what is frozen is not looked at"
        GuiCollector.freeze()
        assert gone() is None and len(kept) == 2 * FROZEN_BY_PYTHON
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


def test_giving_back_says_whether_the_library_can_and_breaks_nothing() -> None:
    text = "x" * 1_000_000
    assert heap.give_back() in (True, False)
    assert text.count("x") == 1_000_000
