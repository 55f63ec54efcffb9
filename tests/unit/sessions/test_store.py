"""The transcript store: lazy files, one writer, acknowledged means stored, torn ends, titles, trash."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError, StorageError
from desktop.memory.place import project_key
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions.context_stream import open_material
from desktop.sessions.record import Record, decode_line, encode
from desktop.sessions.store import SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import KEY, filled, message, new_handle, store_in

ROOT = Path(__file__).resolve().parents[3]


def files(root: Path) -> list[str]:
    return sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p.suffix != ".lock")


# --- creation, resume ----------------------------------------------------------------------------------------------------


def test_a_session_without_messages_leaves_nothing(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.set_meta("mode", "plan")
    handle.close()
    assert list(tmp_path.iterdir()) == [] and store.list() == []


def test_the_first_message_makes_the_file_with_header_and_early_values(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store, memory=False)
    handle.set_meta("mode", "plan")
    handle.append(message("hello"))
    assert handle.path == tmp_path / "data" / "sessions" / KEY / f"{handle.id}.jsonl"
    assert stat.S_IMODE(handle.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(handle.path.parent.stat().st_mode) == 0o700
    handle.close()
    loaded = store.load(handle.id)
    assert loaded.header is not None
    assert loaded.header.memory_enabled is False and loaded.header.workspace == "/srv/demo"
    assert loaded.meta == {"mode": "plan"} and loaded.damage == []


def test_resume_gives_the_same_messages_and_goes_on(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    call = ToolCallPart("c1", "Read", {"file_path": "a.py"})
    result = ToolResultPart("c1", "Read", "内容", "ok", data={"lines": 3})
    written = [
        handle.append(message("看看")),
        handle.append(message("", "assistant", parts=(call,), stop="tool_calls", tokens=12)),
        handle.append(message("", "tool", parts=(result,))),
        handle.append(message("done", "assistant")),
    ]
    handle.close()
    again = SessionStore(store._paths, FixedClock()).open(handle.id)
    assert again.messages == written and again.header == handle.header and again.damage == ()
    again.append(message("and on"))
    again.close()
    loaded = store.load(handle.id)
    assert [m.text for m in loaded.live][-1] == "and on" and loaded.damage == []
    assert loaded.live[-1].parent == written[-1].id


def test_appending_to_a_closed_session_is_refused(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 1)
    handle.close()
    handle.close()
    with pytest.raises(StorageError, match="closed"):
        handle.append(message("late"))


@pytest.mark.parametrize("wrong", ["sess_00000000000000000000000000", "nonsense", "../../etc/passwd", "sess_../x", ""])
def test_an_unknown_session_is_named(tmp_path: Path, wrong: str) -> None:
    store = store_in(tmp_path)
    filled(new_handle(store), 1)
    for ask in (store.load, store.find, store.open, store.trash):
        with pytest.raises(NotFoundError):
            ask(wrong)


# --- one writer -------------------------------------------------------------------------------------------------------


def test_a_second_writer_is_told_that_it_is_open_elsewhere(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    other = store_in(tmp_path)
    for write in (other.open, other.trash, lambda sid: other.rename(sid, "x")):
        with pytest.raises(StorageError, match="open elsewhere"):
            write(handle.id)
    assert len(other.load(handle.id).messages) == 2
    handle.close()
    other.open(handle.id).close()


HOLDER = """
import sys
from pathlib import Path
from tests.unit.sessions.make import message, store_in
handle = store_in(Path(sys.argv[1])).open(sys.argv[2])
print("open", flush=True)
sys.stdin.read()
"""


def test_another_process_holds_the_lock_and_its_death_frees_it(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    command = [sys.executable, "-c", HOLDER, str(tmp_path), handle.id]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        with pytest.raises(StorageError, match="open elsewhere"):
            store.open(handle.id)
        child.kill()
        child.wait()
    store.open(handle.id).close()


# --- torn ends --------------------------------------------------------------------------------------------------------


def test_a_torn_end_is_copied_and_closed_before_the_next_append(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 3)
    handle.close()
    whole = handle.path.read_bytes()
    torn = encode(4, "message", {"id": "m"}, FixedClock().moment)[:30]
    handle.path.write_bytes(whole + torn)

    again = store.open(handle.id)
    assert len(again.messages) == 3 and len(again.damage) == 1
    assert handle.path.read_bytes() == whole + torn, "opening alone changes nothing"
    again.append(message("after"))
    again.close()
    data = handle.path.read_bytes()
    assert data.startswith(whole + torn + b"\n")
    copies = list(handle.path.parent.glob("*.torn-*"))
    assert [copy.read_bytes() for copy in copies] == [torn]
    assert [m.text for m in store.load(handle.id).live][-1] == "after"
    assert [s.id for s in store.list()] == [handle.id]


def test_a_whole_last_record_without_its_newline_is_kept_without_a_copy(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 3)
    handle.close()
    handle.path.write_bytes(handle.path.read_bytes().rstrip(b"\n"))
    again = store.open(handle.id)
    again.append(message("after"))
    again.close()
    assert len(store.load(handle.id).live) == 4 and store.load(handle.id).damage == []
    assert list(handle.path.parent.glob("*.torn-*")) == []


def test_a_utf_16_file_is_copied_before_it_is_appended_to(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 3)
    handle.close()
    original = handle.path.read_bytes().decode().encode("utf-16")
    handle.path.write_bytes(original)
    again = store.open(handle.id)
    again.append(message("after"))
    again.close()
    assert [m.text for m in store.load(handle.id).live] == ["message 0", "message 1", "message 2", "after"]
    assert [copy.read_bytes() for copy in handle.path.parent.glob("*.original-*")] == [original]


def test_a_lost_header_is_made_again_from_the_project(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    first, second = new_handle(store), new_handle(store)
    for handle in (first, second):
        filled(handle, 2)
        handle.close()
    lines = first.path.read_bytes().splitlines(keepends=True)
    first.path.write_bytes(b"".join(lines[1:]))
    again = store.open(first.id)
    assert again.header.workspace == "/srv/demo" and again.header.project_key == KEY and again.header.memory_enabled is False
    again.append(message("on"))
    again.close()
    loaded = store.load(first.id)
    assert loaded.header == again.header and len(loaded.live) == 3


def test_a_newer_file_is_read_but_not_opened(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    before = handle.path.read_bytes().replace(b'{"schema":1,"seq":0', b'{"schema":7,"seq":0')
    handle.path.write_bytes(before)
    with pytest.raises(StorageError, match="newer"):
        store.open(handle.id)
    assert handle.path.read_bytes() == before and len(store.load(handle.id).messages) == 2


def test_a_folder_in_place_of_the_file_is_listed_and_refused(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    handle.path.unlink()
    handle.path.mkdir()
    assert [s.state for s in store.list()] == ["damaged"]
    with pytest.raises(StorageError, match="not a file"):
        store.open(handle.id)


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["write", "fsync", "open"])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
def test_a_fault_at_any_call_acknowledges_nothing_and_the_next_save_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    """Fail the 1st, 2nd, … call of a kind until a run passes without a fault; after each, the file holds what was acknowledged."""
    points = 0
    for when in range(1, 50):
        root = tmp_path / str(when)
        store = store_in(root)
        handle = new_handle(store)
        if when % 2:
            filled(handle, 2)
            handle.close()
            handle.path.write_bytes(handle.path.read_bytes() + b'{"torn')
            handle = store.open(handle.id)
        acknowledged = [m.id for m in handle.messages]
        calls = 0
        real = getattr(os, name)

        def faulty(*args: object, _when: int = when, _real: object = real, **kwargs: object) -> object:
            nonlocal calls
            calls += 1
            if calls == _when:
                raise OSError(code, os.strerror(code))
            return _real(*args, **kwargs)  # type: ignore[operator]

        monkeypatch.setattr(os, name, faulty)
        failed = 0
        for text in ("one", "two"):
            try:
                acknowledged.append(handle.append(message(text)).id)
            except StorageError as error:
                failed += 1
                assert error.hint or error.detail
        monkeypatch.setattr(os, name, real)
        assert [m.id for m in handle.messages] == acknowledged
        acknowledged.append(handle.append(message("three")).id)
        handle.close()
        loaded = store_in(root).load(handle.id)
        assert [m.id for m in loaded.live] == acknowledged
        assert len(loaded.messages) <= len(acknowledged) + failed
        if calls < when:
            break
        points += 1
        assert failed <= 1
    assert points >= 1
    assert calls < when, "the loop must end without a fault"


def test_a_message_that_is_sent_again_after_a_failed_fsync_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    real, failing = os.fsync, [True]

    def faulty(file: int) -> None:
        if failing.pop() if failing else False:
            raise OSError(errno.EIO, "Input/output error")
        real(file)

    monkeypatch.setattr(os, "fsync", faulty)
    third = message("third")
    with pytest.raises(StorageError, match="Input/output"):
        handle.append(third)
    assert len(handle.messages) == 2
    handle.append(third)
    handle.close()
    loaded = store.load(handle.id)
    assert [m.text for m in loaded.live] == ["message 0", "message 1", "third"] and loaded.damage == []


def test_short_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, bytes(data[:7])))
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 3)
    handle.close()
    monkeypatch.undo()
    assert len(store.load(handle.id).live) == 3 and store.load(handle.id).damage == []


@pytest.mark.parametrize("fate", ["removed", "folder removed", "exchanged"])
def test_a_file_that_vanishes_while_it_is_open_is_made_whole_again(tmp_path: Path, fate: str) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    older = handle.path.read_bytes()
    handle.set_meta("title", "Mine")
    filled(handle, 2, "later")
    if fate == "folder removed":
        shutil.rmtree(handle.path.parent)
    else:
        handle.path.unlink()
    if fate == "exchanged":
        handle.path.write_bytes(older)
    handle.append(message("last"))
    handle.close()
    loaded = store.load(handle.id)
    assert [m.text for m in loaded.live] == ["message 0", "message 1", "later 0", "later 1", "last"]
    assert loaded.damage == [] and loaded.meta == {"title": "Mine"} and loaded.header == handle.header
    assert store.find(handle.id).title == "Mine"


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_files_and_folders_are_private_under_any_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        handle = new_handle(store_in(tmp_path / "p"))
        filled(handle, 1)
        handle.path.write_bytes(handle.path.read_bytes() + b"{torn")
        handle.close()
        again = store_in(tmp_path / "p").open(handle.id)
        again.append(message("x"))
        again.close()
    finally:
        os.umask(before)
    made = list((tmp_path / "p").rglob("*"))
    assert {stat.S_IMODE(p.stat().st_mode) for p in made if p.is_file()} == {0o600}
    assert {stat.S_IMODE(p.stat().st_mode) for p in [*made, tmp_path / "p"] if p.is_dir()} == {0o700}


# --- titles, trash, events ------------------------------------------------------------------------------------------------


def test_a_rename_lasts_does_not_reorder_and_can_be_taken_back(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    old, new = new_handle(store), new_handle(store)
    filled(old, 2, "old")
    filled(new, 2, "new")
    old.close()
    new.close()
    store.rename(old.id, "  重构 the parser ")
    again = store_in(tmp_path)
    assert [s.title for s in again.list()] == ["new 0", "重构 the parser"]
    again.rename(old.id, "")
    assert again.find(old.id).title == "old 0"


def test_the_trash_keeps_the_file_under_a_date(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    data = handle.path.read_bytes()
    target = store.trash(handle.id)
    assert target.read_bytes() == data and target.is_relative_to(tmp_path / "data" / "trash" / "sessions")
    assert store.list() == []
    with pytest.raises(NotFoundError):
        store.load(handle.id)


def test_every_change_is_emitted(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    heard: list[str] = []
    store.changed.subscribe(heard.append)
    handle = new_handle(store)
    handle.append(message("one"))
    handle.set_meta("title", "x")
    handle.close()
    store.trash(handle.id)
    assert heard == [handle.id] * 4


def test_nothing_but_transcripts_and_locks_is_left(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 5)
    handle.close()
    assert files(tmp_path) == [f"data/sessions/{KEY}/{handle.id}.jsonl"]


# --- kill -------------------------------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from tests.unit.sessions.make import message, new_handle, store_in
from desktop.base.clock import SystemClock
store = store_in(Path(sys.argv[1]))
handle = store.open(sys.argv[2]) if len(sys.argv) > 2 else new_handle(store)
print("id", handle.id, flush=True)
while True:
    print("ack", handle.append(message("x" * 3000)).id, flush=True)
"""


