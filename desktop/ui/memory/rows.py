"""Rows of a memory tree: what the services found, put in order and nested, ready to be shown. Pure values, made off the GUI thread.

Names and descriptions come from files that anyone may have written: control, bidi and zero-width characters are made visible here,
and length is bounded, so that no widget has to.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from desktop.base.redact import visible
from desktop.memory.note import Note

INDEX_NAME = "MEMORY.md"
SHOWN_CHARACTERS = 240
"""Longest name or description that is drawn; the rest is reached by opening the file."""

RowKind = Literal["root", "project", "folder", "index", "document", "note", "more"]
OPENED: frozenset[RowKind] = frozenset(("index", "document", "note"))
"""Rows that are a file."""

FOLDS: frozenset[RowKind] = frozenset(("root", "project", "folder"))
"""Rows that hold others."""

SHOWN_ROWS = 400
"""So many rows below one parent are given to the view at once; laying out 10,000 blocks the window for 100 ms (measured)."""

SortOrder = Literal["newest", "name", "type"]
_TYPE_ORDER = {"user": 0, "feedback": 1, "project": 2, "reference": 3}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree.

    Attributes:
        key: unique in the tree and stable while the file keeps its place; a folder's ends in `/`. See `row_key`.
        parent: key of the row that holds it; empty at the top.
        kind: what it is; `document` is a MEMORY.md that is content, `more` stands for the rows that are not laid out yet.
        path: relative to its memory root, posix; empty for a project, and for a root of more than one file.
        name: what is shown first.
        detail: the description, shown after the name.
        type: user, feedback, project, reference or None.
        modified: None for folders.
        problem: what is wrong with the file, or empty.
        project: key of the project it belongs to; empty in a tree of one project.
        size: bytes; 0 for folders.
        haystack: folded text that the filter box looks through.
        root: id of the memory root it belongs to.
        pinned: it stays in the index when others are dropped.
        session, message: ids of the session and the message in which it was remembered, or empty.
        read_only: nothing can be done to it here.
        quiet: nothing is in it; it steps back.
        count: memories in a root, rows behind a `more`; -1 where none is shown.
        snippet: a line out of the file in which something was found that the header does not say; else empty.
        marks: (start, end) of what was found in it.
    """

    key: str
    parent: str
    kind: RowKind
    path: str
    name: str
    detail: str = ""
    type: str | None = None
    modified: datetime | None = None
    problem: str = ""
    project: str = ""
    size: int = 0
    haystack: str = ""
    root: str = ""
    pinned: bool = False
    session: str = ""
    message: str = ""
    read_only: bool = False
    quiet: bool = False
    count: int = -1
    snippet: str = ""
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def is_file(self) -> bool:
        """It can be opened: a file, or a root that is one file."""
        return self.kind in OPENED or (self.kind == "root" and bool(self.path))


def row_key(root: str, path: str = "") -> str:
    """Key of a file, of a folder (`path` ends in `/`) or of a root itself (`path` empty). Root ids hold no slash."""
    return f"{root}//{path}"


def split_key(key: str) -> tuple[str, str]:
    """Root id and path of a key."""
    root, _, path = key.partition("//")
    return root, path


@dataclass(slots=True)
class Forest:
    """Rows by key, and the keys below each row in the order in which they are shown; the top is below the empty key."""

    rows: dict[str, Row] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        self.rows[row.key] = row
        self.children.setdefault(row.parent, []).append(row.key)

    def notes(self) -> int:
        """How many memories there are; folders and indexes do not count."""
        return sum(1 for row in self.rows.values() if row.kind == "note")


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """What is known of an index file: whether it is there, how much of it is loaded, and what is wrong with it."""

    state: Literal["missing", "empty", "ok", "error"]
    entries: int = 0
    lines: int = 0
    tokens: int = 0
    truncated: bool = False
    modified: datetime | None = None
    size: int = 0
    problem: str = ""


def folded(text: str) -> str:
    """Text for comparing: width, ligatures and case folded, so that ＡＢＣ, abc and ABC are the same."""
    return unicodedata.normalize("NFKC", text).casefold()


def shown(text: str) -> str:
    """One bounded line of `text` in which nothing is invisible."""
    line = " ".join(text[: SHOWN_CHARACTERS * 4].split())
    line = visible(line)
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


