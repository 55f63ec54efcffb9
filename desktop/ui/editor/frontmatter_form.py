"""What a note says about itself, as a compact form above its text: name, description, type, times, origin. GUI thread; no I/O.

The text is the truth: the form is filled from it and asks for changes of it, one field at a time.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from desktop.base.clock import parse_iso
from desktop.memory.frontmatter import Document
from desktop.ui import theme
from desktop.ui.memory.age import full_time
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.tree_model import type_word

TYPES = ("", "user", "feedback", "project", "reference")


class FrontmatterForm(QWidget):
    """See the module's text.

    Signals:
        change_requested(field, value): `name`, `description` or `type` was edited; an empty value takes it away.
    """

    change_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frontmatterForm")
        self.setAccessibleName(self.tr("About this memory"))
        self.name = self._line("frontmatterName", self.tr("Name"))
        self.description = self._line("frontmatterDescription", self.tr("Description"))
        self.kind = QComboBox(self)
        self.kind.setObjectName("frontmatterType")
        self.kind.setAccessibleName(self.tr("Type"))
        for value in TYPES:
            self.kind.addItem(type_word(value) or self.tr("no type"), value)
        self.facts = QLabel(self)
        self.facts.setObjectName("frontmatterFacts")
        self.facts.setProperty("role", "secondary")
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid = QGridLayout(self)
        self._label(self.tr("Name"), 0, 0)
        self._grid.addWidget(self.name, 0, 1)
        self._label(self.tr("Type"), 0, 2)
        self._grid.addWidget(self.kind, 0, 3)
        self._label(self.tr("Description"), 1, 0)
        self._grid.addWidget(self.description, 1, 1, 1, 3)
        self._grid.addWidget(self.facts, 2, 1, 1, 3)
        self._grid.setColumnStretch(1, 1)
        self.name.editingFinished.connect(self._on_name)
        self.description.editingFinished.connect(self._on_description)
        self.kind.activated.connect(self._on_kind)
        theme.signals.theme_changed.connect(self._measure)
        self._shown = ("", "", "")
        self._measure()

    def _line(self, name: str, label: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(name)
        line.setAccessibleName(label)
        return line

    def _label(self, text: str, row: int, column: int) -> None:
        label = QLabel(text, self)
        label.setProperty("role", "secondary")
        self._grid.addWidget(label, row, column)

    def show_document(self, document: Document, *, editable: bool = True) -> None:
        """Fill in what the text says now; a field in which the person is typing keeps the typed text."""
        shown = (document.name or "", document.description or "", document.type or "")
        self._shown = shown
        for line, value in ((self.name, shown[0]), (self.description, shown[1])):
            line.setReadOnly(not editable)
            if not (line.hasFocus() and line.isModified()) and line.text() != value:
                with QSignalBlocker(line):
                    line.setText(value)
                    line.setCursorPosition(0)
        with QSignalBlocker(self.kind):
            self.kind.setCurrentIndex(max(0, self.kind.findData(shown[2])))
        self.kind.setEnabled(editable)
        self.facts.setText(self._facts(document))
        self.facts.setVisible(bool(self.facts.text()))
        self.facts.setToolTip(tooltip(self.facts.text()))

    def _facts(self, document: Document) -> str:
        """Times and origin, where the note says them."""
        parts = []
        created, modified = _moment(document, "created"), _moment(document, "modified")
        if created is not None:
            parts.append(self.tr("created {time}").format(time=full_time(created)))
        if modified is not None:
            parts.append(self.tr("changed {time}").format(time=full_time(modified)))
        origin = document.field("originSessionId")
        if isinstance(origin, str) and origin:
            parts.append(self.tr("from session {id}").format(id=origin[:80]))
        return "   ·   ".join(parts)

    def _on_name(self) -> None:
        self._ask("name", self.name, self._shown[0])

    def _on_description(self) -> None:
        self._ask("description", self.description, self._shown[1])

    def _ask(self, field: str, line: QLineEdit, shown: str) -> None:
        value = " ".join(line.text().split())
        line.setModified(False)
        if value != shown:
            self.change_requested.emit(field, value)

    def _on_kind(self, at: int) -> None:
        value = str(self.kind.itemData(at))
        if value != self._shown[2]:
            self.change_requested.emit("type", value)

    def _measure(self) -> None:
        now = theme.current()
        self._grid.setContentsMargins(now.px(16), now.px(8), now.px(16), now.px(8))
        self._grid.setHorizontalSpacing(now.px(8))
        self._grid.setVerticalSpacing(now.px(6))
        self.kind.setMinimumWidth(now.px(120))


def _moment(document: Document, key: str) -> datetime | None:
    value = document.field(key)
    if isinstance(value, datetime):
        return value if value.tzinfo else value.astimezone()
    return parse_iso(value) if isinstance(value, str) else None
