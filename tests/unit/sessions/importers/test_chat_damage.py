"""Damage of every kind to the files of aider, Cline, SpecStory and of programs without a name: what is whole is read, nothing is raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from tests.unit.sessions.importers.chat_world import AIDER, ANTHROPIC, CLINE_API, CLINE_WINDOW, OPENAI, SPECSTORY, chatgpt, lines, put
from tests.unit.sessions.importers.damage import SEED, WRONG, Harm, damaged_bytes, damaged_lines, wrong_types

TALK: list[dict[str, Any]] = [
    {"id": f"m{number}", "role": ("user", "assistant")[number % 2], "content": f"words {number} 话", "timestamp": 1_760_000_000 + number}
    for number in range(10)
]
MARKDOWN = "# Talk\n\n" + "".join(f"## User\n\nask {n}\n\n## Assistant\n\nanswer {n} 答\n\n" for n in range(6))
FILES: dict[str, bytes] = {
    "aider": AIDER.encode(),
    "specstory": SPECSTORY.encode(),
    "cline, model": json.dumps(CLINE_API, indent=1).encode(),
    "cline, window": json.dumps(CLINE_WINDOW, ensure_ascii=False).encode(),
    "lines": b"\n".join(lines(OPENAI)) + b"\n",
    "document": json.dumps({"messages": ANTHROPIC}, indent=2).encode(),
    "tree": json.dumps([chatgpt(), chatgpt("other")]).encode(),
    "markdown": MARKDOWN.encode(),
}


def _sound(found: ImportedSession) -> None:
    """What must hold of any session: it can be stored, its ids are its own, parents stand before their children."""
    json.dumps([dict(one) for one in found.messages], default=str, ensure_ascii=False).encode()
    seen: set[str | None] = {None}
    for one in found.messages:
        assert one.id not in seen
        assert one.parent in seen
        seen.add(one.id)
    assert (found.branches > 0) == bool(found.messages)
    assert found.messages or found.damage


def _opened(path: Path, data: bytes) -> ImportedSession:
    put(path, data)
    found = open_transcript(path)
    _sound(found)
    list_transcripts(path)
    assert path.read_bytes() == data
    return found


HARMS = list(damaged_lines(lines(TALK)))


@pytest.mark.parametrize("harm", HARMS, ids=[harm.name for harm in HARMS])
def test_lines_keep_every_whole_record(tmp_path: Path, harm: Harm) -> None:
    found = _opened(tmp_path / "talk.jsonl", harm.data)
    if harm.survivors is not None:
        assert [one.text for one in found.messages] == [TALK[number]["content"] for number in harm.survivors]
        assert found.source == ("generic" if harm.survivors else "unknown")
    if harm.told is not None:
        assert bool(found.damage) == harm.told


@pytest.mark.parametrize("name", FILES)
def test_bytes_that_are_lost_or_overwritten_raise_nothing(tmp_path: Path, name: str) -> None:
    print(f"seed {SEED}")
    for number, harm in enumerate(damaged_bytes(FILES[name])):
        _opened(tmp_path / f"{number}.file", harm.data)


@pytest.mark.parametrize("name", FILES)
def test_encodings_and_breaks_change_nothing(tmp_path: Path, name: str) -> None:
    data = FILES[name]
    text = data.decode()
    whole = _opened(tmp_path / "whole", data)
    changed: dict[str, bytes] = {
        "mark": b"\xef\xbb\xbf" + data,
        "CRLF": text.replace("\n", "\r\n").encode(),
        "UTF-16": b"\xff\xfe" + text.encode("utf-16-le"),
        "UTF-16, big end first": b"\xfe\xff" + text.encode("utf-16-be"),
    }
    for kind, other in changed.items():
        found = _opened(tmp_path / kind, other)
        assert (found.source, found.branches) == (whole.source, whole.branches), kind
        assert [(one.role, one.text, one.parent) for one in found.messages] == [(one.role, one.text, one.parent) for one in whole.messages]


@pytest.mark.parametrize("name", ["aider", "specstory", "markdown"])
def test_wreckage_in_a_text_is_told_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    text = FILES[name]
    whole = open_transcript(put(tmp_path / "whole", text))
    at = text.index(b"\n", len(text) * 3 // 5) + 1
    for kind, junk in {"NUL": b"\0" * 400, "binary": bytes(range(128, 256)) * 4_000}.items():
        found = _opened(tmp_path / kind, text[:at] + junk + b"\n" + text[at:])
        assert found.source == whole.source
        assert len(found.messages) == len(whole.messages)
        assert found.damage[0].line == text[:at].count(b"\n") + 1
        broken = _opened(tmp_path / f"{kind} at the start", junk + b"\n" + text)
        assert broken.source == whole.source
        assert len(broken.messages) >= len(whole.messages)


@pytest.mark.parametrize("name", ["aider", "specstory", "markdown"])
def test_separators_inside_of_a_line_part_nothing(tmp_path: Path, name: str) -> None:
    text = FILES[name].decode().replace("port", "po\u2028\u2029\u0085\x0crt").replace("answer", "an\u2028\u2029\u0085\x0cswer")
    assert len(_opened(tmp_path / "a", text.encode()).messages) == len(open_transcript(put(tmp_path / "b", FILES[name])).messages)


WRECKS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "cut at the end": lambda records: json.dumps(records, indent=1)[:-10],
    "cut at the start": lambda records: json.dumps(records)[30:],
    "glued behind a torn one": lambda records: json.dumps(records[:3])[:-20] + json.dumps(records[3:]),
    "NUL in the middle": lambda records: json.dumps(records[:3])[:-1] + "," + "\0" * 500 + json.dumps(records[3:])[1:],
    "twice": lambda records: json.dumps(records) + "\n" + json.dumps(records),
}


@pytest.mark.parametrize("wreck", WRECKS)
@pytest.mark.parametrize("records", [TALK, CLINE_WINDOW, CLINE_API], ids=["talk", "cline window", "cline model"])
def test_a_wrecked_document_keeps_what_is_whole(tmp_path: Path, wreck: str, records: list[dict[str, Any]]) -> None:
    whole = open_transcript(put(tmp_path / "whole.json", records))
    found = _opened(tmp_path / "wreck.json", WRECKS[wreck](records).encode())
    assert found.source == whole.source
    assert found.damage or wreck == "twice"
    assert len(found.messages) >= len(whole.messages) - 2


@pytest.mark.parametrize("name", ["lines", "window", "model", "tree"])
def test_a_field_of_any_other_type_raises_nothing(tmp_path: Path, name: str) -> None:
    records: list[Any] = {"lines": OPENAI, "window": CLINE_WINDOW, "model": CLINE_API, "tree": [chatgpt()]}[name]
    path = tmp_path / "a.json"
    count = 0
    for place, record in enumerate(records):
        for wrong in wrong_types(record, WRONG[place % 2 :: 2]):
            _opened(path, json.dumps([*records[:place], wrong, *records[place + 1 :]]).encode())
            count += 1
    print(f"{name}: {count} files")


def test_an_input_is_never_encoded_wrongly(tmp_path: Path) -> None:
    call = '{"id":"\\udfff","function":{"name":"\\ud800","arguments":"{\\"a\\":\\"\\\\ud800\\"}"}}'
    record = f'{{"role":"assistant","content":"\\ud800 x","tool_calls":[{call}]}}'
    _opened(tmp_path / "a.jsonl", f'{{"role":"user","content":"hi"}}\n{record}\n'.encode())


def test_parts_inside_of_parts_end(tmp_path: Path) -> None:
    for opening, closing in (('{"parts":[', "]}"), ('{"type":"tool_result","content":[', "]}"), ('{"messages":[', "]}"), ("[", "]")):
        deep = opening * 450 + '"x"' + closing * 450
        _opened(tmp_path / "a.jsonl", f'{{"role":"user","content":"hi"}}\n{{"role":"assistant","content":[{deep}]}}\n'.encode())


def test_large_files_are_read_in_linear_time(tmp_path: Path) -> None:
    """Ten times the data costs at most some thirty times the steps of the smallest: a square would be a hundred."""
    import sys

    def steps(data: bytes) -> int:
        count = 0

        def trace(*_: Any) -> None:
            nonlocal count
            count += 1

        path = put(tmp_path / "a.file", data)
        sys.setprofile(trace)
        try:
            open_transcript(path)
        finally:
            sys.setprofile(None)
        return count

    for name, piece in {"lines": lines(OPENAI), "aider": [AIDER.encode()], "broken": [b'{"role":"user","content":"ab']}.items():
        small, large = steps(b"\n".join(piece * 40)), steps(b"\n".join(piece * 400))
        assert large < small * 30, name
