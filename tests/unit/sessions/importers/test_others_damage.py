"""Damaged files of Gemini CLI, Qwen Code, Copilot, pi, opencode, Kimi, Grok Build, Muse and Antigravity.

Whole records around the damage are there, nothing is raised.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from desktop.sessions.importers.reading import salvage
from tests.unit.sessions.importers.damage import Harm, damaged_bytes, damaged_lines, wrong_types
from tests.unit.sessions.importers.more_world import MORE
from tests.unit.sessions.importers.others_world import (
    LINES,
    Lines,
    file_of,
    gemini_answer,
    gemini_call,
    gemini_head,
    gemini_user,
    line,
    opencode,
    opencode_tool,
)

FORMS = (*LINES, *MORE)
WITH_IDS = (*LINES, *(form for form in MORE if form.source in ("muse", "antigravity")))
"""Those whose records have an id of their own; in the others a line that is there twice was said twice."""
CASES = [(form, harm) for form in FORMS for harm in damaged_lines([line(one) for one in form.records])]
DOCUMENT = gemini_head(messages=[gemini_user("u1", "one"), gemini_answer("a1", "two", toolCalls=[gemini_call("c", "out")])])
CHUNKS = {"chunkedPrompt": {"chunks": [{"role": "user", "text": "one"}, {"role": "model", "text": "two", "branchParent": {"id": "x"}}]}}
EDITOR = {
    "sessionId": "ed-1",
    "requests": [
        {"requestId": "r1", "message": {"text": "one"}, "response": [{"value": "two"}, {"kind": "toolInvocationSerialized", "toolId": "t"}]}
    ],
}
EXPORT: dict[str, Any] = {
    "info": {"id": "ses_1", "title": "t", "time": {"created": 1_780_000_000_000}},
    "messages": [
        {"info": {"id": "msg_1", "role": "user", "time": {"created": 1}}, "parts": [{"type": "text", "text": "one"}]},
        {"info": {"id": "msg_2", "role": "assistant"}, "parts": [opencode_tool("c", "completed", "out"), {"type": "file", "url": "x"}]},
    ],
}
DOCUMENTS = {
    "gemini": DOCUMENT,
    "studio": CHUNKS,
    "editor": EDITOR,
    "export": EXPORT,
    "log": [{"sessionId": "s", "messageId": 0, "message": "m"}],
}


def spoken(found: ImportedSession) -> str:
    """Everything that a session says, for a search in it."""
    return json.dumps(
        [(one.text, one.thinking, [result.output for result in one.tool_results]) for one in found.messages], ensure_ascii=False
    )


def encodable(found: ImportedSession) -> None:
    for one in found.messages:
        for text in (one.id, one.text, one.thinking, one.model, *(r.output for r in one.tool_results), *(c.name for c in one.tool_calls)):
            text.encode("utf-8")
        json.dumps([call.input for call in one.tool_calls], default=str).encode()
    f"{found.title}{found.id}{found.workspace}{found.damage}".encode()
    ids = [one.id for one in found.messages]
    assert len(ids) == len(set(ids))
    assert all(one.parent is None or one.parent in ids for one in found.messages)
    assert (found.branches >= 1) == bool(ids)


@pytest.mark.parametrize(("form", "harm"), CASES, ids=[f"{form.source}: {harm.name}" for form, harm in CASES])
def test_whole_records_survive_damage(tmp_path: Path, form: Lines, harm: Harm) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(harm.data)
    found = open_transcript(path)
    encodable(found)
    assert path.read_bytes() == harm.data
    assert [one.name for one in tmp_path.iterdir()] == ["some.jsonl"]
    if harm.survivors is not None:
        said = spoken(found)
        assert [form.says[number] for number in harm.survivors if form.says[number] not in said] == []
        if harm.survivors:
            assert found.source == form.source
    if harm.told is not None:
        assert bool(found.damage) == harm.told, found.damage


@pytest.mark.parametrize("form", WITH_IDS, ids=[form.source for form in WITH_IDS])
def test_a_record_that_is_there_twice_counts_once(tmp_path: Path, form: Lines) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(file_of(list(form.records)))
    once = open_transcript(path)
    path.write_bytes(file_of([one for record in form.records for one in (record, record)]))
    twice = open_transcript(path)
    assert [one.text for one in twice.messages] == [one.text for one in once.messages]
    assert twice.branches == once.branches == 1


@pytest.mark.parametrize("form", FORMS, ids=[form.source for form in FORMS])
def test_no_byte_that_is_lost_or_overwritten_raises(tmp_path: Path, form: Lines) -> None:
    for number, harm in enumerate(damaged_bytes(file_of(list(form.records)))):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(harm.data)
        encodable(open_transcript(path))


@pytest.mark.parametrize("form", FORMS, ids=[form.source for form in FORMS])
def test_a_field_of_a_wrong_type_loses_no_other_record(tmp_path: Path, form: Lines) -> None:
    path = tmp_path / "some.jsonl"
    number = 2
    kept = [said for place, said in enumerate(form.says) if place != number and said]
    for wrong in wrong_types(form.records[number]):
        records = [*form.records[:number], wrong, *form.records[number + 1 :]]
        path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
        found = open_transcript(path)
        encodable(found)
        assert [said for said in kept if said not in spoken(found)] == [], wrong


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_with_wrong_types_or_lost_bytes_raises_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "some.json"
    for wrong in wrong_types(DOCUMENTS[name]):
        path.write_text(json.dumps(wrong), "utf-8")
        encodable(open_transcript(path))
    for number, harm in enumerate(damaged_bytes(json.dumps(DOCUMENTS[name], indent=1 if name == "gemini" else None).encode())):
        path = tmp_path / f"{number}.json"
        path.write_bytes(harm.data)
        encodable(open_transcript(path))


def test_every_whole_message_of_a_cut_document_is_read(tmp_path: Path) -> None:
    messages = [gemini_user(f"u{number}", f"question {number}") for number in range(20)]
    for indent in (None, 2):
        data = json.dumps(gemini_head(messages=messages), indent=indent).encode()
        path = tmp_path / "session-cut.json"
        path.write_bytes(data[: data.index(b"question 15")])
        found = open_transcript(path)
        assert (found.source, found.id) == ("gemini", "gem-1")
        assert [one.text for one in found.messages] == [f"question {number}" for number in range(15)]
        assert found.damage
        holed = data.replace(b'"question 7"', b"\0" * 12)
        path.write_bytes(holed)
        found = open_transcript(path)
        assert [one.text for one in found.messages] == [f"question {number}" for number in range(20) if number != 7]
        assert found.damage


def test_every_whole_message_of_a_cut_export_or_editor_session_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    data = json.dumps({**EXPORT, "messages": [*EXPORT["messages"], EXPORT["messages"][0]]}).encode()
    path.write_bytes(data[:-20])
    found = open_transcript(path)
    assert found.source == "opencode" and [one.role for one in found.messages] == ["user", "assistant"] and found.damage
    requests = [{"requestId": f"r{n}", "message": {"text": f"q{n}", "parts": []}, "response": [{"value": f"a{n}"}]} for n in range(5)]
    data = json.dumps({"version": 3, "sessionId": "ed-9", "requests": requests}).encode()
    path.write_bytes(data[: data.index(b"q4")])
    found = open_transcript(path)
    assert (found.source, found.id) == ("copilot", "ed-9")
    assert [one.text for one in found.messages] == [text for n in range(4) for text in (f"q{n}", f"a{n}")]


def test_texts_with_lone_surrogates_and_separators_come_through(tmp_path: Path) -> None:
    for form in FORMS:
        records = json.loads(json.dumps(form.records).replace("first answer", "first\\ud800 an\\u2028swer"))
        path = tmp_path / f"{form.source}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in records), "ascii")
        found = open_transcript(path)
        encodable(found)
        assert any("first\ufffd an\u2028swer" in one.text for one in found.messages), form.source


def test_a_stream_of_events_of_a_later_version_is_still_known(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    records = [{"type": "of_later", "sessionID": "ses_1", "x": 1}, opencode("text", "msg_1", {"type": "text", "text": "hello"})]
    path.write_bytes(file_of(records))
    found = open_transcript(path)
    assert (found.source, [one.text for one in found.messages], found.damage) == ("opencode", ["hello"], ())


def test_lines_of_records_and_damage_in_a_large_broken_text_are_right_and_the_work_is_linear() -> None:
    records = 30_000
    text = "[\n" + "".join(f'{{"n": {number},\n "text": "{"x" * 100}"}},\n{{"cut": \n' for number in range(records))
    found = list(salvage(text, lambda value: "n" in value))
    whole = [one for one in found if one.value is not None]
    assert [one.value["n"] for one in whole] == list(range(records))
    assert [one.line for one in whole] == [2 + 3 * number for number in range(records)]
    assert [one.line for one in found if one.value is None] == [4 + 3 * number for number in range(records)]


def test_a_stretch_that_is_cut_into_pieces_while_it_is_searched_is_one_reason() -> None:
    text = '{"cut": \n' * 300_000 + '{"n": 1}'
    found = list(salvage(text, lambda value: "n" in value, first_line=7))
    assert [(one.line, one.value is None) for one in found] == [(7, True), (300_007, False)]


def test_a_folder_of_several_tools_files_is_listed_file_by_file(tmp_path: Path) -> None:
    for place in ("chats/session-1.jsonl", "session-state/1/events.jsonl", "plain.jsonl"):
        for form in LINES:
            path = tmp_path / form.source / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file_of(list(form.records)))
    listed = list_transcripts(tmp_path)
    assert len(listed) == 3 * len(LINES)
    assert {one.source for one in listed} == {form.source for form in LINES}
    assert all(one.path.relative_to(tmp_path).parts[0] == one.source for one in listed)
