"""One response of a model: streams it, retries what may be retried, keeps what was streamed when it is interrupted.

Waits between tries by the server's own time or by doubling from one second, with jitter, and says so. Runs on the asyncio thread.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field

from desktop.base.errors import ProviderError
from desktop.base.phrases import say
from desktop.messages.codec import parse_arguments
from desktop.messages.events import (
    Notice,
    ResponseEnd,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    TurnEvent,
)
from desktop.messages.parts import Part, TextPart, ThinkingPart, ToolCallPart
from desktop.providers.base import Model, ModelRequest

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 120.0
"""A server that asks for a longer wait ends the turn, with its wait time in the message."""

Emit = Callable[[TurnEvent], None]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Partial:
    """What has been streamed so far, for the record of an interrupted response."""

    text: str = ""
    thinking: str = ""
    calls: dict[str, list[str]] = field(default_factory=dict)

    def add(self, event: TextDelta | ThinkingDelta | ToolCallDelta) -> None:
        match event:
            case TextDelta():
                self.text += event.text
            case ThinkingDelta():
                self.thinking += event.text
            case ToolCallDelta():
                call = self.calls.setdefault(event.id, ["", ""])
                call[0] = call[0] or event.name
                call[1] += event.arguments

    def parts(self) -> tuple[Part, ...]:
        """Typed parts; a call whose arguments are complete is kept (it gets an interrupted result), a half-written one is not."""
        found: list[Part] = []
        if self.thinking:
            found.append(ThinkingPart(self.thinking))
        if self.text:
            found.append(TextPart(self.text))
        for call_id, (name, arguments) in self.calls.items():
            value, raw = parse_arguments(arguments)
            if name and arguments and raw is None:
                found.append(ToolCallPart(call_id, name, value))
        return tuple(found)


class InterruptedResponseError(Exception):
    """The task was cancelled, or the stream broke for good; carries what had come and, for an error, the error."""

    def __init__(self, partial: Partial, error: ProviderError | None = None) -> None:
        super().__init__("response interrupted")
        self.partial = partial
        self.error = error


def wait_before(attempt: int, error: ProviderError, jitter: Callable[[], float] = random.random) -> float:
    """Seconds to wait before try `attempt` + 1 (attempts count from 1)."""
    if error.retry_after_s is not None:
        return max(0.0, error.retry_after_s)
    return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1))) * (1.0 + 0.25 * jitter())


async def _stream(model: Model, request: ModelRequest, emit: Emit, partial: Partial) -> ResponseEnd:
    end: ResponseEnd | None = None
    stream = model.stream(request)
    try:
        async for event in stream:
            if isinstance(event, ResponseEnd):
                end = event
            else:
                partial.add(event)
                emit(event)
    finally:
        if isinstance(stream, AsyncGenerator):  # a cancelled stream lets go of its connection now, not when it is collected
            await stream.aclose()
    if end is None:
        raise ProviderError("cut", say("The model's answer broke off."), hint=say("Send the message again."))
    return end


async def ask(
    model: Model,
    request: ModelRequest,
    emit: Emit,
    *,
    step: int,
    retries: int,
    sleep: Sleep = asyncio.sleep,
) -> ResponseEnd:
    """Ask until there is a whole response.

    Raises:
        InterruptedResponseError: cancelled (error None) or failed for good (error set), with the partial response.
    """
    for attempt in range(1, retries + 2):
        partial = Partial()
        emit(StepStarted(step))
        try:
            return await _stream(model, request, emit, partial)
        except asyncio.CancelledError as cancelled:
            raise InterruptedResponseError(partial) from cancelled
        except ProviderError as error:
            wait = wait_before(attempt, error)
            if not error.retryable or attempt > retries or wait > LONGEST_WAIT_S:
                if error.retryable and wait > LONGEST_WAIT_S:
                    error.hint = say("The server asks to wait {wait:.0f} s. Send it again then, or choose another model.", wait=wait)
                raise InterruptedResponseError(partial, error) from error
            emit(
                Notice(
                    "warning",
                    "provider.retry",
                    say(
                        "{message} Trying again in {wait:.0f} s ({attempt} of {retries}).",
                        message=error.message,
                        wait=wait,
                        attempt=attempt,
                        retries=retries,
                    ),
                    {"wait_s": round(wait, 1), "attempt": attempt, "retries": retries, "error": error.kind, "message": error.message},
                )
            )
            try:
                await sleep(wait)
            except asyncio.CancelledError as cancelled:
                raise InterruptedResponseError(Partial()) from cancelled
    raise AssertionError("unreachable: the last attempt returns or raises")
