"""Compaction boundaries: where a conversation was summarised, so that requests begin there while the transcript keeps everything. Pure.

A boundary is a message of the app with the note `boundary`; it has a parent like any other, so what lies before it stays on its branch and
is shown. Its text is what the model is given instead of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.messages.parts import Message

BOUNDARY = "boundary"
"""Name of the note; its value is an object, for the window."""


def is_boundary(message: Message) -> bool:
    """Whether requests begin anew with this message. Only the app draws boundaries: no text of a person or a tool is one."""
    return message.role == "user" and message.origin == "app" and isinstance((message.notes or {}).get(BOUNDARY), dict)


def since_boundary(messages: Sequence[Message]) -> Sequence[Message]:
    """What of a branch goes into requests: from its newest boundary on, which is given too; without one all of it."""
    for at in range(len(messages) - 1, -1, -1):
        if is_boundary(messages[at]):
            return messages[at:] if at else messages
    return messages
