"""The model call behind ReadSessionContext's distillation: one request without tools. Owns no prompt (the tool does). Asyncio thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from desktop.base.clock import Clock
from desktop.base.ids import new_message_id
from desktop.messages.events import ResponseEnd
from desktop.messages.parts import Message, TextPart
from desktop.providers.base import Model, ModelRequest

Complete = Callable[[str, str, int], Awaitable[str]]
"""(system text, user text, output tokens) → the model's text."""


def make_distil(model: Callable[[], Model], session_id: str, clock: Clock) -> Callable[[], Complete | None]:
    """Gives the completion of the session's present model, or None when that is too small to distil."""

    def current() -> Complete | None:
        chosen = model()
        if chosen.info.small:
            return None

        async def complete(system: str, text: str, tokens: int) -> str:
            now = clock.now()
            message = Message(new_message_id(now), "user", (TextPart(text),), now, origin="app")
            request = ModelRequest("distil", system, (message,), max_output_tokens=tokens, session_id=session_id)
            async for event in chosen.stream(request):
                if isinstance(event, ResponseEnd):
                    return "\n\n".join(p.text for p in event.parts if isinstance(p, TextPart))
            return ""

        return complete

    return current
