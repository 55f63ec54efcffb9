"""What still holds the text of a purged memory, and until when: other memories, transcripts, other roots' versions, drafts and logs.

Owns the look through the whole data folder after a purge. Changes nothing. Blocking, any thread.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.clock import iso
from desktop.base.phrases import say
from desktop.memory.purge_text import Traces
from desktop.memory.retention import KEPT_FOR

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

MAX_NEEDLES = 60
MAX_NAMED = 40


def remains(store: MemoryStore, traces: Traces, sessions: Sequence[str], names: frozenset[str]) -> tuple[datetime | None, tuple[str, ...]]:
    """When the last copy that expires is gone (None: there is none), and each place that still holds the text, in one sentence.

    Args:
        sessions: where it was said: their transcripts count, in whatever words.
        names: digests of its contents.
    """
    data = store.paths.data
    needles = traces.needles()[:MAX_NEEDLES]
    found: list[str] = []
    until: datetime | None = None
    for file in _files(data):
        place = file.relative_to(data)
        told = place.parts[0] == "sessions" and file.stem in sessions
        if not told and file.name not in names and not _holds(file, needles):
            continue
        sentence, moment = _sentence(place, file)
        if sentence not in found:
            found.append(sentence)
        until = max(filter(None, (until, moment)), default=None)
    folder = store.root
    if not folder.is_relative_to(data):
        found += [_still(str(file)) for file in _files(folder) if _holds(file, needles)]
    return until, tuple(found[:MAX_NAMED])


def _sentence(place: Path, file: Path) -> tuple[str, datetime | None]:
    parts = place.parts
    if parts[0] == "sessions":
        return say("The transcript of the session {session} still holds it, until that is deleted.", session=file.stem), None
    if parts[0] in ("snapshots", "trash") and len(parts) > 2:
        moment = datetime.fromtimestamp(file.stat().st_mtime, UTC) + KEPT_FOR
        kept = say("An older version kept for another memory ({key}) still holds it, until {time}.", key=parts[1], time=iso(moment))
        return (
            (kept, moment)
            if parts[0] == "snapshots"
            else (say("The trash of {key} still holds it, until it is emptied.", key=parts[1]), None)
        )
    if parts[0] == "logs":
        return say("The log {name} still holds it, until newer lines push it out.", name=file.name), None
    return _still(place.as_posix()), None


def _still(path: str) -> str:
    return say("{path} still says it, until you change it.", path=path)


def _files(folder: Path) -> Iterator[Path]:
    """Every plain file below a folder, in order; links are not followed, what cannot be looked into is left out."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "models":
                    yield from _files(Path(entry.path))
            elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                yield Path(entry.path)
        except OSError:
            continue


def _holds(file: Path, needles: Sequence[bytes]) -> bool:
    try:
        with file.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size == 0:
                return False
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return any(data.find(needle) >= 0 for needle in needles)
    except (OSError, ValueError):
        return False
