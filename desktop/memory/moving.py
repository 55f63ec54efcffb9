"""Giving memories another place: a new path with the links that follow, another root, and the pin that keeps one in the index.

Owns these acts as the person or the model means them, each one step to undo. Works through `MemoryStore.exclusive`, so every step is
gated, snapshotted and journalled. A move copies first and deletes last. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, RefusedError, UsageError
from desktop.base.phrases import say
from desktop.base.textio import decode, digest
from desktop.memory.change import Change, ChangeOrigin, last_of, undone_ids
from desktop.memory.changing import Changing
from desktop.memory.duplicates import twin_of
from desktop.memory.frontmatter import decode_text, encode_text, parse
from desktop.memory.history import lineage
from desktop.memory.links import Relinker, rebased
from desktop.memory.naming import named_bytes
from desktop.memory.note import INDEX_NAME, Note, note_of
from desktop.memory.pending import Departure
from desktop.memory.pinning import pinned_bytes
from desktop.memory.tombstones import MOVED

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

CARRIED = 200
"""Kept versions that go along to another root."""


# another path


def rename_with_links(store: MemoryStore, old: str, new: str, *, origin: ChangeOrigin, name: str = "") -> Change:
    """Give a memory another path; the index line and the links in other memories follow, and its own links lead where they led.

    All of it is one act: undone as one, and after a kill either done or not.

    Args:
        name: the name in its header from now on, where that can be changed without doubt; "" leaves it.

    Returns:
        The change of the memory itself.

    Raises:
        RefusedError: the gate refused.
        NotFoundError: it is not there.
        ConflictError: the new path is taken, or differs from another only in its spelling.
        StorageError: it could not be saved; everything is as before.
    """
    old_path, new_path = store.relative(old), store.relative(new)
    store.gate("rename", old_path, "", origin)
    store.gate("rename", new_path, "", origin)
    with store.exclusive() as changing, changing.grouped(changing.new_group()):
        data = _there(changing, old_path)
        _refuse_taken(store, changing, new_path, but=old_path)
        notes = store.notes()
        before = _note_at(notes, old_path, data)
        others = [note for note in notes if note.path != old_path]
        change = changing.move(old_path, new_path, data, origin)
        named = (named_bytes(data, name) if name else None) or data
        after = note_of(new_path, parse(named), size=len(named), mtime_s=0.0)
        why = replace(origin, reason=f"links follow {old_path} to {new_path}")
        own, encoding, bom = decode_text(named)
        paths = [note.path for note in others]
        relinker = Relinker(before, new_path, after.name, others)
        moved = relinker.edited(rebased(own, old_path, new_path, paths), new_path)
        _put(changing, new_path, data, bom + encode_text(moved, encoding), why)
        missed = [warning for path in (*paths, INDEX_NAME) if (warning := _follow_in(changing, path, relinker, why))]
        return replace(change, warnings=(*change.warnings, *missed)) if missed else change


def _follow_in(changing: Changing, path: str, relinker: Relinker, origin: ChangeOrigin) -> str:
    """Lead the links of one file to the memory's new place. A file that cannot be read keeps its links; gives a warning then."""
    if changing.is_index(path):
        return changing.sync_index(lambda text: relinker.edited(text, path), origin)
    try:
        data = changing.current(path)
    except RefusedError:
        return ""  # a link or no plain file: none of ours
    except KeepsakeError as error:
        return say("Links in {path} could not follow: {reason}", path=path, reason=error.message)
    if data is not None and b"[" in data:
        text, encoding, bom = decode_text(data)
        _put(changing, path, data, bom + encode_text(relinker.edited(text, path), encoding), origin)
    return ""


def _put(changing: Changing, path: str, before: bytes, after: bytes, origin: ChangeOrigin) -> None:
    if after != before:
        changing.follow(changing.apply(path, before, after, "write", origin), before, after)


def _note_at(notes: list[Note], path: str, data: bytes) -> Note:
    found = next((note for note in notes if note.path == path), None)
    return found or note_of(path, parse(data), size=len(data), mtime_s=0.0)


def _there(changing: Changing, path: str) -> bytes:
    data = changing.current(path)
    if data is None:
        raise NotFoundError(say("{path} does not exist.", path=path))
    return data


