"""The running answer beside a transcript: kept whole or not at all, put into the transcript once, gone with it into the trash."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart
from desktop.sessions.running import RECOVERED, drop_running, keep_running, recover, running_path
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import message, new_handle, store_in


def asked(store: SessionStore) -> SessionHandle:
    """A session with one message of the person, opened again as after a crash."""
    handle = new_handle(store)
    handle.append(message("Tell me a story"))
    handle.close()
    return store.open(handle.id)


def answer(handle: SessionHandle, text: str = "Once upon a time 从前", **values: object) -> Message:
    return replace(message(text, "assistant"), id="msg_kept", parent=handle.messages[-1].id, **values)  # type: ignore[arg-type]


def test_what_was_kept_becomes_an_interrupted_answer(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = asked(store)
    assert keep_running(handle.path, answer(handle))
    stored = recover(handle, FixedClock())
    assert stored is not None and stored.text == "Once upon a time 从前" and stored.stop == "interrupted"
    assert handle.crashed and (stored.notes or {})[RECOVERED] is True
    handle.close()
    again = store.open(handle.id)
    assert [one.text for one in again.messages] == ["Tell me a story", "Once upon a time 从前"]
    assert recover(again, FixedClock()) is None and not again.crashed
    again.close()


def test_recovering_never_reorders_the_list(tmp_path: Path) -> None:
    """The answer counts as of the moment when it came, not as of that when somebody looked at it again."""
    store = store_in(tmp_path)
    handle = asked(store)
    came = handle.messages[-1].time
    keep_running(handle.path, answer(handle, time=came))
    recover(handle, FixedClock(step_s=60.0))
    handle.close()
    assert store.find(handle.id).updated == came


@pytest.mark.parametrize("step", ["answered", "moved on"])
def test_what_stands_in_the_transcript_already_is_not_put_there_twice(tmp_path: Path, step: str) -> None:
    store = store_in(tmp_path)
    handle = asked(store)
    keep_running(handle.path, answer(handle))
    handle.append(message("Once upon a time there was", "assistant"))
    if step == "moved on":
        handle.append(message("Go on"))
    assert recover(handle, FixedClock()) is None and handle.crashed
    assert not running_path(handle.path).exists()
    assert [one.text for one in handle.messages][:2] == ["Tell me a story", "Once upon a time there was"]
    handle.close()


def test_a_call_that_was_never_run_is_left_out_and_an_empty_answer_is_none(tmp_path: Path) -> None:
    handle = asked(store_in(tmp_path))
    call = ToolCallPart("c1", "Bash", {"command": "rm -r build"})
    keep_running(handle.path, answer(handle, parts=(ThinkingPart("First I clean up"), TextPart("I clean up."), call)))
    stored = recover(handle, FixedClock())
    assert stored is not None and stored.parts == (ThinkingPart("First I clean up"), TextPart("I clean up."))
    keep_running(handle.path, answer(handle, parts=(call,)))
    assert recover(handle, FixedClock()) is None and len(handle.messages) == 2
    keep_running(handle.path, answer(handle, parts=()))
    handle.crashed = False
    assert recover(handle, FixedClock()) is None and handle.crashed
    handle.close()


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\x00", b"[]", b'{"id": 1}', b"[" * 100_000, b"null"])
def test_a_file_that_is_damaged_stops_nothing(tmp_path: Path, data: bytes) -> None:
    handle = asked(store_in(tmp_path))
    running_path(handle.path).write_bytes(data)
    assert recover(handle, FixedClock()) is None and handle.crashed
    assert not running_path(handle.path).exists() and len(handle.messages) == 1
    handle.close()


def test_what_cannot_be_written_leaves_what_was_kept(tmp_path: Path) -> None:
    handle = asked(store_in(tmp_path))
    assert keep_running(handle.path, answer(handle, "the first half"))
    aside = handle.path.with_name(handle.path.name + ".running.new")
    aside.mkdir()
    assert not keep_running(handle.path, answer(handle, "both halves"))
    assert json.loads(running_path(handle.path).read_bytes())["parts"][0]["text"] == "the first half"
    aside.rmdir()
    handle.close()


def test_it_is_private_and_goes_into_the_trash_with_its_session(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = asked(store)
    keep_running(handle.path, answer(handle))
    assert running_path(handle.path).stat().st_mode & 0o777 == 0o600
    handle.close()
    where = store.trash(handle.id)
    assert not running_path(handle.path).exists() and running_path(where).exists()
    store.restore(store.find_trashed(where))
    again = store.open(handle.id)
    assert recover(again, FixedClock()) is not None
    again.close()
    store.purge(store.find_trashed(store.trash(handle.id)))
    assert [path for path in tmp_path.rglob("*") if path.is_file() and b"Once upon" in path.read_bytes()] == []


def test_what_is_dropped_is_gone(tmp_path: Path) -> None:
    handle = asked(store_in(tmp_path))
    keep_running(handle.path, answer(handle))
    running_path(handle.path).with_name(handle.path.name + ".running.new").write_bytes(b"half")
    drop_running(handle.path)
    drop_running(handle.path)
    assert list(handle.path.parent.glob("*.running*")) == []
    handle.close()
