"""Time as a value that is passed in, so that tests can set it. Wall time is for people, `monotonic` for waiting. Thread-free."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the core needs of time."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds; never goes back."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)


def from_seconds(seconds: float) -> datetime:
    """Aware UTC for the seconds of a file's times; what no calendar holds gives the nearest end of 1970 to 9998."""
    try:
        return min(_LAST, max(_FIRST, datetime.fromtimestamp(seconds, UTC)))
    except (ValueError, OverflowError, OSError):
        return _LAST if seconds > 0 else _FIRST


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and `Z`: the form of every stored time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_iso(text: str) -> datetime | None:
    """The aware time behind `text`, or None if it is none. A time without a zone is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, AttributeError, OverflowError):  # the last: a first or last day of the calendar that is none in UTC
        return None
