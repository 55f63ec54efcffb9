from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import psutil
import pytest

from desktop.base.errors import ToolError
from desktop.tools import grep
from desktop.tools.grep import GrepTool, fits
from tests.helpers.wait import wait_for
from tests.unit.tools.conftest import Bench


@pytest.fixture(params=["own", "rg"])
def engine(request: pytest.FixtureRequest, bench: Bench) -> str:
    """Both search programs; ripgrep only where it is installed."""
    empty = bench.base / "bin"
    empty.mkdir()
    bench.environ["PATH"] = str(empty)
    if request.param == "rg":
        rg = shutil.which("rg")
        if rg is None:
            pytest.skip("ripgrep is not installed")
        (empty / "rg").symlink_to(rg)
    return str(request.param)


@pytest.fixture
def files(bench: Bench) -> Bench:
    bench.file("a.py", "import os\nprint('needle')\r\nneedle = 1\n")
    bench.file("sub/b.ts", "const Needle = 2;\n// 中文 needle 注释\n")
    bench.file("sub/c.md", "nothing here\n")
    return bench


def rows(bench: Bench, pattern: str, **more: object) -> list[str]:
    output = bench.run(GrepTool(), pattern=pattern, **more).output
    return [line for line in output.splitlines() if not line.startswith("[")]


def test_files_by_default(files: Bench, engine: str) -> None:
    assert rows(files, "needle") == ["a.py", "sub/b.ts"]


def test_lines(files: Bench, engine: str) -> None:
    assert rows(files, "needle", output_mode="content") == [
        "a.py:2:print('needle')",
        "a.py:3:needle = 1",
        "sub/b.ts:2:// 中文 needle 注释",
    ]
    assert rows(files, "needle", output_mode="content", path="a.py", **{"-n": False}) == ["a.py:print('needle')", "a.py:needle = 1"]


def test_counts_and_case(files: Bench, engine: str) -> None:
    assert rows(files, "needle", output_mode="count", **{"-i": True}) == ["a.py:2", "sub/b.ts:2"]
    assert rows(files, "NEEDLE", output_mode="count") == ["No line in . matches NEEDLE."]


@pytest.mark.parametrize(
    ("glob", "found"),
    [("*.ts", ["sub/b.ts"]), ("sub/*", ["sub/b.ts"]), ("*.{py,md}", ["a.py"]), ("!*.py", ["sub/b.ts"]), ("**/*.py", ["a.py"])],
)
def test_glob(files: Bench, engine: str, glob: str, found: list[str]) -> None:
    assert rows(files, "needle", glob=glob) == found


@pytest.mark.parametrize("glob", ["*", "**/*", "*.txt", "sub/*", "!*.py"])
def test_a_glob_brings_nothing_ignored_back(bench: Bench, engine: str, glob: str) -> None:
    subprocess.run(["git", "init", "-q", str(bench.workspace)], check=True)
    bench.file(".gitignore", "ignored.txt\n")
    bench.file("sub/ignored.txt", "needle\n")
    bench.file("sub/shown.txt", "needle\n")
    bench.file(".git/needle.txt", "needle\n")
    assert rows(bench, "needle", glob=glob) == ["sub/shown.txt"]


def test_an_ignored_folder_can_be_named(bench: Bench, engine: str) -> None:
    (bench.workspace / ".git").mkdir()
    bench.file(".gitignore", "build/\n*.log\n")
    bench.file("build/x.txt", "needle\n")
    assert rows(bench, "needle", path="build") == ["build/x.txt"]
    assert rows(bench, "needle") == ["No line in . matches needle."]


def test_ignore_files_above_the_root_hold(bench: Bench, engine: str) -> None:
    (bench.workspace / ".git").mkdir()
    bench.file(".gitignore", "*.log\n")
    bench.file("sub/x.log", "needle\n")
    bench.file("sub/x.txt", "needle\n")
    assert rows(bench, "needle", path="sub") == ["sub/x.txt"]