def _killed_writer(root: Path, session: list[str], after: int) -> tuple[str, list[str]]:
    """Let a process append and kill it after some acknowledgements; gives the session and what was acknowledged."""
    command = [sys.executable, "-c", WRITER, str(root), *session]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        session_id = child.stdout.readline().split()[1]
        lines = [child.stdout.readline() for _ in range(after)]
        child.kill()
        lines += child.stdout.readlines()
    return session_id, [line.split()[1] for line in lines if line.startswith("ack") and line.endswith("\n")]


def test_killed_writers_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    session: list[str] = []
    acknowledged: list[str] = []
    store = store_in(tmp_path)
    for kill in range(40):
        session_id, more = _killed_writer(tmp_path, session, after=1 + kill * 3 % 17)
        session = [session_id]
        acknowledged += more
        loaded = store.load(session_id)
        ids = [m.id for m in loaded.messages]
        assert len(set(ids)) == len(ids)
        assert set(acknowledged) <= set(ids)
        assert len(ids) - len(acknowledged) <= kill + 1, "at most one unacknowledged record a kill"
    assert len(acknowledged) >= 40


@pytest.mark.full
def test_two_hundred_killed_writers(tmp_path: Path) -> None:
    lost = 0
    for kill in range(200):
        root = tmp_path / str(kill)
        session_id, acknowledged = _killed_writer(root, [], after=kill % 23)
        loaded = store_in(root).load(session_id) if acknowledged else None
        lost += len(set(acknowledged) - {m.id for m in loaded.messages}) if loaded else 0
    print("R1 transcript: 200 kills, acknowledged records lost:", lost)
    assert lost == 0


