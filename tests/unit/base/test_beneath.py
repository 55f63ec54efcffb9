"""Files below a folder: no link leads outside, also under a race (S6), and the order of one save (R6)."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from desktop.base import beneath
from desktop.base.beneath import delete_beneath, exists_beneath, read_beneath, rename_beneath, split_relative, write_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError, StorageError

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="directory handles")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture(params=[True, False], ids=["handles", "plain"])
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with directory handles and with the walk for systems without them."""
    if not request.param:
        monkeypatch.setattr(beneath, "HANDLES", False)
    elif not beneath.HANDLES:
        pytest.skip("no directory handles on this system")


@pytest.mark.usefixtures("both")
def test_write_read_rename_delete(root: Path) -> None:
    write_beneath(root, "a/b/c.md", b"one")
    assert (root / "a" / "b" / "c.md").read_bytes() == read_beneath(root, "a/b/c.md") == b"one"
    assert read_beneath(root, "a/b/c.md", limit=2) == b"on"
    assert exists_beneath(root, "a/b/c.md")
    assert not exists_beneath(root, "a/x/c.md")
    write_beneath(root, "a/b/c.md", b"two")
    rename_beneath(root, "a/b/c.md", "d.md")
    assert (root / "d.md").read_bytes() == b"two"
    assert not (root / "a").exists(), "folders left empty go too"
    with pytest.raises(StorageError, match="exists"):
        write_beneath(root, "e.md", b"")
        rename_beneath(root, "d.md", "e.md")
    delete_beneath(root, "d.md")
    with pytest.raises(NotFoundError):
        read_beneath(root, "d.md")
    with pytest.raises(NotFoundError):
        delete_beneath(root, "d.md")
    with pytest.raises(NotFoundError):
        read_beneath(root / "nowhere", "d.md")


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("relative", ["", "/x", "../x", "a/../x", "./x", "a//x", "x/", "a\x00b"])
def test_only_plain_relative_paths(root: Path, relative: str) -> None:
    with pytest.raises(RefusedError):
        read_beneath(root, relative)
    with pytest.raises(RefusedError):
        write_beneath(root, relative, b"")
    with pytest.raises(RefusedError):
        delete_beneath(root, relative)


