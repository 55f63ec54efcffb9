"""Which project a folder belongs to, and where that project's memory lives: the one resolver that reading and writing share (C-01, W-12).

Owns the key by strategy, following redirects of moved folders, what opening a project records, and the check that a home belongs to the
folder. Decides nothing about switches and never moves memory. Resolving writes nothing; `ensure_project` makes the folder. Blocking, any
thread.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desktop.base.clock import Clock
from desktop.base.errors import UsageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say, together
from desktop.memory.belonging import folder_id, is_gone, is_same_folder, mismatch, pair_of
from desktop.memory.git_history import NewId, is_bare, make_git_id, random_id, read_git_id, root_commit
from desktop.memory.git_root import GitPlace, find_git_place, remote_address
from desktop.memory.place import (
    HASH_LENGTH,
    FoldsCase,
    Placement,
    canonical_path,
    check_apart,
    checked_override,
    folds_case,
    hash_of,
    known_key,
    placement,
    project_key,
    readable,
    remote_key,
    slug,
)
from desktop.memory.project_file import (
    MAX_HOPS,
    REMOTE,
    SCHEMA,
    Project,
    ProjectFile,
    followed,
    read_project_file,
    read_redirect,
    remove_redirect,
    set_memory_switch,
    update_project_file,
    without_alias,
)

__all__ = [
    "SCHEMA",
    "STRATEGIES",
    "FoldsCase",
    "Placement",
    "Project",
    "ProjectFile",
    "canonical_path",
    "checked_override",
    "ensure_project",
    "folds_case",
    "keys_of",
    "list_projects",
    "mismatch",
    "placement",
    "project_key",
    "read_project_file",
    "resolve_project",
    "set_memory_switch",
    "slug",
]

STRATEGIES = ("git-root", "workspace", "git-id", "worktree")
_KEY_END = re.compile(r"-[0-9a-f]{16}\Z")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a strategy makes of a folder: the project's root, its git place, the id that names it or "", and what to say."""

    root: Path
    place: GitPlace | None
    git_id: str = ""
    notice: str = ""


def _root_of(folder: Path, place: GitPlace | None, strategy: str) -> Path:
    if strategy == "workspace" or place is None:
        return folder
    return place.work_tree if strategy == "worktree" else place.root


def _found(folder: Path, strategy: str) -> _Found:
    place = find_git_place(folder)
    root = _root_of(folder, place, strategy)
    if strategy != "git-id" or place is None:
        return _Found(root, place)
    known = read_git_id(place.git_dir)
    if known.value:
        return _Found(root, place, known.value)
    if not known.problem:
        bare = say("A bare repository gets no id of its own.") if is_bare(place.git_dir) else ""
        return _Found(root, place, "", together(bare, _FALLS_BACK) if bare else "")
    return _Found(root, place, "", together(known.problem, _FALLS_BACK))


_FALLS_BACK = say("The project is known by its path instead of by an id.")


def _real_folder(folder: Path) -> Path:
    try:
        real = Path(os.path.realpath(folder, strict=True))
    except (OSError, ValueError) as error:
        raise UsageError(say("{folder} is not a folder.", folder=folder), hint=say("Check the path."), detail=str(error)) from error
    if not real.is_dir():
        raise UsageError(say("{folder} is not a folder.", folder=folder), hint=say("Give the folder that holds the file."))
    if not os.access(real, os.R_OK | os.X_OK):
        raise UsageError(say("{folder} cannot be read.", folder=folder), hint=say("Ask its owner for access, or open another folder."))
    return real


