"""The one schema of every search index: a SQLite file that is a cache of files and may be deleted at any time.

Owns tables, triggers and opening. A file of another form or of a later version is refused; the truth stands in the files that were indexed.
Knows neither ranking nor what is indexed. Blocking; a connection may be handed between threads but used by one at a time.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

APPLICATION_ID = 0x4B534958
FORM = 3
"""Goes up with every change of tables or of `segment.py`; an index of another form is made anew."""

BUSY_MS = 5_000
BESIDE = ("-wal", "-shm", "-journal")
SHADOWS = ("term_data", "term_idx", "term_docsize", "term_config", "sqlite_sequence")
"""Tables that FTS5 and SQLite make for themselves, with words of their own versions."""

TABLES = """
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, scope_id TEXT NOT NULL, kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL, weight REAL NOT NULL, time REAL NOT NULL, chain BLOB NOT NULL, digest BLOB NOT NULL);
CREATE TABLE passage (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, unit INTEGER NOT NULL, place INTEGER NOT NULL, role TEXT NOT NULL,
    time REAL NOT NULL, length INTEGER NOT NULL, speaker INTEGER NOT NULL, day INTEGER NOT NULL, marks INTEGER NOT NULL,
    digest BLOB NOT NULL);
CREATE INDEX passage_place ON passage (document, place);
CREATE INDEX passage_unit ON passage (document, unit, place);
CREATE TABLE content (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, ref TEXT NOT NULL, title_cut TEXT, body_cut TEXT);
CREATE TABLE vector (passage INTEGER PRIMARY KEY, encoder TEXT NOT NULL, data BLOB NOT NULL, crc INTEGER NOT NULL);
CREATE VIEW source AS SELECT id, coalesce(title_cut, title) AS title, coalesce(body_cut, body) AS body FROM content;
CREATE VIRTUAL TABLE term USING fts5 (
    title, body, content = 'source', content_rowid = 'id', tokenize = "porter unicode61 remove_diacritics 1");
CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
    INSERT INTO term (rowid, title, body)
    VALUES (new.id, coalesce(new.title_cut, new.title), coalesce(new.body_cut, new.body));
END;
CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
    INSERT INTO term (term, rowid, title, body)
    VALUES ('delete', old.id, coalesce(old.title_cut, old.title), coalesce(old.body_cut, old.body));
END;
CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
    DELETE FROM content WHERE id = old.id;
    DELETE FROM vector WHERE passage = old.id;
END;
"""


def connect(place: Path | str, *, busy_ms: int = BUSY_MS, vfs: str = "") -> sqlite3.Connection:
    """An open index with the present form, made where there is none.

    Args:
        place: its file, or what `in_memory` gives.
        busy_ms: how long to wait for others.
        vfs: SQLite's name of another layer for the file system.

    Raises:
        sqlite3.Error: damaged, locked, of another form, or not to be made.
        OSError: the file cannot be made.
    """
    if isinstance(place, Path):
        make_private(place)
        name = f"file:{quote(os.fsencode(place.absolute()))}?vfs={vfs}" if vfs else os.fspath(place)
    else:
        name = place
    connection = sqlite3.connect(name, timeout=busy_ms / 1000, isolation_level=None, check_same_thread=False, uri=True)
    try:
        _prepare(connection, busy_ms, in_file=isinstance(place, Path))
    except UnicodeDecodeError as error:  # SQLite's own message quotes what it found in the place of a name
        connection.close()
        raise sqlite3.DatabaseError("names in the index are no text") from error
    except BaseException:
        connection.close()
        raise
    return connection


def in_memory(number: int) -> str:
    """A place that connections of this process share, and that is gone with the last of them."""
    return f"file:/keepsake-index-{os.getpid()}-{number}?vfs=memdb"


def make_private(file: Path) -> None:
    """The file with mode 0600 from its first moment; SQLite gives its companions the same.

    What stands in its place and is no plain file, such as a link to one of the person's files, is taken away; what it leads to stays.

    Raises:
        OSError: it cannot be made; a folder with something in it stands there.
    """
    for name in (file, *companions(file)):
        with suppress(FileNotFoundError):
            mode = name.lstat().st_mode
            if stat.S_ISDIR(mode):
                name.rmdir()
            elif not stat.S_ISREG(mode):
                name.unlink()
            elif name is file and mode & 0o077:
                name.chmod(0o600)
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))


def companions(file: Path) -> tuple[Path, ...]:
    return tuple(file.with_name(file.name + suffix) for suffix in BESIDE)


def _prepare(connection: sqlite3.Connection, busy_ms: int, *, in_file: bool) -> None:
    connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
    connection.execute("PRAGMA cell_size_check = ON")
    if in_file:
        connection.execute("PRAGMA journal_mode = WAL").fetchone()  # a file system without it keeps its journal, which is right too
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 8388608")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA cache_size = -4096")
    connection.execute("PRAGMA temp_store = MEMORY")
    if not _is_present(connection):
        _create(connection)


_MARKS = (
    "SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_master) "
    "FROM pragma_application_id AS a, pragma_user_version AS v"
)
"""In one statement, which sees one moment: another process may be making the tables just now."""


def _is_present(connection: sqlite3.Connection) -> bool:
    """Whether the tables of this form are there; False for an empty file.

    Raises:
        sqlite3.DatabaseError: it is something else.
    """
    identity, form, tables = connection.execute(_MARKS).fetchone()
    if identity == APPLICATION_ID and form == FORM:
        if _schema(connection) != sorted(map(_plain, _statements())):
            raise sqlite3.DatabaseError("the tables of the index are not ours")
        return True
    if identity or form or tables:
        raise sqlite3.DatabaseError(f"the index has the form {form}, not {FORM}")
    return False


def _schema(connection: sqlite3.Connection) -> list[str]:
    """The statements that the file says it was made with, but for what FTS5 and SQLite make for themselves. A trigger that is not ours
    would run with our rights."""
    holes = ", ".join("?" * len(SHADOWS))
    rows = connection.execute(
        f"SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ({holes}))",  # only question marks
        SHADOWS,
    )
    return sorted(_plain(str(row[0])) for row in rows)


def _plain(statement: str) -> str:
    return " ".join(statement.rstrip(";\n ").split())


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_present(connection):  # another process may have been quicker
            for statement in _statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORM}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _statements() -> list[str]:
    statements: list[str] = []
    part = ""
    for line in TABLES.strip().splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            statements.append(part)
            part = ""
    return statements


def remove(file: Path) -> None:
    """Delete an index with its companions.

    Raises:
        OSError: one of them is there and cannot be deleted.
    """
    for name in (file, *companions(file)):
        with suppress(FileNotFoundError):
            name.unlink()
