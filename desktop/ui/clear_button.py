"""The button at the end of a line of text that clears it, drawn as the window's other icons are. GUI thread."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from desktop.ui import icons

ACTION = "_q_qlineeditclearaction"
"""Qt's own name of it; its icon there is a disc that follows no theme."""


def add_clear_button(line: QLineEdit) -> None:
    """Give `line` the button; it shows while there is text."""
    line.setClearButtonEnabled(True)
    action = line.findChild(QAction, ACTION)
    if action is not None:
        icons.bind(action, "close", "secondary")
