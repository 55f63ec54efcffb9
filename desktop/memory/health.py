"""The health of a memory root: what is wrong with which line of which file, and what to do about it.

Owns the checks and their wording. The profile of the root decides what MEMORY.md must be, never its name. Every file is read once; a bad
one is a problem of its own and hides no other. Changes nothing: repairs are `memory.index_repair`, called through `repair`. Blocking.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import os_reason, say
from desktop.base.redact import find_secrets
from desktop.base.textio import decode, digest
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import Document, parse
from desktop.memory.health_index import check_index
from desktop.memory.health_text import Links, Problem, content_problems, order
from desktop.memory.note import INDEX_NAME, MAX_DEPTH, Note, note_of
from desktop.memory.roots import SINGLE_BYTES

if TYPE_CHECKING:
    from desktop.memory.journal import Change, ChangeOrigin
    from desktop.memory.store import MemoryStore

__all__ = ["KINDS", "REPAIRABLE", "Problem", "check_folder", "check_health", "repair"]

KINDS = (
    *("unreadable", "link", "hard-link", "broken-header", "secret", "duplicate", "missing-line", "dangling-line", "inline-content"),
    *("oversize-index", "oversize-note", "long-line", "dangling-link", "relative-date"),
)
REPAIRABLE = frozenset(("missing-line", "dangling-line", "inline-content", "long-line"))
"""Kinds with an automatic repair."""

NOTE_BYTES = 32 * 1024
"""A topic above this is too long to be of use as one fact."""

MAX_READ = 5 << 20
_SKIPPED_FOLDERS = frozenset((".git", "node_modules"))


@dataclass(slots=True)
class _Look:
    """What one walk has seen."""

    root: Path
    profile: str
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    links: Links = field(default_factory=Links)
    bodies: dict[str, str] = field(default_factory=dict)
    index: bytes | None = None

    def say(self, kind: str, path: str, line: int, message: str, fix: str) -> None:
        self.problems.append(Problem(kind, path, line, message, fix))


def check_health(store: MemoryStore) -> list[Problem]:
    """Everything that is wrong in the store's root, by file and line. Never raises."""
    return check_folder(store.root, store.memory_root.profile)


def check_folder(root: Path, profile: str = "index") -> list[Problem]:
    """As `check_health`, for a folder. A missing one is healthy.

    Args:
        root: absolute.
        profile: `index`, `sections` or `single`.
    """
    look = _Look(root, profile)
    if os.path.islink(root):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        look.say("link", "", 0, say("The memory folder is a link, so nothing in it is read or written."), say("Put a real folder there."))
        return look.problems
    _walk(look, str(root), "", 0)
    if profile == "index":
        look.problems += check_index(root, look.index, look.notes)
    look.problems += look.links.dangling(look.notes)
    return sorted(look.problems, key=order)


def repair(store: MemoryStore, problem_kinds: Iterable[str], *, origin: ChangeOrigin) -> list[Change]:
    """Mend what can be mended without a person's judgement: kinds of `REPAIRABLE` only, others are passed over. Each change can be undone.

    Raises:
        StorageError, RefusedError: a change could not be made; those before it stay, journalled.
    """
    from desktop.memory.index_repair import repair_index

    return repair_index(store, frozenset(problem_kinds) & REPAIRABLE, origin)


def _walk(look: _Look, folder: str, prefix: str, depth: int) -> None:
    for entry in _entries(look, folder, prefix):
        path = prefix + entry.name
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            _unreadable(look, path, os_reason(error))
            continue
        markdown = entry.name[-3:].lower() == ".md"
        if stat.S_ISLNK(status.st_mode):
            look.say("link", path, 0, say("It is a link, which is not followed."), say("Put the file itself here, or remove the link."))
        elif stat.S_ISDIR(status.st_mode):
            if entry.name not in _SKIPPED_FOLDERS and depth < MAX_DEPTH:
                _walk(look, entry.path, f"{path}/", depth + 1)
        elif markdown and stat.S_ISREG(status.st_mode):
            if status.st_nlink > 1:
                message = say("The file has {count} names (hard links): a change made elsewhere changes it here.", count=status.st_nlink)
                look.say("hard-link", path, 0, message, say("Copy it, and put the copy in its place."))
            _read(look, path, status)
        elif markdown:
            _unreadable(look, path, say("it is not a plain file"))


