"""One open conversation: its transcript, model, mode and memory state, and the turns and background jobs that belong to it.

Owns what the window and the terminal call. Knows nothing of either. All methods run on the asyncio thread unless they say otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from desktop.agent.ask import Emit
from desktop.agent.assembler import Assembler
from desktop.agent.beside import Beside
from desktop.agent.branches import Rewound, asked_by, is_persons, known, rewind_to
from desktop.agent.calls import Approve, CallRunner, CallServices
from desktop.agent.context_message import context_message
from desktop.agent.distil import distil_with
from desktop.agent.jobs.background import Extraction, Host
from desktop.agent.jobs.report import Report
from desktop.agent.limits import Limits
from desktop.agent.loop import Conversation, Turn, TurnServices
from desktop.agent.prepared import Prepared
from desktop.agent.rights import Rights
from desktop.agent.session_memory import SessionMemory
from desktop.agent.shielded import even_if_cancelled
from desktop.base.clock import Clock
from desktop.base.errors import UsageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.identity import Project, keys_of
from desktop.memory.memories import Memories
from desktop.memory.search import MemorySearch
from desktop.memory.switches import MemoryState
from desktop.messages.events import BranchMoved, MessageAppended, TurnEnded, TurnEvent
from desktop.messages.parts import Message
from desktop.messages.tools import ToolSpec
from desktop.permissions.access import Mode
from desktop.permissions.grants import Grants
from desktop.providers.base import Model
from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.context import ContextResult
from desktop.sessions.forks import fork
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.index import SessionSearch
from desktop.sessions.store import SessionHandle, SessionStore
from desktop.sessions.tree import newest_leaf
from desktop.settings.store import SettingsStore
from desktop.tools.base import ReadState, Tool
from desktop.tools.registry import build_tools
from desktop.tools.session_context import Sessions, read_session, title_of_session

if TYPE_CHECKING:
    from desktop.agent.load_report import LoadReport
    from desktop.agent.slash.result import CommandResult

CLOSE_S = 1.5
"""What a running extraction is given when its session is closed: the window waits 2.5 s for all of it, then ends the loop."""
HEADLESS_DRAIN_S = 60.0

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What a session is given by `compose`.

    Attributes:
        memory_search: search over memory; None: there is no such tool.
        session_search: the same over earlier conversations.
        all_sessions: what can be read: our sessions and those of other tools; None: ours alone.
    """

    paths: AppPaths
    settings: SettingsStore
    sessions: SessionStore
    clock: Clock
    environ: Mapping[str, str]
    headless: bool
    memory_search: MemorySearch | None = None
    session_search: SessionSearch | None = None
    all_sessions: AllSessions | None = None

    @property
    def readable(self) -> Sessions:
        """Where other sessions are read."""
        return self.all_sessions or self.sessions


