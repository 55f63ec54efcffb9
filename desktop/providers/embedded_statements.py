"""Lasting statements: what a person says about themselves or the project without asking to remember it. For the background job only.

Looser than the sentence guard and still by code: a small model that reads a whole conversation finds nothing. A statement is one by its
form (`embedded_durable`); what is asked, hedged, to be done now or true only for the moment is none. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.base.own_words import own_words
from desktop.base.redact import find_secrets
from desktop.base.words import cjk_characters
from desktop.providers import embedded_durable as forms
from desktop.providers.embedded_classifier import likely_type, score
from desktop.providers.embedded_features import is_context, is_one_off, lasting_part, telling_stretch
from desktop.providers.embedded_grammar import states
from desktop.providers.embedded_grammar_forms import REPROACH
from desktop.providers.embedded_guards import Fact, Remember, clean_fact, is_rule, read_intent, type_of
from desktop.providers.embedded_lasting import EPISODE, INFORMS, PROGRESSIVE, SUPPOSED, TELLS, TROUBLE
from desktop.providers.embedded_sentences import MASKED, Sentence, is_filler, not_to_be_kept, sentences, spelled_out
from desktop.providers.embedded_signs import may_last
from desktop.providers.embedded_standing import standing, without_output
from desktop.providers.embedded_surroundings import ALONE, Surroundings, surroundings

MOST_CANDIDATES = 3
LONGEST_MESSAGE = 6_000
FEWEST_WORDS, MOST_WORDS = 2, 60
"""Word equivalents of a statement."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Log odds from which a sentence is taken: where it is all of a message or beside others, with a sign of lasting or plain."""

    alone: float
    alone_plain: float
    beside: float
    beside_plain: float


VETO = Bars(0.2, -0.2, -0.5, 0.6)
"""For a sentence that a form takes."""
ADMIT = Bars(1.8, 1.8, 1.0, 2.2)
"""For a sentence that no form knows."""
FEWEST_ADMITTED, MOST_ADMITTED = 3, 40
FOREIGN_LINE = re.compile(
    r"(?i)^(?:\[?(?:error|warn(?:ing)?|info|debug|fatal|trace|deprecated|todo|fixme)\]?\s*[:!\]]|npm err|traceback|//|#\s|\$\s|>>>"
    r"|(?:def|class|import|export|const|let|var|select|insert|curl|git|docker) \S+ ?[(=*{'\"./-]|(?:spec|acceptance criteria|example"
    r"|dialogue|story|需求|规格|验收标准|示例|样例|题目|作业).{0,16}[:：])"
)
"""A line of a log, of code or of a document, as far as `own_words` let it through."""


def fact_of(text: str) -> Fact:
    """A whole message as one fact, for a sentence that was found worth keeping before."""
    cleaned = clean_fact(text)
    by_words = type_of(cleaned, rule=False)
    parts = sentences(cleaned)
    return Fact(cleaned, by_words if by_words == "reference" or not parts else likely_type(parts[0]) or by_words)


def durable_statements(text: str) -> list[str]:
    """Sentences that state something lasting about the person or the project without asking to remember it."""
    return [found for sentence, around in parts_of(text) if (found := _statement(sentence, around))]


def parts_of(text: str) -> list[tuple[Sentence, Surroundings]]:
    """The person's own sentences of a message that stand, each with what is around it; none of a message that is too long."""
    said = own_words(text)
    own = without_output(said)
    if not own or len(own) > LONGEST_MESSAGE:
        return []
    pasted = "".join(own.split()) != "".join(text.split())
    parts = standing(sentences(own))
    return list(zip(parts, surroundings(parts, pasted=pasted), strict=True))


def taken_by_form(sentence: Sentence) -> bool:
    """Whether the forms of statements or of rules take a sentence that stands alone."""
    return bool(_by_form(sentence)) or is_rule(sentence, alone=True)


