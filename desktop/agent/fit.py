"""Making a request fit into the model's window: old tool outputs are left out of the request, never out of the transcript. Pure.

What was left out once stays out, so that the cached prefix of the next request is the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.agent.prompts import CUT_OUTPUT
from desktop.base.words import estimate_tokens
from desktop.messages.parts import Message, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.tools import ToolSpec

FULL_SHARE = 0.85
"""Above this share of the room, outputs are cut …"""
TARGET_SHARE = 0.60
"""… until the request is below this one, so that it does not happen at every step."""
KEEP_NEWEST = 3
"""Results of the newest calls are never cut."""
MESSAGE_OVERHEAD = 4
SMALLEST_CUT = 400
"""Outputs shorter than this many characters are not worth cutting."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Messages to send, the ids of the calls whose output is left out, the estimate in tokens, and whether it fits."""

    messages: tuple[Message, ...]
    cut: frozenset[str]
    tokens: int
    fits: bool


def part_tokens(part: Part) -> int:
    match part:
        case TextPart() | ThinkingPart():
            return estimate_tokens(part.text)
        case ToolCallPart():
            return estimate_tokens(part.name) + estimate_tokens(part.raw or json.dumps(part.input, ensure_ascii=False))
        case ToolResultPart():
            return estimate_tokens(part.output)


def message_tokens(message: Message) -> int:
    return MESSAGE_OVERHEAD + sum(part_tokens(p) for p in message.parts)


def tool_tokens(tools: Sequence[ToolSpec]) -> int:
    return sum(estimate_tokens(t.name + t.description + json.dumps(t.parameters)) for t in tools)


def _without(message: Message, cut: frozenset[str]) -> Message:
    if not any(r.call_id in cut for r in message.tool_results):
        return message
    parts = tuple(
        replace(p, output=CUT_OUTPUT.format(characters=len(p.output))) if isinstance(p, ToolResultPart) and p.call_id in cut else p
        for p in message.parts
    )
    return replace(message, parts=parts)


def _cuttable(messages: Sequence[Message], cut: frozenset[str]) -> list[ToolResultPart]:
    results = [r for m in messages for r in m.tool_results]
    return [r for r in results[:-KEEP_NEWEST] if r.call_id not in cut and len(r.output) >= SMALLEST_CUT]


def fit(messages: Sequence[Message], *, fixed_tokens: int, room: int, cut: frozenset[str], correction: float = 1.0) -> Fitted:
    """Cut old outputs until the request is well inside `room`.

    Args:
        messages: the whole conversation, oldest first.
        fixed_tokens: estimate for system text and tools.
        room: tokens of the window less those kept for the answer.
        cut: ids of calls whose outputs were left out before.
        correction: what the provider counted divided by what we estimated, of the last request.
    """
    shortened = [_without(m, cut) for m in messages]
    total = int((fixed_tokens + sum(message_tokens(m) for m in shortened)) * correction)
    if total > room * FULL_SHARE:
        for result in _cuttable(messages, cut):
            saved = part_tokens(result) - estimate_tokens(CUT_OUTPUT)
            total -= int(saved * correction)
            cut |= {result.call_id}
            if total <= room * TARGET_SHARE:
                break
        shortened = [_without(m, cut) for m in messages]
    return Fitted(tuple(shortened), cut, total, total <= room)
