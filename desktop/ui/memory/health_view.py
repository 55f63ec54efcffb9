"""The health of memory in a tab: what is wrong, grouped by kind, with what can be done about each; and that all is well when it is.

Shows the controller's reports and turns what the person does into its calls. Groups are filled one after another, so that no report,
however long, holds the window up. GUI thread.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.base.clock import Clock
from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.ui import theme
from desktop.ui.controllers.health_controller import FixPreview, HealthController
from desktop.ui.controllers.memory_acts import MemoryActs
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.health_cut import HealthCut
from desktop.ui.memory.health_group import HealthGroup
from desktop.ui.memory.health_row import HealthRow
from desktop.ui.memory.health_words import ORDER
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.settings.flow import FlowRow, ScrolledContent

if TYPE_CHECKING:
    from desktop.memory.health_report import Finding, HealthReport

CONTENT_WIDTH = 820


class HealthView(QWidget):
    """See the module's text.

    Attributes:
        groups: those that are shown, by kind.
        cuts: the drawn cuts, by root id.
        ignored: shows problems that are passed over, too.
        again: looks again.

    Signals:
        open_requested(root id, path, line): show a memory there.
    """

    open_requested = Signal(str, str, int)

    def __init__(self, controller: HealthController, acts: MemoryActs, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("healthView")
        self.setAccessibleName(self.tr("Memory health"))
        self._controller = controller
        self._acts = acts
        self._clock = clock
        self.groups: dict[str, HealthGroup] = {}
        self.cuts: dict[str, HealthCut] = {}
        self._waiting: deque[tuple[str, tuple[Finding, ...]]] = deque()
        self._filler = QTimer(self)
        self._filler.setInterval(0)
        self._filler.timeout.connect(self._fill_one)
        self._build()
        self._connect()
        self._show_report(controller.report)

    def _build(self) -> None:
        self.title = QLabel(self.tr("Memory health"), self)
        self.title.setProperty("role", "heading")
        self.summary = QLabel(self)
        self.summary.setProperty("role", "secondary")
        self.summary.setWordWrap(True)
        self.again = QPushButton(self.tr("Check Again"), self)
        self.again.setProperty("role", "secondary")
        self.ignored = QCheckBox(self)
        head = FlowRow(self)
        head.add(self.again)
        head.add(self.ignored)
        self.banner = Banner("healthNotice", self)
        self.good = MessagePage(self)
        self._inside = ScrolledContent()
        self._inside.setObjectName("welcomePage")
        self._list = QVBoxLayout()
        self._column = QVBoxLayout(self._inside)
        for widget in (self.title, self.summary, head, self.banner):
            self._column.addWidget(widget)
        self._column.addLayout(self._list)
        self._column.addWidget(self.good)
        self._column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a stop of Tab that shows no focus; what is in it passes its keys on
        self._scroll.setObjectName("welcomeScroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scroll)
        self.setFocusProxy(self.again)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _connect(self) -> None:
        controller = self._controller
        controller.report_changed.connect(self._show_report)
        controller.checking_changed.connect(self._on_checking)
        controller.check_failed.connect(self._on_failed)
        controller.preview_ready.connect(self._on_preview)
        controller.preview_failed.connect(self._on_no_preview)
        self.again.clicked.connect(lambda _checked=False: controller.check())
        self.ignored.toggled.connect(lambda _on: self._show_report(controller.report))

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _show_report(self, report: HealthReport | None) -> None:
        self._waiting.clear()
        if report is None:
            self.summary.setText(self.tr("Reading memory…"))
            self.ignored.hide()
            self.good.hide()
            self._drop_groups(set())
            return
        passed = sum(1 for one in report.findings if one.ignored)
        self.ignored.setText(self.tr("Show ignored (%n)", "", passed))
        self.ignored.setVisible(passed > 0 or self.ignored.isChecked())
        shown = {kind: report.of_kind(kind, ignored=self.ignored.isChecked()) for kind in self._kinds(report)}
        shown = {kind: findings for kind, findings in shown.items() if findings}
        self._drop_groups(set(shown))
        self._waiting.extend(shown.items())
        self._say(report, any(shown.values()))
        self._filler.start()

    @staticmethod
    def _kinds(report: HealthReport) -> list[str]:
        found = dict.fromkeys(one.problem.kind for one in report.findings)
        return [kind for kind in ORDER if kind in found] + [kind for kind in found if kind not in ORDER]

    def _say(self, report: HealthReport, some: bool) -> None:
        looked = self.tr("%n memories were looked at.", "", report.memories)
        if report.count:
            self.summary.setText(sentences(self.tr("%n problem(s).", "", report.count), looked))
        else:
            self.summary.setText(looked)
        self.good.setVisible(not some)
        if not some:
            self.good.show_message("good", self.tr("All is well"), self.tr("Nothing is wrong with these memories."), [])

    def _fill_one(self) -> None:
        """The next group of the report; the timer comes again for the one after it."""
        if not self._waiting:
            self._filler.stop()
            self._show_cuts()
            return
        kind, findings = self._waiting.popleft()
        group = self.groups.get(kind)
        if group is None:
            group = self._make_group(kind)
        group.show_findings(findings)

    @property
    def is_filling(self) -> bool:
        """Groups of the newest report are still to come."""
        return self._filler.isActive()

    def _make_group(self, kind: str) -> HealthGroup:
        group = HealthGroup(kind, self._inside)
        group.row_made.connect(self._on_row)
        group.fix_all_requested.connect(self._on_fix_all)
        group.apply_requested.connect(self._controller.apply)
        group.preview_ended.connect(self._controller.end_preview)
        order = [one for one in ORDER if one in self.groups or one == kind]
        self.groups[kind] = group
        self._list.insertWidget(order.index(kind) if kind in order else self._list.count(), group)
        return group

    def _drop_groups(self, kept: set[str]) -> None:
        for kind in [kind for kind in self.groups if kind not in kept]:
            group = self.groups.pop(kind)
            if kind == "oversize-index":
                self.cuts.clear()
            self._list.removeWidget(group)
            group.hide()
            group.deleteLater()

    def _show_cuts(self) -> None:
        """The cut line of each index that is over its limit, in the group that says so."""
        report, group = self._controller.report, self.groups.get("oversize-index")
        if report is None or group is None:
            return
        known = dict(report.cuts)
        for root in [root for root in self.cuts if root not in known]:
            self.cuts.pop(root).deleteLater()
        for root, cut in known.items():
            if root not in self.cuts:
                self.cuts[root] = self._make_cut(root, group)
            if self.cuts[root].cut != cut:
                self.cuts[root].show_cut(cut, self._clock.now())

    def _make_cut(self, root: str, group: HealthGroup) -> HealthCut:
        made = HealthCut(root, group)
        made.open_requested.connect(self.open_requested)
        made.pin_requested.connect(lambda root, paths, on: self._acts.pin([(root, path) for path in paths], on))
        made.forget_requested.connect(lambda root, paths: self._acts.delete([(root, path) for path in paths]))
        group.column.addWidget(made)
        return made

    # -- what the person does --------------------------------------------------------------------------------------------------------

    def _on_row(self, row: HealthRow) -> None:
        controller = self._controller
        row.open_requested.connect(self.open_requested)
        row.fix_requested.connect(lambda finding, name: controller.fix([finding], name))
        row.preview_requested.connect(lambda finding, name: controller.preview(finding.id, [finding], name))
        row.preview_ended.connect(lambda finding: controller.end_preview(finding.id))
        row.apply_requested.connect(controller.apply)
        row.ignore_requested.connect(self._on_ignore)
        row.folder_requested.connect(self._acts.reveal)

    def _on_ignore(self, finding: Finding) -> None:
        if finding.ignored:
            self._controller.show_again([finding])
        else:
            self._controller.ignore([finding])

    def _on_fix_all(self, kind: str) -> None:
        group = self.groups.get(kind)
        if group is not None:
            self._controller.preview(group.key, group.mendable)

    def _target(self, key: str) -> HealthGroup | HealthRow | None:
        for group in self.groups.values():
            if group.key == key:
                return group
            if key in group.rows:
                return group.rows[key]
        return None

    def _on_preview(self, preview: FixPreview) -> None:
        target = self._target(preview.key)
        if target is not None:
            target.show_preview(preview)
            if target.preview is not None:
                self._scroll.ensureWidgetVisible(target.preview)

    def _on_no_preview(self, key: str, failure: Failure) -> None:
        target = self._target(key)
        if target is not None:
            target.show_failure(failure)

    # -- facts -----------------------------------------------------------------------------------------------------------------------

    def _on_checking(self, checking: bool) -> None:
        self.again.setEnabled(not checking)
        self.again.setText(self.tr("Checking…") if checking else self.tr("Check Again"))
        if not checking:
            self.banner.dismiss()

    def _on_failed(self, failure: Failure) -> None:
        self.banner.show_text("error", failure.text(), [(self.tr("Try Again"), self._controller.check)], failure.detail)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        now = theme.current()
        side = max(now.px(24), (self.width() - now.px(CONTENT_WIDTH)) // 2)
        self._column.setContentsMargins(side, now.px(20), side, now.px(24))
        self._column.setSpacing(now.px(10))
        self._list.setSpacing(now.px(12))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
