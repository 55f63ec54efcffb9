"""Which project a folder belongs to, and where that project's memory lives: the one resolver that reading and writing share (C-01, W-12).

Owns the key (`<slug>-<hash16>`), the tree below `<mem>/projects/` and `project.json`. Decides nothing about switches and never moves
memory. Resolving writes nothing; `ensure_project` makes the folder. Blocking, any thread.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.base.clock import Clock, iso
from desktop.base.errors import StorageError, UsageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write
from desktop.memory.git_root import GitPlace, find_git_place, remote_address

SCHEMA = 1
STRATEGIES = ("git-root", "workspace", "worktree")
SLUG_LENGTH = 48
MAX_PROJECT_FILE = 1 << 20
_NOT_SLUG = re.compile(r"[^a-z0-9._-]+")

FoldsCase = Callable[[Path], bool]
"""Whether the file system that holds a folder takes `A` and `a` for the same name."""


@dataclass(frozen=True, slots=True)
class Project:
    """One project, resolved once a session and passed on as a value.

    Attributes:
        key: `<slug>-<16 hex>`; name of its folder below `<mem>/projects`.
        label: the readable name, e.g. the folder's Chinese name.
        source: what the hash was taken of: the real path of the project's root.
        folder: real path of the opened folder.
        memory_root: the folder with MEMORY.md and topics.
        strategy: how the root was found.
        git_root: main work tree, or None outside git.
        home_folder: `<mem>/projects/<key>`; None means the memory folder's parent.
    """

    key: str
    label: str
    source: str
    folder: Path
    memory_root: Path
    strategy: str
    git_root: Path | None
    home_folder: Path | None = None

    @property
    def project_file(self) -> Path:
        return self.home / "project.json"

    @property
    def home(self) -> Path:
        """`<mem>/projects/<key>`; also where `project.json` lives when the memory folder was chosen elsewhere."""
        return self.home_folder or self.memory_root.parent


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """What `project.json` says.

    Attributes:
        readable: False when it exists but cannot be read or is no valid file; then agents write no memory (GT-04).
        switch: False when the person turned memory off for this project, None when nothing is set.
        label: readable name, or "".
        data: everything in it.
        problem: what is wrong, or "".
    """

    readable: bool
    switch: bool | None
    label: str
    data: dict[str, Any]
    problem: str = ""


def slug(name: str) -> str:
    """ASCII form of a folder name for people who look at the disk: at most 48 of `a-z 0-9 . _ -`; `project` if nothing is left."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[:SLUG_LENGTH] or "project"


def folds_case(folder: Path) -> bool:
    """Ask the disk: the same folder under a name with its case swapped."""
    for place in (folder, *folder.parents):
        other = place.with_name(place.name.swapcase()) if place.name else place
        if other != place:
            try:
                return place.samefile(other)
            except OSError:
                return False
    return sys.platform == "win32"


def project_key(root: Path, folds: FoldsCase = folds_case) -> str:
    """`<slug>-<hash16>` of a project's real root path; case is folded where the file system folds it."""
    source = str(root).lower() if folds(root) else str(root)
    code = hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"{slug(root.name)}-{code}"


def _root_of(folder: Path, place: GitPlace | None, strategy: str) -> Path:
    if strategy == "workspace" or place is None:
        return folder
    return place.work_tree if strategy == "worktree" else place.root


def checked_override(value: str, home: Path) -> Path:
    """The real path of a memory folder that the person chose (ST-11, ST-12).

    Raises:
        UsageError: it is relative, a root or the home folder itself, a network share, a device, or holds a NUL.
    """
    text = str(home) + value[1:] if value == "~" or value.startswith(("~/", "~\\")) else value
    path = Path(text) if "\x00" not in text else Path()
    if "\x00" in text or not path.is_absolute() or text.startswith(("\\\\", "//")):
        raise UsageError(
            say("The memory folder “{value}” must be an absolute local path or start with ~/.", value=value),
            hint=say("Give the whole path."),
        )
    real = Path(os.path.realpath(path))
    if real == Path(real.anchor) or real == Path(os.path.realpath(home)) or real.parts[1:2] in (("proc",), ("dev",), ("sys",)):
        raise UsageError(
            say("The memory folder cannot be {real} itself.", real=real), hint=say("Name a folder of its own, e.g. ~/notes/keepsake.")
        )
    return real


def resolve_project(folder: Path, paths: AppPaths, *, strategy: str = "git-root", memory_dir: Path | None = None) -> Project:
    """The project of a folder. Writes nothing.

    Args:
        folder: the opened folder; links are resolved.
        paths: the profile.
        strategy: `git-root` (worktrees and subfolders share), `worktree` or `workspace`; outside git always the folder's own path.
        memory_dir: a memory folder chosen by the person (see `checked_override`), used as it is.

    Raises:
        UsageError: not a folder, not readable, or an unknown strategy.
    """
    if strategy not in STRATEGIES:
        raise UsageError(
            say("Unknown identity “{strategy}”.", strategy=strategy), hint=say("Use one of {names}.", names=", ".join(STRATEGIES))
        )
    try:
        real = Path(os.path.realpath(folder, strict=True))
    except (OSError, ValueError) as error:
        raise UsageError(say("{folder} is not a folder.", folder=folder), hint=say("Check the path."), detail=str(error)) from error
    if not real.is_dir():
        raise UsageError(say("{folder} is not a folder.", folder=folder), hint=say("Give the folder that holds the file."))
    if not os.access(real, os.R_OK | os.X_OK):
        raise UsageError(say("{folder} cannot be read.", folder=folder), hint=say("Ask its owner for access, or open another folder."))
    place = find_git_place(real)
    root = _root_of(real, place, strategy)
    key = project_key(root)
    home = paths.projects / key
    return Project(
        key=key,
        label=root.name or str(root),
        source=str(root),
        folder=real,
        memory_root=memory_dir or home / "memory",
        strategy=strategy,
        git_root=place.root if place else None,
        home_folder=home,
    )


