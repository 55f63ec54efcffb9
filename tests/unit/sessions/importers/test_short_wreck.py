"""Short broken lines go a way of their own, in half the time: it finds what the way of long texts finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers.json_text import CUT, Found, is_cut_short, of_short, pieces, salvage
from desktop.sessions.importers.reading import Source

SEED = 20_261_130
RECORD = '{"type":"user","message":1,"sessionId":2}'
WRAPPED = ('{"a":' + RECORD + "}", '{"c":[' + RECORD + "]}", '{"d":{"e":1}}')
PIECES = (*'{}[]:,"\\ \n\0', "\ufffd", '"a"', "1", "nul", '{ "b"', '"x{\\"y"', RECORD, *WRAPPED)


def is_record(value: dict[str, Any]) -> bool:
    return "type" in value


class Whole:
    def __init__(self, text: str) -> None:
        self.text = text

    def more(self, least: int = 0) -> bool:
        return False

    def drop(self, size: int) -> None:
        self.text = self.text[size:]


def long_way(text: str, line: int) -> list[Found]:
    return list(pieces(Whole(text), is_record, len(text), first_line=line))


def test_random_wrecks_are_read_as_long_ones_are() -> None:
    rng = random.Random(SEED)
    held = 0
    for _ in range(5_000):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 25)))
        expected = long_way(text, 3)
        assert of_short(text, is_record, 3) == expected, (SEED, text)
        assert list(salvage(text, is_record, first_line=3)) == expected, (SEED, text)
        held += any(one.value is not None for one in expected)
    assert held > 1_000  # many of them hold a record


@pytest.mark.parametrize("text", ["{" * 2_000, '{"a":' * 400, '{"a":' + "[" * 1_900, '{"a":{"b":' * 150 + RECORD + "}" * 300])
def test_deep_wrecks_are_read_as_long_ones_are(text: str) -> None:
    assert of_short(text, is_record, 1) == long_way(text, 1)


def test_a_line_that_ends_as_no_object_is_read_without_being_tried_as_one(tmp_path: Path) -> None:
    whole = RECORD
    lines = [
        whole,
        whole[:-1],
        whole[:-3],
        whole + " x",
        whole + '{"type":"user"',
        " " + whole[:-1],
        whole[:-1] + " ",
        whole[:-1] + "\0",
        "x",
        "",
    ]
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert [is_cut_short(line) for line in lines if line] == [False, True, True, True, True, True, False, False, True]
    found = [(one.line, one.value is not None, one.reason) for one in Source(path).records(is_record)]
    assert [line for line, is_whole, _ in found if is_whole] == [1, 4, 5]
    assert {line for line, _, reason in found if reason} == {2, 3, 4, 5, 6, 7, 8, 9}
    assert {reason for line, _, reason in found if line in (2, 3, 6, 7)} == {CUT}
