"""A repository's first commit and its own id: read without running what the repository configures."""

from __future__ import annotations

import os
import shutil
import stat
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop.memory.git_history import GitId, git_program, make_git_id, read_git_id, root_commit
from tests.unit.memory.git import git, needs_git, repository

NO_GIT = {"PATH": "/nonexistent"}


def first_commit(folder: Path) -> str:
    return git(folder, "rev-list", "--first-parent", "--max-parents=0", "HEAD")


@needs_git
def test_the_first_commit_is_read_from_loose_objects_without_git(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    wanted = first_commit(root)
    for number in range(3):
        git(root, "commit", "--allow-empty", "-m", str(number))
    git(root, "checkout", "-b", "side")
    git(root, "pack-refs", "--all")
    assert root_commit(root / ".git", NO_GIT) == wanted
    git(root, "checkout", "--detach")
    assert root_commit(root / ".git", NO_GIT) == wanted


@needs_git
def test_packed_commits_are_asked_of_git_and_without_it_of_the_log(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    wanted = first_commit(root)
    git(root, "commit", "--allow-empty", "-m", "two")
    git(root, "gc", "--prune=now")
    assert root_commit(root / ".git") == wanted
    assert root_commit(root / ".git", NO_GIT) == wanted
    shutil.rmtree(root / ".git" / "logs")
    assert root_commit(root / ".git", NO_GIT) is None


@needs_git
def test_a_clone_and_a_merge_of_another_history_know_the_same_first_commit(tmp_path: Path) -> None:
    root, other = repository(tmp_path / "r"), repository(tmp_path / "other")
    wanted = first_commit(root)
    git(root, "fetch", str(other), "main")
    git(root, "merge", "--allow-unrelated-histories", "-m", "join", "FETCH_HEAD")
    git(tmp_path, "clone", str(root), "copy")
    assert root_commit(root / ".git") == wanted
    assert root_commit(tmp_path / "copy" / ".git") == wanted


@needs_git
def test_no_commit_a_shallow_or_a_partial_copy_have_none(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init")
    assert root_commit(empty / ".git") is None
    root = repository(tmp_path / "r")
    git(root, "commit", "--allow-empty", "-m", "two")
    git(tmp_path, "clone", "--depth", "1", root.as_uri(), "shallow")
    assert root_commit(tmp_path / "shallow" / ".git") is None
    git(root, "gc", "--prune=now")
    shutil.rmtree(root / ".git" / "logs")
    git(root, "config", "remote.origin.promisor", "true")
    assert root_commit(root / ".git") is None


@needs_git
def test_nothing_that_the_repository_configures_runs(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    wanted = first_commit(root)
    git(root, "gc", "--prune=now")
    shutil.rmtree(root / ".git" / "logs")
    mark = tmp_path / "ran"
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(program, hooks / name)
    for key in ("core.fsmonitor", "core.pager", "pager.rev-list", "core.sshCommand", "core.gitProxy", "alias.rev-list", "core.editor"):
        git(root, "config", key, str(program))
    (root / "git").symlink_to(program)
    before = sorted(path.stat().st_mtime_ns for path in (root / ".git").rglob("*"))
    environ = {"PATH": os.pathsep.join([".", "", str(root), os.environ["PATH"]])}
    assert root_commit(root / ".git", environ) == wanted
    assert not mark.exists()
    assert sorted(path.stat().st_mtime_ns for path in (root / ".git").rglob("*")) == before


@needs_git
def test_git_is_never_taken_from_the_repository_or_a_relative_place(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / "git").write_text("#!/bin/sh\n")
    (root / "git").chmod(0o755)
    assert git_program({"PATH": str(root)}, root / ".git") is None
    assert git_program({"PATH": "."}, root / ".git") is None
    assert git_program({"PATH": ""}, root / ".git") is None
    assert Path(git_program(os.environ, root / ".git") or "").is_absolute()


@pytest.mark.parametrize(
    "head",
    [
        *(b"", b"ref: refs/heads/../../../x", b"ref: /etc/passwd", b"\xff\x00", b"0" * 40, b"ref: refs/heads/none", b"ref: " + b"a" * 5000),
    ],
)
def test_a_damaged_repository_has_no_first_commit_and_raises_nothing(tmp_path: Path, head: bytes) -> None:
    for name in ("objects/00", "refs/heads", "logs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "HEAD").write_bytes(head)
    (tmp_path / "objects" / "00" / ("0" * 38)).write_bytes(b"no zlib")
    (tmp_path / "logs" / "HEAD").write_bytes(b"\x00" * 100)
    (tmp_path / "packed-refs").write_bytes(b"\xff\n")
    assert root_commit(tmp_path, NO_GIT) is None


@needs_git
def test_an_id_is_made_once_private_and_the_same_for_all_who_ask_at_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    assert read_git_id(root / ".git") == GitId()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make_git_id(root / ".git"), range(32)))
    assert len({one.value for one in made}) == 1
    assert str(uuid.UUID(made[0].value)) == made[0].value
    file = root / ".git" / "keepsake-project-id"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in (root / ".git").iterdir() if "keepsake" in path.name] == [file.name]
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "data", [b"", b"x", b"\xff" * 50, b"5f0c9b8e6a1d4c1b9d0e2f7a3b4c5d6e", b"5f0c9b8e-6a1d-4c1b-9d0e-2f7a3b4c5d6", b"\x00" * 37]
)
def test_a_damaged_id_is_said_and_never_replaced(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "keepsake-project-id"
    file.write_bytes(data)
    for known in (read_git_id(tmp_path), make_git_id(tmp_path)):
        assert known.value == ""
        assert str(file) in known.problem
    assert file.read_bytes() == data


def test_an_id_is_read_in_any_case_and_with_blanks_around_it(tmp_path: Path) -> None:
    value = str(uuid.UUID(int=7))
    (tmp_path / "keepsake-project-id").write_text(f" {value.upper()}\r\n")
    assert read_git_id(tmp_path) == GitId(value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_link_a_folder_or_a_pipe_in_the_id_s_place_is_no_id(tmp_path: Path) -> None:
    good = tmp_path / "good"
    good.write_text(str(uuid.UUID(int=7)))
    makers: list[Callable[[Path], None]] = [
        lambda path: path.symlink_to(good),
        lambda path: path.symlink_to("/nowhere"),
        lambda path: path.mkdir(),
        lambda path: os.mkfifo(path),
    ]
    for number, make in enumerate(makers):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / "keepsake-project-id")
        assert read_git_id(folder).problem, number
        assert make_git_id(folder).value == "", number


@needs_git
def test_a_bare_repository_gets_no_id(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    git(tmp_path, "clone", "--bare", str(root), "store.git")
    assert make_git_id(tmp_path / "store.git").problem
    assert not (tmp_path / "store.git" / "keepsake-project-id").exists()
