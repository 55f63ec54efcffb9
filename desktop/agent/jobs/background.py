"""The extraction of one open session: when it runs, with what rights, what the window is told of it, and what becomes of it at the end.

Owns the session's scheduler and the mark in the transcript that work was left undone, so that it is taken up when the session is opened
again. Extracts nothing itself (`jobs.extract`) and never holds a turn. Asyncio thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.agent.assembler import Assembler
from desktop.agent.calls import CallServices
from desktop.agent.jobs.extract import Extractor, Keeper, Snapshot
from desktop.agent.jobs.lease import extraction_lease
from desktop.agent.jobs.options import ExtractionOptions
from desktop.agent.jobs.report import Report
from desktop.agent.jobs.scheduler import LatestWins
from desktop.agent.jobs.whitelist import keeper_policy
from desktop.agent.loop import Conversation
from desktop.agent.prompts import Language
from desktop.agent.session_memory import SessionMemory
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.base.textio import decode
from desktop.memory.note import Note
from desktop.memory.store import MemoryStore
from desktop.messages.events import ApprovalAnswer, ApprovalRequest, JobChanged, MemoryProposed, MemorySaved, Notice, TurnEvent
from desktop.messages.parts import ToolCallPart
from desktop.providers.base import Model
from desktop.settings.store import SettingsStore
from desktop.tools.base import ReadState, Said, Tool, ToolContext

if TYPE_CHECKING:
    from desktop.memory.keeping import Candidate, Judged

LEASE_WAIT_S = 60.0
"""What an extraction gives another process to finish its own."""

DUE = "extraction_due"
"""Name of the transcript's value that says that an extraction was cut off or failed when the session was last open."""

