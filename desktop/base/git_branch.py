"""The git branch of a folder, by reading files, without starting git: what a repository configures never runs.

Work trees, linked ones and submodules lead to a `HEAD` file; what it names is shown to people and believed in nothing else. Blocking,
bounded, writes nothing, never raises.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

MOST = 4_096
"""Bytes of `.git` and of `HEAD` that are read."""
LONGEST = 200
LEVELS = 64
"""Folders that are looked through upwards."""

_HEAD = re.compile(r"ref:\s*refs/heads/(\S[^\x00-\x1f\x7f]*)")


def git_branch(folder: Path) -> str:
    """The branch that is checked out in the work tree that holds `folder`; empty for none, and for a commit that is no branch's end."""
    place = Path(os.path.realpath(folder))
    for level in (place, *place.parents)[:LEVELS]:
        git_dir = _git_dir(level)
        if git_dir is not None:
            return _branch_in(git_dir)
    return ""


def _git_dir(level: Path) -> Path | None:
    """Where this folder's own repository keeps its `HEAD`, if it has one."""
    marker = level / ".git"
    try:
        mode = marker.stat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        return marker
    pointer = _start_of(marker)
    if not pointer.startswith("gitdir:"):
        return None
    return Path(os.path.normpath(level / pointer.removeprefix("gitdir:").split("\n", 1)[0].strip()))


def _branch_in(git_dir: Path) -> str:
    found = _HEAD.match(_start_of(git_dir / "HEAD"))
    name = found.group(1).strip() if found else ""
    return "" if name == ".invalid" else name[:LONGEST]  # so says a repository that keeps its references in tables


def _start_of(path: Path) -> str:
    """The start of a plain file as text; empty for anything else. Never waits on a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return ""
    try:
        data = os.read(handle, MOST) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        data = b""
    finally:
        os.close(handle)
    return data.decode("utf-8", errors="replace")
