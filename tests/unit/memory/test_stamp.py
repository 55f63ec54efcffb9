"""The origin stamp: the wanted entries, and not one byte more."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.frontmatter import parse, serialise
from desktop.memory.stamp import compose_note, quoted, stamped, with_metadata

NOW = "2026-01-02T03:04:05.000Z"
LATER = "2027-01-02T03:04:05.000Z"


def stamp(text: str, previous: str | None = None, now: str = NOW, session: str = "sess_1", message: str = "msg_1") -> str:
    before = parse(previous.encode()) if previous is not None else None
    return serialise(stamped(parse(text.encode()), now=now, session_id=session, message_id=message, previous=before)).decode()


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: x # why\n# a comment\nmetadata:\n  type: user\n  # inside\nother:   'odd  spacing'\n---\nbody\n",
        "---\r\nname: 中文\r\nmetadata: \r\n    type: user\r\n\r\nlast: 1\r\n---\r\nbody\r\n",
        "---\nmetadata: {type: user}\nz: [1, 2]\n---\nb",
        "---\nmetadata: {}\n---\n",
        "---\nmetadata: {\n  type: user,\n  }\n---\n",
        "---\nmetadata:\n  a: {b: c}\n  list:\n  - 1\n  text: |\n    long\n    text\n---\n",
        "\ufeff---\nmetadata:\n  type: user\n---\n",
    ],
)
def test_the_stamp_adds_its_lines_and_changes_no_other_byte(text: str) -> None:
    once = stamp(text)
    found = parse(once.encode())
    assert found.problems == []
    assert (found.field("node_type"), found.field("created"), found.field("modified")) == ("memory", NOW, NOW)
    assert (found.field("originSessionId"), found.field("originMessageId")) == ("sess_1", "msg_1")
    rest = iter(once)
    assert all(character in rest for character in text.replace("{}", "{").replace("\n  }", "}")) or "{\n" in text
    twice = stamp(once, previous=once, now=LATER, session="sess_2", message="msg_2")
    assert twice == once.replace(f"modified: {NOW}", f"modified: {LATER}")


@pytest.mark.parametrize(
    "text",
    [
        "no header\n",
        "---\nname: x\n---\nb",
        "---\nmetadata: text\n---\n",
        "---\nmetadata:\n---\n",
        "---\nmetadata:\n- a\n---\n",
        '---\nname: "a "b" c"\nmetadata:\n  type: user\n---\n',
        "---\nmetadata:\n  type: user\nmetadata:\n  type: user\n---\n",
        "---\nname: &x 1\nother: *x\nmetadata:\n  type: user\n---\n",
        "---\nmetadata:\n  type: user\n",
        "----\nmetadata:\n  type: user\n----\n",
    ],
)
def test_where_it_cannot_be_done_without_doubt_nothing_is_added(text: str) -> None:
    assert stamp(text) == text


def test_a_line_break_of_the_body_never_gets_into_the_header() -> None:
    for head, body in (("\n", "\r\n"), ("\r\n", "\n"), ("\r", "\n")):
        text = head.join(["---", "metadata:", "  type: user", "---", ""]) + body.join(["one", "two", ""])
        once = stamp(text)
        assert once != text
        assert once.endswith(body.join(["one", "two", ""]))
        header = once[: -len(body.join(["one", "two", ""]))]
        assert header.replace(head, "").count("\n") + header.replace(head, "").count("\r") == 0


def test_a_comment_at_the_end_of_a_flow_mapping_swallows_nothing() -> None:
    text = "---\nmetadata: {\n  type: user # last\n  }\n---\nbody\n"
    found = parse(stamp(text).encode())
    assert (found.type, found.field("modified"), found.field("node_type")) == ("user", NOW, "memory")
    assert "type: user # last\n  }\n" in found.header_text


@pytest.mark.parametrize("metadata", ["\n  type: user", " {type: user}"])
def test_st25_node_type_goes_first(metadata: str) -> None:
    found = parse(stamp(f"---\nname: x\nmetadata:{metadata}\n---\n").encode())
    assert next(iter(found.metadata["metadata"])) == "node_type"
    assert list(found.metadata["metadata"])[-1] == "type"


def test_origin_and_creation_are_taken_over_from_the_older_version() -> None:
    old = stamp("---\nmetadata:\n  type: user\n---\nold")
    new = stamp("---\nmetadata:\n  type: user\n---\nnew", previous=old, now=LATER, session="sess_9", message="msg_9")
    found = parse(new.encode())
    assert (found.field("originSessionId"), found.field("originMessageId")) == ("sess_1", "msg_1")
    assert (found.field("created"), found.field("modified")) == (NOW, LATER)


def test_a_person_s_file_gets_times_and_no_session() -> None:
    found = parse(stamp("---\nmetadata:\n  type: user\n---\n", session="", message="").encode())
    assert found.field("created") == NOW
    assert found.field("originSessionId") is None


def test_an_old_file_without_creation_time_gets_none_invented() -> None:
    old = "---\nmetadata:\n  type: user\n---\nold"
    assert parse(stamp(old + "er", previous=old).encode()).field("created") is None


def test_values_at_the_top_count_as_there() -> None:
    text = "---\noriginSessionId: mine\ncreated: 2020-01-01T00:00:00Z\nmetadata:\n  type: user\n---\n"
    found = parse(stamp(text).encode())
    nested = found.metadata["metadata"]
    assert "originSessionId" not in nested
    assert "originMessageId" not in nested
    assert "created" not in nested


def test_a_value_of_several_lines_is_left_alone() -> None:
    text = "---\nmetadata:\n  modified: |\n    a\n    b\n  type: user\n---\n"
    document = parse(text.encode())
    assert with_metadata(document, {"modified": NOW}) is document or "modified: |" in serialise(document).decode()


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_every_text_can_be_quoted_so_that_any_reader_gives_it_back(value: str) -> None:
    value = "".join(c for c in value if c.isprintable() or c in "\n\t\u2028\x85")
    written = quoted(value)
    assert "\n" not in written
    assert yaml.safe_load(f"key: {written}")["key"] == value or written == value
    assert parse(f"---\nname: {written}\n---\n".encode()).metadata["name"] == value


def test_a_composed_note_reads_back() -> None:
    text = compose_note(
        name="构建: 工具", description='say "bun" # always', kind="user", body="\n我们用 bun\n", extra={"explicit": "yes: 1"}
    )
    found = parse(text.encode())
    assert found.problems == []
    assert (found.name, found.description, found.type) == ("构建: 工具", 'say "bun" # always', "user")
    assert found.body == "\n我们用 bun\n"
    assert found.field("explicit") == "yes: 1"


_header = st.lists(
    st.sampled_from(
        [
            *("name: x", "metadata:", "  type: user", "  # note", "", "metadata: {type: user}", "  modified: 2020-01-01"),
            *("tags: [a]", "  k: 'v'", "z: |", "   t"),
        ]
    ),
    max_size=9,
)


@settings(max_examples=400, deadline=None)
@given(lines=_header, newline=st.sampled_from(["\n", "\r\n"]))
def test_any_header_keeps_its_meaning_and_its_other_lines(lines: list[str], newline: str) -> None:
    text = newline.join(["---", *lines, "---", "body"])
    once = stamp(text)
    before, after = parse(text.encode()), parse(once.encode())
    assert after.body == before.body
    assert (after.name, after.type) == (before.name, before.type)
    if once != text:
        kept = once.split(newline)
        rest = iter(kept)
        assert all(line in rest for line in text.split(newline) if "modified" not in line and "{" not in line)
        assert [text for _, text in after.problems] == [text for _, text in before.problems]
