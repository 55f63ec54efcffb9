"""Purging one memory: its text gone from file, index, versions, trash, journal, inbox and caches; digests and the fact stay (6.8, S12).

Owns which contents hold the text and what is said of places that it does not reach. Every other memory keeps its history: a kept version
that held lines of the purged one is replaced by itself without them. Decided first, noted, then carried out, so that a kill in between
is finished by the next start. Only a person purges, and nothing undoes it. Blocking, any thread.
"""

from __future__ import annotations

import json
import posixpath
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError
from desktop.base.phrases import say
from desktop.base.textio import atomic_write, digest, read_bytes
from desktop.memory.change import PURGED_REASON, SCHEMA, Change, ChangeOrigin, record_from_line
from desktop.memory.changing import Changing
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import decode_text, encode_text
from desktop.memory.history import lineages
from desktop.memory.note import INDEX_NAME
from desktop.memory.purge_plan import Plan, carry_out, entry_digest
from desktop.memory.purge_remains import remains
from desktop.memory.purge_text import Traces, cleaned, index_cleaned

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge did.

    Attributes:
        removed: kept copies that were removed or rewritten, the file itself included.
        until: when the last of the copies that expire by themselves is gone; None: none of those is left.
        remaining: what still holds the text, each in one sentence that says for how long.
    """

    removed: int
    until: datetime | None
    remaining: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Memory:
    """The memory that goes.

    Attributes:
        ids: its changes.
        paths: every path it had.
        names: digests of its contents.
        path: where it stands now, "" when it is deleted.
    """

    ids: frozenset[str]
    paths: tuple[str, ...]
    names: frozenset[str]
    path: str


def purge(store: MemoryStore, relative_or_change_id: str, *, origin: ChangeOrigin) -> PurgeReport:
    """Remove a memory and every copy of its text for good.

    Args:
        relative_or_change_id: its path, also of one that was deleted, or the id of one of its changes, e.g. out of the trash; when another
            memory stands at that path by now, the id means the one that was deleted.
        origin: must be the person.

    Raises:
        RefusedError: somebody else asks, or it is the index.
        NotFoundError: nothing is known of it.
        StorageError: something could not be removed; the purge is finished by the next change or the next start.
    """
    if origin.actor != "person":
        raise RefusedError(say("Only the person can remove a memory for good."), hint=say("Delete it instead; it goes to the trash."))
    with store.exclusive() as changing:
        memory = _memory(changing, relative_or_change_id, store)
        if INDEX_NAME in memory.paths:
            raise RefusedError(
                say("{name} is the index and cannot be deleted for good.", name=INDEX_NAME),
                hint=say("Delete single memories for good; their lines go by themselves."),
            )
        traces = _traces(changing, memory)
        if memory.path:
            data = changing.current(memory.path) or b""
            why = ChangeOrigin("person", origin.session_id, origin.message_id, PURGED_REASON)
            gone = changing.follow(changing.remove(memory.path, data, "delete", why), data, None)
            memory = _Memory(memory.ids | {gone.id}, memory.paths, memory.names | {digest(data)}, "")
        sessions = _bury(store, changing, memory)
        mine = traces.without(_others(store, changing))
        proposed = store.proposals.forget(memory.paths, mine.found_in)
        changing.sync_index(lambda text: index_cleaned(store.root, text, (), mine), origin)
        plan, rewritten = _decided(store, changing, memory, mine)
        identity = f"purge-{changing.new_group().removeprefix('grp_')}"
        store.pending.note(identity, plan)
        removed = len(plan.drop) + len(plan.trash) + rewritten + len(plan.contents) + proposed
        carry_out(plan, changing.journal)
        store.pending.end(identity)
    store.forget_caches()
    until, left = remains(store, traces, sessions, memory.names)
    return PurgeReport(removed, until, left)


# which memory


def _memory(changing: Changing, wanted: str, store: MemoryStore) -> _Memory:
    changes = changing.journal.read()
    numbers, at = lineages(changes)
    asked = next((n for n, change in enumerate(changes) if change.id == wanted), None)
    path = wanted if asked is not None else store.relative(wanted)
    number = numbers[asked] if asked is not None else at.get(path)
    if number is None:
        if changing.current(path) is None:
            raise NotFoundError(say("Nothing is known of {path}.", path=path))
        return _Memory(frozenset(), (path,), frozenset(), path)
    members = [n for n, one in enumerate(numbers) if one == number]
    here = next((p for p, one in at.items() if one == number and _is_there(changing, p)), "")
    if asked is not None and here:
        life = _life(changes, members, asked)
        here = here if members[-1] in life else ""
        members = life
    mine = [changes[n] for n in members]
    paths = dict.fromkeys(p for change in mine for p in (change.path, change.old_path) if p)
    names = frozenset(name for change in mine for name in (change.before, change.after) if name)
    return _Memory(frozenset(change.id for change in mine), tuple(paths), names, here)


def _is_there(changing: Changing, path: str) -> bool:
    try:
        return changing.current(path) is not None
    except KeepsakeError:
        return False


def _life(changes: Sequence[Change], members: Sequence[int], asked: int) -> list[int]:
    """The changes between the making and the deletion around `asked`: a memory made anew at the same path is another one."""
    lives: list[list[int]] = [[]]
    for number in members:
        change = changes[number]
        if lives[-1] and change.before is None and not change.undoes and not change.old_path:
            lives.append([])
        lives[-1].append(number)
    return next(life for life in lives if asked in life)


# what holds its text


def _traces(changing: Changing, memory: _Memory) -> Traces:
    traces = Traces()
    last = memory.paths[-1]
    for data in _versions(changing, memory):
        for path in memory.paths:
            traces.take(path, data)
    if memory.path:
        traces.take(last, changing.current(memory.path) or b"")
    return traces


def _versions(changing: Changing, memory: _Memory) -> Iterator[bytes]:
    """Every kept content of it: versions, and copies in the trash."""
    for name in sorted(memory.names):
        try:
            yield changing.journal.kept(name)
        except NotFoundError:
            continue
    for identity in sorted(memory.ids):
        for file in _files(changing.journal.trash / identity):
            yield read_bytes(file)


def _files(folder: Path) -> list[Path]:
    """The plain files below a folder; links are not followed."""
    found = []
    try:
        for path in sorted(folder.rglob("*")):
            if stat.S_ISREG(path.lstat().st_mode):
                found.append(path)
    except OSError:
        pass
    return found


def _bury(store: MemoryStore, changing: Changing, memory: _Memory) -> tuple[str, ...]:
    """Tombstones for every version, so that no second look at a transcript brings one back; the sessions where it was said."""
    mine = [change for change in changing.journal.read() if change.id in memory.ids]
    now = changing.change("delete", INDEX_NAME, None, None, ChangeOrigin("person")).time
    said = [change.origin.message_id for change in mine if change.op != "delete"]
    asked = [change.origin.message_id for change in mine if change.op == "delete"]
    sessions = [change.origin.session_id for change in mine]
    for data in _versions(changing, memory):
        store.tombstones.add(data, messages=said, asked=asked, sessions=sessions, time=now)
    known = {session for stone in store.tombstones.all() if stone.time == now for session in stone.sessions}
    return tuple(sorted(known | {session for session in sessions if session}))


def _others(store: MemoryStore, changing: Changing) -> Iterator[str]:
    """What the other memories say now, folded."""
    paths = [note.path for note in store.notes()]
    for path in paths if changing.is_index(INDEX_NAME) else [*paths, INDEX_NAME]:
        try:
            data = changing.current(path)
        except KeepsakeError:
            continue
        if data:
            yield folded(decode_text(data)[0])


# what is to be done


def _decided(store: MemoryStore, changing: Changing, memory: _Memory, mine: Traces) -> tuple[Plan, int]:
    """The plan, and how many files of the trash were rewritten already."""
    journal = changing.journal
    changes = journal.read()
    windows = _index_windows(changes, memory) if changing.is_index(INDEX_NAME) else {}
    live = {name for path, name in journal.contents().items() if path not in memory.paths or _is_there(changing, path)}
    contents: dict[str, str] = {}
    drop: list[str] = []
    for file in _files(journal.snapshots):
        name = file.name
        data = read_bytes(file)
        if name in live:
            continue
        new = None if name in memory.names or digest(data) != name else _cleaned(store, data, windows.get(name), mine)
        if new is None:
            drop.append(name)
        elif new != data:
            contents[name] = journal.keep(new)
            drop.append(name)
    trash, rewritten = _trash(changing, memory, mine)
    plan = Plan(
        names={identity: _neutral(identity) for identity in sorted(memory.ids)},
        blank=tuple(change.id for change in changes if change.id not in memory.ids and _tells(change, memory, mine)),
        contents=contents,
        drop=tuple(drop),
        trash=trash,
        lines=_strange_lines(changing, memory, mine),
        forget=tuple(entry_digest(path, name) for path in memory.paths for name in sorted(memory.names)),
    )
    return plan, rewritten


def _neutral(identity: str) -> str:
    """What the journal calls a purged memory."""
    return f"purged-{identity[-8:]}.md"


def _cleaned(store: MemoryStore, data: bytes, paths: frozenset[str] | None, mine: Traces) -> bytes | None:
    """A kept content without the text; None when it has to go."""
    if paths is None:
        return cleaned(data, mine)
    text, encoding, bom = decode_text(data)
    return cleaned(bom + encode_text(index_cleaned(store.root, text, sorted(paths), mine), encoding), mine)


def _index_windows(changes: Sequence[Change], memory: _Memory) -> dict[str, frozenset[str]]:
    """Digest of an index → the paths under which it may have had lines for the memory: those it held while that index stood."""
    numbers, _ = lineages(changes)
    mine = {number for change, number in zip(changes, numbers, strict=True) if change.id in memory.ids}
    held: list[str] = []
    now = memory.paths[0]
    for change, number in zip(changes, numbers, strict=True):
        if number in mine:
            now = change.path
        held.append(now)
    steps = [n for n, change in enumerate(changes) if change.path == INDEX_NAME]
    found: dict[str, set[str]] = {}
    for place, step in enumerate(steps):
        first = max(0, (steps[place - 1] if place else 0) - 1)
        last = steps[place + 1] if place + 1 < len(steps) else len(changes)
        around = set(held[first:last]) | {change.old_path for change in changes[first:last] if change.id in memory.ids and change.old_path}
        for name in (changes[step].before, changes[step].after):
            if name:
                found.setdefault(name, set()).update(around)
    return {name: frozenset(paths) for name, paths in found.items()}


def _trash(changing: Changing, memory: _Memory, mine: Traces) -> tuple[tuple[str, ...], int]:
    """Folders of the trash that go, and how many files in the others were freed of the text."""
    gone: list[str] = []
    rewritten = 0
    folder = changing.journal.trash
    names = {posixpath.basename(path) for path in memory.paths}
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        own = entry.name in memory.ids
        strange = not entry.name.startswith("chg_") and any(file.name in names for file in _files(entry))
        if own or strange or entry.is_symlink() or not entry.is_dir():
            gone += [entry.name] if own or strange else []
            continue
        for file in _files(entry):
            data = read_bytes(file)
            new = cleaned(data, mine)
            if new is None:
                gone.append(entry.name)
                break
            if new != data:
                atomic_write(file, new)
                rewritten += 1
    return tuple(gone), rewritten


def _tells(change: Change, memory: _Memory, mine: Traces) -> bool:
    """Whether the reason of another change names the memory or holds its text."""
    reason = change.origin.reason
    return bool(reason) and (any(path in reason for path in memory.paths) or mine.found_in(reason))


def _strange_lines(changing: Changing, memory: _Memory, mine: Traces) -> tuple[str, ...]:
    """Digests of the journal's lines that go: torn ones, which nobody can read, and a newer program's that hold the text or the name."""
    file = changing.journal.file
    needles = (*mine.needles(), *(json.dumps(path)[1:-1].encode() for path in memory.paths))
    found = []
    for line in read_bytes(file).split(b"\n") if file.is_file() else ():
        record = record_from_line(line) if line.strip() else {"schema": SCHEMA}
        if record is None or (record.get("schema") != SCHEMA and any(needle in line for needle in needles)):
            found.append(digest(line))
    return tuple(found)
