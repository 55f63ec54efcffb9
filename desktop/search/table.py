"""Numbers of all passages of an index as arrays by passage id, so that a search ranks thousands without reading rows one by one.

A passage's id is never used again and its numbers never change, so only new ones are read after a change. Documents are few and are read
anew. Belongs to one reading connection and its lock; numpy is imported with the first search.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from desktop.search.arrays import numpy
from desktop.search.traits import ASKS, LABELLED, PREFERS, STANDING, TIMED, TITLED, WIDE

Array = numpy.ndarray[Any, Any]
_COLUMNS = ("id", "document", "unit", "place", "length", "speaker", "day", "marks")


def numbers(text: str | None, kind: type = numpy.int64) -> Array:
    """The array of a `group_concat`, several times as fast as rows."""
    return numpy.fromstring(text, dtype=kind, sep=",") if text else numpy.empty(0, dtype=kind)


class PassageTable:
    """All passages and documents of an index.

    Attributes:
        document, unit, place, length, speaker, day, marks, said: by passage id; 0 where there is none.
        weight: of the document, by document id.
        total, mean: passages that exist, and their mean length in words.
        titled: some passage has a title.
        changes: goes up with every change that was seen.
    """

    def __init__(self) -> None:
        self.total, self.mean, self.changes, self.titled = 0, 1.0, 0, False
        self._version = -1
        self._top = 0
        self._size = 0
        self.document = self.unit = self.place = self.length = self.speaker = self.day = self.marks = numpy.empty(0, dtype=numpy.int64)
        self.said = numpy.empty(0, dtype=bool)
        self.weight = numpy.ones(1)
        self._scope = self._kind = numpy.full(1, -1)
        self._scopes: dict[tuple[str, str], int] = {}
        self._kinds: dict[str, int] = {}
        self._keys: dict[str, int] = {}

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Read what came since the last time."""
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        if version == self._version:
            return
        self._read_passages(connection)
        self._read_documents(connection)
        self._version = version
        self.changes += 1

    def _read_passages(self, connection: sqlite3.Connection) -> None:
        joined = ", ".join(f"group_concat({name})" for name in _COLUMNS)
        row = connection.execute(
            f"SELECT {joined}, group_concat(role = 'user') FROM passage WHERE id > ?",  # names of columns, nothing from outside
            (self._top,),
        ).fetchone()
        ids = numbers(row[0])
        total, words = connection.execute("SELECT count(*), coalesce(sum(length), 0) FROM passage").fetchone()
        self.total, self.mean = total, max(1.0, words / max(1, total))
        if not len(ids):
            return
        self._top = int(ids.max())
        self._grow(self._top + 1)
        for name, text in zip(_COLUMNS[1:], row[1:-1], strict=True):
            getattr(self, name)[ids] = numbers(text)
        self.said[ids] = numbers(row[-1]) > 0
        self.titled = self.titled or bool(self.has(ids, TITLED).any())

    def _grow(self, size: int) -> None:
        if size <= self._size:
            return
        self._size = max(size, self._size * 3 // 2, 1_024)
        for name in (*_COLUMNS[1:], "said"):
            old = getattr(self, name)
            new = numpy.zeros(self._size, dtype=old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def _read_documents(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute("SELECT id, scope, scope_id, kind, key, weight FROM document").fetchall()
        size = max((row[0] for row in rows), default=0) + 1
        self.weight = numpy.ones(size)
        self._scope, self._kind = numpy.full(size, -1), numpy.full(size, -1)
        self._scopes, self._kinds = {}, {}
        ids = [row[0] for row in rows]
        self.weight[ids] = [row[5] for row in rows]
        self._scope[ids] = [self._scopes.setdefault((row[1], row[2]), len(self._scopes)) for row in rows]
        self._kind[ids] = [self._kinds.setdefault(row[3], len(self._kinds)) for row in rows]
        self._keys = {row[4]: row[0] for row in rows}

    def allowed(
        self, scopes: tuple[tuple[str, str | None], ...] | None, kinds: frozenset[str] | None, keys: frozenset[str] | None
    ) -> Array | None:
        """By document id, whether it may be seen; None when all may."""
        if scopes is None and kinds is None and keys is None:
            return None
        mask = numpy.zeros(len(self.weight), dtype=bool)
        mask[list(self._keys.values())] = True
        if scopes is not None:
            whole = {scope for scope, identity in scopes if identity is None}
            mask &= numpy.isin(self._scope, [n for (s, i), n in self._scopes.items() if s in whole or (s, i) in scopes])
        if kinds is not None:
            mask &= numpy.isin(self._kind, [n for kind, n in self._kinds.items() if kind in kinds])
        if keys is not None:
            wanted = numpy.zeros(len(mask), dtype=bool)
            wanted[[self._keys[key] for key in keys if key in self._keys]] = True
            mask &= wanted
        return mask

    def has(self, passages: Array, mark: int) -> Array:
        """Whether each of these passages has the mark."""
        return (self.marks[passages] & mark) > 0


__all__ = ["ASKS", "LABELLED", "PREFERS", "STANDING", "TIMED", "WIDE", "Array", "PassageTable", "numbers"]
