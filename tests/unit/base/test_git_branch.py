"""The git branch of a folder, read without git: work trees, linked ones, submodules, and what is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop.base.git_branch import git_branch


def repository(folder: Path, head: str = "ref: refs/heads/main\n") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feature/上传\n", "feature/上传"),
        ("ref:refs/heads/tight", "tight"),
        ("4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", ""),
        ("ref: refs/heads/.invalid\n", ""),
        ("ref: refs/remotes/origin/main\n", ""),
        ("", ""),
        ("ref: refs/heads/" + "x" * 5_000, "x" * 200),
    ],
)
def test_head_says_the_branch(tmp_path: Path, head: str, branch: str) -> None:
    folder = repository(tmp_path / "repo", head)
    (folder / "a" / "b").mkdir(parents=True)
    assert git_branch(folder) == git_branch(folder / "a" / "b") == branch


def test_a_linked_work_tree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    own = main / ".git" / "worktrees" / "side"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/side\n", encoding="utf-8")
    for name, pointer in (("absolute", str(own)), ("relative", "../main/.git/worktrees/side")):
        tree = tmp_path / name
        tree.mkdir()
        (tree / ".git").write_text(f"gitdir: {pointer}\n", encoding="utf-8")
        assert git_branch(tree) == "side"
    assert git_branch(main) == "main"


def test_a_folder_inside_another_repository_is_its_own(tmp_path: Path) -> None:
    outer = repository(tmp_path / "outer")
    inner = repository(outer / "inner", "ref: refs/heads/inner\n")
    assert (git_branch(outer), git_branch(inner)) == ("main", "inner")


def test_what_is_no_repository_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert git_branch(tmp_path / "plain") in ("", git_branch(tmp_path))
    assert git_branch(tmp_path / "not there") == git_branch(tmp_path)
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / ".git").write_text("something else", encoding="utf-8")
    assert git_branch(tmp_path / "odd") == git_branch(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the platform has no pipes with a name")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    (folder / ".git").mkdir(parents=True)
    os.mkfifo(folder / ".git" / "HEAD")
    assert git_branch(folder) == ""
    other = tmp_path / "other"
    other.mkdir()
    os.mkfifo(other / ".git")
    assert git_branch(other) == git_branch(tmp_path)
