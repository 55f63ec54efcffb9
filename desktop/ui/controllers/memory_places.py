"""Where memory belongs: a folder that was renamed or moved, projects whose folder is lost, and a workspace file that nobody allowed yet.

Asks the services off the GUI thread and keeps their newest answers; what is offered to the person is the panel's. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences, spoken
from desktop.memory.identity import Project

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.memory.relink import AdoptReport, Candidate
    from desktop.ui.controllers.memory_controller import MemoryController


@dataclass(frozen=True, slots=True)
class Orphan:
    """A project whose folder is not there any more.

    Attributes:
        project: which one.
        notes: memories that it holds.
    """

    project: Project
    notes: int


@dataclass(frozen=True, slots=True)
class Belonging:
    """What is known of the opened folder.

    Attributes:
        moved: memory of before, if the folder was renamed or moved; the likeliest first.
        mismatch: why the memory that was found is another folder's, or empty.
    """

    moved: tuple[Candidate, ...] = ()
    mismatch: str = ""


@dataclass(frozen=True, slots=True)
class Adopted:
    """Memory of the lost project `key` was moved into the opened one's."""

    key: str
    report: AdoptReport


def read_belonging(workspace: Workspace, services: Services) -> Belonging:
    """Blocking."""
    from desktop.memory.relink import find_moved, mismatch

    return Belonging(find_moved(workspace.project, services.paths), spoken(mismatch(workspace.project)))


def read_orphans(services: Services) -> tuple[Orphan, ...]:
    """Lost projects in which something is remembered. Blocking."""
    from desktop.memory.note import count_notes
    from desktop.memory.relink import orphans

    return tuple(Orphan(project, count_notes(project.memory_root)) for project in orphans(services.paths))


