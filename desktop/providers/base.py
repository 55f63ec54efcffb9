"""The Model Protocol that stands in front of every provider: one request in, a stream of typed events out.

Knows nothing of tools, memory or Qt. Implementations run on the asyncio thread and must end within 1 s of their cancellation.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from desktop.messages.events import StreamEvent
from desktop.messages.parts import Message
from desktop.messages.tools import ToolSpec

RequestKind = Literal["main", "extract", "select", "distil", "title", "session_state"]
ThinkingLevel = Literal["off", "low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What the app must know of a model.

    Attributes:
        id: as the person names it: `embedded`, `anthropic:claude-…`, `openai:gpt-…`, `google:gemini-…`, `scripted:FILE`,
            or `NAME:model` of a configured OpenAI-compatible endpoint NAME.
        label: for the window.
        provider: `embedded`, `anthropic`, `openai`, `google`, `scripted`, or the endpoint's name.
        context_window: tokens.
        max_output_tokens: tokens a response may have.
        small: True for the embedded one: short prompts, code-made guards, no distillation, message-wise extraction.
        history_tokens: tokens of earlier turns that a small model's adaptor sends at most.
        titles: whether it can be asked for a session's title; a script only when it holds one.
    """

    id: str
    label: str
    provider: str
    context_window: int
    max_output_tokens: int = 8_192
    small: bool = False
    history_tokens: int = 0
    titles: bool = True


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request, provider-neutral.

    Attributes:
        kind: which job asks; named in request dumps and used by the scripted model.
        system: slot A, byte-stable within a session.
        messages: the conversation as it is to be sent, start block and tail included; starts with a user message,
            and every tool call in it has its result.
        tools: what may be called.
        max_output_tokens: upper bound, or None for the model's own.
        thinking: reasoning level; adaptors map it, models without reasoning ignore it.
        session_id: for cache keys and dumps.
        workspace: real path of the opened folder.
        memory_root: where memory is: its folder, or, where one MEMORY.md is all of it, that file. Empty when memory is off.
        memory_index: index lines ranked for the last words of the person, best first.
        memory_notes: (file relative to the root, text) of the notes that fit those words, after a score cut.

    The memory fields repeat what `system` and `messages` say, in a form from which an adaptor with a short context builds its own prompt.
    """

    kind: RequestKind
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int | None = None
    thinking: ThinkingLevel = "off"
    session_id: str = ""
    workspace: str = ""
    memory_root: str = ""
    memory_index: tuple[str, ...] = ()
    memory_notes: tuple[tuple[str, str], ...] = ()


class Model(Protocol):
    """A model that can be asked. Made by `providers.registry`; held for a session."""

    @property
    def info(self) -> ModelInfo: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        """Stream one response. Ends with one ResponseEnd.

        Raises:
            ProviderError: with its kind; a stream that breaks raises kind `cut` after the deltas that came.
        """
        ...

    async def close(self) -> None:
        """Free connections and processes. The model is not used afterwards."""
        ...


@runtime_checkable
class Warmable(Protocol):
    """A model whose first request is slow unless something is loaded before."""

    async def warm(self) -> None:
        """Load it now. Safe to call often and to cancel; makes no request that anybody is charged for.

        Raises:
            ProviderError: the first request would fail with it too.
        """
        ...


DumpRequest = Callable[[RequestKind, str, str, Any], None]
"""Called with (kind, model id, url, body as sent: str or a JSON value) before a request leaves; see `providers.dump`."""
