"""Transcripts of other versions: an earlier form is read as it lies and brought to the present one, with a copy kept, before anything is
written; a later form is shown and never written.
"""

from __future__ import annotations

import codecs
import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions import schema_steps
from desktop.sessions.migrate import migrate
from desktop.sessions.record import SCHEMA, Record, decode_line
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import read_transcript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import KEY, filled, message, new_handle, older_lines, paths_in, store_in

FIXTURE = Path(__file__).parent / "fixtures" / "schema-0.jsonl"
OLD = "sess_01jwn5yc00000000000000001d"


def put(root: Path, data: bytes, session_id: str = OLD) -> Path:
    path = paths_in(root).sessions / KEY / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def copies(path: Path) -> list[bytes]:
    return [copy.read_bytes() for copy in sorted(path.parent.glob(f"{path.name}.older-*"))]


def schemas(path: Path) -> list[int]:
    return [item.schema for line in path.read_bytes().splitlines() for item in decode_line(line) if isinstance(item, Record)]


# --- earlier ------------------------------------------------------------------------------------------------------------


def test_every_earlier_version_has_a_step_and_a_file_that_shows_it() -> None:
    assert sorted(schema_steps.STEPS) == list(range(SCHEMA))
    for version in range(SCHEMA + 1):
        assert set(schemas(FIXTURE.with_name(f"schema-{version}.jsonl"))) == {version}


def test_schema_0_opens_without_a_loss() -> None:
    loaded = read_transcript(FIXTURE)
    assert loaded.damage == [] and loaded.older and not loaded.newer and loaded.skipped == 0
    header = loaded.header
    assert header is not None
    assert (header.id, header.project_key, header.workspace, header.memory_enabled) == (OLD, KEY, "/home/ada/old", True)
    asked, looked, found, answered, aside = loaded.messages
    assert asked.text == "看看 a.py" and asked.origin == "person" and asked.parent is None
    assert looked.text == "I look." and looked.tool_calls == (ToolCallPart("c1", "Read", {"file_path": "a.py"}),)
    assert found.tool_results == (ToolResultPart("c1", "Read", "x = 1"),)
    assert [m.id for m in loaded.live] == [asked.id, looked.id, found.id, aside.id] and answered.parent == found.id
    assert loaded.meta == {"title": "An old one 旧"}


def test_reading_and_listing_an_old_file_changes_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, FIXTURE.read_bytes())
    store = store_in(tmp_path)
    [summary] = store.list()
    assert (summary.id, summary.title, summary.messages, summary.workspace) == (OLD, "An old one 旧", 4, "/home/ada/old")
    assert store.load(OLD).live == read_transcript(FIXTURE).live
    assert path.read_bytes() == FIXTURE.read_bytes() and copies(path) == []


def test_an_old_session_is_gone_on_with_and_its_old_file_is_kept(tmp_path: Path) -> None:
    path = put(tmp_path, FIXTURE.read_bytes())
    before = read_transcript(path)
    store = store_in(tmp_path)
    handle = store.open(OLD)
    assert tuple(handle.messages) == before.live
    handle.append(message("and on"))
    handle.close()
    assert copies(path) == [FIXTURE.read_bytes()]
    assert {stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir() if p != path} == {0o600}
    assert set(schemas(path)) == {SCHEMA}
    after = store.load(OLD)
    assert after.damage == [] and not after.older and after.header is not None and after.header.schema == SCHEMA
    assert after.messages[:-1] == before.messages and after.live[:-1] == before.live and after.meta == before.meta
    assert [s.messages for s in store_in(tmp_path).list()] == [5]
    store.open(OLD).close()
    assert len(copies(path)) == 1, "it is done once"


def test_sound_and_damaged_lines_between_old_ones_stay_byte_for_byte(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path / "other"))
    filled(handle, 2)
    handle.close()
    now = handle.path.read_bytes().splitlines(keepends=True)[1:]
    between = [b"{torn\n", b"\0" * 40 + b"\n", *now, b'{"schema":9,"seq":3,"kind":"message","message":{}}\r\n', b"\n"]
    path = put(tmp_path, b"".join([*older_lines(OLD).splitlines(keepends=True), *between, b"no end"]))
    migrate(path, FixedClock())
    assert path.read_bytes().endswith(b"".join(between) + b"no end")
    assert len(copies(path)) == 1
    assert [m.text for m in read_transcript(path).messages] == ["asked 很久以前", "answered", "message 0", "message 1"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"schema":0,"n":1,"type":"message","body":{"id":"m","who":"nobody","text":"x"}}\n',
        b'{"schema":0,"n":1,"type":"message","body":[]}\n',
        b'{"schema":0,"n":1,"type":["message"],"body":{}}\n',
        b'{"schema":0,"n":"1","type":"title","body":{"text":"t"}}\n',
        b'{"schema":0,"n":1,"type":"hologram","body":{}}\n',
        b'{"schema":0}\n',
        b'{"schema":-1,"n":1,"type":"title","body":{"text":"t"}}\n',
    ],
)
def test_an_old_line_that_is_none_is_said_and_kept(tmp_path: Path, line: bytes) -> None:
    path = put(tmp_path, older_lines(OLD) + line)
    loaded = read_transcript(path)
    assert len(loaded.messages) == 2 and loaded.skipped == 1 and len(loaded.damage) == 1
    migrate(path, FixedClock())
    assert path.read_bytes().endswith(line) and copies(path) == [older_lines(OLD) + line]


