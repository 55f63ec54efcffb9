"""pytest-qt's bot for machines that are shared and now and then stand still: it waits longer, and a pause does not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.exceptions import TimeoutError as QtTimeoutError
from pytestqt.qtbot import QtBot

from tests.helpers.wait import Patience

LEAST_MS = 60_000
"""Waiting ends when the condition comes true; only a test that fails anyway takes this long."""
LOOK_MS = 10


class PatientBot(QtBot):
    """Waits at least `LEAST_MS`, whatever a test asks for: how fast something is, benchmarks say."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = LEAST_MS) -> None:
        patience = Patience(max(timeout, LEAST_MS) / 1000)
        while True:
            failed: AssertionError | None = None
            try:
                if callback() in (None, True):
                    return
            except AssertionError as error:
                failed = error
            if patience.over():
                raise QtTimeoutError(f"waitUntil timed out in {max(timeout, LEAST_MS)} milliseconds") from failed
            self.wait(LOOK_MS)

    def waitSignal(self, signal: Any, *, timeout: int = LEAST_MS, raising: bool | None = None, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=_stretched(timeout, raising), raising=raising, **options)

    def waitSignals(self, signals: Any, *, timeout: int = LEAST_MS, raising: bool | None = None, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=_stretched(timeout, raising), raising=raising, **options)


def _stretched(timeout: int, raising: bool | None) -> int:
    """Milliseconds. Whoever waits for nothing to happen (`assertNotEmitted`) waits as long as asked."""
    return timeout if raising is False else max(timeout, LEAST_MS)
