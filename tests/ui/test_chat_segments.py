"""How a message is cut: nothing is lost, and the cuts do not depend on how the text arrived."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.ui.chat.segments import HARD, LONG_LINE, Segment, Splitter, split

KINDS = ["text", "", "```python", "```", "~~~", "  ```", "| a | b |", "|---|---|", "- item", "# head", "中文段落", "> quote", "    code"]
LINES = st.lists(st.sampled_from(KINDS), max_size=40)


def _shape(segments: list[Segment]) -> list[tuple[str, str, str]]:
    return [(s.kind, s.text.strip("\n"), s.info) for s in segments if s.text.strip() or s.kind == "code"]


@given(lines=LINES, cuts=st.lists(st.integers(0, 400), max_size=12))
@settings(max_examples=200, deadline=None)
def test_pieces_give_the_same_segments_as_the_whole(lines: list[str], cuts: list[int]) -> None:
    text = "\n".join(lines)
    splitter = Splitter()
    position = 0
    for cut in sorted(cut for cut in cuts if cut < len(text)):
        splitter.feed(text[position:cut])
        position = cut
    splitter.feed(text[position:])
    splitter.finish()
    assert _shape(splitter.segments) == _shape(split(text))


def test_code_stands_alone_with_its_language() -> None:
    found = split("before\n\n```python x=1\ndef f():\n    pass\n```\nafter")
    assert [(s.kind, s.info) for s in found] == [("text", ""), ("code", "python x=1"), ("text", "")]
    assert found[1].text == "def f():\n    pass\n"
    assert all(s.closed for s in found)


def test_an_unfinished_fence_is_code_already() -> None:
    splitter = Splitter()
    splitter.feed("```py\nx = 1")
    assert [(s.kind, s.text, s.closed) for s in splitter.segments] == [("code", "x = 1", False)]
    splitter.feed("0\n```\n")
    splitter.finish()
    assert [(s.kind, s.text, s.closed) for s in splitter.segments] == [("code", "x = 10\n", True)]


def test_the_beginning_of_a_fence_does_not_flash_as_text() -> None:
    splitter = Splitter()
    splitter.feed("text\n``")
    assert [s.text for s in splitter.segments] == ["text\n"]


def test_an_indented_fence_is_outdented() -> None:
    found = split("1. x\n\n   ```sh\n   echo a\n     echo b\n   ```\n")
    assert found[1].text == "echo a\n  echo b\n"


def test_only_the_last_segment_is_touched_by_more_text() -> None:
    splitter = Splitter()
    splitter.feed("paragraph of some length\n\n" * 1_000)
    before = [(s.kind, s.text) for s in splitter.segments[:-1]]
    assert len(before) > 2
    first = splitter.feed("more text\n")
    assert first >= len(before)
    assert [(s.kind, s.text) for s in splitter.segments[: len(before)]] == before
    assert all(s.closed for s in splitter.segments[:-1])


def test_segments_are_bounded_and_whole() -> None:
    text = "line of a list\n" * 4_000
    found = split(text)
    assert "".join(s.text for s in found) == text
    assert max(len(s.text) for s in found) <= HARD + 200


def test_a_long_table_keeps_its_head() -> None:
    found = split("| a | b |\n|---|---|\n" + "| x | y |\n" * 2_000)
    assert len(found) > 2
    assert all(s.text.startswith("| a | b |\n|---|---|\n") for s in found)


def test_overlong_lines_and_base64_are_segments_of_their_own() -> None:
    line = "x y " * (LONG_LINE // 2)
    found = split(f"before\n{line}\n{'QUJD' * 1_000}\nafter")
    assert [s.kind for s in found] == ["text", "long", "long", "text"]
    assert found[1].text == line
    splitter = Splitter()
    for at in range(0, len(line), 1_000):
        splitter.feed(line[at : at + 1_000])
    assert splitter.segments[-1].kind == "long"
