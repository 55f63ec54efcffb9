"""The watch on a real folder: every way in which a folder changes, and polling where no watch is to be had."""

from __future__ import annotations

import errno
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.memory.watch import MemoryWatch, fingerprint, watch_memory
from tests.helpers.wait import wait_for


class Ears:
    """Counts calls; `after(action)` waits until the action was heard."""

    def __init__(self) -> None:
        self.heard = 0
        self.quiet = threading.Event()

    def __call__(self) -> None:
        self.heard += 1

    def after(self, action: Callable[[], object], what: str) -> None:
        before = self.heard
        action()
        wait_for(lambda: self.heard > before, what=what)
        self.settle()

    def settle(self) -> None:
        """Wait until nothing more comes for longer than the debounce."""
        last = -1
        while last != self.heard:
            last = self.heard
            self.quiet.wait(0.15)


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "projects" / "p" / "memory"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def watch(root: Path, ears: Ears) -> Iterator[MemoryWatch]:
    found = watch_memory(root, ears)
    yield found
    found.close()


def replace(path: Path, text: str) -> None:
    temporary = path.with_name(".x.tmp")
    temporary.write_text(text)
    temporary.replace(path)


def as_vim(path: Path) -> None:
    """B57: backup, new file under the old name, backup gone."""
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text("edited")
    backup.unlink()


def test_every_kind_of_change_is_heard_and_the_watch_lives_on(root: Path, ears: Ears, watch: MemoryWatch) -> None:
    assert not watch.polling
    path = root / "topic.md"
    ears.after(lambda: path.write_text("one"), "a new file")
    ears.after(lambda: path.write_text("two"), "a change in place")
    ears.after(lambda: replace(path, "three"), "an atomic replace")
    ears.after(lambda: as_vim(path), "an edit as vim does it")
    ears.after(lambda: as_vim(path), "a second edit as vim does it")
    ears.after(lambda: path.rename(root / "other.md"), "a rename")
    ears.after(lambda: (root / "sub" / "deep").mkdir(parents=True), "new folders")
    ears.after(lambda: (root / "sub" / "deep" / "x.md").write_text("x"), "a file in a new folder")
    ears.after((root / "other.md").unlink, "a deletion")


def test_the_folder_deleted_and_made_again_is_followed(root: Path, ears: Ears, watch: MemoryWatch) -> None:
    for folder in (root, root.parent, root.parent.parent):
        ears.after(lambda folder=folder: shutil.rmtree(folder), f"deleting {folder.name}")  # type: ignore[misc]
        ears.after(lambda: root.mkdir(parents=True), "making it again")
        ears.after(lambda: (root / "a.md").write_text("x"), "a file in the new folder")


def test_a_folder_swapped_for_another_is_followed(root: Path, ears: Ears, watch: MemoryWatch) -> None:
    def swap() -> None:
        root.rename(root.with_name("old"))
        root.mkdir()

    ears.after(swap, "the swap")
    ears.after(lambda: (root / "a.md").write_text("x"), "a file in the new folder")


def test_a_folder_that_is_not_there_yet_is_followed(tmp_path: Path, ears: Ears) -> None:
    root = tmp_path / "a" / "b" / "memory"
    watch = watch_memory(root, ears)
    try:
        ears.after(lambda: root.mkdir(parents=True), "making it")
        ears.after(lambda: (root / "x.md").write_text("x"), "a file in it")
    finally:
        watch.close()


def test_a_thousand_files_are_few_calls_and_reading_is_none(root: Path, ears: Ears, watch: MemoryWatch) -> None:
    def burst() -> None:
        for number in range(1_000):
            (root / f"{number}.md").write_text("x")

    ears.after(burst, "the burst")
    assert ears.heard < 100
    before = ears.heard
    for path in root.iterdir():
        path.read_text()
    list(root.iterdir())
    ears.settle()
    assert ears.heard == before


def test_neighbours_of_the_folder_are_not_ours(root: Path, ears: Ears, watch: MemoryWatch) -> None:
    (root.parent / "project.json").write_text("{}")
    (root.parent / "memory-evil").mkdir()
    ears.settle()
    assert ears.heard == 0


def test_after_closing_nothing_is_heard_and_no_thread_is_left(root: Path, ears: Ears) -> None:
    watch = watch_memory(root, ears)
    watch.close()
    watch.close()
    (root / "a.md").write_text("x")
    ears.settle()
    assert ears.heard == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "memory-watch"]


def test_it_can_be_closed_from_its_own_call(root: Path) -> None:
    closed = threading.Event()
    watch: MemoryWatch

    def close() -> None:
        watch.close()
        closed.set()

    watch = watch_memory(root, close)
    (root / "a.md").write_text("x")
    assert closed.wait(60)
    wait_for(lambda: not [t for t in threading.enumerate() if t.name == "memory-watch"], what="the end of the thread")


def test_a_listener_that_fails_does_not_end_the_watch(root: Path, ears: Ears, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        ears()
        raise ValueError("listener")

    watch = watch_memory(root, fail)
    try:
        ears.after(lambda: (root / "a.md").write_text("x"), "the first change")
        ears.after(lambda: (root / "b.md").write_text("x"), "the second change")
    finally:
        watch.close()
    assert "listener" in caplog.text


class Exhausted:
    """A system without watches left, as watchdog reports it."""

    emitters: tuple[Any, ...] = ()

    def __init__(self, at_start: bool) -> None:
        self._at_start = at_start

    def start(self) -> None:
        if self._at_start:
            raise OSError(errno.EMFILE, "inotify instance limit reached")

    def schedule(self, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    def is_alive(self) -> bool:
        return False


@pytest.mark.parametrize("at_start", [True, False])
def test_without_watches_the_folder_is_polled(root: Path, ears: Ears, at_start: bool) -> None:
    watch = MemoryWatch(root, ears, lambda: Exhausted(at_start))
    try:
        assert watch.wait_ready()
        assert watch.polling
        ears.after(lambda: (root / "a.md").write_text("x"), "a new file")
        ears.after(lambda: replace(root / "a.md", "y"), "an atomic replace")
        ears.after(lambda: shutil.rmtree(root), "the folder's end")
        ears.after(lambda: root.mkdir(), "the folder's return")
    finally:
        watch.close()


def test_the_fingerprint_sees_a_change_of_the_same_size_and_time(root: Path) -> None:
    import os

    path = root / "a.md"
    path.write_text("one")
    status = path.stat()
    before = fingerprint(root)
    assert fingerprint(root) == before
    replace(path, "two")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert fingerprint(root) != before
