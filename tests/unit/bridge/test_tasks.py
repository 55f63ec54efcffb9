"""Tasks: coroutines on the loop thread with results, failures, progress and cancellation in the GUI thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from pytestqt.qtbot import QtBot

from desktop.base.errors import ProviderError
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure
from desktop.bridge.tasks import Tasks

Report = Callable[[object], None]


def test_result_and_progress_arrive_here(loop: LoopThread, qtbot: QtBot) -> None:
    tasks = Tasks(loop)
    got: list[object] = []
    progress: list[object] = []

    async def work(report: Report) -> str:
        for number in range(1_000):
            report(number)
        await asyncio.sleep(0)
        return threading.current_thread().name

    tasks.run(work, got.append, None, progress.append)
    qtbot.waitUntil(lambda: bool(got))
    assert got == ["keepsake-loop"]
    assert progress[-1] == 999
    assert len(progress) < 1_000, "values that nobody could see are left out"


def test_failures(loop: LoopThread, qtbot: QtBot) -> None:
    tasks = Tasks(loop)
    failures: list[Failure] = []

    async def refused(_report: Report) -> None:
        raise ProviderError("auth", "The key was refused.", hint="Enter another.")

    async def broken(_report: Report) -> None:
        raise ValueError("odd")

    tasks.run(refused, None, failures.append)
    tasks.run(broken, None, failures.append)
    qtbot.waitUntil(lambda: len(failures) == 2)
    assert Failure("The key was refused.", "Enter another.", "") in failures
    assert any("ValueError" in failure.detail for failure in failures)
    with qtbot.waitSignal(tasks.failed):
        tasks.run(broken)


def test_cancel_reaches_the_coroutine_and_nothing_is_delivered(loop: LoopThread, qtbot: QtBot) -> None:
    tasks = Tasks(loop)
    got: list[object] = []
    began, cancelled = threading.Event(), threading.Event()

    async def work(_report: Report) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = tasks.run(work, got.append, got.append)
    qtbot.waitUntil(began.is_set)
    task.cancel()
    qtbot.waitUntil(cancelled.is_set)
    tasks.run(lambda _report: asyncio.sleep(0, "after"), got.append)
    qtbot.waitUntil(lambda: got == ["after"])
    tasks.close()
