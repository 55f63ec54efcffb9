"""One problem in the health view: its memory, what is wrong, and what can be done. Draws and emits; GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import spoken
from desktop.ui import theme
from desktop.ui.controllers.health_controller import FixPreview
from desktop.ui.cut import CutLabel, CutLink
from desktop.ui.memory.health_preview import HealthPreview
from desktop.ui.memory.rows import shown
from desktop.ui.settings.flow import FlowRow

if TYPE_CHECKING:
    from desktop.memory.health_report import Finding


IN_FOLDER = ("unreadable", "link", "hard-link")
"""Kinds that are looked at where the file lies."""


class HealthRow(QWidget):
    """See the module's text.

    Attributes:
        finding: the problem.
        place: the button with the memory's name and line.
        fixes: the buttons of the repairs, by name.
        look, folder, ignore: the other buttons.
        way: what the person can do where no repair is offered.
        preview: what a repair would do, while it is shown.

    Signals:
        open_requested(root id, path, line): show the memory there.
        fix_requested(Finding, repair): mend it.
        preview_requested(Finding, repair): show what that would do.
        preview_ended(Finding): it is not wanted any more.
        apply_requested(FixPreview): make what is shown.
        ignore_requested(Finding): pass it over, or count it again.
        folder_requested(root id, path): show its folder in the file manager.
    """

    open_requested = Signal(str, str, int)
    fix_requested = Signal(object, str)
    preview_requested = Signal(object, str)
    preview_ended = Signal(object)
    apply_requested = Signal(object)
    ignore_requested = Signal(object)
    folder_requested = Signal(str, str)

    def __init__(self, finding: Finding, parent: QWidget | None = None, *, home: str = "project") -> None:
        super().__init__(parent)
        self.setObjectName("healthRow")
        self.finding = finding
        self.fixes: dict[str, QPushButton] = {}
        self.preview: HealthPreview | None = None
        self._home = home
        self._build()
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _build(self) -> None:
        problem = self.finding.problem
        name = shown(problem.path) or self.finding.label
        where = self.tr("{path}, line {line}").format(path=name, line=problem.line) if problem.line else name
        self.place = CutLink(self, where)
        self.place.setAccessibleName(self.tr("Open {path}").format(path=where))
        self.place.setEnabled(bool(problem.path))
        self.place.clicked.connect(self._open)
        self.root = CutLabel(self, "" if self.finding.root == self._home else spoken(self.finding.label))
        self.root.setProperty("role", "secondary")
        head = QHBoxLayout()
        head.addWidget(self.place)
        head.addWidget(self.root)
        head.addStretch(1)
        self.text = self._label()
        self.text.setText(spoken(problem.message))
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.way = self._label("secondary")
        self.way.setText(spoken(problem.fix))
        self.way.setVisible(bool(problem.fix) and not self.finding.fixes)
        self.note = self._label("secondary")
        self.note.hide()
        self._head = head
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self.text)
        self._column.addWidget(self.way)
        self._column.addWidget(self._actions(where))
        self._column.addWidget(self.note)

    def _label(self, role: str = "") -> QLabel:
        """A plain label that wraps. Its text is set last: that is what makes its height follow its width."""
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("role", role)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        return label

    def _actions(self, where: str) -> FlowRow:
        from desktop.memory.health_fix import SHOWN_FIRST, fix_label  # a row is made long after the start, of what that module found

        row = FlowRow(self)
        for name in self.finding.fixes if not self.finding.ignored else ():
            label = spoken(fix_label(name))
            shown_first = name in SHOWN_FIRST
            button = self._button(label + "…" * shown_first, "secondary", self.tr("{action}: {path}").format(action=label, path=where))
            asked = self.preview_requested if shown_first else self.fix_requested
            button.clicked.connect(lambda _checked=False, name=name, asked=asked: asked.emit(self.finding, name))
            row.add(button)
            self.fixes[name] = button
        self.look = self._button(self.tr("Preview"), "link", self.tr("Preview the fix of {path}").format(path=where))
        self.look.setVisible(bool(self.fixes))
        self.look.clicked.connect(self._toggle_preview)
        self.folder = self._button(self.tr("Open Folder"), "link", self.tr("Open the folder of {path}").format(path=where))
        self.folder.setVisible(self.finding.problem.kind in IN_FOLDER)
        self.folder.clicked.connect(lambda _checked=False: self.folder_requested.emit(self.finding.root, self.finding.problem.path))
        over = self.tr("Stop Ignoring") if self.finding.ignored else self.tr("Ignore")
        self.ignore = self._button(over, "link", self.tr("{action}: {path}").format(action=over, path=where))
        self.ignore.clicked.connect(lambda _checked=False: self.ignore_requested.emit(self.finding))
        row.add(self.look)
        row.add(self.folder)
        row.add(self.ignore)
        return row

    def _button(self, text: str, role: str, name: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("role", role)
        button.setAccessibleName(name)
        return button

    def _open(self) -> None:
        self.open_requested.emit(self.finding.root, self.finding.problem.path, self.finding.problem.line)

    # -- preview ---------------------------------------------------------------------------------------------------------------------

    def _toggle_preview(self) -> None:
        if self.preview is not None:
            self.end_preview()
        elif self.finding.fixes:
            self.preview_requested.emit(self.finding, self.finding.fixes[0])

    def show_preview(self, preview: FixPreview) -> None:
        """Show what a repair would do."""
        choosing = self.preview is not None and self.preview.choice.hasFocus()
        self._drop_preview()
        self.note.hide()
        self.preview = HealthPreview(preview, self, self.finding.fixes)
        self.preview.repair_chosen.connect(lambda name: self.preview_requested.emit(self.finding, name))
        self.preview.apply_requested.connect(self.apply_requested)
        self.preview.cancelled.connect(self.end_preview)
        self._column.addWidget(self.preview)
        self.look.setText(self.tr("Hide Preview"))
        QWidget.setTabOrder(self.ignore, self.preview.choice)
        QWidget.setTabOrder(self.preview.choice, self.preview.apply)
        QWidget.setTabOrder(self.preview.apply, self.preview.cancel)
        (self.preview.choice if choosing else self.preview.apply).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_failure(self, failure: Failure) -> None:
        """The repair cannot be made."""
        self._drop_preview()
        self.note.setText(failure.text())
        self.note.show()

    def end_preview(self) -> None:
        """Leave everything as it is."""
        self._drop_preview()
        self.preview_ended.emit(self.finding)
        self.look.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop_preview(self) -> None:
        if self.preview is not None:
            self._column.removeWidget(self.preview)
            self.preview.hide()
            self.preview.deleteLater()
            self.preview = None
            self.look.setText(self.tr("Preview"))

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(0, now.px(8), 0, now.px(6))
        self._column.setSpacing(now.px(4))
        self._head.setSpacing(now.px(8))