class AgentSession:
    """An open conversation.

    Attributes:
        id, workspace, project: fixed.
        mode, model: may be changed between turns.
    """

    def __init__(
        self, services: SessionServices, *, handle: SessionHandle, workspace: Path, project: Project, model: Model, mode: Mode
    ) -> None:
        self._services = services
        self._handle = handle
        self.workspace = workspace
        self.project = project
        self.model = model
        self.mode: Mode = mode
        self._memory = SessionMemory(
            services.paths,
            services.settings,
            services.clock,
            services.environ,
            handle=handle,
            workspace=workspace,
            project=project,
        )
        self._store = self._memory.store
        if services.memory_search is not None:
            services.memory_search.follow(self._memory.memories)
        self._grants = Grants(services.paths, services.clock, keeps=not handle.incognito)
        self._read_state = ReadState()
        self._rights = Rights(
            workspace,
            self._memory,
            self._store.root,
            self._grants,
            self._read_state,
            services.clock,
            mode=lambda: self.mode,
            messages=lambda: self.messages,
            incognito=handle.incognito,
        )
        self._conversation = Conversation(handle)
        self._prepared = Prepared(
            services.paths,
            services.settings,
            services.clock,
            services.environ,
            workspace=workspace,
            memory=self._memory,
            memory_search=services.memory_search,
            conversation=self._conversation,
            read_state=self._read_state,
            grants=self._grants,
            model=lambda: self.model,
            tools=self._specs,
        )
        self._emit: Emit = _nobody
        self._extraction = Extraction(self._extraction_host())
        self._beside = Beside(handle, services.settings, services.clock, lambda: self.model, titles=not services.headless)
        self._running = False
        self._hurried = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def id(self) -> str:
        return self._handle.id

    @property
    def messages(self) -> list[Message]:
        return self._handle.messages

    @property
    def handle(self) -> SessionHandle:
        return self._handle

    @property
    def services(self) -> SessionServices:
        """What the session was given."""
        return self._services

    @property
    def incognito(self) -> bool:
        """Nothing of this conversation is ever on disk."""
        return self._handle.incognito

    def _tools(self) -> dict[str, Tool]:
        """The tools with the session's present model behind the distillation."""
        services, distil = self._services, distil_with(self.model, self.id, self._services.clock)
        enabled = self.memory_state().enabled
        return build_tools(
            services.sessions,
            self.project.key,
            distil,
            memory=enabled and services.settings.value("memory.tools") is True,
            memory_search=services.memory_search,
            session_search=services.session_search,
            all_sessions=services.readable,
            own_keys=lambda: keys_of(self.project),
        )

    def _specs(self) -> list[ToolSpec]:
        return [tool.spec for tool in self._tools().values()]

    # --- memory ------------------------------------------------------------------------------------------------------

    @property
    def memories(self) -> Memories:
        """The roots of this session, with stores whose switches are the session's."""
        return self._memory.memories

    def memory_state(self) -> MemoryState:
        """The switches as they hold for this session now; see `SessionMemory.now`."""
        return self._memory.now()

    def apply_memory_switch(self) -> MemoryState:
        """Let the present switches hold here too, from the next turn on. Both ways, and kept with the session."""
        self._prepared.reset()
        return self._memory.apply()

    def allow_workspace_memory(self, content_digest: str) -> None:
        """The person looked at the folder's own memory file and allowed this content: it is loaded from the next turn on. Blocking.

        Raises:
            StorageError: it cannot be remembered.
        """
        self._memory.memories.allow_workspace(content_digest)
        self._prepared.reset()

    # --- turns -------------------------------------------------------------------------------------------------------

    async def run(self, text: str, emit: Emit, approve: Approve) -> TurnEnded:
        """One turn. Cancelling the task stops it: the record is completed and the result says `interrupted`.

        Raises:
            UsageError: a turn is running already.
        """
        return await self._turn(lambda turn: turn.run(text), emit, approve)

    async def _turn(
        self, work: Callable[[Turn], Awaitable[TurnEnded]], emit: Emit, approve: Approve, *, branch: Sequence[Message] | None = None
    ) -> TurnEnded:
        """One turn; `branch`: the messages behind which it goes on, when these are others than before."""
        self._begin()
        self._emit = emit
        try:
            assembler = await even_if_cancelled(self._prepared.ready(emit))
            if branch is not None:
                await self._prepared.rebase(branch)
            runner = CallRunner(self.call_services(emit, approve))
            turn = Turn(self._conversation, self._turn_services(assembler, runner, self._beside.watching(emit)))
            ended = await work(turn)
            self._prepared.tell(turn, emit)
        finally:
            try:
                await even_if_cancelled(self._beside.turn_over())
            finally:
                self._end()
        self._beside.answered(ended)
        if ended.stop == "end" and not self._services.headless:
            self._extraction.schedule()
        emit(ended)
        return ended

    def _begin(self) -> None:
        if self._running:
            raise UsageError(say("A turn is running in this session."), hint=say("Stop it first, or wait for its end."))
        self._running = True
        self._idle.clear()

    def _end(self) -> None:
        self._running = False
        self._idle.set()

    # --- the tree ----------------------------------------------------------------------------------------------------

    async def rewind(self, message_id: str, emit: Emit | None = None) -> Rewound:
        """End the live branch before a message of the person, or with any other; see `branches.rewind_to`. What is left stays reachable.

        Raises:
            UsageError: there is no such message, or a turn is running.
            StorageError: it is not stored; the branch is as it was.
        """
        rewound = rewind_to(self._handle, message_id)
        await self._move(rewound.leaf, emit)
        return rewound

    async def switch_branch(self, message_id: str, emit: Emit | None = None) -> None:
        """Make the branch through this message the live one; of several the one that was written to last. Raises as `rewind`."""
        known(self._handle, message_id)
        await self._move(newest_leaf(self._handle.everything(), message_id), emit)

    async def edit_and_resend(self, message_id: str, text: str, emit: Emit, approve: Approve) -> TurnEnded:
        """A turn with another version of the person's message, on a new branch beside it. Raises as `run`; UsageError: not there."""
        beside = known(self._handle, message_id)
        if not is_persons(beside):
            raise UsageError(say("Only a message of your own can be edited."), hint=say("Choose one, or retry the answer."))
        try:
            branch = self._handle.branch_to(beside.parent)
            return await self._turn(lambda turn: turn.run(text, beside=beside), emit, approve, branch=branch)
        finally:
            if beside in self.messages:  # it could not be stored: the branch is the old one, and so is its context
                await self._prepared.rebase(self.messages)

    async def retry(self, emit: Emit, approve: Approve, message_id: str | None = None) -> TurnEnded:
        """A turn that answers the person's newest message, or that before `message_id`, once more, on a new branch beside the answer.

        When nothing of an answer comes, the branch is the old one again. Raises as `run`, and UsageError: nothing was asked.
        """
        asked = asked_by(self.messages, message_id)
        before = self.messages[-1].id

        async def work(turn: Turn) -> TurnEnded:
            if before != asked.id:
                await asyncio.to_thread(self._handle.set_leaf, asked.id)
                emit(BranchMoved(self.id, tuple(self.messages[:-1])))
            ended = await turn.again(asked)
            if self.messages[-1].id == asked.id != before:
                await self._go(before, emit)
            return ended

        return await self._turn(work, emit, approve, branch=self._handle.branch_to(asked.id))

    async def fork(self, message_id: str | None = None, *, title: str = "") -> str:
        """A new session with the messages up to this one, or all of the live branch; see `sessions.forks.fork`. Gives its id.

        Raises:
            UsageError: this one is incognito.
            NotFoundError, StorageError: as `fork`.
        """
        if self.incognito:
            raise UsageError(say("An incognito chat cannot be forked: nothing of it is kept."))
        if not self._handle.stored:
            raise UsageError(say("There is nothing to fork yet: this chat holds no messages."))
        return await asyncio.to_thread(fork, self._services.sessions, self.id, message_id, title=title)

    async def _move(self, leaf: str | None, emit: Emit | None) -> None:
        self._begin()
        try:
            await self._go(leaf, emit or self._emit)
        finally:
            self._end()

    async def _go(self, leaf: str | None, emit: Emit) -> None:
        """Another branch is the live one, with all that stood in its context."""
        if leaf != (self.messages[-1].id if self.messages else None):
            await asyncio.to_thread(self._handle.set_leaf, leaf)
            await self._prepared.rebase(self.messages)
        emit(BranchMoved(self.id, tuple(self.messages)))

    async def warm(self) -> None:
        """Make the search index of memory ready while the person reads or types, so that the first turn need not wait for it."""
        await self._prepared.warm()

    @property
    def reported(self) -> bool:
        """A request was sent since it was opened: `context_report` is about that one."""
        return self._prepared.reported is not None

    async def context_report(self) -> LoadReport:
        """What the next request would be made of as things stand, slot by slot; calls no model."""
        return await self._prepared.report()

    async def command(self, text: str) -> CommandResult:
        """Run a slash command; see `agent.slash`. Calls no model, and stores nothing in the transcript.

        Raises:
            UsageError: it is none.
        """
        from desktop.agent import slash

        return await slash.run(self, text)

    def _turn_services(self, assembler: Assembler, runner: CallRunner, emit: Emit) -> TurnServices:
        settings = self._services.settings
        return TurnServices(
            model=self.model,
            assembler=assembler,
            runner=runner,
            tools=self._specs(),
            limits=Limits.from_settings(settings, small=self.model.info.small),
            retries=int(settings.value("agent.retries")),
            thinking=settings.value("agent.thinking"),
            max_output_tokens=int(settings.value("model.max_output_tokens")) or self.model.info.max_output_tokens,
            kind="main",
            clock=self._services.clock,
            emit=emit,
            workspace=str(self.workspace),
            recall=self._prepared.recall,
            read_state=self._read_state,
            loaded=self._memory.loaded,
        )

    def call_services(self, emit: Emit, approve: Approve) -> CallServices:
        """What runs the calls of a turn, with the rights that the session has now."""
        return self._rights.services(self._tools(), emit, approve)

    # --- extraction --------------------------------------------------------------------------------------------------

    def _extraction_host(self) -> Host:
        services = self._services
        return Host(
            paths=services.paths,
            settings=services.settings,
            clock=services.clock,
            workspace=self.workspace,
            memory=self._memory,
            conversation=self._conversation,
            read_state=self._read_state,
            language=lambda: self._prepared.language,
            model=lambda: self.model,
            tools=self._tools,
            assembler=lambda: self._prepared.assembler,
            build=self._prepared.unseen,
            emit=lambda event: self._emit(event),
        )

    @property
    def report(self) -> Report | None:
        """What the last extraction did."""
        return self._extraction.report

    async def catch_up(self, emit: Emit) -> bool:
        """Take up the extraction that was cut off or failed when the session was last open; called once by whoever opened it."""
        if self._services.headless or self._running:
            return False
        self._emit = emit
        return await self._extraction.catch_up()

    async def extract_now(self) -> Report:
        """Extract and wait for it, whatever the spacing (`--memory-bench`)."""
        return await self._extraction.now()

    # --- other sessions, end -----------------------------------------------------------------------------------------

    async def read_into(self, session_id: str, query: str, strategy: str = "relevant", max_tokens: int = 6_000) -> ContextResult:
        """Read another session with a question and put what was found into this conversation, as data that the model sees next.

        During a turn it waits for its end: a message between a call and its result would part the two.
        """
        ask = distil_with(self.model, self.id, self._services.clock)
        result = await read_session(self._services.readable, session_id, query, strategy, max_tokens, ask)  # type: ignore[arg-type]
        if result.status == "success":
            title = await asyncio.to_thread(title_of_session, self._services.readable, session_id)
            await self._idle.wait()
            known = {"session_id": session_id, "title": title, "query": query, "strategy": strategy}
            message = context_message(result, **known, behind=self.messages, now=self._services.clock.now())
            self._handle.append(message)
            self._emit(MessageAppended(message))
        return result

    @property
    def continues(self) -> str:
        """The session of another tool that this one goes on from and has not read yet; else empty."""
        parent = self._handle.header.parent
        return parent if is_foreign(parent) and not self.messages else ""

    async def take_up(self) -> None:
        """Read the end of the session that this one goes on from into it, as a summary with the way back to it."""
        if self.continues:
            await self.read_into(self.continues, say("Where that work stands, to go on with it here."), "handoff")

    async def drain(self, timeout_s: float = HEADLESS_DRAIN_S) -> None:
        """Take no more background work and wait for what runs, at most `timeout_s` seconds; then it is cancelled."""
        await self._extraction.drain(timeout_s)

    def hurry(self) -> None:
        """End a patient `close` soon; what it waits for is then done when the session is opened again. Asyncio thread."""
        self._hurried.set()

    async def close(self, *, patient: bool = False) -> None:
        """End background work, free the model and let go of the transcript.

        Args:
            patient: the person goes on elsewhere: what waits is done first (at most 60 s, or until `hurry`). Else it has 1.5 s.
        """
        try:
            if patient:
                await self._extraction.finish(HEADLESS_DRAIN_S, unless=self._hurried)
            await self._beside.close(self._hurried, patient=patient)
            await self.drain(0.0 if self.model.info.small else CLOSE_S)
            self._emit = _nobody
            await self.model.close()
        finally:
            self._handle.close()


def _nobody(event: TurnEvent) -> None:
    """Before the first turn and after the end nobody listens."""