def test_an_ignore_file_outside_any_repository_is_not_ours(bench: Bench, engine: str) -> None:
    (bench.base / ".gitignore").write_text("*\n")
    bench.file("x.txt", "needle\n")
    assert rows(bench, "needle") == ["x.txt"]


def test_the_limit_is_said(bench: Bench, engine: str) -> None:
    bench.file("a.txt", "hit\n" * 5_000)
    bench.file("b.txt", "hit\n" * 5_000)
    outcome = bench.run(GrepTool(), pattern="hit", output_mode="content", head_limit=7)
    assert outcome.output.splitlines()[-1] == "[The first 7; there are more. Narrow the search, or raise `head_limit`.]"
    assert len(outcome.output.splitlines()) == 8


def test_exactly_the_limit_is_not_more(bench: Bench, engine: str) -> None:
    bench.file("a.txt", "hit\nhit\n")
    assert bench.run(GrepTool(), pattern="hit", output_mode="content", head_limit=2).output == "a.txt:1:hit\na.txt:2:hit"


def test_binary_and_ignored_files_and_secrets_are_left_out(bench: Bench, engine: str) -> None:
    subprocess.run(["git", "init", "-q", str(bench.workspace)], check=True)
    bench.file(".gitignore", "ignored.txt\n")
    bench.file("ignored.txt", "needle\n")
    bench.file("a.bin", b"needle\0\0\n")
    bench.file(".git/needle", "needle\n")
    bench.file(".env", "KEY=needle\n")
    bench.file(".hidden/a.txt", "needle\n")
    outcome = bench.run(GrepTool(), pattern="needle")
    assert outcome.output.splitlines()[0] == ".hidden/a.txt"
    assert "Files that may hold secrets, left out: 1." in outcome.output
    assert len(outcome.output.splitlines()) == 2
    named = bench.prepare(GrepTool(), pattern="needle", path=".env")
    assert bench.decide(named).rule == "read.inside"


def test_links_are_not_followed(bench: Bench, engine: str) -> None:
    outside = bench.base / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("needle\n")
    (bench.workspace / "dir").symlink_to(outside)
    (bench.workspace / "file.txt").symlink_to(outside / "secret.txt")
    assert rows(bench, "needle") == ["No line in . matches needle."]


def test_a_pattern_that_is_wrong_is_named(bench: Bench, engine: str) -> None:
    bench.file("a.txt", "x")
    with pytest.raises(ToolError) as caught:
        bench.run(GrepTool(), pattern="foo(")
    assert caught.value.message.startswith("Grep: `pattern` 'foo(' cannot be used: ")
    assert "foo\\(" not in caught.value.message
    assert "Escape" in caught.value.hint


def test_long_lines_are_cut(bench: Bench, engine: str) -> None:
    bench.file("a.js", "x" * 100_000 + "needle" + "y" * 100_000 + "\n")
    (row,) = rows(bench, "needle", output_mode="content")
    assert row.startswith("a.js:1:")
    assert len(row) < 700


def test_utf_16_is_searched(bench: Bench, engine: str) -> None:
    bench.file("a.txt", "你好 needle\n".encode("utf-16"))
    assert rows(bench, "needle", output_mode="content") == ["a.txt:1:你好 needle"]


def test_a_pattern_that_begins_with_a_dash(bench: Bench, engine: str) -> None:
    bench.file("a.txt", "--pre=sh\n")
    assert rows(bench, "--pre=sh", output_mode="content") == ["a.txt:1:--pre=sh"]


def test_a_configuration_in_the_environment_starts_nothing(bench: Bench, engine: str) -> None:
    marker = bench.base / "started"
    config = bench.base / "rgconfig"
    program = bench.base / "pre"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\ncat \"$1\"\n")
    program.chmod(0o755)
    config.write_text(f"--pre={program}\n")
    bench.environ["RIPGREP_CONFIG_PATH"] = str(config)
    bench.file("a.txt", "needle\n")
    assert rows(bench, "needle") == ["a.txt"]
    assert not marker.exists()


