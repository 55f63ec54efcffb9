"""A clock that tests set and move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FixedClock:
    """Starts at 2026-01-02 03:04:05 UTC and moves only when told, or by `step_s` at each reading."""

    def __init__(self, start: datetime | None = None, step_s: float = 0.0) -> None:
        self.moment = start or datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
        self._step = timedelta(seconds=step_s)
        self._monotonic = 0.0

    def now(self) -> datetime:
        moment = self.moment
        self.moment += self._step
        return moment

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)
        self._monotonic += seconds
