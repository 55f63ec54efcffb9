"""Putting documents into an index and taking them out. Owns the difference between what is stored and what is wanted: passages that stay
the same keep their row, and those whose text stays the same keep their vector. Runs inside a transaction of `store.IndexStore`; blocking.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Sequence

from desktop.search.dates import day_of
from desktop.search.digests import EMPTY, chained, document_digest, passage_digest, text_digest, vector_sum
from desktop.search.passage import Document, Passage
from desktop.search.segment import clean, index_text
from desktop.search.traits import LABELLED, TITLED, traits_of

MOST_UNIT = 1 << 31
Row = tuple[int, int, str, float, int, int, int, int, str, str, str, str | None, str | None]
"""unit, place, role, time, length, speaker, day, marks, title, body, ref, title_cut, body_cut."""

Vectors = dict[bytes, tuple[str, bytes]]
"""Encoder and vector by `text_digest`: what a text that comes back need not be encoded for again."""


def fingerprints(connection: sqlite3.Connection, prefix: str = "") -> dict[str, str]:
    """Fingerprint by key, of the keys that begin with `prefix`."""
    if not prefix:
        return dict(connection.execute("SELECT key, fingerprint FROM document").fetchall())
    start, end = clean(prefix), _behind(clean(prefix))  # a range, so that the unique key's index finds it
    if not end:
        return dict(connection.execute("SELECT key, fingerprint FROM document WHERE key >= ?", (start,)).fetchall())
    return dict(connection.execute("SELECT key, fingerprint FROM document WHERE key >= ? AND key < ?", (start, end)).fetchall())


def _behind(prefix: str) -> str:
    """The first text behind all that begin with `prefix`; empty when there is none."""
    prefix = prefix.rstrip("\U0010ffff")
    following = ord(prefix[-1]) + 1 if prefix else 0
    return prefix[:-1] + chr(0xE000 if following == 0xD800 else following) if prefix else ""


def put(connection: sqlite3.Connection, document: Document, vectors: Vectors | None = None) -> None:
    """The document as it is now, in place of what was stored under its key.

    Args:
        vectors: of texts that were taken out in the same change.

    Raises:
        ValueError: a unit that is no number from 0 to 2^31.
    """
    rows = [_row(passage, place) for place, passage in enumerate(document.passages)]
    digests = [_digest(row) for row in rows]
    identity = _document(connection, document, _chain(EMPTY, digests))
    stored = connection.execute("SELECT id, digest FROM passage WHERE document = ?", (identity,)).fetchall()
    wanted, kept = set(digests), {digest for _, digest in stored}
    known = (vectors or {}) | _delete(connection, [row for row, digest in stored if digest not in wanted])
    _insert(connection, identity, [(row, digest) for row, digest in zip(rows, digests, strict=True) if digest not in kept], known)


def extend(connection: sqlite3.Connection, key: str, fingerprint: str, passages: Sequence[Passage], time: float) -> bool:
    """Add passages to the end of a document; False when there is none with that key. Costs nothing for those that it has.

    Raises:
        ValueError: as `put`.
    """
    names = "id, key, scope, scope_id, kind, weight, chain"
    known = connection.execute(f"SELECT {names} FROM document WHERE key = ?", (clean(key),)).fetchone()  # names of columns
    if known is None:
        return False
    identity, *labels, weight, chain = known
    last = connection.execute("SELECT coalesce(max(place), -1) FROM passage WHERE document = ?", (identity,)).fetchone()[0]
    rows = [_row(passage, last + 1 + number) for number, passage in enumerate(passages)]
    digests = [_digest(row) for row in rows]
    _insert(connection, identity, list(zip(rows, digests, strict=True)), {})
    chain, moment = _chain(chain, digests), _finite(time)
    digest = document_digest((*labels, clean(fingerprint)), weight, moment, chain)
    connection.execute(
        "UPDATE document SET fingerprint = ?, time = ?, chain = ?, digest = ? WHERE id = ?",
        (clean(fingerprint), moment, chain, digest, identity),
    )
    return True


def remove(connection: sqlite3.Connection, keys: Iterable[str]) -> Vectors:
    """Take documents out; gives the vectors of their texts, for documents that only got another key."""
    vectors: Vectors = {}
    for key in keys:
        known = connection.execute("SELECT id FROM document WHERE key = ?", (clean(key),)).fetchone()
        if known is not None:
            rows = connection.execute("SELECT id FROM passage WHERE document = ?", known).fetchall()
            vectors |= _delete(connection, [row[0] for row in rows])
            connection.execute("DELETE FROM document WHERE id = ?", known)
    return vectors


def _document(connection: sqlite3.Connection, document: Document, chain: bytes) -> int:
    """The row of the document, made or brought up to date."""
    texts = tuple(map(clean, (document.key, document.scope, document.scope_id, document.kind, document.fingerprint)))
    weight, time = _finite(document.weight, 1.0), _finite(document.time)
    values = (*texts[1:], weight, time, chain, document_digest(texts, weight, time, chain))
    known = connection.execute("SELECT id FROM document WHERE key = ?", texts[:1]).fetchone()
    if known is None:
        made = connection.execute(
            "INSERT INTO document (scope, scope_id, kind, fingerprint, weight, time, chain, digest, key) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, texts[0]),
        )
        return int(made.lastrowid or 0)
    connection.execute(
        "UPDATE document SET scope = ?, scope_id = ?, kind = ?, fingerprint = ?, weight = ?, time = ?, chain = ?, digest = ? WHERE id = ?",
        (*values, known[0]),
    )
    return int(known[0])


def _row(passage: Passage, place: int) -> Row:
    """What is stored of a passage."""
    if not 0 <= passage.unit <= MOST_UNIT:
        raise ValueError(f"a unit is a number from 0 to {MOST_UNIT}, not {passage.unit}")
    title, body = clean(passage.title), clean(passage.text)
    title_cut, body_cut = index_text(title), index_text(body)
    traits = traits_of(body)
    length = _words(title_cut or title) + _words(body_cut or body)
    moment = _finite(passage.time)
    numbers = (length, traits.speaker, traits.day or day_of(moment), traits.marks | TITLED * bool(title) | LABELLED * bool(passage.role))
    texts = (title, body, clean(passage.ref), title_cut, body_cut)
    return (passage.unit, place, clean(passage.role), moment, *numbers, *texts)


def _digest(row: Row) -> bytes:
    unit, place, role, time, *numbers = row[:8]
    return passage_digest((unit, place, time, *numbers), (role, *row[8:]))  # type: ignore[arg-type]


def _chain(chain: bytes, digests: Iterable[bytes]) -> bytes:
    for digest in digests:
        chain = chained(chain, digest)
    return chain


def _finite(value: float, otherwise: float = 0.0) -> float:
    """A number as SQLite gives it back: no NaN, which it keeps as nothing, no infinity, no minus zero."""
    return float(value) + 0.0 if math.isfinite(value) else otherwise


def _delete(connection: sqlite3.Connection, identities: Sequence[int]) -> Vectors:
    """Take passages out; gives the vectors that they had."""
    vectors: Vectors = {}
    for identity in identities:
        row = connection.execute(
            "SELECT c.title, c.body, v.encoder, v.data, v.crc FROM vector AS v JOIN content AS c ON c.id = v.passage WHERE v.passage = ?",
            (identity,),
        ).fetchone()
        if row is not None and vector_sum(identity, row[3]) == row[4]:
            vectors[text_digest(row[0], row[1])] = (row[2], row[3])
    connection.executemany("DELETE FROM passage WHERE id = ?", [(identity,) for identity in identities])
    return vectors


def _insert(connection: sqlite3.Connection, document: int, rows: Sequence[tuple[Row, bytes]], vectors: Vectors) -> None:
    """New rows; the small table is what a search reads of all passages, the texts only of those that it shows."""
    if not rows:
        return
    last = connection.execute("SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passage'), 0))").fetchone()[0]
    numbered = list(enumerate(rows, last + 1))
    connection.executemany(
        "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [(n, document, *row[:8], digest) for n, (row, digest) in numbered]
    )
    connection.executemany("INSERT INTO content VALUES (?, ?, ?, ?, ?, ?)", [(n, *row[8:]) for n, (row, _) in numbered])
    if vectors:
        known = [(n, vectors.get(text_digest(row[8], row[9]))) for n, (row, _) in numbered]
        carried = [(n, found[0], found[1], vector_sum(n, found[1])) for n, found in known if found is not None]
        connection.executemany("INSERT INTO vector VALUES (?, ?, ?, ?)", carried)


def _words(text: str) -> int:
    """About how many words a text has, for the norm of its length."""
    return text.count(" ") + text.count("\n") + 1 if text else 0
