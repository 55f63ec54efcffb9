"""Lines with marks: safe to show, marks where they belong, cut so that the first mark can be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop.ui import theme
from desktop.ui.marked_text import LineDrawer, Marked, from_mark, safe, tidy, utf16


@pytest.mark.parametrize(
    ("marks", "length", "expected"),
    [
        ([(4, 6), (0, 2)], 10, ((0, 2), (4, 6))),
        ([(0, 3), (3, 5), (4, 9)], 10, ((0, 9),)),
        ([(-5, 2), (8, 99)], 10, ((0, 2), (8, 10))),
        ([(5, 5), (7, 3)], 10, ()),
    ],
)
def test_marks_are_put_in_order(marks: list[tuple[int, int]], length: int, expected: tuple[tuple[int, int], ...]) -> None:
    assert tidy(marks, length) == expected


def test_what_is_unseen_is_written_out_and_marks_move_along() -> None:
    line = safe("a\u202eb 记忆 c\u200bd", [(4, 6), (8, 9)])
    assert line.text == "a\\u{202e}b 记忆 c\\u{200b}d"
    assert [line.text[start:end] for start, end in line.marks] == ["记忆", "\\u{200b}"]
    assert safe("one\ntwo\tthree", [(4, 7)]) == Marked("one two three", ((4, 7),))


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-3, 70), st.integers(-3, 70)), max_size=6))
def test_any_text_and_any_marks(text: str, marks: list[tuple[int, int]]) -> None:
    line = safe(text, marks)
    assert "\n" not in line.text and "\u202e" not in line.text
    edges = [edge for mark in line.marks for edge in mark]
    assert edges == sorted(edges) and all(0 <= edge <= len(line.text) for edge in edges)
    for before in (0, 3, 20):
        cut = from_mark(line, before)
        assert [cut.text[s:e] for s, e in cut.marks] == [line.text[s:e] for s, e in line.marks]


def test_the_beginning_is_left_out_at_a_word() -> None:
    text = "many words stand here before the needle is found"
    cut = from_mark(Marked(text, ((text.index("needle"), text.index("needle") + 6),)), 9)
    assert cut.text == "…the needle is found"
    assert cut.text[slice(*cut.marks[0])] == "needle"


@pytest.mark.parametrize("width", [0, 1, 20, 60, 200, 2_000])
@pytest.mark.parametrize(
    "text",
    [
        "plain needle", "数据库迁移 needle 数据库迁移用 Alembic 每次迁移都要能回退", "👩‍👩‍👧 needle 👩‍👩‍👧 e\u0301",
        "שלום needle עולם",
        "x" * 180 + "needle" + "y" * 90,
    ],
)  # fmt: skip
def test_it_is_drawn_within_its_width(qapp: QApplication, dark: theme.Theme, width: int, text: str) -> None:
    image = QImage(300, 40, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    now = theme.current()
    at = text.index("needle")
    used = LineDrawer(theme.ui_font(now), now.color("secondary"), now.color("text")).draw(
        painter, QRect(0, 0, width, 22), Marked(text, ((at, at + 6),))
    )
    painter.end()
    assert 0 <= used <= width


def test_positions_of_qt() -> None:
    assert utf16("abc") == 3 and utf16("a👍b") == 4 and utf16("记忆") == 2
