"""The review inbox in the window: tab, line of the memory view, badge, status item, command and toasts, wired to each other. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.app.memory_part import MemoryPart
from desktop.bridge.operations import Operations
from desktop.commands.registry import Command
from desktop.ui.controllers.review_controller import ReviewController
from desktop.ui.memory.review_model import ReviewPicture
from desktop.ui.memory.review_strip import ReviewStrip
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.ui.memory.review_view import ReviewView

TAB = "review"
ARRIVED = "review-arrived"
"""Tag of the toast that says that something waits; it goes when nothing does."""


class ReviewPart(QObject):
    """See the module's text.

    Signals:
        message_requested(session id, message id): show where a proposal came from.
    """

    message_requested = Signal(str, str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, memory: MemoryPart) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._memory = memory
        self.controller = ReviewController(services, operations, self)
        self.strip = ReviewStrip(memory.panel)
        memory.panel.add_strip(self.strip)
        workbench.registry.register(
            Command("memory.review", self.tr("Review Proposed Memories"), self.show, "", "folderOpen", self.tr("Memory"))
        )
        self.strip.button.clicked.connect(lambda _checked=False: self.show())
        self.controller.changed.connect(self._on_picture)
        self.controller.arrived.connect(self._on_arrived)
        self.controller.decided.connect(memory.controller.refresh)
        self.controller.notice_requested.connect(self._on_notice)

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.controller.set_workspace(workspace)

    def close(self) -> None:
        self.controller.close()

    def show(self, proposal_id: str = "") -> None:
        """The inbox in a tab, at one proposal where it is named."""

        def make() -> QWidget:
            from desktop.ui.memory.review_view import ReviewView

            view = ReviewView(self.controller, self._label)
            view.message_requested.connect(self.message_requested)
            self._memory.controller.snapshot_changed.connect(view.relabel)
            return view

        view: ReviewView = self._workbench.editors.open(TAB, self.tr("Review"), make, icon_name="inbox")  # type: ignore[assignment]
        self._workbench.notifications.withdraw(ARRIVED)  # that is what is looked at now
        if proposal_id:
            view.choose(proposal_id)
        view.list.setFocus()

    def restore(self, key: str) -> bool:
        """Open the tab of before; False when it is none of ours."""
        if key == TAB:
            self.show()
        return key == TAB

    def _label(self, root: str) -> str:
        picture = self._memory.controller.picture(root)
        return picture.label if picture is not None else root

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_picture(self, picture: ReviewPicture) -> None:
        count = len(picture.rows)
        self.strip.show_count(count)
        self._memory.set_badge(TAB, count)
        if count:
            hint = self.tr("%n changes of memory wait for your review", "", count)
            self._workbench.status.set_item(
                TAB, self.tr("{count} to review").format(count=count), hint, "inbox", "memory.review", token="memory"
            )
        else:
            self._workbench.status.remove_item(TAB)
            self._workbench.notifications.withdraw(ARRIVED)

    def _on_arrived(self, count: int) -> None:
        """Quiet, once a batch; nothing where the inbox is in front."""
        if self._workbench.editors.current_key() != TAB:
            text = self.tr("%n proposed memories wait for your review.", "", count)
            self._workbench.notify("info", text, [(self.tr("Review"), self.show)], tag=ARRIVED)

    def _on_notice(self, kind: str, text: str, actions: object, tag: str) -> None:
        self._workbench.notify(kind, text, actions, tag=tag)  # type: ignore[arg-type]
