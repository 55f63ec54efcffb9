"""Every session that can be read here: our own, and those of other tools. One door for lists, views and ReadSessionContext.

Writes nothing: what changes a session goes to `SessionStore`. Blocking, any thread.
"""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.sessions.context import Material
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import SessionSummary
from desktop.sessions.transcript import LoadedTranscript


class AllSessions:
    """See the module's text.

    Attributes:
        own: our store.
        foreign: the sessions of other tools.
    """

    def __init__(self, own: SessionStore, foreign: ForeignSessions) -> None:
        self.own = own
        self.foreign = foreign

    @staticmethod
    def is_foreign(session_id: str) -> bool:
        """Whether an id belongs to a session of another tool: read only, its calls inert."""
        return is_foreign(session_id)

    def list(self, project_key: str | None = None) -> list[SessionSummary]:
        """Sessions of a project, or of all, newest first.

        Raises:
            StorageError: a folder of ours is there but cannot be listed.
        """
        foreign = [one for one in self.foreign.list() if project_key is None or one.project_key == project_key]
        found = [*self.own.list(project_key), *foreign]
        return sorted(found, key=lambda one: (one.updated, one.id), reverse=True) if foreign else found

    def find(self, session_id: str) -> SessionSummary:
        """Raises NotFoundError when there is no such session."""
        return self.foreign.find(session_id) if is_foreign(session_id) else self.own.find(session_id)

    def load(self, session_id: str) -> LoadedTranscript:
        """Raises NotFoundError when there is no such session."""
        return self.foreign.load(session_id) if is_foreign(session_id) else self.own.load(session_id)

    def foreign_material(self, session_id: str, query: str = "") -> Material:
        """A session of another tool, to be asked that question; takes less memory than `load`.

        Raises:
            NotFoundError: there is no such session.
        """
        return self.foreign.material(session_id, query)

    def side_file(self, session_id: str, digest: str) -> bytes:
        """A picture or big output of a session of ours, as `SessionStore.side_file`; those of other tools have theirs in the messages.

        Raises:
            NotFoundError: there is none, or it is lost.
        """
        return self.own.side_file(session_id, digest)

    def path_of(self, session_id: str) -> Path:
        """The transcript of one of our own; foreign ones are read through `load`.

        Raises:
            NotFoundError: no such session of ours.
        """
        if is_foreign(session_id):
            raise NotFoundError(say("The session {session_id} belongs to another tool.", session_id=session_id))
        return self.own.path_of(session_id)
