"""The transcripts of one profile: create, open, read, list, rename, move to the trash. One file a session, in its project's folder.

`<data>/sessions/<project key>/<session id>.jsonl`. Nothing is ever deleted. Any thread; reading and writing block.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import desktop
from desktop.base.clock import Clock
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.events import Emitter
from desktop.base.ids import SESSION_ID, new_session_id
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.sessions.handle import SessionHandle, WriterLock, make_appendable
from desktop.sessions.incognito import IncognitoHandle
from desktop.sessions.list_cache import FileState, ListCache
from desktop.sessions.record import SCHEMA, SessionHeader
from desktop.sessions.summary import SessionSummary, read_summary
from desktop.sessions.transcript import LoadedTranscript, read_transcript

__all__ = ["SessionHandle", "SessionHeader", "SessionStore", "SessionSummary"]

SUFFIX = ".jsonl"
LIST_FILE = "session-list.cache"


class SessionStore:
    """Every session of a profile.

    Attributes:
        changed: emits the id of a session that was written, renamed, closed or moved to the trash, in the thread that did it.
    """

    def __init__(self, paths: AppPaths, clock: Clock) -> None:
        self._paths = paths
        self._clock = clock
        self._cache = ListCache(paths.cache / LIST_FILE if paths.cache.is_absolute() else None)
        self._open: dict[str, SessionHandle] = {}
        self._lock = threading.RLock()
        self.changed: Emitter[str] = Emitter()

    # --- writing -----------------------------------------------------------------------------------------------------

    def create(
        self, *, project_key: str, workspace: Path, memory_enabled: bool, model: str, parent: str = "", parent_message: str = ""
    ) -> SessionHandle:
        """A new session. Its file is made with its first message.

        Args:
            parent, parent_message: the session and its message that this one goes on from; see `SessionHeader`.
        """
        now = self._clock.now()
        header = SessionHeader(new_session_id(now), SCHEMA, project_key, str(workspace), now, memory_enabled, model, desktop.__version__)
        if parent:
            header = replace(header, parent=parent, parent_message=parent_message)
        path = self._paths.sessions / project_key / f"{header.id}{SUFFIX}"
        return self._handle(header, path, WriterLock(self._lock_path(header.id)), None)

    def create_incognito(
        self, *, project_key: str, workspace: Path, memory_enabled: bool, model: str, reads_memory: bool
    ) -> IncognitoHandle:
        """A session that is never stored, listed or told of. Its memory, if it reads any, is read only."""
        now = self._clock.now()
        header = SessionHeader(new_session_id(now), SCHEMA, project_key, str(workspace), now, memory_enabled, model, desktop.__version__)
        return IncognitoHandle(header, WriterLock(self._lock_path(header.id)), self._clock, reads_memory=reads_memory)

    def open(self, session_id: str) -> SessionHandle:
        """Open a stored session to go on with it.

        Raises:
            NotFoundError: no such session.
            StorageError: it is open elsewhere, cannot be read, or was written by a newer version.
        """
        path = self.path_of(session_id)
        lock = WriterLock(self._lock_path(session_id))
        lock.acquire(session_id)
        try:
            loaded = self._loaded_for_writing(session_id, path)
            header = loaded.header or self._lost_header(session_id, path, loaded)
        except StorageError:
            lock.release()
            raise
        return self._handle(header, path, lock, loaded)

    def _loaded_for_writing(self, session_id: str, path: Path) -> LoadedTranscript:
        if not path.is_file():
            raise StorageError(
                say("The transcript {path} is not a file.", path=path), hint=say("Move what stands in its place, then try again.")
            )
        make_appendable(path, self._clock)
        loaded = read_transcript(path)
        unreadable = next((reason for line, reason in loaded.damage if line == 0), "")
        if unreadable:
            raise StorageError(
                say("The session {session_id} cannot be opened: {unreadable}.", session_id=session_id, unreadable=unreadable),
                hint=say("Check {path}.", path=path),
            )
        if loaded.newer or (loaded.header and loaded.header.schema > SCHEMA):
            raise StorageError(
                say("The session {session_id} was written by a newer Keepsake.", session_id=session_id),
                hint=say("It can be read here; update Keepsake to go on with it."),
            )
        return loaded

    def _lost_header(self, session_id: str, path: Path, loaded: LoadedTranscript) -> SessionHeader:
        """A header for a file that lost its own: the folder of the project's other sessions, and memory off, which sends nothing."""
        workspace = next((s.workspace for s in self.list(path.parent.name) if s.workspace), "")
        started = loaded.messages[0].time if loaded.messages else self._clock.now()
        enabled = loaded.meta.get("memory_enabled") is True
        return SessionHeader(session_id, SCHEMA, path.parent.name, workspace, started, enabled, loaded.model, desktop.__version__)

    def _handle(self, header: SessionHeader, path: Path, lock: WriterLock, loaded: LoadedTranscript | None) -> SessionHandle:
        handle = SessionHandle(header, path, lock, self._clock, loaded=loaded, on_change=self.changed.emit, on_close=self._closed)
        with self._lock:
            self._open[header.id] = handle
        return handle

    def _closed(self, session_id: str) -> None:
        with self._lock:
            self._open.pop(session_id, None)
        self.changed.emit(session_id)

    def _lock_path(self, session_id: str) -> Path:
        return self._paths.sessions / ".locks" / f"{session_id}.lock"

    def rename(self, session_id: str, title: str) -> None:
        """Give a session a title of the person's own; an empty one goes back to the generated one or the first prompt.

        Raises:
            NotFoundError, StorageError: as `open`.
        """
        with self._lock:
            handle = self._open.get(session_id)
        if handle is not None:
            handle.set_meta("title", title.strip())
            return
        handle = self.open(session_id)
        try:
            handle.set_meta("title", title.strip())
        finally:
            handle.close()

    def trash(self, session_id: str) -> Path:
        """Move a session to the trash, under the time of now and its project's key.

        Returns:
            Where it lies now.

        Raises:
            NotFoundError: no such session.
            StorageError: it is open, or cannot be moved; it is then where it was.
        """
        path = self.path_of(session_id)
        lock = WriterLock(self._lock_path(session_id))
        lock.acquire(session_id)
        try:
            stamp = self._clock.now().strftime("%Y%m%dT%H%M%S%fZ")
            target = ensure_private_dir(self._paths.trash / "sessions" / stamp / path.parent.name) / path.name
            for part in (path, *path.parent.glob(f"{path.name}.*")):
                shutil.move(str(part), str(target.with_name(part.name)))
        except OSError as error:
            message = say(
                "The session {session_id} could not be moved to the trash ({reason}).", session_id=session_id, reason=os_reason(error)
            )
            raise StorageError(
                message, hint=say("Check that you may write to {trash}.", trash=self._paths.trash), detail=str(error)
            ) from error
        finally:
            lock.release()
        self._cache.forget(str(path))
        self._cache.flush()
        self.changed.emit(session_id)
        return target

    # --- reading -----------------------------------------------------------------------------------------------------

    def path_of(self, session_id: str) -> Path:
        """The file of a session.

        Raises:
            NotFoundError: no such session, or no session id at all.
        """
        if SESSION_ID.match(session_id):
            for folder in self._project_folders():
                path = folder / f"{session_id}{SUFFIX}"
                if os.path.lexists(path):
                    return path
        raise NotFoundError(
            say("There is no session {session_id}.", session_id=session_id),
            hint=say("“keepsake sessions list --all” shows those that are there."),
        )

    def load(self, session_id: str) -> LoadedTranscript:
        """Read a session without opening it; what is damaged stands in the result.

        Raises:
            NotFoundError: no such session.
        """
        return read_transcript(self.path_of(session_id))

    def find(self, session_id: str) -> SessionSummary:
        """The summary of one session.

        Raises:
            NotFoundError: no such session.
        """
        path = self.path_of(session_id)
        summary = read_summary(path)
        return replace(summary, id=session_id) if summary.id != session_id else summary

    def list(self, project_key: str | None = None) -> list[SessionSummary]:
        """Sessions of a project, or of all, newest first. Files that cannot be read are in it too, in state `damaged`.

        Raises:
            StorageError: a folder is there but cannot be listed.
        """
        found: list[SessionSummary] = []
        seen: set[str] = set()
        for entry in self.files(project_key):
            seen.add(entry.path)
            found.append(self._cached(entry))
        if project_key is None:
            self._cache.keep_only(seen)
        self._cache.flush()
        found.sort(key=lambda summary: (summary.updated, summary.id), reverse=True)
        return found

    def files(self, project_key: str | None = None) -> Iterator[os.DirEntry[str]]:
        """The transcripts of a project's folder, or of all, as they lie there; none is looked into.

        Raises:
            StorageError: a folder is there but cannot be listed.
        """
        folders = self._project_folders() if project_key is None else [self._paths.sessions / project_key]
        for folder in folders:
            for entry in _entries(folder):
                if entry.name.endswith(SUFFIX) and SESSION_ID.match(entry.name[: -len(SUFFIX)]):
                    yield entry

    def _cached(self, entry: os.DirEntry[str]) -> SessionSummary:
        try:
            status = entry.stat()
        except OSError:
            return read_summary(Path(entry.path))
        state = FileState.of(status)
        cached = self._cache.get(entry.path, state)
        if cached is not None:
            return cached
        summary = read_summary(Path(entry.path))
        name = entry.name[: -len(SUFFIX)]
        if summary.id != name:
            summary = replace(summary, id=name)
        self._cache.put(entry.path, state, summary)
        return summary

    def _project_folders(self) -> Iterator[Path]:
        for entry in _entries(self._paths.sessions):
            if entry.is_dir() and not entry.name.startswith("."):
                yield Path(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing in one that is not there. An empty list never stands for one that could not be looked into."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(
            say("The sessions in {folder} cannot be listed ({reason}).", folder=folder, reason=os_reason(error)),
            hint=say("Check that you may read it."),
            detail=str(error),
        ) from error
