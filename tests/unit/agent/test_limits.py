"""Each limit of a turn is reached at its value and not before; 0 means none."""

from __future__ import annotations

from desktop.agent.limits import Limits, LimitWatch
from desktop.messages.usage import Usage
from tests.helpers.clock import FixedClock


def test_steps() -> None:
    watch = LimitWatch(Limits(steps=3), FixedClock())
    assert watch.reached(3, Usage()) is None
    assert "3 steps" in (watch.reached(4, Usage()) or "")


def test_tokens_and_cost() -> None:
    watch = LimitWatch(Limits(tokens=100, cost_usd=0.5), FixedClock())
    assert watch.reached(1, Usage(50, 49)) is None
    assert "100 tokens" in (watch.reached(1, Usage(50, 50)) or "")
    assert "0.5 US dollars" in (watch.reached(1, Usage(1, 1, cost_usd=0.5)) or "")
    assert watch.reached(1, Usage(1, 1, cost_usd=None)) is None


def test_time() -> None:
    clock = FixedClock()
    watch = LimitWatch(Limits(seconds=10), clock)
    clock.advance(9)
    assert watch.reached(1, Usage()) is None
    assert watch.seconds_left() == 1
    clock.advance(1)
    assert "10 seconds" in (watch.reached(1, Usage()) or "")


def test_zero_is_no_limit() -> None:
    watch = LimitWatch(Limits(steps=50), FixedClock())
    assert watch.reached(1, Usage(10**9, 10**9, cost_usd=1e9)) is None
    assert watch.seconds_left() is None
