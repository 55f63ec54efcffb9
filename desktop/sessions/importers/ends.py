"""The records at the ends of a file of JSON lines: for lists, which never read a whole file. Read only, blocking, any thread."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from desktop.sessions.importers.json_text import loads
from desktop.sessions.importers.packed import opened

HEAD = 64 << 10
LARGE_HEAD = 4 << 20
"""Bytes looked at where the first records are larger than HEAD: a pasted picture, a list of files, long instructions."""
TAIL = 64 << 10


def _tail(file: BinaryIO, size: int) -> bytes:
    """The whole lines in the last bytes of what is left of a file that cannot be sought in."""
    last = b""
    while data := file.read(max(size, 1 << 20)):
        last = (last + data)[-size - 1 :]
    return last[last.find(b"\n") + 1 :]


def ends(path: Path, head: int, tail: int) -> Iterator[dict[str, Any]]:
    """The records in the first and last bytes of a file, whole lines only.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    with opened(path) as text:
        start = text.read(head)
        rest = b""
        if len(start) == head and tail and not text.seekable():
            rest = _tail(text, tail)
        elif len(start) == head and tail:
            at = text.tell()
            size = text.seek(0, os.SEEK_END)
            text.seek(max(at, size - tail))
            rest = text.read(tail)
            rest = rest if size - tail <= at else rest[rest.find(b"\n") + 1 :]
    for line in (*start.split(b"\n"), *rest.split(b"\n")):
        if line.lstrip(b"\0 \t").startswith(b"{"):
            with suppress(ValueError):
                value = loads(line.decode("utf-8", errors="replace").strip("\ufeff\0 \t\r"))
                if isinstance(value, dict):
                    yield value
