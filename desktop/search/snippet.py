"""Snippets: the part of a passage that answers, on one line, with marks on the words of the question. Made from the original text. Pure."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop.base.words import CJK
from desktop.search.families import FAMILY
from desktop.search.porter import porter
from desktop.search.segment import Term, folded, is_telling

LENGTH = 200
LEAST_RELATED = 4
"""Letters that words must begin with alike to be related."""

_WORD = re.compile(f"[{CJK}]|(?:(?![{CJK}])[^\\W_][\u0300-\u036f]*)+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
"""The same in a text of nothing else, found three times as fast."""
_CJK = re.compile(f"[{CJK}]")
_BLANKS = re.compile(r"\s+")
_JOINED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z][0-9]|[0-9][a-zA-Z]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LEAST_HASH = 7
HEAD = 2
"""Letters that all forms of a word share with its stem, or with one of its irregular forms."""

Span = tuple[int, int]


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """One form for all that the index takes for the same word: without marks on Latin letters, irregular forms as the first of them."""
    plain = word if word.isascii() else _plain(word)
    return porter(FAMILY.get(plain, (plain,))[0])


def _plain(word: str) -> str:
    """Letters without their marks where a letter of English is left: café is cafe; й stays."""
    return "".join(
        apart[0] if (apart := unicodedata.normalize("NFKD", c))[:1].isascii() else c for c in unicodedata.normalize("NFKC", word)
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What of a question is marked, prepared once for all hits."""

    pairs: frozenset[str]
    singles: frozenset[str]
    words: dict[str, str]
    beginnings: tuple[str, ...]
    hashes: tuple[str, ...]
    alike: dict[str, str]
    signs: frozenset[str]
    heads: frozenset[str]


@lru_cache(maxsize=64)
def _wanted(terms: tuple[Term, ...]) -> _Wanted:
    """Words that tell; function words only where a question has no others."""
    told = tuple(term for term in terms if is_telling(term)) or terms
    pairs = frozenset(
        pair for term in told if term.kind in ("pair", "phrase") for pair in map("".join, pairwise(term.shown)) if _is_cjk(pair)
    )
    covered = {character for term in terms if term.kind == "pair" for character in term.shown}
    singles = frozenset(term.shown for term in terms if term.kind == "character" and term.shown not in covered)
    words = {stem(part): part for term in told if term.kind in ("word", "phrase") for part in _WORD.findall(term.shown)}
    beginnings = tuple(term.shown for term in terms if term.kind == "prefix")
    hashes = tuple(term.shown for term in terms if term.kind == "hash")
    begins = ((beginning_of(term), term.shown) for term in told)
    alike = {begin: shown for begin, shown in begins if begin}
    signs = frozenset(term.shown for term in terms if term.kind == "sign")
    forms = (form for key, part in words.items() for form in (key, part, *FAMILY.get(_plain(part), ())))
    heads = frozenset() if beginnings or hashes else frozenset(form[:HEAD] for form in forms)
    return _Wanted(pairs, singles, words, beginnings, hashes, alike, signs, heads)


def beginning_of(term: Term) -> str:
    """How words begin that count as related to a word, scheduler for schedule; "" for a word that is too short to tell."""
    if term.kind != "word" or not (term.shown.isascii() and term.shown.isalpha() and len(term.shown) >= LEAST_RELATED):
        return ""
    root = porter(term.shown)
    return root[: max(LEAST_RELATED, len(root) - 2)] if len(root) >= LEAST_RELATED else ""


def _is_cjk(pair: str) -> bool:
    return all(map(_CJK.match, pair))


def marks(text: str, terms: Sequence[Term]) -> list[tuple[int, int, str]]:
    """(start, end, word of the question) of everything in `text` that a telling word of the question stands for, in order."""
    return _marks(text, _wanted(tuple(terms)))[0]


def _marks(text: str, wanted: _Wanted) -> tuple[list[tuple[int, int, str]], list[tuple[int, int, str]]]:
    """What stands for words of the question, and what only begins like one."""
    found: list[tuple[int, int, str]] = []
    related: list[tuple[int, int, str]] = []
    begins = tuple(wanted.alike)
    heads = wanted.heads
    last, end_of_last = "", -1
    for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        written = match.group()
        if heads and written[:HEAD] not in heads and written.islower() and written.isascii():
            continue  # most words of a text begin like none of the question, and are folded as they stand
        token, start, end = folded(written), match.start(), match.end()
        if end - start == 1 and _CJK.match(token):
            pair = last + token if end_of_last == start else ""
            if pair in wanted.pairs:
                found.append((start - 1, end, pair))
            elif token in wanted.singles:
                found.append((start, end, token))
            last, end_of_last = token, end
            continue
        if heads and token[:HEAD] not in heads and written.islower() and token.isascii():
            continue
        words = _words_of(token, written, wanted)
        found += [(start, end, word) for word in words]
        if not words and token.startswith(begins):
            related.append((start, end, next(wanted.alike[begin] for begin in begins if token.startswith(begin))))
    found += [(at, at + 1, character) for at, character in enumerate(text) if character in wanted.signs] if wanted.signs else []
    return (sorted(found) if wanted.signs else found), related


