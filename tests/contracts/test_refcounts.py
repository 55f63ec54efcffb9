"""The guard of ADR 0001: PySide6 6.12 on Python 3.11 loses references to None, True and False on ordinary signal calls and aborts."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

EMISSIONS = 5_000
NOISE = 100
"""Other code may take or drop a few references while the test runs; a leak is one for each emission."""


class _Sender(QObject):
    sent = Signal(object)
    flagged = Signal(bool)


class _Receiver(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def take(self, _value: object) -> None:
        self.count += 1


@pytest.mark.parametrize("value", [None, True, False], ids=str)
@pytest.mark.parametrize("kind", [Qt.ConnectionType.DirectConnection, Qt.ConnectionType.QueuedConnection], ids=["direct", "queued"])
def test_signals_keep_references(qapp: QCoreApplication, value: bool | None, kind: Qt.ConnectionType) -> None:
    sender, receiver = _Sender(), _Receiver()
    sender.sent.connect(receiver.take, kind)
    before = sys.getrefcount(value)
    for number in range(EMISSIONS):
        sender.sent.emit(value)
        if number % 500 == 0:
            qapp.processEvents()
    qapp.processEvents()
    assert receiver.count == EMISSIONS
    # Immortal objects (Python 3.12 and later) have a fixed count: the difference is 0 there.
    assert abs(sys.getrefcount(value) - before) < NOISE


def test_ordinary_calls_keep_references(qapp: QCoreApplication) -> None:
    before = [sys.getrefcount(value) for value in (None, True, False)]
    thing = QObject()
    for number in range(EMISSIONS):
        thing.setProperty("flag", number % 2 == 0)
        thing.property("flag")
        thing.parent()
        thing.blockSignals(False)
    after = [sys.getrefcount(value) for value in (None, True, False)]
    assert all(abs(one - other) < NOISE for one, other in zip(before, after, strict=True))
