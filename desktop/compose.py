"""Builds the Qt-free services once, for the window and for the terminal. Resolves the project once and passes it on as a value.

Holds no behaviour: what things do stands in the layers below. Blocking (it makes folders and reads settings): call it off the GUI thread
or before the window is shown.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.clock import Clock, SystemClock
from desktop.base.errors import StorageError, UsageError
from desktop.base.git_branch import git_branch
from desktop.base.loading import large_reading
from desktop.base.logs import setup_logging
from desktop.base.paths import AppPaths, ensure_private_dir, resolve_paths
from desktop.base.phrases import say
from desktop.memory.folder_keys import FolderKeys
from desktop.memory.identity import Project, ensure_project, list_projects, placement, resolve_project
from desktop.memory.memories import Memories
from desktop.memory.relink import Candidate, find_moved
from desktop.memory.search import MemorySearch
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState, memory_state
from desktop.permissions.access import Mode
from desktop.providers.base import DumpRequest, Model
from desktop.providers.dump import RequestDumper
from desktop.providers.no_model import NoModel
from desktop.providers.registry import ProviderContext, default_model_id, make_model
from desktop.providers.request_log import RequestLog
from desktop.search.encoder import Encoder
from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.index import SessionSearch
from desktop.sessions.running import recover
from desktop.sessions.store import SessionHandle, SessionStore, SessionSummary
from desktop.settings.secrets import SecretStore
from desktop.settings.store import SettingsStore

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says, for both roots.

    Attributes:
        profile_dir: absolute folder below which everything is stored, or None.
        model: model id that beats the settings, or None.
        dump_requests: folder for request dumps, or None.
        log_filter: topics for the log, or None.
        environ: the environment.
        headless: no window: background extraction is off.
    """

    profile_dir: str | None = None
    model: str | None = None
    dump_requests: Path | None = None
    log_filter: str | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    headless: bool = False


