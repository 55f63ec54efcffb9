"""Times out of files and texts: whatever they hold, a time of the calendar comes out, or none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from desktop.base.clock import from_seconds, iso, parse_iso


@pytest.mark.parametrize("seconds", [-1e18, -1.0, 0.0, 1.5e9, 1e11, 9e12, 1e18, float("inf"), float("nan")])
def test_every_time_of_a_file_is_one_that_can_be_shown_anywhere(seconds: float) -> None:
    moment = from_seconds(seconds)
    for hours in (-14, 14):
        iso(moment + timedelta(hours=hours))
    if 0 < seconds < 1e11:
        assert moment.timestamp() == seconds


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-13-01", "", "yesterday"])
def test_what_is_no_time_in_utc_is_none(text: str) -> None:
    assert parse_iso(text) is None


def test_a_time_comes_back_as_it_was() -> None:
    for moment in (datetime(1970, 1, 1, tzinfo=UTC), datetime(2026, 2, 3, 4, 5, 6, 7_000, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
        assert parse_iso(iso(moment)) == moment
