"""The amount a tick carries follows the time that ticks take."""

from __future__ import annotations

from desktop.bridge.pace import FIRST, LEAST, MOST, TARGET_S, Pace


def test_slow_ticks_make_it_smaller_down_to_a_bound() -> None:
    pace = Pace()
    pace.took(TARGET_S * 1.5, full=False)
    assert pace.limit == round(FIRST / 1.5)
    for _ in range(20):
        pace.took(1.0, full=True)
    assert pace.limit == LEAST


def test_quick_full_ticks_make_it_larger_up_to_a_bound() -> None:
    pace = Pace()
    for _ in range(20):
        pace.took(0.0, full=True)
    assert pace.limit == MOST


def test_a_quick_tick_that_was_not_full_says_nothing() -> None:
    pace = Pace()
    pace.took(TARGET_S / 10, full=False)
    assert pace.limit == FIRST


def test_it_settles_where_ticks_take_the_time_that_they_should() -> None:
    pace = Pace()
    for _ in range(30):
        pace.took(pace.limit * TARGET_S / 900, full=True)
    assert 880 <= pace.limit <= 920
