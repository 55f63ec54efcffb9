"""Which sessions hold what is typed into a filter, beyond their titles: found in the index of conversations, off the GUI thread.

The newest text is asked, older answers are dropped. What is not indexed yet, say the sessions of a workspace that was never searched, is
read in the background once somebody looks for something; then the same text is asked again. GUI thread.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.bridge.indexer import Indexer, Report, Stopped
from desktop.bridge.latest import Latest
from desktop.bridge.operations import Failure, Operations
from desktop.ui.controllers.search_work import typed

if TYPE_CHECKING:
    from desktop.compose import Services
    from desktop.sessions.index import SessionSearch

LIMIT = 50
WAIT_MS = 120
"""So long after a key: who types on asks for nothing in between."""
_SHORTEST = re.compile(r"[^\x00-\u02ff]|\w\w")
"""One character of Chinese says something; of a word it takes two."""

Snippet = tuple[str, tuple[tuple[int, int], ...]]
Found = tuple[dict[str, Snippet], dict[str, tuple[str, str]]]
"""By session id: snippet and marks of its best message, the best session first; and that message's id with the first word found in it."""


def content_hits(services: Services, text: str) -> Found:
    """Which sessions hold a text. Blocking."""
    found = services.session_search.search(typed(text), project_key=None, limit=LIMIT, reconcile=False, whose="all")
    hits: dict[str, Snippet] = {}
    places: dict[str, tuple[str, str]] = {}
    for hit in found.hits:
        if not hit.meaning and hit.session_id not in hits:
            hits[hit.session_id] = (hit.snippet, hit.marks)
            start, end = hit.marks[0] if hit.marks else (0, 0)
            places[hit.session_id] = (hit.message_id, hit.snippet[start:end])
    return hits, places


class SessionFinder(QObject):
    """One for each list.

    Args:
        fill: brings the index up to date in the background, then calls back; shared by all lists.

    Signals:
        found(text, hits): `hits` is session id → snippet, best first; to the newest text only.
    """

    found = Signal(str, object)

    def __init__(self, services: Services, operations: Operations, fill: IndexFilling, parent: QObject) -> None:
        super().__init__(parent)
        self._text = ""
        self._places: dict[str, tuple[str, str]] = {}
        self._fill = fill
        self._fill.filled.connect(self.again)
        self._asking = Latest(operations, lambda text: content_hits(services, text), self._on_found, self._on_failed, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._ask)

    @property
    def pending(self) -> bool:
        """An answer is still to come."""
        return self._asking.busy or self._timer.isActive() or (bool(self._text) and self._fill.busy)

    def place_in(self, session_id: str) -> tuple[str, str]:
        """The message of a session that was found for the present text, and the word to be shown in it; empty texts for none."""
        return self._places.get(session_id, ("", "")) if self._text else ("", "")

    def ask(self, text: str) -> None:
        """Another text; `found` follows, unless it is too short to say anything."""
        self._text = text if _SHORTEST.search(text) else ""
        if self._text:
            self._timer.start()
        else:
            self._timer.stop()
            self._asking.drop()

    def again(self) -> None:
        """What can be found may be something else now."""
        if self._text:
            self._ask()

    def close(self) -> None:
        self._timer.stop()
        self._asking.drop()
        self._text = ""

    def _ask(self) -> None:
        self._asking.ask(self._text)
        self._fill.start()

    def _on_found(self, text: str, found: Found) -> None:
        if text == self._text:
            hits, self._places = found
            self.found.emit(text, hits)

    def _on_failed(self, text: str, _failure: Failure) -> None:
        """Titles are filtered all the same; the Search view says what is wrong with the index."""
        self._on_found(text, ({}, {}))


def giving_way(stopped: Stopped, report: Report) -> Stopped:
    """For work that tells no progress: it gives way to the window whenever it asks whether it is stopped."""

    def asked() -> bool:
        report(0, 0)
        return stopped()

    return asked


class IndexFilling(QObject):
    """Reads what is new in all conversations into their index, once for each time that the list changed: ours, then other tools'.

    Signals:
        filled(): it read something.
    """

    filled = Signal()

    def __init__(self, search: SessionSearch, indexer: Indexer, parent: QObject) -> None:
        super().__init__(parent)
        self._search = search
        self._indexer = indexer
        self._whole = True
        self._due = True
        self.busy = False

    def invalidate(self) -> None:
        """Sessions changed: the next search looks at them."""
        self._due = True

    def start(self) -> None:
        if self._due and not self.busy:
            self._due, self.busy = False, True
            self._indexer.run("session-filter", self._job, self._on_done, self._on_failed)

    def _job(self, stopped: Stopped, report: Report) -> int:
        """All sessions the first time, after that only those of which this process heard that they changed."""
        if self._whole:
            own = self._search.reconcile(stopped=stopped, progress=report)
        else:
            own = self._search.refresh(stopped=giving_way(stopped, report))
        return own + self._search.reconcile_others(stopped=giving_way(stopped, report), progress=report)

    def _on_done(self, changed: int) -> None:
        self.busy = self._whole = False
        if changed:
            self.filled.emit()

    def _on_failed(self, _failure: Failure) -> None:
        self.busy = False
