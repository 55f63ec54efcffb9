"""The memory half of Write, Edit and `rm`: the store of the root, the origin of a change, what the model is told after it.

Every change goes through the store of the root that the path lies in, with its gate, journal and undo. Keeps the session's read state
fresh over changes of our own. Blocking: called in worker threads.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, ToolError
from desktop.base.phrases import say
from desktop.memory.index import IndexLimits
from desktop.memory.index_feedback import write_feedback
from desktop.memory.note import INDEX_NAME
from desktop.memory.store import Change as StoredChange
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.permissions.access import Access
from desktop.tools.base import ToolContext, meaning_of
from desktop.tools.files import Found, exists, load
from desktop.tools.text import decode, printable

LARGEST = 20 << 20
MEMORY_CHANGES = "memory_changes"
"""Key in a result's data: the journalled changes that a call made, each with `root`, `path`, `change` (its id) and `op`."""

SHOWN_AFTER_MERGE = 4_000
"""Characters of a merged memory that the result shows: it holds lines that the model has not seen."""


def store_of(access: Access, context: ToolContext) -> MemoryStore:
    """The store of the root that an access names.

    Raises:
        ToolError: memory is off by now.
    """
    if context.memory is None:
        raise ToolError(say("Memory is off."))
    if context.memories is None:
        found: MemoryStore = context.memory
        return found
    return context.memories.store(access.memory_root)


def origin_of(context: ToolContext, reason: str, access: Access | None = None) -> ChangeOrigin:
    """Who changes memory. A call into a root whose policy is to ask was allowed by the person, or it would not run."""
    actor: Literal["extractor", "main"] = "extractor" if context.actor == "extractor" else "main"
    origin = ChangeOrigin(
        actor=actor, session_id=context.session_id, message_id=context.message_id, reason=reason, untrusted=context.untrusted
    )
    asked = access is not None and access.memory_policy == "ask" and actor == "main"
    return replace(origin, approved=True) if asked else origin


@dataclass(frozen=True, slots=True)
class SavedMemory:
    """What came of a write: the store's change, and what the model is told about it in words."""

    change: StoredChange
    notes: tuple[str, ...]


def change_data(root_id: str, *changes: StoredChange) -> dict[str, Any]:
    """A result's data for changes of one root, as the transcript keeps them; empty when nothing was journalled."""
    made = [{"root": root_id, "path": one.path, "change": one.id, "op": one.op} for one in changes if one.changed]
    return {MEMORY_CHANGES: made} if made else {}


def save(access: Access, path: Path, text: str, base: Found | None, context: ToolContext, reason: str = "") -> SavedMemory:
    """Write a memory through its store; `base` is what the writer had read, None for a new file; `reason` is for the journal.

    Raises:
        RefusedError, ConflictError, StorageError: as `MemoryStore.write`.
    """
    store = store_of(access, context)
    origin = origin_of(context, reason or access.tool, access)
    with IndexFollower(context, store):
        stored = _write(store, access, text, base, origin)
    found = quietly(path)
    merged = ""
    if found is not None:
        now = decode(found.data).text
        context.read_state.saw(path, found.digest, meaning_of(now))
        merged = _merged_note(stored, now)
    return SavedMemory(stored, tuple(note for note in (*stored.warnings, merged, feedback(store, context)) if note))


def _write(store: MemoryStore, access: Access, text: str, base: Found | None, origin: ChangeOrigin) -> StoredChange:
    """One write; behind a question exactly what was shown or nothing, else merged with what somebody else changed meanwhile."""
    assert access.memory_target is not None
    relative = access.memory_target
    digest, data = (None, None) if base is None else (base.digest, base.data)
    if access.memory_policy == "allow":
        return store.write(relative, text, base_digest=digest, origin=origin, base=data)
    with store.exclusive() as changing:
        if changing.current(relative) != data:
            raise ConflictError(
                say("{path} was changed meanwhile; nothing was written.", path=store.root / relative),
                hint=say("Read it again, then repeat the change."),
            )
        return store.write(relative, text, base_digest=digest, origin=origin, base=data)


def _merged_note(change: StoredChange, now: str) -> str:
    if not change.merged or len(now) > SHOWN_AFTER_MERGE:
        return ""
    return f"It now holds:\n{printable(now)}"


def feedback(store: MemoryStore, context: ToolContext) -> str:
    """What a model is told when the index is near or over its limits; "" while it is fine, and for roots without an index."""
    if store.memory_root.profile != "index":
        return ""
    return write_feedback(store.root, context.memories.limits() if context.memories is not None else IndexLimits())


def read_version(access: Access, seen: str | None, context: ToolContext) -> bytes | None:
    """The content that this session had read before somebody else changed the file; None when it is not kept.

    Only where no question is asked: a person who is asked must see exactly what will be written.
    """
    if seen is None or access.memory_target is None or access.memory_policy != "allow":
        return None
    with suppress(NotFoundError, KeepsakeError, OSError):
        return store_of(access, context).version(seen)
    return None


def quietly(path: Path) -> Found | None:
    """The file, or None when it cannot be read: it only keeps the read state fresh."""
    try:
        return load(path, LARGEST)
    except (OSError, ToolError):
        return None


class IndexFollower:
    """Keeps the index “read” over a change of ours: the line that the app adds for a memory is no news to the session that wrote it."""

    def __init__(self, context: ToolContext, store: MemoryStore | None = None) -> None:
        self._state = context.read_state
        root = context.memory_root if store is None else store.root
        self._path = Path() if root is None else Path(root).resolve() / INDEX_NAME
        self._known = False

    def __enter__(self) -> None:
        found = quietly(self._path)
        self._known = self._state.digest_of(self._path) == found.digest if found is not None else not exists(self._path)

    def __exit__(self, *_: object) -> None:
        found = quietly(self._path) if self._known else None
        if found is not None:
            self._state.saw(self._path, found.digest, meaning_of(decode(found.data).text))
