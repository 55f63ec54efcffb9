"""What the Search view asks of the services, as plain functions for worker threads: searching, and the jobs that keep the indexes in step.

No Qt but its translations. Blocking.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.words import CJK
from desktop.bridge.indexer import Job, Report, Stopped
from desktop.bridge.spoken import spoken
from desktop.memory.identity import keys_of, list_projects
from desktop.memory.note import count_notes
from desktop.memory.roots import PROJECT
from desktop.sessions.found import OWN
from desktop.ui.search.query import SearchQuery
from desktop.ui.search.results import (
    FoundMemory,
    FoundMessage,
    MemoryPlace,
    Results,
    SessionPlace,
    first_marked,
    memory_rows,
    results_of,
    session_rows,
)
from desktop.ui.sessions.facts import source_name

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.memory.memories import Memories
    from desktop.memory.search import MemoryHit
    from desktop.sessions.found import SessionHit

translate = QCoreApplication.translate
FIRST, MOST = 20, 50
"""Hits of each source that are asked for at once, and when the person asks for more (the services give no more)."""
FILTERED = 30
"""Files that the filter box shows for what stands in them, beside those whose headers fit."""
LONGEST = 1_000
"""Characters of a query that are searched for; a pasted page is no question."""
_UNFINISHED = re.compile(rf"(?:(?![{CJK}])[^\W_]){{3,}}$")


def typed(text: str) -> str:
    """What is asked while somebody types: the last word may go on."""
    text = text[:LONGEST]
    return f"{text}*" if _UNFINISHED.search(text[-60:]) else text


@dataclass(frozen=True, slots=True)
class Question:
    """A query, where it is asked, and how much is wanted.

    Attributes:
        ready: the index of memory was looked through once; before, only sessions are searched.
    """

    query: SearchQuery
    workspace: Workspace
    limit: int = FIRST
    ready: bool = True


def find(services: Services, question: Question) -> Results:
    """The rows for a question.

    Raises:
        KeepsakeError: it cannot be searched.
    """
    query, limit = question.query, question.limit
    groups, notes = [], list[str]()
    counts = [0, 0]
    if query.memory and question.ready:
        rows, found, said = _memory(services, question)
        groups.append(rows)
        notes += said
        counts[0] = found
    if query.sessions:
        rows, found, said = _sessions(services, question)
        groups.append(rows)
        notes += said
        counts[1] = found
    return results_of(query, groups, notes=map(spoken, notes), more=max(counts) >= limit, limit=limit, more_text=lambda: _more(limit))


def _more(limit: int) -> str:
    if limit >= MOST:
        return translate("SearchResults", "Only the best are shown: another word narrows it down")
    return translate("SearchResults", "More…")


def _looks(memories: Memories) -> bool:
    """While memory is off nothing is read in the background: a search of the person's looks at the files itself."""
    return not memories.state().enabled


def _memory(services: Services, question: Question) -> tuple[list, int, Sequence[str]]:  # type: ignore[type-arg]
    memories = question.workspace.memories
    found = services.memory_search.search(
        memories,
        typed(question.query.text),
        reach="everywhere" if question.query.everywhere else "folder",
        type=question.query.type or None,
        limit=question.limit,
        reconcile=_looks(memories),
    )
    own = set(keys_of(memories.project))
    strange = {hit.scope_id for hit in found.hits if hit.scope == "projects"} - own
    labels = {project.key: project.label for project in list_projects(services.paths)} if strange else {}
    roots = {root.id: "" if root.id == PROJECT else spoken(root.label) for root in memories.roots}

    def made(hit: MemoryHit) -> FoundMemory:
        other = hit.scope_id if hit.scope_id in strange else ""
        place = MemoryPlace(
            "" if other else hit.root_id, hit.path, other, str(hit.absolute), hit.line, first_marked(hit.snippet, hit.marks)
        )  # fmt: skip
        label = labels.get(other, other) if other else roots.get(hit.root_id, hit.root_id)
        return FoundMemory(place, hit.name, label, hit.snippet, hit.marks, hit.type, hit.modified, hit.score, spoken(hit.why))

    return memory_rows([made(hit) for hit in found.hits], translate("SearchResults", "Memory")), len(found.hits), found.notes


