"""The file of an index while it is open: other processes, full disks, odd places, threads; nothing of it reaches whoever searches."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.search.connections import RETRY_S
from desktop.search.index import SearchIndex
from desktop.search.store import IndexStore
from tests.helpers.wait import wait_for
from tests.unit.search.make import answers, corpus, fresh_answers, opened, reconcile

DOCUMENTS = corpus()
PRINTS = {document.key: document.fingerprint for document in DOCUMENTS}
linux = pytest.mark.skipif(sys.platform != "linux", reason="mounts and /proc of Linux")
posix = pytest.mark.skipif(os.name == "nt", reason="open files cannot be replaced there")


@pytest.fixture(scope="module")
def right() -> list[object]:
    return list(fresh_answers(DOCUMENTS))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index" / "index.sqlite"


@pytest.fixture
def filled(file: Path) -> Iterator[SearchIndex]:
    index = opened(file)
    index.update(DOCUMENTS)
    yield index
    index.close()


def check_right(index: SearchIndex, right: list[object]) -> None:
    reconcile(index, DOCUMENTS)
    assert index.fingerprints() == PRINTS
    assert answers(index) == right


# another process


def child(code: str, *words: object) -> subprocess.Popen[str]:
    """A process of Python that says `ready` and ends with its input."""
    script = f"import sys\n{code}\nprint('ready', flush=True)\nsys.stdin.read()\n"
    command = [sys.executable, "-c", script, *map(str, words)]
    pipe = subprocess.PIPE  # not the file that pytest catches errors in: some of these may not write to files
    made = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=Path(__file__).parents[3])
    assert made.stdout is not None
    assert made.stdout.readline() == "ready\n"
    return made


def ended(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate("")
    assert process.returncode == 0, said


LOCKS = """
import sqlite3
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("PRAGMA locking_mode = EXCLUSIVE")
c.execute("BEGIN EXCLUSIVE")
c.execute("CREATE TABLE IF NOT EXISTS kept (x)")
"""


@posix
def test_a_file_that_is_locked_for_long_is_left_alone_and_memory_stands_in(file: Path, filled: SearchIndex, right: list[object]) -> None:
    filled.close()
    now = [0.0]
    holder = child(LOCKS, file)
    index = SearchIndex(IndexStore(file, busy_ms=30, monotonic=lambda: now[0]))
    assert index.fingerprints() == {}
    check_right(index, right)
    assert "locked" in index.problem
    ended(holder)
    assert answers(index) == right
    now[0] += RETRY_S
    assert index.fingerprints() == PRINTS, "the file is back, with what it held"
    assert index.problem == ""
    check_right(index, right)
    index.close()


@posix
def test_a_writer_that_is_in_the_way_is_said_and_searches_go_on(file: Path, filled: SearchIndex, right: list[object]) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    index = SearchIndex(IndexStore(file, busy_ms=30))
    with pytest.raises(StorageError, match="locked") as caught:
        index.update(corpus(30)[24:])
    assert caught.value.hint
    assert answers(index) == right
    other.execute("ROLLBACK")
    other.close()
    assert index.update(corpus(30)[24:]) == 6
    assert index.problem == ""
    index.close()


@posix
@pytest.mark.parametrize("how", ["removed", "folder", "replaced", "older", "text"])
def test_a_file_that_changes_its_inode_while_it_is_open(
    how: str, file: Path, filled: SearchIndex, right: list[object], tmp_path: Path
) -> None:
    assert answers(filled) == right
    if how == "removed":
        file.unlink()
    elif how == "folder":
        shutil.rmtree(file.parent)
    elif how == "text":
        (tmp_path / "text").write_text("no index")
        (tmp_path / "text").replace(file)
    else:
        other = opened(tmp_path / "other.sqlite")
        other.update(DOCUMENTS[:5] if how == "older" else DOCUMENTS)
        other.close()
        (tmp_path / "other.sqlite").replace(file)
    assert filled.fingerprints().items() <= PRINTS.items()
    check_right(filled, right)
    assert filled.rebuilt >= 1
    assert filled.problem == ""
    filled.close()
    index = opened(file)
    assert index.fingerprints() == PRINTS
    assert answers(index) == right
    index.close()


@posix
def test_bytes_that_are_changed_under_an_open_index_are_seen(file: Path, filled: SearchIndex, right: list[object]) -> None:
    """In the file and in its log; SQLite itself goes on with them."""
    filled.close()
    filled.update(corpus(26)[24:])
    assert len(filled.fingerprints()) == 26
    for name in ("index.sqlite", "index.sqlite-wal"):
        place = file.with_name(name)
        data = place.read_bytes()
        assert b"This is fact" in data
        with place.open("r+b") as stream:
            stream.write(data.replace(b"This is fact", b"This is fict"))
        rebuilt = filled.rebuilt
        assert filled.search("fict").hits == ()
        assert filled.rebuilt == rebuilt + 1
        reconcile(filled, corpus(26))
        filled.update([], [one.key for one in corpus(26)[24:]])
        check_right(filled, right)
        filled.update(corpus(26)[24:])
    filled.update([], [one.key for one in corpus(26)[24:]])
    check_right(filled, right)


@posix
@pytest.mark.parametrize("size", [0, 100, 4_096, 20_000])
def test_a_file_that_is_cut_off_while_it_is_open(size: int, file: Path, filled: SearchIndex, right: list[object]) -> None:
    filled.close()
    assert len(filled.fingerprints()) == 24
    os.truncate(file, size)
    assert filled.fingerprints() == {}
    check_right(filled, right)


@posix
def test_a_damage_that_was_there_when_it_was_closed_is_not_marked_as_whole(file: Path, filled: SearchIndex) -> None:
    filled.close()
    assert len(filled.fingerprints()) == 24
    data = file.read_bytes()
    with file.open("r+b") as stream:
        stream.seek(data.index(b"release captain"))
        stream.write(b"rebease")
    filled.close()
    index = opened(file)
    assert index.fingerprints() == {}
    index.close()


SECOND = """
from pathlib import Path
from tests.unit.search.make import corpus, opened
index = opened(Path(sys.argv[1]))
index.update(corpus(40)[24:])
"""


def test_what_another_process_puts_in_is_found_and_not_taken_for_damage(file: Path, filled: SearchIndex, right: list[object]) -> None:
    assert answers(filled) == right
    other = child(SECOND, file)
    assert len(filled.fingerprints()) == 40
    assert [hit.document for hit in filled.search("fact 33").hits[:1]] == ["root/0033.md"]
    ended(other)
    assert len(filled.fingerprints()) == 40
    assert filled.rebuilt == 0
    filled.close()
    index = opened(file)
    assert len(index.fingerprints()) == 40
    assert index.rebuilt == 0
    index.close()


@posix
def test_a_purge_of_another_process_is_seen(file: Path, filled: SearchIndex, right: list[object]) -> None:
    other = opened(file)
    assert other.fingerprints() == PRINTS
    other.purge()
    assert filled.fingerprints() == {}
    check_right(filled, right)
    assert other.fingerprints() == PRINTS
    assert answers(other) == right
    other.close()


def test_two_indexes_of_one_file_in_one_process(file: Path, filled: SearchIndex, right: list[object]) -> None:
    other = opened(file)
    other.update(corpus(30)[24:])
    assert len(filled.fingerprints()) == 30
    filled.update([], [one.key for one in corpus(30)[24:]])
    assert answers(other) == right
    other.close()
    assert answers(filled) == right
    assert (filled.rebuilt, other.rebuilt) == (0, 0)


# places that cannot be written


@contextmanager
def mounted(place: Path, options: str) -> Iterator[Path]:
    """A small file system of its own."""
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@linux
@pytest.mark.parametrize("size", ["64k", "96k", "160k", "256k", "1m"])
def test_a_full_disk_does_not_keep_anything_from_being_found(size: str, tmp_path: Path, right: list[object]) -> None:
    documents = corpus(240)
    with mounted(tmp_path / "disk", f"size={size}") as disk:
        index = opened(disk / "index" / "index.sqlite")
        for _ in range(2):
            reconcile(index, documents)
            assert len(index.fingerprints()) == 240
            assert answers(index) == fresh_answers(documents)
        assert index.problem or size == "1m", "what is only in memory is said"
        index.purge()
        reconcile(index, DOCUMENTS[:2])
        assert len(index.fingerprints()) == 2
        index.close()


@linux
def test_a_disk_that_is_full_later_and_free_again(tmp_path: Path, right: list[object]) -> None:
    now = [0.0]
    with mounted(tmp_path / "disk", "size=2m") as disk:
        index = SearchIndex(IndexStore(disk / "index.sqlite", monotonic=lambda: now[0]))
        index.update(DOCUMENTS[:12])
        with (disk / "other").open("wb", buffering=0) as stream, suppress(OSError):
            while True:
                stream.write(bytes(4_096))
        assert index.fingerprints().items() <= PRINTS.items()
        index.update(corpus(300))
        assert index.problem
        assert len(index.fingerprints()) == 300, "nothing of what the file held was lost"
        (disk / "other").unlink()
        now[0] += RETRY_S
        index.fingerprints()
        assert index.problem == ""
        check_right(index, right)
        index.close()


@linux
def test_a_read_only_folder(tmp_path: Path, right: list[object]) -> None:
    with mounted(tmp_path / "disk", "size=4m") as disk:
        index = opened(disk / "index.sqlite")
        index.update(DOCUMENTS[:12])
        index.close()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        index = opened(disk / "index.sqlite")
        check_right(index, right)
        assert index.problem
        index.close()
        empty = opened(disk / "deeper" / "index.sqlite")
        check_right(empty, right)
        empty.close()


LIMITED = """
import resource
from pathlib import Path
from tests.unit.search.make import answers, corpus, fresh_answers, opened, reconcile
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
index = opened(Path(sys.argv[1]))
documents = corpus(240)
reconcile(index, documents)
assert len(index.fingerprints()) == 240
assert answers(index) == fresh_answers(documents)
assert index.problem
index.close()
"""


@linux
@pytest.mark.parametrize("size", [0, 10_000, 100_000, 400_000])
def test_files_that_may_not_grow(size: int, file: Path) -> None:
    ended(child(LIMITED, file, size))


def test_a_place_that_is_no_folder(tmp_path: Path, right: list[object]) -> None:
    (tmp_path / "file").write_text("x")
    index = opened(tmp_path / "file" / "index.sqlite")
    check_right(index, right)
    assert index.problem
    index.purge()
    index.close()


@linux
@pytest.mark.parametrize(
    "name", [b"\xff\xfe index".decode("utf-8", "surrogateescape"), "索引 ü", "a'b\"c;%41?x=1#y", "file:x?mode=ro", "-"]
)
def test_names_of_every_kind(name: str, tmp_path: Path, right: list[object]) -> None:
    index = opened(tmp_path / name / f"{name}.sqlite")
    check_right(index, right)
    assert index.problem == ""
    index.close()
    assert (tmp_path / name / f"{name}.sqlite").stat().st_size > 0
    index = opened(tmp_path / name / f"{name}.sqlite")
    assert answers(index) == right
    index.close()


def test_a_relative_path(tmp_path: Path, right: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    index = opened(Path("index.sqlite"))
    check_right(index, right)
    index.close()
    assert Path("index.sqlite").exists()


@pytest.mark.parametrize("depth", [2, 12])
def test_a_path_that_is_longer_than_sqlite_takes(depth: int, tmp_path: Path, right: list[object]) -> None:
    index = opened(tmp_path.joinpath(*["x" * 200] * depth) / "index.sqlite")
    check_right(index, right)
    index.close()


def test_a_name_that_is_longer_than_the_file_system_takes(tmp_path: Path, right: list[object]) -> None:
    index = opened(tmp_path / ("x" * 252))
    check_right(index, right)
    assert index.problem
    index.close()


@posix
def test_a_file_system_without_a_log(file: Path, right: list[object]) -> None:
    """Where SQLite cannot share memory, its readers and its writer take turns."""
    index = SearchIndex(IndexStore(file, vfs="unix-none"))
    check_right(index, right)
    assert index.problem == ""
    assert not file.with_name("index.sqlite-wal").exists()
    _searched_while_it_changes(index, right)
    index.close()
    index = SearchIndex(IndexStore(file, vfs="unix-none"))
    assert index.fingerprints() == PRINTS
    assert answers(index) == right
    index.close()


# threads


def _searched_while_it_changes(index: SearchIndex, right: list[object]) -> None:
    """Four threads search, one puts the same documents in and others out again and again: each answer is of a whole state."""
    more = corpus(60)[24:]
    both = fresh_answers(corpus(60))
    done = threading.Event()

    def search() -> set[str]:
        seen = set()
        while not done.is_set():
            found = [answers(index, [query]) for query in ("port 5433", "fact 17")]
            seen |= {hit[0] for one in found for group in one for hit in group}
            assert all(group for one in found for group in one)
        return seen

    with ThreadPoolExecutor(4) as pool:
        searching = [pool.submit(search) for _ in range(4)]
        for _ in range(8):
            index.update(more)
            index.update([], [one.key for one in more])
        done.set()
        for future in searching:
            assert "root/0017.md" in future.result(60)
    assert answers(index) == right
    index.update(more)
    assert answers(index) == both
    index.update([], [one.key for one in more])


@pytest.mark.parametrize("where", ["file", "memory"])
def test_searches_while_it_changes(where: str, file: Path, right: list[object]) -> None:
    index = opened(file if where == "file" else None)
    index.update(DOCUMENTS)
    _searched_while_it_changes(index, right)
    index.close()


@pytest.mark.parametrize("what", ["close", "check", "scrub", "purge"])
def test_searches_and_updates_while_it_is_closed_or_looked_through(what: str, file: Path, right: list[object]) -> None:
    index = opened(file)
    index.update(DOCUMENTS)
    done = threading.Event()
    act: Callable[[], object] = getattr(index, what)

    def until_done(work: Callable[[], object]) -> int:
        count = 0
        while not done.is_set():
            work()
            count += 1
        return count

    with ThreadPoolExecutor(6) as pool:
        working = [pool.submit(until_done, lambda: answers(index, ["fact 17", "数据库"])) for _ in range(4)]
        working.append(pool.submit(until_done, lambda: reconcile(index, DOCUMENTS)))
        for _ in range(12):
            act()
        done.set()
        assert all(future.result(60) > 0 for future in working)
    check_right(index, right)
    index.close()


def test_a_search_does_not_wait_for_a_transaction(filled: SearchIndex, right: list[object]) -> None:
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with filled._store.writing():
            entered.set()
            assert leave.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert entered.wait(60)
        assert answers(filled) == right
        assert filled.fingerprints() == PRINTS
        assert not holding.done()
        leave.set()
        holding.result(30)


@posix
def test_a_reader_and_a_writer_that_both_find_damage_do_not_wait_for_each_other(file: Path, right: list[object]) -> None:
    """Each of both locks is wanted by both; they are always taken in one order."""
    index = opened(file)
    for _ in range(15):
        index.update(DOCUMENTS)
        index.close()
        index.fingerprints()
        os.truncate(file, 8_192)
        with ThreadPoolExecutor(4) as pool:
            working = [pool.submit(answers, index) for _ in range(2)] + [pool.submit(reconcile, index, DOCUMENTS) for _ in range(2)]
            for future in working:
                future.result(60)
        check_right(index, right)
    index.close()


def test_closed_twice_and_used_again(file: Path, right: list[object]) -> None:
    index = opened(file)
    index.close()
    index.update(DOCUMENTS)
    index.close()
    index.close()
    assert answers(index) == right
    assert index.fingerprints() == PRINTS
    index.purge()
    index.purge()
    assert index.fingerprints() == {}
    index.close()
    assert index.rebuilt == 0


def test_an_error_in_a_transaction_leaves_the_state_before_it(filled: SearchIndex, right: list[object]) -> None:
    def wrong(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM document")
        raise KeyError("of the caller")

    with pytest.raises(KeyError):
        filled._store.write(wrong)
    assert answers(filled) == right


def test_a_fault_of_a_search_on_a_sound_index_is_raised_and_one_of_sqlite_is_not(filled: SearchIndex, right: list[object]) -> None:
    def wrong(connection: sqlite3.Connection) -> int:
        raise IndexError("ours")

    with pytest.raises(IndexError):
        filled._store.read(wrong, 0)
    assert filled._store.read(lambda c: c.execute("SELECT nothing").fetchone()[0], 7) == 7
    assert filled.rebuilt == 0
    assert answers(filled) == right


@linux
def test_no_handle_is_left_open(file: Path, right: list[object]) -> None:
    index = opened(file)

    def handles() -> int:
        names = []
        for handle in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                names.append(str(handle.readlink()))
        return sum(str(file) in name for name in names)

    for _ in range(3):
        check_right(index, right)
        index.check()
        assert handles() > 0
        index.close()
        wait_for(lambda: handles() == 0, what="all handles closed")
        os.truncate(file, 5_000)
