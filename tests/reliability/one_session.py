"""R8 for a session: two processes append to one transcript in turns; whoever comes while it is open is told so, nothing is interleaved."""

from __future__ import annotations

import fcntl
import os
import random
from pathlib import Path
from typing import Any

from desktop.base.errors import StorageError
from desktop.messages.parts import ToolResultPart
from desktop.sessions.record import Record, decode_line
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.helpers.wait import wait_for
from tests.reliability.rig import Rig
from tests.reliability.two import _run
from tests.reliability.writers import paths_in
from tests.unit.sessions.make import KEY, message

ELSEWHERE = "is open elsewhere"


def _opened(store: SessionStore, session_id: str, lock: Path, told: Path) -> tuple[SessionHandle, int]:
    """The session, once it is free, and how often it was open elsewhere. Waits in the system for the lock, then lets go of it again."""
    refused = 0
    while True:
        try:
            return store.open(session_id), refused
        except StorageError as error:
            assert ELSEWHERE in error.message, error.message
            refused += 1
            told.touch()
        file = os.open(lock, os.O_RDWR)
        fcntl.flock(file, fcntl.LOCK_EX)
        os.close(file)


def _writer(root: Path, session_id: str, name: str, appends: int, seed: int) -> list[list[str]]:
    chance = random.Random(seed)
    store = SessionStore(paths_in(root), FixedClock())
    lock = paths_in(root).sessions / ".locks" / f"{session_id}.lock"
    told = root / "told"
    done, refusals = 0, 0
    while done < appends:
        handle, refused = _opened(store, session_id, lock, told)
        refusals += refused
        wait_for(told.exists, what="the other process is told")  # whoever comes first holds the session until then
        for _ in range(min(chance.randint(1, 25), appends - done)):
            _append(handle, f"{name}-{done}", chance)
            done += 1
        handle.close()
    return [[name, str(done), str(refusals)]]


def _append(handle: SessionHandle, name: str, chance: random.Random) -> None:
    if chance.random() < 0.05:
        output = f"{name} " + "字" * 30_000
        handle.append(message("", "tool", parts=(ToolResultPart("c", "Read", output),)))
    else:
        handle.append(message(f"{name} " + "x" * chance.randint(0, 6_000)))


def appends(rig: Rig, count: int, seed: int) -> dict[str, Any]:
    """`count` appends of each of two processes: each is there once, in its writer's order, on a line of its own."""
    root = rig.base / "appends"
    store = SessionStore(paths_in(root), FixedClock())
    handle = store.create(project_key=KEY, workspace=root, memory_enabled=True, model="scripted")
    handle.append(message("first"))
    session_id = handle.id
    handle.close()
    ended = _run([lambda name=name, n=n: _writer(root, session_id, name, count, seed + n) for n, name in enumerate(("a", "b"))])
    faults = [f"{end[0]}: {end[1]}" for end in ended if end[0] == "fault"]
    loaded = store.load(session_id)
    faults += [f"damage at {line}: {reason}" for line, reason in loaded.damage]
    told = [(one.text or one.tool_results[0].output).split()[0] for one in loaded.live[1:]]
    for name in ("a", "b"):
        mine = [one for one in told if one.startswith(f"{name}-")]
        faults += [] if mine == [f"{name}-{n}" for n in range(count)] else [f"of {name} there are {len(mine)}, or their order is another"]
    return {
        "appends": len(told),
        "refused": sum(int(end[2]) for end in ended if end[0] != "fault"),
        "faults": faults + _interleaved(store, session_id),
    }


def _interleaved(store: SessionStore, session_id: str) -> list[str]:
    """Lines that are not one record with the number of the line."""
    with store.path_of(session_id).open("rb") as file:
        found = [(number, list(decode_line(line))) for number, line in enumerate(file)]
    return [
        f"line {n}: {items!r:.200}"
        for n, items in found
        if [getattr(i, "seq", None) for i in items] != [n] or not isinstance(items[0], Record)
    ]
