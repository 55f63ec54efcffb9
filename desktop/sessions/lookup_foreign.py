"""Where a found message of another tool's session stands: its session as it is now, its number in the live branch, the messages beside it.

Numbers come from the index, which was made from the whole session; the messages beside a hit are read anew. Writes nothing. Thread-safe,
blocking.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.messages.parts import Message
from desktop.search.index import SearchIndex
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.found import Neighbourhood
from desktop.sessions.index_foreign import foreign_block, state_of_known, title_of_known
from desktop.sessions.lines import Seen
from desktop.sessions.lookup import Place, Standing, beside
from desktop.sessions.skeleton import Skeleton
from desktop.sessions.transcript import LoadedTranscript


class ForeignLookup:
    """Answers about the sessions of other tools that are known and switched on."""

    def __init__(self, foreign: ForeignSessions, index: SearchIndex) -> None:
        self._foreign = foreign
        self._index = index

    def stands(self, session_id: str) -> Standing | None:
        """Where the session's file is; None when it is gone or switched off."""
        try:
            known = self._foreign.known_of(session_id)
        except NotFoundError:
            return None
        path = Path(known.path)
        return Standing(session_id, path, state_of_known(known), known.size) if path.exists() else None

    def place(self, standing: Standing) -> Place:
        """The session with its title, project, workspace and tool.

        Raises:
            NotFoundError: not known any more, or switched off.
        """
        known = self._foreign.known_of(standing.id)
        summary = known.summary
        project = self._foreign.project_of(summary.workspace)
        return Place(standing, title_of_known(known) or standing.id, project, summary.workspace, summary.source)

    def live_numbers(self, session_id: str) -> LiveNumbers:
        """Numbers in the live branch, as the session was when it was indexed."""
        return LiveNumbers(self._index.fingerprints(f"{session_id}/"))

    def around(self, session_id: str, message: int | str, before: int, after: int, words: Sequence[str]) -> Neighbourhood:
        """See `SessionSearch.around`."""
        standing = self.stands(session_id)
        if standing is None:
            raise NotFoundError(say("There is no session {session_id}.", session_id=session_id))
        place = self.place(standing)
        try:
            loaded = self._foreign.load(session_id)
        except OSError as error:
            raise StorageError(
                say("The session {session_id} cannot be read ({reason}).", session_id=session_id, reason=os_reason(error)),
                hint=say("Check {path}.", path=standing.path),
                detail=str(error),
            ) from error

        def read(at: int) -> Message | None:
            return loaded.messages[at]

        return beside(place, _LoadedSkeleton.of(loaded), read, message, before, after, words)


class LiveNumbers:
    """By number in the file, the number in the live branch."""

    def __init__(self, fingerprints: dict[str, str]) -> None:
        self._blocks = [block for value in fingerprints.values() if (block := foreign_block(value)) is not None]

    def of(self, number: int) -> int | None:
        """None for a message of another branch."""
        return next((found for block in self._blocks if (found := block.live_number(number)) is not None), None)


class _LoadedSkeleton(Skeleton):
    """The bones of a session that was read whole; its live branch leaves out what sub-agents said, which parents alone do not tell."""

    @classmethod
    def of(cls, loaded: LoadedTranscript) -> _LoadedSkeleton:
        made = cls()
        for message in loaded.messages:
            made.add(Seen(message.id, message.parent, None), 0)
        made.branch = [made.places[message.id] for message in loaded.live]
        made.leaf = made.branch[-1] if made.branch else -1
        return made

    def __init__(self) -> None:
        super().__init__()
        self.branch: list[int] = []

    def upwards(self, place: int) -> list[int]:
        return list(self.branch) if place == self.leaf else super().upwards(place)

    def branch_of(self, place: int) -> list[int]:
        """What a sub-agent said may stand between the messages of the conversation: then with all that is around it."""
        return list(self.branch) if self.live_number(place) is not None else super().upwards(self.end_of(place))
