"""What the Search view asks for, as a value, and how it is kept over a restart. Reading is tolerant. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from desktop.base.redact import redact

TYPES = ("user", "feedback", "project", "reference")
"""Types of memory that can be asked for, in the order of the menu."""
LONGEST_KEPT = 2_000
"""Characters of a query that come back after a restart; a pasted novel is not kept."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for and where.

    Attributes:
        text: the words.
        memory, sessions: which of the two are searched; at least one is.
        everywhere: all projects, not only the opened one.
        type: only memories of this type; empty for all. It says nothing of sessions.
    """

    text: str = ""
    memory: bool = True
    sessions: bool = True
    everywhere: bool = False
    type: str = ""

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def to_json(query: SearchQuery) -> dict[str, Any]:
    """As it is stored. A query that holds what looks like a secret is not."""
    text = query.text if len(query.text) <= LONGEST_KEPT and redact(query.text) == query.text else ""
    return {"text": text, "memory": query.memory, "sessions": query.sessions, "everywhere": query.everywhere, "type": query.type}


def from_json(value: Any) -> SearchQuery:
    """What is stored, whatever it holds."""
    data = value if isinstance(value, dict) else {}
    text, kind = data.get("text"), data.get("type")
    found = SearchQuery(
        text=text if isinstance(text, str) and len(text) <= LONGEST_KEPT else "",
        memory=data.get("memory") is not False,
        sessions=data.get("sessions") is not False,
        everywhere=data.get("everywhere") is True,
        type=kind if kind in TYPES else "",
    )
    return found if found.memory or found.sessions else replace(found, memory=True, sessions=True)
