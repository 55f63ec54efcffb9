"""Reading index text: which lines are entries, what is code, comment or header, and what makes a loaded index a partial view."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.index_text import entries_of, link_end, loadable, markdown_links, read_entry, relinked, same_lines
from desktop.memory.index_zones import open_fence, strip_comments, zones


def targets(text: str) -> list[str | None]:
    return [entry.target or entry.name for entry in entries_of(text)]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("- [A](a.md) — x", "a.md"),
        ("* [A](<a b.md>)", "a b.md"),
        ("  1) [A](./sub/a.md#part)", "sub/a.md"),
        ("| [A](a.md) | words |", "a.md"),
        ("| words | [A](a.md) |", "a.md"),
        ("[A](a.md) — a line of its own", "a.md"),
        ("**[A](a.md)**: words", "a.md"),
        ("### [A](a.md)", "a.md"),
        ("[[a]] words", "a"),
        ("- [ ] [A](a.md)", "a.md"),
        ("- `a.md` — words", "a.md"),
        ("See [A](a.md) for it.", None),
        ("Text about a.md", None),
        ("- [A](https://example.org/a.md)", None),
        ("- [A](../a.md)", None),
        ("- [A](/etc/a.md)", None),
        ("# A heading", None),
        ("|---|---|", None),
        ("", None),
    ],
)
def test_which_lines_are_entries(line: str, target: str | None) -> None:
    entry = read_entry(line)
    assert (entry.target or entry.name if entry else None) == target


def test_a_file_that_is_only_mentioned_in_a_point_is_marked_so() -> None:
    mentioned, named = read_entry("- write it into README.md too"), read_entry("- **README.md** is the start")
    assert mentioned is not None
    assert mentioned.mention
    assert named is not None
    assert not named.mention


def test_no_entries_in_headers_comments_and_code() -> None:
    text = (
        "---\nfiles:\n  - h.md\n---\n- [a](a.md)\n<!--\n- [b](b.md)\n-->\n```\n- [c](c.md)\n```\n"
        "- [d](d.md)\n  ```\n  - [e](e.md)\n  ```\n- [f](f.md)\n"
    )
    assert targets(text) == ["a.md", "d.md", "f.md"]
    assert targets(text.replace("\n", "\r\n")) == ["a.md", "d.md", "f.md"]
    assert targets("\ufeff" + text) == ["a.md", "d.md", "f.md"]


def test_a_fence_in_a_list_item_ends_with_the_item() -> None:
    assert targets("- [a](a.md)\n  ```\n  code\n- [b](b.md)\n") == ["a.md", "b.md"]
    assert open_fence("- [a](a.md)\n  ```\n  code\n- [b](b.md)\n") is None
    assert targets("- [a](a.md)\n\n```\ncode\n- [b](b.md)\n") == ["a.md"]
    assert targets("1.  [a](a.md)\n    ```\n    - [c](c.md)\n    ```\n- [b](b.md)\n") == ["a.md", "b.md"]
    assert targets("~~~\n```\n- [a](a.md)\n~~~\n- [b](b.md)\n") == ["b.md"]
    assert targets("`` ` `` and ```inline```\n- [b](b.md)\n") == ["b.md"]


def test_a_header_is_not_looked_for_where_it_was_stripped() -> None:
    text = "---\n- [a](a.md)\n---\n- [b](b.md)"
    assert targets(text) == ["b.md"]
    assert [entry.target for entry in entries_of(text, header=False)] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<!-- a -->\nx", "x"),
        ("<!-- a --> x", " x"),
        ("<!-- a --><!-- b -->\nx", "x"),
        ("<!-- a --> <!-- b\nmore --> x\ny", " x\ny"),
        ("<!-->\nx", "x"),
        ("<!-- a --> <!-- never closed\nx", " <!-- never closed\nx"),
        ("<!-- never closed\nx", "<!-- never closed\nx"),
        ("    <!-- indented code -->\nx", "    <!-- indented code -->\nx"),
        ("- item\n  <!-- in it -->\nx", "- item\n  <!-- in it -->\nx"),
        ("> <!-- quoted -->", "> <!-- quoted -->"),
        ("```\n<!-- code -->\n```", "```\n<!-- code -->\n```"),
        ("words <!-- in a line --> words", "words <!-- in a line --> words"),
        ("<!--\n```\n-->\n- [a](a.md)", "- [a](a.md)"),
    ],
)
def test_top_level_comments_go_and_all_others_stay(text: str, left: str) -> None:
    assert strip_comments(text) == left


def test_many_comments_that_never_close_take_linear_time() -> None:
    text = "<!-- a --> <!-- b\n" * 60_000
    assert strip_comments(text + "-->").count("\n") == 0
    assert len(strip_comments("<!-- x\n" * 60_000)) == 7 * 60_000


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["<!--", "-->", "<!-- c -->", "x", "", "```", "- [a](a.md)", "  y", "---", "> q"]), max_size=20))
def test_a_line_is_of_one_zone_and_what_is_stripped_was_a_comment(parts: list[str]) -> None:
    text = "\n".join(parts)
    kinds = zones(parts, header=False)
    assert len(kinds) == len(parts)
    kept = [line for line, kind in zip(parts, kinds, strict=True) if kind != "comment"]
    assert len(strip_comments(text).split("\n")) == max(len(kept), 1)


def test_only_blank_space_apart_means_the_same() -> None:
    assert same_lines("- a\n- b", "\ufeff- a  \r\n\r\n  - b\r\n\r\n")
    assert same_lines("", "\n \n")
    for stored in ("- a\n- b\n<!-- c -->", "---\nx: 1\n---\n- a\n- b", "- a", "- a\n- b\n- c", "- b\n- a"):
        assert not same_lines("- a\n- b", stored)


def test_links_are_led_to_another_file_in_every_form() -> None:
    assert relinked("- [A](a.md) x", "a.md", "b.md") == "- [A](b.md) x"
    assert relinked("- [A](./a.md#part) a.md", "a.md", "t/b c.md") == "- [A](<t/b c.md#part>) a.md"
    assert relinked("- [A](<a b.md>) x", "a b.md", "c.md") == "- [A](c.md) x"
    assert relinked("- [A](a%20b.md) x", "a b.md", "c.md") == "- [A](c.md) x"
    assert relinked("- a.md — x", "a.md", "b.md") == "- b.md — x"


def test_where_the_link_of_a_line_ends() -> None:
    for line in ("- [A](a.md)| — x", "- [A](<a b.md>)| — x", '- [A](a.md "t")| x', "- [A](a.md#p)|", "- [[a|b]]| x", "- a.md|: x"):
        plain = line.replace("|", "", 1) if not line.startswith("- [[a|b") else line.replace("]]|", "]]")
        assert link_end(plain) == len(plain[: line.rindex("|")]), line
    assert link_end("words") is None


def test_links_that_could_be_files_of_memory() -> None:
    line = "[a](a.md) [b](<b c.md>) [c](https://x.y/c.md) [d](/d.md) [e](../e.md#x) [f](f.txt)"
    assert markdown_links(line) == ["a.md", "b c.md", "../e.md"]


def test_the_order_is_header_then_comments_then_trimmed() -> None:
    text = "\ufeff---\r\nname: x\r\n---\r\n\r\n<!-- c -->\r\n\r\n- [a](a.md)\r\n\r\n"
    assert loadable(text) == "- [a](a.md)"
