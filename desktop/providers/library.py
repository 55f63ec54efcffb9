"""One adaptor over the provider library: Anthropic, OpenAI, any OpenAI-compatible server and Google behind our `Model` Protocol.

Uses the library's model layer only. It is loaded with the first request, in a worker thread (1 to 3 s), never at import. It does not retry:
the loop does. Runs on the asyncio thread; leaving or cancelling `stream` closes the connection at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from desktop.base.errors import ProviderError
from desktop.base.ids import new_call_id
from desktop.base.phrases import say
from desktop.messages.events import ResponseEnd, ResponseStop, StreamEvent, TextDelta, ThinkingDelta, ToolCallDelta
from desktop.messages.parts import ToolCallPart
from desktop.messages.usage import Usage
from desktop.providers import library_errors, prices
from desktop.providers.base import DumpRequest, ModelInfo, ModelRequest, ThinkingLevel
from desktop.providers.dump import clean_url
from desktop.providers.library_messages import arguments_text, clean, from_library, to_library
from desktop.providers.library_open import Connection, Opened, Style, open_model
from desktop.providers.transport import Call

if TYPE_CHECKING:
    from pydantic_ai import models as library_models
    from pydantic_ai.settings import ModelSettings

THINKING_ROOM = {"off": 0, "low": 2_048 + 1_024, "medium": 10_000 + 1_024, "high": 16_384 + 1_024}
"""Tokens an answer needs at least: older Claude models count the reasoning budget into `max_tokens` and refuse less."""


class LibraryModel:
    """A `Model` of the provider library.

    Args:
        key: gives the key anew for each request, so that one entered later counts; may block.
        environ: for proxies.
        dump: called at the transport with each body as it is sent.
    """

    def __init__(
        self,
        info: ModelInfo,
        connection: Connection,
        key: Callable[[], str | None],
        environ: Mapping[str, str],
        dump: DumpRequest | None = None,
    ) -> None:
        self._info = info
        self._connection = connection
        self._key = key
        self._environ = environ
        self._dump = dump
        self._opened: list[Opened] = []
        self._opening = asyncio.Lock()

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        opened = await self._open()
        blame = self._blame(opened)
        messages, parameters = to_library(request.messages, self._connection.provider), _parameters(request)
        call = Call(request.kind, self._info.id)
        progress = _Progress({c.id for m in request.messages for c in m.tool_calls})
        errors = library_errors.library_error_types()
        try:
            async with AsyncExitStack() as stack:
                sending = _sending(opened, messages, _settings(request, self._connection, opened.model.profile), parameters)
                with call.current():
                    response = await stack.enter_async_context(sending)
                async for event in response:
                    for ours in progress.translate(event):
                        yield ours
                answer = response.get()
        except errors as error:
            if call.failure is not None:
                raise call.failure from error
            raise library_errors.provider_error(error, blame, streaming=progress.begun) from error
        yield self._end(answer, progress, blame)

    async def warm(self) -> None:
        """Load the library and open the client, so that the first request need not."""
        await self._open()

    async def close(self) -> None:
        opened, self._opened = self._opened, []
        for one in opened:
            await one.close()

    # --- opening -----------------------------------------------------------------------------------------------------

    async def _open(self) -> Opened:
        key = await asyncio.to_thread(self._key)
        if key is None and self._connection.needs_key:
            raise ProviderError("auth", say("There is no key for {label}.", label=self._connection.label), hint=self._connection.key_hint)
        async with self._opening:
            if not self._opened or self._opened[-1].key != key:
                # An older one stays open until `close`: a background request may still run on it.
                self._opened.append(await asyncio.to_thread(open_model, self._connection, key, self._environ, self._dump))
            return self._opened[-1]

    def _blame(self, opened: Opened) -> library_errors.Blame:
        connection = self._connection
        return library_errors.Blame(
            connection.label, connection.model, connection.key_hint, clean_url(connection.base_url), opened.key or ""
        )

    # --- ending ------------------------------------------------------------------------------------------------------

    def _end(self, answer: Any, progress: _Progress, blame: library_errors.Blame) -> ResponseEnd:
        if _was_cut(answer, self._connection.style):
            raise library_errors.cut(blame, "The stream ended without saying why.")
        parts = from_library(answer.parts, progress.ids, self._connection.provider)
        return ResponseEnd(parts, self._usage(answer.usage), _stop(answer.finish_reason, parts))

    def _usage(self, usage: Any) -> Usage:
        counted = Usage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        connection = self._connection
        listed = None if connection.style == "chat" else connection.provider
        return prices.with_cost(counted, connection.model, provider=listed, base_url=connection.base_url)


class _Progress:
    """Turns the library's stream events into ours and keeps the ids of the calls unique in the conversation."""

    def __init__(self, used_ids: set[str]) -> None:
        self.begun = False
        self.ids: dict[int, str] = {}
        self._used = used_ids
        self._names: dict[int, str] = {}

    def translate(self, event: Any) -> list[StreamEvent]:
        from pydantic_ai import messages as library

        match event:
            case library.PartStartEvent(index=index, part=part):
                return self._started(index, part)
            case library.PartDeltaEvent(index=index, delta=delta):
                return self._went_on(index, delta)
        return []

    def _started(self, index: int, part: Any) -> list[StreamEvent]:
        from pydantic_ai import messages as library

        self.begun = True
        match part:
            case library.TextPart(content=text) if text:
                return [TextDelta(text)]
            case library.ThinkingPart(content=text) if text:
                return [ThinkingDelta(text)]
            case library.ToolCallPart():
                self._names[index] = part.tool_name
                return [ToolCallDelta(self._id(index, part.tool_call_id), part.tool_name, arguments_text(part.args))]
        return []

    def _went_on(self, index: int, delta: Any) -> list[StreamEvent]:
        from pydantic_ai import messages as library

        match delta:
            case library.TextPartDelta(content_delta=text) if text:
                return [TextDelta(text)]
            case library.ThinkingPartDelta(content_delta=text) if text:
                return [ThinkingDelta(text)]
            case library.ToolCallPartDelta():
                self._names[index] = self._names.get(index, "") + (delta.tool_name_delta or "")
                call_id = self._id(index, delta.tool_call_id or "")
                return [ToolCallDelta(call_id, self._names[index], arguments_text(delta.args_delta))]
        return []

    def _id(self, index: int, given: str) -> str:
        """The id of the call at `index`. Some servers give none, or the same one for every call: they get ours."""
        if index not in self.ids:
            self.ids[index] = given if given and given not in self._used else new_call_id(datetime.now(UTC))
            self._used.add(self.ids[index])
        return self.ids[index]


