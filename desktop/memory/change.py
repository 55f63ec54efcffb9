"""One change of memory as a value, and as a line of the journal.

Owns the shape of a change, who made it, and the form in which both are kept: one JSON object a line, ASCII, schema 1. A line of another
schema, or one that is damaged, is no change: it is skipped by readers and rewritten by nobody. Pure, any thread.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from desktop.base.clock import iso, parse_iso
from desktop.base.redact import redact
from desktop.memory.gate import Actor, Operation

SCHEMA = 1
INDEX_REASON = "index kept by the app"
"""Reason of a change that the index keeper made after another one."""

PURGED_REASON = "purged"
"""Reason of every change of a memory that was purged: its text is gone, so it is never what “undo” means."""

BASELINE = "baseline"
"""`op` of the line that says what lay in a folder when it was looked at for the first time; it is no change."""


@dataclass(frozen=True, slots=True)
class ChangeOrigin:
    """Who changes something and why.

    Attributes:
        actor: main, extractor, person, outside or dream.
        session_id, message_id: where it was said.
        reason: free text; secrets are masked before it is kept.
        untrusted: text of tools, pages or files was in the window.
        approved: the person said yes to exactly this call; not kept.
    """

    actor: Actor
    session_id: str = ""
    message_id: str = ""
    reason: str = ""
    untrusted: bool = False
    approved: bool = False

    def __post_init__(self) -> None:
        if self.reason:  # masked here, so that no event, log or result that carries the change shows what was said
            object.__setattr__(self, "reason", redact(self.reason))


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        before, after: digests of the content, None where there was or is no file.
        old_path: the earlier path of a rename.
        undoes: id of the change that a restore took back.
        warnings: what the person should know; not kept.
        group: the same for all changes that were made as one act, and are undone as one; "" for a single one.
        merged: somebody else had changed the file since the writer read it, and both changes went in.
    """

    id: str
    time: datetime
    op: Operation
    path: str
    before: str | None
    after: str | None
    origin: ChangeOrigin
    old_path: str = ""
    undoes: str = ""
    warnings: tuple[str, ...] = ()
    group: str = ""
    merged: bool = False

    @property
    def changed(self) -> bool:
        return self.before != self.after or bool(self.old_path)

    @property
    def by_keeper(self) -> bool:
        """Whether the index keeper made it after another change."""
        return self.origin.reason == INDEX_REASON


def record_of(change: Change) -> dict[str, Any]:
    """A change as the object of its line."""
    origin = change.origin
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "id": change.id,
        "time": iso(change.time),
        "op": change.op,
        "path": change.path,
        "before": change.before,
        "after": change.after,
        "actor": origin.actor,
        "session": origin.session_id,
        "message": origin.message_id,
        "reason": redact(origin.reason)[:500],
        "untrusted": origin.untrusted,
    }
    extra = (("old_path", change.old_path), ("undoes", change.undoes), ("group", change.group), ("merged", change.merged))
    return record | {key: value for key, value in extra if value}


def line_of(change: Change) -> bytes:
    """A change as a line of the journal."""
    return json.dumps(record_of(change), ensure_ascii=True).encode() + b"\n"


_ACTORS: dict[str, Actor] = {a: a for a in ("main", "extractor", "person", "outside", "dream")}
_OPS: dict[str, Operation] = {o: o for o in ("write", "delete", "rename", "restore")}


def record_from_line(line: bytes) -> dict[str, Any] | None:
    """The object on a line, whatever it says, or None when there is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


@lru_cache(maxsize=4_096)
def _origin(actor: Actor, session_id: str, message_id: str, reason: str, untrusted: bool) -> ChangeOrigin:
    """One value for the many changes that one message made: a history of 100,000 lines stays small and quick."""
    return ChangeOrigin(actor, session_id, message_id, reason, untrusted)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return parse_iso(text)
    return moment if moment.tzinfo is UTC else parse_iso(text)


def change_from_record(record: dict[str, Any]) -> Change | None:
    """The change that an object of schema 1 says, or None."""
    if record.get("schema") != SCHEMA:
        return None
    identity, path = _text(record, "id"), _text(record, "path")
    moment, op, actor = _moment(_text(record, "time")), _OPS.get(_text(record, "op")), _ACTORS.get(_text(record, "actor"))
    if not identity or not path or moment is None or op is None or actor is None:
        return None
    untrusted = record.get("untrusted") is True
    origin = _origin(actor, _text(record, "session"), _text(record, "message"), _text(record, "reason"), untrusted)
    before, after = _text(record, "before") or None, _text(record, "after") or None
    old_path, undoes, group = _text(record, "old_path"), _text(record, "undoes"), _text(record, "group")
    return Change(identity, moment, op, sys.intern(path), before, after, origin, old_path, undoes, (), group, record.get("merged") is True)


def change_from_line(line: bytes) -> Change | None:
    """The change on a line of the journal, or None when it holds none."""
    record = record_from_line(line)
    return change_from_record(record) if record is not None else None


def undone_ids(changes: Sequence[Change]) -> set[str]:
    """Ids of the changes that are taken back at present: an undo that was itself undone takes back nothing."""
    undone: set[str] = set()
    for change in reversed(changes):
        if change.undoes and change.id not in undone:
            undone.add(change.undoes)
    return undone


def last_of(changes: Sequence[Change], *, undoable: bool) -> Change | None:
    """The newest change that a person means by “the last one”: not an undo, not undone, not the index keeper's."""
    undone = undone_ids(changes)
    for change in reversed(changes):
        if change.op == "restore" or change.id in undone or change.by_keeper or not change.changed:
            continue
        if change.origin.reason == PURGED_REASON:
            continue
        if not undoable or change.origin.actor != "outside":
            return change
    return None