def _entries(look: _Look, folder: str, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    except OSError as error:
        _unreadable(look, prefix.rstrip("/"), os_reason(error))
        return []


def _unreadable(look: _Look, path: str, reason: str) -> None:
    look.say(
        "unreadable",
        path,
        0,
        say("It cannot be read: {reason}.", reason=reason),
        say("Check the file's permissions, or remove it."),
    )


def _read(look: _Look, path: str, status: os.stat_result) -> None:
    try:
        data = read_beneath(look.root, path, limit=MAX_READ)
    except KeepsakeError as error:
        _unreadable(look, path, error.message.rstrip("."))
        return
    document = parse(data)
    index = path == INDEX_NAME and look.profile == "index"
    _check_size(look, path, status.st_size, index)
    look.problems += _header_problems(path, document, data)
    text = _text_of(document)
    look.problems += _secrets(path, text)
    if index:
        look.index = data
        return
    look.problems += content_problems(path, document, text)
    look.links.add(path, document)
    if path != INDEX_NAME:
        look.notes.append(note_of(path, document, size=status.st_size, mtime_s=status.st_mtime))
        _check_twin(look, path, document)


def _text_of(document: Document) -> str:
    """The whole text of a file, its header too, so that lines count as an editor counts them."""
    if document.bom in (b"\xff\xfe", b"\xfe\xff"):
        return decode(document.head) + document.body
    return document.head.removeprefix(document.bom).decode("utf-8", "replace") + document.body


def _check_size(look: _Look, path: str, size: int, index: bool) -> None:
    if index:
        return
    if look.profile == "single" and path == INDEX_NAME:
        if size > SINGLE_BYTES:
            message = say("The file has {size:,} bytes; only the first {most:,} are loaded.", size=size, most=SINGLE_BYTES)
            look.say("oversize-note", path, 0, message, say("Shorten it, or move details elsewhere."))
    elif size > NOTE_BYTES and path != INDEX_NAME:
        message = say("The memory has {size:,} bytes: only a part of it is ever sent.", size=size)
        look.say("oversize-note", path, 0, message, say("Split it into memories of one subject each."))


def _header_problems(path: str, document: Document, data: bytes) -> Iterator[Problem]:
    """What the reader of the header says; a byte that is no text is the file's fault, not the header's."""
    if b"\x00" in data and document.encoding == "utf-8":
        line = data[: data.index(b"\x00")].count(b"\n") + 1
        fix = say("Write the file anew, or restore an earlier version.")
        yield Problem("unreadable", path, line, say("It holds NUL bytes, as a crash leaves them."), fix)
    opened = document.header is not None or document.body.startswith("---")
    header_end = document.header_text.count("\n") + 2 if document.header is not None else 1
    for line, text in document.problems:
        if opened and line <= header_end:
            message = say("The header is not read as it stands: {problem}.", problem=text)
            yield Problem("broken-header", path, line, message, say("Correct that line between the --- marks."))
        else:
            message = say("A part of the text cannot be shown: {problem}.", problem=text)
            yield Problem("unreadable", path, line, message, say("Save the file as UTF-8."))


def _secrets(path: str, text: str) -> Iterator[Problem]:
    for hit in find_secrets(text):
        line = text.count("\n", 0, hit.start) + 1
        message = say("It holds what looks like a secret ({kind}).", kind=hit.kind)
        yield Problem("secret", path, line, message, say("Remove it here, and change it where it is used; note only where it is kept."))


def _check_twin(look: _Look, path: str, document: Document) -> None:
    said = folded(document.body)
    if not said:
        return
    first = look.bodies.setdefault(digest(said.encode("utf-8", "surrogatepass")), path)
    if first != path:
        message = say("It says the same as {other}.", other=first)
        look.say("duplicate", path, 0, message, say("Delete one of the two."))
