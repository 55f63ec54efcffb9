"""Renamed, moved, copied and lost folders: whose memory is whose, and nothing is ever mixed or offered wrongly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, NotFoundError, UsageError
from desktop.base.paths import AppPaths
from desktop.memory.identity import Project, ensure_project, keys_of, list_projects, read_project_file, resolve_project, set_memory_switch
from desktop.memory.project_file import read_redirect
from desktop.memory.relink import adopt, decline, find_moved, mismatch, orphans, relink, strays, undo_adopt, undo_relink
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import memory_state
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import ON, make_paths, note_text
from tests.unit.memory.git import git, needs_git, repository

PERSON = ChangeOrigin("person")


@dataclass
class World:
    """A profile and a place for folders."""

    base: Path
    clock: FixedClock = field(default_factory=lambda: FixedClock(step_s=1.0))
    strategy: str = "git-root"

    @property
    def paths(self) -> AppPaths:
        return make_paths(self.base)

    def open(self, name: str, *, strategy: str = "") -> Project:
        """What opening the folder does."""
        project = resolve_project(self.base / name, self.paths, strategy=strategy or self.strategy)
        return ensure_project(project, self.clock)

    def store(self, project: Project) -> MemoryStore:
        return MemoryStore(project, self.paths, self.clock, lambda: ON)

    def remember(self, project: Project, path: str = "fact.md", body: str = "We build with bun.") -> None:
        self.store(project).write(path, note_text(path.removesuffix(".md"), body), base_digest=None, origin=PERSON)

    def plain(self, name: str) -> Path:
        (self.base / name).mkdir(parents=True)
        return self.base / name

    def move(self, old: str, new: str) -> None:
        (self.base / new).parent.mkdir(parents=True, exist_ok=True)
        (self.base / old).rename(self.base / new)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


# recognised


def test_a_renamed_plain_folder_is_recognised_and_gets_its_memory_back(world: World) -> None:
    world.plain("t/老项目")
    old = world.open("t/老项目")
    world.remember(old)
    sessions = world.paths.sessions / old.key
    world.move("t/老项目", "t/新项目")
    new = world.open("t/新项目")
    assert new.key != old.key
    (found,) = find_moved(new, world.paths)
    assert (found.project.key, found.reason, found.notes) == (old.key, "folder", 1)
    assert old.source in found.detail
    linked = relink(new, old.key, world.paths, world.clock)
    assert (linked.key, linked.memory_root, linked.label) == (old.key, old.memory_root, "新项目")
    again = world.open("t/新项目")
    assert again.key == old.key
    assert mismatch(again) == ""
    assert find_moved(again, world.paths) == ()
    assert [note.path for note in world.store(again).notes()] == ["fact.md"]
    assert world.paths.sessions / again.key == sessions
    assert keys_of(again) == (old.key, new.key)
    assert [one.key for one in list_projects(world.paths)] == [old.key]
    assert list_projects(world.paths)[0].source == new.source


@needs_git
@pytest.mark.parametrize("remote", ["", "https://example.org/me/alpha.git"])
def test_a_moved_repository_is_recognised_by_its_first_commit_and_remote(world: World, remote: str) -> None:
    repository(world.base / "t/alpha", remote=remote)
    old = world.open("t/alpha")
    world.remember(old)
    shutil.copytree(world.base / "t/alpha", world.base / "elsewhere/beta", symlinks=True)
    shutil.rmtree(world.base / "t/alpha")
    (found,) = find_moved(world.open("elsewhere/beta"), world.paths)
    assert (found.project.key, found.reason) == (old.key, "git-history")


@needs_git
def test_a_fork_with_another_remote_is_not_the_same(world: World) -> None:
    repository(world.base / "a", remote="https://example.org/one.git")
    world.remember(world.open("a"))
    git(world.base, "clone", str(world.base / "a"), "b")
    git(world.base / "b", "remote", "set-url", "origin", "https://example.org/two.git")
    shutil.rmtree(world.base / "a")
    assert find_moved(world.open("b"), world.paths) == ()
    git(world.base / "b", "remote", "set-url", "origin", "ssh://git@example.org/one")
    assert [one.reason for one in find_moved(world.open("b"), world.paths)] == ["git-history"]


@needs_git
def test_a_repository_with_an_id_is_recognised_by_it_whatever_became_of_its_history(world: World) -> None:
    repository(world.base / "a")
    world.open("a", strategy="git-id")
    old = world.open("a")
    world.remember(old)
    shutil.copytree(world.base / "a", world.base / "b")
    git(world.base / "b", "commit", "--amend", "-m", "another first commit")
    shutil.rmtree(world.base / "a")
    (found,) = find_moved(world.open("b"), world.paths)
    assert (found.project.key, found.reason) == (old.key, "git-id")


@needs_git
def test_a_parent_folder_that_was_renamed_takes_its_projects_along_and_mixes_none(world: World) -> None:
    repository(world.base / "work/a")
    world.plain("work/b")
    first, second = world.open("work/a"), world.open("work/b")
    world.remember(first)
    world.remember(second)
    world.move("work", "arbeit")
    assert [one.project.key for one in find_moved(world.open("arbeit/a"), world.paths)] == [first.key]
    assert [one.project.key for one in find_moved(world.open("arbeit/b"), world.paths)] == [second.key]


@needs_git
def test_parts_of_one_repository_are_not_taken_for_each_other(world: World) -> None:
    world.strategy = "workspace"
    repository(world.base / "mono")
    for name in ("a", "b"):
        world.plain(f"mono/packages/{name}")
    first = world.open("mono/packages/a")
    world.remember(first)
    shutil.rmtree(world.base / "mono/packages/a")
    assert find_moved(world.open("mono/packages/b"), world.paths) == ()
    world.plain("mono/packages/a")
    shutil.copytree(world.base / "mono", world.base / "poly")
    shutil.rmtree(world.base / "mono")
    assert find_moved(world.open("poly/packages/b"), world.paths) == ()
    assert [one.project.key for one in find_moved(world.open("poly/packages/a"), world.paths)] == [first.key]


# never offered


@needs_git
def test_a_copy_or_second_clone_of_what_still_exists_is_never_offered(world: World) -> None:
    repository(world.base / "a")
    world.plain("p")
    world.remember(world.open("a"))
    world.remember(world.open("p"))
    shutil.copytree(world.base / "a", world.base / "b")
    git(world.base, "clone", str(world.base / "a"), "c")
    shutil.copytree(world.base / "p", world.base / "q")
    for name in ("b", "c", "q"):
        project = world.open(name)
        assert find_moved(project, world.paths) == (), name
        for other in list_projects(world.paths):
            if other.key != project.key and other.source in (str(world.base / "a"), str(world.base / "p")):
                with pytest.raises(UsageError, match="still exists"):
                    relink(project, other.key, world.paths, world.clock)


def test_a_folder_with_memory_of_its_own_is_not_asked_and_not_relinked(world: World) -> None:
    world.plain("a")
    old = world.open("a")
    world.remember(old)
    world.move("a", "b")
    new = world.open("b")
    world.remember(new, "own.md")
    assert find_moved(new, world.paths) == ()
    with pytest.raises(UsageError, match="of its own"):
        relink(new, old.key, world.paths, world.clock)


@needs_git
def test_a_number_that_the_disk_gave_to_another_repository_proves_nothing(world: World) -> None:
    repository(world.base / "a")
    old = world.open("a")
    world.remember(old)
    shutil.rmtree(world.base / "a")
    repository(world.base / "b")
    new = world.open("b")
    numbers = read_project_file(new).data["folder"]
    data = json.loads(old.project_file.read_text())
    old.project_file.write_text(json.dumps(data | {"folder": numbers}))
    assert find_moved(new, world.paths) == ()


def test_a_decline_is_remembered(world: World) -> None:
    world.plain("a")
    world.remember(world.open("a"))
    world.move("a", "b")
    new = world.open("b")
    assert find_moved(new, world.paths)
    decline(new, world.clock)
    assert find_moved(world.open("b"), world.paths) == ()
    assert read_project_file(new).data["source"] == new.source


def test_a_place_that_may_not_be_looked_at_counts_as_there(world: World) -> None:
    """On a disk that is not mounted nothing can be told; a path behind a file or a missing folder is gone."""
    world.plain("a")
    old = world.open("a")
    world.remember(old)
    world.move("a", "b")
    new = world.open("b")
    data = json.loads(old.project_file.read_text())
    for source, gone in ((str(world.base / "x\0y"), False), ("/" + "n" * 300, False), (str(world.base / "b/f/x"), True)):
        old.project_file.write_text(json.dumps(data | {"source": source}))
        assert bool(find_moved(new, world.paths)) is gone, source


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": 99}', '{"schema": 1}', '{"schema": 1, "folder": 3, "git": [], "source": 5}'])
def test_damaged_project_files_are_never_candidates_and_hide_no_other(world: World, text: str) -> None:
    world.plain("a")
    world.plain("c")
    damaged, old = world.open("c"), world.open("a")
    world.remember(old)
    world.remember(damaged)
    damaged.project_file.write_text(text)
    world.move("a", "b")
    assert [one.project.key for one in find_moved(world.open("b"), world.paths)] == [old.key]


# relinking


def test_moved_twice_and_back_again_the_memory_is_always_the_same(world: World) -> None:
    world.plain("one")
    first = world.open("one")
    world.remember(first)
    for old, new in (("one", "two"), ("two", "three")):
        world.move(old, new)
        assert relink(world.open(new), first.key, world.paths, world.clock).key == first.key
    world.move("three", "one")
    back = world.open("one")
    assert (back.key, mismatch(back)) == (first.key, "")
    assert read_project_file(back).source == back.source
    assert [note.path for note in world.store(back).notes()] == ["fact.md"]
    world.move("one", "two")
    again = world.open("two")
    assert (again.key, mismatch(again)) == (first.key, "")


def test_a_new_folder_at_a_place_that_memory_moved_away_from_starts_with_its_own(world: World) -> None:
    world.plain("app")
    first = world.open("app")
    world.remember(first)
    for old, new in (("app", "app-2"), ("app-2", "app-3")):
        world.move(old, new)
        assert relink(world.open(new), first.key, world.paths, world.clock).key == first.key
    for name in ("app", "app-2"):
        world.plain(name)
        fresh = world.open(name)
        assert fresh.key != first.key
        assert mismatch(fresh) == ""
        assert world.store(fresh).notes() == []
        world.remember(fresh, "own.md", f"a fact of {name}")
        assert world.open(name).key == fresh.key
        assert find_moved(world.open(name), world.paths) == ()
        assert fresh.key not in keys_of(world.open("app-3"))
    assert [note.path for note in world.store(world.open("app-3")).notes()] == ["fact.md"]
    assert len({one.key for one in list_projects(world.paths)}) == 3
    assert orphans(world.paths) == ()


def test_an_off_switch_of_either_side_holds_after_relinking(world: World) -> None:
    for number, side in enumerate(("old", "new")):
        world.plain(f"a{number}")
        old = world.open(f"a{number}")
        world.remember(old)
        world.move(f"a{number}", f"b{number}")
        new = world.open(f"b{number}")
        set_memory_switch(old if side == "old" else new, False, world.clock)
        assert read_project_file(relink(new, old.key, world.paths, world.clock)).switch is False


def test_relinking_is_taken_back_in_one_step(world: World) -> None:
    world.plain("a")
    old = world.open("a")
    world.remember(old)
    world.move("a", "b")
    new = world.open("b")
    linked = relink(new, old.key, world.paths, world.clock)
    assert undo_relink(linked, world.paths, world.clock).key == new.key
    assert [one.key for one in orphans(world.paths)] == [old.key]
    assert [one.project.key for one in find_moved(world.open("b"), world.paths)] == [old.key]
    with pytest.raises(NotFoundError):
        undo_relink(world.open("b"), world.paths, world.clock)


def test_a_redirect_that_the_other_end_does_not_confirm_turns_memory_off_instead_of_starting_anew(world: World) -> None:
    world.plain("a")
    old = world.open("a")
    world.remember(old)
    world.move("a", "b")
    new = world.open("b")
    relink(new, old.key, world.paths, world.clock)
    kept = old.project_file.read_bytes()
    old.project_file.write_text("{")
    project = world.open("b")
    assert project.key == new.key
    assert old.key in mismatch(project)
    assert read_redirect(new.home) == old.key
    old.project_file.write_bytes(kept)
    assert (world.open("b").key, mismatch(world.open("b"))) == (old.key, "")


def test_an_unknown_key_cannot_be_relinked(world: World) -> None:
    world.plain("a")
    for key in ("nothing-0123456789abcdef", "../x", ""):
        with pytest.raises(NotFoundError):
            relink(world.open("a"), key, world.paths, world.clock)


def test_a_crash_between_the_two_ends_is_asked_again(world: World) -> None:
    """The earlier project is changed first; without the other end the folder is simply recognised once more."""
    world.plain("a")
    old = world.open("a")
    world.remember(old)
    world.move("a", "b")
    new = world.open("b")
    relink(new, old.key, world.paths, world.clock)
    (new.home / "redirect.json").unlink()
    assert [one.project.key for one in find_moved(world.open("b"), world.paths)] == [old.key]
    assert relink(world.open("b"), old.key, world.paths, world.clock).key == old.key


# mismatch


def state(world: World, project: Project) -> tuple[bool, str]:
    settings = SettingsStore(world.paths)
    settings.load()
    found = memory_state(settings, project, environ={})
    return found.enabled, found.switch


def test_a_home_that_belongs_to_another_folder_is_never_used(world: World) -> None:
    world.plain("a")
    world.plain("b")
    project = world.open("a")
    world.remember(project)
    data = json.loads(project.project_file.read_text())
    for other in (str(world.base / "b"), "/gone/long/ago"):
        project.project_file.write_text(json.dumps(data | {"source": other}))
        before = project.project_file.read_bytes()
        told = mismatch(world.open("a"))
        assert other in told
        assert f"keepsake memory relink {project.key}" in told
        assert state(world, project) == (False, "identity")
        assert project.project_file.read_bytes() == before
    assert relink(project, project.key, world.paths, world.clock).key == project.key
    assert mismatch(world.open("a")) == ""
    assert state(world, world.open("a")) == (True, "")


@needs_git
def test_another_repository_at_the_same_path_does_not_get_the_memory(world: World) -> None:
    repository(world.base / "a", text="one")
    project = world.open("a")
    world.remember(project)
    (world.base / "a").rename(world.base / "away")
    repository(world.base / "a", text="two")
    told = mismatch(world.open("a"))
    assert "first commit" in told
    assert state(world, project) == (False, "identity")
    shutil.rmtree(world.base / "a")
    git(world.base, "clone", str(world.base / "away"), "a")
    assert mismatch(world.open("a")) == ""
    assert state(world, world.open("a")) == (True, "")


@needs_git
def test_b49_git_that_comes_goes_and_starts_anew_in_one_folder_is_no_mismatch(world: World) -> None:
    world.plain("a")
    project = world.open("a")
    world.remember(project)
    for _ in range(2):
        git(world.base / "a", "init")
        assert mismatch(world.open("a")) == ""
        (world.base / "a" / "f").write_text("x")
        git(world.base / "a", "add", ".")
        git(world.base / "a", "commit", "-m", "first")
        assert mismatch(world.open("a")) == ""
        shutil.rmtree(world.base / "a" / ".git")
        assert (world.open("a").key, mismatch(world.open("a"))) == (project.key, "")


# git-id


@needs_git
def test_an_id_is_made_when_a_workspace_is_opened_and_never_by_resolving(world: World) -> None:
    root = repository(world.base / "a")
    before = resolve_project(root, world.paths, strategy="git-id")
    assert not (root / ".git" / "keepsake-project-id").exists()
    opened = world.open("a", strategy="git-id")
    assert (root / ".git" / "keepsake-project-id").exists()
    assert opened.git_id
    assert opened.key != before.key
    assert opened.key == resolve_project(root, world.paths, strategy="git-id").key
    assert before.home.exists() is False


@needs_git
def test_by_its_id_a_repository_keeps_its_memory_through_rename_move_subfolder_and_worktree(world: World) -> None:
    world.strategy = "git-id"
    repository(world.base / "a")
    (world.base / "a" / "sub").mkdir()
    first = world.open("a")
    world.remember(first)
    git(world.base / "a", "worktree", "add", str(world.base / "tree"), "-b", "side")
    assert world.open("a/sub").key == world.open("tree").key == first.key
    git(world.base / "a", "worktree", "remove", str(world.base / "tree"))
    world.move("a", "deep/完全 anders")
    moved = world.open("deep/完全 anders")
    assert (moved.key, moved.label, mismatch(moved)) == (first.key, "完全 anders", "")
    assert read_project_file(moved).source == moved.source
    assert [note.path for note in world.store(moved).notes()] == ["fact.md"]


@needs_git
def test_two_live_copies_with_one_id_are_never_pooled(world: World) -> None:
    world.strategy = "git-id"
    repository(world.base / "a")
    first = world.open("a")
    world.remember(first)
    shutil.copytree(world.base / "a", world.base / "b")
    copy = world.open("b")
    told = mismatch(copy)
    assert str(world.base / "a") in told
    assert "keepsake-project-id" in told
    assert state(world, copy) == (False, "identity")
    assert (mismatch(world.open("a")), read_project_file(first).source) == ("", first.source)
    (world.base / "b/.git/keepsake-project-id").unlink()
    own = world.open("b")
    assert own.key != first.key
    assert mismatch(own) == ""
    assert find_moved(own, world.paths) == ()


@needs_git
def test_a_damaged_id_turns_memory_off_and_a_new_one_can_be_relinked(world: World) -> None:
    world.strategy = "git-id"
    root = repository(world.base / "a")
    first = world.open("a")
    world.remember(first)
    file = root / ".git" / "keepsake-project-id"
    kept = file.read_bytes()
    file.write_text("rubbish")
    damaged = world.open("a")
    assert str(file) in mismatch(damaged)
    assert damaged.notice
    assert state(world, damaged) == (False, "identity")
    file.write_bytes(kept)
    assert (world.open("a").key, mismatch(world.open("a"))) == (first.key, "")
    file.unlink()
    fresh = world.open("a")
    (found,) = find_moved(fresh, world.paths)
    assert relink(fresh, found.project.key, world.paths, world.clock).key == first.key
    assert mismatch(world.open("a")) == ""


@needs_git
def test_a_copy_of_a_relinked_repository_with_an_id_is_not_pooled_either(world: World) -> None:
    repository(world.base / "a")
    old = world.open("a")
    world.remember(old)
    world.strategy = "git-id"
    assert relink(world.open("a"), old.key, world.paths, world.clock).key == old.key
    shutil.copytree(world.base / "a", world.base / "b")
    copy = world.open("b")
    assert copy.memory_root != old.memory_root
    assert str(world.base / "a") in mismatch(copy)
    assert (world.open("a").key, mismatch(world.open("a"))) == (old.key, "")
    shutil.rmtree(world.base / "a")
    assert (world.open("b").key, mismatch(world.open("b"))) == (old.key, "")


@needs_git
def test_a_bare_repository_falls_back_to_its_path_and_says_so(world: World) -> None:
    repository(world.base / "a")
    git(world.base, "clone", "--bare", "a", "store.git")
    project = world.open("store.git", strategy="git-id")
    assert project.key == resolve_project(world.base / "store.git", world.paths).key
    assert "path" in project.notice
    assert mismatch(project) == ""


@needs_git
def test_a_git_folder_that_cannot_be_written_falls_back_and_says_so(world: World) -> None:
    root = repository(world.base / "a")
    code = (
        "import sys; from pathlib import Path\n"
        "from desktop.base.paths import AppPaths; from desktop.base.clock import SystemClock\n"
        "from desktop.memory.identity import ensure_project, resolve_project\n"
        "base = Path(sys.argv[1]); paths = AppPaths(base / 'data', base / 'config', base / 'cache')\n"
        "project = ensure_project(resolve_project(base / 'a', paths, strategy='git-id'), SystemClock())\n"
        "print(project.key); print(project.notice)\n"
    )
    command = [sys.executable, "-B", "-c", code, str(world.base)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", *command]
    for folder in (world.base, *world.base.parents):
        if folder.stat().st_uid == os.geteuid() and len(folder.parts) > 2:
            folder.chmod(0o755)
    (world.base / "data").mkdir()
    (world.base / "data").chmod(0o777)
    (root / ".git").chmod(0o555)
    environ = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(command, cwd=world.base, env=environ, capture_output=True, timeout=60)
    (root / ".git").chmod(0o755)
    if b"ModuleNotFoundError" in done.stderr or (done.returncode and b"setpriv" in done.stderr):
        pytest.skip("the interpreter cannot be run by another user here")
    assert done.returncode == 0, done.stderr
    key, notice = done.stdout.decode().splitlines()
    assert key == resolve_project(root, world.paths).key
    assert "keepsake-project-id" in notice
    assert "path" in notice


@needs_git
def test_another_setting_for_the_same_folder_offers_the_memory_it_had(world: World) -> None:
    repository(world.base / "a")
    old = world.open("a")
    world.remember(old)
    new = world.open("a", strategy="git-id")
    (found,) = find_moved(new, world.paths)
    assert (found.project.key, found.reason) == (old.key, "folder")
    assert relink(new, old.key, world.paths, world.clock).key == old.key
    assert world.open("a").key == old.key
    assert world.open("a", strategy="git-id").key == old.key
    assert mismatch(world.open("a", strategy="git-id")) == ""


# orphans, strays, adoption


def test_orphans_are_those_whose_folder_is_gone_and_that_hold_memory(world: World) -> None:
    for name in ("here", "gone", "empty"):
        world.plain(name)
        project = world.open(name)
        if name != "empty":
            world.remember(project)
    for name in ("gone", "empty"):
        (world.base / name).rmdir()
    assert [one.label for one in orphans(world.paths)] == ["gone"]


def test_adopting_moves_all_overwrites_nothing_and_is_undone_in_one_step(world: World) -> None:
    world.plain("old")
    world.plain("new")
    old, new = world.open("old"), world.open("new")
    source, store = world.store(old), world.store(new)
    world.remember(old, "same.md", "of the old one")
    world.remember(old, "deep/er.md", "nested")
    world.remember(old, "twin.md", "equal")
    odd = b"\xef\xbb\xbf---\r\nname: \xff odd\r\n---\r\nbody"
    (old.memory_root / "odd.md").write_bytes(odd)
    index = source.read("MEMORY.md")
    worded = index.text.replace("of the old one", "the model's own words") + "\nA line by hand.\n"
    source.write("MEMORY.md", worded, base_digest=index.digest, origin=PERSON)
    world.remember(new, "same.md", "of the new one")
    (new.memory_root / "twin.md").write_bytes((old.memory_root / "twin.md").read_bytes())
    before_old = {path.name: path.read_bytes() for path in old.memory_root.rglob("*.md")}
    before_new = {path.name: path.read_bytes() for path in new.memory_root.rglob("*.md")}
    shutil.rmtree(world.base / "old")
    report = adopt(old.key, new, world.paths, world.clock, store)
    assert dict(report.renamed) == {"same.md": "same-2.md", "MEMORY.md": "earlier-index.md"}
    assert (report.moved, report.left) == (5, ())
    assert (new.memory_root / "odd.md").read_bytes() == odd
    assert (new.memory_root / "same.md").read_bytes() == before_new["same.md"]
    assert (new.memory_root / "same-2.md").read_bytes() == before_old["same.md"]
    assert "[same](same-2.md)" in store.read("MEMORY.md").text
    assert "the model's own words" in store.read("MEMORY.md").text
    assert "A line by hand." in store.read("earlier-index.md").text
    assert store.read("MEMORY.md").text.count("twin.md") == 1
    assert orphans(world.paths) == ()
    assert all(change.origin.actor == "person" and old.key in change.origin.reason for change in store.changes(4))
    assert undo_adopt(report, old.key, world.paths, world.clock, store) == 5
    assert {path.name: path.read_bytes() for path in old.memory_root.rglob("*.md") if path.name != "MEMORY.md"} == {
        name: data for name, data in before_old.items() if name != "MEMORY.md"
    }
    assert {path.name for path in new.memory_root.rglob("*.md")} == set(before_new)
    assert (new.memory_root / "same.md").read_bytes() == before_new["same.md"]


def test_what_is_still_in_use_cannot_be_adopted(world: World) -> None:
    for name in ("a", "b"):
        world.plain(name)
        world.remember(world.open(name))
    into = world.open("b")
    with pytest.raises(UsageError, match="still exists"):
        adopt(world.open("a").key, into, world.paths, world.clock, world.store(into))
    with pytest.raises(UsageError, match="already"):
        adopt(into.key, into, world.paths, world.clock, world.store(into))
    with pytest.raises(NotFoundError):
        adopt("x-0123456789abcdef", into, world.paths, world.clock, world.store(into))


def test_an_adoption_after_which_something_changed_is_not_undone_by_halves(world: World) -> None:
    world.plain("a")
    world.plain("b")
    old, into = world.open("a"), world.open("b")
    world.remember(old, "one.md", "first fact")
    world.remember(old, "two.md", "second fact")
    shutil.rmtree(world.base / "a")
    store = world.store(into)
    report = adopt(old.key, into, world.paths, world.clock, store)
    read = store.read("one.md")
    store.write("one.md", read.text + "more\n", base_digest=read.digest, origin=PERSON)
    with pytest.raises(ConflictError):
        undo_adopt(report, old.key, world.paths, world.clock, store)
    assert {note.path for note in store.notes()} == {"one.md", "two.md"}


@needs_git
def test_w12_strays_of_worktrees_and_subfolders_are_found_and_adopted(world: World) -> None:
    root = repository(world.base / "a")
    (root / "sub").mkdir()
    git(root, "worktree", "add", str(world.base / "tree"), "-b", "side")
    git(root, "worktree", "add", str(world.base / "gone"), "-b", "other")
    for name, strategy in (("tree", "worktree"), ("gone", "worktree"), ("a/sub", "workspace")):
        world.remember(world.open(name, strategy=strategy), f"{name.replace('/', '-')}.md", f"fact of {name}")
    git(root, "worktree", "remove", "--force", str(world.base / "gone"))
    repository(world.base / "foreign")
    world.remember(world.open("foreign"))
    main = world.open("a")
    found = strays(main, world.paths)
    assert {one.label for one in found} == {"tree", "gone", "sub"}
    assert strays(world.open("a", strategy="worktree"), world.paths) == ()
    store = world.store(main)
    for one in found:
        assert adopt(one.key, main, world.paths, world.clock, store).moved == 1
    assert {note.path for note in store.notes()} == {"tree.md", "gone.md", "a-sub.md"}
    assert strays(main, world.paths) == ()


@needs_git
def test_check_4_every_way_into_one_repository_and_no_other(world: World) -> None:
    """Root, subfolder, worktree, linked path, moved folder; non-git twins stay apart. A renamed drive letter: see test_identity."""
    root = repository(world.base / "r")
    (root / "sub/deep").mkdir(parents=True)
    git(root, "worktree", "add", str(world.base / "tree"), "-b", "side")
    (world.base / "alias").symlink_to(root)
    ways = ["r", "r/sub/deep", "tree", "alias", "alias/sub"]
    assert len({world.open(way).memory_root for way in ways}) == 1
    first = world.open("r")
    world.remember(first)
    git(root, "worktree", "remove", str(world.base / "tree"))
    world.move("r", "moved")
    (world.base / "alias").unlink()
    linked = relink(world.open("moved"), first.key, world.paths, world.clock)
    assert linked.memory_root == first.memory_root == world.open("moved/sub").memory_root
    twins = [world.plain(f"{parent}/same") for parent in ("x", "y")]
    assert len({world.open(str(twin.relative_to(world.base))).memory_root for twin in twins} | {first.memory_root}) == 3
