"""Putting documents into an index and taking them out. Owns the difference between what is stored and what is wanted: passages that stay
the same keep their row and their vector. Runs inside a transaction of `store.IndexStore`; blocking.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from desktop.search.passage import Document, Passage
from desktop.search.segment import clean, index_text
from desktop.search.store import document_digest, passage_digest
from desktop.search.traits import traits_of

Row = tuple[int, int, str, float, str, str, str]


def fingerprints(connection: sqlite3.Connection, prefix: str = "") -> dict[str, str]:
    """Fingerprint by key, of the keys that begin with `prefix`."""
    if not prefix:
        return dict(connection.execute("SELECT key, fingerprint FROM document").fetchall())
    between = (clean(prefix), f"{clean(prefix)}\U0010ffff")  # a range, so that the unique key's index finds it
    rows = connection.execute("SELECT key, fingerprint FROM document WHERE key >= ? AND key < ?", between)
    return dict(rows.fetchall())


def put(connection: sqlite3.Connection, document: Document) -> None:
    """The document as it is now, in place of what was stored under its key."""
    rows = [_row(passage, place) for place, passage in enumerate(document.passages)]
    digests = [passage_digest(*row) for row in rows]
    identity = _document(connection, document, document_digest(digests))
    stored = _stored(connection, identity)
    wanted = dict(zip(digests, rows, strict=True))
    gone = [row for row, digest in stored if digest not in wanted]
    _delete(connection, gone)
    kept = {digest for _, digest in stored}
    _insert(connection, identity, [(row, digest) for row, digest in zip(rows, digests, strict=True) if digest not in kept])


def extend(connection: sqlite3.Connection, key: str, fingerprint: str, passages: Sequence[Passage], time: float) -> bool:
    """Add passages to the end of a document; False when there is none with that key."""
    known = connection.execute("SELECT id FROM document WHERE key = ?", (clean(key),)).fetchone()
    if known is None:
        return False
    identity = known[0]
    last = connection.execute("SELECT coalesce(max(place), -1) FROM passage WHERE document = ?", (identity,)).fetchone()[0]
    rows = [_row(passage, last + 1 + number) for number, passage in enumerate(passages)]
    _insert(connection, identity, [(row, passage_digest(*row)) for row in rows])
    digests = [digest for _, digest in _stored(connection, identity)]
    connection.execute(
        "UPDATE document SET fingerprint = ?, time = ?, digest = ? WHERE id = ?",
        (clean(fingerprint), time, document_digest(digests), identity),
    )
    return True


def remove(connection: sqlite3.Connection, keys: Iterable[str]) -> None:
    for key in keys:
        known = connection.execute("SELECT id FROM document WHERE key = ?", (clean(key),)).fetchone()
        if known is not None:
            connection.execute("DELETE FROM passage WHERE document = ?", known)
            connection.execute("DELETE FROM document WHERE id = ?", known)


def _document(connection: sqlite3.Connection, document: Document, digest: str) -> int:
    """The row of the document, made or brought up to date."""
    key, labels = clean(document.key), tuple(map(clean, (document.scope, document.scope_id, document.kind)))
    values = (clean(document.fingerprint), document.weight, document.time, digest)
    known = connection.execute("SELECT id FROM document WHERE key = ?", (key,)).fetchone()
    if known is None:
        made = connection.execute(
            "INSERT INTO document (key, scope, scope_id, kind, fingerprint, weight, time, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (key, *labels, *values),
        )
        return int(made.lastrowid or 0)
    connection.execute(
        "UPDATE document SET scope = ?, scope_id = ?, kind = ?, fingerprint = ?, weight = ?, time = ?, digest = ? WHERE id = ?",
        (*labels, *values, known[0]),
    )
    return int(known[0])


def _stored(connection: sqlite3.Connection, document: int) -> list[tuple[int, bytes]]:
    rows = connection.execute("SELECT id, digest FROM passage WHERE document = ? ORDER BY unit, place", (document,))
    return rows.fetchall()


def _row(passage: Passage, place: int) -> Row:
    title, body, ref = clean(passage.title), clean(passage.text), clean(passage.ref)
    return (passage.unit, place, passage.role, passage.time, title, body, ref)


def _delete(connection: sqlite3.Connection, identities: Sequence[int]) -> None:
    connection.executemany("DELETE FROM passage WHERE id = ?", [(identity,) for identity in identities])


def _insert(connection: sqlite3.Connection, document: int, rows: Sequence[tuple[Row, bytes]]) -> None:
    """New rows; the small table is what a search reads of all passages, the texts only of those that it shows."""
    if not rows:
        return
    last = connection.execute("SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passage'), 0))").fetchone()[0]
    numbers: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    for number, (row, digest) in enumerate(rows, last + 1):
        title, body = row[4], row[5]
        title_cut, body_cut = index_text(title), index_text(body)
        traits = traits_of(body)
        length = _words(title_cut or title) + _words(body_cut or body)
        numbers.append((number, document, *row[:4], length, traits.speaker, traits.day, traits.marks, digest))
        texts.append((number, title, body, row[6], title_cut, body_cut))
    connection.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", numbers)
    connection.executemany("INSERT INTO content VALUES (?, ?, ?, ?, ?, ?)", texts)


def _words(text: str) -> int:
    """About how many words a text has, for the norm of its length."""
    return text.count(" ") + text.count("\n") + 1 if text else 0
