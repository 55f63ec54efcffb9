"""Long work in the background: order, progress, giving way, and an end within one batch."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop.base.errors import StorageError
from desktop.bridge.indexer import Indexer, Job, Progress, Report, Stopped
from desktop.bridge.operations import Failure


@pytest.fixture
def indexer(qtbot: QtBot) -> Iterator[Indexer]:
    made = Indexer()
    yield made
    assert made.close(5.0)
    made.deleteLater()


class Endless:
    """Work in batches that goes on until it is told to stop."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()
        self.batches = 0

    def __call__(self, stopped: Stopped, report: Report) -> int:
        self.began.set()
        while not stopped():
            self.batches += 1
            report(self.batches, 0)
        self.ended.set()
        return self.batches


def test_results_and_failures_come_back(indexer: Indexer, qtbot: QtBot) -> None:
    values: list[int] = []
    failures: list[Failure] = []

    def fail(_stopped: Stopped, _report: Report) -> int:
        raise StorageError("The disk is full.", hint="Make room.")

    busy: list[bool] = []
    indexer.busy_changed.connect(busy.append)
    indexer.run("one", lambda _stopped, _report: 1, values.append)
    indexer.run("two", fail, values.append, failures.append)
    qtbot.waitUntil(lambda: values == [1] and len(failures) == 1)
    assert failures[0].text() == "The disk is full. Make room."
    assert busy == [True, False] and not indexer.busy


def test_progress_reaches_the_window(indexer: Indexer, qtbot: QtBot) -> None:
    seen: list[Progress] = []
    indexer.progressed.connect(seen.append)
    go = threading.Event()

    def work(_stopped: Stopped, report: Report) -> int:
        report(7, 10)
        go.wait(60)
        return 0

    indexer.run("memory", work)
    qtbot.waitUntil(lambda: seen == [Progress("memory", 7, 10)])
    go.set()
    qtbot.waitUntil(lambda: not indexer.busy)


def test_a_job_that_waits_is_replaced_by_one_of_its_kind(indexer: Indexer, qtbot: QtBot) -> None:
    go = threading.Event()
    done: list[str] = []
    indexer.run("first", lambda _stopped, _report: go.wait(60))

    def numbered(number: int) -> Job:
        return lambda _stopped, _report: done.append(str(number))

    for number in range(5):
        indexer.run("again", numbered(number))
    go.set()
    qtbot.waitUntil(lambda: not indexer.busy)
    assert done == ["4"]


def test_what_may_wait_gives_way_in_the_middle(indexer: Indexer, qtbot: QtBot) -> None:
    endless, order = Endless(), list[str]()
    indexer.run("encode", endless, lambda _value: order.append("encode"), idle=True)
    qtbot.waitUntil(endless.began.is_set)
    indexer.run("memory", lambda _stopped, _report: None, lambda _value: order.append("memory"))
    qtbot.waitUntil(lambda: order == ["encode", "memory"])


def test_what_may_wait_is_held_and_goes_on(indexer: Indexer, qtbot: QtBot) -> None:
    endless = Endless()
    indexer.hold(True)
    indexer.run("encode", endless, idle=True)
    others: list[int] = []
    indexer.run("memory", lambda _stopped, _report: 1, others.append)
    qtbot.waitUntil(lambda: others == [1])
    assert not endless.began.is_set()
    indexer.hold(False)
    qtbot.waitUntil(endless.began.is_set)
    indexer.hold(True)
    indexer.cancel_all()
    qtbot.waitUntil(endless.ended.is_set)


def test_another_folder_ends_what_runs_and_forgets_what_waits(indexer: Indexer, qtbot: QtBot) -> None:
    endless, told = Endless(), list[object]()
    indexer.run("memory", endless, told.append, told.append)
    indexer.run("sessions", lambda _stopped, _report: 2, told.append)
    qtbot.waitUntil(endless.began.is_set)
    indexer.cancel_all()
    assert not indexer.busy
    qtbot.waitUntil(endless.ended.is_set)
    indexer.run("memory", lambda _stopped, _report: 3, told.append)
    qtbot.waitUntil(lambda: told == [3])


def test_it_ends_soon(qtbot: QtBot) -> None:
    indexer, endless = Indexer(), Endless()
    indexer.run("memory", endless)
    qtbot.waitUntil(endless.began.is_set)
    assert indexer.close(5.0)
    assert endless.ended.is_set()
    assert indexer.run("late", lambda _stopped, _report: 1) > 0 and not indexer.busy
    indexer.deleteLater()
