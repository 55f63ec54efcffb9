from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from desktop.base.errors import ToolError
from desktop.tools.glob import GlobTool, expand_braces, matches
from desktop.tools.walk import Walk
from tests.unit.tools.conftest import Bench


def found(bench: Bench, pattern: str, path: str | None = None) -> list[str]:
    outcome = bench.run(GlobTool(), pattern=pattern, path=path)
    assert outcome.data is not None
    return sorted(outcome.data["files"])


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "d/e/a.py", True),
        ("src/**/test_*.py", "src/test_a.py", True),
        ("src/**/test_*.py", "src/x/y/test_a.py", True),
        ("src/**/test_*.py", "lib/test_a.py", False),
        ("src/**", "src/a/b", True),
        ("a?c.[ch]", "abc.h", True),
        ("a?c.[ch]", "abc.x", False),
        ("**/工作/*.md", "d/工作/说明.md", True),
        ("**/**/**/*a*a*a*a*a*a*a*b", "/".join(["a" * 100] * 20), False),
    ],
)
def test_patterns(pattern: str, path: str, fits: bool) -> None:
    assert matches(pattern, path) is fits


def test_braces() -> None:
    assert expand_braces("*.{ts,tsx}") == ["*.ts", "*.tsx"]
    assert sorted(expand_braces("{a,b{c,d}}")) == ["a", "bc", "bd"]
    assert expand_braces("{x}") == ["{x}"]
    assert len(expand_braces("{a,b}" * 30)) > 64


def test_newest_first_and_relative_to_the_workspace(bench: Bench) -> None:
    for number, name in enumerate(["old.py", "sub/new.py", "mid.py"]):
        path = bench.file(name)
        os.utime(path, (1_000 + number % 2 * 10, [1_000, 3_000, 2_000][number]))
    outcome = bench.run(GlobTool(), pattern="**/*.py")
    assert outcome.output == "sub/new.py\nmid.py\nold.py"


def test_a_plain_pattern_lists_the_folder_with_its_subfolders(bench: Bench) -> None:
    bench.file("a.txt")
    bench.file(".hidden")
    bench.file("sub/b.txt")
    assert found(bench, "*") == [".hidden", "a.txt", "sub/"]


def test_a_plain_pattern_that_fits_only_deeper_says_so(bench: Bench) -> None:
    bench.file("sub/b.rs")
    outcome = bench.run(GlobTool(), pattern="*.rs")
    assert outcome.output == "sub/b.rs\n[Nothing directly in the folder fits; these fit **/*.rs.]"


def test_what_git_ignores_is_left_out_as_git_does(bench: Bench) -> None:
    subprocess.run(["git", "init", "-q", str(bench.workspace)], check=True)
    bench.file(".gitignore", "*.log\n!keep.log\nbuild/\n/top.txt\n")
    bench.file("sub/.gitignore", "local.txt\n!*.log\n")
    (bench.workspace / ".git/info/exclude").write_text("excluded.txt\n")
    names = ["a.log", "keep.log", "build/x.txt", "top.txt", "sub/top.txt", "sub/local.txt", "sub/b.log", "excluded.txt", "plain.txt"]
    for name in names:
        bench.file(name)
    listed = subprocess.run(
        ["git", "-C", str(bench.workspace), "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    assert found(bench, "**/*") == sorted(listed.stdout.split())
    assert found(bench, "**/*", "sub") == ["sub/.gitignore", "sub/b.log", "sub/top.txt"]


def test_a_folder_that_is_ignored_can_still_be_named(bench: Bench) -> None:
    (bench.workspace / ".git").mkdir()
    bench.file(".gitignore", "build/\n")
    bench.file("build/x.txt")
    assert found(bench, "*", "build") == ["build/x.txt"]


def test_links_out_of_the_root_are_not_followed(bench: Bench) -> None:
    outside = bench.base / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("x")
    bench.file("real.txt")
    (bench.workspace / "dir").symlink_to(outside)
    (bench.workspace / "file.txt").symlink_to(outside / "secret.txt")
    (bench.workspace / "inner.txt").symlink_to(bench.workspace / "real.txt")
    (bench.workspace / "loop").symlink_to(bench.workspace)
    assert found(bench, "**/*.txt") == ["inner.txt", "real.txt"]


def test_the_cap_is_said(bench: Bench) -> None:
    for number in range(230):
        bench.file(f"f{number}.txt")
    outcome = bench.run(GlobTool(), pattern="*.txt")
    assert len(outcome.output.splitlines()) == 201
    assert "The newest 200 of 230" in outcome.output


def test_nothing_found_is_said(bench: Bench) -> None:
    assert bench.run(GlobTool(), pattern="*.xyz").output == "No file in . fits *.xyz."


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"pattern": "/etc/*"}, "`pattern` must be relative"),
        ({"pattern": "../*"}, "must not hold “..”"),
        ({"pattern": "{a,b}" * 10}, "more than 64 patterns"),
        ({"pattern": "x" * 1_001}, "at most 1,000 characters"),
        ({"pattern": ""}, "`pattern` must not be empty"),
    ],
)
def test_wrong_patterns(bench: Bench, arguments: dict[str, str], text: str) -> None:
    with pytest.raises(ToolError) as caught:
        bench.prepare(GlobTool(), **arguments)
    assert text in caught.value.message


def test_a_missing_folder_and_a_file(bench: Bench) -> None:
    bench.file("source/a.txt")
    with pytest.raises(ToolError) as caught:
        bench.run(GlobTool(), pattern="*", path="sources")
    assert "Did you mean" in caught.value.hint
    with pytest.raises(ToolError, match="is a file, not a folder"):
        bench.run(GlobTool(), pattern="*", path="source/a.txt")


def test_where_it_asks(bench: Bench) -> None:
    assert bench.decide(bench.prepare(GlobTool(), pattern="*")).effect == "allow"
    assert bench.decide(bench.prepare(GlobTool(), pattern="*", path=str(bench.memory_root)), "plan").effect == "allow"
    assert bench.decide(bench.prepare(GlobTool(), pattern="*", path="/etc")).effect == "ask"


def test_a_walk_ends_when_it_is_stopped_or_full(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}.txt").touch()
    walk = Walk(tmp_path, most=10)
    assert len(list(walk.entries())) == 10
    assert walk.cut == "only the first 10 entries were looked at"
    stop = threading.Event()
    walk = Walk(tmp_path, stop)
    entries = walk.entries()
    next(entries)
    stop.set()
    assert list(entries) == []
    assert walk.cut == "stopped"


def test_hostile_ignore_files_do_no_harm(bench: Bench) -> None:
    bench.file(".gitignore", b"*a*a*a*a*a*a*a*a*a*b\n\xff\xfe\n[\n" + b"x" * 5_000 + b"\nreal.txt\n")
    bench.file("real.txt")
    bench.file("a" * 200 + ".txt")
    assert found(bench, "*.txt") == ["a" * 200 + ".txt"]
