"""A line above the composer while nothing comes yet: a large prompt or a small machine lets a person wait for a minute, and silence looks
like a fault. Follows the events of a turn; appears only when the wait is long enough to wonder about. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget

from desktop.messages.events import (
    ApprovalRequest,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolStarted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)

AFTER_MS = 2_000
"""An answer that begins sooner needs no word."""


class WaitingLine(QLabel):
    """Hidden unless a request is under way and nothing of its answer is there."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(self.tr("Waiting for the model… Esc stops it."), parent)
        self.setObjectName("chatWaiting")
        self.setProperty("role", "secondary")
        self.setWordWrap(True)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.timeout.connect(self.show)
        self.hide()

    def apply(self, event: TurnEvent) -> None:
        """Take notice of one event."""
        match event:
            case TurnStarted() | StepStarted():
                self.stop()
                self._due.start(AFTER_MS)
            case TextDelta() | ThinkingDelta() | ToolCallDelta() | ToolStarted() | ApprovalRequest() | TurnEnded():
                self.stop()

    def stop(self) -> None:
        """Nobody waits any more."""
        self._due.stop()
        self.hide()
