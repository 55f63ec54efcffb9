"""What of a person's message is asked for when memories are recalled: their own words, without what they pasted (memory design, RC-01).

Owns how much of a long message is looked at and what is mere small talk, in English and Chinese; what a person's own words are says
`memory.own_words`. Pure, linear time.
"""

from __future__ import annotations

import re

from desktop.memory.own_words import own_words
from desktop.memory.recall_words import SMALL_TALK, SMALL_TALK_CHINESE

LONGEST = 2_000
"""Characters of a question; the person's own words stand at the head or at the end of a long message."""

LOOKED_AT = 50_000
"""Characters at each end of a message that are looked at."""

PASTED = 600
"""Characters of a message that are asked for when nothing in it is the person's own: an error that somebody pastes without a word."""

_SMALL_CHINESE = re.compile(f"(?>{'|'.join(sorted(SMALL_TALK_CHINESE, key=len, reverse=True))})++")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CHINESE = re.compile("[\u3400-\u9fff]+")


def question_of(text: str) -> str:
    """The person's own words of a message, at most `LONGEST` characters; the beginning of the message when all of it was pasted."""
    parts = (text,) if len(text) <= 2 * LOOKED_AT else (text[:LOOKED_AT], text[-LOOKED_AT:])
    words = "\n".join(own for part in parts if (own := own_words(part)))
    if not words:
        return text[:PASTED].strip()
    if len(words) <= LONGEST:
        return words
    return f"{words[: LONGEST * 2 // 3]}\n{words[-LONGEST // 3 :]}"


def is_small_talk(question: str) -> bool:
    """A greeting, thanks, a bare yes or “go on”: nothing that a memory could bear on."""
    if len(question) > 60:
        return False
    chinese = _CHINESE.findall(question)
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(_CHINESE.sub(" ", question))]
    if not chinese and not words:
        return True
    return all(map(_SMALL_CHINESE.fullmatch, chinese)) and all(word in SMALL_TALK for word in words)
