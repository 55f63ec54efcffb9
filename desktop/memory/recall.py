"""Which memories bear on a message, without a model: at once by words, and the headers out of which a model may choose (RC-01…RC-04).

Owns the cut-off below which nothing is recalled, what is never recalled (a root's MEMORY.md, what the start of the request holds already,
what was replaced, references for tools in use), and the order of the list. Knows no model. Blocking: call it off the event loop.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import listed, say
from desktop.base.redact import redact, visible
from desktop.memory.frontmatter import parse
from desktop.memory.memories import Memories
from desktop.memory.note import HEAD_BYTES, INDEX_NAME, MAX_DEPTH, SKIPPED_FOLDERS, Note, age_days, note_of, one_line
from desktop.memory.recall_kinds import ByKind, by_kind
from desktop.memory.recall_read import Budget, RecalledMemory, age, age_notice, look_of, read_memory, written_before
from desktop.memory.recall_support import BESIDE, Support, Weighed, concepts_of, weighed
from desktop.memory.recall_tools import is_needless
from desktop.memory.roots import PROJECT, MemoryRoot
from desktop.memory.search import MemoryHit, MemorySearch
from desktop.memory.search_source import kind_of, sound
from desktop.memory.succession import Successors, successors_of

__all__ = [
    "Asked", "Budget", "Candidate", "RecalledMemory", "age", "age_notice", "by_words", "candidates", "holds_anything", "look_of",
    "manifest", "read_memory",
]  # fmt: skip

HITS = 12
"""Hits of the search that are looked at; further ones hold less of the question."""

BODY = 12_000
"""Characters of a memory's text that are compared with the question, beside the passage that was found."""

MOST, NEWEST = 200, 20
"""Memories on the list for a model, and places of it that are kept for the newest (memory design, 6.7)."""

LONGEST_DESCRIPTION = 300
Place = tuple[str, str]
"""Root id and path below the root."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and what must not come back.

    Attributes:
        question: the person's own words.
        roots: ids of the roots that may be recalled from.
        shown: memories that are in the context already.
        tools: in use just now.
        seen: (path, when) of files that the conversation holds whole; such a memory comes again only once it changed.
    """

    question: str
    roots: frozenset[str] = frozenset((PROJECT,))
    shown: frozenset[Place] = frozenset()
    tools: tuple[str, ...] = ()
    seen: frozenset[tuple[str, datetime]] = frozenset()

    def has(self, candidate: Candidate) -> bool:
        """Whether a memory is in the context already."""
        return candidate.place in self.shown or any(
            path == str(candidate.absolute) and written_before(candidate.absolute, when) for path, when in self.seen
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be recalled: where it lies, its header, why (a phrase for the person), and how far it bears on the question.

    `by_kind`: it names a tool of the kind that is asked for, and holds too little of the question's own words.
    """

    root: MemoryRoot
    note: Note
    reason: str = ""
    support: Support | None = None
    by_kind: bool = False

    @property
    def place(self) -> Place:
        return self.root.id, self.note.path

    @property
    def absolute(self) -> Path:
        return self.root.folder.joinpath(*self.note.path.split("/"))

    @property
    def label(self) -> str:
        """How a model names it: the path in the project's memory, else with the root before it."""
        path = visible(sound(self.note.path))
        return path if self.root.id == PROJECT else f"{self.root.id}:{path}"


def holds_anything(memories: Memories) -> bool:
    """Whether there is a memory that could be recalled; an empty memory costs no index. Blocking: looks until the first file."""
    return any(_holds_notes(root.folder, MAX_DEPTH) for root in memories.own_roots if root.profile != "single")


def _holds_notes(folder: Path, depth: int) -> bool:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.is_dir(follow_symlinks=False))  # files first
    except OSError:
        return False
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            if depth and entry.name not in SKIPPED_FOLDERS and _holds_notes(Path(entry.path), depth - 1):
                return True
        elif entry.name[-3:].lower() == ".md" and entry.name != INDEX_NAME:
            return True
    return False


