"""The database of opencode and of the tools of its lineage, opened so that nothing is ever written: not to it and not beside it.

Blocking, reading threads. What the schema lacks and rows that cannot be read are damage, never an error.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from desktop.base.phrases import say
from desktop.sessions.importers import opencode_second
from desktop.sessions.importers.opencode_parts import message_of, own_title, workspace_in
from desktop.sessions.importers.reading import loads
from desktop.sessions.importers.shapes import Damage, ImportedSession, Thread, TranscriptEntry
from desktop.sessions.importers.values import first_title, identifier, mapping, mappings, moment, text, told_title

if TYPE_CHECKING:
    import sqlite3

SOURCE = "opencode"
MAGIC = b"SQLite format 3\0"
SMALL = 8 << 20
"""Bytes of a database with its log that are copied to be read."""
MAX_COPY = 4 << 30
"""The same where the log lies there without its index."""
_CREATED = re.compile(rb'CREATE TABLE [`"\[]?(session|message|part)[`"\] (]')
_TABLES = ("session", "message", "part")
_SECOND = "session_message"
"""Table of the messages of newer versions."""
_SESSION = ("id", "parent_id", "title", "directory", "path", "time_created", "time_updated", "revert", "project_id")
_LINEAGE = {"mimo": {"actor_registry", "external_import"}, "zcode": {"session_target", "model_usage"}}


def score(path: Path) -> int:
    """How sure it is that a database is of this kind."""
    import sqlite3

    try:
        with _opened(path) as connection:
            tables = _tables(connection).keys()
        return {3: 95, 2: 60}.get(len(tables & set(_TABLES)), 60 if {"session", _SECOND} <= tables else 0)
    except (sqlite3.Error, OSError):
        with path.open("rb") as file:
            return 60 if len(set(_CREATED.findall(file.read(256_000)))) >= 2 else 0


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads.

    Without a log the file is taken as it is. A small database with a log is copied; a large one in use is read with the log's index,
    which is opened for reading only. Where that index is missing, opening would make one: then it is copied whatever its size.

    Raises:
        sqlite3.Error: no database, or too damaged to open.
        OSError: it cannot be read or copied.
    """
    log = path.with_name(path.name + "-wal")
    size = log.stat().st_size if log.is_file() else 0
    indexed = path.with_name(path.name + "-shm").is_file()
    if not size:
        with _connected(path, "immutable=1") as connection:
            yield connection
        return
    size += path.stat().st_size
    with tempfile.TemporaryDirectory(prefix="keepsake-") as folder:
        copy = _copied(path, log, Path(folder)) if size <= (SMALL if indexed else MAX_COPY) else None
        if copy is not None:
            opened = _connected(copy, "mode=rw")
        else:
            opened = _connected(path, "mode=ro&readonly_shm=1" if indexed else "immutable=1")
        with opened as connection:
            yield connection


def _copied(path: Path, log: Path, folder: Path) -> Path | None:
    """A copy of a database and its log; None when they are written to all the time meanwhile."""
    copy = folder / "copy.db"
    for _ in range(3):
        before = _look(path, log)
        shutil.copyfile(path, copy)
        shutil.copyfile(log, folder / "copy.db-wal")
        if _look(path, log) == before:
            return copy
    return None


def _look(*paths: Path) -> list[tuple[int, int]]:
    return [(one.st_size, one.st_mtime_ns) for one in (path.stat() for path in paths)]


