"""Other names of the words of a question: its equivalents in the other language and under other names, without a model.

Owns how a question is looked up in the tables `glossary_*`; these are general knowledge of
software development and of nobody's notes. Pure: no I/O, no numpy. The lookup is built once, when the first question comes; any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice, pairwise, zip_longest
from typing import NamedTuple

from desktop.base.words import CJK
from desktop.search.families import FAMILY
from desktop.search.segment import QUERY_CHARACTERS, STOP, Term

MOST = 24
"""Equivalents that a question is given at most; more would outweigh what the person wrote."""

_TOKEN = re.compile(f"[{CJK}]+|(?:(?![{CJK}])[^\\W_])+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WHOLE = frozenset({"windows", "news", "goods", "ios", "ragged"})
"""Words that only look like a form of a shorter one."""


class Entry(NamedTuple):
    """A name within a group.

    Attributes:
        head: what is given to the search.
        forms: what it is known by in a question: the head, and forms that the index finds by the head.
        given: whether it is given to the search; not when its stem in the index is that of a common other word (important, import).
    """

    head: str
    forms: tuple[str, ...]
    given: bool = True


Group = tuple[Entry, ...]
Place = tuple[int, str]
"""(number of a group, head of an entry of it)."""


@dataclass(slots=True)
class _Lookup:
    """The tables by what a question may hold.

    Attributes:
        given: by group, the heads that are given; those that hold another head of their group are left out, for that one finds them too.
        words: places by English word; `phrases`: by the bases of the words of a phrase; `runs`: by Chinese word.
        reach: most words of a phrase by the base of its first; `longest`: most characters of a Chinese word by its last.
    """

    given: list[tuple[str, ...]] = field(default_factory=list)
    words: dict[str, list[Place]] = field(default_factory=dict)
    phrases: dict[str, list[Place]] = field(default_factory=dict)
    runs: dict[str, list[Place]] = field(default_factory=dict)
    reach: dict[str, int] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)


def groups() -> Iterator[Group]:
    """All groups.

    A line of a table is a group: names set off by commas, further forms of a name behind it, set off by strokes; before a name that is
    only looked up in questions and never given stands a tilde.
    """
    from desktop.search.glossary_build import BUILD
    from desktop.search.glossary_code import CODE
    from desktop.search.glossary_systems import SYSTEMS
    from desktop.search.glossary_window import WINDOW
    from desktop.search.glossary_words import WORDS
    from desktop.search.glossary_work import WORK

    for table in (CODE, BUILD, SYSTEMS, WINDOW, WORK, WORDS):
        for line in table.strip().splitlines():
            yield tuple(map(_entry, line.split(", ")))


def _entry(name: str) -> Entry:
    forms = tuple(name.removeprefix("~").split("/"))
    return Entry(forms[0], forms, not name.startswith("~"))


@lru_cache(maxsize=8)
def others(query: str) -> tuple[Term, ...]:
    """Equivalents of the words and phrases of a question that it does not hold itself, the most specific first, at most `MOST`.

    Where there are more, every word has its first equivalent in the other language before any has its second.

    Args:
        query: any text, of which the first `QUERY_CHARACTERS` are read; best in NFKC.
    """
    text = query[:QUERY_CHARACTERS]
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    rounds = zip_longest(*_found(_lookup(), text))
    names = dict.fromkeys(name for one in rounds for name in one if name is not None)
    return tuple(map(_term, sorted(islice(names, MOST), key=_weight, reverse=True)))


def segments(query: str) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """A question cut into the words and phrases that stand in the tables, each with its other names, and the words between them, without.

    Args:
        query: any text, of which the first `QUERY_CHARACTERS` are read.
    """
    lookup = _lookup()
    words, runs = _cut(lookup, unicodedata.normalize("NFKC", query[:QUERY_CHARACTERS]))
    pieces = [*_english_pieces(lookup, words), *(piece for run in runs for piece in _chinese_pieces(lookup, run))]
    return tuple((text, tuple(_term(name) for name in _given(lookup, places, text))) for text, places in pieces)


def _given(lookup: _Lookup, places: Iterable[Place], text: str) -> Iterator[str]:
    """The names of the groups of these places, each once, without the text itself."""
    names = dict.fromkeys(name for number, _ in places for name in lookup.given[number])
    return (name for name in names if name != text)


def _english_pieces(lookup: _Lookup, words: list[str]) -> Iterator[tuple[str, list[Place]]]:
    bases = [_base(word) for word in words]
    at = 0
    while at < len(words):
        reach = lookup.reach.get(bases[at], 1)
        count = next((n for n in range(reach, 1, -1) if " ".join(bases[at : at + n]) in lookup.phrases), 1)
        joined = " ".join(bases[at : at + count])
        yield " ".join(words[at : at + count]), lookup.phrases[joined] if count > 1 else _places(lookup, words[at])
        at += max(1, min(count, len(words) - at))


def _chinese_pieces(lookup: _Lookup, run: str) -> Iterator[tuple[str, list[Place]]]:
    """As `_chinese` finds them, with what is left between them."""
    end = last = len(run)
    while end > 1:
        starts = range(max(0, end - lookup.longest.get(run[end - 1], 0)), end - 1)
        start = next((n for n in starts if run[n:end] in lookup.runs), None)
        if start is None:
            end -= 1
            continue
        if end < last:
            yield run[end:last], []
        yield run[start:end], lookup.runs[run[start:end]]
        end = last = start
    if last:
        yield run[:last], []


@cache
def _lookup() -> _Lookup:
    made = _Lookup()
    for number, group in enumerate(groups()):
        heads = [entry.head for entry in group if entry.given]
        made.given.append(tuple(head for head in heads if not _holds_any(head, heads)))
        for entry in group:
            for form in entry.forms:
                _put(made, form, (number, entry.head))
    return made


def _put(made: _Lookup, form: str, place: Place) -> None:
    if not form.isascii():
        made.runs.setdefault(form, []).append(place)
        made.longest[form[-1]] = max(made.longest.get(form[-1], 0), len(form))
    elif " " in form:
        bases = [_base(word) for word in form.split()]
        made.phrases.setdefault(" ".join(bases), []).append(place)
        made.reach[bases[0]] = max(made.reach.get(bases[0], 0), len(bases))
    else:
        made.words.setdefault(form, []).append(place)


def _holds_any(name: str, heads: Iterable[str]) -> bool:
    """Whether every text that holds `name` holds one of the others as well."""
    if name.isascii():
        return " " in name and any(head != name and head.isascii() and f" {head} " in f" {name} " for head in heads)
    return any(head != name and head in name for head in heads)


def _found(lookup: _Lookup, text: str) -> list[list[str]]:
    """What a question is given by each group that it asks for, the most specific group first, names in the other language first."""
    words, runs = _cut(lookup, text)
    held: set[Place] = {place for word in words for place in _places(lookup, word)}
    asked = dict((*_english(lookup, words, held), *_chinese(lookup, runs, held)))
    heads: dict[int, list[str]] = {}
    for number, head in held:
        heads.setdefault(number, []).append(head)
    said = f" {' '.join(words)} {' '.join(runs)}"
    found = []
    for number, asking in sorted(asked.items(), key=lambda place: -_weight(place[1])):
        names = [name for name in lookup.given[number] if not _is_held(name, heads[number], said)]
        found.append(sorted(names, key=lambda name: name.isascii() == asking.isascii()))
    return found


def _is_held(name: str, heads: Collection[str], said: str) -> bool:
    """Whether a question holds a name, or a shorter one that finds it too."""
    return name in heads or _holds_any(name, heads) or (f" {name} " if name.isascii() else name) in said


def _cut(lookup: _Lookup, text: str) -> tuple[list[str], list[str]]:
    """The words of a question, those of joined names each, and its runs of Chinese."""
    words: list[str] = []
    runs: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] >= "\u0e00":
            runs.append(token)
        elif _CAMEL.search(token) and token.casefold() not in lookup.words:
            words += map(str.casefold, _CAMEL_PART.findall(token))
        else:
            words.append(token.casefold())
    return words, runs


def _english(lookup: _Lookup, words: list[str], held: set[Place]) -> Iterator[Place]:
    """The places of phrases, the longest first, and of the words outside of them; phrases are put to `held`."""
    bases = [_base(word) for word in words]
    at = 0
    while at < len(words):
        for count in range(lookup.reach.get(bases[at], 1), 1, -1):
            places = lookup.phrases.get(" ".join(bases[at : at + count]))
            if places:
                held.update(places)
                yield from places
                at += count
                break
        else:
            yield from _places(lookup, words[at])
            at += 1


def _chinese(lookup: _Lookup, runs: Iterable[str], held: set[Place]) -> Iterator[Place]:
    """The places of the longest words of each run; put to `held`.

    From its end, since the right part of a run decides more often where a word begins: 订单测试 is 订单 and 测试, not 单测.
    """
    for run in runs:
        end = len(run)
        while end > 1:
            for start in range(max(0, end - lookup.longest.get(run[end - 1], 0)), end - 1):
                places = lookup.runs.get(run[start:end])
                if places:
                    held.update(places)
                    yield from places
                    end = start
                    break
            else:
                end -= 1


def _places(lookup: _Lookup, word: str) -> list[Place]:
    """Where a word stands, as it is or as the first of its plainer forms that stands anywhere."""
    if word in STOP:
        return []
    for form in _plainer(word):
        places = lookup.words.get(form)
        if places:
            return places
    return []


@lru_cache(maxsize=4_096)
def _plainer(word: str) -> tuple[str, ...]:
    """A word and what it may be a form of. A plain word is never taken for a longer one: “set” does not ask for settings."""
    if word in _WHOLE or not word.isascii():
        return (word,)
    return tuple(dict.fromkeys((word, *FAMILY.get(word, ()), *_cut_endings(word))))


def _cut_endings(word: str) -> Iterator[str]:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield from (word[:-2], word[:-1])
    elif word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 2:
            yield from (f"{rest}e", rest) if len(rest) > 2 else (f"{rest}e",)
            if rest[-1] == rest[-2]:
                yield rest[:-1]


@lru_cache(maxsize=4_096)
def _base(word: str) -> str:
    """One form for the forms of a word, for words of phrases; coarse, since the other words of the phrase tell the rest."""
    if len(word) <= 3 or word in _WHOLE:
        return word
    if word.endswith(("ies", "ied")):
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and any(vowel in rest for vowel in "aeiouy"):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "sl" else rest
    return word.removesuffix("e")


def _weight(name: str) -> int:
    """How much a name says: phrases first, then by length, a Chinese character as four letters."""
    if name.isascii():
        return len(name) + 100 * (" " in name)
    return 4 * len(name) + 100 * (len(name) > 2)


def _term(name: str) -> Term:
    """The index holds a Chinese run as its characters followed by its pairs, so that a longer word is its pairs in a row."""
    if name.isascii():
        return Term(f'"{name}"', name, "phrase" if " " in name else "word")
    if len(name) == 2:
        return Term(f'"{name}"', name, "pair")
    return Term(f'"{" ".join(map("".join, pairwise(name)))}"', name, "phrase")
