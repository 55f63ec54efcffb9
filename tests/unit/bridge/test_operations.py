"""Operations: results and failures come back in the GUI thread, writes keep their order, dead receivers are dropped."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop.base.errors import StorageError
from desktop.bridge.operations import Failure, Operations


class Receiver(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.got: list[object] = []
        self.threads: list[threading.Thread] = []

    def take(self, value: object) -> None:
        self.got.append(value)
        self.threads.append(threading.current_thread())


def test_result_comes_back_in_this_thread(operations: Operations, qtbot: QtBot) -> None:
    receiver = Receiver()
    operations.read(threading.current_thread, receiver.take)
    qtbot.waitUntil(lambda: bool(receiver.got))
    assert receiver.got[0] is not threading.main_thread()
    assert receiver.threads == [threading.main_thread()]
    assert operations.pending == 0


def test_the_receiver_is_held_until_its_result_is_delivered(operations: Operations, qtbot: QtBot) -> None:
    seen: list[int] = []

    class Short:
        def take(self, value: int) -> None:
            seen.append(value)

    operations.read(lambda: 7, Short().take)
    qtbot.waitUntil(lambda: seen == [7])


def test_writes_keep_their_order_on_one_thread(operations: Operations, qtbot: QtBot) -> None:
    order: list[int] = []
    names: set[str] = set()
    receiver = Receiver()

    def work(number: int) -> int:
        names.add(threading.current_thread().name)
        if number == 0:
            threading.Event().wait(0.05)
        order.append(number)
        return number

    for number in range(20):
        operations.write(partial(work, number), receiver.take)
    qtbot.waitUntil(lambda: len(receiver.got) == 20)
    assert order == list(range(20)) == receiver.got
    assert len(names) == 1


def test_a_known_error_keeps_message_hint_and_detail(operations: Operations, qtbot: QtBot) -> None:
    receiver = Receiver()

    def work() -> None:
        raise StorageError("a.md could not be saved.", hint="Free some space.", detail="ENOSPC")

    operations.write(work, None, receiver.take)
    qtbot.waitUntil(lambda: bool(receiver.got))
    assert receiver.got == [Failure("a.md could not be saved.", "Free some space.", "ENOSPC")]


def test_any_error_becomes_a_failure(operations: Operations, qtbot: QtBot) -> None:
    receiver = Receiver()
    operations.read(lambda: 1 // 0, receiver.take, receiver.take)
    qtbot.waitUntil(lambda: bool(receiver.got))
    failure = receiver.got[0]
    assert isinstance(failure, Failure)
    assert "division" in failure.message
    assert "ZeroDivisionError" in failure.detail


def test_a_failure_nobody_asked_for_is_a_signal(operations: Operations, qtbot: QtBot) -> None:
    with qtbot.waitSignal(operations.failed) as waiting:
        operations.read(lambda: 1 // 0)
    assert isinstance(waiting.args[0], Failure)


def test_a_receiver_that_died_is_dropped(operations: Operations, qtbot: QtBot) -> None:
    dead, alive = Receiver(), Receiver()
    gate = threading.Event()
    operations.read(lambda: gate.wait(60), dead.take, dead.take)
    shiboken6.delete(dead)
    gate.set()
    operations.read(lambda: 1, alive.take)
    qtbot.waitUntil(lambda: alive.got == [1] and operations.pending == 0)
    assert dead.got == []


def test_a_forgotten_result_is_not_delivered(operations: Operations, qtbot: QtBot) -> None:
    receiver = Receiver()
    gate = threading.Event()
    number = operations.read(lambda: gate.wait(60), receiver.take)
    operations.forget(number)
    gate.set()
    operations.read(lambda: "second", receiver.take)
    qtbot.waitUntil(lambda: bool(receiver.got))
    assert receiver.got == ["second"]


def test_close_lets_queued_writes_finish(qapp: object) -> None:
    operations = Operations()
    done: list[int] = []
    for number in range(5):
        operations.write(partial(done.append, number))
    assert operations.close(5)
    assert done == [0, 1, 2, 3, 4]
    operations.write(lambda: done.append(99))
    assert done == [0, 1, 2, 3, 4]


def test_close_is_bounded(qapp: object) -> None:
    operations = Operations()
    gate = threading.Event()
    operations.write(lambda: gate.wait(60))
    before = time.monotonic()
    assert operations.close(0.1) is False
    assert time.monotonic() - before < 10
    gate.set()


@pytest.mark.parametrize("payload", [None, True, False, 2**40, {1: "a"}])
def test_payloads_arrive_as_they_are(operations: Operations, qtbot: QtBot, payload: object) -> None:
    receiver = Receiver()
    operations.read(lambda: payload, receiver.take)
    qtbot.waitUntil(lambda: bool(receiver.got))
    assert receiver.got[0] == payload
    assert type(receiver.got[0]) is type(payload)