def by_words(memories: Memories, search: MemorySearch, asked: Asked, *, reconcile: bool = False, most: int = 2) -> list[Candidate]:
    """The memories that hold enough of the question, best first; empty when none does.

    Only words count, whatever encoder there is: “near in meaning” has always a nearest one, and it would take longer than a turn waits.

    Raises:
        KeepsakeError: memory is off, or cannot be searched.
    """
    if most <= 0 or not concepts_of(asked.question):
        return []
    found = search.search(memories, asked.question, for_model=True, reconcile=reconcile, dense=False, limit=HITS)
    hits = [hit for hit in found.hits if hit.root_id in asked.roots and hit.path != INDEX_NAME]
    if not hits:
        return []
    question = weighed(asked.question, search.frequencies)
    kind = by_kind(asked.question, question)
    loaded = _Loaded(memories)
    chosen: dict[Place, Candidate] = {}
    for hit in hits:
        for candidate in _supported(memories, search, hit, question, kind):
            if candidate.place not in chosen and not asked.has(candidate) and not loaded.whole(candidate):
                chosen[candidate.place] = candidate
    fit = [one for one in chosen.values() if not _needless(one, asked.tools)]
    fit.sort(key=lambda one: (not one.by_kind, _held(one)), reverse=True)  # stable: equals stay in the search's order
    return [one for one in fit if _held(one) >= BESIDE * max(_held(other) for other in fit if other.by_kind == one.by_kind)][:most]


def _held(candidate: Candidate) -> float:
    return candidate.support.held if candidate.support is not None else 0.0


def _supported(memories: Memories, search: MemorySearch, hit: MemoryHit, question: Weighed, kind: ByKind | None) -> list[Candidate]:
    """The memory of a hit that holds enough of the question, or the one that replaces it."""
    root = memories.root(hit.root_id)
    head = _head(root, hit.path) if root is not None else None
    if root is None or head is None:
        return []
    note, body = head
    text = f"{body}\n{hit.text}"
    support = question.support(note, text)
    literal = support.enough and not (kind is not None and kind.is_part_only(support, note, text))
    if not literal and kind is not None:
        support = kind.support(note, text)
    if not support.enough:
        return []
    candidate = Candidate(root, note, say("holds {words}", words=", ".join(support.words[:6])), support, by_kind=not literal)
    if not hit.superseded_by:
        return [candidate]
    newer = _named(memories, search, hit)
    return (
        [replace(newer, reason=listed((candidate.reason, say("replaces {name}", name=hit.name))), support=support, by_kind=not literal)]
        if newer
        else []
    )


def _named(memories: Memories, search: MemorySearch, replaced: MemoryHit) -> Candidate | None:
    """The memory that replaces another one, followed to the newest; None where it cannot be found."""
    name, seen = replaced.superseded_by, {replaced.name.casefold()}
    root = memories.root(replaced.root_id)
    known = memories.store(replaced.root_id).notes() if root is not None else []
    notes = {note.name.casefold(): note for note in known}
    stems = {PurePosixPath(note.path).stem.casefold(): note for note in known}
    successors = _successors(known)
    while newer := successors.get(name.casefold()):
        if name.casefold() in seen:
            break
        seen.add(name.casefold())
        name = newer[0]
    note = notes.get(name.casefold()) or stems.get(name.casefold())
    return None if root is None or note is None else Candidate(root, note)


def _successors(notes: Iterable[Note]) -> Successors:
    return successors_of((note.path, note.name, note.supersedes) for note in notes)


def _head(root: MemoryRoot, path: str) -> tuple[Note, str] | None:
    """The header and the beginning of the text of a file as it is now."""
    look = look_of(root.folder.joinpath(*path.split("/")))
    try:
        document = parse(read_beneath(root.folder, path, limit=HEAD_BYTES + 4 * BODY))
    except KeepsakeError:
        return None
    return None if look is None else (note_of(path, document, size=look[0], mtime_s=look[1] / 1e9), document.body[:BODY])


def _body(candidate: Candidate) -> str:
    head = _head(candidate.root, candidate.note.path)
    return "" if head is None else head[1]


