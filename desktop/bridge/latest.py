"""Questions that come faster than their answers, as while somebody types: one is under way, the newest of those that wait comes next.

An answer to another question than the newest is dropped, so that nothing stale is ever shown. Makes no widgets; lives in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from desktop.bridge.operations import Failure, Operations


class Latest(QObject):
    """Asks by `operations.read`.

    Args:
        work: answers a question; runs in a worker thread.
        done: gets question and answer; a bound method.
        failed: gets question and failure; a bound method.
    """

    def __init__(
        self,
        operations: Operations,
        work: Callable[[Any], Any],
        done: Callable[[Any, Any], None],
        failed: Callable[[Any, Failure], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._operations = operations
        self._work = work
        self._done = done
        self._failed = failed
        self._number = 0
        self._asked: Any = None
        self._waiting: Any = None

    @property
    def busy(self) -> bool:
        """A question is under way."""
        return bool(self._number)

    def ask(self, question: Any) -> None:
        """`question` is the newest; not None."""
        if self._number:
            self._waiting = question
        else:
            self._start(question)

    def drop(self) -> None:
        """Nothing is wanted any more. What is under way runs to its end unheard."""
        self._operations.forget(self._number)
        self._number, self._asked, self._waiting = 0, None, None

    def _start(self, question: Any) -> None:
        work = self._work
        self._asked, self._waiting = question, None
        self._number = self._operations.read(lambda: work(question), self._on_done, self._on_failed)

    def _next(self) -> bool:
        """Whether a newer question takes the place of the one that ended."""
        self._number = 0
        if self._waiting is None:
            return False
        self._start(self._waiting)
        return True

    def _on_done(self, value: Any) -> None:
        asked = self._asked
        if not self._next():
            self._done(asked, value)

    def _on_failed(self, failure: Failure) -> None:
        asked = self._asked
        if not self._next():
            self._failed(asked, failure)
