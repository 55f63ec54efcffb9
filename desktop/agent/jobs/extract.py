"""Extraction: after a turn, look at what the person said since the cursor and write what is worth keeping. Asyncio thread.

Its requests and answers are never part of the transcript; what remains are files, each written through the store with actor `extractor` and
the person's sentence as its reason, and proposals that wait for the person. The cursor moves only after a success or a no-op, so that
nothing is skipped by an error.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.agent.assembler import Assembler
from desktop.agent.calls import MEMORY_DELETED, MEMORY_SAVED, CallRunner, CallServices
from desktop.agent.fit import tool_tokens
from desktop.agent.jobs.cursor import CURSOR, Cursor
from desktop.agent.jobs.extract_prompts import Remove, instruction
from desktop.agent.jobs.history import Slice, slice_for
from desktop.agent.jobs.lease import Lease
from desktop.agent.jobs.options import ExtractionOptions
from desktop.agent.jobs.prose import Pending, is_persons, pending_behind
from desktop.agent.jobs.report import AuditEntry, Outcome, Report
from desktop.agent.jobs.whitelist import INDEX_TOOL, TOOLS
from desktop.agent.limits import Limits
from desktop.agent.loop import Conversation, Turn, TurnServices
from desktop.agent.prompts import Language
from desktop.agent.session_memory import untrusted_text_in
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError
from desktop.base.words import estimate_tokens
from desktop.memory.note import list_notes, manifest_of
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.messages.events import MemorySaved, TurnEnded, TurnEvent
from desktop.messages.parts import Message
from desktop.messages.usage import Usage
from desktop.providers.base import Model
from desktop.tools.base import Said, Tool

__all__ = ["CURSOR", "Extractor", "Keeper", "Report", "Snapshot"]

MOST_STATEMENTS = 3
"""Sentences that a small model is asked about in one run; the next run goes on behind them."""

SPENT = "extraction_cost_usd"
"""Name of the transcript's value that sums what this session's extractions cost, so that the cap survives a restart."""

RUNS = "extraction_runs"
"""Name of the transcript's value that counts this session's extractions, so that their cap survives a restart."""

KNOWN_CHANGES = 200
FOR_ITS_WORK = 0.15
"""Share of the window for the instruction, the calls of the run and their results."""
LEAST_ROOM = 500
log = logging.getLogger(__name__)

MakeCalls = Callable[[Sequence[Said], bool, Callable[[TurnEvent], None]], CallServices]
"""Gives the call services of the memory keeper (policy, actor, judgement, a copy of the read state) for the person's messages that it looks
at, whether text of others is in its window, and who is told of what is saved or proposed."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The conversation at the end of a turn, and the model that held it."""

    messages: tuple[Message, ...]
    model: Model


@dataclass(frozen=True, slots=True)
class Keeper:
    """What an extractor works with; made anew for each run, so that changed settings hold.

    Attributes:
        store: of the project's memory, the only one that is written.
        state: the switches as they hold now.
        lease: the right to extract in this project; without it nothing is done and everything stays pending.
        emit: who is told of what is saved or proposed.
    """

    conversation: Conversation
    assembler: Assembler
    store: MemoryStore
    make_calls: MakeCalls
    state: Callable[[], MemoryState]
    lease: Lease
    options: ExtractionOptions
    language: Language
    clock: Clock
    emit: Callable[[TurnEvent], None]


def written_by_main(messages: Sequence[Message]) -> list[str]:
    """Memory files that calls of these messages wrote or deleted; calls that failed or were refused wrote nothing (W-05)."""
    data = [result.data for message in messages for result in message.tool_results if result.data]
    found = (path for one in data for key in (MEMORY_SAVED, MEMORY_DELETED) for path in one.get(key) or ())
    return list(dict.fromkeys(str(path) for path in found))


@dataclass(slots=True)
class _Run:
    """What one run has done so far."""

    saved: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    proposed: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    changed: bool = False


@dataclass(frozen=True, slots=True)
class _Looked:
    """Id of the last message that counts as looked at ("": none), whether more is left for another run, and whether it failed there."""

    boundary: str = ""
    left: bool = False
    failed: bool = False


