"""Lists of memory over the window: every memory, what was deleted lately, and lost projects. Each choice is done through the controller.

GUI thread; reading runs through `bridge.operations`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences, spoken
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.controllers.memory_places import Orphan
from desktop.ui.memory.age import full_time, short_age
from desktop.ui.memory.rows import shown
from desktop.ui.memory.who import actor_word
from desktop.ui.notifications import Kind
from desktop.ui.palette import Entry, QuickPick
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.memory.memories import Memories
    from desktop.memory.purge import PurgeReport
    from desktop.memory.trash import TrashEntry

EARLIEST = datetime.min.replace(tzinfo=UTC)
BACK, PURGE = "back", "purge"
NAMED = 2
"""Places that still hold a purged text which the toast names; the others are in its details."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """A memory in the trash, and the root that it was in."""

    root: str
    entry: TrashEntry

    @property
    def id(self) -> str:
        return f"{self.root}//{self.entry.change_id}"


def read_trash(memories: Memories) -> tuple[Deleted, ...]:
    """What was deleted in our own roots, the newest first. Blocking."""
    from desktop.memory.trash import list_trash

    found = [Deleted(store.memory_root.id, entry) for store in memories.own() for entry in list_trash(store)]
    return tuple(sorted(found, key=lambda one: one.entry.time, reverse=True))


class MemoryPicks(QObject):
    """See the module's text.

    Signals:
        open_requested(root id, path): show this memory.
    """

    open_requested = Signal(str, str)

    def __init__(self, controller: MemoryController, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._controller = controller
        self._workbench = workbench
        self._chosen: Callable[[str], None] = self._on_memory
        self._asking: QMessageBox | None = None
        self.picker = QuickPick(workbench)
        self.picker.chosen.connect(self._on_chosen)

    def _popup(self, entries: Sequence[Entry], chosen: Callable[[str], None], *, placeholder: str, name: str) -> None:
        self._chosen = chosen
        self.picker.popup(entries, placeholder=placeholder, name=name)

    def _on_chosen(self, entry_id: str) -> None:
        self._chosen(entry_id)

    # --- every memory ------------------------------------------------------------------------------------------------

    def pick(self) -> None:
        """Every memory by name and description, the newest first."""
        snapshot = self._controller.snapshot
        roots = snapshot.roots if snapshot is not None else ()
        labels = {one.id: "" if at == 0 else one.label for at, one in enumerate(roots)}
        rows = sorted((row for one in roots for row in one.notes), key=lambda row: row.modified or EARLIEST, reverse=True)
        entries = [Entry(row.key, row.name, row.detail, right=labels[row.root], icon="note") for row in rows]
        entries += [
            Entry(one.index.key, one.index.name, one.index.detail, right=labels[one.id], icon="list-flat")
            for one in roots
            if one.index is not None
        ]
        self._popup(
            entries, self._on_memory, placeholder=self.tr("Go to a memory by its name or description"), name=self.tr("Go to a Memory")
        )

    def _on_memory(self, key: str) -> None:
        root, _, path = key.partition("//")
        self.open_requested.emit(root, path)

    # --- what was deleted --------------------------------------------------------------------------------------------

    def pick_deleted(self) -> None:
        """What lies in the trash, to be put back or deleted for good."""
        workspace = self._controller.workspace
        if workspace is not None:
            memories = workspace.memories
            self._controller.operations.read(lambda: read_trash(memories), self._on_trash, self._on_failed)

    def _on_trash(self, found: tuple[Deleted, ...]) -> None:
        if not found:
            self._workbench.notify("info", self.tr("Nothing was deleted lately."), tag="memory-trash")
            return
        known = {one.id: one for one in found}
        entries = [
            Entry(one.id, shown(one.entry.path), self._about(one), right=self._right(one), icon="trash") for one in found
        ]  # fmt: skip
        self._popup(
            entries, lambda chosen: self._ask_what(known[chosen]),
            placeholder=self.tr("Choose a memory to restore or to delete for good"), name=self.tr("Recently Deleted"),
        )  # fmt: skip

    def _about(self, one: Deleted) -> str:
        picture = self._controller.picture(one.root)
        label = picture.label if picture is not None else one.root
        return self.tr("{root} · deleted by: {who}").format(root=label, who=actor_word(one.entry.actor))

    def _right(self, one: Deleted) -> str:
        return f"{QLocale().formattedDataSize(one.entry.size)} · {short_age(one.entry.time, self._controller.clock.now())}"

    def _ask_what(self, one: Deleted) -> None:
        name = shown(one.entry.path)
        entries = [
            Entry(BACK, self.tr("Restore"), name, icon="discard"),
            Entry(PURGE, self.tr("Delete for Good…"), self.tr("its text leaves every version that is kept"), icon="trash"),
        ]
        self._popup(entries, partial(self._do, one), placeholder=name, name=name)

    def _do(self, one: Deleted, what: str) -> None:
        if what == BACK:
            self._controller.acts.put_back(one.root, one.entry.change_id)
        else:
            self._confirm(one)

    def _confirm(self, one: Deleted) -> None:
        """Deleting for good cannot be taken back; what it does not reach is said before."""
        if self._asking is not None:
            self._asking.raise_()
            return
        box = QMessageBox(self._workbench)
        box.setObjectName("purgeDialog")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Delete for good"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Delete “{name}” for good?").format(name=shown(one.entry.path)))
        box.setInformativeText(
            self.tr(
                "Its text is removed from the trash, from every version that is kept, from the index and from the journal. This cannot be "
                "undone. Not reached are the chats in which it was said or read, until you delete them, the log, until newer lines push it "
                "out, and backups and exports of your own, until they are gone. What of these still holds it is named afterwards."
            )
        )
        purging = box.addButton(self.tr("Delete for Good"), QMessageBox.ButtonRole.DestructiveRole)
        cancelling = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(cancelling)
        box.setEscapeButton(cancelling)
        self._asking = box

        def answered() -> None:
            chosen, self._asking = box.clickedButton(), None
            box.deleteLater()
            if chosen is purging:
                self._purge(one)

        box.finished.connect(answered)
        box.open()

    def _purge(self, one: Deleted) -> None:
        from desktop.memory.purge import purge
        from desktop.ui.controllers.memory_changes import PERSON

        store = self._controller.store(one.root)
        if store is not None:
            self._controller.operations.write(lambda: purge(store, one.entry.change_id, origin=PERSON), self._on_purged, self._on_failed)

    def _on_purged(self, report: PurgeReport) -> None:
        """What still holds the text is said until it is closed, with the time where one is known."""
        lines = [self.tr("The memory is deleted for good.")]
        remaining = [spoken(one) for one in report.remaining]
        lines += remaining[:NAMED]
        if len(remaining) > NAMED:
            lines.append(self.tr("%n more places are named in the details.", "", len(remaining) - NAMED))
        if report.until is not None:
            lines.append(self.tr("The copies that expire by themselves are gone by {day}.").format(day=full_time(report.until)))
        kind: Kind = "warning" if remaining else "info"
        self._workbench.notify(kind, sentences(*lines), detail="\n".join(remaining[NAMED:]), tag="memory-purge")
        self._controller.refresh()

    # --- lost projects -----------------------------------------------------------------------------------------------

    def pick_orphan(self) -> None:
        """Projects whose folder is gone, to be adopted by the opened one."""
        self._controller.places.find_orphans(self._on_orphans)

    def _on_orphans(self, found: tuple[Orphan, ...]) -> None:
        if not found:
            text = self.tr("There is no lost project: the folder of every project with memories is where it was.")
            self._workbench.notify("info", text, tag="memory-orphans")
            return
        entries = [
            Entry(
                one.project.key, shown(one.project.label), shown(one.project.source), right=self.tr("%n memories", "", one.notes),
                icon="repo",
            )
            for one in found
        ]  # fmt: skip
        self._popup(
            entries, self._controller.places.adopt,
            placeholder=self.tr("Choose the project whose memories move into this one"), name=self.tr("Adopt Memory of a Lost Project"),
        )  # fmt: skip

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("error", failure.text(), detail=failure.detail)
