"""Large documents read item by item: the same values as at once, the same places of damage, the same pieces of what is broken."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import json_stream, json_text
from desktop.sessions.importers.json_stream import read_document
from desktop.sessions.importers.json_text import DECODER, any_record, salvage
from desktop.sessions.importers.reading import Source, take_sample
from desktop.sessions.importers.shapes import ImportedMessage, ImportedResult

TEXTS = ("", "a", 'quote " and \\ and \n', "解析器", "🎉 party", "\u2028", "x" * 300, "}", "]", '{"')


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces so small that every container is read item by item."""
    monkeypatch.setattr(json_stream, "_CHUNK", 7)
    monkeypatch.setattr(json_stream, "_PIECE", 40)
    monkeypatch.setattr(json_text, "_HELD", 100)


def some_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return rng.choice((0, -7, 123456789012345678901234567890, 1.5, -2e-9, 12))
    if kind < 5:
        return rng.choice(TEXTS)
    if kind == 5:
        return [some_value(rng, depth + 1) for _ in range(rng.randrange(6))]
    return {rng.choice(TEXTS) + str(number): some_value(rng, depth + 1) for number in range(rng.randrange(6))}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(60))
def test_a_document_item_by_item_is_the_document_at_once(seed: int) -> None:
    rng = random.Random(seed)
    value = [some_value(rng) for _ in range(12)]
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1)))
    around = rng.choice(("", "\n ", "\0\0")), rng.choice(("", "\n\n", "\0"))
    found = read_document(io.BytesIO((around[0] + text + around[1]).encode()), 1 << 30, DECODER)
    assert (found.value, found.reason, found.broken) == (value, "", frozenset())


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(60))
def test_what_is_broken_is_told_and_its_pieces_are_those_of_the_whole_text(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    value = {"head": {"a": 1}, "list": [{"n": number, "v": some_value(rng)} for number in range(30)]}
    text = json.dumps(value, ensure_ascii=False, indent=rng.choice((None, 1)))
    at = rng.randrange(5, len(text))
    broken = text[:at] if seed % 2 else text[:at] + "\0\x01" + text[at + rng.randrange(1, 30) :]
    try:
        json_text.loads(broken)
    except ValueError:
        pass
    else:
        return
    path = tmp_path / "a.json"
    path.write_text(broken, "utf-8")
    source = Source(path)
    value, damage = source.document()
    assert value is None and damage is not None
    assert list(source.pieces(any_record)) == list(salvage(broken, any_record))


@pytest.mark.parametrize("text", ["", "  \n", "{", "[1,", "[1,]", '{"a"}', '{"a":}', "[1] 2", "nul", '"open', "{'a': 1}"])
def test_no_document_is_told_with_a_line(text: str) -> None:
    found = read_document(io.BytesIO(text.encode()), 1 << 30, DECODER)
    assert found.value is None and found.line >= 1 and found.reason


def test_a_document_that_is_nested_too_deeply_is_told() -> None:
    found = read_document(io.BytesIO(b"[" * 6_000_000), 1 << 30, DECODER)
    assert (found.value, found.reason) == (None, "it is nested too deeply")


def test_a_document_is_read_once_for_sample_and_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "hi"}] * 3}), "utf-8")
    source = Source(path)
    assert take_sample(source).document is source.document()[0]


def test_one_long_line_is_known(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text, expected in (
        ("x" * 3_000_000, True),
        ("\n\n" + "x" * 3_000_000 + "\n\n", True),
        ("x" * 3_000_000 + "\ny", False),
        ("y\n" + "x" * 3_000_000, False),
        ("x" * 3_000_000 + "\n" + "y" * 2_000_000, False),
        ("x", False),
    ):
        path.write_text(text, "utf-8")
        assert Source(path).is_one_line() is expected, text[:3]


@pytest.mark.parametrize("text", ["plain " * 200, "字" * 400, "🎉 and words " * 100, "é" * 400, "lone \ud800 half 🎉 " * 60, ""])
def test_texts_that_are_held_as_bytes_read_compare_and_copy_as_texts(text: str) -> None:
    from dataclasses import replace

    message = ImportedMessage("a", None, "user", text, thinking=text, tool_results=(ImportedResult("c", text),))
    assert (message.text, message.thinking, message.tool_results[0].output, message["text"]) == (text,) * 4
    assert message == replace(message, id="a") and message != replace(message, text=text + "!")
    assert replace(message, parent="p").text == text and dict(message)["thinking"] == text
