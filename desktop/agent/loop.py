"""The agent loop: one turn from the person's message to its end. The order of things stands in `Turn.run`.

Owns what is recorded when: a message is in the transcript, fsynced, before it is told to anybody, and every call has a result, also when
the turn is cancelled. Appending blocks for one fsync, which is right: what follows must not happen before it. Runs on the asyncio thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from desktop.agent.ask import Emit, InterruptedResponseError, ask
from desktop.agent.assembler import Assembler, merged
from desktop.agent.calls import CallRunner, said
from desktop.agent.fit import Fitted, fit, message_tokens, tool_tokens
from desktop.agent.limits import Limits, LimitWatch
from desktop.agent.memory_view import Hints
from desktop.agent.prompts import INTERRUPTED, handoff_hint
from desktop.agent.recall_shown import to_json
from desktop.agent.recalled import memory_notes, still_standing
from desktop.agent.standing import CONTEXT, NONCE, ContextNotes, nonce_of
from desktop.agent.turn_parts import (
    ContextFullError,
    claim_text,
    context_full,
    earlier_tokens,
    open_tool_calls,
    untrue_claim,
    with_own_ids,
)
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError, ProviderError, kind_of
from desktop.base.ids import new_message_id
from desktop.base.phrases import say
from desktop.base.words import estimate_tokens
from desktop.messages.boundary import since_boundary
from desktop.messages.events import (
    BranchMoved,
    MemoryRecalled,
    MessageAppended,
    Notice,
    RecalledRef,
    ResponseEnd,
    TurnEnded,
    TurnStarted,
    TurnStop,
    UsageUpdated,
)
from desktop.messages.pairs import paired
from desktop.messages.parts import Message, Part, TextPart, ToolCallPart, ToolResultPart
from desktop.messages.tools import ToolSpec
from desktop.messages.usage import Usage
from desktop.providers.base import Model, ModelRequest, RequestKind, ThinkingLevel
from desktop.sessions.store import SessionHandle
from desktop.tools.base import ReadState

if TYPE_CHECKING:
    from desktop.agent.recall import Recall, RecallTurn


@dataclass(frozen=True, slots=True)
class Inserted:
    """A framed text that was put behind the message `after`, in the turn of the person's message `person`."""

    person: str
    after: str
    text: str
    refs: tuple[RecalledRef, ...] = ()


@dataclass(slots=True)
class Conversation:
    """What outlives a turn: the transcript, what was cut from requests, and how far our estimates were off."""

    handle: SessionHandle
    cut: frozenset[str] = frozenset()
    correction: float = 1.0
    context_tokens: int = 0
    told_short: bool = False
    """The person knows that this model no longer gets the whole conversation."""
    inserted: list[Inserted] = field(default_factory=list)
    """Recalled memories that stand in requests: each behind the message after which it came, in every later request too."""


@dataclass(frozen=True, slots=True)
class TurnServices:
    """All that one turn uses; made anew for each turn, so that a switched model or mode holds from the next one."""

    model: Model
    assembler: Assembler
    runner: CallRunner
    tools: Sequence[ToolSpec]
    limits: Limits
    retries: int
    thinking: ThinkingLevel
    max_output_tokens: int
    kind: RequestKind
    clock: Clock
    emit: Emit
    workspace: str
    recall: Recall | None = None
    """What adds memories to the turn; None for jobs, and while memory is off."""
    read_state: ReadState | None = None
    """What calls have read; what changes of it is noted with the messages."""
    loaded: list[dict[str, Any]] = field(default_factory=list)  # what of memory was loaded and no answer's notes hold yet
    record: bool = True
    """False for the memory keeper: its messages feed on the transcript and are not part of it."""


