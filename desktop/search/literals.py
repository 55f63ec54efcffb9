"""Literals of a question: what is meant letter by letter, such as a quoted phrase, a path, a version, an option. Pure.

Words are found through the index, which knows no signs: to it 3.11.2 is three numbers in a row and C# is C. Here the original text is
looked at, so that what holds a literal as it was written comes first. Used on the few texts that were found, never on all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from desktop.search.segment import HASH, QUERY_CHARACTERS, folded

MOST = 8
"""Literals of a question that are looked for."""

_QUOTED = re.compile(r"[\"“「『`]([^\"”」』`]{2,200})[\"”」』`]")
_AROUND = ".,;:!?()[]{}<>\"'“”‘’「」『』`，。；：！？（）、"
_SIGNS = re.compile(r"[_/\\:@#=~%&+.$-]")
_LETTER = re.compile(r"[^\W_]")
_PLAIN = re.compile(r"[^\W\d_]+(?:[-/.][^\W\d_]+)*\.?")
"""Words of a sentence that hold a sign: well-known, and/or, i.e."""

_FILE = re.compile(r"\.?[^\W_]{2,}\.[a-z]{1,5}|\.[a-z]\w+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.:/]\d+)?%?")
"""A plain number, a time or a share: too common to be a name for anything."""


@lru_cache(maxsize=64)
def literals_of(query: str) -> tuple[str, ...]:
    """What of a question is a literal, folded: what stands in quotes, and words with signs or digits as no sentence has them."""
    text = query[:QUERY_CHARACTERS]
    found = [match[1].strip() for match in _QUOTED.finditer(text)]
    for token in _QUOTED.sub(" ", text).split():
        bare = token.rstrip(f"{_AROUND}*").lstrip(_AROUND.replace(".", ""))
        if _is_literal(bare):
            found.append(bare)
    return tuple(dict.fromkeys(folded(one) for one in found if _LETTER.search(one)))[:MOST]


def _is_literal(token: str) -> bool:
    if len(token) < 2 or not token.isascii() or _NUMBER.fullmatch(token):
        return False
    if token.startswith("-") or _FILE.fullmatch(token):
        return bool(_LETTER.search(token))
    return bool(_SIGNS.search(token)) and not _PLAIN.fullmatch(token)


@lru_cache(maxsize=256)
def _pattern(literal: str) -> re.Pattern[str]:
    """The literal with nothing joined to it that would make it another one: 3.11.2 is not in 3.11.20, C not in C#. Blanks stand for any."""
    body = r"\s+".join(map(re.escape, literal.split()))
    before = r"(?<![a-z0-9])" if literal[:1].isascii() and literal[:1].isalnum() else ""
    after = r"(?![a-z0-9])(?!\.\d)" if literal[-1:].isascii() and literal[-1:].isalnum() and not HASH.fullmatch(literal) else ""
    return re.compile(before + body + after)


def holds(text: str, literal: str) -> bool:
    """Whether a text, folded, holds a literal, folded, as it was written."""
    return _pattern(literal).search(text) is not None


def share_held(text: str, literals: tuple[str, ...]) -> float:
    """Share of the literals that a text holds, 0…1."""
    if not literals:
        return 0.0
    plain = folded(text)
    return sum(holds(plain, literal) for literal in literals) / len(literals)
