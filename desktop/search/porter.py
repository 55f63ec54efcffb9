"""Porter's stemmer as SQLite's tokenizer has it, so that what the index found is marked in the text too. Pure.

After M. F. Porter, “An algorithm for suffix stripping”, Program 14(3), 1980. Only words of plain small letters and digits are stemmed.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"),
    ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
LONGEST = 64


@lru_cache(maxsize=16_384)
def porter(word: str) -> str:
    """The stem of a word in small letters; the word itself where it has none."""
    if not 3 <= len(word) < LONGEST or not word.isascii():
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    word = _swapped(word, _STEP_2)
    word = _swapped(word, _STEP_3)
    word = _shortened(word)
    return _last(word)


def _is_consonant(word: str, at: int) -> bool:
    letter = word[at]
    if letter == "y":
        return at == 0 or not _is_consonant(word, at - 1)
    return letter not in "aeiou"


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant."""
    kinds = [_is_consonant(word, at) for at in range(len(word))]
    return sum(1 for one, other in pairwise(kinds) if not one and other)


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, at) for at in range(len(word)))


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _short(word: str) -> bool:
    """Ends with consonant, vowel, consonant, the last none of w, x, y."""
    size = len(word)
    return (
        size > 2
        and _is_consonant(word, size - 3)
        and not _is_consonant(word, size - 2)
        and _is_consonant(word, size - 1)
        and word[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and _has_vowel(rest):
            if rest.endswith(("at", "bl", "iz")):
                return f"{rest}e"
            if _doubled(rest) and rest[-1] not in "lsz":
                return rest[:-1]
            return f"{rest}e" if _measure(rest) == 1 and _short(rest) else rest
    return word


def _swapped(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, other in table:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) > 0 else word
    return word


def _shortened(word: str) -> str:
    for ending in sorted(_STEP_4, key=len, reverse=True):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest if _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t"))) else word
    return word


def _last(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
