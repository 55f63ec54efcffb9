"""What the filter of the session list looks into, and the choices of what the list shows. Pure: any thread may prepare it.

Folded: case, width and compatibility forms do not matter, nor whether Chinese is written in traditional or simplified characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.base.simplified import simplified

if TYPE_CHECKING:
    from desktop.sessions.summary import SessionSummary

BY_DAY, BY_WORKSPACE = "day", "workspace"


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What the lists of sessions show.

    Attributes:
        group: BY_DAY or BY_WORKSPACE.
        archived: archived sessions too.
        everywhere: sessions of other workspaces too.
    """

    group: str = BY_DAY
    archived: bool = False
    everywhere: bool = True

    def to_json(self) -> dict[str, Any]:
        """For the window's state."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> ListOptions:
        """The choices in a parsed value, whatever it holds."""
        data = value if isinstance(value, dict) else {}
        group = BY_WORKSPACE if data.get("group") == BY_WORKSPACE else BY_DAY
        return cls(group, data.get("archived") is True, data.get("everywhere") is not False)


def folded(text: str) -> str:
    """As texts are compared."""
    if text.isascii():
        return text.lower()
    return simplified(unicodedata.normalize("NFKC", text).casefold())


def haystack(session: SessionSummary) -> str:
    """What the filter looks into, folded. Chinese is found by any run of its characters."""
    return folded(
        f"{session.title}\n{session.preview}\n{session.workspace}\n{session.id}\n{session.model}\n{session.branch}\n{session.source}"
    )


def words_of(text: str) -> tuple[str, ...]:
    """What must be found, each word for itself: a word is a run without blanks. The `#` of a reference is left out."""
    return tuple(folded(word.removeprefix("#")) for word in text.split())


def marks_in(text: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """(start, end) of each word in a text; nothing for a text whose folding moves its characters."""
    plain = folded(text)
    if len(plain) != len(text):
        return ()
    found: list[tuple[int, int]] = []
    for word in words:
        at = plain.find(word) if word else -1
        while at >= 0 and len(found) < 50:
            found.append((at, at + len(word)))
            at = plain.find(word, at + len(word))
    return tuple(found)


def joined(marks: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """(start, end) of several marks in order, those that touch or overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


@dataclass(slots=True)
class Haystacks:
    """Folded texts of sessions, made once each: a list that is read anew costs what changed in it."""

    known: Mapping[str, tuple[SessionSummary, str]] = field(default_factory=dict)

    def of(self, sessions: Sequence[SessionSummary]) -> list[str]:
        """One for each session, in their order. Not for two threads at once."""
        before = self.known
        now: dict[str, tuple[SessionSummary, str]] = {}
        for session in sessions:
            known = before.get(session.id)
            now[session.id] = known if known is not None and known[0] == session else (session, haystack(session))
        self.known = now
        return [now[session.id][1] for session in sessions]
