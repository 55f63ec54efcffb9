"""One row of the settings page as a value, and the names of the page's categories. Pure."""

from __future__ import annotations

from dataclasses import dataclass

MEMORY, MODELS, AGENT, SESSIONS, APPEARANCE, ADVANCED = "memory", "models", "agent", "sessions", "appearance", "advanced"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row.

    Attributes:
        key: in the schema.
        category: one of the constants above.
        title, description: in the window's language.
        choices: (value, label) of a choice, in order.
        suffix: unit after a number, or empty.
        zero: what 0 means, or empty.
    """

    key: str
    category: str
    title: str
    description: str
    choices: tuple[tuple[str, str], ...] = ()
    suffix: str = ""
    zero: str = ""
