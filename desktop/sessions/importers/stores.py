"""Folders in which a tool keeps its sessions, each in a file: which files they are, and which of them is asked for.

Reads names and no contents. Links that lead out are not followed. Blocking, any thread.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop.sessions.importers.reading import SAMPLE_TEXT, Source
from desktop.sessions.importers.shapes import TranscriptEntry

MAX_FILES = 100_000
MAX_SMALL = 1 << 20
"""Bytes of a file with facts about a session that are read."""


def files_below(folder: Path, *patterns: str, depth: int = 8) -> Iterator[Path]:
    """Plain files whose path from `folder` on, its name included and with `/` between names, matches one of the patterns; by name."""
    told = 0
    start = len(folder.parts)
    for root, folders, names in os.walk(folder):
        at = Path(root)
        folders[:] = sorted(folders) if len(at.parts) - start < depth else []
        for name in sorted(names):
            path = at / name
            inside = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            if any(fnmatch.fnmatch(inside, pattern) for pattern in patterns) and path.is_file() and not path.is_symlink():
                told += 1
                yield path
                if told >= MAX_FILES:
                    return


def head_of(source: Source) -> str:
    """The first characters of a file.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    with source.opened() as file:
        return file.read(SAMPLE_TEXT).decode("utf-8", errors="replace")


def small_text(path: Path) -> str:
    """The text of a small file beside a transcript; empty when there is none."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_SMALL:
            return ""
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def asked_for(entries: Iterable[TranscriptEntry], session: str | None) -> TranscriptEntry | None:
    """The session of that name, by its id or its file's; without a name the newest one that is no sub-agent's, else the newest."""
    found = list(entries)
    if session is not None:
        exact = [one for one in found if one.session == session]
        return next(iter(exact or [one for one in found if session in (one.path.stem, one.path.name)]), None)
    return max(found, key=lambda one: (one.kind == "chat", _when(one)), default=None)


def _when(entry: TranscriptEntry) -> float:
    moment = entry.updated or entry.started
    if moment is not None:
        return moment.timestamp()
    try:
        return entry.path.stat().st_mtime
    except OSError:
        return 0.0
