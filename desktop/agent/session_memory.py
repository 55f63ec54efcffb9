"""Memory as one open session has it: its switches, its roots and stores, what guards them, and what the person is told about them.

Owns the session's value of the switches (UI-02) and what was said once. Loads nothing into a prompt itself (`agent.memory_view` does) and
runs no turn. Asyncio thread, but for what says that it blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.agent.ask import Emit
from desktop.agent.jobs.prose import holds_foreign_text, is_persons
from desktop.agent.memory_view import MemoryView, Shown, dropped_names
from desktop.agent.recalled import loaded_note
from desktop.base.clock import Clock
from desktop.base.paths import AppPaths
from desktop.base.phrases import listed, say
from desktop.memory.bracket import RootBracket
from desktop.memory.identity import Project, read_project_file
from desktop.memory.memories import Memories
from desktop.memory.roots import PROJECT
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState, memory_state
from desktop.memory.workspace_trust import WorkspaceFile
from desktop.messages.events import MemoryLoaded, Notice
from desktop.messages.parts import Message
from desktop.sessions.store import SessionHandle
from desktop.settings.store import SettingsStore
from desktop.tools.base import ReadState, Said, ToolContext, meaning_of

if TYPE_CHECKING:
    from desktop.memory.keeping import Keep

TRUSTED_TOOLS = frozenset({"Write", "Edit", "memory_index"})
"""Tools whose results hold nothing but what the model itself wrote."""

LONGEST_SAID = 20_000
"""Characters of one of them: nobody types more."""
MOST_SAID = 60
"""Messages of the person that are looked at for the sentence behind a memory of the main agent."""

SEARCH_TOOL = "memory_search"
INCOGNITO = say(
    "This chat is incognito: it writes nothing to memory. Tell the person that it was not saved, and do not write it elsewhere."
)


class SessionMemory:
    """The memory of one session.

    Attributes:
        memories: its roots and stores; their switches are this session's.
        store: the project's store.
        state: the switches as they held when the session was opened or they were last applied.
        loaded: the note of what was told of as loaded last, until an answer takes it.
    """

    def __init__(
        self,
        paths: AppPaths,
        settings: SettingsStore,
        clock: Clock,
        environ: Mapping[str, str],
        *,
        handle: SessionHandle,
        workspace: Path,
        project: Project,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._environ = environ
        self._handle = handle
        self._workspace = workspace
        self._project = project
        self._enabled: bool | None = bool(handle.meta.get("memory_enabled", handle.header.memory_enabled))
        self._said: set[str] = set()
        self.loaded: list[dict[str, Any]] = []
        self.state = self._present()
        self.memories = Memories(project, workspace, paths, clock, self.now, settings=settings, environ=environ)
        self.store: MemoryStore = self.memories.store()
        self._bracket: RootBracket | None = None

    # switches

    def _present(self, *, workspace_switch: bool = True) -> MemoryState:
        return memory_state(
            self._settings,
            self._project,
            session_enabled=self._enabled,
            environ=self._environ,
            workspace_switch=workspace_switch,
        )

    def now(self) -> MemoryState:
        """The switches as they hold for this session now.

        What was tightened since it was opened holds, but for the workspace switch: an open session keeps its value until `apply`. Nothing
        that was loosened since turns memory on in a session that was opened without.
        """
        present = self._present(workspace_switch=not self.state.enabled)
        if not self.state.enabled and present.enabled:
            return self.state
        return self._incognito(present)

    def _incognito(self, state: MemoryState) -> MemoryState:
        """An incognito chat writes nothing, whatever the switches say (UI-14)."""
        if not self._handle.incognito or not state.enabled:
            return state
        return replace(state, write=False, write_reason=INCOGNITO, extraction="off", switch="incognito")

    def apply(self) -> MemoryState:
        """Let the present switches hold here too. Both ways, and kept with the session. An incognito one stays as it was made."""
        if self._handle.incognito:
            return self.now()
        self._enabled = None
        self.state = self._present()
        self._enabled = self.state.enabled
        self._handle.set_meta("memory_enabled", self.state.enabled)
        return self.state

    # tools

    def tool_context(
        self,
        *,
        actor: str,
        read_state: ReadState,
        message_id: str,
        emit: Callable[[str], None],
        untrusted: bool,
        keep: Keep | None = None,
        said: tuple[Said, ...] = (),
    ) -> ToolContext:
        """What a call may use. Roots and bracket are given whether memory is on or off: off means that nothing in them changes.

        Args:
            keep: of the memory keeper only, see `ToolContext`.
        """
        state = self.now()
        enabled = state.enabled
        return ToolContext(
            workspace=self._workspace,
            cwd=self._workspace,
            memory=self.store if enabled else None,
            memory_root=self.store.root if enabled else None,
            read_state=read_state,
            actor=actor,
            session_id=self._handle.id,
            message_id=message_id,
            clock=self._clock,
            environ=self._environ,
            emit=emit,
            memories=self.memories,
            bracket=self.bracket,
            untrusted=untrusted,
            proposals=self.memories.proposals,
            keep=keep,
            said=said,
            review=keep is not None and state.extraction != "auto",
        )

    @property
    def bracket(self) -> RootBracket:
        """One for the session: what is looked at before a command is compared after it."""
        if self._bracket is None:
            self._bracket = RootBracket(self.memories.own(), private=self._handle.incognito)
        return self._bracket

    def readable(self, tool: str = "") -> tuple[Path, ...]:
        """Folders of memory that a tool reads without a question; none while memory is off.

        Other tools' memory that is on is searched freely (FT-11); to read its files is asked like any other place.
        """
        roots = self.memories.roots if tool == SEARCH_TOOL else self.memories.own_roots
        return tuple(root.folder for root in roots) if self.now().enabled else ()

    # what the person is told

    def tell(self, view: MemoryView | None, read_state: ReadState, emit: Emit) -> None:
        """Say what was loaded, cut, unreadable or held back; what was shown whole counts as read."""
        if view is not None:
            report = view.report()
            emit(MemoryLoaded(report))
            note = loaded_note(report)
            self.loaded[:] = [note] if note.get("entries") else []
            for one in view.shown:
                _tell_root(one, emit)
                _seen(one, read_state)
            if view.workspace is not None:
                self._tell_workspace(view.workspace, emit)
        stored = read_project_file(self._project)
        if not stored.readable:
            text = say("Agents write no memory here: {problem} Setting the workspace-memory switch decides it.", problem=stored.problem)
            emit(Notice("warning", "memory.project_unreadable", text, {"message": stored.problem}))

    def seen(self, view: MemoryView | None, read_state: ReadState) -> None:
        """What the slots show whole counts as read."""
        for one in view.shown if view is not None else ():
            _seen(one, read_state)

    def workspace_allowed(self, view: MemoryView, file: WorkspaceFile, emit: Emit) -> bool:
        """Whether the person allowed the workspace file since it was held back; says when it became another one.

        A layout that leaves the file out asks nobody about it.
        """
        if view.workspace is None:
            return False
        self._tell_workspace(file, emit)
        return file.state == "trusted" and view.workspace.state == "untrusted"

    def _tell_workspace(self, file: WorkspaceFile, emit: Emit) -> None:
        """The workspace file that is not loaded: once for each content."""
        if file.state in ("missing", "trusted") or (key := f"{file.state}:{file.digest}{file.problem}") in self._said:
            return
        self._said.add(key)
        data = {"path": str(file.path), "digest": file.digest, "size": file.size}
        if file.state == "untrusted":
            text = say(
                "This folder brings a memory file of its own, {path} ({size:,} bytes), which is not loaded until you have looked at it and "
                "allowed it.",
                path=file.path,
                size=file.size,
            )
            emit(Notice("warning", "memory.workspace_untrusted", text, data))
            return
        text = say("The folder's memory file is not loaded. {problem}", problem=file.problem)
        emit(Notice("warning", "memory.workspace_refused", text, data | {"message": file.problem}))


def _tell_root(one: Shown, emit: Emit) -> None:
    """W-19: a root that could not be read, or was loaded in part."""
    loaded = one.loaded
    values: dict[str, object] = {"root": one.root.id, "path": str(loaded.path)}
    if loaded.state == "error" or loaded.error:
        values["message"] = loaded.error or ""
        if one.root.id == PROJECT:
            text = say("The memory index {path} could not be read: {reason}", path=loaded.path, reason=loaded.error or "")
            emit(Notice("warning", "memory.index_unreadable", text, values))
        else:
            text = say("The memory {path} could not be read: {reason}", path=loaded.path, reason=loaded.error or "")
            emit(Notice("warning", "memory.root_unreadable", text, values))
    elif loaded.truncated:
        _tell_cut(one, values | {"limit": loaded.limit, "dropped": list(loaded.dropped)}, emit)


def _tell_cut(one: Shown, values: dict[str, object], emit: Emit) -> None:
    loaded = one.loaded
    limit, names = limit_names(loaded.limit), dropped_names(loaded.dropped)
    if one.root.id != PROJECT:
        text = say("The memory {path} is over its limit ({limit}); not loaded: {dropped}", path=loaded.path, limit=limit, dropped=names)
        emit(Notice("warning", "memory.root_cut", text, values))
        return
    text = say("The memory index is over its limit ({limit}); not loaded: {dropped}", limit=limit, dropped=names)
    if not loaded.dropped:
        text = say("The memory index is over its limit ({limit}); long lines were shortened.", limit=limit)
    emit(Notice("warning", "memory.index_cut", text, values))


def _seen(one: Shown, read_state: ReadState) -> None:
    if one.loaded.whole and one.loaded.raw_digest:
        meaning = None if one.root.profile == "sections" else meaning_of(one.loaded.source)
        read_state.saw(Path(one.loaded.path), one.loaded.raw_digest, meaning)


def limit_names(exceeded: str | None) -> str:
    """The names of the limits that an index is over, as `LoadedIndex.limit` has them."""
    units = {"lines": say("lines"), "bytes": say("bytes"), "tokens": say("tokens")}
    return listed(units.get(name, name) for name in (exceeded or "").split(", "))


def untrusted_text_in(messages: Sequence[Message]) -> bool:
    """Whether text that neither the person nor the model wrote is in the window: files, command output, other sessions, and what the person
    pasted or quoted (S11)."""
    return any(_brings_text(message) for message in messages) or any(holds_foreign_text(message) for message in messages)


def said_by_person(messages: Sequence[Message]) -> tuple[Said, ...]:
    """The person's newest messages, oldest first: what may stand behind a memory."""
    own = [message for message in messages if is_persons(message)]
    return tuple(Said(message.id, message.text[:LONGEST_SAID]) for message in own[-MOST_SAID:])


def _brings_text(message: Message) -> bool:
    for part in message.tool_results:
        if part.name not in TRUSTED_TOOLS and part.status in ("ok", "error") and part.output.strip():
            return True
    return message.role == "user" and message.origin == "app"
