"""The embedded model as a `Model`: the ordinary request in, the ordinary events out, and a very small model behind it.

Builds its own short prompt, keeps the model to a JSON schema, and lets code decide what code decides better: what goes into memory, which
session is read, when a call is refused. What changes anything is an ordinary tool call that the agent runs and judges. Asyncio thread;
the model itself runs in a child process (`embedded_server`).
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import PurePath

from desktop.base.clock import Clock, SystemClock
from desktop.base.errors import ProviderError
from desktop.base.ids import SESSION_REFERENCE, new_call_id
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.messages.events import ResponseEnd, ResponseStop, StreamEvent, TextDelta, ToolCallDelta
from desktop.messages.parts import Part, TextPart, ToolCallPart
from desktop.messages.usage import Usage
from desktop.providers import embedded_prompt as prompt
from desktop.providers.base import DumpRequest, ModelInfo, ModelRequest
from desktop.providers.embedded_choice import chosen, forbidden
from desktop.providers.embedded_guards import Fact, Intent, Remember, read_intent
from desktop.providers.embedded_info import ANSWER_TOKENS, ROOMS, Room
from desktop.providers.embedded_json import ANSWER, parse_choice
from desktop.providers.embedded_link import EmbeddedLink, Reply, request_body
from desktop.providers.embedded_memory import Call, Memory, NameIt, Plan, Say, new_note_call, plan
from desktop.providers.embedded_notes import KnownNote, checked_keywords, checked_name, made_name
from desktop.providers.embedded_sentences import is_chinese, only_asks
from desktop.providers.embedded_server import OTHER_WAYS
from desktop.providers.embedded_single import single_plan
from desktop.providers.embedded_statements import fact_of
from desktop.providers.embedded_truth import correction, failure, may_try_again
from desktop.providers.embedded_turn import Step, TurnState, is_single, memory_of, taken_names, turn_state, under
from desktop.providers.embedded_withdrawn import withdrawal

MAX_STEPS = 6
"""Tool calls of one turn; after them the model must answer."""
CHANGING = ("Write", "Edit")
"""Tools that are not offered for a mere question."""
LOOKING = ("Glob", "Grep")
"""Tools that are offered for a question that only files can answer."""
NAME_TOKENS = 80
log = logging.getLogger(__name__)


class EmbeddedModel:
    """See the module. Several sessions share one server through their loop's pool."""

    def __init__(
        self,
        info: ModelInfo,
        paths: AppPaths,
        environ: Mapping[str, str],
        dump: DumpRequest | None = None,
        *,
        clock: Clock | None = None,
        executable: str = sys.executable,
    ) -> None:
        self._info = info
        self._clock = clock or SystemClock()
        self._link = EmbeddedLink(info.id, paths, environ, dump, executable)

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def link(self) -> EmbeddedLink:
        """For figures and tests: the server behind this model."""
        return self._link

    async def close(self) -> None:
        await self._link.close()

    async def warm(self) -> None:
        """Start the server and let it read the fixed part of the prompt, so that the first answer comes soon. Safe to call often.

        Raises:
            ProviderError: kind unavailable.
        """
        await self._link.warm()

    # --- one response -------------------------------------------------------------------------------------------------

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        """One response. See `Model.stream`."""
        if request.kind in ("distil", "select", "session_state"):
            raise ProviderError("unavailable", say("The embedded model is too small for this."), hint=OTHER_WAYS)
        state = turn_state(request)
        known = memory_of(request)
        intent = _intent(request, state)
        decided = _decided(request, state, intent, known) if intent else None
        reference = _session_call(request, state)
        if isinstance(decided, tuple):
            async with aclosing(self._memory_calls(request, state, decided, known)) as events:
                async for event in events:
                    yield event
        elif isinstance(decided, Say) and not (decided.rest and request.kind == "main"):
            yield TextDelta(decided.text)
            yield ResponseEnd((TextPart(decided.text),), Usage(cost_usd=0.0), "end")
        elif reference:
            for event in self._calls([reference]):
                yield event
        else:
            said = decided.rest if isinstance(decided, Say) else state.said
            opening = decided.text if isinstance(decided, Say) and decided.text not in state.spoken else ""
            async with aclosing(self._ask(request, state, said, opening, known)) as events:
                async for event in events:
                    yield event

    def _calls(self, wanted: Sequence[Call], opening: str = "", usage: Usage | None = None) -> list[StreamEvent]:
        parts: list[Part] = [TextPart(opening)] if opening else []
        made: list[StreamEvent] = []
        for one in wanted:
            part = ToolCallPart(new_call_id(self._clock.now()), one.tool, dict(one.args))
            made.append(ToolCallDelta(part.id, part.name, json.dumps(part.input, ensure_ascii=False)))
            parts.append(part)
        return [*made, ResponseEnd(tuple(parts), usage or Usage(cost_usd=0.0), "tool_calls")]

    # --- memory -------------------------------------------------------------------------------------------------------

    async def _memory_calls(
        self, request: ModelRequest, state: TurnState, wanted: Sequence[Call | NameIt], known: Sequence[KnownNote]
    ) -> AsyncGenerator[StreamEvent, None]:
        memory = Memory(request.memory_root, known, is_chinese(state.said))
        calls: list[Call] = []
        taken = taken_names(request)
        usage = Usage(cost_usd=0.0)
        for one in wanted:
            if isinstance(one, Call):
                calls.append(one)
                continue
            name, keywords, cost = await self._name(request, one.fact)
            usage += cost
            call = new_note_call(one.fact, name, keywords, memory, taken)
            taken.append(PurePath(call.args["file_path"]).stem)
            calls.append(call)
        for event in self._calls(calls, usage=usage):
            yield event

    async def _name(self, request: ModelRequest, fact: Fact) -> tuple[str, tuple[str, ...], Usage]:
        """A name and keywords by the model, checked; made by code when they do not do or the model cannot be had."""
        text = prompt.cut_text(fact.text, prompt.NOTE_TOKENS)
        body = request_body([*prompt.PREFIX, {"role": "user", "content": prompt.NAMING + text}], ("name",), NAME_TOKENS)
        reply = Reply()
        try:
            async for _ in self._link.complete(request.kind, body, reply, background=request.kind != "main"):
                pass
        except ProviderError as error:
            if error.kind == "overloaded":
                raise
            log.warning("the embedded model gave no name: %s", error.message)
        choice = parse_choice(reply.reader.raw)
        args = choice[1] if choice else {}
        proposed = args.get("name")
        name = checked_name(proposed, fact.text) if isinstance(proposed, str) else None
        return name or made_name(fact.text), checked_keywords(args.get("keywords"), fact.text), reply.usage

    # --- an ordinary question -----------------------------------------------------------------------------------------

    async def _ask(
        self, request: ModelRequest, state: TurnState, said: str, opening: str, known: Sequence[KnownNote]
    ) -> AsyncGenerator[StreamEvent, None]:
        """Let the model choose a tool or answer; a repeated or forbidden call is answered by asking again for words."""
        steps = [s for s in state.steps if not under(s.path, request.memory_root)]
        chinese = is_chinese(said)
        failed = failure(steps, chinese)
        offered = _offered(request, said, steps, known, failed)
        messages = _messages(request, state, said, known, steps)
        spent = Usage(cost_usd=0.0)
        if opening:
            yield TextDelta(opening + "\n\n")
        reply = Reply()
        while offered:
            reply = Reply()
            limit = ANSWER_TOKENS if offered == (ANSWER,) else prompt.CHOICE_TOKENS
            body = request_body(messages, offered, min(limit, request.max_output_tokens or limit), prompt.language_tag(said))
            async with aclosing(self._link.complete(request.kind, body, reply, background=request.kind != "main")) as pieces:
                async for piece in pieces:
                    yield TextDelta(piece)
            spent += reply.usage
            wanted = None if reply.reader.text else chosen(reply.reader.raw, state, request.workspace)
            if wanted and not forbidden(wanted, steps, request.workspace, request.memory_root, known):
                for event in self._calls([Call(wanted.tool, wanted.args)], opening, spent):
                    yield event
                return
            offered = () if wanted is None or failed or offered == (ANSWER,) else (ANSWER,)
        text = reply.reader.text
        added = correction(said, text, steps, chinese) if text else failed or _nothing(chinese)
        if added:
            yield TextDelta(f"\n\n{added}" if text else added)
        text = "\n\n".join(t for t in (opening, text, added) if t)
        stop: ResponseStop = "length" if reply.cut else "end"
        yield ResponseEnd((TextPart(text),), spent, stop)


