"""Memories that say nearly the same: the same words in another order or with other small words, or one that only adds a little.

Owns which words carry a fact, in English and in Chinese, and when two texts count as near. Precision before recall: a text in which one
word stands in place of another says something else, and so does one with a “not”, or with the order of “before” and “after” turned round.
Pure, any thread; linear but for texts that share a rare word.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

LONGEST = 20_000
"""Characters of a text that are looked at."""

SHARE = 0.8
"""A text that adds to another one may be so much longer: the shared part of both."""

LEAST = 8
"""Parts that a text needs before another one may add to it and still be near."""

CROWD = 2_000
"""Texts that share one word; a word of more tells none of them apart."""

RARE = 3
"""The rarest parts of a text, by which those are found that may say the same."""

_HAN, _POLAR = 1, 2
_ENGLISH_STOPS_TEXT = (
    "a an the this that these those is are was were be been being am do does did has have had of in on at to for from with by "
    "as and or we i you he she it they our my your his her its their us me them will would shall should must can could may "
    "might please always use uses used using let lets make makes sure so also just very really there here which who what when "
    "where how all any each every if then than too only own same such into about up out it's i'm we're run runs running want "
    "wants prefer prefers preferred remember note noted project repo repository user person currently now like likes said "
    "says decided"
)
_ENGLISH_STOPS = frozenset(_ENGLISH_STOPS_TEXT.split())
_NEGATIONS_TEXT = "not no never don't doesn't didn't can't cannot won't shouldn't mustn't isn't aren't without avoid nor neither"
_NEGATIONS = frozenset(_NEGATIONS_TEXT.split())
_ORDERS_TEXT = "before after over than rather instead not prefer prefers versus vs until unless if from to except"
_ORDERS = frozenset(_ORDERS_TEXT.split())
_CHINESE_STOPS = re.compile(
    "我们|咱们|你们|他们|它们|用户|项目|这个|那个|这里|那里|一个|一定|必须|需要|应该|应当|记住|记得|请|要求|决定|使用|采用|利用|运行|进行|"
    "现在|目前|始终|总是|一直|永远|都要|的话|以及|并且|而且|或者|还有|因为|所以|如果|就是|我|你|他|她|它|的|地|得|了|着|过|是|为|在|用|要|会|"
    "和|与|及|也|都|就|还|把|被|让|给|跟|对|从|到|这|那|请|吧|呢|啊|嘛|吗"
)
_CHINESE_NEGATION = re.compile("不要|不用|不能|不许|不得|不再|不是|不|别|勿|禁止|没有|没|无需|而非|非")
_CHINESE_ORDER = re.compile("而不是|而非|先|再|后|之前|之后|以前|以后|优先|比|胜过|从.{1,12}到")
_PARTS = re.compile(r"[a-z0-9](?:[a-z0-9_./+#'’-]*[a-z0-9+#])?|[\u3400-\u9fff\uf900-\ufaff]+|¬")
_MARKUP = re.compile(r"`+|\*{1,3}|\]\([^)\n]{0,500}\)|!?\[|\[\[|\]\]|^#{1,6}\s", re.MULTILINE)


def stem(word: str) -> str:
    """An English word without the endings that change nothing."""
    if len(word) > 5 and word.endswith("ing"):
        return word[:-3].rstrip("e")
    if len(word) > 4 and word.endswith("ed"):
        return word[:-2].rstrip("e")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word[-2].isalpha():
        return word[:-1].rstrip("e")
    return word.rstrip("e") if len(word) > 3 and word.isalpha() else word


def flat(text: str) -> str:
    """A text without case, width and marks of Markdown."""
    return _MARKUP.sub(" ", unicodedata.normalize("NFKC", text[:LONGEST]).casefold()).replace("’", "'")


def is_han(part: str) -> bool:
    return part[:1] >= "\u3400"


def terms_of(text: str) -> list[str]:
    """The words of a flat text that carry a fact, in order: stems, numbers, runs of Chinese characters, `¬` for a negation."""
    said = _CHINESE_STOPS.sub(" ", _CHINESE_NEGATION.sub(" ¬ ", text))
    found: list[str] = []
    for part in _PARTS.findall(said):
        if part in _NEGATIONS:
            found.append("¬")
        elif is_han(part) or part == "¬":
            found.append(part)
        elif part not in _ENGLISH_STOPS:
            found.append(stem(part.removesuffix("'s")))
    return found


def _keeps_order(text: str) -> bool:
    """Whether the order of the words is a part of what a flat text says."""
    return not _ORDERS.isdisjoint(re.findall(r"[a-z']+", text)) or _CHINESE_ORDER.search(text) is not None


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is kept of a text to compare it.

    Attributes:
        key: the same for texts that say the same with the same words; 0 for a text that is too short to tell.
        parts: hashes of its words and pairs of characters, each once; the low bits say what kind they are.
    """

    key: int
    parts: array[int]