MOST_IN_A_ROW = 50
"""Runs of one `now()`: each looks at a further part of a long conversation."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Host:
    """What an extraction uses of its session; what may change meanwhile is asked for.

    Attributes:
        assembler: the session's own, or None before its first turn.
        build: makes one without telling anybody, for a session that was only opened.
        emit: who listens to the session now.
    """

    paths: AppPaths
    settings: SettingsStore
    clock: Clock
    workspace: Path
    memory: SessionMemory
    conversation: Conversation
    read_state: ReadState
    language: Callable[[], Language]
    model: Callable[[], Model]
    tools: Callable[[], Mapping[str, Tool]]
    assembler: Callable[[], Assembler | None]
    build: Callable[[], Awaitable[Assembler | None]]
    emit: Callable[[TurnEvent], None]


class Extraction:
    """See the module's text.

    Attributes:
        report: what the last run did, or None.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._jobs: LatestWins[Snapshot] | None = None
        self._built: Assembler | None = None
        self._told_price = False
        self.report: Report | None = None

    # --- when -------------------------------------------------------------------------------------------------------

    def schedule(self) -> None:
        """After a turn: run soon, if there is something to look at."""
        extractor, snapshot = self._extractor(), self._snapshot()
        if extractor is None or extractor.consider(snapshot) is not None:
            return
        if not self._scheduler().submit(snapshot):
            self._leave_due()

    async def catch_up(self) -> bool:
        """Take up what was cut off or failed when the session was last open; whether there was something."""
        handle = self._host.conversation.handle
        if handle.meta.get(DUE) is not True or not handle.messages or handle.incognito:
            return False
        self._built = self._host.assembler() or await self._host.build()
        extractor, snapshot = self._extractor(), self._snapshot()
        if extractor is None or extractor.consider(snapshot) is not None:
            return False
        return self._scheduler().submit(snapshot)

    async def now(self) -> Report:
        """Extract and wait for it, whatever the spacing (`--memory-bench`)."""
        extractor = self._extractor()
        if extractor is None:
            self.report = Report("off", "disabled")
            return self.report
        try:
            self.report = await extractor.run(self._snapshot(), wait_s=LEASE_WAIT_S)
            for _ in range(MOST_IN_A_ROW):
                if not self.report.left:
                    break
                self.report = _joined(self.report, await extractor.run(self._snapshot(), wait_s=LEASE_WAIT_S))
        except asyncio.CancelledError:
            self.report = extractor.aborted()
            raise
        return self.report

    def _snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._host.conversation.handle.messages), self._host.model())

    def _scheduler(self) -> LatestWins[Snapshot]:
        if self._jobs is None:
            settings = self._host.settings
            self._jobs = LatestWins(
                self._run,
                clock=self._host.clock,
                spacing_s=float(str(settings.value("memory.extraction_spacing_s"))),
                most_runs=int(str(settings.value("memory.extraction_runs"))),
            )
        return self._jobs

    async def _run(self, snapshot: Snapshot) -> None:
        extractor = self._extractor()
        if extractor is None:
            return
        self._host.emit(JobChanged("extract", "running"))
        self.report, state = Report("run", None, "error"), "failed"
        try:
            self.report = await extractor.run(snapshot, wait_s=LEASE_WAIT_S)
            state = "idle" if self.report.decision != "run" else "done" if self.report.done else "failed"
        except asyncio.CancelledError:
            self.report, state = extractor.aborted(), "cancelled"
            raise
        finally:  # also after a fault of ours: nothing may seem to run for ever
            self._note_due(undone=state in ("failed", "cancelled") or self.report.reason == "rate")
            report = self.report
            self._tell_price(report)
            self._host.emit(JobChanged("extract", state, report.outcome or "", report.written, report.usage))
        if self.report.left and self._jobs is not None:
            self._jobs.submit(snapshot)

    def _tell_price(self, report: Report) -> None:
        """Say once that a cap cannot be kept, as for a turn."""
        cap = float(str(self._host.settings.value("memory.extraction_cost_usd")))
        usage = report.usage
        if self._told_price or not cap or usage is None or usage.cost_usd is not None or not usage.total_tokens:
            return
        self._told_price = True
        text = say("The price of this model is not known, so the cost limit of memory extraction cannot be kept.")
        self._host.emit(Notice("warning", "extraction.no_price", text))

    # --- the end ----------------------------------------------------------------------------------------------------

    async def drain(self, timeout_s: float) -> None:
        """Take no more and wait for what runs, at most `timeout_s` seconds; then it is cancelled. What was undone is marked as due."""
        if self._jobs is None:
            return
        waited = self._jobs.waiting
        await self._jobs.close(timeout_s)
        if waited:
            self._leave_due()

    async def finish(self, timeout_s: float, *, unless: asyncio.Event) -> None:
        """Run what waits at once and wait for its end, at most `timeout_s` seconds or until `unless` is set. Cancels nothing."""
        if self._jobs is None:
            return
        waits = {asyncio.ensure_future(self._jobs.finish(timeout_s)), asyncio.ensure_future(unless.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waits:
                one.cancel()

    def _leave_due(self) -> None:
        self._note_due(undone=True)

    def _note_due(self, *, undone: bool) -> None:
        """Keep in the transcript whether something is left to do; written only when it changes."""
        handle = self._host.conversation.handle
        if (handle.meta.get(DUE) is True) == undone:
            return
        try:
            handle.set_meta(DUE, undone)
        except KeepsakeError as error:
            log.warning("that an extraction is due could not be stored: %s", error.message)

    # --- with what --------------------------------------------------------------------------------------------------

    def _extractor(self) -> Extractor | None:
        host = self._host
        assembler = host.assembler() or self._built
        if assembler is None or not assembler.memory_root:
            return None
        store = host.memory.store
        return Extractor(
            Keeper(
                conversation=host.conversation,
                assembler=assembler,
                store=store,
                make_calls=self._calls,
                state=host.memory.now,
                lease=extraction_lease(host.paths, store.memory_root.key),
                options=ExtractionOptions.from_settings(host.settings),
                language=host.language(),
                clock=host.clock,
                emit=host.emit,
            )
        )

    def _calls(self, said: Sequence[Said], untrusted: bool, noted: Callable[[TurnEvent], None]) -> CallServices:
        """The keeper's call services: its rights, its actor, a copy of what the session has read (WL-06), and nobody to ask (WL-05)."""
        host, options = self._host, ExtractionOptions.from_settings(self._host.settings)
        read_state = host.read_state.copy()
        keep = _keeper_of(host.memory.store)

        def make_context(call: ToolCallPart) -> ToolContext:
            return host.memory.tool_context(
                actor="extractor",
                read_state=read_state,
                message_id=said[-1].message_id if said else "",
                emit=_silent,
                untrusted=untrusted,
                keep=keep,
                said=tuple(said),
            )

        async def nobody_answers(request: ApprovalRequest) -> ApprovalAnswer:
            return ApprovalAnswer("deny", "nobody answers in the background")

        def only_memory(event: TurnEvent) -> None:
            if isinstance(event, (MemorySaved, MemoryProposed)):
                noted(event)

        paths = host.paths
        policy = keeper_policy(
            host.workspace,
            host.memory.store.root,
            bash=options.bash,
            reads=options.reads,
            closed=(paths.data, paths.config, paths.cache),
        )
        return CallServices(host.tools(), make_context, policy, nobody_answers, lambda access, answer: None, only_memory, host.clock)


def _keeper_of(store: MemoryStore) -> Callable[[Candidate], Judged]:
    """The judgement over what stands in a root at that moment. Blocking when it is called."""
    from desktop.memory.keeping import judge

    def keep(candidate: Candidate) -> Judged:
        return judge(candidate, _read(store))

    return keep


def _read(store: MemoryStore) -> list[tuple[Note, str]]:
    found = []
    for note in store.notes():
        try:
            found.append((note, decode(store.read(note.path).data)))
        except KeepsakeError as error:
            log.info("a memory could not be compared: %s", error.message)
    return found


def _joined(first: Report, then: Report) -> Report:
    """Two runs that followed each other, as one."""
    if then.decision != "run":
        return (
            first
            if not first.left
            else Report(first.decision, first.reason, first.outcome, first.written, first.audit, first.proposed, first.usage)
        )
    usage = first.usage + then.usage if first.usage is not None and then.usage is not None else first.usage or then.usage
    outcome = "success" if then.outcome == "no-op" and first.outcome == "success" else then.outcome
    written = tuple(dict.fromkeys((*first.written, *then.written)))
    audit, proposed = (*first.audit, *then.audit), (*first.proposed, *then.proposed)
    return Report("run", None, outcome, written, audit, proposed, usage, then.left)


def _silent(text: str) -> None:
    """Live output of the memory keeper's calls is shown to nobody."""
