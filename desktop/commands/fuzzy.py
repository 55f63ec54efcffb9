"""Fuzzy matching for the palette and pickers: letters in order, better when they start words or stand together. Pure, linear per query.

Chinese, Japanese and Korean titles match character by character like any other text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """How well a text matches, and where: `positions` are indexes of the characters that took part."""

    score: int
    positions: tuple[int, ...]


def match(query: str, text: str) -> Match | None:
    """How `query` lies in `text` (case ignored; blanks part words that may come in any order), or None.

    A whole word as a piece beats scattered letters; the start of the text and of words beats the middle.
    """
    total = 0
    taken: set[int] = set()
    lowered = text.lower()
    if len(lowered) != len(text):  # letters such as İ become two: positions would be off
        lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    for word in query.lower().split():
        found = _piece(word, lowered) or _scattered(word, lowered)
        if found is None:
            return None
        total += found.score
        taken.update(found.positions)
    return Match(total, tuple(sorted(taken)))


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _piece(word: str, text: str) -> Match | None:
    best: Match | None = None
    at = text.find(word)
    while at >= 0:
        score = 40 + 10 * len(word) + (30 if _starts_word(text, at) else 0) + (20 if at == 0 else 0) - min(at, 20)
        if best is None or score > best.score:
            best = Match(score, tuple(range(at, at + len(word))))
        at = text.find(word, at + 1)
    return best


def _scattered(word: str, text: str) -> Match | None:
    """Letters in order; a letter at the start of a later word is taken before one in the middle of this word."""
    positions: list[int] = []
    score = 0
    at = -1
    for letter in word:
        following = text.find(letter, at + 1)
        if following < 0:
            return None
        if positions and following == at + 1:
            chosen = following
            score += 6
        else:
            chosen = _next_word_start(text, letter, at + 1)
            if chosen < 0 or not _can_follow(word[len(positions) + 1 :], text, chosen):
                chosen = following
            score += 8 if _starts_word(text, chosen) else 0
        positions.append(chosen)
        at = chosen
    spread = positions[-1] - positions[0] - len(positions)
    return Match(max(1, score + 2 * len(word) - spread // 4), tuple(positions))


def _next_word_start(text: str, letter: str, start: int) -> int:
    at = text.find(letter, start)
    while at >= 0 and not _starts_word(text, at):
        at = text.find(letter, at + 1)
    return at


def _can_follow(rest: str, text: str, at: int) -> bool:
    for letter in rest:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True
