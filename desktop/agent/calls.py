"""Running the tool calls of one response: prepare → decide → ask the person → run, with a result for every call.

A tool's error is a result for the model, never the end of the turn. Reads that stand together run side by side, everything else in
order. Does not touch the transcript. Runs on the asyncio thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop.agent.ask import Emit
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError, StorageError
from desktop.base.phrases import phrase_to_json, say
from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    ApprovalResolved,
    MemoryChangeRef,
    MemoryProposed,
    MemorySaved,
    ToolFinished,
    ToolStarted,
)
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.permissions.access import Access, Decision
from desktop.tools.base import Outcome, Prepared, Tool, ToolContext

SIDE_BY_SIDE = frozenset({"Read", "Glob", "Grep", "ReadSessionContext", "memory_search", "history_search"})
MEMORY_SAVED = "memory_saved"
"""Key in a result's data under which the transcript keeps which memory files the call wrote."""
MEMORY_DELETED = "deleted"
"""The same for files that a call moved to the trash (see `tools.memory_remove`)."""
MEMORY_CHANGES = "memory_changes"
"""The journalled changes that a call made: objects with root, path, change, op."""
MEMORY_PROPOSED, MEMORY_WAITING = "memory_proposed", "memory_waiting"
"""Ids of the proposals that a call left for the person's review, and how many wait now."""
SAID = "said"
"""Key under which it keeps the phrase of a refusal or an error."""
log = logging.getLogger(__name__)

Approve = Callable[[ApprovalRequest], Awaitable[ApprovalAnswer]]
Policy = Callable[[Access], Decision]
Remember = Callable[[Access, ApprovalAnswer], None]
MakeContext = Callable[[ToolCallPart], ToolContext]


@dataclass(frozen=True, slots=True)
class CallServices:
    """What running a call needs; the main agent and the memory keeper differ only in `policy`, `approve` and the context."""

    tools: Mapping[str, Tool]
    make_context: MakeContext
    policy: Policy
    approve: Approve
    remember: Remember
    emit: Emit
    clock: Clock


def error_result(call: ToolCallPart, text: str) -> ToolResultPart:
    return ToolResultPart(call.id, call.name, text, "error", data=said(text))


def said(text: str) -> dict[str, object] | None:
    """A result's data for a text that the window can say in its own language."""
    phrase = phrase_to_json(text)
    return None if phrase is None else {SAID: phrase}


