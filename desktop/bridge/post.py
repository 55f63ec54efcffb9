"""From any thread into the GUI thread: the one QObject on which other threads emit, since it is never deleted.

A signal that a worker emits on an object that the GUI thread deletes at that moment takes the process down, there or later in the event
loop; asking before whether the object is still valid is no help (measured: segmentation fault within seconds). So nothing but this module
emits across threads, and whether a receiver is still there is asked in the GUI thread, where it is deleted. Makes no widgets; QtCore only.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, SignalInstance

log = logging.getLogger(__name__)


def is_alive(receiver: Callable[..., Any]) -> bool:
    """False when `receiver` is a bound method of a QObject whose C++ side was deleted, or a `partial` of one."""
    while isinstance(receiver, partial):
        receiver = receiver.func
    owner = getattr(receiver, "__self__", None)
    return not isinstance(owner, QObject) or bool(shiboken6.isValid(owner))


def deliver(receiver: Callable[..., Any], *values: object) -> None:
    """Call `receiver`, in the GUI thread, unless it belongs to a QObject that was deleted: a method of it, or the `emit` of its signal."""
    if not isinstance(getattr(receiver, "__self__", None), SignalInstance):
        if is_alive(receiver):
            receiver(*values)
        return
    try:
        receiver(*values)
    except RuntimeError as error:  # a signal does not say beforehand that its object is gone; what slots raise does not come through
        log.debug("nobody is there for a signal: %s", error)


class _Box(QObject):
    """What was posted, on its way."""

    posted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    def _arrived(self, receiver: Callable[..., Any] | weakref.WeakMethod[Any], values: tuple[object, ...]) -> None:
        found = receiver() if isinstance(receiver, weakref.WeakMethod) else receiver
        if found is not None:
            deliver(found, *values)


class _Place:
    """The box, made by whoever posts first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.box: _Box | None = None


_place = _Place()


def _box() -> _Box:
    with _place.lock:
        if _place.box is None:
            box = _Box()
            app = QCoreApplication.instance()
            if app is not None:
                box.moveToThread(app.thread())
            _place.box = box
        return _place.box


def post(receiver: Callable[..., Any], *values: object) -> None:
    """Call `receiver(*values)` in the GUI thread, in the order of the calls; any thread. Dropped when its QObject is gone by then."""
    _box().posted.emit(receiver, values)


def posting(receiver: Callable[..., Any]) -> Callable[..., None]:
    """A listener for facts that are told in any thread: what it is called with reaches `receiver`, a bound method, in the GUI thread.

    It does not keep the method's object, so that no other thread ever holds the last reference to it.
    """
    held = weakref.WeakMethod(receiver)

    def listener(*values: object) -> None:
        _box().posted.emit(held, values)

    return listener
