"""Order, nesting, filtering and safe display of the rows of a memory tree, and the model that shows their changes."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from desktop.memory.note import Note
from desktop.ui.memory.age import short_age
from desktop.ui.memory.rows import SHOWN_ROWS, Forest, IndexFacts, Row, SortOrder, cut, filtered, grow, index_row, note_row, shown
from desktop.ui.memory.tree_model import ROW_ROLE, MemoryTreeModel
from tests.helpers.clock import FixedClock

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def note(
    path: str, *, name: str = "", description: str = "", kind: str | None = "project", days: float = 0, problem: str | None = None
) -> Note:
    return Note(
        path=path, name=name or path.rpartition("/")[2].removesuffix(".md"), description=description, type=kind, created=None,
        modified=NOW - timedelta(days=days), origin_session=None, origin_message=None, pinned=False, size=10, problem=problem,
    )  # fmt: skip


def forest_of(*notes: Note, index: bool = True, order: SortOrder = "newest", query: str = "") -> Forest:
    forest = Forest()
    rows = filtered([note_row(one) for one in notes], query)
    grow(forest, rows, index_row(IndexFacts("ok", entries=1)) if index else None, order=order)
    return forest


def lines(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    """The whole tree as indented names."""
    parent = parent or QModelIndex()
    result = []
    for at in range(model.rowCount(parent)):
        index = model.index(at, 0, parent)
        result.append("  " * depth + str(model.data(index)))
        result += lines(model, index, depth + 1)
    return result


def test_index_first_then_folders_then_newest(qapp: QApplication) -> None:
    model = MemoryTreeModel()
    model.show_all(forest_of(note("old.md", days=9), note("new.md"), note("b/deep/x.md"), note("a/y.md"), note("b/z.md")))
    assert lines(model) == ["MEMORY.md", "a", "  y", "b", "  deep", "    x", "  z", "new", "old"]


@pytest.mark.parametrize(("order", "expected"), [("name", ["a", "b", "c"]), ("type", ["c", "a", "b"]), ("newest", ["b", "c", "a"])])
def test_orders(order: SortOrder, expected: list[str]) -> None:
    forest = forest_of(note("b.md", kind=None), note("a.md", days=5), note("c.md", kind="user", days=2), index=False, order=order)
    assert [forest.rows[key].name for key in forest.children[""]] == expected


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("请求", {"limits"}),
        ("天气 限制", {"limits"}),
        ("ＢＵＮ", {"bun"}),
        ("BUN npm", {"bun"}),
        ("api/", {"limits"}),
        ("feedback", {"bun"}),
        ("nothing", set()),
    ],
)
def test_filter_knows_chinese_and_width(query: str, found: set[str]) -> None:
    limits = note("api/limits.md", description="天气接口的请求限制", kind="reference")
    notes = [limits, note("bun.md", description="bun, never npm", kind="feedback")]
    forest = forest_of(*notes, index=False, query=query)
    assert {row.name for row in forest.rows.values() if row.kind == "note"} == found


def test_foreign_text_is_made_visible_and_bounded() -> None:
    row = note_row(note("x.md", name="safe\u202egnp.exe", description="a\nb\u200b" + "x" * 100_000))
    assert "\u202e" not in row.name and "202e" in row.name
    assert "\n" not in row.detail and "\u200b" not in row.detail
    assert len(row.detail) <= 240
    assert shown("a" * 1_000_000).endswith("…")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"), (86_400 * 13, "13 d"), (86_400 * 15, "2 wk"),
     (86_400 * 90, "3 mo"), (86_400 * 800, "2 yr")],
)  # fmt: skip
def test_short_age(qapp: QApplication, seconds: int, text: str) -> None:
    assert short_age(NOW - timedelta(seconds=seconds), NOW) == text


def test_screen_reader_hears_type_age_and_problem(qapp: QApplication) -> None:
    model = MemoryTreeModel(clock=FixedClock(NOW + timedelta(days=3)))
    model.show_all(forest_of(note("a.md", description="About a", kind="feedback", problem="line 2: bad"), index=False))
    index = model.index(0, 0)
    spoken = model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert all(part in spoken for part in ("a", "feedback", "About a", "3 d", "line 2: bad"))
    tooltip = model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "line 2: bad" in tooltip and "a.md" in tooltip


def test_a_change_keeps_every_persistent_index(qapp: QApplication) -> None:
    model = MemoryTreeModel()
    before = [note(f"{n:02}.md", days=n) for n in range(20)] + [note("folder/x.md")]
    model.show_all(forest_of(*before))
    held = {row.key: QPersistentModelIndex(model.index_of(row.key)) for row in map(model.row_of, model.row_keys()) if row}
    after = [note(f"{n:02}.md", days=20 - n) for n in range(5, 25)]
    model.show_changes(forest_of(*after))
    for key, index in held.items():
        row = model.row_of(key)
        assert index.isValid() == (row is not None)
        if row is not None:
            assert index.data(ROW_ROLE).key == key


_FILES = [f"{folder}{name}.md" for folder in ("", "a/", "a/b/", "c/") for name in "xyzw"]
_NAMES = st.lists(st.sampled_from(_FILES), max_size=12, unique=True)


def test_a_long_list_is_cut_with_a_row_for_the_rest() -> None:
    notes = [note(f"n{n:04}.md", days=n) for n in range(SHOWN_ROWS + 300)] + [note("a/x.md")]
    whole = forest_of(*notes)
    short = cut(whole, {})
    assert short.children[""][:2] == ["MEMORY.md", "a/"], "index and folders come first"
    short = Forest()
    root = Row("r//", "", "root", "", "Root")
    short.add(root)
    grow(short, [note_row(one, prefix="r//") for one in notes], None, order="newest", prefix="r//")
    shorter = cut(short, {})
    below = shorter.children["r//"]
    assert len(below) == SHOWN_ROWS + 1 and shorter.rows[below[-1]].kind == "more" and shorter.rows[below[-1]].count == 301
    longer = cut(short, {"r//": 10_000})
    assert len(longer.children["r//"]) == SHOWN_ROWS + 301 and "r//?more" not in longer.rows


def test_pinned_ones_come_first_in_every_order() -> None:
    for order in ("newest", "name", "type"):
        notes = [note("a.md"), replace(note("z.md", days=50), pinned=True)]
        forest = forest_of(*notes, index=False, order=order)
        assert forest.children[""] == ["z.md", "a.md"]


@settings(max_examples=120, deadline=None)
@given(st.lists(_NAMES, min_size=2, max_size=5), st.integers(0, 1_000))
def test_any_sequence_of_changes_ends_as_if_shown_anew(qapp: QApplication, states: list[list[str]], seed: int) -> None:
    model = MemoryTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    ages = random.Random(seed)
    for names in states:
        forest = forest_of(*(note(name, days=ages.randrange(50)) for name in names), index=bool(names))
        model.show_changes(forest)
        fresh = MemoryTreeModel()
        fresh.show_all(forest)
        assert lines(model) == lines(fresh)
    tester.deleteLater()


def test_renaming_in_place_only_asks(qapp: QApplication) -> None:
    model = MemoryTreeModel(editable=True)
    model.show_all(forest_of(note("a/x.md")))
    asked: list[tuple[str, str]] = []
    model.rename_requested.connect(lambda key, name: asked.append((key, name)))
    index = model.index_of("a/x.md")
    assert model.data(index, Qt.ItemDataRole.EditRole) == "x"
    assert model.data(model.index_of("a/"), Qt.ItemDataRole.EditRole) == "a"
    assert model.setData(index, "y") is False
    assert model.setData(index, "x") is False
    assert model.setData(index, "  ") is False
    assert asked == [("a/x.md", "y")]
    assert model.flags(model.index_of("a/")) & Qt.ItemFlag.ItemIsEditable
    assert not model.flags(model.index_of("MEMORY.md")) & Qt.ItemFlag.ItemIsEditable


def test_row_is_frozen() -> None:
    row = Row("k", "", "note", "k", "k")
    with pytest.raises(AttributeError):
        row.name = "other"  # type: ignore[misc]


def test_markup_in_a_description_stays_text(qapp: QApplication) -> None:
    model = MemoryTreeModel()
    model.show_all(forest_of(note("a.md", name="<b>bold</b>", description='<img src="file:///etc/hostname">'), index=False))
    told = model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in told and "&lt;img" in told
