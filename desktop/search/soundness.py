"""Whether an index agrees with itself: SQLite's own view, FTS5's, and ours by digests. Owns what “whole” means; throws nothing away.

SQLite alone does not see a changed letter in a text, nor a changed number: measured, `quick_check` says “ok” of 64 random bytes in most
pages. A look at 100,000 passages takes about a second and a half of CPU. Blocking.
"""

from __future__ import annotations

import logging
import sqlite3
import struct

from desktop.search.digests import EMPTY, chained, document_digest, passage_digest, vector_sum

log = logging.getLogger(__name__)

LEFT_OVER = (
    "SELECT count(*) FROM passage WHERE document NOT IN (SELECT id FROM document)",
    "SELECT count(*) FROM content WHERE id NOT IN (SELECT id FROM passage)",
    "SELECT count(*) FROM passage WHERE id NOT IN (SELECT id FROM content)",
    "SELECT count(*) FROM passage WHERE id > coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'passage'), 0)",
    "SELECT count(*) FROM document WHERE id > coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'document'), 0)",
)
"""What must not be there: parts without the other half, and numbers that would be given out a second time."""

PASSAGES = (
    "SELECT p.document, p.digest, p.unit, p.place, p.time, p.length, p.speaker, p.day, p.marks, p.role, c.title, c.body, c.ref, "
    "c.title_cut, c.body_cut FROM passage AS p JOIN content AS c ON c.id = p.id ORDER BY p.document, p.place"
)
DOCUMENTS = "SELECT id, key, scope, scope_id, kind, fingerprint, weight, time, chain, digest FROM document"


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether everything that decides a result is as it was written. Vectors that are not are taken out: they are made again.

    Inside a transaction nobody else changes the file meanwhile; the caller sees to that.
    """
    try:
        return _is_sound(connection) and _agrees(connection) and _drop_vectors(connection)
    except (sqlite3.Error, UnicodeError, struct.error, TypeError, OverflowError, AttributeError) as error:
        log.info("the index is damaged: %s", error)
        return False


def _is_sound(connection: sqlite3.Connection) -> bool:
    """SQLite with its indexes, and FTS5, which compares its words with the texts."""
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        return False
    connection.execute("INSERT INTO term (term, rank) VALUES ('integrity-check', 1)")
    return True


def _agrees(connection: sqlite3.Connection) -> bool:
    chains: dict[int, bytes] = {}
    for row in connection.execute(PASSAGES):
        document, digest = row[0], row[1]
        if passage_digest(row[2:9], row[9:]) != digest:
            return False
        chains[document] = chained(chains.get(document, EMPTY), digest)
    for identity, *texts, weight, time, chain, digest in connection.execute(DOCUMENTS):
        if chain != chains.get(identity, EMPTY) or digest != document_digest(tuple(texts), weight, time, chain):
            return False
    return not any(connection.execute(statement).fetchone()[0] for statement in LEFT_OVER)


def _drop_vectors(connection: sqlite3.Connection) -> bool:
    """Take out vectors that are damaged or of no passage; one costs as much as thousands of passages, so the others stay."""
    found = connection.execute("SELECT passage, data, crc FROM vector")
    bad = [(passage,) for passage, data, crc in found if not isinstance(data, bytes) or vector_sum(passage, data) != crc]
    bad += connection.execute("SELECT passage FROM vector WHERE passage NOT IN (SELECT id FROM passage)").fetchall()
    connection.executemany("DELETE FROM vector WHERE passage = ?", bad)
    return True
