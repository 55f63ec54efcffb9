"""A small lexical ranking of notes and index lines against a question, in English and Chinese, without an index.

Owns the terms (words with light stemming, CJK bigrams and characters), their weights and the cut below which nothing is returned, so that
an unrelated question gives nothing. Good for some hundred notes in a prompt; searching everything is the search package's work. Pure.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop.base.words import CJK
from desktop.memory.note import Note

NAME_WEIGHT, DESCRIPTION_WEIGHT, BODY_WEIGHT = 3.0, 2.5, 1.0
CUT = 0.22
"""Share of the question's own weight that a text must reach."""

MISSING_CJK = 0.4
BODY_LIMIT = 20_000
_TOKEN = re.compile(f"[{CJK}]+|[^\\W_]+", re.UNICODE)
_CJK_RUN = re.compile(f"[{CJK}]")
_STOP = frozenset(
    re.split(
        r"\s+",
        """a an and are as at be been but by can could did do does doing for from had has have how i if in into is it its me my of
        on or our shall should so some than that the their them then there these they this those to us use used using was we were
        what when where which who why will with would you your please tell about any""",
    )
)
_CJK_STOP = frozenset("的了是在我你他她它们这那有和与及或也都就而吗呢吧啊呀么什怎哪谁个请把被让给对为以用会能可要不没很")
_QUESTION_WORDS = frozenset(re.findall("..", "什么怎么哪个哪些哪里我们你们他们如何为何多少可以使用请问一个这个那个"))


@dataclass(frozen=True, slots=True)
class _Text:
    """Terms of one text with their weighted counts."""

    terms: Counter[str]


def _stem(word: str) -> str:
    """A light English stem: plural and the commonest endings; other scripts are left alone."""
    if not word.isascii() or len(word) < 4 or word.isdigit():
        return word
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) + len(put) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def terms_of(text: str) -> Counter[str]:
    """Terms with counts: stems of words, CJK bigrams, and single CJK characters at a third of the weight (given as `c:`)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    counts: Counter[str] = Counter()
    for match in _TOKEN.finditer(folded):
        token = match.group()
        if not _CJK_RUN.match(token):
            if token not in _STOP:
                counts[_stem(token)] += 1
            continue
        counts.update(f"c:{c}" for c in token if c not in _CJK_STOP)
        counts.update(pair for pair in map("".join, pairwise(token)) if _tells(pair))
    return counts


def _tells(pair: str) -> bool:
    return pair not in _QUESTION_WORDS and not all(c in _CJK_STOP for c in pair)


def _field_terms(fields: Sequence[tuple[str, float]]) -> _Text:
    total: Counter[str] = Counter()
    for text, weight in fields:
        for term, count in terms_of(text[:BODY_LIMIT]).items():
            total[term] += weight * min(count, 3)  # type: ignore[assignment]
    return _Text(total)


def _weights(query: Counter[str], texts: Sequence[_Text]) -> dict[str, float]:
    """Weight of each term of the question: rarer among the texts is heavier; single characters count a third."""
    size = len(texts)
    weights: dict[str, float] = {}
    for term in query:
        found = sum(1 for text in texts if term in text.terms)
        rarity = math.log(1 + (size + 1) / (found + 0.5))
        weights[term] = rarity * (0.33 if term.startswith("c:") else 1.0)
    return weights


def _scores(query: str, texts: Sequence[_Text]) -> list[float]:
    """Score of each text, 0 for one below the cut. Saturating, so that a repeated word does not win alone."""
    wanted = terms_of(query)
    if not wanted or not texts:
        return [0.0] * len(texts)
    weights = _weights(wanted, texts)
    known = {term for text in texts for term in weights.keys() & text.terms.keys()}
    whole = sum(weight * (1.0 if term in known else _missing_share(term)) for term, weight in weights.items())
    scores = []
    for text in texts:
        hits = {term: weight for term, weight in weights.items() if term in text.terms}
        covered = sum(hits.values()) / whole
        strong = any(not term.startswith("c:") for term in hits) or (len(hits) == len(weights) and bool(hits))
        gain = sum(weight * _saturated(float(text.terms[term])) for term, weight in hits.items())
        scores.append(gain if strong and covered >= CUT else 0.0)
    return scores


def _missing_share(term: str) -> float:
    """How much a term of the question that stands nowhere counts against all: CJK pairs across two words stand nowhere by nature."""
    return MISSING_CJK if _CJK_RUN.match(term.removeprefix("c:")) else 1.0


def _saturated(count: float) -> float:
    return count / (count + 1.2)


def rank_notes(query: str, notes: Sequence[tuple[Note, str]], limit: int) -> list[tuple[Note, str, float]]:
    """The notes that bear on a question, best first, with their bodies and scores; empty when none does.

    Args:
        query: a question or request of a person.
        notes: notes with their bodies.
        limit: how many at most.
    """
    texts = [
        _field_terms(
            (
                (f"{note.name} {' '.join(note.keywords)} {note.path.removesuffix('.md')}", NAME_WEIGHT),
                (note.description, DESCRIPTION_WEIGHT),
                (body, BODY_WEIGHT),
            )
        )
        for note, body in notes
    ]
    scored = [(note, body, score) for (note, body), score in zip(notes, _scores(query, texts), strict=True) if score > 0]
    scored.sort(key=lambda item: (item[2], item[0].modified), reverse=True)
    return scored[:limit]


def rank_index_lines(query: str, lines: Sequence[str], limit: int) -> list[str]:
    """The index lines that bear on a question, best first; empty when none does."""
    texts = [_field_terms(((line, 2.0),)) for line in lines]
    scored = sorted(
        ((score, -number) for number, score in enumerate(_scores(query, texts)) if score > 0),
        reverse=True,
    )
    return [lines[-number] for _, number in scored[:limit]]
