"""A memory file as what the search index takes: its sections with titles, its kind, its prior, without the secrets that it may hold.

Owns how one file is read for search and what of it is indexed. Knows no database and decides nothing about which files are looked at
(`desktop.memory.search_look` does). Follows no link, never raises for the content of a file. Blocking, any thread.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from desktop.base.beneath import HANDLES
from desktop.base.confine import open_parent
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.redact import MASK, find_secrets
from desktop.memory.frontmatter import Document as File
from desktop.memory.frontmatter import decode_text, parse
from desktop.memory.index_text import Entry, entries_of, link_end, normal_breaks, points_at, read_entry
from desktop.memory.known import Stat, stat_of
from desktop.memory.note import INDEX_NAME, Note, is_text, note_of, one_line
from desktop.memory.roots import GLOBAL, MemoryRoot
from desktop.search.passage import Document, Passage, sections

FORM = 2
"""Goes up whenever a file is made into passages in another way, so that what was indexed before is indexed anew."""

MOST_BYTES = 5 << 20
"""Of a larger file its header and this much is indexed (the size limit of a note)."""

EXPLICIT, FEEDBACK, PINNED, SUPERSEDED = 1.2, 1.1, 1.15, 0.5
"""Priors: the person said “remember”; a correction of how to work; kept in the index at all costs; replaced by another memory."""

TITLED_SECTIONS = 40
"""Sections of a file that carry its whole title; those behind have its beginning only, or one long file would make its words common."""

SHORT_TITLE = 60
TRIES = 3
WORD_KINDS = ("checkpoint", "progress", "notes")
"""Kinds that the name of a file tells (FT-06)."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})")
_BEHIND_LINK = " \t—–-:*_"


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read while nothing changed it.

    Attributes:
        data: at most `MOST_BYTES`.
        stat: size, times and inode.
        digest: of `data` and the size, 24 hex digits.
    """

    data: bytes
    stat: Stat
    digest: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file with what its header says."""

    source: Source
    file: File
    note: Note


# keys


def posix_path(path: str | PurePath) -> str:
    """A path below a root with `/` between its parts, whichever system wrote it (W-13)."""
    if isinstance(path, PurePath):
        return path.as_posix()
    return path.replace("\\", "/") if os.sep == "\\" else path


def prefix_of(root: MemoryRoot) -> str:
    """What the keys of a root's documents begin with."""
    return f"{root.key}/"


def document_key(root: MemoryRoot, relative: str) -> str:
    """The key of a file in the index; a name that is no valid text stands there as hex digits."""
    return f"{root.key}/{relative}" if is_text(relative) else f"{root.key}//{os.fsencode(relative).hex()}"


def parts_of_key(key: str) -> tuple[str, str]:
    """Root key and posix path below the root."""
    root, _, relative = key.partition("/")
    return root, os.fsdecode(bytes.fromhex(relative[1:])) if relative.startswith("/") else relative


# reading


def read_source(folder: Path, relative: str) -> Source | None:
    """A plain file below `folder`, or None while somebody writes it, and when it cannot be read now.

    Raises:
        NotFoundError: it is gone, or no plain file stands there.
    """
    for _ in range(TRIES):
        found = _read_once(folder, relative)
        if found is not None:
            return found
    return None


def _read_once(folder: Path, relative: str) -> Source | None:
    try:
        if not HANDLES:
            return _read_open(os.open(folder / relative, os.O_RDONLY | getattr(os, "O_BINARY", 0)), relative)
        with open_parent(folder, relative) as (handle, name):
            return _read_open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=handle), relative)
    except FileNotFoundError as error:
        raise NotFoundError(relative) from error
    except NotFoundError:
        raise
    except (OSError, ValueError, KeepsakeError):
        return None


def _read_open(handle: int, relative: str) -> Source | None:
    with os.fdopen(handle, "rb") as stream:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise NotFoundError(relative)
        data = stream.read(MOST_BYTES)
        after = os.fstat(handle)
    if stat_of(before) != stat_of(after) or len(data) != min(after.st_size, MOST_BYTES):
        return None
    return Source(data, stat_of(after), content_digest(data, after.st_size))


def content_digest(data: bytes, size: int) -> str:
    """Identity of what is indexed of a file; 24 hex digits."""
    return hashlib.blake2b(data + b"%d" % size, digest_size=12).hexdigest()


# one file


def parsed(relative: str, source: Source) -> Parsed:
    """What was read, with its header taken apart. Never raises."""
    file = parse(source.data)
    return Parsed(source, file, note_of(relative, file, size=source.stat[0], mtime_s=source.stat[1] / 1e9))


def document_of(root: MemoryRoot, read: Parsed, *, fingerprint: str = "", hook: str = "", superseded: bool = False) -> Document:
    """What the index takes of a file.

    Args:
        root: where it lies; decides the scope.
        read: the file.
        fingerprint: goes into the document as it is.
        hook: what the root's index says of it.
        superseded: another memory of this root replaces it.
    """
    note, time = read.note, read.note.modified.timestamp()
    return Document(
        key=document_key(root, note.path),
        scope=scope_of(root),
        scope_id=root.key,
        kind=kind_of(note),
        fingerprint=fingerprint,
        passages=tuple(_passages(read, hook, time)),
        weight=_weight(note, superseded),
        time=time,
    )


def scope_of(root: MemoryRoot) -> str:
    """The name under which a root is searched (FT-09)."""
    if root.kind == "foreign":
        tool = root.id.split(":")[1]
        return "cc" if tool == "claude-code" else tool
    return {"project": "projects", "project-doc": "projects", "user": GLOBAL, "session": "sessions", "agent": "agents"}.get(
        root.kind, root.kind
    )


