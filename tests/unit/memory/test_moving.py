"""Renaming with links that follow, moving between roots, the pin: each one act, undone in one step, and safe at every point of a kill."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from desktop.base.beneath import write_beneath
from desktop.base.errors import ConflictError, NotFoundError, RefusedError, StorageError, UsageError
from desktop.memory import steps
from desktop.memory.frontmatter import parse
from desktop.memory.links import backlinks
from desktop.memory.moving import move_between, rename_with_links, set_pinned, undo_move
from desktop.memory.pending import Departure
from desktop.memory.pinning import pinned_bytes
from desktop.memory.roots import foreign_root, user_root, workspace_root
from desktop.memory.store import Change, MemoryStore
from desktop.memory.trash import list_trash
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, WRITE_OFF, Desk, make_desk, note_text


def user_store(desk: Desk) -> MemoryStore:
    return MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def linked(desk: Desk) -> dict[str, bytes]:
    desk.add("build.md", "See [[tests]] and [t](tests.md).\n\nOnly the build says this, and nobody else.", name="Build")
    desk.add("tests.md", "Of [[build]], [[Build]], [b](build.md#x) and `[[build]]`.", name="Tests")
    desk.add("sub/ci.md", "Runs [b](../build.md), also [b](build.md).", name="CI")
    desk.add("plain.md", "No link at all.", name="Plain")
    return tree(desk.root)


# a new path


def test_links_and_line_follow_a_rename_and_all_is_undone_in_one_step(desk: Desk) -> None:
    before = linked(desk)
    seen: list[Change] = []
    desk.store.changed.subscribe(seen.append)
    change = rename_with_links(desk.store, "build.md", "tools/bun.md", origin=PERSON)
    assert (change.op, change.path, change.old_path) == ("rename", "tools/bun.md", "build.md")
    assert "Of [[bun]], [[Build]], [b](tools/bun.md#x) and `[[build]]`." in desk.store.read("tests.md").text
    assert "Runs [b](../tools/bun.md), also [b](tools/bun.md)." in desk.store.read("sub/ci.md").text
    assert "See [[tests]] and [t](../tests.md)." in desk.store.read("tools/bun.md").text
    assert desk.store.read("plain.md").data == before["plain.md"]
    assert "[Build](tools/bun.md)" in desk.index()
    assert {link.source for link in backlinks(desk.store, "tools/bun.md")} == {"tests.md", "sub/ci.md"}
    assert {one.group for one in seen} == {change.group} != {""}
    assert {one.path for one in seen} == {"tools/bun.md", "tests.md", "sub/ci.md"}
    desk.store.undo()
    assert tree(desk.root) == before


def test_an_undone_rename_is_done_again_by_undoing_the_undo(desk: Desk) -> None:
    linked(desk)
    rename_with_links(desk.store, "build.md", "bun.md", origin=PERSON)
    after = tree(desk.root)
    undone = desk.store.undo()
    desk.store.undo(undone.id)
    assert tree(desk.root) == after


def test_the_encoding_of_a_file_with_links_stays(desk: Desk) -> None:
    (desk.root / "wide.md").write_bytes(b"\xff\xfe" + "看 [[build]] 好\r\n".encode("utf-16-le"))
    (desk.root / "bom.md").write_bytes(b"\xef\xbb\xbfsee [[build]]\r\n")
    (desk.root / "odd.md").write_bytes(b"\xff\xfd see [[build]] \xe4\n")
    desk.add("build.md", "x", name="The build")
    rename_with_links(desk.store, "build.md", "构建.md", origin=PERSON)
    assert desk.store.read("wide.md").data == b"\xff\xfe" + "看 [[构建]] 好\r\n".encode("utf-16-le")
    assert desk.store.read("bom.md").data == b"\xef\xbb\xbfsee [[\xe6\x9e\x84\xe5\xbb\xba]]\r\n"
    assert desk.store.read("odd.md").data == b"\xff\xfd see [[\xe6\x9e\x84\xe5\xbb\xba]] \xe4\n"


def test_a_rename_is_refused_where_it_must_be(desk: Desk) -> None:
    linked(desk)
    before = tree(desk.root)
    with pytest.raises(ConflictError, match="exists already"):
        rename_with_links(desk.store, "build.md", "tests.md", origin=PERSON)
    with pytest.raises(ConflictError, match="spelling"):
        rename_with_links(desk.store, "build.md", "TESTS.md", origin=PERSON)
    with pytest.raises(NotFoundError):
        rename_with_links(desk.store, "gone.md", "new.md", origin=PERSON)
    for new in ("../out.md", "x.txt", ".git/x.md", "a/../../x.md"):
        with pytest.raises(RefusedError):
            rename_with_links(desk.store, "build.md", new, origin=MAIN)
    desk.state = WRITE_OFF
    with pytest.raises(RefusedError):
        rename_with_links(desk.store, "build.md", "new.md", origin=MAIN)
    assert tree(desk.root) == before


def test_only_the_case_of_a_name_can_change(desk: Desk) -> None:
    desk.add("build.md", "x")
    rename_with_links(desk.store, "build.md", "Build.md", origin=PERSON)
    assert sorted(path.name for path in desk.root.iterdir()) == ["Build.md", "MEMORY.md"]
    assert "(Build.md)" in desk.index()


def test_a_rename_that_fails_in_the_middle_leaves_everything_as_it_was(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the files with links cannot be written: the rename is taken back, and so are the links that had followed."""
    linked(desk)
    before = tree(desk.root)
    seen: list[str] = []

    def failing(root: Path, relative: str, data: bytes, *, create: bool = True) -> None:
        seen.append(relative)
        if relative == "tests.md" and b"](bun.md" in data:
            raise StorageError("disk full")
        write_beneath(root, relative, data, create=create)

    with monkeypatch.context() as patch:
        patch.setattr(steps, "write_beneath", failing)
        with pytest.raises(StorageError, match="disk full"):
            rename_with_links(desk.store, "build.md", "bun.md", origin=PERSON)
    assert "tests.md" in seen
    assert tree(desk.root) == before


