"""The lines above the composer that speak of the tree: an earlier message is being edited, or what came later is kept. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label


class EditLine(Surface):
    """Says that what is in the composer is another version of a message; hidden otherwise.

    Signals:
        cancelled(): the message is left as it is.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("editLine")
        self.text = label(self, self.tr("Editing an earlier message. Sending it begins a new branch; the old one is kept."), wrap=True)
        self.cancel = KeyButton(self.tr("Cancel"), self)
        self.cancel.setProperty("role", "link")
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        edge = theme.current().px(8)
        row.setContentsMargins(edge + 2, 6, edge, 6)
        row.setSpacing(edge)
        row.addWidget(IconLabel(self, "edit", "secondary"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        row.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()


class LaterRow(Surface):
    """At the end of a branch that was rewound: what came after is kept, and the way to it.

    Signals:
        branch_requested(str): show the branch with this message.
    """

    branch_requested = Signal(str)

    def __init__(self, parent: QWidget, ids: Sequence[str]) -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("laterRow")
        self.ids = tuple(ids)
        text = self.tr("%n later branches are kept.", "", len(ids)) if len(ids) > 1 else self.tr("What came after is kept.")
        self.text = label(self, text, wrap=True)
        self.forward = KeyButton(self.tr("Show It Again") if len(ids) == 1 else self.tr("Show the Newest"), self)
        self.forward.setProperty("role", "link")
        self.forward.setAccessibleDescription(text)
        self.forward.clicked.connect(lambda: self.branch_requested.emit(self.ids[-1]))
        row = QHBoxLayout(self)
        edge = theme.current().px(8)
        row.setContentsMargins(edge + 2, 6, edge, 6)
        row.setSpacing(edge)
        row.addWidget(IconLabel(self, "git-branch", "secondary"), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.text, 1)
        row.addWidget(self.forward, 0, Qt.AlignmentFlag.AlignVCenter)
