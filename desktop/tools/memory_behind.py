"""The sentence of the person that stands behind a memory: which message it was said in, how it reads, and whether it asks to remember.

Owns the search among the messages that the memory keeper looks at, and the wish to forget. Changes nothing. Blocking for a moment in the
language tables: called in worker threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop.tools.base import Said

LONGEST_QUOTE = 160
"""Characters of the person's sentence that go into the journal."""

_FORGETTING = frozenset(["forget", "delete", "remove", "memory", "note", "忘掉", "忘记", "忘了", "删除", "删掉", "记忆"])
"""Words of the wish itself, in the form in which they are compared."""


@dataclass(frozen=True, slots=True)
class Behind:
    """The message behind a memory and its sentence; without one the newest message that was looked at, and no quote."""

    message_id: str
    quote: str = ""
    explicit: bool = False


def behind(text: str, said: Sequence[Said], otherwise: str) -> Behind:
    """What stands behind a text, the newest message first; `otherwise` is the id of the message when nothing does."""
    from desktop.memory.own_words import asks_to_remember, own_sentences, supported
    from desktop.memory.support import is_asked_for

    def backs(one: str) -> bool:
        return supported(text, [one]) or is_asked_for(text, [one], None)

    for one in reversed(said):
        if not backs(one.text):
            continue
        sentences = own_sentences(one.text)
        quote = next((sentence for sentence in sentences if backs(sentence)), sentences[0] if sentences else one.text)
        return Behind(one.message_id, shortened(quote), asks_to_remember(one.text))
    if len(said) > 1 and supported(text, [one.text for one in said]):
        return Behind(said[-1].message_id, shortened(said[-1].text), any(asks_to_remember(one.text) for one in said))
    return Behind(otherwise)


def wish_to_forget(said: Iterable[Said]) -> Said | None:
    """The newest message that asks to forget something."""
    from desktop.memory.own_words import asks_to_forget

    return next((one for one in reversed(tuple(said)) if asks_to_forget(one.text)), None)


def may_mean(text: str, said: Iterable[Said]) -> bool:
    """Whether the person lately said a word that tells what a text is about, in either language."""
    from desktop.memory.own_words import own_words

    asked = "\n".join(own_words(one.text) for one in said)
    return not (_telling(asked, both=True) - _FORGETTING).isdisjoint(_telling(text))


def _telling(text: str, *, both: bool = False) -> set[str]:
    """Words that tell what a text is about, stemmed; `both`: with their equivalents in the other language."""
    from desktop.search.glossary import others
    from desktop.search.porter import porter
    from desktop.search.segment import is_telling, query_terms

    terms = [term for term in query_terms(text) if is_telling(term)]
    terms += [term for term in others(text) if is_telling(term)] if both else []
    return {porter(part) for term in terms for part in term.shown.split()}


def shortened(text: str) -> str:
    """A sentence on one line, at most `LONGEST_QUOTE` characters."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE else f"{line[: LONGEST_QUOTE - 1]}…"


def outside_line(text: str) -> str:
    """The line of a memory that a person should see first: the one with orders in it, else the first that says something."""
    from desktop.memory.frontmatter import parse
    from desktop.memory.injection import holds_injection

    body = parse(text.encode("utf-8", "surrogatepass")).body
    lines = [line.strip() for line in body.splitlines() if re.search(r"\w", line)]
    return shortened(next((line for line in lines if holds_injection(line)), lines[0] if lines else ""))
