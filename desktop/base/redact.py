"""Secrets and unsafe characters: finds values that look like credentials, masks them, and makes control characters visible.

Owns the search: shapes of vendors (`secret_shapes`), values beside a word (`secret_words`), and the two ways in which a value hides from
a pattern: invisible characters inside it, and line breaks. Pure, linear time.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from desktop.base.json_value import mapped
from desktop.base.phrases import say
from desktop.base.secret_shapes import SHAPES, Shape
from desktop.base.secret_words import entropy, keyed_values

__all__ = ["MASK", "SecretHit", "entropy", "find_secrets", "redact", "redact_all", "redact_many", "visible"]

MASK = "[secret]"

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
)
_FULL_WIDTH = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), 0xFF0D, 0xFF3F)}
"""Full-width letters, digits, hyphen and underscore as plain ones, each at its place."""

_RUN = re.compile(r"[A-Za-z0-9_./+=:$%~-]{16,}")
"""A word long enough to be a credential."""

_BREAK = re.compile(r"(?<=[A-Za-z0-9+/_=.-]{6})(?:[\"'][ \t]?\+?[ \t]?)?\\?\r?\n[ \t>*#|]*(?:\+[ \t]?)?[\"']?(?=[A-Za-z0-9+/_=-])")
"""A line break inside what may be one long word, with the signs of a quote, a list or a string that goes on."""

_ADDRESS = re.compile(r"(?i)(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>]{0,80}:([^\s/@'\"<>]{3,200})@[^\s'\"<>]+")
_HEADER = re.compile(r"(?i)\b(?:bearer|basic|token|apikey|sswl?s)\s{1,3}([A-Za-z0-9+/_.~-]{20,}={0,2})")
_AUTHORIZATION = re.compile(
    r"(?i)authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token|digest)?\s{0,3}([A-Za-z0-9+/_.~:-]{8,}={0,2})"
)
_CLOUD_ID = re.compile(r"(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[A-Z0-9]{16}|LTAI[A-Za-z0-9]{12,30}|AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])")
_CLOUD_SECRET = re.compile(r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{40}|[A-Za-z0-9]{30}|[A-Za-z0-9]{32})(?![A-Za-z0-9+/=])")
_DOCKER_AUTH = re.compile(r"\"auth\"\s{0,3}:\s{0,3}\"([A-Za-z0-9+/]{12,}={0,2})\"")
_CARD_WORD = re.compile(r"(?i)(?:credit|debit|bank)?[ -]?card\b|visa\b|mastercard|amex|信用卡|银行卡|卡号|借记卡")
_CARD_HINTS = ("card", "visa", "amex", "信用卡", "银行卡", "卡号", "借记卡")
_SPOKEN = re.compile(r"[a-z]+\d{0,2}(?:[-_./][a-z]*\d{0,2})*")
"""A name or a path in small letters: prose about a header."""

_CARD = re.compile(r"(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])")
_SEED = re.compile(
    r"(?i)(?:seed[ _-]phrase|mnemonic|recovery[ _-]phrase|助记词|恢复短语)[^\n:：=是为a-z]{0,20}(?:is|[:：=是为])\s{0,5}[\"'`]?"
    r"((?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8})"
)
_NEAR = 240
"""Characters around the id of a pair in which its secret half is looked for."""
_TOGETHER = 64
_PLAIN = re.compile(r"(?:msg|sess|call)_[0-9a-z]{26}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z|")
"""Texts that are nobody's secret: ids and times of ours. Passed over for speed."""
HEAD, MOST_HEADS = 12, 100
"""Characters by which a second, cut copy of a value is known, and how many values are followed up."""


@dataclass(frozen=True, slots=True)
class SecretHit:
    """One value that looks like a secret: what kind, and where in the text."""

    kind: str
    start: int
    end: int


class _Squeezed:
    """A text without some of its pieces, that still knows where each character stood."""

    def __init__(self, text: str, gaps: Iterator[re.Match[str]]) -> None:
        pieces, self._starts, self._gone, position, gone = [], [0], [0], 0, 0
        for gap in gaps:
            pieces.append(text[position : gap.start()])
            position, gone = gap.end(), gone + len(gap[0])
            self._starts.append(position - gone)
            self._gone.append(gone)
        self.text = "".join([*pieces, text[position:]])

    @property
    def gaps(self) -> int:
        return len(self._starts) - 1

    def origin(self, position: int) -> int:
        """Where the character at `position` stood."""
        return position + self._gone[bisect_right(self._starts, position) - 1]

    def span(self, hit: SecretHit) -> SecretHit:
        return SecretHit(hit.kind, self.origin(hit.start), self.origin(hit.end - 1) + 1)

    def pieces(self, start: int, end: int) -> list[str]:
        """The parts between gaps of which a stretch consists."""
        first, last = bisect_right(self._starts, start), bisect_right(self._starts, end - 1)
        cuts = [start, *self._starts[first:last], end]
        return [self.text[a:b] for a, b in pairwise(cuts)]


