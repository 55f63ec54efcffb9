"""Which memories came from which message of a conversation: what a mark at a message and a chip behind a turn are made of.

Reads the headers of memories and the journals of our own roots; changes nothing, and says nothing while memory is off. Blocking: call it
off the GUI thread.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from desktop.base.errors import KeepsakeError
from desktop.memory.change import Change, undone_ids
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.store import MemoryStore
from desktop.messages.events import MemoryChangeRef

log = logging.getLogger(__name__)

MemoryPlace = tuple[str, str, str]
"""Id of the root, path below it, name."""


@dataclass(frozen=True, slots=True)
class SessionOrigins:
    """What one conversation left in memory, by the id of the person's message.

    Attributes:
        remembered: memories that are there now and came, whole or in part, from the message.
        extracted: changes that background extraction made for the message, in order; taken back or not.
        proposed: ids of what it put into a review inbox for the message, in order; decided or not, as long as that is kept.
    """

    remembered: Mapping[str, tuple[MemoryPlace, ...]] = field(default_factory=dict)
    extracted: Mapping[str, tuple[MemoryChangeRef, ...]] = field(default_factory=dict)
    proposed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def origins_of(memories: Memories, session_id: str) -> SessionOrigins:
    """All of it in one look. Never raises: a root that cannot be read is left out and logged."""
    if not session_id or not memories.state().enabled:
        return SessionOrigins()
    remembered: dict[str, dict[tuple[str, str], MemoryPlace]] = defaultdict(dict)
    extracted: dict[str, list[MemoryChangeRef]] = defaultdict(list)
    proposed: dict[str, list[str]] = defaultdict(list)
    for store in memories.own():
        try:
            changes = store.journal.read()
        except KeepsakeError as error:
            log.warning("the journal of %s could not be read: %s", store.root, error.message)
            changes = []
        for message, paths in _places(store, changes, session_id).items():
            remembered[message].update({(root, path): (root, path, name) for root, path, name in paths})
        for change in changes:
            if _made_in(change, session_id) and change.origin.actor == "extractor":
                extracted[change.origin.message_id].append(ref_of(store, change))
        for proposal in store.proposals.made_in(session_id):
            if proposal.origin.actor == "extractor" and proposal.origin.message_id:
                proposed[proposal.origin.message_id].append(proposal.id)
    return SessionOrigins(
        {message: tuple(places.values()) for message, places in remembered.items()},
        {message: tuple(refs) for message, refs in extracted.items()},
        {message: tuple(ids) for message, ids in proposed.items()},
    )


def remembered_at(memories: Memories, session_id: str) -> dict[str, tuple[MemoryPlace, ...]]:
    """For each message of a session the memories that came from it and are there now. Never raises."""
    return dict(origins_of(memories, session_id).remembered)


def ref_of(store: MemoryStore, change: Change) -> MemoryChangeRef:
    """A change as a conversation keeps it."""
    return MemoryChangeRef(store.memory_root.id, change.path, change.id, change.op)


def _made_in(change: Change, session_id: str) -> bool:
    return change.origin.session_id == session_id and bool(change.origin.message_id) and change.changed and not change.by_keeper


def _places(store: MemoryStore, changes: list[Change], session_id: str) -> dict[str, list[MemoryPlace]]:
    """Message → memories of one root: those whose header names it, and those that it changed later."""
    notes = {note.path: note for note in store.notes()}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for note in notes.values():
        if note.origin_session == session_id and note.origin_message:
            found[note.origin_message][note.path] = None
    for message, paths in _changed(changes, session_id).items():
        found[message].update(dict.fromkeys(paths))
    there = set(notes) | (_documents(store) if found else set())
    root = store.memory_root.id
    return {message: [(root, path, _name(notes.get(path), path)) for path in paths if path in there] for message, paths in found.items()}


def _changed(changes: list[Change], session_id: str) -> dict[str, list[str]]:
    """Message → present paths of the files that were written for it. Renames are followed; what was taken back does not count."""
    undone = undone_ids(changes)
    written: list[tuple[str, str]] = []  # (message, path now)
    gone: dict[str, list[str]] = {}  # path → messages, of deleted files that may come back
    for change in changes:
        if change.id in undone or change.undoes:
            continue
        if change.old_path:
            written = [(message, change.path if path == change.old_path else path) for message, path in written]
        if change.after is None:
            gone[change.path] = [message for message, path in written if path == change.path]
            written = [(message, path) for message, path in written if path != change.path]
        elif change.before is None and not change.old_path:
            written += [(message, change.path) for message in gone.pop(change.path, ())]
        if change.after is not None and change.op == "write" and _made_in(change, session_id):
            written.append((change.origin.message_id, change.path))
    return _grouped(written)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for message, path in pairs:
        grouped[message].append(path)
    return grouped


def _documents(store: MemoryStore) -> set[str]:
    """Files that are memory but no note: the one file or the document of a root without an index."""
    if store.memory_root.profile == "index":
        return set()
    return {path for path in store.journal.contents() if (store.root / path).is_file()} | (
        {INDEX_NAME} if (store.root / INDEX_NAME).is_file() else set()
    )


def _name(note: Note | None, path: str) -> str:
    return note.name if note is not None else PurePosixPath(path).stem


__all__ = ["MemoryPlace", "SessionOrigins", "origins_of", "ref_of", "remembered_at"]
