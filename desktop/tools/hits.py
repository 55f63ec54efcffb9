"""Collecting what a search program writes, record by record, until enough is there. Pure; one thread."""

from __future__ import annotations

import os
from collections.abc import Callable

MOST_CHARACTERS = 60_000


class Hits:
    """The rows of one search.

    Attributes:
        rows: (absolute path, `line:text`, count, or nothing by mode).
        more: whether there were more than the limit.
        hidden: files that were left out by `secret`.
        wanted: says of a path whether its rows count at all.
        notes: what else the reader must know.
    """

    def __init__(self, mode: str, limit: int, secret: Callable[[str], bool]) -> None:
        self._end = b"\0" if mode == "files_with_matches" else b"\n"
        self._limit = limit
        self._secret = secret
        self.wanted: Callable[[str], bool] = lambda _path: True
        self._rest = b""
        self._size = 0
        self.rows: list[tuple[str, str]] = []
        self.more = False
        self.hidden: set[str] = set()
        self.notes: list[str] = []

    def may_show(self, path: str) -> bool:
        if self._secret(path):
            self.hidden.add(path)
            return False
        return True

    def add(self, data: bytes) -> bool:
        """Take bytes as they come; True once there is more than enough."""
        *records, self._rest = (self._rest + data).split(self._end)
        for record in records:
            path, _, value = record.partition(b"\0")
            if not path or (self._end == b"\n" and b"\0" not in record):
                continue
            name = os.fsdecode(path)
            if not self.wanted(name) or not self.may_show(name):
                continue
            if len(self.rows) >= self._limit or self._size >= MOST_CHARACTERS:
                self.more = True
                return True
            self.rows.append((name, value.decode("utf-8", "replace").rstrip("\r")))
            self._size += len(path) + len(value)
        return False