def _refuse_taken(store: MemoryStore, changing: Changing, path: str, *, but: str = "") -> None:
    if changing.current(path) is not None:
        raise ConflictError(say("{path} exists already.", path=path), hint=say("Choose another name."))
    twin = twin_of(store.root, path)
    if twin and twin != but:
        raise ConflictError(
            say("{path} differs from the existing {twin} only in its spelling.", path=path, twin=twin),
            hint=say("Use {twin}, or choose a really different name.", twin=twin),
        )


# another root


def is_move(change: Change) -> bool:
    """Whether a change is one half of a move between two roots, which `undo_move` takes back as a whole."""
    return change.group.startswith(MOVED)


def move_between(source: MemoryStore, target: MemoryStore, relative: str, new: str | None = None, *, origin: ChangeOrigin) -> Change:
    """Move a memory to another root: copied there with its kept versions, then deleted here; both journals name one group.

    A kill in between leaves the memory in both places, and the next start takes it out of the first.

    Args:
        new: its path there; None: the same.

    Returns:
        The change in the target. `undo_move` takes the whole move back.

    Raises:
        RefusedError: one of the two gates refused, or it is the index.
        NotFoundError, ConflictError, StorageError: as for `rename_with_links`; everything is as before.
    """
    path = source.relative(relative)
    goal = target.relative(new if new is not None else path)
    if source.memory_root.key == target.memory_root.key:
        return rename_with_links(source, path, goal, origin=origin)
    if path == INDEX_NAME and source.memory_root.profile != "single":
        raise RefusedError(
            say("{name} belongs to its place and cannot be moved.", name=INDEX_NAME), hint=say("Move single memories; their lines follow.")
        )
    _refuse_same(source, target)
    source.gate("delete", path, "", origin)
    with source.exclusive() as here:
        data = _there(here, path)
        verdict = target.gate("write", goal, decode(data), origin)
        group = MOVED + here.new_group().removeprefix("grp_")
    why = replace(origin, reason=origin.reason or f"moved from {source.memory_root.id}: {path}")

    def arrive() -> Change:
        with target.exclusive(group=group) as there:
            _refuse_taken(target, there, goal)
            _carry_versions(source, there, path)
            return there.follow(there.apply(goal, None, data, "write", why, warnings=verdict.warnings), None, data)

    act = Departure(path, digest(data), target.memory_root.key, goal, group, actor=origin.actor)
    return _carried_over(source, target, act, arrive)


def _carried_over(source: MemoryStore, target: MemoryStore, act: Departure, arrive: Callable[[], Change]) -> Change:
    """Let a memory arrive in one root and then leave the other; one lock at a time, so that no two moves ever wait for each other."""
    with source.pending.begun(act.group, act):
        arrived = arrive()
        try:
            with source.exclusive() as here:  # entering it may have finished the act already
                left = _half(here, act.group, arrival=False) or source.pending.depart(act, here)
            if left is None:
                raise ConflictError(say("{path} was changed meanwhile.", path=act.path), hint=say("Try again."))
        except KeepsakeError:
            with target.exclusive() as there:
                _take_back(there, arrived)
            raise
    return arrived


def undo_move(source: MemoryStore, target: MemoryStore, change: Change | str) -> Change:
    """Take a whole move back: the memory is in `source` again, with its index line, and gone from `target`.

    Args:
        source, target: as they were given to `move_between`.
        change: what that returned, or the group of it.

    Returns:
        The change in the source.

    Raises:
        NotFoundError: there is no such move.
        ConflictError: it was taken back already, or the memory was changed since, or something else is at its old place.
    """
    group = change if isinstance(change, str) else change.group
    _refuse_same(source, target)
    with target.exclusive() as there:
        arrived, data = _still_there(there, group)
    with source.exclusive() as here:
        left = _half(here, group, arrival=False)
        if left is None:
            raise NotFoundError(say("There is no such move."))
        if left.id in undone_ids(here.journal.read()):
            raise ConflictError(say("The change of {path} is already undone.", path=left.path))
        back = MOVED + here.new_group().removeprefix("grp_")

    def arrive() -> Change:
        with source.exclusive(group=back) as here:
            _refuse_taken(source, here, left.path)
            changes = here.journal.read()
            origin = ChangeOrigin("person", reason=f"undo of {left.id}")
            change = here.apply(left.path, None, data, "restore", origin, undoes=left.id)
            return change if here.restore_lines(left, changes, origin) else here.follow(change, None, data)

    act = Departure(arrived.path, digest(data), source.memory_root.key, left.path, back, "restore", arrived.id)
    return _carried_over(target, source, act, arrive)


