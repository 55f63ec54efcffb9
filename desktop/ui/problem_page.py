"""A page that says what is wrong and what can be done about it, for when there is nothing else to show. GUI thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

WIDTH = 560


class ProblemPage(QWidget):
    """Title, what happened, the way out, and buttons (label, callable)."""

    def __init__(self, title: str, text: str, hint: str, actions: Sequence[tuple[str, Callable[[], object]]]) -> None:
        super().__init__()
        self.setObjectName("problemPage")
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{text} {hint}".strip())
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 48, 32, 32)
        column.setSpacing(12)
        for words, role in ((title, "heading"), (text, ""), (hint, "secondary")):
            if words:
                label = QLabel(words, self)
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                label.setWordWrap(True)
                label.setMaximumWidth(WIDTH)
                label.setProperty("role", role)
                column.addWidget(label)
        row = QHBoxLayout()
        for number, (words, run) in enumerate(actions):
            button = QPushButton(words, self)
            button.setAccessibleName(words)
            if number:
                button.setProperty("role", "secondary")
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
