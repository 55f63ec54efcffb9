"""Our messages to the provider library's and its answers back. Pure translation; the library is imported inside functions.

What only the provider understands (signed reasoning, thought signatures on other parts) travels in `ThinkingPart.signature`: a plain
signature as it is, anything more as a small JSON object behind `ENVELOPE`. Such a part goes back to the same provider only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from desktop.messages.codec import parse_arguments
from desktop.messages.parts import Message, Part, ResultStatus, TextPart, ThinkingPart, ToolCallPart, ToolResultPart

if TYPE_CHECKING:
    from pydantic_ai import messages as library

ENVELOPE = "keepsake:"
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEPT_DETAILS = ("thought_signature", "phase", "extra_content", "raw_content")
_REASONING_FIELDS = ("reasoning", "reasoning_content")
_OUTCOMES: dict[ResultStatus, Literal["success", "failed", "denied", "interrupted"]] = {
    "ok": "success", "error": "failed", "denied": "denied", "interrupted": "interrupted",
}  # fmt: skip
INTERRUPTED = "The call was interrupted; it has no result."


def clean(text: str) -> str:
    """Text that UTF-8 can carry: a lone surrogate becomes the replacement character."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


# --- to the library -------------------------------------------------------------------------------------------------


@dataclass
class _History:
    """The conversation in the making: `turns` alternate between lists of request parts and of response parts."""

    provider: str
    turns: list[tuple[Literal["request", "response"], list[Any]]] = field(default_factory=list)
    open_calls: dict[str, ToolCallPart] = field(default_factory=dict)

    def turn(self, side: Literal["request", "response"]) -> list[Any]:
        if not self.turns or self.turns[-1][0] != side:
            self.turns.append((side, []))
        return self.turns[-1][1]


def to_library(messages: Iterable[Message], provider: str) -> list[library.ModelMessage]:
    """The conversation as the library takes it.

    Neighbours of one side become one message, texts of the person and of the app joined by a blank line. A result without its call becomes
    text and a call without its result gets an "interrupted" one: both are impossible by contract, and a provider would refuse either.

    Args:
        provider: whose signed reasoning may go back: others' is left out.
    """
    from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart

    history = _History(provider)
    for message in messages:
        if message.role == "assistant":
            _answer_open_calls(history)
            _add_answer(history, message)
        elif message.role == "tool":
            _add_results(history, message)
        else:
            _answer_open_calls(history)
            _add_text(history, message.text)
    _answer_open_calls(history)
    if not history.turns or history.turns[0][0] == "response":
        history.turns.insert(0, ("request", []))
    return [
        ModelRequest(parts=parts or [UserPromptPart(content="(empty message)")])
        if side == "request"
        else ModelResponse(parts=parts, provider_name=provider)
        for side, parts in history.turns
    ]


def _add_text(history: _History, text: str) -> None:
    from pydantic_ai.messages import UserPromptPart

    parts = history.turn("request")
    content = clean(text)
    if not content.strip():
        return
    last = parts[-1] if parts else None
    if isinstance(last, UserPromptPart):
        parts[-1] = UserPromptPart(content=f"{last.content}\n\n{content}")
    else:
        parts.append(UserPromptPart(content=content))


def _add_results(history: _History, message: Message) -> None:
    for result in message.tool_results:
        if history.open_calls.pop(result.call_id, None) is None:
            _add_text(history, f"[Result of an earlier call of {result.name}]\n{result.output}")
        else:
            _add_result(history, result)
    if message.text:
        _add_text(history, message.text)


def _add_result(history: _History, result: ToolResultPart) -> None:
    from pydantic_ai.messages import ToolReturnPart

    history.turn("request").append(
        ToolReturnPart(
            tool_name=result.name,
            content=clean(result.output) if result.output.strip() else "(no output)",
            tool_call_id=result.call_id,
            outcome=_OUTCOMES[result.status],
        )
    )


def _answer_open_calls(history: _History) -> None:
    calls = list(history.open_calls.values())
    history.open_calls.clear()
    for call in calls:
        _add_result(history, ToolResultPart(call.id, call.name, INTERRUPTED, "interrupted"))


