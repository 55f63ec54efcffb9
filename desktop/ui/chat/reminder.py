"""What the app put in for the model, as a folded row of a stored session. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.chat.body import LongView
from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.fold import FoldRow
from desktop.ui.chat.segments import is_long
from desktop.ui.markdown import shown

PLAIN = 40_000


class ReminderView(QWidget):
    """See the module's text."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        self.setObjectName("reminder")
        self.text = text
        self.row = FoldRow(self, self.tr("Added for the model"), secondary=True)
        self.row.set_icon("info", "secondary")
        self.row.set_note(self.tr("{n} characters").format(n=f"{len(text):,}"))
        self.row.toggled.connect(self._toggled)
        self._view: PlainView | LongView | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.row)

    def _toggled(self, is_open: bool) -> None:
        if self._view is None:
            if len(self.text) > PLAIN or any(is_long(line) for line in self.text.split("\n")):
                self._view = LongView(self)
                self._view.set_text(self.text)
            else:
                self._view = PlainView(self, lines=24, wrap=True)
                self._view.setAccessibleName(self.row.title.whole_text())
                self._view.set_text(shown(self.text))
            self._column.addWidget(self._view)
        self._view.setVisible(is_open)
