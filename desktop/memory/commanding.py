"""Orders and addresses in a memory: what tells a later reader to do something, in each place that reaches a later conversation (S11).

Owns what counts as commanding, and whether the person said it. A memory's statement is looked at by every verb that can command; its name,
description, headings and reasons only by words that cannot mean anything else, since “deploy day” names a thing. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from desktop.memory.frontmatter import parse
from desktop.memory.injection import holds_injection
from desktop.memory.own_words import supported
from desktop.memory.support import addresses, claim_text

MOST_LINES = 400
"""Lines of a memory that are looked at one by one; the statement as a whole is looked at anyway."""

MOST_COMMANDS = 12
"""Commanding lines that are compared with the person's sentences; a memory with more of them is nobody's sentence."""

_VERB = (
    r"(?:add|allow|append|approve|avoid|call|change|clone|commit|copy|create|curl|delete|deploy|disable|do not|don['’]?t|download|enable"
    r"|execute|export|fetch|forward|give|grant|ignore|include|insert|install|load|mail"
    r"|merge|modify|never|always|obey|open|overwrite|post|print|pull|push|read|remove|replace|reply|report|respond|run|save|send|set"
    r"|share|skip|start|stop|store|submit|tell|treat|trust|turn|update|upload|use|visit|write)"
)
_IMPERATIVE = re.compile(
    r"(?im)^[\W_]*(?:(?:please|always|never|you (?:must|should|have to|need to)|make sure|be sure|important:?|note:?|remember to|first"
    r"|then|before|after|when(?:ever)?\b[^,\n]{1,80},|from now on,?|on every \w+,?)\s+)*"
    rf"{_VERB}\b"
    r"|^[\W_]*(?:请|务必|必须|应当|应该|总是|始终|一律|永远|每次|不要|别|禁止|切勿|千万|记得|先|以后|今后|从现在起)"
    r"|\b(?:agents?|assistants?|models?|you|ai)\s+(?:must|should|have to|need to|will always|shall)\b|(?:助手|代理|模型|智能体"
    r"|你)(?:必须|应当|应该|务必|需要"
    r"|要)"
)
_UNMISTAKABLE = re.compile(
    r"(?i)\b(?:always|never|must(?: not)?|do not|don['’]?t|from now on|make sure|be sure to|no matter what|whatever (?:they|he|she|it))\b"
    rf"|^[\W_]*(?:please\s+)?{_VERB}\s+(?:all|any|every\w*|what(?:ever)?|anything|them|this|these|it)\b"
    r"|务必|必须|始终|一律|永远|总是|每次都|不要|禁止|切勿|千万别|从现在起|无需(?:询问|确认)|不用(?:问|确认)"
)
_WORD = re.compile(r"\w+")
_LABEL = re.compile(r"^[\W_]{0,8}[\w /()（）]{1,30}[*_]{0,3}\s{0,2}[:：][*_]{0,3}\s*")
_LINK = re.compile(r"^\s*(?:[-*+]\s+)?\[[^\]\n]{0,300}\]\([^)\n]{0,600}\)\s*[—–:：-]*\s*")


def is_commanding(statement: str) -> bool:
    """Whether a statement gives an order or leads elsewhere: an imperative, a web or mail address, words to future agents."""
    return bool(_IMPERATIVE.search(statement) or addresses(statement) or holds_injection(statement))


def commands_of_others(text: str, said: Sequence[str], now: datetime) -> bool:
    """Whether a memory holds an order or an address, in whatever place, that no sentence of the person says.

    Args:
        text: a whole note, or the lines that are new in one, or lines of an index.
        said: the person's messages.
        now: when they were written, in the person's time zone.
    """
    statement = claim_text(text)
    lines = [_LINK.sub("", line) for line in statement.splitlines()[:MOST_LINES]]
    stated = [line for line in lines if line.strip() and is_commanding(line)]
    held = set(_WORD.findall(statement.casefold()))
    more = (line for line in _beside(text, statement) if not held.issuperset(_WORD.findall(line.casefold())))  # the rest adds nothing
    beside = [line for line in more if _UNMISTAKABLE.search(line) or addresses(line) or holds_injection(line)]
    commands = list(dict.fromkeys([*stated, *beside]))
    return len(commands) > MOST_COMMANDS or any(not supported(line, said, now) for line in commands)


def _beside(text: str, statement: str) -> Iterator[str]:
    """What of a note is not its statement: name, description, headings, and lines behind a label such as “How to apply:”."""
    document = parse(text.encode("utf-8", "surrogatepass"))
    stated = {line.strip() for line in statement.splitlines()}
    if document.header is not None:
        yield from (value for value in (re.sub(r"[-_]+", " ", document.name or ""), document.description) if value)
    for line in document.body.splitlines()[:MOST_LINES]:
        plain = _LABEL.sub("", line).strip("#*_> \t")
        if plain and line.strip() not in stated and plain not in stated:
            yield plain
