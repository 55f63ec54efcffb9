"""Keeping the index in step with the files, in code: a line for every topic, none twice, hand-written words left alone (IN-05, W-16).

Owns the wording of the lines it adds itself and the pure functions that add, rename and remove them. Reads and writes no file: the store
does, under its lock. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop.memory.index_text import Entry, entries_of, links_of, open_fence, points_at, without_link
from desktop.memory.note import INDEX_NAME, Note, one_line

LINE_WISH = 150
"""Characters an own line has at most by choice; a person's line is never shortened."""


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]<>])", r"\\\1", text)


def _target(path: str) -> str:
    return f"<{path}>" if re.search(r"[\s()<>]", path) else path


def _behind_all(lines: Sequence[str]) -> int:
    """Where a line goes that has no entry to follow: the end, but never into a code fence that was left open."""
    fence = open_fence("\n".join(lines))
    return len(lines) - (lines[-1] == "") if fence is None else fence


class IndexKeeper:
    """The keeper of one root's index."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / INDEX_NAME

    def line_for(self, note: Note) -> str:
        """The line that the app writes itself: link and hook, at most 150 characters where the link leaves room."""
        title = _escaped(one_line(note.name, 80))
        link = f"- [{title}]({_target(note.path)})"
        hook = one_line(note.description or note.hint, max(LINE_WISH - len(link) - 3, 30))
        return f"{link} — {hook}" if hook and hook != note.name else link

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
        newline = "\r\n" if "\r\n" in text else "\n"
        before = {note.path: note for note in known}
        for old, new in renamed:
            text = self._renamed(text, old, new)
        for path in removed:
            text = self._without(text, path, before.get(path))
        for note in added:
            text = self._with(text, note, before.get(note.path), newline)
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
        old = earlier.split("\n")
        for entry in entries_of(earlier):
            if entry.target != path or any(e.target == path for e in entries_of(text)):
                continue
            block = [old[entry.line], *(old[n] for n in self._continuation(old, entry.line, {e.line: e for e in entries_of(earlier)}))]
            lines = text.split("\n")
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

    def _with(self, text: str, note: Note, before: Note | None, newline: str) -> str:
        lines = text.split("\n")
        found = [entry for entry in entries_of(text) if points_at(entry, note.path, note.name)]
        if found:
            own = self.line_for(before) if before else None
            for entry in found:
                ending = "\r" if lines[entry.line].endswith("\r") else ""
                if own is not None and lines[entry.line].rstrip("\r") == own:
                    lines[entry.line] = self.line_for(note) + ending
            return "\n".join(lines)
        line = self.line_for(note)
        anchor = self._last_entry(text)
        fence = open_fence(text) if anchor is None else None
        if fence is not None:
            anchor = fence - 1
        if anchor is None:
            glue = "" if not text or text.endswith("\n") else newline
            return f"{text}{glue}{line}{newline}"
        ending = "\r" if newline == "\r\n" else ""
        if anchor == len(lines) - 1:
            lines[anchor] += ending
            return "\n".join([*lines, line + ending, ""])
        return "\n".join([*lines[: anchor + 1], line + ending, *lines[anchor + 1 :]])

    @staticmethod
    def _last_entry(text: str) -> int | None:
        """Line after which a new entry goes: the last entry with its indented continuation lines."""
        entries = entries_of(text)
        if not entries:
            return None
        lines = text.split("\n")
        last = entries[-1].line
        while last + 1 < len(lines) and lines[last + 1].strip() and lines[last + 1][:1] in (" ", "\t"):
            last += 1
        return last

    def _without(self, text: str, path: str, before: Note | None) -> str:
        """The text without the entry for `path` and its indented continuation; a line that points at others too only loses the link."""
        name = before.name if before else ""
        lines = text.split("\n")
        entries = {entry.line: entry for entry in entries_of(text)}
        gone: set[int] = set()
        for number, entry in entries.items():
            own = before is not None and lines[number].rstrip("\r") == self.line_for(before)
            others = [] if own else [link for link in links_of(lines[number]) if link[1] != path]
            if points_at(entry, path, name) and not others:
                gone.add(number)
                gone.update(self._continuation(lines, number, entries))
            elif path in lines[number]:
                lines[number] = without_link(lines[number], path)
        return "\n".join(line for number, line in enumerate(lines) if number not in gone)

    @staticmethod
    def _continuation(lines: list[str], number: int, entries: dict[int, Entry]) -> list[int]:
        found: list[int] = []
        for following in range(number + 1, len(lines)):
            line = lines[following]
            if not line.strip() or line[:1] not in (" ", "\t") or following in entries:
                break
            found.append(following)
        return found

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
                lines[entry.line] = self._relinked(line, old.path, new.path)
            elif entry.name == old.name or entry.name == Path(old.path).stem:
                lines[entry.line] = line.replace(f"[[{entry.name}", f"[[{new.name}", 1)
        return "\n".join(lines)

    @staticmethod
    def _relinked(line: str, old: str, new: str) -> str:
        """A hand-written line with its link led to the new path."""
        wanted = _target(new)
        for form in (f"(<{old}>", f"(<./{old}>"):
            if form in line:
                return line.replace(form, f"({wanted}", 1)
        for form in (f"({old}", f"(./{old}", f"({old.replace(' ', '%20')}", f"(./{old.replace(' ', '%20')}"):
            if form in line:
                return line.replace(form, f"({wanted}", 1)
        return line.replace(old, new, 1)
