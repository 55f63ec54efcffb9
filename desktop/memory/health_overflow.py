"""An index over its limit whose lines are short: its descriptions cut further, or its oldest lines moved into a topic index (FM-08, W-44).

Owns the form of a topic index, which lines go, and how far descriptions are cut. A topic index is a memory whose header says
`topic_index: true`; what it links to counts as told, although MEMORY.md has no line for it. Pure; any thread.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from desktop.memory.frontmatter import Document, decode_text, encode_text, parse, serialise
from desktop.memory.health_index import lines_of_notes
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_limits import IndexLimits, exceeded, sizes_of
from desktop.memory.index_text import entries_of, item_end, link_end, loadable, subjects_of
from desktop.memory.note import Note, note_of

TOPIC_INDEX = "topic_index"
"""Field of a header: the memory lists others."""

NAME = "older-memories"
FULL_BYTES = 24 * 1024
"""A topic index above this takes no more lines: the next one is begun."""

ROOM = 0.8
"""Share of the limits that is in use after lines were moved, so that the next memory does not overflow it again."""

_WORDS = "Lines of {count} older memories that left MEMORY.md"
_DESCRIPTION = re.compile(r"^(description: )Lines of \d+ older memories that left MEMORY\.md(?=\r?$)", re.MULTILINE)

HOOKS = (100, 80, 60, 45, 30)
"""Characters of a description that are tried."""


def is_topic_index(document: Document) -> bool:
    return document.field(TOPIC_INDEX) is True


def told_by(links: Sequence[tuple[str, int, str, bool]], lists: frozenset[str], notes: Sequence[Note]) -> frozenset[str]:
    """Paths of the memories that topic indexes lead to.

    Args:
        links: (path, line, target, is `[[name]]`) of the files of the root.
        lists: paths of the topic indexes.
        notes: of the root.
    """
    by_name = {name: note.path for note in notes for name in (PurePosixPath(note.path).stem, note.name)}
    paths = {note.path for note in notes}
    found: set[str] = set()
    for path, _line, target, wiki in links:
        if path not in lists:
            continue
        plain = unquote(target).replace("\\", "/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
        place = by_name.get(target.removesuffix(".md")) if wiki else next((one for one in (beside, target) if one in paths), None)
        found.add(place or "")
    return frozenset(found - {""})


def trimmed(text: str, limits: IndexLimits) -> str | None:
    """The index with the words of its entries cut to the longest length with which all of it is loaded; None when none does it."""
    for most in HOOKS:
        made = _cut_to(text, most)
        if made != text and exceeded(loadable(made), limits) is None:
            return made
    return None


def _cut_to(text: str, most: int) -> str:
    lines = text.split("\n")
    for entry in entries_of(text):
        line = lines[entry.line].rstrip("\r")
        ending = lines[entry.line][len(line) :]
        end = link_end(line)
        if end is None or line.lstrip().startswith("|") or len(subjects_of(line)) > 1:
            continue
        words = line[end:]
        if len(words) > most:
            lines[entry.line] = line[:end] + _shorter(words, most) + ending
    return "\n".join(lines)


def _shorter(words: str, most: int) -> str:
    """The first words of a description; never with half a link at its end."""
    cut = words[: most - 1]
    space = max(cut.rfind(" "), *(cut.rfind(mark) + 1 for mark in "，。；、,;"))
    cut = cut[:space] if space >= most // 2 else cut
    opened = cut.rfind("[")
    if opened >= 0 and ")" not in cut[opened:] and "]]" not in cut[opened:]:
        cut = cut[:opened]
    cut = cut.rstrip(" ,;，；、—–-:：")
    return f"{cut}…" if cut.strip() else ""


@dataclass(frozen=True, slots=True)
class Moved:
    """An index whose oldest lines went: its text, and path and bytes of the topic index that took them."""

    text: str
    path: str
    data: bytes


def moved_out(text: str, limits: IndexLimits, notes: Sequence[Note], topic: tuple[str, bytes] | None) -> Moved | None:
    """The index without its oldest lines, and the topic index with them; None when that does not bring it under its limit.

    Lines of pinned memories stay, and so do lines that stand for no memory, or for several.

    Args:
        text: the index, without a byte order mark.
        limits: those that it is loaded with.
        notes: of the root.
        topic: path and bytes of the topic index that may take more lines; None: a new one is begun.
    """
    leaving = _Leaving(text, notes, topic)
    if exceeded(loadable(text), limits) is None or not leaving.fits(len(leaving.lines), limits):
        return None
    fewest = bisect_left(range(len(leaving.lines)), True, key=lambda count: leaving.fits(count, limits))
    return leaving.made(fewest)


def can_move_out(text: str, limits: IndexLimits, notes: Sequence[Note]) -> bool:
    """Whether `moved_out` does it."""
    leaving = _Leaving(text, notes, None)
    return exceeded(loadable(text), limits) is not None and leaving.fits(len(leaving.lines), limits)


class _Leaving:
    """The lines of an index that may go, the oldest first.

    Attributes:
        lines: the memory and the numbers (0-based) of all that belongs to its line.
    """

    def __init__(self, text: str, notes: Sequence[Note], topic: tuple[str, bytes] | None) -> None:
        self._lines, entries = text.split("\n"), entries_of(text)
        starts = frozenset(entry.line for entry in entries)
        by_path = {note.path: note for note in notes}
        mine = [
            (by_path[path], range(line, item_end(self._lines, line, starts) + 1))
            for path, line in lines_of_notes(entries, notes).items()
            if self._may_go(by_path[path], self._lines[line], topic[0] if topic is not None else "")
        ]
        self.lines = sorted(mine, key=lambda one: (one[0].modified, -one[1].start))
        self._path, self._document = _topic(topic, notes, windows="\r\n" in text)

    @staticmethod
    def _may_go(note: Note, line: str, topic: str) -> bool:
        return not note.pinned and note.path != topic and len(subjects_of(line)) <= 1 and not line.lstrip().startswith("|")

    def made(self, count: int) -> Moved:
        """When so many of them went."""
        gone: set[int] = set()
        taken: list[str] = []
        for _, numbers in self.lines[:count]:
            gone.update(numbers)
            taken.append("\n".join(self._lines[number].rstrip("\r") for number in numbers))
        left = "\n".join(line for number, line in enumerate(self._lines) if number not in gone)
        data = _filled(self._document, taken)
        note = note_of(self._path, parse(data), size=len(data), mtime_s=0.0)
        return Moved(IndexKeeper.of_nothing().synced(left, added=[note]), self._path, data)

    def fits(self, count: int, limits: IndexLimits) -> bool:
        """Whether the index is well under its limits then."""
        size = sizes_of(loadable(self.made(count).text))
        return size.lines <= limits.lines * ROOM and size.bytes <= limits.bytes * ROOM and size.tokens <= limits.tokens * ROOM


def _topic(topic: tuple[str, bytes] | None, notes: Sequence[Note], *, windows: bool) -> tuple[str, Document]:
    """The topic index to be filled: the one that is there, or a new one."""
    if topic is not None:
        return topic[0], parse(topic[1])
    taken = {note.path.casefold() for note in notes} | {note.name.casefold() for note in notes}
    name, number = NAME, 1
    while name in taken or f"{name}.md" in taken:
        number += 1
        name = f"{NAME}-{number}"
    lines = (
        *("---", f"name: {name}", f"description: {_WORDS.format(count=0)}", "metadata:", "  node_type: memory", "  type: reference"),
        *("  pinned: true", f"  {TOPIC_INDEX}: true", "---", "", "Each line leads to a memory whose line left MEMORY.md.", "", ""),
    )
    return f"{name}.md", parse(("\r\n" if windows else "\n").join(lines).encode())


def _filled(document: Document, taken: Sequence[str]) -> bytes:
    """The topic index with more lines, the newest of them first, in front of those that it has."""
    newline, body = document.newline, document.body
    first = re.search(r"^(?:[-*+]|\d+[.)])[ \t]", body, re.MULTILINE)
    at = first.start() if first is not None else len(body)
    added = "".join(f"{newline.join(text.split(chr(10)))}{newline}" for text in reversed(taken))
    filled = serialise(document.with_body(body[:at] + added + body[at:]))
    text, encoding, bom = decode_text(filled)
    words = _WORDS.format(count=len(entries_of(parse(filled).body, header=False)))
    made = _DESCRIPTION.sub(lambda found: found[1] + words, text, count=1)  # where it is still in our words
    return bom + encode_text(made, encoding)
