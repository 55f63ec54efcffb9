"""Names of settings of other systems that mean one of ours, so that a settings file brought along is understood (UI-12).

Owns the names and how their values read here. What stands under our own name beats an alias. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_NOT_OURS = object()


def _off_when_true(value: Any) -> Any:
    """Only a literal true switches something off."""
    return False if value is True else _NOT_OURS


def _off_when_false(value: Any) -> Any:
    return False if value is False else _NOT_OURS


def _same(kind: type | tuple[type, ...]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return value if isinstance(value, kind) else _NOT_OURS

    return read


def _claude_code(value: Any) -> Any:
    return ["claude-code"] if value is True else _NOT_OURS


ALIASES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "memory.disable_write": ("memory.write", _off_when_true),
    "memory.cc_index": ("memory.foreign", _claude_code),
    "checkpoint.memory_reconcile_on_search": ("checkpoint.reconcile_on_search", _same(bool)),
    "checkpoint.memory_search_score_floor": ("checkpoint.score_floor", _same((int, float))),
    "autoMemoryEnabled": ("memory.use", _off_when_false),
    "autoMemoryDirectory": ("memory.directory", _same(str)),
}
"""Alias → our key, and how its value reads. A switch can only be turned off by one: to turn on is the person's own word here."""


def aliases_of(key: str) -> Iterator[str]:
    """The aliases that mean one of our settings."""
    return (alias for alias, (ours, _read) in ALIASES.items() if ours == key)


def meant(alias: str, value: Any) -> tuple[str, Any] | None:
    """Our key and value, or None for a value that says nothing here."""
    ours, read = ALIASES[alias]
    found = read(value)
    return None if found is _NOT_OURS else (ours, found)
