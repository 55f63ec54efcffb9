"""Going through texts group by group gives what going through all lines at once gives, wherever the groups end."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from desktop.sessions.importers import json_text, reading
from desktop.sessions.importers.plain_text import Fences, Outside, fences, raw_groups, sound_lines, stretches
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage, ImportedMessage, ImportedResult, replaced

SEEDS = range(60)
LINES = (
    "",
    "said",
    "```",
    "``` py",
    "````",
    "~~~",
    "   ```",
    "    ```",
    "```a`b",
    "\0",
    "x\0y",
    "\ufffd\ufffd\ufffd",
    "解析器",
    "\r",
    "a\x85b",
)


def parted(lines: list[str], rng: random.Random) -> Iterator[list[str]]:
    """The lines in groups that end anywhere, empty ones among them."""
    at = 0
    while at < len(lines):
        size = rng.randrange(0, 6)
        yield lines[at : at + size]
        at += size


def some_lines(rng: random.Random) -> list[str]:
    return [rng.choice(LINES) for _ in range(rng.randrange(1, 60))]


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_of_code_and_what_is_outside_of_them(seed: int) -> None:
    rng = random.Random(seed)
    lines = some_lines(rng)
    found = Fences()
    for group in parted(lines, rng):
        found.take(group)
    assert found.found == fences(lines)
    inside = {number for first, last in found.found for number in range(first, last + 1)}
    code, start = Outside(found.found), 0
    outside: list[int] = []
    for group in parted(lines, rng):
        outside += [start + at for at in code.places(start, len(group))]
        start += len(group)
    assert outside == [number for number in range(len(lines)) if number not in inside]


def test_a_fence_is_closed_by_one_as_long_and_opens_nothing_when_it_is_never_closed() -> None:
    assert fences(["````", "```", "a", "````", "```", "b"]) == [(0, 3)]
    assert fences(["~~~", "```", "~~~"]) == [(0, 2)]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_between_bounds(seed: int) -> None:
    rng = random.Random(seed)
    lines = some_lines(rng)
    bounds = sorted(rng.sample(range(len(lines)), rng.randrange(0, min(len(lines), 6))))
    edges = [0, *bounds, len(lines)]
    assert list(stretches(parted(lines, rng), bounds)) == [lines[a:b] for a, b in pairwise(edges)]


def test_a_file_that_became_shorter_meanwhile_leaves_the_last_ones_empty() -> None:
    assert list(stretches([["a", "b"]], [1, 5, 7])) == [["a"], ["b"], [], []]


@pytest.mark.parametrize("piece", [1, 3, 7, 1 << 20])
def test_lines_and_damage_are_the_same_however_the_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(reading, "_PIECE", piece)
    path = tmp_path / "chat.md"
    path.write_bytes("one\r\ntwo\0\0\n解\n".encode() + b"\0\0\0\n\xff\xff\xff\xff\nlast\xc3")
    damage: list[Damage] = []
    assert list(sound_lines(Source(path), damage)) == ["one", "two", "解", "", "", "last\ufffd"]
    assert [(one.line, one.reason) for one in damage] == [(2, json_text.NUL_RUN), (4, json_text.NUL_RUN)]
    assert [line for _, lines in raw_groups(Source(path)) for line in lines][:3] == ["one", "two\0\0", "解"]


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '{"a": 1} \n', '{"a": 1} x', '{"a": NaN}', '{"a": }', "{", '{"a": 1}{"b": 2}', "[1]", " {}", '"a"', "x"]
)
def test_a_text_that_begins_with_a_brace_is_read_as_the_decoder_reads_it(text: str) -> None:
    def outcome(read: object) -> object:
        try:
            return read(text)  # type: ignore[operator]
        except ValueError as error:
            return str(error)

    assert outcome(json_text.loads) == outcome(json_text.DECODER.decode)


@pytest.mark.parametrize(
    "text", ["said", ", ,", "]", "x {", '"said"', " 12", "-1", "null", "NaN", "Infinity", "truly", "\ufeff[1]", "[", "解析器", "," * 40]
)
def test_prose_is_told_as_the_search_for_records_tells_it(tmp_path: Path, text: str) -> None:
    """What is no value and holds no object need not be searched: the answer is the same."""
    if json_text.is_prose(text):
        with pytest.raises(json.JSONDecodeError):
            json_text.loads(text)
        assert list(json_text.between(text, 4)) == list(json_text.salvage(text, json_text.any_record, first_line=4))
    else:
        assert "{" in text or text.lstrip()[0] in '"[-0123456789tfnNI'


def test_shapes_are_changed_as_dataclasses_are_and_hold_their_texts_as_they_were() -> None:
    wide = "said 🎉 " * 200
    message = ImportedMessage("a", None, "user", wide, tool_results=(ImportedResult("c", wide),), tokens=3)
    other = replaced(message, parent="b", thinking=wide)
    assert (other.id, other.parent, other.text, other.thinking, other.tool_results, other.tokens) == (
        "a", "b", wide, wide, message.tool_results, 3,
    )  # fmt: skip
    assert message.parent is None and message.thinking == "" and other != message and replaced(other, parent=None, thinking="") == message
    with pytest.raises(AttributeError):
        replaced(message, unknown=1)
