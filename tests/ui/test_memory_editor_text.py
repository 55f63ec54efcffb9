"""The pure parts of the memory editor: frontmatter edits, line endings, differences, links, names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from desktop.memory import frontmatter
from desktop.ui.editor.preview import parts, with_links
from desktop.ui.memory.draft import file_name, followed
from desktop.ui.memory.header_edit import set_field
from desktop.ui.memory.line_diff import difference, opcodes
from desktop.ui.memory.line_endings import LineEndings, plain
from desktop.ui.memory.source_edit import SourceEdit, differing

NOTE = """---
# kept
name: bun   # why
name2: x
description: 'old: one'
metadata:
  type: project
  created: 2026-01-02T03:04:05.000Z
---

body
"""


def parsed(text: str) -> frontmatter.Document:
    return frontmatter.parse(text.encode())


@pytest.mark.parametrize("value", ["用 bun，不用 npm", "a: b # c", '"quoted"', "it's", "- dash", "yes", "123", "{x}", "tail ", "\\back"])
def test_setting_a_description_is_read_back_and_touches_one_line(value: str) -> None:
    changed = set_field(NOTE, "description", value)
    assert changed is not None
    assert parsed(changed).description == value.strip()
    assert parsed(changed).problems == []
    before, after = NOTE.split("\n"), changed.split("\n")
    assert [line for line in after if line not in before] == [after[4]]
    assert len(before) == len(after)


def test_type_is_set_below_metadata() -> None:
    changed = set_field(NOTE, "type", "user")
    assert changed is not None and "\n  type: user\n" in changed and parsed(changed).type == "user"
    gone = set_field(NOTE, "type", "")
    assert gone is not None and parsed(gone).type is None and parsed(gone).field("created")


def test_top_level_type_stays_where_it_is() -> None:
    text = "---\nname: a\ntype: project\n---\nbody"
    assert set_field(text, "type", "user") == "---\nname: a\ntype: user\n---\nbody"


def test_missing_fields_are_added() -> None:
    text = "---\nname: a\nmetadata:\n  created: x\n---\nbody"
    assert parsed(set_field(text, "type", "feedback") or "").type == "feedback"
    assert (set_field(text, "description", "new") or "").split("\n")[2] == "description: new"
    bare = "no header\n"
    made = set_field(bare, "name", "给我一个名字")
    assert made is not None and parsed(made).name == "给我一个名字" and made.endswith(bare)
    assert set_field(bare, "name", "") == bare


@pytest.mark.parametrize(
    "value", ["|\n  two\n  lines", ">-\n  folded", "{a: b}", "[1, 2]", "&anchor x", "two words\n  and a second line", "x # comment"]
)
def test_what_is_not_simple_is_left_alone(value: str) -> None:
    assert set_field(f"---\nname: a\ndescription: {value}\n---\nbody", "description", "new") is None


def test_doubled_key_and_open_header_are_left_alone() -> None:
    assert set_field("---\nname: a\n", "name", "b") is None


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "\u2029", "é"]), max_size=20),
    st.integers(0, 20),
    st.text("xy\n", max_size=4),
    st.integers(0, 3),
)
def test_line_endings_come_back(pieces: list[str], at: int, insert: str, cut: int) -> None:
    text = "".join(pieces)
    endings, shown = LineEndings.of(text), plain(text)
    assert endings.restore(shown) == text
    edited = shown[:at] + insert + shown[at + cut :]
    assert plain(endings.restore(edited)) == edited


def test_untouched_lines_keep_mixed_endings() -> None:
    text = "a\r\nb\nc\r\nd\r\n"
    assert LineEndings.of(text).restore("a\nb\nC\nd\n") == "a\r\nb\nC\r\nd\r\n"
    assert LineEndings.of(text).restore("a\nb\nc\nnew\nd\n") == "a\r\nb\nc\r\nnew\r\nd\r\n"


@settings(max_examples=300, deadline=None)
@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_the_one_differing_region(old: str, new: str) -> None:
    start, end_old, end_new = differing(old, new)
    assert old[:start] + new[start:end_new] + old[end_old:] == new
    assert start <= min(end_old, end_new)


@pytest.mark.parametrize("text", ["no\u00a0break", "line\u2028separator", "emoji 🎉 end\nnext 汉字", "tab\tand  blanks  ", "\n\n", ""])
def test_the_editor_keeps_every_character(qapp: QApplication, text: str) -> None:
    editor = SourceEdit()
    editor.set_text(text)
    assert editor.text() == text
    editor.change_to(text + "🎉more")
    assert editor.text() == text + "🎉more"
    editor.change_to("🎉" + text)
    assert editor.text() == "🎉" + text
    editor.undo()
    editor.undo()
    assert editor.text() == text
    editor.deleteLater()


def test_difference_shows_what_was_taken_out_and_put_in() -> None:
    before = "\n".join(str(n) for n in range(100))
    after = before.replace("50", "fifty", 1)
    found = difference(before, after)
    marks = [(line.mark, line.text) for line in found.lines]
    assert ("-", "50") in marks and ("+", "fifty") in marks
    assert len(marks) == 1 + 6 + 2 and (found.taken_out, found.put_in, found.left_out) == (1, 1, 0)
    changed = {line.mark: line for line in found.lines}
    assert (changed["-"].old, changed["-"].new) == (51, 0) and (changed["+"].old, changed["+"].new) == (0, 51)
    assert difference(before, before).lines == ()


LINES = st.lists(st.sampled_from(["", "a", "b", "c", "- one", "中文", "  x"]), max_size=30)


@given(LINES, LINES)
@settings(max_examples=200, deadline=None)
def test_a_difference_turns_one_text_into_the_other(old: list[str], new: list[str]) -> None:
    made: list[str] = []
    i = j = 0
    for tag, i1, i2, j1, j2 in opcodes(old, new):
        assert (i1, j1) == (i, j)
        assert tag == "replace" or old[i1:i2] == new[j1:j2]
        made += new[j1:j2]
        i, j = i2, j2
    assert (i, j) == (len(old), len(new)) and made == new


def test_a_difference_of_long_texts_finds_single_lines_and_stays_bounded() -> None:
    old = [f"line {n}" for n in range(50_000)]
    new = [*old[:100], "came in", *old[100:30_000], *old[30_001:]]
    found = difference("\n".join(old), "\n".join(new))
    assert [line.text for line in found.lines if line.mark in "+-"] == ["came in", "line 30000"]
    everything = difference("\n".join(old), "\n".join(f"other {n}" for n in range(50_000)))
    assert len(everything.lines) <= 3_000 and everything.taken_out == everything.put_in == 50_000
    assert everything.left_out == 100_000 - len(everything.lines)


def test_the_part_that_differs_is_marked_where_the_rest_stays() -> None:
    found = difference("use npm here\nx", "use bun here\nx")
    spans = {line.mark: (line.text, line.span) for line in found.lines if line.mark in "+-"}
    assert spans == {"-": ("use npm here", (4, 7)), "+": ("use bun here", (4, 7))}
    whole = difference("for ten minutes\nx", "for fifteen minutes\nx")
    assert [line.text[slice(*line.span)] for line in whole.lines if line.span] == ["ten", "fifteen"]
    han = difference("测试十分钟后\nx", "测试十五分钟后\nx")
    assert [line.text[slice(*line.span)] for line in han.lines if line.span] == ["", "五"]
    other = difference("abcdef\nx", "uvwxyz\nx")
    assert all(line.span is None for line in other.lines)


def test_pinning_writes_a_mark_and_leaves_everything_else() -> None:
    pinned = set_field(NOTE, "pinned", "true")
    assert pinned is not None and parsed(pinned).field("pinned") is True and parsed(pinned).problems == []
    assert set_field(pinned, "pinned", "") == NOTE
    bare = set_field("---\nname: a\n---\nbody", "pinned", "true")
    assert bare is not None and parsed(bare).field("pinned") is True and parsed(bare).body == "body"
    alone = set_field("---\nname: a\nmetadata:\n  pinned: true\n---\nbody", "pinned", "")
    assert alone == "---\nname: a\n---\nbody"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[a b]]", "see [a b](a%20b.md)"),
        ("[[提交]] and [[x]]", "[提交](%E6%8F%90%E4%BA%A4.md) and [x](x.md)"),
        ("`[[code]]`", "`[[code]]`"),
        ("```\n[[code]]\n```\n[[x]]", "```\n[[code]]\n```\n[x](x.md)"),
        ("[[]] [[a\nb]]", "[[]] [[a\nb]]"),
    ],
)
def test_wiki_links(text: str, expected: str) -> None:
    assert with_links(text) == expected


@given(st.text("ab\n", max_size=200), st.integers(4, 50))
def test_parts_are_the_whole(text: str, limit: int) -> None:
    pieces = parts(text, limit)
    assert "".join(pieces) == text
    assert all(len(piece) <= limit for piece in pieces)


@pytest.mark.parametrize(
    ("name", "file"),
    [("Package Manager", "package-manager.md"), ("提交信息 用中文", "提交信息-用中文.md"), ("a/../b", "a-b.md"), ("  ", ""), ("…", ""),
     (".hidden", "hidden.md")],
)  # fmt: skip
def test_file_names(name: str, file: str) -> None:
    assert file_name(name) == file


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("head\nbody\n", "head\nstamp\nbody\n"),
        ("head\nbody\ntyped\n", "head\nstamp\nbody\ntyped\n"),
        ("typed\nhead\nbody\n", "typed\nhead\nstamp\nbody\n"),
        ("something else\n", "something else\n"),
    ],
)
def test_a_draft_follows_the_stamp_of_a_save(draft: str, expected: str) -> None:
    assert followed(draft, "head\nbody\n", "head\nstamp\nbody\n") == expected
