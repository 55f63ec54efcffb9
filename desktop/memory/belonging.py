"""Whether a project's home belongs to the folder that was opened, so that two projects' memory is never mixed.

Owns the reasons why it does not, each with the way out, and what makes two paths the same folder. Reads `project.json` and git's files,
writes nothing. Blocking, any thread.
"""

from __future__ import annotations

import os
from pathlib import Path

from desktop.base.phrases import say, together
from desktop.memory.git_history import read_git_id, root_commit
from desktop.memory.git_root import find_git_place
from desktop.memory.project_file import REMOTE, Project, ProjectFile, names_back, read_project_file, read_redirect


def folder_id(folder: Path) -> dict[str, int] | None:
    """Device and inode of a folder, by which it is known again after a rename."""
    try:
        status = folder.stat()
    except (OSError, ValueError):
        return None
    return {"device": status.st_dev, "inode": status.st_ino} if status.st_ino else None


def pair_of(found: dict[str, int] | None) -> tuple[int, int] | None:
    return (found["device"], found["inode"]) if found else None


def mismatch(project: Project, stored: ProjectFile | None = None) -> str:
    """Why the project's home belongs to another folder, with the way out; "" when it is this folder's.

    While there is a reason, memory is off (switch `identity`): nothing is read from or written into another project's memory.
    """
    if project.strategy == REMOTE:
        return ""
    stored = stored or read_project_file(project)
    return _id_trouble(project) or _lost_redirect(project) or (_other_folder(project, stored) if stored.source else "")


def _id_trouble(project: Project) -> str:
    """A damaged id: falling back in silence would open an empty memory beside the real one."""
    place = find_git_place(project.folder) if project.strategy == "git-id" and not project.git_id else None
    known = read_git_id(place.git_dir) if place else None
    if known is None or not known.problem:
        return ""
    return together(known.problem, say("Put it back from a backup, or delete it: the repository then gets a new id and can be relinked."))


def _lost_redirect(project: Project) -> str:
    target = read_redirect(project.home)
    if not target or names_back(project.home.parent / target, project.home.name):
        return ""
    return together(
        say("The memory of this folder is kept under {key}, whose project.json does not name this folder any more.", key=target),
        say("Repair {path}, or relink this folder.", path=project.home.parent / target / "project.json"),
    )


def is_same_folder(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to one folder; equal texts do, also when nothing is there."""
    if str(one) == str(other):
        return True
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def is_gone(source: str) -> bool:
    """Whether a recorded path is certainly not there any more; one that may not be looked at counts as there."""
    try:
        Path(source).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def _other_folder(project: Project, stored: ProjectFile) -> str:
    other = stored.source
    if is_same_folder(other, project.source):
        return _other_history(project, stored)
    if project.git_id:
        place = find_git_place(Path(os.path.realpath(other))) if not is_gone(other) else None
        if place is None or read_git_id(place.git_dir).value != project.git_id:
            return ""  # moved: the id came along
        return together(
            say("{folder} and {other} hold the same project id, as a copied repository does.", folder=project.source, other=other),
            say("Delete keepsake-project-id in the git folder of the copy; it then gets an id and a memory of its own."),
        )
    if is_gone(other) and any(is_same_folder(alias.source, project.source) or alias.previous == project.source for alias in stored.aliases):
        return ""  # it was moved and is back
    return together(
        say("The memory found for {folder} belongs to {other}.", folder=project.source, other=other),
        _way_out(project),
    )


def _way_out(project: Project) -> str:
    return say(
        "Relink this folder (“keepsake memory relink {key}”) if that memory is its own, or rename the folder to start with an empty one.",
        key=project.key,
    )


def _other_history(project: Project, stored: ProjectFile) -> str:
    """Another repository at the same path: both first commits are known and differ, and it is not the folder that was there."""
    recorded = stored.text("root_commit", of="git")
    if not recorded or project.git_id or project.git_root is None or stored.folder_id == pair_of(folder_id(Path(project.source))):
        return ""
    place = find_git_place(project.folder)
    present = root_commit(place.git_dir) if place else None
    if not present or present == recorded:
        return ""
    return together(
        say(
            "Another repository lies at {folder} now: its first commit is not the one that this memory was kept for.", folder=project.source
        ),
        _way_out(project),
    )
