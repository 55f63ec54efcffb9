"""What of a conversation an extraction sends: all of it, so that the provider's cache holds, or less where the window is too small (EX-10).

Owns the choice only. What does not fit is left for the next run, never passed over. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.agent.fit import message_tokens
from desktop.agent.jobs.prose import is_persons
from desktop.base.words import estimate_tokens
from desktop.messages.parts import Message, TextPart


@dataclass(frozen=True, slots=True)
class Slice:
    """Attributes:
    messages: what is sent before the instruction.
    boundary: id of the last message that counts as looked at when the run succeeds.
    said: the person's own messages among those that were not looked at yet.
    count: messages of the slice that were not looked at yet.
    left: not everything fits; the rest waits for the next run.
    """

    messages: tuple[Message, ...]
    boundary: str
    said: tuple[Message, ...]
    count: int
    left: bool = False


def slice_for(messages: Sequence[Message], position: int, room: int) -> Slice:
    """What is sent of a branch of which the messages from `position` on were not looked at yet; at least one of them is the person's.

    All of it; else what was not looked at; else only the person's own messages of that, the oldest first, as many as fit into `room`
    tokens.
    """
    new = tuple(messages[position:])
    own = tuple(message for message in new if is_persons(message))
    for candidate in (tuple(messages), _from_person(new)):
        if sum(map(message_tokens, candidate)) <= room:
            return Slice(candidate, messages[-1].id, own, len(new))
    fitting = _oldest(own, room)
    if len(fitting) == len(own):
        return Slice(fitting, messages[-1].id, own, len(own))
    taken = own[: len(fitting)]
    return Slice(fitting, taken[-1].id, taken, len(taken), left=True)


def _from_person(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """From the first message of the person on: no request begins with an answer or a result."""
    first = next((number for number, message in enumerate(messages) if message.role == "user"), len(messages))
    return messages[first:]


def _oldest(own: tuple[Message, ...], room: int) -> tuple[Message, ...]:
    """As many as fit, at least one, which is then cut."""
    fitting: list[Message] = []
    for message in own:
        room -= message_tokens(message)
        if room < 0:
            break
        fitting.append(message)
    return tuple(fitting) or (_cut(own[0], room + message_tokens(own[0])),)


def _cut(message: Message, room: int) -> Message:
    text = message.text
    while text and estimate_tokens(text) > max(room, 1):
        text = text[: len(text) * 9 // 10]
    return replace(message, parts=(TextPart(text),))
