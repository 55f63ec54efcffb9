"""Lasting statements: what a person says about themselves or the project without asking to remember it. For the background job only.

Looser than the sentence guard and still by code: a small model that reads a whole conversation finds nothing. A statement is one by its
form (`embedded_durable`); what is asked, hedged, to be done now or true only for the moment is none. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.base.own_words import own_words
from desktop.base.words import cjk_characters
from desktop.providers import embedded_durable as forms
from desktop.providers.embedded_features import is_context, is_one_off, lasting_part
from desktop.providers.embedded_grammar import states
from desktop.providers.embedded_grammar_forms import REPROACH
from desktop.providers.embedded_guards import Fact, Remember, clean_fact, read_intent, type_of
from desktop.providers.embedded_lasting import EPISODE, INFORMS, PROGRESSIVE, TELLS, TROUBLE
from desktop.providers.embedded_sentences import Sentence, is_filler, not_to_be_kept, sentences, spelled_out

MOST_CANDIDATES = 3
LONGEST_MESSAGE = 6_000
FEWEST_WORDS, MOST_WORDS = 2, 60
"""Word equivalents of a statement."""


def fact_of(text: str) -> Fact:
    """A whole message as one fact, for a sentence that was found worth keeping before."""
    cleaned = clean_fact(text)
    return Fact(cleaned, type_of(cleaned, rule=False))


def durable_statements(text: str) -> list[str]:
    """Sentences that state something lasting about the person or the project without asking to remember it."""
    own = own_words(text)
    if not own or len(own) > LONGEST_MESSAGE:
        return []
    return [found for s in sentences(own) if (found := _statement(s))]


def _statement(sentence: Sentence) -> str:
    """What a sentence states for good, without its lead; "" for nothing."""
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
