"""The line form: what is written comes back, and what is broken is told without losing what is sound."""

from __future__ import annotations

import json
import math
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.errors import StorageError
from desktop.sessions.record import SCHEMA, Record, decode_line, encode, header_from_json

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def only(line: bytes) -> Record:
    found = list(decode_line(line))
    assert len(found) == 1
    assert isinstance(found[0], Record)
    return found[0]


def test_a_line_is_ascii_json_with_schema_first_and_checksum_last() -> None:
    line = encode(3, "meta", {"name": "title", "value": "标题 \u2028 \u0085 \ud800"}, NOW)
    assert line.endswith(b'"}\n') and line.count(b"\n") == 1 and line.isascii()
    value = json.loads(line)
    assert list(value) == ["schema", "seq", "kind", "meta", "time", "crc"]
    assert value["schema"] == SCHEMA and value["seq"] == 3 and value["time"] == "2026-01-02T03:04:05.000Z"
    assert value["crc"] == f"{zlib.crc32(line[: line.rindex(b',')]):08x}"
    assert only(line).payload["value"] == "标题 \u2028 \u0085 \ud800"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_every_payload_comes_back(payload: Any) -> None:
    record = only(encode(0, "meta", payload, NOW))
    assert record.payload == payload and record.note == "" and record.time == NOW


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 500), st.binary(max_size=60))
def test_no_bytes_raise_and_a_glued_record_is_found(before: bytes, cut: int, after: bytes) -> None:
    torn = encode(1, "meta", {"name": "x", "value": "y" * 400}, NOW)[:cut]
    whole = encode(2, "meta", {"name": "a", "value": {"schema": 1, "crc": "00000000"}}, NOW).rstrip(b"\n")
    line = before.replace(b"\n", b"") + torn.replace(b"\n", b"") + whole + after.replace(b"\n", b"")
    assert [item.seq for item in decode_line(line) if isinstance(item, Record) and item.seq == 2] == [2]


def test_many_records_whose_newlines_were_lost_are_all_found() -> None:
    lines = b"".join(encode(i, "meta", {"name": "n", "value": i}, NOW).rstrip(b"\n") for i in range(500))
    assert [item.seq for item in decode_line(lines) if isinstance(item, Record)] == list(range(500))


def test_a_line_made_to_waste_time_ends() -> None:
    line = b'{"schema":1,"seq":1,"kind":"' * 20_000 + b',"crc":"00000000"}' * 20_000
    assert not [item for item in decode_line(line) if isinstance(item, Record)]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_know_are_stored_as_text(value: float) -> None:
    assert only(encode(0, "meta", {"value": [value]}, NOW)).payload == {"value": [repr(value)]}


def test_a_payload_that_is_no_json_is_refused_whole() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(StorageError):
        encode(0, "meta", deep, NOW)
    with pytest.raises(StorageError):
        encode(0, "meta", {"value": object()}, NOW)


@pytest.mark.parametrize(
    ("line", "payload"),
    [
        (b'{"schema":1,"seq":2,"kind":"meta","meta":{"name":"a","name":"b"}}', {"name": "b"}),
        (b'{"schema":1,"seq":2,"kind":"meta","meta":{"value":NaN}}', {"value": None}),
        (b'{"schema":1,"seq":2,"kind":"meta","meta":{"value":' + b"7" * 5_000 + b"}}", {"value": math.inf}),
        ('{"schema":1,"seq":2,"kind":"meta","meta":{"value":"a\u2028b"},"crc":"00000000"}'.encode(), {"value": "a\u2028b"}),
    ],
    ids=["duplicate-keys", "nan", "digits", "wrong-checksum"],
)
def test_a_readable_line_without_a_right_checksum_is_given_with_a_note(line: bytes, payload: Any) -> None:
    record = only(line)
    assert record.payload == payload and "checksum" in record.note


@pytest.mark.parametrize(
    "line", [b"{", b"hello", b"\0" * 400, b"[" * 100_000, b"[1,2]", b'{"schema":true,"seq":1,"kind":"meta"}', b"\xff\xfe\x80"]
)
def test_what_is_no_record_is_told_in_words(line: bytes) -> None:
    found = list(decode_line(line))
    assert len(found) == 1
    assert isinstance(found[0], str)
    assert found[0]


def test_blank_lines_are_nothing_and_crlf_does_no_harm() -> None:
    assert list(decode_line(b"\r\n")) == []
    assert only(encode(1, "meta", {"name": "n"}, NOW).replace(b"\n", b"\r\n")).note == ""


def test_a_header_without_a_memory_switch_has_memory_off() -> None:
    header = header_from_json({"id": "sess_x", "created": "2026-01-02T03:04:05Z"}, 1)
    assert header is not None
    assert header.memory_enabled is False
    assert header_from_json({"id": 5}, 1) is None
    assert header_from_json("nothing", 1) is None
