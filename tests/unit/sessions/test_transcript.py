"""Reading damaged transcripts: the twenty kinds of safety.md R5, each with sound records before and after the damage."""

from __future__ import annotations

import codecs
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import ToolResultPart
from desktop.sessions.context import read_context
from desktop.sessions.context_stream import open_material
from desktop.sessions.export import export_session
from desktop.sessions.record import Record, decode_line, encode
from desktop.sessions.summary import read_summary
from desktop.sessions.transcript import LoadedTranscript, read_transcript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import filled, message, new_handle, store_in

COUNT = 20
NOW = FixedClock().moment


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    """The lines of a sound transcript: a header and twenty messages."""
    handle = new_handle(store_in(tmp_path))
    filled(handle, COUNT)
    handle.close()
    return handle.path.read_bytes().splitlines(keepends=True)


def read(tmp_path: Path, data: bytes) -> LoadedTranscript:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(data)
    loaded = read_transcript(path)
    assert path.read_bytes() == data
    return loaded


def numbers(loaded: LoadedTranscript) -> list[int]:
    """The numbers that the texts of the live branch end with."""
    return [int(m.text.split()[-1]) for m in loaded.live if m.text.startswith("message")]


ALL = list(range(COUNT))
MIDDLE = 10
WITHOUT_9 = [n for n in ALL if n != 9]  # line 10 (from 0) is message 9


def insert(lines: list[bytes], *new: bytes) -> bytes:
    return b"".join([*lines[:MIDDLE], *new, *lines[MIDDLE:]])


def record(kind: str, payload: object, seq: int = 10) -> bytes:
    return encode(seq, kind, payload, NOW)


Damage = Callable[[list[bytes]], bytes]
TEXT = '{"schema":1,"seq":10,"kind":"message","message":{"id":"msg_x","role":"user","parts":[{"kind":"text","text":"%s"}]}}\n'

