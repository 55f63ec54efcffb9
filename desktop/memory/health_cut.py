"""Where the load of an index ends: which of its entries a prompt holds, and which lie behind the cut (FM-08, W-19).

Owns the order in which entries are kept, so that a cut line can be drawn in it. What is kept is `index_limits`' own choice. Blocking where
notes have to be looked at; any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop.base.phrases import listed, say
from desktop.base.textio import decode
from desktop.base.words import estimate_tokens
from desktop.memory.index import MAX_FILE
from desktop.memory.index_limits import IndexLimits, select, sizes_of
from desktop.memory.index_text import Entry, entries_of, loadable, normal_breaks
from desktop.memory.note import Note


@dataclass(frozen=True, slots=True)
class CutEntry:
    """One entry of the index.

    Attributes:
        line: 1-based, of the file.
        title: of its link.
        path: of its memory; "" for a `[[name]]` or a line without a file.
        modified, pinned: of its memory; None and False when there is none.
        tokens: that its line costs.
        loaded: it is in front of the cut.
        shortened: its line is loaded in part.
    """

    line: int
    title: str
    path: str
    modified: datetime | None
    pinned: bool
    tokens: int
    loaded: bool
    shortened: bool = False


@dataclass(frozen=True, slots=True)
class IndexCut:
    """The entries of an index in the order in which they are kept, those in front of the cut first.

    Attributes:
        entries: all of them.
        limit: what is exceeded, e.g. `231 of 200 lines`; "" when the whole index is loaded.
        by: `newest` (pinned, then newest) or `head` (as they stand in the file).
        lines: other lines that are left out: headings, text.
    """

    entries: tuple[CutEntry, ...] = ()
    limit: str = ""
    by: str = "newest"
    lines: int = 0

    @property
    def loaded(self) -> int:
        """How many entries stand in front of the cut."""
        return sum(1 for entry in self.entries if entry.loaded)

    @property
    def left_out(self) -> tuple[CutEntry, ...]:
        return tuple(entry for entry in self.entries if not entry.loaded)


def over_limit(text: str, limits: IndexLimits) -> str:
    """Which limits a text without header and comments is over, as words; "" for none."""
    size = sizes_of(text)
    found = []
    if size.lines > limits.lines:
        found.append(say("{count:,} of {most:,} lines", count=size.lines, most=limits.lines))
    if size.bytes > limits.bytes:
        found.append(say("{count:,} of {most:,} bytes", count=size.bytes, most=limits.bytes))
    if size.tokens > limits.tokens:
        found.append(say("{count:,} of {most:,} tokens", count=size.tokens, most=limits.tokens))
    return listed(found) if found else ""


def index_cut(data: bytes, limits: IndexLimits, notes: Sequence[Note], find: Callable[[str], Note | None] | None = None) -> IndexCut:
    """Where the load of an index ends.

    Args:
        data: the file.
        limits: those that it is loaded with.
        notes: of its root.
        find: gives the note behind a target, as the load asks for it; None: out of `notes`.
    """
    whole = decode(data[:MAX_FILE]).replace("\x00", "\ufffd")  # as the load reads it
    text = loadable(whole)
    limit = over_limit(text, limits)
    by_path = {note.path: note for note in notes}
    by_name = {note.name: note for note in reversed(notes)}
    lines = text.split("\n")
    kept, cut = (list(range(len(lines))), dict[int, str]()) if not limit else select(lines, text, limits, find or by_path.get)
    here = set(kept)
    entries = entries_of(text, header=False)
    place = _places(whole, entries)
    found = []
    for entry in entries:
        note = by_path.get(entry.target or "") or by_name.get(entry.name or "")
        found.append(
            CutEntry(
                place.get(entry.line, entry.line) + 1,
                entry.title or entry.name or entry.target or "",
                note.path if note is not None else "",
                note.modified if note is not None else None,
                note.pinned if note is not None else False,
                estimate_tokens(lines[entry.line] + "\n"),
                entry.line in here,
                entry.line in cut,
            )
        )
    if limits.keep == "newest":
        found.sort(key=_rank, reverse=True)
    found.sort(key=lambda entry: not entry.loaded)
    entry_lines = {entry.line for entry in entries}
    others = sum(1 for at, line in enumerate(lines) if at not in here and at not in entry_lines and line.strip())
    return IndexCut(tuple(found), limit, limits.keep, others)


def _rank(entry: CutEntry) -> tuple[bool, float, int]:
    return (entry.pinned, entry.modified.timestamp() if entry.modified is not None else float("-inf"), entry.line)


def _places(whole: str, entries: Sequence[Entry]) -> dict[int, int]:
    """For lines (0-based) of the text as it is loaded those of the file, which has a header and comments too."""
    there = entries_of(normal_breaks(whole))
    said = [(entry.target, entry.name, entry.title) for entry in entries]
    if said != [(entry.target, entry.name, entry.title) for entry in there]:
        return {}
    return {entry.line: other.line for entry, other in zip(entries, there, strict=True)}