def find_secrets(text: str) -> list[SecretHit]:
    """Every value in `text` that looks like a secret, in order, not overlapping."""
    text = text if text.isascii() else text.translate(_FULL_WIDTH)
    if not text.isascii() and _INVISIBLE.search(text):
        plain = _Squeezed(text, _INVISIBLE.finditer(text))
        return [plain.span(hit) for hit in _with_copies(plain.text, _kept(_found(plain.text)))]
    return _with_copies(text, _kept(_found(text)))


def _with_copies(text: str, hits: list[SecretHit]) -> list[SecretHit]:
    """The hits and every place where the beginning of one stands again, as in a summary that was cut off."""
    heads: dict[str, SecretHit] = {}
    for hit in hits:
        value = text[hit.start : min(hit.end, hit.start + 2 * HEAD)]
        size = next((size for size in range(HEAD, len(value)) if _mixed(value[:size])), 0)
        if size and len(heads) < MOST_HEADS and not any(c.isspace() for c in value[:size]):
            heads.setdefault(value[:size], hit)
    copies = []
    for head, hit in heads.items():
        place = text.find(head)
        while place >= 0:
            length = len(head)
            while hit.start + length < hit.end and text[place + length : place + length + 1] == text[hit.start + length]:
                length += 1
            copies.append(SecretHit(hit.kind, place, place + length))
            place = text.find(head, place + length)
    return _kept([*hits, *copies]) if len(copies) > len(heads) else hits


