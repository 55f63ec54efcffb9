"""The same promises on hundreds of odd files: all bytes kept, fields shown or the line that is wrong, edits that touch nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from desktop.memory.frontmatter import TYPES, Document, encode_text, parse, serialise
from desktop.memory.note import list_notes, read_note
from desktop.memory.stamp import stamped, with_metadata
from tests.helpers.data import shared_data
from tests.unit.memory.odd_files import OddFile, odd_files

FILES = odd_files()
NOW = "2026-05-06T07:08:09.000Z"
ids = [file.name for file in FILES]


def real_files() -> list[OddFile]:
    folder = shared_data("real/memories")
    return [OddFile(str(path), path.read_bytes(), "", "utf-8") for path in sorted(folder.rglob("*")) if path.is_file()]


def test_there_are_many_and_they_differ() -> None:
    assert len({file.data for file in FILES}) >= 400


def comes_back_whole(file: OddFile) -> None:
    found = parse(file.data)
    assert serialise(found) == file.data
    assert serialise(found.with_body(found.body)) == file.data
    assert file.data.startswith(found.head)
    assert all(line >= 1 and text for line, text in found.problems)
    total = len(re.split(r"\r\n|\n|\r", found.bom.decode("latin-1") + file.data.decode("latin-1")))
    assert all(line <= total for line, _ in found.problems)


def fields(document: Document) -> tuple[Any, ...]:
    return document.name, document.description, document.type, document.metadata


def body_edit_touches_nothing_else(file: OddFile) -> None:
    found = parse(file.data)
    for body in ("another\nbody\n", "", "---\nname: other\n---\n", found.body + "中文 added"):
        edited = found.with_body(body)
        data = serialise(edited)
        if found.header is None and parse(encode_text(body, found.encoding)).header is not None:
            continue  # a person gave the file a header
        assert data.startswith(found.head)
        assert data[len(found.head) :].removeprefix(encode_text(found.newline, found.encoding)) in (
            encode_text(body, found.encoding),
            encode_text(body, found.encoding).removeprefix(encode_text(found.newline, found.encoding)),
        )
        assert fields(edited) == fields(found)
        assert parse(data).head.startswith(found.head)


def stamp_touches_nothing_else(file: OddFile) -> None:
    found = parse(file.data)
    made = stamped(found, now=NOW, session_id="sess_9", message_id="msg_9", previous=None)
    data = serialise(made)
    assert made.body == found.body
    assert (made.name, made.description, made.type) == (found.name, found.description, found.type)
    if made is found:
        assert data == file.data
        return
    assert made.metadata["metadata"]["modified"] == NOW
    assert made.metadata["metadata"].get("node_type", made.field("node_type")) == "memory"
    if found.field("originSessionId"):
        assert made.field("originSessionId") == found.field("originSessionId")
    new, old = (data.decode(found.encoding, "surrogateescape") for data in (data, file.data))
    assert without_stamp(new) == without_stamp(old)
    assert set(BREAK.findall(new)) == set(BREAK.findall(old))


BREAK = re.compile(r"\r\n|\n|\r")
STAMP = r"(?:node_type|created|modified|originSessionId|originMessageId)"


def without_stamp(text: str) -> str:
    """A text without the entries of a stamp, and without blanks, which flow mappings have around them."""
    plain = re.sub(rf"(?m)^[ ]+{STAMP}:.*\n|,? ?{STAMP}: [^,}}\n]*", "", BREAK.sub("\n", text))
    return plain.replace(" ", "").replace("{,", "{")


def field_edit_touches_nothing_else(file: OddFile) -> None:
    found = parse(file.data)
    for key, value in (("type", "reference"), ("pinned", "yes: 中 #1"), ("other", "x")):
        made = with_metadata(found, {key: value})
        if made is found:
            assert serialise(made) == file.data
            continue
        assert made.field(key) == value
        assert made.body == found.body
        rest = {k: v for k, v in made.metadata["metadata"].items() if k != key}
        assert rest == {k: v for k, v in found.metadata["metadata"].items() if k != key}
        assert {k: v for k, v in made.metadata.items() if k != "metadata"} == {k: v for k, v in found.metadata.items() if k != "metadata"}


PROMISES = [comes_back_whole, body_edit_touches_nothing_else, stamp_touches_nothing_else, field_edit_touches_nothing_else]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_every_odd_file_keeps_the_promise(promise: Any) -> None:
    for file in FILES:
        try:
            promise(file)
        except AssertionError as error:
            raise AssertionError(f"{file.name}: {error}") from error


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_every_real_file_keeps_the_promise(promise: Any) -> None:
    for file in real_files():
        try:
            promise(file)
        except AssertionError as error:
            raise AssertionError(f"{file.name}: {error}") from error


def scalar_text(value: Any) -> str | None:
    """What another reader makes of a field, as one text; None for what is none."""
    return value.strip()[:2_000] or None if isinstance(value, str) else None


def test_valid_headers_say_what_another_reader_of_yaml_makes_of_them() -> None:
    """Oracle: PyYAML's reader that leaves every scalar a text. Aliases are never followed here, so headers with one are left out."""
    compared = 0
    for file in FILES:
        if not file.header or file.encoding == "broken" or "*" in file.header or "<<" in file.header:
            continue
        try:
            wanted = yaml.load(file.header + "\n", Loader=yaml.BaseLoader)
        except yaml.YAMLError:
            assert parse(file.data).problems, file.name
            continue
        found = parse(file.data)
        if not isinstance(wanted, dict):
            assert found.metadata == {}, file.name
            continue
        compared += 1
        for key, value in (("name", found.name), ("description", found.description)):
            if key not in wanted or isinstance(wanted[key], str):
                expected = scalar_text(wanted.get(key))
                assert (value or "").split() == (expected or "").split(), file.name
        nested = wanted.get("metadata")
        kind = (nested.get("type") if isinstance(nested, dict) else None) or wanted.get("type")
        assert found.type == (kind if kind in TYPES else None), file.name
    assert compared > 200