def judged(sentence: Sentence, around: Surroundings) -> tuple[Sentence, str]:
    """What the classifier is asked about, and what the forms take of a sentence ("" for nothing).

    Of a question, and in a message of several sentences, that is the part which tells something: what else it says is around it.
    """
    found = "" if FOREIGN_LINE.match(sentence.masked) else _by_form(sentence)
    return (_told(sentence, found) if found and (sentence.question or around != ALONE) else sentence), found


def _statement(sentence: Sentence, around: Surroundings) -> str:
    """What a sentence states for good, without its lead; "" for nothing."""
    told, found = judged(sentence, around)
    if not found:
        return _admitted(sentence, around)
    odds = score(told, around, known=True)
    return "" if odds is not None and odds < _needed(told, around, VETO) else found


def _needed(sentence: Sentence, around: Surroundings, bars: Bars) -> float:
    """How sure the classifier must be of a sentence."""
    lasts = may_last(sentence.masked)
    if around != ALONE:
        return bars.beside if lasts else bars.beside_plain
    return bars.alone if lasts else bars.alone_plain


def _told(sentence: Sentence, part: str) -> Sentence:
    """The part of a sentence that tells something: it is judged without what is asked or told beside it."""
    at = max(sentence.text.find(part), 0)
    return Sentence(part, sentence.masked[at : at + len(part)], False)


def _admitted(sentence: Sentence, around: Surroundings) -> str:
    """What no form knows but the classifier is sure of, of a sentence or of the part of it that tells something; "" for nothing."""
    part, near = admissible(sentence, around)
    if part is None:
        return ""
    odds = score(part, near, known=False)
    if odds is None or odds < _needed(part, near, ADMIT):
        return ""
    lead = forms.LEAD.match(part.masked)
    return part.text[lead.end() if lead else 0 :].strip()


def admissible(sentence: Sentence, around: Surroundings) -> tuple[Sentence | None, Surroundings]:
    """What of a sentence the classifier may let in, and what is around that; None when nothing may be.

    Beside a request or a question of the same sentence only what has a sign of lasting: “I teach at a school, find an example”.
    """
    if FOREIGN_LINE.match(sentence.masked):
        return None, around
    if may_be_admitted(sentence):
        return sentence, around
    stretch = telling_stretch(sentence.masked, question=sentence.question)
    if stretch is None or sentence.text.endswith((":", "：")):
        return None, around
    part = Sentence(sentence.text[slice(*stretch)].strip(_JOINTS), sentence.masked[slice(*stretch)].strip(_JOINTS), False)
    if not may_last(part.masked) or not may_be_admitted(part):
        return None, around
    return part, replace(around, request=True)


_JOINTS = " ,;，；"


def may_be_admitted(sentence: Sentence) -> bool:
    """No score lets in what is asked, quoted, of a log or code, said beside a request of the same sentence, or secret."""
    masked = sentence.masked
    words = len(re.findall(r"\w+", masked)) + cjk_characters(masked) // 2
    if not FEWEST_ADMITTED <= words <= MOST_ADMITTED:
        return False
    if sentence.question or sentence.text.endswith((":", "：")) or is_filler(masked):
        return False
    if is_rule(sentence, alone=True) or is_one_off(masked) or SUPPOSED.search(masked):
        return False
    if is_context(masked, 0, question=False, may=("trouble",)):
        return False
    return masked.count(MASKED) * 2 <= len(masked) and not find_secrets(sentence.text)


def _by_form(sentence: Sentence) -> str:
    """What a sentence states for good by the forms, without its lead; "" for nothing."""
    sentence = _without_reproach(sentence)
    if sentence.text.endswith((":", "：")) or is_filler(sentence.masked):
        return ""
    if is_one_off(sentence.masked):
        return ""
    by_grammar, may = ("", frozenset[str]()) if sentence.question else _by_grammar(sentence)
    found = ("" if sentence.question else _whole(sentence)) or by_grammar or _part(sentence)
    at = sentence.text.find(found)
    context = found and is_context(sentence.masked, max(at, 0), question=sentence.question, may=may if found == by_grammar else ())
    return "" if context and not TELLS.match(sentence.masked) else found


