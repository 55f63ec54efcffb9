"""Calls from any thread arrive in the GUI thread, in order, while their receivers come and go; one that is gone is not called."""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.bridge.post import deliver, is_alive, post, posting

DELETIONS = 10_000
CHILD = """
import sys, threading
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from desktop.bridge.post import post, posting

app = QCoreApplication([])
sys.setswitchinterval(1e-5)  # threads change places in the middle of anything

class Receiver(QObject):
    told = Signal(object)
    arrived = 0
    def __init__(self, parent):
        super().__init__(parent)
        self.listener = posting(self.take)
        self.told.connect(self.take, Qt.ConnectionType.QueuedConnection)
    def take(self, value):
        assert threading.current_thread() is threading.main_thread()
        assert shiboken6.isValid(self)
        Receiver.arrived += 1
    def tell(self):
        if HOW == "signal":
            if shiboken6.isValid(self):
                self.told.emit((1, 2))
        else:
            post(self.take, (1, 2))
            self.listener((3, 4))

HOW, count = sys.argv[1], int(sys.argv[2])
present, over = [None], threading.Event()

def work():
    while not over.is_set():
        receiver = present[0]
        if receiver is not None:
            try:
                receiver.tell()
            except RuntimeError:
                pass
        del receiver
        over.wait(1e-5)

threads = [threading.Thread(target=work) for _ in range(3)]
for one in threads:
    one.start()
for _ in range(count):
    parent = QObject()
    present[0] = Receiver(parent)
    for _ in range(3):
        app.processEvents()
    parent.deleteLater()
    del parent
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
over.set()
for one in threads:
    one.join()
app.processEvents()
print("arrived", Receiver.arrived > 0)
"""


class Receiver(QObject):
    told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.taken: list[object] = []
        self.threads: set[int] = set()

    def take(self, value: object) -> None:
        self.taken.append(value)
        self.threads.add(threading.get_ident())


def delete(one: QObject) -> None:
    one.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_what_a_thread_posts_arrives_in_order_in_the_gui_thread(qtbot: QtBot) -> None:
    receiver = Receiver()
    listener = posting(receiver.take)

    def work() -> None:
        for number in range(100):
            (post(receiver.take, number) if number % 2 else listener(number))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert receiver.taken == [], "nothing before the window's own turn"
    qtbot.waitUntil(lambda: len(receiver.taken) == 100)
    assert receiver.taken == list(range(100))
    assert receiver.threads == {threading.get_ident()}


def test_a_receiver_that_is_gone_is_not_called(qtbot: QtBot) -> None:
    receiver, other = Receiver(), Receiver()
    post(receiver.take, 1)
    post(receiver.told.emit, 2)
    delete(receiver)
    post(other.take, 3)
    qtbot.waitUntil(lambda: other.taken == [3])
    assert receiver.taken == []


def test_a_listener_does_not_keep_its_object(qtbot: QtBot) -> None:
    receiver = Receiver()
    gone, listener, other = weakref.ref(receiver), posting(receiver.take), Receiver()
    listener(1)
    del receiver
    assert gone() is None
    post(other.take, 2)
    qtbot.waitUntil(lambda: other.taken == [2])


def test_a_signal_of_a_deleted_object_gets_nothing(qtbot: QtBot) -> None:
    receiver = Receiver()
    heard: list[object] = []
    receiver.told.connect(heard.append)
    deliver(receiver.told.emit, 1)
    emit = receiver.told.emit
    delete(receiver)
    deliver(emit, 2)
    assert heard == [1]


def test_work_that_ends_after_its_asker_gives_no_error(qtbot: QtBot) -> None:
    """`self.failed.emit` as the receiver: nobody can see from it that its object was deleted."""
    operations, asker, go_on = Operations(), Receiver(), threading.Event()
    operations.read(lambda: go_on.wait(60), asker.told.emit, asker.told.emit)
    delete(asker)
    go_on.set()
    with qtbot.captureExceptions() as raised:
        qtbot.waitUntil(lambda: operations.pending == 0)
    operations.close()
    operations.deleteLater()
    assert raised == []


def test_threads_tell_objects_that_are_deleted_meanwhile() -> None:
    """In a process of its own: with a signal of the object itself (`signal` in place of `post`) this ends in a segmentation fault."""
    run = [sys.executable, "-c", CHILD, "post", str(DELETIONS)]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=100, cwd=Path(__file__).parents[3], check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.split() == ["arrived", "True"]


def test_half_of_a_call_belongs_to_the_object_too(qtbot: QtBot) -> None:
    """A method with its first values given is no other receiver than the method."""
    receiver, other = Receiver(), Receiver()
    for one in (receiver, other):
        post(partial(one.take, "a"))
    delete(receiver)
    qtbot.waitUntil(lambda: other.taken == ["a"])
    assert receiver.taken == []
    assert not is_alive(partial(receiver.take, 1)) and is_alive(partial(other.take, 1))