@contextmanager
def _connected(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    import sqlite3

    place = quote(path.absolute().as_posix())
    connection = sqlite3.connect(f"file:{place if place.startswith('/') else '/' + place}?{how}", uri=True, timeout=2.0)
    try:
        connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        yield connection
    finally:
        connection.close()


def _tables(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """The names of its tables' columns."""
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: {row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(name)})")} for name in names}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(slots=True)
class _Reading:
    """One look into a database."""

    connection: sqlite3.Connection
    tables: dict[str, set[str]] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)

    def begin(self) -> None:
        self.tables = _tables(self.connection)
        for name in _TABLES:
            if name not in self.tables and (name == "session" or _SECOND not in self.tables):
                self.damage.append(Damage(0, say("the database has no table {name}", name=name)))

    @property
    def source(self) -> str:
        return next((name for name, own in _LINEAGE.items() if own & self.tables.keys()), SOURCE)

    def rows(self, table: str, columns: tuple[str, ...], where: str = "", value: str = "") -> list[dict[str, Any]]:
        """Rows in the order of time and id; columns that the table lacks are None. From the other end too where a page is damaged."""
        import sqlite3

        there = self.tables.get(table, set())
        if "id" not in there or (where and where not in there):
            return []
        names = [name for name in columns if name in there]
        order = [name for name in ("time_created", "id") if name in there]
        found: dict[str, dict[str, Any]] = {}
        for turn in ("ASC", "DESC"):
            sql = f"SELECT {', '.join(map(_quoted, names))} FROM {_quoted(table)}"
            sql += f" WHERE {_quoted(where)} = ?" if where else ""
            sql += " ORDER BY " + ", ".join(f"{_quoted(name)} {turn}" for name in order)
            try:
                self._collect(sql, (value,) if where else (), names, found)
                break
            except sqlite3.Error as error:
                if turn == "ASC":
                    reason = say("rows of the table {name} cannot be read: {reason}", name=table, reason=str(error))
                    self.damage.append(Damage(0, reason))
                    self._by_place(table, names, where, value, found)
        return sorted(found.values(), key=lambda row: [_rank(row.get(name)) for name in order])

    def _collect(self, sql: str, values: tuple[str, ...], names: list[str], found: dict[str, dict[str, Any]]) -> None:
        for row in self.connection.execute(sql, values):
            held = dict(zip(names, row, strict=True))
            found.setdefault(identifier(held.get("id")), held)

    def _by_place(self, table: str, names: list[str], where: str, value: str, found: dict[str, dict[str, Any]]) -> None:
        """Rows in the order in which they lie in the file, from either end up to the damage, without indexes: these may be damaged too."""
        import sqlite3

        for turn in ("ASC", "DESC"):
            sql = f"SELECT {', '.join(map(_quoted, names))} FROM {_quoted(table)} NOT INDEXED"
            sql += f" WHERE +{_quoted(where)} = ?" if where else ""
            try:
                self._collect(f"{sql} ORDER BY rowid {turn}", (value,) if where else (), names, found)
            except sqlite3.Error:
                continue

    def json(self, row: dict[str, Any], table: str) -> dict[str, Any]:
        """The object in a row's `data`; what a damaged one says is told."""
        held = row.get("data")
        held = held.decode("utf-8", errors="replace") if isinstance(held, bytes) else held
        try:
            value = loads(held) if isinstance(held, str) else None
        except ValueError:
            value = None
        if not isinstance(value, dict):
            where = say("{table} {name} is cut or not JSON", table=table, name=identifier(row.get("id")))
            self.damage.append(Damage(0, where))
            return {}
        return value


def _rank(value: Any) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return 0, float(value), ""
    return 1, 0.0, text(value)


def _damaged(path: Path, error: Exception) -> ImportedSession:
    return ImportedSession(SOURCE, path.stem, damage=(Damage(0, say("the database cannot be read: {reason}", reason=str(error))),))


def read(path: Path, session: str | None) -> ImportedSession:
    """A session of a database; without a name the newest that is no sub-agent's.

    Raises:
        OSError: the file cannot be read.
    """
    import sqlite3

    try:
        with _opened(path) as connection:
            reading = _Reading(connection)
            reading.begin()
            return _read(reading, path, session)
    except sqlite3.Error as error:
        return _damaged(path, error)


def _read(reading: _Reading, path: Path, session: str | None) -> ImportedSession:
    sessions = {identifier(row.get("id")): row for row in reading.rows("session", _SESSION)}
    name = session if session is not None else _newest(sessions)
    row = sessions.get(name or "", {})
    if session is not None and not row:
        reading.damage.append(Damage(0, say("there is no session {name} in the database", name=session)))
    thread = Thread()
    workspace = text(row.get("directory"))
    parts = _parts(reading, name or "")
    for one in reading.rows("message", ("id", "session_id", "time_created", "data"), "session_id", name or ""):
        info = reading.json(one, "message")
        told = identifier(one.get("id"))
        if not info and told not in parts:
            continue  # nothing of it can be read, which is told
        info.setdefault("time_created", one.get("time_created"))
        workspace = workspace or workspace_in(info)
        thread.add(message_of(told, info, parts.get(told, [])), follow=True)
    if not thread.messages:
        _second_form(reading, name or "", thread)
    return session_of(reading.source, name or path.stem, row, workspace, thread, reading.damage)