def _without_reproach(sentence: Sentence) -> Sentence:
    """A sentence without what the assistant did wrong at its end: “tests live in tests/, you put them into src”."""
    match = REPROACH.search(sentence.masked)
    if match is None or match.start() == 0:
        return sentence
    return Sentence(sentence.text[: match.start()], sentence.masked[: match.start()], False, sentence.mark)


def _by_grammar(sentence: Sentence) -> tuple[str, frozenset[str]]:
    """The sentence behind its leads when its grammar says that it lasts, and what its kind may hold."""
    start = 0
    for lead in (forms.LEAD, INFORMS):
        match = lead.match(sentence.masked[start:])
        start += match.end() if match else 0
    for begins in dict.fromkeys((start, 0)):
        form = states(sentence.masked[begins:])
        if form is not None:
            return sentence.text[begins:].strip(), form.may
    return "", frozenset()


def _part(sentence: Sentence) -> str:
    """The clauses of a longer sentence that state something for good."""
    words = len(re.findall(r"\w+", sentence.masked)) + cjk_characters(sentence.masked) // 2
    found = lasting_part(sentence.masked, question=sentence.question) if words <= MOST_WORDS * 2 else None
    return sentence.text[found[0] : found[1]].strip(" ,;，；") if found else ""


def _whole(sentence: Sentence) -> str:
    masked = sentence.masked
    if PROGRESSIVE.match(masked):
        return ""
    lead = forms.LEAD.match(masked)
    start = lead.end() if lead else 0
    correction = forms.CORRECTION.match(masked[start:])
    after = start + correction.end() if correction else start
    if correction and TROUBLE.search(masked[after:]):
        return ""
    if _lasts(masked[after:], corrects=correction is not None):
        return sentence.text[after:].strip()
    return sentence.text[start:].strip() if correction and _lasts(masked[start:], corrects=False) else ""


def _lasts(masked: str, *, corrects: bool) -> bool:
    if not FEWEST_WORDS <= len(re.findall(r"\w+", masked)) + cjk_characters(masked) // 2 <= MOST_WORDS:
        return False
    if forms.HEDGED.search(masked) or forms.PASSING.search(masked) or forms.ARTIFACT.match(masked) or forms.DANGLING.search(masked):
        return False
    if EPISODE.search(masked):
        return False
    if forms.NOW.search(masked) and not forms.CHANGE_NOW.search(masked):
        return False
    if cjk_characters(masked) >= 2:
        return not forms.TASK.match(masked) and (any(form.match(masked) for form in forms.CHINESE) or (corrects and _gives_value(masked)))
    return not forms.FIRST_VERB.match(masked) and (any(form.match(masked) for form in forms.ENGLISH) or (corrects and _gives_value(masked)))


_VALUE = re.compile(r"(?i)^(?:the |our |it['’]?s |that['’]?s |we |port |version )?.{0,60}?(?:\d|https?://|(?-i:[A-Z])\w+|\bnot\b)")
_ZH_VALUE = re.compile(r"^.{0,20}(?:\d|[A-Za-z]{2,})")


def _gives_value(masked: str) -> bool:
    """Behind “no,” or 不对 stands a number, a name or an address."""
    return (_ZH_VALUE if cjk_characters(masked) else _VALUE).match(masked) is not None


def candidates(texts: Sequence[str]) -> list[str]:
    """Sentences of the person's messages (oldest first) that are worth keeping, at most three: what was asked for in words, then what
    merely states something lasting. A question or a bare request gives none.
    """
    explicit: list[str] = []
    stated: list[str] = []
    for text in map(spelled_out, texts):
        if not_to_be_kept(text):
            continue
        intent = read_intent(text)
        if isinstance(intent, Remember):
            explicit += [fact.text for fact in intent.facts]
        if intent is None or isinstance(intent, Remember):
            stated += [found for found in durable_statements(text) if not any(found in fact or fact in found for fact in explicit)]
    return list(dict.fromkeys([*explicit, *stated[::-1]]))[:MOST_CANDIDATES]
