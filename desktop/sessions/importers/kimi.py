"""Kimi: the sessions of Kimi Code (`session_*/agents/*/wire.jsonl` with `state.json`), and the context and wire of the versions before.

The records are read as those of any agent's log; here stand what a session's own folder tells of it, and which files are of one session.
Read only, blocking, reading threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import generic, values
from desktop.sessions.importers.generic_events import is_wire
from desktop.sessions.importers.reading import Sample, Source, loads, take_sample
from desktop.sessions.importers.shapes import Damage, ImportedSession, TranscriptEntry, replaced
from desktop.sessions.importers.stores import small_text

SOURCE = "kimi"
CONTEXT, WIRE, STATE = "context.jsonl", "wire.jsonl", "state.json"
_SURE, _WITHOUT_WORDS = 80, 60
_SESSION_FOLDER, _ABOVE = 75, 60
"""How sure it is of a session's own folder, and of one above, in which those of other tools may lie too."""
_LEVELS = ("", "*/", "*/*/")
"""How deep below a folder sessions lie: it is one, a project's folder, the one of all projects."""
_NO_TITLES = ("New Session", "Untitled")


def score(sample: Sample) -> int:
    """How sure it is that a file is a log of Kimi, or that a folder has its sessions."""
    if sample.path.is_dir():
        if next(_kept(sample.path, _LEVELS[:1]), None) is not None:
            return _SESSION_FOLDER
        return _ABOVE if next(_kept(sample.path, _LEVELS[1:]), None) is not None else 0
    if not any(map(_is_mark, sample.records)):
        return 0
    return _SURE if generic.score(sample) else _WITHOUT_WORDS


def _is_mark(record: dict[str, Any]) -> bool:
    """Whether a record is one that only Kimi writes."""
    kind = record.get("type")
    if isinstance(kind, str) and kind.startswith(("context.", "turn.")):
        return isinstance(record.get("time"), int | float)
    told = kind == "metadata" and isinstance(record.get("protocol_version"), str)
    return told or record.get("role") in ("_checkpoint", "_usage", "_system_prompt") or is_wire(record)


def _kept(folder: Path, levels: tuple[str, ...] = _LEVELS) -> Iterator[Path]:
    """The sessions below a folder: the log of every agent; of the versions before the context, which their wire tells once more."""
    for level in levels:
        yield from (path for path in sorted(folder.glob(f"{level}agents/*/{WIRE}")) if path.is_file())
        yield from (path for path in sorted(folder.glob(f"{level}{CONTEXT}")) if path.is_file())


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file, or one of a folder: by its id, else the newest that is no sub-agent's.

    Raises:
        OSError: the file cannot be read.
    """
    if not source.path.is_dir():
        found = _with_facts(generic.read(source, None), source.path)
        if session in (None, found.id, source.path.stem, source.path.parent.name):
            return found
        return ImportedSession(SOURCE, session or "", damage=(Damage(0, say("the file holds no session of this id")),))
    held = [one for one in entries(source) if session in (None, _facts(one.path).get("id"), one.path.parent.name)]
    if not held:
        return ImportedSession(SOURCE, session or source.path.name, damage=(Damage(0, say("the folder holds no session of this id")),))
    return read(Source(max(held, key=lambda one: (one.kind == "chat", one.path.stat().st_mtime)).path), None)


def _with_facts(found: ImportedSession, path: Path) -> ImportedSession:
    facts = _facts(path)
    return replaced(
        found,
        source=SOURCE,
        id=facts.get("id") or found.id,
        title=facts.get("title") or found.title,
        workspace=found.workspace or facts.get("workspace", ""),
        started=found.started or values.moment(facts.get("started")),
        kind=facts.get("kind", "chat"),
        parent=facts.get("parent") or found.parent,
        agents=facts.get("agents", ()),
    )


def _facts(path: Path) -> dict[str, Any]:
    """What the folder of a session tells of it: id, title, workspace, start, kind, parent and sub-agents; empty elsewhere."""
    agent = path.parent.name if path.parent.parent.name == "agents" else ""
    if not agent:
        state = _state(path.parent) if path.name in (CONTEXT, WIRE) else {}
        return {"title": _title(state), "workspace": _folder(path.parent) if path.name in (CONTEXT, WIRE) else ""}
    session = path.parent.parent.parent
    state = _state(session)
    folder = values.text(state.get("workDir")) or values.text(state.get("cwd"))
    told: dict[str, Any] = {"workspace": folder, "started": state.get("createdAt")}
    if agent != "main":
        return {**told, "id": f"{session.name}-{agent}", "kind": "sub-agent", "parent": session.name}
    others = sorted(one.parent.name for one in path.parent.parent.glob(f"*/{WIRE}") if one.parent.name != "main")
    return {**told, "id": session.name, "title": _title(state), "agents": tuple(f"{session.name}-{one}" for one in others)}


def _state(folder: Path) -> dict[str, Any]:
    try:
        return values.mapping(loads(small_text(folder / STATE)))
    except ValueError:
        return {}


def _title(state: dict[str, Any]) -> str:
    titles = (values.text(state.get(name)).strip() for name in ("custom_title", "title"))
    return values.told_title(*(one for one in titles if one not in _NO_TITLES))


def _folder(session: Path) -> str:
    """The project of a session of the older versions, whose folder is called by a hash of it; `kimi.json` above tells the projects."""
    try:
        told = values.mapping(loads(small_text(session.parent.parent.parent / "kimi.json")))
    except ValueError:
        return ""
    projects = (values.text(one.get("path")) for one in values.mappings(told.get("work_dirs")))
    return next((one for one in projects if hashlib.md5(one.encode(), usedforsecurity=False).hexdigest() == session.parent.name), "")


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file, or those below a folder; only what stands beside them is read.

    Raises:
        OSError: the file cannot be read.
    """
    return [_entry(path) for path in (_kept(source.path) if source.path.is_dir() else [source.path])]


def _entry(path: Path) -> TranscriptEntry:
    facts = _facts(path)
    return TranscriptEntry(
        path,
        None,
        SOURCE if path.name == WIRE or score(take_sample(Source(path))) else generic.SOURCE,
        facts.get("title", ""),
        facts.get("workspace", ""),
        values.moment(facts.get("started")),
        kind=facts.get("kind", "chat"),
        parent=facts.get("parent", ""),
    )
