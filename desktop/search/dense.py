"""The dense leg: vectors of passages in memory, the scan over all of them, and making those that are missing.

Exact scan: 0.6 ms at 10,000 and 12 ms at 100,000 vectors of 384 numbers (measured), so no vector database is needed. Vectors are kept as
half floats in the index and as floats in memory. One user at a time (the index locks).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.words import word_equivalents
from desktop.search.arrays import numpy
from desktop.search.digests import vector_sum
from desktop.search.encoder import Encoder
from desktop.search.segment import language_of
from desktop.search.table import WIDE, Array, PassageTable
from desktop.search.traits import DAY

HEAD, TAIL, SHORT_TURN = 80, 200, 50
"""Characters of a message's beginning and of the turn before that are encoded along; words below which a turn is short."""

LAST = 1 << 62
LEAST_OF_LANGUAGE = 5
"""With fewer passages of a language their scores are judged against those of all."""


class VectorTable:
    """All vectors of one encoder that an index holds.

    Attributes:
        encoder: id of the encoder.
        passages: ids, by row.
        row: by passage id; -1 without a vector.
    """

    def __init__(self, encoder: str, dimensions: int) -> None:
        self.encoder = encoder
        self.passages: Array = numpy.empty(0, dtype=numpy.int64)
        self.row: Array = numpy.empty(0, dtype=numpy.int64)
        self._matrix: Array = numpy.empty((0, dimensions), dtype=numpy.float32)
        self._dimensions = dimensions
        self._changes = -1

    def refresh(self, connection: sqlite3.Connection, table: PassageTable) -> None:
        """Bring it up to the index: new vectors are read, those of passages that are gone are left out."""
        if table.changes == self._changes:
            return
        self._changes = table.changes
        stored = connection.execute("SELECT passage FROM vector WHERE encoder = ? AND length(data) > 0 ORDER BY passage", (self.encoder,))
        wanted = numpy.array([row[0] for row in stored.fetchall()], dtype=numpy.int64)
        if numpy.array_equal(wanted, self.passages):
            return
        kept = numpy.isin(self.passages, wanted)
        new = numpy.setdiff1d(wanted, self.passages)
        passages, matrix = self._read(connection, new)
        self.passages = numpy.concatenate([self.passages[kept], passages])
        self._matrix = numpy.concatenate([self._matrix[kept], matrix])
        self.row = numpy.full(max(int(self.passages.max(initial=0)) + 1, len(table.document)), -1, dtype=numpy.int64)
        self.row[self.passages] = numpy.arange(len(self.passages))

    def _read(self, connection: sqlite3.Connection, passages: Array) -> tuple[Array, Array]:
        """Vectors of these passages; one that is damaged is left out."""
        width = self._dimensions * 2
        ids: list[int] = []
        data: list[bytes] = []
        low, high = (int(passages[0]), int(passages[-1])) if len(passages) else (0, -1)
        for passage, blob, crc in connection.execute(
            "SELECT passage, data, crc FROM vector WHERE encoder = ? AND passage BETWEEN ? AND ? ORDER BY passage",
            (self.encoder, low, high),
        ):
            if len(blob) == width and vector_sum(passage, blob) == crc:
                ids.append(passage)
                data.append(blob)
        found = numpy.array(ids, dtype=numpy.int64)
        matrix = numpy.frombuffer(b"".join(data), dtype="<f2").reshape(-1, self._dimensions).astype(numpy.float32)
        new = numpy.isin(found, passages)
        return found[new], matrix[new]

    def scores(self, query: Array, table: PassageTable, allowed: Array | None) -> tuple[Array, Array]:
        """(passages, standardised score of each, at least 0): how far each is above the mean of its language, in deviations.

        Args:
            query: the question's vector.
            allowed: by document id.
        """
        passages, similar = self.passages, self._matrix @ query
        if allowed is not None:
            seen = allowed[table.document[passages]]
            passages, similar = passages[seen], similar[seen]
        wide = table.has(passages, WIDE)
        values = numpy.zeros(len(passages), dtype=numpy.float32)
        for group in (wide, ~wide):
            if group.any():
                known = similar[group] if int(group.sum()) >= LEAST_OF_LANGUAGE else similar
                values[group] = (similar[group] - known.mean()) / (float(known.std()) + 1e-6)
        return passages, numpy.maximum(values, 0)