@dataclass(frozen=True, slots=True)
class Workspace:
    """An opened folder: its project, its settings and the person's view of its memory.

    Attributes:
        moved: memory that seems to be this folder's from before it was renamed or moved, for the person to decide.
    """

    folder: Path
    project: Project
    store: MemoryStore
    settings: SettingsStore
    environ: Mapping[str, str]
    memories: Memories
    moved: tuple[Candidate, ...] = ()

    def memory_state(self, session_enabled: bool | None = None) -> MemoryState:
        """The switches as they hold now for a new session, or for one whose own value is given."""
        return memory_state(self.settings, self.project, session_enabled=session_enabled, environ=self.environ)

    def allow_workspace_memory(self, content_digest: str) -> None:
        """The person looked at the folder's own memory file and allowed this content to be loaded. Blocking.

        Raises:
            StorageError: it cannot be remembered.
        """
        self.memories.allow_workspace(content_digest)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything below the two roots.

    Attributes:
        requests: the last requests as they were sent, for the inspector; in a terminal none are kept.
        all_sessions: our sessions and those of other tools, to be read.
    """

    options: Options
    paths: AppPaths
    settings: SettingsStore
    secrets: SecretStore
    sessions: SessionStore
    providers: ProviderContext
    clock: Clock
    environ: Mapping[str, str]
    memory_search: MemorySearch
    session_search: SessionSearch
    requests: RequestLog
    all_sessions: AllSessions
    _swept: set[str] = field(default_factory=set)

    def open_workspace(self, folder: Path) -> Workspace:
        """Resolve the project of `folder` and make its memory folder ahead (a failure is logged; the first write shows it).

        Raises:
            UsageError: not a folder, or not readable.
        """
        settings = self.settings.for_workspace(folder)
        placed = placement(self.environ, str(settings.value("memory.directory")), Path.home())
        strategy = str(settings.value("memory.identity"))
        project = resolve_project(folder, self.paths, strategy=strategy, memory_dir=placed.memory_dir, base=placed.base)
        workspace = self._workspace(folder.resolve(), project, settings)
        if workspace.memory_state().enabled:
            try:
                opened = ensure_project(project, self.clock)
            except StorageError as error:
                log.warning("the memory folder could not be made ahead: %s", error)
            else:
                if opened != project:  # the repository has an id of its own from now on
                    workspace = self._workspace(workspace.folder, opened, settings)
            workspace = replace(workspace, moved=find_moved(workspace.project, self.paths))
            workspace.memories.prepare()
        self._sweep(workspace)
        return workspace

    def _sweep(self, workspace: Workspace) -> None:
        """Throw away old versions and trash in the background, once a process and project."""
        key = workspace.project.key
        if key not in self._swept:
            self._swept.add(key)
            threading.Thread(target=workspace.memories.sweep, name="memory-sweep", daemon=True).start()

    def _workspace(self, folder: Path, project: Project, settings: SettingsStore) -> Workspace:
        def state() -> MemoryState:
            return memory_state(settings, project, environ=self.environ)

        memories = Memories(project, folder, self.paths, self.clock, state, settings=settings, environ=self.environ)
        self.memory_search.follow(memories)
        return Workspace(folder, project, memories.store(), settings, self.environ, memories)

    def model_id(self, model_id: str | None = None) -> str:
        """The model to use: the one named, the command line's, else the settings' default."""
        return model_id or self.options.model or default_model_id(self.providers)

    def make_model(self, model_id: str | None = None, *, private: bool = False) -> Model:
        """The model of that id; `private`: its requests are neither dumped nor kept for the inspector, for an incognito chat.

        Raises:
            UsageError: an unknown model.
            NotFoundError: an embedded one that is not installed.
        """
        return make_model(self.model_id(model_id), replace(self.providers, dump=None) if private else self.providers)

    def new_session(
        self,
        workspace: Workspace,
        *,
        model_id: str | None = None,
        mode: Mode | None = None,
        incognito: bool = False,
        reads_memory: bool = True,
        model: Model | None = None,
        parent: str = "",
    ) -> AgentSession:
        """A session that is written to disk with its first message; its memory value is the switches' present one.

        Args:
            incognito: it is never written anywhere, and neither are its requests; fixed for its life.
            reads_memory: whether an incognito one sees memory.
            model: one that is made already; None: the one of `model_id`.
            parent: the session that it goes on from.
        """
        model = model or self.make_model(model_id, private=incognito)
        enabled = workspace.memory_state().enabled
        where = {"project_key": workspace.project.key, "workspace": workspace.folder, "model": model.info.id}
        handle: SessionHandle
        if incognito:
            handle = self.sessions.create_incognito(**where, memory_enabled=enabled and reads_memory, reads_memory=reads_memory)  # type: ignore[arg-type]
        else:
            branch = git_branch(workspace.folder)
            handle = self.sessions.create(**where, memory_enabled=enabled, branch=branch, parent=parent)  # type: ignore[arg-type]
        return self._session(handle, workspace, model, mode)

    def resume(
        self,
        session_id: str,
        *,
        model_id: str | None = None,
        mode: Mode | None = None,
        model: Model | None = None,
        workspace: Workspace | None = None,
    ) -> AgentSession:
        """Open a stored session in the folder and the project that are stored with it; one of another tool is gone on with in a new one.

        Args:
            model: one that is made already.
            workspace: where a session of another tool goes on when its own folder is not there.

        Raises:
            NotFoundError: no such session.
            StorageError: it is open elsewhere.
            UsageError: its folder is gone, or the model that held it.
        """
        if is_foreign(session_id):
            found = self.all_sessions.find(session_id)
            here = workspace if workspace is not None and not Path(found.workspace or "-").is_dir() else self._workspace_of(found)
            session = self.new_session(here, model_id=model_id, mode=mode, model=model, parent=session_id)
            session.handle.set_meta("generated_title", found.title)
            return session
        summary = self.sessions.find(session_id)
        handle = self.sessions.open(session_id)
        try:
            workspace = self._workspace_of(summary)
            model = model or self._model_for(model_id or self.options.model, summary.model)
            recover(handle, self.clock)
            return self._session(handle, workspace, model, mode)
        except BaseException:
            handle.close()
            raise

    def command_session(self, workspace: Workspace, *, incognito: bool = False, reads_memory: bool = True) -> AgentSession:
        """A session that is only asked commands: no model is looked for, made or asked (UI-05), and nothing of it is stored."""
        model = NoModel(self.model_id())
        return self.new_session(workspace, incognito=incognito, reads_memory=reads_memory, model=model)

    def _model_for(self, chosen: str | None, stored: str) -> Model:
        """The chosen model of a resumed session, else the one that held it."""
        try:
            return self.make_model(chosen or stored or None)
        except UsageError as error:
            if chosen or not stored:
                raise
            message = say("The model of this session cannot be used. {reason}", reason=error.message)
            raise UsageError(message, hint=say("Resume it with another one: --model MODEL."), detail=error.text()) from error

    def _workspace_of(self, summary: SessionSummary) -> Workspace:
        """The session's folder; a transcript without a sound header is known by the project that it lies in."""
        known = next((project for project in list_projects(self.paths) if project.key == summary.project_key), None)
        stored = summary.workspace or (known.source if known else "")
        if not stored or not Path(stored).is_dir():
            raise UsageError(
                say("The folder of this session, {folder}, is not there.", folder=stored or say("(unknown)")),
                hint=say("Put it back, or read the session into a new one.")
                if summary.source == "keepsake"
                else say("Go on with it in another folder: --workspace DIR, or open one first."),
            )
        workspace = self.open_workspace(Path(stored))
        if known is None or known.key == workspace.project.key:
            return workspace
        # It was held in another project, say before the folder came into a repository: its identity is the stored one (ST-07).
        placed = workspace.project.placement
        project = replace(known, folder=workspace.folder, memory_root=placed.memory_root(known.home), placement=placed)
        return self._workspace(workspace.folder, project, workspace.settings)

    def _session(self, handle: SessionHandle, workspace: Workspace, model: Model, mode: Mode | None) -> AgentSession:
        _load_agent()
        from desktop.agent.session import AgentSession, SessionServices

        services = SessionServices(
            self.paths,
            workspace.settings,
            self.sessions,
            self.clock,
            self.environ,
            headless=self.options.headless,
            memory_search=self.memory_search,
            session_search=self.session_search,
            all_sessions=self.all_sessions,
        )
        chosen: Mode = mode or workspace.settings.value("agent.mode")
        return AgentSession(services, handle=handle, workspace=workspace.folder, project=workspace.project, model=model, mode=chosen)


