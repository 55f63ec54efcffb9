"""Where the acts on a conversation's tree lead: to which message a rewind goes, what is answered again, what stands in the context there.

Owns the rules; `AgentSession` moves the branch. Nothing is ever removed: what is left stays in the transcript as a branch. Pure, but for
`standing_memories`, which reads memory files and blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop.agent.loop import Inserted
from desktop.agent.recall_shown import Shown, from_json, ref_of
from desktop.base.errors import UsageError
from desktop.base.phrases import say
from desktop.memory.memories import Memories
from desktop.messages.parts import Message
from desktop.sessions.forks import answers_behind
from desktop.sessions.handle import SessionHandle


@dataclass(frozen=True, slots=True)
class Rewound:
    """Where a rewind went.

    Attributes:
        leaf: the message with which the live branch ends now; None: it is empty.
        text: the person's message that was taken back, for the composer; empty when none was.
    """

    leaf: str | None
    text: str = ""


def is_persons(message: Message) -> bool:
    return message.role == "user" and message.origin == "person"


def known(handle: SessionHandle, message_id: str) -> Message:
    """A message of any branch.

    Raises:
        UsageError: there is none of that id.
    """
    branch = handle.branch_to(message_id)
    if not branch:
        raise UsageError(
            say("This chat has no message {message_id}.", message_id=message_id),
            hint=say("It may be in another session, or was never stored."),
        )
    return branch[-1]


def rewind_to(handle: SessionHandle, message_id: str) -> Rewound:
    """A rewind to a message of the person goes before it and gives its text back; to any other, it ends with that one and the results of
    its calls.

    Raises:
        UsageError: there is no such message.
    """
    message = known(handle, message_id)
    if is_persons(message):
        return Rewound(message.parent, message.text)
    behind = answers_behind(handle.everything(), message, handle.messages)
    return Rewound((behind[-1] if behind else message).id)


def rewind_by(messages: Sequence[Message], count: int) -> str:
    """The person's message to which a rewind by that many exchanges goes.

    Raises:
        UsageError: there are not so many.
    """
    persons = [message.id for message in messages if is_persons(message)]
    if not persons:
        raise UsageError(say("There is nothing to take back: this chat holds no message of yours."))
    if not 1 <= count <= len(persons):
        raise UsageError(
            say("{count} exchanges cannot be taken back: this chat holds {there}.", count=count, there=len(persons)),
            hint=say("Give a number from 1 to {there}.", there=len(persons)),
        )
    return persons[-count]


def asked_by(messages: Sequence[Message], message_id: str | None) -> Message:
    """The person's message that an answer of the live branch answers; None: the newest one.

    Raises:
        UsageError: the message is not on the live branch, or nothing was asked.
    """
    at = next((n for n, message in enumerate(messages) if message.id == message_id), None) if message_id is not None else len(messages) - 1
    if at is None:
        raise UsageError(say("That message is not on the branch that is shown."), hint=say("Switch to its branch first."))
    found = next((message for message in reversed(messages[: at + 1]) if is_persons(message)), None)
    if found is None:
        raise UsageError(say("There is no message of yours that could be answered again."))
    return found


def standing_memories(recalled: Sequence[Mapping[str, Any]], memories: Memories) -> tuple[list[Inserted], dict[str, list[Shown]]]:
    """The recalled memories of a branch as they stood in its requests, and the same by message; what changed since is left out.

    Args:
        recalled: as `agent.standing` gives them, in the order in which they came.
    """
    groups: dict[tuple[str, str, object], list[Shown]] = {}
    by_person: dict[str, list[Shown]] = {}
    for one in recalled:
        person, after, shown = one.get("person"), one.get("after"), from_json(one, memories)
        if shown is not None and isinstance(person, str) and isinstance(after, str):
            groups.setdefault((person, after, one.get("group")), []).append(shown)
            by_person.setdefault(person, []).append(shown)
    inserted = [
        Inserted(person, after, "\n\n".join(one.text for one in ones), tuple(ref_of(one) for one in ones))
        for (person, after, _), ones in groups.items()
    ]
    return inserted, by_person
