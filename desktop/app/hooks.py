"""What happens outside the ordinary way: exceptions in slots and threads, Qt's own messages, SIGTERM, SIGINT and SIGHUP.

Installed once by `main`, taken out again at its end. Exceptions are logged whole and reach the window as one quiet notification.
"""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import traceback
from types import FrameType, TracebackType

from PySide6.QtCore import QMessageLogContext, QObject, QSocketNotifier, Qt, QtMsgType, Signal, qInstallMessageHandler

log = logging.getLogger(__name__)
qt_log = logging.getLogger("desktop.qt")

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
"""Signals that close the window; Windows has no SIGHUP."""

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class ErrorHooks(QObject):
    """Signals:
    occurred(str, str): an exception nobody caught: one line, and the traceback.
    """

    occurred = Signal(str, str)
    _caught = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._caught.connect(self.occurred, Qt.ConnectionType.QueuedConnection)
        self._before = sys.excepthook
        self._before_threads = threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(_on_qt_message)

    def remove(self) -> None:
        sys.excepthook = self._before
        threading.excepthook = self._before_threads
        qInstallMessageHandler(None)

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            return
        log.error("an exception was not caught", exc_info=(kind, error, trace))
        self._caught.emit(_line(error), "".join(traceback.format_exception(kind, error, trace)))

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)


def _line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    qt_log.log(_LEVELS.get(kind, logging.WARNING), "%s", message)


class SignalRelay(QObject):
    """SIGTERM, SIGINT and SIGHUP as a Qt signal: the handler itself only writes a byte, the loop reads it.

    Signals:
        received(int): the number of the signal.
    """

    received = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_byte)
        self._wakeup_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, _note) for number in ENDING}

    def remove(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _on_byte(self) -> None:
        try:
            numbers = self._reader.recv(64)
        except BlockingIOError:
            return
        for number in numbers:
            if number in ENDING:
                self.received.emit(number)


def _note(_number: int, _frame: FrameType | None) -> None:
    """The byte on the socket says it all; without a handler the process would end at once."""
