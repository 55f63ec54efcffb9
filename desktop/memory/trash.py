"""The trash of one root: what was deleted, putting it back, emptying it.

Owns the reading of `<data>/trash/<root key>/<change id>/<name>`; the files get there by `Changing.remove`. What was put back is taken out.
Emptying frees the trash only: versions stay in the history until they expire, `desktop.memory.purge` leaves no text at all. Blocking,
any thread.
"""

from __future__ import annotations

import logging
import os
import posixpath
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import KeepsakeError, NotFoundError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.memory.change import Change, ChangeOrigin, undone_ids
from desktop.memory.changing import Changing
from desktop.memory.duplicates import twin_of
from desktop.memory.gate import Actor
from desktop.memory.journal import Journal
from desktop.memory.tombstones import MOVED

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

log = logging.getLogger(__name__)
MAX_SIZE = 64 << 20


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """One deleted memory: the change that deleted it, its path then, when, its size in bytes, and who."""

    change_id: str
    path: str
    time: datetime
    size: int
    actor: Actor


def _binned(journal: Journal) -> Iterator[tuple[Change, Path, os.stat_result]]:
    """Every deletion whose text is in the trash, with the file and its stat, oldest first."""
    for change in journal.read():
        if change.after is not None or change.before is None:
            continue
        file = journal.trash / change.id / posixpath.basename(change.path)
        try:
            status = file.lstat()
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield change, file, status


def list_trash(store: MemoryStore) -> list[TrashEntry]:
    """What is in the trash, newest first; without what was put back, moved to another root, or only the index keeper's own.

    Raises:
        StorageError: the journal cannot be read.
    """
    undone = undone_ids(store.journal.read())
    return [
        TrashEntry(change.id, change.path, change.time, status.st_size, change.origin.actor)
        for change, _, status in _binned(store.journal)
        if change.id not in undone and not change.by_keeper and not change.group.startswith(MOVED)
    ][::-1]


def put_back(store: MemoryStore, change_id: str) -> Change:
    """Take a memory out of the trash, to its old path; when something else is there by now, beside it under a name with a number.

    Returns:
        The change; its `path` says where the memory is, and a warning when that is another place than before.

    Raises:
        NotFoundError: it is not in the trash (any more).
        StorageError: it could not be put back; it stays in the trash.
    """
    with store.exclusive() as changing:
        changes = changing.journal.read()
        deleted = next((change for change in changes if change.id == change_id), None)
        if deleted is None or deleted.after is not None or deleted.before is None or change_id in undone_ids(changes):
            raise NotFoundError(say("There is nothing in the trash under {change_id}.", change_id=change_id))
        data = _content(changing.journal, deleted)
        path = free_path(changing, store.root, deleted.path)
        moved = path != deleted.path
        warnings = (say("{path} was taken, so it is back as {other}.", path=deleted.path, other=path),) if moved else ()
        origin = ChangeOrigin("person", reason="out of the trash")
        change = changing.apply(path, None, data, "restore", origin, undoes=deleted.id, warnings=warnings)
        if moved or not changing.restore_lines(deleted, changes, origin):
            change = changing.follow(change, None, data)
        _drop(changing.journal.trash / change_id)
        return change


def _content(journal: Journal, deleted: Change) -> bytes:
    """The deleted text: kept version, else the trash's own copy."""
    try:
        return journal.kept(deleted.before or "")
    except NotFoundError:
        pass
    try:
        file = journal.trash / deleted.id / posixpath.basename(deleted.path)
        with file.open("rb") as stream:
            return stream.read(MAX_SIZE)
    except OSError as error:
        raise NotFoundError(say("{path} is not in the trash any more.", path=deleted.path), detail=str(error)) from error


def free_path(changing: Changing, root: Path, path: str) -> str:
    """`path`, or the first of `name-2.md`, `name-3.md` … where nothing stands, in no spelling."""
    stem, wanted, number = path.removesuffix(".md"), path, 1
    while True:
        try:
            if changing.current(wanted) is None and twin_of(root, wanted) is None:
                return wanted
        except KeepsakeError:
            pass  # something that is no file stands there
        number += 1
        wanted = f"{stem}-{number}.md"


def empty(store: MemoryStore, before: datetime | None = None) -> int:
    """Take out what was deleted before a moment (default: all of it), and what was put back meanwhile; how many memories went.

    Raises:
        StorageError: a file could not be removed; the others are gone.
    """
    with store.exclusive() as changing:
        gone = 0
        undone = undone_ids(changing.journal.read())
        for change, file, _ in list(_binned(changing.journal)):
            over = change.id in undone or change.group.startswith(MOVED)
            if over or before is None or change.time < before:
                _removed(file)
                gone += not over
        return gone


def _removed(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(say("{path} could not be removed ({reason}).", path=file, reason=os_reason(error)), detail=str(error)) from error
    _drop(file.parent)


def _drop(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        log.warning("the trash still holds %s", folder.name)
