"""Folders that were renamed or moved: which memory was theirs, and how they get it back (C-01, W-12).

Owns the recognising (git id, first commit and remote, device and inode, recorded path), the relinking of a folder to its earlier key, what
the person declined, and the list of memory whose folder is gone. Moves no memory: that is `memory.adopt`, re-exported here. Blocking,
any thread.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from desktop.base.clock import Clock, iso
from desktop.base.errors import NotFoundError, UsageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.adopt import AdoptReport, adopt, has_own_folder, undo_adopt
from desktop.memory.belonging import folder_id, is_gone, is_same_folder, mismatch, pair_of
from desktop.memory.git_history import read_git_id, root_commit
from desktop.memory.git_root import find_git_place, is_folder, remote_address, same_remote
from desktop.memory.identity import git_facts, list_projects, resolve_project
from desktop.memory.note import count_notes
from desktop.memory.project_file import (
    REMOTE,
    Project,
    ProjectFile,
    read_project_file,
    read_redirect,
    remove_redirect,
    set_memory_switch,
    update_project_file,
    without_alias,
    write_redirect,
)

__all__ = [
    "AdoptReport",
    "Candidate",
    "adopt",
    "decline",
    "find_moved",
    "mismatch",
    "orphans",
    "relink",
    "strays",
    "undo_adopt",
    "undo_relink",
]

Reason = Literal["git-id", "git-history", "folder"]
_ORDER: tuple[Reason, ...] = ("git-id", "git-history", "folder")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Memory that seems to be that of the opened folder from before it was renamed or moved.

    Attributes:
        project: whose memory it is, by its earlier key.
        reason: by what it was recognised.
        detail: the same in words.
        notes: how many memories it holds.
    """

    project: Project
    reason: Reason
    detail: str
    notes: int


@dataclass(frozen=True, slots=True)
class _Here:
    """What the opened folder is known by."""

    project: Project
    folder: tuple[int, int] | None
    git_id: str
    commit: str
    remote: str
    inner: str | None


def _inner(source: str, git_root: str) -> str | None:
    """Where a project's root lies in its repository, "" for the repository itself; None when it is not in it (a linked worktree)."""
    if not git_root:
        return None
    try:
        return Path(source).relative_to(git_root).as_posix().removeprefix(".")
    except ValueError:
        return None


def _here(project: Project) -> _Here:
    place = find_git_place(project.folder) if project.git_root else None
    folder = pair_of(folder_id(Path(project.source)))
    if place is None:
        return _Here(project, folder, "", "", "", None)
    remote = remote_address(place.git_dir) or ""
    return _Here(
        project,
        folder,
        read_git_id(place.git_dir).value,
        root_commit(place.git_dir) or "",
        remote,
        _inner(project.source, str(place.root)),
    )


def find_moved(project: Project, paths: AppPaths) -> tuple[Candidate, ...]:
    """Memory that was this folder's before it was renamed or moved, the surest first. Never raises.

    Empty when the project has memory of its own, when the person has declined, and for a place that still exists: a copy or a second clone
    is no move.
    """
    stored = read_project_file(project)
    if project.strategy == REMOTE or not stored.readable or stored.data.get("declined") or mismatch(project, stored):
        return ()
    if count_notes(project.memory_root, most=1) or not is_folder(Path(project.source)):
        return ()
    others = [other for other in list_projects(paths) if other.key != project.key and other.memory_root != project.memory_root]
    here: _Here | None = None
    found: list[Candidate] = []
    for other in others:
        known = read_project_file(other)
        if not _may_have_moved(project, other, known):
            continue
        here = here or _here(project)
        reason = _reason(here, other, known)
        notes = count_notes(project.placement.memory_root(other.home)) if reason else 0
        if reason and (notes or _has_sessions(paths, other.key)):
            found.append(Candidate(other, reason, _detail(reason, project, other), notes))
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.reason), -one.notes, one.project.key)))


def _may_have_moved(project: Project, other: Project, known: ProjectFile) -> bool:
    if not known.readable or not other.source or other.strategy == REMOTE:
        return False
    return is_gone(other.source) or is_same_folder(other.source, project.source)


def _reason(here: _Here, other: Project, known: ProjectFile) -> Reason | None:
    inner = _inner(other.source, known.text("root", of="git"))
    same_part = here.inner is not None and inner == here.inner
    if here.git_id and same_part and known.text("id", of="git") == here.git_id:
        return "git-id"
    if is_same_folder(other.source, here.project.source):
        return "folder"
    if here.commit and same_part and known.text("root_commit", of="git") == here.commit:
        remote = known.text("remote", of="git")
        if not remote or not here.remote or same_remote(remote, here.remote):
            return "git-history"
    commit = known.text("root_commit", of="git")
    if commit and here.commit and commit != here.commit:
        return None  # the disk gave the number of a folder that was deleted to another one
    return "folder" if here.folder and known.folder_id == here.folder else None


def _detail(reason: Reason, project: Project, other: Project) -> str:
    if is_same_folder(other.source, project.source):
        return say("It was kept for this very folder before the setting changed what counts as one project.")
    match reason:
        case "git-id":
            return say("The repository has the same project id; it was at {source}.", source=other.source)
        case "git-history":
            return say(
                "The repository has the same first commit, and the same remote address if any; it was at {source}.", source=other.source
            )
        case "folder":
            return say("The disk gives it the number of the folder that was at {source} and is not there any more.", source=other.source)