def note_row(note: Note, *, prefix: str = "", project: str = "", root: str = "", read_only: bool = False) -> Row:
    """The row of one note below `prefix`, the key of its project or root, or empty."""
    folder, _, file = note.path.rpartition("/")
    name = note.name or file.removesuffix(".md")
    return Row(
        key=prefix + note.path,
        parent=prefix + (folder + "/" if folder else ""),
        kind="note",
        path=note.path,
        name=shown(name),
        detail=shown(note.description or note.hint),  # of a file without a header: its heading
        type=note.type,
        modified=note.modified,
        problem=shown(note.problem or ""),
        project=project,
        size=note.size,
        haystack=folded(f"{name}\n{note.description}\n{note.path}\n{note.type or ''}"),
        root=root,
        pinned=note.pinned,
        session=note.origin_session or "",
        message=note.origin_message or "",
        read_only=read_only,
    )


def index_row(
    facts: IndexFacts,
    *,
    detail: str = "",
    prefix: str = "",
    project: str = "",
    root: str = "",
    kind: RowKind = "index",
    read_only: bool = False,
) -> Row:
    """The row of MEMORY.md, which always stands first."""
    return Row(
        key=prefix + INDEX_NAME,
        parent=prefix,
        kind=kind,
        path=INDEX_NAME,
        name=INDEX_NAME,
        detail=detail,
        modified=facts.modified,
        problem=shown(facts.problem),
        project=project,
        size=facts.size,
        haystack=folded(f"{INDEX_NAME}\n{detail}"),
        root=root,
        read_only=read_only,
    )


def _order(order: SortOrder, row: Row) -> tuple[object, ...]:
    name = row.haystack.partition("\n")[0]  # folded already: folding 10,000 names again takes 20 ms
    if order == "newest":
        return (not row.pinned, -row.modified.timestamp() if row.modified else 0.0, name, row.key)
    if order == "type":
        return (_TYPE_ORDER.get(row.type or "", len(_TYPE_ORDER)), not row.pinned, name, row.key)
    return (not row.pinned, name, row.key)


def _add_folders(forest: Forest, rows: Iterable[Row], prefix: str, project: str) -> None:
    """A row for every folder on the way to a note, outermost first."""
    holders: dict[str, Row] = {}
    for row in rows:
        holders.setdefault(row.path.rpartition("/")[0], row)
    holders.pop("", None)
    for folder in sorted(holders, key=folded):
        parts = folder.split("/")
        for depth in range(len(parts)):
            path = "/".join(parts[: depth + 1])
            key = f"{prefix}{path}/"
            if key not in forest.rows:
                above = "/".join(parts[:depth])
                parent = f"{prefix}{above}/" if above else prefix
                forest.add(
                    Row(
                        key, parent, "folder", path, shown(parts[depth]), project=project, haystack=folded(path),
                        root=holders[folder].root, read_only=holders[folder].read_only,
                    )
                )  # fmt: skip


def grow(
    forest: Forest,
    notes: Iterable[Row],
    index: Row | None,
    *,
    order: SortOrder,
    prefix: str = "",
    project: str = "",
    most: int | None = None,
) -> int:
    """Put the rows of one memory root below `prefix`: index first, then folders by name, then notes in `order`, pinned ones first.

    Of the notes only the first `most` are put there; returns how many were left out.
    """
    if index is not None:
        forest.add(index)
    ordered = sorted(notes, key=lambda row: _order(order, row))
    left = max(0, len(ordered) - most) if most is not None else 0
    if left:
        del ordered[most:]
    _add_folders(forest, ordered, prefix, project)
    for row in ordered:
        forest.add(row)
    return left


def more_row(parent: str, count: int, root: str = "") -> Row:
    """The last row below `parent`: so many more are there."""
    return Row(f"{parent}?more", parent, "more", "", "", root=root, count=count)


def cut(forest: Forest, limits: Mapping[str, int]) -> Forest:
    """At most `SHOWN_ROWS` rows below each parent (another number where `limits` has one), with a `more` row for the rest."""
    if all(len(below) <= SHOWN_ROWS for below in forest.children.values()):
        return forest
    shorter = Forest()
    pending = list(reversed(forest.children.get("", [])))
    while pending:
        row = forest.rows[pending.pop()]
        shorter.add(row)
        below = forest.children.get(row.key, [])
        most = limits.get(row.key, SHOWN_ROWS)
        if len(below) > most + 1:
            more = more_row(row.key, len(below) - most, row.root)
            forest.rows[more.key] = more
            below = [*below[:most], more.key]
        pending += reversed(below)
    return shorter


def filtered(notes: Iterable[Row], query: str) -> list[Row]:
    """The notes that hold every word of the query in name, description or path; all of them for a blank one.

    Substrings, since Chinese has no word edges.
    """
    left = list(notes)
    for word in folded(query).split():  # word by word over what is left: a call for each of 10,000 rows takes three times as long
        left = [row for row in left if word in row.haystack]
    return left
