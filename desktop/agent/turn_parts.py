"""What a turn works out of messages: open calls, ids of its own for calls, claims that are not true, why nothing fits any more. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.agent.fit import message_tokens
from desktop.agent.prompts import handoff_hint
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError
from desktop.base.ids import new_call_id
from desktop.base.phrases import say
from desktop.base.words import estimate_tokens
from desktop.messages.parts import Message, Part, ToolCallPart

if TYPE_CHECKING:
    from desktop.agent.calls import CallRunner


class ContextFullError(KeepsakeError):
    """The request does not fit any more, even without old tool outputs."""


def earlier_tokens(messages: Sequence[Message]) -> int:
    """Tokens of what was said before the person's newest message: the part of a conversation that a small model may not get whole."""
    newest = max((i for i, m in enumerate(messages) if m.role == "user" and m.origin == "person"), default=0)
    return sum(estimate_tokens(m.text) for m in messages[:newest])


def open_tool_calls(messages: Sequence[Message]) -> list[ToolCallPart]:
    """Calls of the newest assistant message that have no result yet."""
    answered: set[str] = set()
    for message in reversed(messages):
        if message.role == "assistant":
            return [call for call in message.tool_calls if call.id not in answered]
        answered.update(r.call_id for r in message.tool_results)
        if message.role == "user":
            break
    return []


def with_own_ids(parts: Sequence[Part], messages: Sequence[Message], clock: Clock) -> tuple[Part, ...]:
    """The parts with an id for each call that no other call of the conversation has: results are paired, cut and shown by it."""
    used = {call.id for message in messages for call in message.tool_calls}
    found: list[Part] = []
    for part in parts:
        if isinstance(part, ToolCallPart):
            part = part if part.id and part.id not in used else replace(part, id=new_call_id(clock.now()))
            used.add(part.id)
        found.append(part)
    return tuple(found)


def context_full(messages: Sequence[Message], window: int, room: int, correction: float, session_id: str) -> ContextFullError:
    """Why nothing can be sent any more: the conversation has grown too long, or its first message alone is too much."""
    persons = [m for m in messages if m.role == "user" and m.origin == "person"]
    if room > 0 and len(persons) == 1 and message_tokens(persons[0]) * correction > room:
        return ContextFullError(
            say("This message alone does not fit into the model's window of {context_window:,} tokens.", context_window=window),
            hint=say("Save the text as a file in the folder, begin a new session, and name the file in the message."),
        )
    return ContextFullError(
        say("This chat no longer fits into the model's window of {context_window:,} tokens.", context_window=window),
        hint=handoff_hint(session_id),
    )


def untrue_claim(text: str, runner: CallRunner) -> str:
    """`not_saved` or `not_forgotten` when an answer claims what no call of its turn did, else ""."""
    from desktop.agent.claims import claims_of  # its forms are compiled for the first answer, not for the start

    claims = claims_of(text)
    if "saved" in claims and not runner.saved and not runner.proposed:
        return "not_saved"
    return "not_forgotten" if "forgotten" in claims and not runner.deleted and not runner.proposed else ""


def claim_text(claim: str) -> str:
    """What the person is told of such a claim."""
    if claim == "not_saved":
        return say("The model says that it saved a memory, but no memory file was written in this turn.")
    return say("The model says that it forgot a memory, but nothing was deleted from memory in this turn.")
