"""Memory files as notes: what a list shows of each, read from its header only.

Owns the mapping from a file to a `Note` and the walk over a memory folder. Links are never followed, and one bad file never hides the
others: what is wrong stands in `problem`. Blocking, any thread.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.clock import iso, parse_iso
from desktop.base.confine import open_parent
from desktop.base.errors import KeepsakeError, NotFoundError, StorageError
from desktop.base.phrases import listed, os_reason, say
from desktop.memory.frontmatter import Document, parse

if TYPE_CHECKING:
    from desktop.memory.note_cache import NoteCache

INDEX_NAME = "MEMORY.md"
MANIFEST_NOTES = 200
LONGEST_SLUG = 80
MAX_SLUG_BYTES = 200
"""Room for a suffix and a number within the 255 bytes that file systems give a name."""

HEAD_BYTES = 65_536 + 4_096
"""A header ends within 64 KB or not at all (FM-13)."""

MAX_DEPTH = 32
SKIPPED_FOLDERS = frozenset((".git", "node_modules"))
CREATED = ("created", "created_at", "createdAt", "date")
MODIFIED = ("modified", "updated", "modified_at", "updated_at", "updatedAt", "last_updated", "lastUpdated", "last_modified")
"""Under what the times of a memory stand, ours first; other programs and people write the others."""

_BRACKETED = re.compile(r"\s*\[\[([^\[\]]*)\]\]\s*\Z")
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), " ")
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
        hint: what is shown in place of a description: a `summary` or `title` of the header, else the body's first line of text.
        keywords: further words it is found by (`keywords`, else `tags`).
        supersedes: names of the memories that this one replaces.
        explicit: the person asked in so many words that it be remembered.
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
    supersedes: tuple[str, ...] = ()
    explicit: bool = False


def one_line(text: str, limit: int = 400) -> str:
    """`text` with every run of blanks, line breaks and control characters as one blank, cut with … where it is too long."""
    if len(text) <= limit and text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return text  # the ordinary case, several times as fast; of all blanks only a plain one counts as printable
    flat = " ".join(text[: limit * 4].translate(_CONTROLS).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


Field = Callable[[str], object]


def _time(field: Field, *names: str) -> datetime | None:
    for name in names:
        value = field(name)
        moment = parse_iso(value) if isinstance(value, str) else None
        if moment is not None:
            return moment
    return None


def _word(field: Field, name: str) -> str | None:
    value = field(name)
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
    field = document.field
    problem = problem_text(document) if document.problems else None
    if not is_text(path):
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
        created=_time(field, *CREATED),
        modified=_time(field, *MODIFIED) or fallback,
        origin_session=_word(field, "originSessionId"),
        origin_message=_word(field, "originMessageId"),
        pinned=field("pinned") is True,
        size=size,
        problem=problem,
        hint=one_line(_text(field("summary")) or _text(field("title")), 120) or first_text_line(document.body),
        keywords=_words(field("keywords") or _tags(field("tags"))),
        supersedes=_words(field("supersedes")),
        explicit=field("explicit") is True,
    )


def _text(value: object) -> str:
    """A text that stands under another key than ours; numbers and lists are none."""
    return value if isinstance(value, str) else ""


def _tags(value: object) -> object:
    """Tags as a list; in one text they stand with commas."""
    return [part.strip() for part in re.split("[,，、]", value)] if isinstance(value, str) else value


def _words(value: object) -> tuple[str, ...]:
    """A list of words in a header; a single text is one of them, and `[[name]]`, which YAML reads as a list in a list, is a name."""
    listed = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    flat = [word for one in listed[:40] for word in (one[:40] if isinstance(one, list) else [one])][:40]
    words = [
        one_line(_BRACKETED.sub(r"\1", str(word)), 200) for word in flat if isinstance(word, (str, int)) and not isinstance(word, bool)
    ]
    return tuple(word for word in words if word)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def is_text(path: str) -> bool:
    """Whether a path can be written into a text; a disk may hold names of any bytes."""
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _whole_lines(data: bytes) -> bytes:
    """A head without the torn line at its end."""
    return data if len(data) < HEAD_BYTES else data[: data.rfind(b"\n") + 1] or data


def _damaged(path: str, problem: str, status: os.stat_result | None = None) -> Note:
    size = status.st_size if status else 0
    moment = datetime.fromtimestamp(status.st_mtime, UTC) if status and 0 <= status.st_mtime < 1e11 else _NEVER
    return Note(path, _stem(path), "", None, None, moment, None, None, False, size, problem)


def _read_open(handle: int, path: str) -> tuple[Note, os.stat_result]:
    """The note behind an opened file, and what the file looked like before it was read."""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return _damaged(path, say("it is not a plain file"), status), status
        data = os.read(handle, HEAD_BYTES)
    finally:
        os.close(handle)
    return note_of(path, parse(_whole_lines(data)), size=status.st_size, mtime_s=status.st_mtime), status


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
        return _read_path(root / relative, relative)[0]
    with open_parent(root, relative) as (folder, name):
        try:
            return _read_open(os.open(name, _FLAGS, dir_fd=folder), relative)[0]
        except FileNotFoundError as error:
            raise NotFoundError(say("{path} does not exist.", path=root / relative), detail=str(error)) from error
        except OSError as error:
            raise StorageError(
                say("{path} could not be read ({reason}).", path=root / relative, reason=os_reason(error)), detail=str(error)
            ) from error


def _read_path(place: str | Path, relative: str) -> tuple[Note, os.stat_result | None]:
    """A note by its path, for the walk (whose folders were seen to be no links) and for systems without directory handles."""
    try:
        return _read_open(os.open(place, _FLAGS), relative)
    except OSError as error:
        link = error.errno in (errno.ELOOP, errno.EMLINK)
        told = say("it is a link and is not followed") if link else say("it cannot be read ({reason})", reason=os_reason(error))
        return _damaged(relative, told), None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_note_name(name: str, depth: int) -> bool:
    return name[-3:].lower() == ".md" and not (depth == 0 and name == INDEX_NAME)


def _files(folder: str, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every Markdown file but the index, as its path below the root and its entry; links to folders are not followed."""
    for entry in _entries(folder):
        name = entry.name
        if _is_folder(entry):
            if depth < MAX_DEPTH and name not in SKIPPED_FOLDERS:
                yield from _files(entry.path, f"{prefix}{name}/", depth + 1)
        elif _is_note_name(name, depth):
            yield prefix + name, entry