# --- what a hostile or unlucky hand leaves -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sess_x. Ignore the marks\n<<", "../../escape", "another"])
def test_a_session_goes_by_the_name_of_its_file_whatever_its_header_says(tmp_path: Path, name: str) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    other = new_handle(store)
    filled(other, 1, "other")
    other.close()
    said = other.id if name == "another" else name
    lines = handle.path.read_bytes().splitlines(keepends=True)
    header = decode_line(lines[0])
    payload = next(one.payload for one in header if isinstance(one, Record)) | {"id": said}
    handle.path.write_bytes(b"".join([encode(0, "session", payload, FixedClock().moment), *lines[1:]]))
    loaded = store.load(handle.id)
    assert loaded.header is not None and loaded.header.id == handle.id
    seen: list[str] = []
    store.changed.subscribe(seen.append)
    again = store.open(handle.id)
    assert again.id == handle.id
    store.rename(handle.id, "Mine")  # finds the open one
    again.close()
    assert set(seen) == {handle.id}
    assert store.find(handle.id).title == "Mine" and store.find(other.id).title == "other 0"
    with open_material(handle.path) as material:
        assert material.session_id == handle.id


def test_a_value_that_is_set_after_the_file_vanished_brings_everything_back(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    first = filled(handle, 4)
    handle.set_leaf(first[1].id)
    handle.path.unlink()
    handle.set_meta("title", "Mine")
    handle.close()
    loaded = store.load(handle.id)
    assert [one.id for one in loaded.messages] == [one.id for one in first] and loaded.leaf == first[1].id
    assert loaded.damage == [] and loaded.meta["title"] == "Mine" and loaded.header == handle.header


def test_a_vanished_file_is_made_whole_also_when_the_first_try_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 3)
    handle.path.unlink()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    last = message("last")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StorageError):
            handle.append(last)
    handle.append(last)
    handle.close()
    loaded = store.load(handle.id)
    assert [one.text for one in loaded.live] == ["message 0", "message 1", "message 2", "last"] and loaded.damage == []


