"""The cache of headers: never another answer than without it, whatever happened to the files or to the cache."""

from __future__ import annotations

import os
import random
import shutil
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.base.phrases import Phrase
from desktop.memory.note import Note, list_notes
from desktop.memory.note_cache import NoteCache, header_file
from tests.unit.memory.conftest import make_paths, note_text
from tests.unit.memory.odd_files import odd_files


def later() -> int:
    """Long after the files of a test were written, so that they count as settled."""
    return time.time_ns() + 3_600_000_000_000


def folder_with(root: Path, count: int = 200) -> Path:
    root.mkdir(parents=True)
    for number in range(count):
        place = root / f"t{number % 7}"
        place.mkdir(exist_ok=True)
        (place / f"n{number}.md").write_text(note_text(f"name-{number}", f"事实 {number}"))
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return folder_with(tmp_path / "memory")


def kept(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "headers"


class Opened:
    """Counts how many files of a folder are opened for reading, by what the system's own hook tells."""

    def __init__(self, root: Path) -> None:
        self.count = 0
        self._root = str(root)
        self._on = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._on and event == "open" and str(arguments[0]).startswith(self._root):
            self.count += 1

    def during(self, root: Path, cache: NoteCache) -> int:
        self.count, self._on = 0, True
        try:
            list_notes(root, cache)
        finally:
            self._on = False
        return self.count


@pytest.fixture(scope="module")
def audit() -> list[Opened]:
    """One hook for the whole module: hooks cannot be taken away again."""
    import sys

    counters: list[Opened] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        for counter in counters:
            counter(event, arguments)

    sys.addaudithook(hook)
    return counters


def test_a_second_look_reads_no_file_and_says_the_same(tmp_path: Path, root: Path, audit: list[Opened]) -> None:
    cache, counter = NoteCache(root, kept(tmp_path), now_ns=later), Opened(root)
    audit.append(counter)
    assert list_notes(root, cache) == list_notes(root)
    assert counter.during(root, cache) == 0
    assert counter.during(root, NoteCache(root, kept(tmp_path), now_ns=later)) == 0
    assert list_notes(root, NoteCache(root, kept(tmp_path), now_ns=later)) == list_notes(root)
    (root / "t0" / "n0.md").write_text("changed")
    assert counter.during(root, cache) == 1
    audit.clear()


def same_size(text: str) -> str:
    return text.replace("name", "NAME")


def change_size(path: Path) -> None:
    path.write_text(path.read_text() + "x")


def change_in_place_and_put_the_time_back(path: Path) -> None:
    status = path.stat()
    path.write_text(same_size(path.read_text()))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)


def replace_and_put_the_time_back(path: Path) -> None:
    status = path.stat()
    other = path.with_suffix(".new")
    other.write_text(same_size(path.read_text()))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def delete(path: Path) -> None:
    path.unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("another.md"))


def put_a_link_in_its_place(path: Path) -> None:
    path.rename(path.with_suffix(".kept"))
    path.symlink_to(path.with_suffix(".kept"))


def put_a_folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inner.md").write_text("inner")


@pytest.mark.parametrize(
    "change",
    [
        *(change_size, change_in_place_and_put_the_time_back, replace_and_put_the_time_back, delete, rename),
        *(put_a_link_in_its_place, put_a_folder_in_its_place),
    ],
    ids=lambda change: change.__name__,
)
@pytest.mark.parametrize("restart", [False, True])
def test_w35_every_kind_of_change_is_seen(tmp_path: Path, root: Path, change: object, restart: bool) -> None:
    cache = NoteCache(root, kept(tmp_path), now_ns=later)
    before = list_notes(root, cache)
    change(root / "t1" / "n1.md")  # type: ignore[operator]
    if restart:
        cache = NoteCache(root, kept(tmp_path), now_ns=later)
    assert list_notes(root, cache) == list_notes(root)
    assert list_notes(root, cache) != before


def test_a_file_that_has_just_changed_is_read_again_until_its_time_can_be_trusted(root: Path) -> None:
    """Two writes in one tick of a coarse clock look the same: nothing so fresh is believed."""
    moment = time.time_ns()
    cache = NoteCache(root, now_ns=lambda: moment)
    list_notes(root, cache)
    assert cache.entries() == {}
    moment += 3_600_000_000_000
    list_notes(root, cache)
    assert len(cache.entries()) == 200


def damages(data: bytes, pick: random.Random) -> list[bytes]:
    flipped = bytearray(data)
    flipped[pick.randrange(len(flipped))] ^= 1 << pick.randrange(8)
    at = pick.randrange(len(data))
    return [bytes(flipped), data[:at], data[:at] + os.urandom(9) + data[at:], data + b"x"]


