"""A named value of a closed session, stored behind its last record without the whole of it being read: a pin, the archive, a title.

Only where the file's beginning and end show that nothing else has to be done: the header is whole and of this version, every record in the
last bytes is sound and of this version, numbered one after the other, and the last one has its newline. Everything else is left to opening
the session, which mends, moves to this version and refuses. The caller holds the writer's lock. Blocking, any thread.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from desktop.base.clock import Clock
from desktop.base.textio import write_all
from desktop.sessions.record import SCHEMA, Record, decode_line, encode, header_from_json
from desktop.sessions.summary import title_of
from desktop.sessions.summary_tail import ARCHIVED, PINNED, TailFacts, tail_facts

_ENDS = 256 << 10
"""Bytes looked at of the beginning and of the end; a longer record is left to a whole reading."""


class _End(NamedTuple):
    """What the end of a file tells: the number of its last record, and its line of the list."""

    seq: int
    facts: TailFacts


def set_at_end(path: Path, session_id: str, name: str, value: object, clock: Clock) -> bool:
    """Store the value, or find that it stands so.

    Args:
        name: `title`, `pinned` or `archived`.

    Returns:
        False when only a whole reading of the session can tell what to do; nothing is written then.

    Raises:
        OSError: it could not be written; what is there of the record is mended by the next writer.
    """
    holds = _title(value) if name == "title" else {}
    if holds is None:
        return False
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.open(path, flags)
    except OSError:
        return False
    try:
        end = _end(file, session_id)
        if end is None:
            return False
        if {PINNED: end.facts.pinned, ARCHIVED: end.facts.archived}.get(name) != value:
            write_all(file, encode(end.seq + 1, "meta", {"name": name, "value": value}, clock.now(), **holds))
            os.fsync(file)
        return True
    finally:
        os.close(file)


def _title(value: object) -> dict[str, Any] | None:
    """What stands with a title for the list; None for an empty one: what holds then only the whole session tells."""
    title = title_of({"title": value}, "")
    return {"title": title} if title else None


def _end(file: int, session_id: str) -> _End | None:
    size = os.fstat(file).st_size
    head = os.pread(file, _ENDS, 0) if hasattr(os, "pread") else _read_at(file, 0)
    start = max(0, size - _ENDS)
    tail = os.pread(file, _ENDS, start) if hasattr(os, "pread") else _read_at(file, start)
    if not _is_header(head.partition(b"\n")[0], session_id) or not tail.endswith(b"\n"):
        return None
    if start:
        tail = tail.partition(b"\n")[2]
    records = [item for line in tail.split(b"\n") for item in decode_line(line)]
    last = -1
    for item in records:
        if not isinstance(item, Record) or item.note or item.schema != SCHEMA or last not in (-1, item.seq - 1):
            return None
        last = item.seq
    facts = tail_facts(tail)
    return None if facts is None or last < 0 else _End(last, facts)


def _read_at(file: int, start: int) -> bytes:
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, _ENDS)


def _is_header(line: bytes, session_id: str) -> bool:
    found = list(decode_line(line))
    if len(found) != 1 or not isinstance(found[0], Record) or found[0].note or (found[0].kind, found[0].schema) != ("session", SCHEMA):
        return False
    header = header_from_json(found[0].payload, SCHEMA)
    return header is not None and header.schema == SCHEMA and header.id == session_id
