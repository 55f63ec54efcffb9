"""How far a memory bears on a question: the share of the question's rare words and concepts that it holds, on a scale that means the same
for every question and every number of memories (memory design, RC-01; a relative score always has a best hit).

Owns how a question is cut into concepts, what they weigh, and the share that a memory has to reach. A concept is a word or phrase with
its other names, so that a Chinese question bears on an English memory where the glossary knows both. Pure; frequencies are passed in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from desktop.base.words import CJK
from desktop.memory.note import Note
from desktop.memory.recall_words import ENDINGS, GENERIC_CHINESE, GENERIC_ENGLISH
from desktop.search.glossary import segments
from desktop.search.segment import FUNCTION, STOP, TALK, Term, folded
from desktop.search.snippet import stem

SHARE = 0.4
"""Of the weight of a question that a memory has to hold."""

SEVERAL = 1.5
"""Weight that two things of a question have together: a memory that holds so much bears on it, wherever it holds it."""

ALL, ALONE = 0.75, 0.45
"""Share from which a question is about nothing else, so that one thing in a title will do, and the weight that this must have."""

NAMED, KEYED = 0.5, 0.6
"""Share of a memory's name, or of one of its keywords, that a question has to hold for the memory to be about that one thing."""

BESIDE_EACH_OTHER, MOST_PAIRS = 0.5, 2
"""What two words that follow each other in the question and in the memory count more, and for how many such pairs."""

LONG = 5.0
"""Weight from which on a question counts as a long one: of a long request a memory need not hold more than `SHARE` of this."""

IN_BODY = 0.75
"""What a word counts that stands in the text only, and not in name, keywords, description or path."""

GENERIC, LEFT_OVER, UNKNOWN, NAME = 0.2, 0.8, 0.5, 1.3
"""Weights of everyday words of software work; of a pair of Chinese characters that no table knows; factor of what stands in no memory;
weight of what looks like a name: digits, capitals inside, underscores."""

BESIDE = 0.6
"""Share of what the best memory holds that a further one has to hold."""

SMOOTH = 30
"""Passages that a small collection is taken for: of five memories nothing can be learnt about which words are rare."""

_WORD = re.compile(f"[{CJK}]+|(?:(?![{CJK}])[^\\W_])+")
_CJK = re.compile(f"[{CJK}]")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NAME = re.compile(r"(?=[^\W\d_]*\d)(?=\d*[^\W\d_])[^\W_]{3,}")
_GENERIC_RUN = re.compile("|".join(sorted(GENERIC_CHINESE, key=len, reverse=True)))

Form = frozenset[str]
"""Atoms of which a text has to hold all: stems of words, pairs of characters."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a question is about.

    Attributes:
        shown: as the person wrote it.
        forms: any of which a text may hold.
        weight: before its rarity.
        terms: for how often it stands in the index.
        parts: the words of a phrase, which take its place where no memory holds the phrase.
    """

    shown: str
    forms: tuple[Form, ...]
    weight: float
    terms: tuple[Term, ...]
    parts: tuple[Concept, ...] = ()


