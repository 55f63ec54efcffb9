"""Links between memories: which stand in a text, where they lead, and how they follow a memory that gets another path (FM-05).

Owns `[[name]]`, `[[stem]]`, `[text](path.md)` and `[id]: path.md`; code (fenced or in backquotes) and headers hold no links. Reads notes
through a store, writes nothing: `desktop.memory.moving` makes the changes. The text functions are pure; the others block, any thread.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, unquote

from desktop.base.errors import KeepsakeError
from desktop.memory.frontmatter import decode_text, split
from desktop.memory.index_text import split_anchor
from desktop.memory.note import INDEX_NAME, Note

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)(#[^\[\]|\n]*)?(\|[^\[\]\n]*)?\]\]")
_PATH = re.compile(
    r"\]\((?:<(?P<angle>[^<>\n]*)>|(?P<spaced>[^()<>\n]{1,300}?\.md(?:#[^()<>\s]*)?)(?=\))"
    r"|(?P<plain>(?:[^()\[\]\s\\]|\\.|\([^()\s]*\)|\[[^()\[\]\s]*\])+))"
)
_DEFINED = re.compile(r"^ {0,3}\[[^\[\]\n]{1,300}\]:[ \t]*(?:<(?P<angle>[^<>\n]*)>|(?P<plain>\S+))")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_NEEDS_ANGLE = re.compile(r"[\s()\[\]]")
_NO_WIKI = re.compile(r"[\[\]|#\n]")
_TYPE_PREFIX = re.compile(r"^(?:user|feedback|project|reference)-(?=.)")
"""Files are often called by type and name (`feedback_short_answers.md`), and linked to by the name alone, or the other way round."""

Kind = Literal["wiki", "path"]


@dataclass(frozen=True, slots=True)
class Link:
    """One link in a memory.

    Attributes:
        source: path of the file that it stands in.
        line: its 1-based line there.
        kind: `wiki` for `[[name]]`, `path` for a Markdown link.
        text: the name or the target as it is written.
        target: path of the memory that it leads to, or None when there is none (allowed: it may be written later).
    """

    source: str
    line: int
    kind: Kind
    text: str
    target: str | None


@dataclass(frozen=True, slots=True)
class _Spot:
    """A link in a text: offsets of what stands for the target, its form and its decoded value without an anchor."""

    start: int
    end: int
    line: int
    kind: Kind
    form: Literal["wiki", "angle", "spaced", "plain"]
    written: str
    anchor: str = ""
    alias: str = ""


# reading links


def _same(text: str) -> str:
    """Names are compared in one Unicode form: an editor and a disk may differ in it."""
    return unicodedata.normalize("NFC", text)


def _stem(path: str) -> str:
    return path.removesuffix(".md")


def loose_name(name: str) -> str:
    """A name without what people and models write now so, now otherwise: capitals, `_` and blanks for `-`, the type in front of it."""
    plain = re.sub(r"[\s_-]+", "-", _stem(_same(name.strip()).casefold())).strip("-")
    return _TYPE_PREFIX.sub("", plain) or plain


def loose_names(notes: Iterable[Note]) -> dict[str, str]:
    """Paths of notes by the loose form of their names and file names, where only one note has it."""
    found: dict[str, set[str]] = {}
    for note in notes:
        for name in (note.name, PurePosixPath(note.path).stem):
            found.setdefault(loose_name(name), set()).add(note.path)
    return {name: next(iter(paths)) for name, paths in found.items() if name and len(paths) == 1}


def _code_ranges(line: str) -> list[tuple[int, int]]:
    """Where backquoted code stands on a line."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(line)]
    by_length: dict[int, list[int]] = {}
    for start, end in runs:
        by_length.setdefault(end - start, []).append(start)
    found: list[tuple[int, int]] = []
    past = 0
    for start, end in runs:
        if start < past:
            continue
        closing = by_length[end - start]
        at = bisect_right(closing, start)
        if at < len(closing):
            past = closing[at] + end - start
            found.append((start, past))
    return found


def _text_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """(1-based line, offset, line) of the body's lines outside code fences."""
    bounds = split(text)
    offset = bounds[2] if bounds else 0
    number = text.count("\n", 0, offset) + 1
    fence = ""
    for line in text[offset:].split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and fence:
            if mark.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif not fence:
            yield number, offset, line
        offset += len(line) + 1
        number += 1


def _spots(text: str) -> Iterator[_Spot]:
    if "[" not in text:
        return
    for number, offset, line in _text_lines(text):
        if "[" not in line:
            continue
        code = _code_ranges(line) if "`" in line else []
        for spot in _line_spots(line, number):
            if not any(start <= spot.start < end for start, end in code):
                yield replace(spot, start=spot.start + offset, end=spot.end + offset)


