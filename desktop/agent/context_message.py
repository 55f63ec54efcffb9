"""The message that brings another session into a conversation: what was read of it, and the card that the window draws of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from desktop.base.ids import new_message_id
from desktop.messages.parts import Message, TextPart
from desktop.sessions.context import ContextResult


def context_message(
    result: ContextResult, *, session_id: str, title: str, query: str, strategy: str, behind: Sequence[Message], now: datetime
) -> Message:
    """What was read of the session with a question, as data that the model sees next.

    Args:
        behind: the messages of the conversation, behind which it goes.
    """
    data = {
        "card": "session_context",
        "session": session_id,
        "title": title,
        "query": query,
        "strategy": strategy,
        "source": result.source,
        "tokens": result.tokens,
        "dropped": result.dropped,
        "citations": [{"message": c.message, "role": c.role, "time": c.time} for c in result.citations],
    }
    parent = behind[-1].id if behind else None
    return Message(new_message_id(now), "user", (TextPart(result.text, data=data),), now, parent, origin="app")