# another root


def test_a_memory_moves_to_another_root_and_back_in_one_step(desk: Desk) -> None:
    desk.add("keep.md", "stays here")
    desk.add("habit.md", "always answer in Chinese")
    user = user_store(desk)
    before, index = tree(desk.root), desk.index()
    change = move_between(desk.store, user, "habit.md", "habits/language.md", origin=PERSON)
    assert user.read("habits/language.md").data == before["habit.md"]
    assert not (desk.root / "habit.md").exists()
    assert "habit.md" not in desk.index()
    assert change.path == "habits/language.md"
    assert [one.group for one in (desk.store.changes()[0], user.changes()[0])] == [change.group] * 2
    undo_move(desk.store, user, change)
    assert tree(desk.root) == before
    assert desk.index() == index
    assert tree(user.root) == {}
    with pytest.raises(ConflictError, match="already undone"):
        undo_move(desk.store, user, change)


def test_an_undo_of_a_move_never_overwrites(desk: Desk) -> None:
    desk.add("a.md", "moved")
    user = user_store(desk)
    change = move_between(desk.store, user, "a.md", origin=PERSON)
    desk.add("a.md", "a new one", name="new")
    with pytest.raises(ConflictError, match="exists already"):
        undo_move(desk.store, user, change)
    desk.store.delete("a.md", origin=PERSON)
    user.write("a.md", "changed since\n", base_digest=user.read("a.md").digest, origin=PERSON)
    with pytest.raises(ConflictError, match="changed again"):
        undo_move(desk.store, user, change)
    with pytest.raises(NotFoundError):
        undo_move(desk.store, user, "move_nothing")
    assert user.read("a.md").text == "changed since\n"


