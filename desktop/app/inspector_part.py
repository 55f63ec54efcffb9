"""The request inspector in the window: its command and its tab. Made on demand. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.commands.registry import Command
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services

KEY = "requests"


class InspectorPart(QObject):
    """See the module's text."""

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._services = services
        self._workbench = workbench
        self._operations = operations
        workbench.registry.register(Command("chat.inspector", self.tr("Show Requests…"), self.show, category=self.tr("Chat")))

    def show(self) -> None:
        """The tab in front."""
        self._workbench.editors.open(KEY, self.tr("Requests"), self._make, icon_name="json")

    def restore(self, key: str) -> bool:
        """Open the tab of before; False when it is none of ours."""
        if key == KEY:
            self.show()
        return key == KEY

    def _make(self) -> QWidget:
        from desktop.ui.inspector.requests_view import RequestsView

        view = RequestsView(self._services.requests, self._operations)
        view.failed.connect(self._on_failed)
        return view

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("warning", failure.text(), detail=failure.detail)
