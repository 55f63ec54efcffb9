"""What a note says about itself, as a compact form above its text: name, description, type, pin, times, origin. GUI thread; no I/O.

The text is the truth: the form is filled from it and asks for changes of it, one field at a time.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from desktop.base.clock import parse_iso
from desktop.memory.frontmatter import Document
from desktop.ui import theme
from desktop.ui.cut import CutLabel, CutLink
from desktop.ui.memory.age import full_time
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import shown
from desktop.ui.memory.tree_model import type_word

TYPES = ("", "user", "feedback", "project", "reference")


class FrontmatterForm(QWidget):
    """See the module's text.

    Signals:
        change_requested(field, value): `name`, `description`, `type` or `pinned` was edited; an empty value takes it away.
        left_below(): Return in the last line; the text comes next.
        origin_requested(session id, message id): show where it was remembered; the message is empty where it is not known.
    """

    change_requested = Signal(str, str)
    origin_requested = Signal(str, str)
    left_below = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frontmatterForm")
        self.setAccessibleName(self.tr("About this memory"))
        self.name = self._line("frontmatterName", self.tr("Name"))
        self.kind = QComboBox(self)
        self.kind.setObjectName("frontmatterType")
        self.kind.setAccessibleName(self.tr("Type"))
        for value in TYPES:
            self.kind.addItem(type_word(value) or self.tr("no type"), value)
        self.pinned = QCheckBox(self.tr("Pinned"), self)
        self.pinned.setObjectName("frontmatterPinned")
        self.pinned.setAccessibleName(self.tr("Pinned"))
        self.pinned.setToolTip(self.tr("A pinned memory stays in the index when others are left out for want of room"))
        self.description = self._line("frontmatterDescription", self.tr("Description"))
        self.created = self._fact("frontmatterCreated")
        self.changed = self._fact("frontmatterChanged")
        self._place_of_origin: tuple[str, str] = ("", "")
        self.origin = CutLink(self, "")
        self.origin.setObjectName("frontmatterOrigin")
        self.origin.setAccessibleName(self.tr("Show where this was said"))
        self.origin.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.origin.clicked.connect(lambda _checked=False: self.origin_requested.emit(*self._place_of_origin))
        self._facts_row = QWidget(self)
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._facts_row)
        self._below.setContentsMargins(0, 0, 0, 0)
        self._below.addWidget(self.created)
        self._below.addWidget(self.changed)
        self._below.addWidget(self.origin, 1_000)  # it gives way before the times, and is no wider than its text
        self._below.addStretch(1)
        self._words = tuple(self._label(text) for text in (self.tr("Name"), self.tr("Type"), self.tr("Description")))
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(1, 1)
        self._stacked = False
        self._place()
        self.name.returnPressed.connect(self.description.setFocus)
        self.description.returnPressed.connect(self.left_below)
        self.name.editingFinished.connect(self._on_name)
        self.description.editingFinished.connect(self._on_description)
        self.kind.activated.connect(self._on_kind)
        self.pinned.clicked.connect(self._on_pinned)
        theme.signals.theme_changed.connect(self._measure)
        self._shown = ("", "", "")
        self._is_pinned = False
        self._measure()

    def _line(self, name: str, label: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(name)
        line.setAccessibleName(label)
        return line

    def _label(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", "secondary")
        return label

    def _fact(self, name: str) -> CutLabel:
        fact = CutLabel(self)
        fact.setObjectName(name)
        fact.setProperty("role", "secondary")
        return fact

    @property
    def stacked(self) -> bool:
        return self._stacked

    def set_stacked(self, stacked: bool) -> None:
        """One field a row, for a narrow editor."""
        if stacked != self._stacked:
            self._stacked = stacked
            self._place()
            self._measure()

    def _place(self) -> None:
        name, kind, description = self._words
        across = 1 if self._stacked else 4
        row = 1 if self._stacked else 0
        self._grid.addWidget(name, 0, 0)
        self._grid.addWidget(self.name, 0, 1)
        self._grid.addWidget(kind, row, 0 if self._stacked else 2)
        self._grid.addWidget(self.kind, row, 1 if self._stacked else 3)
        self._grid.addWidget(self.pinned, row + 1 if self._stacked else 0, 1 if self._stacked else 4)
        row += self._stacked
        self._grid.addWidget(description, row + 1, 0)
        self._grid.addWidget(self.description, row + 1, 1, 1, across)
        self._grid.addWidget(self._facts_row, row + 2, 1, 1, across)
        self._below.setSpacing(theme.current().px(6 if self._stacked else 24))
        self._below.setDirection(QBoxLayout.Direction.TopToBottom if self._stacked else QBoxLayout.Direction.LeftToRight)

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
        self._is_pinned = document.field("pinned") is True
        self.pinned.setChecked(self._is_pinned)
        self.pinned.setEnabled(editable)
        self._show_facts(document)

    def _show_facts(self, document: Document) -> None:
        """When it was made and changed, and where it comes from, as far as the note says it."""
        created, modified = _moment(document, "created"), _moment(document, "modified")
        origin, message = (value if isinstance(value := document.field(f"origin{key}Id"), str) else "" for key in ("Session", "Message"))
        self._place_of_origin = (origin, message)
        facts = (
            (self.created, self.tr("created {time}").format(time=full_time(created)) if created is not None else ""),
            (self.changed, self.tr("changed {time}").format(time=full_time(modified)) if modified is not None else ""),
        )
        self.origin.setText(self.tr("Origin"))
        self.origin.setToolTip(tooltip(self.tr("Show where this was said: {id}").format(id=shown(origin)[:80])))
        self.origin.setVisible(bool(origin))
        self._fit_origin()
        for fact, text in facts:
            fact.setText(text)
            fact.setVisible(bool(text))
            fact.setToolTip(tooltip(text))
        self._facts_row.setVisible(bool(origin) or any(text for _, text in facts))

    def _fit_origin(self) -> None:
        self.origin.setMaximumWidth(self.origin.sizeHint().width())

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

    def _on_pinned(self, pinned: bool) -> None:
        if pinned != self._is_pinned:
            self.change_requested.emit("pinned", "true" if pinned else "")

    def _measure(self) -> None:
        now = theme.current()
        self._grid.setContentsMargins(now.px(16), now.px(8), now.px(16), now.px(8))
        self._grid.setHorizontalSpacing(now.px(8))
        self._grid.setVerticalSpacing(now.px(6))
        self._below.setSpacing(now.px(6 if self._stacked else 24))
        self.kind.setMinimumWidth(now.px(40 if self._stacked else 120))
        self._fit_origin()


def _moment(document: Document, key: str) -> datetime | None:
    value = document.field(key)
    if isinstance(value, datetime):
        return value if value.tzinfo else value.astimezone()
    return parse_iso(value) if isinstance(value, str) else None
