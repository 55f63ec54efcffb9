"""The sessions in the side bar: the same list as the picker's, with a filter above. Emits intents. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.sessions.summary import SessionSummary
from desktop.ui.chat.surface import icon_button, label
from desktop.ui.clear_button import add_clear_button
from desktop.ui.sessions.model import SessionsModel
from desktop.ui.sessions.session_list import SessionList


class SessionsView(QWidget):
    """See the module's text.

    Signals:
        resume_requested(str), read_requested(str), rename_requested(str), trash_requested(str), reference_copied(str), new_requested()
    """

    resume_requested = Signal(str)
    read_requested = Signal(str)
    rename_requested = Signal(str)
    trash_requested = Signal(str)
    reference_copied = Signal(str)
    new_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sessionsView")
        self.model = SessionsModel(self)
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(self.tr("Filter sessions"))
        self.line.setAccessibleName(self.line.placeholderText())
        add_clear_button(self.line)
        self.list = SessionList(self, self.model)
        self.list.setObjectName("sessionsList")
        self._none = label(self, role="secondary", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(icon_button(self, "add", self.tr("New session"), self.new_requested.emit, name="newSessionButton"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        column.addWidget(self._none, 1)
        self._none.setContentsMargins(14, 4, 14, 4)
        self.line.textChanged.connect(self._filter)
        for name in ("resume_requested", "read_requested", "rename_requested", "trash_requested", "reference_copied"):
            getattr(self.list, name).connect(getattr(self, name))
        self._say()

    def set_sessions(self, sessions: Sequence[SessionSummary], now: datetime, current: str = "") -> None:
        chosen = self.list.chosen()
        self.model.set_sessions(sessions, now, current)
        if chosen is not None:
            self.list.choose_session(chosen.id)
        self._say()

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.list.choose(0)
        self._say()

    def _say(self) -> None:
        count = self.model.rowCount()
        self.list.setVisible(count > 0)
        self._none.setVisible(count == 0)
        empty = not self.line.text().strip()
        self._none.setText(
            self.tr("No sessions yet: a conversation is kept from its first message on.") if empty else self.tr("Nothing matches")
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.line.hasFocus():
            self.list.setFocus()
            self.list.choose(max(0, self.list.currentIndex().row()))
        else:
            super().keyPressEvent(event)
