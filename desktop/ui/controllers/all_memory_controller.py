"""What is remembered in all workspaces of this machine: read-only, grouped by project, and kept up to date while somebody looks.

Reading runs through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import spoken
from desktop.bridge.watcher import MemoryWatcher
from desktop.memory.identity import Project, list_projects, read_project_file
from desktop.memory.store import MemoryStore, StoredFile
from desktop.memory.switches import memory_state
from desktop.ui.memory.rows import Row
from desktop.ui.memory.snapshot import root_rows

if TYPE_CHECKING:
    from desktop.compose import Services


@dataclass(frozen=True, slots=True)
class ProjectMemory:
    """One project: its row, its index and its notes. Keys of all rows start with the project's key and a slash."""

    row: Row
    index: Row | None
    notes: tuple[Row, ...]


def store_of(project: Project, services: Services) -> MemoryStore:
    """The store of a stored project, for reading."""
    settings, environ = services.settings, services.environ
    return MemoryStore(project, services.paths, services.clock, lambda: memory_state(settings, project, environ=environ))


def _project_memory(project: Project, services: Services) -> ProjectMemory | None:
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
    row = Row(
        key=prefix, parent="", kind="project", path="", name=known.label or project.label, detail=project.source,
        problem=problem or spoken(known.problem), project=project.key, haystack=f"{project.label}\n{project.source}".casefold(),
    )  # fmt: skip
    return ProjectMemory(row, index, notes)


def read_all(services: Services) -> tuple[ProjectMemory, ...]:
    """Every project in which something is remembered, by name. Blocking."""
    found = [_project_memory(project, services) for project in list_projects(services.paths)]
    return tuple([memory for memory in found if memory is not None])


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
            self.watcher.start(self._services.paths.projects)
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

    def full_path(self, project_key: str, path: str) -> str:
        """Absolute path of a file of a stored project."""
        return str(self._services.paths.projects / project_key / "memory" / path)

    def reader(self, project_key: str, path: str) -> Callable[[], StoredFile]:
        """Reads one file of a stored project; for worker threads. Raises NotFoundError when project or file are gone."""
        services = self._services

        def read() -> StoredFile:
            project = next((one for one in list_projects(services.paths) if one.key == project_key), None)
            if project is None:
                raise NotFoundError(f"The memory of {project_key} is not there any more.", hint="Look at the list again.")
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
