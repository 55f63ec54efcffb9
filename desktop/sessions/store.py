"""The transcripts of one profile: create, open, read, list, rename, move to the trash. One file a session, in its project's folder.

`<data>/sessions/<project key>/<session id>.jsonl`, big outputs and images in `<session id>.files` beside it. Nothing is ever deleted by
itself. Any thread; reading and writing block.
"""

from __future__ import annotations

import functools
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import desktop
from desktop.base.clock import Clock
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.events import Emitter
from desktop.base.ids import SESSION_ID, new_session_id
from desktop.base.locks import taken
from desktop.base.paths import AppPaths
from desktop.base.phrases import os_reason, say
from desktop.sessions.handle import SessionHandle, WriterLock
from desktop.sessions.incognito import IncognitoHandle
from desktop.sessions.list_cache import FileState, ListCache
from desktop.sessions.migrate import make_appendable, migrate
from desktop.sessions.record import SCHEMA, SessionHeader
from desktop.sessions.set_at_end import set_at_end
from desktop.sessions.side_files import SideFiles
from desktop.sessions.summary import SessionSummary, read_summary
from desktop.sessions.transcript import LoadedTranscript, read_transcript
from desktop.sessions.trash import SUFFIX, SessionTrash, TrashedSession

__all__ = ["SUFFIX", "SessionHandle", "SessionHeader", "SessionStore", "SessionSummary", "TrashedSession"]

log = logging.getLogger(__name__)
FLAGS = ("pinned", "archived")
"""Named values that a person sets in the list."""

PARENTS = 32
"""Sessions that a fork is followed back through for a side file."""

Result = TypeVar("Result")
LIST_FILE = "session-list.cache"
LOCKS = ".locks"