KINDS: dict[str, tuple[Damage, list[int], bool]] = {
    # name: (bytes, the numbers that must be shown, whether it must be said)
    "torn-last-line": (lambda x: b"".join(x)[:-40], ALL[:-1], True),
    "torn-line-glued-to-the-next": (lambda x: insert(x[:MIDDLE] + x[MIDDLE + 1 :], x[MIDDLE][:60]), WITHOUT_9, True),
    "nul-run-at-the-end": (lambda x: b"".join(x) + b"\0" * 4096, ALL, True),
    "nul-run-in-the-middle": (lambda x: insert(x, b"\0" * 400 + b"\n"), ALL, True),
    "nul-run-before-a-record": (lambda x: insert(x, b"\0" * 400), ALL, True),
    "random-binary-1-mb": (lambda x: insert(x, os.urandom(1 << 20), b"\n"), ALL, True),
    "byte-order-mark": (lambda x: codecs.BOM_UTF8 + b"".join(x), ALL, False),
    "utf-16-le": (lambda x: b"".join(x).decode().encode("utf-16"), ALL, False),
    "utf-16-be": (lambda x: codecs.BOM_UTF16_BE + b"".join(x).decode().encode("utf-16-be"), ALL, False),
    "crlf": (lambda x: b"".join(x).replace(b"\n", b"\r\n"), ALL, False),
    "line-separators-in-strings": (lambda x: insert(x, (TEXT % "a\u2028b\u2029c\u0085d").encode()), ALL, True),
    "lone-surrogate": (lambda x: insert(x, (TEXT % "a\\ud800b").encode()), ALL, True),
    "duplicate-keys": (lambda x: insert(x, b'{"schema":1,"schema":1,"seq":10,"kind":"meta","meta":{"name":"n"}}\n'), ALL, True),
    "nan": (lambda x: insert(x, b'{"schema":1,"seq":10,"kind":"meta","meta":{"name":"n","value":NaN}}\n'), ALL, True),
    "5000-digit-integer": (lambda x: insert(x, b'{"schema":1,"seq":' + b"9" * 5_000 + b',"kind":"meta"}\n'), ALL, True),
    "100000-deep-nesting": (lambda x: insert(x, b'{"schema":1,"seq":10,"kind":"meta","meta":' + b"[" * 100_000 + b"\n"), ALL, True),
    "wrong-types": (lambda x: insert(x, record("message", ["no", "message"]), record("message", {"id": 7, "role": []})), ALL, True),
    "unknown-record-kind": (lambda x: insert(x, record("hologram", {"id": "h"})), ALL, True),
    "10000-bad-lines": (lambda x: insert(x, b"{bad\n" * 10_000), ALL, True),
    "deleted-in-the-middle": (lambda x: b"".join(x[:MIDDLE] + x[MIDDLE + 1 :]), WITHOUT_9, True),
    "header-deleted": (lambda x: b"".join(x[1:]), ALL, True),
    "newlines-lost": (lambda x: b"".join(line.rstrip(b"\n") for line in x), ALL, False),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_sound_record_before_and_after_the_damage_is_shown(kind: str, tmp_path: Path, lines: list[bytes]) -> None:
    damage, shown, said = KINDS[kind]
    loaded = read(tmp_path, damage(lines))
    assert numbers(loaded) == shown
    assert bool(loaded.damage) == said
    assert (loaded.header is None) == (kind == "header-deleted")


def test_the_number_of_bad_lines_is_told(tmp_path: Path, lines: list[bytes]) -> None:
    loaded = read(tmp_path, insert(lines, b"{bad\n" * 10_000))
    assert len(loaded.damage) == 10_000


def test_a_cut_line_and_a_missing_one_are_told_once_each_with_their_place(tmp_path: Path, lines: list[bytes]) -> None:
    cut = [*lines[:9], lines[9][:50] + b"\n", *lines[10:]]
    assert read(tmp_path, b"".join(cut)).damage == [(10, "the record is cut or not JSON")]
    gone = [*lines[:9], *lines[11:]]
    assert read(tmp_path, b"".join(gone)).damage == [(10, "2 records are missing before this line")]


@pytest.mark.parametrize(("data", "line"), [(b"", 1), (codecs.BOM_UTF8, 1)])
def test_an_empty_file_opens_and_is_said(tmp_path: Path, data: bytes, line: int) -> None:
    loaded = read(tmp_path, data)
    assert loaded.messages == () and loaded.damage == [(line, "the file is empty")]


def test_a_folder_a_pipe_and_nothing_in_place_of_the_file_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    for path in (folder, pipe, tmp_path / "nothing.jsonl"):
        loaded = read_transcript(path)
        assert loaded.messages == () and loaded.damage[0][0] == 0


def test_a_flipped_byte_is_shown_with_a_doubt(tmp_path: Path, lines: list[bytes]) -> None:
    lines[MIDDLE] = lines[MIDDLE].replace(b"message 9", b"message 8")
    loaded = read(tmp_path, b"".join(lines))
    assert len(loaded.live) == COUNT
    assert loaded.damage == [(11, "its checksum is wrong or missing; it is shown as it stands")]


def test_an_orphan_result_is_shown_in_its_place(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 2)
    handle.append(message("", "tool", parts=(ToolResultPart("call_gone", "Read", "content"),)))
    filled(handle, 2)
    handle.close()
    loaded = read_transcript(handle.path)
    assert [m.role for m in loaded.live] == ["user", "assistant", "tool", "user", "assistant"]
    assert loaded.damage == []


def test_a_record_that_came_twice_is_shown_once(tmp_path: Path, lines: list[bytes]) -> None:
    loaded = read(tmp_path, b"".join([*lines[:6], lines[5], *lines[6:]]))
    assert numbers(loaded) == ALL and loaded.damage == []


def test_a_record_of_a_newer_version_is_said_and_the_rest_shown(tmp_path: Path, lines: list[bytes]) -> None:
    newer = json.dumps({"schema": 2, "seq": 10, "kind": "message", "message": {"new": "form"}}).encode() + b"\n"
    loaded = read(tmp_path, insert(lines, newer))
    assert loaded.newer and numbers(loaded) == ALL
    assert any("newer version" in reason for _, reason in loaded.damage)


def test_parents_that_form_a_ring_or_point_forward_end(tmp_path: Path) -> None:
    parts = [{"kind": "text", "text": "message 0"}]
    ring = [{"id": a, "role": "user", "parent": b, "parts": parts} for a, b in (("m1", "m2"), ("m2", "m1"), ("m3", "m3"))]
    data = b"".join(encode(i, "message", value, NOW) for i, value in enumerate(ring))
    assert [m.id for m in read(tmp_path, data).live] == ["m1", "m2", "m3"]


@pytest.mark.parametrize("value", [["a"], {"a": 1}, 5, True, "unknown", 1.5])
def test_a_live_end_that_names_no_message_changes_nothing(tmp_path: Path, lines: list[bytes], value: object) -> None:
    odd = encode(COUNT + 1, "meta", {"name": "leaf", "value": value}, NOW)
    loaded = read(tmp_path, b"".join(lines) + odd)
    assert len(loaded.live) == COUNT and loaded.damage == []
    assert read_summary(tmp_path / "damaged.jsonl").messages == COUNT
    with open_material(tmp_path / "damaged.jsonl") as material:
        assert material.count == COUNT


def test_a_value_nested_at_the_edge_of_the_limit_is_read_by_all_or_by_none(tmp_path: Path, lines: list[bytes]) -> None:
    """Whatever is taken can be shown, exported and read by another session as well."""
    taken = []
    path = tmp_path / "damaged.jsonl"
    for depth in (100, *range(393, 400), 600, 990):
        deep = '{"a":' * depth + "1" + "}" * depth
        body = '{"schema":1,"seq":21,"kind":"message","message":{"id":"deep","role":"assistant","parts":[%s]},"time":"%s"'
        kinds = ('{"kind":"tool_call","id":"c","name":"X","input":%s}', '{"kind":"text","text":%s}', "%s")
        part = ",".join(kind % deep for kind in kinds)
        data = (body % (part, "2026-01-01T00:00:00.000Z")).encode()
        loaded = read(tmp_path, b"".join(lines) + data + b',"crc":"%08x"}\n' % zlib.crc32(data))
        taken.append(len(loaded.live) > COUNT)
        assert taken[-1] or loaded.skipped
        summary = read_summary(path)
        for kind in ("md", "json"):
            assert export_session(loaded, summary, kind)
        with open_material(path, "message") as material:
            streamed = read_context(material, "message", nonce=lambda: "n" * 16)
        assert streamed == read_context(loaded, "message", nonce=lambda: "n" * 16)
    assert taken.count(True) > 2 and taken == sorted(taken, reverse=True)


def test_what_could_not_be_read_again_is_not_written() -> None:
    refused = 0
    for depth in (10, 390, 396, 397, 398, 399, 400, 401, 500, 800, 950, 990):
        value: dict[str, object] = {}
        for _ in range(depth):
            value = {"a": value}
        try:
            line = encode(0, "meta", {"name": "x", "value": value}, NOW)
        except StorageError:
            refused += 1
        else:
            [record] = decode_line(line)
            assert isinstance(record, Record) and record.note == ""
    assert refused