def test_what_a_line_says_is_shown_or_the_line_is_named() -> None:
    for file in FILES:
        found = parse(file.data)
        for key, value in (("name", found.name), ("description", found.description)):
            line = re.search(rf"(?m)^{key}[ \t]*:[ \t]*([^\s#|>'\"&*!~].*)$", file.header)
            if line and not value and line.group(1).strip() not in ("null",):
                assert found.problems, file.name


def test_one_folder_of_all_of_them_lists_every_file(tmp_path: Path) -> None:
    for number, file in enumerate(FILES):
        (tmp_path / f"f{number:04}.md").write_bytes(file.data)
    notes = {note.path: note for note in list_notes(tmp_path)}
    assert len(notes) == len(FILES)
    for number, file in enumerate(FILES):
        note, found = notes[f"f{number:04}.md"], parse(file.data)
        assert note == read_note(tmp_path, note.path)
        assert bool(note.problem) is bool(found.problems), file.name
        assert "\n" not in note.name + note.description + (note.problem or "") + note.hint


def test_fm02_all_keys_of_the_standard_form_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nname: x\nmetadata:\n  type: user\n  supersedes: [old-name, 旧名]\n  keywords: one word\n"
        "  explicit: true\n  pinned: true\n---\n"
    )
    note = read_note(tmp_path, "a.md")
    assert (note.supersedes, note.keywords, note.explicit, note.pinned) == (("old-name", "旧名"), ("one word",), True, True)
    (tmp_path / "b.md").write_text("---\nsupersedes: [1, [x], {a: b}, '', null, true]\nexplicit: 'true'\npinned: yes\n---\n")
    note = read_note(tmp_path, "b.md")
    assert (note.supersedes, note.explicit, note.pinned) == (("1", "x"), False, False)  # `[[x]]` is a list in a list to YAML
