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
from desktop.agent.calls import Approve, CallRunner, CallServices
from desktop.agent.distil import distil_with
from desktop.agent.jobs.background import Extraction, Host
from desktop.agent.jobs.report import Report
from desktop.agent.limits import Limits
from desktop.agent.loop import Conversation, Turn, TurnServices
from desktop.agent.prompts import Language
from desktop.agent.session_memory import SessionMemory, said_by_person, untrusted_text_in
from desktop.agent.shielded import even_if_cancelled
from desktop.base.clock import Clock
from desktop.base.errors import StorageError, UsageError
from desktop.base.ids import new_message_id
from desktop.base.paths import AppPaths
from desktop.base.phrases import say, together
from desktop.memory.identity import Project
from desktop.memory.memories import Memories
from desktop.memory.search import MemorySearch
from desktop.memory.switches import MemoryState
from desktop.messages.events import (
    ApprovalAnswer,
    ContextReported,
    MessageAppended,
    Notice,
    ToolOutput,
    TurnEnded,
    TurnEvent,
)
from desktop.messages.parts import Message, TextPart, ToolCallPart
from desktop.permissions.access import Access, Decision, Mode
from desktop.permissions.grants import Grants
from desktop.permissions.modes import decide
from desktop.providers.base import Model
from desktop.sessions.context import ContextResult
from desktop.sessions.index import SessionSearch
from desktop.sessions.store import SessionHandle, SessionStore
from desktop.settings.store import SettingsStore
from desktop.tools.base import ReadState, Tool, ToolContext
from desktop.tools.registry import build_tools
from desktop.tools.session_context import read_session

if TYPE_CHECKING:
    from desktop.agent.load_report import LoadReport
    from desktop.agent.recall import Recall
    from desktop.agent.slash.result import CommandResult

