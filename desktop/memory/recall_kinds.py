"""Memories that name a tool of the kind that a question asks for: “which package manager?” finds “we use bun, not npm”.

Owns their place among other hits (behind those that hold the question's own telling words, before those that hold everyday words only) and
how far such a memory bears on a question. What is a kind and when a name counts says `search.categories`. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.memory.note import Note
from desktop.memory.recall_support import GENERIC, IN_BODY, Support, Weighed, atoms_of, concepts_of, title_of
from desktop.search.categories import AskedFor, asked_for, members_in

if TYPE_CHECKING:
    from desktop.search.index import Hit

MEMBER = 0.7
"""What a kind counts that a memory holds by the name of a member, and not by its own."""

DEPTH = 50
"""Hits for the members of a kind that are looked at."""

_ASKS = re.compile(
    r"[?？]|\b(?:which|what|whose|who)\b|\b(?:tell|show|remind) me\b|什么|哪|啥|吗|呢|告诉我|提醒我",
    re.IGNORECASE,
)
_LINK_WORDS = re.compile(r"[\s\W]+")


@dataclass(frozen=True, slots=True)
class ByKind:
    """A question as far as it asks for kinds of tools.

    Attributes:
        kinds: that it asks for.
        others: its other concepts, with their weights.
        asks: it is a question or the kind alone, so that a memory of that kind is an answer to it.
    """

    kinds: tuple[AskedFor, ...]
    others: Weighed
    asks: bool

    def is_part_only(self, support: Support, note: Note, body: str) -> bool:
        """Whether what a memory holds of the question is but a part of the kind's name: “Anna is my manager” is no package manager."""
        if not all(any(_is_of(shown, kind.words) for kind in self.kinds) for shown in support.words):
            return False
        atoms = atoms_of(title_of(note)) | atoms_of(body)
        return not any(_names_kind(kind, atoms) for kind in self.kinds)

    def support(self, note: Note, body: str) -> Support:
        """How far a memory bears on the question; one that names a member of the kind holds the kind by `MEMBER`."""
        rest = self.others.support(note, body)
        title = title_of(note)
        held = titled = 0.0
        words: list[str] = []
        for kind in self.kinds:
            named = members_in(kind.category, title)
            found = named or members_in(kind.category, body)
            if found:
                held += MEMBER if named else MEMBER * IN_BODY
                titled += MEMBER if named else 0.0
                words += found
        if not words:
            return Support(0.0, rest.whole + len(self.kinds), 0.0, False, ())
        named_whole = self.asks and titled > 0
        return Support(
            held + rest.held, rest.whole + len(self.kinds), titled + rest.titled, named_whole or rest.named, (*words, *rest.words)
        )


def by_kind(question: str, weighed: Weighed) -> ByKind | None:
    """The question as far as it asks for kinds; None where it asks for none.

    Args:
        weighed: all its concepts.
    """
    kinds = asked_for(question)
    if not kinds:
        return None
    left = question.casefold()
    for kind in kinds:
        left = left.replace(kind.words, " , ")
    other = {one.shown for concept in concepts_of(left) for one in (concept, *concept.parts)}
    others = tuple(one for one in weighed.concepts if one[0].shown in other)
    return ByKind(kinds, replace(weighed, concepts=others), bool(_ASKS.search(question)) or not _LINK_WORDS.sub("", left))


def _is_of(shown: str, words: str) -> bool:
    """Whether a concept is one of the words that name the kind."""
    return atoms_of(shown) <= atoms_of(words)


def _names_kind(kind: AskedFor, atoms: frozenset[str]) -> bool:
    return any(atoms_of(name) <= atoms for name in (kind.words, *kind.category.names))


def kinds_of_all(queries: str | Sequence[str]) -> tuple[AskedFor, ...]:
    """The kinds that any phrasing of a question asks for, each once."""
    asked = (queries,) if isinstance(queries, str) else queries
    return tuple({kind.category.english: kind for query in asked for kind in asked_for(query)}.values())


def with_members(
    hits: Sequence[Hit], queries: str | Sequence[str], kinds: Sequence[AskedFor], find: Callable[[str], Sequence[Hit]]
) -> tuple[Hit, ...]:
    """The hits of a question, with those that name a member of a kind that it asks for.

    Args:
        hits: best first.
        kinds: that the question asks for.
        find: what the index has for a query.
    """
    found: dict[tuple[str, int], Hit] = {}
    for kind in kinds:
        for query in kind.category.queries:
            for hit in find(query):
                named = members_in(kind.category, f"{hit.title}\n{hit.text}")
                if named:
                    found.setdefault((hit.document, hit.unit), replace(hit, words=named))
    if not found:
        return tuple(hits)
    asked = (queries,) if isinstance(queries, str) else queries
    literal = [hit for hit in hits if _holds_telling(f"{hit.title}\n{hit.text}", asked)]
    first = {(hit.document, hit.unit) for hit in literal}
    members = [hit for place, hit in found.items() if place not in first]
    rest = [hit for hit in hits if (hit.document, hit.unit) not in first | found.keys()]
    return _in_steps((*literal, *members, *rest))


def _holds_telling(text: str, queries: Sequence[str]) -> bool:
    """Whether a text holds a word of the question that is no everyday word of software work."""
    atoms = atoms_of(text)
    telling = (concept for query in queries for concept in concepts_of(query) if concept.weight > GENERIC)
    return any(form <= atoms for concept in telling for form in concept.forms)


def _in_steps(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits in this order with scores that never rise, the first one's 1."""
    done: list[Hit] = []
    for hit in hits:
        score = min(hit.score, done[-1].score) if done else 1.0
        done.append(hit if score == hit.score else replace(hit, score=score))
    return tuple(done)
