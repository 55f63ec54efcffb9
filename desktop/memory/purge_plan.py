"""A purge that is decided: which kept contents go, which become others, and how the journal tells of it. Holds digests and ids, no text.

Owns the rewriting of one journal and the removal of what it no longer names. May be carried out twice, so that a kill in between is
finished by the next start. Used with the store's lock held. Blocking.
"""

from __future__ import annotations

import json
import logging
import shutil
from dataclasses import dataclass, field
from typing import Any

from desktop.base.errors import StorageError
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, digest, fsync_dir
from desktop.memory.change import BASELINE, PURGED_REASON, SCHEMA, record_from_line
from desktop.memory.journal import Journal

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a purge does to one root's journal, kept contents and trash.

    Attributes:
        names: change id → the neutral name that its paths become; the changes of the purged memory.
        blank: ids of other changes whose reason holds the text.
        contents: digest → digest of what it is without the text, kept already.
        drop: digests of kept contents that go.
        trash: names of folders in the trash that go.
        lines: digests of journal lines that cannot be read and hold the text.
        forget: digests of the entries (`entry_digest`) that go from the lists of what lay in the folder.
    """

    names: dict[str, str] = field(default_factory=dict)
    blank: tuple[str, ...] = ()
    contents: dict[str, str] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    trash: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @staticmethod
    def from_json(record: dict[str, Any]) -> Plan | None:
        """The plan that `to_json` wrote, or None."""
        names, contents = _map(record.get("names")), _map(record.get("contents"))
        lists = [_list(record.get(name)) for name in ("blank", "drop", "trash", "lines", "forget")]
        blank, drop, trash, lines, forget = lists
        if names is None or contents is None or blank is None or drop is None or trash is None or lines is None or forget is None:
            return None
        return Plan(names, blank, contents, drop, trash, lines, forget)


def _map(value: object) -> dict[str, str] | None:
    return {str(key): str(one) for key, one in value.items()} if isinstance(value, dict) else None


def _list(value: object) -> tuple[str, ...] | None:
    return tuple(str(one) for one in value) if isinstance(value, list) else None


def carry_out(plan: Plan, journal: Journal) -> None:
    """Do what a plan says: the journal first, then what it no longer names.

    Raises:
        StorageError: something could not be changed; what was done is right, and the rest may be done by carrying out the plan again.
    """
    _rewrite(plan, journal)
    for name in plan.drop:
        _unlink(journal, name)
    for name in plan.trash:
        folder = journal.trash / name
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise StorageError(say("{path} could not be removed ({reason}).", path=folder, reason=say("it is in use")))
    for folder in (journal.snapshots, journal.trash):
        if folder.is_dir():
            fsync_dir(folder)


def _unlink(journal: Journal, name: str) -> None:
    path = journal.snapshots / name
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(say("{path} could not be removed ({reason}).", path=path, reason=os_reason(error)), detail=str(error)) from error


def _rewrite(plan: Plan, journal: Journal) -> None:
    try:
        data = journal.file.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(
            say("The journal {file} could not be read ({reason}).", file=journal.file, reason=os_reason(error)), detail=str(error)
        ) from error
    lines = [line for line in data.split(b"\n") if line.strip()]
    edited = [new for line in lines if (new := _edited(plan, line)) is not None]
    if edited != lines:
        atomic_write(journal.file, b"".join(line + b"\n" for line in edited))


def _edited(plan: Plan, line: bytes) -> bytes | None:
    """A line of the journal as the plan wants it; None when it goes."""
    record = record_from_line(line)
    if record is None or record.get("schema") != SCHEMA:
        return None if digest(line) in plan.lines else line
    new = _baseline(plan, dict(record)) if record.get("op") == BASELINE else _change(plan, dict(record))
    return line if new == record else json.dumps(new, ensure_ascii=True).encode()


def _baseline(plan: Plan, record: dict[str, Any]) -> dict[str, Any]:
    files = record.get("files")
    if isinstance(files, dict):
        kept = {path: value for path, value in files.items() if entry_digest(path, str(value)) not in plan.forget}
        record["files"] = {path: plan.contents.get(str(value), value) for path, value in kept.items()}
    return record


def _change(plan: Plan, record: dict[str, Any]) -> dict[str, Any]:
    name = plan.names.get(str(record.get("id")))
    if name is not None:
        record["path"], record["reason"] = name, PURGED_REASON
        record.pop("group", None)
        if "old_path" in record:
            record["old_path"] = name
        return record
    if record.get("id") in plan.blank:
        record["reason"] = ""
    for side in ("before", "after"):
        value = record.get(side)
        if isinstance(value, str):
            record[side] = plan.contents.get(value, value)
    return record


def entry_digest(path: str, content: str) -> str:
    """What `Plan.forget` names an entry by."""
    return digest(f"{path}\n{content}".encode("utf-8", "surrogatepass"))
