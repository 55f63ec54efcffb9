"""What counts as remembered already: the same text in another dress, never merely a similar one."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.memory.duplicates import find_duplicate, folded, same_meaning, twin_of
from desktop.memory.note import list_notes
from tests.unit.memory.conftest import note_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The build runs with bun.", "the  build\nruns with BUN"),
        ("构建用 bun。", "构建用 bun"),
        ("ＢＵＮ　１２", "bun 12"),
        ("a; b, c", "a b c"),
        ("", " \n\t"),
    ],
)
def test_case_width_blanks_and_closing_marks_make_no_difference(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("bun", "bun2"), ("用 bun", "不用 bun"), ("a-b", "a b"), ("port 5432", "port 5433")])
def test_another_word_is_another_memory(one: str, other: str) -> None:
    assert folded(one) != folded(other)


def test_a_text_is_found_under_any_name_and_header(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(note_text("build", "The build runs with bun."))
    (tmp_path / "broken.md").write_bytes(b'---\nname: "x "y"\n---\n\xff port 5433')
    (tmp_path / "link.md").symlink_to("a.md")
    notes = list_notes(tmp_path)
    assert find_duplicate(tmp_path, notes, note_text("other", "the build  runs with bun", "else", "user")) == "a.md"
    assert find_duplicate(tmp_path, notes, "The build runs with bun.") == "a.md"
    assert find_duplicate(tmp_path, notes, note_text("build", "The build runs with npm.")) is None
    assert find_duplicate(tmp_path, notes, "") is None
    assert find_duplicate(tmp_path, notes, "---\nname: x\n---\n") is None
    assert find_duplicate(tmp_path, notes, "x" * (2 << 20)) is None


@pytest.mark.parametrize(
    "twin",
    [
        "# Build\nThe build\nruns with bun.",
        "# build the build runs　with ＢＵＮ",
        "#   Build\n\n\tThe build runs with bun。\n",
        "# BUILD: The build runs with bun",
    ],
)
def test_line_breaks_width_and_marks_hide_no_duplicate(tmp_path: Path, twin: str) -> None:
    """The notes are first chosen by how they begin, without being read: that must leave out none."""
    (tmp_path / "a.md").write_text(note_text("a", "# Build\n\nThe build runs with bun.", "d"))
    (tmp_path / "empty.md").write_text("---\nname: e\ndescription: Only said here\n---\n")
    (tmp_path / "b.md").write_text(note_text("b", "Something else.", "d"))
    notes = list_notes(tmp_path)
    assert find_duplicate(tmp_path, notes, note_text("x", twin, "other")) == "a.md"
    assert find_duplicate(tmp_path, notes, "only said here.") == "empty.md"


def test_only_lines_of_the_stamp_mean_nothing() -> None:
    text = note_text("a", "body")
    stamped = text.replace("metadata:\n", "metadata:\n  node_type: memory\n  modified: 2026-01-01\n")
    assert same_meaning(text.encode(), stamped.encode())
    for other in (text.replace("body", "Body"), text.replace("project", "user"), "\ufeff" + text, text.replace("---\n\n", "# c\n---\n\n")):
        assert not same_meaning(text.encode(), other.encode())


def test_spellings_that_other_disks_take_for_one_file_are_twins(tmp_path: Path) -> None:
    (tmp_path / "Topics").mkdir()
    (tmp_path / "Topics" / "Café.md").write_text("x")
    assert twin_of(tmp_path, "topics/cafe\u0301.md") == "Topics/Café.md"
    assert twin_of(tmp_path, "Topics/CAFÉ.md") == "Topics/Café.md"
    assert twin_of(tmp_path, "Topics/Café.md") is None
    assert twin_of(tmp_path, "topics/other.md") is None
    assert twin_of(tmp_path, "nowhere/a.md") is None
