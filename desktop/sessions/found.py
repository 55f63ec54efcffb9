"""What a search over conversations gives: hits, the messages beside one, and notes for the person. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from desktop.base.phrases import Phrase, say

OWN = "keepsake"
"""The source of our own sessions."""


@dataclass(frozen=True, slots=True)
class SessionHit:
    """One message that was found.

    Attributes:
        session_id, title, project_key, workspace, path: the session; its title is on one line, secrets masked.
        message: its number in the live branch, from 1, which is what citations name; None when it is on another branch.
        number: its number in the file, from 1.
        message_id: `msg_…`.
        role: user, assistant or tool: who said what was found. A tool's input stands in a message of the assistant.
        time: of the message, aware UTC.
        snippet: one line, secrets masked; `marks` are (start, end) in it.
        score: the first hit's is 1; hits come in its order.
        words: words of the question that it holds.
        all_words: it holds every one of them.
        meaning: it was found by meaning alone.
        text: the section of the message that was found.
        source: the tool that held the session: keepsake, claude-code, codex, …
    """

    session_id: str
    title: str
    project_key: str
    workspace: str
    path: Path
    message: int | None
    number: int
    message_id: str
    role: str
    time: datetime
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    words: tuple[str, ...]
    all_words: bool
    meaning: bool
    text: str
    source: str = OWN

    @property
    def live(self) -> bool:
        return self.message is not None

    @property
    def place(self) -> str:
        """What `around` takes: the number in the live branch, else the message's id."""
        return self.message_id if self.message is None else str(self.message)

    @property
    def why(self) -> Phrase:
        """A few words for the person."""
        if self.meaning:
            return say("found by its meaning")
        return say("holds all words") if self.all_words else say("holds {words}", words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class SessionFound:
    """Hits, best first, and what the person should know of how they were found.

    Attributes:
        complete: every conversation that was asked for had been indexed.
    """

    hits: tuple[SessionHit, ...]
    notes: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message beside a hit, cut; numbers as in `SessionHit`. `asked`: the one that was asked for."""

    message: int | None
    number: int
    message_id: str
    role: str
    time: datetime
    text: str
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Messages of one branch in their order.

    Attributes:
        live: the branch is the live one.
        earlier, later: how many messages of the branch stand before and after those given.
        source: the tool that held the session.
    """

    session_id: str
    title: str
    project_key: str
    workspace: str
    live: bool
    messages: tuple[Neighbour, ...]
    earlier: int
    later: int
    source: str = OWN
