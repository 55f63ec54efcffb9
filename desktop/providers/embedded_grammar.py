"""Lasting statements by their grammar, where no form of `embedded_durable` or `embedded_lasting` names them: who does it, when and why.

English and Chinese. A habit of “we”, a rule for whoever does something, a decision with its reason, a command by which something is done, a
place under its label: each is a kind of sentence, whatever its words. What is of the moment, in trouble or to be done is left alone, as
everywhere; a reason or a relative clause may name trouble (“whoever breaks the build …”). Pure, linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.base.words import cjk_characters
from desktop.providers import embedded_durable as forms
from desktop.providers import embedded_lasting as lasting
from desktop.providers.embedded_grammar_forms import (
    ENGLISH,
    EXAMPLE,
    NAMED,
    REASONS,
    RELATIVE,
    REPROACH,
    SINCE_NOW,
    WHEN_DECIDED,
    Form,
)
from desktop.providers.embedded_grammar_zh import CHINESE
from desktop.providers.embedded_sentences import is_question

FEWEST_WORDS = 3
LONGEST = 400


def states(masked: str) -> Form | None:
    """The kind of lasting statement that a sentence or clause is; its lead is taken off and its Chinese in simplified characters."""
    chinese = cjk_characters(masked) >= 2
    words = len(re.findall(r"[\w□]+", masked)) + cjk_characters(masked) // 2
    if words < FEWEST_WORDS or len(masked) > LONGEST or is_question(masked):
        return None
    clear = _Clear(masked, chinese)
    found = (form for form in (CHINESE if chinese else ENGLISH) if form.pattern.match(masked) and clear.for_form(form))
    return next(found, None)


@dataclass(slots=True)
class _Clear:
    """What of a sentence may not be of the moment depends on its kind: a decision was made on a day, and for a reason."""

    masked: str
    chinese: bool

    def for_form(self, form: Form) -> bool:
        text = self.masked
        for pattern in (EXAMPLE, NAMED, RELATIVE, REPROACH, SINCE_NOW):
            text = pattern.sub(" ", text)
        if "reason" in form.may:
            text = WHEN_DECIDED.sub(" ", REASONS.split(text, maxsplit=1)[0])
        if forms.HEDGED.search(text) or lasting.HERE.search(text) or lasting.EPISODE.search(text) or lasting.SUPPOSED.search(text):
            return False
        if "trouble" not in form.may and (lasting.TROUBLE.search(text) or lasting.CONTRAST.search(text)):
            return False
        if "artifact" not in form.may and forms.ARTIFACT.match(text):
            return False
        return "task" in form.may or not self._is_task()

    def _is_task(self) -> bool:
        if self.chinese:
            return bool(forms.TASK.match(self.masked) or lasting.ZH_TASK.match(self.masked))
        return bool(forms.FIRST_VERB.match(self.masked)) and not lasting.NOUN_FIRST.match(self.masked)
