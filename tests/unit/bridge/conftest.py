"""The bridge needs a Qt event loop and no widgets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from tests.helpers.patient_bot import PatientBot


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def operations(qapp: QApplication) -> Iterator[Operations]:
    made = Operations()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    made = LoopThread()
    yield made
    made.stop()
