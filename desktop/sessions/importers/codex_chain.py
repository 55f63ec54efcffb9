"""The messages of a rollout in a chain, each behind the one before; turns that were taken back stay as a branch beside. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.sessions.importers.codex_items import Item
from desktop.sessions.importers.shapes import ImportedMessage, replaced


@dataclass(frozen=True, slots=True)
class Mark:
    """What happened between messages: so many of the person's turns were taken back, or so many tokens were counted."""

    turns: int = 0
    tokens: int = 0


def chained(taken: list[Item | Mark]) -> tuple[tuple[ImportedMessage, ...], str | None]:
    """The messages, each behind the one before; behind turns that were taken back goes another branch. And the live branch's last one."""
    messages: dict[str, ImportedMessage] = {}
    live: list[str] = []
    for entry in taken:
        if isinstance(entry, Mark):
            _count(live, entry.tokens, messages)
            _take_back(live, entry.turns, messages)
            continue
        message = replaced(entry.message, parent=live[-1] if live else None)
        known = messages.get(message.id)
        if known is not None and _says(known) == _says(message):
            continue
        number = 1
        while message.id in messages:
            number += 1
            message = replaced(message, id=f"{entry.message.id}.{number}")
        messages[message.id] = message
        live.append(message.id)
    return tuple(messages.values()), live[-1] if live else None


def _says(message: ImportedMessage) -> tuple[object, ...]:
    return message.role, message.text, message.thinking, message.tool_calls, message.tool_results


def _count(live: list[str], tokens: int, messages: dict[str, ImportedMessage]) -> None:
    """Tokens of a request go to the last message of the model before they are told."""
    found = next((one for one in reversed(live[-50:]) if messages[one].role == "assistant"), None) if tokens else None
    if found is not None:
        messages[found] = replaced(messages[found], tokens=messages[found].tokens + tokens)


def _take_back(live: list[str], turns: int, messages: dict[str, ImportedMessage]) -> None:
    while turns > 0 and live:
        last = messages[live.pop()]
        turns -= last.role == "user" and not last.hidden
