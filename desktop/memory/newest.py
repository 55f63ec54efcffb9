"""The newest notes of a large folder without reading every header: for a first picture, until the whole list is there.

Looks at every name and time, reads only what was changed last. Follows no link. Blocking, any thread.
"""

from __future__ import annotations

import os
from pathlib import Path

from desktop.memory.note import INDEX_NAME, MAX_DEPTH, Note, find_note, list_notes

_SKIPPED = frozenset((".git", "node_modules"))
Found = tuple[int, str]
"""Time of change in nanoseconds since 1970, and path below the root."""


def _walk(folder: str, prefix: str, depth: int, found: list[Found]) -> None:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                if depth < MAX_DEPTH and entry.name not in _SKIPPED:
                    _walk(entry.path, f"{prefix}{entry.name}/", depth + 1, found)
            elif entry.name[-3:].lower() == ".md" and entry.is_file(follow_symlinks=False) and prefix + entry.name != INDEX_NAME:
                found.append((entry.stat(follow_symlinks=False).st_mtime_ns, prefix + entry.name))
        except OSError:
            continue


def newest_notes(root: Path, most: int) -> tuple[list[Note], int]:
    """The `most` notes whose files were changed last, and how many notes there are. Never raises."""
    found: list[Found] = []
    if not os.path.islink(root):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        _walk(str(root), "", 0, found)
    if len(found) <= most:
        notes = list_notes(root)
        return notes, len(notes)
    found.sort(reverse=True)
    notes = [note for _, path in found[:most] if (note := find_note(root, path)) is not None]
    return notes, len(found)