def resolve_project(
    folder: Path,
    paths: AppPaths,
    *,
    strategy: str = "git-root",
    memory_dir: Path | None = None,
    base: Path | None = None,
    identity: str = "",
) -> Project:
    """The project of a folder. Writes nothing.

    Args:
        folder: the opened folder; links are resolved.
        paths: the profile.
        strategy: `git-root` (worktrees and subfolders share), `git-id`, `worktree` or `workspace`; outside git always the folder's path.
        memory_dir: a memory folder chosen by the person (see `placement`), used as it is.
        base: another place for all memory: `<base>/projects/<key>/memory`.
        identity: the identity string of a remote workspace; blank for a local one. It alone makes the key (ST-06).

    Raises:
        UsageError: not a folder, not readable, an unknown strategy, or a memory folder around the app's own data.
    """
    if strategy not in STRATEGIES:
        raise UsageError(
            say("Unknown identity “{strategy}”.", strategy=strategy), hint=say("Use one of {names}.", names=", ".join(STRATEGIES))
        )
    chosen = Placement(memory_dir, base)
    for place in (memory_dir, base):
        if place is not None:
            check_apart(place, paths.data)
    if identity.strip():
        return _remote(Path(os.path.realpath(folder)), paths.projects, identity.strip(), chosen)
    return _resolved(_real_folder(folder), paths.projects, strategy, chosen)


def _remote(folder: Path, projects: Path, identity: str, chosen: Placement) -> Project:
    key = known_key(projects, remote_key(identity))
    home = projects / key
    return Project(key, identity, identity, folder, chosen.memory_root(home), REMOTE, None, home, placement=chosen)


def _resolved(folder: Path, projects: Path, strategy: str, chosen: Placement) -> Project:
    found = _found(folder, strategy)
    wanted = f"{slug(found.root.name)}-{hash_of(found.git_id)}" if found.git_id else project_key(found.root)
    key = _key_in_use(projects, wanted, str(found.root))
    home = projects / key
    return Project(
        key=key,
        label=readable(found.root.name) or str(found.root),
        source=str(found.root),
        folder=folder,
        memory_root=chosen.memory_root(home),
        strategy=strategy,
        git_root=found.place.root if found.place else None,
        home_folder=home,
        git_id=found.git_id,
        notice=found.notice,
        placement=chosen,
    )


def _key_in_use(projects: Path, wanted: str, source: str) -> str:
    """The key under which this folder's memory really is.

    A redirect is followed unless that memory has moved on with its folder; and a folder that came to a place from which another one was
    moved away, with its memory, starts under a key of its own.
    """
    key = known_key(projects, wanted)
    target = followed(projects, key)
    if target != key:
        return key if _is_elsewhere(_stored(projects / target), source) else target
    for number in range(1, MAX_HOPS):
        stored = _stored(projects / key)
        if not _is_elsewhere(stored, source) or not any(alias.previous == source for alias in stored.aliases):
            break
        again = hash_of(f"{source}\x00{number}")
        key = known_key(projects, f"{wanted[: -HASH_LENGTH - 1]}-{again}")
    return key


def _stored(home: Path) -> ProjectFile:
    return read_project_file(Project(home.name, "", "", home, home / "memory", "", None, home))


def _is_elsewhere(stored: ProjectFile, source: str) -> bool:
    """Whether the memory belongs to another folder that exists."""
    return bool(stored.source) and not is_same_folder(stored.source, source) and not is_gone(stored.source)


# opening


def ensure_project(project: Project, clock: Clock, *, new_id: NewId = random_id) -> Project:
    """What opening a project makes: the id of its repository (`git-id`), the memory folder, and `project.json` with what is known of it.

    A broken file, and one that belongs to another folder, is left as it is.

    Returns:
        The project as it is known from now on: with a new id its key is another one.

    Raises:
        StorageError: a folder or the file cannot be made; the caller logs it, and the later write shows the real error (ST-22).
    """
    project = _with_id(project, new_id)
    ensure_private_dir(project.memory_root)
    stored = read_project_file(project)
    if stored.readable and not mismatch(project, stored):
        facts = _facts(project, stored)
        update_project_file(project, clock, lambda data: _merged(data, facts))
        _let_go(project, clock)
    return project