def _offered(request: ModelRequest, said: str, steps: Sequence[Step], known: Sequence[KnownNote], failed: str) -> tuple[str, ...]:
    """What the model may choose from now; nothing when code knows what to say."""
    names = {t.name for t in request.tools}
    offered = tuple(t for t in prompt.OFFERED if t == ANSWER or t in names)
    if failed:
        return tuple(t for t in offered if t != ANSWER) if may_try_again(steps) and len(steps) < MAX_STEPS else ()
    if len(steps) >= MAX_STEPS or request.kind != "main":
        return (ANSWER,)
    if only_asks(said):
        looks = not steps and prompt.must_look(said, known)
        return tuple(t for t in offered if t not in CHANGING and not (looks and t not in LOOKING))
    return offered


def _intent(request: ModelRequest, state: TurnState) -> Intent | None:
    """What the guard makes of the person's words. A background request holds one sentence that was found worth keeping before."""
    if request.kind == "extract":
        found = read_intent(state.said)
        return found if isinstance(found, Remember) and found.facts else Remember((fact_of(state.said),))
    return read_intent(state.said) or withdrawal(request) if request.kind == "main" else None


def _decided(request: ModelRequest, state: TurnState, intent: Intent, known: Sequence[KnownNote]) -> Plan | None:
    """What code makes of the person's wish about memory; None when the message is not about it after all."""
    if is_single(request.memory_root):
        return single_plan(intent, state.said, state.steps, request.memory_root)
    return plan(intent, state.said, state.steps, request.memory_root, known)


