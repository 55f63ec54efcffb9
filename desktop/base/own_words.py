"""What of a message is the person's own: no quotations, code, pasted logs, pages, e-mails, JSON, diffs or stack traces (S11).

Owns where foreign material begins and ends, in English and Chinese. When in doubt a text counts as foreign: a memory that waits for a click
costs less than one that a page wrote. What is then worth remembering is not decided here. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count, islice

from desktop.base import own_patterns as known
from desktop.base.simplified import simplified
from desktop.base.words import word_equivalents

LONGEST_LINE = 8_000
"""Characters of a line beyond which nobody typed it."""

SHORT_QUOTE = 4
"""Word equivalents up to which a quotation is a name or a literal and stays."""

LOOK_BACK = 300
"""Characters before a colon that tell what it introduces."""

MOST_COLONS = 12
"""Colons of a line that are looked at."""

MOST_INTRODUCED = 500
"""Lines with a colon, and quotations, that are looked at; a message with more of them is pasted from there on."""

_JOINTS = " \t,，;；"
_EMPTY = " \t\n.,;:!?。，；：！？、"
MARK = "□"
"""Stands where something foreign was."""


@lru_cache(maxsize=16)
def own_words(text: str) -> str:
    """A person's message without what others wrote; what is left keeps its line breaks. "" when nothing is left."""
    if not text.strip():
        return ""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(MARK, " ")
    plain = known.FENCE.sub(f"\n{MARK}\n", plain)
    plain = _without_tagged(plain)
    for pattern in known.QUOTATIONS:
        plain = pattern.sub(_quotations(), plain)
    kept = "\n".join(map(_not_reported, _own_lines(plain.split("\n")))).replace(MARK, " ")
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", kept)).strip()


def holds_foreign(text: str) -> bool:
    """Whether something in a message is not the person's own: a quotation, code, a pasted page or log."""
    return "".join(own_words(text).split()) != "".join(text.replace(MARK, " ").split())


def own_sentences(text: str) -> list[str]:
    """The sentences of `own_words`, in order."""
    return [sentence.strip() for sentence in known.SENTENCE_END.split(own_words(text)) if sentence.strip(_EMPTY)]


def _not_reported(line: str) -> str:
    """A line without its sentences that only report what a page or a tool says."""
    sentences = known.SENTENCE_END.split(line)
    kept = [_unreported(sentence) for sentence in sentences]
    return line if kept == sentences else " ".join(one.strip(_JOINTS) for one in kept if one.strip(_EMPTY))


def _unreported(sentence: str) -> str:
    kept, end = [], 0
    for match in known.REPORTED.finditer(simplified(sentence)):
        kept.append(sentence[end : match.start()])
        end = match.end()
    return "".join([*kept, sentence[end:]])


def asks_to_remember(text: str) -> bool:
    """Whether the person, in their own words, asks that something be remembered."""
    return any(known.REMEMBER.search(sentence) and not known.NOT_REMEMBER.search(sentence) for sentence in _unmarked(text))


def asks_to_forget(text: str) -> bool:
    """Whether the person, in their own words, asks that something remembered be forgotten."""
    return any(known.FORGET.search(sentence) and not known.NOT_FORGET.search(sentence) for sentence in _unmarked(text))


def _unmarked(text: str) -> Iterator[str]:
    """Own sentences without what stands in quotation marks or code spans, since those words are no order."""
    for sentence in own_sentences(text):
        yield simplified(known.MARKED.sub(f" {MARK} ", sentence))


# --- quotations and tagged text -----------------------------------------------------------------------------------------


def _quotations() -> Callable[[re.Match[str]], str]:
    """What becomes of each quotation: a passage becomes a mark; a name stays, and so does what is asked to be remembered in quotes."""
    seen = count()

    def replace(match: re.Match[str]) -> str:
        if next(seen) > MOST_INTRODUCED:
            return f" {MARK} "
        inside = match.group()[1:-1]
        before = simplified(match.string[max(match.start() - 80, 0) : match.start()])
        if known.OWN_WORD.search(before) and word_equivalents(inside) <= SHORT_QUOTE:
            return match.group()
        if known.REMEMBER_THIS.search(before):
            return f" {inside.strip()} "
        passage = word_equivalents(inside) > SHORT_QUOTE or "\n" in inside
        return f" {MARK} " if passage or known.SAYS_BEFORE.search(before) else match.group()

    return replace


