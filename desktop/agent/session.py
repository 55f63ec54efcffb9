"""One open conversation: its transcript, model, mode and memory state, and the turns and background jobs that belong to it.

Owns what the window and the terminal call. Knows nothing of either. All methods run on the asyncio thread unless they say otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from desktop.agent.ask import Emit
from desktop.agent.assembler import Assembler
from desktop.agent.calls import Approve, CallRunner, CallServices
from desktop.agent.distil import distil_with
from desktop.agent.jobs.extract import Extractor, Report, Snapshot
from desktop.agent.jobs.lease import extraction_lease
from desktop.agent.jobs.scheduler import LatestWins
from desktop.agent.jobs.whitelist import keeper_policy
from desktop.agent.limits import Limits
from desktop.agent.loop import Conversation, Turn, TurnServices
from desktop.agent.prompts import Language
from desktop.agent.session_memory import SessionMemory, untrusted_text_in
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
    ApprovalRequest,
    JobChanged,
    MemorySaved,
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

CLOSE_S = 1.5
"""What a running extraction is given when its session is closed: the window waits 2.5 s for all of it, then ends the loop."""
HEADLESS_DRAIN_S = 60.0
LEASE_WAIT_S = 60.0
"""What an extraction that is waited for gives another process to finish its own."""

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
        report: what the last extraction did, or None.
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
        self.report: Report | None = None
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
        self._grants = Grants(services.paths, services.clock)
        self._read_state = ReadState()
        self._conversation = Conversation(handle)
        self._assembler: Assembler | None = None
        self._jobs: LatestWins[Snapshot] | None = None
        self._emit: Emit = _nobody
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

    def _tools(self) -> dict[str, Tool]:
        """The tools with the session's present model behind the distillation."""
        services = self._services
        distil = distil_with(self.model, self.id, services.clock)
        enabled = self.memory_state().enabled
        return build_tools(
            services.sessions,
            self.project.key,
            distil,
            memory=enabled,
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
        self._assembler = None
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
        if self._running:
            raise UsageError(say("A turn is running in this session."), hint=say("Stop it first, or wait for its end."))
        self._running = True
        self._idle.clear()
        self._emit = emit
        try:
            assembler = await _even_if_cancelled(self._ready(emit))
            runner = CallRunner(self._call_services(emit, approve))
            ended = await Turn(self._conversation, self._turn_services(assembler, runner, emit)).run(text)
        finally:
            self._running = False
            self._idle.set()
        if ended.stop == "end" and not self._services.headless:
            self._schedule_extraction()
        emit(ended)
        return ended

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
            assembler = Assembler(
                self.workspace,
                self._memory.memories if enabled else None,
                clock=self._services.clock,
                environ=self._services.environ,
                language=language_of(self._services.settings, self._services.environ),
                hidden=[self._services.paths.memories, *(root.folder for root in self._memory.memories.roots)],
            )
            await asyncio.to_thread(self._build, assembler)
            self._assembler = assembler
            self._memory.tell(assembler.memory, self._read_state, emit)
            for problem in self._grants.problems:
                emit(Notice("warning", "grants.problem", problem, {"message": problem}))
        return self._assembler

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
        )

    def _call_services(self, emit: Emit, approve: Approve) -> CallServices:
        grants = self._grants

        def policy(access: Access) -> Decision:
            readable = self._memory.readable(access.tool)
            root = self._store.root if readable else None
            return decide(access, mode=self.mode, workspace=self.workspace, memory_root=root, grants=grants, readable=readable)

        def remember(access: Access, answer: ApprovalAnswer) -> None:
            if answer.choice == "deny":
                return
            try:
                grants.add(access, answer.choice)
            except StorageError as error:
                emit(
                    Notice(
                        "warning",
                        "grant.not_saved",
                        together(say("“Always” holds for this session only."), error.text()),
                        {"message": error.message},
                    )
                )

        def make_context(call: ToolCallPart) -> ToolContext:
            person = next((m.id for m in reversed(self.messages) if m.role == "user" and m.origin == "person"), "")
            return self._memory.tool_context(
                actor="main",
                read_state=self._read_state,
                message_id=person,
                emit=lambda text: emit(ToolOutput(call.id, text)),
                untrusted=untrusted_text_in(self.messages),
            )

        return CallServices(self._tools(), make_context, policy, approve, remember, emit, self._services.clock)

    # --- extraction --------------------------------------------------------------------------------------------------

    def _keeper_calls(self, message_id: str) -> CallServices:
        read_state = self._read_state.copy()
        untrusted = not self.model.info.small and untrusted_text_in(self.messages)  # a small model sees the person's sentence only

        def make_context(call: ToolCallPart) -> ToolContext:
            return self._memory.tool_context(
                actor="extractor", read_state=read_state, message_id=message_id, emit=_silent, untrusted=untrusted
            )

        async def nobody_answers(request: ApprovalRequest) -> ApprovalAnswer:
            return ApprovalAnswer("deny", "nobody answers in the background")

        return CallServices(
            self._tools(),
            make_context,
            keeper_policy(self.workspace, self._store.root),
            nobody_answers,
            lambda access, answer: None,
            self._memory_events_only,
            self._services.clock,
        )

    def _memory_events_only(self, event: TurnEvent) -> None:
        if isinstance(event, MemorySaved):
            self._emit(event)

    def _extractor(self) -> Extractor | None:
        if self._assembler is None or not self._assembler.memory_root:
            return None
        lease = extraction_lease(self._services.paths, self._store.memory_root.key)
        return Extractor(self._conversation, self._assembler, self._store, self._keeper_calls, self.memory_state, lease)

    def _schedule_extraction(self) -> None:
        extractor = self._extractor()
        snapshot = Snapshot(tuple(self.messages), self.model)
        if extractor is None or extractor.decide(snapshot) is not None:
            return
        if self._jobs is None:
            settings = self._services.settings
            self._jobs = LatestWins(
                self._extract_quietly,
                clock=self._services.clock,
                spacing_s=float(settings.value("memory.extraction_spacing_s")),
                most_runs=int(settings.value("memory.extraction_runs")),
            )
        self._jobs.submit(snapshot)

    async def _extract_quietly(self, snapshot: Snapshot) -> None:
        extractor = self._extractor()
        if extractor is None:
            return
        self._emit(JobChanged("extract", "running"))
        self.report, state = Report("run", None, "error"), "failed"
        try:
            self.report = await extractor.run(snapshot)
            state = "failed" if self.report.outcome in ("error", "aborted") else "done" if self.report.decision == "run" else "idle"
        except asyncio.CancelledError:
            self.report, state = extractor.aborted(), "cancelled"
            raise
        finally:  # also after a fault of ours: nothing may seem to run for ever
            self._emit(JobChanged("extract", state, self.report.outcome or "", self.report.written))

    async def extract_now(self) -> Report:
        """Extract and wait for it, whatever the spacing (`--memory-bench`)."""
        extractor = self._extractor()
        if extractor is None:
            return Report("off", "disabled")
        try:
            self.report = await extractor.run(Snapshot(tuple(self.messages), self.model), wait_s=LEASE_WAIT_S)
        except asyncio.CancelledError:
            self.report = extractor.aborted()
            raise
        return self.report

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
        if self._jobs is not None:
            await self._jobs.close(timeout_s)

    def hurry(self) -> None:
        """End a patient `close` soon; what it waits for is then done when the session is opened again. Asyncio thread."""
        self._hurried.set()

    async def close(self, *, patient: bool = False) -> None:
        """End background work, free the model and let go of the transcript.

        Args:
            patient: the person goes on elsewhere: what waits is done first (at most 60 s, or until `hurry`). Else it has 1.5 s.
        """
        try:
            if patient and self._jobs is not None:
                await self._finish_jobs(self._jobs)
            await self.drain(0.0 if self.model.info.small else CLOSE_S)
            self._emit = _nobody
            await self.model.close()
        finally:
            self._handle.close()

    async def _finish_jobs(self, jobs: LatestWins[Snapshot]) -> None:
        waits = {asyncio.ensure_future(jobs.finish(HEADLESS_DRAIN_S)), asyncio.ensure_future(self._hurried.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waits:
                one.cancel()


async def _even_if_cancelled(work: Coroutine[Any, Any, T]) -> T:
    """Finish short `work` although the task is cancelled meanwhile; the cancellation then comes at the next wait."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise
        result = await task
        current = asyncio.current_task()
        if current is not None:
            current.uncancel()
            current.cancel()
        return result


def _nobody(event: TurnEvent) -> None:
    """Before the first turn and after the end nobody listens."""


def _silent(text: str) -> None:
    """Live output of the memory keeper's calls is shown to nobody."""
