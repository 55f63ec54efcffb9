"""The twenty kinds of damage of R5, each through the store: it opens, every sound record before and after the damage is shown, what was
skipped is counted, the list has it, and going on with it changes no byte of what was there, or keeps it beside.
"""

from __future__ import annotations

import codecs
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import ToolResultPart
from desktop.sessions.record import encode
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import MOST_TOLD, LoadedTranscript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import filled, message, new_handle, store_in

NOW = FixedClock().moment
COUNT = 12
MIDDLE = 7
"""Line before which damage is put: message 5 stands before it, message 6 on it."""
SEED = 20261130
ALL = tuple(range(COUNT))
Lines = Sequence[bytes]


@dataclass(frozen=True)
class Kind:
    """One kind of damage.

    Attributes:
        harm: the lines of a sound transcript (header and twelve messages) → the bytes of the damaged file.
        shown: numbers of the messages that must be shown.
        skipped: what the banner counts.
        told: places of the details; the banner may tell of doubts too that it does not count as skipped.
        backed_up: going on writes the file anew, and the old bytes stand beside it.
    """

    harm: Callable[[Lines], bytes]
    shown: tuple[int, ...] = ALL
    skipped: int = 0
    told: int | None = None
    backed_up: bool = False


def between(lines: Lines, *new: bytes) -> bytes:
    return b"".join([*lines[:MIDDLE], *new, *lines[MIDDLE:]])


def without(*numbers: int) -> tuple[int, ...]:
    return tuple(n for n in ALL if n not in numbers)


def loose(payload: str) -> bytes:
    """A record without a checksum, as another program may write it."""
    return f'{{"schema":1,"seq":{MIDDLE},{payload}}}\n'.encode()


def spoken(text: str) -> bytes:
    return loose(f'"kind":"message","message":{{"id":"msg_x","role":"user","parts":[{{"kind":"text","text":"{text}"}}]}}')


def record(kind: str, payload: object) -> bytes:
    return encode(MIDDLE, kind, payload, NOW)


def noise(_: Lines) -> bytes:
    data = random.Random(SEED).randbytes(1 << 20)
    return data.replace(b"\n", b"\r")


def orphaned(lines: Lines) -> bytes:
    """A result in the place of message 6; the call that it answers is nowhere."""
    there = json.loads(lines[MIDDLE])["message"]
    result = {"kind": "tool_result", "call_id": "gone", "name": "Read", "output": "found", "status": "ok"}
    mine = {**there, "role": "tool", "origin": "tool", "parts": [result]}
    return b"".join([*lines[:MIDDLE], record("message", mine), *lines[MIDDLE + 1 :]])


KINDS: dict[str, Kind] = {
    "torn last line": Kind(lambda x: b"".join(x)[:-40], ALL[:-1], 1),
    "torn line glued to the next": Kind(lambda x: b"".join([*x[:MIDDLE], x[MIDDLE][:60], *x[MIDDLE + 1 :]]), without(6), 1),
    "run of NUL at the end and in the middle": Kind(lambda x: between(x, b"\0" * 4_096) + b"\0" * 4_096, skipped=2),
    "random binary, 1 MB": Kind(lambda x: between(x, noise(x) + b"\n"), skipped=1),
    "empty file": Kind(lambda x: b"", (), 0, 1),
    "only a byte order mark": Kind(lambda x: codecs.BOM_UTF8, (), 0, 1),
    "UTF-16": Kind(lambda x: b"".join(x).decode().encode("utf-16"), backed_up=True, told=0),
    "CRLF": Kind(lambda x: b"".join(x).replace(b"\n", b"\r\n"), told=0),
    "U+2028, U+2029 and U+0085 inside strings": Kind(lambda x: between(x, spoken("a\u2028b\u2029c\u0085d")), told=1),
    "lone surrogate": Kind(lambda x: between(x, spoken("a\\ud800b")), told=1),
    "duplicate keys": Kind(lambda x: between(x, loose('"seq":7,"kind":"meta","meta":{"name":"a","name":"b"}')), told=1),
    "NaN": Kind(lambda x: between(x, loose('"kind":"meta","meta":{"name":"n","value":[NaN,-Infinity]}')), told=1),
    "integer of 5,000 digits": Kind(lambda x: between(x, loose(f'"kind":"meta","meta":{{"name":"n","value":{"7" * 5_000}}}')), told=1),
    "nested 100,000 deep": Kind(lambda x: between(x, loose('"kind":"meta","meta":' + "[" * 100_000 + "]" * 100_000)), skipped=1),
    "wrong types": Kind(lambda x: between(x, record("message", ["no"]), record("message", {"id": 7, "role": []}), b"[7]\n"), skipped=3),
    "unknown kind of record": Kind(lambda x: between(x, record("hologram", {"id": "h"})), skipped=1),
    "orphan tool result": Kind(orphaned, without(6), told=0),
    "10,000 bad lines": Kind(lambda x: between(x, b"{bad\n" * 10_000), skipped=10_000),
    "deleted in the middle": Kind(lambda x: b"".join([*x[:MIDDLE], *x[MIDDLE + 2 :]]), without(6, 7), 2, 1),
    "folder in place of the file": Kind(lambda x: b"", (), 0, 1),
}


