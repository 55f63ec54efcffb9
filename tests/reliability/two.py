"""R8 and R9: two processes edit one memory file while a third program saves it by rename; nothing may vanish without a trace."""

from __future__ import annotations

import json
import os
import random
import signal
import time
import traceback
from functools import partial
from pathlib import Path
from typing import Any

from desktop.base.errors import ConflictError, NotFoundError
from desktop.memory.store import MemoryStore
from tests.reliability.calls import CALLS, Plan
from tests.reliability.kinds import WRITERS
from tests.reliability.rig import DONE, Rig, _act
from tests.reliability.writers import MAIN, MemoryWriter

SHARED = "shared.md"
HEAD = "---\nname: shared\ndescription: edited by two\nmetadata:\n  type: project\n---\n\n"


def _add_line(store: MemoryStore, line: str, chance: random.Random) -> str:
    """Put a line at a random place of what is there now; `applied` or `conflict`."""
    stored = store.read(SHARED)
    body = stored.text.split("\n")
    place = chance.randint(len(HEAD.split("\n")), max(len(body) - 1, len(HEAD.split("\n"))))
    text = "\n".join([*body[:place], line, *body[place:]])
    try:
        store.write(SHARED, text, base_digest=stored.digest, base=stored.data, origin=MAIN)
    except ConflictError:
        return "conflict"
    return "applied"


def _editor(root: Path, name: str, edits: int, seed: int) -> list[list[str]]:
    store, chance = MemoryWriter(root).store, random.Random(seed)
    return [[f"{name}-{number}", _add_line(store, f"{name}-{number}", chance)] for number in range(edits)]


def _outsider(root: Path, saves: int) -> list[list[str]]:
    """An editor that knows nothing of us: reads, adds a line, saves by rename."""
    path = MemoryWriter(root).store.root / SHARED
    for number in range(saves):
        text = path.read_text()
        beside = path.with_name(f".{SHARED}.editor-{number}")
        beside.write_text(text + f"outside-{number}\n")
        beside.replace(path)
        os.sched_yield()
    return []


def _run(work: list[Any]) -> list[list[str]]:
    pipes = []
    for task in work:
        reading, writing = os.pipe()
        if os.fork() == 0:
            try:
                os.write(writing, json.dumps(task()).encode())
            except BaseException:  # noqa: BLE001 - shown as the result
                os.write(writing, json.dumps([["fault", traceback.format_exc()[-1_500:]]]).encode())
            os._exit(0)
        os.close(writing)
        pipes.append(reading)
    results = []
    for reading in pipes:
        results += json.loads(b"".join(iter(lambda r=reading: os.read(r, 65_536), b"")))  # type: ignore[misc]
        os.close(reading)
    for _ in work:
        os.wait()
    return results


def two(rig: Rig, edits: int, seed: int) -> dict[str, Any]:
    """Every edit was applied or reported; an applied line stands in the file, or in a kept version that a journalled change replaced."""
    with rig.copy("memory") as root:
        rig.in_child(lambda: _first(root))
        results = _run(
            [
                lambda: _editor(root, "a", edits, seed),
                lambda: _editor(root, "b", edits, seed + 1),
                lambda: _outsider(root, max(edits // 20, 1)),
            ]
        )
        _status, faults = rig.in_child(lambda: _missing(root, results))
    ended = [how for _line, how in results]
    return {
        "edits": 2 * edits,
        "applied": ended.count("applied"),
        "conflicts": ended.count("conflict"),
        "faults": faults,
        "accounted": ended.count("applied") + ended.count("conflict"),
    }


def _first(root: Path) -> str:
    return MemoryWriter(root).store.write(SHARED, HEAD + "first\n", base_digest=None, origin=MAIN).id


def _missing(root: Path, results: list[list[str]]) -> list[str]:
    store = MemoryWriter(root).store
    store.observe()
    text = store.read(SHARED).text.split("\n")
    faults = [f"{line}: {how}" for line, how in results if how not in ("applied", "conflict")]
    applied = [line for line, how in results if how == "applied"]
    faults += [f"{line} stands {text.count(line)} times in the file" for line in applied if text.count(line) > 1]
    gone = [line for line in applied if line not in text]
    if gone:
        faults += _not_kept(store, gone)
    return faults


def _not_kept(store: MemoryStore, gone: list[str]) -> list[str]:
    """Lines that another program took out: its change is journalled, and the version before it still has them."""
    kept: set[str] = set()
    for change in store.changes(100_000):
        if change.path == SHARED and change.origin.actor == "outside" and change.before:
            try:
                kept.update(store.version(change.before).decode().split("\n"))
            except NotFoundError:
                continue
    return [f"{line} is gone without a trace" for line in gone if line not in kept]


def lock(rig: Rig, kind: str) -> dict[str, Any]:
    """R9: a process that holds the lock is killed; the next goes on at once. A lock that cannot be made is said, and works again later."""
    faults: list[str] = []
    for act in WRITERS[kind].acts[:1]:
        with rig.copy(kind) as root:
            _killed_while_it_holds(root, kind, act)
            begun = time.perf_counter()
            status, value = rig.in_child(partial(_act, kind, root, act))
            took = time.perf_counter() - begun
            faults += [f"after a killed holder: {value}"] if status != DONE else []
            faults += [f"after a killed holder it took {took:.1f} s"] if took > 2.0 else []
    return {"faults": faults}


def _killed_while_it_holds(root: Path, kind: str, act: str) -> None:
    """Kill a process at its first write, when it surely has the lock."""
    child = os.fork()
    if child == 0:
        CALLS.start(Plan("kill-before", 1, only=("write",)))
        WRITERS[kind](root).act(act)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
