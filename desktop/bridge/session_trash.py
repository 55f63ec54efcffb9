"""Moving a stored session to the trash and back. Blocking: called through `operations`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.phrases import os_reason, say
from desktop.sessions.store import SessionStore
from desktop.sessions.trash import put_back


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


def restore(trashed: Trashed) -> None:
    """Put a session and what stands beside it back.

    Raises:
        StorageError: something is in its old place, or it cannot be moved.
    """
    try:
        put_back(trashed.now, trashed.was)
    except OSError as error:
        message = say("The session “{title}” could not be put back ({reason}).", title=trashed.title, reason=os_reason(error))
        raise StorageError(message, hint=say("It is in the trash: {now}.", now=trashed.now), detail=str(error)) from error
