"""S6: folders are swapped for links that lead outside, and back, while memory is changed, undone, moved, observed and read."""

from __future__ import annotations

import ctypes
import os
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError
from desktop.base.textio import digest
from desktop.memory.history import history
from desktop.memory.moving import move_between
from desktop.memory.roots import user_root
from desktop.memory.store import ChangeOrigin, MemoryStore
from tests.unit.memory.conftest import make_desk, note_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="an atomic exchange of two names")

MAIN, PERSON = ChangeOrigin("main", "sess_one", "msg_one"), ChangeOrigin("person")
SECRET = b"somebody else's words, which nobody may read or replace"
_EXCHANGE = 2


class Swapper:
    """A thread that exchanges a folder and a link to the outside in one step, again and again: no moment is without the name.

    The link stands for moments only, so that most calls begin well and meet it on their way.
    """

    def __init__(self, one: Path, other: Path) -> None:
        self._names = (os.fsencode(one), os.fsencode(other))
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.count = 0

    def _run(self) -> None:
        pick = random.Random(1)
        while not self._stop.is_set():
            for pause in (pick.uniform(0.0001, 0.0015), pick.uniform(0.001, 0.02)):
                if self._libc.renameat2(-100, self._names[0], -100, self._names[1], _EXCHANGE) == 0:
                    self.count += 1
                self._stop.wait(pause)

    def __enter__(self) -> Swapper:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def outside_of(base: Path) -> Path:
    outside = base / "outside"
    (outside / "deep").mkdir(parents=True)
    for number in range(7):
        (outside / "deep" / f"{number}.md").write_bytes(SECRET)
    (outside / "MEMORY.md").write_bytes(SECRET)
    return outside


def untouched(outside: Path) -> bool:
    files = [path for path in outside.rglob("*") if path.is_file()]
    return len(files) == 8 and all(path.read_bytes() == SECRET for path in files)


def holds(folder: Path, data: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and data in path.read_bytes()]


@pytest.mark.parametrize("count", [4_000, pytest.param(20_000, marks=pytest.mark.full)])
def test_s6_writes_through_the_store_never_leave_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # the race is about names; waiting for the disk would only make it rarer
    desk = make_desk(tmp_path)
    outside, real, aside = outside_of(tmp_path), desk.root / "real", desk.root / "aside"
    (real / "deep").mkdir(parents=True)
    aside.symlink_to(outside)
    acknowledged: dict[str, str] = {}
    tried = refused = 0
    with Swapper(real, aside) as swapper:
        while tried < count or (swapper.count < 60 and tried < 100 * count):
            tried += 1
            name = f"{tried % 7}.md"
            path = f"real/deep/{name}"
            try:
                change = desk.store.write(
                    path,
                    f"Version {tried}.\n",
                    base_digest=acknowledged.get(name),
                    origin=PERSON,
                )
                acknowledged[name] = change.after or ""
            except KeepsakeError:
                refused += 1
    assert swapper.count > 50
    assert untouched(outside)
    assert tried - refused > 50, "some went through"
    inner = real if real.is_dir() and not real.is_symlink() else aside
    assert {name: digest((inner / "deep" / name).read_bytes()) for name in acknowledged} == acknowledged
    assert holds(desk.paths.data, SECRET) == []
    print(f"{tried} writes, {tried - refused} acknowledged, {swapper.count} swaps")


@pytest.mark.parametrize("count", [300, pytest.param(3_000, marks=pytest.mark.full)])
def test_s6_every_other_way_stays_below_the_root_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    seed = 20260102
    print(f"seed {seed}")
    pick = random.Random(seed)
    desk = make_desk(tmp_path)
    outside, real, aside = outside_of(tmp_path), desk.root / "real", desk.root / "aside"
    (real / "deep").mkdir(parents=True)
    aside.symlink_to(outside)
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    done: Counter[str] = Counter()

    def path() -> str:
        return f"{pick.choice(['real', 'aside'])}/deep/{pick.randrange(7)}.md"

    def write() -> None:
        target = path()
        known = desk.store.read(target).digest if pick.random() < 0.7 else None
        desk.store.write(target, note_text("n", f"fact {pick.random()}"), base_digest=known, origin=MAIN)

    ways: dict[str, Callable[[], object]] = {
        "write": write,
        "read": lambda: done.update(bad=SECRET in desk.store.read(path()).data),
        "notes": lambda: done.update(bad=any("nobody may read" in (note.description or "") for note in desk.store.notes())),
        "delete": lambda: desk.store.delete(path(), origin=MAIN),
        "rename": lambda: desk.store.rename(path(), path(), origin=MAIN),
        "undo": lambda: desk.store.undo(),
        "observe": lambda: desk.store.observe(),
        "history": lambda: history(desk.store, path()),
        "move out": lambda: move_between(desk.store, user, path(), origin=PERSON),
        "move in": lambda: move_between(user, desk.store, f"deep/{pick.randrange(7)}.md", path(), origin=PERSON),
    }
    with Swapper(real, aside) as swapper:
        number = 0
        while number < count or (swapper.count < 40 and number < 100 * count):
            number += 1
            way = "observe" if number % 40 == 39 else pick.choice([name for name in ways if name != "observe"])
            try:
                ways[way]()
                done[way] += 1
            except KeepsakeError:
                done["refused"] += 1
    assert swapper.count > 20
    assert done["bad"] == 0
    assert done["write"] > 0, done
    assert untouched(outside)
    assert holds(desk.paths.data, SECRET) == [], "nothing was read through the link either"


def test_s6_a_root_that_is_swapped_for_a_link_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    desk = make_desk(tmp_path)
    outside = outside_of(tmp_path)
    desk.store.write("first.md", note_text("first", "one"), base_digest=None, origin=MAIN)
    (desk.root.parent / "aside").symlink_to(outside)
    refused = 0
    with Swapper(desk.root, desk.root.parent / "aside"):
        number = 0
        while number < 300 or (not refused and number < 30_000):
            number += 1
            try:
                desk.store.write(f"deep/{number % 7}.md", f"fact {number}\n", base_digest=None, origin=PERSON)
            except KeepsakeError:
                refused += 1
    assert refused
    assert untouched(outside)
    assert holds(desk.paths.data, SECRET) == []
