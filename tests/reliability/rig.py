"""The rig: forks a process for each try, breaks it at one point, restarts, and compares. `python -m tests.reliability.rig SCENARIO …`.

Prints one JSON object: how many points or tries there were, and every fault found. Linux only (fork, /proc). Runs without a window.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from desktop.base.errors import KeepsakeError
from tests.reliability.calls import CALLS, Plan
from tests.reliability.kinds import WRITERS
from tests.reliability.writers import State, Writer

Result = dict[str, Any]
DONE, REFUSED, CRASHED = 0, 3, 4
LARGE = 400
"""Acknowledged steps after which a store is left for a new one: reading it again is most of the time."""


class Rig:
    """A scratch folder with one prepared store of each kind, copied for every try."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._number = 0

    def template(self, kind: str) -> Path:
        root = self.base / f"template-{kind}" / "x"
        if not root.exists():
            root.mkdir(parents=True)
            self.in_child(lambda: WRITERS[kind](root).prepare())
        return root

    @contextmanager
    def copy(self, kind: str) -> Iterator[Path]:
        """A copy at the template's own path, since a project's key is made of its path: the template waits aside."""
        root, kept = self.template(kind), self.base / f"kept-{kind}"
        if not kept.exists():
            shutil.copytree(root, kept, symlinks=True)
        try:
            yield root
        finally:
            shutil.rmtree(root)
            shutil.copytree(kept, root, symlinks=True)

    def in_child(self, work: Callable[[], Any]) -> tuple[int, Any]:
        """Run in a forked process; gives its status and what `work` returned (JSON)."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(work, writing)
        os.close(writing)
        data = b"".join(iter(lambda: os.read(reading, 65_536), b""))
        os.close(reading)
        _, status = os.waitpid(child, 0)
        value = json.loads(data) if data else None
        return os.waitstatus_to_exitcode(status), value


def _child(work: Callable[[], Any], writing: int) -> None:
    status = CRASHED
    try:
        value = work()
        CALLS.stop()
        os.write(writing, json.dumps(value).encode())
        status = DONE
    except KeepsakeError as error:
        CALLS.stop()
        os.write(writing, json.dumps(f"{error.message} | {error.hint}").encode())
        status = REFUSED
    except BaseException:  # noqa: BLE001 - whatever it was is the result of the try
        CALLS.stop()
        os.write(writing, json.dumps(traceback.format_exc()[-1_500:]).encode())
    finally:
        os._exit(status)


def acts_of(kind: str) -> tuple[str, ...]:
    """The acts of this process: all, or its part of them (`RIG_PART=0/2`), so that two cores can share a scenario."""
    part, _, parts = os.environ.get("RIG_PART", "0/1").partition("/")
    return WRITERS[kind].acts[int(part) :: int(parts)]


def _act(kind: str, root: Path, act: str) -> None:
    writer = WRITERS[kind](root)
    writer.before(act)
    writer.act(act)


def _faults(kind: str, root: Path, acknowledged: list[int], kills: int) -> list[str]:
    return WRITERS[kind](root).faults(acknowledged, kills)


def _state(rig: Rig, kind: str, root: Path) -> tuple[str, Any]:
    """The state after a restart as text, or what is wrong with it."""
    status, value = rig.in_child(lambda: _plain(WRITERS[kind](root).state()))
    return ("ok" if status == DONE else "broken"), value


def _plain(state: State) -> dict[str, str]:
    return {name: data.decode("latin-1") for name, data in state.items()}


def _before_after(rig: Rig, kind: str, act: str) -> tuple[Any, Any]:
    with rig.copy(kind) as root:
        before = _state(rig, kind, root)
    with rig.copy(kind) as root:
        status, value = rig.in_child(partial(_act, kind, root, act))
        assert status == DONE, (kind, act, value)
        after = _state(rig, kind, root)
    assert before[0] == after[0] == "ok", (kind, act, before, after)
    return before[1], after[1]


def _allowed(kind: str, act: str, before: Any, after: Any, found: Any) -> bool:
    """Old or new. Of two changes in one act the first alone is a whole state too; what another program did stays done."""
    if found in (before, after) or not isinstance(found, dict):
        return found in (before, after)
    if act == "observe":
        return bool({k: v for k, v in found.items() if k != "MEMORY.md"} == {k: v for k, v in after.items() if k != "MEMORY.md"})
    if act == "merge":
        return set(found) == set(after) and "2nd line" in found["two.md"] and "Third line" in found["two.md"]
    return False


def crash(rig: Rig, kind: str) -> Result:
    """R2: killed before and after every call of every act."""
    points, faults = 0, []
    for act in acts_of(kind):
        before, after = _before_after(rig, kind, act)
        for action in ("kill-before", "kill-after"):
            at, hit = 1, True
            while hit:
                with rig.copy(kind) as root:
                    status, value = rig.in_child(partial(_broken_act, kind, root, act, Plan(action, at)))
                    hit = status == -signal.SIGKILL
                    points += hit
                    if not hit and status != DONE:
                        faults.append(f"{act} {action} {at}: {value}")
                    how, found = _state(rig, kind, root)
                    if how != "ok" or not _allowed(kind, act, before, after, found):
                        faults.append(f"{act} {action} {at}: {how} {_difference(before, after, found)}")
                at += 1
    return {"points": points, "faults": faults}


def _broken_act(kind: str, root: Path, act: str, plan: Plan) -> int:
    writer = WRITERS[kind](root)
    writer.before(act)
    CALLS.start(plan)
    writer.act(act)
    return CALLS.count


def _difference(before: Any, after: Any, found: Any) -> str:
    if not isinstance(found, dict):
        return str(found)
    keys = sorted({*before, *after, *found})
    return "; ".join(f"{k}: {found.get(k)!r}" for k in keys if found.get(k) not in (before.get(k), after.get(k)) or k not in found)[
        :600
    ] or str(sorted(found))


def fault(rig: Rig, kind: str, numbers: list[int], stride: int, only: tuple[str, ...] = ()) -> Result:
    """R3 and R4: an error, or a short write, at every call; then the fault is gone and the same act works without a restart."""
    points, refused, faults = 0, 0, []
    for act in acts_of(kind):
        before, after = _before_after(rig, kind, act)
        for number in numbers:
            at, hit = 1, True
            while hit:
                plan = Plan("short" if number == 0 else "error", at, number, only=("write",) if number == 0 else only)
                with rig.copy(kind) as root:
                    status, value = rig.in_child(partial(_faulted_act, kind, root, act, plan))
                    what = f"{act} {errno.errorcode.get(number, 'short')} at {at}"
                    if status != DONE:
                        faults.append(f"{what}: {value}")
                        break
                    hit = value["hit"]
                    points += hit
                    refused += value["refused"]
                    faults += [f"{what}: {wrong}" for wrong in value["wrong"]]
                    how, found = _state(rig, kind, root)
                    whole = found == after or (act == "merge" and _allowed(kind, act, before, after, found))
                    if how != "ok" or not (whole or value["said"]):
                        faults.append(f"{what}, then repeated: {how} {_difference(before, after, found)}")
                at += stride
    return {"points": points, "refused": refused, "faults": faults}


def _faulted_act(kind: str, root: Path, act: str, plan: Plan) -> Result:
    writer = WRITERS[kind](root)
    writer.before(act)
    wrong: list[str] = []
    CALLS.start(plan)
    refused = False
    try:
        writer.act(act)
    except KeepsakeError as error:
        refused = True
        if not error.message or "Traceback" in error.message:
            wrong.append(f"the message is {error.message!r}")
    hit = CALLS.hit
    CALLS.stop()
    if refused:
        wrong += _repeat(writer, act)
    wrong += [f"{p.name} is left" for p in writer.root.rglob("*.tmp")]
    return {"hit": hit, "refused": refused, "wrong": wrong, "said": bool(writer.warnings)}


def _repeat(writer: Writer, act: str) -> list[str]:
    try:
        writer.act(act)
    except KeepsakeError as error:
        return [f"does not work afterwards: {error.message}"]
    return []


def kill(rig: Rig, kind: str, kills: int, seed: int) -> Result:
    """R1: SIGKILL after 0–200 ms of steps, again and again on the same store; a new one whenever it has become large."""
    chance = random.Random(seed)
    done = total = 0
    faults: list[str] = []
    while done < kills and not faults:
        with rig.copy(kind) as root:
            made, acknowledged, faults = _kills_of_one(rig, kind, root, kills - done, chance)
        done, total = done + made, total + acknowledged
    return {"kills": done, "acknowledged": total, "faults": faults}


def _kills_of_one(rig: Rig, kind: str, root: Path, kills: int, chance: random.Random) -> tuple[int, int, list[str]]:
    acknowledged: list[int] = []
    start = 0
    for number in range(1, kills + 1):
        start = max(start, *acknowledged[-1:]) + 10 if acknowledged else start + 10  # never a step that may have been done
        acknowledged += _killed(kind, root, start, chance.uniform(0.0, 0.2))
        begun = time.perf_counter()
        status, value = rig.in_child(partial(_faults, kind, root, list(acknowledged), number))
        took = time.perf_counter() - begun
        faults = value if status == DONE else [f"broken: {value}"]
        if took > 5.0:
            faults = [*faults, f"the restart took {took:.1f} s"]
        if faults or len(acknowledged) > LARGE:
            return number, len(acknowledged), faults
    return kills, len(acknowledged), []


def _killed(kind: str, root: Path, start: int, after_s: float) -> list[int]:
    """Steps in a process that is killed `after_s` seconds after it is ready; the numbers that it acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            writer = WRITERS[kind](root)
            os.write(writing, b"ready\n")
            for number in range(start, start + 10_000):
                writer.step(number)
                os.write(writing, b"%d\n" % number)
        except BaseException:  # noqa: BLE001 - shown as a line that is no number
            os.write(writing, f"fault {traceback.format_exc()!r}\n".encode())
        finally:
            os._exit(1)
    os.close(writing)
    data = b""
    deadline: float | None = None
    while True:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        if left == 0.0 or not select.select([reading], [], [], left)[0]:
            break
        piece = os.read(reading, 65_536)
        if not piece:
            break
        data += piece
        if deadline is None and b"ready\n" in data:
            deadline = time.monotonic() + after_s
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    data += b"".join(iter(lambda: os.read(reading, 65_536), b""))
    os.close(reading)
    lines = data[: data.rfind(b"\n") + 1].split(b"\n")
    assert not any(line.startswith(b"fault") for line in lines), data[-1_500:].decode()
    return [int(line) for line in lines if line.isdigit()]


