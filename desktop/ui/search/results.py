"""What was found, as the rows of a tree: a group for each source, below it files and sessions, below these the passages. Pure values.

Made in a worker thread from the hits of the services, shown in the GUI thread. Texts are safe to draw: one line, nothing unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from desktop.ui.marked_text import Marked, safe
from desktop.ui.search.query import SearchQuery

Kind = Literal["group", "memory", "session", "passage", "message", "more"]
HOLDERS: frozenset[Kind] = frozenset(("group", "memory", "session"))
"""Rows that hold others."""
LEAVES: frozenset[Kind] = frozenset(("passage", "message"))
"""Rows that are a hit."""
MEMORY, SESSIONS = "memory", "sessions"
LONGEST_NAME = 240


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Where a memory hit is.

    Attributes:
        root: id of its root in the opened folder; empty when it is another project's.
        path: relative to the root.
        project: key of the project it belongs to, where that is another one; else empty.
        absolute: its place on disk.
        line: of the file, from 1; 0 where it is not known.
        text: the words at that place, to be selected.
    """

    root: str
    path: str
    project: str = ""
    absolute: str = ""
    line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """Where a session hit is: the message's id, its number in the file, and the words to be shown."""

    session: str
    message: str = ""
    number: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One line of the tree.

    Attributes:
        key: unique, and the same for the same thing in the next results.
        parent: key of the row that holds it; empty at the top.
        kind: what it is.
        line: what is drawn first.
        detail: stands back behind it.
        time: when it was changed or said.
        type: of a memory: user, feedback, project, reference or None.
        role: of a message: user, assistant, tool.
        count: rows that a group or a file holds; -1 where none is shown.
        number: line of a passage, number of a message; 0 where it is not known.
        score: how well it fits, best = 1.
        why: why it was found, in the window's language.
        place: what is opened.
    """

    key: str
    parent: str
    kind: Kind
    line: Marked
    detail: str = ""
    time: datetime | None = None
    type: str | None = None
    role: str = ""
    count: int = -1
    number: int = 0
    score: float = 0.0
    why: str = ""
    place: MemoryPlace | SessionPlace | None = None

    @property
    def is_hit(self) -> bool:
        return self.kind in LEAVES

    @property
    def source(self) -> str:
        return MEMORY if self.key.startswith(MEMORY) else SESSIONS


@dataclass(frozen=True, slots=True)
class Results:
    """The answer to one query.

    Attributes:
        query: which one.
        rows: every row, each behind the one that holds it.
        notes: for the person, in the window's language.
        more: there is more than was asked for.
        limit: hits of each source that were asked for.
    """

    query: SearchQuery
    rows: tuple[ResultRow, ...] = ()
    notes: tuple[str, ...] = ()
    more: bool = False
    limit: int = 0
    _counts: dict[Kind, int] = field(default_factory=dict, compare=False, repr=False)

    def count(self, kind: Kind) -> int:
        if not self._counts:
            for row in self.rows:
                self._counts[row.kind] = self._counts.get(row.kind, 0) + 1
        return self._counts.get(kind, 0)

    @property
    def hits(self) -> int:
        return self.count("passage") + self.count("message")


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A hit in a memory file."""

    place: MemoryPlace
    name: str
    label: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    type: str | None = None
    modified: datetime | None = None
    score: float = 0.0
    why: str = ""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A hit in a session."""

    place: SessionPlace
    title: str
    label: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    role: str = ""
    time: datetime | None = None
    score: float = 0.0
    why: str = ""


def moment(seconds: float) -> datetime | None:
    """Aware UTC of unix seconds; None for none."""
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None
    except (OverflowError, OSError, ValueError):
        return None


def first_marked(snippet: str, marks: Iterable[tuple[int, int]]) -> str:
    """The first matched words, as they stand in the text."""
    start, end = next(iter(marks), (0, 0))
    return snippet[start:end]


def _name(text: str) -> Marked:
    line = safe(" ".join(text[: LONGEST_NAME * 4].split()))
    return line if len(line.text) <= LONGEST_NAME else Marked(line.text[: LONGEST_NAME - 1] + "…")


def _distinct(rows: list[ResultRow], row: ResultRow) -> None:
    """Add a row; a second one of the same key is left out."""
    if all(one.key != row.key for one in rows):
        rows.append(row)


def memory_rows(found: Sequence[FoundMemory], title: str) -> list[ResultRow]:
    """The group of memory: files in the order of their best hit, below each its passages in the order of the text."""
    files: dict[tuple[str, str], list[FoundMemory]] = {}
    for one in found:
        files.setdefault((one.place.root or f"of:{one.place.project}", one.place.path), []).append(one)
    rows: list[ResultRow] = []
    for (root, path), hits in files.items():
        best, key = hits[0], f"{MEMORY}/{root}//{path}"
        below: list[ResultRow] = []
        for hit in sorted(hits, key=lambda one: one.place.line):
            place = hit.place
            _distinct(below, ResultRow(
                f"{key}#{place.line}#{hit.snippet[:80]}", key, "passage", safe(hit.snippet, hit.marks), number=place.line, score=hit.score,
                why=hit.why, place=place,
            ))  # fmt: skip
        folder = path.rpartition("/")[0]
        detail = " · ".join(filter(None, (best.label, folder)))
        rows.append(ResultRow(
            key, MEMORY, "memory", _name(best.name or path), safe(detail).text, best.modified, best.type, count=len(below),
            score=best.score, why=best.why, place=best.place,
        ))  # fmt: skip
        rows += below
    return _grouped(MEMORY, title, rows, len(files))


def session_rows(found: Sequence[FoundMessage], title: str) -> list[ResultRow]:
    """The group of sessions, in the same way; messages in the order in which they were said."""
    sessions: dict[str, list[FoundMessage]] = {}
    for one in found:
        sessions.setdefault(one.place.session, []).append(one)
    rows: list[ResultRow] = []
    for session, hits in sessions.items():
        best, key = hits[0], f"{SESSIONS}/{session}"
        below: list[ResultRow] = []
        for hit in sorted(hits, key=lambda one: one.place.number):
            place = hit.place
            _distinct(below, ResultRow(
                f"{key}#{place.message or place.number}#{hit.snippet[:80]}", key, "message", safe(hit.snippet, hit.marks), time=hit.time,
                role=hit.role, number=place.number, score=hit.score, why=hit.why, place=place,
            ))  # fmt: skip
        newest = max((hit.time for hit in hits if hit.time is not None), default=None)
        rows.append(ResultRow(
            key, SESSIONS, "session", _name(best.title or session), safe(best.label).text, newest, count=len(below), score=best.score,
            why=best.why, place=best.place,
        ))  # fmt: skip
        rows += below
    return _grouped(SESSIONS, title, rows, len(sessions))


def _grouped(key: str, title: str, rows: list[ResultRow], count: int) -> list[ResultRow]:
    return [ResultRow(key, "", "group", Marked(title), count=count), *rows] if rows else []


def results_of(query: SearchQuery, groups: Iterable[list[ResultRow]], *, notes: Iterable[str] = (), more: bool = False, limit: int = 0,
               more_text: Callable[[], str] = str) -> Results:  # fmt: skip
    """All of it; with `more` a last row that asks for the rest."""
    rows = [row for group in groups for row in group]
    if more and rows:
        rows.append(ResultRow("more", "", "more", Marked(more_text())))
    return Results(query, tuple(rows), tuple(dict.fromkeys(notes)), more, limit)
