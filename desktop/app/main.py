"""The window's entry: makes the QApplication, runs the `Application`, gives the exit status. Nothing heavy is imported before it paints."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QRawFont
from PySide6.QtWidgets import QApplication, QStyleFactory

from desktop.app.font_rendering import lighter_stems
from desktop.bridge import import_hook

if TYPE_CHECKING:
    from desktop.compose import Options

SWITCH_S = 0.001
"""How long another thread may keep the interpreter while the window wants it. Each call into Qt gives it away, so a tick asks for it often:
with Python's 5 ms a busy loop thread turned 24 ms of work into 68 ms."""


def make_qt_application() -> QApplication:
    """The one QApplication of the process, with the name and the style that every platform gets."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    with lighter_stems(os.environ):
        app = QApplication([sys.argv[0] or "keepsake"])
        app.setProperty("firstFont", QRawFont.fromFont(app.font()))  # as long as one is open, the library keeps what it has read
    app.setApplicationName("keepsake")
    app.setApplicationDisplayName("Keepsake")
    app.setDesktopFileName("keepsake")
    app.setQuitOnLastWindowClosed(False)
    app.setStyle(QStyleFactory.create("Fusion"))
    return app


def main(options: Options, *, folder: Path | None = None, exit_after_paint: bool = False) -> int:
    """Show the window and run until it is closed; the exit status.

    Args:
        options: of `compose`.
        folder: the folder to open, or None for the last one, else the welcome page.
        exit_after_paint: end with 0 once the window has been painted.
    """
    import_hook.remove()
    sys.setswitchinterval(SWITCH_S)
    app = make_qt_application()
    from desktop.app.application import Application
    from desktop.app.hooks import ErrorHooks, SignalRelay
    from desktop.bridge.collector import GuiCollector

    collector = GuiCollector()
    collector.start()

    hooks = ErrorHooks()
    signals = SignalRelay()
    application = Application(app, options, folder=folder, exit_after_paint=exit_after_paint)
    hooks.occurred.connect(application.on_error)
    signals.received.connect(application.on_signal)
    try:
        application.start()
        return int(app.exec())
    finally:
        signals.remove()
        hooks.remove()
        collector.stop()
