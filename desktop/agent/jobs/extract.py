"""Extraction: after a turn, look at what the person said since the cursor and write what is worth keeping. Asyncio thread.

Its requests and answers are never part of the transcript; what remains are files, each written through the store with actor `extractor`.
The cursor moves only after a success or a no-op, so that nothing is skipped by an error.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from desktop.agent.assembler import Assembler
from desktop.agent.calls import MEMORY_DELETED, MEMORY_SAVED, CallRunner, CallServices
from desktop.agent.jobs.lease import Lease
from desktop.agent.jobs.prose import pending_after
from desktop.agent.jobs.whitelist import TOOLS
from desktop.agent.limits import Limits
from desktop.agent.loop import Conversation, Turn, TurnServices
from desktop.agent.prompts import EXTRACT, EXTRACT_WRITTEN
from desktop.base.errors import KeepsakeError
from desktop.memory.note import list_notes, manifest_of
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.messages.events import TurnEvent
from desktop.messages.parts import Message
from desktop.providers.base import Model

ROUNDS = 5
SECONDS = 120.0
OUTPUT_TOKENS = 5_000
MOST_STATEMENTS = 3
"""Sentences that a small model is asked about in one run."""
CURSOR = "extraction_cursor"
log = logging.getLogger(__name__)

SkipReason = Literal["direct-memory-write", "no-user-prose", "disabled", "remote", "no-root", "closing", "rate"]
Outcome = Literal["success", "no-op", "error", "aborted"]


@dataclass(frozen=True, slots=True)
class Report:
    """What an extraction did, in the shape of the headless JSON."""

    decision: Literal["run", "skip", "off"]
    reason: str | None = None
    outcome: Outcome | None = None
    written: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"decision": self.decision, "reason": self.reason, "outcome": self.outcome, "written": list(self.written)}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The conversation at the end of a turn, and the model that held it."""

    messages: tuple[Message, ...]
    model: Model


def written_by_main(messages: Sequence[Message]) -> list[str]:
    """Memory files that calls of these messages wrote."""
    return [str(path) for m in messages for r in m.tool_results if r.data for path in r.data.get(MEMORY_SAVED, ())]


class Extractor:
    """Runs extractions of one session.

    Args:
        make_calls: gives the call services of the memory keeper (its policy, actor and a copy of the read state) for the message with the
            given id, which becomes the origin of what is written.
        lease: the right to extract in this project; without it nothing is done and everything stays pending.
    """

    def __init__(
        self,
        conversation: Conversation,
        assembler: Assembler,
        store: MemoryStore,
        make_calls: Callable[[str], CallServices],
        state: Callable[[], MemoryState],
        lease: Lease,
    ) -> None:
        self._conversation = conversation
        self._assembler = assembler
        self._store = store
        self._make_calls = make_calls
        self._state = state
        self._lease = lease
        self._saved: list[str] = []
        self._changed = False

    def aborted(self) -> Report:
        """The report of a run that was cancelled, with what it had written by then."""
        return Report("run", None, "aborted", tuple(self._saved))

    @property
    def _cursor(self) -> str | None:
        value = self._conversation.handle.meta.get(CURSOR)
        return value if isinstance(value, str) else None

    def decide(self, snapshot: Snapshot) -> Report | None:
        """A report when there is nothing to run, else None."""
        state = self._state()
        if not state.enabled or not state.write or state.extraction == "off":
            return Report("off", "disabled")
        if not pending_after(snapshot.messages, self._cursor).worth:
            return Report("skip", "no-user-prose")
        return None

    async def run(self, snapshot: Snapshot, *, wait_s: float = 0.0) -> Report:
        """One extraction within its rounds and its time; while another process extracts in this project, at most `wait_s` are waited."""
        ended = self.decide(snapshot)
        if ended is not None:
            return ended
        async with self._lease(wait_s) as had:
            if had:
                return await self._run(snapshot)
        log.info("another process extracts in this project; these messages stay pending")
        return Report("skip", "rate")

    async def _run(self, snapshot: Snapshot) -> Report:
        self._saved = []
        self._changed = False
        try:
            async with asyncio.timeout(SECONDS):
                outcome = await self._work(snapshot)
            if outcome == "success":
                self._conversation.handle.set_meta(CURSOR, snapshot.messages[-1].id)
                outcome = "success" if self._changed else "no-op"
        except TimeoutError:
            return self.aborted()
        except asyncio.CancelledError:
            log.info("extraction cancelled; its messages stay pending")
            raise
        except KeepsakeError as error:
            log.warning("extraction failed; its messages stay pending: %s", error.message)
            outcome = "error"
        return Report("run", None, outcome, tuple(self._saved))

    async def _work(self, snapshot: Snapshot) -> Outcome:
        pending = pending_after(snapshot.messages, self._cursor).messages
        if snapshot.model.info.small:
            return await self._message_by_message(snapshot, pending)
        first = snapshot.messages.index(pending[0])
        files = written_by_main(snapshot.messages[first:])
        text = EXTRACT.format(
            count=len(snapshot.messages) - first,
            rounds=ROUNDS,
            written=EXTRACT_WRITTEN.format(files=", ".join(files)) if files else "",
            manifest=manifest_of(await asyncio.to_thread(list_notes, self._store.root)) or "(none)",
        )
        return await self._turn(snapshot.messages, text, snapshot, pending[-1].id)

    async def _message_by_message(self, snapshot: Snapshot, pending: Sequence[Message]) -> Outcome:
        """A small model finds nothing in a whole transcript: it is asked about one sentence at a time, behind the guards."""
        from desktop.providers.embedded_guards import extract_candidates

        handled = _already_saved(snapshot.messages)
        found = [(text, m.id) for m in pending if m.id not in handled for text in extract_candidates([m.text])]
        for text, message_id in found[-MOST_STATEMENTS:]:
            outcome = await self._turn((), text, snapshot, message_id)
            if outcome != "success":
                return outcome
        return "success"

    async def _turn(self, history: Sequence[Message], text: str, snapshot: Snapshot, message_id: str) -> Outcome:
        calls = self._make_calls(message_id)
        runner = CallRunner(calls)
        services = TurnServices(
            model=snapshot.model,
            assembler=self._assembler,
            runner=runner,
            tools=[tool.spec for name, tool in calls.tools.items() if name in TOOLS or not snapshot.model.info.small],
            limits=Limits(steps=ROUNDS, seconds=SECONDS),
            retries=1,
            thinking="off",
            max_output_tokens=OUTPUT_TOKENS,
            kind="extract",
            clock=calls.clock,
            emit=_silent,
            workspace=str(self._store.project.source),
            record=False,
        )
        conversation = replace(self._conversation)
        try:
            ended = await Turn(conversation, services, history).run(text)
        finally:
            self._saved += [path for path in runner.saved if path not in self._saved]
            self._changed = self._changed or runner.changed_memory
        if ended.stop == "interrupted":
            raise asyncio.CancelledError
        return "success" if ended.stop == "end" or (ended.stop == "limit" and runner.changed_memory) else "error"


def _already_saved(messages: Sequence[Message]) -> set[str]:
    """Ids of the person's messages whose turn wrote or deleted memory by itself."""
    handled: set[str] = set()
    current: str | None = None
    for message in messages:
        if message.role == "user" and message.origin == "person":
            current = message.id
        elif current and any(r.data and (r.data.get(MEMORY_SAVED) or r.data.get(MEMORY_DELETED)) for r in message.tool_results):
            handled.add(current)
    return handled


def _silent(event: TurnEvent) -> None:
    """The memory keeper's stream is shown to nobody; its report is."""