def _add_answer(history: _History, message: Message) -> None:
    from pydantic_ai import messages as library

    attached: dict[str, Any] = {}
    added: list[Any] = []
    for part in message.parts:
        match part:
            case ThinkingPart():
                attached = _attachment(part, history.provider) or attached
                added += _thinking_for_library(part, history.provider)
            case TextPart():
                if part.text.strip():
                    added.append(library.TextPart(content=clean(part.text), **attached))
                    attached = {}
            case ToolCallPart():
                arguments = part.raw if part.raw is not None else json.dumps(part.input, ensure_ascii=False)
                added.append(library.ToolCallPart(tool_name=part.name, args=clean(arguments), tool_call_id=part.id, **attached))
                attached = {}
                history.open_calls[part.id] = part
            case ToolResultPart():
                continue
    if added:
        history.turn("response").extend(added)


def _opened(part: ThinkingPart) -> dict[str, Any]:
    """What the signature of a part holds; a plain one has the key `signature` alone."""
    if part.signature is None or not part.signature.startswith(ENVELOPE):
        return {"signature": part.signature}
    try:
        value = json.loads(part.signature[len(ENVELOPE) :])
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _attachment(part: ThinkingPart, provider: str) -> dict[str, Any]:
    """The library's fields for the part that follows, when this one only carries its details."""
    if part.provider != provider:
        return {}
    details = _opened(part).get("next")
    return {"provider_name": provider, "provider_details": details} if isinstance(details, dict) else {}


def _thinking_for_library(part: ThinkingPart, provider: str) -> list[library.ThinkingPart]:
    from pydantic_ai import messages as library

    opened = _opened(part)
    signed = bool(opened.get("signature") or opened.get("details")) or opened.get("id") in _REASONING_FIELDS
    if part.provider != provider or "next" in opened or not signed:
        return []
    return [
        library.ThinkingPart(
            content=clean(part.text),
            id=opened.get("id"),
            signature=opened.get("signature"),
            provider_name=provider,
            provider_details=opened.get("details"),
        )
    ]


# --- from the library -----------------------------------------------------------------------------------------------


def from_library(parts: Sequence[Any], ids: dict[int, str], provider: str) -> tuple[Part, ...]:
    """An answer's parts as ours.

    Args:
        parts: the library's response parts; kinds that we never ask for are left out.
        ids: by index, the id under which a tool call was streamed.
        provider: who made them.
    """
    from pydantic_ai import messages as library

    ours: list[Part] = []
    for index, part in enumerate(parts):
        if isinstance(part, library.ThinkingPart):
            ours += _thinking_from_library(part, provider)
        elif isinstance(part, library.TextPart):
            ours += _carried(part.provider_details, provider)
            if part.content:
                ours.append(TextPart(part.content))
        elif isinstance(part, library.ToolCallPart):
            ours += _carried(part.provider_details, provider)
            value, raw = parse_arguments(arguments_text(part.args))
            ours.append(ToolCallPart(ids.get(index, part.tool_call_id), part.tool_name, value, raw))
    return tuple(ours)


def arguments_text(arguments: str | dict[str, Any] | None) -> str:
    """Arguments, or a piece of them, as JSON text."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _details(details: dict[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (details or {}).items() if key in _KEPT_DETAILS}


def _carried(details: dict[str, Any] | None, provider: str) -> list[Part]:
    kept = _details(details)
    return [ThinkingPart("", ENVELOPE + json.dumps({"next": kept}), provider)] if kept else []


def _thinking_from_library(part: library.ThinkingPart, provider: str) -> list[Part]:
    details = _details(part.provider_details)
    if not part.content and not part.signature and not details:
        return []
    signature = part.signature
    if part.id or details:
        envelope = {"id": part.id, "signature": part.signature, "details": details or None}
        signature = ENVELOPE + json.dumps({key: value for key, value in envelope.items() if value is not None})
    return [ThinkingPart(part.content, signature, provider)]
