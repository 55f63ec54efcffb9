"""The line of the memory view that says how many problems its memories have, and leads to them. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop.ui import icons, theme
from desktop.ui.cut import CutButton


class HealthStrip(QWidget):
    """Hidden while no folder is open.

    Attributes:
        button: “Health (n)”, or “Health” when all is well.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryHealthStrip")
        self.button = CutButton("", self)
        self.button.setObjectName("memoryHealthOpen")
        self.button.setAccessibleName(self.tr("Health"))
        self.button.setProperty("role", "secondary")
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.button)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.hide()

    def show_count(self, count: int | None) -> None:
        """How many there are; None: no folder is open, or it was not looked at yet."""
        self.setVisible(count is not None)
        if count is None:
            return
        if count:
            text, hint = self.tr("Health ({count})").format(count=f"{count:,}"), self.tr("%n problem(s) of memory", "", count)
            icons.bind(self.button, "warning", "warning")
        else:
            text, hint = self.tr("Health"), self.tr("Nothing is wrong with these memories")
            icons.bind(self.button, "pass", "secondary")
        self.button.setText(text)
        self.button.setAccessibleName(hint)
        self.button.setToolTip(hint)

    def _measure(self) -> None:
        now = theme.current()
        self.button.setIconSize(QSize(now.px(22), now.px(16)))  # wider than the icon: room between it and the text
        self._row.setContentsMargins(now.px(12), 0, now.px(12), now.px(6))