class Turn:
    """One turn. Use `run` once."""

    def __init__(self, conversation: Conversation, services: TurnServices, history: Sequence[Message] | None = None) -> None:
        self._conversation = conversation
        self._s = services
        self._own: list[Message] = list(history or ())
        self._usage = Usage()
        self._watch = LimitWatch(services.limits, services.clock)
        self._tail = ""
        self._hints = Hints()
        self._request_cut = conversation.cut
        self._recalling: RecallTurn | None = None
        self._recalled: list[RecalledRef] = []
        self._refs: tuple[RecalledRef, ...] = ()
        self._person = ""
        self._kept = ContextNotes(conversation.cut, conversation.correction, services.read_state if services.record else None)
        self._unkept: list[Inserted] = []

    @property
    def messages(self) -> Sequence[Message]:
        return self._conversation.handle.messages if self._s.record else self._own

    @property
    def usage(self) -> Usage:
        return self._usage

    @property
    def tail(self) -> str:
        """Slot C as it was sent, but for what was recalled."""
        return self._tail

    @property
    def recalled(self) -> tuple[RecalledRef, ...]:
        """The recalled memories that stand in the context after this turn, those of earlier turns too."""
        earlier = tuple(ref for one in self._conversation.inserted for ref in one.refs)
        return self._refs if self._s.model.info.small else earlier

    async def run(self, text: str, *, beside: Message | None = None) -> TurnEnded:
        """Record the person's message, then ask and act until the model is done, a limit is reached, or the task is cancelled.

        Args:
            beside: the message that this one stands beside, as another version of it; the live branch goes on from here.
        """
        return await self._whole(lambda: self._said(text, beside))

    async def again(self, message: Message) -> TurnEnded:
        """Answer the person's message with which the live branch ends once more."""
        return await self._whole(lambda: message)

    def _said(self, text: str, beside: Message | None) -> Message:
        if beside is None:
            self._close_open_calls()
        origin, notes = ("person", self._nonce_note()) if self._s.record else ("app", None)
        message = self._append("user", (TextPart(text),), origin=origin, notes=notes, beside=beside)
        if beside is not None:
            self._s.emit(BranchMoved(self._conversation.handle.id, tuple(self.messages[:-1])))
        return message

    def _nonce_note(self) -> dict[str, Any] | None:
        nonce = self._s.assembler.nonce
        return {CONTEXT: {NONCE: nonce}} if nonce_of(self._conversation.handle.everything()) != nonce else None

    async def _whole(self, begin: Callable[[], Message]) -> TurnEnded:
        try:
            message = begin()
            text = message.text
            self._person = message.id
            self._s.emit(TurnStarted(self._conversation.handle.id, message))
            self._begin_recall(text)
            self._tail = await asyncio.to_thread(self._s.assembler.tail, text)
            if self._s.model.info.small:
                await self._take_hints(text)
            await self._first_recall()
            return await self._steps()
        except asyncio.CancelledError:
            self._uncancel()
            return self._end("interrupted")
        except ContextFullError as error:
            return self._end("limit", error)
        except KeepsakeError as error:
            return self._end("error", error)
        finally:
            await self._end_recall()
            self._drop_unkept()

    async def _steps(self) -> TurnEnded:
        step = 0
        while True:
            step += 1
            limit = self._watch.reached(step, self._usage)
            if limit:
                return self._end("limit", KeepsakeError(limit, hint=say("Write “go on” to continue, or raise the limit in the settings.")))
            try:
                async with asyncio.timeout(self._watch.seconds_left()) as clock:
                    calls = await self._step(step)
                    if not calls:
                        return self._end("end")
                    await self._act(calls)
            except TimeoutError:
                continue  # the watch says the same in words at the head of the loop
            except InterruptedResponseError as interrupted:
                if clock.expired():
                    self._record_partial(interrupted)
                    continue
                return self._interrupted(interrupted)

    # --- recall ------------------------------------------------------------------------------------------------------

    async def _take_hints(self, text: str) -> None:
        """A small model's adaptor puts ranked memory into a prompt of its own: that is what is recalled for it."""
        self._hints = await asyncio.to_thread(self._s.assembler.hints, text)
        if self._hints.refs and self._s.record:
            self._refs = self._hints.refs
            self._recalled += self._refs
            self._s.emit(MemoryRecalled(self._person, self._refs))

    def _begin_recall(self, text: str) -> None:
        """Both halves start beside what else has to be prepared; what stands in the context from earlier turns is looked at again."""
        if self._s.recall is not None and not self._s.model.info.small:
            handle = self._conversation.handle
            standing = since_boundary(self.messages)
            self._recalling = self._s.recall.begin(text, standing, self._s.model, message_id=self._person, session_id=handle.id)

    async def _first_recall(self) -> None:
        if self._recalling is not None:
            self._insert(await self._recalling.first(), self._person)

    async def _later_recall(self) -> None:
        """What a model chose meanwhile goes behind the newest message, so that what was sent before stays as it is.

        What was deleted, purged or changed since it was recalled leaves the requests, also in the middle of a turn.
        """
        if self._recalling is None or self._s.recall is None:
            return
        self._insert(self._recalling.arrived(), self.messages[-1].id)
        kept = await asyncio.to_thread(self._s.recall.kept, {message.id for message in since_boundary(self.messages)})
        standing = (replace(one, text=still_standing(one.text, kept.get(one.person, ()))) for one in self._conversation.inserted)
        self._conversation.inserted = [one for one in standing if one.text]

    def _insert(self, text: str, after: str) -> None:
        assert self._recalling is not None
        refs = self._recalling.new_refs()
        if text:
            inserted = Inserted(self._person, after, text, refs)
            self._conversation.inserted.append(inserted)
            self._unkept.append(inserted)
            place = {"person": self._person, "after": after, "group": len(self._conversation.inserted)}
            self._kept.recalled(to_json(shown) | place for shown in self._recalling.shown)
        if refs:
            self._recalled += refs
            self._s.emit(MemoryRecalled(self._person, refs, self._recalling.usage))

    def _drop_unkept(self) -> None:
        """What was recalled for a request that got no answer stands nowhere: it leaves the context, as it would with a restart."""
        if self._unkept and self._s.recall is not None:
            gone, self._unkept = self._unkept, []
            self._conversation.inserted = [one for one in self._conversation.inserted if not any(one is other for other in gone)]
            self._s.recall.shown.drop("\n\n".join(one.text for one in gone))

    async def _end_recall(self) -> None:
        if self._recalling is not None:
            await self._recalling.close()
            self._usage += self._recalling.usage

    # --- one step ----------------------------------------------------------------------------------------------------

    async def _step(self, step: int) -> Sequence[ToolCallPart]:
        await self._later_recall()
        request = self._request()
        end = await ask(self._s.model, request, self._s.emit, step=step, retries=self._s.retries)
        self._usage += end.usage
        if step == 1 and self._s.limits.cost_usd and end.usage.cost_usd is None:
            self._notice("warning", "limit.no_price", say("The price of this model is not known, so the cost limit cannot be kept."))
        self._learn(request, end)
        stop = "tool_calls" if any(isinstance(p, ToolCallPart) for p in end.parts) else end.stop
        parts = with_own_ids(end.parts, self.messages, self._s.clock)
        notes = self._notes(parts)
        message = self._append("assistant", parts, usage=end.usage, stop=stop, notes=notes)
        self._tell_usage(end)
        if end.stop == "length":
            self._notice("warning", "response.length", say("The answer was cut: it reached the model's output limit."))
        elif not message.tool_calls and not message.text.strip():
            self._notice("warning", "response.empty", say("The model gave no answer. Send the message again, or choose another model."))
        if notes and "claim" in notes:
            self._notice("warning", f"memory.{notes['claim']}", claim_text(notes["claim"]))
        return message.tool_calls

    def _notes(self, parts: Sequence[Part]) -> dict[str, Any] | None:
        """What the window shows beside an answer, after a restart too: memories that were added, a save that did not happen."""
        if not self._s.record:
            return None
        notes = self._context_note() | memory_notes(self._recalled, self._s.loaded)
        self._recalled = []
        if not any(isinstance(part, ToolCallPart) for part in parts):
            claim = untrue_claim("\n\n".join(part.text for part in parts if isinstance(part, TextPart)), self._s.runner)
            notes |= {"claim": claim} if claim else {}
        return notes or None

    def _context_note(self) -> dict[str, Any]:
        """What an answer keeps of the context that it was given in; see `agent.standing`."""
        note = self._kept.with_answer(self._request_cut, self._conversation.correction)
        return {CONTEXT: note} if note else {}

    def _result_notes(self) -> dict[str, Any] | None:
        note = self._kept.with_result()
        return {CONTEXT: note} if note else None

    async def _act(self, calls: Sequence[ToolCallPart]) -> None:
        try:
            async for result in self._s.runner.results(calls):
                self._append("tool", (result,), origin="tool", notes=self._result_notes())
        except asyncio.CancelledError:
            self._close_open_calls()
            raise

    # --- the request -----------------------------------------------------------------------------------------------

    def _request(self) -> ModelRequest:
        info, assembler = self._s.model.info, self._s.assembler
        fitted = self._fit()
        start = assembler.start_message()
        messages = merged(paired([*([start] if start else []), *self._with_inserted(fitted.messages)], INTERRUPTED))
        return ModelRequest(
            kind=self._s.kind,
            system=assembler.system,
            messages=messages,
            tools=tuple(self._s.tools),
            max_output_tokens=min(self._s.max_output_tokens, info.max_output_tokens),
            thinking=self._s.thinking,
            session_id=self._conversation.handle.id,
            workspace=self._s.workspace,
            memory_root=assembler.memory_root,
            memory_index=self._hints.index,
            memory_notes=self._hints.notes,
        )

    def _fit(self) -> Fitted:
        info, assembler = self._s.model.info, self._s.assembler
        if info.small:  # its adaptor builds a short prompt of its own and keeps the newest messages
            self._tell_short(info.history_tokens)
            return Fitted(tuple(assembler.sent(since_boundary(self.messages))), frozenset(), 0, True)
        fixed = estimate_tokens(assembler.system) + estimate_tokens(assembler.start) + tool_tokens(self._s.tools)
        room = info.context_window - min(self._s.max_output_tokens, info.max_output_tokens)
        sent, correction = assembler.sent(since_boundary(self.messages)), self._conversation.correction
        fitted = fit(sent, fixed_tokens=fixed, room=room, cut=self._request_cut, correction=correction)
        new = fitted.cut - self._request_cut
        if new:
            text = say(
                "{count} old tool outputs are left out of what is sent, to stay inside the model's window. The transcript keeps them.",
                count=len(new),
            )
            self._notice("info", "context.outputs_cut", text, count=len(new))
        self._request_cut = fitted.cut
        if not fitted.fits:
            raise context_full(sent, info.context_window, room - fixed, correction, self._conversation.handle.id)
        return fitted

    def _tell_short(self, room: int) -> None:
        """Say once that a small model gets only the newest part of a conversation that has grown too long for it."""
        if not self._s.record or self._conversation.told_short or earlier_tokens(self.messages) <= room:
            return
        self._conversation.told_short = True
        text = say(
            "This small model no longer gets the beginning of this chat. Name what matters again, or choose a larger model. "
            "The transcript keeps everything."
        )
        self._notice("info", "context.small_model", text)

    def _with_inserted(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The conversation with what is sent and never stored: recalled memories where they came, slot C behind this turn's message.

        Recalled texts stand where they stood, so that two requests share all that lies before the newest message.
        """
        behind: dict[str, list[str]] = {}
        if self._s.record and not self._s.model.info.small:
            for one in self._conversation.inserted:
                behind.setdefault(one.after, []).append(one.text)
        if self._tail:
            newest = next((m.id for m in reversed(messages) if m.role == "user" and m.origin == "person"), "")
            behind.setdefault(newest or (messages[-1].id if messages else ""), []).append(self._tail)
        if not behind:
            return messages
        found: list[Message] = []
        for message in messages:
            found.append(message)
            found += [self._unstored(text) for text in behind.get(message.id, ())]
        return found

    def _unstored(self, text: str) -> Message:
        now = self._s.clock.now()
        return Message(new_message_id(now), "user", (TextPart(text),), now, origin="app")

    def _learn(self, request: ModelRequest, end: ResponseEnd) -> None:
        """Correct our estimate by what the provider counted."""
        if end.usage.input_tokens <= 0 or self._s.model.info.small:
            return
        estimate = estimate_tokens(request.system) + tool_tokens(request.tools) + sum(message_tokens(m) for m in request.messages)
        if estimate > 2_000:
            self._conversation.correction = min(2.0, max(0.5, end.usage.input_tokens / estimate))

    def _tell_usage(self, end: ResponseEnd) -> None:
        tokens = end.usage.input_tokens + end.usage.output_tokens
        self._conversation.context_tokens = tokens or self._conversation.context_tokens
        self._s.emit(UsageUpdated(self._usage, self._conversation.context_tokens, self._s.model.info.context_window))

    # --- the record ------------------------------------------------------------------------------------------------

    def _append(
        self,
        role: str,
        parts: tuple[Part, ...],
        *,
        origin: str | None = None,
        usage: Usage | None = None,
        stop: str | None = None,
        notes: dict[str, Any] | None = None,
        beside: Message | None = None,
    ) -> Message:
        messages = self.messages
        behind = messages[-1].id if messages else None
        now = self._s.clock.now()
        message = Message(
            id=new_message_id(now),
            role=role,  # type: ignore[arg-type]
            parts=parts,
            time=now,
            parent=behind if beside is None else beside.parent,
            origin=origin or "model",  # type: ignore[arg-type]
            model=self._s.model.info.id if role == "assistant" else None,
            usage=usage,
            stop=stop,
            notes=notes,
        )
        if self._s.record:
            self._conversation.handle.append(message, first=beside is not None and beside.parent is None)
            if role == "assistant":
                self._conversation.cut, self._unkept = self._request_cut, []
            self._s.emit(MessageAppended(message))
        else:
            self._own.append(message)
        return message

    def _close_open_calls(self) -> None:
        """Give a result to every call that has none: after a cancel, or after a process that was killed in the middle."""
        open_calls = open_tool_calls(self.messages)
        for call in open_calls:
            result = self._s.runner.finished.get(call.id)
            result = result or ToolResultPart(call.id, call.name, INTERRUPTED, "interrupted", data=said(INTERRUPTED))
            self._append("tool", (result,), origin="tool")

    def _record_partial(self, interrupted: InterruptedResponseError) -> None:
        parts = with_own_ids(interrupted.partial.parts(), self.messages, self._s.clock)
        if parts:
            notes = self._context_note() if self._s.record else None
            self._append("assistant", parts, stop="error" if interrupted.error else "interrupted", notes=notes or None)
        self._close_open_calls()

    def _interrupted(self, interrupted: InterruptedResponseError) -> TurnEnded:
        self._record_partial(interrupted)
        if interrupted.error is None:
            self._uncancel()
            return self._end("interrupted")
        error: ProviderError = interrupted.error
        if error.kind == "context_length":
            error.hint = handoff_hint(self._conversation.handle.id)
            return self._end("limit", error)
        return self._end("error", error)

    def _end(self, stop: TurnStop, error: KeepsakeError | None = None) -> TurnEnded:
        details = None
        if error is not None:
            details = {"message": error.message, "hint": error.hint, "detail": error.detail, "kind": kind_of(error)}
        return TurnEnded(stop, self._usage, details)

    def _notice(self, kind: str, code: str, text: str, **values: object) -> None:
        self._s.emit(Notice(kind, code, text, dict(values)))  # type: ignore[arg-type]

    @staticmethod
    def _uncancel() -> None:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