def order(rig: Rig, kind: str) -> Result:
    """R6: of each file that came to its name by a replacement: made beside it with 0600, written, flushed, replaced, folder flushed."""
    checked, faults = 0, []
    for act in acts_of(kind):
        with rig.copy(kind) as root:
            status, trace = rig.in_child(partial(_traced, kind, root, act))
            assert status == DONE, trace
        for at, (name, args, _keywords, _result) in enumerate(trace):
            if name in ("replace", "rename"):
                checked += 1
                faults += [f"{act}: {wrong}" for wrong in _order_faults(trace, at, args[0], args[1])]
            elif name == "open" and args[1] & os.O_APPEND and args[1] & os.O_CREAT:
                checked += 1
                later = [call for call, more, *_ in trace[at:] if more[0] == args[0]]
                if "write" in later and (later[:1] != ["open"] or "fsync" not in later or later.index("fsync") < later.index("write")):
                    faults.append(f"{act}: {args[0]} is appended by {later}")
    return {"checked": checked, "faults": faults}


def _traced(kind: str, root: Path, act: str) -> list[Any]:
    writer = WRITERS[kind](root)
    writer.before(act)
    CALLS.start(Plan(), record=True)
    writer.act(act)
    CALLS.stop()
    return [(name, [a if isinstance(a, (str, int)) else len(a) for a in args], None, None) for name, args, _, _ in CALLS.trace or []]


