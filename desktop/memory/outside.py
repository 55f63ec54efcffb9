"""Changes that other programs made to a memory folder: found by comparing it with what the journal last knew, and journalled as theirs.

Owns that comparison: what came, went, became another or was renamed (by digest), what is still being written and is left for the next look,
and what a first look makes of a folder that nobody knew. Writes no memory file. Looking takes no lock; journalling runs with the store's
lock held. Blocking.
"""

from __future__ import annotations

import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from desktop.base.paths import AppPaths
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.journal import FLUSHED_AT_ONCE, Journal
from desktop.memory.known import Entry, Known, KnownFile, Seen, Stat, read_settled, walk
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import MemoryRoot

log = logging.getLogger(__name__)
SETTLE_NS = 200_000_000
"""A file that was touched more shortly ago than this is looked at again after this time, since a program may still be writing it (R13)."""

TAIL = 8
ORIGIN = ChangeOrigin("outside")


@dataclass(slots=True)
class _Look:
    """What a look with the lock held found.

    Attributes:
        entries: every file that is accounted for after it.
        came: path → digest of what stands there now and is not what the journal knew.
        waiting: files that are being written.
        read: how many files were read.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    came: dict[str, str] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    read: int = 0


class Outside:
    """Finds what others changed below one root."""

    def __init__(
        self,
        root: MemoryRoot,
        paths: AppPaths,
        journal: Journal,
        *,
        pause: Callable[[float], None] = time.sleep,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._root = root
        self._folder: Path = root.folder
        self._single = root.profile == "single"
        self._journal = journal
        self._state = KnownFile(paths, root.key)
        self._pause = pause
        self._now_ns = now_ns

    def forget(self) -> None:
        """Drop the state; the next look reads every file again."""
        self._state.drop()

    # without the lock

    def looks_changed(self) -> bool:
        """One stat walk: whether there is anything to be taken in. Waits for what is being written just now, at most 200 ms."""
        known, seen = self._state.load(), walk(self._folder, single=self._single)
        if not seen.reachable or (self._single and not seen.there and known is None):
            return False
        if known is None:
            self._let_settle(Known(), seen)
            return True
        moved = [path for path, now in seen.files.items() if not known.settled(path, now)]
        if not moved and seen.files.keys() == known.files.keys() - self._hidden(known.files, seen):
            return False
        self._let_settle(known, seen)
        return True

    @staticmethod
    def _hidden(files: Mapping[str, Entry], seen: Seen) -> set[str]:
        return {path for path in files if path not in seen.files and seen.hides(path)} if seen.blind else set()

    def _let_settle(self, known: Known, seen: Seen) -> None:
        """Wait until what was touched last is old enough, unless it is what the journal says anyway."""
        now = self._now_ns()
        young = [
            (path, at)
            for path, stat in seen.files.items()
            if now - SETTLE_NS < (at := max(stat[1], stat[2])) <= now and not known.settled(path, stat)
        ]
        strange = [at for path, at in young if not self._is_ours(path)]
        if strange:
            self._pause(max(0.0, (max(strange) + SETTLE_NS - now) / 1e9))

    def _is_ours(self, path: str) -> bool:
        expected = self._journal.content(path)
        reading = read_settled(self._folder, path) if expected else None
        return reading is not None and reading.digest == expected

    # with the lock

    def take(self, changing: Changing, *, index: bool = True) -> list[Change]:
        """Journal everything that others changed, and tell the index; the changes, in the order of their paths.

        Args:
            index: False while memory or its writing is off: then nothing in the folder changes, its index neither.

        Raises:
            StorageError: a content could not be kept or the journal not be written; what is missing then is found by the next look.
        """
        known, seen = self._state.load() or Known(), walk(self._folder, single=self._single)
        if not seen.reachable or self._is_away(known, seen):
            return []
        first = not self._journal.observed
        accounted = self._journal.contents()
        look = self._compared(known, seen, accounted, first=first)
        mended = not first and self._mend(known, look, accounted, seen)
        changes = self._changes(changing, look, accounted, seen, first=first)
        changing.record_outside(changes)
        if first or mended:
            now = changing.change("write", INDEX_NAME, None, None, ORIGIN)
            unseen = {path: found for path, found in accounted.items() if path in look.waiting or seen.hides(path)}
            self._journal.append_baseline(now.id, now.time, unseen | {path: entry.digest for path, entry in look.entries.items()})
        if index:
            self._tell_index(changing, changes)
        self._remember(known, seen, look, accounted)
        return changes

    def _is_away(self, known: Known, seen: Seen) -> bool:
        """Whether the disk that held the folder is not there, which is not the same as an emptied folder."""
        if seen.files or not known.device:
            return False
        place = self._folder
        while not place.exists() and place.parent != place:
            place = place.parent
        try:
            return place.stat().st_dev != known.device
        except OSError:
            return True

    def _compared(self, known: Known, seen: Seen, accounted: Mapping[str, str], *, first: bool) -> _Look:
        look = _Look()
        for path, now in sorted(seen.files.items()):
            if known.settled(path, now) and known.files[path].digest == accounted.get(path):
                look.entries[path] = known.files[path]
                continue
            self._read(path, now, known, accounted, look)
        return look

    def _read(self, path: str, now: Stat, known: Known, accounted: Mapping[str, str], look: _Look) -> None:
        reading = read_settled(self._folder, path)
        look.read += 1
        if reading is None:
            look.waiting.add(path)
            return
        expected = accounted.get(path)
        if reading.digest != expected:
            if reading.stat != now or self._young(reading.stat):
                look.waiting.add(path)  # it moved between two looks: half a file is never taken for a whole one
                return
            if reading.data is not None:
                self._journal.keep(reading.data, flush=len(look.came) < FLUSHED_AT_ONCE)
            look.came[path] = reading.digest
        look.entries[path] = Entry(reading.stat, reading.digest)

    def _young(self, stat: Stat) -> bool:
        """Whether a file was touched since the wait for it."""
        now = self._now_ns()
        return now - SETTLE_NS < max(stat[1], stat[2]) <= now

    def _mend(self, known: Known, look: _Look, accounted: dict[str, str], seen: Seen) -> bool:
        """Believe the state where the journal lost a line: what was accounted for then and was not touched since is nobody's change.

        Returns:
            Whether the journal has to be told.
        """
        touched = self._touched_since(known)
        if touched is None:
            return False
        lost = {p: d for p, d in look.came.items() if p in known.files and known.files[p].digest == d and p not in touched}
        gone = [p for p in accounted if p not in known.files and p not in look.entries and p not in touched and not seen.hides(p)]
        for path, found in lost.items():
            accounted[path] = found
            look.came.pop(path)
        for path in gone:
            accounted.pop(path)
        return bool(lost or gone)

    def _touched_since(self, known: Known) -> set[str] | None:
        """Paths that journalled changes touched after the state was saved; None when that cannot be told."""
        touched: set[str] = set()
        if not known.files:
            return None
        for change in reversed(self._journal.read()):
            if change.id in known.tail:
                return touched
            touched.update(path for path in (change.path, change.old_path) if path)
        return touched if not known.tail else None

    def _changes(self, changing: Changing, look: _Look, accounted: Mapping[str, str], seen: Seen, *, first: bool) -> list[Change]:
        present = look.entries.keys() | look.waiting
        gone = {path: found for path, found in accounted.items() if path not in present and not seen.hides(path)}
        fresh = {path: found for path, found in look.came.items() if path not in accounted}
        renamed = _pairs(gone, fresh)
        changes: list[Change] = []
        for path, found in sorted(look.came.items()):
            if path in renamed:
                changes.append(changing.change("rename", path, found, found, ORIGIN, old_path=renamed[path]))
            elif path in accounted or not first:
                changes.append(changing.change("write", path, accounted.get(path), found, ORIGIN))
        left = gone.keys() - set(renamed.values())
        return changes + [changing.change("delete", path, gone[path], None, ORIGIN) for path in sorted(left)]

    def _tell_index(self, changing: Changing, changes: list[Change]) -> None:
        """A file that came in gets a line, one that went loses it; an index that a person changed by hand stays as it is otherwise."""
        topics = [change for change in changes if INDEX_NAME not in (change.path, change.old_path)]
        if topics and changing.is_index(INDEX_NAME) and self._folder.is_dir():
            changing.sync_index_with(changing.news_of(topics), ORIGIN)

    def _remember(self, known: Known, seen: Seen, look: _Look, accounted: Mapping[str, str]) -> None:
        entries = dict(look.entries)
        for path, entry in known.files.items():
            if path not in entries and (path in look.waiting or seen.hides(path)):
                entries[path] = entry
        if not look.read and entries == known.files and seen.device == known.device:
            return
        tail = tuple(change.id for change in reversed(self._journal.read()[-TAIL:]))
        self._state.save(seen.device or known.device, tail, entries)


def _pairs(gone: Mapping[str, str], fresh: Mapping[str, str]) -> dict[str, str]:
    """New path → old path of files that were renamed: the same content went there and came here; the same name first, then in order."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, found in sorted(gone.items()):
        places[found].append(path)
    pairs: dict[str, str] = {}
    for same_name in (True, False):
        for path, found in sorted(fresh.items()):
            if path in pairs:
                continue
            old = next((p for p in places[found] if not same_name or os.path.basename(p) == os.path.basename(path)), None)  # noqa: PTH119 - posix
            if old is not None:
                places[found].remove(old)
                pairs[path] = old
    return pairs
