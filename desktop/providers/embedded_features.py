"""What makes a clause a lasting statement, by its features: who it is about, the tense, a habit, a duty, a place, a day, a name. No model.

Beside the forms of `embedded_durable`, which name whole sentences: here a clause is cut out of a longer sentence, and a subject that lasts
(we, our …, this project, all …, I) must meet a stative or habitual verb and something to hold on to. What goes wrong, was, is being done
or is meant for one thing on the screen is left alone. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from desktop.base.words import cjk_characters
from desktop.providers import embedded_durable as forms
from desktop.providers import embedded_grammar as grammar
from desktop.providers import embedded_lasting as lasting
from desktop.providers import embedded_lasting_zh as chinese_forms
from desktop.providers.embedded_grammar_forms import EXAMPLE, RELATIVE
from desktop.providers.embedded_sentences import is_question

MOST_CLAUSES = 12
FEWEST_WORDS = 2


def lasting_part(masked: str, *, question: bool) -> tuple[int, int] | None:
    """Where a sentence states something for good: from the first clause that does to the last that goes on about it.

    Args:
        masked: the sentence with what is quoted masked and in simplified characters.
        question: it ends as a question, so that its last clause states nothing.
    """
    if lasting.SUPPOSED.search(masked):
        return None
    if lasting.PROGRESSIVE.match(masked):
        return None
    value = None if question else lasting.CORRECTED_VALUE.match(masked)
    if value:
        return value.start("value"), len(masked)
    found = list(clauses(masked))[:MOST_CLAUSES]
    chinese = cjk_characters(masked) >= 2
    last = len(found) - 1 if question else len(found)
    if question and found and lasting.TAG.match(masked[found[-1][0] :].strip(" ?？")):
        return None
    for number in range(last):
        start, end = found[number]
        clause = masked[start:end]
        lead = lasting.INFORMS.match(clause)
        start += lead.end() if lead else 0
        bare = masked[start:end]
        scoped = lasting.HERE.search(masked[: found[number][0]]) is not None
        if number == 0 and not question and lasting.TWO_PARTS.match(masked[start:]) and _rule(masked[start:], chinese):
            return start, len(masked)  # a rule often takes two clauses: “when you …, do …”
        if any(is_task(masked[begins:ends], chinese) for begins, ends in found[:number]) and not lasting.STRONG.match(
            masked[found[number][0] : end]
        ):
            continue  # what a request is about: “add a rule that …”
        if lasting.IDIOM.match(bare):
            continue
        if not _worth(bare, chinese, informs=bool(lead and lasting.TELLS.search(lead.group())), later=number > 0, scoped=scoped):
            continue
        if number and lasting.BARE_RULE.match(bare) and _is_fragment(masked[slice(*found[number - 1])], chinese):
            start = found[number - 1][0]
        if number and number == last - 1 and lasting.SUBORDINATE.match(bare):
            start = found[0][0]  # a condition at the end says nothing without what it is the condition of
        for begins, ends in found[number + 1 : last]:
            if not _goes_on(masked[begins:ends], chinese):
                break
            end = ends
        return start, end
    return None


def is_one_off(masked: str) -> bool:
    """An order, a wish or a fact for the case at hand, or what everybody knows of a tool."""
    return lasting.ONE_OFF.search(masked) is not None or lasting.COMMON_KNOWLEDGE.match(masked) is not None


def is_context(masked: str, start: int, *, question: bool, may: Collection[str] = ()) -> bool:
    """Said only to explain what is asked or what goes wrong in the same sentence, about no convention of the team.

    Args:
        masked, start: the sentence, and where the statement begins.
        question: it ends as a question.
        may: what its kind may hold: `trouble` as the reason of a decision, `task` as the manner of every answer.
    """
    masked = lasting.MEASURE.sub("", RELATIVE.sub(" ", EXAMPLE.sub("", masked)))
    chinese = cjk_characters(masked) >= 2
    if forms.CORRECTION.match(masked) or lasting.STRONG.match(masked[start:]) or _rule(masked[start:], chinese):
        return False
    parts = [masked[start:end] for start, end in clauses(masked)][:MOST_CLAUSES]
    return (
        question
        or ("trouble" not in may and any(lasting.TROUBLE.search(one) or lasting.CONTRAST.search(one) for one in parts))
        or ("task" not in may and any(is_task(one, chinese) or is_question(one) for one in parts[1:]))
    )


def telling_stretch(masked: str, *, question: bool) -> tuple[int, int] | None:
    """The longest run of clauses that ask for nothing and are for no case at hand; None when that is all of the sentence or nothing."""
    if lasting.SUPPOSED.search(masked):
        return None
    chinese = cjk_characters(masked) >= 2
    found = list(clauses(masked))[:MOST_CLAUSES]
    runs: list[tuple[int, int]] = []
    going = False
    for number, (start, end) in enumerate(found):
        clause = masked[start:end]
        asks = is_question(clause) or (question and number == len(found) - 1)
        tells = not (asks or is_task(clause, chinese) or is_one_off(clause))
        if tells and going:
            runs[-1] = (runs[-1][0], end)
        elif tells:
            runs.append((start, end))
        going = tells
    longest = max(runs, key=lambda run: run[1] - run[0], default=None)
    return None if longest is None or longest[1] - longest[0] >= len(masked.rstrip()) else longest


def clauses(masked: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence begin and end."""
    start = 0
    for match in lasting.CUT.finditer(masked):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(masked):
        yield start, len(masked)


