"""Which models a chat may use as things stand, and what is loaded ahead of its first request. Draws nothing."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from importlib import import_module
from typing import TYPE_CHECKING

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.providers.base import Model, ModelInfo
from desktop.ui.markdown import warm

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.compose import Services

WARM_AFTER_S = 1.0
"""A model is loaded ahead this long after its chat opened: the first picture comes first."""


def ready_models(services: Services) -> tuple[list[ModelInfo], str]:
    """The models that can be used as things stand (installed, or with a key), and the one of new chats, if there is one.

    In a worker thread.
    """
    from desktop.providers.registry import EMBEDDED, default_model_id, list_models

    models = list_models(services.providers, only_ready=True)
    default = services.options.model or default_model_id(services.providers)
    missing = default.partition(":")[0] == EMBEDDED and default not in {info.id for info in models}
    return models, "" if missing else default


async def _load_facts(after_s: float) -> None:
    await asyncio.sleep(after_s)
    await asyncio.to_thread(import_module, "desktop.agent.remember")


class Warming:
    """What is loaded ahead while the person reads or types. GUI thread; the work is on the loop thread and in workers."""

    def __init__(self, loop: LoopThread, operations: Operations) -> None:
        self._loop = loop
        self._operations = operations
        self._drawn = False
        self._facts: Future[None] | None = None
        self._model: Future[None] | None = None
        self._memory: Future[None] | None = None

    def model(self, model: Model) -> None:
        """Load what the first request to this model needs; the one before is not wanted any more."""
        from desktop.providers.registry import warm_model

        self._cancel(self._model)
        self._model = self._loop.submit(warm_model(model, after_s=WARM_AFTER_S))

    def memory(self, session: AgentSession) -> None:
        """Make memory's search index ready, once for a conversation."""
        if self._memory is None:
            self._memory = self._loop.submit(session.warm())

    def messages(self) -> None:
        """Load what drawing messages needs, once: 5 MiB that an untouched chat does not hold."""
        if not self._drawn:
            self._drawn = True
            self._operations.read(warm)

    def facts(self, after_s: float = 0.0) -> None:
        """Load the patterns that tell what is worth remembering, once: 4 MiB and 0.3 s."""
        if self._facts is None:
            self._facts = self._loop.submit(_load_facts(after_s))

    def stop(self) -> None:
        """The conversation is left."""
        self._cancel(self._model)
        self._cancel(self._memory)
        self._cancel(self._facts)
        self._model = self._memory = self._facts = None

    @staticmethod
    def _cancel(warming: Future[None] | None) -> None:
        if warming is not None:
            warming.cancel()