NOTHING = Sketch(0, array("Q"))


def sketch_of(text: str) -> Sketch:
    """The sketch of a text."""
    plain = flat(text)
    terms = terms_of(plain)
    weight = sum(len(term) // 2 if is_han(term) else term != "¬" for term in terms)
    if weight < 2:
        return NOTHING
    keeps = _keeps_order(plain)
    ordered = tuple(terms) if keeps else tuple(sorted(set(terms)))
    codes = set(_paired(terms) if keeps else _hashed(terms))
    return Sketch(crc32("\0".join(ordered).encode("utf-8", "replace")) + (len(ordered) << 32) + 1, array("Q", sorted(codes)))


def _hashed(terms: list[str]) -> Iterator[int]:
    for term in terms:
        if term == "¬":
            yield _code(term, _POLAR)
        elif is_han(term):
            yield from (_code(term[at : at + 2], _HAN) for at in range(max(len(term) - 1, 1)))
        else:
            yield _code(term, _POLAR if any(c.isdigit() for c in term) else 0)


def _paired(terms: list[str]) -> Iterator[int]:
    """Where the order is a part of what is said: each word with the next. One that is put between two breaks one pair."""
    for one, two in pairwise(terms):
        polar = "¬" in (one, two) or any(c.isdigit() for c in one + two)
        yield _code(f"{one} {two}", _HAN | (_POLAR if polar else 0))


def _code(part: str, kind: int) -> int:
    return (crc32(part.encode("utf-8", "replace")) << 2) | kind


def near_pairs(sketches: Mapping[str, Sketch]) -> list[tuple[str, str]]:
    """Pairs of paths whose texts are near, each path in the order of the mapping; a path is the second of at most one pair."""
    pairs: list[tuple[str, str]] = []
    taken: set[str] = set()
    same: dict[int, str] = {}
    for path, sketch in sketches.items():
        first = same.setdefault(sketch.key, path) if sketch.key else path
        if first != path:
            pairs.append((first, path))
            taken.add(path)
    left = {path: sketch.parts for path, sketch in sketches.items() if path not in taken and len(sketch.parts) >= LEAST}
    pairs += _adding(left)
    return pairs


def _adding(texts: Mapping[str, array[int]]) -> Iterator[tuple[str, str]]:
    """Pairs of which one only adds a little to the other: the rarest words of the shorter one stand in the longer one too."""
    often = Counter(code for parts in texts.values() for code in parts)
    rare = {path: sorted(parts, key=lambda code: (often[code], code))[:RARE] for path, parts in texts.items()}
    wanted = {code for codes in rare.values() for code in codes if often[code] <= CROWD}
    holding: dict[int, list[str]] = {}
    for path, parts in texts.items():
        for code in wanted.intersection(parts):
            holding.setdefault(code, []).append(path)
    order = {path: at for at, path in enumerate(texts)}
    sets: dict[str, set[int]] = {}
    done: set[str] = set()
    for path, codes in rare.items():
        least = RARE - any(code & _HAN for code in codes)
        met = Counter(other for code in codes if code in wanted for other in holding[code])
        for other, times in met.items():
            if times < least or other == path or not len(texts[path]) <= len(texts[other]) <= len(texts[path]) / SHARE:
                continue
            first, second = sorted((path, other), key=order.__getitem__)
            if second in done:
                continue
            one, two = (sets.setdefault(name, set(texts[name])) for name in (path, other))
            if _adds_little(one, two):
                yield first, second
                done.add(second)


def _adds_little(one: set[int], two: set[int]) -> bool:
    small, large = (one, two) if len(one) <= len(two) else (two, one)
    if len(small) < SHARE * len(large):
        return False
    missing, more = small - large, large - small
    return len(missing) <= 1 and all(code & _HAN for code in missing) and not any(code & _POLAR for code in more)
