"""Which contents of a folder's `.agents/memory/MEMORY.md` the person allowed to be loaded (memory design, W-31).

A cloned repository's file is a stranger's text until somebody looked at it: it is bound to its digest, so a change by anybody else asks
again. Owns `<data>/state/workspace-memory.json` and the safe reading of that one file. Decides nothing else. Blocking, any thread.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from desktop.base.clock import Clock, iso
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, StorageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say
from desktop.base.textio import atomic_write, digest, read_bytes
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import WORKSPACE_FOLDER

SCHEMA = 1
MAX_BYTES = 4 << 20
MOST_DIGESTS = 100
"""Contents of one folder that stay allowed: switching branches must not ask each time."""
MAX_FILE = 5 << 20
FileState = Literal["missing", "refused", "untrusted", "trusted", "error"]


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """What stands at `<ws>/.agents/memory/MEMORY.md` and whether it may be loaded.

    Attributes:
        path: the file.
        state: missing; refused (a link stands on the way); untrusted; trusted; error.
        digest, size: of its bytes; "" and 0 when there are none.
        problem: for refused and error: why, in a sentence.
    """

    path: Path
    state: FileState
    digest: str = ""
    size: int = 0
    problem: str = ""


def link_problem(workspace: Path) -> str:
    """Why the folder of the workspace file is not what it seems, or "": a link on the way would lead outside."""
    place = workspace
    for part in WORKSPACE_FOLDER:
        place = place / part
        if place.is_symlink() or (os.path.lexists(place) and not place.is_dir()):
            return say("{path} is a link or not a folder, so no memory is read or written there.", path=place)
    return ""


class WorkspaceTrust:
    """The allowed digests of all folders of this profile.

    Attributes:
        paths: the profile.
    """

    def __init__(self, paths: AppPaths, clock: Clock) -> None:
        self.paths = paths
        self._file = paths.state / "workspace-memory.json"
        self._lock_file = paths.state / "locks" / "workspace-memory.lock"
        self._clock = clock
        self._mutex = threading.Lock()

    def trusted(self, workspace: Path, content_digest: str) -> bool:
        """Whether the person allowed this content in this folder. A damaged file allows nothing."""
        return bool(content_digest) and content_digest in self._digests(self._load(), workspace)

    def allow(self, workspace: Path, content_digest: str) -> None:
        """Let this content be loaded.

        Raises:
            StorageError: it cannot be remembered.
        """
        with self._mutex:
            ensure_private_dir(self._file.parent)
            with held(self._lock_file):
                data = self._load()
                known = dict(self._digests(data, workspace))
                known.pop(content_digest, None)
                known[content_digest] = iso(self._clock.now())
                folders = data.get("folders") if isinstance(data.get("folders"), dict) else {}
                kept = dict(list(known.items())[-MOST_DIGESTS:])
                text = json.dumps({"schema": SCHEMA, "folders": {**(folders or {}), _key(workspace): kept}}, indent=2)
                atomic_write(self._file, text.encode() + b"\n")

    def look(self, workspace: Path) -> WorkspaceFile:
        """The file as it stands now, read without following a link. Never raises."""
        path = workspace.joinpath(*WORKSPACE_FOLDER, INDEX_NAME)
        problem = link_problem(workspace)
        if problem:
            return WorkspaceFile(path, "refused", problem=problem)
        try:
            data = read_beneath(Path(os.path.realpath(workspace)), "/".join((*WORKSPACE_FOLDER, INDEX_NAME)), limit=MAX_FILE + 1)
        except NotFoundError:
            return WorkspaceFile(path, "missing")
        except StorageError as error:
            return WorkspaceFile(path, "error", problem=error.message)
        except KeepsakeError as error:
            return WorkspaceFile(path, "refused", problem=error.message)
        if len(data) > MAX_FILE:
            return WorkspaceFile(
                path, "error", size=len(data), problem=say("{path} is larger than {size} MiB.", path=path, size=MAX_FILE >> 20)
            )
        found = digest(data)
        return WorkspaceFile(path, "trusted" if self.trusted(workspace, found) else "untrusted", found, len(data))

    def _load(self) -> Mapping[str, Any]:
        try:
            data = read_bytes(self._file, MAX_BYTES + 1)
            value = json.loads(data) if len(data) <= MAX_BYTES else None
        except (OSError, KeepsakeError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) and value.get("schema") == SCHEMA else {}

    @staticmethod
    def _digests(data: Mapping[str, Any], workspace: Path) -> Mapping[str, str]:
        folders = data.get("folders")
        found = folders.get(_key(workspace)) if isinstance(folders, dict) else None
        return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def _key(workspace: Path) -> str:
    return os.path.realpath(workspace)
