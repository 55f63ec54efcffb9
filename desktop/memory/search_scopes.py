"""What a search of memory may see: scopes and types by name, and the roots that they mean here (FT-06, FT-09, W-14).

Without a scope that is this project, the person's own memory and the workspace file: never another project's. Reads names of projects
only. Blocking, any thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.errors import RefusedError, UsageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.foreign import TOOLS
from desktop.memory.identity import Project, keys_of, list_projects, read_project_file
from desktop.memory.memories import Memories
from desktop.memory.roots import GLOBAL, MemoryRoot, project_root
from desktop.memory.search_source import scope_of

CLAUDE = "cc"
FOREIGN = {CLAUDE if tool == "claude-code" else tool: label for tool, label in TOOLS.items()}
SCOPES = (GLOBAL, "projects", "sessions", "workspace", "agents", "team", *FOREIGN)
DEFAULT = ("projects", GLOBAL, "workspace")
EMPTY = ("sessions", "agents", "team")
"""Scopes of kinds of memory that nothing is kept in yet."""

TOPICS = ("user", "feedback", "project", "reference")
TYPES = (*TOPICS, "topic", "memory", "checkpoint", "progress", "notes", "session-notes", "free")
_SAME = {"topic": TOPICS, "session-notes": ("notes",), "free": ("memory",)}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched.

    Attributes:
        scoped: scope name and root.
        ids: root key → what is shown as its scope_id.
        notes: for the person: what is not searched, and why.
    """

    scoped: tuple[tuple[str, MemoryRoot], ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def roots(self) -> tuple[MemoryRoot, ...]:
        return tuple(root for _, root in self.scoped)


def kinds_of(name: str | None) -> frozenset[str] | None:
    """The kinds of documents that a type means; None: any.

    Raises:
        UsageError: there is no such type.
    """
    if name is None:
        return None
    if name not in TYPES:
        raise UsageError(
            say("There is no type of memory “{name}”.", name=name[:80]), hint=say("Use one of {names}.", names=", ".join(TYPES))
        )
    return frozenset(_SAME.get(name, (name,)))


def wanted_roots(memories: Memories, scope: str | None, scope_id: str | None, *, for_model: bool = False) -> Wanted:
    """The roots that a scope means for whoever has these memories.

    Raises:
        UsageError: there is no such scope or project.
        RefusedError: a model asks for another project whose memory is switched off.
    """
    if scope is not None and scope not in (*SCOPES, *TOOLS):
        raise UsageError(say("There is no scope “{name}”.", name=scope[:80]), hint=say("Use one of {names}.", names=", ".join(SCOPES)))
    if scope in EMPTY:
        return Wanted(notes=(say("Nothing is remembered under “{scope}” yet.", scope=scope),))
    mine = memories.project.key
    other = other_root(memories, scope, scope_id)
    if other is not None:
        return _other(other_project(memories.trust.paths, other.key), for_model=for_model)
    if scope in FOREIGN or scope in TOOLS:
        return _foreign(memories, CLAUDE if scope == "claude-code" else str(scope))
    scopes = DEFAULT if scope is None and not scope_id else ("projects",) if scope is None else (scope,)
    scoped = tuple((name, root) for root in memories.own_roots if (name := scope_of(root)) in scopes)
    return Wanted(scoped, tuple((root.key, "" if name == GLOBAL else mine) for name, root in scoped))


def reached_roots(memories: Memories, *, everywhere: bool) -> Wanted:
    """For a person who searches: every root of the opened folder, other tools' that are on too; `everywhere`: all projects beside it."""
    mine = memories.project
    scoped = [(scope_of(root), root) for root in memories.roots]
    ids = [(root.key, "" if name == GLOBAL else mine.key) for name, root in scoped]
    for root in other_roots(memories) if everywhere else ():
        scoped.append(("projects", root))
        ids.append((root.key, root.key))
    return Wanted(tuple(scoped), tuple(ids))


def other_roots(memories: Memories) -> tuple[MemoryRoot, ...]:
    """The own roots of all other projects of the profile."""
    known = {root.key for root in memories.roots} | set(keys_of(memories.project))
    return tuple(project_root(project) for project in list_projects(memories.trust.paths) if project.key not in known)


def _foreign(memories: Memories, scope: str) -> Wanted:
    scoped = tuple((scope, root) for root in memories.roots if root.kind == "foreign" and scope_of(root) == scope)
    if scoped:
        return Wanted(scoped, tuple((root.key, memories.project.key) for _, root in scoped))
    there = any(scope_of(root) == scope for root in memories.found())
    label = FOREIGN[scope]
    if there:
        note = say("{tool} has memory of this project, which is not searched: the setting memory.foreign turns it on.", tool=label)
    else:
        note = say("There is no memory of {tool} for this project.", tool=label)
    return Wanted(notes=(note,))


def other_root(memories: Memories, scope: str | None, scope_id: str | None) -> MemoryRoot | None:
    """The root of another project that a search would look into; None when it stays in this one.

    Raises:
        UsageError: there is no such project.
    """
    if scope not in (None, "projects") or not scope_id or scope_id in keys_of(memories.project):
        return None
    return project_root(other_project(memories.trust.paths, scope_id))


def other_project(paths: AppPaths, key: str) -> Project:
    """A project of this profile by its key, or by one that it had before.

    Raises:
        UsageError: there is none.
    """
    projects = list_projects(paths)
    found = next((one for one in projects if one.key == key), None) or next((one for one in projects if key in keys_of(one)), None)
    if found is None:
        raise UsageError(
            say("There is no project “{key}”.", key=key[:120]), hint=say("“keepsake memory projects” shows those that have memory.")
        )
    return found


def _other(project: Project, *, for_model: bool) -> Wanted:
    if for_model and read_project_file(project).switch is False:
        raise RefusedError(say("Memory is switched off in the project {name}.", name=project.label))
    return Wanted((("projects", project_root(project)),), ((project.key, project.key),))