class CallRunner:
    """Runs the calls of one response.

    Attributes:
        finished: results by call id, also of calls that ended while the turn was being interrupted.
        saved: memory files that were written, in order.
        deleted: memory files that were moved to the trash, in order.
        proposed: changes of memory that wait for the person's review.
        changed_memory: something was written to memory, or deleted from it.
        not_stored: names of calls whose change could not be stored: a full disk, a folder that cannot be written.
    """

    def __init__(self, services: CallServices) -> None:
        self._services = services
        self.finished: dict[str, ToolResultPart] = {}
        self.saved: list[str] = []
        self.deleted: list[str] = []
        self.proposed: list[str] = []
        self.changed_memory = False
        self.not_stored: list[str] = []

    async def results(self, calls: Sequence[ToolCallPart]) -> AsyncIterator[ToolResultPart]:
        """One result a call, in the order of the calls."""
        position = 0
        while position < len(calls):
            end = position + 1
            while end < len(calls) and calls[position].name in SIDE_BY_SIDE and calls[end].name in SIDE_BY_SIDE:
                end += 1
            group = calls[position:end]
            for result in await self._group(group):
                yield result
            position = end

    async def _group(self, calls: Sequence[ToolCallPart]) -> list[ToolResultPart]:
        tasks = [asyncio.create_task(self._one(call)) for call in calls]
        try:
            return list(await asyncio.gather(*tasks))
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    async def _one(self, call: ToolCallPart) -> ToolResultPart:
        started = self._services.clock.monotonic()
        result = await self._result(call)
        self.finished[call.id] = result
        self._services.emit(ToolFinished(result, self._services.clock.monotonic() - started))
        return result

    async def _result(self, call: ToolCallPart) -> ToolResultPart:
        tool = self._services.tools.get(call.name)
        if tool is None:
            names = ", ".join(sorted(self._services.tools))
            return error_result(call, say("There is no tool “{name}”. These exist: {names}.", name=call.name, names=names))
        if call.raw is not None:
            return error_result(call, f"The arguments are no JSON object. {call.name} takes {sorted(tool.spec.parameters['properties'])}.")
        context = self._services.make_context(call)
        try:
            prepared = await tool.prepare(call.input, context)
            denied = await self._permission(call, prepared)
            if denied is not None:
                return ToolResultPart(call.id, call.name, denied, "denied", prepared.diff, said(denied))
            self._services.emit(ToolStarted(call, prepared.title))
            outcome = await prepared.run()
        except KeepsakeError as error:
            if isinstance(error, StorageError) or isinstance(error.__cause__, StorageError):
                self.not_stored.append(call.name)
            return error_result(call, error.text())
        except Exception as error:  # a fault inside a tool is a result for the model, and a line in the log
            log.exception("the tool %s failed", call.name)
            return error_result(call, say("{name} failed: {error}", name=call.name, error=f"{type(error).__name__}: {error}"))
        return self._done(call, outcome, context)

    def _done(self, call: ToolCallPart, outcome: Outcome, context: ToolContext) -> ToolResultPart:
        said_of = outcome.data or {}
        deleted = tuple(map(str, said_of.get(MEMORY_DELETED) or ()))
        self.saved += outcome.memory_saved
        self.deleted += deleted
        proposed = tuple(map(str, said_of.get(MEMORY_PROPOSED) or ()))
        self.proposed += proposed
        if outcome.memory_saved or deleted:
            self.changed_memory = True
            changes = tuple(ref for ref in map(_change_ref, said_of.get(MEMORY_CHANGES) or ()) if ref is not None)
            self._services.emit(MemorySaved(outcome.memory_saved, context.actor, _root_of(outcome, context), changes, deleted))
        if proposed:
            self._services.emit(MemoryProposed(len(proposed), int(said_of.get(MEMORY_WAITING) or 0), proposed))
        data = dict(outcome.data or {}) | ({MEMORY_SAVED: list(outcome.memory_saved)} if outcome.memory_saved else {})
        return ToolResultPart(call.id, call.name, outcome.output, outcome.status, outcome.diff, data or None)

    async def _permission(self, call: ToolCallPart, prepared: Prepared) -> str | None:
        """None = go on; else the text that tells the model why not."""
        decision = self._services.policy(prepared.access)
        if decision.effect == "allow":
            return None
        if decision.effect == "deny":
            return decision.reason
        answer = await self._ask(call, prepared, decision)
        if answer.choice != "deny":
            self._services.remember(prepared.access, answer)
            return None
        if not answer.reason:
            return say("The person refused this call.")
        return say("This call was refused: {reason}", reason=answer.reason)

    async def _ask(self, call: ToolCallPart, prepared: Prepared, decision: Decision) -> ApprovalAnswer:
        access = prepared.access
        target = access.content if access.kind == "execute" else str(access.target or "")
        request = ApprovalRequest(call.id, call, prepared.title, target, access.content, prepared.diff, decision.reason, decision.rule)
        self._services.emit(request)
        answer = await self._services.approve(request)
        self._services.emit(ApprovalResolved(request.id, answer))
        return answer


def _change_ref(value: object) -> MemoryChangeRef | None:
    if not isinstance(value, dict):
        return None
    root, path, change, op = (value.get(name) for name in ("root", "path", "change", "op"))
    if not (isinstance(root, str) and isinstance(path, str) and isinstance(change, str) and isinstance(op, str)):
        return None
    return MemoryChangeRef(root, path, change, op)


def _root_of(outcome: Outcome, context: ToolContext) -> str:
    """The folder of the root that a call wrote to: the project's unless its result names another."""
    named = (outcome.data or {}).get("memory_root")
    if isinstance(named, str) and context.memories is not None:
        root = context.memories.root(named)
        return str(root.folder) if root is not None else named
    return str(context.memory_root or "")
