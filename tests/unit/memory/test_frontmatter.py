"""Frontmatter: byte for byte on the way back, tolerant on the way in, bounded against hostile headers."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.frontmatter import Document, parse, serialise
from desktop.memory.yaml_header import read_header, read_plain_header
from tests.helpers.data import shared_data

FULL = "---\nname: build-tool\ndescription: We build with bun\nmetadata:\n  type: project\n---\n\nBody.\n"


def doc(text: str) -> Document:
    return parse(text.encode())


def test_name_description_type_and_body() -> None:
    found = doc(FULL)
    assert (found.name, found.description, found.type) == ("build-tool", "We build with bun", "project")
    assert found.body == "\nBody.\n"
    assert found.metadata["metadata"] == {"type": "project"}
    assert found.problems == []


def test_the_type_at_the_top_is_read_too_and_the_nested_one_wins() -> None:
    assert doc("---\ntype: user\n---\n").type == "user"
    assert doc("---\ntype: user\nmetadata:\n  type: Feedback\n---\n").type == "feedback"


def test_an_unknown_type_is_no_type_and_says_its_line() -> None:
    found = doc("---\nname: x\ntype: recipe\n---\n")
    assert found.type is None
    assert doc("---\nname: x\nmetadata:\n  a: 1\n  type: recipe\n---\n").problems[0][0] == 5
    assert doc("---\nname: x\nmetadata: {a: 1, type: recipe}\n---\n").problems[0][0] == 3
    assert found.problems == [(3, "“recipe” is none of the types user, feedback, project, reference")]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("name: 2026-01-01", "2026-01-01"),
        ("name: 2026-13-45", "2026-13-45"),
        ("name: on", "on"),
        ("name: no", "no"),
        ("name: 12:30", "12:30"),
        ("name: 007", "007"),
        ("name: 1_000", "1_000"),
        ("name: 0x1F", "0x1F"),
        ("name: 5", "5"),
        ("name: true", "true"),
        ("name: 'a: b'", "a: b"),
        ('name: "引号 # 里"', "引号 # 里"),
        ("name: 中文名", "中文名"),
        (f"name: {'9' * 5000}", "9" * 2000),
    ],
)
def test_a_name_is_always_the_text_that_stands_there(line: str, name: str) -> None:
    assert doc(f"---\n{line}\n---\n").name == name


def test_values_are_typed_plainly_and_never_become_dates() -> None:
    values = doc("---\na: true\nb: 12\nc: 1.5\nd: 2026-01-01\ne: ~\nf: yes\ng: '12'\nh: [1, x]\n---\n").metadata
    assert values == {"a": True, "b": 12, "c": 1.5, "d": "2026-01-01", "e": None, "f": "yes", "g": "12", "h": [1, "x"]}


def test_keys_that_break_other_readers_are_ordinary_here() -> None:
    found = doc("---\ncontent: x\nhandler: y\n1: z\n---\nbody")
    assert found.metadata == {"content": "x", "handler": "y", "1": "z"}
    assert found.body == "body"


@pytest.mark.parametrize("bom", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_b13_a_byte_order_mark_and_any_line_break_hide_nothing(bom: bytes, newline: str) -> None:
    data = bom + FULL.replace("\n", newline).encode()
    found = parse(data)
    assert (found.name, found.description, found.type) == ("build-tool", "We build with bun", "project")
    assert found.newline == newline
    assert serialise(found) == data
    changed = serialise(found.with_body("\ufeffnew" if bom else "new"))
    assert changed.count(b"\xef\xbb\xbf") == (1 if bom else 0)
    assert changed.startswith(found.head)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_and_written_as_it_was(encoding: str) -> None:
    bom = b"\xff\xfe" if encoding.endswith("le") else b"\xfe\xff"
    data = bom + FULL.encode(encoding)
    found = parse(data)
    assert found.name == "build-tool"
    assert serialise(found) == data
    assert serialise(found.with_body("新")) == found.head + "新".encode(encoding)


@pytest.mark.parametrize(
    "text",
    [
        "----\nhello\n----\nworld",
        "--- text\nname: x\n---\n",
        "---x\n---\n",
        " ---\nname: x\n---\n",
        "\n---\nname: x\n---\n",
        "hello",
        "",
        "# Title\n\n---\n\nname: x\n\n---\n",
    ],
)
def test_b15_only_a_first_line_of_three_dashes_opens_a_header(text: str) -> None:
    found = doc(text)
    assert found.metadata == {}
    assert found.body == text
    assert found.problems == []
    assert serialise(found) == text.encode()


def test_a_header_that_is_never_closed_is_body_and_said() -> None:
    found = doc("---\nA rule, then text\n\nmore")
    assert found.body == "---\nA rule, then text\n\nmore"
    assert found.problems == [(1, "the header that begins here with --- is never closed")]


def test_b09_a_broken_header_keeps_every_byte_and_still_shows_its_fields() -> None:
    text = '---\nname: repro\ndescription: "abc "def" ghi"\nmetadata:\n  type: feedback\ntags: [a, b]\n---\nBody.'
    found = doc(text)
    assert (found.name, found.type) == ("repro", "feedback")
    assert found.description == 'abc "def" ghi'
    assert [line for line, _ in found.problems] == [3]
    edited = serialise(found.with_body("Body.\nOne line more.\n"))
    assert edited == text[: -len("Body.")].encode() + b"Body.\nOne line more.\n"


@pytest.mark.parametrize(
    "header",
    [
        *("key: `C:\\agent\\x`", "title: *Italic*", "list:\n- [[wikilink]]suffix", "a: b: c"),
        *("\tkey: x", "a: [1, 2", "- just\n- a list", "one two"),
    ],
)
def test_headers_that_are_no_mapping_are_flagged_with_a_line(header: str) -> None:
    found = doc(f"---\n{header}\n---\nbody\n")
    assert found.problems
    assert all(2 <= line <= header.count("\n") + 3 for line, _ in found.problems)
    assert found.body == "body\n"


def test_duplicate_keys_tags_aliases_and_second_documents_are_said_and_build_nothing() -> None:
    found = doc("---\na: &x 1\nb: *x\nc: !!python/object/apply:os.getcwd []\na: 2\n---\n")
    texts = " ".join(text for _, text in found.problems)
    assert "alias" in texts
    assert "tag" in texts
    assert "twice" in texts
    assert found.metadata["b"] is None
    assert found.metadata["c"] == []
    second = doc("---\na: 1\n--- !x\nb: 2\n---\n")
    assert second.metadata == {"a": 1}
    assert second.problems == [(3, "a second YAML document begins here; it is not read")]


def test_bytes_that_are_no_text_are_kept_and_said() -> None:
    data = b"---\nname: x\n---\nok\n\xff\xfe bad\n"
    found = parse(data)
    assert found.problems == [(5, "it is not valid UTF-8 text")]
    assert serialise(found.with_body(found.body + "more")) == data + b"more"


def test_a_body_set_behind_a_fence_without_line_break_stays_a_body() -> None:
    found = doc("---\nname: x\n---")
    changed = found.with_body("text")
    assert serialise(changed) == b"---\nname: x\n---\ntext"
    assert changed.body == "text"


def test_with_body_returns_the_given_text() -> None:
    for body in ("", "a", "\r\n a\r\n", "---\n", "\ud800", "a\nb"):
        changed = doc(FULL).with_body(body)
        assert changed.body == body or "\ud800" in body
        assert serialise(changed).startswith(doc(FULL).head)


def test_real_files_open_and_survive_an_edit_of_their_body() -> None:
    folder = shared_data("real/memories")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        found = parse(data)
        assert serialise(found) == data, path
        assert serialise(found.with_body(found.body)) == data, path
        edited = serialise(found.with_body("another\nbody\n"))
        assert edited == found.head + b"another\nbody\n", path
        again = parse(edited)
        assert (again.name, again.description, again.type) == (found.name, found.description, found.type), path
        _check_fields_or_problem(path, data, found)


def _check_fields_or_problem(path: Path, data: bytes, found: Document) -> None:
    """Every field that stands in the header is shown, or a problem names its line."""
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    if not text.startswith("---\n") or "\n---" not in text[4:]:
        return
    header = text[4 : text.index("\n---", 3)]
    for key, value in (("name", found.name), ("description", found.description)):
        if any(line.startswith(f"{key}:") and line.partition(":")[2].strip() for line in header.split("\n")):
            assert value or found.problems, path
    assert all(line >= 1 for line, _ in found.problems)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_parse_and_come_back(data: bytes) -> None:
    found = parse(data)
    assert serialise(found) == data
    assert serialise(found.with_body(found.body)) == data


_yamlish = st.text(st.sampled_from("ab:-\n \t#'\"[]{}&*!|>%@`,?中\r\u2028\x85\u0000é"), max_size=80)


@settings(max_examples=400, deadline=None)
@given(header=_yamlish, body=st.text(st.characters(exclude_categories=["Cs"]), max_size=40), bom=st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_any_header_parses_comes_back_and_keeps_its_head(header: str, body: str, bom: bytes) -> None:
    data = bom + f"---\n{header}\n---\n{body}".encode()
    found = parse(data)
    assert serialise(found) == data
    changed = found.with_body("another")
    assert serialise(changed) == found.head + b"another"
    assert all(line >= 1 for line, _ in found.problems)


HOSTILE = {
    "laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
    "tag": "a: !!python/object/apply:os.system ['true']",
    "dates": "\n".join(f"d{n}: 2026-13-{n}" for n in range(1000)),
    "brackets": "a: " + "[" * 60_000,
    "braces": "a: " + "{" * 60_000,
    "pairs": "a: " + "[{" * 20_000,
    "dashes": "- " * 30_000,
    "questions": "? " * 30_000,
    "indent": "\n".join(" " * n + "a:" for n in range(350)),
    "scalar": "description: " + "x" * 60_000,
    "scalar of 1 MB": "description: " + "x" * 1_000_000,
    "block of 1 MB": "description: |\n" + "  " + "x" * 1_000_000,
    "quotes": "a: " + '"' * 60_000,
    "escapes": 'a: "' + "\\x41" * 15_000 + '"',
    "keys": "\n".join(f"k{n}: v" for n in range(6_000)),
    "same keys": "k: v\n" * 10_000,
    "anchors": "".join(f"k{n}: &a{n} v\n" for n in range(4_000)),
    "comments": "#\n" * 30_000,
    "breaks": "\u2028" * 20_000,
    "colons": ":" * 60_000,
    "stars": "*" * 60_000,
    "nul": "a: \x00",
    "huge number": "a: " + "9" * 60_000,
    "spaces": "a" + " " * 60_000 + "b",
    "dash lines": "---- \n" * 10_000,
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_s17_hostile_headers_are_bounded_in_time_and_memory(kind: str) -> None:
    data = f"---\n{HOSTILE[kind]}\n---\nbody\n".encode()
    started = time.process_time()
    found = parse(data)
    spent = time.process_time() - started
    assert serialise(found) == data
    assert found.body == "body\n"
    tracemalloc.start()
    parse(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{kind}: {spent * 1000:.1f} CPU ms, {peak / 1e6:.1f} MB")
    assert spent < 2.0  # CPU seconds, twenty times the bar: it only catches work that grows with the square
    assert peak < 50_000_000


@pytest.mark.parametrize("letter", ["-", "a", "#", "[", ":", "\n", "中"])
def test_one_megabyte_of_one_letter_is_read_whole(letter: str) -> None:
    data = (letter * 1_000_000).encode()
    assert serialise(parse(data)) == data
    headed = b"---\n" + data + b"\n---\nx"
    assert serialise(parse(headed)) == headed


_plain_line = st.one_of(
    st.builds(
        lambda indent, key, blank, value: f"{indent}{key}:{blank}{value}",
        st.sampled_from(["", "", "  ", "    ", " "]),
        st.sampled_from(["name", "type", "metadata", "a", "b-c", "true", "null", "x1"]),
        st.sampled_from([" ", "", "  "]),
        st.one_of(
            st.text(st.sampled_from("ab1.:# '\"-,[]{}!&*|>%@`\\=<~?/中：é\t\r"), max_size=12),
            st.sampled_from(["true", "null", "~", "12", "1.5", "2026-01-01", "no", "'q'", '"d"', "<<", "=", "0x1F", "1e5", ".inf", "- x"]),
        ),
    ),
    st.sampled_from(["", "# c", "  # c", "text", "- a", "  - a", "...", "\t"]),
)


@settings(max_examples=500, deadline=None)
@given(st.lists(_plain_line, max_size=7), st.sampled_from(["\n", "\r\n"]))
def test_the_quick_reader_says_what_the_whole_one_says_or_nothing(found: list[str], newline: str) -> None:
    text = newline.join(found) + newline
    quick = read_plain_header(text)
    if quick is None:
        return
    whole = read_header(text, spans=True)
    assert (quick.values, quick.texts, quick.problems, quick.broken) == (whole.values, whole.texts, whole.problems, whole.broken)
    assert quick.is_mapping == whole.is_mapping


def test_an_ordinary_header_is_read_quickly() -> None:
    assert read_plain_header(FULL[4 : FULL.index("---", 4)]) is not None
