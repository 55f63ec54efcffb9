"""Bringing a transcript's file to the form that this version appends to: an earlier schema, or UTF-16. The old file is kept beside it.

Owns every rewriting of a transcript; nothing else replaces one. Called under the session's lock when somebody opens it to go on with it;
reading never changes a file. Blocking, any thread.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.textio import atomic_write, digest, read_bytes
from desktop.sessions.record import SCHEMA, Record, decode_line, encode


def free_name(path: Path, word: str, clock: Clock) -> Path:
    """A name beside `path` for a copy of it or of its end, not taken yet."""
    stamp = clock.now().strftime("%Y%m%dT%H%M%S%fZ")
    base = path.with_name(f"{path.name}.{word}-{stamp}")
    count, name = 1, base
    while name.exists():
        count += 1
        name = base.with_name(f"{base.name}-{count}")
    return name


def make_appendable(path: Path, clock: Clock) -> Path | None:
    """Turn a UTF-16 transcript into the UTF-8 that is appended to. Other files stay as they are.

    Returns:
        The copy of the original, or None where nothing had to be done.

    Raises:
        StorageError: it could not be copied; nothing was changed.
    """
    if read_bytes(path, 2) not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    data = read_bytes(path)
    kept = _keep(path, "original", data, clock)
    atomic_write(path, data.decode("utf-16", errors="replace").encode("utf-8", errors="replace"))
    return kept


def migrate(path: Path, clock: Clock) -> Path | None:
    """Write the records of earlier versions anew in the present form. Every other line, sound or damaged, stays byte for byte.

    Returns:
        The copy of the file as it was, or None where no record is of an earlier version.

    Raises:
        StorageError: it could not be copied or written; the file is as it was.
    """
    data = read_bytes(path)
    new = b"".join(_lines_now(data, clock.now()))
    if new == data:
        return None
    kept = _keep(path, "older", data, clock)
    atomic_write(path, new)
    return kept


def _keep(path: Path, word: str, data: bytes, clock: Clock) -> Path:
    """A copy beside the file; the one of an earlier try that was broken off serves as well."""
    name = digest(data)
    for there in path.parent.glob(f"{path.name}.{word}-*"):
        if there.is_file() and there.stat().st_size == len(data) and digest(read_bytes(there)) == name:
            return there
    kept = free_name(path, word, clock)
    atomic_write(kept, data)
    return kept


def _lines_now(data: bytes, moment: datetime) -> Iterator[bytes]:
    """Every line of the file, those of earlier versions in the present form. `moment` stands in for a time that is not known."""
    if data.startswith(codecs.BOM_UTF8):
        yield codecs.BOM_UTF8
        data = data[len(codecs.BOM_UTF8) :]
    for line in _split(data):
        items = list(decode_line(line))
        records = [item for item in items if isinstance(item, Record) and item.schema < SCHEMA]
        if not records or len(records) < len(items):
            yield line
            continue
        for record in records:
            moment = record.time or moment
            yield encode(record.seq, record.kind, record.payload, moment)


def _split(data: bytes) -> Iterator[bytes]:
    """Lines as the reader splits them: on a line feed alone."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start : end + 1]
        start = end + 1
    if start < len(data):
        yield data[start:]
