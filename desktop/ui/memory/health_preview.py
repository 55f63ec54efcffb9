"""What a repair would do, under the problem it mends: each file's difference, and the buttons that make it or leave it. Draws only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.spoken import spoken
from desktop.ui import theme
from desktop.ui.controllers.health_controller import FixPreview
from desktop.ui.memory.diff_view import DiffView
from desktop.ui.memory.rows import shown
from desktop.ui.settings.flow import FlowRow

MOST_FILES = 6
"""Files of which the difference is drawn; the others are named."""

LEAST_LINES, MOST_LINES = 2, 14


class HealthPreview(QWidget):
    """See the module's text.

    Attributes:
        choice: the repairs of the problem, where there are several.
        apply, cancel: the buttons.
        views: one a file.

    Signals:
        apply_requested(FixPreview): make what is shown.
        cancelled(): leave it.
        repair_chosen(name): show what another repair would do.
    """

    apply_requested = Signal(object)
    cancelled = Signal()
    repair_chosen = Signal(str)

    def __init__(self, preview: FixPreview, parent: QWidget | None = None, repairs: Sequence[str] = ()) -> None:
        super().__init__(parent)
        self.setObjectName("healthPreview")
        self._preview = preview
        self.views: list[DiffView] = []
        self._column = QVBoxLayout(self)
        self._add_choice(repairs)
        for file in preview.files[:MOST_FILES]:
            self._column.addWidget(self._label(self._title(file.path, deleted=file.deleted)))
            if not (file.difference.lines or file.deleted):
                self._column.addWidget(self._label(self.tr("What it says stays as it is; the file gets a place of its own.")))
            elif not file.deleted:
                self._add_view(file.path, file.difference)
        more = [shown(file.path) for file in preview.files[MOST_FILES:]]
        if more:
            named = self.tr(", ").join(more[:20])
            self._column.addWidget(self._label(self.tr("Also %n more file(s): {names}", "", len(more)).format(names=named)))
        if preview.plan.confirmed:
            self._column.addWidget(self._label(self.tr("It is noted beside the memory: its file stays as it is.")))
        for problem, why in preview.plan.passed[:3]:
            self._column.addWidget(self._label(f"{shown(problem.path)}: {spoken(why)}"))
        self._add_buttons()
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _add_choice(self, repairs: Sequence[str]) -> None:
        from desktop.memory.health_fix import fix_label

        self.choice = QComboBox(self)
        self.choice.setAccessibleName(self.tr("Fix that is shown"))
        for name in repairs:
            self.choice.addItem(spoken(fix_label(name)), name)
        self.choice.setCurrentIndex(max(self.choice.findData(self._preview.plan.name), 0))
        self.choice.setVisible(len(repairs) > 1)
        self.choice.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.choice.activated.connect(lambda at: self.repair_chosen.emit(str(self.choice.itemData(at))))
        self._column.addWidget(self.choice)

    def _title(self, path: str, *, deleted: bool) -> str:
        name = shown(path)
        return self.tr("{path} goes to the trash").format(path=name) if deleted else name

    def _label(self, text: str) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("role", "secondary")
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        label.setText(text)  # last: that is what makes its height follow its width
        return label

    def _add_view(self, path: str, difference: object) -> None:
        view = DiffView(self)
        view.show_difference(difference)  # type: ignore[arg-type]
        view.setAccessibleName(self.tr("Differences of {path}").format(path=shown(path)))
        view.setTabChangesFocus(True)
        self.views.append(view)
        self._column.addWidget(view)

    def _add_buttons(self) -> None:
        row = FlowRow(self)
        self.apply = QPushButton(self.tr("Apply"), self)
        self.apply.setEnabled(not self._preview.plan.is_empty)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setProperty("role", "secondary")
        self.apply.clicked.connect(lambda _checked=False: self.apply_requested.emit(self._preview))
        self.cancel.clicked.connect(lambda _checked=False: self.cancelled.emit())
        row.add(self.apply)
        row.add(self.cancel)
        self._column.addWidget(row)

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(0, now.px(4), 0, now.px(4))
        self._column.setSpacing(now.px(6))
        for view in self.views:
            lines = min(max(view.document().blockCount(), LEAST_LINES), MOST_LINES)
            view.setFixedHeight(lines * (view.fontMetrics().lineSpacing() + now.px(3)) + now.px(18))