def _worth(clause: str, chinese: bool, *, informs: bool, later: bool, scoped: bool) -> bool:
    if len(re.findall(r"\w+", clause)) + cjk_characters(clause) // 2 < FEWEST_WORDS:
        return False
    if not scoped and _rule(clause, chinese):
        return True
    if not _clear(clause):
        return False
    if _is_artifact(clause) or lasting.EPISODE.search(clause) or is_task(clause, chinese):
        return False
    if not scoped and grammar.states(clause) is not None:
        return True
    kinds = chinese_forms.CHINESE if chinese and cjk_characters(clause) >= 2 else lasting.ENGLISH
    if any(form.match(clause) for form in kinds):
        return True
    if informs and (chinese_forms.ZH_STATIVE if chinese else lasting.STATIVE).match(clause):
        return True
    if not later or scoped or forms.PASSING.search(clause):
        return False
    return any(form.match(clause) for form in (forms.CHINESE if chinese else forms.ENGLISH))


def _is_artifact(clause: str) -> bool:
    """What is being made now, unless that only describes a lasting thing: “the chat backend”."""
    found = forms.ARTIFACT.match(clause)
    return found is not None and not lasting.HEADED.match(clause[found.end() :])


def _clear(clause: str) -> bool:
    if lasting.TASTE.match(clause):
        clause = lasting.COMPARED.sub(" ", clause)
    return not (forms.HEDGED.search(clause) or lasting.TROUBLE.search(clause) or lasting.HERE.search(clause) or is_question(clause))


def is_task(clause: str, chinese: bool) -> bool:
    """A clause that wants something done now."""
    return bool((forms.TASK.match(clause) or lasting.ZH_TASK.match(clause)) if chinese else forms.FIRST_VERB.match(clause))


def _rule(text: str, chinese: bool) -> bool:
    """A rule for the assistant or the team: an order that holds for every case, not for the one at hand."""
    text = lasting.UNSURE.sub("if you have doubts", text)
    if lasting.HERE.search(text) or lasting.TROUBLE.match(text) or forms.HEDGED.search(text) or is_question(text):
        return False
    return any(form.search(text) for form in (chinese_forms.ZH_RULES if chinese else lasting.RULES))


def _is_fragment(clause: str, chinese: bool) -> bool:
    """What a bare “never …” behind it belongs to: “examples in TypeScript, never plain JS”."""
    return _clear(clause) and not is_task(clause, chinese) and not lasting.EPISODE.search(clause) and not lasting.INFORMS.fullmatch(clause)


def _goes_on(clause: str, chinese: bool) -> bool:
    return _clear(clause) and not is_task(clause, chinese) and not lasting.EPISODE.search(clause)
