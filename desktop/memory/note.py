"""Memory files as notes: what a list shows of each, read from its header only.

Owns the mapping from a file to a `Note` and the walk over a memory folder. Links are never followed, and one bad file never hides the
others: what is wrong stands in `problem`. Blocking, any thread.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.base.clock import parse_iso
from desktop.base.confine import open_parent
from desktop.base.errors import KeepsakeError, NotFoundError, StorageError
from desktop.base.phrases import listed, os_reason, say
from desktop.memory.frontmatter import Document, parse

INDEX_NAME = "MEMORY.md"
HEAD_BYTES = 65_536 + 4_096
"""A header ends within 64 KB or not at all (FM-13)."""

MAX_DEPTH = 32
_SKIPPED_FOLDERS = frozenset((".git", "node_modules"))
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Note:
    """One memory file.

    Attributes:
        path: posix path below the memory root.
        name: from the header, else the file's stem.
        description: one line, or "".
        type: user, feedback, project, reference, or None.
        created: from the header.
        modified: from the header, else the file's time.
        origin_session, origin_message: where it was remembered.
        pinned: stays in the index when others are dropped.
        size: bytes.
        problem: what is wrong, with its line; None when nothing is.
        hint: the body's first line of text, for an index line without a description.
        keywords: further words it is found by.
    """

    path: str
    name: str
    description: str
    type: str | None
    created: datetime | None
    modified: datetime
    origin_session: str | None
    origin_message: str | None
    pinned: bool
    size: int
    problem: str | None
    hint: str = ""
    keywords: tuple[str, ...] = ()


def one_line(text: str, limit: int = 400) -> str:
    """`text` with every run of blanks and line breaks as one blank, cut with … where it is too long."""
    flat = " ".join(text[: limit * 4].split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _time(document: Document, *names: str) -> datetime | None:
    for name in names:
        value = document.field(name)
        moment = parse_iso(value) if isinstance(value, str) else None
        if moment is not None:
            return moment
    return None


def _word(document: Document, name: str) -> str | None:
    value = document.field(name)
    return one_line(value, 200) or None if isinstance(value, str) else None


def first_text_line(body: str) -> str:
    """The first line of a body that says something, without heading or list marks."""
    for line in body[:4_096].splitlines():
        text = re.sub(r"^[#>*\-\s]+", "", line).strip()
        if text:
            return one_line(text, 120)
    return ""


def problem_text(document: Document) -> str | None:
    """All problems of a document in one line, each with its line number."""
    found = [say("line {line}: {problem}", line=line, problem=text) for line, text in document.problems[:5]]
    return listed(found) if found else None


def note_of(path: str, document: Document, *, size: int, mtime_s: float) -> Note:
    """The note that a parsed file makes. `path` is relative and posix, `mtime_s` seconds since 1970."""
    keywords = document.field("keywords")
    problem = problem_text(document)
    if not _is_text(path):
        problem = listed((say("the file name is not valid text"), problem or ""))
    try:
        fallback = datetime.fromtimestamp(mtime_s, UTC)
    except (OverflowError, ValueError, OSError):
        fallback = _NEVER
    return Note(
        path=path,
        name=one_line(document.name or "", 200) or _stem(path),
        description=one_line(document.description or ""),
        type=document.type,
        created=_time(document, "created"),
        modified=_time(document, "modified", "updated") or fallback,
        origin_session=_word(document, "originSessionId"),
        origin_message=_word(document, "originMessageId"),
        pinned=document.field("pinned") is True,
        size=size,
        problem=problem,
        hint=first_text_line(document.body),
        keywords=tuple(str(k) for k in keywords[:40] if isinstance(k, (str, int))) if isinstance(keywords, list) else (),
    )


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _is_text(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _whole_lines(data: bytes) -> bytes:
    """A head without the torn line at its end."""
    return data if len(data) < HEAD_BYTES else data[: data.rfind(b"\n") + 1] or data


def _damaged(path: str, problem: str, status: os.stat_result | None = None) -> Note:
    size = status.st_size if status else 0
    moment = datetime.fromtimestamp(status.st_mtime, UTC) if status and 0 <= status.st_mtime < 1e11 else _NEVER
    return Note(path, _stem(path), "", None, None, moment, None, None, False, size, problem)


def _read_open(handle: int, path: str) -> Note:
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return _damaged(path, "it is not a plain file", status)
        data = os.read(handle, HEAD_BYTES)
    finally:
        os.close(handle)
    return note_of(path, parse(_whole_lines(data)), size=status.st_size, mtime_s=status.st_mtime)


_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read_note(root: Path, relative: str) -> Note:
    """The note at `relative` below `root`.

    Raises:
        NotFoundError: it is not there.
        KeepsakeError: a link is on the way, or it cannot be read.
    """
    if not hasattr(os, "O_NOFOLLOW"):
        if not os.path.lexists(root / relative):
            raise NotFoundError(say("{path} does not exist.", path=root / relative))
        return _read_path(root / relative, relative)
    with open_parent(root, relative) as (folder, name):
        try:
            return _read_open(os.open(name, _FLAGS, dir_fd=folder), relative)
        except FileNotFoundError as error:
            raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
        except OSError as error:
            raise StorageError(
                say("{path} could not be read ({reason}).", path=root / relative, reason=os_reason(error)), detail=str(error)
            ) from error


def _read_path(place: str | Path, relative: str) -> Note:
    """A note by its path, for the walk (whose folders were seen to be no links) and for systems without directory handles."""
    try:
        return _read_open(os.open(place, _FLAGS), relative)
    except OSError as error:
        link = error.errno in (errno.ELOOP, errno.EMLINK)
        return _damaged(relative, "it is a link and is not followed" if link else f"it cannot be read ({error.strerror})")


def _walk(folder: str, prefix: str, depth: int) -> Iterator[Note]:
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except OSError:
        return
    for entry in found:
        name = entry.name
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            is_folder = False
        if is_folder:
            if depth < MAX_DEPTH and name not in _SKIPPED_FOLDERS:
                yield from _walk(entry.path, f"{prefix}{name}/", depth + 1)
        elif name[-3:].lower() == ".md" and not (depth == 0 and name == INDEX_NAME):
            yield _read_path(entry.path, prefix + name)


def list_notes(root: Path) -> list[Note]:
    """Every Markdown file below `root` but the index, nested ones too, newest first. Never raises: a missing folder has no notes."""
    if os.path.islink(root):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        return []  # nothing is read or written through a link in the folder's place; the index says so
    return sorted(_walk(str(root), "", 0), key=lambda note: (note.modified, note.path), reverse=True)


def find_note(root: Path, relative: str) -> Note | None:
    """The note at `relative`, or None when it is missing or cannot be reached."""
    try:
        return read_note(root, relative)
    except KeepsakeError:
        return None
