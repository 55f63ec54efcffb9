"""All memory roots of one workspace with their stores: what tools, prompt, jobs, command line and window ask for a root or its store.

Owns which rows of the table (`memory.roots`) exist here, the one store of each, and the answer to “which root does this path lie in?”.
Changes no file by itself but what a store does when it is told to `observe`. Thread-safe; blocking, so call it off the GUI thread.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.beneath import HANDLES
from desktop.base.clock import Clock
from desktop.base.confine import DEFAULT_NAMES, ProtectedNames, open_parent
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.events import Emitter
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say
from desktop.memory import foreign
from desktop.memory.identity import Project
from desktop.memory.index import IndexLimits
from desktop.memory.journal import Change
from desktop.memory.note import INDEX_NAME
from desktop.memory.proposals import Proposals
from desktop.memory.roots import PROJECT, USER, WORKSPACE, WORKSPACE_FOLDER, MemoryRoot, project_root, user_root, workspace_root
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState, Settings
from desktop.memory.workspace_trust import WorkspaceFile, WorkspaceTrust, link_problem

if TYPE_CHECKING:
    from desktop.memory.recall_read import Budget

log = logging.getLogger(__name__)
KNOWN_CHANGES = 2_000
"""Changes of the workspace file that are looked through for a text that stood there before."""


def own_roots(project: Project, workspace: Path, paths: AppPaths) -> tuple[MemoryRoot, ...]:
    """Our own rows, in the order of the prompt. A folder that serves as two roots, since the person chose it so, is the first of them."""
    rows = (project_root(project), user_root(paths), workspace_root(workspace))
    by_folder: dict[str, MemoryRoot] = {}
    for row in rows:
        by_folder.setdefault(os.path.realpath(row.folder), row)
    return tuple(by_folder.values())


class Memories:
    """The roots of one session or one opened folder.

    Attributes:
        project, workspace: whose roots these are.
        state: the switches as they hold now for whoever uses these stores.
        trust: which contents of the workspace file the person allowed.
        changed: emits root id and change of whatever one of these stores emits.
        forgotten: emits the id of a root out of which a text was purged: nothing may be remembered of it elsewhere.
    """

    def __init__(
        self,
        project: Project,
        workspace: Path,
        paths: AppPaths,
        clock: Clock,
        state: Callable[[], MemoryState],
        *,
        settings: Settings | None = None,
        environ: Mapping[str, str] | None = None,
        home: Path | None = None,
    ) -> None:
        """Args:
        settings: limits and which other tools' memory is shown; None: the defaults, and no other tool's.
        environ: where other tools' folders may have been moved to; None: none are looked for.
        home: the person's home folder, if not the environment's.
        """
        self.project = project
        self.workspace = workspace
        self.state = state
        self.trust = WorkspaceTrust(paths, clock)
        self.changed: Emitter[tuple[str, Change]] = Emitter()
        self.forgotten: Emitter[str] = Emitter()
        self._paths = paths
        self._clock = clock
        self._settings = settings
        self._environ = environ
        self._home = home
        self._lock = threading.RLock()
        self._own = own_roots(project, workspace, paths)
        self._found: tuple[MemoryRoot, ...] | None = None
        self._stores: dict[str, MemoryStore] = {}

    # the table

    @property
    def own_roots(self) -> tuple[MemoryRoot, ...]:
        """Project, user, workspace file: what this app keeps itself. A workspace folder behind a link is read-only."""
        return tuple(self._checked(root) for root in self._own)

    @property
    def roots(self) -> tuple[MemoryRoot, ...]:
        """Every root in use: our own, and other tools' that `memory.foreign` names."""
        on = self._settings.value("memory.foreign") if self._settings is not None else ()
        return self.own_roots + foreign.enabled(self.found(), on)

    def found(self, *, fresh: bool = False) -> tuple[MemoryRoot, ...]:
        """Other tools' memory of this project, on or off (`foreign.PRIVACY` says what turning it on means); `fresh` looks again."""
        with self._lock:
            if self._found is None or fresh:
                environ = self._environ
                self._found = () if environ is None else foreign.found_for(self.project, environ, self._home or foreign.home_of(environ))
            return self._found

    def root(self, root_id: str) -> MemoryRoot | None:
        """The root of that id, also another tool's that is off; None when there is none here."""
        return next((root for root in self.own_roots + self.found() if root.id == root_id), None)

    def _checked(self, root: MemoryRoot) -> MemoryRoot:
        if root.id != WORKSPACE or not link_problem(self.workspace):
            return root
        return replace(root, writers=frozenset(), policy="deny", read_only=True)

    # stores

    def store(self, root_id: str = PROJECT) -> MemoryStore:
        """The store of a root, the same one each time.

        Raises:
            NotFoundError: there is no such root here.
        """
        with self._lock:
            known = self._stores.get(root_id)
            if known is not None:
                return known
            root = self.root(root_id)
            if root is None:
                names = ", ".join(r.id for r in self.roots)
                raise NotFoundError(say("There is no memory root “{root}”.", root=root_id), hint=say("Use one of {names}.", names=names))
            store = self._stores[root_id] = MemoryStore(self.project, self._paths, self._clock, self.state, root=root, names=self.names)
            if root_id == WORKSPACE:
                store.changed.subscribe(self._keep_trusted)
            store.changed.subscribe(lambda change: self.changed.emit((root_id, change)))
            store.forgotten.subscribe(lambda _store: self.forgotten.emit(root_id))
            return store

    def proposals(self, root_id: str = PROJECT) -> Proposals:
        """The review inbox of a root, the same one each time.

        Raises:
            NotFoundError: there is no such root here.
        """
        return self.store(root_id).proposals

    def own(self) -> tuple[MemoryStore, ...]:
        """The stores of our own roots that can be written here."""
        return tuple(self.store(root.id) for root in self.own_roots if not root.read_only)

    def at(self, path: Path) -> tuple[MemoryStore, str] | None:
        """The store that an absolute path lies in and its posix path below the root (“.” for the folder itself); None elsewhere."""
        found = self.root_at(path)
        return None if found is None else (self.store(found[0].id), found[1])

    def root_at(self, path: Path) -> tuple[MemoryRoot, str] | None:
        """As `at`, for the row alone. Both the path as written and where its links lead count; the deepest root wins."""
        forms = (Path(os.path.realpath(path)), Path(os.path.normpath(path)))
        best: tuple[int, MemoryRoot, str] | None = None
        for root in self.own_roots + self.found():
            for base in dict.fromkeys((Path(os.path.realpath(root.folder)), root.folder)):
                form = next((f for f in forms if f.is_relative_to(base)), None)
                if form is not None and (best is None or len(base.parts) > best[0]):
                    best = (len(base.parts), root, form.relative_to(base).as_posix())
        return None if best is None else (best[1], best[2])

    def observe(self) -> list[Change]:
        """Journal what other programs changed below our own roots. Does nothing while memory is off. Never raises.

        While writing is off the index stays as it is.
        """
        if not self.state().enabled:
            return []
        changes: list[Change] = []
        for store in self.own():
            try:
                changes += store.observe()
            except KeepsakeError as error:
                log.warning("%s could not be looked through: %s", store.root, error.message)
        return changes

    def prepare(self) -> None:
        """What opening a folder does: finish what was left half done, make the person's own folder, look for outside changes.

        Never raises: what cannot be made is logged, and the first write shows the real error (ST-22).
        """
        try:
            user = self.root(USER)
            if user is not None:
                ensure_private_dir(user.folder)
        except KeepsakeError as error:
            log.warning("the folder of the user's memory could not be made ahead: %s", error.message)
        if self._makes_workspace_folder():
            self._make_workspace_folder()
        self.finish_left_over()
        self.observe()

    def _makes_workspace_folder(self) -> bool:
        """ST-22: `.agents/memory/` is made ahead in preset Mini only, and only in a folder that is trusted.

        That is one without a memory file, so that nobody but the person and their agent has written there, or one whose file the person
        allowed. Elsewhere the first write makes it.
        """
        settings = self._settings
        if settings is None or settings.value("memory.preset") != "mini" or settings.value("memory.layout") != "single":
            return False
        return self.state().write and self.workspace_file().state in ("missing", "trusted")

    def _make_workspace_folder(self) -> None:
        try:
            if HANDLES:
                with open_parent(self.workspace, "/".join((*WORKSPACE_FOLDER, INDEX_NAME)), create=True):
                    pass
            elif not link_problem(self.workspace):
                ensure_private_dir(self.workspace.joinpath(*WORKSPACE_FOLDER))
        except KeepsakeError as error:
            log.warning("the folder of the workspace's memory file could not be made ahead: %s", error.message)

    def sweep(self) -> int:
        """Throw away old versions and trash of our own roots whose time is over, memory itself never; how many files went. Never raises.

        Does nothing while memory is off.
        """
        gone = 0
        for store in self.own() if self.state().enabled else ():
            try:
                gone += store.sweep()
            except OSError as error:
                log.warning("old versions of %s could not be thrown away: %s", store.memory_root.key, error)
        return gone

    def finish_left_over(self) -> None:
        """Finish what a killed process left half done in any of our own roots. Never raises."""
        for store in self.own():
            store.finish_left_over()

    # what goes with them

    def layout(self) -> str:
        """Which roots go into a chat, as `memory.layout` has it: all, project, or single (the workspace file only)."""
        return "all" if self._settings is None else str(self._settings.value("memory.layout"))

    def limits(self) -> IndexLimits:
        """The bounds of a loaded index."""
        if self._settings is None:
            return IndexLimits()
        lines, size, tokens = (int(str(self._settings.value(f"memory.index_{unit}"))) for unit in ("lines", "bytes", "tokens"))
        return IndexLimits(lines, size, tokens, "head" if self._settings.value("memory.index_cut") == "head" else "newest")

    def recall_budget(self) -> Budget:
        """What of one memory a recall gives at most."""
        from desktop.memory.recall_read import Budget  # with what reads a memory for it, which no start waits for

        if self._settings is None:
            return Budget()
        return Budget(*(int(str(self._settings.value(f"memory.recall_{unit}"))) for unit in ("lines", "bytes")))

    def foreign_tools(self) -> frozenset[str]:
        """The tools whose memory is on, whether there is any of this project or not."""
        on = self._settings.value("memory.foreign") if self._settings is not None else ()
        return frozenset(map(str, on)) if isinstance(on, (list, tuple)) else frozenset()

    def search_settings(self) -> tuple[bool, float]:
        """Whether files are looked through before each search, and the share of the best score below which nothing is shown."""
        if self._settings is None:
            return True, 0.15
        floor = self._settings.value("checkpoint.score_floor")
        return self._settings.value("checkpoint.reconcile_on_search") is not False, float(str(floor))

    def names(self) -> ProtectedNames:
        """The names that no agent writes below a root (C-26)."""
        if self._settings is None:
            return DEFAULT_NAMES
        anywhere, first = (self._settings.value(f"memory.{key}") for key in ("sensitive_names", "git_words"))
        return ProtectedNames.of(*(tuple(map(str, value)) if isinstance(value, list) else () for value in (anywhere, first)))

    def workspace_file(self) -> WorkspaceFile:
        """The workspace file as it stands, and whether it may be loaded. Never raises."""
        return self.trust.look(self.workspace)

    def allow_workspace(self, content_digest: str) -> None:
        """The person allowed the workspace file with this content.

        Raises:
            StorageError: it cannot be remembered.
        """
        self.trust.allow(self.workspace, content_digest)

    def _keep_trusted(self, change: Change) -> None:
        """A change through our store keeps an allowed (or new) workspace file allowed; a stranger's text stays a stranger's, also when
        it was deleted or changed and is brought back."""
        if change.path != INDEX_NAME or change.after is None or change.origin.actor not in ("person", "main"):
            return
        if change.before is not None and not self.trust.trusted(self.workspace, change.before):
            return
        known = self.store(WORKSPACE).changes(KNOWN_CHANGES)
        if any(change.after in (one.before, one.after) for one in known if one.id != change.id):
            return  # it stood there before: what the person said of it then holds
        try:
            self.trust.allow(self.workspace, change.after)
        except KeepsakeError as error:
            log.warning("the workspace memory will be asked about again: %s", error.message)