def _has_sessions(paths: AppPaths, key: str) -> bool:
    try:
        with os.scandir(paths.sessions / key) as entries:
            return any(entry.name.endswith(".jsonl") for entry in entries)
    except OSError:
        return False


def _home_of(key: str, paths: AppPaths) -> Project:
    found = next((one for one in list_projects(paths) if one.key == key), None)
    if found is None:
        raise NotFoundError(say("There is no memory of a project {key}.", key=key), hint=say("Look at the list of projects again."))
    return found


def relink(project: Project, key: str, paths: AppPaths, clock: Clock) -> Project:
    """Give the opened folder the memory and the sessions of an earlier place: it goes on under the earlier key.

    The earlier project names the new key in its `aliases`, the new key's home leads to the earlier one; only both together count. With the
    project's own key, a folder whose home belongs to another one (see `mismatch`) takes that memory over.

    Returns:
        The project as it is known from now on.

    Raises:
        NotFoundError: there is no such project.
        UsageError: its folder still exists, or the opened one has memory of its own, which would be hidden.
        StorageError: it could not be saved; nothing has changed.
    """
    target = _home_of(key, paths)
    if key != project.key:
        _check_free(project, target)
    off = key != project.key and read_project_file(project).switch is False
    old = target.source

    def taken(data: dict[str, Any]) -> dict[str, Any]:
        listed = without_alias(data, project.key).get("aliases")
        data["aliases"] = [
            *(listed if isinstance(listed, list) else []),
            {"key": project.key, "source": project.source, "previous": old, "time": iso(clock.now())},
        ]
        if data.get("label") in (None, "", Path(old).name):
            data["label"] = project.label
        fresh = ProjectFile(True, None, "", {"git": data.get("git")})
        return data | {
            "source": project.source,
            "strategy": project.strategy,
            "git": git_facts(project, fresh),
            "folder": folder_id(Path(project.source)),
        }

    update_project_file(target, clock, taken)
    if key != project.key:
        write_redirect(project.home, key, clock)
    elif read_redirect(project.home):
        remove_redirect(project.home)
    if off:  # the person said so for this folder; what comes along does not turn it on again
        set_memory_switch(target, False, clock)
    return _again(project, paths)


def _check_free(project: Project, target: Project) -> None:
    if target.source and not is_gone(target.source) and not is_same_folder(target.source, project.source):
        raise UsageError(
            say("{source} still exists, so its memory stays there.", source=target.source),
            hint=say("Open that folder, or copy single memories over."),
        )
    if target.strategy == REMOTE:
        raise UsageError(say("{label} is a remote workspace.", label=target.label), hint=say("Choose the memory of a folder."))
    if count_notes(project.memory_root, most=1):
        raise UsageError(
            say("{folder} has memory of its own already.", folder=project.source),
            hint=say("Adopt the other memory instead: both are then in one place."),
        )


def _again(project: Project, paths: AppPaths) -> Project:
    placed = project.placement
    return resolve_project(project.folder, paths, strategy=project.strategy, memory_dir=placed.memory_dir, base=placed.base)


def undo_relink(project: Project, paths: AppPaths, clock: Clock) -> Project:
    """Take the last relinking of this folder back: the earlier memory is without a folder again, as before.

    Raises:
        NotFoundError: the folder was not relinked.
        StorageError: it could not be saved.
    """
    alias = next((one for one in reversed(read_project_file(project).aliases) if one.source == project.source), None)
    home = paths.projects / alias.key if alias else None
    if alias is None or home is None or read_redirect(home) != project.key:
        raise NotFoundError(say("{folder} was not relinked.", folder=project.source), hint=say("There is nothing to undo."))

    def given_back(data: dict[str, Any]) -> dict[str, Any]:
        return without_alias(data, alias.key) | ({"source": alias.previous, "label": Path(alias.previous).name} if alias.previous else {})

    remove_redirect(home)
    update_project_file(project, clock, given_back)
    return _again(project, paths)


def decline(project: Project, clock: Clock) -> None:
    """Remember that this folder starts with a memory of its own: it is not asked again.

    Raises:
        StorageError: it could not be saved.
    """
    update_project_file(project, clock, lambda data: data | {"declined": iso(clock.now())})


def orphans(paths: AppPaths) -> tuple[Project, ...]:
    """Projects with memory whose folder is gone, by label: they can be relinked or adopted."""
    return tuple(one for one in list_projects(paths) if _is_orphan(one))


def _is_orphan(project: Project) -> bool:
    if project.strategy == REMOTE or not has_own_folder(project) or not count_notes(project.memory_root, most=1):
        return False
    return not project.source or is_gone(project.source) or bool(read_redirect(project.home))


def strays(project: Project, paths: AppPaths) -> tuple[Project, ...]:
    """Memory of the same repository under other keys: of its worktrees and subfolders, from before they shared it (W-12)."""
    if project.git_root is None or project.strategy not in ("git-root", "git-id"):
        return ()
    return tuple(
        other
        for other in list_projects(paths)
        if other.key != project.key and count_notes(other.memory_root, most=1) and _is_stray(other, project.git_root)
    )


def _is_stray(other: Project, git_root: Path) -> bool:
    if not other.source or other.strategy == REMOTE or not has_own_folder(other):
        return False
    if not is_gone(other.source):
        place = find_git_place(Path(os.path.realpath(other.source)))
        return place is not None and place.root == git_root
    return other.git_root is not None and is_same_folder(other.git_root, git_root)
