"""The record of what a file was like: believed only when nothing can have happened since."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from desktop.search.seal import TICKS, Seal, look


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "index"
    made.write_bytes(b"content")
    return made


def test_what_was_left_is_true_until_something_changes(file: Path) -> None:
    seal = Seal(file)
    assert not seal.is_true()
    seal.leave_for_good()
    assert seal.is_true()
    assert Seal(file).is_true()
    file.write_bytes(b"contend")
    assert not seal.is_true()


@pytest.mark.parametrize("change", ["log", "time", "size", "copy", "gone"])
def test_every_change_is_seen(change: str, file: Path, tmp_path: Path) -> None:
    seal = Seal(file)
    seal.leave_for_good()
    if change == "log":
        (tmp_path / "index-wal").write_bytes(b"frames")
    elif change == "time":
        os.utime(file, ns=(1, 1))
    elif change == "size":
        os.truncate(file, 3)
    elif change == "copy":
        (tmp_path / "other").write_bytes(file.read_bytes())
        (tmp_path / "other").replace(file)
    else:
        file.unlink()
    assert not seal.is_true()


def test_an_empty_log_is_like_none(file: Path, tmp_path: Path) -> None:
    seal = Seal(file)
    seal.leave_for_good()
    (tmp_path / "index-wal").write_bytes(b"")
    assert seal.is_true()
    assert look(file)[5:] == [0, 0, 0, 0, 0]


def test_a_record_of_the_same_tick_is_not_believed(file: Path, tmp_path: Path) -> None:
    """The clock of a file system moves in steps: what changes twice within one looks the same."""
    seal = Seal(file)
    seal.leave(look(file))
    stamp = tmp_path / "index.stamp"
    late = Path(stamp).stat().st_ctime_ns + 10**10
    state = look(file)
    state[1] = late
    seal.leave(state)
    os.utime(file, ns=(late, late))
    assert json.loads(stamp.read_text())[1] == look(file)[1]
    seal.leave(look(file))
    assert seal.left() == look(file)
    assert not seal.is_true(), "the file is from a later time than the record"


def test_a_clock_that_does_not_move_is_waited_for_but_not_for_ever(file: Path) -> None:
    paused: list[float] = []
    late = file.stat().st_mtime_ns + 10**12
    os.utime(file, ns=(late, late))
    Seal(file, paused.append).leave_for_good()
    assert len(paused) == TICKS
    assert not Seal(file).is_true()


@pytest.mark.parametrize("data", [b"", b"{", b"null", b"{}", b"\x00" * 90, b'"text"'])
def test_anything_else_in_its_place_is_none(data: bytes, file: Path, tmp_path: Path) -> None:
    (tmp_path / "index.stamp").write_bytes(data)
    assert Seal(file).left() is None
    assert not Seal(file).is_true()


def test_a_shorter_record_leaves_nothing_of_a_longer_one(file: Path) -> None:
    seal = Seal(file)
    seal.leave([10**18] * 10)
    seal.leave([1])
    assert seal.left() == [1]
    seal.remove()
    seal.remove()
    assert seal.left() is None


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_no_link_is_followed_and_no_pipe_waited_for(file: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("[1]")
    (tmp_path / "index.stamp").symlink_to(mine)
    seal = Seal(file)
    assert seal.left() is None
    seal.leave([2])
    assert mine.read_text() == "[1]"
    seal.remove()
    os.mkfifo(tmp_path / "index.stamp")
    seal.leave([2])
    assert seal.left() is None
