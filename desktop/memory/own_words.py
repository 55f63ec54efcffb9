"""The person's own words, as memory sees them: what of a message is theirs, whether it asks to remember or to forget, and whether a memory
has a sentence of theirs behind it (S11).

Owns no rules: where foreign text begins and ends is `base.own_words`, since the small model's adaptor needs it too; the comparison is
`memory.support`. Pure, linear, any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from desktop.base.own_words import asks_to_forget, asks_to_remember, holds_foreign, own_sentences, own_words
from desktop.memory.support import has_sentence_behind

__all__ = ["asks_to_forget", "asks_to_remember", "holds_foreign", "own_sentences", "own_words", "supported"]


def supported(memory_text: str, said: Sequence[str], now: datetime | None = None) -> bool:
    """Whether the person said what a memory claims; see `memory.support`.

    Args:
        memory_text: a whole note, or its plain text.
        said: the person's messages as they were written.
        now: when they were written, in the person's time zone; without it a date that stands for one of their relative ones is believed.
    """
    return has_sentence_behind(memory_text, said, now)
