"""The versions of one memory: every content it had, through renames and moves, and bringing one back.

Owns the walk over the journal that says which changes belong to one memory. Judges nothing and keeps nothing: contents are the journal's,
a restore goes through the store. Blocking, any thread.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import ConflictError, NotFoundError
from desktop.base.phrases import say
from desktop.base.textio import decode, digest
from desktop.memory.change import Change, ChangeOrigin, change_from_line
from desktop.memory.changing import Changing
from desktop.memory.duplicates import twin_of
from desktop.memory.frontmatter import decode_text, encode_text
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.journal import Journal
from desktop.memory.note import list_notes
from desktop.memory.retention import KEPT_FOR
from desktop.memory.tombstones import MOVED

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class Version:
    """One step in the life of a memory.

    Attributes:
        change: who, when and why.
        digest: of the content after it; None where it was deleted or moved away.
        available: that content is still kept, so that it can be shown and restored.
        expires: when it goes; None for what is not kept, and for the present content, which stays.
    """

    change: Change
    digest: str | None
    available: bool
    expires: datetime | None


# which changes belong to one memory


def lineages(changes: Sequence[Change]) -> tuple[list[int], dict[str, int]]:
    """Which memory each change belongs to, as a number a change, and which one every path means now, or meant last.

    A memory keeps its number when it is renamed, and when it comes back at its path after a deletion.
    """
    numbers: list[int] = []
    at: dict[str, int] = {}
    last: dict[str, int] = {}
    fresh = 0
    for change in changes:
        if change.old_path:
            number = at.pop(change.old_path, None)
            if number is None:
                number = last.get(change.old_path)
        else:
            number = at.get(change.path)
        if number is None:
            number, fresh = fresh, fresh + 1
        at[change.path] = last[change.path] = number
        numbers.append(number)
    return numbers, last | at


def lineage(changes: Sequence[Change], path: str) -> list[Change]:
    """The changes of the memory that is at `path`, or was the last one there, oldest first."""
    numbers, at = lineages(changes)
    wanted = at.get(path)
    return [] if wanted is None else [change for change, number in zip(changes, numbers, strict=True) if number == wanted]


def _moved_from(journal: Journal, change: Change) -> tuple[Journal, list[Change]] | None:
    """Where a memory was before it came here out of another root: that root's journal, and its changes there, oldest first."""
    if not change.group.startswith(MOVED) or change.before is not None:
        return None
    needle = json.dumps(change.group).encode()
    for file in sorted(journal.file.parent.glob("*.jsonl")):
        if file == journal.file or file.name.endswith(".tombstones.jsonl"):
            continue
        left = _departure(file, needle, change)
        if left is not None:
            there = journal.beside(file.stem)
            changes = there.read()
            until = next((n for n, one in enumerate(changes) if one.id == left.id), len(changes) - 1)
            return there, lineage(changes[: until + 1], left.path)
    return None


def _departure(file: Path, needle: bytes, arrival: Change) -> Change | None:
    try:
        data = file.read_bytes()
    except OSError:
        return None
    if needle not in data:
        return None
    found = (change_from_line(line) for line in data.split(b"\n") if needle in line)
    return next((one for one in found if one and one.group == arrival.group and one.after is None and one.before == arrival.after), None)


def _steps(journal: Journal, path: str) -> list[tuple[Journal, Change]]:
    """Every change of one memory with the journal that it stands in, oldest first, through all roots it lived in."""
    steps = [(journal, change) for change in lineage(journal.read(), path)]
    seen = {change.id for _, change in steps}
    while steps:
        earlier = _moved_from(*steps[0])
        if earlier is None or any(change.id in seen for change in earlier[1]):
            return steps
        steps = [*((earlier[0], change) for change in earlier[1]), *steps]
        seen.update(change.id for change in earlier[1])
    return steps


# what a person sees and does


def history(store: MemoryStore, relative: str) -> list[Version]:
    """Every version of the memory at `relative`, newest first; also of one that was deleted or moved away.

    The content from before the first known change is a version too: its change has the id "", since nobody knows who made it.

    Raises:
        StorageError: the journal cannot be read.
    """
    path = store.relative(relative)
    steps = _steps(store.journal, path)
    now = next((change.after for _, change in reversed(steps) if change.after), None)
    newest: dict[str, datetime] = {}
    for _, change in steps:
        for name in (change.before, change.after):
            if name:
                newest[name] = max(change.time, newest.get(name, change.time))
    found = [_version(store.journal, journal, change, now, newest) for journal, change in reversed(steps)]
    if steps and steps[0][1].before is not None and not steps[0][1].old_path:
        journal, first = steps[0]
        unknown = Change("", first.time, "write", first.path, None, first.before, ChangeOrigin("outside"))
        found.append(_version(store.journal, journal, unknown, now, newest))
    return found