def _session_call(request: ModelRequest, state: TurnState) -> Call | None:
    """A reference `#sess_…` is read by code, once, with the person's words as the question."""
    if state.steps or request.kind != "main" or not any(t.name == "ReadSessionContext" for t in request.tools):
        return None
    found = SESSION_REFERENCE.search(state.said)
    if not found:
        return None
    query = " ".join(SESSION_REFERENCE.sub(" ", state.said).split())[:1_000] or "What was this session about?"
    return Call("ReadSessionContext", {"sessionId": found.group(1), "query": query})


def _messages(request: ModelRequest, state: TurnState, said: str, known: Sequence[KnownNote], steps: Sequence[Step]) -> list[prompt.Wire]:
    """Fixed part, history, the person's words with what is remembered, and this turn's calls, cut to fit."""
    for room in ROOMS:
        messages = _messages_within(room, request, state, said, known, steps)
        if prompt.fits(messages):
            break
    return messages


def _messages_within(
    room: Room, request: ModelRequest, state: TurnState, said: str, known: Sequence[KnownNote], steps: Sequence[Step]
) -> list[prompt.Wire]:
    head = prompt.notes_text(prompt.note_lines(said, known)) if request.memory_root else ""
    if state.context:
        head += prompt.context_text(state.context, room.result)
    messages = [*prompt.PREFIX, *prompt.history(state.history, room.history)]
    messages.append({"role": "user", "content": head + prompt.said_text(prompt.cut_text(said, room.message))})
    tag = prompt.language_tag(said)
    for index, step in enumerate(steps):
        size = room.result if index >= len(steps) - 2 else room.old_result
        messages += prompt.step_messages(step.call.name, step.call.input, step.result.output, step.result.status, tag, size)
    return messages


def _nothing(chinese: bool) -> str:
    return "我没能给出回答，请换一种说法再试。" if chinese else "I could not find an answer. Please try to say it in another way."
