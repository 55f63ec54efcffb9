"""What is thrown away in time: old versions that nothing needs any more, and temporary files that a killed process left.

Owns the 30 days and what “needed” means. Memory itself is never swept, nor is the trash: only the person empties it. A temporary file is
known by the exact form of its name, its owner, and its age of an hour; a file that a person made is none. Blocking; run it with the
store's lock held (`MemoryStore.sweep`), off the GUI thread.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths
from desktop.memory.journal import Journal
from desktop.memory.known import KnownFile
from desktop.memory.unfinished import Unfinished

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(days=30)
LEFT_BEHIND = timedelta(hours=1)
_TEMPORARY = re.compile(r"\..*\.[0-9a-f]{12}\.tmp", re.DOTALL)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def expires_at(kept: Path) -> float:
    """When a kept version that nothing needs may go, in seconds since 1970."""
    return kept.stat().st_mtime + KEPT_FOR.total_seconds()


def needed(journal: Journal, known: KnownFile, unfinished: Unfinished, since: datetime) -> set[str] | None:
    """Digests of contents that must stay: what the journal says is there now, and both sides of every change since then.

    Returns:
        None when the journal cannot be read: then nothing may go.
    """
    try:
        changes = journal.read()
        wanted = set(journal.contents().values())
    except KeepsakeError as error:
        log.warning("no old version is thrown away: %s", error.message)
        return None
    state = known.load()
    wanted.update(entry.digest for entry in state.files.values()) if state is not None else None
    for change in (*(change for change in changes if change.time >= since), *unfinished.read().changes):
        wanted.update(digest for digest in (change.before, change.after) if digest)
    return wanted


def sweep(paths: AppPaths, key: str, now: datetime, *, root: Path | None = None) -> int:
    """Throw away what is due of one root.

    Args:
        key: of the root.
        now: the time by which ages are measured.
        root: the memory folder, in which only left temporary files go; None: it is not looked into.

    Returns:
        How many files went.
    """
    journal = Journal(paths, key)
    gone = _sweep_versions(journal, paths, key, now)
    limit = (now - LEFT_BEHIND).timestamp()
    flat = (journal.snapshots, paths.journal, paths.state / "known", paths.state / "unfinished")
    places = [entry for folder in flat for entry in _entries(folder)]
    places += [entry for folder in _entries(journal.trash) for entry in _entries(Path(folder.path))]
    places += list(_below(root)) if root is not None else []
    return gone + sum(_drop(entry, limit) for entry in places if _TEMPORARY.fullmatch(entry.name))


def _sweep_versions(journal: Journal, paths: AppPaths, key: str, now: datetime) -> int:
    due = [entry for entry in _entries(journal.snapshots) if _DIGEST.fullmatch(entry.name) and _older(entry, (now - KEPT_FOR).timestamp())]
    wanted = needed(journal, KnownFile(paths, key), Unfinished(paths, key), now - KEPT_FOR) if due else None
    if wanted is None:
        return 0
    return sum(_removed(entry) for entry in due if entry.name not in wanted)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _below(folder: Path, depth: int = 0) -> Iterator[os.DirEntry[str]]:
    """Every entry below a folder, no link followed."""
    if depth == 0 and folder.is_symlink():
        return
    for entry in _entries(folder):
        try:
            inside = entry.is_dir(follow_symlinks=False)
        except OSError:
            continue
        if not inside:
            yield entry
        elif depth < 32 and entry.name != ".git":
            yield from _below(Path(entry.path), depth + 1)


def _older(entry: os.DirEntry[str], limit: float) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_mtime < limit
    except OSError:
        return False


def _drop(entry: os.DirEntry[str], limit: float) -> bool:
    """Remove a temporary file of ours: a plain file with one name, private to us, and long left."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    owner = getattr(os, "geteuid", lambda: status.st_uid)()
    private = os.name == "nt" or (stat.S_IMODE(status.st_mode) == 0o600 and status.st_uid == owner)
    return stat.S_ISREG(status.st_mode) and private and status.st_mtime < limit and _removed(entry)


def _removed(entry: os.DirEntry[str]) -> bool:
    try:
        os.unlink(entry.path)  # noqa: PTH108 - a DirEntry's own path, also where its name is no text
    except OSError as error:
        log.info("%s stays: %s", entry.path, error)
        return False
    return True
