"""The gate before an extraction: is there enough of the person's own prose to be worth a model call? Pure.

Words are counted by script (two CJK characters make a word), so that a Chinese sentence is not taken for one word, and only in what the
person wrote themselves: a pasted page or a quotation is nobody's wish to remember (S11).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.words import word_equivalents
from desktop.messages.parts import Message

ENOUGH_WORDS = 3
PENDING_TURNS = 5
FOREIGN = 20
"""Characters that a message must lose with its quotations to hold text of others: a word in quotes is none."""

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
    """Does the person, in their own words, ask to remember or to forget, or set a rule?"""
    from desktop.memory.own_words import asks_to_forget, asks_to_remember, own_words

    return bool(_EXPLICIT.search(own_words(text))) or asks_to_remember(text) or asks_to_forget(text)


def has_prose(message: Message, words: int = ENOUGH_WORDS) -> bool:
    """Whether one message alone is worth a look: enough words of the person's own, or an explicit one."""
    from desktop.memory.own_words import own_words

    return word_equivalents(own_words(message.text)) >= words or is_explicit(message.text)


def holds_foreign_text(message: Message) -> bool:
    """Whether the person put text of others into a message: a pasted page, a log, a passage in quotation marks."""
    from desktop.memory.own_words import own_words

    if not is_persons(message):
        return False
    return len("".join(own_words(message.text).split())) + FOREIGN < len("".join(message.text.split()))


def is_persons(message: Message) -> bool:
    """Whether a message holds words of the person: nothing synthetic, nothing empty (EX-08)."""
    return message.role == "user" and message.origin == "person" and bool(message.text.strip())


def pending_behind(messages: Sequence[Message], position: int, *, words: int = ENOUGH_WORDS, most: int = PENDING_TURNS) -> Pending:
    """What the person said from the message at `position` on; `most` messages are worth a run, however short they are."""
    own = tuple(message for message in messages[position:] if is_persons(message))
    return Pending(own, len(own) >= most or any(has_prose(message, words) for message in own))
