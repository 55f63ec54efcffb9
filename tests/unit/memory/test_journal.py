"""The journal: durable, quick, no damaged line hides another, newer lines are left alone; a version is trusted or refused."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.textio import digest
from desktop.memory.change import Change, ChangeOrigin, change_from_line, last_of, line_of, undone_ids
from desktop.memory.journal import Journal
from desktop.memory.store import MemoryStore
from tests.unit.memory.conftest import MAIN, ON, Desk, make_paths

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)


def change(number: int, path: str = "a.md", **more: Any) -> Change:
    moment = MOMENT + timedelta(seconds=number)
    return Change(f"chg_{number:026d}", moment, "write", path, None, f"{number:064x}", more.pop("origin", MAIN), **more)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(make_paths(tmp_path), "key")


def test_a_line_keeps_all_of_a_change_but_what_is_for_the_moment_only(journal: Journal) -> None:
    origin = ChangeOrigin("dream", "sess_x", "msg_x", "because\u2028of \ud800 this", untrusted=True)
    whole = change(1, "ordner/\udcff 字.md", origin=origin, old_path="old.md", undoes="chg_0", group="grp_1", merged=True)
    line = line_of(whole)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert change_from_line(line) == whole
    plain = Change(**{name: getattr(whole, name) for name in Change.__slots__} | {"warnings": ("look",)})
    assert change_from_line(line_of(plain)) == whole
    approved = change(2, origin=ChangeOrigin("main", approved=True))
    assert change_from_line(line_of(approved)) == change(2, origin=ChangeOrigin("main"))


def test_damaged_lines_hide_no_other_and_are_kept(journal: Journal) -> None:
    journal.append(change(1))
    bad = [
        b"",
        b"\0" * 40,
        b'{"schema": 1, "id": "chg_x"',
        b"[1, 2]",
        b"5",
        b'"x"',
        b"[" * 5_000,
        b"\xff\xfe\x00",
        b'{"schema": 1}',
        b'{"time": 3}',
    ]
    bad += [line_of(change(9))[:-30], b"nul" * 100_000, b'{"schema":1,"id":"chg_9","time":"never","op":"write","path":"a","actor":"main"}']
    with journal.file.open("ab") as file:
        file.write(b"\n".join(bad))
    data = journal.file.read_bytes()
    journal.append([change(2), change(3)])
    assert [one.id[-1] for one in journal.read()] == ["1", "2", "3"]
    assert journal.file.read_bytes().startswith(data + b"\n")
    assert [one.id for one in Journal(make_paths(journal.file.parents[2]), "key").read()] == [one.id for one in journal.read()]


def test_a_torn_last_line_counts_when_only_its_line_break_is_missing(journal: Journal) -> None:
    journal.append([change(1), change(2)])
    journal.file.write_bytes(journal.file.read_bytes()[:-1])
    assert len(journal.read()) == 2
    assert journal.holds(change(2).id)
    journal.append(change(3))
    assert [one.id[-1] for one in journal.read()] == ["1", "2", "3"]


def test_lines_of_a_newer_program_are_believed_about_contents_and_left_alone(journal: Journal) -> None:
    journal.append([change(1, "a.md"), change(2, "b.md"), change(3, "c.md")])
    newer = [
        {"schema": 2, "id": "x1", "op": "transmuted", "path": "a.md", "after": "f" * 64},
        {"schema": 2, "id": "x2", "op": "write", "path": "d.md", "old_path": "b.md", "after": "e" * 64, "actor": "robot", "time": "soon"},
        {"schema": 3, "op": "write", "path": "c.md", "after": None},
        {"schema": 2, "path": 5, "after": []},
    ]
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in newer)
    with journal.file.open("ab") as file:
        file.write(lines)
    assert len(journal.read()) == 3
    assert journal.contents() == {"a.md": "f" * 64, "d.md": "e" * 64}
    assert journal.rewrite(lambda record: None if record["path"] == "c.md" else record) == 1
    assert lines in journal.file.read_bytes()
    assert [one.path for one in journal.read()] == ["a.md", "b.md"]


def test_what_lies_where_follows_writes_renames_deletions_and_a_baseline(journal: Journal) -> None:
    assert (journal.observed, journal.contents(), journal.read()) == (False, {}, [])
    journal.append([change(1), change(2, "b.md")])
    moved = Change("chg_m", MOMENT, "rename", "c.md", f"{1:064x}", f"{1:064x}", MAIN, old_path="a.md")
    gone = Change("chg_d", MOMENT, "delete", "b.md", f"{2:064x}", None, MAIN)
    journal.append([moved, gone])
    assert journal.contents() == {"c.md": f"{1:064x}"}
    journal.append_baseline("chg_b", MOMENT, {"x.md": "0" * 64})
    assert (journal.observed, journal.contents()) == (True, {"x.md": "0" * 64})
    assert (journal.content("x.md"), journal.content("c.md")) == ("0" * 64, None)
    assert [one.id for one in journal.read()][2:] == ["chg_m", "chg_d"]


def test_only_what_came_since_is_read_and_every_other_change_of_the_file_is_noticed(journal: Journal, tmp_path: Path) -> None:
    other = Journal(make_paths(tmp_path), "key")
    journal.append(change(1))
    assert len(other.read()) == 1
    journal.append([change(2), change(2), change(3)])
    assert [one.id[-1] for one in other.read()] == ["1", "2", "3"]
    text = journal.file.read_bytes()
    journal.file.write_bytes(text.replace(b"a.md", b"z.md"))
    assert {one.path for one in other.read()} == {"z.md"}
    journal.file.write_bytes(text[: text.index(b"\n") + 1])
    assert len(other.read()) == 1
    journal.file.unlink()
    assert (other.read(), other.contents()) == ([], {})
    journal.append(change(4))
    assert [one.id[-1] for one in other.read()] == ["4"]
    changed = other.read()
    changed.clear()
    assert len(other.read()) == 1


def test_r4_after_a_failed_flush_nothing_of_the_line_is_left_and_the_next_goes_to_a_new_handle(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append(change(1))
    before, real, flushed = journal.file.read_bytes(), os.fsync, list[int]()

    def failing(handle: int) -> None:
        flushed.append(handle)
        if len(flushed) == 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(StorageError, match="journal"):
            journal.append(change(2))
        assert len(flushed) == 2  # the second one is of the handle that cut the line off
    assert journal.file.read_bytes() == before
    assert [one.id[-1] for one in journal.read()] == ["1"]
    journal.append(change(3))
    assert [one.id[-1] for one in journal.read()] == ["1", "3"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_line_that_fits_only_in_part_is_taken_back(journal: Journal, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    journal.append(change(1))
    before, real = journal.file.read_bytes(), os.write

    def short(handle: int, data: bytes) -> int:
        if len(data) <= 100:
            raise OSError(code, os.strerror(code))
        return real(handle, bytes(data)[:100])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", short)
        with pytest.raises(StorageError, match="journal"):
            journal.append(change(2))
    assert journal.file.read_bytes() == before


def test_an_unreadable_journal_is_an_error_and_never_an_empty_history(journal: Journal) -> None:
    journal.file.mkdir(parents=True)
    for ask in (journal.read, journal.contents, lambda: journal.observed, lambda: journal.holds("x")):
        with pytest.raises(StorageError, match="could not be read"):
            ask()


# versions


def test_a_version_is_kept_once_and_a_damaged_one_is_written_anew(journal: Journal) -> None:
    name = journal.keep(b"text\n")
    path = journal.snapshots / name
    os.utime(path, (1, 1))
    assert journal.keep(b"text\n") == name == digest(b"text\n")
    assert path.stat().st_mtime > 1
    path.write_bytes(b"tex\0\n")
    with pytest.raises(NotFoundError, match="damaged"):
        journal.kept(name)
    journal.keep(b"text\n", flush=False)
    assert journal.kept(name) == b"text\n"
    assert [one.name for one in journal.snapshots.iterdir()] == [name]
    path.unlink()
    for wrong in (name, "", "../../../etc/passwd", "/etc/passwd", "x" * 64):
        with pytest.raises(NotFoundError, match="no longer kept"):
            journal.kept(wrong)


@pytest.mark.parametrize("flush", [True, False])
def test_a_version_that_cannot_be_kept_leaves_nothing_behind(journal: Journal, monkeypatch: pytest.MonkeyPatch, flush: bool) -> None:
    journal.keep(b"one")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StorageError, match="No space left"):
            journal.keep(b"two", flush=flush)
    assert [one.name for one in journal.snapshots.iterdir()] == [digest(b"one")]


# undo and redo


def test_what_is_undone_now_follows_undo_of_undo() -> None:
    first, second = change(1), change(2)
    undo = Change("chg_u", MOMENT, "restore", "a.md", None, None, MAIN, undoes=second.id)
    redo = Change("chg_r", MOMENT, "restore", "a.md", None, None, MAIN, undoes="chg_u")
    again = Change("chg_a", MOMENT, "restore", "a.md", None, None, MAIN, undoes=second.id)
    assert undone_ids([first, second, undo]) == {second.id}
    assert undone_ids([first, second, undo, redo]) == {"chg_u"}
    assert undone_ids([first, second, undo, redo, again]) == {"chg_u", second.id}
    assert last_of([first, second, undo], undoable=True) == first
    assert last_of([first, second, undo, redo], undoable=True) == second


def long_journal(desk: Desk, lines: int) -> None:
    """A long history is read once, then only its end; undo and history answer from it."""
    desk.store.write("a.md", "first\n", base_digest=None, origin=MAIN)
    journal = desk.store.journal
    journal.append(change(number, f"note-{number % 997}.md") for number in range(lines))
    last = desk.store.write("a.md", "second\n", base_digest=desk.store.read("a.md").digest, origin=MAIN)
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON)
    assert store.changes(1)[0].id == last.id
    assert len(store.changes(lines + 10)) == lines + 2
    assert store.undo(last.id).undoes == last.id
    assert store.read("a.md").text == "first\n"
    assert len(store.changes(lines + 10)) == lines + 3


def test_a_long_history_is_whole(desk: Desk) -> None:
    long_journal(desk, 3_000)


@pytest.mark.full
def test_a_history_of_100_000_changes_is_whole(desk: Desk) -> None:
    long_journal(desk, 100_000)
