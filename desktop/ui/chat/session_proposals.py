"""What `#` in the composer proposes: sessions by their titles, at once, and by what was said in them, as soon as the index has answered.

Owns the order; the finder asks the index off the GUI thread, so a key never waits. GUI thread; does no I/O.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from desktop.commands.fuzzy import match
from desktop.sessions.summary import SessionSummary
from desktop.ui.chat.completion import Completion
from desktop.ui.sessions.facts import OWN, SUB_AGENT, messages_text, place_text, preview_text, source_name, title_text
from desktop.ui.sessions.filtering import folded, haystack

MOST = 20
LETTERS_AMONG = 2_000
"""The newest sessions are matched letter by letter too; of the others a piece of the title has to be typed."""
HERE = 15
"""What a session of the opened folder is worth more than one of another."""

Hits = Mapping[str, tuple[str, tuple[tuple[int, int], ...]]]


class Finder(Protocol):
    """Searches what was said; `found(text, hits)` is its signal, with session id → snippet and marks, the best first."""

    found: Any

    def ask(self, text: str) -> None:
        """Another text; an empty one drops the question."""
        ...


class SessionProposals(QObject):
    """One for a composer.

    Signals:
        changed(): more is known for the word that was asked last.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sessions: Sequence[SessionSummary] = ()
        self._by_id: dict[str, SessionSummary] = {}
        self._texts: Sequence[str] = ()
        self._finder: Finder | None = None
        self._word = ""
        self._hits: Hits = {}

    def set_sessions(self, sessions: Sequence[SessionSummary], texts: Sequence[str] = ()) -> None:
        """What is proposed, newest first. `texts`: their folded texts, the title on the first line, where these are at hand."""
        self._sessions = sessions
        self._by_id = {one.id: one for one in sessions}
        self._texts = texts if len(texts) == len(sessions) else ()

    def set_finder(self, finder: Finder) -> None:
        self._finder = finder
        finder.found.connect(self._on_found)

    def find(self, session_id: str) -> SessionSummary | None:
        """A listed session."""
        return self._by_id.get(session_id)

    def ask(self, word: str, *, own: str = "", folder: str = "") -> list[Completion]:
        """What is known for a word by now, the best first; `changed` follows when there is more.

        Args:
            own: id of the open session, which is not proposed.
            folder: the opened one; its sessions come first among equals, and need no name of a folder.
        """
        if word != self._word:
            self._word, self._hits = word, {}
            if self._finder is not None:
                self._finder.ask(word)
        found = self._ranked(folded(word), folder) if word else self._sessions
        return [self._completion(one, folder) for one in _first(found, own)]

    def _on_found(self, text: str, hits: Hits) -> None:
        if text == self._word and text and dict(hits) != dict(self._hits):
            self._hits = hits
            self.changed.emit()

    # --- order -------------------------------------------------------------------------------------------------------

    def _ranked(self, word: str, folder: str) -> Iterator[SessionSummary]:
        """Pieces of titles, then what was said, then what stands elsewhere in the list, then scattered letters of titles."""
        titles: list[tuple[int, SessionSummary]] = []
        elsewhere: list[SessionSummary] = []
        letters: list[tuple[int, SessionSummary]] = []
        for number, (session, text) in enumerate(zip(self._sessions, self._folded(), strict=False)):
            title = text.partition("\n")[0]
            bonus = HERE if folder and session.workspace == folder else 0
            bonus -= 2 * HERE if session.kind == SUB_AGENT else 0
            if word in title:
                hit = match(word, title)
                titles.append(((hit.score if hit else 0) + bonus, session))
            elif word in text:
                elsewhere.append(session)
            elif number < LETTERS_AMONG and (hit := match(word, title)) is not None:
                letters.append((hit.score + bonus, session))
        yield from _best(titles)
        yield from (self._by_id[one] for one in self._hits if one in self._by_id)
        yield from elsewhere
        yield from _best(letters)

    def _folded(self) -> Sequence[str]:
        if not self._texts:
            self._texts = [haystack(one) for one in self._sessions]
        return self._texts

    def _completion(self, session: SessionSummary, folder: str) -> Completion:
        snippet, marks = self._hits.get(session.id, ("", ()))
        title = title_text(session)
        if snippet and folded(self._word) not in folded(session.title):
            return Completion(f"#{session.id}", title, snippet, marks)
        facts = (
            source_name(session.source) if session.source != OWN else "",
            place_text(session, here=session.workspace == folder),
            messages_text(session.messages),
            preview_text(session),
        )
        return Completion(f"#{session.id}", title, " · ".join(one for one in facts if one))


def _best(scored: list[tuple[int, SessionSummary]]) -> Iterator[SessionSummary]:
    return (session for _, session in sorted(scored, key=lambda pair: -pair[0]))


def _first(found: Iterator[SessionSummary] | Sequence[SessionSummary], own: str) -> list[SessionSummary]:
    """The first few, each once."""
    taken: dict[str, SessionSummary] = {}
    for one in found:
        if one.id != own:
            taken.setdefault(one.id, one)
        if len(taken) == MOST:
            break
    return list(taken.values())