def test_old_lines_with_wrong_types_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    body = {"id": "m", "who": "model", "text": 7, "after": ["x"], "calls": [None, {"id": 1, "tool": None, "input": "no"}]}
    line = json.dumps({"schema": 0, "n": 4, "type": "message", "at": 3, "body": body}).encode() + b"\n"
    path = put(tmp_path, older_lines(OLD) + line)
    store = store_in(tmp_path)
    handle = store.open(OLD)
    handle.append(message("on"))
    handle.close()
    assert len(store.load(OLD).messages) == 4 and store.load(OLD).damage == []
    assert len(copies(path)) == 1


def test_a_fault_in_the_middle_leaves_the_old_file_and_the_next_try_needs_no_second_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, FIXTURE.read_bytes())
    real, count = os.replace, 0

    def faulty(source: str, target: str) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    # `atomic_write` holds the real call as its default: replace it there
    from desktop.base import textio

    monkeypatch.setattr(textio.atomic_write, "__kwdefaults__", {**(textio.atomic_write.__kwdefaults__ or {}), "replace": faulty})
    store = store_in(tmp_path)
    with pytest.raises(StorageError, match="No space"):
        store.open(OLD)
    assert path.read_bytes() == FIXTURE.read_bytes() and copies(path) == [FIXTURE.read_bytes()]
    store.open(OLD).close()
    assert copies(path) == [FIXTURE.read_bytes()] and set(schemas(path)) == {SCHEMA}


def test_a_file_that_cannot_be_read_again_after_it_was_rewritten_is_not_taken_for_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, FIXTURE.read_bytes())
    real, reads = os.open, 0

    def faulty(name: Any, flags: int, *rest: Any, **more: Any) -> int:
        nonlocal reads
        if str(name) == str(path) and not flags & (os.O_WRONLY | os.O_RDWR):
            reads += 1
            if reads == 2:
                raise OSError(errno.EIO, "Input/output error")
        return real(name, flags, *rest, **more)

    monkeypatch.setattr(os, "open", faulty)
    with pytest.raises(StorageError, match="Input/output"):
        store_in(tmp_path).open(OLD)
    monkeypatch.undo()
    assert len(store_in(tmp_path).load(OLD).messages) == 5


def test_steps_follow_each_other_up_to_the_present_version() -> None:
    steps: dict[int, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
        3: lambda value: {**value, "three": True},
        4: lambda value: {**value, "four": value["three"]} if value.get("three") else None,
    }
    assert schema_steps.upgraded({"a": 1}, 3, 5, steps) == {"a": 1, "three": True, "four": True}
    assert schema_steps.upgraded({"a": 1}, 4, 5, steps) is None
    assert schema_steps.upgraded({"a": 1}, 2, 5, steps) is None
    assert schema_steps.upgraded({"a": 1}, 5, 5, steps) == {"a": 1}


# --- later --------------------------------------------------------------------------------------------------------------


def newer(root: Path) -> tuple[SessionStore, Path, str]:
    store = store_in(root)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    later = {"schema": SCHEMA + 1, "seq": 3, "kind": "message", "message": {"id": "m", "form": "new"}}
    handle.path.write_bytes(handle.path.read_bytes() + json.dumps(later).encode() + b"\n")
    return store, handle.path, handle.id


@pytest.mark.parametrize("form", ["utf-8", "utf-16"])
def test_a_newer_session_is_shown_and_every_way_to_write_to_it_is_refused(tmp_path: Path, form: str) -> None:
    store, path, session_id = newer(tmp_path)
    if form == "utf-16":
        path.write_bytes(codecs.BOM_UTF16_LE + path.read_bytes().decode().encode("utf-16-le"))
    data = path.read_bytes()
    writes: list[Callable[[], object]] = [
        lambda: store.open(session_id),
        lambda: store.rename(session_id, "x"),
        lambda: store.set_flag(session_id, "pinned", True),
    ]
    for write in writes:
        with pytest.raises(StorageError, match="newer Keepsake") as refusal:
            write()
        assert "update Keepsake" in refusal.value.hint
    loaded = store.load(session_id)
    assert loaded.newer and loaded.skipped == 1 and [m.text for m in loaded.live] == ["message 0", "message 1"]
    assert [s.id for s in store_in(tmp_path).list()] == [session_id]
    assert path.read_bytes() == data and [p for p in path.parent.iterdir() if p != path] == []


def test_a_file_of_both_earlier_and_later_lines_is_not_written_either(tmp_path: Path) -> None:
    later = json.dumps({"schema": SCHEMA + 1, "seq": 9, "kind": "meta", "meta": {}}).encode() + b"\n"
    path = put(tmp_path, older_lines(OLD) + later)
    with pytest.raises(StorageError, match="newer Keepsake"):
        store_in(tmp_path).open(OLD)
    assert path.read_bytes() == older_lines(OLD) + later and copies(path) == []


def test_a_newer_session_can_be_moved_to_the_trash_and_back_as_it_is(tmp_path: Path) -> None:
    store, path, session_id = newer(tmp_path)
    data = path.read_bytes()
    store.trash(session_id)
    store.restore(store.trashed()[0])
    assert path.read_bytes() == data
