"""Keywords of a memory in both languages, so that a Chinese question finds an English note and the other way round (W-36).

Owns which words are taken: what kind of tool a note speaks of, its telling words, and their names in the other language as the search
glossary has them; words that say nothing are no keywords. No model. Deterministic, pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest

from desktop.base.redact import find_secrets
from desktop.base.words import cjk_characters
from desktop.memory.concepts import NOISE
from desktop.memory.note import one_line
from desktop.search.categories import categories_of
from desktop.search.glossary import others
from desktop.search.segment import FUNCTION, query_terms

MOST = 12
LONGEST = 30
_DATE = re.compile(r"\d{4}-(?:\d\d(?:-\d\d)?|Q[1-4])|(?<![\w.])\d(?![\w.])")
MOST_CATEGORIES = 2
EMPTY = frozenset(
    re.split(
        r"\s+",
        """use uses used using we us our i my me you your always never every please remember keep in mind must should not now before after
        使用 采用 选用 改用 换用 爱用 用的 我们 咱们 你们 我的 总是 始终 一律 每次 永远 一直 统一 从不 绝不 不许 不准 不要 不用 不能 必须
        需要 记住 记得 现在 目前 以后 今后""",
    )
) | {"keep in mind"}
"""Words that stand in every note and tell nothing of what it is about."""

READ = 600
"""Characters of a memory from which keywords are taken: its name, its description and the beginning of its body."""


def keywords_for(name: str, description: str, body: str, given: Sequence[str] = ()) -> tuple[str, ...]:
    """At most twelve keywords: those that were given, the kinds of the tools that it names, then words of both languages in turn.

    Args:
        name, description, body: of the memory.
        given: keywords that it has already; they are kept.
    """
    text = one_line(f"{name.replace('-', ' ')}. {description}. {body[:READ]}", READ)
    plain = _DATE.sub(" ", text)
    own, other = _own(plain), _other(plain)
    kept = dict.fromkeys(one_line(word, LONGEST) for word in given if word.strip())
    folded = {word.casefold() for word in kept}
    for word in (*_kinds(plain), *(word for pair in zip_longest(other, own) for word in pair if word is not None)):
        if len(kept) >= MOST:
            break
        if word.casefold() not in folded | EMPTY and not find_secrets(word):
            folded.add(word.casefold())
            kept[word] = None
    return tuple(kept)


def _kinds(text: str) -> list[str]:
    """What the tools are that a text names, in both languages: nobody writes “package manager” beside npm, but everybody asks for it."""
    return [word for category in categories_of(text, MOST_CATEGORIES) for word in (category.chinese, category.english)]


def _other(text: str) -> list[str]:
    """Names in the other language of what the text speaks of, the most telling first."""
    chinese = _is_chinese(text)
    return [term.shown for term in others(text) if (cjk_characters(term.shown) > 0) != chinese][: MOST // 2]


def _is_chinese(text: str) -> bool:
    return cjk_characters(text) * 3 >= sum(1 for c in text if c.isalpha() or c >= "\u2e80")


def _own(text: str) -> list[str]:
    """The text's own telling words: literals and words with digits or capitals first, then in their order."""
    from desktop.memory.concepts import concepts, known_words

    literal = [
        term.shown
        for term in query_terms(text)
        if term.kind in ("phrase", "hash") and not _has_cjk(term.shown) and len(term.shown) <= LONGEST
    ]
    words = [term.shown for term in query_terms(text) if term.kind == "word" and term.shown not in NOISE and len(term.shown) > 1]
    chinese = [
        concept.text
        for concept in concepts(text)
        if _has_cjk(concept.text) and len(concept.text) > 1 and _is_word(concept.text, known_words())
    ]
    return list(dict.fromkeys(islice(_joined(literal, words, chinese), MOST)))


def _joined(*lists: Iterable[str]) -> Iterable[str]:
    for one in zip_longest(*lists):
        yield from (word for word in one if word is not None)


def _is_word(word: str, known: frozenset[str]) -> bool:
    return word in known and not any(c in FUNCTION for c in word)


def _has_cjk(text: str) -> bool:
    return cjk_characters(text) > 0
