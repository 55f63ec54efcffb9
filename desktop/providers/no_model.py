"""The model of a session that is only asked commands: it has a name and answers nothing, so that no command can cost anything (UI-05)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from desktop.base.errors import ProviderError
from desktop.base.phrases import say
from desktop.messages.events import StreamEvent
from desktop.providers.base import ModelInfo, ModelRequest


class NoModel:
    """See the module's text.

    Args:
        model_id: the model that a chat would have; empty when none is chosen. Nothing of it is loaded or looked for.
    """

    def __init__(self, model_id: str = "") -> None:
        self._info = ModelInfo(model_id, model_id, model_id.partition(":")[0], context_window=0)

    @property
    def info(self) -> ModelInfo:
        return self._info

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Refuses.

        Raises:
            ProviderError: always.
        """
        raise ProviderError("unavailable", say("Commands ask no model."))

    async def close(self) -> None:
        """There is nothing to free."""