def test_a_move_is_refused_where_it_must_be(desk: Desk) -> None:
    desk.add("a.md", "x")
    user = user_store(desk)
    user.write("a.md", "there already\n", base_digest=None, origin=PERSON)
    before = tree(desk.root)
    with pytest.raises(ConflictError, match="exists already"):
        move_between(desk.store, user, "a.md", origin=PERSON)
    with pytest.raises(RefusedError):
        move_between(desk.store, user, "MEMORY.md", "b.md", origin=PERSON)
    with pytest.raises(NotFoundError):
        move_between(desk.store, user, "gone.md", origin=PERSON)
    for origin in (MAIN, EXTRACTOR):
        with pytest.raises(RefusedError):
            move_between(desk.store, user, "a.md", "free.md", origin=origin)
    single = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=workspace_root(desk.project.folder))
    with pytest.raises(RefusedError):
        move_between(desk.store, single, "a.md", origin=PERSON)
    foreign = MemoryStore(
        desk.project, desk.paths, desk.clock, lambda: desk.state, root=foreign_root("other", "Other", desk.paths.data / "foreign")
    )
    for pair in ((desk.store, foreign), (foreign, desk.store)):
        with pytest.raises(RefusedError):
            move_between(*pair, "a.md", "free.md", origin=PERSON)
    assert tree(desk.root) == before
    assert tree(user.root) == {"a.md": b"there already\n"}


def test_moving_within_one_root_is_a_rename_and_two_names_of_one_folder_are_told(desk: Desk) -> None:
    desk.add("a.md", "x")
    assert move_between(desk.store, desk.store, "a.md", "b.md", origin=PERSON).op == "rename"
    from dataclasses import replace

    twin = MemoryStore(
        desk.project, desk.paths, desk.clock, lambda: desk.state, root=replace(user_root(desk.paths), folder=desk.root, key="twin")
    )
    with pytest.raises(UsageError, match="same folder"):
        move_between(desk.store, twin, "b.md", "c.md", origin=PERSON)


