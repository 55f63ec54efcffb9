"""`--resume SESSION --fork`: the session that a run goes on with is a copy, made for it. Blocking."""

from __future__ import annotations

import argparse

from desktop.cli.output import say
from desktop.compose import Services
from desktop.sessions.forks import fork
from desktop.sessions.importers.convert import is_foreign


def forked(found: argparse.Namespace, services: Services) -> str:
    """The id of the session to go on with: a new fork of the one that is named, when that is asked for.

    Raises:
        StorageError: there is nothing to fork, or it cannot be written.
    """
    if not found.fork or is_foreign(found.resume):  # one of another tool is gone on with in a new session anyway
        return str(found.resume)
    session_id = fork(services.sessions, found.resume)
    say(f"keepsake: forked {found.resume} as {session_id}")
    return session_id
