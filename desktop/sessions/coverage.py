"""Which hits come first: those with all words of a question before those with some (C-25), exact literals before both. Pure.

The index ranks by OR and knows the weight of words; this adds the AND of a conversation search. A hit of a branch that was left counts
less, so that what the conversation came to stands first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.search.index import Hit
from desktop.search.literals import holds
from desktop.search.segment import Term, folded, joined_names, query_terms
from desktop.search.snippet import marks, stem

LEFT_BRANCH = 0.4
"""Factor for a message that is not on the live branch."""

BANDS = 3
_QUOTED = re.compile(r"[\"“「『`]([^\"”」』`]{2,200})[\"”」』`]")
_AROUND = ".,;:!?()[]{}<>\"'“”‘’「」『』`，。；：！？（）、"
_INSIDE = re.compile(r"[-_./\\:@#+=~$%&*]")
_PART = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the words that a hit with all of them holds, as stems, and what it must hold letter by letter, folded.

    Attributes:
        joined: stems of names such as getUserById, each with those of its parts, which will do in its place.
    """

    words: frozenset[str]
    literals: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    joined: tuple[tuple[str, frozenset[str]], ...] = ()


def asked(query: str) -> Asked:
    terms = query_terms(query)
    parts = set(_PART.findall(folded(query)))
    words = {stem(term.shown) for term in terms if term.kind in ("word", "prefix", "hash") and term.shown in parts}
    pairs = {term.shown for term in terms if term.kind == "pair"}
    singles = {term.shown for term in terms if term.kind == "character"} if not pairs else set()
    joined = tuple((stem(name), frozenset(map(stem, parts))) for name, parts in joined_names(query))
    return Asked(frozenset(words | pairs | singles), literals_of(query), terms, joined)


def literals_of(query: str) -> tuple[str, ...]:
    """What stands in quotes, and words that are no plain words: codes, hashes, options, paths, names with signs in them."""
    found = [match[1] for match in _QUOTED.finditer(query)]
    for token in _QUOTED.sub(" ", query).split():
        token = token.rstrip(f"{_AROUND}*").lstrip(_AROUND.replace(".", ""))
        mixed = any(c.isdigit() for c in token) and token.isascii()
        if len(token) >= 3 and token.isascii() and (mixed or _INSIDE.search(token)):
            found.append(token)
    return tuple(dict.fromkeys(folded(one) for one in found))


def words_of(hit: Hit, questions: Sequence[Asked]) -> tuple[str, ...]:
    """The words of the questions that a hit holds, in its text or in its session's title."""
    if not hit.title:
        return hit.words
    titled = (word for question in questions for _, _, word in marks(hit.title, question.terms))
    return tuple(dict.fromkeys((*hit.words, *titled)))


def band(hit: Hit, words: Sequence[str], questions: Sequence[Asked]) -> int:
    """0: all words, and all literals as they were written; 1: all words; 2: some. The best of any question counts."""
    best, held = 2, {stem(word) for word in words}
    text = ""
    for question in questions:
        named = {name for name, parts in question.joined if parts <= held}
        if question.words and question.words <= held | named:
            text = text or folded(f"{hit.title}\n{hit.text}")
            best = min(best, 0 if all(holds(text, literal) for literal in question.literals) else 1)
    return best


def scored(hit: Hit, band_of_hit: int, *, live: bool) -> float:
    """One number, 0…1, that puts the bands one above the other and keeps the index's order within each."""
    return (BANDS - 1 - band_of_hit + hit.score * (1.0 if live else LEFT_BRANCH)) / BANDS
