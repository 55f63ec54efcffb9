"""`keepsake sessions delete|trash`: sessions to the trash, back, and out of it for good. Nothing in it is ever deleted by itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import NotFoundError, UsageError
from desktop.base.redact import redact, visible
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services
from desktop.sessions.trash import TrashedSession

HINT = "“keepsake sessions trash” shows those that are in it."


def delete(found: argparse.Namespace, services: Services) -> int:
    """Move sessions of ours to the trash: all that are named, or none when one of them is not there.

    Raises:
        NotFoundError: there is no such session.
        UsageError: it belongs to another tool.
        StorageError: it is open elsewhere, or cannot be moved.
    """
    ids = _ids(found.sessions)
    for session_id in ids:
        if services.all_sessions.is_foreign(session_id):
            summary = services.all_sessions.find(session_id)
            hint = "“keepsake sessions import --remove PATH” takes a named file out of the list."
            raise UsageError(f"{session_id} lies in {summary.path} and is only read here: nothing there is ever deleted.", hint=hint)
    summaries = [services.sessions.find(session_id) for session_id in ids]
    done: list[dict[str, Any]] = []
    for summary in summaries:
        path = services.sessions.trash(summary.id)
        done.append({"id": summary.id, "title": redact(summary.title), "path": str(path)})
        if not found.json:
            title = visible(redact(summary.title))
            say(f"keepsake: “{title}” is in the trash; “keepsake sessions trash restore {summary.id}” brings it back.")
    if found.json:
        put_json({"trashed": done})
    return 0


def trash(found: argparse.Namespace, services: Services) -> int:
    """List the trash, put sessions back, or delete them for good.

    Raises:
        NotFoundError: a session is not in it.
        UsageError: no session is named, or deleting for good is not confirmed.
        StorageError: it cannot be done; what is not done is still in the trash.
    """
    if found.verb == "list":
        if found.sessions:
            raise UsageError("“sessions trash list” takes no sessions.", hint="It lists all of them.")
        return _list(found, services)
    if not found.sessions:
        raise UsageError(f"“sessions trash {found.verb}” needs a session.", hint=HINT)
    acts: dict[str, Callable[[argparse.Namespace, Services, Sequence[TrashedSession]], int]] = {"restore": _restore, "delete": _delete}
    return acts[found.verb](found, services, _named(services, _ids(found.sessions)))


def _ids(given: Sequence[str]) -> list[str]:
    """What was named, each once; `#sess_…` is the same as `sess_…`."""
    return list(dict.fromkeys(one.strip().removeprefix("#") for one in given))


def _named(services: Services, ids: Sequence[str]) -> list[TrashedSession]:
    """Every entry of these sessions, the latest of each first."""
    entries = services.sessions.trashed()
    for session_id in ids:
        if not any(entry.id == session_id for entry in entries):
            raise NotFoundError(f"There is no session {session_id} in the trash.", hint=HINT)
    return [entry for session_id in ids for entry in entries if entry.id == session_id]


def _to_json(entry: TrashedSession) -> dict[str, Any]:
    return {
        "id": entry.id,
        "title": redact(entry.title),
        "deleted": iso(entry.when),
        "project_key": entry.project_key,
        "size": entry.size,
        "path": str(entry.path),
    }


def _title(entry: TrashedSession) -> str:
    return visible(redact(entry.title))


def _list(found: argparse.Namespace, services: Services) -> int:
    entries = services.sessions.trashed()
    if found.json:
        put_json({"trash": [_to_json(entry) for entry in entries]})
    elif entries:
        put(table([(entry.id, iso(entry.when)[:16].replace("T", " "), f"{entry.size:>12,}", _title(entry)) for entry in entries]))
    else:
        say("keepsake: the trash of sessions is empty")
    return 0


def _restore(found: argparse.Namespace, services: Services, entries: Sequence[TrashedSession]) -> int:
    """Of a session that is there more than once, the latest comes back."""
    latest = {entry.id: entry for entry in reversed(entries)}
    done: list[dict[str, Any]] = []
    for session_id in dict.fromkeys(entry.id for entry in entries):
        entry = latest[session_id]
        path = services.sessions.restore(entry)
        done.append({"id": entry.id, "title": redact(entry.title), "path": str(path)})
        if not found.json:
            say(f"keepsake: “{_title(entry)}” is back.")
    if found.json:
        put_json({"restored": done})
    return 0


def _delete(found: argparse.Namespace, services: Services, entries: Sequence[TrashedSession]) -> int:
    if not found.yes:
        titles = ", ".join(f"“{_title(entry)}”" for entry in entries)
        raise UsageError(f"This deletes {titles} for good; it cannot be undone.", hint="Give --yes to do it.")
    from desktop.sessions.purging import purge_session

    for entry in entries:
        purge_session(services.sessions, services.session_search, services.paths.state, entry)
        if not found.json:
            say(f"keepsake: “{_title(entry)}” is deleted for good.")
    if found.json:
        put_json({"deleted": [{"id": entry.id, "title": redact(entry.title)} for entry in entries]})
    return 0