def _save(project: Project, data: dict[str, Any]) -> None:
    ensure_private_dir(project.home)
    text = json.dumps(data, ensure_ascii=True, indent=2) + "\n"
    atomic_write(project.project_file, text.encode())


def _new_data(project: Project, clock: Clock) -> dict[str, Any]:
    place = find_git_place(project.folder) if project.git_root else None
    return {
        "schema": SCHEMA,
        "key": project.key,
        "label": project.label,
        "strategy": project.strategy,
        "source": project.source,
        "git": {"root": str(project.git_root), "remote": remote_address(place.git_dir) if place else None} if project.git_root else None,
        "aliases": [],
        "created": iso(clock.now()),
    }


def ensure_project(project: Project, clock: Clock) -> None:
    """Make the memory folder and `project.json` where they are missing. An existing file is never touched, also when it is broken.

    Raises:
        StorageError: it cannot be made; the caller logs it, and the later write shows the real error (ST-22).
    """
    ensure_private_dir(project.memory_root)
    if not os.path.lexists(project.project_file):
        _save(project, _new_data(project, clock))


def _project_file_problem(data: Any) -> str:
    if not isinstance(data, dict):
        return "it is not a JSON object"
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool):
        return say("it has no schema number")
    if schema > SCHEMA:
        return say("it was written by a newer version (schema {schema})", schema=schema)
    if "switch" in data and data["switch"] not in ("off", "on", None, True, False):
        return say("its switch is neither on nor off")
    return ""


def read_project_file(project: Project) -> ProjectFile:
    """Read `project.json`; a missing one is readable and says nothing. Never raises.

    A broken file whose text still shows the switch as off counts as off: the person's word is not lost with a comma.
    """
    path = project.project_file
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_PROJECT_FILE)
    except FileNotFoundError:
        return ProjectFile(True, None, project.label, {})
    except OSError as error:
        return ProjectFile(False, None, project.label, {}, say("{path} cannot be read ({reason}).", path=path, reason=os_reason(error)))
    try:
        data = json.loads(raw)
        problem = _project_file_problem(data)
    except (ValueError, RecursionError) as error:
        data, problem = {}, say("it is not valid JSON: {error}", error=error)
    if problem:
        off = re.search(rb'"switch"\s*:\s*(?:"off"|false)', raw) is not None
        return ProjectFile(
            False, False if off else None, project.label, {}, say("{path} cannot be used ({problem}).", path=path, problem=problem)
        )
    label = data.get("label")
    switch = False if data.get("switch") in ("off", False) else None
    return ProjectFile(True, switch, label if isinstance(label, str) and label else project.label, data)


def set_memory_switch(project: Project, on: bool, clock: Clock) -> None:
    """The workspace-memory switch (UI-02). Only “off” is written; “on” takes it away again.

    A broken file is kept aside under another name: setting the switch is the person's decision.


    Raises:
        StorageError: it cannot be saved.
    """
    path = project.project_file
    known = read_project_file(project)
    if not known.readable:
        stamp = clock.now().strftime("%Y%m%dT%H%M%SZ")
        try:
            path.replace(path.with_name(f"project.json.broken-{stamp}"))
        except OSError as error:
            raise StorageError(
                say("{path} cannot be moved aside ({reason}).", path=path, reason=os_reason(error)), detail=str(error)
            ) from error
    data = dict(known.data) or _new_data(project, clock)
    data.pop("switch", None)
    if not on:
        data["switch"] = "off"
    _save(project, data)


def list_projects(paths: AppPaths) -> list[Project]:
    """Every project that has a folder below `<mem>/projects`, by label. Damaged `project.json` files do not hide their memory."""
    try:
        homes = sorted(entry for entry in paths.projects.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []
    projects = [_stored_project(home) for home in homes]
    return sorted(projects, key=lambda project: (project.label.casefold(), project.key))


def _stored_project(home: Path) -> Project:
    label = re.sub(r"-[0-9a-f]{16}\Z", "", home.name)
    blank = Project(home.name, label, "", Path(), home / "memory", "git-root", None, home)
    known = read_project_file(blank)
    git = known.data.get("git")
    source = known.data.get("source")
    root = git.get("root") if isinstance(git, dict) else None
    return Project(
        key=home.name,
        label=known.label,
        source=source if isinstance(source, str) else "",
        folder=Path(source) if isinstance(source, str) and source else home,
        memory_root=home / "memory",
        strategy=str(known.data.get("strategy", "git-root")),
        git_root=Path(root) if isinstance(root, str) else None,
        home_folder=home,
    )
