from __future__ import annotations

import contextlib
import os
import stat
import threading
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, KeepsakeError, StorageError
from desktop.tools.diffs import counts, unified_diff
from desktop.tools.files import Found, load, replace
from desktop.tools.text import decode, split_lines


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def test_a_folder_that_is_swapped_for_a_link_never_leads_a_write_outside(base: Path) -> None:
    inside, parked, outside = base / "in", base / "parked", base / "out"
    inside.mkdir()
    outside.mkdir()
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                inside.rename(parked)
                inside.symlink_to(outside)
                inside.unlink()
                parked.rename(inside)

    thread = threading.Thread(target=swap)
    thread.start()
    done = 0
    try:
        for number in range(1_500):
            with contextlib.suppress(KeepsakeError):
                replace(inside / f"{number}.txt", b"x", before=None)
                done += 1
    finally:
        stop.set()
        thread.join()
    assert list(outside.iterdir()) == []
    assert done > 0


def test_a_failed_write_leaves_nothing_behind(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = base / "a.txt"
    path.write_bytes(b"old")
    before = load(path, 100)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left on device"):
        replace(path, b"new", before=before)
    assert [(p.name, p.read_bytes()) for p in base.iterdir()] == [("a.txt", b"old")]


def test_a_new_file_never_replaces_one_that_came_meanwhile(base: Path) -> None:
    path = base / "a.txt"
    path.write_bytes(b"theirs")
    with pytest.raises(ConflictError):
        replace(path, b"mine", before=None)
    assert path.read_bytes() == b"theirs"


def test_same_size_and_time_do_not_hide_a_change(base: Path) -> None:
    path = base / "a.txt"
    path.write_bytes(b"one")
    before = load(path, 100)
    assert isinstance(before, Found)
    path.write_bytes(b"two")
    os.utime(path, ns=(before.stat.st_atime_ns, before.stat.st_mtime_ns))
    with pytest.raises(ConflictError):
        replace(path, b"mine", before=before)


@pytest.mark.skipif(not hasattr(os, "setresuid") or os.getuid() != 0, reason="needs root to become somebody else")
def test_owner_and_mode_stay(base: Path) -> None:
    path = base / "a.sh"
    path.write_bytes(b"one")
    os.chown(path, 65534, 65534)
    path.chmod(0o4755)
    replace(path, b"two", before=load(path, 100))
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (65534, 65534, 0o4755)


def test_diffs_apply(base: Path) -> None:
    import subprocess

    old = "".join(f"line {n}\n" for n in range(50)) + "last"
    new = old.replace("line 3\n", "three\n").replace("line 40\n", "").replace("last", "last\n")
    (base / "a.txt").write_text(old)
    diff = unified_diff("a.txt", old, new)
    subprocess.run(["git", "apply", "--verbose", "-p0", "-"], input=diff.encode(), cwd=base, check=True, capture_output=True)
    assert (base / "a.txt").read_text() == new
    assert counts(diff) == (2, 3)


def test_a_huge_rewrite_is_shown_whole(base: Path) -> None:
    old = "".join(f"a{n}\n" for n in range(6_000))
    new = "".join(f"b{n}\n" for n in range(6_000))
    diff = unified_diff("a.txt", old, new)
    assert counts(diff) == (6_000, 6_000)
    assert unified_diff("a.txt", old, old) == ""


def test_any_bytes_survive_decoding() -> None:
    for data in (b"", b"\xef\xbb\xbf", b"a\x00b", b"\xff\xfe", b"\xff\xfea", bytes(range(256)), "é\r\n".encode(), b"\xff\xfe\x00\xd8a\x00"):
        text = decode(data)
        if text.lossless:
            assert text.encode(text.text) == data


def test_lines_split_at_newlines_only() -> None:
    assert split_lines("a\u2028b\x0cc\r\nd\n\n") == ["a\u2028b\x0cc", "d", ""]
    assert split_lines("") == []
