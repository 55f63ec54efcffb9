"""The frame of the models page's cards: title, state at the right, text, and a place for controls. Draws only. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.settings.flow import FlowRow


class Card(QFrame):
    """A card with a heading line.

    Attributes:
        title, state, text: its words; all plain.
        column: further rows go in here.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("role", "card")
        self.title = self.label()
        self.state = QLabel(self)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.text = self.label("secondary")
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.state)
        self.column = QVBoxLayout(self)
        self.column.addLayout(head)
        self.column.addWidget(self.text)
        theme.signals.theme_changed.connect(self.measure)
        self.measure()

    def label(self, role: str = "") -> QLabel:
        """A plain label that wraps; it is not yet in a layout."""
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("role", role)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        return label

    def button(self, text: str, run: Callable[[], object], *, role: str = "secondary", name: str = "") -> QPushButton:
        """A button that is not yet in a layout."""
        button = QPushButton(text, self)
        button.setProperty("role", role)
        button.setObjectName(name)
        button.clicked.connect(lambda _checked=False: run())
        return button

    def row(self, *widgets: QWidget, stretch: int = -1) -> FlowRow:
        """Add a row of widgets at the end; `stretch` is the one that takes the free width, by default the space behind."""
        line = FlowRow(self)
        for at, widget in enumerate(widgets):
            line.add(widget, stretch=at == stretch)
        self.column.addWidget(line)
        return line

    def measure(self) -> None:
        now = theme.current()
        font = theme.ui_font(now)
        font.setBold(True)
        self.title.setFont(font)
        self.column.setContentsMargins(now.px(14), now.px(10), now.px(14), now.px(12))
        self.column.setSpacing(now.px(8))


class ResultLine(QLabel):
    """What a test gave, with a sign in front so that it does not rest on colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.hide()

    def show_result(self, ok: bool | None, text: str) -> None:
        """`ok` None: it is under way."""
        sign = {True: "✓ ", False: "✗ ", None: "… "}[ok]
        self.setProperty("role", {True: "", False: "error", None: "secondary"}[ok])
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(sign + text)
        self.show()

    def dismiss(self) -> None:
        self.clear()
        self.hide()
