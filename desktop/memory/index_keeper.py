"""Keeping the index in step with the files, in code: a line for every topic, none twice, hand-written words left alone (IN-05, W-16).

Owns the wording of the lines it adds itself and the pure functions that add, rename and remove them. Reads and writes no file: the store
does, under its lock. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop.memory.index_text import entries_of, item_end, link_form, paragraph_goes_on, points_at, relinked, subjects_of, without_link
from desktop.memory.index_zones import open_fence, zones
from desktop.memory.note import INDEX_NAME, Note, is_text, one_line

LINE_WISH = 150
"""Characters an own line has at most by choice; a longer one is worth a word to the person (FM-07)."""

LINE_MOST = 200
"""Characters above which an own line is shortened; a line of other hands is only flagged."""

BETWEEN = " — "
_NESTED_CODE = re.compile(r"^[ \t]+(?:`{3}|~{3})", re.MULTILINE)


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]<>])", r"\\\1", text)


def _words_of(note: Note) -> str:
    """What an own line says of a note; never the end of a comment, which somewhere above may have been left open."""
    return _sound(note.description or note.hint).replace("-->", "→")


def _sound(text: str) -> str:
    """Words of a note whose bytes are no text, marked where they are none: its line must not make the index unreadable."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _behind_all(lines: Sequence[str]) -> int:
    """Where a line goes that has no entry to follow: the end, but never into a code fence that was left open."""
    fence = open_fence("\n".join(lines))
    return len(lines) - (lines[-1] == "") if fence is None else fence


