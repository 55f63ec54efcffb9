"""opencode's older store: a tree of small JSON files, one a session, a message and a part, in the layouts that it has had.

Read only, reading threads. A file that cannot be read is told and costs no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers.opencode_db import session_of
from desktop.sessions.importers.opencode_parts import message_of, own_title, workspace_in
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage, ImportedSession, Thread, TranscriptEntry
from desktop.sessions.importers.values import identifier, mapping, mappings, moment, text, told_title

SOURCE = "opencode"
_CLIMB = 6


@dataclass(slots=True)
class Store:
    """Where the files of one store lie."""

    sessions: Path
    messages: Path
    parts: Path
    damage: list[Damage] = field(default_factory=list)

    def session_files(self) -> Iterator[Path]:
        """`session/<project>/<id>.json`, and `session/info/<id>.json` of the first layout."""
        for folder in _folders(self.sessions):
            if folder.name not in ("message", "part"):
                yield from _files(folder)
        yield from _files(self.sessions)

    def load(self, path: Path) -> dict[str, Any]:
        try:
            value, damage = Source(path).document()
        except OSError:
            value, damage = None, Damage(0, "")
        if not isinstance(value, dict):
            self.damage.append(Damage(damage.line if damage else 1, say("the file {name} is cut or not JSON", name=path.name)))
            return {}
        return value

    def read(self, name: str, row: dict[str, Any], source: str = SOURCE) -> ImportedSession:
        held = []
        for path in _files(self.messages / name):
            info = self.load(path)
            if info:
                held.append((identifier(info.get("id")) or path.stem, info))
        held.sort(key=lambda one: (_created(one[1]), one[0]))
        thread, workspace = Thread(), text(row.get("directory"))
        for told, info in held:
            workspace = workspace or workspace_in(info)
            thread.add(message_of(told, info, self.parts_of(name, told, info)), follow=True)
        return session_of(source, name, row, workspace, thread, self.damage)

    def parts_of(self, session: str, message: str, info: dict[str, Any]) -> list[dict[str, Any]]:
        """A message's parts: files of their own, with the session's folder above them or not, or in the message itself."""
        found = [(path.stem, self.load(path)) for folder in (message, f"{session}/{message}") for path in _files(self.parts / folder)]
        parts = [part for _, part in sorted((identifier(part.get("id")) or stem, part) for stem, part in found if part)] if found else []
        return parts or mappings(info.get("parts"))


def _created(info: dict[str, Any]) -> float:
    when = moment(mapping(info.get("time")).get("created"))
    return when.timestamp() if when else 0.0


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file() and not path.is_symlink())
    except OSError:
        return []


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        return []


def stores_at(path: Path) -> list[Store]:
    """The stores that a path belongs to or holds: a file of a store, a folder within, the store, or the tool's data folder."""
    for place in [path, *path.parents][:_CLIMB]:
        if (store := _store(place)) is not None:
            return [store]
    below = [path / "storage", *(one / "storage" for one in _folders(path / "project"))]
    return [store for place in below if (store := _store(place)) is not None]


def _store(place: Path) -> Store | None:
    if (place / "session" / "message").is_dir():
        return Store(place / "session", place / "session" / "message", place / "session" / "part")
    if (place / "message").is_dir() and ((place / "session").is_dir() or ((place / "part").is_dir() and place.name != "session")):
        return Store(place / "session", place / "message", place / "part")
    return None


def row_of(info: dict[str, Any]) -> dict[str, Any]:
    """A session's facts under the names of the database's columns."""
    time = mapping(info.get("time"))
    return {
        "parent_id": identifier(info.get("parentID")),
        "title": info.get("title"),
        "directory": info.get("directory"),
        "time_created": time.get("created"),
        "time_updated": time.get("updated"),
        "revert": info.get("revert"),
    }


def read(path: Path, session: str | None) -> ImportedSession:
    """The session that a file is, or one of a store: by name, else the newest that is no sub-agent's."""
    stores = stores_at(path)
    name = session or _name_of(path)
    known: list[tuple[float, str, Store, dict[str, Any]]] = []
    for store in stores:
        for file in store.session_files():
            told = name is not None and file.stem != name
            if not told and (info := store.load(file)):
                when = moment(mapping(info.get("time")).get("updated")) or moment(mapping(info.get("time")).get("created"))
                rank = (when.timestamp() if when else 0.0) - (1e12 if info.get("parentID") and name is None else 0.0)
                known.append((rank, identifier(info.get("id")) or file.stem, store, row_of(info)))
        if name is not None and not known and (store.messages / name).is_dir():
            known.append((0.0, name, store, {}))
    if not known:
        held = [damage for store in stores for damage in store.damage]
        return ImportedSession(SOURCE, name or path.stem, damage=tuple(held))
    _, told_name, store, row = max(known, key=lambda one: one[:2])
    return store.read(told_name, row)


def _name_of(path: Path) -> str | None:
    """The session that a file or a folder of messages belongs to, by its place; None for a store as a whole."""
    if path.is_dir():
        return path.name if path.parent.name == "message" else None
    if path.parent.name.startswith("ses") and path.parent.parent.name == "message":
        return path.parent.name
    return path.stem


def entries(path: Path) -> list[TranscriptEntry]:
    """The sessions of the stores at a path, or the one that a file is."""
    found = []
    for store in stores_at(path):
        for file in store.session_files():
            if path.is_file() and file != path:
                continue
            if path.is_dir() and path.parent == store.sessions and file.parent != path:
                continue
            info = store.load(file)
            name = identifier(info.get("id")) or file.stem
            row = row_of(info)
            kind = "sub-agent" if row["parent_id"] else "chat"
            many = len(_files(store.messages / name))
            times = moment(row["time_created"]), moment(row["time_updated"])
            title = told_title(own_title(row["title"]))
            found.append(TranscriptEntry(file, name, SOURCE, title, text(row["directory"]), *times, many, kind, row["parent_id"]))
    return found
