"""The bracket around a shell command: what it changed below a memory root without the gate is rolled back or quarantined, and said (W-08).

Owns the two looks at each root, before and after, what is kept between calls to make them cheap, and the words of the report. Judges no
text and knows no tool. What went through a store meanwhile (the window, the extractor) stays. Blocking: worker threads only.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import os_reason, say, together
from desktop.base.redact import redact, visible
from desktop.memory.bracket_look import Look, look_below
from desktop.memory.bracket_root import RootLook, look_at, put_back
from desktop.memory.bracket_undo import Before, Rollback, Undone
from desktop.memory.change import ChangeOrigin
from desktop.memory.roots import PROJECT
from desktop.memory.store import MemoryStore

log = logging.getLogger(__name__)

MOST_STRAYS = 16 << 20
"""Bytes of files that are no notes which are held for a way back; of what is beyond, a changed one is taken out."""
MOST_HELD, MOST_HELD_NOTES = 8 << 20, 2_000
"""Bytes and number of notes that are held besides: a command may throw away the kept versions together with the notes."""
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Token:
    """What a look before a command found, a row for each root; for `RootBracket.after` alone."""

    roots: tuple[tuple[MemoryStore, RootLook, Before], ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BracketReport:
    """What a command had done to memory and what was made of it.

    Attributes:
        restored: paths below the project's root, or `root id:path`, that are back as they were.
        quarantined: the same of what was new or could not be put back; what the command had put there is in the trash.
        text: both in words, for the model and the person; "" when nothing happened.
    """

    restored: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()
    text: str = ""


@dataclass(slots=True)
class _Kept:
    """What is kept of one root between calls: the last look, the contents of files that are no notes, and those of notes."""

    look: Look | None = None
    strays: dict[str, tuple[object, bytes]] = field(default_factory=dict)
    notes: dict[str, tuple[object, bytes]] = field(default_factory=dict)


class RootBracket:
    """Guards the roots of these stores. Thread-safe.

    Args:
        private: of an incognito chat: what a command put into memory is taken back and kept nowhere.
    """

    def __init__(self, stores: Sequence[MemoryStore], *, private: bool = False) -> None:
        self._private = private
        self._stores = tuple(store for store in stores if not store.memory_root.read_only)
        self._kept = {id(store): _Kept() for store in self._stores}
        self._lock = threading.Lock()

    def before(self) -> Token:
        """Look at every root. Never raises: what cannot be looked at is said afterwards."""
        rows, failed = [], []
        for store in self._stores:
            try:
                rows.append((store, look_at(store.root), self._before(store)))
            except (KeepsakeError, OSError) as error:
                failed.append(_unwatched(store, error))
        return Token(tuple(rows), tuple(failed))

    def _before(self, store: MemoryStore) -> Before:
        kept = self._kept[id(store)]
        look = look_below(store.root)
        with self._lock:
            settled = kept.look is not None and not look.young and kept.look.same_as(look)
        if not settled:
            try:
                store.observe()
            except KeepsakeError as error:
                log.warning("%s is guarded by what is known of it: %s", store.root, error.message)
            look = look_below(store.root)
        journal = store.journal
        changes = journal.read()
        before = Before(look, journal.contents(), changes[-1].id if changes else "")
        for path, found in look.young.items():  # one that is being written, so that the journal has not taken it in yet: held as it is
            if before.contents.get(path, found) != found:
                del before.contents[path]
        with self._lock:
            kept.look = look
            before.strays = self._strays(store, kept, before)
            before.held = self._held(store, kept, before)
        return before

    def _strays(self, store: MemoryStore, kept: _Kept, before: Before) -> dict[str, bytes]:
        """Contents of the files that the journal does not know."""
        wanted = [path for path, node in before.look.nodes.items() if node.is_file and path not in before.contents]
        kept.strays = _contents(store, before.look, wanted, kept.strays, MOST_STRAYS)
        return {path: data for path, (_node, data) in kept.strays.items()}

    def _held(self, store: MemoryStore, kept: _Kept, before: Before) -> dict[str, bytes]:
        """Contents of notes by digest, the newest first."""
        nodes = before.look.nodes
        notes = [path for path in before.contents if path in nodes and nodes[path].is_file]
        notes.sort(key=lambda path: -nodes[path].mtime_ns)
        kept.notes = _contents(store, before.look, notes[:MOST_HELD_NOTES], kept.notes, MOST_HELD)
        return {before.contents[path]: data for path, (_node, data) in kept.notes.items()}

    def after(self, token: Token, *, origin: ChangeOrigin) -> BracketReport:
        """Look again, put back what was changed without the gate, and say so. Never raises.

        Args:
            origin: of the call, for the journal.
        """
        restored: list[str] = []
        quarantined: list[str] = []
        failed = list(token.failed)
        for store, way, before in token.roots:
            done = Undone()
            try:
                done = self._after(store, way, before, origin)
            except (KeepsakeError, OSError) as error:
                failed.append(_unwatched(store, error))
            restored += [_named(store, path) for path in done.restored]
            quarantined += [_named(store, path) for path in done.quarantined]
            failed += done.failed
        report = BracketReport(tuple(restored), tuple(quarantined), _in_words(restored, quarantined, failed, private=self._private))
        if report.text:
            log.warning("a shell command changed memory past the gate: %d put back, %d taken out", len(restored), len(quarantined))
        return report

    def _after(self, store: MemoryStore, way: RootLook, before: Before, origin: ChangeOrigin) -> Undone:
        moved = put_back(store.root, way)
        look = look_below(store.root)
        young = all(look.young.get(path, known) == known for path, known in before.look.young.items())
        if before.look.same_as(look) and young and not moved:
            return Undone()
        with store.exclusive() as changing:
            now = look_below(store.root, mend=True)
            reason = say("a shell command changed it past the memory gate; it was put back")
            who = ChangeOrigin("outside", origin.session_id, origin.message_id, reason, untrusted=origin.untrusted)
            quarantine = changing.journal.trash / f"quarantine-{changing.new_group().removeprefix('grp_')}"
            done = Rollback(store.root, changing, before, now, who, quarantine, private=self._private).run()
        if moved and not done.restored:
            done.restored.append(".")
        with self._lock:
            self._kept[id(store)].look = None
        return done


def _contents(
    store: MemoryStore, look: Look, paths: Sequence[str], known: Mapping[str, tuple[object, bytes]], room: int
) -> dict[str, tuple[object, bytes]]:
    """What these files hold, within `room` bytes, read once for each version of them."""
    found: dict[str, tuple[object, bytes]] = {}
    for path in paths:
        node = look.nodes[path]
        if node.size > room:
            continue
        old = known.get(path)
        if old is not None and old[0] == node and path not in look.young:
            found[path] = old
        else:
            try:
                found[path] = (node, read_beneath(store.root, path, limit=room))
            except KeepsakeError as error:
                log.info("%s is not held for a way back: %s", path, error.message)
                continue
        room -= node.size
    return found


def _named(store: MemoryStore, path: str) -> str:
    shown = visible(redact(path))
    return shown if store.memory_root.id == PROJECT else f"{store.memory_root.id}:{shown}"


def _unwatched(store: MemoryStore, error: Exception) -> str:
    reason = error.message if isinstance(error, KeepsakeError) else os_reason(error) if isinstance(error, OSError) else str(error)
    return say("Memory at {root} could not be guarded during this command: {reason}", root=store.root, reason=reason)


def _list(paths: Sequence[str]) -> str:
    named = ", ".join(paths[:MOST_NAMED])
    return named if len(paths) <= MOST_NAMED else say("{names} and {count} more", names=named, count=len(paths) - MOST_NAMED)


def _in_words(restored: Sequence[str], quarantined: Sequence[str], failed: Sequence[str], *, private: bool) -> str:
    parts: list[str] = []
    if restored:
        parts.append(say("This command changed memory without the memory gate. Put back as it was: {names}.", names=_list(restored)))
    if quarantined and private:
        parts.append(say("Taken out of memory, and not kept since this chat is incognito: {names}.", names=_list(quarantined)))
    elif quarantined:
        parts.append(say("Taken out of memory into quarantine, in the trash: {names}.", names=_list(quarantined)))
    if parts:
        parts.append(say("Change memory with Write, Edit or memory_index only, and do not try it by another command."))
    return together(*parts, *failed)