@pytest.mark.usefixtures("both")
def test_no_link_is_followed_or_replaced(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(b"secret")
    (root / "folder").symlink_to(outside)
    (root / "file.md").symlink_to(outside / "x.md")
    (root / "inside").symlink_to(root)
    for relative in ("folder/x.md", "file.md", "inside/y.md"):
        with pytest.raises(KeepsakeError):
            read_beneath(root, relative)
        with pytest.raises(KeepsakeError):
            write_beneath(root, relative, b"new")
    assert (outside / "x.md").read_bytes() == b"secret"
    assert (root / "file.md").is_symlink()
    delete_beneath(root, "file.md")
    assert (outside / "x.md").exists()


@pytest.mark.usefixtures("both")
def test_a_root_that_is_a_link_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    with pytest.raises(KeepsakeError):
        write_beneath(tmp_path / "alias", "x.md", b"x")
    assert list(root.iterdir()) == []


@pytest.mark.usefixtures("both")
def test_only_plain_files_are_replaced_and_read(root: Path) -> None:
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    (root / "file.md").write_text("x")
    for relative in ("folder.md", "pipe.md", "file.md/x.md"):
        with pytest.raises(KeepsakeError):
            write_beneath(root, relative, b"x")
        with pytest.raises(KeepsakeError):
            read_beneath(root, relative)
    assert [path for path in root.iterdir() if ".tmp" in path.name] == []


@pytest.mark.usefixtures("both")
def test_a_hard_link_keeps_its_other_name_s_content(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_bytes(b"old")
    os.link(other, root / "x.md")
    write_beneath(root, "x.md", b"new")
    assert other.read_bytes() == b"old"
    assert (root / "x.md").stat().st_nlink == 1


@posix_only
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_s7_modes_hold_under_any_umask(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        write_beneath(tmp_path / "r" / "s", "a/x.md", b"x")
    finally:
        os.umask(old)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("r", "r/s", "r/s/a", "r/s/a/x.md")] == [0o700, 0o700, 0o700, 0o600]


@posix_only
def test_r6_one_save_is_write_fsync_replace_fsync_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    real_write, real_fsync, real_replace = os.write, os.fsync, os.replace

    def write(handle: int, data: bytes) -> int:
        calls.append("write")
        return real_write(handle, data[:3])

    def fsync(handle: int) -> None:
        calls.append("fsync folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "fsync file")
        real_fsync(handle)

    def replace(source: str, target: str, **options: int) -> None:
        assert stat.S_IMODE((root / source).stat().st_mode) == 0o600
        calls.append("replace")
        real_replace(source, target, **options)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    write_beneath(root, "x.md", b"12345678")
    assert (root / "x.md").read_bytes() == b"12345678"
    assert calls == ["write", "write", "write", "fsync file", "replace", "fsync folder"]


@posix_only
@pytest.mark.parametrize("failing", ["write", "fsync", "replace", "open"])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_r3_any_failing_call_leaves_the_old_file_and_no_litter(
    root: Path, monkeypatch: pytest.MonkeyPatch, failing: str, code: int
) -> None:
    write_beneath(root, "x.md", b"old")
    real = getattr(os, failing)

    def fail(*arguments: object, **options: object) -> object:
        if failing == "open" and not str(arguments[0]).endswith(".tmp"):
            return real(*arguments, **options)
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        with pytest.raises(StorageError) as caught:
            write_beneath(root, "x.md", b"new")
    assert str(root / "x.md") in caught.value.message
    assert caught.value.hint
    assert [path.name for path in root.iterdir()] == ["x.md"]
    assert read_beneath(root, "x.md") == b"old"
    write_beneath(root, "x.md", b"new")


@posix_only
def test_b59_a_held_target_is_tried_again_with_growing_pauses(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, pauses, tries = os.replace, list[float](), [0]

    def stubborn(source: str, target: str, **options: int) -> None:
        tries[0] += 1
        if tries[0] <= 2:
            raise PermissionError(errno.EACCES, "held")
        real(source, target, **options)

    monkeypatch.setattr(os, "replace", stubborn)
    write_beneath(root, "x.md", b"x", sleep=pauses.append)
    assert pauses == [0.05, 0.1]
    assert read_beneath(root, "x.md") == b"x"


@posix_only
@pytest.mark.parametrize("count", [4_000, pytest.param(20_000, marks=pytest.mark.full)])
def test_s6_no_write_lands_outside_while_folders_are_swapped_for_links(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (root / "real" / "deep").mkdir(parents=True)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "real").rename(root / "aside")
            (root / "real").symlink_to(outside)
            stop.wait(0.0005)
            (root / "real").unlink()
            (root / "aside").rename(root / "real")
            stop.wait(0.0005)

    def write() -> int:
        done = 0
        for number in range(count):
            try:
                write_beneath(root, f"real/deep/{number % 7}.md", b"x", create=False)
                done += 1
            except KeepsakeError:
                continue
        return done

    monkeypatch.setattr(os, "fsync", lambda handle: None)  # the race is about names; waiting for the disk would only make it rarer
    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        done = write()
    finally:
        stop.set()
        swapper.join()
    assert [path for path in outside.rglob("*") if path.is_file()] == []
    assert done > 0
    assert list(root.rglob("*.tmp")) == []


@posix_only
def test_a_name_that_is_too_long_is_a_storage_error(root: Path) -> None:
    with pytest.raises(StorageError):
        write_beneath(root, "x" * 300 + ".md", b"x")
    write_beneath(root, "文" * 80 + ".md", b"x")
    assert read_beneath(root, "文" * 80 + ".md") == b"x"


def test_split_relative_gives_the_components() -> None:
    assert split_relative("a/b.md") == ["a", "b.md"]


@pytest.mark.usefixtures("both")
def test_b31_a_walk_that_begins_above_the_root_meets_no_link_that_leads_out(tmp_path: Path) -> None:
    start, outside = tmp_path / "workspace", tmp_path / "outside"
    root = start / ".agents" / "memory"
    start.mkdir()
    outside.mkdir()
    beneath.walk_from(root, start)
    write_beneath(root, "MEMORY.md", b"one")
    assert read_beneath(root, "MEMORY.md") == b"one"
    (start / ".agents").rename(start / "kept")
    (start / ".agents").symlink_to(outside)
    (outside / "memory").mkdir()
    (outside / "memory" / "MEMORY.md").write_bytes(b"theirs")
    for call in (read_beneath, delete_beneath, lambda root, path: write_beneath(root, path, b"two")):
        with pytest.raises(KeepsakeError):
            call(root, "MEMORY.md")
    assert (outside / "memory" / "MEMORY.md").read_bytes() == b"theirs"
    assert beneath.obstacle_beneath(root, "MEMORY.md")
    (start / ".agents").unlink()
    (start / ".agents").symlink_to("kept")
    assert read_beneath(root, "MEMORY.md") == b"one", "a link that stays in the workspace is the person's own"


def test_b33_without_such_a_start_the_way_to_the_root_may_hold_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    write_beneath(tmp_path / "alias" / "memory", "a/x.md", b"x")
    assert read_beneath(tmp_path / "alias" / "memory", "a/x.md") == b"x"
    assert beneath.obstacle_beneath(tmp_path / "alias" / "memory", "a/x.md") is None
    assert beneath.obstacle_beneath(tmp_path / "alias" / "memory", "new/y.md") is None


def test_an_obstacle_is_named(root: Path, tmp_path: Path) -> None:
    (root / "link").symlink_to(tmp_path)
    (root / "file").write_text("x")
    (root / "folder.md").mkdir()
    for relative, word in (("link/x.md", "link"), ("file/x.md", "folder"), ("folder.md", "plain file"), ("../x.md", "path below")):
        assert word in (beneath.obstacle_beneath(root, relative) or "")
    (tmp_path / "alias").symlink_to(root)
    assert "link" in (beneath.obstacle_beneath(tmp_path / "alias", "x.md") or "")
    assert beneath.obstacle_beneath(root, "n" * 300) is not None
    assert beneath.obstacle_beneath(tmp_path / "nowhere", "x.md") is None