class MemoryPlaces(QObject):
    """See the module's text.

    Attributes:
        belonging: the newest answer about the opened folder.
        seen: digests of workspace files that the person put off for now.

    Signals:
        changed(): what is known changed, or the person decided.
        relinked(folder): the opened folder has its memory of before; it has to be opened anew.
    """

    changed = Signal()
    relinked = Signal(str)

    def __init__(self, controller: MemoryController) -> None:
        super().__init__(controller)
        self._controller = controller
        self._looking = 0
        self._put_off = False
        self.belonging = Belonging()
        self.seen: set[str] = set()

    @property
    def moved(self) -> tuple[Candidate, ...]:
        """Memory of before that the person has not decided about; none once they said “not now”."""
        return () if self._put_off else self.belonging.moved

    def forget(self) -> None:
        """Another folder is opened."""
        if self._looking:
            self._controller.operations.forget(self._looking)
        self._looking, self._put_off, self.belonging = 0, False, Belonging()
        self.seen.clear()

    def look(self) -> None:
        """Ask about the opened folder."""
        workspace, services = self._controller.workspace, self._controller.services
        if workspace is not None:
            self._looking = self._controller.operations.read(
                lambda: read_belonging(workspace, services), self._on_looked, self._on_look_failed
            )  # fmt: skip

    # -- a folder that was renamed or moved ------------------------------------------------------------------------------------------

    def use(self, candidate: Candidate) -> None:
        """Let the opened folder have the memory of before."""
        from desktop.memory.relink import relink

        workspace, services = self._controller.workspace, self._controller.services
        if workspace is None:
            return
        key = candidate.project.key
        self._put_off = True
        self._controller.operations.write(
            lambda: relink(workspace.project, key, services.paths, services.clock), self._on_relinked, self._on_failed
        )
        self.changed.emit()

    @property
    def can_take_over(self) -> bool:
        """The memory at this folder's place names another folder, and the person may say that it is this one's."""
        workspace = self._controller.workspace
        damaged = workspace is not None and workspace.project.strategy == "git-id" and not workspace.project.git_id
        return bool(self.belonging.mismatch) and not damaged

    def take_over(self) -> None:
        """The memory that names another folder is this folder's from now on."""
        from desktop.memory.relink import relink

        workspace, services = self._controller.workspace, self._controller.services
        if workspace is not None:
            project = workspace.project
            self._controller.operations.write(
                lambda: relink(project, project.key, services.paths, services.clock), self._on_unlinked, self._on_failed
            )

    def start_fresh(self) -> None:
        """The person does not want the memory of before: never ask again in this folder. It stays where it is."""
        from desktop.memory.relink import decline

        workspace, clock = self._controller.workspace, self._controller.clock
        if workspace is not None:
            self.not_now()
            self._controller.operations.write(lambda: decline(workspace.project, clock), None, self._on_failed)

    def not_now(self) -> None:
        """Ask again when the folder is opened the next time."""
        self._put_off = True
        self.changed.emit()

    # -- the workspace file ----------------------------------------------------------------------------------------------------------

    def allow(self, digest: str) -> None:
        """The person has seen the workspace file with this content and lets chats load it."""
        workspace = self._controller.workspace
        if workspace is not None:
            memories = workspace.memories
            self._controller.operations.write(lambda: memories.allow_workspace(digest), self._on_allowed, self._on_failed)

    def put_off(self, digest: str) -> None:
        """Do not ask about this content again in this window; it is not loaded."""
        self.seen.add(digest)
        self.changed.emit()

    # -- lost projects ---------------------------------------------------------------------------------------------------------------

    def find_orphans(self, done: Callable[[tuple[Orphan, ...]], None]) -> None:
        """Lost projects, to `done`."""
        services = self._controller.services
        self._controller.operations.read(lambda: read_orphans(services), done, self._on_failed)

    def adopt(self, key: str) -> None:
        """Move the memory of a lost project into the opened folder's."""
        from desktop.memory.relink import adopt

        workspace, services = self._controller.workspace, self._controller.services
        if workspace is None:
            text = self.tr("Open the folder first that the memories are to belong to.")
            self._controller.notice_requested.emit("info", text, [], "memory-adopt")
        else:
            self._controller.operations.write(
                lambda: Adopted(key, adopt(key, workspace.project, services.paths, services.clock, workspace.store)),
                self._on_adopted,
                self._on_failed,
            )

    def _undo_adopt(self, adopted: Adopted) -> None:
        from desktop.memory.relink import undo_adopt

        workspace, services = self._controller.workspace, self._controller.services
        if workspace is not None:
            self._controller.operations.write(
                lambda: undo_adopt(adopted.report, adopted.key, services.paths, services.clock, workspace.store),
                self._on_given_back,
                self._on_failed,
            )

    # -- answers ---------------------------------------------------------------------------------------------------------------------

    def _on_looked(self, belonging: Belonging) -> None:
        self._looking, self.belonging = 0, belonging
        self.changed.emit()

    def _on_look_failed(self, _failure: Failure) -> None:
        """Nothing is offered then; the memory itself is shown all the same."""
        self._looking = 0

    def _on_relinked(self, _project: Project) -> None:
        workspace = self._controller.workspace
        if workspace is not None:
            text = self.tr("This folder has its memory of before again.")
            self._controller.notice_requested.emit("info", text, [(self.tr("Undo"), self._undo_relink)], "memory-relink")
            self.relinked.emit(str(workspace.folder))

    def _undo_relink(self) -> None:
        from desktop.memory.relink import undo_relink

        workspace, services = self._controller.workspace, self._controller.services
        if workspace is not None:
            self._controller.operations.write(
                lambda: undo_relink(workspace.project, services.paths, services.clock), self._on_unlinked, self._on_failed
            )

    def _on_unlinked(self, _project: Project) -> None:
        workspace = self._controller.workspace
        if workspace is not None:
            self.relinked.emit(str(workspace.folder))

    def _on_allowed(self, _: None) -> None:
        text = self.tr("Chats load the memory of this folder from now on. If another program changes it, you are asked again.")
        self._controller.notice_requested.emit("info", text, [], "memory-trust")
        self._controller.refresh()

    def _on_adopted(self, adopted: Adopted) -> None:
        report = adopted.report
        text = self.tr("%n memories are in this project now.", "", report.moved)
        if report.renamed:
            text = sentences(text, self.tr("%n of them have another name, since theirs was taken.", "", len(report.renamed)))
        if report.left:
            left = self.tr("%n files stayed where they were: {reason}", "", len(report.left))
            text = sentences(text, left.format(reason=spoken(report.left[0][1])))
        undo = [(self.tr("Undo"), lambda: self._undo_adopt(adopted))] if report.moved else []
        self._controller.notice_requested.emit("info", text, undo, "memory-adopt")
        self.look()
        self._controller.refresh()

    def _on_given_back(self, count: int) -> None:
        text = self.tr("%n memories are back where they were.", "", count)
        self._controller.notice_requested.emit("info", text, [], "memory-adopt")
        self.look()
        self._controller.refresh()

    def _on_failed(self, failure: Failure) -> None:
        self._put_off = False
        self._controller.notice_requested.emit("error", failure.text(), [], "")
        self.changed.emit()
        self._controller.refresh()