def test_moves_against_each_other_never_wait_for_each_other(desk: Desk) -> None:
    user = user_store(desk)
    for number in range(6):
        desk.add(f"p{number}.md", f"project fact {number}")
        user.write(f"u{number}.md", f"user fact {number}\n", base_digest=None, origin=PERSON)
    failures: list[Exception] = []

    def run(source: MemoryStore, target: MemoryStore, letter: str) -> None:
        try:
            for number in range(6):
                move_between(source, target, f"{letter}{number}.md", origin=PERSON)
        except Exception as error:  # noqa: BLE001 - shown below
            failures.append(error)

    threads = [threading.Thread(target=run, args=args) for args in ((desk.store, user, "p"), (user, desk.store, "u"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert {path for path in tree(user.root) if path != "MEMORY.md"} == {f"p{n}.md" for n in range(6)}
    assert {path for path in tree(desk.root) if path != "MEMORY.md"} == {f"u{n}.md" for n in range(6)}


def test_a_move_that_was_killed_between_the_two_halves_is_finished_by_the_next_start(desk: Desk) -> None:
    desk.add("a.md", "one")
    data = desk.store.read("a.md").data
    user = user_store(desk)
    group = "move_interrupted"
    act = Departure("a.md", desk.store.read("a.md").digest, user.memory_root.key, "a.md", group)
    desk.store.pending.note(group, act)
    with user.exclusive(group=group) as there:
        there.apply("a.md", None, data, "write", PERSON)
    fresh = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state)
    fresh.finish_left_over()
    assert not (desk.root / "a.md").exists()
    assert "a.md" not in desk.index()
    assert user.read("a.md").data == data
    assert not fresh.pending.there
    change = next(one for one in user.changes() if one.group == group)
    undo_move(fresh, user, change)
    assert (desk.root / "a.md").read_bytes() == data


def test_a_move_that_was_killed_before_it_arrived_leaves_the_memory_where_it_was(desk: Desk) -> None:
    desk.add("a.md", "one")
    before = tree(desk.root)
    act = Departure("a.md", desk.store.read("a.md").digest, "global", "a.md", "move_interrupted")
    desk.store.pending.note("move_interrupted", act)
    MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state).finish_left_over()
    assert tree(desk.root) == before
    assert not desk.store.pending.there


_KILLED = """
import os, sys
from pathlib import Path
from desktop.base import beneath
from desktop.memory import pending, steps
from tests.unit.memory.conftest import PERSON, make_desk
from tests.unit.memory.test_moving import user_store
from desktop.memory.archive import import_memory
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.purge import purge

what, base, limit = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
from tests.unit.memory.test_moving import reopened
desk = reopened(base)
count = 0
def counted(function):
    def run(*args, **kwargs):
        global count
        count += 1
        if count > limit:
            os._exit(9)
        return function(*args, **kwargs)
    return run
for name in ("replace", "unlink", "fsync", "write", "open", "rmdir"):
    setattr(os, name, counted(getattr(os, name)))
if what == "move":
    move_between(desk.store, user_store(desk), "build.md", "bun.md", origin=PERSON)
elif what == "purge":
    purge(desk.store, "build.md", origin=PERSON)
elif what == "import":
    import_memory(desk.store, base / "in.zip", origin=PERSON, on_conflict="replace")
else:
    rename_with_links(desk.store, "build.md", "tools/bun.md", origin=PERSON)
os._exit(0)
"""


def reopened(base: Path) -> Desk:
    """The desk of another process over the same profile."""
    from desktop.memory.identity import resolve_project
    from tests.helpers.clock import FixedClock
    from tests.unit.memory.conftest import make_paths

    paths = make_paths(base)
    project = resolve_project(base / "work" / "项目 alpha", paths)
    desk = Desk(paths, project, FixedClock(step_s=1.0), None)  # type: ignore[arg-type]
    desk.store = MemoryStore(project, paths, desk.clock, lambda: desk.state)
    return desk


def _killed_at(base: Path, what: str, limit: int) -> int:
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", _KILLED, what, str(base), str(limit)], cwd=root, check=False, capture_output=True)
    assert done.returncode in (0, 9), done.stderr.decode()
    return done.returncode


def _kill_everywhere(tmp_path: Path, what: str, step: int) -> None:
    limit, ended, points = step, False, 0
    while not ended:
        base = tmp_path / f"{what}-{limit}"
        desk = make_desk(base)
        old = linked(desk)
        (base / "in.zip").write_bytes(_archive())
        ended = _killed_at(base, what, limit) == 0
        points += 1
        later = reopened(base)
        user = user_store(later)
        for store in (user, later.store, user, later.store):
            store.finish_left_over()
        here = {path: data for path, data in tree(later.root).items() if path.endswith(".md")}
        there = {path: data for path, data in tree(user.root).items() if path.endswith(".md")}
        _CHECKS[what](old, here, there, base, limit)
        limit += step
    print(what, "points", points)


def _archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in ("build.md", "fresh.md", "sub/fresh.md"):
            archive.writestr(path, f"imported {path}\n")
    return stream.getvalue()


Tree = dict[str, bytes]


def _check_move(old: Tree, here: Tree, there: Tree, base: Path, limit: int) -> None:
    moved = "bun.md" in there
    assert moved is not ("build.md" in here), (limit, sorted(here), sorted(there))
    if not moved:
        assert here == old, limit
        return
    assert there["bun.md"] == old["build.md"]
    assert b"](build.md)" not in here["MEMORY.md"], limit
    assert here["tests.md"] == old["tests.md"]


def _check_rename(old: Tree, here: Tree, there: Tree, base: Path, limit: int) -> None:
    moved = "tools/bun.md" in here
    assert moved is not ("build.md" in here), (limit, sorted(here))
    if not moved:
        assert here == old, limit
        return
    assert b"[[bun]]" in here["tests.md"], limit
    assert b"(tools/bun.md)" in here["MEMORY.md"], limit


def _check_import(old: Tree, here: Tree, there: Tree, base: Path, limit: int) -> None:
    if "fresh.md" not in here:
        assert here == old, limit
        return
    assert {path: here[path] for path in ("build.md", "fresh.md", "sub/fresh.md")} == {
        path: f"imported {path}\n".encode() for path in ("build.md", "fresh.md", "sub/fresh.md")
    }, limit
    assert b"fresh.md" in here["MEMORY.md"], limit


def _check_purge(old: Tree, here: Tree, there: Tree, base: Path, limit: int) -> None:
    """The memory is there, or in the trash (nothing was decided yet, and it can be asked for again), or there is no trace of it."""
    rest = {path: data for path, data in old.items() if path not in ("build.md", "MEMORY.md")}
    assert {path: data for path, data in here.items() if path in rest} == rest, limit
    if "build.md" in here:
        assert here == old, limit
        return
    assert b"](build.md)" not in here["MEMORY.md"], limit
    later = reopened(base)
    if not list_trash(later.store):
        later.store.forget_caches()
        assert not [file for file in later.paths.data.rglob("*") if file.is_file() and b"Only the build says this" in file.read_bytes()], (
            limit
        )


_CHECKS = {"move": _check_move, "rename": _check_rename, "import": _check_import, "purge": _check_purge}


@pytest.mark.parametrize("what", list(_CHECKS))
def test_a_kill_at_any_call_leaves_the_old_state_or_the_new_one(tmp_path: Path, what: str) -> None:
    _kill_everywhere(tmp_path, what, 31)


@pytest.mark.full
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("what", list(_CHECKS))
def test_a_kill_at_every_single_call_leaves_the_old_state_or_the_new_one(tmp_path: Path, what: str) -> None:
    _kill_everywhere(tmp_path, what, 1)


# the pin

HEADERS = [
    "---\nname: x\nmetadata:\n  type: user\n---\nbody\n",
    "---\r\nname: x\r\nmetadata:\r\n  type: user\r\n---\r\nbody\r\n",
    "---\nname: x\nmetadata: {type: user, tags: [a, b]}\n---\nbody\n",
    "---\nname: x\nmetadata: {}\n---\nbody\n",
    "---\nname: x # a comment\n---\n",
    "---\n---\nbody",
    "body without a header\n",
    "",
    "---\nname: x\npinned: false\n---\nb\n",
    "---\nname: x\nmetadata:\n  pinned: no # not yet\n  type: user\n---\nb\n",
    "---\nname: x\npinned:\n---\nb\n",
    "\ufeff---\nname: 名\nmetadata:\n    type: user\n---\n正文\n",
]


@pytest.mark.parametrize("text", HEADERS)
def test_a_pin_changes_one_value_and_nothing_else(text: str) -> None:
    data = text.encode()
    on = pinned_bytes(data, True)
    assert on is not None
    before, after = parse(data), parse(on)
    assert after.field("pinned") is True
    assert (after.name, after.type, after.bom) == (before.name, before.type, before.bom)
    assert after.body.strip("\r\n") == before.body.strip("\r\n")
    assert pinned_bytes(on, True) == on
    off = pinned_bytes(on, False)
    assert off is not None
    assert parse(off).field("pinned") is not True
    assert parse(off).body == after.body
    assert pinned_bytes(data, False) == data


@pytest.mark.parametrize(
    "text", ['---\nname: "a "b" c"\nmetadata:\n  type: user\n---\nb', "---\nname: x\n", "---\nmetadata: |\n  text\n---\nb"]
)
def test_a_header_that_is_not_understood_is_not_touched(text: str, desk: Desk) -> None:
    assert pinned_bytes(text.encode(), True) is None
    (desk.root / "a.md").write_text(text)
    with pytest.raises(UsageError, match=r"a\.md"):
        set_pinned(desk.store, "a.md", True, origin=PERSON)
    assert (desk.root / "a.md").read_text() == text


def test_a_pin_is_a_change_like_any_other(desk: Desk) -> None:
    desk.store.write("a.md", note_text("a", "x"), base_digest=None, origin=MAIN)
    data, index = desk.store.read("a.md").data, desk.index()
    change = set_pinned(desk.store, "a.md", True, origin=PERSON)
    assert desk.store.notes()[0].pinned
    assert desk.store.notes()[0].modified == parse_time(data)
    assert desk.index() == index
    assert not set_pinned(desk.store, "a.md", True, origin=PERSON).changed
    desk.store.undo(change.id)
    assert desk.store.read("a.md").data == data
    with pytest.raises(UsageError, match=r"MEMORY\.md"):
        set_pinned(desk.store, "MEMORY.md", True, origin=PERSON)
    desk.state = WRITE_OFF
    with pytest.raises(RefusedError):
        set_pinned(desk.store, "a.md", True, origin=MAIN)


def parse_time(data: bytes) -> object:
    from desktop.base.clock import parse_iso

    return parse_iso(str(parse(data).field("modified")))
