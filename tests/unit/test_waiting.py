"""The waits of these tests: a pause of the machine does not count, and a condition that never comes true fails by its name."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.wait import LONGEST_STEP_S, Patience, wait_for, within


def test_a_pause_of_the_machine_counts_as_one_step() -> None:
    times = iter([0.0, 1000.0, 1000.5, 999.0, 5000.0])
    patience = Patience(LONGEST_STEP_S * 2.5, lambda: next(times))
    assert [patience.over() for _ in range(4)] == [False, False, False, True]


def test_short_steps_count_whole() -> None:
    times = iter([0.0, 0.1, 0.2, 0.31])
    patience = Patience(0.3, lambda: next(times))
    assert [patience.over() for _ in range(3)] == [False, False, True]


def test_what_never_comes_true_fails_by_its_name() -> None:
    with pytest.raises(AssertionError, match="the moon did not come true"):
        wait_for(lambda: False, timeout=0.05, what="the moon")


def test_a_block_that_takes_too_long_is_ended() -> None:
    async def run(seconds: float) -> str:
        async with within(seconds):
            await asyncio.sleep(0.2)
        return "ended"

    with pytest.raises(TimeoutError):
        asyncio.run(run(0.05))
    assert asyncio.run(run(5)) == "ended"
