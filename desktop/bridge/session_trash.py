"""Moving a stored session to the trash, back, and out of it for good. Blocking: called through `operations`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.sessions.store import SessionStore

if TYPE_CHECKING:
    from desktop.sessions.index import SessionSearch
    from desktop.sessions.trash import TrashedSession


@dataclass(frozen=True, slots=True)
class Trashed:
    """A session in the trash: where it was and where it is now."""

    session_id: str
    title: str
    was: Path
    now: Path


def trash(store: SessionStore, session_id: str, title: str) -> Trashed:
    """Move a session to the trash. Raises what the store raises."""
    was = store.path_of(session_id)
    return Trashed(session_id, title, was, store.trash(session_id))


def restore(store: SessionStore, trashed: Trashed) -> Path:
    """Put a session and what belongs to it back, while nobody else writes to it; the store tells its listeners.

    Raises:
        NotFoundError: it is not in the trash any more.
        StorageError: it is open elsewhere, something is in its old place, or it cannot be moved; it is still in the trash.
    """
    return store.restore(store.find_trashed(trashed.now))


def purge(store: SessionStore, search: SessionSearch, state: Path, entry: TrashedSession) -> None:
    """Delete a session in the trash for good. Raises what `sessions.purging` raises."""
    from desktop.sessions.purging import purge_session

    purge_session(store, search, state, entry)
