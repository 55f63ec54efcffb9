"""The index keeper: a line for every topic, none twice, and no hand-written word changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of, read_entry
from desktop.memory.note import Note

KEEPER = IndexKeeper(Path("/memory"))


def note(path: str, name: str = "", description: str = "", hint: str = "") -> Note:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Note(path, name or path.removesuffix(".md"), description, None, None, moment, None, None, False, 1, None, hint)


def test_the_own_line_is_short_on_one_line_and_reads_back() -> None:
    found = note("topics/a b (1).md", "Brackets [x] \\ y", "line one\nline two " + "long " * 80)
    line = KEEPER.line_for(found)
    assert "\n" not in line
    assert len(line) <= 150
    entry = read_entry(line)
    assert entry is not None
    assert entry.target == "topics/a b (1).md"
    assert entry.title == "Brackets [x] \\ y"


def test_without_description_the_first_line_of_the_body_serves() -> None:
    assert KEEPER.line_for(note("a.md", hint="We use bun")) == "- [a](a.md) — We use bun"
    assert KEEPER.line_for(note("a.md")) == "- [a](a.md)"


def test_a_new_line_goes_behind_the_last_entry_and_leaves_the_rest() -> None:
    text = "# Index\n\n- [a](a.md) — one\n  more of it\n\nA closing word.\n"
    assert KEEPER.synced(text, added=[note("b.md")]) == "# Index\n\n- [a](a.md) — one\n  more of it\n- [b](b.md)\n\nA closing word.\n"
    assert KEEPER.synced("", added=[note("b.md")]) == "- [b](b.md)\n"
    assert KEEPER.synced("# Index", added=[note("b.md")]) == "# Index\n- [b](b.md)\n"
    assert KEEPER.synced("- [a](a.md)", added=[note("b.md")]) == "- [a](a.md)\n- [b](b.md)\n"


def test_windows_line_breaks_stay() -> None:
    assert KEEPER.synced("- [a](a.md)\r\n", added=[note("b.md")]) == "- [a](a.md)\r\n- [b](b.md)\r\n"
    assert KEEPER.synced("- [a](a.md)\r\n- [b](b.md)\r\n", removed=["a.md"]) == "- [b](b.md)\r\n"


@pytest.mark.parametrize(
    "line",
    [
        "- [Mine](a b.md) — words",
        "- [Mine](<a b.md>) — words",
        "- [Mine](./a%20b.md)",
        "* **[Mine](<./a b.md>)** words",
        "1. [Mine](a%20b.md#part)",
        "- [[a b]] words",
        "- [[the-name|shown]]",
        "- see [x](https://example.org/a.md) and [Mine](<a b.md>)",
    ],
)
def test_a_hand_written_line_in_any_form_is_never_doubled(line: str) -> None:
    text = f"# Index\n{line}\n"
    assert KEEPER.synced(text, added=[note("a b.md", "the-name", "another hook")]) == text


def test_a_bare_file_name_counts_as_a_line_and_a_mention_in_prose_does_not() -> None:
    assert KEEPER.synced("- a.md: words\n", added=[note("a.md")]) == "- a.md: words\n"
    assert KEEPER.synced("See a.md for it.\n", added=[note("a.md")]) == "See a.md for it.\n- [a](a.md)\n"
    assert "- [a](a.md)" in KEEPER.synced("- ba.md: words\n", added=[note("a.md")]).split("\n")
    assert KEEPER.synced("```\n- [a](a.md)\n```\n", added=[note("a.md")]).endswith("```\n- [a](a.md)\n")


def test_our_own_line_follows_a_changed_description_and_a_foreign_one_does_not() -> None:
    old, new = note("a.md", description="one"), note("a.md", description="two")
    assert KEEPER.synced("- [a](a.md) — one\n", added=[new], known=[old]) == "- [a](a.md) — two\n"
    assert KEEPER.synced("- [a](a.md) — my one\n", added=[new], known=[old]) == "- [a](a.md) — my one\n"


def test_removing_takes_the_line_with_its_continuation_and_nothing_else() -> None:
    text = "- [a](a.md) — one\n  its second line\n  - [c](c.md) nested\n- [b](b.md), see [a](a.md)\n- [aa](aa.md)\ntext a.md\n"
    assert KEEPER.synced(text, removed=["a.md"]) == "  - [c](c.md) nested\n- [b](b.md), see a\n- [aa](aa.md)\ntext a.md\n"


def test_our_own_line_goes_whole_also_when_its_hook_names_another_memory() -> None:
    found = note("a.md", description="see [b](b.md) for more")
    text = f"{KEEPER.line_for(found)}\n- [b](b.md)\n"
    assert KEEPER.synced(text, removed=["a.md"], known=[found]) == "- [b](b.md)\n"


def test_a_rename_keeps_the_wording() -> None:
    old, new = note("a.md", "a", "one"), note("t/b (2).md", "b", "one")
    assert KEEPER.synced("- [a](a.md) — one\n", renamed=[(old, new)]) == "- [b](<t/b (2).md>) — one\n"
    assert KEEPER.synced("- [Mine](./a.md) — by hand\n", renamed=[(old, new)]) == "- [Mine](<t/b (2).md>) — by hand\n"
    assert KEEPER.synced("- [[a]] by hand\n", renamed=[(old, new)]) == "- [[b]] by hand\n"


def test_doubles_of_our_own_go_and_two_lines_of_a_person_stay() -> None:
    found = note("a.md", description="one")
    own = KEEPER.line_for(found)
    assert KEEPER.without_doubles(f"{own}\n- [A](a.md) mine\n", [found]) == "- [A](a.md) mine\n"
    assert KEEPER.without_doubles(f"{own}\n{own}\n", [found]) == f"{own}\n"
    both = "- [A](a.md) mine\n- [A again](a.md) mine too\n"
    assert KEEPER.without_doubles(both, [found]) == both


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n", "- [a](a.md) — one\n```\n"),
        ("# Notes\n```\ncode\n", "# Notes\n- [a](a.md) — one\n```\ncode\n"),
        ("```\ncode\n```\n", "```\ncode\n```\n- [a](a.md) — one\n"),
        ("- [b](b.md)\n```\n", "- [b](b.md)\n- [a](a.md) — one\n```\n"),
    ],
)
def test_a_line_never_goes_into_a_code_fence_that_was_left_open(text: str, expected: str) -> None:
    added = note("a.md", "a", "one")
    assert KEEPER.synced(text, added=[added]) == expected
    assert KEEPER.synced(expected, added=[added]) == expected


_hand = st.text(st.sampled_from("ab -*[](){}<>#`.md/中\\|"), max_size=40)


@settings(max_examples=300, deadline=None)
@given(found=st.lists(_hand, max_size=12), path=st.sampled_from(["a.md", "t/b.md", "中 文.md", "x(1).md"]), description=_hand)
def test_adding_twice_changes_nothing_more_and_removing_gives_the_rest_back(found: list[str], path: str, description: str) -> None:
    text = "\n".join(found) + "\n"
    added = note(path, description=description.strip())
    once = KEEPER.synced(text, added=[added])
    assert KEEPER.synced(once, added=[added]) == once
    kept = once.split("\n")
    assert [line for line in text.split("\n") if line in kept] == text.split("\n")
    if once != text and any(entry.target == path for entry in entries_of(once)):
        assert len(once.split("\n")) <= len(text.split("\n")) + 1
    same = replace(added, description="")
    assert KEEPER.synced(once, added=[same]) == once


# what other hands wrote


def test_a_new_line_goes_behind_all_that_belongs_to_the_last_entry() -> None:
    added = note("b.md")
    for before, after in (
        ("- [a](a.md)\n\n  a paragraph of it\n", ""),
        ("- [a](a.md) — words\nthat go on in the next line\n", "\n## More\n"),
        ("| a | b |\n|---|---|\n| [a](a.md) | x |\n| none | y |\n", "\nWords.\n"),
        ("[a](a.md) — words\nthat go on\n", ""),
        ("- [a](a.md)\n  ```\n  code\n  ```\n", "## More\n"),
    ):
        assert KEEPER.synced(before + after, added=[added]) == f"{before}- [b](b.md)\n{after}"


def test_entries_in_comments_headers_and_code_are_no_lines_and_no_place_for_one() -> None:
    text = "---\nfiles:\n  - b.md\n---\n- [a](a.md)\n\n<!--\n- [b](b.md)\n-->\n\n```\n- [b](b.md)\n```\n"
    assert KEEPER.synced(text, added=[note("b.md")]) == text.replace("- [a](a.md)\n", "- [a](a.md)\n- [b](b.md)\n", 1)


@pytest.mark.parametrize("line", ["| [B](b.md) | words |", "[B](b.md) — words", "### [B](b.md)", "**[B](b.md)** words", "[[b]]"])
def test_lines_that_are_no_list_are_lines_too(line: str) -> None:
    text = f"# Index\n\n{line}\n"
    assert KEEPER.synced(text, added=[note("b.md")]) == text
    assert KEEPER.synced(text, removed=["b.md"]) == "# Index\n\n"


def test_a_point_that_only_mentions_a_file_is_neither_doubled_nor_removed() -> None:
    text = "- keep build.md short, and put the rest elsewhere\n"
    assert KEEPER.synced(text, added=[note("build.md")]) == text
    assert KEEPER.synced(text, removed=["build.md"]) == text


def test_an_old_macs_line_breaks_stay() -> None:
    assert KEEPER.synced("# M\r- [a](a.md)\r", added=[note("b.md")]) == "# M\r- [a](a.md)\r- [b](b.md)\r"
    assert KEEPER.synced("# M\r- [a](a.md)\r- [b](b.md)\r", removed=["b.md"]) == "# M\r- [a](a.md)\r"


def test_a_rename_keeps_an_anchor_and_wiki_names() -> None:
    old, new = note("a.md", "a"), note("t/b c.md", "b")
    assert KEEPER.synced("- [Mine](a.md#part) — x\n", renamed=[(old, new)]) == "- [Mine](<t/b c.md#part>) — x\n"
    assert KEEPER.synced("- [[a|shown]] — x\n", renamed=[(old, new)]) == "- [[b|shown]] — x\n"


def test_own_lines_that_grew_too_long_are_shortened_and_a_persons_never() -> None:
    found = note("a.md", description="why it is so " * 30)
    own = f"- [a](a.md) — {found.description.strip()}"
    assert len(own) > 200
    assert KEEPER.is_own(own, found)
    assert KEEPER.synced(own + "\n", added=[found]) == KEEPER.line_for(found) + "\n"
    assert len(KEEPER.line_for(found)) <= 150
    mine = "- [a](a.md) — my own words " + "that go on " * 30 + "\n"
    assert not KEEPER.is_own(mine, found)
    assert KEEPER.synced(mine, added=[found]) == mine


_index_line = st.one_of(
    st.sampled_from(
        [
            *(
                "# Index",
                "## 构建",
                "",
                "- [a](a.md) — one",
                "  - [n](sub/n.md) — nested",
                "  more of it",
                "\tmore",
                "* **[c](c.md)** words",
            ),
            *("- [[wiki|shown]] words", "1. [d](<d e.md>)", "words of prose", "> quoted", "<!-- comment -->", "<!--", "-->", "```", "~~~"),
            *("   ~~~~", "  ```", "***", "## [h](h.md)", "- [a](a.md) [b](b.md)"),
            *("| [t](t.md) | x |", "|---|---|", "[bare](bare.md) — line", "---", "- a point without a link", "    indented", "- see a.md"),
        ]
    ),
    _hand,
)


@settings(max_examples=600, deadline=None)
@given(
    found=st.lists(_index_line, max_size=16),
    path=st.sampled_from(["new.md", "t/new.md", "新 的.md", "new(1).md"]),
    name=st.sampled_from(["new", "A [bracketed] \\ name", "新"]),
    description=_hand,
    windows=st.booleans(),
)
def test_a_hand_written_index_survives_adding_and_removing_byte_for_byte(
    found: list[str], path: str, name: str, description: str, windows: bool
) -> None:
    text = "\n".join(found) + "\n" if found else ""
    text = text.replace("\n", "\r\n") if windows else text
    added = note(path, name, description.strip())
    once = KEEPER.synced(text, added=[added])
    assert [entry.target for entry in entries_of(once)].count(path) == 1
    assert KEEPER.synced(once, removed=[path], known=[added]) == text
    moved = replace(added, path="moved/away.md")
    back = KEEPER.synced(KEEPER.synced(once, renamed=[(added, moved)]), renamed=[(moved, added)])
    assert back == once
