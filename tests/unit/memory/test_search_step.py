"""The index follows the files: every change is found, nothing that is gone is, unchanged files are not read, purges leave no byte."""

from __future__ import annotations

import os
import random
import shutil
import stat
import threading
import time
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from desktop.base.errors import StorageError
from desktop.memory.foreign import CLAUDE_CODE
from desktop.memory.history import restore
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.memories import Memories
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.purge import purge
from desktop.memory.roots import foreign_root, project_root, user_root
from desktop.memory.search_known import KnownFiles
from desktop.memory.search_look import look_at
from desktop.memory.search_source import document_key, parts_of_key, posix_path, read_source
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import MAIN, PERSON, Desk, note_text
from tests.unit.memory.searching import Searching


@pytest.fixture
def at(desk: Desk) -> Searching:
    return Searching(desk)


class Opened:
    """Counts the Markdown files that are opened for reading, by what the system's own hook tells."""

    def __init__(self) -> None:
        self.count = 0
        self.on = True
        import sys

        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event == "open" and str(arguments[0]).endswith(".md"):
            self.count += 1


def fill(at: Searching, count: int) -> None:
    for number in range(count):
        at.put(f"t{number % 5}/n{number}.md", note_text(f"n{number}", f"granatufer number{number}"))


# files that change


def test_unchanged_files_are_not_read_again_nor_by_the_next_process(at: Searching) -> None:
    fill(at, 120)
    at.put("MEMORY.md", "- [n1](t1/n1.md) — turmalin\n")
    assert at.search.reconcile(at.memories) == 120
    opened = Opened()
    assert at.search.reconcile(at.memories) == 0
    at.search.close()
    assert at.fresh_search().reconcile(at.fresh_memories()) == 0
    opened.on = False
    assert opened.count == 0


def test_what_was_written_just_before_it_was_read_is_read_again(at: Searching) -> None:
    """A clock of the disk may tick in two seconds: until then a file may change and look as it did."""
    at.settle = 0.0
    fill(at, 3)
    assert at.search.reconcile(at.memories) == 3
    opened = Opened()
    assert at.search.reconcile(at.memories) == 0
    at.settle = 3_600.0
    assert at.search.reconcile(at.memories) == 0
    read = opened.count
    assert at.search.reconcile(at.memories) == 0
    opened.on = False
    assert read >= 6 and opened.count == read