def test_a_damaged_cache_is_ignored_and_made_anew(tmp_path: Path) -> None:
    root, pick = folder_with(tmp_path / "few", 30), random.Random(11)
    file = kept(tmp_path)
    list_notes(root, NoteCache(root, file, now_ns=later))
    whole = file.read_bytes()
    damaged = [b"", b"x", b"\n", b"keepsake-headers 1 \n{}", b"\x00" * 5_000, *(d for _ in range(25) for d in damages(whole, pick))]
    for data in damaged:
        file.write_bytes(data)
        cache = NoteCache(root, file, now_ns=later)
        assert dict(cache.entries()) == {} or data == whole
        assert list_notes(root, cache) == list_notes(root)
        assert file.read_bytes() == whole


def test_a_cache_of_another_folder_is_not_believed(tmp_path: Path, root: Path) -> None:
    file = kept(tmp_path)
    list_notes(root, NoteCache(root, file, now_ns=later))
    other = tmp_path / "other"
    shutil.copytree(root, other)
    assert dict(NoteCache(other, file, now_ns=later).entries()) == {}
    assert list_notes(other, NoteCache(other, file, now_ns=later)) == list_notes(other)


@pytest.mark.parametrize("place", ["folder", "unwritable"])
def test_a_cache_that_cannot_be_kept_hurts_nobody(tmp_path: Path, root: Path, place: str) -> None:
    file = kept(tmp_path)
    if place == "folder":
        file.mkdir(parents=True)
    else:
        file.parent.write_text("a file")
    cache = NoteCache(root, file, now_ns=later)
    assert list_notes(root, cache) == list_notes(root)
    assert list_notes(root, cache) == list_notes(root)
    cache.drop()
    assert list_notes(root, cache) == list_notes(root)


def test_odd_files_and_what_is_wrong_with_them_come_back_whole(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    for number, odd in enumerate(odd_files()):
        (root / f"f{number}.md").write_bytes(odd.data)
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.md")).write_text("x")
    (root / "link.md").symlink_to("/nowhere")
    os.utime(root / "f0.md", (-5, -5))
    list_notes(root, NoteCache(root, kept(tmp_path), now_ns=later))
    found = list_notes(root, NoteCache(root, kept(tmp_path), now_ns=later))
    assert found == list_notes(root)
    plain = {note.path: note for note in list_notes(root)}
    problems = [(note, plain[note.path]) for note in found if note.problem]
    assert len(problems) > 50
    assert all(isinstance(note.problem, Phrase) is isinstance(other.problem, Phrase) for note, other in problems)
    assert all(note.problem.template == other.problem.template for note, other in problems if isinstance(note.problem, Phrase))  # type: ignore[union-attr]


def test_a_file_that_cannot_be_read_now_is_tried_again(tmp_path: Path, root: Path) -> None:
    (root / "pipe.md").symlink_to("pipe.md")
    cache = NoteCache(root, kept(tmp_path), now_ns=later)
    assert any(note.path == "pipe.md" and note.problem for note in list_notes(root, cache))
    assert "pipe.md" not in cache.entries()


def test_what_is_dropped_is_gone_from_the_disk_and_what_is_deleted_does_not_stay_there(tmp_path: Path, root: Path) -> None:
    file = header_file(make_paths(tmp_path), "key-0123456789abcdef")
    assert file == tmp_path / "data" / "index" / "headers" / "key-0123456789abcdef"
    cache = NoteCache(root, file, now_ns=later)
    list_notes(root, cache)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"name-5" in file.read_bytes()
    cache.drop()
    assert not file.exists()
    shutil.rmtree(root / "t5")
    list_notes(root, cache)
    assert b'"name-5"' not in file.read_bytes()


def test_many_at_once_get_the_same_list(tmp_path: Path, root: Path) -> None:
    cache = NoteCache(root, kept(tmp_path), now_ns=later)
    wanted = list_notes(root)

    def look(_: int) -> list[Note]:
        return list_notes(root, cache)

    with ThreadPoolExecutor(8) as pool:
        assert all(found == wanted for found in pool.map(look, range(40)))


def test_random_changes_never_make_a_difference(tmp_path: Path, root: Path) -> None:
    seed = 23
    print(f"seed {seed}")
    pick = random.Random(seed)
    cache = NoteCache(root, kept(tmp_path), now_ns=later)
    changes = [change_size, change_in_place_and_put_the_time_back, replace_and_put_the_time_back, delete, rename]
    for step in range(60):
        path = pick.choice(sorted(path for path in root.rglob("*.md") if path.is_file()))
        pick.choice(changes)(path)
        if step % 9 == 0:
            cache = NoteCache(root, kept(tmp_path), now_ns=later)
        assert list_notes(root, cache) == list_notes(root), step


def test_times_before_1970_and_far_ahead_survive(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    for number, moment in enumerate(("0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z")):
        (root / f"{number}.md").write_text(f"---\nmodified: {moment}\ncreated: {moment}\n---\n")
    for _ in range(2):
        found = list_notes(root, NoteCache(root, kept(tmp_path), now_ns=later))
        assert found == list_notes(root)
    assert found[0].modified == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
