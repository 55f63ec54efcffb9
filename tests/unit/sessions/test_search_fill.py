"""Keeping the index of conversations in step: what is read again and what is not, whatever happens to the files."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message
from desktop.search.passage import Document
from desktop.sessions import index_fill
from desktop.sessions.index import SessionSearch
from desktop.sessions.record import encode
from desktop.sessions.skeleton import open_transcript_bytes
from tests.helpers.seeds import drawn_seed
from tests.unit.sessions.make import KEY, message, new_handle, store_in
from tests.unit.sessions.search_world import OTHER, World, world_in


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with world_in(tmp_path) as made:
        yield made


@dataclass
class Counted:
    """What was put into an index and taken out of it."""

    put: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.put.clear()
        self.removed.clear()


@pytest.fixture
def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Follows the real index."""
    counts = Counted()
    real = world.search._index.update

    def update(put: Iterator[Document], remove: list[str] = (), **more: object) -> int:  # type: ignore[assignment]
        counts.removed += remove

        def each() -> Iterator[Document]:
            for document in put:
                counts.put.append(document.key)
                yield document

        return real(each(), remove, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(world.search._index, "update", update)
    return counts


def fresh(world: World, *queries: str) -> list[tuple[str, str, str]]:
    """What a new index over the same files finds."""
    other = world.root / "fresh"
    paths = world.paths
    made = SessionSearch(world.sessions, type(paths)(other, other, other))
    try:
        found = made.search(queries, project_key=None, limit=50)
        return sorted((hit.session_id, str(hit.message), hit.snippet) for hit in found.hits)
    finally:
        made.purge()
        made.close()


def same_as_fresh(world: World, *queries: str) -> bool:
    found = world.search.search(queries, project_key=None, limit=50)
    return sorted((hit.session_id, str(hit.message), hit.snippet) for hit in found.hits) == fresh(world, *queries)


def test_nothing_is_read_when_nothing_changed(world: World, counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        world.talk("the marmot", "ok")
    assert world.search.reconcile() == 5
    counted.clear()
    monkeypatch.setattr(index_fill, "open_transcript_bytes", lambda path: pytest.fail("a transcript was opened"))
    assert world.search.reconcile() == 0
    assert counted == Counted()


def test_a_session_that_grows_is_read_from_its_last_block_on(world: World, counted: Counted) -> None:
    session = world.talk(*[f"message {n}" for n in range(250)])
    world.search.reconcile()
    assert [key.rpartition("/")[2] for key in counted.put] == ["000000", "000001", "000002"]
    counted.clear()
    world.add(session, message("the marmot came last", number=300))
    assert world.said("marmot") == [(session, 251)]
    assert counted.put == [f"{session}/000002"]
    assert counted.removed == []
    world.add(session, *[message(f"more {n}", number=400 + n) for n in range(120)])
    assert world.said("marmot") == [(session, 251)]
    assert same_as_fresh(world, "message", "marmot", "more")


def test_hundreds_of_single_messages_leave_the_same_as_one_reading(world: World) -> None:
    handle = new_handle(world.sessions)
    for number in range(230):
        handle.append(message(f"word{number} the marmot", "assistant" if number % 2 else "user", number=number))
        if number % 7 == 0:
            world.search.reconcile(project_key=KEY)
    handle.close()
    assert world.said("word0") == [(handle.id, 1)]
    assert world.said("word229") == [(handle.id, 230)]
    assert same_as_fresh(world, "word17", "word101", "word200")


def test_only_what_this_process_changed_is_looked_at(world: World, counted: Counted) -> None:
    one, two = world.talk("the marmot", "ok"), world.talk("the badger", "ok")
    world.search.reconcile()
    counted.clear()
    assert world.search.refresh() == 0
    world.add(one, message("a heron", number=9))
    path = world.path(two)
    path.write_bytes(path.read_bytes() + b"\n")
    assert world.search.refresh() == 1
    assert {key.partition("/")[0] for key in counted.put} == {one}
    assert world.said("heron", reconcile=False) == [(one, 3)]


def test_trashed_deleted_and_moved_sessions(world: World) -> None:
    trashed, deleted, moved = (world.talk("the marmot", "ok") for _ in range(3))
    assert {s for s, _ in world.said("marmot")} == {trashed, deleted, moved}
    world.sessions.trash(trashed)
    world.path(deleted).unlink()
    folder = world.path(moved).parent.with_name(OTHER)
    folder.mkdir()
    world.path(moved).rename(folder / f"{moved}.jsonl")
    assert world.said("marmot", reconcile=False, key=None) == [(moved, 1)]
    assert world.said("marmot") == []
    assert world.said("marmot", key=None) == [(moved, 1)]
    folder.rename(folder.with_name("moved-0000000000000000"))
    assert world.said("marmot", key=None) == [(moved, 1)]
    assert same_as_fresh(world, "marmot")
    assert trashed not in json.dumps(world.search._index.fingerprints())


def test_purge_and_a_deleted_index(world: World) -> None:
    session = world.talk("the marmot", "ok")
    assert world.said("marmot") == [(session, 1)]
    world.search.purge()
    assert not any(world.paths.index.glob("sessions.sqlite"))
    assert world.said("marmot") == [(session, 1)]


def test_a_broken_index_is_filled_again_by_the_search_that_finds_it(tmp_path: Path) -> None:
    with world_in(tmp_path) as world:
        session = world.talk("the marmot", "ok")
        assert world.said("marmot") == [(session, 1)]
    file = world.paths.index / "sessions.sqlite"
    seed = drawn_seed()
    rng = random.Random(seed)
    for offset in (0, 100, 5_000, 9_000):
        data = bytearray(file.read_bytes())
        data[offset : offset + 64] = rng.randbytes(64)
        file.write_bytes(data)
        with world_in(tmp_path) as again:
            assert again.said("marmot") == [(session, 1)]


# --- files in every state ------------------------------------------------------------------------------------------------


def record(one: Message, seq: int) -> bytes:
    return encode(seq, "message", message_to_json(one), one.time, count=seq)


def test_a_torn_last_line_is_not_final(world: World) -> None:
    session = world.talk("the marmot", "ok")
    path = world.path(session)
    whole = record(message("a heron stands there", number=5, parent=world.sessions.load(session).leaf), 3)
    for cut in (1, 40, len(whole) // 2, len(whole) - 5):
        with path.open("ab") as file:
            file.write(whole[:cut])
        assert world.said("heron") == []
        assert world.said("marmot") == [(session, 1)]
        os.truncate(path, path.stat().st_size - cut)
    with path.open("ab") as file:
        file.write(whole[:-1])  # whole but for its newline
    assert world.said("heron") == [(session, 3)]
    with path.open("ab") as file:
        file.write(b"\n")
    assert world.said("heron") == [(session, 3)]
    assert same_as_fresh(world, "heron", "marmot")


@pytest.mark.parametrize(
    "damage", [b"\0" * 300 + b"\n", b"garbage\n", b'{"schema":1,"seq":9,"kind":"message","mess\n', bytes(range(256)) + b"\n"]
)
def test_damage_never_loses_the_rest(world: World, damage: bytes) -> None:
    session = world.talk("the marmot", "a heron", "the badger", "ok")
    lines = world.path(session).read_bytes().splitlines(keepends=True)
    for at in range(len(lines) + 1):
        world.path(session).write_bytes(b"".join([*lines[:at], damage, *lines[at:]]))
        assert world.said("badger") == [(session, 3)], at
        assert world.said("marmot") == [(session, 1)], at
    world.path(session).write_bytes(lines[0] + lines[1] + damage + lines[3] + lines[4])
    assert world.said("badger") == [(session, 2)]
    assert same_as_fresh(world, "marmot", "badger")


def test_a_lost_header_utf8_mark_and_utf16(world: World) -> None:
    session = world.talk("the marmot 端口", "a heron")
    data = world.path(session).read_bytes()
    world.path(session).write_bytes(b"".join(data.splitlines(keepends=True)[1:]))
    assert world.said("端口") == [(session, 1)]
    world.path(session).write_bytes(b"\xef\xbb\xbf" + data)
    assert world.said("端口") == [(session, 1)]
    world.path(session).write_bytes(data.decode().encode("utf-16"))
    assert world.said("heron") == [(session, 2)]
    assert [m.message for m in world.search.around(session, 2).messages] == [1, 2]


def test_a_record_of_a_newer_version_is_passed_over(world: World) -> None:
    session = world.talk("the marmot", "ok")
    newer = record(message("a heron", number=5), 3).replace(b'{"schema":1,', b'{"schema":2,')
    with world.path(session).open("ab") as file:
        file.write(newer)
    assert world.said("heron") == []
    assert world.said("marmot") == [(session, 1)]


def test_an_empty_file_and_one_without_messages(world: World) -> None:
    session = world.talk("the marmot", "ok")
    header = world.path(session).read_bytes().splitlines(keepends=True)[0]
    for data in (b"", b"\n\n", header):
        world.path(session).write_bytes(data)
        assert world.said("marmot") == []
        assert world.search.reconcile() == 0


def replaced(path: Path, data: bytes) -> None:
    beside = path.with_name("beside")
    beside.write_bytes(data)
    beside.replace(path)


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def in_place_same_time(path: Path, data: bytes) -> None:
    status = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("write", [replaced, in_place, in_place_same_time])
def test_a_file_that_is_written_anew_is_seen_wherever_it_differs(world: World, write: Callable[[Path, bytes], None]) -> None:
    session = world.talk(*[f"word{n} marmot" for n in range(230)])
    world.search.reconcile()
    path = world.path(session)
    lines = path.read_bytes().splitlines(keepends=True)
    for at in (5, 120, 229):
        changed = record(message(f"swapped{at} heron", "user" if at % 2 else "assistant", number=at - 1), at)
        size = len(lines[at])
        lines[at] = changed[:-1] + b" " * max(0, size - len(changed)) + b"\n"
        write(path, b"".join(lines))
        assert [s for s, _ in world.said(f"swapped{at}")] == [session]
    write(path, b"".join(lines[:50]))
    assert world.said("word200") == []
    assert world.find("word40")
    assert same_as_fresh(world, "word40", "swapped5")


def test_growing_and_changed_before_at_once(world: World) -> None:
    session = world.talk(*[f"word{n} marmot" for n in range(130)], title="chat")
    world.search.reconcile()
    lines = world.path(session).read_bytes().splitlines(keepends=True)
    lines[3] = record(message("a heron", number=2), 3)
    replaced(world.path(session), b"".join([*lines, record(message("last badger", number=500), 131)]))
    assert len(world.said("heron")) == 1
    assert len(world.said("badger")) == 1
    assert same_as_fresh(world, "heron", "badger", "word90")


def test_what_cannot_be_read_is_said_and_the_others_go_on(world: World) -> None:
    fine, gone = world.talk("the marmot", "ok"), world.talk("the marmot", "ok")
    assert len(world.said("marmot")) == 2
    path = world.path(gone)
    path.unlink()
    path.mkdir()
    loop = path.with_name("sess_00000000000000000000000001.jsonl")
    loop.symlink_to(loop)
    found = world.search.search("marmot", project_key=KEY)
    assert [hit.session_id for hit in found.hits] == [fine]
    assert len(found.notes) == 2
    assert any(gone in note and "not a plain file" in note for note in found.notes)
    assert any(loop.stem in note for note in found.notes)


def test_a_project_folder_that_cannot_be_listed_is_said(world: World) -> None:
    session = world.talk("the marmot", "ok")
    assert world.said("marmot") == [(session, 1)]
    folder = world.path(session).parent
    folder.rename(folder.with_name("aside-0000000000000000"))
    folder.write_text("a file")
    found = world.search.search("marmot", project_key=KEY)
    assert any("cannot be listed" in note for note in found.notes)
    assert not found.complete


def test_a_file_that_goes_away_while_it_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stays, goes = world.talk("the marmot", "ok"), world.talk("the marmot", "ok")
    path = world.path(goes)
    real = open_transcript_bytes

    def opened(at: Path) -> object:
        if at == path:
            path.unlink(missing_ok=True)
        return real(at)

    monkeypatch.setattr(index_fill, "open_transcript_bytes", opened)
    assert world.said("marmot") == [(stays, 1)]


def test_a_message_stored_twice_is_one(world: World) -> None:
    session = world.talk("the marmot", "ok", "a heron")
    lines = world.path(session).read_bytes().splitlines(keepends=True)
    world.path(session).write_bytes(b"".join([lines[0], lines[1], lines[1], *lines[2:], lines[1]]))
    assert world.said("marmot") == [(session, 1)]
    assert world.said("heron") == [(session, 3)]
    assert [m.message for m in world.search.around(session, 3).messages] == [1, 2, 3]


# --- large, stopped, at once ----------------------------------------------------------------------------------------------


def write_lines(path: Path, count: int, text: Callable[[int], str]) -> None:
    """A transcript of so many messages, written at once."""
    parent = None
    with path.open("ab") as file:
        for number in range(count):
            one = message(text(number), "assistant" if number % 2 else "user", number=number, parent=parent)
            parent = one.id
            file.write(record(one, number + 1))


def test_a_line_too_long_to_be_read_whole_is_found_by_its_start(world: World) -> None:
    session = world.talk("before", "the marmot")
    leaf = world.sessions.load(session).leaf
    long = message("a heron " + "端口 filler " * 900_000 + "badger", number=5, parent=leaf)
    with world.path(session).open("ab") as file:
        file.write(record(long, 3))
        file.write(record(message("an otter follows", "assistant", number=6, parent=long.id), 4))
    assert world.said("heron") == [(session, 3)]
    assert world.said("otter") == [(session, 4)]
    assert world.said("marmot") == [(session, 2)]
    assert [m.message for m in world.search.around(session, 4).messages] == [1, 2, 3, 4]


def test_a_long_line_is_not_held_in_memory(world: World) -> None:
    session = world.talk("before", "the marmot")
    with world.path(session).open("ab") as file:
        file.write(record(message("a heron " + "filler " * 6_000_000, number=5, parent=world.sessions.load(session).leaf), 3))
    world.search.reconcile(stopped=lambda: True)  # opens the index
    tracemalloc.start()
    try:
        assert world.said("heron") == [(session, 3)]
        assert tracemalloc.get_traced_memory()[1] < 24 << 20
    finally:
        tracemalloc.stop()


def test_reading_can_be_stopped_and_goes_on_where_it_was(world: World, counted: Counted) -> None:
    session = world.talk("start", "ok")
    write_lines(world.path(session), 3_000, lambda number: f"word{number} of the marmot")
    calls = iter(range(1, 10**9))
    world.search.reconcile(stopped=lambda: next(calls) > 2_500)
    read = len(counted.put)
    assert 5 < read < 25
    found = world.search.search("word10", project_key=KEY, reconcile=False)
    assert [hit.session_id for hit in found.hits] == [session]
    counted.clear()
    assert world.search.reconcile() == 1
    assert counted.put[0] == f"{session}/{read:06d}"
    assert world.said("word2999") != []
    assert same_as_fresh(world, "word2999", "word5")


def test_stopped_before_anything_leaves_everything_as_it_was(world: World) -> None:
    session = world.talk(*["the marmot"] * 150)
    world.search.reconcile()
    before = world.search._index.fingerprints()
    replaced(world.path(session), world.path(session).read_bytes()[:-40])
    assert world.search.reconcile(stopped=lambda: True) == 0
    assert world.search._index.fingerprints() == before
    assert not world.search.search("marmot", project_key=KEY, stopped=lambda: True).complete


def test_newest_sessions_are_read_first_and_progress_is_told(world: World, counted: Counted) -> None:
    sessions = [world.talk("the marmot", "ok") for _ in range(4)]
    for age, session in enumerate(sessions):
        os.utime(world.path(session), ns=(10**18 - age, 10**18 - age * 10**12))
    told: list[tuple[int, int]] = []
    world.search.reconcile(progress=lambda done, total: told.append((done, total)))
    assert [key.partition("/")[0] for key in counted.put] == sessions
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_two_processes_at_once(world: World) -> None:
    """Two stores and indexes on one profile, as two processes have them, while a session is being written."""
    session = world.talk(*[f"word{n} marmot" for n in range(300)])
    other = SessionSearch(store_in(world.root), world.paths)

    def work(search: SessionSearch) -> None:
        for _ in range(8):
            search.reconcile()

    with ThreadPoolExecutor(2) as pool:
        rounds = [pool.submit(work, search) for search in (world.search, other)]
        handle = world.sessions.open(session)
        for number in range(40):
            handle.append(message(f"late{number} marmot", number=400 + number))
        handle.close()
        for one in rounds:
            one.result()
    assert same_as_fresh(world, "late39", "late3", "word250")
    assert other.search("late39", project_key=KEY).hits[0].message == 340
    other.close()


def test_a_session_is_found_while_it_is_open(world: World) -> None:
    handle = new_handle(world.sessions)
    handle.append(message("the marmot", number=0))
    assert world.said("marmot") == [(handle.id, 1)]
    handle.append(message("a heron", "assistant", number=1))
    assert world.said("heron") == [(handle.id, 2)]
    handle.close()