NONCE = "frame_nonce"
"""Named value of a session: the word in the marks of its slots, so that a resumed one sends what it would have sent."""
CLOSE_S = 1.5
"""What a running extraction is given when its session is closed: the window waits 2.5 s for all of it, then ends the loop."""
READY_S, WARM_S, WARM_STEP_S = 0.5, 20.0, 0.3
"""What the first turn gives to the search index of memory, and what it is given, in steps, while the person types."""
HEADLESS_DRAIN_S = 60.0

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What a session is given by `compose`.

    Attributes:
        memory_search: search over memory; None: there is no such tool.
        session_search: the same over earlier conversations.
    """

    paths: AppPaths
    settings: SettingsStore
    sessions: SessionStore
    clock: Clock
    environ: Mapping[str, str]
    headless: bool
    memory_search: MemorySearch | None = None
    session_search: SessionSearch | None = None


def language_of(settings: SettingsStore, environ: Mapping[str, str]) -> Language:
    """The language of the memory rules: the window's, else the system's."""
    chosen = str(settings.value("appearance.language"))
    if chosen == "system":
        chosen = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or "en"
    return "zh" if chosen.lower().startswith("zh") else "en"


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
        self._assembler: Assembler | None = None
        self._recall: Recall | None = None
        self._reported: LoadReport | None = None
        self._emit: Emit = _nobody
        self._extraction = Extraction(self._extraction_host())
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
        )

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
        self._assembler = self._reported = None
        return self._memory.apply()

    def allow_workspace_memory(self, content_digest: str) -> None:
        """The person looked at the folder's own memory file and allowed this content: it is loaded from the next turn on. Blocking.

        Raises:
            StorageError: it cannot be remembered.
        """
        self._memory.memories.allow_workspace(content_digest)
        self._assembler = None

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
            assembler = await even_if_cancelled(self._ready(emit))
            if branch is not None:
                await self._rebase(branch)
            runner = CallRunner(self.call_services(emit, approve))
            turn = Turn(self._conversation, self._turn_services(assembler, runner, emit))
            ended = await work(turn)
            self._report(assembler, turn, emit)
        finally:
            self._end()
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
        """A turn with another version of the person's message, on a new branch beside it. Raises as `run`, and UsageError: no such message."""
        beside = known(self._handle, message_id)
        if not is_persons(beside):
            raise UsageError(say("Only a message of your own can be edited."), hint=say("Choose one, or retry the answer."))
        try:
            branch = self._handle.branch_to(beside.parent)
            return await self._turn(lambda turn: turn.run(text, beside=beside), emit, approve, branch=branch)
        finally:
            if beside in self.messages:  # it could not be stored: the branch is the old one, and so is its context
                await self._rebase(self.messages)

    async def retry(self, emit: Emit, approve: Approve, message_id: str | None = None) -> TurnEnded:
        """A turn that answers the newest message of the person, or the one before `message_id`, once more, on a new branch beside the answer.

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
            await self._rebase(self.messages)
        emit(BranchMoved(self.id, tuple(self.messages)))

    async def _rebase(self, branch: Sequence[Message]) -> None:
        """What stands in requests besides messages is from here on what it was at the end of this branch; no file counts as read but those."""
        standing, conversation = standing_of(branch), self._conversation
        conversation.cut, conversation.correction = standing.cut, standing.correction
        conversation.context_tokens, self._reported = standing.tokens, None
        inserted: list[Inserted] = []
        shown: dict[str, list[Shown]] = {}
        if self._recall is not None and self.memory_state().enabled:
            inserted, shown = await asyncio.to_thread(standing_memories, standing.recalled, self._memory.memories)
        conversation.inserted = inserted
        if self._recall is not None:
            self._recall.shown.replace(shown)
        self._read_state.digests.clear()
        self._read_state.meanings.clear()
        self._memory.seen(self._assembler.memory if self._assembler is not None else None, self._read_state)
        set_seen(self._read_state, standing.read)

    async def _ready(self, emit: Emit) -> Assembler:
        """The assembler with its slots built; says once what of memory was loaded."""
        enabled = self.memory_state().enabled
        if self._assembler is not None and bool(self._assembler.memory_root) != enabled:
            self._assembler = None
        if self._assembler is not None and self._assembler.memory is not None:
            file = await asyncio.to_thread(self._memory.memories.workspace_file)
            if self._memory.workspace_allowed(self._assembler.memory, file, emit):
                self._assembler = None
        if self._assembler is None:
            assembler = self._new_assembler(enabled=enabled)
            await asyncio.to_thread(self._build, assembler)
            self._assembler = assembler
            if assembler.nonce != self._handle.meta.get(NONCE):
                await asyncio.to_thread(self._handle.set_meta, NONCE, assembler.nonce)
            await self._begin_recall(enabled=enabled)
            await self._rebase(self.messages)
            self._memory.tell(assembler.memory, self._read_state, emit)
            for problem in self._grants.problems:
                emit(Notice("warning", "grants.problem", problem, {"message": problem}))
        elif await asyncio.to_thread(self._assembler.refresh):
            self._memory.tell(self._assembler.memory, self._read_state, emit)
        return self._assembler

    def _new_assembler(self, *, enabled: bool) -> Assembler:
        services, memories = self._services, self._memory.memories
        return Assembler(
            self.workspace,
            memories if enabled else None,
            clock=services.clock,
            environ=services.environ,
            language=language_of(services.settings, services.environ),
            settings=services.settings,
            hidden=[services.paths.memories, *(root.folder for root in memories.roots)],
            nonce=str(self._handle.meta.get(NONCE, "")),
        )

    async def _begin_recall(self, *, enabled: bool) -> None:
        """Recall for what comes: nothing of earlier turns stands in the context any more. The index is made ready, if that is quick."""
        if not enabled:
            self._recall = None
            return
        if self._recall is None:
            self._recall = self._new_recall()
        self._recall.forget_all()
        if not self.model.info.small:
            await asyncio.to_thread(self._recall.warm, seconds=READY_S)

    async def warm(self) -> None:
        """Make the search index of memory ready while the person reads or types, so that the first turn need not wait for it."""
        if self.model.info.small or not self.memory_state().enabled:
            return
        if self._recall is None:
            self._recall = self._new_recall()
        until = self._services.clock.monotonic() + WARM_S
        ready = False
        while not ready and self._services.clock.monotonic() < until:  # bit by bit, so that it can be cancelled
            ready = await asyncio.to_thread(self._recall.warm, seconds=WARM_STEP_S)

    def _new_recall(self) -> Recall:
        from desktop.agent.recall import Recall

        services = self._services
        language = language_of(services.settings, services.environ)
        return Recall(self._memory.memories, services.memory_search, services.settings, services.clock, language=language)

    def _report(self, assembler: Assembler, turn: Turn, emit: Emit) -> None:
        """Tell what the newest request was made of, slot by slot."""
        tools = [tool.spec for tool in self._tools().values()]
        self._reported = assembler.report(tools, turn.tail, turn.recalled, since_boundary(self.messages), self.model.info.context_window)
        emit(ContextReported(self._reported.to_json()))

    @property
    def reported(self) -> bool:
        """A request was sent since it was opened: `context_report` is about that one."""
        return self._reported is not None

    async def context_report(self) -> LoadReport:
        """What the next request would be made of as things stand, slot by slot; calls no model."""
        if self._reported is not None:
            return self._reported
        assembler = self._assembler
        if assembler is None:  # one of its own: the first turn still has to make, and tell of, the session's
            assembler = self._new_assembler(enabled=self.memory_state().enabled)
            await asyncio.to_thread(self._build, assembler)
        tools = [tool.spec for tool in self._tools().values()]
        return assembler.report(tools, "", (), since_boundary(self.messages), self.model.info.context_window)

    async def command(self, text: str) -> CommandResult:
        """Run a slash command; see `agent.slash`. Calls no model, and stores nothing in the transcript.

        Raises:
            UsageError: it is none.
        """
        from desktop.agent import slash

        return await slash.run(self, text)

    def _build(self, assembler: Assembler) -> None:
        """What other programs changed is journalled, and in the index, before it is read."""
        self._memory.memories.observe()
        assembler.rebuild()

    def _turn_services(self, assembler: Assembler, runner: CallRunner, emit: Emit) -> TurnServices:
        settings = self._services.settings
        return TurnServices(
            model=self.model,
            assembler=assembler,
            runner=runner,
            tools=[tool.spec for tool in self._tools().values()],
            limits=Limits.from_settings(settings, small=self.model.info.small),
            retries=int(settings.value("agent.retries")),
            thinking=settings.value("agent.thinking"),
            max_output_tokens=int(settings.value("model.max_output_tokens")) or self.model.info.max_output_tokens,
            kind="main",
            clock=self._services.clock,
            emit=emit,
            workspace=str(self.workspace),
            recall=self._recall,
            read_state=self._read_state,
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
            language=lambda: language_of(services.settings, services.environ),
            model=lambda: self.model,
            tools=self._tools,
            assembler=lambda: self._assembler,
            build=self._unseen_assembler,
            emit=lambda event: self._emit(event),
        )

    async def _unseen_assembler(self) -> Assembler | None:
        """For background work of a session that was only opened: built without telling anybody what was loaded."""
        if not self.memory_state().enabled:
            return None
        assembler = self._new_assembler(enabled=True)
        await asyncio.to_thread(self._build, assembler)
        return assembler

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
        result = await read_session(self._services.sessions, session_id, query, strategy, max_tokens, ask)  # type: ignore[arg-type]
        if result.status == "success":
            await self._idle.wait()
            self._append_context(session_id, query, strategy, result)
        return result

    def _append_context(self, session_id: str, query: str, strategy: str, result: ContextResult) -> None:
        citations = [{"message": c.message, "role": c.role, "time": c.time} for c in result.citations]
        data = {
            "card": "session_context",
            "session": session_id,
            "query": query,
            "strategy": strategy,
            "source": result.source,
            "tokens": result.tokens,
            "citations": citations,
        }
        now = self._services.clock.now()
        parent = self.messages[-1].id if self.messages else None
        message = Message(new_message_id(now), "user", (TextPart(result.text, data=data),), now, parent, origin="app")
        self._handle.append(message)
        self._emit(MessageAppended(message))

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
            await self.drain(0.0 if self.model.info.small else CLOSE_S)
            self._emit = _nobody
            await self.model.close()
        finally:
            self._handle.close()


def _nobody(event: TurnEvent) -> None:
    """Before the first turn and after the end nobody listens."""
