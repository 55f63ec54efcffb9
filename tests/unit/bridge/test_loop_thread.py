"""The loop thread: runs coroutines, cancels them at its stop, and is bounded in time."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from desktop.bridge.loop_thread import LoopThread


def test_runs_in_one_other_thread() -> None:
    loop = LoopThread()

    async def name() -> str:
        return threading.current_thread().name

    assert {loop.submit(name()).result(60) for _ in range(3)} == {"keepsake-loop"}
    assert loop.stop()
    assert not loop.running


def test_stop_cancels_and_waits_for_the_end_of_tasks() -> None:
    loop = LoopThread()
    began, ended = threading.Event(), threading.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.05)
            ended.set()

    loop.submit(work())
    assert began.wait(60)
    assert loop.stop()
    assert ended.is_set()


def test_stop_is_bounded_when_a_task_will_not_end() -> None:
    loop = LoopThread()
    began = threading.Event()

    async def stubborn() -> None:
        began.set()
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue

    loop.submit(stubborn())
    assert began.wait(60)
    before = time.monotonic()
    assert loop.stop(drain_s=0.1) is False
    assert time.monotonic() - before < 10, "the bound is 0.1 s and a margin, not the task's own length"


def test_stop_before_start_and_twice() -> None:
    loop = LoopThread()
    assert loop.stop()
    assert loop.stop()

    async def nothing() -> None: ...

    with pytest.raises(RuntimeError):
        loop.submit(nothing())


def test_a_cancelled_future_cancels_the_task() -> None:
    loop = LoopThread()
    began, cancelled = threading.Event(), threading.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    future = loop.submit(work())
    assert began.wait(60)
    future.cancel()
    assert cancelled.wait(60)
    loop.stop()
