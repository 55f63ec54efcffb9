"""Pins, the archive and titles of closed sessions: stored behind the last record, and only where that needs no look at the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.sessions import store as stores
from desktop.sessions.record import encode
from desktop.sessions.set_at_end import set_at_end
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import read_transcript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import filled, new_handle, store_in


def closed(store: SessionStore, count: int = 6, text: str = "message") -> tuple[str, Path]:
    handle = new_handle(store)
    filled(handle, count, text)
    handle.close()
    return handle.id, handle.path


@pytest.fixture
def only_at_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: SessionStore, session_id: str) -> None:
        raise AssertionError(f"the whole of {session_id} was read")

    monkeypatch.setattr(SessionStore, "open", refuse)


@pytest.mark.usefixtures("only_at_end")
def test_marks_and_titles_are_stored_without_reading_the_session(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store, 3_000, "some words of a longer message " * 20)
    assert path.stat().st_size > 1 << 20
    before = path.read_bytes()
    told: list[str] = []
    store.changed.subscribe(told.append)
    store.set_flag(session_id, "pinned", True)
    store.rename(session_id, "  重构 the parser ")
    store.set_flag(session_id, "archived", True)
    store.set_flag(session_id, "archived", False)
    assert told == [session_id] * 4
    after = path.read_bytes()
    assert after.startswith(before) and after[len(before) :].count(b"\n") == 4
    loaded = read_transcript(path)
    assert (loaded.damage, loaded.skipped, len(loaded.messages)) == ([], 0, 3_000)
    assert (loaded.meta["pinned"], loaded.meta["archived"], loaded.meta["title"]) == (True, False, "重构 the parser")
    [row] = store_in(tmp_path).list()
    assert (row.title, row.pinned, row.archived, row.messages, row.damaged) == ("重构 the parser", True, False, 3_000, 0)


@pytest.mark.usefixtures("only_at_end")
def test_a_mark_that_stands_already_is_not_written_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)
    store.set_flag(session_id, "pinned", True)
    size = path.stat().st_size
    store.set_flag(session_id, "pinned", True)
    store.set_flag(session_id, "archived", False)
    assert path.stat().st_size == size


def test_numbers_go_on_when_the_session_is_opened_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)
    store.set_flag(session_id, "pinned", True)
    handle = store.open(session_id)
    filled(handle, 2)
    handle.close()
    assert [json.loads(line)["seq"] for line in path.read_bytes().splitlines()] == list(range(10))
    assert read_transcript(path).damage == []


def damaged(path: Path, how: str) -> None:
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    match how:
        case "torn end":
            path.write_bytes(data[:-40])
        case "no newline":
            path.write_bytes(data[:-1])
        case "later version":
            last = json.loads(lines[-1])
            path.write_bytes(data + json.dumps({**last, "schema": 99, "seq": 99}).encode() + b"\n")
        case "no header":
            path.write_bytes(b"".join(lines[1:]))
        case "a wrong checksum":
            path.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b"message", b"passage", 1)]))
        case "a gap":
            path.write_bytes(b"".join([*lines[:-2], lines[-1]]))
        case "zeros behind":
            path.write_bytes(data + bytes(500))
        case "a long last record":
            payload = {"name": "cursor", "value": "x" * 300_000}
            path.write_bytes(data + encode(len(lines), "meta", payload, FixedClock().moment))


HOW = ("torn end", "no newline", "later version", "no header", "a wrong checksum", "a gap", "zeros behind", "a long last record")


@pytest.mark.parametrize("how", HOW)
def test_what_is_not_plainly_sound_is_left_to_opening_the_session(tmp_path: Path, how: str) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)
    damaged(path, how)
    before = path.read_bytes()
    assert set_at_end(path, session_id, "pinned", True, FixedClock()) is False
    assert path.read_bytes() == before
    if how == "later version":
        with pytest.raises(StorageError, match="newer"):
            store.set_flag(session_id, "pinned", True)
        assert path.read_bytes() == before
        return
    messages = [one.id for one in read_transcript(path).messages]
    store.set_flag(session_id, "pinned", True)
    loaded = read_transcript(path)
    assert loaded.meta["pinned"] is True and [one.id for one in loaded.messages][: len(messages)] == messages


def test_an_empty_title_goes_back_to_the_first_prompt(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)
    store.rename(session_id, "Mine")
    assert set_at_end(path, session_id, "title", "", FixedClock()) is False
    store.rename(session_id, "")
    assert store_in(tmp_path).list()[0].title == "message 0"


def test_a_link_in_its_place_is_not_written_through(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)
    elsewhere = tmp_path / "elsewhere.jsonl"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    assert set_at_end(path, session_id, "pinned", True, FixedClock()) is False
    assert elsewhere.read_bytes() == before


def test_a_session_that_is_open_elsewhere_is_refused(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    other = store_in(tmp_path)
    size = handle.path.stat().st_size
    with pytest.raises(StorageError, match="open elsewhere"):
        other.set_flag(handle.id, "pinned", True)
    assert handle.path.stat().st_size == size
    handle.close()


def test_a_write_that_fails_is_tried_by_opening_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    session_id, path = closed(store)

    def fails(*_: object) -> bool:
        with path.open("ab") as file:
            file.write(b'{"schema":1,"seq":7,"ki')
        raise OSError(28, "no room")

    monkeypatch.setattr(stores, "set_at_end", fails)
    store.set_flag(session_id, "pinned", True)
    loaded = read_transcript(path)
    assert loaded.meta["pinned"] is True and len(loaded.messages) == 6