def _kept(hits: Iterable[SecretHit]) -> list[SecretHit]:
    kept: list[SecretHit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
        elif hit.end > kept[-1].end:  # what sticks out of the first is masked with it
            kept[-1] = SecretHit(kept[-1].kind, kept[-1].start, hit.end)
    return kept


def _found(text: str) -> Iterator[SecretHit]:
    yield from _shaped(text)
    yield from _split_over_lines(text)
    yield from _in_addresses(text)
    yield from _in_headers(text)
    yield from _beside_cloud_ids(text)
    yield from _cards_and_seeds(text)
    for start, end in keyed_values(text):
        yield SecretHit(say("password or key"), start, end)


def _words_of(text: str) -> str:
    """Only the long words of a text, a line each: where prose has none, nothing else is looked for."""
    return "\n".join(_RUN.findall(text))


def _hinted_words(words: str) -> list[Shape]:
    """The kinds of one word of which a hint is in `words`."""
    return _hinted((shape for shape in SHAPES if shape.word), words) if words else []


def _hinted(shapes: Iterable[Shape], text: str) -> list[Shape]:
    letters = set(text)
    return [shape for shape in shapes if any(letters.issuperset(hint) and hint in text for hint in shape.hints)]


def _looks_real(value: str, shape: Shape) -> bool:
    """Whether a value is no placeholder: a letter and a digit where the kind has both, and more than a few different characters."""
    if not shape.word:
        return True
    if len(set(value[4:])) < 4:
        return False
    return not shape.mixed or (any(c.isdigit() for c in value[3:]) and any(c.isalpha() for c in value[3:]))


def _shaped(text: str) -> Iterator[SecretHit]:
    hinted = _hinted_words(_words_of(text)) + _hinted((shape for shape in SHAPES if not shape.word), text)
    for shape in hinted:
        for found in shape.standing.finditer(text):
            group = 1 if found.re.groups else 0
            if _looks_real(found[0], shape):
                yield SecretHit(shape.kind, *found.span(group))


def _split_over_lines(text: str) -> Iterator[SecretHit]:
    """Long words that a line break cut: each part has to look random by itself, or an ordinary word would be taken for the rest."""
    if "\n" not in text or not _hinted_words(text):
        return
    whole = _Squeezed(text, _BREAK.finditer(text))
    if not whole.gaps:
        return
    for shape in _hinted_words(_words_of(whole.text)):
        for found in shape.joined.finditer(whole.text):
            start, end = found.span(1 if found.re.groups else 0)
            before = text[: whole.origin(start)][-1:]
            parts = whole.pieces(start, end)
            cut = len(parts) > 1 and all(_part_is_random(part) for part in parts[1:])
            if cut and not before.isalnum() and _looks_real(found[0], shape):
                yield whole.span(SecretHit(shape.kind, start, end))


def _part_is_random(part: str) -> bool:
    digit, upper, lower = (any(test(c) for c in part) for test in (str.isdigit, str.isupper, str.islower))
    return (digit and (upper or lower)) or (upper and lower and not part.istitle()) or (digit and len(part) < 6)


def _in_addresses(text: str) -> Iterator[SecretHit]:
    if "://" not in text:
        return
    for found in _ADDRESS.finditer(text):
        value = found[1]
        if len(set(value)) > 2 and not value.startswith(("$", "{", "<", "%")) and value.lower() not in _SAMPLE_PASSWORDS:
            yield SecretHit(say("password in an address"), *found.span(1))


_SAMPLE_PASSWORDS = frozenset(("password", "pass", "passwd", "pwd", "secret", "token", "user", "username", "pw"))


def _in_headers(text: str) -> Iterator[SecretHit]:
    low = text.lower()
    if any(hint in low for hint in ("bearer", "basic", "token", "apikey")):
        for found in _HEADER.finditer(text):
            if _mixed(found[1]) and not _SPOKEN.fullmatch(found[1]):
                yield SecretHit(say("bearer token"), *found.span(1))
    for hint, rule in (("authorization", _AUTHORIZATION), ('"auth"', _DOCKER_AUTH)):
        if hint not in low:
            continue
        for found in rule.finditer(text):
            value = found[1].rstrip("=")
            if (_mixed(value) or _changes_case(value)) and not _SPOKEN.fullmatch(value):
                yield SecretHit(say("bearer token"), *found.span(1))


def _mixed(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _changes_case(value: str) -> bool:
    return value.isalnum() and not value.islower() and not value.isupper() and not value.istitle()


def _beside_cloud_ids(text: str) -> Iterator[SecretHit]:
    """The secret half of a pair has no shape, but it stands near its id."""
    if not any(hint in text for hint in ("AKIA", "ASIA", "LTAI", "AKID")):
        return
    position = 0
    for key_id in _CLOUD_ID.finditer(text):
        position, last = max(position, key_id.start() - _NEAR), key_id.end() + _NEAR
        for found in _CLOUD_SECRET.finditer(text, position, last):
            position = found.end()
            value = found[0]
            if _mixed(value) and any(c.islower() for c in value) and any(c.isupper() for c in value) and not _CLOUD_ID.fullmatch(value):
                yield SecretHit(say("cloud key"), found.start(), found.end())
        position = max(position, last - 40)


def _cards_and_seeds(text: str) -> Iterator[SecretHit]:
    low = text.lower()
    if any(hint in low for hint in _CARD_HINTS):
        for found in _CARD.finditer(text):
            if _luhn(found[0]) and _CARD_WORD.search(text, max(0, found.start() - 80), found.end() + 40):
                yield SecretHit(say("card number"), found.start(), found.end())
    if any(hint in low for hint in ("phrase", "mnemonic", "助记词", "短语")):
        for found in _SEED.finditer(text):
            yield SecretHit(say("seed phrase"), found.start(1), found.end(1))


def _luhn(number: str) -> bool:
    digits = [int(c) for c in number if c.isdigit()][::-1]
    return len(set(digits)) > 2 and sum(d if n % 2 == 0 else (2 * d - 9 if d > 4 else 2 * d) for n, d in enumerate(digits)) % 10 == 0


def redact(text: str) -> str:
    """`text` with every secret value masked; the same object when it holds none."""
    hits = find_secrets(text)
    if not hits:
        return text
    result, position = [], 0
    for hit in hits:
        result += [text[position : hit.start], MASK]
        position = hit.end
    return "".join(result) + text[position:]


def redact_many(texts: Sequence[str]) -> list[str]:
    """Each of many short texts as `redact` gives it: those that stand together without a secret are looked through as one."""
    found: list[str] = []
    for start in range(0, len(texts), _TOGETHER):
        some = texts[start : start + _TOGETHER]
        found += map(redact, some) if find_secrets("\n\0\n".join(some)) else some
    return found


def redact_all(value: Any) -> Any:
    """A JSON value with the secrets in all of its texts masked, in keys too; some are only known by the key beside them."""
    clean = _clean_pairs(value)

    def shown(one: Any, key: str) -> Any:
        return one if not isinstance(one, str) or _PLAIN.fullmatch(one) or (key, one) in clean else _redacted_beside(key, one)

    return mapped(value, shown, functools.cache(redact))


def _clean_pairs(value: Any) -> set[tuple[str, str]]:
    """Short texts of a value, each with its key, that hold no secret: many of them are looked through as one."""
    pairs: dict[tuple[str, str], None] = {}

    def collect(one: Any, key: str) -> None:
        if isinstance(one, str) and len(one) <= _NEAR and "\n" not in one and not _PLAIN.fullmatch(one):
            pairs[key, one] = None

    mapped(value, collect)
    clean: set[tuple[str, str]] = set()
    every = list(pairs)
    for start in range(0, len(every), _TOGETHER):
        some = every[start : start + _TOGETHER]
        both = "\n\0\n".join(line for key, text in some for line in (f"{key}: {text}", text))
        clean.update(some if not find_secrets(both) else ())
    return clean


def _redacted_beside(key: str, value: str) -> str:
    shown = redact(value)
    if shown is value and key and len(value) <= _NEAR and "\n" not in value:
        head = f"{key}: "
        whole = redact(head + value)
        return whole.removeprefix(head) if whole.startswith(head) else shown
    return shown


def visible(text: str, keep: str = "") -> str:
    """`text` with control, format (bidi, zero-width) and unassigned characters written as `\\u{…}`, except those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c in keep or c == "\u200d" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") else f"\\u{{{ord(c):x}}}"
        for c in text
    )
