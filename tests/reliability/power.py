"""R7: what a power cut may leave. The calls of one act are recorded; each prefix, with what was not flushed dropped at random, is a state.

The model after ALICE: data of a file is safe once the file was flushed, a name once its folder was; until then any part may be missing,
and a file that grew may end in zeros. A rename is one step: both names or neither.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.reliability.calls import CALLS, Plan
from tests.reliability.kinds import WRITERS
from tests.reliability.rig import DONE, Rig, _allowed, _before_after, _difference, _state, acts_of

Event = tuple[str, tuple[Any, ...]]


@dataclass
class Inode:
    """A file's content: what is flushed, and what was done since."""

    safe: bytes
    pending: list[tuple[str, Any]] = field(default_factory=list)

    def now(self) -> bytes:
        return _applied(self.safe, self.pending)

    def flush(self) -> None:
        self.safe, self.pending = self.now(), []

    def after_cut(self, chance: random.Random) -> bytes:
        if not self.pending:
            return self.safe
        kept = self.pending[: chance.randint(0, len(self.pending))]
        data = _applied(self.safe, kept)
        if len(data) > len(self.safe) and chance.random() < 0.5:
            cut = chance.randint(len(self.safe), len(data))
            data = data[:cut] + (b"\0" * (len(data) - cut) if chance.random() < 0.5 else b"")
        return data


def _applied(data: bytes, pending: list[tuple[str, Any]]) -> bytes:
    for kind, value in pending:
        data = data + value if kind == "write" else data[:value]
    return data


@dataclass
class Disk:
    """Names and files as the process sees them, and the steps on names that are not flushed, each with the folder that it waits for."""

    names: dict[str, Inode]
    safe: dict[str, Inode]
    folders: set[str]
    pending: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)

    def name_step(self, kind: str, folder: str, *what: Any) -> None:
        self.pending.append((folder, kind, what))
        _step(self.names, self.folders, kind, what)

    def flush(self, folder: str) -> None:
        left = []
        for waiting in self.pending:
            if waiting[0] == folder:
                _step(self.safe, set(), waiting[1], waiting[2])
            else:
                left.append(waiting)
        self.pending = left

    def after_cut(self, chance: random.Random) -> dict[str, Inode]:
        names = dict(self.safe)
        lost: set[str] = set()
        for _folder, kind, what in self.pending:
            if chance.random() < 0.5:
                _step(names, set(), kind, what)
            elif kind == "mkdir":
                lost.add(what[0])
        return {path: inode for path, inode in names.items() if not any(path.startswith(folder + "/") for folder in lost)}


def _step(names: dict[str, Inode], folders: set[str], kind: str, what: tuple[Any, ...]) -> None:
    if kind == "add":
        names[what[0]] = what[1]
    elif kind == "remove":
        names.pop(what[0], None)
    elif kind == "mkdir":
        folders.add(what[0])
    elif what[0] in names or what[2] is not None:
        names.pop(what[0], None)
        names[what[1]] = what[2]


def disk_of(root: Path) -> Disk:
    files = {str(path): Inode(path.read_bytes()) for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    folders = {str(root), *(str(path) for path in root.rglob("*") if path.is_dir())}
    return Disk(files, dict(files), folders)


def replay(disk: Disk, event: Event) -> None:
    """One recorded call."""
    name, args = event
    path = args[0]
    folder = str(Path(path).parent)
    if name == "open":
        known = disk.names.get(path)
        if known is None and path not in disk.folders and args[1] & os.O_CREAT:
            disk.name_step("add", folder, path, Inode(b""))
        elif known is not None and args[1] & os.O_TRUNC:
            known.pending.append(("cut", 0))
    elif name == "write" and path in disk.names:
        disk.names[path].pending.append(("write", args[1]))
    elif name in ("ftruncate", "truncate") and path in disk.names:
        disk.names[path].pending.append(("cut", args[1]))
    elif name == "fsync":
        if path in disk.names:
            disk.names[path].flush()
        else:
            disk.flush(path)
    elif name in ("replace", "rename"):
        disk.name_step("move", str(Path(args[1]).parent), path, args[1], disk.names.get(path))
    elif name == "link":
        disk.name_step("add", str(Path(args[1]).parent), args[1], disk.names[path])
    elif name in ("unlink", "remove"):
        disk.name_step("remove", folder, path)
    elif name == "mkdir":
        disk.name_step("mkdir", folder, path)


def _prepared(kind: str, root: Path, act: str) -> None:
    WRITERS[kind](root).before(act)


def _record(kind: str, root: Path, act: str) -> list[Any]:
    writer = WRITERS[kind](root)
    writer.before(act)
    CALLS.start(Plan(), record=True)
    writer.act(act)
    CALLS.stop()
    return [(name, [a.decode("latin-1") if isinstance(a, bytes) else a for a in args]) for name, args, _k, _r in CALLS.trace or []]


def _events(trace: list[Any]) -> list[Event]:
    return [(name, (args[0], args[1].encode("latin-1")) if name == "write" else tuple(args)) for name, args in trace]


def _put(root: Path, names: dict[str, Inode], chance: random.Random) -> None:
    """Make the folder look like the state after the cut."""
    for path in [p for p in root.rglob("*") if p.is_file() and not p.is_symlink() and str(p) not in names]:
        path.unlink()
    for name, inode in names.items():
        path, data = Path(name), inode.after_cut(chance)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def power(rig: Rig, kind: str, states: int, seed: int) -> dict[str, Any]:
    """Random states of every act of a writer: the whole must be old or new, and new once the act had returned."""
    chance = random.Random(seed)
    acts, made, faults = acts_of(kind), 0, []
    for act in acts:
        before, after = _before_after(rig, kind, act)
        with rig.copy(kind) as root:
            status, trace = rig.in_child(partial(_record, kind, root, act))
            assert status == DONE, trace
        events = _events(trace)
        for number in range(max(states // len(WRITERS[kind].acts), 1)):
            upto = len(events) if number % 4 == 0 else chance.randint(0, len(events))
            made += 1
            with rig.copy(kind) as root:
                rig.in_child(partial(_prepared, kind, root, act))
                disk = disk_of(root)
                for event in events[:upto]:
                    replay(disk, event)
                _put(root, disk.after_cut(chance), chance)
                how, found = _state(rig, kind, root)
                whole = found == after if upto == len(events) else _allowed(kind, act, before, after, found)
                if how != "ok" or not whole:
                    faults.append(f"{act}, {upto} of {len(events)} calls: {how} {_difference(before, after, found)}")
    return {"states": made, "faults": faults[:20], "faulty": len(faults)}
