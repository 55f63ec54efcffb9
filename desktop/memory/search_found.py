"""Hits of a memory search as they are shown: the file as it is now, why it was found, successors before what they replace.

Reads headers of the files that were found. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.confine import exists_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import listed, say
from desktop.base.redact import redact
from desktop.memory.note import INDEX_NAME, Note, find_note
from desktop.memory.roots import MemoryRoot
from desktop.memory.search_known import Row
from desktop.memory.search_scopes import Wanted
from desktop.memory.search_source import parts_of_key, sound
from desktop.memory.succession import Successors, replacing, successors_of

if TYPE_CHECKING:
    from desktop.search.index import Hit


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """One memory that was found, or one section of a root's MEMORY.md.

    Attributes:
        root_id: the root that it lies in; `path`: posix, below it; `absolute`: where it stands.
        scope, scope_id: as they are searched by.
        name: of the memory, or the section's headings.
        description: as its header says.
        type: user, feedback, project, reference, or what its file is.
        snippet: one line; `marks` are (start, end) in it.
        score: the best is 1.
        modified: aware, UTC.
        origin_session: where it was remembered, or "".
        line: of the file, from 1, where the passage begins that was found.
        why: in a few words.
        text: the whole passage.
        words: of the question that it holds.
        meaning: found by its meaning, not by words.
        superseded_by: name of a memory that replaces it, or "".
    """

    root_id: str
    path: str
    absolute: Path
    scope: str
    scope_id: str
    name: str
    description: str
    type: str
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    modified: datetime
    origin_session: str
    line: int
    why: str
    text: str = ""
    words: tuple[str, ...] = ()
    meaning: bool = False
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class MemoryFound:
    """Hits, best first, and what the person should know: what was not searched and why."""

    hits: tuple[MemoryHit, ...]
    notes: tuple[str, ...] = field(default=())


def memory_hits(
    hits: Sequence[Hit], wanted: Wanted, rows: Mapping[str, Mapping[str, Row]], queries: str | Sequence[str]
) -> list[MemoryHit]:
    """Hits of the index as hits of memory; files that are gone by now are left out.

    Args:
        wanted: what was searched.
        rows: what is known of the files, by root key and path: which memory replaces which.
        queries: for the words of a title.
    """
    roots = {root.key: (scope, root) for scope, root in wanted.scoped}
    ids = dict(wanted.ids)
    successors = {key: _successors(known) for key, known in rows.items()}
    found = list[_Placed]()
    for hit in hits:
        key, path = parts_of_key(hit.document)
        if key not in roots:
            continue
        scope, root = roots[key]
        note = _note(root, path)
        if note is not None:
            newer = replacing(successors.get(key, {}), note.path, note.name)
            made = _made(hit, root, scope, ids.get(key, ""), note, newer, queries)
            found.append(_Placed(made, (key, note.name.casefold()), frozenset((key, name.casefold()) for name in newer)))
    return _in_order(found)


def _note(root: MemoryRoot, path: str) -> Note | None:
    """The header as it is now; of a MEMORY.md that is text only its time counts."""
    if path != INDEX_NAME:
        return find_note(root.folder, path)
    try:
        if not exists_beneath(root.folder, path):
            return None
        status = (root.folder / path).lstat()
    except (OSError, KeepsakeError):
        return None
    moment = datetime.fromtimestamp(status.st_mtime, UTC) if 0 <= status.st_mtime < 1e11 else datetime(1970, 1, 1, tzinfo=UTC)
    return Note(path, INDEX_NAME, "", None, None, moment, None, None, False, status.st_size, None)


def _made(
    hit: Hit, root: MemoryRoot, scope: str, scope_id: str, note: Note, newer: Sequence[str], queries: str | Sequence[str]
) -> MemoryHit:
    words = hit.words or _title_words(hit, queries)
    name = (hit.title or note.name) if note.path == INDEX_NAME else redact(sound(note.name))
    by = newer[0] if newer else ""
    meaning = hit.meaning and not words
    return MemoryHit(
        root_id=root.id,
        path=note.path,
        absolute=root.folder.joinpath(*note.path.split("/")),
        scope=scope,
        scope_id=scope_id,
        name=name,
        description=redact(sound(note.description)),
        type=note.type or hit.kind,
        snippet=hit.snippet,
        marks=hit.marks,
        score=hit.score,
        modified=note.modified,
        origin_session=note.origin_session or "",
        line=_line(hit),
        why=_why(words, note, by, meaning=meaning),
        text=hit.text,
        words=words,
        meaning=meaning,
        superseded_by=by,
    )


def _title_words(hit: Hit, queries: str | Sequence[str]) -> tuple[str, ...]:
    """Words of the question that stand in the title alone: a keyword, say."""
    from desktop.search.segment import query_terms
    from desktop.search.snippet import marks

    asked = [queries] if isinstance(queries, str) else list(queries)
    terms = [term for query in asked for term in query_terms(query)]
    return tuple(dict.fromkeys(word for _, _, word in marks(hit.title, terms)))


def _line(hit: Hit) -> int:
    """The line of the first word of the question in the passage."""
    number = hit.ref.removeprefix("line:")
    first = int(number) if number.isdigit() else 1
    folded = hit.text.casefold()
    places = [place for word in hit.words if (place := folded.find(word)) >= 0]
    return first + (hit.text.count("\n", 0, min(places)) if places else 0)


def _why(words: Sequence[str], note: Note, successor: str, *, meaning: bool) -> str:
    parts: list[str] = []
    if words:
        parts.append(say("holds {words}", words=", ".join(words[:8])))
    if meaning:
        parts.append(say("near in meaning"))
    if note.explicit:
        parts.append(say("remembered on request"))
    if note.pinned:
        parts.append(say("pinned"))
    if successor:
        parts.append(say("replaced by {name}", name=redact(sound(successor))))
    return listed(parts)


def _successors(rows: Mapping[str, Row]) -> Successors:
    known = list(rows.items())  # another thread may be looking through the files
    return successors_of((path, row.name, row.supersedes) for path, row in known)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A hit with its root and folded name, and those of all memories that replace it."""

    hit: MemoryHit
    named: tuple[str, str]
    newer: frozenset[tuple[str, str]]


def _in_order(found: Sequence[_Placed]) -> list[MemoryHit]:
    """The hits with each one that is replaced behind all its successors; two that replace each other stay as they are."""
    waiting, done = list(found), list[MemoryHit]()
    while waiting:
        left = {one.named for one in waiting}
        hit = waiting.pop(next((n for n, one in enumerate(waiting) if left.isdisjoint(one.newer)), 0)).hit
        done.append(hit if not done or hit.score <= done[-1].score else replace(hit, score=done[-1].score))
    return done