def _line_spots(line: str, number: int) -> Iterator[_Spot]:
    """The links of one line in their order."""
    found: list[_Spot] = []
    for match in _WIKI.finditer(line):
        name, anchor, alias = match.group(1), match.group(2) or "", match.group(3) or ""
        found.append(_Spot(match.start(), match.end(), number, "wiki", "wiki", name.strip(), anchor, alias))
    matches = [*_PATH.finditer(line), *filter(None, (_DEFINED.match(line),))]
    for match in matches:
        spot = _path_spot(match, number)
        if spot:
            found.append(spot)
    past = 0
    for spot in sorted(found, key=lambda spot: (spot.start, -spot.end)):
        if spot.start >= past:  # what stands inside another link is none of its own
            yield spot
            past = spot.end


def _path_spot(match: re.Match[str], number: int) -> _Spot | None:
    for form in ("angle", "spaced", "plain"):
        raw = match.groupdict().get(form)
        if raw is None:
            continue
        written, anchor = split_anchor(raw)
        if not written or written.startswith("/") or _SCHEME.match(written) or not unquote(written).lower().endswith(".md"):
            return None
        edge = 1 if form == "angle" else 0
        start, end = match.start(form) - edge, match.end(form) + edge
        kind: Literal["angle", "spaced", "plain"] = "angle" if form == "angle" else "spaced" if form == "spaced" else "plain"
        return _Spot(start, end, number, "path", kind, written, anchor)
    return None


def _joined(folder: str, target: str) -> str | None:
    """`target` seen from `folder` as a path below the root; None when it leaves the root."""
    path = posixpath.normpath(posixpath.join(folder, target))
    return None if path == ".." or path.startswith(("../", "/")) else path


def _readings(written: str) -> list[str]:
    """What a target may mean: as it stands, without Markdown's escapes, with its percent signs decoded."""
    bare = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written)
    return list(dict.fromkeys((written, bare, unquote(bare))))


def _meant(written: str, at: str, paths: frozenset[str]) -> tuple[str | None, bool]:
    """The path of `paths` that a target in the file `at` leads to, and whether it is meant from that file's own folder.

    Markdown counts from the file; memories also write paths from the root, as the index does. The file's own folder goes first.
    """
    folder = posixpath.dirname(at)
    for own in (True, False) if folder else (True,):
        for reading in _readings(written):
            path = _joined(folder if own else "", reading)
            if path is not None and _same(path) in paths:
                return _same(path), own
    return None, True


# where links lead


class Targets:
    """Where the names and paths in links lead. FM-05: `[[x]]` is a memory's name first, then a file's stem, then its path.

    What is none of these leads to the one memory whose name differs in spelling only (`loose_name`).
    """

    def __init__(self, notes: Sequence[Note]) -> None:
        self._by_path = {_same(note.path): note.path for note in notes} | {INDEX_NAME: INDEX_NAME}
        self._names: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        for note in sorted(notes, key=lambda note: note.path):
            self._names.setdefault(_same(note.name), note.path)
            self._stems.setdefault(_same(PurePosixPath(note.path).stem), note.path)
        self._paths = frozenset(self._by_path)
        self._loose = loose_names(notes)

    def of_name(self, name: str) -> str | None:
        wanted = _same(name.strip())
        bare = _stem(wanted)
        for table, key in ((self._names, wanted), (self._names, bare), (self._stems, bare), (self._by_path, f"{bare}.md")):
            if key in table:
                return table[key]
        return self._loose.get(loose_name(wanted))

    def of_path(self, written: str, at: str) -> str | None:
        path, _ = _meant(written, at, self._paths)
        return self._by_path[path] if path is not None else None


def links_in(text: str, source: str, targets: Targets) -> list[Link]:
    """Every link of the file `source`, in order. Pure."""
    found = []
    for spot in _spots(text):
        target = targets.of_name(spot.written) if spot.kind == "wiki" else targets.of_path(spot.written, source)
        found.append(Link(source, spot.line, spot.kind, spot.written, target))
    return found


def links_of(store: MemoryStore, path: str | None = None) -> list[Link]:
    """The links that stand in the memory `path`, or in all of them and the index, in order of path and line. Never raises."""
    notes = store.notes()
    targets = Targets(notes)
    sources = [path] if path is not None else sorted((*(note.path for note in notes), INDEX_NAME))
    return [link for source in sources for link in links_in(_text_of(store, source), source, targets)]


def backlinks(store: MemoryStore, path: str) -> list[Link]:
    """The links in other memories that lead to `path`; the index's own lines are none. Never raises."""
    return [link for link in links_of(store) if link.target == path and link.source not in (path, INDEX_NAME)]


def _text_of(store: MemoryStore, path: str) -> str:
    try:
        return decode_text(store.read(path).data)[0]
    except KeepsakeError:
        return ""


# links that follow


