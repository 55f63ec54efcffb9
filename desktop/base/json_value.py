"""Plain JSON values as they are: changed text by text, and made fit for every reader of JSON. Pure.

Nothing here calls itself for each level: a value may be nested as deeply as a reader of JSON lets it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

Leaf = Callable[[Any, str], Any]


def mapped(value: Any, leaf: Leaf, key: Callable[[str], str] = str) -> Any:
    """A copy of a value with each of its ends and keys changed; tuples become lists, of keys that become one the last value stays.

    Args:
        leaf: is given what is no dict and no list, and the key under which it stands, empty in a list.
    """
    top: list[Any] = [value]
    todo: list[tuple[Any, Any]] = [(top, 0)]
    while todo:
        holder, place = todo.pop()
        old = holder[place]
        if isinstance(old, dict):
            new: Any = {key(str(name)): inner for name, inner in old.items()}
            todo += [(new, name) for name in new]
        elif isinstance(old, (list, tuple)):
            new = list(old)
            todo += [(new, number) for number in range(len(new))]
        else:
            new = leaf(old, place if isinstance(place, str) else "")
        holder[place] = new
    return top[0]


def is_deeper(value: Any, levels: int) -> bool:
    """Whether more than so many dicts and lists stand in each other."""
    todo = [(value, 1)]
    while todo:
        one, level = todo.pop()
        if isinstance(one, (dict, list, tuple)):
            if level > levels:
                return True
            todo += [(inner, level + 1) for inner in (one.values() if isinstance(one, dict) else one)]
    return False


def finite(value: Any) -> Any:
    """A JSON value with every number that JSON does not know (infinite, or none) written as text."""
    return mapped(value, lambda one, _: repr(one) if isinstance(one, float) and not math.isfinite(one) else one)


def dumps(value: Any, *, ascii_only: bool = False, compact: bool = False) -> str:
    """One line of JSON that every reader takes.

    Raises:
        TypeError, ValueError, RecursionError: it is no JSON value, or nested too deeply for the interpreter.
    """
    separators = (",", ":") if compact else None
    try:
        return inert(json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, separators=separators))
    except ValueError:
        return inert(json.dumps(finite(value), ensure_ascii=ascii_only, allow_nan=False, separators=separators))


_SIGNS = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Controls of a terminal, ends of lines, and signs that turn the direction of writing: JSON leaves them as they are."""


def inert(text: str) -> str:
    """JSON in which such signs are escaped. They stand in strings only, so that it means the same."""
    return text if text.isascii() and "\x7f" not in text else _SIGNS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
