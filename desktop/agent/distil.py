"""The model call behind ReadSessionContext's distillation: one request without tools. Owns no prompt (the tool does). Asyncio thread."""

from __future__ import annotations

from desktop.base.clock import Clock
from desktop.base.errors import ProviderError
from desktop.base.ids import new_message_id
from desktop.base.phrases import say
from desktop.messages.events import ResponseEnd
from desktop.messages.parts import Message, TextPart
from desktop.providers.base import Model, ModelRequest
from desktop.tools.distil import AskModel


def distil_with(model: Model, session_id: str, clock: Clock) -> AskModel | None:
    """How `model` is asked once, or None when it is too small to distil (it would take minutes)."""
    if model.info.small:
        return None

    async def ask(prompt: str, *, system: str, max_output_tokens: int) -> str:
        now = clock.now()
        message = Message(new_message_id(now), "user", (TextPart(prompt),), now, origin="app")
        request = ModelRequest("distil", system, (message,), max_output_tokens=max_output_tokens, session_id=session_id)
        async for event in model.stream(request):
            if isinstance(event, ResponseEnd):
                return "\n\n".join(p.text for p in event.parts if isinstance(p, TextPart))
        raise ProviderError("cut", say("The model's answer broke off."))

    return ask
