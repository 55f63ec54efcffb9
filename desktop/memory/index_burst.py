"""Many topics at once: the index after a burst of changes, in one pass over it instead of one for each.

Owns only the shortcut. What a line is, how it is worded and where it goes is the keeper's, and every line that is not plainly one topic's
own is left to it. The result is the keeper's, line for line. Pure, any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from desktop.memory.index_keeper import LINE_MOST, IndexKeeper
from desktop.memory.index_text import Entry, entries_of, item_end, relinked, subjects_of
from desktop.memory.note import Note, is_text

FEW = 8
"""So many topics the keeper takes one by one."""


def synced_many(
    keeper: IndexKeeper,
    text: str,
    *,
    added: Sequence[Note],
    renamed: Sequence[tuple[Note, Note]],
    removed: Sequence[str],
    known: Sequence[Note],
) -> str:
    """As `IndexKeeper.synced`, for any number of topics."""
    if len(added) + len(renamed) + len(removed) <= FEW or ("\n" not in text and "\r" in text):
        return keeper.synced(text, added=added, renamed=renamed, removed=removed, known=known)
    before = {note.path: note for note in known}
    text, left = _renamed(keeper, text, renamed)
    text = keeper.synced(text, renamed=left)
    text = _without(keeper, text, set(removed), before)
    text = keeper.synced(text, removed=_mentioned(text, removed, before), known=known)
    return _with(keeper, text, added, before)


def _plain(text: str) -> tuple[list[str], dict[int, Entry]]:
    return text.split("\n"), {entry.line: entry for entry in entries_of(text)}


def _renamed(keeper: IndexKeeper, text: str, pairs: Sequence[tuple[Note, Note]]) -> tuple[str, list[tuple[Note, Note]]]:
    """Lines that link to one old path; what is named in another way is left over."""
    to = {old.path: (old, new) for old, new in pairs}
    lines, entries = _plain(text)
    names = {(entry.name or "").removesuffix(".md") for entry in entries.values() if entry.target is None}
    for number, entry in entries.items():
        old, new = to.get(entry.target or "", (None, None))
        if old is None or new is None:
            continue
        line = lines[number]
        ending = "\r" if line.endswith("\r") else ""
        own = line.rstrip("\r") == keeper.line_for(old)
        lines[number] = keeper.line_for(new) + ending if own else relinked(line, old.path, new.path)
    return "\n".join(lines), [pair for pair in pairs if names & _names(pair[0])]


def _names(note: Note) -> set[str]:
    return {note.name, PurePosixPath(note.path).stem, note.path.removesuffix(".md")}


def _without(keeper: IndexKeeper, text: str, removed: set[str], before: Mapping[str, Note]) -> str:
    """The text without the lines that link to nothing but a removed path."""
    if not removed:
        return text
    lines, entries = _plain(text)
    starts = frozenset(entries)
    gone: set[int] = set()
    for number, entry in entries.items():
        if entry.target not in removed or entry.mention or entry.late:
            continue
        note = before.get(entry.target)
        own = note is not None and lines[number].rstrip("\r") == keeper.line_for(note)
        if own or all(target == entry.target for target in subjects_of(lines[number])):
            gone.update(range(number, item_end(lines, number, starts) + 1))
    return "\n".join(line for number, line in enumerate(lines) if number not in gone)


def _mentioned(text: str, removed: Iterable[str], before: Mapping[str, Note]) -> list[str]:
    """The removed paths that the text still speaks of, by their path or by a name."""
    names = {(entry.name or "").removesuffix(".md") for entry in entries_of(text) if entry.target is None}

    def named(path: str) -> bool:
        note = before.get(path)
        return bool(names & ({note.name} if note else set()) | names & {PurePosixPath(path).stem, path.removesuffix(".md")})

    return [path for path in removed if path in text or named(path)]


def _with(keeper: IndexKeeper, text: str, added: Sequence[Note], before: Mapping[str, Note]) -> str:
    """Our own lines follow their notes; notes without a line get one, all behind the last entry."""
    lines, entries = _plain(text)
    targets = {entry.target for entry in entries.values()}
    targets.update(target for number in entries if lines[number].count("](") > 1 for target in subjects_of(lines[number]))
    names = {(entry.name or "").removesuffix(".md") for entry in entries.values() if entry.target is None} - {""}
    told = {note.path: note for note in added if is_text(note.path)}.values()
    fresh = [note for note in told if note.path not in targets and not names & _names(note)]
    now = {note.path: note for note in added}
    for number, entry in entries.items():
        note = now.get(entry.target or "")
        if note is None:
            continue
        line, old = lines[number], before.get(note.path)
        ours = old is not None and line.rstrip("\r") == keeper.line_for(old)
        if ours or (len(line) > LINE_MOST and keeper.is_own(line, note)):
            lines[number] = keeper.line_for(note) + ("\r" if line.endswith("\r") else "")
    text = "\n".join(lines)
    if not fresh:
        return text
    with_one = keeper.with_line(text, fresh[0]).split("\n")
    had = text.split("\n")
    place = next((n for n, line in enumerate(with_one) if n >= len(had) or line.rstrip("\r") != had[n].rstrip("\r")), len(with_one) - 1)
    ending = "\r" if with_one[place].endswith("\r") else ""
    return "\n".join([*with_one[: place + 1], *(keeper.line_for(note) + ending for note in fresh[1:]), *with_one[place + 1 :]])
