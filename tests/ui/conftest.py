"""Every test of the window leaves nothing behind: no thread, no running timer, no window."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.base.paths import AppPaths
from desktop.bridge.operations import Operations
from desktop.ui import icons, notifications, theme
from tests.helpers.patient_bot import PatientBot
from tests.helpers.wait import Patience
from tests.ui.app_world import Start, World, starting

ENDING_S = 3.0
"""How long threads that were told to end may take."""


class KeepingBot(PatientBot):
    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self.kept: list[QWidget] = []

    def addWidget(self, widget: QWidget, **options: Any) -> None:
        self.kept.append(widget)
        super().addWidget(widget, **options)


def _settle() -> None:
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()


_seen_timers: weakref.WeakSet[QTimer] = weakref.WeakSet()
"""`gc.get_objects` does not give those that are frozen; see `tests/conftest.py`."""


def _timers() -> set[int]:
    """Running timers that somebody still holds."""
    _seen_timers.update(one for one in gc.get_objects() if type(one) is QTimer)
    return {id(one) for one in _seen_timers if shiboken6.isValid(one) and one.isActive()}


def _windows() -> list[QWidget]:
    return [one for one in QApplication.topLevelWidgets() if shiboken6.isValid(one) and one.parent() is None]


def _threads() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.is_alive()}


@pytest.fixture(autouse=True, scope="session")
def collect_in_the_gui_thread_only() -> Iterator[None]:
    """As `bridge.collector` does it in the app: a QObject that a worker thread frees takes the process down."""
    gc.disable()
    gc.unfreeze()
    _timers()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def toasts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said stays until the test has read it, however slow the machine is."""
    monkeypatch.setattr(notifications, "INFO_MS", 600_000)
    monkeypatch.setattr(notifications, "INFO_ACTION_MS", 600_000)


@pytest.fixture(autouse=True)
def no_profile_of_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models of the default profile are found from every profile; a test must not see those of this machine."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "no-data"))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Keeps every added widget until the test's end. pytest-qt holds it weakly; a parentless widget whose last reference hangs on a
    connection of its own child would be freed inside that child's destructor, which corrupts the heap. In the app a parent owns it.
    """
    return KeepingBot(request)


@pytest.fixture(autouse=True)
def leaves_nothing(qapp: QApplication) -> Iterator[None]:
    """Fails a test that leaves a thread, a running timer or a top-level widget behind."""
    threads, windows, timers = _threads(), {id(one) for one in _windows()}, _timers()
    yield
    _settle()
    gc.collect()
    _settle()
    patience = Patience(ENDING_S)
    while _threads() - threads and not patience.over():
        _settle()
    left = [
        *(f"thread {one.name}" for one in _threads() - threads),
        *(f"window {type(one).__name__} {one.objectName()}" for one in _windows() if id(one) not in windows),
        *(f"running timer {number:x}" for number in _timers() - timers),
    ]
    assert not left, f"left behind: {', '.join(left)}"


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    """A profile of its own."""
    return AppPaths(data=tmp_path / "profile" / "data", config=tmp_path / "profile" / "config", cache=tmp_path / "profile" / "cache")


@pytest.fixture
def operations(qapp: QApplication) -> Iterator[Operations]:
    """Workers that end with the test."""
    made = Operations()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def dark(qapp: QApplication) -> Iterator[theme.Theme]:
    """The dark theme at zoom 1, with icons."""
    icons.load()
    yield theme.apply(qapp, theme.DARK, 1.0)
    theme.apply(qapp, theme.DARK, 1.0)


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, world: World) -> Iterator[Start]:
    """Starts the app on the `world` of a test file; what was started has ended after the test."""
    with starting(qapp, qtbot, world) as made:
        yield made
