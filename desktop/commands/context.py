"""`when` clauses: small boolean expressions over named facts, in VS Code's form (`a && !b || c == 'x'`). Pure.

Grammar: `or := and ("||" and)*`, `and := not ("&&" not)*`, `not := "!" not | "(" or ")" | name [("==" | "!=") value]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from desktop.base.phrases import say

Facts = Mapping[str, object]

_TOKEN = re.compile(r"\s*(?:(\|\||&&|==|!=|!|\(|\))|'([^']*)'|\"([^\"]*)\"|([\w.:/-]+))")


class WhenError(ValueError):
    """The clause cannot be read; the text says where."""


@lru_cache(maxsize=512)
def _tokens(clause: str) -> tuple[tuple[str, str], ...]:
    """(kind, text) with kind `op`, `str` or `name`."""
    found: list[tuple[str, str]] = []
    at = 0
    text = clause.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise WhenError(say("“{clause}” cannot be read at character {at}.", clause=clause, at=at + 1))
        operator, single, double, name = match.groups()
        if operator is not None:
            found.append(("op", operator))
        elif name is not None:
            found.append(("name", name))
        else:
            found.append(("str", single if single is not None else double))
        at = match.end()
    return tuple(found)


class _Reader:
    def __init__(self, clause: str, facts: Facts) -> None:
        self._clause = clause
        self._tokens = _tokens(clause)
        self._facts = facts
        self._at = 0

    def whole(self) -> bool:
        value = self._either()
        if self._at != len(self._tokens):
            raise WhenError(say("“{clause}” has something left over: {value}", clause=self._clause, value=self._tokens[self._at][1]))
        return value

    def _take(self, operator: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at] == ("op", operator):
            self._at += 1
            return True
        return False

    def _either(self) -> bool:
        value = self._both()
        while self._take("||"):
            other = self._both()
            value = value or other
        return value

    def _both(self) -> bool:
        value = self._one()
        while self._take("&&"):
            other = self._one()
            value = value and other
        return value

    def _one(self) -> bool:
        if self._take("!"):
            return not self._one()
        if self._take("("):
            value = self._either()
            if not self._take(")"):
                raise WhenError(say("“{clause}” lacks a closing parenthesis.", clause=self._clause))
            return value
        name = self._word()
        if self._take("=="):
            return str(self._facts.get(name, "")) == self._word()
        if self._take("!="):
            return str(self._facts.get(name, "")) != self._word()
        if name in ("true", "false"):
            return name == "true"
        return bool(self._facts.get(name, False))

    def _word(self) -> str:
        if self._at >= len(self._tokens) or self._tokens[self._at][0] == "op":
            raise WhenError(say("“{clause}” ends where a name is expected.", clause=self._clause))
        self._at += 1
        return self._tokens[self._at - 1][1]


def holds(clause: str, facts: Facts) -> bool:
    """Whether `clause` is true of `facts`; an empty clause is true, an unknown name is false.

    Raises:
        WhenError: the clause is malformed.
    """
    return not clause.strip() or _Reader(clause, facts).whole()
