"""What is remembered on this machine: the person's own memory and that of all workspaces, read-only, kept up to date while somebody looks.

Reading runs through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import spoken
from desktop.bridge.watcher import MemoryWatcher
from desktop.memory.identity import Project, list_projects, read_project_file
from desktop.memory.index import IndexLimits
from desktop.memory.roots import USER, MemoryRoot, user_root
from desktop.memory.store import MemoryStore, StoredFile
from desktop.memory.switches import memory_state
from desktop.ui.memory.rows import Row, folded, shown
from desktop.ui.memory.snapshot import read_root, root_rows

if TYPE_CHECKING:
    from desktop.compose import Services

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ProjectMemory:
    """One project, or the person's own memory: its row, its index and its notes. Keys of all rows start with its key and a slash.

    Attributes:
        lost: the project's folder is gone.
    """

    row: Row
    index: Row | None
    notes: tuple[Row, ...]
    lost: bool = False


def _of_nobody(root: MemoryRoot) -> Project:
    """The person's own memory belongs to no project."""
    return Project(root.key, root.label, "", root.folder, root.folder, "git-root", None)


def store_of(project: Project, services: Services, root: MemoryRoot | None = None) -> MemoryStore:
    """The store of a stored project, or of another root, for reading."""
    settings, environ = services.settings, services.environ
    return MemoryStore(project, services.paths, services.clock, lambda: memory_state(settings, project, environ=environ), root=root)


def _project_memory(project: Project, services: Services, lost: frozenset[str]) -> ProjectMemory | None:
    """None for a project in which nothing is remembered."""
    prefix = f"{project.key}/"
    problem = ""
    notes: tuple[Row, ...] = ()
    index: Row | None = None
    try:
        notes, index, _ = root_rows(store_of(project, services), prefix=prefix, project=project.key)
    except KeepsakeError as error:
        problem = spoken(error.message)
    known = read_project_file(project)
    if not notes and index is None and not problem:
        return None
    gone = project.key in lost
    detail = translate("AllMemory", "its folder is gone: {folder}").format(folder=project.source) if gone else project.source
    row = Row(
        key=prefix, parent="", kind="project", path="", name=shown(known.label or project.label), detail=shown(detail),
        problem=problem or spoken(known.problem), project=project.key, count=len(notes),
        haystack=folded(f"{project.label}\n{project.source}"),
    )  # fmt: skip
    return ProjectMemory(row, index, notes, gone)


def _user_memory(services: Services) -> ProjectMemory | None:
    """What holds in all projects; None when it is empty."""
    root = user_root(services.paths)
    picture = read_root(root, store_of(_of_nobody(root), services, root), IndexLimits())
    if picture.is_empty and not picture.problem:
        return None
    prefix = f"{USER}/"

    def placed(row: Row) -> Row:
        parent = row.parent.removeprefix(picture.key)
        return replace(row, key=prefix + row.path, parent=prefix + parent, project=USER, root="")

    detail = translate("AllMemory", "holds in every workspace")
    row = Row(
        key=prefix, parent="", kind="project", path="", name=picture.label, detail=detail, problem=picture.problem, project=USER,
        haystack=folded(picture.label), count=picture.total,
    )  # fmt: skip
    return ProjectMemory(row, placed(picture.index) if picture.index else None, tuple(placed(note) for note in picture.notes))


def read_all(services: Services) -> tuple[ProjectMemory, ...]:
    """The person's own memory, then every project in which something is remembered, by name, lost ones last. Blocking."""
    from desktop.memory.relink import orphans

    lost = frozenset(project.key for project in orphans(services.paths))
    found = [_user_memory(services), *(_project_memory(project, services, lost) for project in list_projects(services.paths))]
    return tuple(sorted((memory for memory in found if memory is not None), key=lambda memory: memory.lost))


class AllMemoryController(QObject):
    """Reads while it is watched: `start` and `stop` follow whether the list is on the screen.

    Attributes:
        projects: the newest reading.

    Signals:
        changed(): `projects` is new.
        read_failed(Failure): it could not be read.
    """

    changed = Signal()
    read_failed = Signal(object)

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._reading = 0
        self._again = False
        self._started = False
        self.projects: tuple[ProjectMemory, ...] = ()
        self.was_read = False
        self.watcher = MemoryWatcher(self)
        self.watcher.changed.connect(self.refresh)

    @property
    def services(self) -> Services:
        return self._services

    @property
    def operations(self) -> Operations:
        return self._operations

    def start(self) -> None:
        """Read, and follow the disk from now on."""
        if not self._started:
            self._started = True
            self.watcher.start(self._services.paths.memories)
            self.refresh()

    def stop(self) -> None:
        """Nobody looks any more."""
        if self._started:
            self._started = False
            self.watcher.stop()

    def refresh(self) -> None:
        if self._reading:
            self._again = True
            return
        services = self._services
        self._reading = self._operations.read(lambda: read_all(services), self._on_read, self._on_failed)

    def label(self, project_key: str) -> str:
        """The readable name of a project, as far as it was read."""
        return next((memory.row.name for memory in self.projects if memory.row.project == project_key), project_key)

    def is_known(self, project_key: str) -> bool:
        """Whether a project was read."""
        return any(memory.row.project == project_key for memory in self.projects)

    def is_lost(self, project_key: str) -> bool:
        """Whether the project's folder is gone, as far as it was read."""
        return any(memory.lost for memory in self.projects if memory.row.project == project_key)

    def full_path(self, project_key: str, path: str) -> str:
        """Absolute path of a file of a stored project, or of the person's own memory."""
        folder = user_root(self._services.paths).folder if project_key == USER else self._services.paths.projects / project_key / "memory"
        return str(folder / path)

    def reader(self, project_key: str, path: str) -> Callable[[], StoredFile]:
        """Reads one file of a stored project; for worker threads. Raises NotFoundError when project or file are gone."""
        services = self._services

        def read() -> StoredFile:
            if project_key == USER:
                root = user_root(services.paths)
                return store_of(_of_nobody(root), services, root).read(path)
            project = next((one for one in list_projects(services.paths) if one.key == project_key), None)
            if project is None:
                raise NotFoundError(
                    say("The memory of {project} is not there any more.", project=project_key), hint=say("Look at the list again.")
                )
            return store_of(project, services).read(path)

        return read

    def _on_read(self, projects: tuple[ProjectMemory, ...]) -> None:
        self._reading = 0
        self.projects, self.was_read = projects, True
        self.changed.emit()
        if self._again:
            self._again = False
            self.refresh()

    def _on_failed(self, failure: Failure) -> None:
        self._reading, self._again = 0, False
        self.read_failed.emit(failure)
