"""Another hook on a line, and a line moved: link, marks, other lines and line breaks stay."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.errors import ToolError
from desktop.memory.index_edit import moved, with_hook
from desktop.memory.index_text import entries_of
from desktop.memory.note import Note


def note(path: str, name: str = "") -> Note:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Note(path, name or path.removesuffix(".md"), "", None, None, moment, None, None, False, 1, None)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("- [a](a.md) — old words", "- [a](a.md) — new"),
        ("- [a](a.md)", "- [a](a.md) — new"),
        ("* **[Mine](a.md)**: old", "* **[Mine](a.md)** — new"),
        ('- [a](a.md "title") - old', '- [a](a.md "title") — new'),
        ("1. [a](<a.md#part>) old", "1. [a](<a.md#part>) — new"),
        ("- [[a|shown]] old", "- [[a|shown]] — new"),
        ("- `a.md` old", "- `a.md` — new"),
        ("| [a](a.md) | old | more |", "| [a](a.md) | new | more |"),
        ("| [a](a.md) |", "| [a](a.md) — new |"),
        ("  - [a](a.md) — old", "  - [a](a.md) — new"),
    ],
)
def test_only_the_words_behind_the_link_change(line: str, after: str) -> None:
    for ending in ("\n", "\r\n"):
        text = f"# M{ending}{line}{ending}  below{ending}- [b](b.md){ending}"
        edited = with_hook(text, note("a.md"), 1, "new")
        assert edited.text == text.replace(line, after)
        assert edited.line == after


def test_a_hook_becomes_one_short_line() -> None:
    edited = with_hook("- [a](a.md)\n", note("a.md"), 0, "  — when the build\n\nfails " + "and so on " * 60)
    assert edited.line.startswith("- [a](a.md) — when the build fails and")
    assert len(edited.line) == 200
    assert edited.line.endswith("…")
    assert edited.text.count("\n") == 1


def test_a_note_without_a_line_gets_one() -> None:
    assert with_hook("- [b](b.md)\n", note("t/a b.md", "a"), None, "new").text == "- [b](b.md)\n- [a](<t/a b.md>) — new\n"


@pytest.mark.parametrize("hook", ["see [b](b.md)", "see [[b]]", "—", " "])
def test_a_hook_holds_no_links(hook: str) -> None:
    with pytest.raises(ToolError, match="plain words"):
        with_hook("- [a](a.md)\n", note("a.md"), 0, hook)


def test_a_line_of_several_files_is_left_to_edit() -> None:
    with pytest.raises(ToolError, match=r"also leads to b\.md"):
        with_hook("- [a](a.md) and [b](b.md)\n", note("a.md"), 0, "new")


TEXT = "# M\n- [a](a.md)\n  below a\n  - [n](n.md)\n- [b](b.md)\n\n## More\n- [c](c.md)\n  below c\n\nEnd.\n"


def test_a_line_moves_with_all_that_stands_under_it() -> None:
    block, rest = "- [a](a.md)\n  below a\n  - [n](n.md)\n", "\nEnd.\n"
    assert moved(TEXT, 4, 1).text == f"# M\n- [b](b.md)\n{block}\n## More\n- [c](c.md)\n  below c\n{rest}"
    assert moved(TEXT, 1, 7).text == f"# M\n- [b](b.md)\n\n## More\n{block}- [c](c.md)\n  below c\n{rest}"
    assert moved(TEXT, 1, None).text == f"# M\n- [b](b.md)\n\n## More\n- [c](c.md)\n  below c\n{block}{rest}"


def test_a_move_into_and_out_of_a_nested_list_takes_its_indentation() -> None:
    assert moved(TEXT, 4, 3).text.split("\n")[1:5] == ["- [a](a.md)", "  below a", "  - [b](b.md)", "  - [n](n.md)"]
    assert moved(TEXT, 3, 7).text.split("\n")[3:7] == ["- [b](b.md)", "", "## More", "- [n](n.md)"]


def test_moving_to_where_it_stands_changes_nothing_and_under_itself_is_refused() -> None:
    for line, before in ((1, 4), (4, 4), (7, None)):
        assert moved(TEXT, line, before).text == TEXT
    with pytest.raises(ToolError, match="under it"):
        moved(TEXT, 1, 3)


@pytest.mark.parametrize("text", ["- [a](a.md)\n- [b](b.md)", "- [a](a.md)\r\n- [b](b.md)", "- [a](a.md)\r\n- [b](b.md)\r\n"])
def test_the_end_of_a_file_is_no_trouble(text: str) -> None:
    newline = "\r\n" if "\r" in text else "\n"
    for edited in (moved(text, 0, None), moved(text, 1, 0)):
        assert edited.text.rstrip("\r\n") == f"- [b](b.md){newline}- [a](a.md)"
        assert edited.text.endswith(newline) == text.endswith(newline)


_PIECES = ("# M", "", "- [a](a.md) — x", "  below", "  - [n](n.md)", "* [b](b.md)", "words", "    deep", "1. [c](c.md)", "```", "> q")


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=14), st.data(), st.booleans())
def test_a_move_loses_and_doubles_no_line(pieces: list[str], data: st.DataObject, windows: bool) -> None:
    text = "\n".join(pieces) + data.draw(st.sampled_from(["", "\n"]))
    text = text.replace("\n", "\r\n") if windows else text
    lines = [entry.line for entry in entries_of(text)]
    if not lines:
        return
    line, before = data.draw(st.sampled_from(lines)), data.draw(st.sampled_from([*lines, None]))
    try:
        edited = moved(text, line, before)
    except ToolError:
        return

    def said(whole: str) -> list[str]:
        return sorted(part.strip() for part in whole.split("\n"))

    assert said(edited.text) == said(text)
