"""Atomic files, durable order and tolerant decoding."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.base.errors import StorageError
from desktop.base.textio import atomic_write, decode, digest, fsync_dir, read_bytes


def test_a_file_is_replaced_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for data in (b"one", b"", b"x" * 100_000):
        atomic_write(path, data)
        assert read_bytes(path) == data
    assert read_bytes(path, limit=3) == b"xxx"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("failing", ["write", "fsync", "open"])
def test_a_failing_call_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    path = tmp_path / "a.txt"
    atomic_write(path, b"old")

    def fail(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        with pytest.raises(StorageError, match=r"a\.txt.*No space") as caught:
            atomic_write(path, b"new")
    assert caught.value.hint
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_held_target_is_tried_five_times_and_then_said(tmp_path: Path) -> None:
    path, pauses, tries = tmp_path / "a.txt", list[float](), list[str]()

    def held_twice(source: str, target: str) -> None:
        tries.append(target)
        if len(tries) <= 2:
            raise PermissionError(errno.EACCES, "held open")
        Path(source).replace(target)

    atomic_write(path, b"x", replace=held_twice, sleep=pauses.append)
    assert pauses == [0.05, 0.1]
    assert path.read_bytes() == b"x"

    def always_held(source: str, target: str) -> None:
        raise PermissionError(errno.EACCES, "held open")

    pauses.clear()
    with pytest.raises(StorageError, match="held open"):
        atomic_write(path, b"y", replace=always_held, sleep=pauses.append)
    assert len(pauses) == 4
    assert path.read_bytes() == b"x"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_missing_folder_or_file_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        atomic_write(tmp_path / "none" / "a.txt", b"x")
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(StorageError):
            read_bytes(path)


def test_a_very_long_name_still_gets_its_temporary_neighbour(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    atomic_write(path, b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        (b"\xef\xbb\xbfmark", "mark"),
        ("中".encode("utf-16"), "中"),
        (b"\xfe\xff\x4e\x2d", "中"),
        (b"a\xffb", "a\ufffdb"),
        (b"", ""),
    ],
)
def test_any_bytes_become_text(data: bytes, text: str) -> None:
    assert decode(data) == text


@given(st.binary())
def test_decoding_never_raises(data: bytes) -> None:
    decode(data)


def test_the_digest_is_sha_256() -> None:
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_folder_is_flushed(tmp_path: Path) -> None:
    fsync_dir(tmp_path)