class Extractor:
    """Runs extractions of one session, one after the other."""

    def __init__(self, keeper: Keeper) -> None:
        self._k = keeper
        self._cursor = Cursor(keeper.conversation.handle)
        self._run_state = _Run()

    # --- whether ----------------------------------------------------------------------------------------------------

    def pending(self, messages: Sequence[Message]) -> Pending:
        """What of a branch was not looked at yet."""
        options = self._k.options
        return pending_behind(messages, self._cursor.position(messages), words=options.words, most=options.pending)

    def decide(self, snapshot: Snapshot) -> Report | None:
        """A report when there is nothing to run, else None. Changes nothing."""
        state, options = self._k.state(), self._k.options
        if not state.enabled or not state.write or state.extraction == "off":
            return Report("off", "disabled")
        if options.single:
            return Report("off", "no-root")
        if options.after_write == "skip" and written_by_main(snapshot.messages[self._cursor.position(snapshot.messages) :]):
            return Report("skip", "direct-memory-write")
        if not self.pending(snapshot.messages).worth:
            return Report("skip", "no-user-prose")
        if (options.cost_usd and self.spent_usd >= options.cost_usd) or (options.runs and self.runs >= options.runs):
            return Report("skip", "rate")
        return None

    def consider(self, snapshot: Snapshot) -> Report | None:
        """As `decide`; what the settings say is passed over (S0) counts as looked at from now on."""
        ended = self.decide(snapshot)
        if ended is None or not snapshot.messages or not self._passes_over(ended):
            return ended
        try:
            self._cursor.move(snapshot.messages[-1].id)
        except KeepsakeError as error:
            log.warning("the extraction cursor could not be stored: %s", error.message)
        return ended

    def _passes_over(self, report: Report) -> bool:
        return report.reason == "direct-memory-write" or (report.reason == "no-user-prose" and self._k.options.short == "advance")

    @property
    def spent_usd(self) -> float:
        """What the extractions of this session cost so far, as far as prices are known."""
        value = self._k.conversation.handle.meta.get(SPENT)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0

    @property
    def runs(self) -> int:
        """Extractions of this session so far, over all the times that it was open."""
        value = self._k.conversation.handle.meta.get(RUNS)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    # --- a run ------------------------------------------------------------------------------------------------------

    async def run(self, snapshot: Snapshot, *, wait_s: float = 0.0) -> Report:
        """One extraction within its rounds and its time; while another process extracts in this project, at most `wait_s` are waited."""
        self._run_state = _Run()
        ended = self.consider(snapshot)
        if ended is not None:
            return ended
        async with self._k.lease(wait_s) as had:
            if had:
                return await self._run(snapshot)
        log.info("another process extracts in this project; these messages stay pending")
        return Report("skip", "rate")

    def aborted(self) -> Report:
        """The report of a run that was cancelled, with what it had written by then."""
        return self._report("aborted")

    def _report(self, outcome: Outcome, audit: tuple[AuditEntry, ...] = (), *, left: bool = False) -> Report:
        run = self._run_state
        return Report("run", None, outcome, tuple(run.saved), audit, tuple(run.proposed), run.usage, left)

    async def _run(self, snapshot: Snapshot) -> Report:
        outcome: Outcome = "error"
        left = False
        try:
            async with asyncio.timeout(self._k.options.seconds):
                looked = await self._work(snapshot)
            if looked.boundary:
                self._cursor.move(looked.boundary)
            run, left = self._run_state, looked.left
            if not looked.failed:
                outcome = "success" if run.changed or run.proposed else "no-op"
        except TimeoutError:
            outcome = "aborted"
        except asyncio.CancelledError:
            log.info("extraction cancelled; its messages stay pending")
            raise
        except KeepsakeError as error:
            log.warning("extraction failed; its messages stay pending: %s", error.message)
            outcome = "error"
        finally:
            self._note_cost()
        return self._report(outcome, await asyncio.to_thread(self._audit), left=left)

    def _note_cost(self) -> None:
        cost, handle = self._run_state.usage.cost_usd, self._k.conversation.handle
        try:
            handle.set_meta(RUNS, self.runs + 1)
            if cost:
                handle.set_meta(SPENT, round(self.spent_usd + cost, 6))
        except KeepsakeError as error:
            log.warning("what an extraction cost could not be stored: %s", error.message)

    def _audit(self) -> tuple[AuditEntry, ...]:
        """What changed and why, as the journal has it (EX-12). Blocking."""
        made = set(self._run_state.changes)
        known = self._k.store.changes(KNOWN_CHANGES) if made else []
        return tuple(AuditEntry(one.op, one.path, one.id, one.origin.reason) for one in reversed(known) if one.id in made)

    async def _work(self, snapshot: Snapshot) -> _Looked:
        position = self._cursor.position(snapshot.messages)
        if snapshot.model.info.small:
            return await self._message_by_message(snapshot, position)
        part = slice_for(snapshot.messages, position, self._room(snapshot.model))
        text = await asyncio.to_thread(self._instruction, part, snapshot.messages[position:])
        untrusted = untrusted_text_in(part.messages)
        done = await self._turn(part.messages, text, snapshot, part.said, untrusted=untrusted)
        return _Looked(part.boundary, part.left) if done else _Looked(failed=True)

    def _room(self, model: Model) -> int:
        """Tokens that the conversation may take, beside the rules, the tools, the answers and what the run itself adds."""
        keeper, info = self._k, model.info
        tools = tool_tokens([tool.spec for tool in self._tools().values()])
        fixed = tools + estimate_tokens(keeper.assembler.system) + estimate_tokens(keeper.assembler.start)
        room = (info.context_window - min(keeper.options.output_tokens, info.max_output_tokens)) / keeper.conversation.correction
        return max(LEAST_ROOM, int(room * (1 - FOR_ITS_WORK)) - fixed)

    def _tools(self) -> Mapping[str, Tool]:
        return self._k.make_calls((), False, _silent).tools

    def _remove(self) -> Remove:
        if self._k.options.bash != "none":
            return "rm"
        return "index" if INDEX_TOOL in self._tools() else "edit"

    def _instruction(self, part: Slice, new: Sequence[Message]) -> str:
        return instruction(
            self._k.language,
            count=part.count,
            own=len(part.said),
            rounds=self._k.options.turns,
            today=self._k.clock.now().astimezone().date().isoformat(),
            written=written_by_main(new),
            remove=self._remove(),
            manifest=manifest_of(list_notes(self._k.store.root, self._k.store.note_cache)),
        )

    async def _message_by_message(self, snapshot: Snapshot, position: int) -> _Looked:
        """A small model finds nothing in a whole transcript: it is asked about one sentence at a time, behind the guards."""
        from desktop.providers.embedded_guards import extract_candidates
        from desktop.providers.embedded_withdrawn import taken_back

        new = list(filter(is_persons, snapshot.messages[position:]))
        handled = _already_saved(snapshot.messages) | {new[at].id for at in taken_back([message.text for message in new])}
        asked, looked_at = 0, ""
        for message in new:
            found = [] if message.id in handled else extract_candidates([message.text])
            if asked and asked + len(found) > MOST_STATEMENTS:
                return _Looked(looked_at, left=True)
            for text in found:
                asked += 1
                if not await self._turn((), text, snapshot, (message,), untrusted=False):
                    return _Looked(looked_at, failed=True)
            looked_at = message.id
        return _Looked(snapshot.messages[-1].id)

    async def _turn(self, history: Sequence[Message], text: str, snapshot: Snapshot, own: Sequence[Message], *, untrusted: bool) -> bool:
        """One conversation with the model; whether it looked at everything."""
        run, said = self._run_state, tuple(Said(message.id, message.text) for message in own)
        calls = self._k.make_calls(said, untrusted, self._noted)
        runner = CallRunner(calls)
        turn = Turn(replace(self._k.conversation), self._services(calls, runner, snapshot.model), history)
        try:
            ended = await turn.run(text)
        finally:
            run.saved += [path for path in runner.saved if path not in run.saved]
            run.proposed += runner.proposed
            run.changed = run.changed or runner.changed_memory
            run.usage += turn.usage
        if ended.stop == "interrupted":
            raise asyncio.CancelledError
        if runner.not_stored:
            log.warning("what was extracted could not be stored; its messages stay pending")
            return False
        return ended.stop == "end" or self._rounds_used_up(ended, turn, len(history))

    def _rounds_used_up(self, ended: TurnEnded, turn: Turn, before: int) -> bool:
        """Whether it ended since it had all its rounds: it looked at everything, and would ask for more each time anew (B19)."""
        answers = sum(1 for message in turn.messages[before:] if message.role == "assistant")
        return ended.stop == "limit" and answers >= self._k.options.turns

    def _services(self, calls: CallServices, runner: CallRunner, model: Model) -> TurnServices:
        options = self._k.options
        cost_left = max(options.cost_usd - self.spent_usd - (self._run_state.usage.cost_usd or 0.0), 1e-6) if options.cost_usd else 0.0
        return TurnServices(
            model=model,
            assembler=self._k.assembler,
            runner=runner,
            tools=[tool.spec for name, tool in calls.tools.items() if name in TOOLS or not model.info.small],
            limits=Limits(steps=options.turns, seconds=options.seconds, cost_usd=cost_left),
            retries=1,
            thinking="off",
            max_output_tokens=options.output_tokens,
            kind="extract",
            clock=calls.clock,
            emit=_silent,
            workspace=str(self._k.store.project.source),
            record=False,
        )

    def _noted(self, event: TurnEvent) -> None:
        if isinstance(event, MemorySaved):
            self._run_state.changes += [ref.change for ref in event.changes]
        self._k.emit(event)


def _already_saved(messages: Sequence[Message]) -> set[str]:
    """Ids of the person's messages whose turn wrote or deleted memory by itself."""
    handled: set[str] = set()
    current: str | None = None
    for message in messages:
        if is_persons(message):
            current = message.id
        elif current and any(r.data and (r.data.get(MEMORY_SAVED) or r.data.get(MEMORY_DELETED)) for r in message.tool_results):
            handled.add(current)
    return handled


def _silent(event: TurnEvent) -> None:
    """The memory keeper's stream is shown to nobody; its report is."""