def damaged(root: Path, name: str) -> tuple[SessionStore, Path, str, bytes]:
    store = store_in(root)
    handle = new_handle(store)
    filled(handle, COUNT)
    handle.close()
    data = KINDS[name].harm(handle.path.read_bytes().splitlines(keepends=True))
    handle.path.unlink()
    if name.startswith("folder"):
        handle.path.mkdir()
    else:
        handle.path.write_bytes(data)
    return store_in(root), handle.path, handle.id, data


def numbers(loaded: LoadedTranscript) -> tuple[int, ...]:
    return tuple(int(m.text.split()[-1]) for m in loaded.live if m.text.startswith("message"))


def test_there_are_twenty_kinds() -> None:
    assert len(KINDS) == 20


@pytest.mark.parametrize("name", KINDS)
def test_it_opens_with_every_sound_record_and_counts_what_was_skipped(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    store, path, session_id, data = damaged(tmp_path, name)
    loaded = store.load(session_id)
    assert numbers(loaded) == kind.shown
    assert loaded.skipped == kind.skipped
    assert len(loaded.damage) == (kind.skipped if kind.told is None else kind.told)
    assert [s.id for s in store.list()] == [session_id]
    assert path.is_dir() or path.read_bytes() == data
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    print(f"R5 {name}: {len(loaded.live)} messages shown, {loaded.skipped} skipped, {len(loaded.damage)} told")


@pytest.mark.parametrize("name", [name for name in KINDS if not name.startswith("folder")])
def test_going_on_with_it_keeps_every_byte_that_was_there(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    store, path, session_id, data = damaged(tmp_path, name)
    before = store.load(session_id)
    handle = store.open(session_id)
    added = handle.append(message("and on"))
    handle.set_meta("title", "Mended")
    handle.close()
    if kind.backed_up:
        assert [p.read_bytes() for p in path.parent.glob(f"{path.name}.original-*")] == [data]
    else:
        assert path.read_bytes().startswith(data)
    after = store_in(tmp_path).load(session_id)
    assert after.live == (*before.live, added) and after.live[:-1] == before.live
    assert after.skipped in (before.skipped, 0 if not before.messages else before.skipped)
    [summary] = store_in(tmp_path).list()
    assert (summary.title, summary.messages) == ("Mended", len(after.live))


def test_a_folder_in_its_place_is_refused_by_name_and_kept(tmp_path: Path) -> None:
    store, path, session_id, _ = damaged(tmp_path, "folder in place of the file")
    with pytest.raises(StorageError, match="is not a file") as refusal:
        store.open(session_id)
    assert str(path) in refusal.value.message and "Move" in refusal.value.hint and path.is_dir()


@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
def test_several_kinds_at_once_hide_no_sound_record(tmp_path: Path, seed: int) -> None:
    """Random damage between random lines: what stands whole on its line, or whole at the end of one, is shown."""
    chance = random.Random(seed)
    print("seed", seed)
    handle = new_handle(store_in(tmp_path))
    filled(handle, 40)
    handle.close()
    header, *lines = handle.path.read_bytes().splitlines(keepends=True)
    harms: list[Callable[[], bytes]] = [
        lambda: b"\0" * chance.randint(1, 5_000),
        lambda: chance.choice(lines)[: chance.randint(1, 80)].rstrip(b"\n"),
        lambda: chance.randbytes(chance.randint(1, 3_000)).replace(b"\n", b"") + b"\n",
        lambda: b"{bad\n" * chance.randint(1, 50),
        lambda: b"\r\n" * chance.randint(1, 3),
        lambda: spoken("\u2028" * 3),
        lambda: b"[" * chance.randint(1, 50_000) + b"\n",
    ]
    data = header + b"".join(chance.choice(harms)() + line if chance.random() < 0.5 else line for line in lines)
    handle.path.write_bytes(data)
    loaded = store_in(tmp_path).load(handle.id)
    assert numbers(loaded) == tuple(range(40))
    assert loaded.skipped >= 1


def test_an_orphan_result_is_in_its_place_and_its_words_are_there(tmp_path: Path) -> None:
    store, _, session_id, _ = damaged(tmp_path, "orphan tool result")
    [at] = [n for n, m in enumerate(store.load(session_id).live) if m.role == "tool"]
    live = store.load(session_id).live
    assert live[at].parts == (ToolResultPart("gone", "Read", "found"),)
    assert (live[at - 1].text, live[at + 1].text) == ("message 5", "message 7")


def test_records_of_a_file_whose_header_is_gone_are_shown_and_its_details_name_lines(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 4)
    handle.close()
    lines = handle.path.read_bytes().splitlines(keepends=True)
    handle.path.write_bytes(b"".join([b"{}\n", *lines[1:3], b"{\n", *lines[3:]]))
    loaded = store_in(tmp_path).load(handle.id)
    assert numbers(loaded) == (0, 1, 2, 3) and loaded.skipped == 2
    assert [line for line, _ in loaded.damage] == [1, 4, 1]
    assert json.dumps([reason for _, reason in loaded.damage]).isascii()


@pytest.mark.parametrize("parent", ["", '"parent":7,', '"parent":[],', '"parent":"msg_gone",'])
def test_a_record_that_does_not_tell_its_parent_follows_the_one_before_it(tmp_path: Path, parent: str) -> None:
    """At the end of the file it is the newest message: were it taken for a beginning, all before it would be off the live branch."""
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 4)
    handle.close()
    with handle.path.open("ab") as file:
        file.write(f'{{"schema":1,"seq":5,"kind":"message","message":{{"id":"msg_x","role":"user",{parent}"parts":"no list"}}}}\n'.encode())
    loaded = store.load(handle.id)
    assert [m.id for m in loaded.live][-1] == "msg_x" and numbers(loaded) == (0, 1, 2, 3)
    again = store.open(handle.id)
    again.append(message("message 4"))
    again.close()
    assert numbers(store.load(handle.id)) == (0, 1, 2, 3, 4)


def test_a_file_whose_only_record_does_not_tell_its_parent_begins_with_it(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    handle.path.write_bytes(b'{"schema":1,"seq":0,"kind":"message","message":{"id":"msg_x","role":"user","parts":[]}}\n')
    assert [m.parent for m in store.load(handle.id).live] == [None]


def test_a_file_of_bad_lines_alone_is_counted_whole_and_told_in_part(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    handle.path.write_bytes(handle.path.read_bytes() + b"{bad\n" * (3 * MOST_TOLD))
    loaded = store.load(handle.id)
    assert loaded.skipped == 3 * MOST_TOLD and len(loaded.damage) == MOST_TOLD and numbers(loaded) == (0,)