@dataclass(frozen=True, slots=True)
class Text:
    """A passage that has no vector yet, as it is given to the encoder."""

    passage: int
    text: str


def missing(connection: sqlite3.Connection, encoder: str, limit: int, below: int = LAST, scope: str | None = None) -> list[Text]:
    """Passages without a vector of this encoder with ids below a number, newest first. Going down saves looking at those that are done.
    `scope`: only those of such documents."""
    only = " AND p.document IN (SELECT id FROM document WHERE scope = ?)" if scope is not None else ""
    rows = connection.execute(
        "SELECT p.id, p.document, p.unit, p.place, p.speaker, p.day, c.title, c.body FROM passage AS p "
        "JOIN content AS c ON c.id = p.id LEFT JOIN vector AS v ON v.passage = p.id AND v.encoder = ? "
        f"WHERE p.id < ? AND v.passage IS NULL{only} ORDER BY p.id DESC LIMIT ?",
        (encoder, below, *([scope] if scope is not None else []), limit),
    ).fetchall()
    return [Text(row[0], _in_context(connection, *row[1:])) for row in rows]


def _in_context(connection: sqlite3.Connection, document: int, unit: int, place: int, speaker: int, day: int, title: str, body: str) -> str:
    """A passage with what it cannot be understood without: its title; for a later section, how its message begins; for a short turn of
    people who talk, how the turn before ended (measured on dialogues: 3.6 points of R@5; beside a model's long answers, which end in
    phrases, and in files it only blurs)."""
    text = DAY.sub("", body)
    if title:
        return f"{title}\n{text}"
    first = _body(connection, document, unit, "ASC", before=place)
    if first is not None:
        return f"{first[0][:HEAD]} … {text}"
    if speaker and word_equivalents(text) < SHORT_TURN:
        turn = _body(connection, document, unit - 1, "DESC")
        if turn is not None and turn[1] == day:
            return f"{DAY.sub('', turn[0])[-TAIL:]} {text}"
    return text


def _body(connection: sqlite3.Connection, document: int, unit: int, order: str, before: int | None = None) -> tuple[str, int] | None:
    """The first or last passage of a unit with its day; `before`: only one that stands before this place."""
    row = connection.execute(
        "SELECT c.body, p.day FROM passage AS p JOIN content AS c ON c.id = p.id "
        f"WHERE p.document = ? AND p.unit = ? AND (? IS NULL OR p.place < ?) ORDER BY p.place {order} LIMIT 1",
        (document, unit, before, before),
    ).fetchone()
    return None if row is None else (row[0], row[1])


def count_missing(connection: sqlite3.Connection, encoder: str) -> int:
    total = connection.execute("SELECT count(*) FROM passage").fetchone()[0]
    have = connection.execute("SELECT count(*) FROM vector WHERE encoder = ?", (encoder,)).fetchone()[0]
    return int(total - have)


def encoded(encoder: Encoder, texts: Sequence[Text]) -> list[tuple[int, str, bytes, int]]:
    """Rows of the vector table; empty data for texts of a language that the encoder does not know, so that they are not tried again."""
    known = [text for text in texts if encoder.languages is None or language_of(text.text) in encoder.languages]
    vectors = encoder.passages([text.text for text in known]) if known else ()
    made = {text.passage: vector.astype("<f2").tobytes() for text, vector in zip(known, vectors, strict=True)}
    rows = [(text.passage, made.get(text.passage, b"")) for text in texts]
    return [(passage, encoder.id, data, vector_sum(passage, data)) for passage, data in rows]


def store(connection: sqlite3.Connection, rows: Sequence[tuple[int, str, bytes, int]]) -> None:
    """Keep vectors of passages that are still there."""
    connection.executemany(
        "INSERT OR REPLACE INTO vector (passage, encoder, data, crc) "
        "SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM passage WHERE id = ?1)",
        rows,
    )
