"""Deleting a session for good: its text leaves the search index, its drafts, the trash with all that belongs to it, and the list's cache.

Owns the order: the session's own files go last, so that a purge that breaks off can be asked for again. Only ever done because the person
said so. Not reached are memories that came out of it, exports, and sessions that were forked from it. Blocking, any thread.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.sessions.index import SessionSearch
from desktop.sessions.store import SessionStore
from desktop.sessions.trash import TrashedSession

DRAFTS = "drafts"
"""Folder below the state folder with what was typed and not sent."""


def purge_session(store: SessionStore, search: SessionSearch, state: Path, entry: TrashedSession) -> None:
    """Delete a session that lies in the trash, with every byte of it that this profile holds.

    Of one that is there twice (a copy was put back or made anew) the other stays as it is, and is found again by the next search.

    Args:
        state: the profile's state folder.

    Raises:
        NotFoundError: it is not in the trash any more.
        StorageError: not all of it could be deleted; what is left of it is still in the trash.
    """
    entry = store.find_trashed(entry.path)
    search.forget(entry.id)
    if not _is_elsewhere(store, entry):
        _drop_drafts(state / DRAFTS, entry)
    store.purge(entry)


def _is_elsewhere(store: SessionStore, entry: TrashedSession) -> bool:
    """Whether the session is in the list too, or once more in the trash."""
    with suppress(NotFoundError):
        return bool(store.path_of(entry.id))
    return any(one.id == entry.id and one.path != entry.path for one in store.trashed())


def _drop_drafts(folder: Path, entry: TrashedSession) -> None:
    try:
        with os.scandir(folder) as found:
            for path in [Path(one.path) for one in found if entry.id in one.name]:
                path.unlink(missing_ok=True)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise StorageError(
            say("What was typed for “{title}” could not be deleted ({reason}).", title=entry.title, reason=os_reason(error)),
            hint=say("Check that you may write to {folder}, then try again.", folder=folder),
            detail=str(error),
        ) from error