@dataclass(frozen=True, slots=True)
class Support:
    """What of a question a memory holds.

    Attributes:
        held: weight of it, of `whole`; `titled`: the part of it that stands in its title.
        named: whether the question holds the memory's name, or a keyword of it, far enough.
        words: the words of the question that did it, the weightiest first.
        complete: its title holds all that the question is about, and that is more than one thing. Then it bears on it however many
            memories do, of which each makes the words less rare.
    """

    held: float
    whole: float
    titled: float
    named: bool
    words: tuple[str, ...]
    complete: bool = False

    @property
    def share(self) -> float:
        """0…1; of a long question the share of `LONG`, at most 1."""
        return min(1.0, self.held / max(min(self.whole, LONG), 1e-9))

    @property
    def enough(self) -> bool:
        """Whether the memory bears on the question. One word that both happen to have says nothing, unless either is about that word."""
        if self.complete:
            return True
        if self.share < SHARE:
            return False
        return self.held >= SEVERAL or (self.titled >= ALONE and (self.named or self.share >= ALL))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A question's concepts with their weights by rarity, and the pairs of words that follow each other in it."""

    concepts: tuple[tuple[Concept, float], ...]
    pairs: frozenset[tuple[str, str]] = frozenset()

    def support(self, note: Note, body: str) -> Support:
        """How far a memory with this header and text bears on it."""
        titled, told = atoms_of(title_of(note)), atoms_of(body)
        held: list[tuple[float, str]] = []
        in_title = 0.0
        for concept, weight in self.concepts:
            share = 1.0 if _holds(titled, concept) else IN_BODY if _holds(told, concept) else 0.0
            if share:
                held.append((weight * share, concept.shown))
                in_title += weight if share == 1.0 else 0.0
        whole = sum(weight for _, weight in self.concepts)
        words = tuple(shown for _, shown in sorted(held, key=lambda one: -one[0]))
        together = self.pairs & pairs_of(f"{title_of(note)}\n{body}") if self.pairs and held else ()
        more = BESIDE_EACH_OTHER * min(len(together), MOST_PAIRS)
        return Support(sum(value for value, _ in held) + more, whole, in_title, self._names(note), words, self._is_complete(titled))

    def _is_complete(self, titled: Form) -> bool:
        asked = [concept for concept, _ in self.concepts if concept.weight >= LEFT_OVER]
        return sum(concept.weight for concept in asked) >= SEVERAL and all(_holds(titled, concept) for concept in asked)

    def _names(self, note: Note) -> bool:
        forms = frozenset(form for concept, _ in self.concepts for form in concept.forms)
        own = frozenset(atom for concept, _ in self.concepts for atom in atoms_of(concept.shown))
        return _covered(note.name, own, forms) >= NAMED or any(_covered(keyword, own, forms) >= KEYED for keyword in note.keywords)


def title_of(note: Note) -> str:
    """What tells what a memory is about."""
    return f"{note.name}\n{' '.join(note.keywords)}\n{note.description}\n{note.path.removesuffix('.md')}"


def _covered(name: str, own: Form, forms: frozenset[Form]) -> float:
    """Share of a name that a question holds, in its own words or under another name of the same thing."""
    concepts = concepts_of(name)
    whole = sum(concept.weight for concept in concepts)
    held = sum(concept.weight for concept in concepts if _holds(own, concept) or not forms.isdisjoint(concept.forms))
    return held / whole if whole else 0.0


def pairs_of(text: str) -> frozenset[tuple[str, str]]:
    """Stems of words that follow each other, function words aside; of scripts without blanks there are none, pairs are their words."""
    words = [stem(folded(word)) if word.isascii() else "" for word in _WORD.findall(text) if folded(word) not in STOP]
    return frozenset((one, other) for one, other in pairwise(words) if one and other and one != other)


def _holds(atoms: frozenset[str], concept: Concept) -> bool:
    return any(form <= atoms for form in concept.forms)


# cutting


@lru_cache(maxsize=512)
def concepts_of(question: str) -> tuple[Concept, ...]:
    """What a question is about, each thing once. Function words and words about the conversation are left out."""
    found: dict[str, Concept] = {}
    camel = {part.casefold() for part in _WORD.findall(question) if _CAMEL.search(part)}
    for text, names in segments(question):
        if _CJK.match(text):
            made = _chinese(text, names)
        else:
            made = _english(text, names, is_name=any(text in name for name in camel))
        for concept in made:
            found.setdefault(concept.shown, concept)
    return tuple(found.values())


