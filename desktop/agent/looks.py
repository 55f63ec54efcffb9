"""How memory files look without being read: times, size, file number. Tells whether something must be read again (CH-14).

Owns the look only, and reads no contents. Blocking, in a worker thread.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop.memory.note import INDEX_NAME, MAX_DEPTH, SKIPPED_FOLDERS
from desktop.memory.roots import MemoryRoot

SETTLED_S = 2.0
"""A file that was changed this short a time before it was looked at may change again without its times showing it (W-35)."""

MOST_NOTES = 10_000
"""Notes beside a document in sections that are looked at."""

Look = tuple[str, tuple[int, ...]]
"""A path, and times of change (ns since 1970), size, file number and kind; nothing behind the path when there is no file."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How some files looked. Two of them are equal when no file seems to have changed in between."""

    files: tuple[Look, ...]

    def settled(self, now: float) -> bool:
        """Whether equal looks can be relied on: no file was changed within two seconds before `now` (seconds since 1970)."""
        return all(max(found[:2]) / 1e9 <= now - SETTLED_S for _, found in self.files if found)


def look_at(files: Iterable[Path], roots: Iterable[MemoryRoot] = ()) -> Looks:
    """The looks of these files, of each root's MEMORY.md, and of the notes beside it in a root of sections."""
    seen = [_look(path) for path in files]
    for root in roots:
        seen.append(_look(root.folder / INDEX_NAME))
        if root.profile == "sections":
            seen += _notes_in(root.folder)
    return Looks(tuple(seen))


def _look(path: Path) -> Look:
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return (str(path), ())
    return (str(path), (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, stat.S_IFMT(found.st_mode)))


def _notes_in(folder: Path) -> Iterator[Look]:
    count = 0
    for place, names, files in os.walk(folder):
        deep = len(Path(place).relative_to(folder).parts) >= MAX_DEPTH
        names[:] = [] if deep else sorted(name for name in names if name not in SKIPPED_FOLDERS)
        for name in sorted(files):
            if name[-3:].lower() == ".md" and count < MOST_NOTES:
                count += 1
                yield _look(Path(place) / name)