def _sessions(services: Services, question: Question) -> tuple[list, int, Sequence[str]]:  # type: ignore[type-arg]
    project = question.workspace.memories.project
    keys = None if question.query.everywhere else keys_of(project)
    found = services.session_search.search(typed(question.query.text), project_key=keys, limit=question.limit, reconcile=False, whose="all")
    own = set(keys_of(project))
    strange = {hit.project_key for hit in found.hits} - own
    labels = {one.key: one.label for one in list_projects(services.paths)} if strange else {}

    def made(hit: SessionHit) -> FoundMessage:
        place = SessionPlace(hit.session_id, hit.message_id, hit.number, first_marked(hit.snippet, hit.marks))
        label = labels.get(hit.project_key, "") if hit.project_key in strange else ""
        if hit.source != OWN:
            label = " · ".join(filter(None, (source_name(hit.source), label or (hit.workspace if hit.project_key in strange else ""))))
        return FoundMessage(place, hit.title, label, hit.snippet, hit.marks, hit.role, hit.time, hit.score, spoken(hit.why))

    return session_rows([made(hit) for hit in found.hits], translate("SearchResults", "Sessions")), len(found.hits), found.notes


def content_hits(services: Services, workspace: Workspace, text: str) -> dict[tuple[str, str], tuple[str, tuple[tuple[int, int], ...]]]:
    """(root id, path) → snippet and marks of the files in which something stands; for the filter box of the memory view."""
    found = services.memory_search.search(
        workspace.memories, typed(text), reach="folder", limit=FILTERED, reconcile=_looks(workspace.memories), dense=False
    )  # fmt: skip
    hits: dict[tuple[str, str], tuple[str, tuple[tuple[int, int], ...]]] = {}
    for hit in found.hits:
        hits.setdefault((hit.root_id, hit.path), (hit.snippet, hit.marks))
    return hits


# jobs of the background


def memory_job(services: Services, workspace: Workspace, *, everywhere: bool = False) -> Job:
    """Brings the index of memory in step; gives the number of documents that changed. Does nothing while memory is off."""

    def job(stopped: Stopped, report: Report) -> int:
        memories, search = workspace.memories, services.memory_search
        if not memories.state().enabled:
            return 0
        total = sum(count_notes(root.folder) for root in memories.roots)
        done = search.reconcile(memories, stopped=stopped, progress=lambda count: report(count, max(count, total)))
        if everywhere and not stopped():
            done += search.reconcile_others(memories, stopped=stopped, progress=lambda count: report(count, 0))
        return done

    return job


def sessions_job(services: Services, keys: Iterable[str] | None) -> Job:
    """Brings the index of the sessions of these projects (None: of all) in step, ours before those of other tools; gives the number of
    sessions that changed."""

    def job(stopped: Stopped, report: Report) -> int:
        search = services.session_search
        wanted: list[str | None] = [None] if keys is None else list(keys)
        own = sum(search.reconcile(project_key=key, stopped=stopped, progress=report) for key in wanted if not stopped())
        others = [key for key in wanted if key is not None] if keys is not None else None
        return own + (0 if stopped() else search.reconcile_others(project_keys=others, stopped=stopped, progress=report))

    return job


def encode_job(encode: Callable[..., int]) -> Job:
    """Makes vectors that are missing; gives how many, and whether it was told to stop before the end."""

    def job(stopped: Stopped, report: Report) -> tuple[int, bool]:
        return encode(stopped, progress=report), stopped()

    return job


def purge_job(services: Services) -> Job:
    """Deletes both indexes: they are made anew from the files."""

    def job(stopped: Stopped, report: Report) -> int:
        services.memory_search.forget()
        services.session_search.purge()
        return 0

    return job
