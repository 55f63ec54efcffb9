"""A composer with the keyboard in it, in a window of its own."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.chat.composer import Composer


def focused_composer(qtbot: QtBot, window: QSize, place: QRect) -> Iterator[Composer]:
    """For a fixture to yield from; what is typed is given away before the end, so that no timer is left."""
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(window)
    made = Composer(holder)
    made.setGeometry(place)
    holder.show()
    holder.activateWindow()
    made.edit.setFocus()
    qtbot.waitUntil(made.edit.hasFocus)
    yield made
    made.flush_draft()
