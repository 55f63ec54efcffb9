"""How much one tick hands to the window: less after a tick that took long, more again while ticks are quick. Pure; knows no Qt."""

from __future__ import annotations

MOST = 1_500
"""Characters that one tick may carry at most: 45 kB a second, far above any model."""
LEAST = 400
FIRST = 800
TARGET_S = 0.010
"""What applying a tick should take; laying out and painting take as long again."""


class Pace:
    """The limit of the next tick, in characters.

    Time is of the clock and not of the processor: on a busy machine the same text takes longer, and the window must answer all the same.
    """

    def __init__(self) -> None:
        self.limit = FIRST

    def took(self, seconds: float, *, full: bool) -> None:
        """The last tick took so long; `full`: there was more than it could carry, so that a quick one says something."""
        factor = min(1.25, max(0.5, TARGET_S / max(seconds, 1e-6)))
        if factor < 1.0 or full:
            self.limit = min(MOST, max(LEAST, round(self.limit * factor)))
