"""Questions that come faster than their answers: one at a time, the newest next, nothing stale."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop.base.errors import UsageError
from desktop.bridge.latest import Latest
from desktop.bridge.operations import Failure, Operations


class Asker(QObject):
    """Collects answers; `gate` lets the work of the first question go on."""

    def __init__(self, operations: Operations) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.worked: list[str] = []
        self.answers: list[tuple[str, str]] = []
        self.failures: list[tuple[str, Failure]] = []
        self.latest = Latest(operations, self.work, self.on_done, self.on_failed, self)

    def work(self, question: str) -> str:
        self.worked.append(question)
        self.gate.wait(60)
        if question == "bad":
            raise UsageError("No.")
        return question.upper()

    def on_done(self, question: str, value: Any) -> None:
        self.answers.append((question, value))

    def on_failed(self, question: str, failure: Failure) -> None:
        self.failures.append((question, failure))


@pytest.fixture
def asker(qtbot: QtBot) -> Iterator[Asker]:
    operations = Operations()
    made = Asker(operations)
    yield made
    made.gate.set()
    operations.close()


def test_only_the_newest_is_answered(asker: Asker, qtbot: QtBot) -> None:
    for question in ("a", "ab", "abc", "abcd"):
        asker.latest.ask(question)
    qtbot.waitUntil(lambda: asker.worked == ["a"])
    asker.gate.set()
    qtbot.waitUntil(lambda: asker.answers == [("abcd", "ABCD")])
    assert asker.worked == ["a", "abcd"], "what was typed in between is never asked"
    assert not asker.latest.busy


def test_what_is_dropped_is_not_answered(asker: Asker, qtbot: QtBot) -> None:
    asker.latest.ask("old")
    qtbot.waitUntil(lambda: asker.worked == ["old"])
    asker.latest.ask("waiting")
    asker.latest.drop()
    assert not asker.latest.busy
    asker.latest.ask("new")
    asker.gate.set()
    qtbot.waitUntil(lambda: bool(asker.answers))
    assert asker.answers == [("new", "NEW")]
    assert "waiting" not in asker.worked


def test_a_failure_of_an_old_question_is_not_told(asker: Asker, qtbot: QtBot) -> None:
    asker.latest.ask("bad")
    qtbot.waitUntil(lambda: asker.worked == ["bad"])
    asker.latest.ask("good")
    asker.gate.set()
    qtbot.waitUntil(lambda: asker.answers == [("good", "GOOD")])
    assert asker.failures == []
    asker.latest.ask("bad")
    qtbot.waitUntil(lambda: len(asker.failures) == 1)
    assert asker.failures[0][0] == "bad" and asker.failures[0][1].message == "No."