def test_a_pattern_that_never_ends_costs_one_file_and_is_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.environ["PATH"] = str(bench.base)
    monkeypatch.setattr(grep, "PER_FILE_SECONDS", 0.2)
    bench.file("a.txt", "a" * 60 + "!\n")
    bench.file("b.txt", "aaa\n")
    outcome = bench.run(GrepTool(), pattern="(a+)+$")
    assert outcome.output.splitlines()[0] == "b.txt"
    assert "Files that took over 0.2 s and were left out: 1, first" in outcome.output


def test_a_search_that_takes_too_long_is_ended_and_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.environ["PATH"] = str(bench.base)
    monkeypatch.setattr(grep, "PER_FILE_SECONDS", 60.0)
    monkeypatch.setattr(grep, "MOST_SECONDS", 0.5)
    bench.file("a.txt", "a" * 60 + "!\n")
    assert "The search was ended after 0.5 s and is not complete" in bench.run(GrepTool(), pattern="(a+)+$").output


def test_a_cancelled_search_leaves_no_process(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.environ["PATH"] = str(bench.base)
    monkeypatch.setattr(grep, "PER_FILE_SECONDS", 60.0)
    bench.file("a.txt", "a" * 60 + "!\n")

    def is_worker(process: psutil.Process) -> bool:
        try:
            return "grep_worker.py" in " ".join(process.cmdline())
        except psutil.Error:  # it ended meanwhile
            return False

    def workers() -> list[psutil.Process]:
        return [p for p in psutil.Process(os.getpid()).children(recursive=True) if is_worker(p)]

    async def cancel() -> None:
        prepared = await GrepTool().prepare({"pattern": "(a+)+$"}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        await asyncio.to_thread(wait_for, lambda: bool(workers()), what="a worker")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert workers() == []

    asyncio.run(cancel())


def test_a_program_in_the_workspace_is_never_started(bench: Bench) -> None:
    marker = bench.base / "started"
    rg = bench.file("rg", f"#!/bin/sh\ntouch '{marker}'\n")
    rg.chmod(0o755)
    bench.environ["PATH"] = f".:{bench.workspace}"
    bench.file("a.txt", "needle\n")
    assert rows(bench, "needle") == ["a.txt"]
    assert not marker.exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"pattern": "a\nb"}, "must not hold a newline"),
        ({"pattern": "a", "output_mode": "lines"}, "`output_mode` must be one of content, files_with_matches, count"),
        ({"pattern": "a", "-i": "yes"}, "`-i` must be true or false"),
        ({"pattern": "a", "head_limit": 0}, "`head_limit` must lie between 1 and 2,000"),
        ({"pattern": "a", "glob": "../x"}, "`glob` must not hold"),
    ],
)
def test_wrong_arguments(bench: Bench, arguments: dict[str, object], text: str) -> None:
    with pytest.raises(ToolError) as caught:
        bench.prepare(GrepTool(), **arguments)
    assert text in caught.value.message


def test_a_missing_path(bench: Bench) -> None:
    with pytest.raises(ToolError, match="does not exist"):
        bench.run(GrepTool(), pattern="x", path="nowhere")


def test_glob_argument() -> None:
    assert fits("", "a/b.py")
    assert fits("*.py", "a/b.py")
    assert fits("/a/*.py", "a/b.py")
    assert not fits("/*.py", "a/b.py")
    assert not fits("!*.py", "a/b.py")


def test_where_it_asks(bench: Bench) -> None:
    assert bench.decide(bench.prepare(GrepTool(), pattern="x"), "plan").effect == "allow"
    assert bench.decide(bench.prepare(GrepTool(), pattern="x", path=str(Path("/etc")))).rule == "read.outside"
