"""The sentence guard: what in a person's message is meant for memory. English and Chinese, by explicit words, sentence by sentence.

A question or a bare request is never taken; quoted text and code trigger nothing. What is taken stays in the person's own words, and the
type follows from the words. The small model is not asked any of this: it guesses. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop.base.own_words import own_words
from desktop.base.simplified import simplified
from desktop.base.words import cjk_characters
from desktop.providers import embedded_durable as forms
from desktop.providers import embedded_patterns as words
from desktop.providers.embedded_features import is_one_off
from desktop.providers.embedded_sentences import (
    MASKED,
    Sentence,
    is_chinese,
    is_filler,
    is_request,
    not_to_be_kept,
    one_line,
    sentences,
    spelled_out,
)
from desktop.providers.embedded_standing import standing
from desktop.providers.embedded_surroundings import Surroundings, surroundings

MemoryType = Literal["user", "feedback", "project", "reference"]
MOST_FACTS = 5
LONGEST_FACT = 2_000
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s+(?=\S)")
_ZH_PERHAPS = re.compile(r"(?:也许|说不定|没准|大概|或许|估计|八成|兴许)")
_ZH_NO_WISH = re.compile(r"记忆(?:功能|体|力)|^(?:哎|啊|诶|呃)?[，, ]?你(?:又|好像|是不是|怎么|刚才)?忘(?:了|记)")
"""The faculty or a program's feature, and a reproach (你忘了分号): neither asks to forget."""
_NOTE_VERBS = ("take note", "make a note", "note down", "jot down", "write down")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to remember, in the person's own words."""

    text: str
    type: MemoryType