def _second_form(reading: _Reading, session: str, thread: Thread) -> None:
    """The messages of newer versions, which have a table of their own; where both are filled they say the same."""
    columns = ("id", "session_id", "type", "time_created", "data")
    for row in reading.rows(_SECOND, columns, "session_id", session):
        told = {"time": {"created": row.get("time_created")}, **reading.json(row, _SECOND), "id": row.get("id"), "type": row.get("type")}
        if opencode_second.is_message(told):
            pair = opencode_second.pair_of(told)
            thread.add(message_of(identifier(row.get("id")), pair["info"], mappings(pair["parts"])), follow=True)


def _newest(sessions: dict[str, dict[str, Any]]) -> str | None:
    def rank(name: str) -> tuple[bool, tuple[int, float, str]]:
        row = sessions[name]
        when = row.get("time_updated") if row.get("time_updated") is not None else row.get("time_created")
        return not text(row.get("parent_id")), (0, 0.0, "") if when is None else _rank(when)

    return max(sessions, key=rank, default=None)


def _parts(reading: _Reading, session: str) -> dict[str, list[dict[str, Any]]]:
    """The parts of a session's messages, by message, in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    columns = ("id", "message_id", "session_id", "time_created", "data")
    rows = reading.rows("part", columns, "session_id", session) if "session_id" in reading.tables.get("part", ()) else []
    if not rows and "session_id" not in reading.tables.get("part", ()):
        rows = reading.rows("part", columns)
    for row in sorted(rows, key=lambda one: identifier(one.get("id"))):
        part = reading.json(row, "part")
        if part:
            found.setdefault(identifier(row.get("message_id")), []).append({"id": row.get("id"), **part})
    return found


def session_of(source: str, name: str, row: dict[str, Any], workspace: str, thread: Thread, damage: list[Damage]) -> ImportedSession:
    """A session of its row (or the same facts of a file) and its messages; a message that was undone ends the live branch before it."""
    models = [one.model for one in thread.messages if one.model]
    parent = text(row.get("parent_id"))
    return ImportedSession(
        source=source,
        id=name,
        title=told_title(own_title(row.get("title"))) or first_title(thread.messages),
        workspace=workspace,
        started=moment(row.get("time_created")) or next((one.time for one in thread.messages if one.time), None),
        messages=tuple(thread.messages),
        branches=thread.branches(),
        damage=tuple(damage),
        model=models[-1] if models else "",
        leaf=_leaf(row.get("revert"), thread),
        parent=parent,
        kind="sub-agent" if parent else "chat",
    )


def _leaf(revert: Any, thread: Thread) -> str | None:
    try:
        undone = identifier(mapping(loads(revert) if isinstance(revert, str) else revert).get("messageID"))
    except ValueError:
        return None
    return next((one.parent for one in thread.messages if one.id == undone), None) if undone else None


def entries(path: Path) -> list[TranscriptEntry]:
    """Every session of a database, out of its rows alone.

    Raises:
        OSError: the file cannot be read.
    """
    import sqlite3

    try:
        with _opened(path) as connection:
            reading = _Reading(connection)
            reading.begin()
            counted = _counts(reading)
            return [_entry(reading, path, row, counted) for row in reading.rows("session", _SESSION)]
    except sqlite3.Error:
        return []


def _counts(reading: _Reading) -> dict[str, int]:
    import sqlite3

    counted: dict[str, int] = {}
    for table, where in ((_SECOND, " WHERE type IN ('user', 'assistant')"), ("message", "")):
        if not {"session_id"} <= reading.tables.get(table, set()):
            continue
        try:
            rows = reading.connection.execute(f"SELECT session_id, count(*) FROM {table}{where} GROUP BY 1")
            counted |= {text(name): int(many) for name, many in rows}
        except sqlite3.Error:
            continue
    return counted


def _entry(reading: _Reading, path: Path, row: dict[str, Any], counted: dict[str, int]) -> TranscriptEntry:
    name, parent = identifier(row.get("id")), text(row.get("parent_id"))
    return TranscriptEntry(
        path,
        name,
        reading.source,
        told_title(own_title(row.get("title"))),
        text(row.get("directory")),
        moment(row.get("time_created")),
        moment(row.get("time_updated")),
        counted.get(name, 0),
        "sub-agent" if parent else "chat",
        parent,
    )
