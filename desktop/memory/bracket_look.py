"""A look at everything below a memory root, whatever it is: the fingerprint by which a shell command's changes are found (W-08).

Owns the walk by directory handles and what is remembered of each name; unlike the look for notes it sees links, pipes, folders, modes and
files of every kind. Changes nothing but, when told to, the mode of a folder that could not be entered. Follows no link. Blocking.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from desktop.base.beneath import HANDLES
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.textio import digest

DOUBT_NS = 100_000_000
"""A file that was touched this shortly before a look may be changed again within the same tick of the disk's clock: its digest counts."""

DEEPEST = 60
"""Folders below this depth are one thing, not looked into."""

CLOSED = frozenset((".git", "node_modules"))
"""Folders that hold no notes and are not looked into: one that was there before is its owner's, a new one is taken out whole."""

TELLS_CHANGES = sys.platform != "win32"
"""Whether the system keeps a time of change that no program can set; where it does not, every digest counts."""

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Node(NamedTuple):
    """One name below a root: `target` is where a link leads. Of a folder only mode and inode are kept: its times change with its files."""

    mode: int
    inode: int
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    links: int = 1
    target: str = ""

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)


@dataclass(slots=True)
class Look:
    """What lies below a root.

    Attributes:
        root: the folder's own node; None when nothing is there.
        nodes: posix path → node.
        young: digests of files whose times alone would not show a change.
        whole: every folder could be entered.
    """

    root: Node | None = None
    nodes: dict[str, Node] = field(default_factory=dict)
    young: dict[str, str] = field(default_factory=dict)
    whole: bool = True

    def same_as(self, later: Look) -> bool:
        """Whether nothing differs in a later look by names and times."""
        return self.nodes == later.nodes and self.root == later.root and (later.whole or not self.whole)


def node_at(path: Path) -> Node | None:
    """What stands at `path` itself; None when nothing does."""
    try:
        status = path.lstat()
    except OSError:
        return None
    target = ""
    if stat.S_ISLNK(status.st_mode):
        with suppress(OSError):
            target = os.readlink(path)  # noqa: PTH115 - as text
    return _node(status, target)


def _node(status: os.stat_result, target: str = "") -> Node:
    if stat.S_ISDIR(status.st_mode):
        return Node(status.st_mode, status.st_ino)
    return Node(status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_nlink, target)


def look_below(root: Path, *, mend: bool = False, now_ns: int | None = None) -> Look:
    """Everything below `root`. Never raises.

    Args:
        mend: a folder that may not be entered is made enterable (0700) instead of being left out.
        now_ns: the time, for what counts as young; None: the clock's.
    """
    look = Look(node_at(root))
    if look.root is None or not look.root.is_folder:
        return look
    if mend and not os.access(root, os.R_OK | os.X_OK):
        with suppress(OSError):
            root.chmod(0o700)
    try:
        if HANDLES:
            _walk(os.open(root, _FOLDER), "", 0, look, mend)
        else:
            _walk_plain(root, "", 0, look)
    except OSError:
        look.whole = False
    since = (time.time_ns() if now_ns is None else now_ns) - DOUBT_NS
    for path, node in look.nodes.items():
        if node.is_file and (
            sys.platform == "win32" or node.ctime_ns >= since
        ):  # Windows tells no time of change that a program cannot set
            look.young[path] = digest_at(root, path) or ""
    return look


def digest_at(root: Path, path: str) -> str | None:
    """Digest of the plain file at `path`; None when there is none or it cannot be read."""
    try:
        return digest(read_beneath(root, path))
    except KeepsakeError:
        return None


def _walk(handle: int, prefix: str, depth: int, look: Look, mend: bool) -> None:
    folders: list[str] = []
    try:
        with os.scandir(handle) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                mode, name = status.st_mode, entry.name
                target = _target(name, handle) if stat.S_ISLNK(mode) else ""
                look.nodes[prefix + name] = _node(status, target)
                if stat.S_ISDIR(mode) and name not in CLOSED:
                    folders.append(name)
        for name in folders if depth < DEEPEST else ():
            try:
                child = _entered(name, handle, mend)
            except OSError:
                look.whole = False
                continue
            _walk(child, f"{prefix}{name}/", depth + 1, look, mend)
    finally:
        os.close(handle)


def _entered(name: str, parent: int, mend: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        if not mend:
            raise
        os.chmod(name, 0o700, dir_fd=parent)  # it is a folder: a link would have failed otherwise, and nothing else runs any more
        return os.open(name, _FOLDER, dir_fd=parent)


def _target(name: str, parent: int) -> str:
    try:
        return os.readlink(name, dir_fd=parent)
    except OSError:
        return ""


def _walk_plain(folder: Path, prefix: str, depth: int, look: Look) -> None:
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        status = entry.stat(follow_symlinks=False)
        look.nodes[prefix + entry.name] = _node(status)
        if entry.is_dir(follow_symlinks=False) and entry.name not in CLOSED and depth < DEEPEST:
            try:
                _walk_plain(folder / entry.name, f"{prefix}{entry.name}/", depth + 1, look)
            except OSError:
                look.whole = False
