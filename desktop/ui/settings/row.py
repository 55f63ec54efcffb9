"""One setting on the page: title, description, control, the mark that it was changed, and the way back. GUI thread."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.settings.schema import FIELDS, Field
from desktop.ui import theme
from desktop.ui.cut import CutLabel
from desktop.ui.memory.rows import folded
from desktop.ui.settings.controls import make_control
from desktop.ui.settings.entries import Entry

CONTROL_WIDTH, NUMBER_WIDTH, CONTROL_LEAST = 320, 190, 80
"""Inputs are as wide as this where there is room, and shrink to the last."""
BAR = 2


class SettingRow(QWidget):
    """See the module's text.

    Signals:
        value_given(key, value): the person wants this value.
        reset_requested(key): the person wants the default back.
    """

    value_given = Signal(str, object)
    reset_requested = Signal(str)

    def __init__(self, entry: Entry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"setting:{entry.key}")
        self.entry = entry
        self.field: Field = FIELDS[entry.key]
        self._modified = False
        choices = " ".join(label for _, label in entry.choices)
        self._haystack = folded(f"{entry.title}\n{entry.description}\n{entry.key}\n{choices}")
        self._build()
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _build(self) -> None:
        self.title = CutLabel(self, self.entry.title)
        self.title.setToolTip(self.entry.title)
        self.key = QLabel(self.entry.key, self)
        self.key.setProperty("role", "secondary")
        self.key.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.key.setMinimumWidth(1)  # where it does not fit it is hidden; the control's tool tip has it
        self.mark = QLabel(self.tr("changed"), self)
        self.mark.setProperty("role", "secondary")
        self.reset = QPushButton(self.tr("Reset"), self)
        self.reset.setProperty("role", "link")
        self.reset.setAccessibleName(self.tr("Reset {title}").format(title=self.entry.title))
        self.reset.setCursor(Qt.CursorShape.PointingHandCursor)
        self.reset.clicked.connect(lambda: self.reset_requested.emit(self.entry.key))
        self.description = QLabel(self.entry.description, self)
        self.description.setTextFormat(Qt.TextFormat.PlainText)
        self.description.setWordWrap(True)
        self.description.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.control = make_control(self.field, self.entry, self)
        self.control.widget.setAccessibleName(self.entry.title)
        self.control.widget.setToolTip(self.entry.key)
        self.control.value_changed.connect(self._on_value)
        self.note = QLabel(self)
        self.note.setProperty("role", "secondary")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.hide()
        self._head = QHBoxLayout()
        for widget in (self.title, self.key, self.mark, self.reset):
            self._head.addWidget(widget)
        self._head.addStretch(1)
        line = QHBoxLayout()
        line.addWidget(self.control.widget, 0 if self.field.kind == "bool" else 100)
        line.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        self._column.addWidget(self.description)
        self._column.addLayout(line)
        self._column.addWidget(self.note)

    def show_value(self, value: Any, *, modified: bool, note: str = "", locked: bool = False) -> None:
        """Show what holds.

        Args:
            value: the value.
            modified: the person's file sets something else than the default.
            note: what else must be known, or empty.
            locked: the workspace holds it; the control cannot be used.
        """
        self.control.set_value(value)
        self.control.widget.setEnabled(not locked)
        self._modified = modified
        self.mark.setVisible(modified)
        self.reset.setVisible(modified)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self._fit_key()
        self.update()

    def is_modified(self) -> bool:
        return self._modified

    def matches(self, words: list[str]) -> bool:
        """Whether every folded word stands in title, description, key or choices."""
        return all(word in self._haystack for word in words)

    def _fit_key(self) -> None:
        """The key goes first where the line is too short."""
        beside = [self.title, self.key, *(widget for widget in (self.mark, self.reset) if not widget.isHidden())]
        margins = self._column.contentsMargins()
        need = sum(widget.sizeHint().width() + self._head.spacing() for widget in beside) + margins.left() + margins.right()
        self.key.setVisible(need <= self.width())

    def _on_value(self, value: object) -> None:
        self.value_given.emit(self.entry.key, value)

    def _measure(self) -> None:
        now = theme.current()
        font = theme.ui_font(now)
        font.setBold(True)
        self.title.setFont(font)
        self.key.setFont(theme.code_font(now, 11))
        self._column.setContentsMargins(now.px(14), now.px(10), now.px(14), now.px(10))
        self._column.setSpacing(now.px(5))
        self._head.setSpacing(now.px(10))
        if self.field.kind not in ("bool",):
            wide = self.field.kind in ("choice", "str", "list")
            self.control.widget.setMaximumWidth(now.px(CONTROL_WIDTH if wide else NUMBER_WIDTH))
            self.control.widget.setMinimumWidth(now.px(CONTROL_LEAST))

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_key()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._modified:
            now = theme.current()
            painter = QPainter(self)
            painter.fillRect(QRect(0, now.px(8), now.px(BAR), self.height() - now.px(16)), now.color("modified"))
            painter.end()