@dataclass(slots=True)
class _Loaded:
    """Which topics of a root in sections the start of the request shows whole: they need not come again. Read when first asked for."""

    memories: Memories
    cut: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def whole(self, candidate: Candidate) -> bool:
        root = candidate.root
        if root.profile == "single":
            return True
        if root.profile != "sections":
            return False
        if root.id not in self.cut:
            self.cut[root.id] = self.memories.store(root.id).load_index().dropped
        names = (candidate.note.name, candidate.note.path)
        return not any(dropped == name or dropped.startswith(f"{name} (") for dropped in self.cut[root.id] for name in names)


# the list for a model


def candidates(
    memories: Memories, search: MemorySearch | None, asked: Asked, *, stopped: Callable[[], bool] = lambda: False, most: int = MOST
) -> list[Candidate]:
    """Headers out of which a model may choose, the likeliest first: of many the newest and what a search finds, by meaning too.

    Raises:
        KeepsakeError: memory is off, or cannot be searched.
    """
    loaded = _Loaded(memories)
    found: dict[Place, Candidate] = {}
    for root in memories.own_roots:
        if root.id not in asked.roots or root.profile == "single" or stopped():
            continue
        notes = memories.store(root.id).notes()
        replaced = set(_successors(notes))
        for note in notes:
            candidate = Candidate(root, note, say("chosen by the model"))
            stem = PurePosixPath(note.path).stem.casefold()
            if asked.has(candidate) or note.name.casefold() in replaced or stem in replaced or not note.size:
                continue
            found[candidate.place] = candidate
    fit = [one for one in found.values() if not loaded.whole(one) and not _needless(one, asked.tools)]
    newest = sorted(fit, key=lambda one: (one.note.modified, one.note.path), reverse=True)
    if len(newest) <= most or search is None or stopped():
        return newest[:most]
    return _likely(memories, search, asked, newest, most)


def _needless(candidate: Candidate, tools: Sequence[str]) -> bool:
    """By the header first: only of the few that it speaks against the text is read."""
    return is_needless(candidate.note, "", tools) and is_needless(candidate.note, _body(candidate), tools)


def _likely(memories: Memories, search: MemorySearch, asked: Asked, newest: list[Candidate], most: int) -> list[Candidate]:
    kept = newest[: min(NEWEST, most)]
    hits = search.search(memories, asked.question, for_model=True, reconcile=False, limit=50).hits
    by_place = {one.place: one for one in newest}
    likely = [by_place[place] for hit in hits if (place := (hit.root_id, hit.path)) in by_place]
    room = max(0, most - len(kept))
    chosen = dict.fromkeys(one.place for one in [*[one for one in likely if one not in kept][:room], *kept, *newest][: most + len(kept)])
    return [by_place[place] for place in chosen][:most]


def manifest(found: Sequence[Candidate], now: datetime, *, most_bytes: int) -> tuple[str, list[Candidate]]:
    """The list as a model reads it, a line each, and which candidates are on it: names, types, ages and descriptions only (RC-02).

    Args:
        most_bytes: of UTF-8; the places of the newest are kept for them, what else has no room is left out from the end.
    """
    lines = {one.place: _line(one, now) for one in found}
    newest = sorted(found, key=lambda one: one.note.modified, reverse=True)[:NEWEST]
    kept: set[Place] = set()
    room = most_bytes
    for one in (*newest, *found):
        size = len(lines[one.place].encode()) + 1
        if one.place not in kept and size <= room:
            kept.add(one.place)
            room -= size
    listed_ones = [one for one in found if one.place in kept]
    return "\n".join(lines[one.place] for one in listed_ones), listed_ones


def _line(candidate: Candidate, now: datetime) -> str:
    note = candidate.note
    days = age_days(note.modified, now)
    name, description = (visible(redact(sound(one_line(text, LONGEST_DESCRIPTION)))) for text in (note.name, note.description))
    stem = PurePosixPath(note.path).stem
    named = f"{name}: " if name and name.casefold() != stem.casefold() else ""
    return f"{candidate.label} [{kind_of(note)}, {days} {'day' if days == 1 else 'days'} old] {named}{description or note.hint}".rstrip()
