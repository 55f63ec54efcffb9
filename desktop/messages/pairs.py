"""Calls and results in pairs, as every provider demands them: what a damaged or interrupted transcript lacks is made good in the request.

Changes values only; the transcript keeps what it holds. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.messages.parts import Message, ToolCallPart, ToolResultPart


def paired(messages: Sequence[Message], missing: str) -> tuple[Message, ...]:
    """`messages` with one result behind every call, and no result without its call.

    Results are looked for up to the next message of the model or the person. A call without one gets one with status `interrupted`
    and the text `missing`; a result without a call, and a second one of the same call, is left out.

    Args:
        messages: a conversation in its order.
        missing: what the model is told of a call whose result is lost.
    """
    found: list[Message] = []
    open_calls: dict[str, ToolCallPart] = {}
    for message in messages:
        if message.role == "tool":
            answered = tuple(part for part in message.tool_results if open_calls.pop(part.call_id, None) is not None)
            found += [message if answered == message.parts else replace(message, parts=answered)] if answered else []
            continue
        found += _closing(found, open_calls, missing)
        open_calls = {call.id: call for call in message.tool_calls}
        found.append(message)
    return (*found, *_closing(found, open_calls, missing))


def _closing(found: Sequence[Message], open_calls: dict[str, ToolCallPart], missing: str) -> list[Message]:
    """The message that answers the calls which are still open, if there are any."""
    if not open_calls:
        return []
    last = found[-1]
    results = tuple(ToolResultPart(call.id, call.name, missing, "interrupted") for call in open_calls.values())
    return [Message(f"{last.id}_closed", "tool", results, last.time, last.id, "tool")]