def _let_go(project: Project, clock: Clock) -> None:
    """A redirect that is not followed any more, since that memory moved on, goes, and with it this key's place among the aliases there."""
    target = read_redirect(project.home)
    if not target:
        return
    remove_redirect(project.home)
    home = project.home.parent / target
    other = replace(project, key=target, home_folder=home)
    update_project_file(other, clock, lambda data: without_alias(data, project.key))


def _with_id(project: Project, new_id: NewId) -> Project:
    place = find_git_place(project.folder) if project.strategy == "git-id" and not project.git_id else None
    if place is None:
        return project
    made = make_git_id(place.git_dir, new_id)
    if not made.value:
        return replace(project, notice=together(made.problem, _FALLS_BACK))
    return _resolved(project.folder, project.home.parent, project.strategy, project.placement)


def git_facts(project: Project, stored: ProjectFile) -> dict[str, Any] | None:
    """Root, first commit, remote and id of the project's repository; what cannot be told now stays as it was recorded."""
    place = find_git_place(project.folder) if project.git_root else None
    known = stored.data.get("git")
    old: dict[str, Any] = known if isinstance(known, dict) else {}
    if place is None:
        return old or None
    commit = old.get("root_commit")
    if not commit or stored.folder_id != pair_of(folder_id(Path(project.source))):
        commit = root_commit(place.git_dir) or commit
    remote, own = remote_address(place.git_dir), read_git_id(place.git_dir).value
    return old | {"root": str(place.root), "root_commit": commit or None, "remote": remote, "id": own or old.get("id")}


def _facts(project: Project, stored: ProjectFile) -> dict[str, Any]:
    """What `project.json` is to say of the folder as it is now."""
    facts: dict[str, Any] = {"strategy": project.strategy, "source": project.source}
    if project.strategy == REMOTE:
        return facts
    home_folder = folder_id(Path(project.source))
    facts |= {"git": git_facts(project, stored), "folder": home_folder or stored.data.get("folder")}
    usual = project.home / "memory"
    facts["memory"] = str(project.memory_root) if project.memory_root != usual else None
    return facts


def _merged(data: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    data |= {name: value for name, value in facts.items() if name != "memory"}
    if facts.get("memory"):
        data["memory"] = facts["memory"]
    else:
        data.pop("memory", None)
    return data


# all projects


def keys_of(project: Project) -> tuple[str, ...]:
    """The project's key and the keys that lead to it: sessions of all of them are its own."""
    return (project.key, *(alias.key for alias in read_project_file(project).aliases if alias.key != project.key))


def list_projects(paths: AppPaths) -> list[Project]:
    """Every project that has a folder below `<mem>/projects`, by label. Damaged `project.json` files do not hide their memory.

    A home that only leads to another one is not listed unless it holds memory itself.
    """
    try:
        homes = sorted(entry for entry in paths.projects.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []
    projects = [_stored_project(home) for home in homes if not _only_leads_on(home)]
    return sorted(projects, key=lambda project: (project.label.casefold(), project.key))


def _only_leads_on(home: Path) -> bool:
    if not read_redirect(home) or followed(home.parent, home.name) == home.name:
        return False
    try:
        return not any(os.scandir(home / "memory"))
    except OSError:
        return True


def _stored_project(home: Path) -> Project:
    blank = Project(home.name, _KEY_END.sub("", home.name), "", Path(), home / "memory", "git-root", None, home)
    known = read_project_file(blank)
    root = known.text("root", of="git")
    chosen = known.text("memory")
    memory_root = Path(chosen) if chosen and Path(chosen).is_absolute() else home / "memory"
    return Project(
        key=home.name,
        label=known.label,
        source=known.source,
        folder=Path(known.source) if known.source else home,
        memory_root=memory_root,
        strategy=known.text("strategy") or "git-root",
        git_root=Path(root) if root else None,
        home_folder=home,
        git_id=known.text("id", of="git") if known.text("strategy") == "git-id" else "",
    )