def _english(text: str, names: Sequence[Term], *, is_name: bool) -> list[Concept]:
    words = text.split()
    if all(word in STOP or word in TALK or (len(word) == 1 and not word.isdigit()) for word in words):
        return []
    weight = GENERIC if _is_generic(text) else NAME if is_name or _NAME.fullmatch(text) else 1.0
    if len(words) == 1:
        return [_concept(text, weight, (Term(f'"{text}"', text, "word"), *names))]
    parts = tuple(concept for word in words for concept in _english(word, (), is_name=False))
    return [replace(_concept(text, weight, (Term(f'"{text}"', text, "phrase"), *names)), parts=parts)]


def _chinese(text: str, names: Sequence[Term]) -> list[Concept]:
    if names:
        return [_concept(text, GENERIC if _is_generic(text) else 1.0, (_run_term(text), *names))]
    if _is_generic(text):
        return [_concept(text, GENERIC, (_run_term(text),))]
    pieces = [piece for piece in _GENERIC_RUN.split(text) if piece]
    pairs = [pair for piece in pieces for pair in map("".join, pairwise(piece)) if not any(c in FUNCTION for c in pair)]
    return [_concept(pair, LEFT_OVER, (_run_term(pair),)) for pair in pairs]


def _run_term(run: str) -> Term:
    if len(run) < 3:
        return Term(f'"{run}"', run, "pair")
    return Term(f'"{" ".join(map("".join, pairwise(run)))}"', run, "phrase")


def _concept(shown: str, weight: float, terms: tuple[Term, ...]) -> Concept:
    terms = (terms[0], *(term for term in terms[1:] if term.shown not in ENDINGS))
    forms = dict.fromkeys(atoms_of(term.shown, whole=True) for term in terms)
    return Concept(shown, tuple(form for form in forms if form), weight, terms)


def weighed(question: str, count: Callable[[Sequence[Term]], tuple[int, Sequence[int]]]) -> Weighed:
    """The concepts of a question with their weights by rarity.

    Args:
        count: gives how many passages there are, and in how many of them each term stands.
    """
    concepts = concepts_of(question)
    terms = [term for concept in concepts for one in (concept, *concept.parts) for term in one.terms]
    total, found = count(terms)
    size, counts = max(total, SMOOTH), iter(found)
    weights: list[tuple[Concept, float]] = []
    for concept in concepts:
        ones = [(one, max(next(counts) for _ in one.terms)) for one in (concept, *concept.parts)]
        taken = ones[:1] if ones[0][1] or len(ones) == 1 else ones[1:]
        weights += [(one, _weight(one, number, size)) for one, number in taken]
    return Weighed(tuple(weights), pairs_of(question))


def _weight(concept: Concept, count: int, size: int) -> float:
    return concept.weight * _rarity(size, max(count, 1)) / _rarity(size, 1) * _known_share(concept, count)


def _known_share(concept: Concept, count: int) -> float:
    """What stands in no memory can be held by none; of a pair that may lie across two words it is no wonder at all."""
    return 1.0 if count else UNKNOWN * (0.6 if concept.weight == LEFT_OVER else 1.0)


def _rarity(total: int, count: int) -> float:
    return math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))


def _is_generic(text: str) -> bool:
    return text in GENERIC_CHINESE or text in ENDINGS or (text.isascii() and " " not in text and stem(text) in _generic_stems())


@cache
def _generic_stems() -> frozenset[str]:
    return frozenset(map(stem, GENERIC_ENGLISH))


def atoms_of(text: str, *, whole: bool = False) -> Form:
    """What a text holds: stems of its words and of the parts of joined names, pairs of neighbouring characters of scripts without blanks.

    Args:
        whole: the text is a name that has to be held whole: of a joined word only its parts.
    """
    found: set[str] = set()
    for token in _WORD.findall(text):
        if _CJK.match(token):
            found.update(map("".join, pairwise(folded(token))) if len(token) > 1 else (token,))
            continue
        parts = _CAMEL_PART.findall(token) if _CAMEL.search(token) else []
        if not parts or not whole:
            found.add(stem(folded(token)))
        found.update(stem(folded(part)) for part in parts)
    return frozenset(found)
