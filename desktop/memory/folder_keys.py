"""Which project a folder belongs to that somebody else named: the one in a transcript of another tool. It may be gone, or never have been.

Remembers its answers for the life of the process. Reads git's files, writes nothing. Thread-safe; blocks at a folder's first question.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths
from desktop.memory.identity import list_projects, resolve_project


class FolderKeys:
    """Keys of projects by folder.

    Args:
        strategy: what counts as one project now; see `resolve_project`.
    """

    def __init__(self, paths: AppPaths, strategy: Callable[[], str]) -> None:
        self._paths = paths
        self._strategy = strategy
        self._lock = threading.Lock()
        self._keys: dict[tuple[str, str], str] = {}

    def __call__(self, folder: str) -> str:
        """The key of the folder's project; "" for no absolute path and for a folder that is gone and was never a project here."""
        strategy = self._strategy()
        with self._lock:
            known = self._keys.get((folder, strategy))
        if known is None:
            known = self._found(folder, strategy)
            with self._lock:
                self._keys[folder, strategy] = known
        return known

    def _found(self, folder: str, strategy: str) -> str:
        if not folder or "\0" in folder or not Path(folder).is_absolute():
            return ""
        try:
            return resolve_project(Path(folder), self._paths, strategy=strategy).key
        except (KeepsakeError, OSError, ValueError):
            return next((project.key for project in list_projects(self._paths) if project.source == folder), "")
