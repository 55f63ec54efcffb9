"""Memory health in the window: tab, line of the memory view, badge, status item, commands and toasts, wired to each other. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.app.memory_part import MemoryPart
from desktop.bridge.operations import Operations
from desktop.commands.registry import Command
from desktop.ui.controllers.health_controller import HealthController
from desktop.ui.memory.health_strip import HealthStrip
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.memory.health_report import HealthReport

TAB = "memory-health"


class HealthPart(QObject):
    """See the module's text."""

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, memory: MemoryPart) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._memory = memory
        self.controller = HealthController(services, operations, self)
        self.strip = HealthStrip(memory.panel)
        memory.panel.add_strip(self.strip)
        opened, category = "folderOpen", self.tr("Memory")
        workbench.registry.register(
            Command("memory.health", self.tr("Show Memory Health"), self.show, "", opened, category),
            Command("memory.checkHealth", self.tr("Check Memory Health"), self.controller.check, "", opened, category),
        )
        self.strip.button.clicked.connect(lambda _checked=False: self.show())
        memory.controller.snapshot_changed.connect(lambda _snapshot: self.controller.look_soon())
        self.controller.report_changed.connect(self._on_report)
        self.controller.mended.connect(memory.controller.refresh)
        self.controller.notice_requested.connect(self._on_notice)

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.controller.set_workspace(workspace)

    def close(self) -> None:
        self.controller.close()

    def show(self) -> None:
        """What is wrong, in a tab."""

        def make() -> QWidget:
            from desktop.ui.memory.health_view import HealthView

            view = HealthView(self.controller, self._memory.controller.acts, self._memory.controller.clock)
            view.open_requested.connect(self._open)
            return view

        self._workbench.editors.open(TAB, self.tr("Memory Health"), make, icon_name="pulse")

    def restore(self, key: str) -> bool:
        """Open the tab of before; False when it is none of ours."""
        if key == TAB:
            self.show()
        return key == TAB

    def _open(self, root: str, path: str, line: int) -> None:
        self._memory.tabs.reveal(root, path, max(line, 1))

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_report(self, report: HealthReport | None) -> None:
        count = report.count if report is not None else 0
        self.strip.show_count(count if report is not None else None)
        self._memory.set_badge(TAB, count)
        if count:
            hint = self.tr("%n problem(s) of memory", "", count)
            self._workbench.status.set_item("health", f"{count:,}", hint, "warning", "memory.health", token="warning")
        else:
            self._workbench.status.remove_item("health")

    def _on_notice(self, kind: str, text: str, actions: object, tag: str) -> None:
        self._workbench.notify(kind, text, actions, tag=tag)  # type: ignore[arg-type]
