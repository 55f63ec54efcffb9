"""The journal of every change to memory, and the old versions it refers to, both outside the memory folder.

Owns `<data>/journal/<key>.jsonl` (one JSON object a line, appended and fsynced), `<data>/snapshots/<key>/` (contents by digest) and
`<data>/trash/<key>/`. Knows no rule. A damaged line hides no other. Callers hold the store's lock when they append. Blocking.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.base.clock import iso, parse_iso
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.redact import redact
from desktop.base.textio import atomic_write, digest, fsync_dir, read_bytes, write_all
from desktop.memory.gate import Actor, Operation

SCHEMA = 1
INDEX_REASON = "index kept by the app"
"""Reason of a change that the index keeper made after another one."""


@dataclass(frozen=True, slots=True)
class ChangeOrigin:
    """Who changes something and why.

    Attributes:
        actor: main, extractor, person, outside or dream.
        session_id, message_id: where it was said.
        reason: free text; secrets are masked before it is kept.
        untrusted: text of tools, pages or files was in the window.
    """

    actor: Actor
    session_id: str = ""
    message_id: str = ""
    reason: str = ""
    untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        before, after: digests of the content, None where there was or is no file.
        old_path: the earlier path of a rename.
        undoes: id of the change that a restore took back.
        warnings: what the person should know; not kept.
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

    @property
    def changed(self) -> bool:
        return self.before != self.after or self.op == "rename"


def _record(change: Change) -> dict[str, Any]:
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
    return record | {k: v for k, v in (("old_path", change.old_path), ("undoes", change.undoes)) if v}


def line_of(change: Change) -> bytes:
    """A change as a line of the journal."""
    return json.dumps(_record(change), ensure_ascii=True).encode() + b"\n"


_ACTORS: dict[str, Actor] = {a: a for a in ("main", "extractor", "person", "outside", "dream")}
_OPS: dict[str, Operation] = {o: o for o in ("write", "delete", "rename", "restore")}


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def change_from_line(line: bytes) -> Change | None:
    """The change on a line of the journal, or None when it holds none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    moment, op, actor = parse_iso(_text(record, "time")), _OPS.get(_text(record, "op")), _ACTORS.get(_text(record, "actor"))
    if not _text(record, "id") or moment is None or op is None or actor is None or not _text(record, "path"):
        return None
    origin = ChangeOrigin(
        actor, _text(record, "session"), _text(record, "message"), _text(record, "reason"), record.get("untrusted") is True
    )
    before, after = _text(record, "before") or None, _text(record, "after") or None
    return Change(
        _text(record, "id"), moment, op, _text(record, "path"), before, after, origin, _text(record, "old_path"), _text(record, "undoes")
    )


class Journal:
    """Journal, snapshots and trash of one project."""

    def __init__(self, paths: AppPaths, key: str) -> None:
        self.file = paths.journal / f"{key}.jsonl"
        self.snapshots = paths.snapshots / key
        self.trash = paths.trash / key

    def append(self, change: Change) -> None:
        """Add one line, on disk when this returns. A torn last line of a crash is closed first.

        Raises:
            StorageError: it could not be written.
        """
        line = line_of(change)
        ensure_private_dir(self.file.parent)
        try:
            existed = self.file.exists()
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                size = os.fstat(handle).st_size
                if size:
                    os.lseek(handle, size - 1, os.SEEK_SET)
                    line = line if os.read(handle, 1) == b"\n" else b"\n" + line
                write_all(handle, line)
                os.fsync(handle)
            finally:
                os.close(handle)
            if not existed:
                fsync_dir(self.file.parent)
        except OSError as error:
            raise StorageError(
                say("The journal {file} could not be written ({reason}).", file=self.file, reason=os_reason(error)),
                hint=say("Free some space."),
                detail=str(error),
            ) from error

    def read(self) -> list[Change]:
        """Every change that can be read, oldest first."""
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(
                say("The journal {file} could not be read ({reason}).", file=self.file, reason=os_reason(error)), detail=str(error)
            ) from error
        return [change for line in data.split(b"\n") if line.strip() and (change := change_from_line(line))]

    def keep(self, data: bytes) -> str:
        """Keep a content; gives its digest. A content that is there already is only made younger.

        Raises:
            StorageError: it could not be kept.
        """
        name = digest(data)
        ensure_private_dir(self.snapshots)
        path = self.snapshots / name
        if path.is_file() and path.stat().st_size == len(data):
            os.utime(path)
        else:
            atomic_write(path, data)
        return name

    def kept(self, name: str) -> bytes:
        """A kept content.

        Raises:
            NotFoundError: it is not kept (any more), or it is damaged.
        """
        try:
            data = read_bytes(self.snapshots / name)
        except StorageError as error:
            raise NotFoundError(say("This older version is no longer kept."), detail=error.detail) from error
        if digest(data) != name:
            raise NotFoundError(say("This older version is damaged and cannot be restored."), detail=str(self.snapshots / name))
        return data

    def discard(self, change_id: str, path: str, data: bytes) -> Path:
        """Put a deleted file's content into the trash; gives its place there.

        Raises:
            StorageError: it could not be kept.
        """
        folder = ensure_private_dir(self.trash / change_id)
        target = folder / path.rsplit("/", 1)[-1]
        atomic_write(target, data)
        return target


def last_of(changes: list[Change], *, undoable: bool) -> Change | None:
    """The newest change that a person means by “the last one”: not an undo, not undone, not the index keeper's."""
    undone = {change.undoes for change in changes if change.undoes}
    for change in reversed(changes):
        if change.op == "restore" or change.id in undone or change.origin.reason == INDEX_REASON or not change.changed:
            continue
        if not undoable or change.origin.actor != "outside":
            return change
    return None