def _load_agent() -> None:
    """The turn, its tools and its background work, a fifth of all imports: for the first session, not for the first picture.

    No collection meets it half done. What lives is not taken out of later ones: a window may be among it, and would stay for good.
    """
    if "desktop.agent.session" not in sys.modules:
        with large_reading():
            import desktop.agent.session  # noqa: F401


def build_services(options: Options, clock: Clock | None = None) -> Services:
    """The services of one process.

    Raises:
        UsageError: a relative profile folder.
        StorageError: the data folder cannot be made or written.
    """
    clock = clock or SystemClock()
    paths = resolve_paths(options.profile_dir, options.environ)
    ensure_private_dir(paths.data)
    setup_logging(paths.logs, options.log_filter)
    settings = SettingsStore(paths, clock=clock)
    settings.load()
    secrets = SecretStore(paths, settings, options.environ)
    requests = RequestLog(clock, RequestDumper(options.dump_requests, clock) if options.dump_requests else None)
    dump: DumpRequest | None = requests if options.dump_requests or not options.headless else None
    providers = ProviderContext(paths, settings, secrets, options.environ, clock, dump)
    encoder = _encoder(settings, paths, options.environ)
    sessions = SessionStore(paths, clock)
    everything = AllSessions(sessions, _foreign(settings, paths, options.environ))
    memory_search = MemorySearch(paths, clock, encoder=encoder)
    session_search = SessionSearch(sessions, paths, encoder=encoder, foreign=everything.foreign)
    return Services(
        options, paths, settings, secrets, sessions, providers, clock, options.environ, memory_search, session_search, requests, everything
    )


def _foreign(settings: SettingsStore, paths: AppPaths, environ: Mapping[str, str]) -> ForeignSessions:
    """The sessions of other tools: found in the places of this person's home, as the settings have it at that moment."""

    def places() -> list[Path]:
        from desktop.sessions.importers.places import standard_places, workspace_places

        home = environ.get("HOME") or environ.get("USERPROFILE")
        found = standard_places(Path(home), environ) if home else []
        for project in list_projects(paths):  # some tools keep their history in the folder that they work in
            found += workspace_places(project.folder) if project.source else []
        return [place.path for place in found]

    keys = FolderKeys(paths, lambda: str(settings.value("memory.identity")))
    return ForeignSessions(
        paths.cache / "foreign-sessions.json",
        paths.state / "named-transcripts.json",
        places,
        keys,
        lambda: bool(settings.value("sessions.other_tools")),
    )


def _encoder(settings: SettingsStore, paths: AppPaths, environ: Mapping[str, str]) -> Callable[[], Encoder | None]:
    """The encoder of search as it is chosen at that moment; its module and weights are loaded by the first search."""

    def chosen() -> Encoder | None:
        from desktop.providers.encoders import chosen_encoder

        return chosen_encoder(settings, paths, environ)

    return chosen
