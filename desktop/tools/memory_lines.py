"""What memory_index looks up: the memory that a call names, the list of the index, and how much of its room is used.

Owns names, near misses and the wording of the list. Changes nothing. Blocking: called in worker threads.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from desktop.base.errors import KeepsakeError, NotFoundError, ToolError
from desktop.base.phrases import listed, say
from desktop.memory.frontmatter import decode_text
from desktop.memory.health_index import lines_of_notes
from desktop.memory.index_limits import IndexLimits, sizes_of
from desktop.memory.index_repair import told_in_topics
from desktop.memory.index_text import entries_of, loadable
from desktop.memory.note import INDEX_NAME, Note, one_line
from desktop.memory.store import MemoryStore
from desktop.tools.arguments import Arguments
from desktop.tools.base import Outcome, ToolContext

LISTED = 400
"""Lines of a list; what is behind them is counted."""

LINE_SHOWN = 240
"""Characters of a line in the list."""


@dataclass(frozen=True, slots=True)
class Target:
    """A memory that a call names.

    Attributes:
        store, root_id: where it lies.
        relative: its path below the root.
        note: None when only a line of the index names it.
    """

    store: MemoryStore
    root_id: str
    relative: str
    note: Note | None


def find(given: Arguments, name: str, context: ToolContext, beside: MemoryStore | None = None) -> Target:
    """The memory that an argument names.

    Raises:
        ToolError: there is none, or it lies in no memory folder; the message names the nearest.
    """
    asked = given.text(name, longest=4_096).strip()
    if "\x00" in asked:
        raise given.wrong(name, "must not hold a NUL character")
    assert context.memory is not None
    store, root, relative = beside or context.memory, root_id(beside or context.memory), asked
    if os.path.isabs(asked):  # noqa: PTH117 - a Path would fold dots and slashes
        store, root, relative = _absolute(given, name, asked, context)
    relative = relative.replace("\\", "/").removeprefix("./")
    notes = store.notes()
    found = _by_name(relative, notes)
    if found is not None:
        return Target(store, root, found.path, found)
    if PurePosixPath(relative).name.casefold() == INDEX_NAME.casefold():
        raise ToolError(
            say("{name} is the index itself, which the app keeps: name one of its memories.", name=INDEX_NAME),
            hint=say("It is neither forgotten nor moved."),
        )
    if is_index(store) and any(entry.target == relative for entry in entries_of(index_text(store))):
        return Target(store, root, relative, None)
    raise ToolError(say("There is no memory {name}.", name=one_line(asked, 200)), hint=_nearest(relative, notes))


def _absolute(given: Arguments, name: str, asked: str, context: ToolContext) -> tuple[MemoryStore, str, str]:
    path = Path(os.path.normpath(asked))
    if context.memories is not None:
        place = context.memories.at(path)
        if place is not None:
            return place[0], place[0].memory_root.id, place[1]
    assert context.memory is not None
    store: MemoryStore = context.memory
    for base in (store.root, Path(os.path.realpath(store.root))):
        if path.is_relative_to(base):
            return store, root_id(store), path.relative_to(base).as_posix()
    raise given.wrong(name, f"lies in no memory folder; this project's is {store.root}")


def root_id(store: MemoryStore) -> str:
    return store.memory_root.id


def is_index(store: MemoryStore) -> bool:
    return store.memory_root.profile == "index"


def _by_name(asked: str, notes: Sequence[Note]) -> Note | None:
    """The note at a path, else the only one of that name or file name."""
    exact = next((note for note in notes if note.path in (asked, f"{asked}.md")), None)
    if exact is not None:
        return exact
    wanted = asked.removesuffix(".md").casefold()
    for key in (lambda n: n.name, lambda n: PurePosixPath(n.path).stem):
        same = [note for note in notes if key(note).casefold() == wanted]
        if len(same) == 1:
            return same[0]
    return None


def _nearest(asked: str, notes: Sequence[Note]) -> str:
    wanted = asked.removesuffix(".md").casefold()
    same = [note.path for note in notes if wanted in (note.name.casefold(), PurePosixPath(note.path).stem.casefold())]
    close = same or difflib.get_close_matches(asked, [note.path for note in notes[:5_000]], n=3, cutoff=0.5)
    if close:
        return say("Did you mean {names}?", names=listed(close[:5]))
    return say("Use list to see all memories.")


def index_text(store: MemoryStore) -> str:
    try:
        return decode_text(store.read(INDEX_NAME).data)[0]
    except NotFoundError:
        return ""


def listing(store: MemoryStore, only: str | None, context: ToolContext) -> Outcome:
    notes = store.notes()
    if not is_index(store):
        rows = [f"{note.path}{' [pinned]' if note.pinned else ''} — {one_line(note.description or note.hint, 150)}" for note in notes]
        shown = [row for row, note in zip(rows, notes, strict=True) if only in (None, note.path)]
        return Outcome("\n".join(_bounded(shown)) or "No memories.")
    try:
        text = index_text(store)
    except KeepsakeError as error:
        raise ToolError(error.message, hint=error.hint, detail=error.detail) from error
    by_path = {note.path: note for note in notes}
    stands_for = lines_of_notes(entries_of(text), notes)
    at_line: dict[int, str] = {line: path for path, line in stands_for.items()}
    lines = text.split("\n")
    rows = []
    for entry in entries_of(text):
        path = at_line.get(entry.line) or entry.target
        if only is not None and path != only:
            continue
        note = by_path.get(path or "")
        marks = " [pinned]" if note is not None and note.pinned else ""
        missing = " [no such file]" if note is None and entry.target is not None else ""
        rows.append(f"{one_line(lines[entry.line].strip(), LINE_SHOWN)}{marks}{missing}")
    told = told_in_topics(store.root, notes)
    lost = [note.path for note in notes if note.path not in stands_for and note.path not in told and only in (None, note.path)]
    parts = _bounded(rows) if rows else ["No line." if only else "The index has no lines."]
    if lost:
        parts.append(f"Files without a line: {', '.join(lost[:50])}{f' and {len(lost) - 50} more' if len(lost) > 50 else ''}.")
    return Outcome("\n".join([*parts, budget(text, context)]), data={"entries": len(rows), "without_line": len(lost)})


def _bounded(rows: list[str]) -> list[str]:
    return rows if len(rows) <= LISTED else [*rows[:LISTED], f"… and {len(rows) - LISTED} more lines."]


def budget(text: str, context: ToolContext) -> str:
    """How much of the index's room is used."""
    limits = context.memories.limits() if context.memories is not None else IndexLimits()
    size = sizes_of(loadable(text.encode("utf-8", "replace").decode()))
    return (
        f"The index now has {size.lines:,} of {limits.lines:,} lines, {size.bytes:,} of {limits.bytes:,} bytes, "
        f"{size.tokens:,} of {limits.tokens:,} tokens."
    )