def _version(own: Journal, journal: Journal, change: Change, now: str | None, newest: dict[str, datetime]) -> Version:
    """A version; what is kept here is also there when the change was made in another root, since a move takes the old contents along."""
    name = change.after
    place = next((one.snapshots / name for one in (own, journal) if (one.snapshots / name).is_file()), None) if name else None
    if name is None or place is None:
        return Version(change, name, False, None)
    if name == now:
        return Version(change, name, True, None)
    try:
        used = datetime.fromtimestamp(place.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        used = newest[name]
    return Version(change, name, True, max(used, newest.get(name, used)) + KEPT_FOR)


def text_of(store: MemoryStore, digest: str) -> str:
    """The text of a kept version.

    Raises:
        NotFoundError: it is no longer kept.
    """
    return decode(store.version(digest))


def restore(store: MemoryStore, relative: str, digest: str, *, origin: ChangeOrigin) -> Change:
    """Make a kept version the present content again; a memory that was deleted comes back with its index line. Undoable like a write.

    Raises:
        NotFoundError: that version is no longer kept.
        RefusedError: the gate refused.
        ConflictError: a file of nearly the same name stands in its place.
        StorageError: it could not be saved; the file is as before.
    """
    path = store.relative(relative)
    data = store.version(digest)
    verdict = store.gate("restore", path, decode(data), origin)
    why = origin if origin.reason else replace(origin, reason="an earlier version is back")
    with store.exclusive() as changing:
        before = changing.current(path)
        if before is None:
            _refuse_spelling(store.root, path)
        if changing.is_index(path):
            data = _index_in_step(changing, store.root, data, before)
        name = _digest_of(before)
        if before == data:
            return changing.change("write", path, name, name, origin)
        deleted = _deletion(changing.journal, path) if before is None else None
        change = changing.apply(path, before, data, "write", why, warnings=verdict.warnings)
        if deleted is not None and changing.restore_lines(deleted[0], deleted[1], why):
            return change
        return changing.follow(change, before, data)


def _digest_of(data: bytes | None) -> str | None:
    return digest(data) if data is not None else None


def _deletion(journal: Journal, path: str) -> tuple[Change, list[Change]] | None:
    """The deletion after which nothing is at `path` any more, with all changes."""
    changes = journal.read()
    last = next((change for change in reversed(changes) if path in (change.path, change.old_path)), None)
    return (last, changes) if last is not None and last.after is None and last.path == path else None


def _refuse_spelling(root: Path, path: str) -> None:
    twin = twin_of(root, path)
    if twin:
        raise ConflictError(
            say("{path} differs from the existing {twin} only in its spelling.", path=path, twin=twin),
            hint=say("Use {twin}, or choose a really different name.", twin=twin),
        )


def _index_in_step(changing: Changing, root: Path, data: bytes, before: bytes | None) -> bytes:
    """An older index as it may stand now: lines of memories that are gone left out, those of memories that came since kept."""
    text, encoding, bom = decode_text(data)
    notes = list_notes(root)
    keeper, there = IndexKeeper(root), {note.path for note in notes}
    known = {change.path for change in changing.journal.read()}
    gone = {entry.target for entry in entries_of(text) if entry.target and entry.target not in there and entry.target in known}
    text = keeper.synced(text, removed=sorted(gone))
    if before is not None:
        text = keeper.with_lost_lines(text, decode_text(before)[0], notes)
    return bom + encode_text(keeper.synced(text, added=notes), encoding)


def last_content(journal: Journal, path: str) -> bytes:
    """The newest kept content of the memory at `path`.

    Raises:
        NotFoundError: none is kept.
    """
    for change in reversed(lineage(journal.read(), path)):
        for name in (change.after, change.before):
            if name and (journal.snapshots / name).is_file():
                return journal.kept(name)
    raise NotFoundError(say("This older version is no longer kept."))
