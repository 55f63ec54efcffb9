"""One embedded model: installed or not, the question before a large download, its progress, and how it went wrong. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QProgressBar, QWidget

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.providers.fetch import Progress
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.models_facts import EmbeddedFacts
from desktop.ui.memory.banner import Banner
from desktop.ui.settings.card import Card
from desktop.ui.settings.sizes import seconds_text, size_text

translate = QCoreApplication.translate
BAR_STEPS = 1_000


def progress_text(progress: Progress) -> str:
    """What happens, how many bytes of how many, for how long."""
    phases = {
        "connecting": translate("Download", "connecting"), "downloading": translate("Download", "downloading"),
        "checking": translate("Download", "checking the file"), "copying": translate("Download", "copying"),
        "done": translate("Download", "done"),
    }  # fmt: skip
    return translate("Download", "{phase}: {done} of {total}, {seconds}").format(
        phase=phases[progress.phase], done=size_text(progress.done), total=size_text(progress.total), seconds=seconds_text(progress.seconds)
    )


class EmbeddedCard(Card):
    """See the module's text."""

    def __init__(self, controller: ModelsController, facts: EmbeddedFacts, free: int, parent: QWidget | None = None) -> None:
        super().__init__(f"embedded:{facts.name}", parent)
        self._controller = controller
        self._facts = facts
        self._free = free
        self._asking = False
        self.problem = Banner("embeddedProblem", self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, BAR_STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Download"))
        self.progress = self.label("secondary")
        self.download = self.button(self.tr("Download…"), self._ask, role="", name="embeddedDownload")
        self.cancel = self.button(self.tr("Cancel"), lambda: controller.cancel_download(facts.name), name="embeddedCancel")
        self.remove = self.button(self.tr("Remove…"), self._ask_remove, name="embeddedRemove")
        self.column.addWidget(self.problem)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.progress)
        self.row(self.download, self.cancel, self.remove)
        self.show_facts(facts, free)

    def show_facts(self, facts: EmbeddedFacts, free: int) -> None:
        """Show what is on the disk."""
        self._facts, self._free = facts, free
        running = self._controller.is_downloading(facts.name)
        here = bool(facts.path) and not facts.problem
        self.title.setText(facts.label.partition(" (")[0])
        self.state.setText(self.tr("✓ installed") if here else self.tr("downloading…") if running else self.tr("not installed"))
        self.text.setText(self._about())
        self.download.setVisible(facts.can_fetch and not running and not self._asking)
        busy = self._controller.is_busy and not running
        self.download.setEnabled(not busy)
        self.download.setToolTip(self.tr("One model is downloaded at a time.") if busy else "")
        self.cancel.setVisible(running)
        self.remove.setVisible(facts.can_remove and not running)
        self.bar.setVisible(running)
        self.progress.setVisible(running)
        if facts.problem and not running and not self._asking:
            self.problem.show_text("error", facts.problem)

    def _about(self) -> str:
        facts = self._facts
        parts = [size_text(facts.size)]
        if facts.resident:
            parts.append(self.tr("needs {size} of memory while it runs").format(size=size_text(facts.resident)))
        if facts.publisher:
            parts.append(self.tr("by {publisher}, licence {licence}").format(publisher=facts.publisher, licence=facts.licence))
        else:
            parts.append(self.tr("your own file"))
        if facts.path:
            parts.append(facts.path)
        return "  ·  ".join(parts)

    # -- download --------------------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Size and room first; nothing is loaded without a yes."""
        text = self.tr("Download {size}? It is downloaded once, checked, and kept on this computer.").format(
            size=size_text(self._facts.size)
        )
        if self._free:
            text = sentences(text, self.tr("{free} are free on the disk.").format(free=size_text(self._free)))
        self._asking = True
        self.download.hide()
        yes = (self.tr("Download {size}").format(size=size_text(self._facts.size)), self._start)
        self.problem.show_text("info", text, [yes, (self.tr("Not Now"), self._not_now)])

    def _not_now(self) -> None:
        self._asking = False
        self.problem.dismiss()
        self.show_facts(self._facts, self._free)

    def _start(self) -> None:
        self._asking = False
        self.problem.dismiss()
        self.bar.setValue(0)
        self.progress.setText(self.tr("starting…"))
        self._controller.download(self._facts.name)
        self.show_facts(self._facts, self._free)

    def show_progress(self, progress: Progress | None) -> None:
        """How far it is; None: it is not running any more."""
        if progress is None:
            self.show_facts(self._facts, self._free)
            return
        self.bar.setValue(round(BAR_STEPS * min(1.0, progress.done / progress.total)) if progress.total else 0)
        self.progress.setText(progress_text(progress))

    def show_failure(self, failure: Failure) -> None:
        """Why it stopped, and the way to go on."""
        self._asking = True
        self.download.hide()
        text = failure.text()
        self.problem.show_text("error", text, [(self.tr("Try Again"), self._start), (self.tr("Not Now"), self._not_now)])

    # -- removal ---------------------------------------------------------------------------------------------------------------------

    def _ask_remove(self) -> None:
        text = self.tr("Remove this model and free {size}? It can be downloaded again.").format(size=size_text(self._facts.size))
        self.problem.show_text("warning", text, [(self.tr("Remove"), self._remove), (self.tr("Keep"), self.problem.dismiss)])

    def _remove(self) -> None:
        self.problem.dismiss()
        self._controller.remove_model(self._facts.name)
