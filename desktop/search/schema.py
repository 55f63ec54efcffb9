"""The one schema of every search index: a SQLite file that is a cache of files and may be deleted at any time.

Owns tables, triggers and opening. A file that is damaged, of another form or of a later version is thrown away and made anew; the truth
stands in the files that were indexed. Knows neither ranking nor what is indexed. Blocking; a connection may be handed between threads but
used by one at a time.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

APPLICATION_ID = 0x4B534958
FORM = 1
"""Goes up with every change of tables or of `segment.py`; an index of another form is made anew."""

BUSY_MS = 5_000
BESIDE = ("-wal", "-shm", "-journal")

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, scope_id TEXT NOT NULL, kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL, weight REAL NOT NULL, time REAL NOT NULL, digest TEXT NOT NULL);
CREATE TABLE passage (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, unit INTEGER NOT NULL, place INTEGER NOT NULL, role TEXT NOT NULL,
    time REAL NOT NULL, length INTEGER NOT NULL, speaker INTEGER NOT NULL, day INTEGER NOT NULL, marks INTEGER NOT NULL,
    digest BLOB NOT NULL);
CREATE INDEX passage_place ON passage (document, unit, place);
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


def connect(file: Path | None) -> sqlite3.Connection:
    """An open index with the present form, made where there is none; in memory for None.

    Raises:
        sqlite3.Error: damaged, locked, of another form, or not to be made.
        OSError: the file cannot be made.
    """
    if file is not None:
        _make_private(file)
    place = ":memory:" if file is None else file
    connection = sqlite3.connect(place, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection, file)
    except BaseException:
        connection.close()
        raise
    return connection


def _make_private(file: Path) -> None:
    """The file with mode 0600 from its first moment; SQLite gives its companions the same."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))


def _prepare(connection: sqlite3.Connection, file: Path | None) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    if file is not None:
        connection.execute("PRAGMA journal_mode = WAL").fetchone()  # a file system without it keeps its journal, which is right too
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 8388608")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA cache_size = -16384")
    connection.execute("PRAGMA temp_store = MEMORY")
    if not _is_present(connection):
        _create(connection)


def _is_present(connection: sqlite3.Connection) -> bool:
    """Whether the tables of this form are there; False for an empty file.

    Raises:
        sqlite3.DatabaseError: it is something else.
    """
    identity, form = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if identity == APPLICATION_ID and form == FORM:
        if _schema(connection) != sorted(map(_plain, _statements())):
            raise sqlite3.DatabaseError("the tables of the index are not ours")
        return True
    if identity or form or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise sqlite3.DatabaseError(f"the index has the form {form}, not {FORM}")
    return False


def _schema(connection: sqlite3.Connection) -> list[str]:
    """The statements that the file says it was made with, but for what FTS5 and SQLite make for themselves. A trigger that is not ours
    would run with our rights."""
    rows = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'term\\_%' ESCAPE '\\' AND name != 'sqlite_sequence'"
    )
    return sorted(_plain(row[0]) for row in rows)


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
    for name in (file, *(file.with_name(file.name + suffix) for suffix in BESIDE)):
        with suppress(FileNotFoundError):
            name.unlink()


def is_sound(connection: sqlite3.Connection) -> bool:
    """Whether SQLite and FTS5 both find the file whole; FTS5 compares its terms with the texts."""
    try:
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            return False
        connection.execute("INSERT INTO term (term, rank) VALUES ('integrity-check', 1)")
    except sqlite3.Error as error:
        log.info("the index is damaged: %s", error)
        return False
    return True
