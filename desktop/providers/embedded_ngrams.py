"""What the sentence classifier sees of a sentence: its words and characters, and n-grams of its frame, hashed into buckets.

Names, addresses, numbers and products become their kinds first, so that “nats over kafka” and “svelte over react” look alike. The frame
keeps the words that carry grammar (we, never, was, if; 我们, 别, 了, 吗) and the classes of others, with one mark for what is between them.
Hashes are CRC-32, the same on every machine. Pure, linear time; what the numbers mean is known to `embedded_classifier` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from zlib import crc32

from desktop.providers.embedded_word_classes import CLASS, LITTLE, LITTLE_CHINESE, PRODUCTS, classes_marked

BUCKETS = 1 << 16
LONGEST = 400
"""Characters of a sentence that are looked at."""
MOST_TOKENS = 90

_KINDS = (
    (re.compile(r"https?://\S+"), " <url> "),
    (re.compile(r"□+"), " <quoted> "),
    (re.compile(r"(?<![\w.])#[\w-]+"), " <channel> "),
    (re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d{4}\s*年|\d{1,2}\s*月\s*\d{1,2}\s*[日号]"), " <date> "),
    (re.compile(r"(?:[\w.*~-]*/)+[\w.*-]+/?|[\w.-]+/(?=\s|$)"), " <path> "),
    (re.compile(r"(?<!\w)--?[a-z][\w-]*"), " <flag> "),
    (
        re.compile(r"\b[a-z0-9]+[_][\w.]*|\b\w+\.(?:py|js|ts|md|json|sql|toml|ya?ml|sh|go|rs|java|txt|csv)\b|\b[a-z]+[A-Z]\w*|\w+\(\)"),
        " <id> ",
    ),
    (re.compile(r"\bv?\d[\d.,:]*[a-z]{0,3}\b"), " <num> "),
)
_NAME = re.compile(r"(?<=[a-z,;] )(?!I\b|I['’])[A-Z][\w-]+")
_TOKEN = re.compile(r"<\w+>|[a-z]+(?:['’-][a-z]+)*|[+#]+|[\u4e00-\u9fff]|[,，:：;；、!！—–]")


def features(masked: str, flags: Iterable[str] = ()) -> dict[int, float]:
    """The weights of the buckets of a sentence, of length 1.

    Args:
        masked: the sentence with what is quoted masked and in simplified characters.
        flags: what else is known of it, by name.
    """
    found: dict[int, float] = {}
    for name in _names(masked[:LONGEST]):
        found[crc32(name.encode()) % BUCKETS] = 1.0
    size = len(found) ** 0.5 or 1.0
    return dict.fromkeys(found, 1.0 / size) | flagged(flags)


def flagged(flags: Iterable[str]) -> dict[int, float]:
    """The weights of the buckets of what else is known of a sentence, by name."""
    return {crc32(f"flag {flag}".encode()) % BUCKETS: FLAG for flag in flags}


FLAG = 0.35
"""How much a flag weighs beside all n-grams together."""


def _names(text: str) -> Iterator[str]:
    tokens = tokenized(text)
    kinds = [_kind(token) for token in tokens]
    yield from (f"w {kind}" for kind in kinds)
    yield from _parts(tokens, kinds)
    yield from _frame_grams(text)
    if kinds:
        yield f"first {kinds[0]}"
        yield from (f"d {kinds[0]} {word}" for word in kinds[4:] if word in LITTLE or word.startswith("<"))
    yield f"n {min(len(tokens) // 3, 8)}"


def _parts(tokens: Iterable[str], kinds: Iterable[str]) -> Iterator[str]:
    """Products by their names, and the heads and tails of longer words."""
    for plain, kind in zip(tokens, kinds, strict=True):
        if kind != plain:
            yield f"w {plain}"
        elif len(plain) > 4 and plain.isascii():
            yield f"p {plain[:4]}"
            yield f"s {plain[-3:]}"


def _frame_grams(text: str) -> Iterator[str]:
    row = _frame(CLASS.get(token, token) for token in map(_kind, tokenized(classes_marked(text))))
    yield from (f"b {one}" for one in row if one.startswith("<"))
    ends = ["^", *row, "$"]
    for size in (2, 3, 4):
        for start in range(len(ends) - size + 1):
            yield f"c {' '.join(ends[start : start + size])}"


def tokenized(text: str) -> list[str]:
    """Words, Chinese characters and commas, with what names a thing replaced by its kind."""
    text = _NAME.sub(" <name> ", text)
    for pattern, kind in _KINDS:
        text = pattern.sub(kind, text)
    return _TOKEN.findall(text.lower().replace("’", "'"))[:MOST_TOKENS]


def _kind(token: str) -> str:
    if token in PRODUCTS:
        return "<product>"
    return "," if token in "，、；;" else token


def _frame(kinds: Iterable[str]) -> list[str]:
    frame: list[str] = []
    for kind in kinds:
        keep = kind if kind in LITTLE or kind in LITTLE_CHINESE or kind[0] in "<,:：!" else "_"
        if keep != "_" or not frame or frame[-1] != "_":
            frame.append(keep)
    return frame