class SessionStore:
    """Every session of a profile.

    Attributes:
        changed: emits the id of a session that was written, renamed, closed, moved to the trash or back, in the thread that did it.
    """

    def __init__(self, paths: AppPaths, clock: Clock) -> None:
        self._paths = paths
        self._clock = clock
        self._cache = ListCache(paths.cache / LIST_FILE if paths.cache.is_absolute() else None)
        self._open: dict[str, SessionHandle] = {}
        self._lock = threading.RLock()
        self._trash = SessionTrash(paths.trash / "sessions", paths.sessions, clock)
        self.changed: Emitter[str] = Emitter()

    # --- writing -----------------------------------------------------------------------------------------------------

    def create(
        self,
        *,
        project_key: str,
        workspace: Path,
        memory_enabled: bool,
        model: str,
        parent: str = "",
        parent_message: str = "",
        branch: str = "",
        kind: str = "chat",
    ) -> SessionHandle:
        """A new session. Its file is made with its first message.

        Args:
            parent, parent_message: the session and its message that this one goes on from; see `SessionHeader`.
            branch, kind: see `SessionHeader`.
        """
        now = self._clock.now()
        header = SessionHeader(new_session_id(now), SCHEMA, project_key, str(workspace), now, memory_enabled, model, desktop.__version__)
        header = replace(header, parent=parent, parent_message=parent_message, branch=branch, kind=kind)
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
        loaded = self._readable(session_id, path)
        if loaded.newer or (loaded.header and loaded.header.schema > SCHEMA):
            raise StorageError(
                say("The session {session_id} was written by a newer Keepsake.", session_id=session_id),
                hint=say("It can be read here; update Keepsake to go on with it."),
            )
        rewritten = [make_appendable(path, self._clock), migrate(path, self._clock) if loaded.older else None]
        return self._readable(session_id, path) if any(rewritten) else loaded

    def _readable(self, session_id: str, path: Path) -> LoadedTranscript:
        """The transcript, for going on with it: one that cannot be read now must not look like an empty one."""
        loaded = _named(read_transcript(path, side_files=self._side_files(session_id, path)), session_id)
        unreadable = next((reason for line, reason in loaded.damage if line == 0), "")
        if unreadable:
            raise StorageError(
                say("The session {session_id} cannot be opened: {unreadable}.", session_id=session_id, unreadable=unreadable),
                hint=say("Check {path}.", path=path),
            )
        return loaded

    def _lost_header(self, session_id: str, path: Path, loaded: LoadedTranscript) -> SessionHeader:
        """A header for a file that lost its own: the folder of the project's other sessions, and memory off, which sends nothing."""
        workspace = next((s.workspace for s in self.list(path.parent.name) if s.workspace), "")
        started = loaded.messages[0].time if loaded.messages else self._clock.now()
        enabled = loaded.meta.get("memory_enabled") is True
        return SessionHeader(session_id, SCHEMA, path.parent.name, workspace, started, enabled, loaded.model, desktop.__version__)

    def _handle(self, header: SessionHeader, path: Path, lock: WriterLock, loaded: LoadedTranscript | None) -> SessionHandle:
        handle = SessionHandle(
            header,
            path,
            lock,
            self._clock,
            loaded=loaded,
            side_files=self._side_files(header.id, path, header.parent),
            on_change=self.changed.emit,
            on_close=self._closed,
        )
        with self._lock:
            self._open[header.id] = handle
        return handle

    def _closed(self, handle: SessionHandle) -> None:
        with self._lock:
            if self._open.get(handle.id) is handle:  # another thread may have opened it anew since the lock was let go
                del self._open[handle.id]
        self.changed.emit(handle.id)

    def _lock_path(self, session_id: str) -> Path:
        return self._paths.sessions / LOCKS / f"{session_id}.lock"

    def open_elsewhere(self) -> frozenset[str]:
        """Ids of sessions that another process has open now: nothing of them is read but their locks."""
        held = taken(self._paths.sessions / LOCKS)
        with self._lock:
            return held - self._open.keys()

    def rename(self, session_id: str, title: str) -> None:
        """Give a session a title of the person's own; an empty one goes back to the generated one or the first prompt.

        Raises:
            NotFoundError, StorageError: as `open`.
        """
        self._set_meta(session_id, "title", title.strip())

    def set_flag(self, session_id: str, name: str, value: bool) -> None:
        """Pin a session (`pinned`) or put it into the archive (`archived`), or take that back. Its time stays as it was.

        Raises:
            NotFoundError, StorageError: as `open`.
            ValueError: there is no such flag.
        """
        if name not in FLAGS:
            raise ValueError(f"{name} is none of {FLAGS}")
        self._set_meta(session_id, name, value)

    def _set_meta(self, session_id: str, name: str, value: object) -> None:
        """Store a named value of a session, also of one that is open in this process."""
        with self._lock:
            handle = self._open.get(session_id)
        if handle is not None:
            handle.set_meta(name, value)
            return
        if self._set_at_end(session_id, name, value):
            self.changed.emit(session_id)
            return
        handle = self.open(session_id)
        try:
            if handle.meta.get(name) != value:
                handle.set_meta(name, value)
        finally:
            handle.close()

    def _set_at_end(self, session_id: str, name: str, value: object) -> bool:
        """Whether the value was stored without reading the session; where that is in doubt nothing is done."""
        path, lock = self.path_of(session_id), WriterLock(self._lock_path(session_id))
        lock.acquire(session_id)
        try:
            return set_at_end(path, session_id, name, value, self._clock)
        except OSError as error:
            log.info("the whole of %s is read, since %s was not stored: %s", path.name, name, error)
            return False
        finally:
            lock.release()

    # --- trash -------------------------------------------------------------------------------------------------------

    def trash(self, session_id: str) -> Path:
        """Move a session to the trash, under the time of now and its project's key, with its side files and copies.

        Returns:
            Where it lies now.

        Raises:
            NotFoundError: no such session.
            StorageError: it is open, or cannot be moved; it is then where it was.
        """
        path = self.path_of(session_id)

        def failed(error: OSError) -> StorageError:
            return StorageError(
                say("The session {session_id} could not be moved to the trash ({reason}).", session_id=session_id, reason=os_reason(error)),
                hint=say("Check that you may write to {trash}.", trash=self._paths.trash),
                detail=str(error),
            )

        target = self._locked(session_id, lambda: self._trash.put(path), failed)
        self._cache.forget(str(path))
        self._cache.flush()
        self.changed.emit(session_id)
        return target

    def trashed(self) -> list[TrashedSession]:
        """The sessions in the trash, the latest first.

        Raises:
            StorageError: the trash cannot be listed.
        """
        return self._trash.all()

    def find_trashed(self, path: Path) -> TrashedSession:
        """The session whose transcript lies at `path` in the trash, as `trash` gave it.

        Raises:
            NotFoundError: it is not there any more.
        """
        return self._trash.find(path)

    def restore(self, trashed: TrashedSession) -> Path:
        """Put a session back with all that belongs to it; says where it is.

        Raises:
            StorageError: something is in its place, or it cannot be moved; it is then still in the trash.
        """

        def failed(error: OSError) -> StorageError:
            return StorageError(
                say("The session “{title}” could not be restored ({reason}).", title=trashed.title, reason=os_reason(error)),
                hint=say("It is in the trash: {now}.", now=trashed.path),
                detail=str(error),
            )

        path = self._locked(trashed.id, lambda: self._trash.put_back(trashed), failed)
        self.changed.emit(trashed.id)
        return path

    def purge(self, trashed: TrashedSession) -> None:
        """Delete a session in the trash for good. Only ever done because the person said so.

        Raises:
            StorageError: not all of it could be deleted; the rest is still in the trash.
        """

        def failed(error: OSError) -> StorageError:
            return StorageError(
                say("The session “{title}” could not be deleted ({reason}).", title=trashed.title, reason=os_reason(error)),
                hint=say("It is in the trash: {now}.", now=trashed.path),
                detail=str(error),
            )

        self._locked(trashed.id, lambda: self._trash.delete(trashed), failed)
        if not os.path.lexists(trashed.was):
            self._cache.forget(str(trashed.was))
            self._cache.flush()
            with suppress(OSError):  # nobody waits for the lock of a session that is nowhere
                self._lock_path(trashed.id).unlink(missing_ok=True)
        self.changed.emit(trashed.id)

    def _locked(self, session_id: str, work: Callable[[], Result], failed: Callable[[OSError], StorageError]) -> Result:
        """Do something with a session's files while nobody writes to them."""
        lock = WriterLock(self._lock_path(session_id))
        lock.acquire(session_id)
        try:
            return work()
        except OSError as error:
            raise failed(error) from error
        finally:
            lock.release()

    # --- side files --------------------------------------------------------------------------------------------------

    def side_file(self, session_id: str, digest: str) -> bytes:
        """A big output (UTF-8) or an image of a session by the digest that its record names.

        Raises:
            NotFoundError: no such session, or the file is lost or not what its name says.
        """
        return self._side_files(session_id, self.path_of(session_id)).read(digest)

    def side_file_paths(self, session_id: str) -> tuple[Path, ...]:
        """The side files of a session that are there, for an export.

        Raises:
            NotFoundError: no such session.
        """
        return tuple(self._side_files(session_id, self.path_of(session_id)).paths())

    def _side_files(self, session_id: str, path: Path, parent: str = "", depth: int = 0) -> SideFiles:
        """The side files of a transcript; what is missing there is looked for in the session that it was forked from."""

        @functools.cache
        def origin() -> SideFiles | None:  # asked for once, however many files are missing
            try:
                name = parent or self.find(session_id).parent
                if not name or name == session_id or depth > PARENTS:
                    return None
                return self._side_files(name, self.path_of(name), "", depth + 1)
            except NotFoundError:
                return None

        def elsewhere(digest: str) -> bytes | None:
            there = origin()
            try:
                return there.read(digest) if there is not None else None
            except NotFoundError:
                return None

        return SideFiles(path, elsewhere)

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

    def load(self, session_id: str, *, whole: bool = True) -> LoadedTranscript:
        """Read a session without opening it; what is damaged stands in the result.

        Args:
            whole: with big outputs out of their side files; without them each has its first part and a reference (see `side_files`).

        Raises:
            NotFoundError: no such session.
        """
        path = self.path_of(session_id)
        return _named(read_transcript(path, whole=whole, side_files=self._side_files(session_id, path)), session_id)

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
            if entry.is_dir() and entry.name != LOCKS:  # a project of a folder like .dotfiles begins with a dot too
                yield Path(entry.path)


def _named(loaded: LoadedTranscript, session_id: str) -> LoadedTranscript:
    """The transcript under the name of its file, which is what it is found by; a copied or damaged one tells another in its header."""
    header = loaded.header
    return loaded if header is None or header.id == session_id else replace(loaded, header=replace(header, id=session_id))


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
