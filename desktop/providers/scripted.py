"""The scripted model: answers from a file, for tests and trials. Streams like a real one, with delays, errors and cut streams on request.

Runs on the asyncio thread; the file is read when the model is made.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

from desktop.base.clock import Clock, SystemClock
from desktop.base.errors import ProviderError, ProviderErrorKind
from desktop.base.ids import new_call_id
from desktop.base.phrases import say
from desktop.messages.codec import message_to_json, parse_arguments
from desktop.messages.events import ResponseEnd, StreamEvent, TextDelta, ThinkingDelta, ToolCallDelta
from desktop.messages.parts import Part, TextPart, ThinkingPart, ToolCallPart
from desktop.providers.base import DumpRequest, ModelInfo, ModelRequest
from desktop.providers.script_file import ScriptedError, ScriptedResponse, open_script

PREFIX = "scripted:"
_DEFAULT_MESSAGES: dict[str, str] = {
    "rate_limit": say("The scripted model says: too many requests."),
    "overloaded": say("The scripted model says: overloaded."),
    "auth": say("The scripted model says: the key is not accepted."),
    "network": say("The scripted model cannot be reached."),
    "cut": say("The scripted model's stream broke off."),
    "invalid": say("The scripted model says: the request is not valid."),
}


class ScriptedModel:
    """A `Model` that plays a script file.

    Raises (when made):
        UsageError: the file is missing, no JSON, or not of the documented shape.
    """

    def __init__(self, path: Path, *, dump: DumpRequest | None = None, clock: Clock | None = None) -> None:
        self._path = path.absolute()
        self._script = open_script(self._path)
        self._dump = dump
        self._clock = clock or SystemClock()
        self._info = ModelInfo(
            id=f"{PREFIX}{self._path}",
            label=f"Scripted ({self._path.name})",
            provider="scripted",
            context_window=self._script.context_window,
            titles="title" in self._script.kinds,
        )

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        if self._dump is not None:
            self._dump(request.kind, self._info.id, self._info.id, neutral_request(request))
        response = self._script.next(request.kind)
        parts = self._parts(response)
        left = None if response.error is None else response.error.after_chars
        for delta in _deltas(parts, response):
            if left is not None:
                delta = _cut(delta, left)
                left -= _length(delta)
                if _length(delta) == 0:
                    break
            await asyncio.sleep(response.delay_s)
            yield delta
        if response.error is not None:
            raise _provider_error(response.error)
        calls = any(isinstance(part, ToolCallPart) for part in parts)
        yield ResponseEnd(parts, response.usage, "tool_calls" if calls else "end")

    async def close(self) -> None:
        return

    def _parts(self, response: ScriptedResponse) -> tuple[Part, ...]:
        parts: list[Part] = []
        if response.thinking:
            parts.append(ThinkingPart(response.thinking, provider="scripted"))
        if response.text:
            parts.append(TextPart(response.text))
        for call in response.calls:
            value, raw = parse_arguments(call.arguments)
            parts.append(ToolCallPart(call.id or new_call_id(self._clock.now()), call.name, value, raw))
        return tuple(parts)


def neutral_request(request: ModelRequest) -> dict[str, Any]:
    """The request as JSON values: what is dumped where no HTTP body exists."""
    return {
        "system": request.system,
        "messages": [message_to_json(message) for message in request.messages],
        "tools": [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in request.tools],
        "kind": request.kind,
        "max_output_tokens": request.max_output_tokens,
        "thinking": request.thinking,
    }


Delta = TextDelta | ThinkingDelta | ToolCallDelta


def _deltas(parts: tuple[Part, ...], response: ScriptedResponse) -> Iterator[Delta]:
    raw = iter(response.calls)
    for part in parts:
        match part:
            case ThinkingPart():
                yield from (ThinkingDelta(piece) for piece in _pieces(part.text, response.chunk))
            case TextPart():
                yield from (TextDelta(piece) for piece in _pieces(part.text, response.chunk))
            case ToolCallPart():
                arguments = next(raw).arguments
                yield from (ToolCallDelta(part.id, part.name, piece) for piece in _pieces(arguments, response.chunk) or [""])


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _length(delta: Delta) -> int:
    return len(delta.arguments) if isinstance(delta, ToolCallDelta) else len(delta.text)


def _cut(delta: Delta, left: int) -> Delta:
    """The delta, or what of it may still go out before an error."""
    match delta:
        case TextDelta():
            return TextDelta(delta.text[:left])
        case ThinkingDelta():
            return ThinkingDelta(delta.text[:left])
        case ToolCallDelta():
            return ToolCallDelta(delta.id, delta.name, delta.arguments[:left])


def _provider_error(error: ScriptedError) -> ProviderError:
    kind = cast(ProviderErrorKind, error.kind)
    hint = say("Change the script file.") if kind in ("auth", "invalid") else ""
    return ProviderError(kind, error.message or _DEFAULT_MESSAGES[kind], retry_after_s=error.retry_after_s, hint=hint)