def _words_of(token: str, written: str, wanted: _Wanted) -> list[str]:
    """The words of the question that a word of the text stands for: one, or several for a joined name such as getUserById."""
    word = wanted.words.get(stem(token))
    if word is None and not written.islower() and _JOINED.search(written):
        parts = [wanted.words[s] for s in map(stem, _parts(written)) if s in wanted.words]
        if parts:
            return list(dict.fromkeys(parts))
    if word is None and wanted.beginnings:
        word = next((beginning for beginning in wanted.beginnings if _begins(token, beginning)), None)
    if word is None and wanted.hashes and len(token) >= _LEAST_HASH:
        word = next((one for one in wanted.hashes if token.startswith(one) or one.startswith(token)), None)
    return [] if word is None else [word]


def _begins(token: str, beginning: str) -> bool:
    """Whether a word begins so, or is what the stemmer keeps of one that does (deploy, for deploym)."""
    return token.startswith(beginning) or (len(token) >= max(3, len(beginning) - 5) and beginning.startswith(token))


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)]


def merged(spans: Sequence[Span]) -> list[Span]:
    """Spans joined where they touch."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def snippet(text: str, terms: Sequence[Term], length: int = LENGTH) -> tuple[str, tuple[Span, ...], tuple[str, ...]]:
    """The best `length` characters of a passage on one line, the marks in it, and which words of the question the passage holds."""
    found, related = _marks(text, _wanted(tuple(terms)))
    held = {word for _, _, word in found}
    more = [mark for mark in related if mark[2] not in held]
    found = sorted([*found, *more]) if more else found
    words = tuple(dict.fromkeys(word for _, _, word in found))
    start = _best_start(text, found, length)
    end = min(len(text), start + length)
    if end < len(text) and (blank := text.rfind(" ", start + length * 3 // 4, end)) > 0:
        end = blank
    return *_one_line(text, start, end, merged([(s, e) for s, e, _ in found if s >= start and e <= end])), words


def _best_start(text: str, found: Sequence[tuple[int, int, str]], length: int) -> int:
    """Where the window begins that holds most different words, then most marks; a little before its first one, at a word's start."""
    best, start = (0, 0), 0
    for number, (left, _, _) in enumerate(found):
        inside = [word for _, end, word in found[number : number + 40] if end <= left + length * 4 // 5]
        value = (len(set(inside)), len(inside))
        if value > best:
            best, start = value, left
    if start <= length // 5:
        return 0
    start = max(0, start - length // 5)
    blank = text.find(" ", start, start + length // 8)
    return blank + 1 if blank >= 0 else start


def _one_line(text: str, start: int, end: int, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The window with line breaks and runs of blanks as one blank, an ellipsis where it is cut, and the marks moved along."""
    window, size = text[start:end], 1 if start > 0 else 0
    out, at, less = ["…"] if size else [], 0, 0
    gaps: list[tuple[int, int, int, int]] = []
    """First place and end of each run of blanks that is shown otherwise, how many of it are shown, and how many were left out before."""
    for found in _BLANKS.finditer(window):
        first, last = found.span()
        if found.group() == " " and first:
            continue
        kept = 1 if first else 0
        out += [window[at:first], " " * kept]
        gaps.append((first, last, kept, less))
        at, less = last, less + last - first - kept
    line = "".join((*out, window[at:]))
    shown = tuple((size + _moved(gaps, s - start), size + _moved(gaps, e - start)) for s, e in spans)
    return (line.rstrip() + "…" if end < len(text) else line.rstrip()), shown


def _moved(gaps: Sequence[tuple[int, int, int, int]], place: int) -> int:
    """Where a place of the window stands in the line."""
    number = bisect_left(gaps, (place,)) - 1
    if number < 0:
        return place
    first, last, kept, less = gaps[number]
    return min(place, first + kept) - less if place < last else place - less - (last - first - kept)
