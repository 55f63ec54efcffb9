"""Single flight, the newest snapshot wins, spacing, a cap, and a bounded end."""

from __future__ import annotations

import asyncio

from desktop.agent.jobs.scheduler import LatestWins
from tests.helpers.clock import FixedClock
from tests.helpers.wait import within


async def _idle(jobs: LatestWins[int]) -> None:
    while jobs.busy:
        await asyncio.sleep(0)


def test_a_burst_coalesces_to_the_first_and_the_last() -> None:
    async def scenario() -> list[int]:
        seen: list[int] = []
        go = asyncio.Event()

        async def work(snapshot: int) -> None:
            seen.append(snapshot)
            await go.wait()

        jobs = LatestWins(work, clock=FixedClock(), spacing_s=0, most_runs=9)
        jobs.submit(1)
        await asyncio.sleep(0)
        for number in (2, 3, 4):
            jobs.submit(number)
        go.set()
        await _idle(jobs)
        return seen

    assert asyncio.run(scenario()) == [1, 4]


def test_two_runs_keep_their_distance() -> None:
    waits: list[float] = []

    async def scenario() -> None:
        async def work(snapshot: int) -> None:
            return None

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        clock = FixedClock()
        jobs = LatestWins(work, clock=clock, spacing_s=60, most_runs=9, sleep=sleep)
        jobs.submit(1)
        await _idle(jobs)
        clock.advance(20)
        jobs.submit(2)
        await _idle(jobs)

    asyncio.run(scenario())
    assert waits == [40]


def test_the_cap_ends_it() -> None:
    async def scenario() -> list[bool]:
        async def work(snapshot: int) -> None:
            return None

        jobs = LatestWins(work, clock=FixedClock(), spacing_s=0, most_runs=1)
        taken = [jobs.submit(1)]
        await _idle(jobs)
        return [*taken, jobs.submit(2)]

    assert asyncio.run(scenario()) == [True, False]


def test_close_cancels_what_does_not_end_in_time() -> None:
    async def scenario() -> tuple[bool, bool]:
        cancelled = False

        async def work(snapshot: int) -> None:
            nonlocal cancelled
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled = True
                raise

        jobs = LatestWins(work, clock=FixedClock(), spacing_s=0, most_runs=9)
        jobs.submit(1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await jobs.close(0.0)
        return cancelled, jobs.submit(2)

    assert asyncio.run(scenario()) == (True, False)


def test_finish_runs_what_waits_at_once_and_takes_nothing_more() -> None:
    async def scenario() -> tuple[list[int], bool]:
        seen: list[int] = []

        async def work(snapshot: int) -> None:
            seen.append(snapshot)

        jobs = LatestWins(work, clock=FixedClock(), spacing_s=3_600, most_runs=9)
        jobs.submit(1)
        await _idle(jobs)
        jobs.submit(2)
        await asyncio.sleep(0)
        async with within(5):
            await jobs.finish(5)
        return seen, jobs.submit(3)

    assert asyncio.run(scenario()) == ([1, 2], False)