def _put(text: str, line: str, place: int | None) -> str:
    """The text with a new line before line `place` (0-based), or at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    if place is None or (place == len(lines) - 1 and not lines[-1]):
        glue = "" if not text or text.endswith("\n") else newline
        return f"{text}{glue}{line}{newline}"
    ending = "\r" if newline == "\r\n" else ""
    if place == len(lines):
        return f"{text}{newline}{line}{newline}"
    return "\n".join([*lines[:place], line + ending, *lines[place:]])


class IndexKeeper:
    """The keeper of one root's index."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / INDEX_NAME

    @classmethod
    def of_nothing(cls) -> IndexKeeper:
        """A keeper that only words lines."""
        return cls(Path())

    def line_for(self, note: Note) -> str:
        """The line that the app writes itself: link and hook, at most 150 characters where the link leaves room."""
        link = self.link_for(note)
        hook = one_line(_words_of(note), max(LINE_WISH - len(link) - len(BETWEEN), 30))
        return f"{link}{BETWEEN}{hook}" if hook and hook != _sound(note.name) else link

    @staticmethod
    def link_for(note: Note) -> str:
        """The start of an own line: list mark and link."""
        return f"- [{_escaped(one_line(_sound(note.name), 80))}]({link_form(note.path)})"

    def is_own(self, line: str, note: Note) -> bool:
        """Whether a line says nothing but the note's name and description, at whatever length: it may be worded anew."""
        line = line.rstrip("\r")
        link = self.link_for(note)
        if not line.startswith(link):
            return False
        hook = line[len(link) :].removeprefix(BETWEEN).rstrip("…")
        return one_line(_words_of(note), 10_000).startswith(hook)

    def synced(
        self,
        text: str,
        *,
        added: Iterable[Note] = (),
        renamed: Iterable[tuple[Note, Note]] = (),
        removed: Iterable[str] = (),
        known: Iterable[Note] = (),
    ) -> str:
        """The index text after changes to topics; everything else in it stays as it is, byte for byte.

        Args:
            text: the index file's whole text.
            added: notes that were written; a line is added only where none points at the note.
            renamed: before and after; the link is changed inside the line, the wording stays.
            removed: paths whose lines go.
            known: the notes as they were before, so that a line of our own wording follows a changed description.
        """
        if "\n" not in text and "\r" in text:  # an old Mac's line breaks
            text = self.synced(text.replace("\r", "\n"), added=added, renamed=renamed, removed=removed, known=known)
            return text.replace("\n", "\r")
        before = {note.path: note for note in known}
        for old, new in renamed:
            text = self._renamed(text, old, new)
        for path in removed:
            text = self._without(text, path, before.get(path))
        for note in added:
            text = self._with(text, note, before.get(note.path))
        return text

    def without_doubles(self, text: str, notes: Sequence[Note]) -> str:
        """The text without our own line for a note that the model or the person gave a line too."""
        lines = text.split("\n")
        entries = entries_of(text)
        drop: set[int] = set()
        for note in notes:
            mine = [e.line for e in entries if points_at(e, note.path, note.name)]
            own = self.line_for(note)
            ours = [number for number in mine if lines[number].rstrip("\r") == own]
            drop.update(ours if len(ours) < len(mine) else ours[1:])
        return "\n".join(line for number, line in enumerate(lines) if number not in drop) if drop else text

    def with_lost_lines(self, text: str, earlier: str, notes: Sequence[Note]) -> str:
        """The text with the lines that `earlier` had for notes which still exist and which the text gives none, behind its last entry."""
        had, has = entries_of(earlier), entries_of(text)
        targets, names = {e.target for e in has}, {(e.name or "").removesuffix(".md") for e in has}
        lost = {n.path for n in notes if n.path not in targets and not names & {n.name, Path(n.path).stem, n.path.removesuffix(".md")}}
        lines = earlier.replace("\r\n", "\n").split("\n")
        kept = [lines[entry.line] for entry in had if entry.target in lost]
        if not kept:
            return text
        newline = "\r\n" if "\r\n" in text else "\n"
        whole = text.replace("\r\n", "\n").split("\n")
        anchor = self._last_entry(text)
        place = anchor + 1 if anchor is not None else _behind_all(whole)
        joined = newline.join([*whole[:place], *kept, *whole[place:]])
        return joined if joined.endswith("\n") else joined + newline

    def with_lines_of(self, text: str, earlier: str, path: str) -> str:
        """The text with the lines that `earlier` had for `path`, at their old place where the neighbour above still stands."""
        if "\n" not in text and "\r" in text:  # an old Mac's line breaks
            return self.with_lines_of(text.replace("\r", "\n"), earlier.replace("\r", "\n"), path).replace("\n", "\r")
        old, entries = earlier.split("\n"), entries_of(earlier)
        if any(entry.target == path for entry in entries_of(text)):
            return text  # somebody gave it a line meanwhile
        for entry in (entry for entry in entries if entry.target == path):
            block = old[entry.line : item_end(old, entry.line, frozenset(e.line for e in entries)) + 1]
            lines = text.split("\n")
            unlinked = without_link(block[0], path)
            if unlinked != block[0] and unlinked in lines:  # the line only lost its link
                lines[lines.index(unlinked)] = block[0]
                text = "\n".join(lines)
                continue
            above = old[entry.line - 1] if entry.line else None
            if above is None:
                place = 0
            elif above.strip() and above in lines:
                place = lines.index(above) + 1
            else:
                anchor = self._last_entry(text)
                place = anchor + 1 if anchor is not None else _behind_all(lines)
            text = "\n".join([*lines[:place], *block, *lines[place:]])
        return text

    def with_line(self, text: str, note: Note, line: str = "") -> str:
        """The text with a line for `note` behind its last entry, whether it has one or not.

        Args:
            line: the wording; the keeper's own when empty.
        """
        line = line or self.line_for(note)
        anchor = self._last_entry(text)
        first = open_fence(text) if anchor is None else anchor + 1
        if not _NESTED_CODE.search(text):
            return _put(text, line, first)
        for place in dict.fromkeys((first, None, *self._starts(text))):
            found = _put(text, line, place)
            if self._stands_alone(text, found, note):
                return found
        return _put(text, line, first)

    @staticmethod
    def _starts(text: str) -> list[int]:
        """Lines that begin a new part of the text, and the first one behind a header."""
        lines = text.split("\n")
        kinds = zones(lines)
        body = sum(1 for kind in kinds if kind == "header")
        return [body, *(n for n, line in enumerate(lines) if kinds[n] == "text" and re.match(r"#{1,6}\s|[-*+] |\d+[.)] ", line))]

    def _stands_alone(self, text: str, found: str, note: Note) -> bool:
        """Whether the new line is seen, changes what no other line is, and takes nothing with it when it goes again.

        Code that is indented and perhaps never closed reads differently below a new point; nothing else does.
        """
        if sorted((e.target or "", e.name or "") for e in entries_of(found)) != sorted(
            [(note.path, ""), *((e.target or "", e.name or "") for e in entries_of(text))]
        ):
            return False
        without = self._without(found, note.path, note)
        return without == text or without == text + ("\r\n" if "\r\n" in text else "\n")

    def _with(self, text: str, note: Note, before: Note | None) -> str:
        lines = text.split("\n")
        found = [entry for entry in entries_of(text) if points_at(entry, note.path, note.name)]
        if not found:
            if any(note.path in lines[entry.line] and note.path in subjects_of(lines[entry.line]) for entry in entries_of(text)):
                return text  # one line is about several memories
            return self.with_line(text, note) if is_text(note.path) else text  # its line would make the index unreadable
        own = self.line_for(before) if before else None
        for entry in found:
            line = lines[entry.line]
            too_long = len(line) > LINE_MOST and self.is_own(line, note)
            if too_long or (own is not None and line.rstrip("\r") == own):
                lines[entry.line] = self.line_for(note) + ("\r" if line.endswith("\r") else "")
        return "\n".join(lines)

    @staticmethod
    def _last_entry(text: str) -> int | None:
        """Line after which a new entry goes: the last entry with all that belongs to it."""
        entries = entries_of(text)
        if not entries:
            return None
        lines = text.split("\n")
        frozen = frozenset(entry.line for entry in entries)
        last = item_end(lines, entries[-1].line, frozen)
        row = lines[last].lstrip().startswith("|")
        fence = open_fence(text)
        while last + 1 < (len(lines) if fence is None else fence):
            following = lines[last + 1]
            more = following.lstrip().startswith("|") if row else paragraph_goes_on(following)
            if more or (following.strip() and following[:1] in (" ", "\t")):
                last += 1
            elif item_end(lines, last, frozen) > last:  # what is indented behind a line that goes on would go to the new one
                last = item_end(lines, last, frozen)
            else:
                break
        return last

    def _without(self, text: str, path: str, before: Note | None) -> str:
        """The text without the entry for `path` and its indented continuation; a line that points at others too only loses the link."""
        name = before.name if before else ""
        lines = text.split("\n")
        entries = {entry.line: entry for entry in entries_of(text)}
        starts, own = frozenset(entries), self.line_for(before) if before is not None else None
        gone: set[int] = set()
        for number, entry in entries.items():
            line = lines[number]
            alone = points_at(entry, path, name) and (line.rstrip("\r") == own or all(target == path for target in subjects_of(line)))
            if alone and not entry.mention and not entry.late:
                gone.update(range(number, item_end(lines, number, starts) + 1))
            elif path in line:
                lines[number] = without_link(line, path)
        return "\n".join(line for number, line in enumerate(lines) if number not in gone)

    def _renamed(self, text: str, old: Note, new: Note) -> str:
        lines = text.split("\n")
        for entry in entries_of(text):
            if not points_at(entry, old.path, old.name):
                continue
            line = lines[entry.line]
            ending = "\r" if line.endswith("\r") else ""
            if line.rstrip("\r") == self.line_for(old):
                lines[entry.line] = self.line_for(new) + ending
            elif entry.target is not None:
                lines[entry.line] = relinked(line, old.path, new.path)
            elif entry.name == old.name or entry.name == Path(old.path).stem:
                lines[entry.line] = line.replace(f"[[{entry.name}", f"[[{new.name}", 1)
        return "\n".join(lines)
