"""The line of the memory view that says how many changes wait for the person's word, and leads to them. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop.ui import icons, theme
from desktop.ui.cut import CutButton


class ReviewStrip(QWidget):
    """Hidden while nothing waits.

    Attributes:
        button: “Review (n)”.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryReviewStrip")
        self.button = CutButton("", self)
        self.button.setObjectName("memoryReviewOpen")
        self.button.setAccessibleName(self.tr("Review"))
        self.button.setProperty("role", "secondary")
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        icons.bind(self.button, "inbox", "memory")
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.button)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.hide()

    def show_count(self, count: int) -> None:
        """How many wait."""
        text = self.tr("Review ({count})").format(count=count)
        hint = self.tr("%n changes of memory wait for your review", "", count)
        self.button.setText(text)
        self.button.setAccessibleName(hint)
        self.button.setToolTip(hint)
        self.setVisible(count > 0)

    def _measure(self) -> None:
        now = theme.current()
        self.button.setIconSize(QSize(now.px(22), now.px(16)))  # wider than the icon: room between it and the text
        self._row.setContentsMargins(now.px(12), 0, now.px(12), now.px(6))
