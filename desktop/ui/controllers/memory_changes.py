"""What a person's intent does to the store, as plain functions for a worker thread. No Qt; several steps at most, each one undoable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from desktop.base.errors import KeepsakeError
from desktop.bridge.operations import Failure
from desktop.memory.store import Change, ChangeOrigin, MemoryStore

PERSON = ChangeOrigin(actor="person")


@dataclass(slots=True)
class Deleted:
    """What was deleted, and why it stopped before the end, if it did."""

    changes: list[Change] = field(default_factory=list)
    failure: Failure | None = None


def delete_all(store: MemoryStore, paths: Sequence[str]) -> Deleted:
    """Delete one after another. The first failure stops it; what was deleted before stays undoable."""
    outcome = Deleted()
    try:
        for path in paths:
            outcome.changes.append(store.delete(path, origin=PERSON))
    except KeepsakeError as error:
        outcome.failure = Failure.of(error)
    return outcome


def renamed_path(path: str, name: str) -> str:
    """`path` with another file name; `.md` is added where it is missing."""
    file = name.strip() if name.strip().endswith(".md") else f"{name.strip()}.md"
    return (PurePosixPath(path).parent / file).as_posix()


def rename(store: MemoryStore, path: str, target: str) -> Change:
    """Raises ConflictError when the new name is taken, RefusedError when it is not allowed."""
    return store.rename(path, target, origin=PERSON)


def undo_all(store: MemoryStore, changes: Sequence[str]) -> list[Change]:
    """Take changes back, newest first."""
    return [store.undo(change) for change in reversed(changes)]
