"""Checks of an index against its files: lines without a file, files without a line, content, long lines, size.

Owns which line stands for which note. Pure but for the bounded reading of what the caller gives; any thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from desktop.base.phrases import say
from desktop.base.textio import decode
from desktop.memory.frontmatter import decode_text
from desktop.memory.health_cut import over_limit
from desktop.memory.health_text import Problem, date_problems
from desktop.memory.index_blocks import inline_content
from desktop.memory.index_keeper import LINE_MOST, LINE_WISH, IndexKeeper
from desktop.memory.index_limits import IndexLimits
from desktop.memory.index_text import Entry, entries_of, link_end, loadable, subjects_of
from desktop.memory.index_zones import zones
from desktop.memory.note import INDEX_NAME, Note, is_text, one_line
from desktop.memory.relative_dates import may_hold_dates


def check_index(
    root: Path, data: bytes | None, notes: Sequence[Note], limits: IndexLimits | None = None, told: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    """What is wrong with an index.

    Args:
        root: its folder, to see whether a file that is no Markdown note is there.
        data: its bytes; None when there is none.
        notes: every note of the root.
        limits: those that it is loaded with.
        told: paths of the memories that topic indexes lead to: they need no line of their own.
    """
    text = decode_text(data or b"")[0]
    entries = entries_of(text)
    stands_for = lines_of_notes(entries, notes)
    together = told_together(text, entries) | told
    by_path = {note.path: note for note in notes}
    for note in notes:
        if note.path not in stands_for and note.path not in together and is_text(note.path):
            message = say("The memory has no line in {index}, so nobody who starts with the index knows of it.", index=INDEX_NAME)
            yield Problem("missing-line", note.path, 0, message, say("Add its line; “repair” does it."), note.path)
    yield from _dangling(root, entries, notes)
    yield from _long_lines(text, {number: by_path[path] for path, number in stands_for.items()})
    yield from date_problems(INDEX_NAME, dated_lines(root, text, notes, entries))
    for block in inline_content(text):
        message = say("Content stands in the index: “{title}”.", title=one_line(block.title, 60))
        fix = say("Move it into a file of its own; “repair” does it.")
        yield Problem("inline-content", INDEX_NAME, block.first_line, message, fix, block.title)
    if data is not None:
        limit = over_limit(loadable(decode(data).replace("\x00", "\ufffd")), limits or IndexLimits())
        if limit:
            message = say("The index is over its limit ({limit}), so a part of it is not loaded.", limit=limit)
            fix = say("Shorten its lines, move the oldest out, merge or delete memories, or pin what must be loaded.")
            yield Problem("oversize-index", INDEX_NAME, 0, message, fix, "limit")


def dated_lines(root: Path, text: str, notes: Sequence[Note], entries: Sequence[Entry] | None = None) -> Iterator[tuple[int, str]]:
    """What those lines (1-based) of an index say behind their link that stand for a memory and are not in our own words.

    A line in our own words says what its memory says, and follows it; text that stands for no memory has no day to count from.
    """
    lines = text.split("\n")
    if not any(map(may_hold_dates, lines)):  # line by line: a search of a long text holds up every other thread
        return
    entries = entries_of(text) if entries is None else entries
    kinds = zones(lines)
    by_path = {note.path: note for note in notes}
    ends = {entry.line: link_end(lines[entry.line]) or 0 for entry in entries}
    keeper = IndexKeeper(root)
    for path, number in lines_of_notes(entries, notes).items():
        line = lines[number]
        if kinds[number] == "text" and may_hold_dates(line) and not keeper.is_own(line, by_path[path]):
            yield number + 1, line[ends[number] :].rstrip("\r")


def lines_of_notes(entries: Sequence[Entry], notes: Sequence[Note]) -> dict[str, int]:
    """For each note that has one, the line that stands for it (0-based). A `[[name]]` stands for one note, by name before file name."""
    found: dict[str, int] = {}
    paths = {note.path for note in notes}
    names: dict[str, str] = {}
    for note in sorted(notes, key=lambda n: (n.path.count("/"), n.path), reverse=True):
        names |= {note.path.removesuffix(".md"): note.path, PurePosixPath(note.path).stem: note.path}
    names |= {note.name: note.path for note in sorted(notes, key=lambda n: (n.path.count("/"), n.path), reverse=True)}
    for entry in entries:
        path = entry.target if entry.target is not None else names.get((entry.name or "").removesuffix(".md"))
        if path in paths:
            found.setdefault(str(path), entry.line)
    return found


def told_together(text: str, entries: Sequence[Entry]) -> frozenset[str]:
    """Paths that share their line with others."""
    lines = text.split("\n")
    return frozenset(target for e in entries if lines[e.line].count("](") > 1 for target in subjects_of(lines[e.line]))


def dangling_entries(root: Path, entries: Sequence[Entry], notes: Sequence[Note]) -> list[Entry]:
    """Entries whose file is not there. A `[[name]]` without a memory and a file that is only mentioned are allowed (FM-05)."""
    paths = frozenset(note.path for note in notes)
    return [
        e
        for e in entries
        if e.target is not None
        and not e.mention
        and not leads_to_file(root, e.target, paths)
        and not (e.bare and _of_project(root, e.target))
    ]


def _of_project(root: Path, target: str) -> bool:
    """Whether a file named without a link is one of the project, not of memory: in a folder that memory lacks, or in capitals."""
    folder, _, name = target.rpartition("/")
    return not _there(root, folder.partition("/")[0]) if folder else PurePosixPath(name).stem.isupper()


def leads_to_file(root: Path, target: str, paths: frozenset[str]) -> bool:
    """Whether something is at `target`: a note of `paths`, the index, or anything else below the root."""
    return target in paths or target == INDEX_NAME or _there(root, target)


def _there(root: Path, target: str) -> bool:
    try:
        return (root / target).exists() or (root / target).is_symlink()
    except (OSError, ValueError):
        return False


def _dangling(root: Path, entries: Sequence[Entry], notes: Sequence[Note]) -> Iterator[Problem]:
    for entry in dangling_entries(root, entries, notes):
        message = say("The line leads to {target}, which does not exist.", target=one_line(entry.target or "", 120))
        fix = say("Remove the line, or correct its link; “repair” removes it.")
        yield Problem("dangling-line", INDEX_NAME, entry.line + 1, message, fix, entry.target or "")


def _long_lines(text: str, notes: Mapping[int, Note]) -> Iterator[Problem]:
    """Entries above the wished length (FM-07); other long lines are content or an introduction.

    Args:
        notes: by the line (0-based) that stands for it. A line that the app could not word shorter itself is none.
    """
    lines = text.split("\n")
    kinds = zones(lines)
    keeper = IndexKeeper.of_nothing()
    for entry in entries_of(text):
        line = lines[entry.line].rstrip("\r")
        size, note = len(line), notes.get(entry.line)
        if size <= LINE_WISH or kinds[entry.line] != "text" or entry.late:
            continue
        if note is not None and line == keeper.line_for(note):
            continue
        message = say("The line has {size} characters; {wish} are enough for an entry.", size=size, wish=LINE_WISH)
        fix = say("Shorten it, and put details into the memory itself.")
        if size > LINE_MOST:
            message = say("The line has {size} characters; {most} are the most for an entry.", size=size, most=LINE_MOST)
        about = entry.target or entry.name or entry.title
        yield Problem("long-line", INDEX_NAME, entry.line + 1, message, fix, about or "", size <= LINE_MOST)
