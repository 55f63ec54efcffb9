"""The sessions of other tools within the search over conversations: kept in step under a lock of their own, found while switched on.

Reading them may take minutes, so that it never holds up the reading of ours. What is switched off or gone is no hit from that moment on,
whatever the index still holds. Thread-safe, blocking.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from desktop.base.errors import NotFoundError
from desktop.search.index import SearchIndex
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.foreign_table import KnownSession
from desktop.sessions.found import Neighbourhood
from desktop.sessions.index_fill import Filled, Progress
from desktop.sessions.index_foreign import SCOPE, ForeignFilling
from desktop.sessions.lines import Stopped
from desktop.sessions.lookup import Place, Standing
from desktop.sessions.lookup_foreign import ForeignLookup, LiveNumbers

ASKED_S = 0.1
"""How often somebody who waits asks whether it is still wanted."""
NOT_NOW = Filled(0, False)


class OtherTools:
    """One for a search."""

    def __init__(self, foreign: ForeignSessions, index: SearchIndex) -> None:
        self._foreign = foreign
        self._index = index
        self._lookup = ForeignLookup(foreign, index)
        self._filling = threading.Lock()
        self._problems: dict[str, str] = {}

    def fill(
        self,
        project_keys: Sequence[str] | None,
        session_id: str | None,
        stopped: Stopped,
        progress: Progress | None,
        *,
        look: bool = False,
        wait_s: float | None = None,
    ) -> Filled:
        """Read what changed; see `SessionSearch.reconcile_others`.

        Args:
            session_id: only this one is read.
            wait_s: how long to wait for somebody else who reads; None: until that is done.

        Raises:
            StorageError: the index cannot be written now.
        """
        if not self._acquired(stopped, wait_s):
            return NOT_NOW
        try:
            looked = not look or self._foreign.looked or not self._foreign.is_on
            if not looked:
                self._foreign.refresh(stopped)
                looked = self._foreign.looked
            filling = ForeignFilling(self._foreign, self._index, stopped, progress)
            filled = filling.run(lambda known: self._is_wanted(known, project_keys, session_id))
            self._problems = {name: text for name, text in self._problems.items() if project_keys is not None or session_id is not None}
            self._problems |= filling.problems
            return filled if looked else Filled(filled.changed, False, filled.problems)
        finally:
            self._filling.release()

    def _acquired(self, stopped: Stopped, wait_s: float | None) -> bool:
        """Whether it is this one's turn; who waits for long still ends when told to."""
        if wait_s is not None:
            return self._filling.acquire(timeout=wait_s)
        while not self._filling.acquire(timeout=ASKED_S):
            if stopped():
                return False
        return True

    def _is_wanted(self, known: KnownSession, project_keys: Sequence[str] | None, session_id: str | None) -> bool:
        if session_id is not None:
            return known.summary.id == session_id
        return project_keys is None or self._foreign.project_of(known.summary.workspace) in project_keys

    def problems(self, keys: Sequence[str | None] | None, session_id: str | None) -> list[str]:
        """Why sessions of these projects, or that one, cannot be searched."""
        wanted = None if keys is None else [key for key in keys if key is not None]
        problems = self._problems
        if not problems:
            return []
        return [
            problems[one.summary.id]
            for one in self._foreign.known()
            if one.summary.id in problems and self._is_wanted(one, wanted, session_id)
        ]

    # --- searching -------------------------------------------------------------------------------------------------------

    def scopes(self, keys: Sequence[str | None]) -> list[tuple[str, str | None]]:
        """Where in the index the sessions of these projects are; nothing while they are switched off."""
        if None in keys:
            return [(SCOPE, None)] if self._foreign.is_on else []
        folders = {known.summary.workspace for known in self._foreign.known()}
        return [(SCOPE, folder) for folder in sorted(folders) if self._foreign.project_of(folder) in keys]

    def stands(self, session_id: str) -> Standing | None:
        return self._lookup.stands(session_id)

    def place(self, standing: Standing) -> Place | None:
        """None when it was switched off or is gone."""
        try:
            return self._lookup.place(standing)
        except NotFoundError:
            return None

    def live_numbers(self, session_id: str) -> LiveNumbers:
        """The numbers of a session's messages in its live branch."""
        return self._lookup.live_numbers(session_id)

    def around(self, session_id: str, message: int | str, before: int, after: int, words: Sequence[str]) -> Neighbourhood:
        """See `SessionSearch.around`."""
        return self._lookup.around(session_id, message, before, after, words)
