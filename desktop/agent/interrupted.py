"""What of a conversation's end was interrupted: by a process that ended in the middle of a turn, or by a turn that gave nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop.agent.turn_parts import open_tool_calls
from desktop.messages.parts import Message, ToolCallPart
from desktop.sessions.running import RECOVERED

Where = Literal["answer", "calls", "between", "unanswered"]


@dataclass(frozen=True, slots=True)
class Interruption:
    """Where a conversation stopped.

    Attributes:
        where: `answer`: in the middle of one, what had come stands there; `calls`: while calls ran; `between`: behind the result of a
            call, before the next answer; `unanswered`: no answer to the person's message began.
        crashed: the process ended there; else only an answer is missing.
        calls: those without a result.
    """

    where: Where
    crashed: bool
    calls: tuple[ToolCallPart, ...] = ()


def is_recovered(message: Message) -> bool:
    """It is what was kept of an answer in the middle of which a process ended."""
    return message.role == "assistant" and bool((message.notes or {}).get(RECOVERED))


def interruption(messages: Sequence[Message], *, crashed: bool) -> Interruption | None:
    """Where the live branch stopped, or None: it is whole, or the person stopped it.

    Args:
        crashed: a process ended in the middle of its last turn (`SessionHandle.crashed`).
    """
    last = messages[-1] if messages else None
    if last is None:
        return None
    if is_recovered(last):
        return Interruption("answer", True)
    calls = tuple(open_tool_calls(messages))
    if calls:
        return Interruption("calls", True, calls)
    if last.role == "tool" and crashed:
        return Interruption("between", True)
    if last.role == "user" and last.origin == "person":
        return Interruption("unanswered", crashed)
    return None