def _was_cut(answer: Any, style: Style) -> bool:
    details = answer.provider_details or {}
    if style == "chat":
        # The library fills in a reason where a server gives none; a server that gives neither reason nor usage was cut off.
        return not details.get("finish_reason") and not answer.usage.input_tokens and not answer.usage.output_tokens
    if answer.finish_reason == "error":
        return True
    return answer.finish_reason is None and not details.get("finish_reason")


def _stop(reason: str | None, parts: tuple[Any, ...]) -> ResponseStop:
    if reason == "length":
        return "length"
    if reason == "content_filter":
        return "refused"
    return "tool_calls" if any(isinstance(part, ToolCallPart) for part in parts) else "end"


# --- the library's side of a request --------------------------------------------------------------------------------


def _sending(
    opened: Opened, messages: Any, settings: dict[str, Any], parameters: library_models.ModelRequestParameters
) -> AbstractAsyncContextManager[library_models.StreamedResponse]:
    from pydantic_ai.direct import model_request_stream

    return model_request_stream(
        opened.model,
        messages,
        model_settings=cast("ModelSettings", settings),
        model_request_parameters=parameters,
        instrument=False,
    )


def _parameters(request: ModelRequest) -> library_models.ModelRequestParameters:
    from pydantic_ai.messages import InstructionPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters) for tool in request.tools
        ],
        instruction_parts=[InstructionPart(content=clean(request.system))] if request.system.strip() else [],
    )


def _settings(request: ModelRequest, connection: Connection, profile: Mapping[str, Any]) -> dict[str, Any]:
    """The library's settings for a request; `profile` is what the library knows of the model."""
    levels: dict[ThinkingLevel, bool | str] = {"off": False, "low": "low", "medium": "medium", "high": "high"}
    settings: dict[str, Any] = {"thinking": levels[request.thinking], "cache": True, "max_retries": 0}
    settings["framing_announcement"] = "never"  # the system prompt is ours, to the byte
    if request.max_output_tokens is not None:
        budgeted = connection.style == "anthropic" and not profile.get("anthropic_supports_adaptive_thinking")
        room = THINKING_ROOM[request.thinking] if budgeted else 0
        settings["max_tokens"] = max(request.max_output_tokens, room)
    if connection.style == "openai":
        settings |= {"openai_store": False}
        if request.thinking != "off" and profile.get("supports_thinking"):
            settings["openai_reasoning_summary"] = "auto"
        if request.session_id:
            settings["openai_prompt_cache_key"] = f"{request.session_id}-{request.kind}"
    return settings