class Relinker:
    """Leads the links to one memory to its new place; made once for all the texts that may hold some. Pure.

    Args:
        old: the memory as it was.
        new_path, new_name: its path and name from now on.
        others: the other memories; a link that leads to one of them is left alone.
    """

    def __init__(self, old: Note, new_path: str, new_name: str, others: Iterable[Note]) -> None:
        rest = [note for note in others if note.path != old.path]
        self._new_path = new_path
        self._old_path = _same(old.path)
        self._namer = _Namer(old, new_path, new_name, rest)
        self._paths = frozenset((self._old_path, *(_same(note.path) for note in rest)))

    def edited(self, text: str, at: str) -> str:
        """The text with its links led to the new place; all else stays, byte for byte.

        Args:
            text: a whole file.
            at: its path, for targets that are meant from its folder.
        """

        def following(spot: _Spot) -> str | None:
            if spot.kind == "wiki":
                return self._namer.wiki(spot)
            path, own = _meant(spot.written, at, self._paths)
            return _target(spot, self._new_path, posixpath.dirname(at) if own else "") if path == self._old_path else None

        return _edited(text, following)


def relink(text: str, old: Note, new_path: str, new_name: str, *, at: str = "", others: Iterable[Note] = ()) -> str:
    """One text with the links to one memory led to its new place; see `Relinker`. Pure."""
    return Relinker(old, new_path, new_name, others).edited(text, at)


def rebased(text: str, old_path: str, new_path: str, paths: Iterable[str]) -> str:
    """The text of a memory that moves from `old_path` to `new_path`, its own links leading where they led before. Pure.

    Args:
        paths: the other memories.
    """
    there = frozenset(_same(path) for path in paths)
    before, after = there | {_same(old_path)}, there | {_same(new_path)}

    def following(spot: _Spot) -> str | None:
        if spot.kind == "wiki":
            return None
        meant, own = _meant(spot.written, old_path, before)
        wanted = _same(new_path) if meant == _same(old_path) else meant
        now, still_own = _meant(spot.written, new_path, after)
        if wanted is None or (now == wanted and (still_own or not own)):
            return None
        return _target(spot, wanted, posixpath.dirname(new_path))

    return _edited(text, following)


def _edited(text: str, following: Callable[[_Spot], str | None]) -> str:
    parts: list[str] = []
    past = 0
    for spot in _spots(text):
        new = following(spot)
        if new is not None and spot.start >= past:
            parts += [text[past : spot.start], new]
            past = spot.end
    return "".join((*parts, text[past:])) if parts else text


def _target(spot: _Spot, path: str, folder: str) -> str:
    """The new target in the form of the old one, as seen from `folder`."""
    shown = posixpath.relpath(path, folder) if folder else path
    if spot.written.startswith("./") and not shown.startswith("../"):
        shown = f"./{shown}"
    if spot.form == "plain" and "%" in spot.written and unquote(spot.written) != spot.written:
        return quote(shown, safe="/._-~") + spot.anchor
    if re.search(r"[<>\n\\#%]", shown):
        return quote(shown, safe="/._-~" if not spot.written.isascii() else "/._-~ ").replace(" ", "%20") + spot.anchor
    if spot.form == "angle" or _NEEDS_ANGLE.search(shown):
        return f"<{shown}{spot.anchor}>"
    return shown + spot.anchor


class _Namer:
    """What `[[…]]` links to one memory become."""

    def __init__(self, old: Note, new_path: str, new_name: str, others: Sequence[Note]) -> None:
        self._name, self._new_name = _same(old.name), new_name
        self._stem, self._new_stem = _same(PurePosixPath(old.path).stem), PurePosixPath(new_path).stem
        self._path, self._new_path = _same(_stem(old.path)), new_path
        self._names = {_same(note.name) for note in others}
        self._stems = {_same(PurePosixPath(note.path).stem) for note in others}
        self._paths = {_same(_stem(note.path)) for note in others}
        self._loose = {name for name, path in loose_names([old, *others]).items() if path == old.path}

    def wiki(self, spot: _Spot) -> str | None:
        written = _same(spot.written)
        bare = _stem(written)
        if written == self._name:
            return self._link(spot, self._new_name) if self._new_name != spot.written else None
        if bare in self._names or (bare in self._stems and bare == self._stem and "/" not in bare):
            return None  # it leads to another memory, or to two: not ours to decide
        if bare == self._stem:
            return self._link(spot, self._new_stem)
        if bare == self._path:
            return self._link(spot, _stem(self._new_path))
        loose = bare not in self._stems and bare not in self._paths and loose_name(bare) in self._loose
        return (
            self._link(spot, self._new_name)
            if loose and loose_name(bare) not in (loose_name(self._new_name), loose_name(self._new_stem))
            else None
        )

    def _link(self, spot: _Spot, name: str) -> str:
        """A link by the first of these that leads here and nowhere else: `name`, the memory's name, its path."""
        for wanted in (name, self._new_name, _stem(self._new_path)):
            alone = wanted == self._new_name or wanted not in self._stems
            if wanted and not _NO_WIKI.search(wanted) and _same(wanted) not in self._names and alone:
                suffix = ".md" if spot.written.endswith(".md") and wanted != self._new_name else ""
                return f"[[{wanted}{suffix}{spot.anchor}{spot.alias}]]"
        title = spot.alias.removeprefix("|") or spot.written
        shown = f"<{self._new_path}>" if _NEEDS_ANGLE.search(self._new_path) else self._new_path
        return f"[{title}]({shown}{spot.anchor})"
