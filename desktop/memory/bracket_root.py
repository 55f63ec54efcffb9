"""The root folder of memory itself, around a shell command: one that was removed, or swapped for a link, is put back (W-08).

Owns the folder and the way to it, not what lies in it. Moves a folder back only when it is certainly the one that was there. Blocking.
"""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import KeepsakeError
from desktop.base.paths import ensure_private_dir
from desktop.memory.bracket_look import Node, node_at

log = logging.getLogger(__name__)
WATCHED = 4
"""Folders above a root whose being swapped for a link is undone: the rest of the way is not the app's."""

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RootLook:
    """The root and the folders above it, nearest first.

    Attributes:
        node: the root's own; None when it did not exist.
        identity: device and inode of the root.
        above: each folder with its identity, or None for a link or nothing.
    """

    node: Node | None
    identity: Identity | None
    above: tuple[tuple[Path, Identity | None], ...]


def _identity(path: Path, *, follow: bool = False) -> Identity | None:
    try:
        status = path.stat(follow_symlinks=follow)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def look_at(root: Path) -> RootLook:
    """The root as it is now."""
    return RootLook(node_at(root), _identity(root), tuple((place, _identity(place)) for place in root.parents[:WATCHED]))


def put_back(root: Path, before: RootLook) -> bool:
    """Make the root the folder that it was, if it was one: links out of the way, a moved folder back, a lost one made anew.

    Returns:
        Whether there was anything to be done.

    Raises:
        OSError, StorageError: it could not be done.
    """
    done = False
    for place, identity in reversed(before.above):
        if identity is not None and place.is_symlink():
            _unlink_for(place, identity)
            done = True
    if root.is_symlink() and (before.node is None or not before.node.is_link):
        _unlink_for(root, before.identity)
        done = True
    if before.identity is None:
        return done
    if os.path.lexists(root) and not root.is_dir():
        root.unlink()
    if not root.is_dir():
        ensure_private_dir(root)
        done = True
    wanted = stat.S_IMODE(before.node.mode) if before.node is not None else 0o700
    if stat.S_IMODE(root.stat().st_mode) != wanted:
        with suppress(OSError):
            root.chmod(wanted)
            done = True
    return done


def _unlink_for(place: Path, identity: Identity | None) -> None:
    """Take away the link that stands where a folder was; where it leads to that folder itself, move it back."""
    target = Path(os.path.realpath(place))
    moved = identity is not None and _identity(target) == identity
    place.unlink()
    if not moved:
        return
    try:
        target.rename(place)
    except (OSError, KeepsakeError) as error:
        log.warning("%s could not be moved back to %s: %s", target, place, error)