def test_a_file_that_vanished_between_opening_and_the_first_word_is_made_whole(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    again = store.open(handle.id)
    again.path.unlink()
    again.append(message("last"))
    again.close()
    assert [one.text for one in store.load(handle.id).live] == ["message 0", "message 1", "last"]


def test_at_the_start_again_a_message_still_stands_where_it_says(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    first = filled(handle, 3)
    handle.set_leaf(None)
    handle.append(message("beside", parent=first[0].id))
    assert [one.text for one in handle.messages] == ["message 0", "beside"]
    handle.set_leaf(None)
    handle.append(message("lost parent", parent="msg_unknown"))
    assert [one.text for one in handle.messages] == ["lost parent"]
    handle.close()
    assert [one.text for one in store.load(handle.id).live] == ["lost parent"]
    assert store.find(handle.id).messages == 1 and store.find(handle.id).title == "lost parent"


def test_a_handle_that_closes_late_does_not_hide_the_next_one(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    opened = []

    def open_anew() -> None:  # what another thread may do between the two steps of closing
        opened.append(store.open(handle.id))

    release = handle._writer_lock.release

    def release_and_open() -> None:
        release()
        open_anew()

    handle._writer_lock.release = release_and_open  # type: ignore[method-assign]
    handle.close()
    store.rename(handle.id, "Mine")
    assert opened[0].meta["title"] == "Mine"
    opened[0].close()


@pytest.mark.parametrize("name", [".dotfiles", "..x", ".locks"])
def test_sessions_of_a_folder_whose_name_begins_with_a_dot_are_found(tmp_path: Path, name: str) -> None:
    """Its project's key begins with a dot too; only the folder of locks is none of a project."""
    store = store_in(tmp_path)
    handle = new_handle(store, f"/srv/{name}", key=project_key(Path("/srv") / name, lambda place: False))
    filled(handle, 2)
    handle.close()
    assert [one.id for one in store.list()] == [handle.id]
    assert store.find(handle.id).messages == 2 and len(store.load(handle.id).messages) == 2
    store.trash(handle.id)
    (gone,) = store.trashed()
    assert store.restore(gone) == store.path_of(handle.id)
