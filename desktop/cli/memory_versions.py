"""`keepsake memory history|restore|purge|doctor`: what one memory was before, and what is wrong with memories now."""

from __future__ import annotations

import argparse
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import NotFoundError, UsageError
from desktop.cli.memory_doctor import doctor
from desktop.cli.memory_names import note_named, store_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, Workspace
from desktop.memory.history import Version, history, restore
from desktop.memory.purge import purge
from desktop.memory.store import ChangeOrigin, MemoryStore

PERSON = ChangeOrigin("person")
SHOWN_DIGEST = 12


def _store_and_path(found: argparse.Namespace, workspace: Workspace) -> tuple[MemoryStore, str]:
    """The store, and the path of the memory that is named; one that is gone now goes by its path."""
    store = store_of(found, workspace)
    try:
        return store, note_named(store, found.path)
    except NotFoundError:
        for candidate in (found.path, f"{found.path}.md"):
            if any(change.path == candidate for change in store.changes(1_000_000)):
                return store, candidate
        raise


def version_to_json(version: Version) -> dict[str, Any]:
    change, origin = version.change, version.change.origin
    return {
        "id": change.id,
        "time": iso(change.time),
        "op": change.op,
        "path": change.path,
        "actor": origin.actor,
        "session": origin.session_id or None,
        "message": origin.message_id or None,
        "reason": origin.reason or None,
        "digest": version.digest,
        "available": version.available,
        "expires": iso(version.expires) if version.expires else None,
    }


def _history(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store, path = _store_and_path(found, workspace)
    versions = history(store, path)
    if found.json:
        put_json({"root": str(store.root), "path": path, "versions": [version_to_json(version) for version in versions]})
        return 0
    if not versions:
        say(f"Nothing was recorded of {path}: it was not changed since it was first seen.")
        return 0
    rows = []
    for version in versions:
        change = version.change
        mark = (version.digest or "-")[:SHOWN_DIGEST] if version.available else "(not kept)"
        rows.append((iso(change.time)[:19].replace("T", " "), mark, change.op, change.origin.actor, change.path))
    put(table(rows))
    return 0


def _restore(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store, path = _store_and_path(found, workspace)
    wanted = found.version.lower()
    digests = {v.digest for v in history(store, path) if v.digest and v.available and v.digest.startswith(wanted)}
    if len(wanted) < 4 or len(digests) != 1:
        what = "is not the start of one version" if digests or len(wanted) < 4 else "is no version that is kept"
        raise UsageError(f"{found.version} {what} of {path}.", hint=f"“keepsake memory history {path}” shows them.")
    change = restore(store, path, digests.pop(), origin=PERSON)
    if found.json:
        put_json({"root": str(store.root), "change": {"id": change.id, "op": change.op, "path": change.path, "time": iso(change.time)}})
    else:
        say(f"Restored: {change.path}. “keepsake memory undo {change.id}” takes it back.")
    return 0


def _purge(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    if found.path.startswith("chg_"):
        store, what = store_of(found, workspace), found.path
    else:
        store, what = _store_and_path(found, workspace)
    if not found.yes:
        raise UsageError(
            f"{what} would be removed for good, with every version of it and every line about it; this cannot be undone.",
            hint="Give --yes to do it.",
        )
    report = purge(store, what, origin=PERSON)
    if found.json:
        until = iso(report.until) if report.until else None
        put_json({"root": str(store.root), "removed": report.removed, "until": until, "remaining": list(report.remaining)})
        return 0
    say(f"Removed for good: {what} ({report.removed} stored texts).")
    for line in report.remaining:
        say(line)
    return 0


ACTIONS = {"history": _history, "restore": _restore, "purge": _purge, "doctor": doctor}
