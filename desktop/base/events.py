"""A small synchronous emitter for facts inside the Qt-free core. A listener that fails is logged and does not stop the others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Listener = Callable[[T], None]
log = logging.getLogger(__name__)


class Emitter(Generic[T]):
    """Listeners of one kind of fact. `emit` runs them in the caller's thread, in the order of their subscription."""

    def __init__(self) -> None:
        self._listeners: list[Listener[T]] = []
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener[T]) -> Callable[[], None]:
        """Add a listener; the returned call removes it again."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def emit(self, fact: T) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener(fact)
            except Exception:  # a broken listener must not undo the fact for the others; it is logged whole
                log.exception("a listener failed on %s", type(fact).__name__)
