"""WordPiece tokenization (Devlin et al. 2019, uncased): words at blanks and marks, then the longest known piece from left to right.

Reads no file: the caller took the vocabulary out of a `tokenizer.json`. Any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

LONGEST_WORD = 100
"""A longer word is unknown as a whole, as in the published tokenizer."""
REMEMBERED_WORDS = 20_000
_KEPT_CONTROLS = "\t\n\r"
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs"})
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
_SINGLE = re.compile(f"[{_IDEOGRAPHS}]")


class WordPiece:
    """A vocabulary; pieces that go on within a word begin with `##`."""

    def __init__(self, vocabulary: Mapping[str, int], unknown: int) -> None:
        self._ids = dict(vocabulary)
        self._unknown = unknown
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str, most: int) -> list[int]:
        """The first `most` pieces."""
        found: list[int] = []
        for word in words(text):
            cut = self._words.get(word)
            if cut is None:
                cut = self._cut(word)
                if len(self._words) >= REMEMBERED_WORDS:
                    self._words.clear()
                self._words[word] = cut
            found += cut
            if len(found) >= most:
                break
        return found[:most]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        cut: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._ids.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            cut.append(number)
            start = end
        return tuple(cut)


def words(text: str) -> list[str]:
    """Small letters without accents, cut at blanks; every mark of punctuation and every ideograph is a word."""
    clean = "".join(_letter(letter) for letter in text)
    plain = unicodedata.normalize("NFD", _SINGLE.sub(r" \g<0> ", clean))
    bare = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn").lower()
    return "".join(f" {letter} " if _is_mark(letter) else letter for letter in bare).split()


def _letter(letter: str) -> str:
    """The letter, a blank for any kind of blank, nothing for what cannot be seen."""
    if letter.isalnum():
        return letter
    if letter in _KEPT_CONTROLS or unicodedata.category(letter) == "Zs":
        return " "
    return "" if letter == "\ufffd" or unicodedata.category(letter) in _UNSEEN else letter


def _is_mark(letter: str) -> bool:
    if letter.isascii():
        return not letter.isalnum() and " " < letter < "\x7f"
    return unicodedata.category(letter)[0] == "P"
