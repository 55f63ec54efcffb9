"""The trash of sessions: everything that belongs to a session goes there with it, comes back with it, and goes for good only when told."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError, StorageError
from desktop.messages.parts import ToolResultPart
from desktop.sessions.side_files import folder_of
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import KEY, filled, message, new_handle, older_lines, paths_in, store_in

BIG = "output\n" * 20_000


def everything(root: Path) -> dict[str, bytes]:
    """Every file of the sessions, by its place."""
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file() and p.suffix != ".lock"}


def with_all(store: SessionStore, text: str = "keep me") -> SessionHandle:
    """A closed session with a side file and the copy of a torn end."""
    handle = new_handle(store)
    filled(handle, 2, text)
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Read", BIG),)))
    handle.close()
    handle.path.write_bytes(handle.path.read_bytes() + b'{"torn')
    again = store.open(handle.id)
    again.append(message("after"))
    again.close()
    return handle


def test_a_session_comes_back_with_side_files_and_copies(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    before = everything(tmp_path / "data" / "sessions")
    assert len(before) == 3
    store.trash(handle.id)
    assert everything(tmp_path / "data" / "sessions") == {} and store.list() == []
    [entry] = store_in(tmp_path).trashed()
    assert (entry.id, entry.title, entry.project_key, entry.was) == (handle.id, "keep me 0", KEY, handle.path)
    assert entry.size == sum(map(len, before.values())) and entry.expires is None
    assert store.restore(entry) == handle.path
    assert everything(tmp_path / "data" / "sessions") == before
    assert store.trashed() == [] and list((tmp_path / "data" / "trash" / "sessions").iterdir()) == []
    assert [s.id for s in store.list()] == [handle.id]


def test_the_trash_tells_when_each_was_put_there_the_latest_first(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 3, 1, 8, tzinfo=UTC))
    store = store_in(tmp_path, clock)
    first, second = with_all(store, "first"), with_all(store, "second")
    store.trash(second.id)
    clock.advance(3_600)
    store.trash(first.id)
    found = store.trashed()
    assert [(entry.title, entry.when.hour) for entry in found] == [("first 0", 9), ("second 0", 8)]


def test_nothing_is_deleted_by_itself_however_long_it_lies_there(tmp_path: Path) -> None:
    store = store_in(tmp_path, FixedClock(datetime(2016, 1, 1, tzinfo=UTC)))
    handle = with_all(store)
    store.trash(handle.id)
    later = store_in(tmp_path, FixedClock(datetime(2036, 1, 1, tzinfo=UTC)))
    later.list()
    new_handle(later).close()
    [entry] = later.trashed()
    later.restore(entry)
    assert later.load(handle.id).live[0].text == "keep me 0"


def test_a_session_deleted_for_good_leaves_nothing_and_its_neighbours_alone(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    gone, kept, live = with_all(store), with_all(store), with_all(store)
    store.trash(gone.id)
    store.trash(kept.id)
    store.purge(next(entry for entry in store.trashed() if entry.id == gone.id))
    assert not [path for path in tmp_path.rglob("*") if gone.id in path.name and path.suffix != ".lock"]
    assert [entry.id for entry in store.trashed()] == [kept.id] and [s.id for s in store.list()] == [live.id]
    store.restore(store.trashed()[0])
    assert store.load(kept.id).live[2].tool_results[0].output == BIG


def test_the_same_session_can_go_there_twice_in_one_tick(tmp_path: Path) -> None:
    store = store_in(tmp_path, FixedClock())
    handle = with_all(store)
    store.trash(handle.id)
    before = store.trashed()[0].path.read_bytes()
    handle.path.write_bytes(older_lines(handle.id))  # another file with its name: a copy that somebody put there
    store.trash(handle.id)
    assert len(store.trashed()) == 2
    assert sorted(entry.path.read_bytes() for entry in store.trashed()) == sorted([before, older_lines(handle.id)])


def test_what_is_in_the_old_place_is_never_overwritten(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    store.trash(handle.id)
    [entry] = store.trashed()
    handle.path.write_bytes(b"new")
    with pytest.raises(StorageError, match="is there already"):
        store.restore(entry)
    assert handle.path.read_bytes() == b"new" and store.trashed() == [entry]


def test_an_entry_that_is_gone_is_named(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    path = store.trash(handle.id)
    entry = store.find_trashed(path)
    store.restore(entry)
    with pytest.raises(NotFoundError, match="not in the trash any more"):
        store.find_trashed(path)
    with pytest.raises(StorageError):
        store.restore(entry)
    assert store.load(handle.id).messages
    for other in (handle.path, tmp_path / "x.jsonl", path.parent / "x.jsonl"):
        with pytest.raises(NotFoundError):
            store.find_trashed(other)


def test_an_open_session_is_not_trashed_and_one_that_is_open_elsewhere_is_not_restored(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    holder = store.open(handle.id)
    with pytest.raises(StorageError, match="open elsewhere"):
        store_in(tmp_path).trash(handle.id)
    holder.close()
    store_in(tmp_path).trash(handle.id)


@pytest.mark.parametrize("call", ["rename", "fsync", "mkdir"])
def test_a_move_that_fails_is_as_if_it_had_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Fail the 1st, 2nd, … call until a move passes without a fault; the session is whole in one place each time."""
    real, points = getattr(os, call), 0
    for when in range(1, 30):
        root = tmp_path / str(when)
        store = store_in(root)
        handle = with_all(store)
        before = everything(root / "data" / "sessions")
        made = 0

        def faulty(*args: object, _when: int = when, **kwargs: object) -> object:
            nonlocal made
            made += 1
            if made == _when:
                raise OSError(errno.EIO, "Input/output error")
            return real(*args, **kwargs)

        monkeypatch.setattr(os, call, faulty)
        try:
            store.trash(handle.id)
        except StorageError as error:
            assert error.hint
            monkeypatch.setattr(os, call, real)
            assert everything(root / "data" / "sessions") == before and store.trashed() == []
            points += 1
            continue
        monkeypatch.setattr(os, call, real)
        store.restore(store.trashed()[0])
        assert everything(root / "data" / "sessions") == before
        if made < when:
            break
    assert points >= 1
    print(f"trash: {points} points of {call}")