@dataclass(frozen=True, slots=True)
class Remember:
    """Facts to save, and what else the message asks (empty when nothing). No facts: the words point at something that was said before."""

    facts: tuple[Fact, ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Forget:
    """What to forget, as the person names it. `everything` is never done at once."""

    target: str
    everything: bool = False
    explicit: bool = True


@dataclass(frozen=True, slots=True)
class ListMemory:
    """The person wants to see what is remembered."""


Intent = Remember | Forget | ListMemory


def type_of(fact: str, *, rule: bool) -> MemoryType:
    fact = simplified(fact)
    if words.PLACE.search(fact):
        return "reference"
    if words.CALL_ME.match(fact):
        return "user"
    if rule or words.TO_ASSISTANT.search(fact):
        return "feedback"
    if words.ABOUT_PERSON.search(fact):
        return "user"
    if words.RULE_WORDS.search(fact):
        return "feedback"
    return "project"


def clean_fact(fact: str) -> str:
    """The fact without the joint before it and the full stop after it, otherwise as written."""
    fact = fact.strip().strip("，,：:;；—–-").strip()
    lines = [one_line(line) for line in fact.splitlines() if line.strip()]
    return "\n".join(lines)[:LONGEST_FACT].rstrip("。.!！ ")


def _is_fact(fact: str) -> bool:
    return cjk_characters(fact) >= 2 or len(re.findall(r"\w+", fact)) >= 2


def _span(sentence: Sentence, match: re.Match[str], group: str) -> str:
    """The group in the words as written: the match was made on the masked text, which is as long."""
    return sentence.text[match.start(group) : match.end(group)]


# --- one sentence -------------------------------------------------------------------------------------------------------

POINTER = "\x00"
"""Says that the sentence asks to remember something that was said before."""


def _english_remember(s: Sentence) -> str | None:
    match = words.REMEMBER.match(s.masked)
    if match:
        fact, joint = match.group("fact").strip(), match.group("joint")
        verb = (match.group("verb") or "").lower()
        explicit = ":" in joint or "that" in joint.lower() or "," in joint or words.TOLD.match(fact) is not None
        if ("forget" in verb or verb.endswith("memory")) and not explicit:
            return None
        if verb in _NOTE_VERBS and not explicit and not fact.lower().startswith("of "):
            return POINTER if words.POINTER.match(fact) else None
        if not fact and match.group("pointer") is None and not verb:
            return None
        if not fact or words.POINTER.match(fact) or (match.group("pointer") and ":" not in joint and not fact):
            return POINTER
        asked = s.question and not re.search(r"(?i)\b(?:can|could|would|will) you\b", s.masked[: match.start("fact")])
        if asked or (words.RECALL.match(fact) and ":" not in joint) or (s.question and not explicit):
            return None
        return _span(s, match, "fact")
    match = None if s.question else words.NOTED.match(s.masked)
    if match:
        name = next(n for n in ("fact", "stated", "told") if match[n])
        return POINTER if words.POINTER.match(match[name]) else _span(s, match, name)
    match = words.STORE.match(s.masked)
    if match:
        return POINTER if words.POINTER.match(match.group("fact")) else _span(s, match, "fact")
    match = None if s.question else words.TRAILING.match(s.masked)
    return _span(s, match, "fact") if match else None


def _chinese_remember(s: Sentence) -> str | None:
    match = words.ZH_NOTED.match(s.masked) or words.ZH_TAKE.match(s.masked)
    if match:
        return POINTER if words.ZH_POINTER.match(match.group("fact")) else _span(s, match, "fact")
    match = None if s.question else words.ZH_TRAILING.match(s.masked)
    if match and _is_fact(match.group("fact")):
        return _span(s, match, "fact")
    match = words.ZH_ASKED.match(s.masked)
    if match and words.ZH_DURABLE.search(match.group("fact")) and not words.ZH_RECALL.search(match.group("fact")):
        return _span(s, match, "fact")
    match = words.ZH_REMEMBER.match(s.masked)
    if not match:
        return None
    fact, joint = match.group("fact"), match.group("joint")
    colon = bool(joint.strip()) and joint.strip()[-1] in "：:"
    if words.ZH_POINTER.match(fact):
        return POINTER if match.group("verb") and not s.question else None
    if (s.question or words.ZH_RECALL.search(fact)) and not colon:
        return None
    soft = match.group("soft") or re.match(r"别忘|不要忘", match.group("verb") or "")
    states = words.ZH_DURABLE.search(fact) or re.match(r"(?:我们|咱们)(?!要|得|去)|[^，,]{1,20}?(?:必须|[要得]先)", fact)
    if soft and not colon and (re.match(r"[要把去给先]", fact) or not states):
        return None
    return _span(s, match, "fact")


def _english_rule(s: Sentence, alone: bool) -> bool:
    if words.IRONY.search(s.masked):
        return False
    if s.question:
        return words.ASKED_RULE.match(s.masked) is not None
    match = words.FROM_NOW.match(s.masked)
    if match:
        loose = re.match(rf"(?i)^{words.POLITE}(?:next time|in (?:the )?future)", s.masked)
        return not (loose and re.match(r"(?i)(?:we|it|this|they|there|i|i'll|let's|you|maybe|perhaps|the)\b", match.group("rule")))
    match = words.FROM_NOW_END.match(s.masked)
    if match:
        loose = re.search(r"(?i)in (?:the )?future[\s.!]*$", s.masked)
        commands = is_request(s.masked) or words.DONT.match(s.masked) or words.ALWAYS.match(s.masked)
        return bool(commands) if loose else not re.match(r"(?i)^(?:i|it|this|they|there|what|maybe)\b", s.masked)
    if words.CALL_ME.match(s.masked):
        return True
    match = words.ALWAYS.match(s.masked) or words.WHEN_RULE.match(s.masked)
    if match:
        return not (words.PAST.match(match.group("rule")) or words.SCOPED_RULE.search(s.masked))
    match = words.DONT.match(s.masked)
    if match and alone and not is_one_off(s.masked):
        rule = match.group("rule")
        return not (words.DONT_IDIOM.match(rule) or words.SCOPED.search(rule)) and len(re.findall(r"\w+", rule)) >= 2
    return False


def _chinese_rule(s: Sentence, alone: bool) -> bool:
    if words.IRONY.search(s.masked):
        return False
    if s.question:
        return words.ZH_ASKED_RULE.match(s.masked) is not None
    match = words.ZH_FROM_NOW.match(s.masked)
    if match:
        rule = match.group("rule")
        return not words.ZH_LATER.match(rule) and not _ZH_PERHAPS.match(rule) and len(rule) >= 2
    match = words.ZH_ALWAYS.match(s.masked)
    if match:
        return not (words.ZH_BROKEN.match(match.group("rule")) or words.ZH_SCOPED_RULE.search(s.masked))
    match = words.ZH_STANDARD.match(s.masked)
    if match and alone and not match.group("agreed"):
        return not (
            words.ZH_SCOPED.search(s.masked)
            or forms.ARTIFACT.match(s.masked)
            or words.ZH_TASK.search(match.group("rule"))
            or match.group("what")[0] in "把帮请给写实生创新做画加添改删查找列运"
        )
    if match:
        return bool(match.group("agreed"))
    if words.ZH_EVERY.match(s.masked):
        return not re.search(r"失败|报错|出错|崩溃|超时|卡住|不行", s.masked)
    match = words.ZH_DONT.match(s.masked)
    if match and alone and not is_one_off(s.masked):
        rule = match.group("rule")
        return not (words.ZH_DONT_IDIOM.match(rule) or words.ZH_SCOPED.search(rule)) and len(rule.strip()) >= 2
    return False


def is_rule(s: Sentence, *, alone: bool) -> bool:
    """A rule by its form, English or Chinese."""
    return _english_rule(s, alone) or _chinese_rule(s, alone)


def _forget(s: Sentence) -> Forget | None:
    target, explicit = "", True
    match = words.DELETE.match(s.masked) or words.FORGET.match(s.masked)
    if match and not (s.question and not re.search(r"(?i)\b(?:can|could|would|will) you\b", s.masked)):
        groups = match.groupdict()
        name = next(n for n in ("target", "after", "known", "behind", "before") if groups.get(n))
        target, explicit = _span(s, match, name).strip(), name != "target"
        target = re.sub(r"(?i)(?:,\s*(?:it|we|that|they|because|since|as)\b.*|\s+any ?more[.!]*)$", "", target)
        if name == "target" and words.FORGET_IDIOM.search(target):
            return None
        while lead := words.FORGET_LEAD.match(target):
            target = target[lead.end() :]
    elif not s.question and words.FORGET_END_SIGN.search(s.masked) and (match := words.FORGET_END.match(s.masked)):
        target = _span(s, match, "target").strip()
    elif (not s.question or "能" in s.masked[:6]) and not _ZH_NO_WISH.search(s.masked):
        match = (
            words.ZH_DELETE_FROM.match(s.masked)
            or words.ZH_DELETE.match(s.masked)
            or words.ZH_DELETE_NAMED.match(s.masked)
            or words.ZH_FORGET.match(s.masked)
        )
        match = match or words.ZH_DELETE_KNOWN.match(s.masked) or words.ZH_FORGET_MORE.match(s.masked)
        if not match:
            return None
        groups = match.groupdict()
        name = next(n for n in ("target", "taken") if groups.get(n))
        target = words.ZH_FORGET_LEAD.sub("", words.ZH_FORGET_LEAD.sub("", _span(s, match, name).strip()))
        if words.ZH_POINTER.match(target) or target in ("这", "那"):
            return None
        if name == "taken" and not re.search(r"记忆|笔记|记录|你(?:记|存)|忘|不用|别|不要", s.masked):
            return None
    target = re.sub(r"(?i)\s+(?:please|now|for me)$", "", target.strip(" .!。！，,\"'“”`")).strip()
    target = re.sub(r"的?(?:这条|那条)?(?:记忆|笔记|事情?|内容)$", "", target) or target
    return Forget(target, bool(words.EVERYTHING.match(target)), explicit) if target else None


def _facts(raw: str, *, rule: bool) -> list[Fact]:
    """One fact, or one for each point of a list."""
    points = [_BULLET.sub("", line) for line in raw.splitlines() if _BULLET.match(line)]
    texts = [clean_fact(t) for t in (points[:MOST_FACTS] if len(points) >= 2 else [raw])]
    return [Fact(t, type_of(t, rule=rule)) for t in texts if _is_fact(t)]


def _belongs(s: Sentence) -> bool:
    """A sentence after the fact that goes on about it rather than asking something new."""
    return not (s.question or is_request(s.masked) or is_filler(s.masked))


# --- the message --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    facts: list[Fact]
    rest: list[str]
    pointer: bool = False
    open_fact: bool = False


def _alone(found: list[Sentence], index: int) -> bool:
    """No other sentence of the message asks for something, so that a bare “don't” is a rule and not a limit of the task."""
    others = [s for i, s in enumerate(found) if i != index]
    return not any(s.question or is_request(s.masked) for s in others)


def _is_unlikely(s: Sentence, around: Surroundings) -> bool:
    """A doubt in what has the form of a rule: the classifier speaks against it, and a sign of the moment or of a supposition does."""
    from desktop.providers.embedded_classifier import score, signs

    odds = score(s, around, known=True)
    return odds is not None and odds < UNLIKELY and any(signs(s))


UNLIKELY = 0.5
"""Log odds below which a rule with such a sign is none. Without one “always …” is an order, whatever its odds."""


def _flat(text: str) -> str:
    return "".join(text.split())


def _is_own(s: Sentence, own: str) -> bool:
    """Whether the person wrote the sentence: what of it is no quotation stands among their own words."""
    return all(_flat(piece) in own for piece in s.masked.split(MASKED) if len(piece.strip()) > 2)


def _read(found: list[Sentence], around: list[Surroundings], index: int, reading: _Reading, own: str) -> None:
    s = found[index]
    if not _is_own(s, own):
        reading.open_fact = False
        reading.rest.append(s.whole)
        return
    chinese = is_chinese(s.masked)
    raw = (_chinese_remember(s) if chinese or cjk_characters(s.masked) else None) or _english_remember(s)
    if raw == POINTER:
        previous = reading.rest.pop() if reading.rest and _belongs(found[index - 1]) else ""
        added = _facts(previous, rule=False)
        reading.facts += added
        reading.pointer |= not added
        reading.open_fact = not added
        return
    if raw is not None and _is_fact(raw):
        said = raw.strip()
        rule = bool(re.match(r"(?i)^(?:to|always|never|don't|do not)\s", said)) or _chinese_rule(Sentence(said, said, False), True)
        reading.facts += _facts(raw, rule=rule)
        reading.open_fact = True
        return
    alone = _alone(found, index)
    if is_rule(s, alone=alone) and not _is_unlikely(s, around[index]):
        reading.facts += _facts(s.text, rule=True)
        reading.open_fact = True
    elif reading.open_fact and _belongs(s):
        if reading.pointer and not reading.facts:
            reading.facts += _facts(_BULLET.sub("", s.text), rule=False)
            reading.pointer = not reading.facts
        elif _BULLET.match(s.text):
            reading.facts += _facts(_BULLET.sub("", s.text), rule=False)
        elif reading.facts:
            last = reading.facts[-1]
            joint = " " if not is_chinese(last.text) else "。"
            stop = "" if is_chinese(last.text) else "."
            reading.facts[-1] = Fact(f"{last.text}{stop}{joint}{clean_fact(s.text)}"[:LONGEST_FACT], last.type)
    elif not is_filler(s.masked):
        reading.open_fact = False
        reading.rest.append(s.whole)


def read_intent(text: str) -> Intent | None:
    """What the person wants of memory, or None when the message is for the model alone."""
    text = spelled_out(text)
    found = sentences(text)
    if not found or len(found) > 200:
        return None
    if len(found) <= 2:
        last = found[-1]
        if words.LIST.match(last.masked) or words.ZH_LIST.match(last.masked):
            return ListMemory()
        wanted = [s for s in found if not is_filler(s.masked)]
        if len(wanted) == 1 and (forget := _forget(wanted[0])):
            return forget
    if not_to_be_kept(text):
        return None
    reading = _Reading([], [])
    found = standing(found)
    own = _flat(simplified(own_words(text)))
    around = surroundings(found, pasted=len(own) < len(_flat(text)))
    for index in range(len(found)):
        _read(found, around, index, reading, own)
    if not reading.facts and not reading.pointer:
        return None
    rest = "\n".join(reading.rest)
    wants_more = any(s.whole in reading.rest and (s.question or is_request(s.masked)) for s in found)
    return Remember(tuple(reading.facts[:MOST_FACTS]), rest if wants_more else "")


def extract_candidates(texts: Sequence[str]) -> list[str]:
    """Sentences of the person's messages that are worth keeping; see `embedded_statements`."""
    from desktop.providers.embedded_statements import candidates

    return candidates(texts)