def test_an_edit_of_the_same_size_with_its_time_put_back_is_found(at: Searching) -> None:
    file = at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    before = file.stat()
    file.write_text("turmalines\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size and file.stat().st_mtime_ns == before.st_mtime_ns
    assert at.paths("turmalines") == ["a.md"] and at.paths("granatufer") == []


WAYS = ("truncate", "rename", "delete", "append")


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_saving_is_found(at: Searching, way: str) -> None:
    file = at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    if way == "truncate":
        file.write_text("turmalin\n")
    elif way == "append":
        with file.open("a") as stream:
            stream.write("turmalin\n")
    elif way == "rename":
        other = file.with_name("a.md.swp")
        other.write_text("turmalin\n")
        other.replace(file)
    else:
        file.unlink()
        file.write_text("turmalin\n")
    assert at.paths("turmalin") == ["a.md"] and bool(at.paths("granatufer")) == (way == "append")


def test_random_changes_always_give_what_a_fresh_index_gives(at: Searching, desk: Desk) -> None:
    seed = drawn_seed()
    chance = random.Random(seed)
    words = ("granatufer", "turmalin", "端口", "zeppelin")
    names = [f"{folder}n{number}.md" for number in range(8) for folder in ("", "deep/")]
    for _ in range(12):
        for name in chance.sample(names, 4):
            file = desk.root / name
            what = chance.choice(("write", "write", "delete", "rename"))
            if what == "write":
                supersedes = f"  supersedes: [n{chance.randrange(8)}]\n" if chance.random() < 0.3 else ""
                at.put(name, f"---\nname: x-{name}\nmetadata:\n  type: user\n{supersedes}---\n\n{chance.choice(words)} {chance.random()}\n")
            elif what == "delete":
                file.unlink(missing_ok=True)
            elif file.exists():
                file.replace(desk.root / f"r{chance.randrange(100)}.md")
        at.put("MEMORY.md", "".join(f"- [{n}]({n}) — {chance.choice(words)}\n" for n in chance.sample(names, 3)))
        at.search.reconcile(at.memories)
    fresh = Searching(desk)
    mine = {word: [(hit.path, round(hit.score, 6), hit.why) for hit in at.found(word, limit=50).hits] for word in words}
    fresh.search.forget()
    assert mine == {word: [(hit.path, round(hit.score, 6), hit.why) for hit in fresh.found(word, limit=50).hits] for word in words}


def test_a_file_that_never_stands_still_keeps_what_was_known_of_it(at: Searching, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    file = at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    file.write_text("half of\n")
    real = os.fstat

    def moving(handle: int) -> os.stat_result:
        found = real(handle)
        if stat.S_ISREG(found.st_mode) and found.st_ino == file.stat().st_ino:
            with file.open("a") as stream:
                stream.write("x")
        return found

    with monkeypatch.context() as during:
        during.setattr("desktop.memory.search_source.os.fstat", moving)
        assert read_source(desk.root, "a.md") is None
        assert at.paths("granatufer") == ["a.md"], "half of a file is never taken for the whole"
    file.write_text("turmalin\n")
    assert at.paths("turmalin") == ["a.md"] and at.paths("granatufer") == []


def test_files_that_are_written_while_they_are_indexed_end_as_they_are(at: Searching) -> None:
    fill(at, 20)
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            at.put(f"t{number % 5}/n{number % 20}.md", note_text("x", f"turmalin turn{number} " + "filler " * 200))

    at.settle = 0.0
    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(8):
            at.search.reconcile(at.memories)
    finally:
        stop.set()
        writer.join()
    fresh = {path.relative_to(at.desk.root).as_posix(): path.read_text() for path in at.desk.root.rglob("n*.md")}
    for path, text in fresh.items():
        words = [word for word in text.split() if word.startswith(("turn", "number"))]
        assert path in at.paths(words[-1], limit=50), path


# roots that come and go


def test_a_folder_that_is_gone_has_no_memories_and_comes_back(at: Searching, desk: Desk, tmp_path: Path) -> None:
    fill(at, 6)
    at.put("u.md", "granatufer of the user\n", root="user")
    assert len(at.paths("granatufer")) == 7
    shutil.move(desk.root, tmp_path / "away")
    assert at.paths("granatufer") == ["u.md"]
    shutil.move(tmp_path / "away", desk.root)
    assert len(at.paths("granatufer")) == 7


def test_a_folder_that_cannot_be_looked_into_keeps_what_was_known_and_says_so(at: Searching, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(at, 6)
    assert len(at.paths("granatufer")) == 6
    real = os.scandir

    def refused(path: object = ".") -> object:
        name = os.path.realpath(f"/proc/self/fd/{path}") if isinstance(path, int) else str(path)
        if name.endswith(blocked):
            raise PermissionError(13, "Permission denied", name)
        return real(path)  # type: ignore[call-overload]

    for blocked in ("t1", "memory"):  # noqa: B007 - `refused` looks at it
        with monkeypatch.context() as during:
            during.setattr(os, "scandir", refused)
            found = at.found("granatufer")
            assert len(found.hits) == 6 and any("cannot be looked into" in note for note in found.notes)
    assert at.found("granatufer").notes == ()


def test_all_roots_are_looked_through_before_anything_goes(at: Searching, desk: Desk) -> None:
    """A memory that moves between roots during a look is never in neither."""
    at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    move_between(at.memories.store(), at.memories.store("user"), "a.md", origin=PERSON)
    assert [(hit.scope, hit.path) for hit in at.found("granatufer").hits] == [("global", "a.md")]


def test_a_stopped_look_goes_on_from_there(at: Searching) -> None:
    fill(at, 700)
    seen: list[int] = []
    at.search.reconcile(at.memories, progress=seen.append, stopped=lambda: bool(seen))
    done = seen[-1]
    assert 0 < done < 700
    assert at.search.reconcile(at.memories) == 700 - done
    assert at.search.reconcile(at.memories) == 0


def test_reconcile_on_search_off_looks_once_and_then_follows_the_stores_only(desk: Desk) -> None:
    at = Searching(desk, settings={"checkpoint.reconcile_on_search": False})
    at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"], "the first search always looks"
    at.put("b.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    at.memories.store().write("c.md", note_text("c", "granatufer"), base_digest=None, origin=PERSON)
    assert sorted(at.paths("granatufer")) == ["a.md", "c.md"]
    (desk.root / "a.md").unlink()
    assert at.paths("granatufer") == ["c.md"], "a hit whose file is gone is none"


# stores


def test_what_a_store_changes_is_found_at_once(at: Searching, desk: Desk) -> None:
    fill(at, 10)
    at.search.reconcile(at.memories)
    store = at.memories.store()

    def now(word: str) -> list[str]:
        return at.paths(word, reconcile=False)

    store.write("new.md", note_text("new", "turmalin"), base_digest=None, origin=MAIN)
    assert now("turmalin") == ["new.md"]
    store.write("new.md", note_text("new", "zeppelin"), base_digest=store.read("new.md").digest, origin=PERSON)
    assert now("turmalin") == [] and now("zeppelin") == ["new.md"]
    rename_with_links(store, "new.md", "deep/newer.md", origin=PERSON)
    assert now("zeppelin") == ["deep/newer.md"]
    store.delete("deep/newer.md", origin=PERSON)
    assert now("zeppelin") == []
    store.undo()
    assert now("zeppelin") == ["deep/newer.md"]
    store.undo()
    first = next(change.after for change in reversed(store.changes()) if change.path == "new.md")
    restore(store, "new.md", first or "", origin=PERSON)
    assert now("turmalin") == ["new.md"]


def test_single_changes_of_each_root_are_taken_in(at: Searching) -> None:
    at.search.reconcile(at.memories)
    at.put("a.md", "granatufer\n")
    at.put("b.md", "granatufer\n", root="user")
    at.put("MEMORY.md", "granatufer\n", root="user")
    at.put("MEMORY.md", "granatufer\n", root="workspace")
    at.memories.allow_workspace(at.memories.workspace_file().digest)
    for root, path in (("project", "a.md"), ("user", "b.md"), ("user", "MEMORY.md"), ("workspace", "MEMORY.md"), ("project", "missing.md")):
        at.search.note_changed(at.memories, root, path)
    at.search.note_changed(at.memories, "nowhere", "a.md")
    assert sorted((hit.root_id, hit.path) for hit in at.found("granatufer", reconcile=False).hits) == [
        ("project", "a.md"),
        ("user", "MEMORY.md"),
        ("user", "b.md"),
        ("workspace", "MEMORY.md"),
    ]


def test_a_single_change_puts_its_predecessor_below_it(at: Searching) -> None:
    at.put("old.md", "---\nname: old\n---\n\ngranatufer granatufer\n")
    at.search.reconcile(at.memories)
    at.put("new.md", "---\nname: new\nmetadata:\n  supersedes: [old]\n---\n\ngranatufer and a lot of other words beside it\n")
    at.search.note_changed(at.memories, "project", "new.md")
    assert at.paths("granatufer", reconcile=False) == ["new.md", "old.md"]


def test_nothing_is_opened_for_a_change_of_memory_that_was_never_searched(at: Searching, desk: Desk) -> None:
    desk_store = at.memories.store()
    desk_store.write("a.md", note_text("a", "granatufer"), base_digest=None, origin=MAIN)
    assert not (desk.paths.index / "memory.sqlite3").exists()
    assert at.paths("granatufer", reconcile=False) == ["a.md"], "the first search looks, whatever it is told"


def test_a_burst_of_changes_is_left_to_the_next_search(at: Searching, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(at, 100)
    assert len(at.paths("granatufer", limit=50)) == 50
    taken: list[str] = []
    real = at.search.note_changed

    def heard(memories: Memories, root: str, *paths: str) -> None:
        taken.extend(paths)
        real(memories, root, *paths)

    monkeypatch.setattr(at.search, "note_changed", heard)
    at.memories.store().delete_all([f"t{number % 5}/n{number}.md" for number in range(99)], origin=PERSON)
    assert 0 < len(taken) < 99
    assert at.paths("granatufer", limit=50, reconcile=False) == ["t4/n99.md"]


def test_a_save_does_not_wait_for_a_long_look_and_is_found_after_it(at: Searching) -> None:
    fill(at, 30)
    at.search.reconcile(at.memories)
    fill(at, 60)
    inside, go_on = threading.Event(), threading.Event()

    def stopped() -> bool:
        inside.set()
        go_on.wait(60)
        return False

    look = threading.Thread(target=lambda: at.search.reconcile(at.memories, stopped=stopped))
    look.start()
    try:
        assert inside.wait(60)
        at.memories.store().write("late.md", note_text("late", "turmalin"), base_digest=None, origin=PERSON)
        found = at.found("granatufer", reconcile=False)
        assert found.hits and any("in a moment" in note for note in found.notes), "what is there is searched meanwhile"
    finally:
        go_on.set()
        look.join()
    assert at.paths("turmalin", reconcile=False) == ["late.md"]


def test_what_is_left_of_a_folder_that_is_gone_goes_with_the_next_process(at: Searching, desk: Desk) -> None:
    at.put("a.md", "granatufer\n")
    at.search.reconcile(at.memories)
    folder = desk.project.folder.parent / "other"
    folder.mkdir()
    project = resolve_project(folder, desk.paths)
    ensure_project(project, desk.clock)
    (project.memory_root / "x.md").write_text("turmalin of a lost project\n")
    assert at.paths("turmalin", scope="projects", scope_id=project.key) == ["x.md"]
    at.search.close()
    assert b"turmalin of a lost" in at.bytes_below(desk.paths.index)
    shutil.rmtree(project.home)
    fresh = Searching(desk)
    assert fresh.paths("granatufer") == ["a.md"]
    fresh.search.close()
    assert not list((desk.paths.index / "search").glob(f"{project.key}*"))
    assert fresh.search._index().fingerprints(f"{project.key}/") == {}


# what is forgotten


def test_s12_after_a_purge_no_byte_is_left_in_the_index(at: Searching, desk: Desk) -> None:
    at.put("keep.md", "granatufer stays\n")
    store = at.memories.store()
    store.write("gone.md", note_text("zebra-plan", "the launch word is zebra-4711"), base_digest=None, origin=PERSON)
    assert at.paths("launch word") == ["gone.md"]
    at.search.close()
    assert b"zebra-4711" in at.bytes_below(desk.paths.index)
    purge(store, "gone.md", origin=PERSON)
    at.search.close()
    left = at.bytes_below(desk.paths.index)
    assert b"zebra" not in left and b"launch" not in left
    assert at.paths("launch word") == [] and at.paths("granatufer") == ["keep.md"]
    at.search.close()
    assert b"zebra" not in at.bytes_below(desk.paths.index)


def test_a_purge_in_a_process_that_never_searched_deletes_the_index_too(at: Searching, desk: Desk) -> None:
    at.memories.store().write("gone.md", note_text("zebra-plan", "the launch word is zebra-4711"), base_digest=None, origin=PERSON)
    at.paths("launch")
    at.search.close()
    other = Searching(desk)
    purge(other.memories.store(), "gone.md", origin=PERSON)
    assert b"zebra" not in at.bytes_below(desk.paths.index)
    assert at.paths("launch") == []


def test_what_is_deleted_is_gone_from_the_index(at: Searching) -> None:
    store = at.memories.store()
    store.write("a.md", note_text("a", "granatufer"), base_digest=None, origin=PERSON)
    assert at.paths("granatufer") == ["a.md"]
    other = Searching(at.desk)
    other.memories.store().delete("a.md", origin=PERSON)
    assert at.paths("granatufer", reconcile=False) == []


# a broken index and state


@pytest.mark.parametrize("what", ["header", "zero", "truncated", "missing", "state", "state form"])
def test_a_broken_index_is_filled_again_by_itself(at: Searching, desk: Desk, what: str) -> None:
    fill(at, 30)
    before = {hit.path: hit.score for hit in at.found("number7 granatufer", limit=50).hits}
    at.search.close()
    file, states = desk.paths.index / "memory.sqlite3", sorted((desk.paths.index / "search").iterdir())
    data = file.read_bytes()
    if what == "header":
        file.write_bytes(b"\0" * 100 + data[100:])
    elif what == "zero":
        file.write_bytes(b"")
    elif what == "truncated":
        file.write_bytes(data[: len(data) // 2])
    elif what == "missing":
        file.unlink()
    for state in states if what.startswith("state") else ():
        state.write_bytes(b"keepsake-search 99 x\n{}" if what == "state form" else state.read_bytes()[:-5])
    search = at.fresh_search()
    hits = search.search(at.memories, "number7 granatufer", limit=50).hits
    assert {hit.path: hit.score for hit in hits} == before
    assert search.search(at.memories, "number7", reconcile=False).hits[0].path == "t2/n7.md"


def test_an_index_that_was_deleted_while_it_is_open_is_filled_again(at: Searching, desk: Desk) -> None:
    fill(at, 5)
    assert len(at.paths("granatufer")) == 5
    for file in desk.paths.index.glob("memory.sqlite3*"):
        file.unlink()
    assert len(at.paths("granatufer")) == 5


def test_an_index_that_cannot_be_written_is_kept_in_memory(at: Searching, desk: Desk) -> None:
    fill(at, 3)
    desk.paths.index.parent.mkdir(exist_ok=True)
    desk.paths.index.write_text("a file in the folder's place")
    assert len(at.paths("granatufer")) == 3
    desk.paths.index.unlink()


def test_states_and_index_are_private(at: Searching, desk: Desk) -> None:
    fill(at, 3)
    at.search.reconcile(at.memories)
    at.search.close()
    for folder, _, names in os.walk(desk.paths.index):
        assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
        assert all(stat.S_IMODE((Path(folder) / name).stat().st_mode) == 0o600 for name in names)


def test_two_processes_over_one_index_agree(at: Searching, desk: Desk) -> None:
    other = Searching(desk)
    fill(at, 40)
    errors: list[BaseException] = []

    def work(who: Searching) -> None:
        try:
            for number in range(10):
                who.put(f"w{id(who) % 97}-{number}.md", f"granatufer {number}\n")
                who.search.reconcile(who.memories)
        except BaseException as error:  # noqa: BLE001 - told by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(who,)) for who in (at, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert set(at.paths("granatufer", limit=50)) == set(other.paths("granatufer", limit=50))
    assert at.search.check()


# paths


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PureWindowsPath("deep\\er\\a.md"), "deep/er/a.md"),
        (PurePosixPath("deep/er/a.md"), "deep/er/a.md"),
        (PureWindowsPath("王小明\\记忆.md"), "王小明/记忆.md"),
        ("deep/er/a.md", "deep/er/a.md"),
    ],
)
def test_w13_a_windows_separator_is_a_separator(path: str | PureWindowsPath | PurePosixPath, expected: str) -> None:
    assert posix_path(path) == expected


def test_w13_a_folder_of_a_chinese_user_is_indexed_and_backslashes_in_names_are_names(at: Searching, desk: Desk) -> None:
    at.put("王小明/记忆.md", "granatufer\n")
    at.put("back\\slash.md", "granatufer\n")
    assert sorted(at.paths("granatufer")) == ["back\\slash.md", "王小明/记忆.md"]
    at.search.note_changed(at.memories, "project", PureWindowsPath("王小明\\记忆.md"))
    assert len(at.paths("granatufer", reconcile=False)) == 2


def test_keys_lead_back_to_their_paths(desk: Desk) -> None:
    roots = (project_root(desk.project), user_root(desk.paths), foreign_root(f"{CLAUDE_CODE}:2", "Claude Code", desk.root))
    for root in roots:
        for path in ("a.md", "deep/er/a.md", "王/a b.md", "caf\udce9/x.md", "#1?.md"):
            key = document_key(root, path)
            key.encode()
            assert parts_of_key(key) == (root.key, path)


def test_a_look_writes_nothing(at: Searching, desk: Desk) -> None:
    fill(at, 3)
    at.put("MEMORY.md", IndexKeeper.of_nothing().with_line("", at.memories.store().notes()[0]))
    before = at.bytes_below(desk.paths.data)
    for root in at.memories.roots:
        look_at(at.memories, root, KnownFiles(desk.paths).of(root.key, root.folder), time.time_ns)
    assert at.bytes_below(desk.paths.data) == before


def test_a_locked_index_gives_what_is_there_and_says_so(at: Searching, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    at.put("b.md", "granatufer\n")

    def refused(*_given: object, **_named: object) -> int:
        raise StorageError("The search index cannot be written now (database is locked).")

    with monkeypatch.context() as during:
        during.setattr("desktop.search.index.SearchIndex.update", refused)
        found = at.found("granatufer")
    assert [hit.path for hit in found.hits] == ["a.md"] and any("locked" in note for note in found.notes)
    assert sorted(at.paths("granatufer")) == ["a.md", "b.md"]


# figures


@pytest.mark.full
def test_ten_thousand_unchanged_files_cost_a_stat_walk(at: Searching) -> None:
    for number in range(10_000):
        at.put(f"t{number % 50}/n{number}.md", note_text(f"n{number}", f"granatufer number{number} 端口 {number}"))
    assert at.search.reconcile(at.memories) == 10_000
    opened = Opened()
    started = time.process_time()
    assert at.search.reconcile(at.memories) == 0
    unchanged = time.process_time() - started
    opened.on = False
    at.put("t3/n3.md", note_text("n3", "turmalin"))
    started = time.process_time()
    at.search.note_changed(at.memories, "project", "t3/n3.md")
    one = time.process_time() - started
    print(f"10,000 unchanged files: {unchanged * 1000:.0f} ms CPU; one change: {one * 1000:.1f} ms CPU")
    assert opened.count == 0
    assert at.paths("turmalin", reconcile=False) == ["t3/n3.md"]
