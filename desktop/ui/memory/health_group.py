"""The problems of one kind in the health view: title with their number, what they mean, their rows, and what mends all of them.

Keeps the rows that stay when the problems change, so that scrolling, focus and an open preview stay too. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.ui import theme
from desktop.ui.controllers.health_controller import FixPreview
from desktop.ui.memory.health_preview import HealthPreview
from desktop.ui.memory.health_row import HealthRow
from desktop.ui.memory.health_words import text_of, title_of
from desktop.ui.settings.card import Card

if TYPE_CHECKING:
    from desktop.memory.health_report import Finding

FIRST, MORE = 8, 25
"""Rows that are made at first, and with each press on “more”."""


class HealthGroup(Card):
    """See the module's text.

    Attributes:
        kind: of its problems.
        rows: those that are made, by finding id.
        fix_all: mends all that can be mended.
        more: shows further ones.

    Signals:
        row_made(HealthRow): connect it.
        fix_all_requested(kind): show what mending all would do.
        apply_requested(FixPreview): make what is shown.
        preview_ended(key): it is not wanted any more.
    """

    row_made = Signal(object)
    fix_all_requested = Signal(str)
    apply_requested = Signal(object)
    preview_ended = Signal(str)

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(f"healthGroup:{kind}", parent)
        self.kind = kind
        self.rows: dict[str, HealthRow] = {}
        self.preview: HealthPreview | None = None
        self._findings: tuple[Finding, ...] = ()
        self._limit = FIRST
        self.title.setText(title_of(kind))
        self.text.setText(text_of(kind))
        self.fix_all = self.button("", lambda: self.fix_all_requested.emit(self.kind), name=f"healthFixAll:{kind}")
        self._heads = self.row(self.fix_all)
        self._below = QVBoxLayout()
        self.extra = QVBoxLayout()
        self.more = QPushButton(self)
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._show_more)
        self.column.addLayout(self.extra)
        self.column.addLayout(self._below)
        self.column.addWidget(self.more)
        self._lines: dict[str, QFrame] = {}

    @property
    def key(self) -> str:
        """Of the preview of all its repairs."""
        return f"all:{self.kind}"

    @property
    def mendable(self) -> tuple[Finding, ...]:
        """Those of the first root that has some, which is mended as one act."""
        able = [one for one in self._findings if one.fixes and not one.ignored]
        return tuple(one for one in able if one.root == able[0].root) if able else ()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these; rows that are there stay."""
        self._findings = tuple(findings)
        self.state.setText(f"{sum(1 for one in findings if not one.ignored)}")
        many = len(self.mendable)
        self.fix_all.setText(self.tr("Fix All (%n)…", "", many))
        self._heads.setVisible(many > 1)
        self._lay_out()

    def _lay_out(self) -> None:
        wanted = self._findings[: self._limit]
        keys = {finding.id: finding for finding in wanted}
        for key in [key for key, row in self.rows.items() if keys.get(key) != row.finding]:
            self._drop(key)
        for at, finding in enumerate(wanted):
            if finding.id not in self.rows:
                self._make(at, finding)
        left = len(self._findings) - len(wanted)
        self.more.setText(self.tr("Show %n More", "", left))
        self.more.setVisible(left > 0)

    def _make(self, at: int, finding: Finding) -> None:
        row = HealthRow(finding, self)
        line = QFrame(self)
        line.setProperty("role", "cardLine")
        self.rows[finding.id], self._lines[finding.id] = row, line
        place = min(2 * at, self._below.count())
        self._below.insertWidget(place, line)
        self._below.insertWidget(place + 1, row)
        self.row_made.emit(row)

    def _drop(self, key: str) -> None:
        for widget in (self.rows.pop(key), self._lines.pop(key)):
            self._below.removeWidget(widget)
            widget.hide()
            widget.deleteLater()

    def _show_more(self) -> None:
        self._limit += MORE
        self._lay_out()

    # -- all of them -----------------------------------------------------------------------------------------------------------------

    def show_preview(self, preview: FixPreview) -> None:
        """Show what mending all of them would do."""
        self.end_preview()
        self.preview = HealthPreview(preview, self)
        self.preview.apply_requested.connect(self.apply_requested)
        self.preview.cancelled.connect(self.end_preview)
        self.extra.addWidget(self.preview)
        self.preview.apply.setFocus()

    def show_failure(self, failure: Failure) -> None:
        """They cannot be mended so."""
        self.end_preview()
        self.fix_all.setToolTip(failure.text())

    def end_preview(self) -> None:
        """Leave everything as it is."""
        if self.preview is not None:
            self.extra.removeWidget(self.preview)
            self.preview.hide()
            self.preview.deleteLater()
            self.preview = None
            self.preview_ended.emit(self.key)

    def measure(self) -> None:
        super().measure()
        self.column.setSpacing(theme.current().px(6))
