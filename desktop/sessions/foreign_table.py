"""What was read of other tools' sessions for the list, as a file keeps it between two starts. Owns its form and nothing of the reading.

Pure but for the reading of that file; any thread.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import desktop
from desktop.base.clock import iso, parse_iso
from desktop.base.errors import StorageError
from desktop.base.textio import read_bytes
from desktop.sessions.summary import SessionSummary

SCHEMA = 1
CACHE_LIMIT = 64 << 20
PlaceKey = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session as it was read last: where it lies, its file's size and time then, and its line of the list (without its project)."""

    path: str
    session: str | None
    size: int
    modified_ns: int
    own_id: str
    summary: SessionSummary

    @property
    def place(self) -> PlaceKey:
        return self.path, self.session


Table = dict[PlaceKey, KnownSession]


def dumped(table: Table) -> bytes:
    """What `stored` reads."""
    value = {"schema": SCHEMA, "app": desktop.__version__, "sessions": [_to_json(one) for one in table.values()]}
    return json.dumps(value).encode()


_SUMMARY = tuple(one.name for one in fields(SessionSummary))


def _to_json(known: KnownSession) -> dict[str, Any]:
    summary = asdict(known.summary) | {"path": str(known.summary.path)}
    summary |= {"started": iso(known.summary.started), "updated": iso(known.summary.updated)}
    return {
        "path": known.path,
        "session": known.session,
        "size": known.size,
        "modified_ns": known.modified_ns,
        "own_id": known.own_id,
        "summary": summary,
    }


def stored(cache: Path) -> Table | None:
    """What the cache holds; None where it is not there, is not ours, or was made by another version, which reads otherwise."""
    try:
        value = json.loads(read_bytes(cache, CACHE_LIMIT)) if cache.is_file() else {}
    except (StorageError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("sessions"), list):
        return None
    if value.get("schema") != SCHEMA or value.get("app") != desktop.__version__:
        return None
    found = (_from_json(one) for one in value["sessions"])
    return {one.place: one for one in found if one is not None}


def _from_json(value: Any) -> KnownSession | None:
    try:
        summary = dict(value["summary"])
        started, updated = parse_iso(summary["started"]), parse_iso(summary["updated"])
        if started is None or updated is None or set(summary) != set(_SUMMARY) or not isinstance(value["session"], str | None):
            return None
        summary |= {"started": started, "updated": updated, "path": Path(summary["path"])}
        return KnownSession(
            str(value["path"]),
            value["session"],
            int(value["size"]),
            int(value["modified_ns"]),
            str(value["own_id"]),
            SessionSummary(**summary),
        )
    except (KeyError, TypeError, ValueError, OverflowError):  # a number may be infinite
        return None