def kind_of(note: Note) -> str:
    """The type of the header, else what the file's name tells, else `memory`."""
    if note.type:
        return note.type
    stem = PurePosixPath(note.path).stem.casefold()
    return next((kind for kind in WORD_KINDS if stem == kind or stem.startswith(f"{kind}-")), "memory")


def _weight(note: Note, superseded: bool) -> float:
    weight = EXPLICIT if note.explicit else 1.0
    weight *= FEEDBACK if note.type == "feedback" else 1.0
    weight *= PINNED if note.pinned else 1.0
    return weight * (SUPERSEDED if superseded else 1.0)


def _passages(read: Parsed, hook: str, time: float) -> Iterator[Passage]:
    note = read.note
    text = normal_breaks(decode_text(read.source.data)[0])
    body = normal_breaks(read.file.body)
    first = text.count("\n", 0, len(text) - len(body)) + 1
    title, _, body = masked(sound(f"{_title(note, hook)}\n\n{body}")).partition("\n")
    body = body[1:]
    content = note.path == INDEX_NAME
    at, line, number = 0, first, 0
    for unit, start, end, headings in _cut(body, by_heading=content):
        name = "" if content else title if number < TITLED_SECTIONS else title[:SHORT_TITLE]
        line, at, number = line + body.count("\n", at, start), start, number + 1
        shown = " · ".join(part for part in (name, *headings) if part)
        yield Passage(body[start:end], unit=unit, title=shown, time=time, ref=f"line:{line}")
    if not number:
        yield Passage(masked(sound(note.description or note.name)), title=title, time=time, ref="line:1")


def _title(note: Note, hook: str) -> str:
    """Name, keywords, description, what the index says, and the words of the path, none twice."""
    path = re.sub(r"[/_.-]+", " ", note.path.removesuffix(".md"))
    parts: list[str] = []
    for part in (note.name, ", ".join(note.keywords), note.description, hook, path):
        words = _plain_words(part)
        if words and not any(words in _plain_words(known) for known in parts):
            parts.append(part)
    return " · ".join(parts)


def _plain_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.replace("_", " ").casefold()))


def _cut(body: str, *, by_heading: bool) -> Iterator[tuple[int, int, int, tuple[str, ...]]]:
    """Unit, start, end and the headings above of every section; `by_heading`: each heading with its text is a unit of its own."""
    blocks = _blocks(body)
    if by_heading:
        for unit, (start, end, trail) in enumerate(blocks, start=1):
            for left, right in sections(body[start:end]):
                yield unit, start + left, start + right, trail
        return
    at = 0
    for start, end in sections(body):
        while at + 1 < len(blocks) and blocks[at + 1][0] <= start:
            at += 1
        yield 0, start, end, blocks[at][2]


def _blocks(body: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Start, end and trail of headings of each stretch that begins with a heading; what stands before the first is one too."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    trail: list[tuple[int, str]] = []
    start, at, code = 0, 0, False
    for line in body.split("\n"):
        code ^= _FENCE.match(line) is not None
        heading = None if code or not line.startswith("#") else _HEADING.match(line[:400])
        if heading:
            if body[start:at].strip():
                found.append((start, at, tuple(text for _, text in trail)))
            start, depth = at, len(heading[1])
            trail = [one for one in trail if one[0] < depth] + [(depth, one_line(heading[2], 120))]
        at += len(line) + 1
    found.append((start, len(body), tuple(text for _, text in trail)))
    return found


# text


def sound(text: str) -> str:
    """Text that any program takes: escaped bytes and lone surrogates as replacement marks, no NUL."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    return text.replace("\x00", "\ufffd")


def masked(text: str) -> str:
    """`text` without what looks like a secret (S15); one over several lines leaves its line breaks, so that lines keep their numbers."""
    hits = find_secrets(text)
    if not hits:
        return text
    parts, at = [], 0
    for hit in hits:
        parts += [text[at : hit.start], MASK, "\n" * text.count("\n", hit.start, hit.end)]
        at = hit.end
    return "".join(parts) + text[at:]


# the index of a root


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the index of a root says of its memories: title and words behind the link, by path and, for `[[name]]`, by name."""

    by_path: dict[str, str]
    by_name: dict[str, str]

    def of(self, path: str, name: str = "") -> str:
        stem = PurePosixPath(path).stem.casefold()
        return self.by_path.get(path) or self.by_name.get(name.casefold()) or self.by_name.get(stem, "")


def hooks_of(data: bytes) -> Hooks:
    """The hooks of an index file. Never raises."""
    text = normal_breaks(decode_text(data)[0])
    lines = text.split("\n")
    hooks = Hooks({}, {})
    for entry in entries_of(text):
        words = _hook_words(lines[entry.line], entry)
        if entry.target is not None:
            hooks.by_path.setdefault(entry.target, words)
        elif entry.name:
            hooks.by_name.setdefault(entry.name.removesuffix(".md").casefold(), words)
    return hooks


def _hook_words(line: str, entry: Entry) -> str:
    line = line[:1_000]
    end = link_end(line)
    behind = line[end:].strip(_BEHIND_LINK).removesuffix("…") if end is not None else ""
    return one_line(f"{entry.title} {behind}".strip(), 400)


def hook_in(data: bytes, path: str, name: str) -> str | None:
    """What an index says of one memory, without taking all of it apart; None when no line is seen to be about it at first sight."""
    stem = PurePosixPath(path).stem
    for line in normal_breaks(decode_text(data)[0]).split("\n"):
        if stem in line or (name and name in line):
            entry = read_entry(line)
            if entry is not None and points_at(entry, path, name):
                return _hook_words(line, entry)
    return None
