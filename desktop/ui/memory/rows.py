"""Rows of a memory tree: what the services found, put in order and nested, ready to be shown. Pure values, made off the GUI thread.

Names and descriptions come from files that anyone may have written: control, bidi and zero-width characters are made visible here,
and length is bounded, so that no widget has to.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from desktop.base.redact import visible
from desktop.memory.note import Note

INDEX_NAME = "MEMORY.md"
SHOWN_CHARACTERS = 240
"""Longest name or description that is drawn; the rest is reached by opening the file."""

RowKind = Literal["project", "folder", "index", "note"]
SortOrder = Literal["newest", "name", "type"]
_TYPE_ORDER = {"user": 0, "feedback": 1, "project": 2, "reference": 3}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree.

    Attributes:
        key: unique in the tree and stable while the file keeps its place; a folder's ends in `/`.
        parent: key of the row that holds it; empty at the top.
        kind: what it is.
        path: relative to its memory root, posix; empty for a project.
        name: what is shown first.
        detail: the description, shown after the name.
        type: user, feedback, project, reference or None.
        modified: None for folders.
        problem: what is wrong with the file, or empty.
        project: key of the project it belongs to; empty in a tree of one project.
        size: bytes; 0 for folders.
        haystack: folded text that the filter box looks through.
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


def matches(row: Row, words: Sequence[str]) -> bool:
    """Whether every folded word stands somewhere in name, description or path. Substrings, since Chinese has no word edges."""
    return all(word in row.haystack for word in words)


def shown(text: str) -> str:
    """One bounded line of `text` in which nothing is invisible."""
    line = " ".join(text[: SHOWN_CHARACTERS * 4].split())
    line = visible(line)
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


def note_row(note: Note, *, prefix: str = "", project: str = "") -> Row:
    """The row of one note below `prefix`, the key of its project or empty."""
    folder, _, file = note.path.rpartition("/")
    name = note.name or file.removesuffix(".md")
    return Row(
        key=prefix + note.path,
        parent=prefix + (folder + "/" if folder else ""),
        kind="note",
        path=note.path,
        name=shown(name),
        detail=shown(note.description),
        type=note.type,
        modified=note.modified,
        problem=shown(note.problem or ""),
        project=project,
        size=note.size,
        haystack=folded(f"{name}\n{note.description}\n{note.path}\n{note.type or ''}"),
    )


def index_row(facts: IndexFacts, *, detail: str = "", prefix: str = "", project: str = "") -> Row:
    """The row of MEMORY.md, which always stands first."""
    return Row(
        key=prefix + INDEX_NAME,
        parent=prefix,
        kind="index",
        path=INDEX_NAME,
        name=INDEX_NAME,
        detail=detail,
        modified=facts.modified,
        problem=shown(facts.problem),
        project=project,
        size=facts.size,
        haystack=folded(INDEX_NAME),
    )


def _order(order: SortOrder, row: Row) -> tuple[object, ...]:
    name = folded(row.name)
    if order == "newest":
        return (-row.modified.timestamp() if row.modified else 0.0, name, row.key)
    if order == "type":
        return (_TYPE_ORDER.get(row.type or "", len(_TYPE_ORDER)), name, row.key)
    return (name, row.key)


def _add_folders(forest: Forest, rows: Iterable[Row], prefix: str, project: str) -> None:
    """A row for every folder on the way to a note, outermost first."""
    for row in rows:
        folder = row.path.rpartition("/")[0]
        parts = folder.split("/") if folder else []
        for depth in range(len(parts)):
            path = "/".join(parts[: depth + 1])
            key = f"{prefix}{path}/"
            if key not in forest.rows:
                above = "/".join(parts[:depth])
                parent = f"{prefix}{above}/" if above else prefix
                forest.add(Row(key, parent, "folder", path, shown(parts[depth]), project=project, haystack=folded(path)))


def grow(forest: Forest, notes: Iterable[Row], index: Row | None, *, order: SortOrder, prefix: str = "", project: str = "") -> None:
    """Put the rows of one memory root below `prefix`: index first, then folders by name, then notes in `order`."""
    if index is not None:
        forest.add(index)
    ordered = sorted(notes, key=lambda row: _order(order, row))
    _add_folders(forest, sorted(ordered, key=lambda row: folded(row.path)), prefix, project)
    for row in ordered:
        forest.add(row)


def filtered(notes: Iterable[Row], query: str) -> list[Row]:
    """The notes that hold every word of the query; all of them for a blank one."""
    words = folded(query).split()
    return [row for row in notes if matches(row, words)] if words else list(notes)