def _without_tagged(text: str) -> str:
    """The text without what stands between an opening and its closing tag, whatever the tag; an unclosed one hides nothing."""
    if "</" not in text:
        return text
    opened: dict[str, int] = {}
    kept: list[str] = []
    position = 0
    for match in known.TAG.finditer(text):
        name = match["name"].lower()
        start = opened.get(name, -1)
        if not match["closing"]:
            if start < position:
                opened[name] = match.start()
        elif start >= position:
            kept += [text[position:start], f" {MARK} "]
            position = match.end()
    return "".join([*kept, text[position:]])


# --- lines --------------------------------------------------------------------------------------------------------------


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    gathered: list[str] = []
    for line in lines:
        if line.strip():
            gathered.append(line)
        elif gathered:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def _own_lines(lines: list[str]) -> Iterator[str]:
    """The person's lines of all paragraphs, a blank line between two paragraphs."""
    foreign = attached = False
    colons = 0
    for paragraph in _paragraphs(lines):
        if foreign and (_is_marked(paragraph[0]) or not (attached and known.BACK.match(simplified(paragraph[0][:200])))):
            if not attached and _is_marked(paragraph[0]):
                foreign = False  # what was announced is marked as such; what follows it is the person's again
                yield from _plain_lines(paragraph)
            continue
        foreign = False
        for number, line in enumerate(paragraph):
            if _starts_mail(paragraph, number):
                return
            colons += ":" in line or "：" in line
            pasted = _is_pasted(paragraph, number) or (colons > MOST_INTRODUCED and known.COLON.search(line))
            own, introduces = _split(line) if not pasted else ("", "")
            if own.strip():
                yield own
            if not introduces:
                continue
            following = paragraph[number + 1 :]
            if introduces == "line" and following:
                break
            if introduces == "next" and following and _is_marked(following[0]):
                continue
            foreign, attached = introduces == "next", bool(following)
            break
        yield ""


def _plain_lines(paragraph: list[str]) -> Iterator[str]:
    for number in range(len(paragraph)):
        if not _is_pasted(paragraph, number):
            yield paragraph[number]
    yield ""


def _is_marked(line: str) -> bool:
    """The line is a quotation or code by its own marks, so that its end can be seen."""
    return line.strip() == MARK or line.lstrip().startswith((">", MARK))


def _starts_mail(paragraph: list[str], number: int) -> bool:
    """The head of an e-mail, or a line that says that one follows: the rest of the message is foreign."""
    line = simplified(paragraph[number][:400])
    if known.MAIL_START.match(line):
        return True
    return bool(
        known.MAIL_HEAD.match(line) and number + 1 < len(paragraph) and known.MAIL_HEAD.match(simplified(paragraph[number + 1][:400]))
    )


def _is_pasted(paragraph: list[str], number: int) -> bool:
    """A line of a log, a trace, a diff, JSON, a table or indented code."""
    line = paragraph[number]
    head = simplified(line[:600])
    if line.strip() == MARK or len(line) > LONGEST_LINE or known.PASTED.match(head):
        return True
    if known.DIFF_LINE.match(head) and any(known.DIFF_START.match(other[:80]) for other in paragraph[max(number - 60, 0) : number + 2]):
        return True
    before = paragraph[number - 1][:600] if number else ""
    return line[0] in " \t" and bool(known.PASTED.match(before) or known.INDENTED_CODE.match(head))


def _split(line: str) -> tuple[str, str]:
    """The person's part of a line, and what its end introduces: "" nothing, "line" the rest of the paragraph, "next" what follows."""
    plain = simplified(line)
    for match in islice(known.COLON.finditer(line), MOST_COLONS):
        clause = known.SENTENCE_END.split(plain[max(match.start() - LOOK_BACK, 0) : match.start()])[-1]
        rest = line[match.end() :].lstrip()
        if not clause.strip() or known.KEEPS.search(clause[-200:]):
            continue
        if known.EXAMPLE.search(clause[-60:]) and word_equivalents(rest) <= SHORT_QUOTE:
            continue
        if not known.INTRODUCES.search(clause[-300:]) and (rest or not known.HEADS.search(clause)):
            continue
        before = line[: match.start() - len(clause)]
        if not rest:
            return before, "next"
        if rest.startswith(MARK):
            return before + rest[1:], ""
        return before, "line"
    return line, ""