def _order_faults(trace: list[Any], at: int, source: str, target: str) -> list[str]:
    before = [(name, args) for name, args, *_ in trace[:at] if args[0] == source]
    names = [name for name, _ in before]
    wrong = []
    if str(Path(source).parent) != str(Path(target).parent):
        return []  # a file that is moved, such as into the trash, keeps its content
    if names[:1] != ["open"] or names[-1:] != ["fsync"] or "write" not in names:
        wrong.append(f"{Path(target).name}: {names} before its replacement")
    elif before[0][1][2:3] not in ([0o600], []):
        wrong.append(f"{Path(target).name}: made with mode {before[0][1][2]:o}")
    after = [args[0] for name, args, *_ in trace[at + 1 :] if name == "fsync"]
    if str(Path(target).parent) not in after:
        wrong.append(f"{Path(target).name}: its folder is not flushed")
    return wrong


ERRORS = {name: getattr(errno, name) for name in ("EIO", "ENOSPC", "EACCES", "EROFS", "EDQUOT", "EINTR")} | {"short": 0}


def _load(search: bool) -> None:
    """What the product imports late is loaded once here, not in each of thousands of forks; those share it untouched."""
    import filelock  # noqa: F401
    import yaml  # noqa: F401

    if search:
        import desktop.search.query  # noqa: F401
    gc.collect()
    gc.freeze()


def main(words: list[str]) -> int:
    scenario, *rest = words
    _load("search" in rest)
    memory_disk = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of copies: what is tried is the order of calls
    with tempfile.TemporaryDirectory(prefix="rig-", dir=memory_disk) as folder:
        rig = Rig(Path(folder))
        if scenario == "crash":
            result = crash(rig, rest[0])
        elif scenario == "fault":
            result = fault(rig, rest[0], [ERRORS[name] for name in rest[1].split(",")], int(rest[2]))
        elif scenario == "fsync":
            result = fault(rig, rest[0], [errno.EIO], 1, only=("fsync",))
        elif scenario == "kill":
            result = kill(rig, rest[0], int(rest[1]), int(rest[2]))
        elif scenario == "order":
            result = order(rig, rest[0])
        elif scenario == "power":
            from tests.reliability.power import power

            result = power(rig, rest[0], int(rest[1]), int(rest[2]))
        elif scenario == "lock":
            from tests.reliability.two import lock

            result = lock(rig, rest[0])
        elif scenario == "appends":
            from tests.reliability.one_session import appends

            result = appends(rig, int(rest[0]), int(rest[1]))
        else:
            from tests.reliability.two import two

            result = two(rig, int(rest[0]), int(rest[1]))
    print(json.dumps({"scenario": scenario, **result}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
