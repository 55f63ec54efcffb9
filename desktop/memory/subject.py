"""Two sentences about the same subject: does one say what the other says, or does it give another value to the same thing?

Owns that judgement, in English and Chinese and across both. It must never take two subjects for one: the words around the value have to
match on both sides, except where a sentence says itself what it replaces. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from desktop.base.words import cjk_characters
from desktop.memory import subject_forms as forms
from desktop.memory.concepts import Concept, concepts, covered, match_all, plain
from desktop.memory.exclusive import Value, is_day, names_of, values_in

Relation = Literal["same", "changed", "other"]
_UNITS = {"s": "seconds", "sec": "seconds", "secs": "seconds", "ms": "milliseconds", "min": "minutes", "mins": "minutes", "h": "hours"} | {
    "hr": "hours", "hrs": "hours", "kib": "kb", "mib": "mb", "gib": "gb", "chars": "characters",
}  # fmt: skip
_UNIT = re.compile(rf"(?i)(?<![\w.])(\d+(?:\.\d+)?)\s?({'|'.join(sorted(_UNITS, key=len, reverse=True))})\b")
LONGEST = 400
"""Characters of a sentence that are compared."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence taken apart.

    Attributes:
        words: its concepts, numbers left out; `bare`: without the values of families too.
        values: of families, in order; `numbers`: as written, in order; `addresses`.
        numbered: numbers that belong to a name (Sprint 12).
        negated: it forbids or denies.
        cue: it says that something changed; `replaced`: what it says is replaced.
        names: words with a capital inside the sentence.
        subject, head, value: of “X is Y”; empty for other forms.
    """

    text: str
    words: tuple[Concept, ...]
    bare: tuple[Concept, ...]
    values: tuple[Value, ...]
    numbers: tuple[str, ...]
    addresses: tuple[str, ...]
    numbered: tuple[str, ...]
    negated: bool
    cue: bool
    replaced: frozenset[str]
    names: frozenset[str]
    subject: tuple[Concept, ...] = ()
    head: str = ""
    value: str = ""


@lru_cache(maxsize=16_384)
def claim_of(sentence: str) -> Claim:
    """Take a sentence apart."""
    text = _same_units(sentence[:LONGEST].strip(" \t.。!！-*•"))
    cue = bool(forms.CUE.search(text))
    text, handed = _handed_over(forms.LEAD.sub("", text))
    replaced = handed | {plain(next(filter(None, match.groups()))).strip(".,") for match in forms.REPLACED.finditer(text)}
    main = forms.REASON.sub("", text) or text
    positive = forms.REPLACED.sub(" ", main) if replaced else main
    if not concepts(positive):
        positive = main
    positive = forms.ONCE.sub(lambda once: (once["verb"] or "") + (once["object"] or ""), forms.FRAME.sub(" ", positive)).strip(" ,，")
    addresses = tuple(match.group().rstrip(".,;") for match in forms.ADDRESS.finditer(positive))
    rest = forms.ADDRESS.sub(" ", positive)
    numbered = tuple(next(filter(None, match.groups())) for match in forms.NUMBERED.finditer(rest))
    rest_numbers = forms.NUMBERED.sub(" ", rest)
    numbers = (
        tuple(n.lower().lstrip("v") for n in forms.NUMBER.findall(rest_numbers))
        + tuple(forms.MONTH.findall(rest_numbers))
        + tuple(forms.ZH_DIGIT.findall(rest_numbers))
        + tuple(word.lower() for word in forms.WORD_NUMBER.findall(rest_numbers))
    )
    blank = rest
    for pattern in (forms.MONTH, forms.NUMBER, forms.ZH_DIGIT, forms.WORD_NUMBER):
        blank = pattern.sub(" ", blank)
    values, without = values_in(blank)
    subject, head, value = _copula(positive)
    return Claim(
        text=plain(main),
        words=tuple(concepts(blank)),
        bare=tuple(concepts(without)),
        values=values,
        numbers=numbers,
        addresses=addresses,
        numbered=numbered,
        negated=bool(forms.NEGATION.search(main)) and not (replaced and not forms.NEGATION.search(positive)),
        cue=cue,
        replaced=replaced,
        names=frozenset(concept.text for match in forms.NAME.finditer(positive) for concept in concepts(match.group())),
        subject=subject,
        head=head,
        value=value,
    )


def _same_units(text: str) -> str:
    """Short forms of units behind a number as the words: “30s” is “30 seconds”."""
    return _UNIT.sub(lambda match: f"{match[1]} {_UNITS[match[2].lower()]}", text)


def _handed_over(text: str) -> tuple[str, frozenset[str]]:
    """“X isn’t Y any more, it’s Z” as “Y is Z”, and X as what is replaced; any other text as it is."""
    match = forms.HANDED_OVER.match(text)
    if match is None:
        return text, frozenset()
    return f"{match['what']} is {match['new']}", frozenset((plain(match["old"]),))


def _copula(text: str) -> tuple[tuple[Concept, ...], str, str]:
    chinese = cjk_characters(text) * 3 >= len(text)
    match = (forms.ZH_COPULA if chinese else forms.COPULA).match(text)
    if match is None:
        return (), "", ""
    groups = match.groupdict()
    subject = groups.get("subject") or groups.get("label") or ""
    value = (groups.get("value") or groups.get("labelled") or "").strip()
    head = forms.HEAD.match(value)
    return tuple(concepts(subject)), head.group().casefold() if head else "", value[head.end() :].strip() if head else value


def relation(new: str, old: str) -> Relation:
    """What a new sentence does to an old one: says the same, gives another value to the same thing, or is about something else."""
    first, second = claim_of(new), claim_of(old)
    if _says(first, second):
        return "same"
    if first.numbered != second.numbered:
        return "other"
    if any(
        rule(first, second)
        for rule in (_other_member, _other_number, _turned_round, _other_place, _other_value, _other_name, _other_home, _replaces)
    ):
        return "changed"
    return "other"


def _says(new: Claim, old: Claim) -> bool:
    """The old sentence says all of the new one: the same words, values and numbers, and nothing that narrows it."""
    if new.negated != old.negated or new.replaced - old.replaced:
        return False
    exact = (new.numbers, new.addresses, new.numbered, _members(new)) == (old.numbers, old.addresses, old.numbered, _members(old))
    words = new.words or new.bare
    if not exact or not (words or new.numbers or new.addresses):
        return False
    return match_all(list(new.words), list(old.words)) if words or old.words else new.text == old.text


def _members(claim: Claim) -> frozenset[tuple[int, str]]:
    return frozenset((value.family, value.name) for value in claim.values)


def _family_words(family: int) -> list[Concept]:
    return [concept for name in names_of(family) for concept in concepts(name)]


def _without(words: Sequence[Concept], left_out: Sequence[Concept]) -> list[Concept]:
    hidden = covered(words, left_out)
    return [word for word, known in zip(words, hidden, strict=True) if not known]


def _same_scope(new: Sequence[Concept], old: Sequence[Concept], names: Sequence[Concept] = (), *, loose: bool = False) -> bool:
    """Whether two sentences speak of the same thing but for its value. `loose`: the new one says that it corrects, and may say less."""
    left, right = _without(new, names), _without(old, names)
    if not all(covered(left, right)):
        return False
    return loose or all(covered(right, left))


def _other_member(new: Claim, old: Claim) -> bool:
    """Another value of the same family: npm, and now pnpm."""
    if new.negated != old.negated:
        return False
    for family in {value.family for value in new.values} & {value.family for value in old.values}:
        mine = {value.name for value in new.values if value.family == family}
        theirs = {value.name for value in old.values if value.family == family}
        strict = any(value.strict for value in new.values if value.family == family)
        named = any(covered(_family_words(family), [*new.words, *old.words]))
        if mine & theirs or len(mine) > 1 or len(theirs) > 1 or not (strict or new.cue or named):
            continue
        others = {v for v in _members(new) if v[0] != family and not _overlaps(v[0], new, family)}
        if others != {v for v in _members(old) if v[0] != family and not _overlaps(v[0], old, family)}:
            continue
        names = [] if is_day(family) else _family_words(family)
        if is_day(family) and not (new.bare and old.bare):
            continue
        if new.numbers and old.numbers and new.numbers != old.numbers and not is_day(family):
            continue
        if _same_scope(new.bare, old.bare, names, loose=bool(new.cue and theirs & _replaced_names(new, family))):
            return True
    return False


def _overlaps(other: int, claim: Claim, family: int) -> bool:
    """Whether a value of one family is a value of another too."""
    mine = {value.name for value in claim.values if value.family == family}
    return any(value.family == other and value.name in mine for value in claim.values)


def _replaced_names(claim: Claim, family: int) -> set[str]:
    found: set[str] = set()
    for text in claim.replaced:
        found |= {value.name for value in values_in(text)[0] if value.family == family}
    return found


def _other_number(new: Claim, old: Claim) -> bool:
    """The same sentence with another number: port 8080, and now 9090."""
    if not new.numbers or not old.numbers or new.numbers == old.numbers or new.negated != old.negated:
        return False
    if _members(new) != _members(old) or new.addresses != old.addresses:
        return False
    if len(new.numbers) != len(old.numbers) and not (new.subject and old.subject):
        return False
    if not new.words or not old.words:
        return False
    measures = _measures()
    if set(old.numbers) <= new.replaced:
        return bool(new.words) and all(covered(_without(new.words, measures), old.words))
    return _same_thing(new.words, old.words, measures)


@lru_cache(maxsize=1)
def _measures() -> tuple[Concept, ...]:
    """What a number is of by itself: a standup's time, a language's version."""
    return tuple(concepts("version time number supported characters chars columns 版本 时间 支持 字符 列"))


def _turned_round(new: Claim, old: Claim) -> bool:
    """What was wanted is forbidden now, or the other way round."""
    if new.negated == old.negated or new.numbers != old.numbers or _members(new) != _members(old) or new.addresses != old.addresses:
        return False
    return bool(new.words) and bool(old.words) and match_all(list(new.words), list(old.words))


def _other_place(new: Claim, old: Claim) -> bool:
    """The same thing under another address or path."""
    if len(new.addresses) != 1 or len(old.addresses) != 1 or new.addresses == old.addresses or new.negated != old.negated:
        return False
    return new.numbers == old.numbers and _same_thing(new.words, old.words, _lying())


def _same_thing(new: Sequence[Concept], old: Sequence[Concept], verbs: Sequence[Concept]) -> bool:
    """The same words but for verbs that tell nothing of what is spoken of; at least one word is left."""
    left, right = _without(new, verbs), _without(old, verbs)
    return bool(left) and bool(right) and match_all(left, right)


@lru_cache(maxsize=1)
def _lying() -> tuple[Concept, ...]:
    """Verbs of where something is."""
    return tuple(concepts("moved lives live located hosted stored kept found available sits stays 搬 迁 存放 放在 存 位于 地址"))


def _other_value(new: Claim, old: Claim) -> bool:
    """“X is Y” with the same X: only where X has one value, or both values are names of the same make."""
    if not new.subject or not old.subject or not new.value or not old.value or new.negated != old.negated:
        return False
    if not match_all(list(new.subject), list(old.subject)) or new.head != old.head or plain(new.value) == plain(old.value):
        return False
    if match_all(concepts(new.value), concepts(old.value)) and new.numbers == old.numbers and new.addresses == old.addresses:
        return False
    attribute = bool(new.subject) and any(covered(new.subject[-1:] + new.subject[:1], _attributes()))
    attribute = attribute or new.head in ("called", "named")
    named = bool(forms.NAMEY.match(new.value)) and bool(forms.NAMEY.match(old.value)) and new.cue
    return (attribute and abs(len(new.value) - len(old.value)) <= 60) or named


def _other_name(new: Claim, old: Claim) -> bool:
    """The same words about another name, where the new sentence says that something changed: “I live in Berlin now”."""
    if not new.cue or new.negated != old.negated or new.numbers != old.numbers or _members(new) != _members(old):
        return False
    mine, theirs = _without(new.words, old.words), _without(old.words, new.words)
    if len(mine) != 1 or len(theirs) != 1 or len(new.words) < 2:
        return False
    return mine[0].text in new.names and theirs[0].text in old.names


def _other_home(new: Claim, old: Claim) -> bool:
    """Where somebody lives or works, and what they are called: one place and one name at a time."""
    mine, theirs = forms.HOME.match(new.text), forms.HOME.match(old.text)
    if mine is None or theirs is None or new.negated or old.negated:
        return False
    same = [forms.home_of(match) for match in (mine, theirs)]
    return same[0][:2] == same[1][:2] and not match_all(concepts(same[0][2]), concepts(same[1][2]))


@lru_cache(maxsize=1)
def _attributes() -> tuple[Concept, ...]:
    return tuple(concept for word in sorted(forms.ATTRIBUTES) for concept in concepts(word))


@lru_cache(maxsize=1)
def _having() -> tuple[Concept, ...]:
    """Verbs of using, running and owning: what is replaced is told by its name, not by them."""
    return (*_lying(), *concepts("run running own owns 跑 跑在 运行 由 归 负责 搬"))


def _replaces(new: Claim, old: Claim) -> bool:
    """The new sentence names what it replaces, and the old one says just that of the same thing."""
    if not new.replaced or old.negated:
        return False
    words = set(re.findall(r"[\w.+#@/:-]+", old.text)) | {value.name for value in old.values}
    gone = [
        text
        for text in new.replaced
        if text in words or (not text.isascii() and text in old.text) or any(value.name in words for value in values_in(text)[0])
    ]
    if not gone or not forms.USING.search(new.text + " use"):
        return False
    hidden = [concept for text in gone for concept in concepts(text)]
    families = [concept for value in (*new.values, *old.values) for concept in _family_words(value.family)]
    usual = [*hidden, *families, *_having()]
    left = _without(old.bare if old.values else old.words, usual)
    right = _without(new.bare if new.values else new.words, usual)
    if not left:
        return not right or bool(old.values) or len(right) <= 1
    return all(covered(left, right)) or (bool(right) and all(covered(right, left)) and bool(old.values))
