"""Unigram tokenization: the cut of a normalized text into vocabulary pieces whose scores add up to most (Kudo 2018), by Viterbi search.

Shared by the encoders whose vocabulary came from SentencePiece; it reads no file. A space is written as U+2581, and since no piece of
these vocabularies holds that mark anywhere but at its start, each word is cut alone and remembered. Any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SPACE = "▁"
UNKNOWN_PENALTY = 10.0
"""How much worse than the worst piece an unknown character is: the constant of SentencePiece."""
REMEMBERED_WORDS = 20_000
REMEMBERED_LENGTH = 24
"""A longer run (Chinese has no spaces) hardly comes again."""
_WORD = re.compile(f"{SPACE}?[^{SPACE}]+|{SPACE}")


class Unigram:
    """A vocabulary with log probabilities.

    Args:
        pieces: the texts; the place is the id.
        scores: one a piece.
        controls: ids that no text can name, such as `<s>`.
        unknown: id of a character that no piece covers.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], controls: frozenset[int], unknown: int) -> None:
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        for number in controls:
            del self._ids[pieces[number]]
        self._scores = scores
        self._longest = {text[:1]: len(text) for text in sorted(self._ids, key=len)}
        self._unknown = unknown
        self._unknown_score = min(scores) - UNKNOWN_PENALTY
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, normalized: str, most: int) -> list[int]:
        """The first `most` pieces of a text whose spaces are U+2581 already."""
        found: list[int] = []
        known = self._words
        for match in _WORD.finditer(normalized):
            word = match.group()
            cut = known.get(word)
            if cut is None:
                cut = self._cut(word)
                if len(word) <= REMEMBERED_LENGTH:
                    if len(known) >= REMEMBERED_WORDS:
                        known.clear()
                    known[word] = cut
            found += cut
            if len(found) >= most:
                break
        return found[:most]

    def _cut(self, word: str) -> tuple[int, ...]:
        """Best score of every prefix, from left to right, and the way back. At equal scores the longer last piece wins.

        Unknown characters in a row are one piece, as the models were taught.
        """
        end = len(word)
        unknown = self._unknown
        best = [0.0] + [float("-inf")] * end
        back = [(0, unknown)] * (end + 1)
        ids, scores, longest = self._ids, self._scores, self._longest
        for start in range(end):
            here = best[start]
            first = word[start]
            if first not in ids and here + self._unknown_score > best[start + 1]:
                best[start + 1] = here + self._unknown_score
                back[start + 1] = (start, unknown)
            for stop in range(start + 1, min(end, start + longest.get(first, 0)) + 1):
                number = ids.get(word[start:stop])
                if number is not None and here + scores[number] > best[stop]:
                    best[stop] = here + scores[number]
                    back[stop] = (start, number)
        cut: list[int] = []
        while end:
            end, number = back[end]
            if number != unknown or cut[-1:] != [unknown]:
                cut.append(number)
        return tuple(reversed(cut))