def undo_in(stores: Sequence[MemoryStore], store: MemoryStore, change_id: str | None = None) -> Change:
    """Take back one change of `store` (default: its newest), a move between two roots as a whole, in whichever of the two it is named.

    Args:
        stores: all that may hold the other half of a move.

    Raises:
        NotFoundError, ConflictError: as for `MemoryStore.undo` and `undo_move`.
    """
    changes = store.journal.read()
    wanted = next((c for c in changes if c.id == change_id), None) if change_id else last_of(changes, undoable=True)
    if wanted is None or not is_move(wanted) or wanted.by_keeper:
        return store.undo(change_id)
    halves = [(other, half) for other in stores for half in other.journal.read() if half.group == wanted.group and not half.by_keeper]
    source = next((other for other, half in halves if half.after is None), None)
    target = next((other for other, half in halves if half.before is None), None)
    if source is None or target is None:
        raise ConflictError(
            say("{path} was moved from or to a place that is not open here.", path=wanted.path),
            hint=say("Open that place, or move it back by hand."),
        )
    return undo_move(source, target, wanted)


def _still_there(there: Changing, group: str) -> tuple[Change, bytes]:
    """Where a moved memory arrived, with its content, which must be the one that came."""
    arrived = _half(there, group, arrival=True) if group.startswith(MOVED) else None
    if arrived is None:
        raise NotFoundError(say("There is no such move."))
    if arrived.id in undone_ids(there.journal.read()):
        raise ConflictError(say("The change of {path} is already undone.", path=arrived.path))
    data = there.current(arrived.path)
    if data is None or digest(data) != arrived.after:
        raise ConflictError(
            say("{path} was changed again since.", path=arrived.path), hint=say("Undo the later change first, or move it back by hand.")
        )
    return arrived, data


def _half(changing: Changing, group: str, *, arrival: bool) -> Change | None:
    """One side of a move in a journal: where the memory arrived, or where it left."""
    for change in changing.journal.read():
        if change.group == group and not change.by_keeper and (change.before is None) is arrival and (change.after is None) is not arrival:
            return change
    return None


def _take_back(changing: Changing, made: Change | None) -> None:
    """The other half failed: what was put here goes again, so that the memory is where it was."""
    if made is not None and made.after is not None:
        data = changing.current(made.path)
        if data is not None and digest(data) == made.after:
            origin = ChangeOrigin(made.origin.actor, reason=f"taken back: {made.id}")
            changing.follow(changing.remove(made.path, data, "restore", origin, undoes=made.id), data, None)


def _carry_versions(source: MemoryStore, there: Changing, path: str) -> None:
    """Keep the older contents on the other side too, so that they can be shown and restored there."""
    names = dict.fromkeys(
        name for change in reversed(lineage(source.journal.read(), path)) for name in (change.after, change.before) if name
    )
    for name in list(names)[:CARRIED]:
        try:
            there.journal.keep(source.journal.kept(name))
        except NotFoundError:
            continue


def _refuse_same(source: MemoryStore, target: MemoryStore) -> None:
    one, two = source.root, target.root
    if one == two or (one.exists() and two.exists() and one.samefile(two)):
        raise UsageError(say("Both places of memory are the same folder."), hint=say("Choose another one."))


# the pin


def set_pinned(store: MemoryStore, relative: str, on: bool, *, origin: ChangeOrigin) -> Change:
    """Pin a memory, so that it stays in the loaded index when others are dropped, or take the pin off. Only that one value changes.

    Raises:
        RefusedError: the gate refused.
        NotFoundError: it is not there.
        UsageError: its header cannot be changed without doubt, or it is the index.
        StorageError: it could not be saved; the file is as before.
    """
    path = store.relative(relative)
    if path == INDEX_NAME:
        raise UsageError(say("{name} is always loaded.", name=INDEX_NAME), hint=say("Pin a single memory."))
    store.gate("rename", path, "", origin)
    with store.exclusive() as changing:
        before = _there(changing, path)
        after = pinned_bytes(before, on)
        if after is None:
            raise UsageError(
                say("The header of {path} cannot be changed safely.", path=path),
                hint=say("Open it and write “pinned: true” below “metadata:” yourself."),
            )
        if after == before:
            return changing.change("write", path, digest(before), digest(before), origin)
        why = origin if origin.reason else replace(origin, reason="pinned" if on else "pin taken off")
        return changing.follow(changing.apply(path, before, after, "write", why), before, after)
