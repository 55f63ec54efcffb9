"""The rows of a whole workspace: a row for each memory root with what is in it, filtered, ordered and bounded. Pure; GUI thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QCoreApplication

from desktop.ui.marked_text import safe
from desktop.ui.memory.rows import INDEX_NAME, SHOWN_ROWS, Forest, Row, SortOrder, cut, filtered, folded, grow, more_row
from desktop.ui.memory.snapshot import MemorySnapshot, RootPicture

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class View:
    """How the rows are shown.

    Attributes:
        order: of the memories below a root or folder.
        query: what the filter box says; empty for all.
        content: key of a row → snippet and marks of what its file holds of the query.
        limits: key of a row → rows below it that are laid out, where that is not the usual number.
        only: keys of the rows that are shown; None: all of them.
    """

    order: SortOrder = "newest"
    query: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)
    content: Mapping[str, tuple[str, tuple[tuple[int, int], ...]]] = field(default_factory=dict)
    only: frozenset[str] | None = None

    @property
    def is_filtered(self) -> bool:
        return bool(self.query) or self.only is not None


@dataclass(slots=True)
class Grown:
    """The rows, and how many memories the filter lets through."""

    forest: Forest
    found: int = 0


def single_file(picture: RootPicture) -> Row | None:
    """The one file of a root that has no other: such a root takes one row."""
    return picture.index if picture.total == 0 and not picture.problem else None


def root_row(picture: RootPicture) -> Row:
    """The row of a root."""
    root = picture.root
    about = translate("MemoryTree", "another tool’s, read only") if root.kind == "foreign" else ""
    row = Row(
        key=picture.key, parent="", kind="root", path="", name=picture.label, detail=about, problem=picture.problem,
        haystack=folded(picture.label), root=root.id, read_only=root.read_only, count=picture.total,
    )  # fmt: skip
    only = single_file(picture)
    if only is not None:
        detail = only.detail if root.profile == "index" else INDEX_NAME + (f" · {only.detail}" if only.detail else "")
        if picture.untrusted:
            detail = translate("MemoryTree", "not loaded until you allow it")
        return replace(row, path=INDEX_NAME, detail=detail, problem=only.problem, size=only.size, count=-1)
    if picture.is_empty:
        return replace(row, detail=about or ("" if picture.problem else translate("MemoryTree", "empty")), quiet=True, count=-1)
    return row


def _fitting(rows: Sequence[Row], view: View) -> list[Row]:
    """Rows whose header fits the query, and those in whose file it stands; these show where."""
    rows = rows if view.only is None else [row for row in rows if row.key in view.only]
    found = filtered(rows, view.query)
    if not view.content:
        return found
    known = {row.key for row in found}
    for row in rows:
        if row.key in view.content and row.key not in known:
            line = safe(*view.content[row.key])
            found.append(replace(row, snippet=line.text, marks=line.marks))
    return found


def _grow_root(grown: Grown, picture: RootPicture, view: View, room: int) -> None:
    row = root_row(picture)
    if not view.is_filtered:
        grown.forest.add(row)
        if not row.path:
            grow(grown.forest, picture.notes, picture.index, order=view.order, prefix=row.key)
        return
    index = picture.index if picture.index is not None and picture.root.profile != "index" else None
    hits, documents = _fitting(picture.notes, view), _fitting([index] if index else [], view)
    grown.found += len(hits)
    if not hits and not documents:
        return
    grown.forest.add(row if row.path else replace(row, count=len(hits)))
    if row.path:
        return
    left = grow(grown.forest, hits, documents[0] if documents else None, order=view.order, prefix=row.key, most=room)
    if left:
        grown.forest.add(more_row(row.key, left, row.root))


def forest_of(snapshot: MemorySnapshot, view: View) -> Grown:
    """The rows for `view`. Takes 12 ms for 10,000 memories (measured), so it may run in the GUI thread."""
    grown = Grown(Forest())
    for picture in snapshot.roots:
        room = view.limits.get(picture.key, SHOWN_ROWS)
        _grow_root(grown, picture, view, room)
    if not view.is_filtered:
        grown.forest = cut(grown.forest, view.limits)
    return grown


def is_bare(snapshot: MemorySnapshot) -> bool:
    """Nothing is remembered anywhere, and nothing is wrong either."""
    return all(one.is_empty and not one.problem for one in snapshot.roots)