def test_a_move_that_was_broken_off_is_made_whole_from_the_trash(tmp_path: Path) -> None:
    """A process that was killed in the middle leaves the transcript in the trash and what belongs to it behind, or a part of that."""
    store = store_in(tmp_path)
    handle = with_all(store)
    before = everything(tmp_path / "data" / "sessions")
    path = store.trash(handle.id)
    folder_of(handle.path).mkdir()
    [side] = folder_of(path).iterdir()
    side.rename(folder_of(handle.path) / side.name)
    [entry] = store.trashed()
    store.restore(entry)
    assert everything(tmp_path / "data" / "sessions") == before


def test_deleting_for_good_takes_what_a_broken_move_left_behind(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    path = store.trash(handle.id)
    folder_of(path).rename(folder_of(handle.path))
    store.purge(store.trashed()[0])
    assert not [p for p in tmp_path.rglob("*") if p.is_file() and p.suffix != ".lock"]


def test_another_file_system_is_a_copy_and_then_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trash may be a mount of its own: no rename leads there."""
    store = store_in(tmp_path)
    handle = with_all(store)
    before = everything(tmp_path / "data" / "sessions")
    real = os.rename

    def across(source: str | Path, target: str | Path) -> None:
        if ("/trash/" in str(source)) != ("/trash/" in str(target)):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(source, target)

    monkeypatch.setattr(os, "rename", across)
    store.trash(handle.id)
    assert everything(tmp_path / "data" / "sessions") == {}
    store.restore(store.trashed()[0])
    assert everything(tmp_path / "data" / "sessions") == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_folder_in_place_of_a_transcript_goes_and_comes_too(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    handle.path.unlink()
    handle.path.mkdir()
    (handle.path / "inside").write_text("kept")
    store.trash(handle.id)
    store.restore(store.trashed()[0])
    assert (handle.path / "inside").read_text() == "kept"
    store.trash(handle.id)
    store.purge(store.trashed()[0])
    assert store.trashed() == []


def test_other_things_in_the_trash_are_left_alone(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    assert store.trashed() == []
    folder = paths_in(tmp_path).trash / "sessions" / "by hand" / "some-project"
    folder.mkdir(parents=True)
    for name in ("notes.txt", "sess_short.jsonl", "a.jsonl"):
        (folder / name).write_text("x")
    handle = with_all(store)
    moved = folder / handle.path.name
    handle.path.rename(moved)
    [entry] = store.trashed()
    assert entry.path == moved and entry.project_key == "some-project"
    assert len(list(folder.iterdir())) == 4


def test_changes_are_told(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = with_all(store)
    heard: list[str] = []
    store.changed.subscribe(heard.append)
    store.trash(handle.id)
    store.restore(store.trashed()[0])
    assert heard == [handle.id] * 2


# --- marks of the list ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", ["pinned", "archived"])
def test_a_mark_lasts_can_be_taken_back_and_moves_nothing_in_the_list(tmp_path: Path, flag: str) -> None:
    store = store_in(tmp_path)
    old, new = new_handle(store), new_handle(store)
    filled(old, 2, "old")
    filled(new, 2, "new")
    old.close()
    new.close()
    before = [(s.id, s.updated) for s in store.list()]
    store.set_flag(old.id, flag, True)
    again = store_in(tmp_path)
    assert again.load(old.id).meta == {flag: True} and getattr(again.find(old.id), flag) is True
    assert [(s.id, s.updated) for s in again.list()] == before
    length = old.path.stat().st_size
    again.set_flag(old.id, flag, True)
    assert old.path.stat().st_size == length, "what holds already is not written again"
    again.set_flag(old.id, flag, False)
    assert getattr(store_in(tmp_path).find(old.id), flag) is False and [(s.id, s.updated) for s in again.list()] == before


def test_a_mark_is_set_on_an_open_session_too_and_only_known_ones(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    store.set_flag(handle.id, "pinned", True)
    assert handle.meta == {"pinned": True}
    with pytest.raises(StorageError, match="open elsewhere"):
        store_in(tmp_path).set_flag(handle.id, "pinned", False)
    with pytest.raises(ValueError, match="starred"):
        store.set_flag(handle.id, "starred", True)
    handle.close()
