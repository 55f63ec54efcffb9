"""The gate before an extraction: is there enough of the person's own prose to be worth a model call? Pure.

Words are counted by script (two CJK characters make a word), so that a Chinese sentence is not taken for one word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.words import word_equivalents
from desktop.messages.parts import Message

ENOUGH_WORDS = 3
PENDING_TURNS = 5
"""So many pending messages run an extraction, however short they are."""

_EXPLICIT = re.compile(
    r"(?i)\b(?:remember|don'?t forget|do not forget|forget|note that|keep in mind|from now on|always|never|in future)\b"
    r"|记住|记下|记一下|记得|别忘|不要忘|忘掉|忘记|忘了|以后|从现在起|今后|一律|总是|永远|不要"
)


@dataclass(frozen=True, slots=True)
class Pending:
    """The person's messages behind the cursor, and whether they are worth a run."""

    messages: tuple[Message, ...]
    worth: bool


def is_explicit(text: str) -> bool:
    """Does the text hold a word that asks to remember or to forget?"""
    return bool(_EXPLICIT.search(text))


def has_prose(message: Message) -> bool:
    return is_explicit(message.text) or word_equivalents(message.text) >= ENOUGH_WORDS


def pending_after(messages: Sequence[Message], cursor: str | None) -> Pending:
    """What the person said behind the message `cursor`; a cursor that is not on this branch counts as none."""
    position = next((i for i, m in enumerate(messages) if m.id == cursor), -1)
    own = tuple(m for m in messages[position + 1 :] if m.role == "user" and m.origin == "person" and m.text.strip())
    return Pending(own, any(has_prose(m) for m in own) or len(own) >= PENDING_TURNS)