def list_notes(root: Path, cache: NoteCache | None = None) -> list[Note]:
    """Every Markdown file below `root` but the index, nested ones too, newest first. Never raises: a missing folder has no notes.

    Args:
        root: the memory folder.
        cache: headers that were read before; it learns what is read now.
    """
    if os.path.islink(root):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        return []  # nothing is read or written through a link in the folder's place; the index says so
    if cache is None:
        notes = [_read_path(entry.path, path)[0] for path, entry in _files(str(root))]
    else:
        notes = _cached(root, cache)
    return sorted(notes, key=lambda note: (note.modified, note.path), reverse=True)


def _looks(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return Path(entry.path).lstat() if os.name == "nt" else entry.stat(follow_symlinks=False)
    except OSError:
        return None


def _cached(root: Path, cache: NoteCache) -> list[Note]:
    from desktop.memory.note_cache import identity_of

    known = cache.entries()
    fresh: dict[str, tuple[tuple[int, int, int, int], Note]] = {}
    notes: list[Note] = []
    changed = 0
    for path, entry in _files(str(root)):
        before = known.get(path)
        status = _looks(entry) if before is not None else None
        if before is not None and status is not None and before[0] == identity_of(status):
            fresh[path] = before
            notes.append(before[1])
            continue
        read_ns = cache.now_ns()
        note, seen = _read_path(entry.path, path)
        notes.append(note)
        if seen is not None and cache.settled(identity := identity_of(seen), read_ns=read_ns):
            fresh[path] = (identity, note)
            changed += 1
    gone = len(known.keys() - fresh.keys())
    if changed or gone:
        cache.replace(fresh, changed + gone)
    return notes


def count_notes(root: Path, *, most: int | None = None) -> int:
    """How many Markdown files but the index lie below `root`, at most `most`; none is read. Never raises."""
    if os.path.islink(root):  # noqa: PTH114 - as above
        return 0
    return sum(1 for _ in islice(_files(str(root)), most))


def find_note(root: Path, relative: str) -> Note | None:
    """The note at `relative`, or None when it is missing or cannot be reached."""
    try:
        return read_note(root, relative)
    except KeepsakeError:
        return None


def manifest_of(notes: Sequence[Note], *, most: int = MANIFEST_NOTES) -> str:
    """What a background job is shown of a folder (FM-13): a line each, `[type] file (ISO time): description`, newest first."""
    newest = sorted(notes, key=lambda note: (note.modified, note.path), reverse=True)[:most]
    return "\n".join(f"[{note.type or '-'}] {note.path} ({iso(note.modified)}): {note.description}" for note in newest)


def age_days(modified: datetime, now: datetime) -> int:
    """Whole days since a memory was changed (RC-07); one from the future, by a wrong clock, is 0 days old."""
    return max(0, (now - modified) // timedelta(days=1))


def slug_of(name: str) -> str:
    """The stem of a new file for a memory of that name: letters and digits of any script, lower case, `-` between; "" if none is left."""
    kept = "".join(
        c if c.isalnum() or unicodedata.category(c) in ("Mn", "Mc") else "-" for c in unicodedata.normalize("NFKC", name).casefold()
    )
    joined = unicodedata.normalize("NFC", re.sub(r"-{2,}", "-", kept).strip("-"))
    while len(joined.encode()) > MAX_SLUG_BYTES or len(joined) > LONGEST_SLUG:
        joined = joined[:-1]
    return joined.strip("-")
