"""The health of all memory that a workspace sees: every root's problems with what can be done about each, and what the person passed over.

Owns the one check that window and command line share, and what it keeps between two of them. Other tools' memory is looked at and never
mended. Thread-safe; blocking, so call it off the GUI thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.loading import large_reading
from desktop.base.paths import AppPaths
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.health import KINDS, HealthCache, HealthContext, check_health
from desktop.memory.health_cut import IndexCut, index_cut
from desktop.memory.health_fix import Fixed, FixPlan, apply_fix, draft_of, fixes_for, plan_fix, take_back
from desktop.memory.health_state import HealthState
from desktop.memory.health_text import Problem
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, find_note
from desktop.memory.roots import USER, MemoryRoot
from desktop.memory.store import MemoryStore
from desktop.memory.workspace_names import WorkspaceNames

log = logging.getLogger(__name__)
LOOKED_AT = 400
"""Problems of a root whose repairs are tried on paper before they are offered; of further ones the kind alone decides."""

TRIED = ("broken-header", "relative-date", "dangling-link", "unreadable", "oversize-note", "hard-link")
"""Kinds of which a look tells what can be done."""

MANY = 2_000
"""Memories whose values are so many objects that a collection of them is felt."""

OWN = "sess_"
"""With what the ids of our own sessions begin; those of other tools are not judged."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of one root.

    Attributes:
        root: id of the root.
        label: its readable name.
        problem: the problem.
        fixes: names of what can be done, the recommended one first; empty for what another tool keeps.
        ignored: the person passed it over.
    """

    root: str
    label: str
    problem: Problem
    fixes: tuple[str, ...] = ()
    ignored: bool = False

    @property
    def id(self) -> str:
        """Names it among all roots: `<root>:<16 hex digits>`."""
        return f"{self.root}:{self.problem.id}"

    @property
    def counts(self) -> bool:
        """Whether it is one of those that the badge counts."""
        return not (self.ignored or self.problem.informative)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """What one check found.

    Attributes:
        findings: by kind, then root, then file.
        cuts: by root id: where the load of its index ends, for those that are over their limit.
        memories: how many files were looked at.
    """

    findings: tuple[Finding, ...] = ()
    cuts: tuple[tuple[str, IndexCut], ...] = ()
    memories: int = 0

    @property
    def count(self) -> int:
        """Problems that are neither passed over nor merely good to know."""
        return sum(1 for finding in self.findings if finding.counts)

    def of_kind(self, kind: str, *, ignored: bool = False) -> tuple[Finding, ...]:
        """Findings of a kind, passed-over ones only with `ignored`."""
        return tuple(one for one in self.findings if one.problem.kind == kind and (ignored or not one.ignored))


class Health:
    """The health of one opened workspace.

    Args:
        memories: its roots.
        paths: of the profile.
        clock: the time.
        sessions: gives the ids of all stored sessions, asked once a check; None: origins are not judged.
    """

    def __init__(self, memories: Memories, paths: AppPaths, clock: Clock, sessions: Callable[[], Collection[str]] | None = None) -> None:
        self._memories = memories
        self._paths = paths
        self._clock = clock
        self._sessions = sessions
        self._lock = threading.Lock()
        self._caches: dict[str, HealthCache] = {}
        self._states: dict[str, HealthState] = {}
        self._stop = threading.Event()

    def state(self, root_id: str) -> HealthState:
        """What the person said about a root's problems.

        Raises:
            NotFoundError: there is no such root.
        """
        key = self._memories.store(root_id).memory_root.key
        return self._states.setdefault(root_id, HealthState(self._paths, key, self._clock))

    def check(self, root_id: str = "") -> HealthReport:
        """Look at every root, or at one. Never raises for what is wrong in it.

        No garbage collection goes through what it makes meanwhile, nor, of many memories, through what the first look keeps: in one piece
        that would hold up the window's thread.
        """
        with self._lock, large_reading() as reading:
            first = not self._caches
            names = WorkspaceNames(self._folders())
            known = self._sessions() if self._sessions is not None else None
            roots = [root for root in self._memories.roots if root_id in ("", root.id)]
            findings: list[Finding] = []
            cuts: list[tuple[str, IndexCut]] = []
            count = 0
            for root in roots:
                store = self._memories.store(root.id)
                found = self._of_root(store, root, names, known)
                findings += found
                count += len(store.notes())
                if any(one.problem.kind == "oversize-index" for one in found):
                    cuts += [(root.id, self._cut(store))]
            reading.stays = first and count >= MANY
            order = {kind: at for at, kind in enumerate(KINDS)}
            findings.sort(key=lambda one: order.get(one.problem.kind, len(order)))
            return HealthReport(tuple(findings), tuple(cuts), count)

    def stop(self) -> None:
        """Nobody wants to know any more: a check that is under way ends soon. For good."""
        self._stop.set()

    def forget(self, root_id: str) -> None:
        """A text was purged: nothing is remembered of that root."""
        cache = self._caches.get(root_id)
        if cache is not None:
            cache.drop()

    def _folders(self) -> tuple[Path, ...]:
        """Where names are looked for: the opened folder, and the repository it belongs to."""
        project = self._memories.project
        folders = (self._memories.workspace, *((project.git_root,) if project.git_root is not None else ()))
        kept: list[Path] = []
        for folder in folders:
            if not any(folder == one or folder.is_relative_to(one) for one in kept):
                kept = [one for one in kept if not one.is_relative_to(folder)] + [folder]
        return tuple(kept)

    def _of_root(self, store: MemoryStore, root: MemoryRoot, names: WorkspaceNames, known: Collection[str] | None) -> list[Finding]:
        state = self.state(root.id)
        context = HealthContext(
            now=self._clock.now(),
            names=None if root.id == USER else names,
            limits=self._memories.limits(),
            has_session=None if root.read_only or known is None else lambda session: session in known or not session.startswith(OWN),
            confirmed=state.confirmed(),
            stopped=self._stop.is_set,
            budget=self._memories.recall_budget(),
        )
        problems = check_health(store, context, self._caches.setdefault(root.id, HealthCache()))
        ignored = state.ignored()
        if root.read_only:
            return [Finding(root.id, root.label, one, (), one.id in ignored) for one in problems if not _is_theirs(root, one)]
        draft = draft_of(store)
        now, limits = self._clock.now(), self._memories.limits()
        looked = 0
        found = []
        for problem in problems:
            looked += problem.kind in TRIED
            fixes = fixes_for(problem, draft if looked <= LOOKED_AT else None, now, limits)
            found.append(Finding(root.id, root.label, problem, fixes, problem.id in ignored))
        return found

    def _cut(self, store: MemoryStore) -> IndexCut:
        try:
            data = read_beneath(store.root, INDEX_NAME)
        except KeepsakeError as error:
            log.info("the index is not read for its cut: %s", error.message)
            return IndexCut()
        notes = store.notes()
        by_path = {note.path: note for note in notes}
        return index_cut(data, self._memories.limits(), notes, lambda target: by_path.get(target) or find_note(store.root, target))

    # mending

    def plan(self, findings: Sequence[Finding], name: str = "", *, mask: str = "") -> FixPlan:
        """What a repair of these findings, of one root, would do. Raises as `plan_fix`."""
        store = self._memories.store(findings[0].root)
        problems = [one.problem for one in findings]
        return plan_fix(store, problems, name, now=self._clock.now(), mask=mask, limits=self._memories.limits())

    def apply(self, root_id: str, plan: FixPlan, origin: ChangeOrigin) -> Fixed:
        """Make a plan of a root. Raises as `apply_fix`."""
        return apply_fix(self._memories.store(root_id), plan, origin=origin, state=self.state(root_id))

    def take_back(self, root_id: str, fixed: Fixed) -> Change | None:
        """Undo a repair. Raises as `health_fix.take_back`."""
        return take_back(self._memories.store(root_id), fixed, self.state(root_id))


def _is_theirs(root: MemoryRoot, problem: Problem) -> bool:
    """What another tool keeps in its own way is no problem of ours: it loads its own index and writes its own lines."""
    return problem.kind in ("missing-line", "inline-content", "long-line", "oversize-index", "origin-gone")
